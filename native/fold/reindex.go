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

// reindex makes the index anew, for a reason. The store refuses it when something that the rounds consumed would be forgotten.
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
	if err := pass.Reindex(); err != nil {
		return errors.Join(why, err)
	}
	if err := pass.Commit(); err != nil {
		return err
	}
	p.x, err = p.session.Index()
	return err
}
