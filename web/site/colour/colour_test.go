package colour

import (
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"asz/shared/content"
)

// The grounds that code may stand on: the page's, raised, and of a highlighted line.
var (
	lightGrounds = []string{"#ffffff", "#fbfbf9", "#f1f3f5", "#e8eefb"}
	darkGrounds  = []string{"#14181f", "#1c222c", "#252c38", "#2a3344"}
)

func TestContrast(t *testing.T) {
	for _, c := range palette {
		for _, ground := range lightGrounds {
			if ratio := contrast(t, c.light, ground); ratio < 4.5 {
				t.Errorf("%s: %s on %s has %.2f", c.classes, c.light, ground, ratio)
			}
		}
		for _, ground := range darkGrounds {
			if ratio := contrast(t, c.dark, ground); ratio < 4.5 {
				t.Errorf("%s: %s on %s has %.2f", c.classes, c.dark, ground, ratio)
			}
		}
		if !strings.Contains(StyleSheet(), "light-dark("+c.light+","+c.dark+")") {
			t.Errorf("the style sheet lacks %s", c.classes)
		}
	}
	if ratio := contrast(t, "#767676", "#ffffff"); math.Abs(ratio-4.54) > 0.01 {
		t.Errorf("#767676 on white has 4.54, not %.2f", ratio)
	}
	if strings.Count(StyleSheet(), "{") != len(palette) || strings.Contains(StyleSheet(), "..") {
		t.Error("the style sheet is not of one rule a colour")
	}
}

func contrast(t *testing.T, a, b string) float64 {
	x, y := luminance(t, a), luminance(t, b)
	return (max(x, y) + 0.05) / (min(x, y) + 0.05)
}

func luminance(t *testing.T, colour string) float64 {
	t.Helper()
	value, err := strconv.ParseUint(strings.TrimPrefix(colour, "#"), 16, 32)
	if err != nil || len(colour) != 7 {
		t.Fatalf("%s is no colour", colour)
	}
	channel := func(shift int) float64 {
		c := float64(value>>shift&0xff) / 255
		if c <= 0.03928 {
			return c / 12.92
		}
		return math.Pow((c+0.055)/1.055, 2.4)
	}
	return 0.2126*channel(16) + 0.7152*channel(8) + 0.0722*channel(0)
}

// TestLexers colours with every lexer what must come out again.
func TestLexers(t *testing.T) {
	h := &highlighter{left: mostColouredSection}
	for _, language := range slices.Sorted(maps.Keys(languages)) {
		text := "# a \"b\" $x <p class='q'>\nFROM x AS y\nRUN echo \"$HOME\" && ls -l\nif (a == 1) { return \"x\"; } // ü\nname: [1, true]\n\ta = b"
		total := 0
		for _, r := range h.colour(language, text) {
			total += r.Size
		}
		if total != len(text) {
			t.Errorf("%s colours %d of %d bytes", language, total, len(text))
		}
	}
}

// TestBounds colours what makes backtracking expressions slow: that it ends is the test, the time is told by -v.
func TestBounds(t *testing.T) {
	start := time.Now()
	for _, block := range []string{"html\n" + strings.Repeat(strings.Repeat("<script>", 30)+"\n", 16), "yaml\n" + strings.Repeat("[\n", 2000), "c\n" + strings.Repeat("\n", 4000)} {
		content.Render([]byte(strings.Repeat("```"+block+"```\n\n", 50)), content.Options{Colours: Section()})
	}
	t.Logf("took %v", time.Since(start))
}
