package sim_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"asz/shared/sim"
)

// quote writes a word in one of the ways that E1 has for it.
func quote(r *rand.Rand, word string) string {
	var b strings.Builder
	rest := []rune(word)
	for first := true; first || len(rest) > 0; first = false {
		n := min(1+r.IntN(4), len(rest))
		part := string(rest[:n])
		rest = rest[n:]
		switch style := r.IntN(3); {
		case style == 0 && !strings.Contains(part, "'"):
			b.WriteString("'" + part + "'")
		case style == 1 && part != "" && !strings.Contains(part, "\n"):
			for _, c := range part {
				b.WriteString(`\` + string(c))
			}
		default:
			b.WriteString(`"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, "$", `\$`, "`", "\\`").Replace(part) + `"`)
		}
	}
	return b.String()
}

func TestE1WordsRandom(t *testing.T) {
	p := player(t, "scenarios: [{id: x, when: {command: x, args: {0: {any: true}, 1: {any: true}, 2: {any: true}}}, then: {}}]")
	r := rand.New(rand.NewPCG(1, 1))
	alphabet := []rune("ab \t'\"\\$`#;&|<>é🐋*~-=")
	for range 5_000 {
		var words []string
		line := " x"
		for range 3 {
			w := make([]rune, r.IntN(6))
			for i := range w {
				w[i] = pickOne(r, alphabet)
			}
			word := string(w)
			if len(word) > 1 && word[0] == '-' {
				word = "+" + word
			}
			words = append(words, word)
			line += pickOne(r, []string{" ", "  ", "\t"}) + quote(r, word)
		}
		rule, captures := p.Engine().Prepare("terminal", line).Select(p.State())
		var got []string
		for _, c := range captures {
			got = append(got, c.Value)
		}
		if rule != 0 || !slices.Equal(got, words) {
			t.Fatalf("%s gives %q, want %q", line, got, words)
		}
	}
}

func TestE2ListsRandom(t *testing.T) {
	p := player(t, lists)
	r := rand.New(rand.NewPCG(2, 2))
	exits := map[string]int{"yes": 0, "no": 3, "nope": 127, "ls": 0}
	for range 2_000 {
		line, exit := "", 0
		var out, ran []string
		for i := range 1 + r.IntN(6) {
			command := pickOne(r, []string{"yes", "no", "nope", "ls"})
			runs := true
			if i > 0 {
				op := pickOne(r, []string{";", "&&", "||"})
				runs = op == ";" || (op == "&&") == (exit == 0)
				line += pickOne(r, []string{"", " "}) + op + pickOne(r, []string{"", " "})
			}
			line += command
			if !runs {
				continue
			}
			exit = exits[command]
			ran = append(ran, command)
			if command == "yes" {
				out = append(out, "yes")
			}
		}
		_, o := p.Act("line", "terminal", line)
		scenario, builtin := ran[len(ran)-1], ""
		switch scenario {
		case "ls":
			scenario, builtin = "", "ls"
		case "nope":
			scenario = ""
		}
		got := fmt.Sprint(o.Exit(), o.Lines(sim.Stdout), o.Scenario(), o.Builtin(), len(o.Results))
		if want := fmt.Sprint(exit, out, scenario, builtin, len(ran)); got != want {
			t.Fatalf("%s comes to %s, want %s", line, got, want)
		}
	}
}
