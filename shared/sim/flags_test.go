package sim_test

import "testing"

// captured plays lines in a lab whose scenarios are given; the transcript's
// scenarios say what they captured.
func captured(t *testing.T, scenarios string, transcript string) {
	t.Helper()
	play(t, "scenarios:\n"+scenarios, transcript)
}

func TestE4Flags(t *testing.T) {
	for _, c := range []struct {
		name, args string
		yes, no    []string
	}{
		{"one dash alone is no flag", "{0: '-'}", lines("c -", "c - x"), lines("c", "c -x")},
		{"a flag is no positional", "{0: true}", lines("c x"), lines("c -x", "c --long")},
		{"double dash is dropped", "{0: x, 1: false}", lines("c -- x", "c x --"), lines("c x y")},
		{"double dash ends flags", "{0: -x, x: false}", lines("c -- -x"), lines("c -x")},
		{"a flag before double dash", "{-f: true, 0: -x}", lines("c -f -- -x"), lines("c -- -f -x")},
		{"words after double dash stay", "{0: --k=v}", lines("c -- --k=v"), lines("c --k=v")},
		{"--k=v", "{--k: v}", lines("c --k=v", "c --k v", "c -k=v", "c -k v", `c --k="v"`, `c "--k=v"`), lines("c --k", "c --k=w", "c k=v", "c --kv")},
		{"the value has an equals sign", "{--k: a=b}", lines("c --k=a=b", "c --k a=b"), lines("c --k=a")},
		{"the value is empty", `{--k: ""}`, lines("c --k=", `c --k ""`, "c --k"), lines("c --k x", "c")},
		{"names without dashes in the matcher", "{k: v}", lines("c --k v", "c -k v", "c -k=v"), lines("c k v", "c v")},
		{"names with one dash in the matcher", "{-k: v}", lines("c --k v", "c -k=v"), nil},
		{"inner dashes", "{--dry-run: true}", lines("c --dry-run", "c -dry-run"), lines("c --dry", "c --dryrun")},
		{"case counts", "{-V: true}", lines("c -V"), lines("c -v")},
		{"repeated: any occurrence matches", "{-e: B=2}", lines("c -e A=1 -e B=2", "c -e B=2 -e A=1", "c --e=A -e=B=2"), lines("c -e A=1")},
		{"repeated: one of", "{-e: {oneOf: [b, c]}}", lines("c -e a -e b"), lines("c -e a -e d")},
		{"repeated: absent", "{-e: false}", lines("c"), lines("c -e -e")},
		{"flags anywhere", "{-d: true, 0: x}", lines("c -d x", "c x -d"), nil},
		{"a bundle satisfies each letter", "{-d: true, -i: true, -t: true}", lines("c -dit", "c -tid", "c -di -t", "c -d -i -t"), lines("c -di", "c --dit")},
		{"a bundle and absence", "{-d: false}", lines("c -it", "c"), lines("c -dit", "c -id")},
		{"a bundle has letters only", "{-d: true}", lines("c -d", "c -dx"), lines("c -d1", "c -d_x", "c -d-x", "c -D", "c -dé")},
		{"a bundle with a value in the last letter", "{-i: true, -n: web}", lines("c -in web", "c -i -n web"), lines("c -ni web", "c -in", "c -in other")},
		{"a value flag takes what follows, even a flag", "{--name: -x}", lines("c --name -x", "c --name=-x"), lines("c --name x")},
		{"a value flag takes double dash", "{--name: '--', 0: x}", lines("c --name -- x"), nil},
		{"a value flag at the end is empty", "{--name: {any: true}}", lines("c --name", "c --name x", "c --name="), lines("c", "c name")},
		{"a present flag takes nothing", "{-d: true, 0: x}", lines("c -d x"), lines("c -d")},
		{"an absent flag takes nothing", "{-d: false, 0: x}", lines("c x"), lines("c -d x")},
		{"a present flag may have a value", "{--k: true}", lines("c --k=v", "c --k"), nil},
		{"a value flag leaves no positional", "{--name: {any: true}, 0: true}", lines("c --name x y"), lines("c --name x")},
	} {
		t.Run(c.name, func(t *testing.T) { matches(t, "{command: c, args: "+c.args+"}", c.yes, c.no) })
	}
	t.Run("repeated: captures the first that matches", func(t *testing.T) {
		captured(t, `
  - {id: one, when: {command: c, args: {-e: {oneOf: [b, c]}}}, then: {output: ["{{ args.e }}"]}}
  - {id: any, when: {command: c, args: {-e: {any: true}}}, then: {output: ["{{ args.e }}"]}}
`, "$ c -e a -e c -e b\n| c\n= one\n$ c -e x -e y\n| x\n= any")
	})
	t.Run("a named bundle is one flag", func(t *testing.T) {
		captured(t, `
  - {id: x, when: {command: c, args: {-d: true}}, then: {}}
  - {id: y, when: {command: c}, then: {}}
  - {id: z, when: {command: other, args: {--dit: true}}, then: {}}
`, "$ c -dit\n= y\n$ c -dti\n= x")
	})
	t.Run("a value letter takes a word only at the end of a bundle", func(t *testing.T) {
		captured(t, "  - {id: x, when: {command: c, args: {-i: true, -t: {any: true}}}, then: {output: [\"{{ args.t }}\"]}}\n",
			"$ c -it web\n| web\n$ c -ti web\n| \n")
	})
}

// Each name says which rule decides whether the flag takes the next word.
func TestE4FlagsTakingAWord(t *testing.T) {
	for _, c := range []struct{ name, scenarios, transcript string }{
		{"a: scalar", "  - {id: x, when: {command: c, args: {-f: v, 0: p}}, then: {}}\n", "$ c -f v p\n= x\n$ c -f p v\n= none"},
		{"a: number", "  - {id: x, when: {command: c, args: {-f: 80, 0: p}}, then: {}}\n", "$ c -f 80 p\n= x\n$ c -f p\n= none"},
		{"a: oneOf", "  - {id: x, when: {command: c, args: {-f: {oneOf: [v]}, 0: p}}, then: {}}\n", "$ c -f v p\n= x\n$ c -f p v\n= none"},
		{"a: over c", `
  - {id: x, when: {command: c, args: {-f: {any: true}}}, then: {output: ["{{ args.f }}"]}}
  - {id: y, when: {command: c d, args: {-f: true}}, then: {}}
`, "$ c d -f v\n| v\n= x"},
		{"b: over c", `
  - {id: x, when: {command: c, args: {-f: true, 0: {any: true}}}, then: {output: ["{{ args.0 }}"]}}
  - {id: y, when: {command: c, args: {-f: {any: true}}}, then: {}}
`, "$ c -f v\n| v\n= x"},
		{"b: absence in this scenario", `
  - {id: no, when: {command: c, args: {-g: false, -f: true, 0: v}}, then: {}}
  - {id: yes, when: {command: c, args: {-g: true, 0: v}}, then: {}}
`, "$ c -g v\n= yes\n$ c -f v\n= no"},
		{"c: another scenario names it by value", `
  - {id: named, when: {command: c run, args: {-f: never}}, then: {}}
  - {id: x, when: {command: c run, args: {0: {any: true}}}, then: {output: ["{{ args.0 }}"]}}
`, "$ c run -f v p\n| p\n= x\n$ c run -f -v p\n| p\n= x"},
		{"c: another scenario names it present", `
  - {id: named, when: {command: c run, args: {-f: true, 0: never}}, then: {}}
  - {id: x, when: {command: c run, args: {0: {any: true}}}, then: {output: ["{{ args.0 }}"]}}
`, "$ c run -f v p\n| v\n= x"},
		{"c: another scenario names it absent", `
  - {id: named, when: {command: c run, args: {-f: false, 0: never}}, then: {}}
  - {id: x, when: {command: c run, args: {0: {any: true}}}, then: {output: ["{{ args.0 }}"]}}
`, "$ c run -f v p\n| v\n= x"},
		{"c: a later scenario counts too", `
  - {id: x, when: {command: c run, args: {0: {any: true}}}, then: {output: ["{{ args.0 }}"]}}
  - {id: named, when: {command: c run, args: {-f: true}}, then: {}}
`, "$ c run -f v p\n| v\n= x"},
		{"c: the longest shared path decides, present", `
  - {id: short, when: {command: c, args: {-f: {any: true}, 0: never}}, then: {}}
  - {id: long, when: {command: c run, args: {-f: true, 0: never}}, then: {}}
  - {id: x, when: {command: c run, args: {0: {any: true}}}, then: {output: ["{{ args.0 }}"]}}
`, "$ c run -f v p\n| v\n= x"},
		{"c: the longest shared path decides, value", `
  - {id: short, when: {command: c, args: {-f: true, 0: never}}, then: {}}
  - {id: long, when: {command: c run, args: {-f: never}}, then: {}}
  - {id: x, when: {command: c run, args: {0: {any: true}}}, then: {output: ["{{ args.0 }}"]}}
`, "$ c run -f v p\n| p\n= x"},
		{"c: on a tie by value wins", `
  - {id: one, when: {command: c run, args: {-f: true, 0: never}}, then: {}}
  - {id: two, when: {command: c run, args: {-f: never}}, then: {}}
  - {id: x, when: {command: c run, args: {0: {any: true}}}, then: {output: ["{{ args.0 }}"]}}
`, "$ c run -f v p\n| p\n= x"},
		{"c: not of another first word", `
  - {id: other, when: {command: d, args: {-f: true}}, then: {}}
  - {id: x, when: {command: c, args: {0: {any: true}}}, then: {output: ["{{ args.0 }}"]}}
`, "$ c -f v p\n| p\n= x"},
		{"c: no second reading", `
  - {id: named, when: {command: c, args: {-f: never}}, then: {}}
  - {id: x, when: {command: c, args: {0: v}}, then: {}}
`, "$ c -f v p\n= none\n$ c -f p v\n= x"},
		{"d: takes the next word", "  - {id: x, when: {command: c, args: {0: {any: true}}}, then: {output: [\"{{ args.0 }}\"]}}\n", "$ c -f v p\n| p\n= x\n$ c --f v p\n| p"},
		{"d: not a flag", "  - {id: x, when: {command: c, args: {0: {any: true}}}, then: {output: [\"{{ args.0 }}\"]}}\n", "$ c -f -g p q\n| q\n$ c -f --g=v p\n| p"},
		{"d: a value in it takes none", "  - {id: x, when: {command: c, args: {0: {any: true}}}, then: {output: [\"{{ args.0 }}\"]}}\n", "$ c --f=v p\n| p"},
		{"d: second reading takes none", "  - {id: x, when: {command: c, args: {0: v}}, then: {}}\n", "$ c -f v\n= x\n$ c -f v p\n= x\n$ c -f p v\n= x"},
		{"d: second reading captures", `
  - {id: x, when: {command: c, args: {0: v, 1: {any: true}}}, then: {output: ["{{ args.1 }}"]}}
`, "$ c -f v p\n| p"},
		{"d: first reading wins", `
  - {id: x, when: {command: c, args: {0: {oneOf: [v, p]}}}, then: {output: ["{{ args.0 }}"]}}
`, "$ c -f v p\n| p\n$ c -f v\n| v"},
		{"d: second reading leaves later flags", `
  - {id: x, when: {command: c, args: {0: v, 1: p}}, then: {}}
`, "$ c v -f p\n= none\n$ c -f v -g a p\n= x\n$ c -f v -g p\n= none"},
		{"d: each scenario both ways before the next", `
  - {id: x, when: {command: c, args: {0: v}}, then: {}}
  - {id: y, when: {command: c, args: {0: p}}, then: {}}
`, "$ c -f v p\n= x"},
		{"a bundle takes by its last letter, a", `
  - {id: x, when: {command: c, args: {-n: {any: true}, 0: p}}, then: {output: ["{{ args.n }}"]}}
`, "$ c -in v p\n| v\n$ c -ni p\n| "},
		{"a bundle takes by its last letter, c", `
  - {id: named, when: {command: c, args: {-n: never}}, then: {}}
  - {id: x, when: {command: c, args: {0: {any: true}}}, then: {output: ["{{ args.0 }}"]}}
`, "$ c -in v p\n| p\n$ c -ni v p\n| v"},
		{"a bundle takes nothing by d", "  - {id: x, when: {command: c, args: {0: {any: true}}}, then: {output: [\"{{ args.0 }}\"]}}\n", "$ c -it v p\n| v"},
	} {
		t.Run(c.name, func(t *testing.T) { captured(t, c.scenarios, c.transcript) })
	}
}

func TestE5Matchers(t *testing.T) {
	for _, c := range []struct {
		name, args string
		yes, no    []string
	}{
		{"text", "{0: web}", lines("c web", `c "web"`), lines("c Web", "c webs", "c")},
		{"a number compares as text", "{0: 3}", lines("c 3", "c '3'"), lines("c 3.0", "c 03", "c 4")},
		{"a number as it was written", "{0: 1.0, 1: 0x10}", lines("c 1.0 0x10"), lines("c 1 16", "c 1 0x10", "c 1.0 16")},
		{"a number on a flag", "{--port: 8080}", lines("c --port 8080", "c --port=8080"), lines("c --port 80")},
		{"present positional", "{0: true}", lines("c a", `c ""`, "c a b"), lines("c", "c -f")},
		{"present second positional", "{1: true}", lines("c a b"), lines("c a")},
		{"absent positional", "{0: false}", lines("c", "c -f", "c -f=a"), lines("c a")},
		{"absent second positional", "{0: a, 1: false}", lines("c a", "c a -f x"), lines("c a b")},
		{"quoted true is text", `{-f: "true", 0: "false"}`, lines("c -f true false", "c -f=true false"), lines("c -f", "c -f false", "c -f yes false")},
		{"any on a positional", "{0: {any: true}}", lines("c a", "c x y"), lines("c", "c -f")},
		{"one of", "{0: {oneOf: [nginx, redis]}}", lines("c nginx", "c redis x"), lines("c", "c x", "c nginxredis")},
		{"one of, as text", "{0: {oneOf: [80, 1.0]}}", lines("c 80", "c 1.0"), lines("c 1", "c 80.0")},
		{"all must match", "{0: a, 1: b, -f: true}", lines("c a b -f", "c -f a b"), lines("c a b", "c a -f", "c b a -f")},
		{"quoted positional index", `{"0": a}`, lines("c a"), lines("c b a")},
		{"a high index", "{3: d}", lines("c a b c d"), lines("c a b c", "c d")},
	} {
		t.Run(c.name, func(t *testing.T) { matches(t, "{command: c, args: "+c.args+"}", c.yes, c.no) })
	}
	t.Run("what captures", func(t *testing.T) {
		captured(t, `
  - id: x
    when: {command: c, args: {-a: {any: true}, -o: {oneOf: [one, two]}, -s: text, -n: 7, 0: {any: true}, 1: word, -p: true, 2: true}}
    then: {output: ["{{ args.a }},{{ args.o }},{{ args.s }},{{ args.n }},{{ args.0 }},{{ args.1 }},{{ args.p }},{{ args.2 }}."]}
`, "$ c -a A -o two -s text -n 7 zero word third -p\n| A,two,text,7,zero,word,,.")
	})
	for name, when := range map[string]string{
		"plain": `"nginx:latest"`, "blanks": `"  nginx:latest "`,
	} {
		t.Run("prompt in a command scenario, "+name, func(t *testing.T) {
			matches(t, "{command: docker pull, prompt: "+when+"}",
				lines("docker pull nginx:latest", "docker pull ' nginx:latest  '", "docker pull -q nginx:latest", "docker pull nginx:latest -q", "docker -H x pull nginx:latest"),
				lines("docker pull", "docker pull nginx", "docker pull nginx:latest x", "docker pull NGINX:latest"))
		})
	}
	t.Run("prompt joins positionals by blanks", func(t *testing.T) {
		matches(t, "{command: ask, prompt: 'how  are you'}", lines("ask 'how  are' you", "ask 'how  are you'", "ask 'how ' are you"), lines("ask how are you", "ask how"))
	})
	t.Run("prompt after a path with a flag, or without a path", func(t *testing.T) {
		matches(t, "{command: kubectl apply -f, prompt: x}", lines("kubectl apply -f x", "kubectl apply -f x -n"), lines("kubectl apply -f", "kubectl apply -f y"))
		matches(t, "{prompt: a b}", lines("a b", "a b -x"), lines("a", "a b c", "a -x b"))
	})
	t.Run("an empty prompt", func(t *testing.T) {
		matches(t, "{command: ask, prompt: ''}", lines("ask", "ask -x", "ask ' '"), lines("ask x"))
	})
	for _, bad := range []string{
		"{any: false}", "{any: yes please}", "{any: true, oneOf: [a]}", "{oneOf: []}", "{oneOf: a}", "{oneOf: [[a]]}", "{oneOf: [{a: b}]}",
		"{}", "[a]", "{equals: a}", "{any: true, x: 1}", "null", "",
	} {
		t.Run("error: "+bad, func(t *testing.T) {
			rejects(t, "scenarios: [{id: x, when: {command: c, args: {0: "+bad+"}}, then: {}}]", "matcher", "wrong-type", "unknown-key", "missing-key")
		})
	}
}
