//go:build !js

// Not as wasm: it takes minutes there, and the other tests of the package hold that the two do the same.

package validate_test

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"asz/shared/sim"
	"asz/shared/validate"
)

// mutation is a lab with one thing changed by rule, whether that is a mistake or not.
type mutation struct {
	name  string
	files fstest.MapFS
}

// mutations changes one thing after the other.
func mutations(lab string, files fstest.MapFS) []mutation {
	var out []mutation
	change := func(what, file string, start, end int, with string) {
		text := string(files[file].Data)
		m := mutation{fmt.Sprintf("%s: %s, %s:%d", lab, what, strings.TrimPrefix(file, "t/"), 1+strings.Count(text[:start], "\n")), maps.Clone(files)}
		m.files[file] = &fstest.MapFile{Data: []byte(text[:start] + with + text[end:])}
		out = append(out, m)
	}
	each := func(what, file, pattern string, with func(old string) string) {
		text := string(files[file].Data)
		for _, at := range regexp.MustCompile(pattern).FindAllStringSubmatchIndex(text, -1) {
			change(what, file, at[2], at[3], with(text[at[2]:at[3]]))
		}
	}
	gone := func(string) string { return "" }
	misspelt := func(old string) string { return old[:len(old)-1] + "x" + old[len(old)-1:] }
	flipped := func(old string) string {
		if old == "true" {
			return "false"
		}
		return "true"
	}
	const rules, space = "t/simulator.yaml", "t/labspace.yaml"
	each("a write forgotten", rules, `(?m)^(        [a-zA-Z.]+: (?:true|false|[a-z0-9."-]+)\n)`, gone)
	each("a condition turned", rules, `(?m)^ +(?:when: .*)?state: \{.*: (true|false)`, flipped)
	each("a condition left out", rules, `(?m)^(      state: \{.*\}\n)`, gone)
	each("a step left open", rules, `(?m)^(    completes: .*\n)`, gone)
	each("a step renamed", space, `(?m)^      - id: (.*)$`, misspelt)
	each("a seed forgotten", rules, `(?m)^(    [a-zA-Z]+: (?:true|false|[a-z"]+)\n)`, gone)
	each("a command misspelt", rules, `(?m)command: ([a-z]{3,})`, misspelt)
	text := string(files[rules].Data)
	starts := regexp.MustCompile(`(?m)^  - id: `).FindAllStringIndex(text[strings.Index(text, "\nscenarios:"):], -1)
	for i := range starts {
		at := func(i int) int {
			if i == len(starts) {
				return len(text)
			}
			return strings.Index(text, "\nscenarios:") + starts[i][0]
		}
		change("a scenario deleted", rules, at(i), at(i+1), "")
		if i+1 < len(starts) {
			change("two scenarios swapped", rules, at(i), at(i+2), strings.TrimRight(text[at(i+1):at(i+2)], "\n")+"\n\n"+text[at(i):at(i+1)])
		}
	}
	for _, file := range slices.Sorted(maps.Keys(files)) {
		if strings.HasSuffix(file, ".md") {
			each("a block deleted", file, "(?ms)^(```(?:bash|sh|console|prompt).*?^```\n)", gone)
			each("a line misspelt", file, "(?m)^```(?:bash|sh).*\n([a-z]{3,})", misspelt)
		}
	}
	return out
}

// TestMutations changes our labs by rule, one thing at a time. Whatever that does, it is told in few words, at places
// that exist, with plays that can be played.
func TestMutations(t *testing.T) {
	t.Parallel()
	const every = 17 // of the changes; all of them hold, and take a minute
	const most = 2   // findings for one change; a scenario that is deleted may have some more …
	const mostOfAll = 4
	const percent = 2 // … which few have
	more := 0
	all := mutations("control", readTree(t, control))
	const folder = "../../labs"
	for _, id := range labsIn(t, folder) {
		all = append(all, mutations(id, readTree(t, folder+"/"+id))...)
	}
	own := map[string]int{"pair-agent": 2, "signing": 4} // what they have unchanged
	for i := 0; i < len(all); i += every {
		m := all[i]
		t.Run(m.name, func(t *testing.T) {
			r := validated(m.files, "t", validate.Options{})
			lab, _, _ := strings.Cut(m.name, ":")
			n := len(r.Findings) - own[lab]
			if n > most {
				more++
				t.Logf("%d findings:\n%s", n, listing(r.Findings))
			}
			if n > mostOfAll {
				t.Error("too many findings")
			}
			for i := range r.Findings {
				f := &r.Findings[i]
				if at := f.Span; at.Source == nil || at.Start < 0 || at.Len < 0 || at.End() > len(at.Source.Text) {
					t.Errorf("%s: no place: %+v", f.Code, at)
				}
				if f.Witness == nil {
					continue
				}
				engine, err := sim.New(r.Lab)
				if err != nil {
					t.Fatal(err)
				}
				played(t, engine, f.Witness)
			}
		})
	}
	if tried := len(all)/every + 1; more*100 > tried*percent {
		t.Errorf("%d of %d changes have more than %d findings", more, tried, most)
	}
}
