package claudecode

import (
	"bufio"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"path"
	"strings"
	"time"

	"asz/native/store"
)

// History is a made history for measuring: sessions with records in the mix that real ones have. The same values give the
// same bytes everywhere.
type History struct {
	Seed     uint64
	Sessions int
	Bytes    int64 // of all source files together, about
}

// Written counts what a history came to.
type Written struct {
	Files, Lines int
	Bytes        int64
}

// Write writes the history below a source root, whose directories are made. A file that is there already is an error.
func (h History) Write(disk store.FS, root string) (Written, error) {
	m := &maker{disk: disk, root: root, random: rand.New(rand.NewPCG(h.Seed, 1))}
	m.words()
	m.clock = time.Date(2026, 1, 5, 8, 0, 0, 0, time.UTC)
	weights := make([]float64, max(1, h.Sessions))
	sum := 0.0
	for i := range weights { // most are short, a few are ten times as long
		w := m.random.Float64()
		weights[i] = 0.2 + w*w*w*4
		sum += weights[i]
	}
	share := 0.0
	for i, w := range weights {
		share += w / sum
		if err := m.session(i, int64(float64(h.Bytes)*share)); err != nil {
			return m.written, err
		}
	}
	return m.written, nil
}

// maker makes sessions one after the other.
type maker struct {
	disk    store.FS
	root    string
	random  *rand.Rand
	pool    string // text to cut pieces from
	clock   time.Time
	written Written

	project, id string
}

// poolSize is how much text there is to cut pieces from: longer ones hold it more than once.
const poolSize = 1 << 20

// words makes the pool: prose, code and output of programs.
func (m *maker) words() {
	list := strings.Fields("the build reads its cache and fails when a test that was green before does not find /usr/lib/x86_64 " +
		"if err != nil { return } \"quoted\" <tag> a&b C:\\temp naïve 日本 → done 0x1f 12.5% {\"key\":[1,2]} └── main.go func(x) warning:")
	var b strings.Builder
	for b.Len() < poolSize {
		b.WriteString(list[m.random.IntN(len(list))])
		switch n := m.random.IntN(12); {
		case n == 0:
			b.WriteString("\n\t")
		case n == 1:
			b.WriteString("\n")
		default:
			b.WriteString(" ")
		}
	}
	m.pool = b.String()
}

// text cuts a piece of about so many bytes.
func (m *maker) text(size int) string {
	var pieces []string
	for size > 0 {
		from := m.random.IntN(len(m.pool) - 1)
		piece := m.pool[from:min(len(m.pool), from+size)]
		size -= len(piece)
		pieces = append(pieces, strings.ToValidUTF8(piece, ""))
	}
	return strings.Join(pieces, "")
}

// size is mostly near low, seldom near high.
func (m *maker) size(low, high int) int {
	f := m.random.Float64()
	f *= f * f
	return low + int(f*f*float64(high-low))
}

func (m *maker) uuid() string {
	a, b := m.random.Uint64(), m.random.Uint64()
	return fmt.Sprintf("%08x-%04x-4%03x-8%03x-%012x", a>>32, a>>16&0xffff, a&0xfff, b>>48&0xfff, b&(1<<48-1))
}

// transcript is a file that grows.
type transcript struct {
	*maker
	stream Stream
	file   store.Writer
	out    *bufio.Writer
	line   []byte
	last   string
	run    string
}

func (m *maker) open(rel string, s Stream) (*transcript, error) {
	name := path.Join(m.root, rel)
	w, err := m.disk.Create(name)
	if errors.Is(err, fs.ErrNotExist) {
		if err = m.makeDirs(path.Dir(name)); err == nil {
			w, err = m.disk.Create(name)
		}
	}
	if err != nil {
		return nil, err
	}
	m.written.Files++
	return &transcript{maker: m, stream: s, file: w, out: bufio.NewWriterSize(w, 1<<20)}, nil
}

func (m *maker) makeDirs(dir string) error {
	err := m.disk.Mkdir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		if err = m.makeDirs(path.Dir(dir)); err == nil {
			err = m.disk.Mkdir(dir)
		}
	}
	if errors.Is(err, fs.ErrExist) {
		return nil
	}
	return err
}

func (t *transcript) close() error {
	return errors.Join(t.out.Flush(), t.file.Close())
}

// put writes a record below the one before it.
func (t *transcript) put(l Line) {
	t.clock = t.clock.Add(time.Duration(20+t.random.IntN(4000)) * time.Millisecond)
	l.ID, l.Parent, l.Time = t.uuid(), t.last, t.clock
	t.last = l.ID
	t.line = t.stream.Append(t.line[:0], &l)
	t.end()
}

// raw writes a line of a type that has no role.
func (t *transcript) raw(format string, args ...any) {
	t.line = fmt.Appendf(t.line[:0], format, args...)
	t.end()
}

func (t *transcript) end() {
	t.line = append(t.line, '\n')
	t.out.Write(t.line) // Flush tells the error
	t.written.Lines++
	t.written.Bytes += int64(len(t.line))
}

// session makes one session with its children. It has a turn at least, and ends when all sessions come to a size.
func (m *maker) session(number int, size int64) error {
	if number%20 == 0 {
		m.project = fmt.Sprintf("-work-project-%d", number/20)
	}
	m.id = m.uuid()
	m.clock = m.clock.Add(time.Duration(m.random.IntN(3600)) * time.Second)
	src := store.Source{Session: m.id, Kind: store.Transcript, Stream: store.Main}
	t, err := m.open(Place(m.project, src, "", ""), Stream{Session: m.id, Dir: WorkingDir(m.project)})
	if err != nil {
		return err
	}
	t.raw(`{"type":"permission-mode","permissionMode":"default","sessionId":"%s"}`, m.id)
	for turn := 0; err == nil && (turn == 0 || m.written.Bytes < size); turn++ {
		t.run = m.uuid()
		t.raw(`{"type":"file-history-snapshot","messageId":"%s","snapshot":{"messageId":"%[1]s","trackedFileBackups":{},"timestamp":"%s"},"isSnapshotUpdate":false}`,
			m.uuid(), m.clock.Format(time.RFC3339))
		t.put(Line{Type: LineInput, Run: t.run, Text: m.text(m.size(20, 4000))})
		if turn == 0 {
			t.put(Line{Type: LineInject, Name: "skill_listing", Text: m.text(3000)})
			t.line = t.stream.Append(t.line[:0], &Line{Type: LineTitle, Text: m.text(40)})
			t.end()
		}
		for call := 1 + m.random.IntN(12); call > 0 && err == nil; call-- {
			if m.random.IntN(60) == 0 {
				err = t.agent()
			} else {
				t.call(call == 1)
			}
			if m.written.Bytes >= size {
				break
			}
		}
		t.put(Line{Type: LineSystem, Name: "turn_duration", Fields: fmt.Appendf(nil, `{"durationMs":%d,"isMeta":false}`, m.random.IntN(900_000))})
		if m.random.IntN(40) == 0 {
			t.put(Line{Type: LineBoundary, Previous: t.last})
			t.put(Line{Type: LineSummary, Run: m.uuid(), Text: m.text(m.size(4000, 20_000))})
		}
	}
	return errors.Join(err, t.close())
}

// call makes a provider call, and its tool's result unless it is the last of its turn.
func (t *transcript) call(last bool) {
	call, r := "msg_"+t.uuid(), t.random
	usage := &store.Usage{In: int64(r.IntN(20)), Out: int64(r.IntN(2000)), CacheRead: int64(r.IntN(150_000)), CacheWrite: int64(r.IntN(5000))}
	if r.IntN(3) == 0 {
		t.put(Line{Type: LineThinking, Call: call, Usage: usage, Text: t.text(r.IntN(2) * t.size(100, 5000))})
	}
	if last {
		t.put(Line{Type: LineText, Call: call, Usage: usage, Text: t.text(t.size(200, 6000)), Stop: "end_turn"})
		return
	}
	if r.IntN(2) == 0 {
		t.put(Line{Type: LineText, Call: call, Usage: usage, Text: t.text(t.size(40, 800))})
	}
	tool := "toolu_" + t.uuid()
	input := AppendObject(nil, "command", t.text(t.size(20, 6000)), "description", t.text(40))
	t.put(Line{Type: LineUse, Call: call, Usage: usage, Tool: tool, Name: [...]string{"Bash", "Read", "Edit", "Grep"}[r.IntN(4)], Input: input, Stop: "tool_use"})
	if r.IntN(4) == 0 {
		t.raw(`{"parentUuid":"%s","isSidechain":%t,"type":"progress","data":{"type":"hook_progress","hookEvent":"PreToolUse"},"toolUseID":"%s","timestamp":"%s","uuid":"%s","sessionId":"%s"}`,
			t.last, t.stream.Agent != "", tool, t.clock.Format(time.RFC3339), t.uuid(), t.id)
	}
	t.put(Line{Type: LineResult, Run: t.run, Tool: tool, Text: t.text(t.size(60, 120_000)), Failed: r.IntN(12) == 0, Bare: r.IntN(12) == 0})
}

// agent makes a child agent.
func (t *transcript) agent() error {
	child := fmt.Sprintf("a%016x", t.random.Uint64())
	tool, prompt := "toolu_"+t.uuid(), t.text(t.size(200, 4000))
	t.put(Line{
		Type: LineUse, Call: "msg_" + t.uuid(), Tool: tool, Name: "Agent", Stop: "tool_use",
		Input: AppendObject(nil, "description", t.text(30), "prompt", prompt),
	})
	t.put(Line{Type: LineResult, Run: t.run, Tool: tool, Text: "launched", Status: "async_launched", Child: child})
	src := store.Source{Session: t.id, Kind: store.Transcript, Stream: child}
	c, err := t.open(Place(t.project, src, "", ""), Stream{Session: t.id, Agent: child, Dir: t.stream.Dir})
	if err != nil {
		return err
	}
	c.run = t.uuid()
	c.put(Line{Type: LinePrompt, Run: c.run, Text: prompt})
	for n := 1 + t.random.IntN(30); n > 0; n-- {
		c.call(n == 1)
	}
	if err := c.close(); err != nil {
		return err
	}
	src.Kind = store.AgentMeta
	m, err := t.open(Place(t.project, src, "", ""), c.stream)
	if err != nil {
		return err
	}
	m.line = m.stream.Append(nil, &Line{Type: LineSidecar, Name: "general-purpose", Text: t.text(30)})
	m.end()
	t.run = t.uuid()
	t.put(Line{Type: LineNotification, Run: t.run, Text: "<task-notification>\n<task-id>" + child + "</task-id>\n<tool-use-id>" + tool + "</tool-use-id>\n<status>completed</status>\n</task-notification>"})
	return m.close()
}
