package explore

import (
	"encoding/binary"
	"slices"
	"strconv"
	"strings"

	"asz/shared/lab"
	"asz/shared/sim"
)

// maxValues bounds the values of one fact, so that one byte holds a fact in a state.
const maxValues = 255

// fact is one part of a lab's state that something depends on. Its values are numbered as they turn up; of values that
// nothing could tell apart the first stands for all.
type fact struct {
	name string
	keys map[string]uint8 // what can be told of a value → its number
	reps []rep            // by number
	full bool             // there were more values than a fact may have

	root    []string // tree: the path of the part; nil for other kinds
	shape   *shape   // tree and history: what is read of the part
	file    []string // files: the path of the part
	history bool

	// The rest are facts of terminals and steps, which have no rep: 0 = no, 1 = yes; of an input its pending number.
}

// rep is a value of a fact in the engine's own terms.
type rep struct {
	value lab.Value
	entry sim.Entry
}

// number gives the number of a value by what can be told of it; ok is false when there are too many.
func (f *fact) number(key []byte, r rep) (n uint8, ok bool) {
	if n, ok := f.keys[string(key)]; ok {
		return n, true
	}
	if len(f.reps) == maxValues {
		f.full = true
		return 0, false
	}
	n = uint8(len(f.reps))
	f.keys[string(key)] = n
	f.reps = append(f.reps, r)
	return n, true
}

// shape says what is read of a part of the tree.
type shape struct {
	whole    bool // conditions or templates read the value here
	longest  int  // of a whole list: elements beyond this many are not told apart; -1 = all are
	last     bool // of the list of CI runs: the workflow of the newest counts, for Re-run
	children map[string]*shape
	names    []string // of the children, sorted
}

func newShape() *shape { return &shape{children: map[string]*shape{}} }

func (s *shape) at(path []string) *shape {
	for _, name := range path {
		next := s.children[name]
		if next == nil {
			next = newShape()
			s.children[name] = next
			s.names = append(s.names, name)
			slices.Sort(s.names)
		}
		s = next
	}
	return s
}

// key appends all that can be told of v.
func (s *shape) key(dst []byte, v lab.Value) []byte {
	kind := v.Kind()
	if kind == lab.KindList {
		return s.listKey(dst, v)
	}
	if s.whole {
		return binary.LittleEndian.AppendUint64(append(dst, 'w'), v.Digest())
	}
	dst = append(dst, 'k', byte(kind))
	if kind != lab.KindMap {
		return dst
	}
	for _, name := range s.names {
		child, _ := v.Get(name)
		dst = s.children[name].key(dst, child)
	}
	return dst
}

func (s *shape) listKey(dst []byte, v lab.Value) []byte {
	list := v.List()
	if s.whole && (s.longest < 0 || list.Len() <= s.longest) {
		return binary.LittleEndian.AppendUint64(append(dst, 'w'), v.Digest())
	}
	dst = append(dst, 'l')
	seen := 0 // elements whose presence counts
	for _, name := range s.names {
		i, err := strconv.Atoi(name)
		if err != nil || i < 0 {
			continue
		}
		seen = max(seen, i+1)
		element, ok := list.At(i)
		if ok {
			dst = s.children[name].key(append(dst, '+'), element)
		} else {
			dst = append(dst, '-')
		}
	}
	if s.last {
		newest, _ := list.At(list.Len() - 1)
		id, _ := newest.Get("workflowId")
		dst = binary.LittleEndian.AppendUint64(dst, id.Digest())
	}
	return binary.AppendUvarint(dst, uint64(min(list.Len(), seen)))
}

// pathTree finds what stands at a path, above and below.
type pathTree struct {
	children map[string]*pathTree
	values   []int
}

func (t *pathTree) put(path []string, value int) {
	for _, name := range path {
		next := t.children[name]
		if next == nil {
			if t.children == nil {
				t.children = map[string]*pathTree{}
			}
			next = &pathTree{}
			t.children[name] = next
		}
		t = next
	}
	t.values = append(t.values, value)
}

// covering lists the values at a path and above it; at is where the path ends, nil when nothing is there or below.
func (t *pathTree) covering(path []string) (values []int, at *pathTree) {
	values = t.values
	for _, name := range path {
		if t = t.children[name]; t == nil {
			return values, nil
		}
		values = append(values[:len(values):len(values)], t.values...)
	}
	return values, t
}

// overlapping lists the values at a path, above it and below it, in order.
func (t *pathTree) overlapping(path []string) []int {
	values, at := t.covering(path)
	if at != nil {
		for _, child := range at.children {
			values = child.all(values)
		}
		slices.Sort(values)
	}
	return values
}

func (t *pathTree) all(values []int) []int {
	values = append(values[:len(values):len(values)], t.values...)
	for _, child := range t.children {
		values = child.all(values)
	}
	return values
}

// pathSet collects the paths of the tree that matter, and finds the parts that can be looked at one by one.
type pathSet struct {
	reads  map[string]*pathUse
	writes map[string]*pathUse
	values pathTree // the reads of which the value counts
}

// pathUse is how the lab uses one path.
type pathUse struct {
	path     []string
	longest  int  // of the lists that conditions compare the path with
	printed  bool // a template that matters prints it
	kindOnly bool // nothing reads it, but writing it can fail by what is there
	set      bool // something sets it
	appends  bool
	kinds    uint8 // bits of the kinds that are set or seeded here
}

func newPathSet() *pathSet {
	return &pathSet{reads: map[string]*pathUse{}, writes: map[string]*pathUse{}}
}

func use(of map[string]*pathUse, path string) *pathUse {
	u := of[path]
	if u == nil {
		u = &pathUse{path: strings.Split(path, ".")}
		of[path] = u
	}
	return u
}

// covers reports whether a is b or stands above it.
func covers(a, b []string) bool {
	return len(a) <= len(b) && slices.Equal(a, b[:len(a)])
}

// sortedUses lists uses by path.
func sortedUses(of map[string]*pathUse) []*pathUse {
	out := make([]*pathUse, 0, len(of))
	for _, u := range of {
		out = append(out, u)
	}
	slices.SortFunc(out, func(a, b *pathUse) int { return slices.Compare(a.path, b.path) })
	return out
}

// risky adds the written paths whose writing can fail, by what else is written or seeded: below a text, beyond a list's
// end, or appending to what is no list.
func (p *pathSet) risky(seed lab.Value) {
	writes, below := sortedUses(p.writes), pathTree{}
	for i, w := range writes {
		below.put(w.path, i)
	}
	for _, w := range writes {
		bad := false
		for i := 1; i < len(w.path); i++ {
			above := seed.Lookup(w.path[:i])
			bad = bad || above.Kind() == lab.KindList // numbered elements come and go
			if u := p.writes[strings.Join(w.path[:i], ".")]; u != nil {
				bad = bad || u.appends || u.kinds&^(1<<lab.KindMap|1<<lab.KindNull) != 0
			}
		}
		if w.appends {
			old := seed.Lookup(w.path).Kind()
			bad = bad || w.kinds&^(1<<lab.KindList|1<<lab.KindNull) != 0 || old != lab.KindNull && old != lab.KindList
			_, at := below.covering(w.path)
			bad = bad || len(at.children) > 0
		}
		if bad {
			if name := strings.Join(w.path, "."); p.reads[name] == nil {
				use(p.reads, name).kindOnly = true
			}
		}
	}
}

// facts makes the facts of the tree: each path that is read belongs to exactly one, and a write that overlaps it
// changes that one.
func (p *pathSet) facts() []*fact {
	roots := map[string][]string{}
	add := func(path []string) { roots[strings.Join(path, ".")] = path }
	reads := sortedUses(p.reads)
	for _, r := range reads {
		root := r.path
		for i := 1; i < len(r.path); i++ {
			name := strings.Join(r.path[:i], ".")
			if p.writes[name] != nil || p.reads[name] != nil {
				root = r.path[:i]
				break
			}
		}
		add(root)
	}
	// A root below another one joins it.
	var sorted [][]string
	for _, path := range roots {
		sorted = append(sorted, path)
	}
	slices.SortFunc(sorted, slices.Compare[[]string])
	var out []*fact
	for _, path := range sorted {
		if n := len(out); n > 0 && covers(out[n-1].root, path) {
			continue
		}
		f := &fact{name: strings.Join(path, "."), root: path, keys: map[string]uint8{}, shape: newShape()}
		f.history = path[0] == "history"
		if f.history {
			f.root, f.name = path[:1], "history"
		}
		out = append(out, f)
	}
	next := 0 // both are in the order of paths
	for _, r := range reads {
		for !covers(out[next].root, r.path) {
			next++
		}
		f := out[next]
		at := f.shape.at(r.path[len(f.root):])
		if r.kindOnly {
			continue
		}
		at.whole = true
		if r.printed || at.longest < 0 {
			at.longest = -1
		} else {
			at.longest = max(at.longest, r.longest)
		}
	}
	return out
}
