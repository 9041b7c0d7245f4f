package cli

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"

	"asz/shared/diag"
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

// TestConfigMistakes: each has its place, its kind and what to do.
func TestConfigMistakes(t *testing.T) {
	for text, want := range map[string]string{
		"storge: {root: a}":                                                      `1:1 unknown-key write "storage"`,
		"storage: {rot: a}":                                                      `1:11 unknown-key write "root"`,
		"storage: ./data":                                                        `1:10 wrong-type`,
		"storage: {root: [a]}":                                                   `1:17 wrong-type`,
		"storage: {root: ''}":                                                    `1:17 wrong-type name a folder, such as ./data`,
		"storage: {root: ~/data}":                                                `1:17 wrong-type write the whole path`,
		"storage: {root: $HOME/data}":                                            `1:17 wrong-type write the whole path`,
		"adapters: {name: claude-code-local}":                                    `1:11 wrong-type`,
		"adapters: [claude-code-local]":                                          `1:12 wrong-type`,
		"adapters: [{enabled: true}]":                                            `1:13 missing-key add "name:"`,
		"adapters: [{name: claude-code}]":                                        `1:19 unknown-word`,
		"adapters: [{name: claude-code-local, enabled: yes}]":                    `1:47 wrong-type`,
		"adapters: [{name: claude-code-local, source_root: ~/x}]":                `1:51 wrong-type write the whole path`,
		"adapters: [{name: claude-code-local, include: /home/me}]":               `1:47 wrong-type make it a list: write [/home/me]`,
		"adapters: [{name: claude-code-local, include: ['[a']}]":                 `1:48 wrong-type close its brackets`,
		"adapters: [{name: claude-code-local, exclude: ['']}]":                   `1:48 wrong-type remove it`,
		"adapters: [{name: claude-code-local, exclude: [~/tmp/**]}]":             `1:48 wrong-type write the whole path`,
		"adapters: [{name: claude-code-local, collector: {mode: never}}]":        `1:56 unknown-word write one of watch, once`,
		"adapters: [{name: claude-code-local, collector: {interval: 5}}]":        `1:60 duration-form write the unit behind it, such as 5s`,
		"adapters: [{name: claude-code-local, collector: {interval: 0}}]":        `1:60 wrong-type write 5s`,
		"adapters: [{name: claude-code-local, collector: {interval: -1s}}]":      `1:60 duration-form`,
		"adapters: [{name: claude-code-local, collector: {max_delta_bytes: 0}}]": `1:67 wrong-type`,
		"adapters:\n- name: claude-code-local\n- name: claude-code-local\n":      `3:9 duplicate-id give one of them another source_root`,
		"parse: {max_round_bytes: -1}":                                           `1:26 wrong-type`,
		"parse: {max_round_bytes: 2MB}":                                          `1:26 wrong-type`,
		"export: {otlp: {protocol: udp}}":                                        `1:27 unknown-word write one of grpc, http`,
		"export: {otlp: {tls: 1}}":                                               `1:22 wrong-type`,
		"export: {otlp: {headers: [a]}}":                                         `1:26 wrong-type`,
		"export: {otlp: {headers: {a: [b]}}}":                                    `1:30 wrong-type`,
		"export: {otlp: {batch_bytes: 0}}":                                       `1:30 wrong-type`,
		"export: {otlp: {interval: 0s}}":                                         `1:27 wrong-type write 5s`,
		"export: {otlp: {end_point: a}}":                                         `1:17 unknown-key write "endpoint"`,
		"storage: {root: a}\nstorage: {root: b}\n":                               `2:1 yaml-duplicate-key`,
		"- a":               `1:1 wrong-type`,
		"storage: {root: a": `yaml-`,
	} {
		_, findings := parsed(text)
		if len(findings) != 1 || findings[0].Severity != diag.Error {
			t.Errorf("%s: %v", text, findings)
			continue
		}
		d := findings[0]
		line, column := d.Span.Source.Position(d.Span.Start)
		fix := ""
		if d.Fix != nil {
			fix = " " + d.Fix.Text
		}
		if got := fmt.Sprintf("%d:%d %s%s", line, column, d.Code, fix); !strings.Contains(got, want) {
			t.Errorf("%s:\ngot  %s\nwant %s", text, got, want)
		}
	}
}

// TestConfigHelp: what the help of collect shows are the defaults.
func TestConfigHelp(t *testing.T) {
	_, rest, _ := strings.Cut(collectHelp, "replaces this one:\n\n")
	text, _, _ := strings.Cut(rest, "\n\nNeither ~")
	got, findings := parsed(text)
	if want := defaultConfig(); len(findings) > 0 || fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("%+v\n%+v\n%v", got, want, findings)
	}
	if !json.Valid(configSchema()) {
		t.Error("the schema is no JSON")
	}
}
