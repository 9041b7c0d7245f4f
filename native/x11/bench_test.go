package x11

import (
	"flag"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"
)

// soak is how often TestSoak types: go test ./native/x11 -run Soak -soak 100
var soak = flag.Int("soak", 2, "how often TestSoak types a text")

// scrambled is a text of 200 characters that is another each time, of many scripts, for the seed.
func scrambled(seed uint64) string {
	random := rand.New(rand.NewPCG(seed, 1))
	alphabet := []rune("abcdefghijklmnopqrstuvwxyzABCDEFGHIJ 0123456789 .,;:!?-_()[]{}'\"äöüßéèçñøåæœ你好世界日本語한글ЖдёшПриветαβγδλΩ😀🚀🎉€£½→√∞שלוםمرحبا")
	var b strings.Builder
	for range 200 {
		b.WriteRune(alphabet[random.IntN(len(alphabet))])
	}
	return b.String()
}

// load keeps the processors busy until the test ends.
func (k *desk) load(n int) {
	for range n {
		k.start("sh", "-c", "while :; do :; done")
	}
}

// No character is lost or wrong, with all processors busy.
func TestSoak(t *testing.T) {
	k := newDesk(t, "openbox")
	d := k.open(Options{})
	file := k.file("note.txt", "")
	k.start("mousepad", file)
	k.focused(d, "note.txt")
	k.load(2)
	wrong := 0
	for n := range *soak {
		want := scrambled(uint64(n))
		k.press(d, "ctrl+a")
		k.typeText(d, want)
		before := read(t, file)
		k.press(d, "ctrl+s")
		k.until("the file", func() bool { now := read(t, file); return now != "" && now != before })
		if got := strings.TrimSuffix(read(t, file), "\n"); got != want {
			wrong++
			t.Errorf("text %d\ngot  %q\nwant %q", n, got, want)
		}
	}
	t.Logf("%d of %d equal", *soak-wrong, *soak)
}

func benchmarkType(b *testing.B, program []string, title, text string) {
	k := newDesk(b, "openbox")
	d := k.open(Options{})
	k.start(program[0], program[1:]...)
	k.focused(d, title)
	b.ResetTimer()
	for range b.N {
		b.StopTimer()
		k.press(d, "ctrl+a") // a line that grows makes the program slow
		k.focused(d, title)
		b.StartTimer()
		k.typeText(d, text)
	}
}

func mousepad() []string { return []string{"mousepad", "bench.txt"} }

func BenchmarkType200Mixed(b *testing.B) { benchmarkType(b, mousepad(), "bench.txt", scrambled(1)) }
func BenchmarkType200MixedQt(b *testing.B) {
	benchmarkType(b, []string{"featherpad", "--standalone", "bench.txt"}, "bench.txt", scrambled(1))
}

func BenchmarkType100ASCII(b *testing.B) {
	benchmarkType(b, mousepad(), "bench.txt", strings.Repeat("The quick brown fox, 12345. Hello World; 98765 (x).", 2)[:100])
}

// The same by another tool, for comparison.
func BenchmarkXdotool200Mixed(b *testing.B) {
	k := newDesk(b, "openbox")
	d := k.open(Options{})
	k.start("mousepad", "bench.txt")
	k.focused(d, "bench.txt")
	b.ResetTimer()
	for range b.N {
		b.StopTimer()
		k.press(d, "ctrl+a")
		k.focused(d, "bench.txt")
		b.StartTimer()
		k.command("xdotool", "type", scrambled(1))
		k.focused(d, "bench.txt")
	}
}

func BenchmarkPress(b *testing.B) {
	k := newDesk(b, "")
	d := k.open(Options{})
	w := k.connect()
	defer w.leave()
	k.focusedWindow(w)
	b.ResetTimer()
	for range b.N {
		k.press(d, "ctrl+shift+f7")
	}
}

// BenchmarkKillRepair is the time from a runtime's death while it types to the keyboard's repair.
func BenchmarkKillRepair(b *testing.B) {
	k := newDesk(b, "")
	d := k.receiverWindow()
	k.dirty(d)
	before := k.keyboard(d)
	var took []time.Duration
	for n := range b.N {
		c, pid, rest := k.startVictim(0, "guard")
		time.Sleep(time.Duration(5000+n%13*700) * time.Microsecond)
		began := time.Now()
		c.Process.Kill()
		for k.keyboard(d) != before {
			if time.Since(began) > time.Minute {
				b.Fatal("never repaired: ", differ(before, k.keyboard(d)))
			}
		}
		took = append(took, time.Since(began))
		rest()
		c.Wait()
		k.gone(pid)
	}
	slices.Sort(took)
	b.ReportMetric(float64(took[len(took)-1].Microseconds())/1000, "worst-ms")
	b.ReportMetric(float64(took[len(took)/2].Microseconds())/1000, "median-ms")
	b.ReportMetric(0, "ns/op")
}
