package validate

import (
	"io/fs"
	"net/url"
	"path"
	"slices"
	"strings"

	"asz/shared/content"
	"asz/shared/diag"
	"asz/shared/explore"
	"asz/shared/lab"
	"asz/shared/sim"
)

// markdown checks what stands in the sections, but for the lines to run.
func (c *Check) markdown() {
	terminals := c.terminals()
	var words map[string]bool
	var files map[string]bool
	engine := c.engine
	if engine != nil {
		words = c.firstWords()
	} else {
		engine = c.catShown()
	}
	if c.filesKnown() {
		files = c.everFiles()
	}
	for i := range c.sections {
		s := &c.sections[i]
		for j := range s.content.Fences {
			f := &s.content.Fences[j]
			c.fenceMeta(s, f, terminals)
			if c.engine != nil {
				c.language(s, f, words)
			}
		}
		for j := range s.content.Links {
			l := &s.content.Links[j]
			if l.Kind == "tab" {
				c.tabLink(s, l)
				continue
			}
			if c.known.terminals && l.Terminal != "" && !slices.Contains(terminals, l.Terminal) {
				at := s.part(l.Start, l.End, l.Terminal)
				c.misnamed(group{"terminal-unknown", "", l.Terminal}, at, at, terminals, "there is no terminal `"+l.Terminal+"`")
			}
			if files != nil {
				c.fileLink(engine, s, l, files)
			}
		}
	}
	c.variables()
}

// part is the place of the last text in a stretch of the section, or of the stretch.
func (s *section) part(start, end int, text string) diag.Span {
	at := s.span(start, end)
	if i := strings.LastIndex(at.Text(), text); i >= 0 && text != "" {
		return at.Sub(i, i+len(text))
	}
	return at
}

// fenceMeta checks the words after a fence's language.
func (c *Check) fenceMeta(s *section, f *content.Fence, terminals []string) {
	for _, m := range f.Meta {
		switch {
		case m.Key == "terminal-id" && m.Value != "" && !slices.Contains(terminals, m.Value):
			if !c.known.terminals {
				continue
			}
			at := s.part(m.Start, m.End, m.Value)
			c.misnamed(group{"terminal-unknown", "", m.Value}, at, at, terminals, "there is no terminal `"+m.Value+"`")
		case m.Key == "save-as" && m.Value != "":
			inside, file := savePath(m.Value)
			if file {
				continue
			}
			message := "`" + m.Value + "` leaves the lab's files"
			switch parts, _ := lab.CleanFile(m.Value); {
			case len(parts) > lab.MaxDepth:
				message = "this path leads through too many folders"
			case inside:
				message = "`" + m.Value + "` is no path of a file"
			}
			c.report("save-outside", s.part(m.Start, m.End, m.Value), message)
		}
	}
}

// savePath reports whether a path is inside of the lab's files, and whether it can be that of a file.
func savePath(path string) (inside, file bool) {
	parts, inside := lab.CleanFile(path)
	return inside, inside && len(parts) > 0 && len(parts) <= lab.MaxDepth && !strings.HasSuffix(path, "/")
}

// saves reports whether a block has a Save button that can do something.
func saves(f *content.Fence) bool {
	_, file := savePath(f.Save)
	return f.Save != "" && file
}

// firstWords are those of the scenarios' paths.
func (c *Check) firstWords() map[string]bool {
	words := map[string]bool{}
	for i := range c.lab.Simulator.Scenarios {
		if command := c.lab.Simulator.Scenarios[i].When.Command; len(command) > 0 {
			words[command[0]] = true
		}
	}
	return words
}

// language finds commands that have no Run button for their block's language.
func (c *Check) language(s *section, f *content.Fence, words map[string]bool) {
	if f.Language != "" && f.Language != "text" && f.Language != "zsh" || f.Save != "" {
		return
	}
	if slices.ContainsFunc(f.Meta, func(m content.Meta) bool { return m.Key == "no-run-button" }) {
		return
	}
	first := strings.Fields(f.Text)
	if len(first) > 0 && first[0] == "$" {
		first = first[1:]
	}
	if len(first) == 0 || !words[first[0]] {
		return
	}
	place, name := languageOf(s, f)
	message := "the block begins with the command `" + first[0] + "`, but blocks without a language have no Run button"
	if f.Language != "" {
		message = "the block begins with the command `" + first[0] + "`, but blocks of `" + f.Language + "` have no Run button"
	}
	d := c.report("fence-language", place, message)
	language := "bash"
	if strings.HasPrefix(strings.TrimSpace(f.Text), "$ ") {
		language = "console"
	}
	d.Fix = &diag.Fix{
		Text:  "name the language `" + language + "`, or add `no-run-button` if it is only to be read",
		Edits: []diag.Edit{{Span: name, New: language}},
	}
}

// languageOf is where the language of a block stands or, when it has none, what opens the block; name is where the
// language belongs.
func languageOf(s *section, f *content.Fence) (place, name diag.Span) {
	at := s.span(f.Start, f.End)
	marker := len(at.Text()) - len(strings.TrimLeft(at.Text(), "`~"))
	if f.Language == "" {
		return at.Sub(0, marker), at.Sub(marker, marker)
	}
	after := at.Text()[marker:]
	blanks := len(after) - len(strings.TrimLeft(after, " \t"))
	name = at.Sub(marker+blanks, marker+blanks+len(f.Language))
	return name, name
}

// everFiles are the files that exist at some time: seeded, made by an effect, or saved from a block. It is nil when
// there are too many to tell.
func (c *Check) everFiles() map[string]bool {
	files := map[string]bool{}
	var order []string
	add := func(name string) bool {
		parts, ok := lab.CleanFile(name)
		clean := strings.Join(parts, "/")
		if !ok || clean == "" || files[clean] {
			return false
		}
		files[clean] = true
		order = append(order, clean)
		return true
	}
	for _, f := range c.lab.Files {
		add(f.Path)
	}
	for i := range c.sections {
		for _, f := range c.sections[i].content.Fences {
			add(f.Save)
		}
	}
	var copies []*lab.FileOp
	var dirs []string
	for i := range c.lab.Simulator.Scenarios {
		for _, e := range effects(&c.lab.Simulator.Scenarios[i]) {
			for j := range e.Files {
				switch op := &e.Files[j]; op.Verb {
				case lab.FileCreate, lab.FileAppend:
					add(op.Path)
				case lab.FileMkdir:
					parts, _ := lab.CleanFile(op.Path)
					dirs = append(dirs, strings.Join(parts, "/"))
				case lab.FileCopy:
					copies = append(copies, op)
				}
			}
		}
	}
	// A copy of a copy: each round follows one more step. A folder that is copied into itself never ends.
	budget := 1_000_000
	for range len(copies) {
		more := false
		for _, op := range copies {
			if budget -= len(order); budget < 0 {
				return nil
			}
			parts, _ := lab.CleanFile(op.Path)
			from := strings.Join(parts, "/")
			for _, name := range order[:len(order):len(order)] {
				rest, below := strings.CutPrefix(name, from)
				if below && (from == "" || rest == "" || rest[0] == '/') {
					more = add(op.Text+"/"+rest) || more
				}
			}
		}
		if !more {
			break
		}
	}
	for _, op := range copies {
		parts, _ := lab.CleanFile(op.Path)
		from := strings.Join(parts, "/")
		if !slices.ContainsFunc(slices.Concat(order, dirs), func(name string) bool { return from == "" || name == from || strings.HasPrefix(name, from+"/") }) {
			to, _ := lab.CleanFile(op.Text)
			c.lacking = append(c.lacking, strings.Join(to, "/"))
		}
	}
	return files
}

// fileLink checks that what a link shows can be there.
func (c *Check) fileLink(engine *sim.Engine, s *section, l *content.Link, files map[string]bool) {
	parts, inside := lab.CleanFile(l.Target)
	if open, _ := c.settable(s, l.Start, l.End); open || inside && files[strings.Join(parts, "/")] {
		return
	}
	clean := strings.Join(parts, "/")
	if slices.ContainsFunc(c.lacking, func(to string) bool { return clean == to || strings.HasPrefix(clean, to+"/") }) {
		return // a scenario copies what is not there: the search tells of it
	}
	terminal := l.Terminal
	if terminal == "" {
		terminal = c.lab.Terminals[0].ID
	}
	for _, q := range engine.PrepareAll(terminal, "cat "+explore.Quote(l.Target)) {
		if len(q.Fits()) > 0 {
			return // a scenario shows it
		}
	}
	at := s.part(l.Start, l.End, l.Target)
	message := "no file `" + l.Target + "` ever exists"
	if !inside {
		message = "`" + l.Target + "` leaves the lab's files"
	} else if l.Target == "" {
		message = "the link names no file"
	}
	d := c.report("file-never", at, message)
	names := sortedKeys(files)
	if near := diag.Nearest(l.Target, names); near != "" {
		d.Fix = &diag.Fix{Text: "did you mean `" + near + "`?"}
		if at.Text() == l.Target {
			d.Fix.Edits = []diag.Edit{{Span: at, New: near}}
		}
	}
}

func sortedKeys(set map[string]bool) []string {
	out := make([]string, 0, len(set))
	for name := range set {
		out = append(out, name)
	}
	slices.Sort(out)
	return out
}

// tabLink checks that what a link opens is there.
func (c *Check) tabLink(s *section, l *content.Link) {
	space := c.loaded.Labspace
	if !c.known.terminals || !c.known.services || !c.known.ci || !c.known.titles || !c.known.texts && c.hasUnset(s, l) {
		return
	}
	if open, _ := c.settable(s, l.Start, l.End); open || l.ID == "ci" && space.CI != nil {
		return
	}
	for _, t := range space.Terminals {
		if t.ID == l.ID {
			return
		}
	}
	var ids []string
	for _, service := range space.Services {
		if service.ID == l.ID && l.ID != "" || service.URL == l.Target {
			return
		}
		ids = append(ids, service.ID)
	}
	target := strings.TrimSpace(l.Target)
	scheme, _, _ := strings.Cut(strings.ToLower(target), ":")
	if scheme == "http" || scheme == "https" || strings.HasPrefix(target, "//") || c.isSection(target) || c.isAsset(target) {
		return
	}
	message := "there is no `" + target + "` in the lab, and no service of that address"
	at := s.part(l.Start, l.End, l.Target)
	if target == "" {
		at, message = s.part(l.Start, l.End, l.ID), "no service has the id `"+l.ID+"`"
		if l.ID == "" {
			message = "the link names neither an address nor a service"
		}
	}
	d := c.report("tab-missing", at, message)
	if near := diag.Nearest(l.ID, ids); near != "" && target == "" {
		d.Fix = &diag.Fix{Text: "did you mean `" + near + "`?", Edits: []diag.Edit{{Span: at, New: near}}}
	}
}

func (c *Check) isSection(target string) bool {
	id, is := strings.CutPrefix(target, "#")
	return is && slices.ContainsFunc(c.loaded.Labspace.Sections, func(s lab.Section) bool { return s.ID == id })
}

// isAsset reports whether a relative address names a file: in the lab, or below the site's root, where the labs
// stand in `labs`.
func (c *Check) isAsset(target string) bool {
	if i := strings.IndexAny(target, "?#"); i >= 0 {
		target = target[:i]
	}
	if plain, err := url.PathUnescape(target); err == nil {
		target = plain
	}
	if target == "" {
		return false
	}
	for _, name := range []string{path.Join(c.dir, target), strings.TrimPrefix(path.Clean(strings.TrimLeft(target, "/")), "labs/")} {
		if !fs.ValidPath(name) {
			continue
		}
		if info, err := fs.Stat(c.files, name); err == nil && info.Mode().IsRegular() {
			return true
		}
	}
	return false
}

// settable reports whether a stretch of a section has a variable that the reader can set, and whether one of them can
// become any text.
func (c *Check) settable(s *section, start, end int) (settable, free bool) {
	if len(c.setters) == 0 {
		return false, false
	}
	for _, u := range s.content.Uses {
		if u.Kind == "text" && u.Start >= start && u.End <= end {
			input, set := c.setters[u.Name]
			settable, free = settable || set, free || input
		}
	}
	return settable, free
}

// hasUnset reports whether a link has a variable that some section may set which could not be read.
func (c *Check) hasUnset(s *section, l *content.Link) bool {
	return slices.ContainsFunc(s.content.Uses, func(u content.Use) bool { return u.Kind == "text" && u.Start >= l.Start && u.End <= l.End })
}

// variables tells of those that are mentioned and never set.
func (c *Check) variables() {
	if !c.known.variables || !c.known.texts {
		return
	}
	set := map[string]bool{}
	for _, v := range c.loaded.Labspace.Variables {
		set[v.Name] = true
	}
	for name := range c.setters {
		set[name] = true
	}
	names := sortedKeys(set)
	for i := range c.sections {
		s := &c.sections[i]
		for _, u := range s.content.Uses {
			if set[u.Name] {
				continue
			}
			at := s.part(u.Start, u.End, u.Name)
			message := "nothing sets `" + u.Name + "`: its name is shown"
			if u.Kind == "condition" {
				message = "nothing sets `" + u.Name + "`, so this never changes"
			}
			c.misnamed(group{"variable-unset", "", u.Name}, at, at, names, message)
		}
	}
}
