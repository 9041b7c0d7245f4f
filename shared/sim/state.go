package sim

import "asz/shared/lab"

// State is everything an engine knows at one moment: an immutable value.
// Keeping one is keeping a few pointers, so snapshots cost nothing.
type State struct {
	tree     lab.Value // a map; without history, which is kept apart
	history  lab.List
	files    Files
	consoles lab.Tree[console] // of the terminals that are not at their plain prompt
	done     lab.Tree[lab.Value]
}

// Lookup returns the value at a dot-path's segments; a path that leads nowhere
// gives null.
func (s *State) Lookup(segments []string) lab.Value {
	if segments[0] == "history" {
		return lab.FromList(s.history).Lookup(segments[1:])
	}
	return s.tree.Lookup(segments)
}

// Tree is the state tree, a map, without history.
func (s *State) Tree() lab.Value { return s.tree }

// History lists the command lines that were run, raw, oldest first.
func (s *State) History() []string {
	vs := s.history.Values()
	out := make([]string, len(vs))
	for i, v := range vs {
		out[i] = v.Text()
	}
	return out
}

// Files is the virtual filesystem.
func (s *State) Files() Files { return s.files }

// Done reports whether a scenario has completed the step.
func (s *State) Done(step string) bool {
	_, ok := s.done.Get(step)
	return ok
}

// Digest is equal for equal states (but for one chance in 2^64).
func (s *State) Digest() uint64 {
	return s.Substance()*31 + s.history.Digest() + s.unfinished()
}

// Substance is Digest without history and unfinished lines: what undo looks at.
func (s *State) Substance() uint64 {
	return ((s.tree.Digest()*31+s.files.Digest())*31+s.Opened())*31 + s.done.Digest()
}

// set writes one path of the tree.
func (s *State) set(path string, value lab.Value, appending bool) (*State, error) {
	segments, ok := lab.StatePath(path)
	switch {
	case !ok:
		return s, &lab.PathError{At: path, Reason: "has an empty segment"}
	case segments[0] == "history":
		return s, &lab.PathError{At: "history", Reason: "is kept by the engine and may not be written"}
	}
	if appending {
		old := s.tree.Lookup(segments)
		if k := old.Kind(); k != lab.KindList && k != lab.KindNull {
			return s, &lab.PathError{At: path, Reason: "is " + k.String() + ", so nothing can be appended"}
		}
		value = old.Appended(value)
	}
	tree, err := s.tree.Put(segments, value)
	if err != nil {
		return s, err
	}
	next := *s
	next.tree = tree
	return &next, nil
}

// ran notes a command line in the history.
func (s *State) ran(line string) *State {
	next := *s
	next.history = s.history.Append(lab.Text(line))
	return &next
}

func (s *State) withFiles(files Files) *State {
	next := *s
	next.files = files
	return &next
}

// console is what is open in one terminal.
type console struct {
	session int      // the rule that opened the agent session, plus one; 0 = none
	input   *pending // the input being collected, nil = none
	partial *string  // the unfinished command line, its lines joined by newlines
}

// pending is an input in progress.
type pending struct {
	rule     int // the rule whose input it is
	captures []Capture
	values   []Capture // one for each step answered
	digest   uint64
}

// Digest leaves the unfinished line out (see State.Substance).
func (c console) Digest() uint64 {
	d := uint64(c.session)
	if c.input != nil {
		d += c.input.digest * 31
	}
	return d
}

// Opened is a digest of the open sessions and inputs.
func (s *State) Opened() (d uint64) {
	s.consoles.All(func(terminal string, c console) bool {
		if c.session != 0 || c.input != nil {
			d += lab.HashText(terminal) * (2*c.Digest() + 1)
		}
		return true
	})
	return d
}

// unfinished is a digest of the lines that go on.
func (s *State) unfinished() (d uint64) {
	s.consoles.All(func(terminal string, c console) bool {
		if c.partial != nil {
			d += lab.HashText(terminal + "\x00" + *c.partial)
		}
		return true
	})
	return d
}

// newPending starts or goes on with an input.
func newPending(rule int, captures, values []Capture) *pending {
	p := &pending{rule: rule, captures: captures, values: values, digest: uint64(rule) + 1}
	for _, list := range [][]Capture{captures, values} {
		for _, c := range list {
			p.digest = p.digest*31 + lab.HashText(c.Name+"\x00"+c.Value)
		}
		p.digest = p.digest*31 + uint64(len(list))
	}
	return p
}

func (s *State) console(terminal string) console {
	c, _ := s.consoles.Get(terminal)
	return c
}

func (s *State) withConsole(terminal string, c console) *State {
	if c == s.console(terminal) {
		return s
	}
	next := *s
	if c == (console{}) {
		next.consoles = s.consoles.Delete(terminal)
	} else {
		next.consoles = s.consoles.Set(terminal, c)
	}
	return &next
}
