package fold

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"

	"asz/native/store"
)

// ParseOptions say how rounds are made.
type ParseOptions struct {
	MaxRoundBytes int64 // of a round over more than one landed file; 0 = DefaultRoundBytes, negative = no bound
}

// DefaultRoundBytes is the bound of a round.
const DefaultRoundBytes = 2 << 20

// ParseResult is what a parse did.
type ParseResult struct {
	Written    []*store.Round // in order
	ThroughSeq int64          // of the chain
	Totals     Totals         // as of the last round written; zero without one
}

// Totals count what a session holds.
type Totals struct {
	Nodes, Relations, Unresolved int // open ones
	Talks, Runs, Steps           int
	Tools, ToolsJoined           int // tools with a result
	Children, ChildrenJoined     int // child streams that a call or an agent is known to have started
}

// Parse writes what the landed files of a session say and its chain does not yet, as one round or several. Without new landed
// files nothing is written. It waits for nobody: store.ErrBusy says that another parse is at work, and while a collector holds the
// session, what that has indexed so far is parsed.
func Parse(root *store.Root, id string, o ParseOptions) (*ParseResult, error) {
	p := &parser{root: root, id: id, session: root.Session(id), most: o.MaxRoundBytes}
	switch {
	case p.most == 0:
		p.most = DefaultRoundBytes
	case p.most < 0:
		p.most = 1<<63 - 1
	}
	if _, err := root.FS.Stat(p.session.Dir()); errors.Is(err, fs.ErrNotExist) || !store.SafeID(id) {
		if _, err := p.session.Landed(); err != nil {
			return nil, err
		}
		return nil, fmt.Errorf("there is no session %s in the storage root", id)
	} else if err != nil {
		return nil, fmt.Errorf("session %s: %w", id, err)
	}
	if err := p.index(); err != nil {
		return nil, err
	}
	if empty, err := p.empty(); empty || err != nil {
		return &ParseResult{}, err
	}
	lock, err := root.Conversation(id).Lock()
	if err != nil {
		return nil, err
	}
	p.lock = lock
	err = p.parse()
	if closed := lock.Close(); err == nil {
		err = closed
	}
	// Rounds that were published stay, whatever came after them.
	return &p.result, err
}

// parser is one parse.
type parser struct {
	root    *store.Root
	id      string
	session *store.Session
	most    int64 // bytes of a round
	lock    *store.Chain
	x       *store.Index
	landed  map[int64]store.Landed // on disk, by seq
	input   input                  // what the index holds above the chain
	sums    map[int64]string       // SHA-256 of landed files
	head    *store.Round
	fold    frames
	result  ParseResult
}

// index brings the session's index up to what is landed, unless another process holds the session.
func (p *parser) index() error {
	pass, err := p.session.Lock()
	if errors.Is(err, store.ErrBusy) {
		return nil
	}
	if err != nil {
		return err
	}
	err = pass.Commit()
	if closed := pass.Close(); err == nil {
		err = closed
	}
	return err
}

// empty tells a session that has neither landed files nor rounds: nothing is made for it.
func (p *parser) empty() (bool, error) {
	rounds, _, err := p.root.Conversation(p.id).Rounds()
	if err != nil || len(rounds) > 0 {
		return false, err
	}
	x, err := p.session.Index()
	if errors.Is(err, store.ErrDamaged) {
		return false, nil
	}
	return err == nil && x.IndexedSeq == 0, err
}

func (p *parser) parse() error {
	if err := p.readIndex(); err != nil {
		return err
	}
	state := p.lock.State()
	if state.Head > 0 && state.ThroughSeq == p.x.IndexedSeq && state.Parser == Parser && state.Policy == Policy {
		p.result.ThroughSeq = state.ThroughSeq
		return nil
	}
	if err := p.readChain(); err != nil {
		return err
	}
	for p.input.rest() {
		if err := p.round(); err != nil {
			return err
		}
	}
	if p.head == nil {
		return nil
	}
	return p.lock.SetState(store.StateOf(p.head.Digest, &p.head.Header))
}

// readChain reads the rounds, and refuses those that cannot be continued.
func (p *parser) readChain() error {
	c, err := Read(p.root, p.id)
	if err != nil {
		return err
	}
	p.head, p.fold, p.result.ThroughSeq = c.Head(), c.state, c.ThroughSeq()
	switch h := p.head; {
	case c.Broken != nil:
		return fmt.Errorf("session %s: its rounds cannot be continued: %w; asz verify tells more; restore the file, or remove %s to have the rounds made anew", p.id, c.Broken, p.chainDir())
	case h == nil:
	case h.Header.Parser != Parser || h.Header.Policy != Policy:
		return fmt.Errorf("session %s: its rounds are made by %s, %s and this asz makes %s, %s: they are not continued; remove %s to have them made anew", p.id, h.Header.Parser, h.Header.Policy, Parser, Policy, p.chainDir())
	case h.Header.ThroughSeq > p.x.IndexedSeq:
		return fmt.Errorf("session %s: its rounds stand on landed files up to seq %d and only those up to %d are indexed: landed files are missing; restore them", p.id, h.Header.ThroughSeq, p.x.IndexedSeq)
	}
	if err := p.readInput(); err != nil {
		return err
	}
	return p.unknown()
}

func (p *parser) chainDir() string { return p.root.Conversation(p.id).Dir() }

// round writes the next round: over all files that are left, or over half of them as often as it is too large.
func (p *parser) round() error {
	number := int64(1)
	if p.head != nil {
		number = p.head.Number + 1
	}
	for n := len(p.input.files); ; n = (n + 1) / 2 {
		through := p.input.files[n-1].seq
		if n == len(p.input.files) {
			through = p.x.IndexedSeq
		}
		most := p.most
		if n == 1 {
			most = 1<<63 - 1
		}
		a, err := Assemble(p.x, through, p.id)
		if err != nil {
			return err
		}
		d, whole, err := difference(a, &p.fold, number, most)
		if err != nil {
			return fmt.Errorf("session %s: %w", p.id, err)
		}
		if !whole {
			continue
		}
		h, consumed, err := p.header(a, n, through)
		if err != nil {
			return err
		}
		if n > 1 && store.RoundSize(&h, d.text, d.counts) > p.most {
			continue
		}
		return p.publish(a, d, h, consumed, n)
	}
}

// header is that of a round over the next n files, which are those it consumes as far as they are on disk.
func (p *parser) header(a *Assembly, n int, through int64) (store.RoundHeader, []store.Landed, error) {
	from, to := int64(store.NoTime), int64(store.NoTime)
	previous := ""
	if p.head != nil {
		previous = p.head.Header.InputDigest
	}
	digest := store.NewInputDigest(previous)
	var consumed []store.Landed
	for _, f := range p.input.files[:n] {
		if f.from != store.NoTime {
			to = max(to, f.to)
			if from == store.NoTime || f.from < from {
				from = f.from
			}
		}
		l, ok := p.landed[f.seq]
		if !ok {
			continue
		}
		sum, err := p.sum(l)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return store.RoundHeader{}, nil, fmt.Errorf("session %s: %w", p.id, err)
		}
		digest.Add(f.seq, sum)
		consumed = append(consumed, l)
	}
	h := header(p.id, a, p.head, through, from, to)
	h.InputDigest = digest.Sum()
	return h, consumed, nil
}

func (p *parser) sum(l store.Landed) (string, error) {
	if sum := p.sums[l.Seq]; sum != "" {
		return sum, nil
	}
	sum, err := p.root.Sum(l)
	if err == nil {
		p.sums[l.Seq] = sum
	}
	return sum, err
}

func (p *parser) publish(a *Assembly, d *draft, h store.RoundHeader, consumed []store.Landed, n int) error {
	lost := int64(0)
	err := d.seqs(func(seq int64) {
		if seq != 0 && !p.input.known[seq] {
			lost = seq
		}
	})
	if err != nil {
		return fmt.Errorf("session %s: %w", p.id, err)
	}
	if lost != 0 {
		return fmt.Errorf("session %s: the rounds stand on landed file %d, which is neither on disk nor in the index: restore it; nothing is written, as its part of the session would be lost", p.id, lost)
	}
	r, err := p.lock.Publish(h, d.text, d.counts, consumed)
	if err != nil {
		return err
	}
	p.head = r
	p.result.Written = append(p.result.Written, r)
	p.result.ThroughSeq = h.ThroughSeq
	p.input.files = p.input.files[n:]
	if p.input.rest() {
		p.fold = p.fold.follow(d.frames())
	} else {
		p.result.Totals = a.totals()
	}
	return nil
}

// totals count what an assembly holds.
func (a *Assembly) totals() Totals {
	t := Totals{Nodes: len(a.Nodes), Relations: len(a.Relations), Unresolved: a.Open, Talks: a.Talks, Steps: a.Steps}
	started := map[string]bool{}
	for i := range a.Relations {
		if r := &a.Relations[i]; r.Type == "starts" {
			started[r.To] = true
		}
	}
	for i := range a.Nodes {
		n := &a.Nodes[i]
		attr := func(key string) any {
			for _, at := range n.Attrs {
				if at.Key == key {
					return at.Value
				}
			}
			return nil
		}
		switch n.Kind {
		case KindRun:
			t.Runs++
		case KindTool, KindAgentCall:
			t.Tools++
			if attr("result") == "available" {
				t.ToolsJoined++
			}
		case KindStream:
			if attr("role") == "child" {
				t.Children++
				if started[n.ID] || attr("started_by") != nil {
					t.ChildrenJoined++
				}
			}
		}
	}
	return t
}

// input is what the index holds above the chain.
type input struct {
	files []inputFile    // by seq, not yet consumed
	known map[int64]bool // seqs of the whole index
}

type inputFile struct {
	seq      int64
	from, to int64 // times of its records, or store.NoTime
}

func (in *input) rest() bool { return len(in.files) > 0 }

// readInput looks at what the index holds.
func (p *parser) readInput() error {
	through := p.result.ThroughSeq
	p.input = input{known: map[int64]bool{}}
	p.sums = map[int64]string{}
	last := int64(0)
	return p.x.Each(func(e *store.IndexEntry) error {
		if e.Seq != last {
			last = e.Seq
			p.input.known[e.Seq] = true
			if e.Seq > through {
				p.input.files = append(p.input.files, inputFile{e.Seq, store.NoTime, store.NoTime})
			}
		}
		if e.Seq > through && e.Time != store.NoTime {
			f := &p.input.files[len(p.input.files)-1]
			f.to = max(f.to, e.Time)
			if f.from == store.NoTime || e.Time < f.from {
				f.from = e.Time
			}
		}
		return nil
	})
}

// readIndex reads the index and what is on disk. A damaged index is made anew.
func (p *parser) readIndex() error {
	if err := p.list(); err != nil {
		return err
	}
	x, err := p.session.Index()
	if errors.Is(err, store.ErrDamaged) {
		return p.reindex(err)
	}
	p.x = x
	return err
}

func (p *parser) list() error {
	landed, err := p.session.Landed()
	if err != nil {
		return err
	}
	p.landed = make(map[int64]store.Landed, len(landed))
	for _, l := range slices.Backward(landed) { // of two with one seq the first is indexed
		p.landed[l.Seq] = l
	}
	return nil
}
