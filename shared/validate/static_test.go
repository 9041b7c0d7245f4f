package validate_test

import (
	"strings"
	"testing"
	"testing/fstest"

	"asz/shared/validate"
)

// TestSectionEncoding: a section in another encoding is one finding, at its first byte that is no UTF-8.
func TestSectionEncoding(t *testing.T) {
	c := validate.New(fstest.MapFS{
		"t/labspace.yaml": {Data: []byte("simulator: s.yaml\nsections: [{ title: A, contentPath: a.md }]\n")},
		"t/s.yaml":        {Data: []byte("version: \"2.0\"\nscenarios: []\n")},
		"t/a.md":          {Data: []byte("# \u00e9 caf\xe9 cr\xe8me\n")},
	}, "t", validate.Options{})
	for c.Step(1000) {
	}
	list := c.Result().Findings
	if len(list) != 1 || list[0].Code != "yaml-encoding" || list[0].Span.Start != 8 || !strings.Contains(list[0].Message, "0xE9") {
		t.Errorf("%+v", list)
	}
}
