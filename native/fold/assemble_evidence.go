package fold

import (
	"errors"

	"asz/native/store"
)

// grown is the list with room for the number n.
func grown[T any](list []T, n int32, fresh T) []T {
	for int(n) >= len(list) {
		list = append(list, fresh)
	}
	return list
}

// record is what assembly keeps of an index entry. Its texts are numbers.
type record struct {
	seq, row int64
	time     int64 // or store.NoTime
	id       int32 // in ids, as is parent
	parent   int32
	stream   int32 // none of a record of a workflow run
	epoch    int32
	run      int32 // of its cycle, and then of its nearest parent's
	call     int32
	fragment int32 // next record of the call
	part     int32 // its first one; they end where the next record's begin
	rare     int32 // in rares
	flags    store.Flags
	kind     uint8
	trigger  uint8 // bit
	usage    bool
}

// rare is what few records have.
type rare struct {
	tool, child, batch int32
	continues          int32 // in ids
}

// Kinds of landed files.
const (
	kindTranscript uint8 = iota
	kindMeta
	kindJournal
	kindOther
)

// Bits of what the records of a run state to have set them off.
const (
	statesExternal uint8 = 1 << iota
	statesNotification
	statesUnknown
)

// part is one block of a record.
type part struct {
	k    uint8
	tool int32 // none for other parts than calls and results
}

// Kinds of parts that assembly tells apart.
const (
	partOther uint8 = iota
	partText
	partReasoning
	partCall
	partResult
)

// use is a place at which a tool is called or answered.
type use struct {
	record, block int32
	next          int32 // of the same tool
	result        bool
}

// tool is one tool call, and what became of it.
type tool struct {
	name              string
	first, last       int32
	request           int32 // first one
	requests, results int32
	seen              int32   // by the record before this number
	starts            []int32 // streams
	id                string
}

// call is one call of the provider.
type call struct {
	first, last int32 // records
	fragments   int64
	finished    bool
	id          string
}

// cycle is a run before it has a name: a cycle id within a stream.
type cycle struct{ stream, id int32 }

// stream is one stream, landed or only named.
type stream struct {
	landed    bool // has a transcript
	first     int32
	records   int64
	label     string
	startedBy string
	epoch     int32 // in progress
	began     bool  // a record of the conversation stands in it
	spoke     int32 // last response that the model gave
	last      int64 // latest time
	cycle     string
	run       int32 // of that cycle

	claims   []claim
	joined   []claim // those that hold, one a tool
	meta     bool    // it has a sidecar
	result   bool    // a tool result names it
	journals []int32 // batches whose journals name it
	returned []int32
	notified bool
	talk     int32
}

// batch is a workflow run.
type batch struct {
	known   bool // a file of it landed, or a result names it
	started bool // by a call that has landed
	claims  []claim
}

// assembler holds the evidence of a session and what is made of it.
type assembler struct {
	ids      names
	recordOf []int32 // by id
	streams  names
	stream   []stream
	calls    names
	call     []call
	tools    names
	tool     []tool
	batches  names
	batch    []batch
	cycles   names
	runOf    map[cycle]int32
	runs     []run
	talks    []talk
	epochs   []epoch
	windows  []window

	records []record
	parts   []part
	uses    []use
	rares   []rare
	named   []int32 // transcript records that name a child or a batch, and notifications
	journal []int32
	bounds  []int32 // boundaries
	main    int32
	title   string

	childOpen bool // a child is named that has not landed

	lastID     string
	lastIDAt   int32
	lastCall   int32
	lastStream int32

	texts texts
	spare spare
	taken map[string]bool // ids of runs and epochs
	out   *Assembly
}

// read takes in the entries up to the landed file through, 0 for all.
func (a *assembler) read(x *store.Index, through int64) error {
	n := x.Records
	a.ids, a.recordOf = newNames(n), make([]int32, 0, n)
	a.records, a.parts = make([]record, 0, n), make([]part, 0, n)
	a.streams, a.calls, a.tools, a.batches, a.cycles = newNames(0), newNames(n/4), newNames(n/4), newNames(0), newNames(0)
	a.call, a.tool, a.uses = make([]call, 0, n/4), make([]tool, 0, n/4), make([]use, 0, n/2)
	a.runOf = map[cycle]int32{}
	a.lastIDAt, a.lastCall = none, none
	a.main = a.streamOf(store.Main)
	a.lastStream = a.main
	enough := errors.New("enough")
	err := x.Each(func(e *store.IndexEntry) error {
		if through > 0 && e.Seq > through {
			return enough
		}
		a.add(e)
		return nil
	})
	if err == enough {
		return nil
	}
	return err
}

func (a *assembler) streamOf(name string) int32 {
	n := a.streams.add(name)
	if n != none {
		a.stream = grown(a.stream, n, stream{first: none, epoch: none, spoke: none, run: none, talk: none, last: store.NoTime})
	}
	return n
}

func (a *assembler) batchOf(name string) int32 {
	n := a.batches.add(name)
	if n != none {
		a.batch = grown(a.batch, n, batch{})
	}
	return n
}

func (a *assembler) toolOf(id string) int32 {
	n := a.tools.add(id)
	if n != none {
		a.tool = grown(a.tool, n, tool{first: none, last: none, request: none})
	}
	return n
}

// idOf is the number of a record id. Mostly it is that of the record before.
func (a *assembler) idOf(id string) int32 {
	if id == "" {
		return none
	}
	if id == a.lastID {
		return a.lastIDAt
	}
	n := a.ids.add(id)
	a.recordOf = grown(a.recordOf, n, none)
	return n
}

// add takes in an entry. Of the copies of a record only the first is kept.
func (a *assembler) add(e *store.IndexEntry) {
	if e.Time != store.NoTime {
		if a.out.From == store.NoTime || e.Time < a.out.From {
			a.out.From = e.Time
		}
		a.out.Through = max(a.out.Through, e.Time)
	}
	n := int32(len(a.records))
	r := record{
		seq: e.Seq, row: e.Row, time: e.Time, flags: e.Flags, usage: e.HasUsage, part: int32(len(a.parts)),
		stream: none, epoch: none, run: none, call: none, fragment: none, rare: none,
	}
	r.parent = a.idOf(e.Parent)
	r.id = a.idOf(e.ID)
	if r.id != none {
		a.lastID, a.lastIDAt = e.ID, r.id
		if a.recordOf[r.id] != none {
			return
		}
		a.recordOf[r.id] = n
	}
	switch e.Kind {
	case store.Transcript:
		r.kind = kindTranscript
		a.transcript(e, &r, n)
	case store.AgentMeta:
		r.kind = kindMeta
		r.stream = a.streamOf(e.Stream)
		s := &a.stream[r.stream]
		s.records++
		s.meta = true
		s.label, s.startedBy = e.Label, e.StartedBy
	case store.Journal:
		r.kind = kindJournal
		a.journal = append(a.journal, n)
		a.runFile(e, &r)
	default:
		r.kind = kindOther
		a.runFile(e, &r)
	}
	a.records = append(a.records, r)
}

// runFile takes in a record of a workflow run.
func (a *assembler) runFile(e *store.IndexEntry, r *record) {
	b := a.batchOf(e.Batch)
	if b != none {
		a.batch[b].known = true
	}
	r.rare = int32(len(a.rares))
	a.rares = append(a.rares, rare{tool: none, child: a.streamOf(e.Child), batch: b, continues: none})
}

func (a *assembler) transcript(e *store.IndexEntry, r *record, n int32) {
	if e.Stream != a.streams.texts[a.lastStream] {
		a.lastStream = a.streamOf(e.Stream)
	}
	r.stream = a.lastStream
	s := &a.stream[r.stream]
	if !s.landed {
		s.landed, s.first = true, n
	}
	s.records++
	s.last = max(s.last, e.Time)
	if e.Label != "" && r.stream == a.main {
		a.title = e.Label
	}
	switch e.Trigger {
	case store.TriggerExternal:
		r.trigger = statesExternal
	case store.TriggerNotification:
		r.trigger = statesNotification
	case store.TriggerUnknown:
		r.trigger = statesUnknown
	}
	a.epochOf(s, r, n)
	if e.Run != "" {
		if e.Run != s.cycle {
			s.cycle, s.run = e.Run, a.cycleOf(r.stream, e.Run)
		}
		r.run = s.run
	}
	if e.Call != "" {
		a.fragment(e, r, n)
		if e.Flags&store.Synthetic == 0 {
			s.spoke = n
		}
	}
	for i := range e.Parts {
		a.part(&e.Parts[i], n, int32(i))
	}
	if e.Tool != "" || e.Child != "" || e.BatchNamed != "" || e.Continues != "" || r.trigger == statesNotification {
		r.rare = int32(len(a.rares))
		a.rares = append(a.rares, rare{
			tool: a.toolOf(e.Tool), child: a.streamOf(e.Child), batch: a.batchOf(e.BatchNamed), continues: a.idOf(e.Continues),
		})
		a.named = append(a.named, n)
	}
}

// cycleOf is the run of a cycle within a stream.
func (a *assembler) cycleOf(stream int32, id string) int32 {
	key := cycle{stream, a.cycles.add(id)}
	n, ok := a.runOf[key]
	if !ok {
		n = int32(len(a.runs))
		a.runOf[key] = n
		a.runs = append(a.runs, run{cycle: key, first: none, span: emptySpan(), talk: none})
	}
	return n
}

func (a *assembler) fragment(e *store.IndexEntry, r *record, n int32) {
	c := a.lastCall
	if c == none || a.calls.texts[c] != e.Call {
		c = a.calls.add(e.Call)
		a.call = grown(a.call, c, call{first: none})
		a.lastCall = c
	}
	r.call = c
	k := &a.call[c]
	if k.first == none {
		k.first = n
	} else {
		a.records[k.last].fragment = n
	}
	k.last = n
	k.fragments++
	k.finished = k.finished || e.Flags&store.Finished != 0
}

func (a *assembler) part(p *store.IndexPart, n, block int32) {
	out := part{tool: none}
	switch p.K {
	case store.PartText:
		out.k = partText
	case store.PartReasoning:
		out.k = partReasoning
	case store.PartCall:
		out.k = partCall
	case store.PartResult:
		out.k = partResult
	}
	if (out.k == partCall || out.k == partResult) && p.Tool != "" {
		out.tool = a.toolOf(p.Tool)
		t := &a.tool[out.tool]
		at := int32(len(a.uses))
		a.uses = append(a.uses, use{record: n, block: block, next: none, result: out.k == partResult})
		if t.first == none {
			t.first = at
		} else {
			a.uses[t.last].next = at
		}
		t.last = at
		if out.k == partResult {
			t.results++
		} else {
			t.requests++
			if t.request == none {
				t.request = at
				t.name = p.Name
			}
		}
	}
	a.parts = append(a.parts, out)
}

// partsOf are the parts of a record.
func (a *assembler) partsOf(n int32) []part {
	end := int32(len(a.parts))
	if int(n)+1 < len(a.records) {
		end = a.records[n+1].part
	}
	return a.parts[a.records[n].part:end]
}

func (a *assembler) ref(n int32) Ref {
	r := &a.records[n]
	return Ref{Seq: r.seq, Row: r.row, Block: WholeRecord}
}

func (a *assembler) refAt(u *use) Ref {
	r := &a.records[u.record]
	return Ref{Seq: r.seq, Row: r.row, Block: u.block}
}
