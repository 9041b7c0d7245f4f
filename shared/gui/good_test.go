package gui_test

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"testing"
	"time"

	"asz/shared/diag"
	"asz/shared/gui"
)

var update = flag.Bool("update", false, "rewrite the goldens")

func text(l diag.List) string {
	var b strings.Builder
	l.WriteText(&b, false)
	return b.String()
}

func scenario(t *testing.T, body string) *gui.Scenario {
	t.Helper()
	s, findings := gui.Parse(diag.NewSource("gui.yaml", body))
	if len(findings) > 0 || s == nil {
		t.Fatalf("%s\n%s", body, text(findings))
	}
	return s
}

// TestEveryKey: what is read of each good file stands in a file beside it, and no field of the types is left out by all.
func TestEveryKey(t *testing.T) {
	files, _ := filepath.Glob("testdata/good/*.yaml")
	set := map[string]bool{}
	for _, name := range files {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		s := scenario(t, string(data))
		note(reflect.ValueOf(*s), set)
		got := strings.Join(lines(reflect.ValueOf(*s), "", s.Source), "\n") + "\n"
		golden := strings.TrimSuffix(name, ".yaml") + ".txt"
		if *update {
			if err := os.WriteFile(golden, []byte(got), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		if want, _ := os.ReadFile(golden); string(want) != got {
			t.Errorf("%s is not what is read now; see the difference with -update:\n%s", golden, got)
		}
	}
	goldens, _ := filepath.Glob("testdata/good/*.txt")
	if len(goldens) != len(files) {
		t.Errorf("%d files, %d goldens", len(files), len(goldens))
	}
	var all func(at reflect.Type)
	all = func(at reflect.Type) {
		switch at.Kind() {
		case reflect.Slice, reflect.Pointer:
			if at != reflect.TypeFor[*regexp.Regexp]() && at != reflect.TypeFor[*diag.Source]() {
				all(at.Elem())
			}
		case reflect.Struct:
			for i := range at.NumField() {
				f := at.Field(i)
				if f.IsExported() && at != reflect.TypeFor[diag.Span]() {
					if !set[at.String()+"."+f.Name] {
						t.Errorf("%s.%s is set in no good file", at, f.Name)
					}
					all(f.Type)
				}
			}
		}
	}
	all(reflect.TypeFor[gui.Scenario]())
}

// note tells which fields are set.
func note(v reflect.Value, set map[string]bool) {
	switch v.Kind() {
	case reflect.Pointer:
		if !v.IsNil() && v.Type() != reflect.TypeFor[*regexp.Regexp]() && v.Type() != reflect.TypeFor[*diag.Source]() {
			note(v.Elem(), set)
		}
	case reflect.Slice:
		for i := range v.Len() {
			note(v.Index(i), set)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if f := v.Type().Field(i); f.IsExported() && !v.Field(i).IsZero() {
				set[v.Type().String()+"."+f.Name] = true
				note(v.Field(i), set)
			}
		}
	}
}

// lines shows what is set, with the place of each.
func lines(v reflect.Value, path string, src *diag.Source) []string {
	switch x := v.Interface().(type) {
	case diag.Span:
		line, column := src.Position(x.Start)
		return []string{fmt.Sprintf("%s %d:%d %s", path, line, column, quoted(x.Text()))}
	case *regexp.Regexp:
		return []string{path + " " + quoted(x.String())}
	case time.Duration:
		return []string{path + " " + x.String()}
	case gui.Chord:
		return []string{path + " " + x.String()}
	case gui.StateCheck:
		if x.Element == "" {
			return nil
		}
	case fmt.Stringer:
		if v.Kind() != reflect.Struct && v.Kind() != reflect.Pointer {
			return []string{path + " " + x.String()}
		}
	}
	var out []string
	switch v.Kind() {
	case reflect.Pointer:
		return lines(v.Elem(), path, src)
	case reflect.Slice:
		for i := range v.Len() {
			out = append(out, lines(v.Index(i), fmt.Sprintf("%s[%d]", path, i), src)...)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			f := v.Type().Field(i)
			if f.IsExported() && f.Name != "Source" && f.Name != "Set" && (!v.Field(i).IsZero() || f.Name == "Kind") {
				out = append(out, lines(v.Field(i), path+"."+f.Name, src)...)
			}
		}
	case reflect.String:
		return []string{path + " " + quoted(v.String())}
	default:
		return []string{fmt.Sprint(path, " ", v.Interface())}
	}
	return out
}

func quoted(s string) string {
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(s); err != nil {
		panic(err)
	}
	return strings.TrimSpace(b.String())
}

func TestNames(t *testing.T) {
	for _, c := range []struct{ file, environment, want string }{
		{"", "", ",,"}, {"", "env", "env,env,env"}, {"app: a", "env", "a,a,a"},
		{"window: w", "env", "env,w,env"}, {"app: a\nprocess: p", "", "a,a,p"}, {"process: p", "", ",,p"},
	} {
		app, window, process := scenario(t, c.file).Names(c.environment)
		if got := app + "," + window + "," + process; got != c.want {
			t.Errorf("%q, %q: %s", c.file, c.environment, got)
		}
	}
}

// TestEmpty: no bytes, comments only, or nothing between the marks of a document.
func TestEmpty(t *testing.T) {
	for _, body := range []string{"", "\n", "# nothing\n", "\ufeff", "---\n", "---\n# nothing\n...\n", "~", "{}"} {
		s := scenario(t, body)
		if s.LaunchTimeout != time.Minute || s.Settle != 5*time.Second || !s.ATSPI || s.CDP || s.App.Set || s.Describe != gui.DescribeName {
			t.Errorf("%q: %+v", body, s)
		}
	}
}

// TestTurnedOn: cdp is on where something in steps or plan needs it.
func TestTurnedOn(t *testing.T) {
	for body, want := range map[string]bool{
		"cdp: true": true, "cdp: false": false,
		"steps: [{action: cdp_url}]":                                                     true,
		"steps: [{action: wait 1, post: [{url: a}]}]":                                    true,
		"goal: a\nplan: [{action: wait 1, post: [{file: b}, {dom: a}]}]":                 true,
		"goal: a\nplan: [{action: cdp_url, post: [{window: a}]}]":                        true,
		"steps: [{action: wait 1, post: [{screen: a}]}]":                                 false,
		"cdp: false\nsteps: [{action: cdp_url}]\ncdp_waits: {a: b}\ncdp_targets: {c: d}": true,
	} {
		if s := scenario(t, body); s.CDP != want {
			t.Errorf("%s: %v", body, s.CDP)
		}
	}
}
