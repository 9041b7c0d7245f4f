package crash

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"iter"
	"slices"
	"strings"
)

// Image is what a crash leaves.
type Image struct {
	Disk  *Disk
	Point int    // operations done before the crash
	Power bool   // power was lost: what was not synced may be gone; otherwise only the process was killed
	Kept  string // of a loss of power, what of the unsynced is left
	Key   Key    // of a loss of power: equal keys are equal disks
}

// Key tells the contents of disks apart.
type Key [sha256.Size]byte

func (i Image) String() string {
	if !i.Power {
		return fmt.Sprintf("killed after operation %d", i.Point)
	}
	return fmt.Sprintf("power lost after operation %d, %s", i.Point, i.Kept)
}

// mostSubsets is how many pending names are combined in every way; of more, few are kept or few are lost.
const mostSubsets = 6

// Images are the disks that a crash at any moment since the disk was made, or since the crash that left it, can leave; equal ones
// once. They can be run on and crashed again.
func (d *Disk) Images() iter.Seq[Image] {
	return func(yield func(Image) bool) {
		seen := map[Key]bool{}
		for point := d.begun; point <= len(d.ops); point++ {
			if point > d.begun && d.ops[point-1].kind >= syncFile {
				continue // as before the sync, and less can be lost later
			}
			if !yield(Image{Disk: d.killed(point), Point: point}) {
				return
			}
		}
		for point := d.begun; point <= len(d.ops); point++ {
			if !d.powerless(point, seen, yield) {
				return
			}
		}
	}
}

// killed is the disk as a process killed after some operations leaves it.
func (d *Disk) killed(point int) *Disk {
	now := d.base.clone()
	for i := range d.ops[:point] {
		now.apply(&d.ops[i])
	}
	return &Disk{base: d.base, ops: d.ops[:point:point], begun: point, now: now, locks: map[int]bool{}}
}

// Settle makes all there is durable, and forgets how it came about.
func (d *Disk) Settle() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.base, d.ops, d.begun = d.now.clone(), nil, 0
}

// Restart is the disk as it is, with the process gone: no lock is held.
func (d *Disk) Restart() *Disk {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.killed(len(d.ops))
}

// Operations is how many operations were done since the disk was made or settled.
func (d *Disk) Operations() int { return len(d.ops) }

// powerless yields what a loss of power after some operations can leave.
func (d *Disk) powerless(point int, seen map[Key]bool, yield func(Image) bool) bool {
	ops := d.ops[:point]
	dirSynced, fileSynced := map[int]int{}, map[int]int{} // number after the last sync
	for i := range ops {
		switch o := &ops[i]; {
		case o.kind == syncDir:
			dirSynced[o.dir] = i + 1
		case o.kind == syncFile || o.durable && !o.kind.naming():
			fileSynced[o.ino] = i + 1
		}
	}
	var names []int // pending
	unsynced := map[int]int{}
	for i := range ops {
		o := &ops[i]
		switch {
		case o.kind.naming() && !o.durable && dirSynced[o.dir] <= i:
			names = append(names, i)
		case (o.kind == write || o.kind == cut) && fileSynced[o.ino] <= i:
			unsynced[o.ino] += len(o.data)
		}
	}
	halves := 1
	if len(unsynced) > 0 {
		halves = 3
	}
	// What is durable by then up to the first operation that is not is the same on all of these disks.
	first := len(ops)
	for i := range ops {
		o := &ops[i]
		if o.kind.naming() && !o.durable && dirSynced[o.dir] <= i || (o.kind == write || o.kind == cut) && fileSynced[o.ino] <= i {
			first = i
			break
		}
	}
	common := d.base.clone()
	for i := range ops[:first] {
		common.apply(&ops[i])
	}
	for _, kept := range subsets(names) {
		for half := range halves {
			t := common.clone()
			left := map[int]int{}
			for ino, n := range unsynced {
				left[ino] = n * half / 2
			}
			for i := first; i < len(ops); i++ {
				o := &ops[i]
				switch {
				case o.kind.naming():
					if o.kind == mkdir || o.kind == create {
						t.born(o)
					}
					if o.durable || dirSynced[o.dir] > i || slices.Contains(kept, i) {
						t.apply(o)
					}
				case o.kind == write && fileSynced[o.ino] <= i:
					part := *o
					part.data = o.data[:min(len(o.data), left[o.ino])]
					left[o.ino] -= len(part.data)
					t.apply(&part)
				case o.kind == cut && fileSynced[o.ino] <= i && half == 0:
				default:
					t.apply(o)
				}
			}
			t.last, t.clock = d.now.last, d.now.clock
			key := t.key()
			if seen[key] {
				continue
			}
			seen[key] = true
			image := &Disk{base: t, now: t.clone(), locks: map[int]bool{}}
			if !yield(Image{Disk: image, Point: point, Power: true, Kept: describe(ops, names, kept, half, halves), Key: key}) {
				return false
			}
		}
	}
	return true
}

// subsets are the selections of pending names that are tried.
func subsets(names []int) [][]int {
	var out [][]int
	if len(names) <= mostSubsets {
		for bits := range 1 << len(names) {
			var kept []int
			for i, name := range names {
				if bits&(1<<i) != 0 {
					kept = append(kept, name)
				}
			}
			out = append(out, kept)
		}
		return out
	}
	out = append(out, nil, names)
	for i := range names {
		out = append(out, []int{names[i]}, slices.Delete(slices.Clone(names), i, i+1))
		for j := range i {
			out = append(out, []int{names[j], names[i]})
		}
	}
	return out
}

func describe(ops []op, names, kept []int, half, halves int) string {
	var b strings.Builder
	b.WriteString("kept")
	for _, i := range kept {
		b.WriteString(" " + ops[i].name)
	}
	b.WriteString("; lost")
	for _, i := range names {
		if !slices.Contains(kept, i) {
			b.WriteString(" " + ops[i].name)
		}
	}
	if halves > 1 {
		b.WriteString([]string{"; no unsynced bytes", "; half of the unsynced bytes", "; all unsynced bytes"}[half])
	}
	return b.String()
}

func (t *tree) key() Key {
	h := sha256.New()
	var line []byte
	t.walk(1, "", func(name string, n *node) {
		kind := byte(0)
		if n.dir() {
			kind |= 1
		}
		if n.sealed {
			kind |= 2
		}
		line = append(append(line[:0], name...), 0, kind)
		line = append(binary.LittleEndian.AppendUint64(line, uint64(len(n.data))), n.data...)
		h.Write(line)
	})
	return Key(h.Sum(nil))
}
