package fold_test

import (
	"errors"
	"flag"
	"fmt"
	"strings"
	"testing"

	"asz/native/fold"
	"asz/native/store"
	"asz/native/store/crash"
)

// everyCrash makes TestParseCrash try all second crashes.
var everyCrash = flag.Bool("every-crash", false, "try all second crashes")

// grown has two stages, a child that lands after its call, and a reference that is resolved.
const grown = `
session: 00000001-0000-4000-8000-000000000001
title: A tale
steps:
  - input: begin
  - call: {text: Hm., tool: {id: t1, name: Read}}
    checkpoint: one
  - result: {of: t1, text: there}
  - call: {agent: {name: kid, prompt: look, steps: [{call: {text: Looked.}}], notify: true}}
  - call: {text: Done.}
`

// shown are all rounds of a disk in memory with their bytes, and conversation.state.
func shown(d *crash.Disk) string {
	var b strings.Builder
	for _, name := range d.Files() {
		if strings.Contains(name, "/_conversations/") && !strings.HasSuffix(name, "/.lock") && !strings.Contains(name, "/.tmp-") {
			text, _ := d.ReadFile(name)
			fmt.Fprintf(&b, "%s\n%s\n", name, text)
		}
	}
	return b.String()
}

// on is the same bed on another disk.
func (b *bed) on(d *crash.Disk) *bed {
	return &bed{TB: b.TB, root: &store.Root{FS: d, Dir: b.root.Dir}, id: b.id}
}

// sound checks what holds after any crash, before anything is healed: the rounds on disk are a chain, and stand on files.
func (b *bed) sound(what any) {
	b.Helper()
	r, err := fold.Verify(b.root, b.id)
	if err != nil {
		b.Fatalf("%v: %v", what, err)
	}
	for _, p := range r.Problems {
		b.Fatalf("%v: %s", what, p.String())
	}
}

// TestParseCrash: whatever a crash leaves, what is on disk verifies, and the same parse completes it to what one without a crash
// makes; so it is when the second one crashes too.
func TestParseCrash(t *testing.T) {
	for name, prepare := range map[string]func(*bed){
		"from nothing": func(b *bed) {},
		"from a round": func(b *bed) {
			b.disk().Remove("/root/asz.yaml")
			b.parse(-1)
			b.build(grown, "")
		},
		"without an index": func(b *bed) {
			b.build(grown, "")
			if err := b.disk().Remove("/root/" + b.id + "/index/index.state"); err != nil {
				b.Fatal(err)
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := scenarioBed(t, crash.New(), "/root", grown, "one")
			prepare(b)
			b.disk().Settle()
			calm := b.on(b.disk().Restart())
			calm.parse(600)
			want := shown(calm.disk())
			if n := strings.Count(want, `{"t":"header"`); n < 1 || name == "without an index" && n < 3 {
				t.Fatalf("there are %d rounds", n)
			}
			b.parse(600)
			first, seen := 0, map[crash.Key]bool{}
			for image := range b.disk().Images() {
				first++
				again := b.on(image.Disk.Restart())
				again.sound(image)
				again.parse(600)
				if got := shown(again.disk()); got != want {
					t.Fatalf("%s: there are\n%s\nand not\n%s", image, got, want)
				}
				if first%11 != 0 && !*everyCrash {
					continue
				}
				for second := range again.disk().Images() {
					if second.Power && seen[second.Key] {
						continue
					}
					if second.Power {
						seen[second.Key] = true
					}
					last := b.on(second.Disk.Restart())
					last.sound(second)
					last.parse(600)
					last.foldsAsAssembled()
					if got := shown(last.disk()); got != want {
						t.Fatalf("%s, then %s: there are\n%s\nand not\n%s", image, second, got, want)
					}
					last.tidy()
				}
			}
			t.Log(first, "crashes")
		})
	}
}

// tidy checks that nothing half-written is left.
func (b *bed) tidy() {
	b.Helper()
	for _, name := range b.disk().Files() {
		if strings.Contains(name, "/_conversations/") && strings.Contains(name, "/.tmp-") {
			b.Errorf("%s is left", name)
		}
	}
}

// TestParseFaults: an operation of the disk that fails ends the parse with a message, and the next one completes it.
func TestParseFaults(t *testing.T) {
	t.Parallel()
	b := scenarioBed(t, crash.New(), "/root", grown, "")
	b.disk().Settle()
	calm := b.on(b.disk().Restart())
	calm.parse(600)
	want := shown(calm.disk())
	full := errors.New("no space left on device")
	for at := 0; ; at++ {
		disk := b.disk().Restart()
		faults := &crash.Faults{FS: disk, At: at, Err: full}
		_, err := fold.Parse(&store.Root{FS: faults, Dir: "/root"}, b.id, fold.ParseOptions{MaxRoundBytes: 600})
		if !faults.Failed() {
			t.Log(at, "operations")
			break
		}
		if err != nil && (!errors.Is(err, full) || !strings.Contains(err.Error(), b.id)) {
			t.Errorf("operation %d: the message is %v", at, err)
		}
		again := b.on(disk.Restart())
		again.sound(at)
		again.parse(600)
		if got := shown(again.disk()); got != want {
			t.Errorf("operation %d: there are\n%s\nand not\n%s", at, got, want)
		}
	}
}

// TestParseAfterKilledCollector: a round that outlives a loss of power stands on files that do too, though who landed them was
// killed before it had synced them.
func TestParseAfterKilledCollector(t *testing.T) {
	t.Parallel()
	b := scenarioBed(t, crash.New(), "/root", grown, "one")
	b.disk().Settle()
	b.build(grown, "")
	landings, seen := 0, map[crash.Key]bool{}
	for killed := range b.disk().Images() {
		if killed.Power {
			continue
		}
		landings++
		after := b.on(killed.Disk)
		after.parse(600)
		for lost := range after.disk().Images() {
			if !lost.Power || seen[lost.Key] {
				continue
			}
			seen[lost.Key] = true
			b.on(lost.Disk).sound(fmt.Sprint(killed, ", then ", lost))
		}
	}
	t.Log(landings, "deaths,", len(seen), "disks")
}
