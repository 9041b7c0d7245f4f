package sim_test

import (
	"testing"

	"asz/shared/lab"
	"asz/shared/sim"
)

func TestE6State(t *testing.T) {
	t.Run("equality", func(t *testing.T) {
		for _, c := range []struct {
			want string
			yes  []string
			no   []string
		}{
			{"3", lines("3", "3.0", "0x3"), lines(`"3"`, "4", "[3]", "true")},
			{`"3"`, lines(`"3"`), lines("3", "3.0")},
			{"1", lines("1", "1.0", "1e0"), lines(`"1"`, "true", `"true"`)},
			{"true", lines("true"), lines(`"true"`, "1", "false", "null")},
			{`"a"`, lines(`"a"`), lines(`"A"`, `"a "`, "[a]")},
			{"[1, a]", lines("[1, a]", "[1.0, a]"), lines("[a, 1]", "[1]", "[1, a, b]", "{}", "null")},
			{"{a: 1, b: 2}", lines("{a: 1, b: 2}", "{b: 2, a: 1.0}"), lines("{a: 1}", "{a: 1, b: 3}", "[]", "null")},
			{"null", lines("null"), lines("1", `"x"`, "true")},
			{"false", lines("false", "null"), lines("true", "0", `""`, `"false"`, "[]", "{}")},
			{"0", lines("0", "0.0", "-0", "null"), lines("1", "false", `""`, `"0"`, "[]")},
			{`""`, lines(`""`, "null"), lines(`" "`, "false", "0", "[]", "{}")},
			{"[]", lines("[]"), lines("null", "{}", `""`, "[1]")},
			{"{}", lines("{}"), lines("null", "[]", `""`, "{a: 1}")},
		} {
			for i, is := range append(c.yes[:len(c.yes):len(c.yes)], c.no...) {
				p := player(t, "state: {v: "+is+"}\nscenarios: [{id: x, when: {command: c, state: {v: "+c.want+"}}, then: {}}]\n")
				_, o := p.Act("line", "terminal", "c")
				if got, want := o.Scenario() == "x", i < len(c.yes); got != want {
					t.Errorf("state %s satisfies %s: %v, want %v", is, c.want, got, want)
				}
			}
		}
	})
	t.Run("a missing key", func(t *testing.T) {
		for want, holds := range map[string]bool{
			"null": true, "false": true, "0": true, "0.0": true, `""`: true, "~": true,
			"true": false, "1": false, `"x"`: false, "[]": false, "{}": false, `"false"`: false, `"0"`: false,
		} {
			for _, path := range []string{"gone", "a.gone", "gone.below", "text.below", "list.7", "list.x"} {
				p := player(t, "state: {a: {b: 1}, text: t, list: [1]}\nscenarios: [{id: x, when: {command: c, state: {"+path+": "+want+"}}, then: {}}]\n")
				_, o := p.Act("line", "terminal", "c")
				if got := o.Scenario() == "x"; got != holds {
					t.Errorf("missing %s satisfies %s: %v, want %v", path, want, got, holds)
				}
			}
		}
	})
	t.Run("guards join", func(t *testing.T) {
		play(t, "state: {a: 1, b: 2}\nscenarios: [{id: x, when: {command: c, state: {a: 1, b: 2}}, then: {}}, {id: y, when: {command: d, state: {a: 1, b: 3}}, then: {}}]",
			"$ c\n= x\n$ d\n= none")
	})
	t.Run("the seed's dotted keys expand", func(t *testing.T) {
		play(t, `
state:
  docker.running: true
  docker.events: [a]
  deep: {er.est: 1}
scenarios: [{id: x, when: {command: c, state: {docker.running: true, docker.events.0: a, deep.er.est: 1}}, then: {}}]
`, "$ c\n= x\n? docker {\"running\":true,\"events\":[\"a\"]}\n? deep.er {\"est\":1}")
	})
	const lists = `
state: {list: [a, {b: 1}, [x]], map: {"0": zero}, none: null, text: t, num: 0, yes: false, empty: ""}
scenarios:
  - {id: read, when: {command: read, state: {list.0: a, list.1.b: 1, list.2.0: x, map.0: zero}}, then: {output: ["{{ state.list.1.b }}{{ state.list.0 }}"]}}
  - {id: set, when: {command: set}, then: {state: {list.0: A, list.1.b: 2, list.1.c.d: 3, list.2.0: X}}}
  - {id: map, when: {command: map}, then: {state: {map.0: ZERO, map.1: one}}}
  - {id: below-null, when: {command: nil}, then: {state: {none.a.b: 1, none.a.c: 2}}}
  - {id: below-missing, when: {command: missing}, then: {state: {new.a.b: 1}}}
  - {id: new-number, when: {command: number}, then: {state: {new.0: 1}}}
  - {id: whole, when: {command: whole}, then: {state: {list: 1, text: {a: 1}}}}
  - {id: unset, when: {command: unset}, then: {state: {text: null}}}
`
	for name, transcript := range map[string]string{
		"numeric segments read lists": "$ read\n| 1a\n= read",
		"numeric segments set an existing element": `
$ set
= set
? list ["A",{"b":2,"c":{"d":3}},["X"]]`,
		"numeric segments are keys of maps":  "$ map\n= map\n? map {\"0\":\"ZERO\",\"1\":\"one\"}",
		"null is missing when setting below": "$ nil\n= below-null\n? none {\"a\":{\"b\":1,\"c\":2}}",
		"missing maps are made":              "$ missing\n= below-missing\n? new {\"a\":{\"b\":1}}",
		"a missing map of number keys":       "$ number\n= new-number exit=0\n? new.0 1",
		"anything may be replaced":           "$ whole\n= whole\n? list 1\n? text {\"a\":1}",
		"a null can be set":                  "$ unset\n= unset\n? text null",
	} {
		t.Run(name, func(t *testing.T) { play(t, lists, transcript) })
	}
	for name, delta := range map[string]string{
		"text": "text.a: 1", "number": "num.a: 1", "bool": "yes.a: 1", "empty text": "empty.a.b: 1",
		"the list's end": "list.3: 1", "beyond": "list.9: 1", "below the end": "list.3.a: 1", "a name in a list": "list.x: 1",
		"a list in a list": "list.2.1: 1", "below a text in a list": "list.0.a: 1",
	} {
		t.Run("hard error: "+name, func(t *testing.T) {
			p := play(t, `
state: {list: [a, {b: 1}, [x]], text: t, num: 0, yes: false, empty: ""}
scenarios: [{id: x, when: {command: c}, completes: s, then: {state: {`+delta+`}, output: [shown]}}]
`, "$ c\n= x exit=1 done=\n! *\n? list [\"a\",{\"b\":1},[\"x\"]]\n? text \"t\"")
			if _, o := p.Act("line", "terminal", "c"); len(o.Lines(sim.Stderr)) == 0 {
				t.Error("stderr says nothing")
			}
		})
	}
	for name, then := range map[string]string{
		"delta":  "{state: {history: []}}",
		"below":  "{state: {history.0: a}}",
		"append": "{state: {'history +=': a}}",
		"input":  "{input: {key: k, prompt: p, then: {state: {history: 1}}}}",
	} {
		t.Run("history may not be written: "+name, func(t *testing.T) {
			text := "scenarios: [{id: x, when: {command: c}, then: " + then + "}]"
			if loaded := load(t, text, ""); loaded.Findings.Errors() > 0 {
				rejects(t, text, "state-reserved")
				return
			}
			p := player(t, text)
			p.Act("line", "terminal", "c")
			if _, o := p.Act("line", "terminal", "c"); o.Exit() != 1 {
				t.Errorf("exit %d, history %q", o.Exit(), p.State().History())
			}
		})
	}
	for name, text := range map[string]string{
		"seed":     "state: {history: [a]}\nscenarios: []",
		"dotted":   "state: {history.a: 1}\nscenarios: []",
		"a toggle": "controls: [{id: c, label: C, state: history}]\nscenarios: []",
	} {
		t.Run("history may not be written: "+name, func(t *testing.T) {
			if loaded := load(t, text, ""); loaded.Findings.Errors() > 0 {
				rejects(t, text, "state-reserved")
				return
			}
			p := player(t, text)
			before := p.State().Digest()
			p.Act("control", "terminal", "c on")
			if p.State().Digest() != before || len(p.State().History()) > 0 || len(p.State().Tree().Entries()) > 0 {
				t.Error("no finding, and it was written")
			}
		})
	}
	t.Run("history below another name is free", func(t *testing.T) {
		play(t, "scenarios: [{id: x, when: {command: c}, then: {state: {a.history: 1}}}]", "$ c\n= x\n? a.history 1\n? history [\"c\"]")
	})
}

func TestE6StateHolds(t *testing.T) {
	one, text := lab.Number("1.0"), lab.Text("1")
	if !sim.Holds(lab.Int(1), one) || sim.Holds(lab.Int(1), text) || sim.Holds(text, one) {
		t.Error("1 and 1.0 are equal, text is not")
	}
	var missing lab.Value
	for _, zero := range []lab.Value{missing, lab.Bool(false), lab.Int(0), lab.Number("0.0"), lab.Text("")} {
		if !sim.Holds(zero, missing) {
			t.Errorf("%s does not hold of a missing key", zero.AppendJSON(nil))
		}
	}
}

func TestE7Append(t *testing.T) {
	const head = "state: {list: [a], none: null, text: t, map: {}}\nscenarios:\n  - id: x\n    when: {command: c, args: {0: {any: true}}}\n    then:\n      state:\n"
	for name, c := range map[string][2]string{
		"the documented line, alone":       {"        list += \"b\"\n", `? list ["a","b"]`},
		"a dotted path":                    {"        docker.events += \"started\"\n", `? docker {"events":["started"]}`},
		"repeated":                         {"        list += \"b\"\n        list += \"c\"\n        list += \"b\"\n", `? list ["a","b","c","b"]`},
		"before ordinary entries":          {"        list += \"b\"\n        phase: on\n", "? list [\"a\",\"b\"]\n? phase \"on\""},
		"after ordinary entries":           {"        phase: on\n        list += \"b\"\n", "? list [\"a\",\"b\"]\n? phase \"on\""},
		"between ordinary entries":         {"        one: 1\n        list += \"b\"\n        two: 2\n        list += \"c\"\n", "? list [\"a\",\"b\",\"c\"]\n? one 1\n? two 2"},
		"the key form":                     {"        \"list +=\": \"b\"\n", `? list ["a","b"]`},
		"the key form, unquoted":           {"        list +=: b\n", `? list ["a","b"]`},
		"both forms":                       {"        \"list +=\": b\n        list += \"c\"\n        phase: on\n", "? list [\"a\",\"b\",\"c\"]\n? phase \"on\""},
		"a missing list":                   {"        new += \"b\"\n", `? new ["b"]`},
		"a null":                           {"        none += \"b\"\n", `? none ["b"]`},
		"below missing maps":               {"        a.b.c += \"d\"\n        a.b.c += \"e\"\n", `? a {"b":{"c":["d","e"]}}`},
		"a number":                         {"        list += 2.0\n", `? list ["a",2.0]`},
		"a bool":                           {"        list += true\n", `? list ["a",true]`},
		"a plain text":                     {"        list += plain text\n", `? list ["a","plain text"]`},
		"a list is one element":            {"        list += [1, 2]\n", `? list ["a",[1,2]]`},
		"a map":                            {"        list += {k: v}\n", `? list ["a",{"k":"v"}]`},
		"a text with a hash":               {"        list += \"x # y\"\n", `? list ["a","x # y"]`},
		"a text with a colon":              {"        list += \"x: y\"\n", `? list ["a","x: y"]`},
		"a text with another append":       {"        list += \"p += q\"\n", `? list ["a","p += q"]`},
		"templated":                        {"        list += \"<{{ args.0 }}>\"\n", `? list ["a","<w>"]`},
		"in author order: set, append":     {"        list: [z]\n        list += \"b\"\n", `? list ["z","b"]`},
		"in author order: append, set":     {"        list += \"b\"\n        list: [z]\n", `? list ["z"]`},
		"in author order: append and read": {"        list += \"b\"\n        copy: \"{{ state.list }}\"\n        list += \"c\"\n", `? copy "[\"a\",\"b\"]"`},
		"set an element just appended":     {"        list += \"b\"\n        list.1: B\n", `? list ["a","B"]`},
		"to a list in a list":              {"        list += []\n        list.1 += \"deep\"\n", `? list ["a",["deep"]]`},
	} {
		t.Run(name, func(t *testing.T) { play(t, head+c[0], "$ c w\n= x\n"+c[1]) })
	}
	t.Run("of the seed's siblings nothing is lost", func(t *testing.T) {
		play(t, head+"        map.a += 1\n        map.b: 2\n", "$ c w\n$ c w\n? map {\"a\":[1,1],\"b\":2}")
	})
	for name, path := range map[string]string{"text": "text", "map": "map", "below a text": "text.a"} {
		t.Run("hard error: "+name, func(t *testing.T) {
			play(t, head+"        phase: on\n        \""+path+" +=\": b\n", "$ c w\n! *\n= x exit=1\n? phase null\n? text \"t\"\n? map {}")
		})
	}
	t.Run("a block scalar's line is text", func(t *testing.T) {
		play(t, head+"        list: |-\n          a += \"b\"\n", "$ c w\n= x\n? list \"a += \\\"b\\\"\"")
	})
	t.Run("in an input's effects", func(t *testing.T) {
		play(t, `
scenarios:
  - id: x
    when: {command: c}
    then:
      input:
        key: k
        prompt: "k: "
        then:
          state:
            list += "{{ input.k }}"
            done: true
`, "$ c\n= x mode=input\n$ v\n? list [\"v\"]\n? done true")
	})
}

func TestE8Transaction(t *testing.T) {
	t.Run("a delta reads the deltas before it", func(t *testing.T) {
		play(t, `
state: {n: 1}
scenarios:
  - {id: x, when: {command: c}, then: {state: {a: "{{ state.b }}", b: "{{ state.n }}", n: 2, d: "{{ state.n }}{{ state.b }}"}}}
`, "$ c\n? a \"\"\n? b \"1\"\n? d \"21\"\n$ c\n? a \"1\"\n? b \"2\"")
	})
	t.Run("output, stderr, content and with read all deltas and the run", func(t *testing.T) {
		play(t, `
state: {v: old}
workflows: [{id: w, steps: [{id: s, requires: v}]}]
scenarios:
  - id: x
    when: {command: c}
    then:
      files:
        - {create: f, content: "{{ state.v }} {{ state.ci.runs.0.conclusion }} MARK"}
        - {replace: f, find: MARK, with: "{{ state.w }}"}
        - {append: f, content: " {{ state.w }}"}
      state: {v: new, w: late}
      output: ["{{ state.v }} {{ state.w }} {{ state.ci.runs.0.conclusion }}"]
      stderr: ["{{ state.v }} {{ state.ci.runs.0.id }}"]
      ci: {workflow: w}
`, "$ c\n| new late success\n! new 1\n~ f \"new success late late\"")
	})
	t.Run("requires reads the tree after the deltas", func(t *testing.T) {
		play(t, `
state: {on: false}
workflows: [{id: w, steps: [{id: s, requires: on}]}]
scenarios:
  - {id: up, when: {command: up}, then: {state: {on: true}, ci: {workflow: w}}}
  - {id: down, when: {command: down}, then: {state: {on: false}, ci: {workflow: w}}}
`, "$ up\n? ci.runs.0.conclusion \"success\"\n$ down\n? ci.runs.1.conclusion \"failure\"")
	})
	const effects = `
state: {text: t}
workflows: [{id: w}, {id: steps, steps: [{id: s}]}]
scenarios:
  - {id: seed, when: {command: seed}, then: {files: [{create: d/f, content: one}]}}
  - id: x
    when: {command: c}
    completes: s
    then:
      files: [{create: g, content: g}, {append: d/f, content: two}, {delete: d/f}`
	const rest = `
      output: [shown]
      stderr: [said]
      mcp: [{tool: t, arguments: {}, result: r}]
      exit: 0
`
	for name, c := range map[string]struct{ files, more, says string }{
		"replace: absent find":      {", {replace: g, find: nope, with: x}", "", "g"},
		"replace: empty find":       {", {replace: g, find: '', with: x}", "", "g"},
		"replace: missing file":     {", {replace: gone, find: x, with: x}", "", "gone"},
		"replace: a directory":      {", {replace: d, find: x, with: x}", "", "d"},
		"copy of a missing path":    {", {copy: gone, to: x}", "", "gone"},
		"create over a directory":   {", {create: d, content: x}", "", "d"},
		"append to a directory":     {", {append: d, content: x}", "", "d"},
		"create below a file":       {", {create: g/x, content: x}", "", "g"},
		"mkdir over a file":         {", {mkdir: g}", "", "g"},
		"mkdir below a file":        {", {mkdir: g/x}", "", "g"},
		"copy below a file":         {", {copy: d, to: g/x}", "", "d"},
		"a delta below a text":      {"", "      state: {a: 1, text.b: 1}\n", "text"},
		"an append to a text":       {"", "      state: {a: 1, 'text +=': 1}\n", "text"},
		"an unknown workflow":       {"", "      state: {a: 1}\n      ci: {workflow: nope}\n", "nope"},
		"an unknown failed step":    {"", "      state: {a: 1}\n      ci: {workflow: steps, conclusion: failure, failedStep: zap}\n", "zap"},
		"a failure without steps":   {"", "      state: {a: 1}\n      ci: {workflow: w, conclusion: failure}\n", "w"},
		"a run beside other things": {"", "      state: {ci: 1}\n      ci: {workflow: steps}\n", "ci"},
	} {
		t.Run("nothing changes: "+name, func(t *testing.T) {
			text := effects + c.files + "]\n" + c.more + rest
			p := play(t, text, "$ seed\n= seed")
			before := p.State().Substance()
			_, o := p.Act("line", "terminal", "c")
			if o.Exit() != 1 || len(o.Completed()) != 0 || o.Scenario() != "x" {
				t.Errorf("exit %d, completed %v, scenario %q", o.Exit(), o.Completed(), o.Scenario())
			}
			says(t, o, c.says)
			if len(o.Lines(sim.Stdout)) > 0 && c.says != "nope" {
				t.Errorf("shown: %q", o.Lines(sim.Stdout))
			}
			if p.State().Substance() != before {
				t.Error("something changed")
			}
			if ch := o.Changes(); len(ch.State)+len(ch.Files)+ch.Run > 0 {
				t.Errorf("changes %v", ch)
			}
			if h := p.State().History(); len(h) != 2 {
				t.Errorf("history %q", h)
			}
		})
	}
	t.Run("a session does not open", func(t *testing.T) {
		play(t, "state: {a: t}\nscenarios: [{id: x, when: {command: c}, then: {state: {a.b: 1}, session: {intro: [hi]}}}]", "$ c\n! *\n= x exit=1 mode=command")
	})
	t.Run("an input does not open", func(t *testing.T) {
		play(t, "state: {a: t}\nscenarios: [{id: x, when: {command: c}, then: {state: {a.b: 1}, input: {key: k, prompt: p, then: {}}}}]", "$ c\n! *\n= x exit=1 mode=command")
	})
	t.Run("of an input, the opening effects stay", func(t *testing.T) {
		play(t, `
scenarios:
  - id: x
    when: {command: c}
    completes: s
    then:
      state: {a: t}
      input: {key: k, prompt: p, then: {state: {b: 1, a.b: 1}, output: [shown]}}
`, "$ c\n= x mode=input done=\n$ v\n! *\n= x exit=1 done=\n? a \"t\"\n? b null")
	})
	t.Run("of a list, earlier commands stay", func(t *testing.T) {
		play(t, "scenarios: [{id: ok, when: {command: ok}, completes: s, then: {state: {a: t}, output: [ok]}}, {id: x, when: {command: c}, then: {state: {a.b: 1}}}]",
			"$ ok && c\n| ok\n! *\n= x exit=1 done=s\n? a \"t\"")
	})
	t.Run("an author's exit does not hide it", func(t *testing.T) {
		play(t, "state: {a: t}\nscenarios: [{id: x, when: {command: c}, then: {state: {a.b: 1}, exit: 7}}]", "$ c\n! *\n= x exit=1")
	})
}

func TestSimulator2State(t *testing.T) {
	p := play(t, `
state: {docker: {running: false}, phase: start}
scenarios: [{id: x, when: {command: c}, completes: s, then: {state: {docker.running: true, new: 1}, files: [{create: g, content: g}, {delete: seed.txt}]}}]
`, "? phase \"start\"\n$ c\n= x\n? docker.running true\n~ seed.txt -", "files: {seed.txt: hello}")
	start := p.Engine().Start()
	run(t, p, "@ reset\n| *\n! *\n? docker.running false\n? new null\n? history []\n~ g -\n~ seed.txt \"hello\"")
	if p.State().Digest() != start.Digest() && !p.State().Done("s") {
		t.Error("reset is not the start")
	}
}
