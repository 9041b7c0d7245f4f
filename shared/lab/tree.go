package lab

// Digester is a value that keeps its own 64-bit digest.
type Digester interface{ Digest() uint64 }

// Tree is an immutable ordered map from text to V: every change returns a new
// tree that shares all but the changed path, so that keeping an old one is
// keeping a pointer. Keys are in byte order. The zero Tree is empty.
//
// It is a treap whose priorities are the hashes of the keys: the same keys give
// the same shape whatever the order of the changes, without any randomness.
type Tree[V Digester] struct{ root *branch }

// branch is the same for every V: code for each would cost a page kilobytes.
type branch struct {
	key         string
	value       Digester
	hash        uint64 // of key; the treap's priority
	sum         uint64 // digest of the whole subtree
	size        int
	left, right *branch
}

// Len is the number of keys.
func (t Tree[V]) Len() int { return t.root.count() }

// Digest is equal for trees with equal keys and values, independent of the
// changes that led there.
func (t Tree[V]) Digest() uint64 { return t.root.total() }

// Get returns the value at key.
func (t Tree[V]) Get(key string) (V, bool) {
	for b := t.root; b != nil; {
		switch {
		case key == b.key:
			return b.value.(V), true
		case key < b.key:
			b = b.left
		default:
			b = b.right
		}
	}
	var none V
	return none, false
}

// Set returns a tree with value at key.
func (t Tree[V]) Set(key string, value V) Tree[V] {
	return Tree[V]{t.root.set(key, HashText(key), value)}
}

// Delete returns a tree without key.
func (t Tree[V]) Delete(key string) Tree[V] {
	if _, ok := t.Get(key); !ok {
		return t
	}
	return Tree[V]{t.root.remove(key)}
}

// All calls yield for each key in byte order until it returns false.
func (t Tree[V]) All(yield func(string, V) bool) {
	t.root.walk(func(key string, value Digester) bool { return yield(key, value.(V)) })
}

func (b *branch) count() int {
	if b == nil {
		return 0
	}
	return b.size
}

func (b *branch) total() uint64 {
	if b == nil {
		return 0
	}
	return b.sum
}

// with returns b with other children, its totals made anew.
func (b *branch) with(left, right *branch) *branch {
	return &branch{
		key: b.key, value: b.value, hash: b.hash, left: left, right: right,
		size: 1 + left.count() + right.count(),
		sum:  mix(b.hash, b.value.Digest()) + left.total() + right.total(),
	}
}

// above reports whether b's priority is over o's.
func (b *branch) above(o *branch) bool {
	return b.hash > o.hash || b.hash == o.hash && b.key < o.key
}

func (b *branch) set(key string, hash uint64, value Digester) *branch {
	if b == nil {
		b = &branch{key: key, value: value, hash: hash}
		return b.with(nil, nil)
	}
	switch {
	case key == b.key:
		c := &branch{key: key, value: value, hash: hash}
		return c.with(b.left, b.right)
	case key < b.key:
		l := b.left.set(key, hash, value)
		if l.above(b) {
			return l.with(l.left, b.with(l.right, b.right))
		}
		return b.with(l, b.right)
	default:
		r := b.right.set(key, hash, value)
		if r.above(b) {
			return r.with(b.with(b.left, r.left), r.right)
		}
		return b.with(b.left, r)
	}
}

func (b *branch) remove(key string) *branch {
	switch {
	case key < b.key:
		return b.with(b.left.remove(key), b.right)
	case key > b.key:
		return b.with(b.left, b.right.remove(key))
	}
	return join(b.left, b.right)
}

// join makes one treap of two whose keys do not overlap.
func join(l, r *branch) *branch {
	switch {
	case l == nil:
		return r
	case r == nil:
		return l
	case l.above(r):
		return l.with(l.left, join(l.right, r))
	}
	return r.with(join(l, r.left), r.right)
}

func (b *branch) walk(yield func(string, Digester) bool) bool {
	return b == nil || b.left.walk(yield) && yield(b.key, b.value) && b.right.walk(yield)
}

// HashText is a 64-bit hash of s, the same on every platform and run.
func HashText(s string) uint64 {
	h := uint64(14695981039346656037)
	for i := 0; i < len(s); i++ {
		h = (h ^ uint64(s[i])) * 1099511628211
	}
	return scramble(h)
}

// mix joins two hashes so that swapping them gives another result.
func mix(a, b uint64) uint64 { return scramble(a*0x9E3779B97F4A7C15 ^ scramble(b+0x632BE59BD9B4E019)) }

// scramble is the finaliser of splitmix64 (Steele, Lea, Flood 2014).
func scramble(x uint64) uint64 {
	x = (x ^ x>>30) * 0xBF58476D1CE4E5B9
	x = (x ^ x>>27) * 0x94D049BB133111EB
	return x ^ x>>31
}
