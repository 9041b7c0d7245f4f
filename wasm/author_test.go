package wasm_test

import (
	"encoding/json"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"asz/shared/diag"
	"asz/shared/validate"
)

// report is what a check answers.
type report struct {
	Version int
	Labs    []struct {
		ID, Path   string
		States     int
		Exhaustive bool
	}
	Findings []struct {
		File, Severity, Code, Message string
		Line, Column                  int
		Fix                           *string
	}
}

func (r *report) codes() (out []string) {
	for _, f := range r.Findings {
		out = append(out, f.Code)
	}
	return out
}

// TestAuthorInAPage checks a lab through the page's bridge: what it finds is what is found natively.
func TestAuthorInAPage(t *testing.T) {
	const name = "signing"
	c := exec.Command("node", "testdata/author.mjs", build(t, "author"), "../labs", name)
	c.Stderr = os.Stderr
	out, err := c.Output()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	var good, gone, mended report
	var pair [2]report
	var reasons, restarted []any
	var explained []map[string]string
	var closed string
	answers := []any{&good, &pair, &gone, &mended, &reasons, &explained, &restarted, &closed}
	lines := strings.Split(strings.TrimSpace(string(out)), "\n")
	if len(lines) != len(answers) {
		t.Fatalf("%d answers:\n%s", len(lines), out)
	}
	for i, line := range lines {
		if err := json.Unmarshal([]byte(line), answers[i]); err != nil {
			t.Fatalf("answer %d: %v\n%s", i, err, line)
		}
	}

	check := validate.New(os.DirFS("../labs"), name, validate.Options{Solution: true, Coverage: true})
	for check.Step(1 << 20) {
	}
	want := check.Result()
	want.Findings.Sort()
	if good.Version != 1 || len(good.Labs) != 1 || good.Labs[0].ID != name || good.Labs[0].Path != name ||
		good.Labs[0].States != want.States || good.Labs[0].Exhaustive != want.Exhaustive {
		t.Errorf("the lab is %+v", good.Labs)
	}
	if same(t, &good, want.Findings); want.Findings.Errors() > 0 {
		t.Error("the good lab has errors")
	}
	broken := pair[1]
	if slices.Contains(pair[0].codes(), "unknown-key") || !slices.Contains(broken.codes(), "unknown-key") {
		t.Errorf("the lab has %q before and %q after it is broken", pair[0].codes(), broken.codes())
	}
	for _, f := range broken.Findings {
		if f.Code == "unknown-key" && (f.File != name+"/labspace.yaml" || f.Severity != "error" || f.Line < 2 || f.Column != 1 || f.Fix == nil) {
			t.Errorf("the unknown key is found as %+v", f)
		}
	}
	if !slices.Contains(gone.codes(), "file-missing") {
		t.Errorf("without labspace.yaml: %q", gone.codes())
	}
	same(t, &mended, want.Findings)

	for i, want := range []string{
		"AbortError: This operation was aborted", "AbortError: This operation was aborted",
		"Error: there is no folder nowhere", "Error: explore takes off, auto or full", "../x is no path of a file in the folder.",
	} {
		if i >= len(reasons) || reasons[i] != want {
			t.Errorf("failure %d is not %q: %q", i, want, reasons)
		}
	}
	rule, _ := diag.RuleOf("unknown-key")
	if len(explained) != 2 || explained[0]["explain"] != rule.Explain || explained[0]["severity"] != "error" || explained[1] != nil {
		t.Errorf("explained as %q", explained)
	}
	if len(restarted) != 2 || restarted[0] != "Error: The author's module stopped." || restarted[1] != float64(len(want.Findings)) {
		t.Errorf("after it stopped: %v", restarted)
	}
	if closed != "Error: The author's module is closed." {
		t.Errorf("after it is closed: %s", closed)
	}
}

func same(t *testing.T, got *report, want diag.List) {
	t.Helper()
	if len(got.Findings) != len(want) {
		t.Errorf("%d findings in the page, %d natively", len(got.Findings), len(want))
		return
	}
	for i, d := range want {
		f := got.Findings[i]
		line, column := 1, 1
		if d.Span.Source != nil {
			line, column = d.Span.Source.Position(d.Span.Start)
		}
		if f.Code != string(d.Code) || f.Message != d.Message || f.Severity != d.Severity.String() || f.Line != line || f.Column != column {
			t.Errorf("finding %d in the page is %+v, natively %+v", i, f, d)
		}
	}
}
