package gui

import (
	"strings"

	"asz/shared/yamldoc"
)

// The schema comes from the tables that read the file. What a table does not know is said here and held to the reader by
// a test of tools/docs. Patterns are for JavaScript.

// Schema is the JSON Schema of a GUI scenario.
func Schema() []byte {
	return scenarioType().SchemaFile("GUI scenario", "What to start, what to do in it and what must be true afterwards.")
}

type schema = yamldoc.Schema

const (
	blankPattern   = `[ \t\r\n]`
	filledPattern  = `[^ \t\r\n]`
	quotedPattern  = `"[^"]*[^" \t\r\n][^"]*"`
	secondsPattern = `(?:0*(?:[0-9]{1,9}|1000000000)(?:\.[0-9]*)?|\.[0-9]+)`
	targetPattern  = "^" + blankPattern + "*(?:browser|window" + blankPattern + "+" + quotedPattern + ")" + blankPattern + "*$"
)

// templateBody is a text with references, without some characters.
func templateBody(without string) string {
	return `(?:[^$` + without + `]|\$\$|\$\{[A-Za-z_][A-Za-z0-9_]*\}|\$(?![\{$]))*`
}

func templatePattern(without string) string { return "^" + templateBody(without) + "$" }

// actionPattern is every action of the table.
func actionPattern() string {
	var rows []string
	for _, row := range actionTable {
		p := row.word
		for _, a := range row.args {
			p += a.pattern()
		}
		rows = append(rows, p)
	}
	return "^" + blankPattern + "*(?:" + strings.Join(rows, "|") + ")" + blankPattern + "*$"
}

// pattern is the argument with the blanks before it.
func (a argument) pattern() string {
	const before = blankPattern + "+"
	switch a.kind {
	case argChord:
		return before + `"` + chordPattern() + `"`
	case argTyped:
		return before + `"` + templateBody(`"`) + `"`
	case argCenter:
		return before + a.name
	case argFraction:
		return before + `(?:0+(?:\.[0-9]*)?|\.[0-9]+|0*1(?:\.0*)?)`
	case argSeconds:
		return before + secondsPattern
	case argMaybe:
		return "(?:" + before + secondsPattern + ")?"
	}
	return before + quotedPattern
}

func chordPattern() string {
	return `(?:(?:` + anyCase(modifierNames()) + `)\+)*(?:` + anyCase(keyNames()) + `|[^"\u0000-\u001f\u007f-\u009f])`
}

// anyCase is one of some names in small or capital letters.
func anyCase(names []string) string {
	var b strings.Builder
	for i, name := range names {
		if i > 0 {
			b.WriteByte('|')
		}
		for _, c := range name {
			if c >= 'a' && c <= 'z' {
				b.WriteString("[" + string(c-'a'+'A') + string(c) + "]")
			} else {
				b.WriteRune(c)
			}
		}
	}
	return b.String()
}

func statePattern() string {
	const sp = blankPattern
	end := sp + "+(?:" + strings.Join(stateWords[:], "|") + ")" + sp + "*$"
	return "^" + sp + "*(?!not" + end + `)(?!"[\s\S]*"(?:` + sp + "+not)?" + end + ")" + filledPattern + `[\s\S]*?` + end
}

// pattern is of the names that the rule takes.
func (rule nameRule) pattern() string {
	const control = `\u0000-\u001f\u007f-\u009f`
	without := control
	switch rule {
	case wordName:
		return "^[A-Za-z0-9_-]{1,64}$"
	case quotable:
		without += `"`
	case envName:
		without += "="
	}
	return "^[^" + without + "]*[^" + without + " ][^" + without + "]*$"
}

// A map schema that more is said of.
func object() *schema { return &schema{Types: []string{"object"}} }

func (p *rulesOf) when(key string, value *schema) *rulesOf {
	p.If.Required = append(p.If.Required, key)
	if value != nil {
		p.If.Properties = append(p.If.Properties, yamldoc.Property{Name: key, Schema: value})
	}
	return p
}

// rulesOf is `if … then …`.
type rulesOf struct{ *schema }

// rule adds an empty condition to a map's schema.
func rule(s *schema) *rulesOf {
	added := &schema{If: object(), Then: object()}
	s.AllOf = append(s.AllOf, added)
	return &rulesOf{added}
}

func (p *rulesOf) needs(keys ...string) { p.Then.Required = keys }

func (p *rulesOf) refuses(keys ...string) {
	p.Then.Properties = append(p.Then.Properties, yamldoc.Without(keys...).Properties...)
}

func (p *rulesOf) with(key string, value *schema) *rulesOf {
	p.Then.Properties = append(p.Then.Properties, yamldoc.Property{Name: key, Schema: value})
	return p
}

func isTrue() *schema  { return &schema{Const: true} }
func isFalse() *schema { return &schema{Const: false} }

func matching(pattern string) *schema { return &schema{Types: []string{"string"}, Pattern: pattern} }

// listOf is of a list whose entries have no such key, or a value that more is said of.
func listOf(entry *schema) *schema { return &schema{Types: []string{"array"}, Items: entry} }

// scenarioRules: what goes together at the top.
func scenarioRules(s *schema) {
	for _, key := range []string{"plan", "tools", "rules"} {
		rule(s).when(key, nil).needs("goal")
	}
	for _, key := range []string{"on_missing_window", "on_error_dialog"} {
		launch := object()
		launch.Required = []string{key}
		launch.Properties = yamldoc.Properties{{Name: key, Schema: &schema{Const: "continue"}}}
		rule(s).when("launch", launch).needs("goal")
	}
	rule(s).when("desktop", isTrue()).refuses("launch")
	rule(s).when("grounding_audit", isTrue()).with("atspi", isTrue()).refuses("goal", "steps", "plan")
	rule(s).when("grounding_audit_describe", nil).with("grounding_audit", isTrue()).needs("grounding_audit")
	quiet := yamldoc.Without("expect_state")
	quiet.Properties = append(quiet.Properties,
		yamldoc.Property{Name: "action", Schema: &schema{Types: []string{"string"}, Not: matching("^" + blankPattern + "*click_element" + blankPattern)}},
		yamldoc.Property{Name: "post", Schema: listOf(withoutState())},
	)
	quiet.Types = []string{"object"}
	rule(s).when("atspi", isFalse()).with("steps", listOf(quiet)).with("plan", listOf(quiet))
}

func withoutState() *schema {
	s := yamldoc.Without("state")
	s.Types = []string{"object"}
	return s
}

// stepRules: an entry has one action or one observation.
func stepRules(plan bool) func(*schema) {
	return func(s *schema) {
		s.Types = []string{"object"}
		if plan {
			s.Required = []string{"action", "post"}
		} else {
			observe := yamldoc.Without("action", "expect", "post", "target")
			observe.Required = []string{"observe"}
			action := yamldoc.Without("observe")
			action.Required = []string{"action"}
			s.OneOf = []*schema{action, observe}
		}
		rule(s).when("action", matching("^"+blankPattern+"*click_grounded"+blankPattern)).needs("expect")
		rule(s).when("target", matching("^"+blankPattern+"*browser")).with("action", matching("^"+blankPattern+"*cdp_"))
		rule(s).when("target", matching("^"+blankPattern+"*window")).with("action", matching("^"+blankPattern+"*(?!cdp_)[a-z]"))
	}
}

// onePost: a postcondition has one kind.
func onePost(s *schema) {
	s.Types = []string{"object"}
	for kind, word := range postWords() {
		one := &schema{}
		if PostKind(kind) == PostScreen {
			one = yamldoc.Without("timeout_s")
		}
		one.Required = []string{word}
		s.OneOf = append(s.OneOf, one)
	}
}

// waitRules: what is watched goes with the kind.
func waitRules(s *schema) {
	rule(s).when("kind", &schema{Const: WaitGrowing.String()}).with("match", yamldoc.NoSchema()).needs("path")
	rule(s).when("kind", &schema{Const: WaitProcess.String()}).with("path", yamldoc.NoSchema()).needs("match")
}

// toolRules: what goes with the primitive.
func toolRules(s *schema) {
	for i, p := range primitiveTable {
		conditions := object()
		conditions.Keys = &schema{Enum: p.conditions}
		r := rule(s).when("run", &schema{Const: p.word}).with("on_error", conditions)
		if Primitive(i) != RunShell {
			r.refuses("commands")
		}
		if Primitive(i) != RunLaunch {
			params := object()
			params.Required = []string{nameParam}
			r.with("params", params)
		}
	}
}

// policyRules: a procedure comes from one place.
func policyRules(s *schema) {
	s.Types = []string{"object"}
	s.OneOf = []*schema{{Required: []string{"skill"}}, {Required: []string{"inline"}}}
	rule(s).when("literal", isTrue()).with("vars", yamldoc.NoSchema()).needs("inline")
}
