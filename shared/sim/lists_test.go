package sim_test

import "testing"

const lists = `
scenarios:
  - {id: ok, when: {command: ok}, completes: s-ok, then: {output: [ok], stderr: [e-ok]}}
  - {id: yes, when: {command: yes}, completes: s-yes, then: {output: [yes]}}
  - {id: no, when: {command: no}, completes: s-no, then: {stderr: [no], exit: 3}}
  - {id: words, when: {command: words, args: {0: {any: true}, 1: {any: true}, 2: {any: true}}}, then: {output: ["[{{ args.0 }}][{{ args.1 }}][{{ args.2 }}]"]}}
  - {id: word, when: {command: words, args: {0: {any: true}}}, then: {output: ["[{{ args.0 }}]"]}}
  - {id: and, when: {command: make && test, args: {0: {any: true}}}, then: {output: ["and {{ args.0 }}"]}}
  - {id: and-bare, when: {command: make && test}, then: {output: [and]}}
  - {id: or, when: {command: [retry, "||", stop]}, then: {output: [or]}}
  - {id: seq, when: {command: "one ; two"}, then: {output: [seq]}}
  - {id: word-op, when: {command: ["up;down"]}, then: {output: [one word]}}
  - {id: chat, when: {command: chat}, then: {session: {}}}
  - {id: ask, when: {command: ask}, then: {input: {key: k, prompt: "k: ", then: {}}}}
`

func TestE2Lists(t *testing.T) {
	for name, transcript := range map[string]string{
		"semicolon runs both":               "$ ok ; yes\n| ok\n| yes\n! e-ok\n= yes done=s-ok,s-yes",
		"semicolon after a failure":         "$ no ; yes\n| yes\n! no\n= yes done=s-no,s-yes exit=0",
		"and after success":                 "$ yes && ok\n| yes\n| ok\n! e-ok\n= ok",
		"and after failure":                 "$ no && yes\n! no\n= no exit=3 done=s-no",
		"or after success":                  "$ yes || no\n| yes\n= yes exit=0 done=s-yes",
		"or after failure":                  "$ no || yes\n| yes\n! no\n= yes exit=0 done=s-no,s-yes",
		"and or":                            "$ no && ok || yes\n| yes\n! no\n= yes",
		"or and":                            "$ yes || no && ok\n| yes\n| ok\n! e-ok\n= ok",
		"or or":                             "$ no || no || yes\n| yes\n! no\n! no\n= yes",
		"and semicolon":                     "$ no && ok ; yes\n| yes\n! no\n= yes",
		"without blanks":                    "$ yes;yes&&yes||no\n| yes\n| yes\n| yes\n= yes",
		"exit is the last that ran":         "$ yes ; no && ok\n| yes\n! no\n= no exit=3",
		"unmatched among them":              "$ nope ; yes\n| yes\n! " + notSimulated + "\n= yes exit=0",
		"unmatched last":                    "$ yes && nope\n| yes\n! " + notSimulated + "\n= - exit=127",
		"unmatched counts as a failure":     "$ nope || yes\n| yes\n! " + notSimulated + "\n= yes",
		"builtin last":                      "$ yes ; ls\n| yes\n= ls()",
		"builtin first":                     "$ ls && yes\n| yes\n= yes",
		"builtin failure":                   "$ cat x || yes\n| yes\n! *\n= yes",
		"trailing semicolon":                "$ yes;\n| yes\n= yes",
		"trailing semicolon, blanks":        "$ yes && yes ; \n| yes\n| yes\n= yes",
		"trailing semicolon, comment":       "$ yes ; # more\n| yes\n= yes",
		"leading semicolon":                 "$ ; yes\n! *\n= - exit=2",
		"lone semicolon":                    "$ ;\n! *\n= - exit=2",
		"empty command":                     "$ yes ; ; yes\n! *\n= - exit=2",
		"double semicolon":                  "$ yes;;\n! *\n= - exit=2",
		"trailing and":                      "$ yes &&\n! *\n= - exit=2",
		"trailing or":                       "$ yes ||\n! *\n= - exit=2",
		"leading and":                       "$ && yes\n! *\n= - exit=2",
		"leading or":                        "$ || yes\n! *\n= - exit=2",
		"and semicolon, empty":              "$ yes && ; yes\n! *\n= - exit=2",
		"and or, empty":                     "$ yes && || yes\n! *\n= - exit=2",
		"and comment":                       "$ yes && # yes\n! *\n= - exit=2",
		"an error after the first":          "$ yes ; yes ; && yes\n! *\n= - exit=2",
		"quoted operators are words":        "$ words ';' \"&&\" '||'\n| [;][&&][||]\n= words",
		"escaped operators are words":       `$ words \; \&\& \|\|` + "\n| [;][&&][||]\n= words",
		"operators inside a quote":          "$ words 'a;b' 'c && d' \"e||f\"\n| [a;b][c && d][e||f]",
		"a pipe is a word":                  "$ words a | b\n| [a][|][b]",
		"redirections are words":            "$ words > < x\n| [>][<][x]",
		"an ampersand is a word":            "$ words & a b\n| [&][a][b]",
		"inside of words":                   "$ words a|b c>d e&f\n| [a|b][c>d][e&f]",
		"a path with and":                   "$ make && test\n| and\n= and-bare",
		"a path with and takes words after": "$ make && test all\n| and all\n= and",
		"a path with or":                    "$ retry || stop\n| or\n= or",
		"a path with a semicolon":           "$ one ; two\n| seq\n= seq",
		"a path with and, then semicolon":   "$ make && test ; yes\n| and\n| yes\n= yes",
		"a path word with an operator":      "$ up;down now\n| one word\n= word-op\n$ up ; down\n! " + notSimulated + "\n! " + notSimulated + "\n= - exit=127",
		"a comment after an operator":       "$ yes;#yes\n| yes\n= yes",
		"a hash in a word after one":        "$ yes;words#a\n| yes\n! " + notSimulated + "\n= - exit=127",
		"another operator after its start":  "$ make ; test\n! " + notSimulated + "\n! " + notSimulated + "\n= - exit=127",
		"only at the line's begin":          "$ yes ; one ; two\n| yes\n! " + notSimulated + "\n! " + notSimulated + "\n= - exit=127",
		"not a prefix of it":                "$ make && yes\n! " + notSimulated + "\n= - exit=127",
		"a session ends the list":           "$ chat ; yes\n| *\n= chat mode=session",
		"an input ends the list":            "$ ask ; yes\n= ask mode=input done=\n$ v\n= ask mode=command",
		"an input ends it after and":        "$ yes && ask && yes\n| yes\n= ask mode=input done=s-yes",
		"history has the line once":         "$ yes ; yes\n| yes\n| yes\n? history [\"yes ; yes\"]",
		"history has a bad line":            "$ ; yes\n! *\n= - exit=2\n? history [\"; yes\"]",
	} {
		t.Run(name, func(t *testing.T) { play(t, lists, transcript) })
	}
	t.Run("later commands see earlier changes", func(t *testing.T) {
		play(t, `
scenarios:
  - {id: set, when: {command: set}, then: {state: {on: true}, files: [{create: f, content: x}]}}
  - {id: is, when: {command: is, state: {on: true}}, then: {output: [is]}}
`, "$ set && is && cat f\n| is\n| x\n= cat()")
	})
	t.Run("nothing runs of a bad list", func(t *testing.T) {
		play(t, "scenarios: [{id: set, when: {command: set}, completes: s, then: {state: {on: true}}}]",
			"$ set ; ; set\n! *\n= - exit=2 done=\n? on null")
	})
	t.Run("an agent prompt is no list", func(t *testing.T) {
		play(t, "scenarios: [{id: chat, when: {command: chat}, then: {session: {}}}, {id: a, when: {agent: true, prompt: 'x; y && z'}, then: {output: [heard]}}]",
			"$ chat\n| *\n$ x; y && z\n| heard\n= a")
	})
	t.Run("a bang line is a list", func(t *testing.T) {
		play(t, lists, "$ chat\n| *\n$ !yes && no\n| yes\n! no\n= no exit=3 mode=session done=s-yes,s-no")
	})
}
