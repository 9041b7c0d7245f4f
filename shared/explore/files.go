package explore

import (
	"cmp"
	"slices"
	"strings"

	"asz/shared/lab"
	"asz/shared/sim"
)

// filePart is a file or folder on which file operations can fail or succeed by what was done before.
type filePart struct {
	root  []string
	risky bool
	fact  int // of a risky part
	paths []filePath
}

// filePath is one use of a path by an operation.
type filePath struct {
	parts []string
	verb  lab.FileVerb
}

// collectFiles finds the parts of the files whose state matters: those in which an operation can fail.
func (m *Model) collectFiles() {
	var all []filePath
	var copies [][2][]string
	add := func(path string, verb lab.FileVerb) {
		if parts, ok := lab.CleanFile(path); ok {
			all = append(all, filePath{parts, verb})
		}
	}
	for _, f := range m.lab.Files {
		add(f.Path, lab.FileCreate)
	}
	for _, s := range m.saves {
		add(s.Path, lab.FileCreate)
	}
	for i := range m.lab.Simulator.Scenarios {
		m.everyEffects(&m.lab.Simulator.Scenarios[i], func(e *lab.Effects) {
			for _, op := range e.Files {
				add(op.Path, op.Verb)
				if op.Verb == lab.FileReplace && op.Find != "" && !slices.Contains(m.finds, op.Find) {
					m.finds = append(m.finds, op.Find)
				}
				if op.Verb == lab.FileCopy {
					add(op.Text, lab.FileCopy)
					from, fine := lab.CleanFile(op.Path)
					to, ok := lab.CleanFile(op.Text)
					if ok && fine {
						copies = append(copies, [2][]string{from, to})
					}
				}
			}
		})
	}
	slices.SortStableFunc(all, func(a, b filePath) int {
		return cmp.Or(slices.Compare(a.parts, b.parts), cmp.Compare(a.verb, b.verb))
	})
	for i, p := range all {
		if i > 0 && p.verb == all[i-1].verb && slices.Equal(p.parts, all[i-1].parts) {
			continue
		}
		if n := len(m.parts); n == 0 || !covers(m.parts[n-1].root, p.parts) {
			m.parts = append(m.parts, filePart{root: p.parts})
		}
		part := &m.parts[len(m.parts)-1]
		part.paths = append(part.paths, p)
	}
	for i := range m.parts {
		m.parts[i].risky = m.parts[i].canFail()
	}
	for _, c := range copies {
		for _, parts := range c {
			m.partOf(parts).risky = true
		}
	}
}

// canFail reports whether the outcome of an operation depends on what was done before.
func (p *filePart) canFail() bool {
	for _, a := range p.paths {
		if a.verb == lab.FileReplace || a.verb == lab.FileCopy {
			return true
		}
		for _, b := range p.paths {
			// A file in the place of a folder, or the other way round.
			below := len(a.parts) < len(b.parts) && covers(a.parts, b.parts)
			same := slices.Equal(a.parts, b.parts)
			isFile := a.verb != lab.FileMkdir && a.verb != lab.FileDelete
			if isFile && (below || same && b.verb == lab.FileMkdir) {
				return true
			}
		}
	}
	return false
}

// partOf is the part that holds a path, nil when there is none.
func (m *Model) partOf(parts []string) *filePart {
	i, exact := slices.BinarySearchFunc(m.parts, parts, func(p filePart, to []string) int { return slices.Compare(p.root, to) })
	if !exact {
		i-- // the part before, if it is above
	}
	if i < 0 || !covers(m.parts[i].root, parts) {
		return nil
	}
	return &m.parts[i]
}

// textMatters reports whether the text of the file at a path decides anything.
func (m *Model) textMatters(path string) bool {
	parts, ok := lab.CleanFile(path)
	if !ok {
		return false
	}
	p := m.partOf(parts)
	return p != nil && p.risky && len(m.finds) > 0
}

// maxKey bounds what is told of one entry: a folder that is copied into itself grows without an end.
const maxKey = 1 << 16

// fileKey appends what can be told of an entry: what is there, and which of the texts to find each file holds.
func (m *Model) fileKey(dst []byte, e sim.Entry) []byte {
	switch {
	case !e.Exists():
		return append(dst, '0')
	case e.Dir():
		dst = append(dst, 'd')
		e.All(func(name string, below sim.Entry) bool {
			dst = append(append(dst, name...), 0)
			dst = m.fileKey(dst, below)
			return len(dst) <= maxKey
		})
		return append(dst, '/')
	}
	dst = append(dst, 'f')
	for _, find := range m.finds {
		if strings.Contains(e.Text(), find) {
			dst = append(dst, '1')
		} else {
			dst = append(dst, '0')
		}
	}
	return dst
}
