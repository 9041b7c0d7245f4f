package fold

import (
	"errors"
	"fmt"

	"asz/native/store"
)

// unknown has an index made anew that lacks a file which is on disk, unless it also knows one that is not: then it is all that
// is left of that.
func (p *parser) unknown() error {
	known, lacks := p.input.known, false
	for seq := range p.landed {
		lacks = lacks || seq <= p.x.IndexedSeq && !known[seq]
	}
	if !lacks {
		return nil
	}
	for seq := range known {
		if _, ok := p.landed[seq]; !ok {
			return nil
		}
	}
	if err := p.reindex(nil); err != nil {
		return err
	}
	return p.readInput()
}

// reindex makes the index anew, for a reason. When a landed file that the rounds consumed is not on disk, the index is left as it
// is: its part of the session would be lost.
func (p *parser) reindex(why error) error {
	pass, err := p.session.Lock()
	if errors.Is(err, store.ErrBusy) {
		return errors.Join(why, fmt.Errorf("session %s: its index has to be made anew, and another process works on it; try again when that is done", p.id))
	}
	if err != nil {
		return err
	}
	defer pass.Close()
	if err := p.list(); err != nil { // under the lock
		return err
	}
	c, err := Read(p.root, p.id)
	if err != nil {
		return err
	}
	in := newInputs(p.root, p.landed)
	for _, r := range c.Rounds {
		match, missing, err := in.check(r, true)
		if err != nil {
			return fmt.Errorf("session %s: %w", p.id, err)
		}
		if !match {
			what := "landed files are not what was consumed"
			if len(missing) > 0 {
				what = fmt.Sprintf("landed file %d is not on disk", missing[0])
			}
			return errors.Join(why, fmt.Errorf("session %s: its index has to be made anew, but %s, on which round %d stands: restore it; nothing is changed", p.id, what, r.Number))
		}
	}
	if err := pass.Reindex(); err != nil {
		return err
	}
	if err := pass.Commit(); err != nil {
		return err
	}
	p.x, err = p.session.Index()
	return err
}
