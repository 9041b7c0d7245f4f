package guirun

import (
	"encoding/json"
	"reflect"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/xeipuuv/gojsonschema"

	"asz/shared/diag"
)

func loadOperator(text string) (*Operator, diag.List) {
	return LoadOperator(diag.NewSource("operator.yaml", text))
}

func fitsSchema(t *testing.T, document string) bool {
	t.Helper()
	result, err := gojsonschema.Validate(gojsonschema.NewBytesLoader(OperatorSchema()), gojsonschema.NewStringLoader(document))
	if err != nil {
		t.Fatal(err)
	}
	return result.Valid()
}

func TestOperatorDefaults(t *testing.T) {
	want := DefaultOperator()
	if want.Deadline != 10*time.Minute || want.Reserve != 20*time.Second || want.ActionTimeout != 10*time.Second || want.ShellTimeout != time.Minute ||
		want.ShellOutput != 65536 || want.KeyDelay != 0 || want.Settle != 250*time.Millisecond || want.MaxIterations != 25 || want.Screenshots != "all" ||
		len(want.Logs) != 1 || len(want.ErrorWords) != 11 || want.Model != (ModelOptions{}) || want.Browser.DebugURL != "" || want.Redact != nil || want.Deny != nil {
		t.Errorf("got %+v", want)
	}
	for _, text := range []string{"", "# nothing\n", "---\n", "{}", "runner:\nmodel:\nbrowser:\nevidence:\ntools:\n"} {
		if got, findings := loadOperator(text); len(findings) > 0 || !reflect.DeepEqual(got, want) {
			t.Errorf("%q: %+v, %v", text, got, findings)
		}
	}
}

// TestOperatorKeys: every key is read, and beside it the others keep their defaults; the schema takes it, too. The texts
// are JSON, which is YAML as well.
func TestOperatorKeys(t *testing.T) {
	for text, change := range map[string]func(*Operator){
		`{"runner": {"max_iterations": 3}}`:                   func(o *Operator) { o.MaxIterations = 3 },
		`{"runner": {"deadline_s": 30.5}}`:                    func(o *Operator) { o.Deadline = 30500 * time.Millisecond },
		`{"runner": {"reserve_s": 0}}`:                        func(o *Operator) { o.Reserve = 0 },
		`{"runner": {"action_timeout_s": 0.5}}`:               func(o *Operator) { o.ActionTimeout = 500 * time.Millisecond },
		`{"runner": {"shell_timeout_s": 5}}`:                  func(o *Operator) { o.ShellTimeout = 5 * time.Second },
		`{"runner": {"shell_output_bytes": 1}}`:               func(o *Operator) { o.ShellOutput = 1 },
		`{"runner": {"key_delay_ms": 7}}`:                     func(o *Operator) { o.KeyDelay = 7 * time.Millisecond },
		`{"runner": {"settle_ms": 50}}`:                       func(o *Operator) { o.Settle = 50 * time.Millisecond },
		`{"browser": {"debug_url": "http://localhost:9333"}}`: func(o *Operator) { o.Browser.DebugURL = "http://localhost:9333" },
		`{"logs": ["/var/log/*.log", "~/app/log"]}`:           func(o *Operator) { o.Logs = []string{"/var/log/*.log", "~/app/log"} },
		`{"logs": []}`:                                                func(o *Operator) { o.Logs = []string{} },
		`{"error_words": ["oops"]}`:                                   func(o *Operator) { o.ErrorWords = []string{"oops"} },
		`{"redact": ["card [0-9]+"]}`:                                 func(o *Operator) { o.Redact = []*regexp.Regexp{regexp.MustCompile("card [0-9]+")} },
		`{"evidence": {"screenshots": "failures"}}`:                   func(o *Operator) { o.Screenshots = ScreenshotsFailures },
		`{"evidence": {"screenshots": "none"}}`:                       func(o *Operator) { o.Screenshots = ScreenshotsNone },
		`{"tools": {"deny": ["click_grounded", "cdp_navigate"]}}`:     func(o *Operator) { o.Deny = []string{"click_grounded", "cdp_navigate"} },
		`{"model": {"provider": "scripted", "file": "answers.yaml"}}`: func(o *Operator) { o.Model = ModelOptions{Provider: ProviderScripted, File: "answers.yaml"} },
		`{"model": {"provider": "anthropic", "name": "m", "timeout_s": 1.5}}`: func(o *Operator) {
			o.Model = ModelOptions{Provider: ProviderAnthropic, Name: "m", Timeout: 1500 * time.Millisecond}
		},
		`{"model": {"provider": "openai", "name": "m", "api_key_env": "KEY"}}`: func(o *Operator) { o.Model = ModelOptions{Provider: ProviderOpenAI, Name: "m", APIKeyEnv: "KEY"} },
		`{"model": {"provider": "openai", "name": "m", "endpoint": "https://example.test/v1", "max_output_tokens": 9}}`: func(o *Operator) {
			o.Model = ModelOptions{Provider: ProviderOpenAI, Name: "m", Endpoint: "https://example.test/v1", MaxOutputTokens: 9}
		},
	} {
		want := DefaultOperator()
		change(want)
		if got, findings := loadOperator(text); len(findings) > 0 || !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %+v, %v", text, got, findings)
		}
		if !fitsSchema(t, text) {
			t.Errorf("%s: the schema refuses it", text)
		}
	}
}

func TestOperatorMistakes(t *testing.T) {
	for text, want := range map[string]string{
		"runer: {}":                                                      "unknown-key",
		"runner: {deadline: 5}":                                          "unknown-key",
		"runner: [1]":                                                    "wrong-type",
		"runner: {deadline_s: 0}":                                        "wrong-type",
		"runner: {deadline_s: -1}":                                       "wrong-type",
		"runner: {deadline_s: 10m}":                                      "wrong-type",
		"runner: {deadline_s: 20}":                                       "wrong-type",
		"runner: {deadline_s: 10, reserve_s: 10}":                        "wrong-type",
		"runner: {max_iterations: 0}":                                    "wrong-type",
		"runner: {shell_output_bytes: 0}":                                "wrong-type",
		"runner: {key_delay_ms: 0.5}":                                    "wrong-type",
		"runner: {settle_ms: 0}":                                         "wrong-type",
		"model: {provider: gpt}":                                         "unknown-word",
		"model: {name: m}":                                               "key-requires",
		"model: {provider: openai}":                                      "key-requires",
		"model: {provider: scripted}":                                    "key-requires",
		"model: {provider: openai, name: m, file: a.yaml}":               "key-conflict",
		"model: {provider: openai, name: m, endpoint: here}":             "wrong-type",
		"model: {provider: openai, name: m, api_key_env: sk-1}":          "wrong-type",
		"model: {provider: openai, name: m, api_key: sk-1}":              "unknown-key",
		"model: {provider: openai, name: m, endpoint: 'https://u:p@h/'}": "wrong-type",
		"browser: {debug_url: 'file:///etc'}":                            "wrong-type",
		"browser: {debug_url: 'ftp://h'}":                                "wrong-type",
		"logs: /var/log":                                                 "wrong-type",
		"logs: ['']":                                                     "text-empty",
		"logs: ['~me/log']":                                              "wrong-type",
		"logs: [$HOME/log]":                                              "wrong-type",
		"logs: ['/a[b']":                                                 "pattern-form",
		"error_words: [' ']":                                             "text-empty",
		"redact: ['(']":                                                  "pattern-form",
		"redact: ['a*']":                                                 "pattern-form",
		"evidence: {screenshots: some}":                                  "unknown-word",
		"tools: {deny: [shell]}":                                         "unknown-word",
		"logs: [":                                                        "yaml-syntax",
	} {
		o, findings := loadOperator("# first line\n" + text + "\n")
		if o != nil || len(findings) != 1 {
			t.Errorf("%s: %+v, %v", text, o, findings)
			continue
		}
		d := findings[0]
		line, _ := d.Span.Source.Position(d.Span.Start)
		if string(d.Code) != want || line < 2 || d.Fix == nil || d.Fix.Text == "" {
			t.Errorf("%s: got %+v", text, d)
		}
		if strings.Contains(d.Message+d.Fix.Text, "sk-1") {
			t.Errorf("%s: the finding shows what may be a key: %s", text, d.Message)
		}
	}
	if _, findings := loadOperator("runner: {settle_ms: x}\nlogs: 5\nmodel: {provider: none}\n"); len(findings) != 3 {
		t.Errorf("not all mistakes are told: %v", findings)
	}
}

func TestOperatorSchema(t *testing.T) {
	if !json.Valid(OperatorSchema()) {
		t.Fatal("the schema is no JSON")
	}
	for _, bad := range []string{`{"runer": {}}`, `{"runner": {"deadline_s": 0}}`, `{"model": {"provider": "gpt"}}`, `{"tools": {"deny": ["shell"]}}`, `{"logs": "x"}`} {
		if fitsSchema(t, bad) {
			t.Errorf("the schema takes %s", bad)
		}
	}
}
