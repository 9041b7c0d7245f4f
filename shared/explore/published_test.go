package explore

import (
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"testing"

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

// TestPublished: what a search finds in labs that others have written.
func TestPublished(t *testing.T) {
	for id, want := range map[string]struct{ deadEnd, fails, shadowed []string }{
		"tour-of-docker": {deadEnd: []string{"scan-for-cves"}, fails: []string{"npm-install-express"}},
		"sbx-101":        {fails: []string{"sed-swap-base"}, shadowed: []string{"ls-kit-skill-injected", "ls-kit-skill-missing"}},
	} {
		in := published(t, id)
		in.Solve = true
		r := run(in)
		if !r.Exhaustive {
			t.Errorf("%s: the search of %d states is not exhaustive", id, r.States)
		}
		var deadEnd, fails, shadowed []string
		scenarios := in.Engine.Lab().Simulator.Scenarios
		for _, s := range r.Steps {
			if s.DeadEnd {
				deadEnd = append(deadEnd, s.ID)
			}
		}
		for _, f := range r.Failures {
			fails = append(fails, scenarios[f.Rule].ID)
		}
		for i, rule := range r.Rules {
			if rule.Fires != Yes {
				shadowed = append(shadowed, scenarios[i].ID)
			}
		}
		if !slices.Equal(deadEnd, want.deadEnd) || !slices.Equal(fails, want.fails) || !slices.Equal(shadowed, want.shadowed) {
			t.Errorf("%s: dead ends %v, failing %v, never fired %v", id, deadEnd, fails, shadowed)
		}
		if len(r.Solution.Missing) > 0 || !r.Solution.Shortest {
			t.Errorf("%s: %+v", id, r.Solution)
		}
		for i, l := range r.Lines {
			if l.Taken != Yes {
				t.Errorf("%s: the line %q can be taken: %v", id, in.Lines[i].Text, l.Taken)
			}
		}
	}
}

// run is a whole search.
func run(in Input) *Result {
	s := New(in)
	for s.Step(1 << 14) {
	}
	return s.Result()
}
