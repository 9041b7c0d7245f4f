package labfile

import (
	"slices"

	"asz/shared/diag"
	"asz/shared/yamldoc"
)

// faults are the places of the findings for which a lab does not load, and what they leave unclear. They say what of a
// lab that could be read only in part can be judged all the same. Nil: there are none.
type faults struct {
	at      map[*diag.Source][]fault // in the order of places
	unclear []diag.Span              // what stands next to a mistake in the YAML itself: it may belong elsewhere
}

// fault is one such place.
type fault struct {
	diag.Span
	code  diag.Code
	meant string // of a misspelt key: the one that was meant, which is not there
}

// newFaults takes the findings of the files with these roots.
func newFaults(list diag.List, roots ...*yamldoc.Node) *faults {
	if !list.Stops() {
		return nil
	}
	f := &faults{at: map[*diag.Source][]fault{}}
	for _, d := range list {
		rule, _ := diag.RuleOf(d.Code)
		if !rule.Stops || d.Span.Source == nil {
			continue
		}
		at := fault{Span: d.Span, code: d.Code}
		if d.Code == "unknown-key" && d.Fix != nil && len(d.Fix.Edits) == 1 {
			at.meant = d.Fix.Edits[0].New
		}
		f.at[d.Span.Source] = append(f.at[d.Span.Source], at)
		switch d.Code {
		case "yaml-syntax", "yaml-tab", "yaml-key", "append-form":
			for _, root := range roots {
				if root != nil && root.Span.Source == d.Span.Source {
					f.unclear = append(f.unclear, around(root, d.Span))
				}
			}
		}
	}
	for _, places := range f.at {
		slices.SortFunc(places, func(a, b fault) int { return a.Start - b.Start })
	}
	return f
}

// around is the place of the entries next to a mistake, in the innermost list or map in which it stands.
func around(n *yamldoc.Node, at diag.Span) diag.Span {
	for {
		var inner *yamldoc.Node
		out := at
		for _, e := range entries(n) {
			switch {
			case e.whole.Start < n.Span.Start || e.whole.End() > n.Span.End():
				// It stands elsewhere, and an alias repeats it here.
			case e.whole.End() <= at.Start:
				out = whole(e.whole, at) // the last one before it
			case e.whole.Start > at.Start:
				return whole(out, e.whole)
			case within(at.Start, e.value.Span):
				inner = e.value
			default:
				out = whole(e.whole, at)
			}
		}
		if inner == nil {
			return out
		}
		n = inner
	}
}

// entry is one entry of a map or list; whole is its place with the key.
type entry struct {
	value *yamldoc.Node
	whole diag.Span
}

func entries(n *yamldoc.Node) []entry {
	out := make([]entry, 0, len(n.Items)+len(n.Pairs))
	for _, item := range n.Items {
		out = append(out, entry{item, item.Span})
	}
	for _, p := range n.Pairs {
		at := p.KeyNode.Span
		if p.Value.Span.Source == at.Source && p.Value.Span.End() >= at.End() {
			at = whole(at, p.Value.Span)
		}
		out = append(out, entry{p.Value, at})
	}
	return out
}

func within(at int, s diag.Span) bool { return at >= s.Start && at < max(s.End(), s.Start+1) }

// in lists those that begin in a place.
func (f *faults) in(at diag.Span) []fault {
	places := f.at[at.Source]
	from, _ := slices.BinarySearchFunc(places, at.Start, func(p fault, start int) int { return p.Start - start })
	to := from
	for to < len(places) && within(places[to].Start, at) {
		to++
	}
	return places[from:to]
}

// direct reports whether a mistake lies in a value itself and in none of its entries: what is not in the value may
// have been meant to be.
func (f *faults) direct(n *yamldoc.Node) bool {
	broken := n.Broken
	for _, p := range n.Pairs {
		if len(f.in(p.KeyNode.Span)) > 0 {
			return true
		}
		broken = broken && !p.Value.Broken
	}
	for _, item := range n.Items {
		broken = broken && !item.Broken
	}
	return broken || slices.ContainsFunc(f.in(n.Span), func(at fault) bool {
		inside := func(value *yamldoc.Node) bool { return within(at.Start, value.Span) }
		return !slices.ContainsFunc(n.Items, inside) &&
			!slices.ContainsFunc(n.Pairs, func(p yamldoc.Pair) bool { return inside(p.Value) })
	})
}

// sure reports whether no mistake lies in a value and in what it holds, down to a depth.
func (f *faults) sure(n *yamldoc.Node, depth int) bool {
	if f == nil || n == nil {
		return true
	}
	if f.direct(n) {
		return false
	}
	if depth == 0 {
		return true
	}
	for _, item := range n.Items {
		if !f.sure(item, depth-1) {
			return false
		}
	}
	for _, p := range n.Pairs {
		if !f.sure(p.Value, depth-1) {
			return false
		}
	}
	return true
}

// has reports whether it is known what a map has below a key: no mistake directly in it can be about that key.
func (f *faults) has(n *yamldoc.Node, key string) bool {
	if f == nil || n == nil || !f.direct(n) {
		return true
	}
	if n.Broken || n.Kind != yamldoc.KindMap {
		return false
	}
	named := 0
	for _, p := range n.Pairs {
		for _, at := range f.in(p.KeyNode.Span) {
			switch {
			case at.code == "missing-key" && n.Get(key) != nil: // a key that is there is not the missing one
			case at.code == "unknown-key" && at.meant != "" && at.meant != key:
			default:
				return false
			}
			named++
		}
	}
	return named == len(f.in(n.Span))-f.deeper(n)
}

// deeper counts the mistakes inside of the entries of a map.
func (f *faults) deeper(n *yamldoc.Node) (count int) {
	for _, p := range n.Pairs {
		count += len(f.in(p.Value.Span))
	}
	return count
}

// All is a depth that nothing goes beyond.
const All = 1 << 20

// Sure reports whether a value of the lab, given its address, was read as its author wrote it, and what it holds down
// to a depth: 0 is the value alone, so that its keys or items are all there are. What is not in the file is sure when
// the value is that it would stand in. The address of the lab itself stands for labspace.yaml.
func (l *Loaded) Sure(field any, depth int) bool {
	return l.faults == nil || l.faults.sure(l.Node(field), depth)
}

// Has reports whether it is known what a map of the lab, given its address, has below a key, or that it has nothing.
func (l *Loaded) Has(field any, key string) bool {
	return l.faults == nil || l.faults.has(l.Node(field), key)
}

// Clear reports whether more can be told of a place: no finding that stops the lab is there or leaves it unclear.
func (l *Loaded) Clear(at diag.Span) bool { return l.faults.clear(at) }

func (f *faults) clear(at diag.Span) bool {
	if f == nil {
		return true
	}
	meets := func(s diag.Span) bool {
		return s.Source == at.Source && (within(at.Start, s) || within(s.Start, at))
	}
	return at.Source != nil && !slices.ContainsFunc(f.at[at.Source], func(p fault) bool { return meets(p.Span) }) && !slices.ContainsFunc(f.unclear, meets)
}
