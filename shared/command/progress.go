package command

import (
	"fmt"
	"io"

	"asz/shared/play"
)

// Progress is a line on a terminal that tells how far long work is. It is
// taken away before anything else is printed.
type Progress struct {
	Out   io.Writer
	Shown bool // somebody sees it
	dirty bool
}

// Show prints the line in place of the one before.
func (p *Progress) Show(format string, args ...any) {
	if p.Shown {
		line := []rune(play.Printable(fmt.Sprintf(format, args...)))
		if most := 79; len(line) > most { // a second row would stay
			line = append([]rune("…"), line[len(line)-most+1:]...)
		}
		fmt.Fprint(p.Out, "\r\x1b[K", string(line))
		p.dirty = true
	}
}

// Clear takes the line away.
func (p *Progress) Clear() {
	if p.dirty {
		io.WriteString(p.Out, "\r\x1b[K")
		p.dirty = false
	}
}
