package guirun_test

import (
	"strings"
	"testing"

	"asz/native/guirun/worldtest"
)

func TestRun(t *testing.T) {
	for _, c := range worldtest.Cases() {
		t.Run(c.Name, func(t *testing.T) {
			t.Parallel()
			worldtest.Play(t, worldtest.NewFake(), &c)
		})
	}
}

// The checker of reports finds what is wrong with one.
func TestConforms(t *testing.T) {
	schema := worldtest.ReadSchema(t)
	const good = `{"scenario":{"name":"","file":"","sha256":""},"verdict":"passed","reason":"","exit":0,"finished":true,"flaky":false,"attempts":[],` +
		`"not_judged":0,"started":"2026-01-01T00:00:00Z","duration_ms":0,"app":{"window":"","process":""},"rows":[],"final":null}`
	if problems := schema.Conforms([]byte(good)); problems != nil {
		t.Error(problems)
	}
	for what, with := range map[string][2]string{
		"has no flaky":           {`"flaky":false,`, ``},
		"more, which":            {`"exit":0`, `"exit":0,"more":1`},
		"is no integer":          {`"exit":0`, `"exit":0.5`},
		"is none of":             {`"passed"`, `"fine"`},
		"is no array":            {`"rows":[]`, `"rows":null`},
		"is no boolean":          {`"finished":true`, `"finished":1`},
		"is no string":           {`"reason":""`, `"reason":7`},
		"cannot parse":           {`2026-01-01T00:00:00Z`, `today`},
		"none of what it may":    {`"final":null`, `"final":{}`},
		"report.rows[0]: has no": {`"rows":[]`, `"rows":[{}]`},
	} {
		got := strings.Join(schema.Conforms([]byte(strings.Replace(good, with[0], with[1], 1))), "\n")
		if !strings.Contains(got, what) {
			t.Errorf("%v: got %q, want …%s…", with, got, what)
		}
	}
}
