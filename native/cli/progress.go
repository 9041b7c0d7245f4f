package cli

import (
	"fmt"
	"time"

	"asz/native/collect"
	"asz/shared/command"
)

// work is how far long work is.
type work struct {
	total, totalDone int // files
	bytes, bytesDone int64
	began            time.Time
	shown            time.Time
}

// show tells it ten times a second, once it has taken a second; where there is nothing to do, nothing.
func (w *work) show(line *command.Progress) {
	now := time.Now()
	if w.total == 0 || now.Sub(w.shown) < 100*time.Millisecond || now.Sub(w.began) < time.Second {
		return
	}
	w.shown = now
	rate := float64(w.bytesDone) / now.Sub(w.began).Seconds()
	left := ""
	if rate > 0 {
		left = ", " + (time.Duration(float64(w.bytes-w.bytesDone)/rate) * time.Second).String() + " left"
	}
	line.Show("%d of %d files, %s of %s, %s/s%s", w.totalDone, w.total, size(w.bytesDone), size(w.bytes), size(int64(rate)), left)
}

// collectProgress is what a person sees of a pass.
type collectProgress struct {
	work
	line command.Progress
}

func (s *collectProgress) tell(p collect.Progress) {
	s.total, s.totalDone, s.bytes, s.bytesDone = p.Sources, p.SourcesDone, p.Bytes, p.BytesDone
	s.show(&s.line)
}

// size is a number of bytes for people.
func size(n int64) string {
	if n < 1000 {
		return fmt.Sprintf("%d B", n)
	}
	value, unit := float64(n), 0
	for value >= 999.5 {
		value /= 1000
		unit++
	}
	digits := 0
	if value < 9.95 {
		digits = 1
	}
	return fmt.Sprintf("%.*f %cB", digits, value, " kMGTPE"[unit])
}
