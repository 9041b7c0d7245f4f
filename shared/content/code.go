package content

import "strings"

// Stretch is some code with one class, "" for plain.
type Stretch struct {
	Class string
	Size  int // bytes
}

// colours asks the host for the colours of a text. What does not cover it exactly is not used.
func (r *renderer) colours(language, text string) []Stretch {
	if r.options.Colours == nil {
		return nil
	}
	out := r.options.Colours(language, text)
	left := len(text)
	for _, each := range out {
		if each.Size < 0 || each.Size > left {
			return nil
		}
		left -= each.Size
	}
	if left != 0 {
		return nil
	}
	return out
}

// code prints the lines of a block, coloured, with their variables.
func (r *renderer) code(f fenceParts, lines [][]piece) {
	s := &r.out
	stretches := r.colours(f.Language, strings.TrimSuffix(f.Text, "\n"))
	at := painter{s: s, stretches: stretches}
	for i, line := range lines {
		if i > 0 {
			s.text("\n")
			at.skip(1)
		}
		class := "line"
		if f.highlighted(i + 1) {
			class = "line highlighted"
		}
		s.open("span", attribute{"class", class})
		for _, p := range line {
			if p.variable == "" {
				at.paint(p.text)
				continue
			}
			class := at.class()
			if class != "" {
				s.open("span", attribute{"class", class})
			}
			s.variable(p.variable, p.text)
			if class != "" {
				s.close()
			}
			at.skip(len(p.text))
		}
		s.close()
	}
}

// painter walks along the stretches as text is printed.
type painter struct {
	s         *sink
	stretches []Stretch
}

func (p *painter) class() string {
	for len(p.stretches) > 0 && p.stretches[0].Size == 0 {
		p.stretches = p.stretches[1:]
	}
	if len(p.stretches) == 0 {
		return ""
	}
	return p.stretches[0].Class
}

func (p *painter) skip(size int) {
	for size > 0 && len(p.stretches) > 0 {
		n := min(size, p.stretches[0].Size)
		p.stretches[0].Size -= n
		size -= n
		if p.stretches[0].Size == 0 {
			p.stretches = p.stretches[1:]
		}
	}
}

func (p *painter) paint(text string) {
	for text != "" {
		class := p.class()
		n := len(text)
		if len(p.stretches) > 0 {
			n = min(n, p.stretches[0].Size)
		}
		if class == "" || strings.TrimSpace(text[:n]) == "" {
			p.s.text(text[:n])
		} else {
			p.s.open("span", attribute{"class", class})
			p.s.text(text[:n])
			p.s.close()
		}
		p.skip(n)
		text = text[n:]
	}
}
