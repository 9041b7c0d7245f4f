package diag

import (
	"bytes"
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"reflect"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/owenrumney/go-sarif/v3/pkg/report/v210/sarif"
	"github.com/xeipuuv/gojsonschema"
)

// publishedSchema is that of SARIF 2.1.0. The library holds it as a constant that it keeps to itself, to check its own
// structs; what is checked here is our bytes, so it is read from the library's source.
func publishedSchema(t *testing.T) *gojsonschema.Schema {
	t.Helper()
	where := runtime.FuncForPC(reflect.ValueOf(sarif.FromBytes).Pointer())
	file, _ := where.FileLine(where.Entry())
	source, err := parser.ParseFile(token.NewFileSet(), filepath.Join(filepath.Dir(file), "schema.go"), nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	literal := source.Decls[0].(*ast.GenDecl).Specs[0].(*ast.ValueSpec).Values[0].(*ast.BasicLit)
	text, err := strconv.Unquote(literal.Value)
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(text, `"id": "`+sarifSchema+`"`) {
		t.Errorf("the schema is not the one that a log names, %s", sarifSchema)
	}
	schema, err := gojsonschema.NewSchema(gojsonschema.NewStringLoader(text))
	if err != nil {
		t.Fatal(err)
	}
	return schema
}

func findings() List {
	src := NewSource("labs/a b/simulator.yaml", "version: 2.0\nscenarios:\n  - id: é日x\n    comand: docker ps\n")
	at := func(text string) Span {
		return Span{Source: src, Start: strings.Index(src.Text, text), Len: len(text)}
	}
	var l List
	d := l.Add("unknown-key", at("comand"), `unknown key "comand" in when, [see](1) {0}`)
	d.Fix = &Fix{Text: `write "command"`, Safe: true, Edits: []Edit{{Span: at("comand"), New: "command"}, {Span: at("id"), New: "ID"}}}
	d.Related = []Related{{Span: at("é日x"), Message: "of this one"}, {Message: "nowhere"}}
	l.Add("dead-end", at("日x"), "`{{ args.0 }}`").Witness = []string{"docker ps", "@undo"}
	l.Add("state-unread", at("docker ps\n"), "over the line's end")
	l.Add("missing-key", Span{}, "no place")
	return l
}

func log(t *testing.T, l List) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := l.WriteSARIF(&b); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func TestSARIFSchema(t *testing.T) {
	schema := publishedSchema(t)
	problems := func(log []byte) []gojsonschema.ResultError {
		result, err := schema.Validate(gojsonschema.NewBytesLoader(log))
		if err != nil {
			t.Fatal(err)
		}
		return result.Errors()
	}
	good := log(t, findings())
	for _, l := range [][]byte{good, log(t, nil), log(t, sample()), log(t, hostile())} {
		for _, problem := range problems(l) {
			t.Errorf("%v\n%.2000s", problem, l)
		}
	}
	// The check must bite, else it says nothing.
	for old, new := range map[string]string{
		`"version":"2.1.0"`:            `"version":"2.0.0"`,
		`"version":"2.1.0",`:           ``,
		`"name":"asz",`:                ``,
		`"level":"note"`:               `"level":"info"`,
		`"columnKind":"u`:              `"columnKind":"x`,
		`"message":{"text":"no place`:  `"massage":{"text":"no place`,
		`"ruleIndex":1`:                `"ruleIndex":-2`,
		`"startLine":4`:                `"startLine":0`,
		`"startLine":3`:                `"startLine":"3"`,
		`"results":[`:                  `"results":null,"r":[`,
		`"uri":"labs`:                  `"uri2":"labs`,
		`"help":{"text":`:              `"help":{"txt":`,
		`"insertedContent":{"text":"c`: `"insertedContent":{"text2":"c`,
		`"deletedRegion":{`:            `"deletedRange":{`,
		`"artifactChanges":[`:          `"artifactChanges":[],"x":[`,
	} {
		bad := bytes.Replace(good, []byte(old), []byte(new), 1)
		if bytes.Equal(bad, good) {
			t.Errorf("there is no %s", old)
		} else if len(problems(bad)) == 0 {
			t.Errorf("%s instead of %s passes", new, old)
		}
	}
}

func TestSARIF(t *testing.T) {
	report, err := sarif.FromBytes(log(t, findings()))
	if err != nil {
		t.Fatal(err)
	}
	run := report.Runs[0]
	var rules []string
	for _, r := range run.Tool.Driver.Rules {
		rules = append(rules, *r.ID+" "+r.DefaultConfiguration.Level)
	}
	if got := strings.Join(rules, ", "); got != "dead-end warning, missing-key error, state-unread note, unknown-key error" {
		t.Errorf("rules: %s", got)
	}
	for _, r := range run.Results {
		if id := *run.Tool.Driver.Rules[r.RuleIndex].ID; id != *r.RuleID {
			t.Errorf("rule %d is %s, not %s", r.RuleIndex, id, *r.RuleID)
		}
	}
	first := run.Results[0]
	region := first.Locations[0].PhysicalLocation.Region
	if *region.StartLine != 4 || *region.StartColumn != 5 || *region.EndLine != 4 || *region.EndColumn != 11 {
		t.Errorf("region %v", region)
	}
	if uri := *first.Locations[0].PhysicalLocation.ArtifactLocation.URI; uri != "labs/a%20b/simulator.yaml" {
		t.Errorf("uri %s", uri)
	}
	if want := `unknown key "comand" in when, \[see\](1) {{0}}` + "\nfix: write \"command\""; *first.Message.Text != want {
		t.Errorf("message %q", *first.Message.Text)
	}
	if len(first.RelatedLocations) != 1 || *first.RelatedLocations[0].Message.Text != "of this one" ||
		*first.RelatedLocations[0].PhysicalLocation.Region.StartColumn != 9 {
		t.Errorf("related %v", first.RelatedLocations)
	}
	if len(first.Fixes) != 1 || len(first.Fixes[0].ArtifactChanges) != 1 || len(first.Fixes[0].ArtifactChanges[0].Replacements) != 2 {
		t.Errorf("fixes %v", first.Fixes)
	}
	second := run.Results[1]
	if !strings.HasPrefix(*second.Message.Text, "`{{ args.0 }}`\nfix: ") || !strings.HasSuffix(*second.Message.Text, "\nplay:\n  docker ps\n  @undo") {
		t.Errorf("message %q", *second.Message.Text)
	}
	if len(second.Fixes) != 0 || len(run.Results[3].Locations) != 0 {
		t.Error("what is not there is not left out")
	}
}

// TestFingerprints: a finding keeps its fingerprint when lines move, and shares it with no other.
func TestFingerprints(t *testing.T) {
	prints := func(name, text string) (all []string) {
		src := NewSource(name, text)
		var l List
		for i := range text {
			if text[i] == 'x' {
				l.Add("wrong-type", Span{Source: src, Start: i, Len: 1}, "m")
			}
			if text[i] == '!' {
				l.Add("unknown-key", Span{Source: src, Start: i, Len: 1}, "m")
			}
		}
		report, err := sarif.FromBytes(log(t, l))
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range report.Runs[0].Results {
			for key, value := range r.PartialFingerprints {
				all = append(all, key+" "+value)
			}
		}
		return all
	}
	const text = "a: x\nb: x x !\na: x\n"
	was := prints("f", text)
	if moved := prints("f", "# new\n\n  "+strings.ReplaceAll(text, "\n", "\r\n  ")); !slices.Equal(was, moved) || len(was) != 5 {
		t.Errorf("%q became %q", was, moved)
	}
	other := append(prints("g", text), was...)
	slices.Sort(other)
	if len(slices.Compact(other)) != 10 {
		t.Errorf("some are equal: %q", other)
	}
}
