package play_test

import (
	"io"
	"strings"
	"sync"
	"testing"
	"testing/fstest"
	"time"

	"asz/shared/labfile"
	"asz/shared/play"
	"asz/shared/sim"
)

// person is a terminal whose keys come when the screen shows what they wait for.
type person struct {
	mu     sync.Mutex
	screen strings.Builder
	seen   int
	steps  [][2]string // what is waited for, then the keys
	waited int         // ms that the lab paused
}

func (p *person) Open() (func(), error) { return func() {}, nil }
func (p *person) Size() (int, int)      { return 80, 24 }

func (p *person) Wait(ms int) {
	time.Sleep(time.Millisecond)
	p.mu.Lock()
	defer p.mu.Unlock()
	p.waited += ms
}

func (p *person) Write(data []byte) (int, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.screen.Write(data)
}

func (p *person) Read(buffer []byte) (int, error) {
	if len(p.steps) == 0 {
		return 0, io.EOF
	}
	for {
		p.mu.Lock()
		at := strings.Index(p.screen.String()[p.seen:], p.steps[0][0])
		if at >= 0 {
			p.seen += at + len(p.steps[0][0])
			n := copy(buffer, p.steps[0][1])
			p.steps = p.steps[1:]
			p.mu.Unlock()
			return n, nil
		}
		p.mu.Unlock()
		time.Sleep(time.Millisecond)
	}
}

func interact(t *testing.T, steps ...[2]string) *person {
	t.Helper()
	loaded := labfile.Load(fstest.MapFS{
		"t/labspace.yaml": {Data: []byte("title: T\nsimulator: s.yaml\nterminals: [{ id: one }, { id: two }]\nsections: [{ title: S, steps: [{ id: done, title: All done }] }]\n")},
		"t/s.yaml": {Data: []byte(`
version: "2.0"
scenarios:
  - { id: hi, completes: done, when: { command: hi }, then: { output: ["hello \e]0;x\a\e[1mbold\e[0m"] } }
  - { id: slow, when: { command: slow }, then: { output: [begin, { text: end, delay: 600000 }] } }
  - id: login
    when: { command: login }
    then: { input: { steps: [{ key: u, prompt: "user? " }, { key: p, prompt: "pass? ", mask: true }], then: { output: ["in as {{ input.u }}, {{ input.p }}"] } } }
  - { id: chat, when: { command: chat }, then: { session: { prompt: "agent> ", outro: [bye] } } }
`)},
	}, "t")
	if loaded.Lab == nil {
		t.Fatal(loaded.Findings)
	}
	engine, err := sim.New(loaded.Lab)
	if err != nil {
		t.Fatal(err)
	}
	p := &person{steps: steps}
	why := func(e *sim.Engine, before *sim.State, terminal, line string) []play.Reason {
		if line != "nope" {
			return nil
		}
		return []play.Reason{{Scenario: "hi", Text: "the command is `hi`", Commands: []string{"a", "b"}}}
	}
	if err := play.Interact(sim.NewPlayer(engine), p, p, p, why); err != nil {
		t.Fatal(err)
	}
	return p
}

func shows(t *testing.T, p *person, want ...string) {
	t.Helper()
	screen := p.screen.String()
	for _, w := range want {
		at := strings.Index(screen, w)
		if at < 0 {
			t.Fatalf("%q is not shown, or not after what comes before it:\n%q", w, p.screen.String())
		}
		screen = screen[at+len(w):]
	}
}

func TestInteract(t *testing.T) {
	const up, left = "\x1b[A", "\x1b[D"
	t.Run("a line, its output and its step", func(t *testing.T) {
		p := interact(t, [2]string{"$ ", "hi\r"}, [2]string{"All done", "\x04"})
		shows(t, p, "@terminal two", "hello ", "\x1b[1mbold", "✔ All done")
		if strings.Contains(p.screen.String(), "\x1b]0;") {
			t.Error("a lab's escape sequence reached the terminal")
		}
	})
	t.Run("history and cursor keys", func(t *testing.T) {
		p := interact(t, [2]string{"$ ", "hx" + left + "\x1b[C\x7fi\r"}, [2]string{"done", up + "\r"}, [2]string{"done", "\x04"})
		shows(t, p, "bold", "bold")
	})
	t.Run("answers are not recalled", func(t *testing.T) {
		p := interact(t, [2]string{"$ ", "login\r"}, [2]string{"user? ", "sam\r"}, [2]string{"pass? ", "s3\x7f3cr€t\r"}, [2]string{"$ ", up + "\r"}, [2]string{"user? ", "\x03"}, [2]string{"$ ", "\x04"})
		shows(t, p, "pass? ", "••\b \b•••••", "in as sam, s3cr€t", "user? ", "^C")
	})
	t.Run("Ctrl-C cuts a pause short", func(t *testing.T) {
		p := interact(t, [2]string{"$ ", "slow\r"}, [2]string{"begin", "\x03"}, [2]string{"end", "\x04"})
		shows(t, p, "begin", "end")
		if p.waited >= 600000 {
			t.Error("the pause was waited for")
		}
	})
	t.Run("Ctrl-D leaves what is open", func(t *testing.T) {
		p := interact(t, [2]string{"$ ", "chat\r"}, [2]string{"agent> ", "\x04"}, [2]string{"bye", "'open\r"}, [2]string{"> ", "\x04"}, [2]string{"$ ", "hi\r"}, [2]string{"done", "\x04"})
		shows(t, p, "/exit", "bye", "bold")
	})
	t.Run("why nothing took a line", func(t *testing.T) {
		p := interact(t, [2]string{"$ ", "nope\r"}, [2]string{"$ ", "hi\r"}, [2]string{"done", "\x04"})
		shows(t, p, "command not found", "  ? hi: the command is `hi`", "    first: a ⏎ b", "bold")
		if strings.Count(p.screen.String(), "first:") != 1 {
			t.Error("the explanation was shown again")
		}
	})
	t.Run("actions", func(t *testing.T) {
		p := interact(t, [2]string{"$ ", "@terminal two\r"}, [2]string{"$ ", "@undo\r"}, [2]string{"nothing to undo", "@jump\r"}, [2]string{"unknown action", "hi\r"}, [2]string{"done", "@expect out hello\r"}, [2]string{"holds", "\x04"})
		shows(t, p, "nothing to undo", "unknown action @jump", "✔ All done", "(holds)")
		if n := strings.Count(p.screen.String(), "bold"); n != 1 {
			t.Errorf("an expectation showed the output again: %d times", n)
		}
	})
}
