package sim_test

import (
	"slices"
	"strings"
	"testing"
)

// effects is a lab in which each command `cN` does one list of operations.
func filesLab(ops ...string) string {
	var b strings.Builder
	b.WriteString("scenarios:\n")
	for i, op := range ops {
		b.WriteString("  - {id: c" + string(rune('0'+i)) + ", when: {command: c" + string(rune('0'+i)) + "}, then: {files: [" + op + "]}}\n")
	}
	return b.String()
}

const seeds = `
files:
  a.txt: "one\n"
  app/server.js: "PORT = 3000\nagain 3000\n"
  app/lib/util.js: "u"
  empty.txt: ""
  B.txt: "no newline"
`

func TestE10Files(t *testing.T) {
	for _, c := range []struct{ name, ops, transcript string }{
		{"create", "{create: new.txt, content: \"x\\n\"}", "$ c0\n~ new.txt \"x\\n\"\n$ cat new.txt\n| x"},
		{"create makes parents", "{create: p/q/r.txt, content: x}", "$ c0\n~ p/q/r.txt \"x\"\n$ ls p\n| q/"},
		{"create overwrites", "{create: a.txt, content: two}", "$ c0\n~ a.txt \"two\""},
		{"append", "{append: a.txt, content: \"two\"}", "$ c0\n~ a.txt \"one\\ntwo\""},
		{"append makes the file and its parents", "{append: p/q.txt, content: x}", "$ c0\n~ p/q.txt \"x\""},
		{"append twice", "{append: n, content: x}, {append: n, content: y}", "$ c0\n~ n \"xy\"\n$ c0\n~ n \"xyxy\""},
		{"replace replaces every occurrence", "{replace: app/server.js, find: '3000', with: '8080'}", "$ c0\n~ app/server.js \"PORT = 8080\\nagain 8080\\n\""},
		{"replace does not look at what it wrote", "{replace: a.txt, find: one, with: 'oneone'}", "$ c0\n~ a.txt \"oneone\\n\""},
		{"replace with nothing", "{replace: a.txt, find: one, with: ''}", "$ c0\n~ a.txt \"\\n\""},
		{"replace finds literally", "{create: r, content: 'a.b a*b'}, {replace: r, find: '.', with: x}", "$ c0\n~ r \"axb a*b\""},
		{"delete a file", "{delete: a.txt}", "$ c0\n~ a.txt -"},
		{"delete a tree", "{delete: app}", "$ c0\n~ app/server.js -\n~ app/lib/util.js -\n$ ls app\n! *\n= ls() exit=1"},
		{"delete of a missing path", "{delete: gone}, {delete: gone/below}, {delete: a.txt/below}", "$ c0\n= c0 exit=0\n~ a.txt \"one\\n\""},
		{"copy a file", "{copy: a.txt, to: copy.txt}", "$ c0\n~ copy.txt \"one\\n\"\n~ a.txt \"one\\n\""},
		{"copy a tree", "{copy: app, to: bak}", "$ c0\n~ bak/server.js \"PORT = 3000\\nagain 3000\\n\"\n~ bak/lib/util.js \"u\"\n~ app/lib/util.js \"u\""},
		{"a copy is its own", "{copy: a.txt, to: b}, {append: a.txt, content: more}", "$ c0\n~ b \"one\\n\"\n~ a.txt \"one\\nmore\""},
		{"copy of a missing path", "{copy: gone, to: x}", "$ c0\n! *\n= c0 exit=1\n~ x -"},
		{"copy over a file", "{copy: a.txt, to: app/server.js}", "$ c0\n~ app/server.js \"one\\n\""},
		{"copy of a tree over a file", "{copy: app, to: a.txt}", "$ c0\n! *\n= c0 exit=1\n~ a.txt \"one\\n\""},
		{"copy makes parents", "{copy: a.txt, to: p/q/r}", "$ c0\n~ p/q/r \"one\\n\""},
		{"mkdir makes parents", "{mkdir: p/q}", "$ c0\n$ ls p\n| q/"},
		{"mkdir of a directory that is there", "{mkdir: app}", "$ c0\n= c0 exit=0\n~ app/lib/util.js \"u\""},
		{"mkdir", "{mkdir: logs}", "$ c0\n$ ls logs\n= ls() exit=0\n$ ls\n| B.txt\n| a.txt\n| app/\n| empty.txt\n| logs/"},
		{"a rooted path", "{create: /rooted/x, content: r}, {append: /a.txt, content: two}", "$ c0\n~ rooted/x \"r\"\n~ a.txt \"one\\ntwo\"\n$ cat /rooted/x\n| r\n$ ls /\n| *"},
		{"dots in a path", "{create: ./p/../q, content: x}, {append: app/./server.js, content: z}", "$ c0\n~ q \"x\"\n~ app/server.js \"PORT = 3000\\nagain 3000\\nz\""},
		{"in order", "{create: n, content: a}, {copy: n, to: m}, {delete: n}, {append: m, content: b}", "$ c0\n~ n -\n~ m \"ab\""},
		{"a file may follow a deleted directory", "{delete: app}, {create: app, content: f}", "$ c0\n~ app \"f\""},
		{"a file where a directory is", "{create: app, content: f}", "$ c0\n! *\n= c0 exit=1"},
		{"a directory where a file is", "{mkdir: a.txt}", "$ c0\n! *\n= c0 exit=1"},
		{"a file below a file", "{create: a.txt/x, content: f}", "$ c0\n! *\n= c0 exit=1"},
		{"the text is kept byte for byte", "{create: n, content: \"tab\\tend  \\n\\n\\u00e9\\r\\n\"}", "$ c0\n~ n \"tab\\tend  \\n\\né\\r\\n\""},
	} {
		t.Run(c.name, func(t *testing.T) { play(t, filesLab(c.ops), c.transcript, seeds) })
	}
	for name, op := range map[string]string{
		"create": "{create: ../x, content: a}", "deep": "{create: a/../../x, content: a}", "rooted": "{append: /../x, content: a}",
		"mkdir": "{mkdir: ..}", "copy to": "{copy: a.txt, to: ../x}", "copy of": "{copy: ../x, to: y}", "delete": "{delete: ../x}", "replace": "{replace: ../x, find: a, with: b}",
	} {
		t.Run("leaving the root: "+name, func(t *testing.T) {
			if load(t, filesLab(op), seeds).Findings.Errors() > 0 {
				rejects(t, filesLab(op), "path-outside")
				return
			}
			before := player(t, filesLab(op), seeds).State().Substance()
			p := play(t, filesLab(op), "$ c0\n! *\n= c0 exit=1", seeds)
			if p.State().Substance() != before {
				t.Error("something changed")
			}
		})
	}
	t.Run("an empty find is a hard error", func(t *testing.T) {
		text := filesLab("{replace: a.txt, find: '', with: x}")
		if load(t, text, seeds).Lab == nil {
			return
		}
		play(t, text, "$ c0\n! *\n= c0 exit=1\n~ a.txt \"one\\n\"", seeds)
	})
	t.Run("seed files that contradict each other", func(t *testing.T) {
		if loaded := load(t, "scenarios: []", "files: {a: x, a/b: y}"); loaded.Lab != nil {
			t.Error("a file and a directory share a path")
		}
	})
}

func TestE10FilesBuiltins(t *testing.T) {
	const lab = "scenarios: [{id: add, when: {command: add}, then: {files: [{create: app/new, content: n}, {mkdir: zdir}]}}]"
	for name, transcript := range map[string]string{
		"ls":                               "$ ls\n| B.txt\n| a.txt\n| app/\n| empty.txt\n= ls()",
		"ls dot":                           "$ ls .\n| B.txt\n| a.txt\n| app/\n| empty.txt\n= ls()",
		"ls of a directory":                "$ ls app\n| lib/\n| server.js\n= ls()",
		"ls of a directory with a slash":   "$ ls app/\n| lib/\n| server.js",
		"ls of a file":                     "$ ls app/server.js\n| app/server.js\n= ls()",
		"ls of a missing path":             "$ ls gone\n! *\n= ls() exit=1",
		"ls drops flags":                   "$ ls -la app -x --color=auto -\n| lib/\n| server.js\n= ls()",
		"ls with flags only":               "$ ls -la\n| B.txt\n| a.txt\n| app/\n| empty.txt",
		"cat":                              "$ cat app/server.js\n| PORT = 3000\n| again 3000\n= cat()",
		"cat without a newline at the end": "$ cat B.txt\n| no newline",
		"cat of an empty file":             "$ cat empty.txt\n= cat() exit=0",
		"cat drops flags":                  "$ cat -n a.txt -\n| one\n= cat()",
		"cat joins in order":               "$ cat a.txt app/lib/util.js a.txt\n| one\n| u\n| one\n= cat()",
		"cat starts each on a new line":    "$ cat B.txt a.txt\n| no newline\n| one",
		"cat with an empty one between":    "$ cat B.txt empty.txt a.txt\n| no newline\n| one",
		"cat of a missing file":            "$ cat missing.txt\n! cat: missing.txt: No such file or directory\n= cat() exit=1",
		"cat goes on":                      "$ cat gone a.txt gone2 B.txt\n| one\n| no newline\n! cat: gone: No such file or directory\n! cat: gone2: No such file or directory\n= cat() exit=1",
		"cat of a directory":               "$ cat app\n! *\n= cat() exit=1",
		"cat without operands":             "$ cat\n! *\n= cat() exit=1",
		"cat with flags only":              "$ cat -n\n! *\n= cat() exit=1",
		"cat outside of the root":          "$ cat ../x\n! *\n= cat() exit=1",
		"ls outside of the root":           "$ ls ..\n! *\n= ls() exit=1",
		"rooted":                           "$ cat /a.txt\n| one\n$ ls /app\n| lib/\n| server.js",
		"what scenarios write is visible":  "$ add\n$ ls app\n| lib/\n| new\n| server.js\n$ cat app/new\n| n\n$ ls zdir\n= ls() exit=0",
		"byte order":                       "@ save z1 x\n$ ls\n| B.txt\n| a.txt\n| app/\n| empty.txt\n| z1",
		"builtins change nothing":          "$ ls\n| *\n$ cat a.txt\n| one\n~ a.txt \"one\\n\"",
	} {
		t.Run(name, func(t *testing.T) { play(t, lab, transcript, seeds) })
	}
	t.Run("ls of several paths, in order", func(t *testing.T) {
		p := player(t, lab, seeds)
		_, o := p.Act("line", "terminal", "ls app a.txt app/lib")
		got := slices.DeleteFunc(o.Lines(0), func(s string) bool { return s == "" })
		want := []string{"app:", "lib/", "server.js", "a.txt", "app/lib:", "util.js"}
		if !slices.Equal(got, want) || o.Exit() != 0 {
			t.Errorf("got %q, exit %d", got, o.Exit())
		}
	})
	t.Run("trailing blank lines are lines", func(t *testing.T) {
		play(t, lab, "$ cat f\n| a\n| \n= cat()", `files: {f: "a\n\n"}`)
	})
}

func TestSimulator71Operations(t *testing.T) {
	play(t, `
scenarios:
  - id: all
    when: {command: all}
    then:
      files:
        - mkdir: "logs"
        - create: "app/server.js"
          content: |
            const express = require('express');
            PORT = 3000
        - append: "app/server.js"
          content: "\n// added by agent\n"
        - replace: "app/server.js"
          find: "PORT = 3000"
          with: "PORT = 8080"
        - delete: "tmp/cache"
        - copy: "app/server.js"
          to: "app/server.bak"
`, `
$ all
= all
~ app/server.js "const express = require('express');\nPORT = 8080\n\n// added by agent\n"
~ app/server.bak "const express = require('express');\nPORT = 8080\n\n// added by agent\n"
~ tmp/cache/x -
$ ls
| app/
| logs/
| tmp/`, `files: {tmp/cache/x: "x"}`)
}
