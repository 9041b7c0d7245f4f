package sim_test

import "testing"

func TestE9Templates(t *testing.T) {
	const state = `
state:
  text: hi
  number: 2.0
  hex: 0x10
  big: 123456789012345678901234567890
  exp: 1e3
  neg: -0.50
  yes: true
  no: false
  none: null
  list: [1, "a", 2.50, null, {z: 1, a: "<&>"}]
  map: {z: 1, a: [x], "k\"": "é\n"}
  empty: {list: [], map: {}}
  ref: "{{ state.text }}"
  a-b: dashed
scenarios:
  - id: x
    when: {command: c, args: {--name: {any: true}, --dry-run: {any: true}, 0: {any: true}}}
    then: {output: [`
	for _, c := range []struct{ template, out string }{
		{"{{ args.0 }}", "zero"},
		{"{{args.0}}", "zero"},
		{"{{   args.0   }}", "zero"},
		{"{{ args.name }}", "web"},
		{"{{ args.--name }}", "web"},
		{"{{ args.-name }}", "web"},
		{"{{ args.dry-run }}", "d"},
		{"{{ args.--dry-run }}", "d"},
		{"{{ args.dry }}", ""},
		{"[{{ args.nope }}][{{ args.7 }}]", "[][]"},
		{"[{{ state.nope }}][{{ state.text.below }}][{{ state.none }}]", "[][][]"},
		{"[{{ input.k }}]", "[]"},
		{"{{ state.text }}", "hi"},
		{"<{{ state.text }}-{{ state.text }}>", "<hi-hi>"},
		{"{{ state.number }} {{ state.hex }} {{ state.exp }} {{ state.neg }}", "2.0 0x10 1e3 -0.50"},
		{"{{ state.big }}", "123456789012345678901234567890"},
		{"{{ state.yes }} {{ state.no }}", "true false"},
		{"{{ state.list }}", `[1,"a",2.50,null,{"z":1,"a":"<&>"}]`},
		{"{{ state.map }}", `{"z":1,"a":["x"],"k\"":"é\n"}`},
		{"{{ state.list.1 }}{{ state.list.4.a }}", "a<&>"},
		{"{{ state.empty }}", `{"list":[],"map":{}}`},
		{"{{ state.a-b }}", "dashed"},
		{"{{ state.ref }}", "{{ state.text }}"},
		{"{{.Names}}", "{{.Names}}"},
		{"{{ .Names }}", "{{ .Names }}"},
		{"{{ names }}", "{{ names }}"},
		{"{{ args }}", "{{ args }}"},
		{"{{ state }}", "{{ state }}"},
		{"{{ args.0 | upper }}", "{{ args.0 | upper }}"},
		{"{{ env.HOME }}", "{{ env.HOME }}"},
		{"${{ secrets.TOKEN }}", "${{ secrets.TOKEN }}"},
		{"{{ args.0 }", "{{ args.0 }"},
		{"{ args.0 }", "{ args.0 }"},
		{"{{}}", "{{}}"},
		{"{{ }} {{ args.0 }}", "{{ }} zero"},
		{"{{json .}} {{ args.0 }}", "{{json .}} zero"},
		{"{{ {{ args.0 }} }}", "{{ zero }}"},
		{"{{ args.0 }}{{ args.name }}", "zeroweb"},
		{"plain", "plain"},
	} {
		t.Run(c.template, func(t *testing.T) {
			play(t, state+"'"+c.template+"']}\n", "$ c zero --name web --dry-run d\n| "+c.out)
		})
	}
	t.Run("one pass over what was typed", func(t *testing.T) {
		play(t, state+"'{{ args.0 }}']}\n", "$ c '{{ state.text }}' --name '{{ args.0 }}' --dry-run d\n| {{ state.text }}")
	})
	t.Run("where", func(t *testing.T) {
		play(t, `
state: {s: S, n: 3}
defaults: {unmatched: {output: ["u {{ state.s }} [{{ args.0 }}]"], stderr: ["v {{ state.s }}"], exit: 9}}
scenarios:
  - id: x
    when: {command: c, args: {0: {any: true}}}
    then:
      files:
        - {create: f, content: "c {{ args.0 }}"}
        - {append: f, content: " a {{ args.0 }} M"}
        - {replace: f, find: "M", with: "w {{ args.0 }}"}
      state: {t: "t {{ args.0 }}", n2: "{{ state.n }}", "l +=": "l {{ args.0 }}"}
      output: ["o {{ args.0 }}", {text: "d {{ args.0 }}", delay: 5}]
      stderr: ["e {{ args.0 }}"]
`, `
$ c A
| o A
| d A
! e A
~ f "c A a A w A"
? t "t A"
? n2 "3"
? l ["l A"]
$ nope B
| u S []
! v S
= - exit=9`)
	})
	t.Run("nowhere else", func(t *testing.T) {
		play(t, `
state: {s: S}
workflows: [{id: w, name: "{{ state.s }}", steps: [{id: a, logs: ["{{ state.s }}"]}]}]
scenarios:
  - id: x
    when: {command: c}
    then:
      files: [{create: "{{state.s}}", content: "{{ state.s }}{{ x.y }}"}, {replace: "{{state.s}}", find: "{{ x.y }}", with: Z}]
      mcp: [{tool: "{{ state.s }}", arguments: {a: "{{ state.s }}"}, result: "{{ state.s }}"}]
      ci: {workflow: w, commit: "{{ state.s }}"}
  - {id: chat, when: {command: chat}, then: {session: {prompt: "{{ state.s }}> ", intro: ["i {{ state.s }}"], outro: ["o {{ state.s }}"]}}}
`, `
$ c
| → {{ state.s }} {"a":"{{ state.s }}"}
|   {{ state.s }}
~ {{state.s}} "SZ"
? ci.runs.0.workflow "{{ state.s }}"
? ci.runs.0.commit "{{ state.s }}"
? ci.runs.0.steps.0.logs ["{{ state.s }}"]
$ chat
| *
$ /exit
| o {{ state.s }}`)
	})
	t.Run("in a delta the result is text", func(t *testing.T) {
		play(t, "state: {n: 3, on: true}\nscenarios: [{id: x, when: {command: c, state: {m: '3', o: 'true'}}, then: {output: [text]}}, {id: s, when: {command: c}, then: {state: {m: '{{ state.n }}', o: '{{ state.on }}'}}}]",
			"$ c\n= s\n$ c\n| text\n= x")
	})
	t.Run("text inside of a delta's lists and maps", func(t *testing.T) {
		play(t, "scenarios: [{id: x, when: {command: c, args: {0: {any: true}}}, then: {state: {v: ['<{{ args.0 }}>', {k: '{{ args.0 }}', n: 2.0}]}}}]",
			"$ c A\n? v [\"<A>\",{\"k\":\"A\",\"n\":2.0}]")
	})
	t.Run("a scope of its own in input effects", func(t *testing.T) {
		play(t, `
state: {s: S}
scenarios:
  - id: x
    when: {command: c, args: {0: {any: true}}}
    then:
      output: ["{{ input.k }}."]
      input: {key: k, prompt: "{{ args.0 }}: ", then: {output: ["{{ input.k }},{{ args.0 }},{{ state.s }},{{ input.other }}."]}}
`, "$ c A\n| .\n= x\n$ {{ state.s }}\n| {{ state.s }},A,S,.")
	})
	t.Run("captures end with the command", func(t *testing.T) {
		play(t, "scenarios: [{id: x, when: {command: c, args: {0: {any: true}}}, then: {output: ['{{ args.0 }}']}}, {id: y, when: {command: d}, then: {output: ['[{{ args.0 }}]']}}]",
			"$ c A && d B\n| A\n| []")
	})
}

func TestSimulator74CapturesAreDashStripped(t *testing.T) {
	play(t, `
scenarios:
  - id: x
    when: {command: docker run, args: {--name: {any: true}, -t: {any: true}, plain: {any: true}, 0: {any: true}}}
    then:
      output: ["Starting container '{{ args.name }}' {{ args.t }} {{ args.plain }} {{ args.0 }}..."]
      state: {container.name: "{{ args.name }}"}
`, "$ docker run --name web -t tag --plain p nginx\n| Starting container 'web' tag p nginx...\n? container {\"name\":\"web\"}")
}
