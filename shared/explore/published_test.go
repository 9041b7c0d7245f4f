package explore

import (
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"testing"
	"time"

	"asz/shared/content"
	"asz/shared/labfile"
	"asz/shared/sim"
)

// published loads one of the published labs, which are not part of the project.
func published(t testing.TB, id string) Input {
	root := filepath.Join("..", "..", "..", "shared", "data", "labs")
	if _, err := os.Stat(root); err != nil {
		t.Skip("the folder with published labs is not here: ", err)
	}
	return load(t, os.DirFS(root), id)
}

// load makes the input of a search of a lab and its sections.
func load(t testing.TB, files fs.FS, id string) Input {
	t.Helper()
	loaded := labfile.Load(files, id)
	if loaded.Lab == nil {
		t.Fatalf("%s does not load: %v", id, loaded.Findings)
	}
	engine, err := sim.New(loaded.Lab)
	if err != nil {
		t.Fatal(err)
	}
	in := Input{Engine: engine, Steps: true}
	o := content.Options{Variables: content.Variables{}}
	for _, v := range loaded.Lab.Variables {
		o.Variables[v.Name] = v.Text
	}
	for _, terminal := range loaded.Lab.Terminals {
		o.Terminals = append(o.Terminals, terminal.ID)
	}
	for _, s := range loaded.Lab.Sections {
		if s.Content == "" {
			continue
		}
		text, err := fs.ReadFile(files, path.Join(id, s.Content))
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range content.Render(text, o).Fences {
			if f.Save != "" {
				in.Saves = append(in.Saves, Save{f.Save, f.Text})
			}
			for _, l := range f.Lines {
				in.Lines = append(in.Lines, Line{f.Terminal, l.Text, f.Prompt})
			}
		}
	}
	return in
}

func TestX(t *testing.T) {
	for _, id := range []string{"tour-of-docker", "sbx-101"} {
		in := published(t, id)
		in.Solve = true
		begin := time.Now()
		s := New(in)
		t.Log("new", time.Since(begin), len(s.m.facts), len(s.m.acts), len(s.jobs))
		for s.Step(1 << 16) {
		}
		t.Log("done", time.Since(begin))
		for _, j := range s.jobs {
			names := []string{}
			for _, f := range j.facts {
				names = append(names, s.m.facts[f].name)
			}
			if j.stats.Transitions > 20000 {
				t.Log(len(j.facts), len(j.targets), j.stats, j.whole, names)
			}
		}
		r := s.Result()
		t.Log(r.Solution)
		t.Log(r.States, r.Transitions, r.Exhaustive, time.Since(begin))
		for i, rule := range r.Rules {
			if rule.Fires != Yes {
				t.Logf("%s %+v", in.Engine.Lab().Simulator.Scenarios[i].ID, rule)
			}
		}
		for i, l := range r.Lines {
			if l.Taken != Yes {
				t.Logf("%+v %+v", in.Lines[i], l)
			}
		}
		for _, f := range r.Failures {
			t.Logf("%s %+v", in.Engine.Lab().Simulator.Scenarios[f.Rule].ID, f)
		}
		for _, f := range r.Steps {
			t.Logf("%+v", f)
		}
	}
}

func testY(t *testing.T) {
	in := published(t, "sbx-101")
	s := New(in)
	for i, a := range s.m.acts {
		for k, o := range a.options {
			if o.rule >= 159 {
				t.Log(i, k, a.kind, a.text, a.terminals, o.rule, len(o.guards), s.fired[i][k])
			}
		}
	}
	t.Log(s.m.promptLines(164))
}
