package x11

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/jezek/xgb/xproto"

	"asz/native/guirun"
	"asz/native/guirun/worldtest"
)

// realWorld is a private desktop, on which one case after the other is played.
type realWorld struct {
	private *Private
	t       testing.TB // of the case
	dir     string     // of the case
}

func newRealWorld(t *testing.T) *realWorld {
	private, err := StartDesktop(t.Context(), DesktopOptions{Width: 1280, Height: 800, Environ: os.Environ()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := private.Close(); err != nil {
			t.Error(err)
		}
	})
	return &realWorld{private: private}
}

func (w *realWorld) spec(program string) string { return filepath.Join(w.dir, program+".json") }

// Prepare implements worldtest.World.
func (w *realWorld) Prepare(t testing.TB, dir string, programs []worldtest.Program) {
	w.t, w.dir = t, dir
	t.Cleanup(func() { w.clear(t) })
	for i := range programs {
		p := &programs[i]
		text, err := json.Marshal(worldProgram{Acts: p.Plan(), Dir: dir})
		if err == nil {
			err = os.WriteFile(w.spec(p.Name), text, 0o644)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	for i := range programs {
		p := &programs[i]
		if !p.Background {
			continue
		}
		c := exec.Command(os.Args[0], worldClientVerb, w.spec(p.Name))
		c.Env, c.SysProcAttr = w.private.Env, &syscall.SysProcAttr{Setpgid: true}
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		ended := make(chan struct{})
		go func() {
			c.Wait()
			close(ended)
		}()
		t.Cleanup(func() {
			c.Process.Kill()
			<-ended
		})
		w.await(t, "a program's beginning", func() bool {
			_, err := os.Stat(readyFile(w.spec(p.Name)))
			return err == nil
		})
	}
}

func (w *realWorld) await(t testing.TB, what string, is func() bool) {
	t.Helper()
	poll := time.NewTicker(5 * time.Millisecond)
	defer poll.Stop()
	late := time.After(20 * time.Second)
	for !is() {
		select {
		case <-poll.C:
		case <-late:
			t.Fatalf("%s did not come", what)
		}
	}
}

// clear ends what the case's run began, and waits until its windows are gone.
func (w *realWorld) clear(t testing.TB) {
	ctx := context.Background()
	all, err := w.Processes().List()
	if err != nil {
		t.Error(err)
	}
	var own []guirun.Process
	for _, p := range all {
		if strings.Contains(p.Command, w.dir) {
			own = append(own, p)
		}
	}
	if err := w.Processes().Stop(ctx, own, time.Second); err != nil {
		t.Error(err)
	}
	d, err := Open(ctx, w.private.Display, Options{Guardian: w.private.Guardian()})
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	w.await(t, "an empty desktop", func() bool {
		windows, err := d.Windows(ctx)
		return err == nil && len(windows) == 0
	})
}

// Name implements worldtest.World.
func (w *realWorld) Name(program string) string { return w.spec(program) }

// Command implements worldtest.World.
func (w *realWorld) Command(program string) string {
	return fmt.Sprintf("%s %s %s", os.Args[0], worldClientVerb, w.spec(program))
}

// Home implements worldtest.World.
func (w *realWorld) Home() string { return w.private.Home }

// Open implements worldtest.World.
func (w *realWorld) Open(ctx context.Context) (guirun.Desktop, error) {
	return Open(ctx, w.private.Display, Options{Guardian: w.private.Guardian()})
}

// Processes implements worldtest.World.
func (w *realWorld) Processes() guirun.Processes {
	return guirun.NewProcesses(guirun.ProcessOptions{Env: w.private.Env, Only: true, Hidden: w.private.PIDs()})
}

// Clock implements worldtest.World.
func (w *realWorld) Clock() guirun.Clock { return guirun.RealClock() }

// Received implements worldtest.World. A message makes sure that the window, if it is there still, has noted all.
func (w *realWorld) Received(window string) string {
	if text, err := os.ReadFile(windowFile(w.dir, window)); err == nil {
		id, err := strconv.Atoi(string(text))
		if err != nil {
			w.t.Fatal(err)
		}
		d, err := Open(w.t.Context(), w.private.Display, Options{Guardian: w.private.Guardian()})
		if err != nil {
			w.t.Fatal(err)
		}
		defer d.Close()
		atom, err := xproto.InternAtom(d.conn, false, uint16(len(markMessage)), markMessage).Reply()
		if err != nil {
			w.t.Fatal(err)
		}
		message := xproto.ClientMessageEvent{Format: 32, Window: xproto.Window(id), Type: atom.Atom, Data: xproto.ClientMessageDataUnionData32New(make([]uint32, 5))}
		mark := markFile(w.dir, window)
		os.Remove(mark)
		if xproto.SendEventChecked(d.conn, false, xproto.Window(id), 0, string(message.Bytes())).Check() == nil {
			w.await(w.t, "the mark of "+window, func() bool {
				_, err := os.Stat(mark)
				return err == nil
			})
		}
	}
	text, _ := os.ReadFile(receivedFile(w.dir, window))
	return string(text)
}

// worldLanes is how many desktops share the cases.
const worldLanes = 4

// TestWorld plays the interpreter's suite, what of it fits, on real displays.
func TestWorld(t *testing.T) {
	t.Parallel()
	var mu sync.Mutex
	var left []worldtest.Case
	for _, c := range worldtest.Cases() {
		if c.Real {
			left = append(left, c)
		}
	}
	for lane := range worldLanes {
		t.Run(fmt.Sprintf("lane %d", lane), func(t *testing.T) {
			t.Parallel()
			w := newRealWorld(t)
			for {
				mu.Lock()
				if len(left) == 0 {
					mu.Unlock()
					return
				}
				c := left[0]
				left = left[1:]
				mu.Unlock()
				t.Run(c.Name, func(t *testing.T) { worldtest.Play(t, w, &c) })
			}
		})
	}
}
