package labfile

import (
	"strconv"

	"asz/shared/lab"
	"asz/shared/yamldoc"
)

// labspace is a lab while its labspace.yaml is read.
type labspace struct {
	*lab.Lab
	simulator *string
	ignored   *yamldoc.Node // fields that are accepted and mean nothing here
	kind      string
}

func labspaceType() yamldoc.Type[labspace] {
	text := yamldoc.Text()
	simulator := yamldoc.Narrow(text, func(s *yamldoc.Schema) { s.Pattern = relativePath })
	t := yamldoc.Object("labspace.yaml",
		yamldoc.Optional("kind", "`lab`; `slides` is known but not played", oneOf("lab", "slides"), func(l *labspace) *string { return &l.kind }),
		yamldoc.Optional("title", "header and page title", text, func(l *labspace) *string { return &l.Title }),
		yamldoc.Optional("description", "one or two sentences", text, func(l *labspace) *string { return &l.Description }),
		yamldoc.Optional("version", "tags stored progress", versionType(), func(l *labspace) *string { return &l.Version }),
		yamldoc.Required("simulator", "path of the simulator file", simulator, func(l *labspace) *string { return l.simulator }),
		yamldoc.Optional("terminals", "terminal tabs; all share one engine", yamldoc.List(terminalType()), func(l *labspace) *[]lab.Terminal { return &l.Terminals }),
		yamldoc.Optional("files", "the files that stand at the start", filesType(), func(l *labspace) *[]lab.File { return &l.Files }),
		yamldoc.Optional("sections", "the pages of instructions", yamldoc.List(sectionType()), func(l *labspace) *[]lab.Section { return &l.Sections }),
		yamldoc.Optional("variables", "initial values of $$name$$", variablesType(), func(l *labspace) *[]lab.Variable { return &l.Variables }),
		yamldoc.Optional("services", "pages shown in tabs", yamldoc.List(serviceType()), func(l *labspace) *[]lab.Service { return &l.Services }),
		yamldoc.Optional("features", "parts of the page", featuresType(), func(l *labspace) **lab.CITab { return &l.CI }),
		yamldoc.Optional("catalog", "how the catalog shows the lab", catalogType(), func(l *labspace) *lab.Catalog { return &l.Catalog }),
		yamldoc.Optional("tracking", "accepted; nothing is sent anywhere", yamldoc.Any(), func(l *labspace) **yamldoc.Node { return &l.ignored }),
	)
	return yamldoc.Narrow(t, unlessSlides)
}

func terminalType() yamldoc.Type[lab.Terminal] {
	text := yamldoc.Text()
	return yamldoc.Object("a terminal",
		yamldoc.Optional("id", "names the terminal in scenarios and fences", text, func(t *lab.Terminal) *string { return &t.ID }),
		yamldoc.Optional("title", "of the tab", text, func(t *lab.Terminal) *string { return &t.Title }),
		yamldoc.Optional("icon", "of the tab", text, func(t *lab.Terminal) *string { return &t.Icon }),
	)
}

func sectionType() yamldoc.Type[lab.Section] {
	text := yamldoc.Text()
	fields := yamldoc.Object("a step",
		yamldoc.Optional("id", "what `completes:` names", text, func(s *lab.Step) *string { return &s.ID }),
		yamldoc.Optional("title", "what the learner reads", text, func(s *lab.Step) *string { return &s.Title }),
	)
	step := yamldoc.NewType(fields.Name(), stepSchema(fields), func(r *yamldoc.Reader, n *yamldoc.Node, dst *lab.Step) bool {
		if !fields.Read(r, n, dst) || n.Broken {
			return false
		}
		if dst.ID == "" {
			dst.ID = Slug(dst.Title)
		}
		if dst.ID == "" {
			r.Report("missing-key", n.Span.FirstLine(), "a step needs an `id` or a `title`")
		}
		return dst.ID != ""
	})
	return yamldoc.Object("a section",
		yamldoc.Required("title", "in the navigation", text, func(s *lab.Section) *string { return &s.Title }),
		yamldoc.Optional("contentPath", "its Markdown file", text, func(s *lab.Section) *string { return &s.Content }),
		yamldoc.Optional("steps", "what the learner does in it", yamldoc.List(step), func(s *lab.Section) *[]lab.Step { return &s.Steps }),
	)
}

func serviceType() yamldoc.Type[lab.Service] {
	text := yamldoc.Text()
	return yamldoc.Object("a service",
		yamldoc.Optional("id", "names the tab", text, func(s *lab.Service) *string { return &s.ID }),
		yamldoc.Optional("title", "of the tab", text, func(s *lab.Service) *string { return &s.Title }),
		yamldoc.Optional("icon", "of the tab", text, func(s *lab.Service) *string { return &s.Icon }),
		yamldoc.Required("url", "the page; relative ones resolve in the lab", text, func(s *lab.Service) *string { return &s.URL }),
	)
}

func featuresType() yamldoc.Type[*lab.CITab] {
	text := yamldoc.Text()
	tab := yamldoc.Object("features.ci",
		yamldoc.Optional("title", "of the tab", text, func(t *lab.CITab) *string { return &t.Title }),
		yamldoc.Optional("icon", "of the tab", text, func(t *lab.CITab) *string { return &t.Icon }),
	)
	return yamldoc.Object("features",
		yamldoc.Optional("ci", "the CI tab", yamldoc.Ptr(tab), func(t **lab.CITab) **lab.CITab { return t }),
	)
}

func catalogType() yamldoc.Type[lab.Catalog] {
	text := yamldoc.Text()
	return yamldoc.Object("catalog",
		yamldoc.Optional("title", "of the card", text, func(c *lab.Catalog) *string { return &c.Title }),
		yamldoc.Optional("description", "of the card", text, func(c *lab.Catalog) *string { return &c.Description }),
		yamldoc.Optional("icon", "of the card", text, func(c *lab.Catalog) *string { return &c.Icon }),
		yamldoc.Optional("tags", "to search by", yamldoc.List(text), func(c *lab.Catalog) *[]string { return &c.Tags }),
		yamldoc.Optional("estimatedMinutes", "how long it takes", yamldoc.Int(0, 100000), func(c *lab.Catalog) *int { return &c.Minutes }),
		yamldoc.Optional("order", "place among the labs", yamldoc.Int(-1<<31, 1<<31-1), func(c *lab.Catalog) *int { return &c.Order }),
	)
}

// filesType reads a map from path to text.
func filesType() yamldoc.Type[[]lab.File] {
	const name = "a map from path to text"
	text := yamldoc.Text()
	return yamldoc.NewType(name, filesSchema, func(r *yamldoc.Reader, n *yamldoc.Node, dst *[]lab.File) bool {
		if !expectMap(r, n, name) {
			return false
		}
		*dst = make([]lab.File, len(n.Pairs))
		kept, paths := (*dst)[:0], taken{below: map[string]*taken{}}
		for _, p := range n.Pairs {
			f := &(*dst)[len(kept)]
			f.Path = p.Key
			r.Place(&f.Path, p.KeyNode)
			parts, ok := lab.CleanFile(p.Key)
			if !ok || len(parts) == 0 {
				r.Report("path-outside", p.KeyNode.Span, "`"+p.Key+"` is no file inside of the lab's files")
				continue
			}
			if !checkDepth(r, p.KeyNode, len(parts)) {
				continue
			}
			if other, clash := paths.add(p.Key, parts); clash {
				r.Report("path-taken", p.KeyNode.Span, "`"+p.Key+"` and `"+other+"` cannot both be: one would be a file and a directory, or they are one file")
				continue
			}
			if text.Read(r, p.Value, &f.Text) {
				kept = (*dst)[:len(kept)+1]
			}
		}
		*dst = kept
		return true
	})
}

// taken is the tree of file paths so far: a file at its leaves, a directory that
// files imply elsewhere.
type taken struct {
	file  string // the path as its author wrote it; of a directory that of one file in it
	below map[string]*taken
}

// add takes the path of the segments; it returns the file that is in the way.
func (t *taken) add(name string, parts []string) (other string, clash bool) {
	for i, part := range parts {
		next := t.below[part]
		last := i == len(parts)-1
		if next != nil && (last || next.below == nil) {
			return next.file, true
		}
		if next == nil {
			next = &taken{file: name}
			if !last {
				next.below = map[string]*taken{}
			}
			t.below[part] = next
		}
		t = next
	}
	return "", false
}

// variablesType reads a flat map of scalars; their text is kept as written.
func variablesType() yamldoc.Type[[]lab.Variable] {
	text := yamldoc.Text()
	return entriesType("a flat map of texts, numbers and truth values", anyKey, textOrNothing, func(r *yamldoc.Reader, p yamldoc.Pair, v *lab.Variable) bool {
		v.Name = p.Key
		r.Place(&v.Name, p.KeyNode)
		return p.Value.Kind == yamldoc.KindNull && !p.Value.Broken || text.Read(r, p.Value, &v.Text)
	})
}

// complete fills in the defaults of labspace.yaml.
func (r *reader) complete(l *lab.Lab) {
	if l.Title == "" {
		l.Title = "Labspace"
	}
	if len(l.Terminals) == 0 {
		l.Terminals = []lab.Terminal{{ID: "terminal", Title: "Terminal"}}
	}
	terminals := ids{r: r, what: "terminal", code: "duplicate-lab-id"}
	for i := range l.Terminals {
		t := &l.Terminals[i]
		if t.ID == "" {
			if t.ID = Slug(t.Title); t.ID == "" {
				t.ID = "terminal-" + strconv.Itoa(i)
			}
		}
		if t.Title == "" {
			t.Title = "Terminal"
		}
		terminals.add(t, t.ID, &t.ID, &t.Title)
	}
	r.completeSections(l)
	services := ids{r: r, what: "service", code: "duplicate-lab-id"}
	for i := range l.Services {
		s := &l.Services[i]
		if s.Title == "" {
			if s.Title = s.ID; s.Title == "" {
				s.Title = s.URL
			}
		}
		if s.ID == "" {
			s.ID = Slug(s.Title)
		}
		services.add(s, s.ID, &s.ID, &s.Title)
	}
	if l.CI != nil && l.CI.Title == "" {
		l.CI.Title = "CI"
	}
}

func (r *reader) completeSections(l *lab.Lab) {
	steps := ids{r: r, what: "step", code: "duplicate-lab-id"}
	next := map[string]int{} // by id: the number that a further section of that id gets
	for i := range l.Sections {
		s := &l.Sections[i]
		base := Slug(s.Title)
		if base == "" {
			base = "section"
		}
		s.ID = base
		for next[s.ID] > 0 {
			next[base]++
			s.ID = base + "-" + strconv.Itoa(next[base])
		}
		if next[s.ID] = 1; s.ID != base {
			if n := r.NodeOf(&s.Title); n != nil && r.faults.clear(n.Span) {
				r.Report("duplicate-lab-id", n.Span, "another section has the id `"+base+"` already; this one gets `"+s.ID+"`")
			}
		}
		for j := range s.Steps {
			step := &s.Steps[j]
			if step.ID == "" {
				continue // reported
			}
			if step.Title == "" {
				step.Title = step.ID
			}
			steps.add(step, step.ID, &step.ID, &step.Title)
		}
	}
}

// ids finds the ids that are given twice.
type ids struct {
	r    *reader
	what string
	code diagCode
	seen map[string]*yamldoc.Node
}

// add notes the id of an item, at the first of the places that comes from the file. An item that has none for a
// mistake in it is left out.
func (s *ids) add(item any, id string, places ...any) {
	at, node := s.r.NodeOf(places[0]), s.r.NodeOf(item)
	if at == nil && !s.r.faults.sure(node, 0) || at != nil && !s.r.faults.clear(at.Span) {
		return
	}
	for _, p := range append(places[1:], item) {
		if at == nil {
			at = s.r.NodeOf(p)
		}
	}
	first, dup := s.seen[id]
	if !dup {
		if s.seen == nil {
			s.seen = map[string]*yamldoc.Node{}
		}
		s.seen[id] = at
		return
	}
	if at == nil {
		return
	}
	d := s.r.Report(s.code, at.Span, "the "+s.what+" id `"+id+"` is given twice")
	if first != nil {
		d.Related = append(d.Related, related(first.Span, "first given here"))
	}
}
