package docs

// singleConfigMistakes adds to the single mistakes those of asz.yaml.
func singleConfigMistakes(add func(kind, around, good string, bad ...string)) {
	top := func(good string, bad ...string) { add("config", "", good, bad...) }
	top("", "storge: {}", "[]", "text", "5")
	top("storage: {root: ./~}\nparse:\nexport:", "storage: {root: ''}", "storage: {root: ~/data}", "storage: {root: $HOME/data}", "storage: {root: [a]}", "storage: {root: }", "storage: ./data", "storage: {rot: a}")
	top("parse: {max_round_bytes: 0}", "parse: {max_round_bytes: -1}", "parse: {max_round_bytes: 2MB}", "parse: {max_round_bytes: 1.5}", "parse: {max: 1}", "parse: 5")
	top("adapters: []", "adapters: ", "adapters: {name: claude-code-local}", "adapters: [claude-code-local]", "adapters: [{}]", "adapters: [null]", "adapters: [{name: claude-code}]", "adapters: [{enabled: true}]")
	adapter := func(good string, bad ...string) {
		for i := range bad {
			bad[i] = "adapters: [{name: claude-code-local, " + bad[i] + "}]"
		}
		top("adapters: [{name: claude-code-local, "+good+"}]", bad...)
	}
	adapter("enabled: false", "enabled: yes", "enabled: 1", "enabled: ")
	adapter("source_root: ''", "source_root: ~/.claude", "source_root: $HOME", "source_root: [a]", "source_root: ")
	adapter("source_root: /a~$b", "sources: /a")
	adapter("include: [/a/**, '-srv-*', 5]", "include: /a/**", "include: ['']", "include: [~/a]", "include: [[a]]", "include: [null]", "include: ")
	adapter("exclude: []", "exclude: /a/**", "exclude: ['']", "exclude: [~]", "exclude: {a: b}")
	adapter("collector: ", "collector: once", "collector: [once]", "collector: {once: true}")
	adapter("collector: {mode: watch}", "collector: {mode: never}", "collector: {mode: }", "collector: {mode: [once]}")
	adapter("collector: {interval: 1m30s}", "collector: {interval: 0}", "collector: {interval: 0s}", "collector: {interval: 0m0.0s}", "collector: {interval: 5}", "collector: {interval: -1s}", "collector: {interval: soon}", "collector: {interval: true}", "collector: {interval: }")
	adapter("collector: {max_delta_bytes: 1}", "collector: {max_delta_bytes: 0}", "collector: {max_delta_bytes: 2MB}", "collector: {max_delta_bytes: 1.5}")
	otlp := func(good string, bad ...string) {
		for i := range bad {
			bad[i] = "export: {otlp: " + bad[i] + "}"
		}
		top("export: {otlp: "+good+"}", bad...)
	}
	otlp("", "a", "[a]", "{end_point: a}")
	otlp("{protocol: http, endpoint: 'a:1', tls: true}", "{protocol: udp}", "{endpoint: [a]}", "{tls: 1}", "{endpoint: }")
	otlp("{service_name: a, instance_id: b, layer: c}", "{service_name: [a]}", "{instance_id: {a: b}}", "{layer: }")
	otlp("{headers: {a: 1, b: 'x y'}}", "{headers: [a]}", "{headers: {a: [b]}}", "{headers: {a: }}", "{headers: }")
	otlp("{batch_bytes: 1, max_bytes_per_minute: 0, interval: 1s}", "{batch_bytes: 0}", "{max_bytes_per_minute: -1}", "{interval: 0s}", "{interval: 5}")
}
