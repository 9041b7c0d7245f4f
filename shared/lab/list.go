package lab

// List is an immutable list: Append and Set return a new one and share the rest.
// The zero List is empty.
//
// It is Okasaki's skew-binary random-access list, newest element first inside:
// Append allocates two small records, At and Set follow at most log2(n) pointers.
type List struct {
	top    *digit
	size   int
	digest uint64
}

// digit is one complete binary tree of the list; sizes grow from top to bottom.
type digit struct {
	tree *leaf
	size int
	next *digit
}

type leaf struct {
	value       Value
	left, right *leaf
}

// Len is the number of elements.
func (l List) Len() int { return l.size }

// Digest is equal for equal lists.
func (l List) Digest() uint64 { return l.digest }

// Append returns the list with v as its last element.
func (l List) Append(v Value) List {
	d := &digit{tree: &leaf{value: v}, size: 1, next: l.top}
	if a := l.top; a != nil && a.next != nil && a.size == a.next.size {
		d = &digit{tree: &leaf{v, a.tree, a.next.tree}, size: 2*a.size + 1, next: a.next.next}
	}
	return List{d, l.size + 1, l.digest + mix(uint64(l.size), v.Digest())}
}

// At returns element i; ok is false outside of the list.
func (l List) At(i int) (v Value, ok bool) {
	if i < 0 || i >= l.size {
		return Value{}, false
	}
	k := l.size - 1 - i // from the newest
	d := l.top
	for k >= d.size {
		k -= d.size
		d = d.next
	}
	t, size := d.tree, d.size
	for k > 0 {
		size /= 2
		if k--; k < size {
			t = t.left
		} else {
			k -= size
			t = t.right
		}
	}
	return t.value, true
}

// Set returns the list with element i, which must exist, replaced.
func (l List) Set(i int, v Value) List {
	old, _ := l.At(i)
	return List{
		top:    l.top.set(l.size-1-i, v),
		size:   l.size,
		digest: l.digest - mix(uint64(i), old.Digest()) + mix(uint64(i), v.Digest()),
	}
}

func (d *digit) set(k int, v Value) *digit {
	if k >= d.size {
		return &digit{d.tree, d.size, d.next.set(k-d.size, v)}
	}
	return &digit{d.tree.set(k, d.size, v), d.size, d.next}
}

func (t *leaf) set(k, size int, v Value) *leaf {
	if k == 0 {
		return &leaf{v, t.left, t.right}
	}
	size /= 2
	if k--; k < size {
		return &leaf{t.value, t.left.set(k, size, v), t.right}
	}
	return &leaf{t.value, t.left, t.right.set(k-size, size, v)}
}

// Values returns the elements, first to last, as a slice of their own.
func (l List) Values() []Value {
	out := make([]Value, l.size)
	i := l.size
	for d := l.top; d != nil; d = d.next {
		i = d.tree.fill(out, i)
	}
	return out
}

// fill writes t's elements before out[i], newest first, and returns where they begin.
func (t *leaf) fill(out []Value, i int) int {
	if t == nil {
		return i
	}
	out[i-1] = t.value
	return t.right.fill(out, t.left.fill(out, i-1))
}
