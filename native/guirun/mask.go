package guirun

import (
	"bytes"
	"context"
	"image"
)

// shot takes a screenshot in which nothing secret is to be seen. Windows may move, come and go while it is taken: what they
// were before and after is covered, and all that lies between.
func (r *run) shot(ctx context.Context) (*image.RGBA, error) {
	if !r.Secrets.Any() {
		return r.desk.Screenshot(ctx)
	}
	before, errBefore := r.desk.Windows(ctx)
	shot, err := r.desk.Screenshot(ctx)
	if err != nil {
		return nil, err
	}
	after, errAfter := r.desk.Windows(ctx)
	if errBefore != nil || errAfter != nil {
		fill(shot, shot.Rect) // what cannot be told apart is not shown
		return shot, nil
	}
	for _, area := range r.secretAreas(before, after) {
		fill(shot, area)
	}
	return shot, nil
}

// secretAreas are the rectangles of the screen that may show a secret, by the windows before and after a picture: the title
// bar of one whose title holds a secret, and the whole of one that a secret was typed into, as it says nothing of the text
// that it shows.
func (r *run) secretAreas(before, after []Window) []image.Rectangle {
	was := map[WindowID]*Window{}
	for i := range before {
		was[before[i].ID] = &before[i]
	}
	var out []image.Rectangle
	cover := func(a, b *Window) {
		if a.Minimised && b.Minimised {
			return
		}
		if r.secretIn[a.ID] {
			out = append(out, outline(a).Union(outline(b)))
		} else if r.Secrets.Holds(a.Title) || r.Secrets.Holds(b.Title) {
			out = append(out, titleBar(a).Union(titleBar(b)))
		}
	}
	for i := range after {
		b := &after[i]
		a := was[b.ID]
		if a == nil {
			a = b
		}
		cover(a, b)
		delete(was, b.ID)
	}
	for i := range before {
		if a := &before[i]; was[a.ID] != nil { // it is gone, and may have been there still
			cover(a, a)
		}
	}
	return out
}

// outline is a window with its decorations.
func outline(w *Window) image.Rectangle { return w.Area.Union(w.Frame) }

// titleBar is where a window shows its title: above its area or, when it has no decorations, it may do so itself anywhere.
func titleBar(w *Window) image.Rectangle {
	bar := w.Frame
	bar.Max.Y = min(bar.Max.Y, w.Area.Min.Y)
	if bar.Empty() {
		return outline(w)
	}
	return bar
}

// maskFocus covers, from now on, the window that has the focus.
func (r *run) maskFocus(ctx context.Context) {
	// Pictures are taken after the step's time too.
	r.bounded(context.WithoutCancel(ctx), func(ctx context.Context) error {
		w, err := r.desk.Focus(ctx)
		if err == nil && w.ID != 0 {
			r.secretIn[w.ID] = true
		}
		return err
	})
}

// fill makes a rectangle of a picture flat.
func fill(shot *image.RGBA, area image.Rectangle) {
	area = area.Intersect(shot.Rect)
	if area.Empty() {
		return
	}
	line := bytes.Repeat([]byte{0x60, 0x60, 0x60, 0xFF}, area.Dx())
	for y := area.Min.Y; y < area.Max.Y; y++ {
		copy(shot.Pix[shot.PixOffset(area.Min.X, y):], line)
	}
}
