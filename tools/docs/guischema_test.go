package docs

import "strings"

// singleGUIMistakes adds to the single mistakes those of GUI scenarios.
func singleGUIMistakes(add func(kind, around, good string, bad ...string)) {
	top := func(good string, bad ...string) { add("gui", "", good, bad...) }
	top("app: 5", "app: ''", "app: ' '", "app: [a]", "app:", "ap: a", "process: ''", "window: ''")
	top("launch_timeout_s: 1", "launch_timeout_s: 0", "launch_timeout_s: 1.5", "launch_timeout_s: a", "launch_timeout_s: -1")
	top("settle_s: 0", "settle_s: -1", "settle_s: a", "settle_s:", "settle_s: 2000000000")
	top("goal: a", "goal: ''", "goal: {a: b}")
	top("agentic_max_iterations: 1", "agentic_max_iterations: 0", "agentic_max_iterations: 1.5")
	top("checks: {log_fatal: [a]}", "checks: {log_fatal: a}", "checks: {log_fatal: ['']}", "checks: {logs: [a]}")
	top("desktop: true", "desktop: {a: b}", "desktop: 1", "desktop: true\nlaunch: {cmd: a}")
	top("desktop: false\nlaunch: {cmd: a}", "launch: {}", "launch: {cmd: ''}", "launch: a", "launch: {cmd: a, env: {'': b}}", "launch: {cmd: a, env: {b=c: d}}", "launch: {cmd: a, env: {b: [c]}}", "launch: {cmd: a, on_error_dialog: ignore}")
	top("goal: a\nlaunch: {cmd: a, on_missing_window: continue, on_error_dialog: continue}", "launch: {cmd: a, on_missing_window: continue}", "launch: {cmd: a, on_error_dialog: continue}")
	top("provides: {a: $B, c: '${D} $$', e: 5, f: ''}", "provides: {a: '${B'}", "provides: {a: '${}'}", "provides: {a: '${1}'}", "provides: {a: [b]}", "provides: {'': a}", "provides:")
	top("cdp: true\ncdp_targets: {a: b}\ncdp_waits: {c: d}", "cdp: true\ncdp_targets: {a: ''}", "cdp: true\ncdp_waits: {'': b}", "cdp: true\ncdp_waits: [a]")
	top("click_targets: {a b: [0, 1.0]}", "click_targets: {a: [0]}", "click_targets: {a: [0, 0, 0]}", "click_targets: {a: [0, 1.1]}", "click_targets: {a: [-1, 0]}", "click_targets: {a: 0.5}", "click_targets: {'a\"': [0, 0]}", "click_targets: {'': [0, 0]}")
	top("shell: {a: b}", "shell: {a: ''}", "shell: {'': a}", "shell: {'a\"': b}", "shell: [a]", `shell: {"a\nb": c}`)
	top("needs: {a: 5}", "needs: {a: [b]}", "needs: a")
	top("grounding_audit: true\ngrounding_audit_describe: name_role", "grounding_audit: true\ngrounding_audit_describe: role", "grounding_audit_describe: name", "grounding_audit: false\ngrounding_audit_describe: name",
		"grounding_audit: true\ngoal: a", "grounding_audit: true\nsteps: []", "grounding_audit: true\nplan: []\ngoal: a", "grounding_audit: true\natspi: false")
	wait := func(good string, bad ...string) {
		for i := range bad {
			bad[i] = "wait_conditions: {a: " + bad[i] + "}"
		}
		top("wait_conditions: {a: "+good+"}", bad...)
	}
	wait("{kind: growing, path: b, timeout_s: 1.5, poll_s: 0.1, quiet_polls: 1}", "{kind: growing, match: b, timeout_s: 1, poll_s: 1, quiet_polls: 1}", "{kind: growing, path: b, match: c, timeout_s: 1, poll_s: 1, quiet_polls: 1}", "{kind: growing, timeout_s: 1, poll_s: 1, quiet_polls: 1}", "{kind: grow, path: b, timeout_s: 1, poll_s: 1, quiet_polls: 1}")
	wait("{kind: process, match: b, timeout_s: 1, poll_s: 1, quiet_polls: 1}", "{kind: process, path: b, timeout_s: 1, poll_s: 1, quiet_polls: 1}", "{kind: process, match: '', timeout_s: 1, poll_s: 1, quiet_polls: 1}", "{kind: process, match: b, timeout_s: 0, poll_s: 1, quiet_polls: 1}", "{kind: process, match: b, timeout_s: 1, poll_s: 0, quiet_polls: 1}", "{kind: process, match: b, timeout_s: 1, poll_s: 1, quiet_polls: 0}", "{kind: process, match: b, timeout_s: 1, poll_s: 1, quiet_polls: 1.5}", "{kind: process, match: b, poll_s: 1, quiet_polls: 1}", "{match: b, timeout_s: 1, poll_s: 1, quiet_polls: 1}")

	const around = "goal: a\nclick_targets: {b: [0, 0]}\nwait_conditions: {b: {kind: growing, path: b, timeout_s: 1, poll_s: 1, quiet_polls: 1}}\nshell: {b: c}\nsteps: [X]\n"
	step := func(good string, bad ...string) {
		for i := range bad {
			bad[i] = "X => " + bad[i]
		}
		add("gui", around, "X => "+good, bad...)
	}
	step("{action: wait 1, expect: a, expect_state: a checked, post: [], target: window \"a\"}", "{}", "null", "a", "{expect: a}", "{action: wait 1, observe: a}", "{action: }", "{action: wait 1, post: {}}", "{action: wait 1, then: a}", "{action: 1}", "{action: true}")
	step("{observe: a, expect_state: a not checked}", "{observe: ''}", "{observe: a, expect: b}", "{observe: a, post: []}", "{observe: a, target: browser}", "{observe: [a]}")
	step(`{action: click_grounded "a", expect: b}`, `{action: click_grounded "a"}`, `{action: click_grounded "a", expect: ''}`)
	action := func(good string, bad ...string) {
		quoted := func(s string) string { return "{action: '" + strings.ReplaceAll(s, "'", "''") + "'}" }
		for i := range bad {
			bad[i] = quoted(bad[i])
		}
		step(quoted(good), bad...)
	}
	action(`key "ctrl+s"`, `key "ctlr+s"`, `key ""`, `key "ctrl+"`, `key "ctrl"`, `key "a+b"`, `key "hello"`, `key "f13"`, `key ctrl+s`, `key`, `keys "a"`, `KEY "a"`, `key "a" "b"`, `key "a`)
	for _, chord := range []string{"+", "ctrl++", "Ctrl+Shift+PageDown", "é", "😀", "f12", "esc", "CMD+q", "super+space", "alt+ "} {
		action(`key "` + chord + `"`)
	}
	action(` type  "a $B ${C} $$ $ $1 $" `, `type "${"`, `type "${}"`, `type "${B"`, `type "$${"x`, `type a`, `type "a" b`, `type "a"b"`, `type`)
	action(`type ""`, `type "${1}"`, `type "${a b}"`, `type "$$${}"`)
	action("click center", "click", "click middle", "click Center", "click center 1")
	action(`click "b"`, `click ""`, `click " "`, `click "b" "c"`, `click b`)
	action("click 0 1", "click 0", "click 0 1.1", "click 2 0", "click -1 0", "click 0.5, 0.5", "click 0 0 0", "click a b")
	action("click 0.25 .5", "click . .", "click 1.0.0 0")
	action("click 1.000 00.5")
	action(`click_element "a"`, `click_element`, `click_element ""`, `click_element a`)
	action("wait 0", "wait", "wait -1", "wait 1s", "wait a", "wait 1 2", `wait "1"`, "wait 1e3", "wait 20000000000", "wait .")
	action("wait 1.5")
	action("wait .5")
	action("wait 2.")
	action(`wait_while "b"`, `wait_while b`, `wait_while`)
	action(`shell "b"`, `shell b`, `shell ""`)
	action(`spawn "a 'b' \"`, `spawn ""`, `spawn a`)
	action(`kill "a|b"`, `kill ""`, `kill a`)
	action(`cdp_navigate "a"`, `cdp_navigate ""`, `cdp_navigate`)
	action(`cdp_attach "a"`, `cdp_attach a`)
	action(`cdp_query "a[b='c']"`, `cdp_query "a[b="c"]"`)
	action(`cdp_click "a"`, `cdp_click "a" "b"`)
	action(`cdp_click_described "a"`, `cdp_click_described 'a'`)
	action(`cdp_fill "a" "$B"`, `cdp_fill "a"`, `cdp_fill "" "b"`, `cdp_fill "a" "${"`, `cdp_fill "a" b`)
	action(`cdp_fill "a" ""`)
	action(`cdp_wait "a" 3`, `cdp_wait "a" "3"`, `cdp_wait "a" -1`, `cdp_wait`, `cdp_wait "a" 1 2`)
	action(`cdp_wait "a"`)
	action(`cdp_url`, `cdp_url "a"`, `cdp_urls`)
	state := func(good string, bad ...string) {
		for i := range bad {
			bad[i] = "{action: wait 1, expect_state: '" + bad[i] + "'}"
		}
		step("{action: wait 1, expect_state: '"+good+"'}", bad...)
	}
	state("Bold checked", "checked", "not checked", "Bold", "", "Bold bold", `"Bold" checked`, `"Bold" not checked`, "Bold Checked", "Boldchecked", " checked")
	for _, good := range []string{"not not checked", "Do not disturb not pressed", `Say "hi" focused`, "7 sensitive", "  a  selected ", "a showing", "a enabled", "a expanded"} {
		state(good)
	}
	post := func(good string, bad ...string) {
		for i := range bad {
			bad[i] = "{action: wait 1, post: [" + bad[i] + "]}"
		}
		step("{action: wait 1, post: ["+good+"]}", bad...)
	}
	post("{window: a, timeout_s: 0}", "{}", "null", "a", "{timeout_s: 1}", "{window: a, file: b}", "{window: ''}", "{window: a, timeout_s: -1}", "{window: a, timeout_s: 1s}", "{windows: a}", "{window: }")
	post("{url: a}, {dom: b}, {state: c not checked}, {no_window: d}, {process: e}, {no_process: f}, {file: g}, {screen: h}", "{state: a}", "{screen: a, timeout_s: 1}", "{screen: ''}", "{dom: [a]}")
	target := func(action, good string, bad ...string) {
		for i := range bad {
			bad[i] = "{action: " + action + ", target: '" + bad[i] + "'}"
		}
		step("{action: "+action+", target: '"+good+"'}", bad...)
	}
	target("wait 1", `window "a b"`, `window`, `window a`, `window ""`, `window "a" "b"`, `a`, ``, `browser`, `Window "a"`)
	target("cdp_url", ` browser `, `browser "a"`, `window "a"`)

	plan := func(good string, bad ...string) {
		for i := range bad {
			bad[i] = "X => " + bad[i]
		}
		add("gui", "goal: a\nplan: [X]\n", "X => "+good, bad...)
	}
	plan("{action: wait 1, expect: b, post: [{file: a}]}", "{action: wait 1}", "{action: wait 1, post: []}", "{observe: a}", "{observe: a, post: [{file: a}]}", "{post: [{file: a}]}", `{action: click_grounded "a", post: [{file: a}]}`)
	top("goal: a\nplan: []", "plan: []", "plan: [{action: wait 1, post: [{file: a}]}]")
	forty := strings.Repeat("{action: wait 1}, ", 40)
	top("steps: ["+forty+"]", "steps: ["+forty+"{action: wait 1}]", "steps: {}", "steps:")
	forty = strings.Repeat("{action: wait 1, post: [{file: a}]}, ", 40)
	top("goal: a\nplan: ["+forty+"]", "goal: a\nplan: ["+forty+"{action: wait 1, post: [{file: a}]}]")
	top("atspi: false\nsteps: [{action: wait 1, post: [{file: a}]}]", "atspi: false\nsteps: [{action: click_element \"a\"}]", "atspi: false\nsteps: [{action: wait 1, expect_state: a checked}]", "atspi: false\nsteps: [{action: wait 1, post: [{file: b}, {state: a checked}]}]", "atspi: false\ngoal: a\nplan: [{action: wait 1, post: [{state: a checked}]}]", "atspi: maybe")

	const tools = "goal: a\nlaunch: {cmd: a}\nshell: {b: c}\nwait_conditions: {b: {kind: growing, path: b, timeout_s: 1, poll_s: 1, quiet_polls: 1}}\ntools: {t: {description: a, params: {name: {enum: [b]}}, run: shell, prerequisites: [], side_effects: true, budget: 1, on_error: {}}}\n"
	tool := func(good string, bad ...string) { add("gui", tools, good, bad...) }
	tool("description: a => description: 5", "description: a, => ", "description: a => description: ''", "params: {name: {enum: [b]}}, => ", "run: shell, => ", "run: shell => run: exec", "prerequisites: [], => ", "side_effects: true, => ", "side_effects: true => side_effects: 1", "budget: 1, => ", "budget: 1 => budget: 0", "budget: 1 => budget: 1.5", ", on_error: {} => ", "goal: a => app: a")
	tool("{enum: [b]} => {enum: [b]}, size: {enum: [1, x]}", "[b] => []", "[b] => [b, b]", "[b] => ['']", "[b] => b", "{enum: [b]} => {}", "{enum: [b]} => [b]", "{enum: [b]} => {enum: [b], text: true}", "{name: {enum: [b]}} => {}", "{name: {enum: [b]}} => []", "{enum: [b]} => {enum: [b]}, 'a b': {enum: [c]}")
	tool("t: => t-1_A:", "t: => 'a b':", "t: => '':", "t: => 'ä':", "t: => "+strings.Repeat("a", 65)+":")
	tool("run: shell => run: shell, commands: {b: c}", "run: shell => run: shell, commands: {b: ''}", "run: shell => run: shell, commands: []", "run: shell => run: wait_while, commands: {b: c}", "run: shell => run: launch, commands: {b: c}")
	tool("run: shell => run: wait_while, then: relaunch, terminal: true", "run: shell => run: shell, then: launch", "run: shell => run: shell, terminal: 1", "params: {name: {enum: [b]}}, run: shell => params: {}, run: wait_while")
	tool("params: {name: {enum: [b]}}, run: shell => params: {}, run: launch")
	tool("on_error: {} => on_error: {nonzero_exit: malformed, missing_command: resolution, timeout: environment}", "on_error: {} => on_error: {nonzero: malformed}", "on_error: {} => on_error: {timeout: fatal}", "on_error: {} => on_error: []", "on_error: {} => on_error: {timeout: }")
	tool("t: {description: a => t: {post: [{file: a}], description: a", "t: {description: a => t: {post: [{}], description: a", "t: {description: a => t: {post: a, description: a")
	tool("t: {description: a => u: {description: a, params: {size: {enum: [x]}}, run: launch, prerequisites: [], side_effects: false, budget: 1, on_error: {nonzero_exit: malformed}}, t: {description: a", "t: {description: a => u: {description: a, params: {}, run: launch, prerequisites: [], side_effects: false, budget: 1, on_error: {timeout: malformed}}, t: {description: a")
	tool("prerequisites: [] => prerequisites: [ ]", "prerequisites: [] => prerequisites: [['a']]", "prerequisites: [] => prerequisites: ['']", "prerequisites: [] => prerequisites: [{tool: t}]", "prerequisites: [] => prerequisites: [{match_arg: name}]", "prerequisites: [] => prerequisites: t", "prerequisites: [] => prerequisites: [null]")
	tool("rules: [{match: a.*, offer: {tool: t, name: b}}]", "rules: [{offer: {tool: t, name: b}}]", "rules: [{match: a}]", "rules: [{match: '', offer: {tool: t, name: b}}]", "rules: [{match: a, offer: {name: b}}]", "rules: [{match: a, offer: t}]", "rules: {}", "rules: [{match: a, offer: {tool: t, name: b}, then: c}]", "rules: [{match: a, offer: {tool: t, name: ''}}]")
	top("goal: a\ntools: {}\nrules: []", "tools: {}", "rules: []", "goal: a\ntools: []", "goal: a\nrules: {}")
	top("policy: {skill: generic-gui-test, vars: {}, tools: [finish]}", "policy: {}", "policy:", "policy: a", "policy: {skill: other}", "policy: {skill: generic-gui-test, inline: a}", "policy: {skill: generic-gui-test, literal: true}", "policy: {tools: [finish]}", "policy: {skill: generic-gui-test, tools: finish}", "policy: {skill: generic-gui-test, tools: ['']}")
	top("policy: {inline: 'a {{.b}}', vars: {b: 5}, literal: false}", "policy: {inline: ''}", "policy: {inline: a, literal: true, vars: {}}", "policy: {inline: a, vars: [b]}", "policy: {inline: a, literal: 1}")
	top("policy: {inline: '{{ a', literal: true}")
}
