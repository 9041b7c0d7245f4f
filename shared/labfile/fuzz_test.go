package labfile_test

import (
	"bytes"
	"strings"
	"testing"

	"asz/shared/lab"
	"asz/shared/marked"
	"asz/shared/sim"
)

func FuzzLoad(f *testing.F) {
	f.Add([]byte(goodLabspace), []byte(goodSimulator))
	cases, err := marked.Cases("testdata/bad/*.txt")
	if err != nil {
		f.Fatal(err)
	}
	for _, c := range cases {
		body, _ := marked.Wants(c.Text)
		if strings.HasPrefix(c.Name, "simulator") {
			f.Add([]byte(goodLabspace), []byte(body))
		} else {
			f.Add([]byte(body), []byte(goodSimulator))
		}
	}
	f.Add([]byte(goodLabspace+"files: {f: x}\n"), []byte(`version: "2.0"
state: {a.b: 1, l: [x]}
controls: [{id: c, label: C, state: a.b}]
workflows: [{id: w, steps: [{id: s, requires: a.b}]}]
scenarios:
  - {id: a, when: {command: a, args: {0: {any: true}}}, then: {output: ["{{ args.0 }} {{ state.l }}"], state: {"l +=": "{{ args.0 }}"}, ci: {workflow: w}}}
  - {id: chat, when: {command: chat}, then: {session: {}}}
  - {id: ask, when: {command: ask}, then: {input: {key: k, prompt: p, then: {files: [{append: f, content: "{{ input.k }}"}]}}}}
  - {id: turn, when: {agent: true}, then: {mcp: [{tool: t, arguments: {}, result: r}]}}
`))
	f.Fuzz(func(t *testing.T, labspace, simulator []byte) {
		loaded := load(string(labspace), string(simulator))
		loaded.Findings.WriteText(&bytes.Buffer{}, true)
		if loaded.Lab == nil {
			if len(loaded.Findings) == 0 {
				t.Error("it does not load, and no finding says why")
			}
			return
		}
		compiled, err := lab.Decode(lab.Encode(loaded.Lab))
		if err != nil {
			t.Fatal(err)
		}
		e, err := sim.New(compiled)
		if err != nil {
			t.Fatal(err)
		}
		p := sim.NewPlayer(e)
		for _, line := range []string{"a b", "a -x --k=v c", "ls", "cat f", "chat", "hi", "!a b && ls", "/exit", "ask", "v", "nope; a b"} {
			id, o := p.Act("line", compiled.Terminals[0].ID, line)
			p.AppendOutcome(nil, id, o)
			p.Explain(id)
		}
		for i := range compiled.Simulator.Scenarios {
			if path := compiled.Simulator.Scenarios[i].When.Command; len(path) > 0 {
				p.Act("line", compiled.Terminals[0].ID, strings.Join(path, " ")+" b")
			}
		}
		p.Act("rerun", compiled.Terminals[0].ID, "")
		for p.State().Substance() != e.Start().Substance() {
			before := p.State()
			if p.Act("undo", compiled.Terminals[0].ID, ""); p.State() == before {
				t.Fatal("undo does not lead back to the start")
			}
		}
	})
}
