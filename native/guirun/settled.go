package guirun

import (
	"context"
	"image"
	"time"
)

// A screen is settled when two pictures settlePause apart differ in less than one pixel of a thousand, leaving aside one area as
// large as a blinking caret.
const (
	settleMost  = 5 * time.Second
	caretWidth  = 24
	caretHeight = 64
)

// settled waits until the screen has come to rest, and gives its picture; after a while the last one, and that it is not.
func (r *run) settled(ctx context.Context) (shot *image.RGBA, settled bool, err error) {
	end := r.Clock.Now().Add(settleMost)
	before, err := r.shot(ctx)
	if err != nil {
		return nil, false, err
	}
	for {
		if err := r.Clock.Wait(ctx, r.Operator.Settle, nil); err != nil {
			return nil, false, err
		}
		after, err := r.shot(ctx)
		if err != nil {
			return nil, false, err
		}
		if alike(before, after) {
			return after, true, nil
		}
		if !r.Clock.Now().Before(end) {
			return after, false, nil
		}
		r.desk.Recycle(before)
		before = after
	}
}

// alike says whether two pictures show the same but for a few pixels and a caret.
func alike(a, b *image.RGBA) bool {
	if a.Rect != b.Rect {
		return false
	}
	few := a.Rect.Dx() * a.Rect.Dy() / 1000
	var changed image.Rectangle
	count := 0
	for y := a.Rect.Min.Y; y < a.Rect.Max.Y; y++ {
		from, to := a.PixOffset(a.Rect.Min.X, y), a.PixOffset(a.Rect.Max.X, y)
		rowA, rowB := a.Pix[from:to], b.Pix[from:to]
		if string(rowA) == string(rowB) {
			continue
		}
		for i := 0; i < len(rowA); i += 4 {
			if rowA[i] == rowB[i] && rowA[i+1] == rowB[i+1] && rowA[i+2] == rowB[i+2] {
				continue
			}
			x := a.Rect.Min.X + i/4
			changed = changed.Union(image.Rect(x, y, x+1, y+1))
			count++
			if count >= max(1, few) && (changed.Dx() > caretWidth || changed.Dy() > caretHeight) {
				return false
			}
		}
	}
	return true
}
