package docs

// singleSessionMistakes adds to the single mistakes those of the session files.
func singleSessionMistakes(add func(kind, around, good string, bad ...string)) {
	const around = "steps: [{input: a}]\n"
	top := func(good string, bad ...string) { add("session", around, good, bad...) }
	top("session: any id", "session: [a]", "sesion: a", "session:")
	top("project: -a", "project: a/b", `project: a\b`, "project: ..", "project: .", "project: ''", "project: {}")
	top("title: 5", "title: [a]", "title:")
	top("interval: 0", "interval: 5", "interval: 1.5", "interval: soon", "interval: -1s", "interval: 1d", "interval: ''", "interval: true", "interval: [1s]", "interval:")
	top("interval: 1m30.5s", "interval: 1 s", "interval: s", "interval: 1s2")
	top("[{input: a}] => [{input: a}, {input: 5}]", "[{input: a}] => []", "[{input: a}] => ", "[{input: a}] => {input: a}", "[{input: a}] => [a]", "[{input: a}] => [{}]", "[{input: a}] => [null]", "steps => step")
	step := func(good string, bad ...string) {
		for i := range bad {
			bad[i] = "{input: a} => {input: a}, " + bad[i]
		}
		add("session", around, "{input: a} => {input: a}, "+good, bad...)
	}
	step("{input: '', after: 1s, checkpoint: b, lost: true}", "{input: }", "{input: [a]}", "{input: a, after: 1}", "{input: a, lost: 1}", "{input: a, lots: true}", "{after: 1s}")
	step("{input: a, checkpoint: finally}", "{input: a, checkpoint: final}", "{input: a, checkpoint: ''}", `{input: a, checkpoint: "a\tb"}`, "{input: a, checkpoint: [b]}")
	step("{queued: {text: a}}", "{queued: a}", "{queued: {mode: prompt}}", "{queued: {text: a, mode: other}}", "{queued: {text: a, mode: }}", "{queued: {text: a, way: b}}")
	step("{inject: {type: a}}", "{inject: {text: a}}", "{inject: {type: ''}}", "{inject: a}", "{inject: {type: a, text: [b]}}")
	step("{error: a}", "{error: {a: b}}", "{error: a, input: b}", "{error: }")
	step("{reset: {summary: a}}", "{reset: {}}", "{reset: a}", "{reset: }", "{reset: {summary: a, lost: true}}")
	step("{replay: 1}", "{replay: 0}", "{replay: -1}", "{replay: 1.5}", "{replay: a}", "{replay: }")
	step("{system: {subtype: a, fields: {b: [1, null]}}}", "{system: {fields: {}}}", "{system: {subtype: a, fields: [b]}}", "{system: {subtype: a, fields: {uuid: b}}}", "{system: {subtype: a, fields: }}", "{system: a}")
	step("{call: {tool: {name: c}}}, {result: {of: s2-tool, text: a, after: 1s, failed: true, string: true}}", "{result: {text: a}}", "{result: {of: ''}}", "{result: a}", "{result: {of: a, lost: true}}", "{result: {of: a, after: 3}}")
	call := func(good string, bad ...string) {
		for i := range bad {
			bad[i] = "{call: " + bad[i] + "}"
		}
		step("{call: "+good+"}", bad...)
	}
	call("{thinking: unavailable}", "{thinking: [a]}", "{}", "", "a", "{usage: {}}", "{text: }")
	call("{text: a, usage: {in: 0, out: 1, cache_read: 2, cache_write: 3}}", "{text: a, usage: {in: -1}}", "{text: a, usage: {out: 1.5}}", "{text: a, usage: {total: 1}}", "{text: a, usage: 5}")
	call("{text: a, usage: }", "{text: a, after: 1s}", "{text: a, lost: true}", "{text: a, checkpoint: b}", "{usage: {in: 1}, text: [a]}")
	call("{tool: {name: a, id: b, input: {c: {d: [1]}}, result: e}}", "{tool: {id: b}}", "{tool: {name: ''}}", "{tool: {name: a, id: ''}}", "{tool: {name: a, input: b}}", "{tool: {name: a, input: }}", "{tool: {name: a, lost: true}}")
	call("{tool: {name: a, result: {text: b, after: 1s, failed: true, string: false, lost: true}}}", "{tool: {name: a, result: }}", "{tool: {name: a, result: [b]}}", "{tool: {name: a, result: {out: b}}}", "{tool: {name: a, result: {lost: 1}}}")
	call("{agent: {name: a, prompt: b, after: 1s, notify: true, lost: true, steps: [{input: c}]}}", "{agent: {prompt: b}}", "{agent: {name: main}}", "{agent: {name: ''}}", "{agent: {name: a, steps: []}}", "{agent: {name: a, steps: [{}]}}", "{agent: {name: a, notify: b}}")
	call("{agent: {name: a, steps: [{call: {agent: {name: b, steps: [{call: {text: c}}]}}}]}}", "{agent: {name: a, steps: [{call: {agent: {name: b, steps: [{call: {}}]}}}]}}", "{agent: {name: a, steps: [{input: b, checkpoint: c}]}}", "{agent: {name: a, steps: [{input: b}, {replay: 1}]}}")
	call("{skill: {name: a, agent: b, lost: true, steps: [{input: c}]}}", "{skill: {name: a}}", "{skill: {agent: b}}", "{skill: {name: a, agent: main}}", "{skill: {name: a, agent: b, prompt: c}}")
	call("{workflow: {name: a, children: [{name: b, prompt: c, lost: true, steps: [{input: d}]}]}}", "{workflow: {name: a}}", "{workflow: {name: a, children: []}}", "{workflow: {name: a, children: [{prompt: b}]}}", "{workflow: {name: '', children: [{name: b}]}}", "{workflow: {name: a, children: [{name: b, notify: true}]}}", "{workflow: {name: a, lost: true, children: [{name: b}]}}")
	call("{text: a, thinking: b, tool: {name: c}}", "{tool: {name: c}, agent: {name: d}}", "{skill: {name: c, agent: e}, workflow: {name: c, children: [{name: f}]}}")

	expect := func(good string, bad ...string) { add("expect", "", good, bad...) }
	expect("properties: {bundle: false}", "properties: {bundle: 1}", "properties: {bundel: true}", "properties: [bundle]", "property: {}")
	expect("parse: {max_round_bytes: 0}", "parse: {max_round_bytes: -1}", "parse: {max: 1}", "parse: 5")
	expect("push: {kinds: [round, journal]}", "push: {kinds: [rounds]}", "push: {kinds: round}", "push: {kinds: [[round]]}")
	at := func(good string, bad ...string) {
		for i := range bad {
			bad[i] = "checkpoints: {final: " + bad[i] + "}"
		}
		expect("checkpoints: {final: "+good+"}", bad...)
	}
	at("{rounds: 1, written: true, delta: false}", "{rounds: -1}", "{rounds: one}", "{written: 1}", "{delta: yes}", "{round: 1}", "5", "[a]")
	at("{kinds: {tool: 1, unheard.of: 0}}", "{kinds: {tools: 1}}", "{kinds: {tool: -1}}", "{kinds: {tool: }}", "{kinds: [tool]}", "{kinds: }")
	at("{relations: {starts: 1, result_of: 0}}", "{relations: {start: 1}}", "{relations: {starts: a}}")
	at("{talks_on: {any: 1}, runs_in: {talk/x: 0}}", "{talks_on: {any: a}}", "{runs_in: 1}", "{runs_in: {a: 1.5}}")
	at("{nodes: {a/b: {kind: tool, stream: s, parent: p, refs: 1, revision: 2, attrs: {c: null, d: [1]}}, c: {absent: true}, d: }}", "{nodes: {a: {kind: tol}}}", "{nodes: {a: {refs: -1}}}", "{nodes: {a: {attrs: [b]}}}", "{nodes: {a: {absent: true, kind: tool}}}", "{nodes: [a]}", "{nodes: {a: {reference: 1}}}")
	at("{unresolved: {open: 0, resolved: 1}}", "{unresolved: {open: -1}}", "{unresolved: {terminal: 1}}", "{unresolved: 0}")
	at("{unresolved_kinds: {tool_use: open, other: none}}", "{unresolved_kinds: {tool_use: shut}}", "{unresolved_kinds: {other: open}}", "{unresolved_kinds: open}")
	at("{session: {from: +0s, to: -1.5s}}", "{session: {from: soon}}", "{session: {to: 5}}", "{session: {until: 1s}}")
	at("{view: {state: mismatch, problems: 1, talks: 1, files: 1, rounds: 1, first_talk: {label: a, reply: b, runs: 1}}}", "{view: {state: fine}}", "{view: {talks: a}}", "{view: {first_talk: {name: a}}}", "{view: {label: a}}")
	at("{verify: {problems: 0}}", "{verify: {problems: none}}", "{verify: 0}")
	at("{lose: [{stream: a, kind: transcript}, {run: b, kind: journal}]}", "{lose: [{kind: journal}]}", "{lose: [{stream: a, run: b, kind: journal}]}", "{lose: [{stream: a, kind: journal}]}", "{lose: [{run: a, kind: transcript}]}", "{lose: [{stream: a}]}", "{lose: {stream: a, kind: transcript}}", "{lose: [{stream: '', kind: transcript}]}", "{lose: [{stream: a, kind: round}]}")
}
