package conform

import (
	"flag"
	"fmt"
	"strings"
	"testing"

	"asz/native/store"
	"asz/native/store/crash"
	"asz/shared/session"
)

const crashed = `
session: 00000001-0000-4000-8000-000000000001
steps:
  - input: begin
    checkpoint: one
  - call: {agent: {name: kid, prompt: look, steps: [{call: {text: Looked.}}]}}
`

// everyCrash makes TestCrash try all second crashes.
var everyCrash = flag.Bool("every-crash", false, "try all second crashes")

// TestCrash: whatever a crash leaves, the same build completes it, and what comes out is what one without a crash makes; so
// it is when the second one crashes too.
func TestCrash(t *testing.T) {
	s := scenarioOf(t, crashed)
	stride := map[Format]int{ClaudeCode: 211, SessionData: 5}
	for _, format := range []Format{ClaudeCode, SessionData} {
		t.Run(string(format), func(t *testing.T) {
			t.Parallel()
			whole := crash.New()
			crashBuild(t, s, format, whole, "one")
			want := crashBuild(t, s, format, whole, "")
			for _, begun := range []string{"", "one"} { // from nothing, and from an earlier stage
				disk := crash.New()
				if begun != "" {
					crashBuild(t, s, format, disk, begun)
					disk.Settle()
				}
				through := ""
				if begun == "" {
					through = "one"
				}
				crashBuild(t, s, format, disk, through)
				first, seen := 0, map[crash.Key]bool{}
				for image := range disk.Images() {
					first++
					again := image.Disk.Restart()
					crashBuild(t, s, format, again, through)
					if got := crashBuild(t, s, format, again, ""); got != want {
						t.Fatalf("%s, from %q: %s", image, begun, firstDifference(got, want))
					}
					if first%stride[format] != 0 && !*everyCrash {
						continue
					}
					again = image.Disk.Restart()
					crashBuild(t, s, format, again, through)
					for second := range again.Images() {
						if second.Power && seen[second.Key] {
							continue
						}
						if second.Power {
							seen[second.Key] = true
						}
						last := second.Disk.Restart()
						crashBuild(t, s, format, last, through)
						if got := crashBuild(t, s, format, last, ""); got != want {
							t.Fatalf("%s, then %s, from %q: %s", image, second, begun, firstDifference(got, want))
						}
					}
				}
				if first < 20 {
					t.Errorf("there are only %d crashes", first)
				}
			}
		})
	}
}

// crashBuild builds on a disk in memory and shows all files.
func crashBuild(t *testing.T, s *session.Scenario, format Format, disk store.FS, through string) string {
	t.Helper()
	o := Options{Format: format, Out: "/a/out", Times: Times{Base: base}, Through: through, Version: "test", FS: disk}
	if _, err := tryBuild(s, o); err != nil {
		t.Fatal(err)
	}
	d, ok := disk.(*crash.Disk)
	if !ok {
		return ""
	}
	var b strings.Builder
	for _, name := range d.Files() {
		// a temporary name that came back with the power holds nothing that anyone reads
		if !strings.HasSuffix(name, "/.lock") && !strings.Contains(name, "/.tmp-") {
			text, _ := d.ReadFile(name)
			fmt.Fprintf(&b, "%s\n%q\n", name, text)
		}
	}
	return b.String()
}

// TestFaults: an operation of the disk that fails ends the build with a message, and the next one completes it.
func TestFaults(t *testing.T) {
	s := scenarioOf(t, crashed)
	for _, format := range []Format{ClaudeCode, SessionData} {
		t.Run(string(format), func(t *testing.T) {
			t.Parallel()
			want := crashBuild(t, s, format, crash.New(), "")
			for at := 0; ; at++ {
				disk := crash.New()
				faults := &crash.Faults{FS: disk, At: at, Err: fmt.Errorf("no space left on device")}
				o := Options{Format: format, Out: "/a/out", Times: Times{Base: base}, Version: "test", FS: faults}
				_, err := tryBuild(s, o)
				if !faults.Failed() {
					break
				}
				if err != nil && !strings.Contains(err.Error(), "/") {
					t.Errorf("operation %d: the message %v names no place", at, err)
				}
				if got := crashBuild(t, s, format, disk.Restart(), ""); got != want {
					t.Errorf("operation %d: %s", at, firstDifference(got, want))
				}
			}
		})
	}
}

func firstDifference(got, want string) string {
	a, b := strings.Split(got, "\n"), strings.Split(want, "\n")
	i := 0
	for i < min(len(a), len(b))-1 && a[i] == b[i] {
		i++
	}
	return "the build leaves\n" + a[i] + "\nand not\n" + b[i]
}
