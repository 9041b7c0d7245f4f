package x11

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/jezek/xgb"
	"github.com/jezek/xgb/xproto"

	"asz/native/guirun/worldtest"
)

// worldClientVerb makes the test binary a program of a case of the interpreter's suite.
const worldClientVerb = "worldclient"

// worldProgram is what such a program is told, in a file.
type worldProgram struct {
	Acts []worldtest.Act
	Dir  string // of the case
}

// readyFile is written when what the program does at once is done and to be seen.
func readyFile(spec string) string { return strings.TrimSuffix(spec, ".json") + ".ready" }

// receivedFile holds what a window received.
func receivedFile(dir, window string) string { return filepath.Join(dir, window+".received") }

// windowFile holds a window's id, markFile is written when a window has noted all that came before a message.
func windowFile(dir, window string) string { return filepath.Join(dir, window+".window") }
func markFile(dir, window string) string   { return filepath.Join(dir, window+".mark") }

// markMessage is the message.
const markMessage = "_ASZ_TEST_MARK"

// client is such a program.
type client struct {
	worldProgram
	conn    *xgb.Conn
	screen  *xproto.ScreenInfo
	mu      sync.Mutex
	windows map[string]*clientWindow
	atoms   map[string]xproto.Atom
	mapped  chan xproto.Window
}

type clientWindow struct {
	id            xproto.Window
	name          string
	width, height int
}

func worldClient(spec string) int {
	c := &client{windows: map[string]*clientWindow{}, atoms: map[string]xproto.Atom{}, mapped: make(chan xproto.Window, 16)}
	text, err := os.ReadFile(spec)
	if err == nil {
		err = json.Unmarshal(text, &c.worldProgram)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 70
	}
	acts := slices.Clone(c.Acts)
	slices.SortStableFunc(acts, func(a, b worldtest.Act) int { return int(a.At - b.At) })
	began := time.Now()
	ready := false
	for i := 0; ; i++ {
		if !ready && (i == len(acts) || acts[i].At > 0) {
			ready = true
			if err := os.WriteFile(readyFile(spec), nil, 0o644); err != nil {
				fmt.Fprintln(os.Stderr, err)
				return 70
			}
		}
		if i == len(acts) {
			select {} // until it is stopped, or the display goes
		}
		<-time.After(time.Until(began.Add(acts[i].At)))
		if exit, ended := c.act(&acts[i]); ended {
			return exit
		}
	}
}

func (c *client) act(a *worldtest.Act) (exit int, ended bool) {
	var err error
	switch a.Do {
	case worldtest.Show:
		err = c.show(a.Window)
	case worldtest.Close:
		c.mu.Lock()
		w := c.windows[a.Window.Name]
		c.mu.Unlock()
		err = xproto.DestroyWindowChecked(c.conn, w.id).Check()
	case worldtest.Retitle:
		c.mu.Lock()
		w := c.windows[a.Window.Name]
		c.mu.Unlock()
		c.title(w.id, a.Text)
	case worldtest.Say:
		_, err = os.Stdout.WriteString(a.Text)
	case worldtest.Append:
		err = appendText(filepath.Join(c.Dir, a.File), a.Text)
	case worldtest.Remove:
		err = os.Remove(filepath.Join(c.Dir, a.File))
	case worldtest.End:
		return a.Exit, true
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 70, true
	}
	return 0, false
}

func appendText(name, text string) error {
	f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o644)
	if err == nil {
		_, err = f.WriteString(text)
		f.Close()
	}
	return err
}

func (c *client) atom(name string) xproto.Atom {
	if c.atoms[name] == 0 {
		reply, err := xproto.InternAtom(c.conn, false, uint16(len(name)), name).Reply()
		if err != nil {
			panic(err)
		}
		c.atoms[name] = reply.Atom
	}
	return c.atoms[name]
}

func (c *client) set(w xproto.Window, name, kind string, values ...uint32) {
	var data []byte
	for _, v := range values {
		data = binary.LittleEndian.AppendUint32(data, v)
	}
	xproto.ChangeProperty(c.conn, xproto.PropModeReplace, w, c.atom(name), c.atom(kind), 32, uint32(len(values)), data)
}

func (c *client) setText(w xproto.Window, name, kind, text string) {
	xproto.ChangeProperty(c.conn, xproto.PropModeReplace, w, c.atom(name), c.atom(kind), 8, uint32(len(text)), []byte(text))
}

func (c *client) title(w xproto.Window, text string) {
	c.setText(w, "WM_NAME", "STRING", text)
	c.setText(w, "_NET_WM_NAME", "UTF8_STRING", text)
}

// show makes a window and waits until it has the focus.
func (c *client) show(w worldtest.Window) error {
	if c.conn == nil {
		var err error
		if c.conn, err = xgb.NewConn(); err != nil {
			return err
		}
		c.screen = xproto.Setup(c.conn).DefaultScreen(c.conn)
		for _, name := range []string{"WM_PROTOCOLS", "_NET_WM_PING", markMessage} {
			c.atom(name)
		}
		go c.listen()
	}
	id, err := xproto.NewWindowId(c.conn)
	if err != nil {
		return err
	}
	width, height := w.Area.Dx(), w.Area.Dy()
	mask := uint32(xproto.EventMaskKeyPress | xproto.EventMaskButtonPress | xproto.EventMaskStructureNotify | xproto.EventMaskFocusChange)
	xproto.CreateWindow(c.conn, c.screen.RootDepth, id, c.screen.Root, int16(w.Area.Min.X), int16(w.Area.Min.Y), uint16(width), uint16(height), 0,
		xproto.WindowClassInputOutput, c.screen.RootVisual, xproto.CwBackPixel|xproto.CwEventMask, []uint32{0x336699, mask})
	c.title(id, w.Title)
	instance, class, _ := strings.Cut(w.Class, " ")
	c.setText(id, "WM_CLASS", "STRING", instance+"\x00"+class+"\x00")
	c.set(id, "_NET_WM_PID", "CARDINAL", uint32(os.Getpid()))
	c.set(id, "WM_PROTOCOLS", "ATOM", uint32(c.atom("_NET_WM_PING")))
	const input, userPlaced = 1, 1 | 2
	c.set(id, "WM_HINTS", "WM_HINTS", input, 1, 0, 0, 0, 0, 0, 0, 0)
	c.set(id, "WM_NORMAL_HINTS", "WM_SIZE_HINTS", append([]uint32{userPlaced, uint32(w.Area.Min.X), uint32(w.Area.Min.Y), uint32(width), uint32(height)}, make([]uint32, 13)...)...)
	if w.Dialog {
		c.set(id, "_NET_WM_WINDOW_TYPE", "ATOM", uint32(c.atom("_NET_WM_WINDOW_TYPE_DIALOG")))
	}
	c.mu.Lock()
	if owner := c.windows[w.For]; owner != nil {
		c.set(id, "WM_TRANSIENT_FOR", "WINDOW", uint32(owner.id))
	}
	c.windows[w.Name] = &clientWindow{id, w.Name, width, height}
	c.mu.Unlock()
	if err := os.WriteFile(windowFile(c.Dir, w.Name), []byte(strconv.Itoa(int(id))), 0o644); err != nil {
		return err
	}
	if err := xproto.MapWindowChecked(c.conn, id).Check(); err != nil {
		return err
	}
	for focused := range c.mapped {
		if focused == id {
			break
		}
	}
	return nil
}

// listen notes what the windows receive, and answers pings in the same order.
func (c *client) listen() {
	var keys *xproto.GetKeyboardMappingReply
	setup := xproto.Setup(c.conn)
	for {
		event, _ := c.conn.WaitForEvent()
		switch e := event.(type) {
		case nil:
			os.Exit(71) // the display is gone
		case xproto.FocusInEvent:
			select {
			case c.mapped <- e.Event:
			default:
			}
		case xproto.MappingNotifyEvent:
			keys = nil
		case xproto.KeyPressEvent:
			if keys == nil {
				var err error
				if keys, err = xproto.GetKeyboardMapping(c.conn, setup.MinKeycode, byte(setup.MaxKeycode-setup.MinKeycode+1)).Reply(); err != nil {
					os.Exit(71)
				}
			}
			at := int(e.Detail-setup.MinKeycode) * int(keys.KeysymsPerKeycode)
			plain, shifted := keys.Keysyms[at], keys.Keysyms[at+1]
			sym := plain
			if e.State&xproto.ModMaskShift != 0 && shifted != 0 {
				sym = shifted
			}
			if text := keyText(sym, e.State); text != "" {
				c.note(e.Event, text)
			}
		case xproto.ButtonPressEvent:
			c.mu.Lock()
			w := c.find(e.Event)
			c.mu.Unlock()
			if w != nil {
				c.note(e.Event, fmt.Sprintf("<click %.2f %.2f>", float64(e.EventX)/float64(w.width), float64(e.EventY)/float64(w.height)))
			}
		case xproto.ClientMessageEvent:
			if e.Type == c.atoms[markMessage] {
				c.mu.Lock()
				w := c.find(e.Window)
				c.mu.Unlock()
				os.WriteFile(markFile(c.Dir, w.name), nil, 0o644)
			}
			if e.Type == c.atoms["WM_PROTOCOLS"] && xproto.Atom(e.Data.Data32[0]) == c.atoms["_NET_WM_PING"] {
				e.Window = c.screen.Root
				xproto.SendEvent(c.conn, false, c.screen.Root, xproto.EventMaskSubstructureNotify|xproto.EventMaskSubstructureRedirect, string(e.Bytes()))
			}
		}
	}
}

func (c *client) find(id xproto.Window) *clientWindow {
	for _, w := range c.windows {
		if w.id == id {
			return w
		}
	}
	return nil
}

func (c *client) note(id xproto.Window, text string) {
	c.mu.Lock()
	w := c.find(id)
	c.mu.Unlock()
	if w == nil {
		return
	}
	if err := appendText(receivedFile(c.Dir, w.name), text); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(70)
	}
}

// keyText is how a key is noted, "" for a modifier.
func keyText(sym xproto.Keysym, state uint16) string {
	var name string
	switch {
	case sym >= 0xffe1 && sym <= 0xffee || sym == 0xfe03:
		return ""
	case sym == 0xff0d:
		name = "return"
	case sym == 0xff09:
		name = "tab"
	case sym >= 0xffbe && sym <= 0xffc9:
		name = fmt.Sprintf("f%d", sym-0xffbe+1)
	case sym > 0x01000000:
		name = string(rune(sym - 0x01000000))
	case sym < 0x100:
		name = string(rune(sym))
	default:
		name = fmt.Sprintf("%#x", uint32(sym))
	}
	var with []string
	for _, m := range []struct {
		mask uint16
		name string
	}{{xproto.ModMaskControl, "ctrl"}, {xproto.ModMask1, "alt"}, {xproto.ModMask4, "super"}} {
		if state&m.mask != 0 {
			with = append(with, m.name)
		}
	}
	if len(with) == 0 && len([]rune(name)) == 1 {
		return name
	}
	return "<" + strings.Join(append(with, name), "+") + ">"
}
