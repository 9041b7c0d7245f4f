// Package labfile reads labspace.yaml and simulator.yaml into a lab, with
// findings at the exact place of each mistake.
package labfile

import (
	"errors"
	"io/fs"
	"path"
	"slices"
	"strings"
	"syscall"
	"unicode"

	"asz/shared/diag"
	"asz/shared/lab"
	"asz/shared/yamldoc"
)

// Loaded is what became of one folder.
type Loaded struct {
	Lab      *lab.Lab // nil when a finding stops it, or the entry is skipped
	Labspace *lab.Lab // what could be read, also when a finding stops the lab (see Sure and Clear); nil when nothing could
	Skipped  bool     // the entry is of a kind that is not played
	Findings diag.List

	reader *yamldoc.Reader
	faults *faults
}

// Node is the value of the file behind a value of the lab, or nil.
func (l *Loaded) Node(field any) *yamldoc.Node { return l.reader.NodeOf(field) }

// Load reads the lab in the folder dir of the folder of labs that is the root
// of files. Faults of the lab are findings, missing files included.
func Load(files fs.FS, dir string) *Loaded {
	r := &reader{files: files, Reader: yamldoc.NewReader()}
	out := &Loaded{reader: r.Reader}
	defer func() {
		out.Findings = r.Findings
		out.Findings.Sort()
		if out.faults = newFaults(out.Findings, r.roots...); out.faults != nil {
			out.Lab = nil
		}
		if r.full() {
			out.Labspace = nil // what lies where is not known
		}
	}()
	file := path.Join(dir, "labspace.yaml")
	doc := r.open(file, diag.Span{Source: diag.NewSource(file, "")}, yamldoc.Options{})
	if doc == nil || doc.Root == nil {
		return out
	}
	l := &lab.Lab{ID: path.Base(dir)}
	if r.isOldShape(doc.Root) {
		return out
	}
	if kind := doc.Root.Get("kind"); kind != nil && kind.Kind == yamldoc.KindText && kind.Text == "slides" {
		r.Report("kind-skipped", kind.Span, "slides are not played: this entry is skipped")
		out.Skipped = true
		return out
	}
	var simulator string
	space := labspace{Lab: l, simulator: &simulator}
	labspaceType().Read(r.Reader, doc.Root, &space)
	r.Place(l, doc.Root)
	r.roots = append(r.roots, doc.Root)
	r.faults = newFaults(r.Findings, r.roots...)
	r.complete(l)
	r.checkContent(dir, l)
	out.Lab, out.Labspace = l, l
	if simulator == "" {
		if n := doc.Root.Get("simulator"); n != nil && n.Kind == yamldoc.KindText {
			r.Report("path-outside", n.Span, "the path of the simulator file is empty")
		}
		return out
	}
	named := r.NodeOf(&simulator)
	if !r.faults.sure(named, 0) {
		return out
	}
	at := named.Span
	target := path.Join(dir, simulator)
	if path.IsAbs(simulator) || target == ".." || strings.HasPrefix(target, "../") {
		r.Report("path-outside", at, "the simulator file lies outside of the folder of labs")
		return out
	}
	doc = r.open(target, at, yamldoc.Options{AppendKeys: true})
	if doc != nil && doc.Root != nil {
		simulatorType().Read(r.Reader, doc.Root, &l.Simulator)
		r.roots = append(r.roots, doc.Root)
		r.faults = newFaults(r.Findings, r.roots...)
		r.completeSimulator(&l.Simulator)
	}
	return out
}

// reader reads the files of one lab.
type reader struct {
	*yamldoc.Reader
	files  fs.FS
	roots  []*yamldoc.Node // of the files
	faults *faults         // in what was read so far
}

// full reports whether there were more findings than are kept.
func (r *reader) full() bool {
	return slices.ContainsFunc(r.Findings, func(d diag.Diagnostic) bool { return d.Code == "too-many-findings" })
}

// open parses a file; at is the place that names it.
func (r *reader) open(name string, at diag.Span, o yamldoc.Options) *yamldoc.Document {
	info, err := fs.Stat(r.files, name)
	switch {
	case err == nil && info.IsDir():
		r.Report("file-unreadable", at, "`"+name+"` is a folder, not a file")
		return nil
	case err == nil && !info.Mode().IsRegular():
		r.Report("file-unreadable", at, "`"+name+"` is no regular file")
		return nil
	case err == nil && info.Size() > maxFile:
		r.Report("yaml-too-large", at, "`"+name+"` is larger than 8 MB")
		return nil
	}
	var text []byte
	if err == nil {
		text, err = fs.ReadFile(r.files, name)
	}
	if errors.Is(err, fs.ErrNotExist) {
		r.Report("file-missing", at, r.missing(name))
		return nil
	}
	if err != nil {
		r.Report("file-unreadable", at, "`"+name+"` cannot be read: "+Reason(err))
		return nil
	}
	doc, findings := yamldoc.Parse(diag.NewSource(name, string(text)), o)
	r.Findings = append(r.Findings, findings...)
	return doc
}

// checkContent finds sections whose text is not there. A lab plays without it.
func (r *reader) checkContent(dir string, l *lab.Lab) {
	for i := range l.Sections {
		s := &l.Sections[i]
		at := r.NodeOf(&s.Content)
		if at == nil || at.Broken {
			continue
		}
		file := path.Join(dir, s.Content)
		if !fs.ValidPath(file) {
			r.Report("content-missing", at.Span, "the section's text `"+s.Content+"` lies outside of the folder of labs")
			s.Content = ""
		} else if info, err := fs.Stat(r.files, file); err != nil || !info.Mode().IsRegular() {
			message := "there is no file `" + s.Content + "` in the lab"
			switch {
			case err == nil && info.IsDir():
				message = "the section's text `" + s.Content + "` is a folder"
			case err == nil:
				message = "the section's text `" + s.Content + "` is no regular file"
			case !errors.Is(err, fs.ErrNotExist):
				message = "the section's text `" + s.Content + "` cannot be read: " + Reason(err)
			}
			r.Report("content-missing", at.Span, message)
			s.Content = ""
		} else if info.Size() > maxFile {
			r.Report("content-missing", at.Span, "the section's text `"+s.Content+"` is larger than 8 MB and is not read").
				Fix.Text = "split the section"
			s.Content = ""
		}
	}
}

const maxFile = 8 << 20

// Reason is what a file error says, without the path, which stands before, and in the same words on every platform.
func Reason(err error) string {
	var e *fs.PathError
	if errors.As(err, &e) {
		err = e.Err
	}
	switch {
	case errors.Is(err, fs.ErrPermission):
		return "permission denied"
	case errors.Is(err, syscall.ELOOP), err.Error() == "too many symlinks": // nor has that of its circles under Node
		return "its links lead in a circle"
	case err.Error() == "path escapes from parent": // os.Root's error has no name
		return "a link in its path leads out of the folder of labs"
	}
	if errno := syscall.Errno(0); errors.As(err, &errno) {
		return strings.ToLower(errno.Error()) // Node's begin with a capital
	}
	return err.Error()
}

// missing says why there is no file of a name.
func (r *reader) missing(name string) string {
	for at := name; at != "."; at = path.Dir(at) {
		if info, err := fs.Lstat(r.files, at); err == nil && info.Mode()&fs.ModeSymlink != 0 {
			return "there is no file `" + name + "`: `" + at + "` is a link that leads nowhere"
		}
	}
	return "there is no file `" + name + "`"
}

// isOldShape recognises the labspace.yaml of another tool, which would otherwise
// get a finding for nearly each of its lines.
func (r *reader) isOldShape(root *yamldoc.Node) bool {
	if root.Kind != yamldoc.KindMap || root.Get("simulator") != nil {
		return false
	}
	for _, p := range root.Pairs {
		if p.Key == "metadata" {
			r.Report("labspace-old", p.KeyNode.Span, "this labspace.yaml has an older shape (`metadata:` and no `simulator:`): it names no simulator file, so nothing can be played")
			return true
		}
	}
	return false
}

// Slug makes an id of a title: lower case, only a–z, 0–9, white space and `-`
// are kept, then each run of white space becomes one `-`.
func Slug(title string) string {
	var b strings.Builder
	blank := false
	for _, c := range strings.ToLower(title) {
		if unicode.IsSpace(c) {
			blank = true
			continue
		}
		if c >= 'a' && c <= 'z' || c >= '0' && c <= '9' || c == '-' {
			if blank {
				b.WriteByte('-')
			}
			blank = false
			b.WriteRune(c)
		}
	}
	if blank {
		b.WriteByte('-')
	}
	return b.String()
}
