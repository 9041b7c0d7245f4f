package cli

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"asz/shared/diag"
	"asz/shared/marked"
)

func parsed(text string) (config, diag.List) {
	return parseConfigFile(diag.NewSource("asz.yaml", text))
}

func TestConfigDefaults(t *testing.T) {
	want := config{
		Storage: storageConfig{Root: "./data"},
		Adapters: []adapterConfig{{
			Name: "claude-code-local", Enabled: true, Exclude: []string{"/private/tmp/**"},
			Collector: collectorConfig{Mode: "watch", Interval: 5 * time.Second, MaxDelta: 2097152},
		}},
		Parse: parseConfig{MaxRound: 2097152},
		Export: exportConfig{OTLP: otlpConfig{
			Protocol: "grpc", Layer: "AI_AGENT", Batch: 3145728, Interval: 5 * time.Second,
		}},
	}
	for _, text := range []string{
		"", "# nothing\n", "---\n", "{}", "storage:\nparse:\nexport:\n", "storage: {}\nexport: {otlp: {}}\n",
		"adapters: [{name: claude-code-local}]\n", "adapters:\n  - name: claude-code-local\n    collector:\n",
	} {
		if got, findings := parsed(text); !reflect.DeepEqual(got, want) || len(findings) > 0 {
			t.Errorf("%q: %+v, %v", text, got, findings)
		}
	}
}

// TestConfigKeys: every key is read, and beside it the others keep their defaults.
func TestConfigKeys(t *testing.T) {
	adapter := func(change func(*adapterConfig)) func(*config) {
		return func(c *config) { change(&c.Adapters[0]) }
	}
	entry := func(text string) string { return "adapters: [{name: claude-code-local, " + text + "}]" }
	otlp := func(text string) string { return "export: {otlp: {" + text + "}}" }
	for text, change := range map[string]func(*config){
		"storage: {root: /var/lib/asz}":                  func(c *config) { c.Storage.Root = "/var/lib/asz" },
		"storage: {root: ./~}":                           func(c *config) { c.Storage.Root = "./~" },
		entry("enabled: false"):                          adapter(func(a *adapterConfig) { a.Enabled = false }),
		entry("source_root: ''"):                         adapter(func(a *adapterConfig) { a.SourceRoot = "" }),
		entry("source_root: /h"):                         adapter(func(a *adapterConfig) { a.SourceRoot = "/h" }),
		entry("include: [/home/me/**, '-srv-*', '[a]']"): adapter(func(a *adapterConfig) { a.Include = []string{"/home/me/**", "-srv-*", "[a]"} }),
		entry("exclude: []"):                             adapter(func(a *adapterConfig) { a.Exclude = []string{} }),
		entry("exclude: ['/odd[dir/**']"):                adapter(func(a *adapterConfig) { a.Exclude = []string{"/odd[dir/**"} }),
		entry("collector: {mode: once}"):                 adapter(func(a *adapterConfig) { a.Collector.Mode = "once" }),
		entry("collector: {interval: 1m30s}"):            adapter(func(a *adapterConfig) { a.Collector.Interval = 90 * time.Second }),
		entry("collector: {max_delta_bytes: 1}"):         adapter(func(a *adapterConfig) { a.Collector.MaxDelta = 1 }),
		"adapters: []":                                   func(c *config) { c.Adapters = []adapterConfig{} },
		"parse: {max_round_bytes: 0}":                    func(c *config) { c.Parse.MaxRound = 0 },
		otlp("protocol: http"):                           func(c *config) { c.Export.OTLP.Protocol = "http" },
		otlp("endpoint: 'localhost:11800'"):              func(c *config) { c.Export.OTLP.Endpoint = "localhost:11800" },
		otlp("tls: true"):                                func(c *config) { c.Export.OTLP.TLS = true },
		otlp("service_name: agent"):                      func(c *config) { c.Export.OTLP.Service = "agent" },
		otlp("instance_id: me@here"):                     func(c *config) { c.Export.OTLP.Instance = "me@here" },
		otlp("layer: OTHER"):                             func(c *config) { c.Export.OTLP.Layer = "OTHER" },
		otlp("headers: {b: 1, a: 'x y'}"):                func(c *config) { c.Export.OTLP.Headers = []httpHeader{{"b", "1"}, {"a", "x y"}} },
		otlp("batch_bytes: 1"):                           func(c *config) { c.Export.OTLP.Batch = 1 },
		otlp("max_bytes_per_minute: 5"):                  func(c *config) { c.Export.OTLP.PerMinute = 5 },
		otlp("interval: 1s"):                             func(c *config) { c.Export.OTLP.Interval = time.Second },
	} {
		want := defaultConfig()
		change(&want)
		if got, findings := parsed(text); !reflect.DeepEqual(got, want) || len(findings) > 0 {
			t.Errorf("%s: %+v, %v", text, got, findings)
		}
	}
	two, findings := parsed("adapters:\n- {name: claude-code-local, source_root: /a, collector: {max_delta_bytes: 7}}\n- {name: claude-code-local, source_root: /b, exclude: []}\n- {name: claude-code-local, source_root: /b, enabled: false}\n")
	if len(findings) > 0 || len(two.Adapters) != 3 {
		t.Fatal(two, findings)
	}
	adapters := two.adapters()
	if len(adapters) != 2 || adapters[0].MaxDelta != 7 || adapters[1].MaxDelta != 2097152 || adapters[1].root != "/b" {
		t.Errorf("%+v", adapters)
	}
}

// TestConfigMistakes: each file of testdata/bad has the findings of its marks (see marked.Wants), with what to do, and no
// others.
func TestConfigMistakes(t *testing.T) {
	cases, err := marked.Cases("testdata/bad/asz.txt")
	if err != nil {
		t.Fatal(err)
	}
	// A schema cannot tell the form of a glob, nor an editor read this: they do not stand there.
	cases = append(cases,
		marked.Case{Name: "a glob", Text: "adapters: [{name: claude-code-local, include: ['[a']}] # want: wrong-type says `close its brackets`"},
		marked.Case{Name: "no YAML", Text: "storage: {root: a # want: yaml-syntax"},
	)
	for _, c := range cases {
		text, wants := marked.Wants(c.Text)
		src := diag.NewSource("asz.yaml", text)
		for _, f := range ConfigFindings(src) {
			line, _ := src.Position(f.Span.Start)
			fix := ""
			if f.Fix != nil {
				fix = f.Fix.Text
			}
			i := slices.IndexFunc(wants, func(w *marked.Want) bool {
				return !w.Seen && w.Line == line && w.Code == string(f.Code) && (w.Text == "" || w.Text == f.Span.Text()) && strings.Contains(f.Message+fix, w.Says)
			})
			if i < 0 || fix == "" || f.Severity != diag.Error {
				t.Errorf("%s: line %d: [%s] %s => %s", c.Name, line, f.Code, f.Message, fix)
				continue
			}
			wants[i].Seen = true
		}
		for _, w := range wants {
			if !w.Seen {
				t.Errorf("%s: not found: %+v", c.Name, *w)
			}
		}
	}
}

// TestConfigHelp: what the help of collect shows are the defaults.
func TestConfigHelp(t *testing.T) {
	_, rest, _ := strings.Cut(collectHelp, "replaces this one:\n\n")
	text, _, _ := strings.Cut(rest, "\n\nasz schema config")
	got, findings := parsed(text)
	if want := defaultConfig(); len(findings) > 0 || fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("%+v\n%+v\n%v", got, want, findings)
	}
}
