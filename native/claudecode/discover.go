package claudecode

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"asz/native/store"
)

// Roots are the directories in which all projects may lie, by rank: those that the environment names, and that in the home
// directory. Without a home directory ("") and environment there is none.
func Roots(env func(string) string, home string) []string {
	var roots []string
	if dir := env("CLAUDE_CONFIG_DIR"); dir != "" {
		roots = append(roots, path.Join(dir, "projects"))
	}
	if dir := env("XDG_CONFIG_HOME"); dir != "" {
		roots = append(roots, path.Join(dir, "claude/projects"))
	}
	if home != "" {
		roots = append(roots, path.Join(home, ".claude/projects"))
	}
	return roots
}

// Root is the first of roots that exists, and when none does, the first of them.
func Root(disk store.ReadFS, roots []string) string {
	for _, root := range roots {
		if info, err := disk.Stat(root); err == nil && info.Mode.IsDir() {
			return root
		}
	}
	if len(roots) == 0 {
		return ""
	}
	return roots[0]
}

// Discover looks for the sources of all sessions under root that the filter takes. Of two that hold the same stream or part of
// a run the first by path wins, and a child in a directory of its session over one beside the sessions. Directories that cannot be read cost only
// what is in them, and those that are gone by now cost nothing.
func Discover(disk store.ReadFS, root string, filter Filter) store.Found {
	d := discovery{disk: disk, root: root, filter: filter, by: map[place]int{}}
	d.odd.at = func() string { return d.place }
	if err := filter.Check(); err != nil {
		d.errs = append(d.errs, err)
	}
	projects, err := disk.ReadDir(root)
	if err != nil {
		d.errs = append(d.errs, fmt.Errorf("the source root cannot be read: %w", err))
	}
	for _, e := range projects {
		if e.Dir {
			d.project(e.Name)
		} else {
			d.pass("", e, "a file beside the projects")
		}
	}
	for _, o := range d.older {
		d.beside(o)
	}
	return d.result()
}

type discovery struct {
	place   string // of what is counted as odd
	disk    store.ReadFS
	root    string
	filter  Filter
	sources []found
	by      map[place]int // index in sources
	older   []found       // agent files beside the sessions: Session is not known yet
	refused []refusal
	errs    []error
	odd     tally
}

type found struct {
	store.Source
	project string
}

type refusal struct {
	source found
	with   int // index in sources
}

// place is what only one source can fill.
type place struct {
	session       string
	kind          store.Kind
	stream, batch string
}

func (d *discovery) read(rel string) []store.Entry {
	entries, err := d.disk.ReadDir(path.Join(d.root, rel))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		project, _, _ := strings.Cut(rel, "/")
		if d.filter.takes(project) {
			d.errs = append(d.errs, fmt.Errorf("a directory of histories cannot be read: %w", err))
		}
	}
	return entries
}

func (d *discovery) add(project string, src store.Source, rel string) {
	src.Rel = rel
	src.Path = path.Join(d.root, rel)
	d.take(found{src, project})
}

func (d *discovery) take(s found) {
	at := place{s.Session, s.Kind, s.Stream, s.Batch}
	if with, taken := d.by[at]; taken {
		d.refused = append(d.refused, refusal{s, with})
		return
	}
	d.by[at] = len(d.sources)
	d.sources = append(d.sources, s)
}

// pass counts a name that is no source. What every history has beside its sources is not odd.
func (d *discovery) pass(dir string, e store.Entry, why string) {
	switch {
	case !e.Dir && !e.Regular:
		why = "a name that is neither a file nor a directory, or a link to nothing"
	case e.Dir && (e.Name == "memory" || e.Name == "tool-results") || e.Name == "sessions-index.json":
		return
	}
	d.place = path.Join(d.root, dir, e.Name)
	d.odd.count(oddPlace, why)
}

func (d *discovery) project(project string) {
	for _, e := range d.read(project) {
		rel := project + "/" + e.Name
		stem, lines := strings.CutSuffix(e.Name, ".jsonl")
		agent, child := strings.CutPrefix(stem, "agent-")
		switch {
		case e.Dir && sessionID(e.Name):
			d.session(project, e.Name)
		case e.Regular && lines && sessionID(stem):
			d.add(project, store.Source{Session: stem, Kind: store.Transcript, Stream: store.Main}, rel)
		case e.Regular && lines && child && agentID(agent):
			d.older = append(d.older, found{store.Source{
				Kind: store.Transcript, Stream: agent, Rel: rel, Path: path.Join(d.root, rel),
			}, project})
		case e.Regular && lines && child:
			d.pass(project, e, "the file of a child whose name is no agent id")
		case e.Regular && lines:
			d.pass(project, e, "a .jsonl file that is not named by a session id")
		case e.Dir:
			d.pass(project, e, "a directory that is not named by a session id")
		default:
			d.pass(project, e, "a file of another kind beside the sessions")
		}
	}
}

func (d *discovery) session(project, session string) {
	dir := project + "/" + session
	for _, e := range d.read(dir) {
		switch {
		case e.Dir && e.Name == "subagents":
			d.children(project, session, dir+"/subagents", "")
		case e.Dir && e.Name == "workflows":
			d.workflows(project, session, dir+"/workflows")
		default:
			d.pass(dir, e, "another name in the directory of a session")
		}
	}
}

// children reads a directory of child agents: that of a session, or that of a run.
func (d *discovery) children(project, session, dir, run string) {
	for _, e := range d.read(dir) {
		rel := dir + "/" + e.Name
		agent, child := strings.CutPrefix(e.Name, "agent-")
		kind := store.Transcript
		id, ok := strings.CutSuffix(agent, ".jsonl")
		if !ok {
			kind = store.AgentMeta
			id, ok = strings.CutSuffix(agent, ".meta.json")
		}
		switch {
		case e.Regular && child && ok && agentID(id):
			d.add(project, store.Source{Session: session, Kind: kind, Stream: id}, rel)
		case e.Regular && child && ok:
			d.pass(dir, e, "the file of a child whose name is no agent id")
		case e.Regular && run != "" && e.Name == "journal.jsonl":
			d.add(project, store.Source{Session: session, Kind: store.Journal, Batch: run}, rel)
		case e.Dir && run == "" && e.Name == "workflows":
			for _, e := range d.read(rel) {
				if e.Dir && runID(e.Name) {
					d.children(project, session, rel+"/"+e.Name, e.Name)
				} else {
					d.pass(rel, e, "a name among the runs that is no run id")
				}
			}
		default:
			d.pass(dir, e, "another name among the children of a session")
		}
	}
}

func (d *discovery) workflows(project, session, dir string) {
	for _, e := range d.read(dir) {
		rel := dir + "/" + e.Name
		run, manifest := strings.CutSuffix(e.Name, ".json")
		switch {
		case e.Regular && manifest && strings.HasPrefix(run, "wf_") && runID(run):
			d.add(project, store.Source{Session: session, Kind: store.Manifest, Batch: run}, rel)
		case e.Dir && e.Name == "scripts":
			for _, e := range d.read(rel) {
				if run, ok := scriptRun(e.Name); e.Regular && ok {
					d.add(project, store.Source{Session: session, Kind: store.Script, Batch: run}, rel+"/"+e.Name)
				} else {
					d.pass(rel, e, "a name among the scripts that names no run")
				}
			}
		default:
			d.pass(dir, e, "another name among the workflows of a session")
		}
	}
}

// scriptRun is the run that the name of a script ends with.
func scriptRun(name string) (string, bool) {
	stem, ok := strings.CutSuffix(name, ".js")
	i := strings.LastIndex(stem, "-wf_")
	if !ok || i < 0 || !runID(stem[i+1:]) {
		return "", false
	}
	return stem[i+1:], true
}

// beside finds the session of an agent file that older versions put beside the sessions.
func (d *discovery) beside(s found) {
	session, err := firstSession(d.disk, s.Path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		if d.filter.takes(s.project) {
			d.errs = append(d.errs, fmt.Errorf("the history of a child cannot be read: %w", err))
		}
	case !sessionID(session):
		d.place = s.Path
		d.odd.count(oddPlace, "the file of a child that names no session")
	default:
		s.Session = session
		d.take(s)
	}
}

// result applies the filter, which asks where a session's main transcript is, and sorts.
func (d *discovery) result() store.Found {
	out := store.Found{Errors: d.errs, Odd: d.odd.list()}
	projects := map[string]bool{} // by name, whether the filter takes it
	takes := func(project string) bool {
		ok, known := projects[project]
		if !known {
			ok = d.filter.takes(project)
			projects[project] = ok
		}
		return ok
	}
	in := map[string]bool{} // by session
	for _, s := range d.sources {
		if s.Stream == store.Main {
			in[s.Session] = takes(s.project)
		}
	}
	for _, s := range d.sources {
		if _, main := d.by[place{s.Session, store.Transcript, store.Main, ""}]; !main {
			in[s.Session] = in[s.Session] || takes(s.project)
		}
	}
	for _, s := range d.sources {
		if in[s.Session] {
			out.Sources = append(out.Sources, s.Source)
		}
	}
	for _, r := range d.refused {
		if in[r.source.Session] {
			out.Clashes = append(out.Clashes, store.Clash{Source: r.source.Source, With: d.sources[r.with].Source})
		}
	}
	slices.SortFunc(out.Sources, order)
	slices.SortStableFunc(out.Clashes, func(a, b store.Clash) int { return order(a.Source, b.Source) })
	return out
}

// order is that of sources inside a pass (§6.3).
func order(a, b store.Source) int {
	return cmp.Or(
		cmp.Compare(a.Session, b.Session),
		cmp.Compare(group(a), group(b)),
		cmp.Compare(a.Stream, b.Stream),
		cmp.Compare(a.Batch, b.Batch),
		cmp.Compare(rank(a.Kind), rank(b.Kind)),
	)
}

func group(s store.Source) int {
	switch {
	case s.Stream == store.Main:
		return 0
	case s.Stream != "":
		return 1
	}
	return 2
}

func rank(k store.Kind) int {
	return slices.Index([]store.Kind{store.Transcript, store.AgentMeta, store.Journal, store.Manifest, store.Script}, k)
}

// sessionID is whether a name has the shape of a UUID, in either case.
func sessionID(name string) bool {
	if len(name) != 36 {
		return false
	}
	for i := range len(name) {
		switch b := name[i]; {
		case i == 8 || i == 13 || i == 18 || i == 23:
			if b != '-' {
				return false
			}
		case b >= '0' && b <= '9' || b|0x20 >= 'a' && b|0x20 <= 'f':
		default:
			return false
		}
	}
	return true
}

// runID is whether a name can be a workflow run's: letters, digits, `_`, `-` and `.`, a letter, digit or `_` first. CHOICE:
// it need not begin with wf_, so that a run of another version is not passed over.
func runID(name string) bool {
	if name == "" || len(name) > 128 || name[0] == '-' || name[0] == '.' {
		return false
	}
	for i := range len(name) {
		if b := name[i]; !alphanumeric(b) && b != '_' && b != '-' && b != '.' {
			return false
		}
	}
	return true
}
