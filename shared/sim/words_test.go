package sim_test

import (
	"slices"
	"strings"
	"testing"
)

const words = `
scenarios:
  - id: say
    when: {command: say, args: {0: {any: true}, 1: {any: true}}}
    then: {output: ["[{{ args.0 }}][{{ args.1 }}]"]}
  - id: say-one
    when: {command: say, args: {0: {any: true}}}
    then: {output: ["[{{ args.0 }}]"]}
  - {id: say-none, when: {command: say}, then: {}}
`

func TestE1Words(t *testing.T) {
	for _, c := range []struct{ name, line, out string }{
		{"blanks separate", "say a  b", "[a][b]"},
		{"tabs separate", "say\ta\t b", "[a][b]"},
		{"blanks around", "  say a  ", "[a]"},
		{"single quotes are literal", `say 'a  "b\$' c`, `[a  "b\$][c]`},
		{"a backslash before the closing single quote", `say 'a\' b`, `[a\][b]`},
		{"double quotes keep blanks", `say "a  b"`, "[a  b]"},
		{"single quotes in double", `say "a 'b'"`, "[a 'b']"},
		{"escaped double quote", `say "a\"b"`, `[a"b]`},
		{"escaped backslash", `say "a\\b"`, `[a\b]`},
		{"escaped dollar", `say "a\$b"`, `[a$b]`},
		{"escaped backquote", "say \"a\\`b\"", "[a`b]"},
		{"a backslash before else stays", `say "a\nb\'c\ d"`, `[a\nb\'c\ d]`},
		{"outside a backslash quotes anything", `say a\ b\n\"\'\\`, `[a bn"'\]`},
		{"an escaped separator", `say a\;b \&\& `, `[a;b][&&]`},
		{"quoted parts join", `say a"b c"'d e'f`, "[ab cd ef]"},
		{"an empty word", `say "" ''`, "[][]"},
		{"dollar is not expanded", `say $HOME "$HOME"`, "[$HOME][$HOME]"},
		{"backquotes are not expanded", "say `a`", "[`a`]"},
		{"globs and tilde are not expanded", `say *.go ~/x`, "[*.go][~/x]"},
		{"braces are not expanded", `say {a,b} $(c)`, "[{a,b}][$(c)]"},
		{"a comment ends the line", "say a # b", "[a]"},
		{"a comment with separators", "say a #; say b", "[a]"},
		{"a comment with a quote", "say a # don't", "[a]"},
		{"a comment with a backslash", `say a # b\`, "[a]"},
		{"hash inside a word", "say a#b", "[a#b]"},
		{"a quoted hash", `say "#a" '#b'`, "[#a][#b]"},
		{"an escaped hash", `say \#a`, "[#a]"},
		{"a hash after an empty quote", `say ""#a`, "[#a]"},
		{"a quoted command", `"say" a`, "[a]"},
		{"unicode", `say "héllo 🐋"`, "[héllo 🐋]"},
		{"a no-break space is no blank", "say a\u00a0b", "[a\u00a0b]"},
	} {
		t.Run(c.name, func(t *testing.T) {
			play(t, words, "$ "+c.line+"\n| "+c.out)
		})
	}
}

func TestE1WordsNothing(t *testing.T) {
	for _, line := range []string{"", "   ", "\t", "#", "# say a", "  # say a"} {
		p := player(t, words+"  - {id: all, then: {}}\n")
		before := p.State().Digest()
		_, o := p.Act("line", "terminal", line)
		if o.Scenario() != "" || o.Exit() != 0 || len(o.Blocks()) > 0 || len(p.State().History()) > 0 {
			t.Errorf("%q did something", line)
		}
		if p.State().Digest() != before {
			t.Errorf("%q changed the state", line)
		}
	}
}

func TestE1WordsContinuation(t *testing.T) {
	const unmatched = "= none mode=command"
	cases := map[string]string{
		"double quote": "$ say \"a\n= - mode=continuation prompt=>\n$ b\"\n| [a\n| b]\n= say-one mode=command",
		"single quote": "$ say 'a\n= - mode=continuation prompt=>\n$ b'\n| [a\n| b]",
		"trailing backslash": `
$ say a\
= - mode=continuation prompt=>
$ b
| [ab]
= say-one mode=command
? history ["say a\\\nb"]`,
		"a backslash before a blank is no trailing one": "$ say a\\ \n| [a ]\n= say-one mode=command",
		"a doubled trailing backslash is none":          "$ say a\\\\\n| [a\\]\n= say-one mode=command",
		"backslash between words":                       "$ say a \\\n$ b\n| [a][b]",
		"backslash in double quotes":                    "$ say \"a\\\n= - mode=continuation\n$ b\"\n| [ab]",
		"backslash in single quotes":                    "$ say 'a\\\n= - mode=continuation\n$ b'\n| [a\\\n| b]",
		"three lines":                                   "$ say \\\n$ a \\\n= - mode=continuation\n$ b\n| [a][b]",
		"an empty line ends it":                         "$ say a \\\n$ \n| [a]\n= say-one mode=command",
		"a comment in the rest":                         "$ say a \\\n$ # b\n| [a]",
		"unmatched in the end":                          "$ nope \\\n= - mode=continuation\n$ x\n" + unmatched,
		"nothing runs before":                           "$ say a; say \"b\n= - mode=continuation\n$ c\"\n| [a]\n| [b\n| c]",
	}
	for name, transcript := range cases {
		t.Run(name, func(t *testing.T) { play(t, words, transcript) })
	}
	t.Run("not in history until it ends", func(t *testing.T) {
		p := play(t, words, "$ say \"a\n= - mode=continuation\n? history []\n$ b\"\n| [a\n| b]")
		if h := p.State().History(); !slices.Equal(h, []string{"say \"a\nb\""}) {
			t.Errorf("history %q", h)
		}
	})
	t.Run("belongs to its terminal", func(t *testing.T) {
		play(t, words, `
$ say "a
= - mode=continuation
@ terminal two
$ say x
| [x]
= say-one mode=command
@ terminal one
$ b"
| [a
| b]
? history ["say x","say \"a\nb\""]`, "terminals: [{id: one, title: One}, {id: two, title: Two}]")
	})
	t.Run("interrupt drops it", func(t *testing.T) {
		play(t, words, "$ say \"a\n= - mode=continuation\n@ interrupt\n= - mode=command exit=130\n! *\n| *\n$ say b\n| [b]")
	})
	t.Run("a block that ends so is dropped with exit 2", func(t *testing.T) {
		for _, line := range []string{`say "a`, "say 'a", `say a\`} {
			p := player(t, words)
			p.Act("line", "terminal", line)
			_, o := p.Act("end", "terminal", "")
			if o.Exit() != 2 || len(o.Lines(1)) == 0 || o.Mode.String() != "command" || o.Scenario() != "" {
				t.Errorf("%q: exit %d, stderr %q, mode %v", line, o.Exit(), o.Lines(1), o.Mode)
			}
			run(t, p, "$ say b\n| [b]")
		}
	})
	t.Run("never a session turn or an input step", func(t *testing.T) {
		play(t, `
scenarios:
  - {id: chat, when: {command: chat}, then: {session: {prompt: "c> "}}}
  - {id: ask, when: {command: ask}, then: {input: {key: k, prompt: "k: ", then: {output: ["[{{ input.k }}]"]}}}}
  - {id: any, when: {agent: true}, then: {output: [heard]}}
`, `
$ ask
= ask mode=input
$ don't\
| [don't\]
= ask mode=command
$ chat
| *
= chat mode=session
$ don't\
| heard
= any mode=session`)
	})
}

func TestE1WordsHistory(t *testing.T) {
	const lab = `
scenarios:
  - {id: fail, when: {command: fail}, then: {files: [{replace: no, find: a, with: b}]}}
  - {id: show, when: {command: show}, then: {output: ["{{ state.history }}"]}}
  - {id: chat, when: {command: chat}, then: {session: {}}}
  - {id: ask, when: {command: ask}, then: {input: {key: k, prompt: "k: ", then: {output: [ok]}}}}
  - {id: last, when: {command: last, state: {history.0: "ls  'x'"}}, then: {output: [guard]}}
`
	t.Run("raw, once, whatever happens", func(t *testing.T) {
		play(t, lab, `
$ ls  'x'
! *
= ls() exit=1
$ nope # why
= none
$ fail
! *
= fail exit=1
$ ; ;
! *
= - exit=2
$  show 
| *
? history ["ls  'x'","nope # why","fail","; ;"," show "]`)
	})
	t.Run("before it is matched", func(t *testing.T) {
		play(t, lab, "$ show\n| [\"show\"]\n$ show; show\n| [\"show\",\"show; show\"]\n| [\"show\",\"show; show\"]")
	})
	t.Run("guards read it", func(t *testing.T) {
		play(t, lab, "$ ls  'x'\n! *\n= ls() exit=1\n$ last\n| guard")
	})
	t.Run("bang lines without the bang, prompts and answers not", func(t *testing.T) {
		play(t, lab, `
$ chat
| *
$ hello
| *
$ !show
| ["chat","show"]
$ !ask
= ask mode=input
$ answer
| ok
= ask mode=session
$ /exit
| *
? history ["chat","show","ask"]`)
	})
}

func TestE1WordsQuotingNeverPanics(t *testing.T) {
	p := player(t, words)
	alphabet := []string{"'", `"`, `\`, "#", " ", ";", "&&", "||", "a", "-", "\t", "$", "\n", "\xff"}
	state := uint32(7)
	for range 20_000 {
		var b strings.Builder
		for range 8 {
			state = state*1664525 + 1013904223
			b.WriteString(alphabet[int(state>>16)%len(alphabet)])
		}
		p.Act("line", "terminal", b.String())
		p.Act("end", "terminal", "")
	}
}
