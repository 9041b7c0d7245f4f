package conform

import (
	"slices"
	"strings"
	"testing"
)

func sorted(text string) string {
	lines := strings.Split(strings.TrimRight(text, "\n"), "\n")
	slices.Sort(lines)
	return strings.Join(lines, "\n")
}

func TestAgentID(t *testing.T) {
	if got := AgentID("checker"); got != "a0a10ef0666c4dc7e" {
		t.Error(got)
	}
}

func TestBatchID(t *testing.T) {
	for name, want := range map[string]string{
		"check": "wf_check", "<all> & report": "wf_run--all----report", "a_B-9": "wf_a_B-9", "_x": "wf_run-_x", "é": "wf_run--", "": "wf_run-",
	} {
		if got := batchID(name); got != want {
			t.Errorf("the run of %q is %s and not %s", name, got, want)
		}
	}
}

func TestSessionID(t *testing.T) {
	of := func(head string) string { return planOf(t, head+"steps: [{input: a}]", Times{}).Session }
	given := "0000000A-0000-4000-8000-0000000000Ff"
	if got := of("session: " + given + "\n"); got != given {
		t.Errorf("an id that is one becomes %s", got)
	}
	ids := []string{of(""), of("session: a\n"), of("session: b\n"), of("session: 0000000A-0000-4000-8000-0000000000Fg\n")}
	for i, id := range ids {
		if !isUUID(id) || id != strings.ToLower(id) || slices.Contains(ids[:i], id) {
			t.Errorf("id %d is %s", i, id)
		}
	}
	if of("interval: 2s\ntitle: t\n") != ids[0] {
		t.Error("the default depends on more than the steps")
	}
	// SHA-256 of session:a
	if ids[1] != "bf644513-f2e9-e294-88db-acf0e1ab6282" {
		t.Error(ids[1])
	}
}

func TestCountedID(t *testing.T) {
	for _, c := range []struct {
		first string
		k     int64
		want  string
	}{
		{"00000001-0000-4000-8000-000000000001", 0, "00000001-0000-4000-8000-000000000001"},
		{"00000001-0000-4000-8000-000000000001", 1, "00000001-0000-4000-8000-000000000002"},
		{"00000001-0000-4000-8000-0000000000ff", 1, "00000001-0000-4000-8000-000000000100"},
		{"0000000A-0000-4000-8000-0000000000FF", 16, "0000000A-0000-4000-8000-00000000010F"},
		{"0000000A-0000-4000-8000-00000000000f", 0, "0000000A-0000-4000-8000-00000000000f"},
		{"00000001-0000-4000-8000-fffffffffffe", 1, "00000001-0000-4000-8000-ffffffffffff"},
		{"00000001-0000-4000-8000-fffffffffffe", 2, ""},
		{"00000001-0000-4000-8000-000000000001", 1 << 62, ""},
	} {
		if got := countedID(c.first, c.k); got != c.want {
			t.Errorf("%s and %d is %q and not %q", c.first, c.k, got, c.want)
		}
	}
}
