package conform

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"
	"syscall"

	"asz/native/claudecode"
	"asz/native/store"
)

// links finds links below the directory of a build. What would be written through one would land in a place that the build was
// not given, and one that stands for a file would be replaced.
type links struct {
	disk store.ReadFS
	in   map[string][]string // by directory
	top  int                 // directories with no more slashes are kept
}

// maxListed is of how many directories the links are remembered.
const maxListed = 1 << 12

// none refuses a path, relative to a directory, that goes by a link below it.
func (l *links) none(dir, rel string) error {
	for name := range strings.SplitSeq(rel, "/") {
		found, err := l.list(dir)
		if errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR) {
			return nil // who writes there tells what is wrong with it
		}
		if err != nil {
			return fmt.Errorf("%s cannot be looked into: %w", dir, reason(err))
		}
		dir = path.Join(dir, name)
		if slices.Contains(found, name) {
			return fmt.Errorf("%s is a link, and a build writes nowhere but in its own directory: remove it, or name another directory", dir)
		}
	}
	return nil
}

func (l *links) list(dir string) ([]string, error) {
	if found, known := l.in[dir]; known {
		return found, nil
	}
	entries, err := l.disk.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	var found []string
	for _, e := range entries {
		if e.Link {
			found = append(found, e.Name)
		}
	}
	if len(l.in) >= maxListed {
		// Those near the top may be long, and every session asks for them.
		maps.DeleteFunc(l.in, func(known string, _ []string) bool { return strings.Count(known, "/") > l.top })
	}
	l.in[dir] = found
	return found, nil
}

// noLinks refuses a session that would be written through a link.
func (b *builder) noLinks(p *Plan) error {
	var rels []string
	for i := range p.Files {
		f := &p.Files[i]
		switch {
		case b.Format == ClaudeCode:
			rels = append(rels, Source+"/"+f.Rel)
		case f.Source.Stream != "":
			rels = append(rels, p.Session+"/streams/"+f.Source.Stream)
		default:
			rels = append(rels, p.Session+"/runs/"+f.Batch)
		}
	}
	if b.Format == SessionData {
		for _, name := range []string{".lock", "session.state", "index/entries.bin", "index/index.state"} {
			rels = append(rels, p.Session+"/"+name)
		}
	} else if p.Session == sessionID(b.scenario) {
		for _, n := range claudecode.NoiseBeside(p.Project, p.Session) {
			rels = append(rels, Source+"/"+n.Rel)
		}
	}
	for _, rel := range rels {
		if err := b.links.none(b.Out, rel); err != nil {
			return err
		}
	}
	return nil
}
