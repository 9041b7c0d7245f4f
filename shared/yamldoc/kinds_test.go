package yamldoc

import (
	"testing"
	"time"

	"asz/shared/diag"
)

func scalar(text string) *Node {
	doc, _ := Parse(diag.NewSource("f", text), Options{})
	return doc.Root
}

func TestSeconds(t *testing.T) {
	const refused = -1
	for text, want := range map[string][2]time.Duration{ // zero or more, more than zero
		"0": {0, refused}, "0.0": {0, refused}, "-0": {0, refused}, "1": {time.Second, time.Second}, "+2": {2 * time.Second, 2 * time.Second},
		"0.1": {100 * time.Millisecond, 100 * time.Millisecond}, ".5": {500 * time.Millisecond, 500 * time.Millisecond}, "5.": {5 * time.Second, 5 * time.Second},
		"1e2": {100 * time.Second, 100 * time.Second}, "0x10": {16 * time.Second, 16 * time.Second}, "0o10": {8 * time.Second, 8 * time.Second},
		"1e-30": {0, 1}, "1e9": {1e18, 1e18}, "1000000001": {refused, refused}, "1e400": {refused, refused}, "-1": {refused, refused},
		".inf": {refused, refused}, ".nan": {refused, refused}, "soon": {refused, refused}, "1s": {refused, refused}, "true": {refused, refused}, "'1'": {refused, refused},
		"[1]": {refused, refused}, "": {refused, refused}, "0xffffffffffffffffff": {refused, refused},
	} {
		for i, positive := range []bool{false, true} {
			r, got := NewReader(), time.Duration(0)
			if ok := Seconds(positive).Read(r, scalar(text), &got); !ok {
				got = refused
			} else if len(r.Findings) > 0 {
				t.Errorf("%s: %v", text, r.Findings)
			}
			if got != want[i] {
				t.Errorf("%s, more than zero: %v: %v", text, positive, got)
			}
		}
	}
}

func TestFraction(t *testing.T) {
	for text, want := range map[string]float64{"0": 0, "1": 1, "0.25": 0.25, "1.0": 1, "1.01": -1, "-0.1": -1, "half": -1, ".nan": -1} {
		var got float64
		if !Fraction().Read(NewReader(), scalar(text), &got) {
			got = -1
		}
		if got != want {
			t.Errorf("%s: %v", text, got)
		}
	}
}

// TestReportBeyond: whoever completes a finding need not know that no more are kept.
func TestReportBeyond(t *testing.T) {
	r := NewReader()
	src := diag.NewSource("f", "text")
	for i := range maxReported + 100 {
		r.Report("wrong-type", diag.Span{Source: src, Len: i % 4}, time.Duration(i).String()).Fix.Text = "write another"
	}
	if n := len(r.Findings); n != maxReported+1 || r.Findings[n-1].Code != "too-many-findings" {
		t.Errorf("%d findings", n)
	}
}
