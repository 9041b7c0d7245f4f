package sim

import "asz/shared/lab"

// What a search of a lab's states needs beyond playing it: matching apart from the state, effects apart from the
// terminal, and states put together from parts.

// OneShot is the prompt that the command says at once when it opens a session (simulator.md 14.3).
func (q *Prepared) OneShot() (prompt string, ok bool) { return oneShot(q.words) }

// Apply does a scenario's own effects, or with answers those of its input, and nothing else: no step is completed,
// nothing is opened. problem tells of a hard error, which changes nothing.
func (e *Engine) Apply(s *State, rule int, captures, answers []Capture) (after *State, problem string) {
	then := &e.prog.rules[rule].Then
	if answers != nil {
		then = &then.Input.Then
	}
	after, _, where, err := e.prog.effects(s, then, captures, answers)
	if err != nil {
		return s, where + ": " + err.Error()
	}
	return after, ""
}

// Put returns the state with a value at a path of the tree, whatever stands there; parts of the path that are not
// maps stay, and then nothing changes.
func (s *State) Put(segments []string, v lab.Value) *State {
	tree, err := s.tree.Put(segments, v)
	if err != nil {
		return s
	}
	next := *s
	next.tree = tree
	return &next
}

// HistoryList is the history as a value.
func (s *State) HistoryList() lab.List { return s.history }

// WithHistory returns the state with another history.
func (s *State) WithHistory(history lab.List) *State {
	next := *s
	next.history = history
	return &next
}

// Entry is a file or folder of the virtual files, or nothing.
type Entry struct{ f *file }

// Entry returns what stands at the segments of a path.
func (f Files) Entry(parts []string) Entry {
	at, err := f.find(parts)
	if err != nil {
		return Entry{}
	}
	return Entry{at}
}

// WithEntry returns the state with an entry at the segments of a path; nothing removes what stands there.
func (s *State) WithEntry(parts []string, e Entry) *State {
	if e.f == nil && s.files.Entry(parts).f == nil {
		return s
	}
	root, err := s.files.root.change(parts, func(*file) (*file, error) { return e.f, nil })
	if err != nil {
		return s
	}
	return s.withFiles(Files{root})
}

// Exists reports whether there is anything.
func (e Entry) Exists() bool { return e.f != nil }

// Dir reports whether the entry is a folder.
func (e Entry) Dir() bool { return e.f != nil && e.f.dir }

// Text is the text of a file.
func (e Entry) Text() string { return e.f.text }

// All calls yield for each entry of a folder in byte order.
func (e Entry) All(yield func(name string, e Entry) bool) {
	e.f.entries.All(func(name string, f *file) bool { return yield(name, Entry{f}) })
}
