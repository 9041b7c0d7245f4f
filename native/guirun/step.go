package guirun

import (
	"context"

	"asz/shared/gui"
)

// deed is what an action did, for what comes after it in its step.
type deed struct {
	spawned     <-chan Result // a spawned command, which may fail until the postconditions hold
	spawnedLine string
	refused     *Fault // the spawned command has failed
}

// step plays one entry and says whether it went well.
func (r *run) step(ctx context.Context, phase string, s *gui.Step) bool {
	row := r.begin(phase, place(s.At), wording(s))
	row.Target = target(s)
	if s.Action == nil {
		r.observe(ctx, row, s)
		return row.Status == StatusPassed || row.Status == StatusNotJudged
	}
	row.Rung = string(s.Action.Kind.Rung())
	row.Screenshots.Before = r.picture(ctx)
	var d deed
	f := r.act(ctx, row, s, &d)
	if f == nil {
		f = r.after(ctx, row, s, &d)
	}
	paints := false // the program may still have to
	switch s.Action.Kind {
	case gui.Key, gui.Type, gui.ClickCenter, gui.ClickDeclared, gui.ClickAt:
		paints = f == nil
	}
	if paints {
		row.Screenshots.After = r.pictureAfter(ctx, row.Screenshots.Before)
	} else {
		row.Screenshots.After = r.picture(ctx)
	}
	r.end(row, f)
	return f == nil
}

// observe has nobody to judge what is seen: it keeps the settled picture.
func (r *run) observe(ctx context.Context, row *Row, s *gui.Step) {
	shot, settled, err := r.settled(ctx)
	if err == nil {
		row.Screenshots.After = r.keep(shot)
		if !settled {
			row.Notes = append(row.Notes, "unsettled: the screen went on changing")
		}
	}
	f := asFault(ctx, err)
	if f == nil && s.ExpectState != nil {
		f = r.hold(ctx, row, []gui.Post{statePost(s.ExpectState)}, &deed{})
	}
	if f == nil {
		row.Status = StatusNotJudged
		r.report.NotJudged++
	}
	r.end(row, f)
}

// after judges what must be true after the action: expect_state, post, screen and expect, in this order.
func (r *run) after(ctx context.Context, row *Row, s *gui.Step, d *deed) *Fault {
	if s.ExpectState != nil {
		if f := r.hold(ctx, row, []gui.Post{statePost(s.ExpectState)}, d); f != nil {
			return f
		}
	}
	var list []gui.Post
	var unjudged []Postcondition
	for _, p := range s.Post {
		if p.Kind == gui.PostScreen {
			unjudged = append(unjudged, Postcondition{Kind: "screen", Want: p.Text})
		} else {
			list = append(list, p)
		}
	}
	if f := r.hold(ctx, row, list, d); f != nil {
		return f
	}
	if s.Expect.Set {
		unjudged = append(unjudged, Postcondition{Kind: "expect", Want: s.Expect.Is})
	}
	row.Postconditions = append(row.Postconditions, unjudged...)
	r.report.NotJudged += len(unjudged)
	return nil
}

func statePost(c *gui.StateCheck) gui.Post {
	return gui.Post{Kind: gui.PostState, State: *c, Timeout: gui.DefaultPostTimeout, At: c.At}
}
