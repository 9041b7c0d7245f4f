package collect_test

import (
	"flag"
	"fmt"
	"strings"
	"testing"

	"asz/native/collect"
	"asz/native/store"
	"asz/native/store/crash"
)

// everyCrash makes TestCrashes try all second crashes, which takes minutes.
var everyCrash = flag.Bool("every-crash", false, "try all second crashes")

const (
	project  = "/src/-work-p/"
	mainFile = project + sessionA + ".jsonl"
	child    = project + sessionA + "/subagents/agent-a0a10ef0666c4dc7e"
	journal  = project + sessionA + "/subagents/workflows/wf_one/journal.jsonl"
)

// record is a line of about 120 bytes.
func record(id string, n int) string {
	return fmt.Sprintf(`{"uuid":"%s-%d","parentUuid":"%[1]s-%d","type":"user","timestamp":"2026-01-02T03:04:%02dZ","message":{"content":"line %[2]d"}}`+"\n", id, n, n-1, n%60)
}

func records(id string, from, to int) string {
	var b strings.Builder
	for n := from; n <= to; n++ {
		b.WriteString(record(id, n))
	}
	return b.String()
}

// history is a main transcript of three windows, a child with its sidecar, and a journal.
func history(d *crash.Disk) {
	d.WriteFile(mainFile, records("m", 1, 5)+`{"uuid":"torn`)
	d.WriteFile(child+".jsonl", records("c", 1, 2))
	d.WriteFile(child+".meta.json", `{"description":"one"}`)
	d.WriteFile(journal, records("j", 1, 1))
}

func crashOptions(d *crash.Disk) collect.Options {
	o := options(d, "/src", d, "/data/root")
	o.MaxDelta = 250 // two records
	return o
}

// heal makes passes on what a crash left and checks that nothing is lost or there twice. What happens to the sources
// meanwhile is chosen by a number.
func heal(d *crash.Disk, what int) error {
	o := crashOptions(d)
	switch what % 4 {
	case 1: // they grow
		d.WriteFile(mainFile, records("m", 1, 7))
		d.WriteFile(child+".meta.json", `{"description":"two"}`)
		d.WriteFile(journal, records("j", 1, 2)+"{")
	case 2: // one is not there for a pass
		text, _ := d.ReadFile(mainFile)
		d.Remove(mainFile)
		if _, err := settle(o); err != nil {
			return err
		}
		d.WriteFile(mainFile, text)
	case 3: // one comes back as another file
		text, _ := d.ReadFile(child + ".jsonl")
		d.Remove(child + ".jsonl")
		d.WriteFile(child+".jsonl", text)
	}
	r, err := settle(o)
	if err != nil {
		return err
	}
	if r.Conflicts > 0 || r.Busy > 0 || r.Gone > 0 {
		return fmt.Errorf("%+v", r)
	}
	return complete(d, o)
}

// complete checks that all is landed, and that another pass does nothing at all.
func complete(d *crash.Disk, o collect.Options) error {
	all, err := wants(d, o.Adapters[0].Discover().Sources)
	if err != nil {
		return err
	}
	if err := whole(o.Root, sessionA, all); err != nil {
		return err
	}
	for _, name := range d.Files() {
		if strings.Contains(name, ".tmp-") {
			return fmt.Errorf("%s is left", name)
		}
	}
	before := d.Operations()
	r, err := settle(o)
	if err != nil {
		return err
	}
	if r.Landed != 0 || r.Indexed != 0 || d.Operations() != before {
		return fmt.Errorf("a pass with nothing to do did %d operations: %+v", d.Operations()-before, r)
	}
	return nil
}

// TestCrashes replays every prefix of what a pass does to the disk: the process killed, and power lost with any of the
// unsynced gone. After each a new pass is made, and sampled ones of those lose power again at every moment.
func TestCrashes(t *testing.T) {
	t.Parallel()
	stride := 53
	if *everyCrash {
		stride = 1
	}
	disk := crash.New()
	history(disk)
	disk.Settle()
	all, err := wants(disk, crashOptions(disk).Adapters[0].Discover().Sources)
	if err != nil || len(all) != 4 {
		t.Fatal(len(all), err)
	}
	if _, err := settle(crashOptions(disk)); err != nil {
		t.Fatal(err)
	}
	var killed, power, seconds int
	seen := map[crash.Key]bool{}
	try := func(image crash.Image, what int, after string) {
		if err := sound(&store.Root{FS: image.Disk, Dir: "/data/root"}, sessionA, all); err != nil {
			t.Fatalf("%s%v: %v", after, image, err)
		}
		if err := heal(image.Disk.Restart(), what); err != nil {
			t.Fatalf("%s%v (%d): %v", after, image, what%4, err)
		}
	}
	for first := range disk.Images() {
		if first.Power {
			power++
		} else {
			killed++
		}
		n := killed + power
		if n%stride != 0 {
			try(first, n, "")
			continue
		}
		if _, err := settle(crashOptions(first.Disk)); err != nil {
			t.Fatalf("%v: %v", first, err)
		}
		for second := range first.Disk.Images() {
			if second.Power && seen[second.Key] {
				continue
			}
			seen[second.Key] = true
			seconds++
			try(second, seconds, first.String()+", then ")
		}
	}
	t.Log(disk.Operations(), "operations,", killed, "kills,", power, "losses of power,", seconds, "second crashes")
}
