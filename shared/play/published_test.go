package play_test

import (
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"asz/shared/lab"
	"asz/shared/labfile"
	"asz/shared/sim"
)

// fence is a block of a section with a Run or Save button.
type fence struct {
	terminal string
	save     string // the path that Save writes
	prompt   bool   // one prompt, sent whole
	lines    []string
}

// fences finds the runnable blocks of a section by their opening lines.
func fences(l *lab.Lab, text string) []fence {
	for _, v := range l.Variables {
		text = regexp.MustCompile(`\$\$\s*`+regexp.QuoteMeta(v.Name)+`\s*\$\$`).ReplaceAllString(text, v.Text)
	}
	var out []fence
	open, skip := false, false
	for _, line := range strings.Split(text, "\n") {
		info, is := strings.CutPrefix(strings.TrimSpace(line), "```")
		switch {
		case is && open:
			open = false
		case is:
			language, meta, _ := strings.Cut(info, " ")
			open = true
			f := fence{terminal: l.Terminals[0].ID, prompt: language == "prompt", save: attribute(meta, "save-as")}
			if id := attribute(meta, "terminal-id"); id != "" {
				f.terminal = id
			}
			runs := strings.Contains(" bash sh shell console prompt ", " "+language+" ") && !strings.Contains(meta, "no-run-button")
			if skip = !runs && f.save == ""; !skip {
				out = append(out, f)
			}
		case skip || len(out) == 0:
		case open:
			f := &out[len(out)-1]
			if f.save != "" {
				f.lines = append(f.lines, line+"\n")
			} else if trimmed := strings.TrimSpace(line); trimmed != "" && (f.prompt || trimmed[0] != '#') {
				f.lines = append(f.lines, strings.TrimPrefix(trimmed, "$ "))
			}
		}
	}
	return out
}

// attribute returns what stands after `name=` in a fence's opening line.
func attribute(meta, name string) string {
	for _, word := range strings.Fields(meta) {
		if value, ok := strings.CutPrefix(word, name+"="); ok {
			return value
		}
	}
	return ""
}

// TestPublishedLabsPlay follows the sections of published labs from the first
// block to the last: every line is taken, and every step is completed.
func TestPublishedLabsPlay(t *testing.T) {
	root := filepath.Join("..", "..", "..", "shared", "data", "labs")
	if _, err := os.Stat(root); err != nil {
		t.Skip("the folder with published labs is not here: ", err)
	}
	labs := os.DirFS(root)
	for _, id := range []string{"tour-of-docker", "sbx-101"} {
		t.Run(id, func(t *testing.T) {
			loaded := labfile.Load(labs, id)
			if loaded.Findings.Errors() > 0 || loaded.Lab == nil {
				var b strings.Builder
				loaded.Findings.WriteText(&b, false)
				t.Fatal(b.String())
			}
			l := loaded.Lab
			engine, err := sim.New(l)
			if err != nil {
				t.Fatal(err)
			}
			p := sim.NewPlayer(engine)
			typed := 0
			for _, section := range l.Sections {
				text, err := fs.ReadFile(labs, path.Join(id, section.Content))
				if err != nil {
					t.Fatal(err)
				}
				for _, f := range fences(l, string(text)) {
					if mode, _, _ := engine.Mode(p.State(), f.terminal); mode == sim.ModeSession && !f.prompt {
						p.Act("line", f.terminal, "/exit")
					}
					if f.save != "" {
						if _, o := p.Act("save", f.terminal, f.save+"\n"+strings.Join(f.lines, "")); o.Exit() != 0 {
							t.Errorf("%s: Save %s: %v", section.Title, f.save, o.Lines(sim.Stderr))
						}
						continue
					}
					if f.prompt {
						f.lines = []string{strings.Join(f.lines, "\n")}
					}
					for _, line := range f.lines {
						before, _, _ := engine.Mode(p.State(), f.terminal)
						_, o := p.Act("line", f.terminal, line)
						typed++
						taken := o.Scenario() != "" || o.Builtin() != "" || o.Mode == sim.ModeContinuation || before == sim.ModeSession && line == "/exit"
						if !taken {
							t.Errorf("%s, terminal %s: nothing takes %q: %v", section.Title, f.terminal, line, o.Lines(sim.Stderr))
						}
					}
				}
				for _, step := range section.Steps {
					if !p.State().Done(step.ID) {
						t.Errorf("%s: the step %s is not completed", section.Title, step.ID)
					}
				}
			}
			t.Logf("%d lines typed", typed)
		})
	}
}
