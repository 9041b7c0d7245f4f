package claudecode

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"asz/native/store"
)

// disk reads the real one; a directory or file in faults fails as it says there.
type disk struct {
	faults map[string]error
	reads  *int64 // bytes read, when wanted
}

func (d disk) fault(op, name string) error {
	for suffix, err := range d.faults {
		if strings.HasSuffix(name, suffix) {
			return &fs.PathError{Op: op, Path: name, Err: err}
		}
	}
	return nil
}

func (d disk) Open(name string) (store.File, error) {
	if err := d.fault("open", name); err != nil {
		return nil, err
	}
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	return file{f, d.reads}, nil
}

func (d disk) Stat(name string) (store.Info, error) {
	info, err := os.Stat(name)
	if err != nil {
		return store.Info{}, err
	}
	return store.Info{Size: info.Size(), Mode: info.Mode()}, nil
}

func (d disk) ReadDir(name string) (out []store.Entry, err error) {
	if err := d.fault("open", name); err != nil {
		return nil, err
	}
	entries, err := os.ReadDir(name)
	if err != nil {
		return nil, err
	}
	for _, e := range entries {
		entry := store.Entry{Name: e.Name()}
		if info, err := os.Stat(filepath.Join(name, e.Name())); err == nil {
			entry.Dir, entry.Regular = info.IsDir(), info.Mode().IsRegular()
		}
		out = append(out, entry)
	}
	return out, nil
}

type file struct {
	*os.File
	reads *int64
}

func (f file) ReadAt(p []byte, at int64) (int, error) {
	n, err := f.File.ReadAt(p, at)
	if f.reads != nil {
		*f.reads += int64(n)
	}
	return n, err
}

func (f file) Stat() (store.Info, error) {
	info, err := f.File.Stat()
	if err != nil {
		return store.Info{}, err
	}
	return store.Info{Size: info.Size(), Mode: info.Mode()}, nil
}

// tree makes files below a new directory: their names, and after ` = ` what they hold or after ` -> ` what they link to.
func tree(t *testing.T, files ...string) string {
	t.Helper()
	root := t.TempDir()
	for _, f := range files {
		name, content, _ := strings.Cut(f, " = ")
		name, link, isLink := strings.Cut(name, " -> ")
		full := filepath.Join(root, name)
		err := os.MkdirAll(filepath.Dir(full), 0o755)
		switch {
		case err != nil:
		case isLink:
			err = os.Symlink(link, full)
		case strings.HasSuffix(name, "/"):
			err = os.MkdirAll(full, 0o755)
		default:
			err = os.WriteFile(full, []byte(content), 0o644)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	return root
}

const (
	s1 = "00000000-0000-4000-8000-000000000001"
	s2 = "00000000-0000-4000-8000-000000000002"
	s3 = "ABCDEFAB-0000-4000-8000-00000000000A"
	a1 = "a0a10ef0666c4dc7e"
)

func lines(found store.Found) (out []string) {
	for _, s := range found.Sources {
		out = append(out, fmt.Sprintf("%s %s %s%s %s", s.Session[len(s.Session)-2:], s.Kind, s.Stream, s.Batch, s.Rel))
	}
	for _, c := range found.Clashes {
		out = append(out, fmt.Sprintf("conflict %s with %s", c.Source.Rel, c.With.Rel))
	}
	for _, err := range found.Errors {
		out = append(out, "error "+err.Error())
	}
	return out
}

func same(t *testing.T, found store.Found, want ...string) {
	t.Helper()
	got := strings.Join(lines(found), "\n")
	if got != strings.Join(want, "\n") {
		t.Errorf("got\n%s\nwant\n%s", got, strings.Join(want, "\n"))
	}
}

func TestDiscover(t *testing.T) {
	t.Parallel()
	root := tree(t,
		"-p/"+s1+".jsonl", "-p/"+s3+".jsonl",
		"-p/"+s1+"/subagents/agent-"+a1+".jsonl", "-p/"+s1+"/subagents/agent-"+a1+".meta.json",
		"-p/"+s1+"/subagents/agent-A_b-9.meta.json",
		"-p/"+s1+"/subagents/workflows/wf_x/agent-a2.jsonl", "-p/"+s1+"/subagents/workflows/wf_x/agent-a2.meta.json",
		"-p/"+s1+"/subagents/workflows/wf_x/journal.jsonl",
		"-p/"+s1+"/workflows/wf_x.json",
		"-q/"+s1+"/workflows/scripts/build-wf_all-wf_x.js", // of a session of another project
		"-q/"+s2+"/subagents/agent-"+a1+".jsonl",           // a session without a main transcript

		"-p/"+s2+"/tool-results/x.txt", // yields no source: no session
		"-p/"+s1+"/other/wf_y.json",
		"-p/memory/MEMORY.md", "-p/sessions-index.json", "-p/tool-results/"+s1+".jsonl",
		"-p/notes.jsonl", "-p/"+s1+".jsonl.bak", "-p/x"+s1+".jsonl", "-p/0000-1.jsonl", "-p/src/"+s1+".jsonl",
		"-p/"+s1+"/subagents/agent-not an id.jsonl", "-p/"+s1+"/subagents/agent-main.jsonl", "-p/"+s1+"/subagents/agent-.jsonl",
		"-p/"+s1+"/subagents/deeper/agent-a3.jsonl", "-p/"+s1+"/subagents/workflows/wf_x/workflows/wf_y/agent-a4.jsonl",
		"-p/"+s1+"/subagents/workflows/agent-a5.jsonl", "-p/"+s1+"/subagents/journal.jsonl", "-p/"+s1+"/subagents/workflows/.tmp/agent-a6.jsonl",
		"-p/"+s1+"/workflows/other.json", "-p/"+s1+"/workflows/scripts/build.js", "-p/"+s1+"/workflows/scripts/a-wf_x.txt",
		"-p/"+s1+"/workflows/scripts/a-wf_x.js/", "-p/agent-a b.jsonl",
		s1+".jsonl", "-p/00000000-0000-4000-8000-000000000009.jsonl/",
	)
	found := Discover(disk{}, root, Filter{})
	same(t, found,
		"01 transcript main -p/"+s1+".jsonl",
		"01 agent_meta A_b-9 -p/"+s1+"/subagents/agent-A_b-9.meta.json",
		"01 transcript "+a1+" -p/"+s1+"/subagents/agent-"+a1+".jsonl",
		"01 agent_meta "+a1+" -p/"+s1+"/subagents/agent-"+a1+".meta.json",
		"01 transcript a2 -p/"+s1+"/subagents/workflows/wf_x/agent-a2.jsonl",
		"01 agent_meta a2 -p/"+s1+"/subagents/workflows/wf_x/agent-a2.meta.json",
		"01 journal wf_x -p/"+s1+"/subagents/workflows/wf_x/journal.jsonl",
		"01 workflow_manifest wf_x -p/"+s1+"/workflows/wf_x.json",
		"01 workflow_script wf_x -q/"+s1+"/workflows/scripts/build-wf_all-wf_x.js",
		"02 transcript "+a1+" -q/"+s2+"/subagents/agent-"+a1+".jsonl",
		"0A transcript main -p/"+s3+".jsonl",
	)
	if got := found.Sources[0]; got.Path != root+"/"+got.Rel {
		t.Errorf("path %q", got.Path)
	}
	const odd = `a .jsonl file that is not named by a session id 3; a directory that is not named by a session id 2; ` +
		`a file of another kind beside the sessions 1; a name among the runs that is no run id 2; a name among the scripts that names no run 3; ` +
		`a file beside the projects 1; another name in the directory of a session 1; another name among the children of a session 3; another name among the workflows of a session 1; ` +
		`the file of a child whose name is no agent id 4`
	got := map[string]bool{}
	for _, o := range found.Odd {
		got[fmt.Sprint(o.What, " ", o.Count)] = true
	}
	for _, o := range strings.Split(odd, "; ") {
		if !got[o] {
			t.Errorf("not counted: %s; there is %s", o, oddities(found.Odd))
		}
		delete(got, o)
	}
	if len(got) > 0 {
		t.Errorf("counted as well: %v", got)
	}
}

func TestDiscoverLinks(t *testing.T) {
	t.Parallel()
	away := tree(t, "one.jsonl", "dir/subagents/agent-a1.jsonl", "proj/"+s2+".jsonl")
	root := tree(t,
		"-p/"+s1+".jsonl -> "+away+"/one.jsonl",
		"-p/"+s1+" -> "+away+"/dir",
		"-p/"+s2+".jsonl -> "+away+"/nothing",
		"-q -> "+away+"/proj",
		"-gone -> "+away+"/nothing",
		"-p/round -> ../-p",
	)
	found := Discover(disk{}, root, Filter{})
	same(t, found, "01 transcript main -p/"+s1+".jsonl", "01 transcript a1 -p/"+s1+"/subagents/agent-a1.jsonl", "02 transcript main -q/"+s2+".jsonl")
	if got := oddities(found.Odd); got != "a name that is neither a file nor a directory, or a link to nothing 2; a directory that is not named by a session id 1" {
		t.Error(got)
	}
}

func TestDiscoverConflicts(t *testing.T) {
	t.Parallel()
	root := tree(t,
		"-a/"+s1+".jsonl", "-b/"+s1+".jsonl",
		"-a/"+s1+"/subagents/agent-a1.jsonl", "-a/"+s1+"/subagents/workflows/wf_x/agent-a1.jsonl",
		"-a/"+s1+"/subagents/workflows/wf_x/journal.jsonl", "-b/"+s1+"/subagents/workflows/wf_x/journal.jsonl",
		"-a/"+s1+"/workflows/scripts/a-wf_x.js", "-a/"+s1+"/workflows/scripts/b-wf_x.js",
		`-a/agent-a1.jsonl = {"sessionId":"`+s1+`"}`,
	)
	dir := "-a/" + s1
	same(t, Discover(disk{}, root, Filter{}),
		"01 transcript main "+dir+".jsonl",
		"01 transcript a1 "+dir+"/subagents/agent-a1.jsonl",
		"01 journal wf_x "+dir+"/subagents/workflows/wf_x/journal.jsonl",
		"01 workflow_script wf_x "+dir+"/workflows/scripts/a-wf_x.js",
		"conflict -b/"+s1+".jsonl with "+dir+".jsonl",
		"conflict "+dir+"/subagents/workflows/wf_x/agent-a1.jsonl with "+dir+"/subagents/agent-a1.jsonl",
		"conflict -a/agent-a1.jsonl with "+dir+"/subagents/agent-a1.jsonl",
		"conflict -b/"+s1+"/subagents/workflows/wf_x/journal.jsonl with "+dir+"/subagents/workflows/wf_x/journal.jsonl",
		"conflict "+dir+"/workflows/scripts/b-wf_x.js with "+dir+"/workflows/scripts/a-wf_x.js",
	)
}

func TestDiscoverFaults(t *testing.T) {
	t.Parallel()
	root := tree(t, "-gone/"+s1+".jsonl", "-shut/"+s1+".jsonl", "-tmp-shut/"+s1+".jsonl", "-p/"+s2+".jsonl", "-p/"+s2+"/subagents/agent-a1.jsonl", "-p/agent-a2.jsonl", "-p/agent-a3.jsonl")
	faults := map[string]error{
		"/-gone": syscall.ENOENT, "/-shut": syscall.EACCES, "/-tmp-shut": syscall.EACCES, "/subagents": syscall.EIO,
		"agent-a2.jsonl": syscall.EACCES, "agent-a3.jsonl": syscall.ENOENT,
	}
	found := Discover(disk{faults: faults}, root, Filter{Exclude: []string{"/tmp/**"}})
	same(t, found,
		"02 transcript main -p/"+s2+".jsonl",
		"error a directory of histories cannot be read: open "+root+"/-p/"+s2+"/subagents: input/output error",
		"error a directory of histories cannot be read: open "+root+"/-shut: permission denied",
		"error the history of a child cannot be read: open "+root+"/-p/agent-a2.jsonl: permission denied",
	)
	found = Discover(disk{}, root+"/none", Filter{})
	if len(found.Errors) != 1 || !errors.Is(found.Errors[0], fs.ErrNotExist) {
		t.Errorf("a root that is missing: %v", found.Errors)
	}
}

func TestDiscoverOlderChildren(t *testing.T) {
	t.Parallel()
	long := `{"a":"` + strings.Repeat(`x\"{`, 60<<10) + `","sessionId`
	root := tree(t,
		"-p/"+s1+".jsonl",
		`-p/agent-1.jsonl = {"parentUuid":null,"sessionId":"`+s1+`","x":`+strings.Repeat(" ", 1<<20),
		`-p/agent-2.jsonl = {"type":"summary","message":{"sessionId":"`+s2+`"},"b":["sessionId",{"sessionId":1}],"sessionId":7}`+"\n"+`broken {"sess`+"\n"+`{"k":"sessionId","sessionId" : "`+s1+`"}`,
		`-p/agent-3.jsonl = `+long+`":"`+s1+`"}`,
		`-p/agent-4.jsonl = {"sessionId":"other"}`+"\n"+`{"sessionId":"`+s1+`"}`,
		`-p/agent-5.jsonl = {"sessionId":"`+s1,
		`-p/agent-6.jsonl`,
		`-q/agent-7.jsonl = {"sessionId":"`+s2+`"}`,
	)
	var reads int64
	found := Discover(disk{reads: &reads}, root, Filter{})
	same(t, found,
		"01 transcript main -p/"+s1+".jsonl",
		"01 transcript 1 -p/agent-1.jsonl",
		"01 transcript 2 -p/agent-2.jsonl",
		"01 transcript 3 -p/agent-3.jsonl",
		"02 transcript 7 -q/agent-7.jsonl",
	)
	if got := oddities(found.Odd); got != "the file of a child that names no session 3" {
		t.Error(got)
	}
	if most := int64(len(long) + 64<<10 + 7*4<<10); reads > most {
		t.Errorf("%d bytes were read, where %d are enough", reads, most)
	}
}

func TestFilter(t *testing.T) {
	t.Parallel()
	root := tree(t,
		"-private-tmp-x/"+s1+".jsonl", "-home-me-my-work/"+s1+"/subagents/agent-a1.jsonl",
		"-home-me-my-work/"+s2+".jsonl", "-private-tmp-x/"+s2+"/subagents/agent-a1.jsonl",
		"-private-tmp-x/"+s3+"/subagents/agent-a1.jsonl", "-home-me-my-work/"+s3+"/subagents/agent-a2.jsonl",
	)
	sessions := func(f Filter) (out string) {
		for _, s := range Discover(disk{}, root, f).Sources {
			out += s.Session[35:] + ":" + s.Stream + " "
		}
		return strings.TrimSpace(out)
	}
	for _, c := range []struct {
		filter Filter
		want   string
	}{
		{Filter{}, "1:main 1:a1 2:main 2:a1 A:a1 A:a2"},
		{Filter{Exclude: []string{"/private/tmp/**"}}, "2:main 2:a1 A:a1 A:a2"},
		{Filter{Exclude: []string{"/private/tmp"}}, "1:main 1:a1 2:main 2:a1 A:a1 A:a2"},
		{Filter{Exclude: []string{"/private/tmp/x/"}}, "2:main 2:a1 A:a1 A:a2"},
		{Filter{Exclude: []string{"/private/**", "/home/me/my work"}}, ""},
		{Filter{Include: []string{"/home/me/my.work"}}, "2:main 2:a1 A:a1 A:a2"},
		{Filter{Include: []string{"/home/**"}, Exclude: []string{"*my-work"}}, ""},
		{Filter{Include: []string{"-private-*"}}, "1:main 1:a1 A:a1 A:a2"},
		{Filter{Exclude: []string{"-home-m[ef]-my-wor?"}}, "1:main 1:a1 A:a1 A:a2"},
	} {
		if got := sessions(c.filter); got != c.want {
			t.Errorf("%v: got %s, want %s", c.filter, got, c.want)
		}
	}
	bad := Filter{Exclude: []string{"ok", "[a"}}
	if err := bad.Check(); err == nil || !strings.Contains(err.Error(), `exclude entry "[a"`) {
		t.Errorf("%v", err)
	}
	if err := (Filter{Include: []string{"/odd[dir/**"}}).Check(); err != nil {
		t.Errorf("brackets in a directory: %v", err)
	}
}

func TestRoot(t *testing.T) {
	t.Parallel()
	dir := tree(t, "xdg/claude/projects/", "home/.claude/projects/", "file/projects = no directory")
	env := func(vars ...string) func(string) string {
		return func(name string) string {
			for i := 0; i < len(vars); i += 2 {
				if vars[i] == name {
					return vars[i+1]
				}
			}
			return ""
		}
	}
	for _, c := range []struct {
		env  func(string) string
		home string
		want string
	}{
		{env(), "/home", "/home/.claude/projects"},
		{env("XDG_CONFIG_HOME", dir+"/xdg"), "/home", "/xdg/claude/projects"},
		{env("XDG_CONFIG_HOME", dir+"/none"), "/home", "/home/.claude/projects"},
		{env("CLAUDE_CONFIG_DIR", dir+"/home/.claude", "XDG_CONFIG_HOME", dir+"/xdg"), "/home", "/home/.claude/projects"},
		{env("CLAUDE_CONFIG_DIR", dir+"/file", "XDG_CONFIG_HOME", dir+"/xdg"), "/home", "/xdg/claude/projects"},
		{env("CLAUDE_CONFIG_DIR", dir+"/c"), "/none", "/c/projects"},
	} {
		if got := Root(disk{}, Roots(c.env, dir+c.home)); got != dir+c.want {
			t.Errorf("got %s, want %s", got, c.want)
		}
	}
	if got := Roots(env(), ""); len(got) != 0 || Root(disk{}, got) != "" {
		t.Errorf("without a home directory: %q", got)
	}
}
