package sim

import (
	"slices"
	"strconv"
	"strings"

	"asz/shared/lab"
)

// Capture is one value that a matcher kept for templates.
type Capture struct{ Name, Value string }

// Prepared is a command or prompt with everything about matching it that does
// not depend on the state. It may be used for many states, by one goroutine.
type Prepared struct {
	prog     *program
	terminal string
	agent    bool
	prompt   string // of an agent turn, without outer blanks
	lower    string // prompt in lower case
	words    []string
	flags    []flagWord // one for each word; nil when no word is a flag

	candidates []int32
	next       int   // candidates[:next] have been looked at
	fits       []fit // those of them that match in every state with the right guards
	first      [1]fit

	positionals []string     // scratch of read
	occurrences []occurrence // scratch of read
	few         [6]string    // where positionals begin
	some        [4]occurrence
}

// fit is a rule whose conditions all hold, but for those on the state.
type fit struct {
	rule     int32
	captures []Capture
}

// flagWord is what can be said of one word without knowing the scenario.
type flagWord struct {
	flag     bool
	bundle   bool // -dit for -d -i -t
	hasValue bool // --k=v
	known    bool // labs.md E4 (c) decides…
	takes    bool // …that it takes the next word
	name     string
	value    string
}

// occurrence is one flag as one scenario reads it.
type occurrence struct {
	word  int
	value string
}

// prepareCommand gets the words of one command ready; words is not empty.
func (p *program) prepareCommand(terminal string, words []string) *Prepared {
	q := &Prepared{prog: p, terminal: terminal, words: words}
	q.positionals, q.occurrences, q.fits = q.few[:0], q.some[:0], q.first[:0]
	for i, w := range words {
		if lab.IsFlag(w) {
			if q.flags == nil {
				q.flags = make([]flagWord, len(words))
			}
			q.flags[i] = p.newFlagWord(w)
		}
	}
	if lab.IsFlag(words[0]) {
		// No index: the first positional, whichever it is, may be the command.
		q.candidates = p.commands
		return q
	}
	index := p.byWord[words[0]]
	if index != nil && q.flags != nil {
		q.decideFlags(index)
	}
	if index == nil {
		q.candidates = p.always
		return q
	}
	q.candidates = mergeSorted(p.always, index.single)
	for i, w := range words[1:] {
		if !slices.Contains(words[1:1+i], w) {
			q.candidates = mergeSorted(q.candidates, index.second[w])
		}
	}
	return q
}

// mergeSorted joins two ascending lists into one.
func mergeSorted(a, b []int32) []int32 {
	switch {
	case len(a) == 0:
		return b
	case len(b) == 0:
		return a
	}
	out := make([]int32, 0, len(a)+len(b))
	for len(a) > 0 && len(b) > 0 {
		if a[0] < b[0] {
			out, a = append(out, a[0]), a[1:]
		} else {
			out, b = append(out, b[0]), b[1:]
		}
	}
	return append(append(out, a...), b...)
}

func (p *program) preparePrompt(terminal, prompt string) *Prepared {
	prompt = strings.TrimSpace(prompt)
	return &Prepared{
		prog: p, terminal: terminal, agent: true,
		prompt: prompt, lower: strings.ToLower(prompt), candidates: p.agents,
	}
}

func (p *program) newFlagWord(w string) flagWord {
	f := flagWord{flag: true, name: lab.FlagName(w)}
	if name, value, ok := strings.Cut(f.name, "="); ok {
		f.name, f.value, f.hasValue = name, value, true
	}
	f.bundle = w[1] != '-' && len(f.name) > 1 && !f.hasValue && isLetters(f.name) && !p.flagNames[f.name]
	return f
}

func isLetters(s string) bool {
	for i := range len(s) {
		if c := s[i] | 0x20; c < 'a' || c > 'z' {
			return false
		}
	}
	return true
}

// last is the name that decides whether the word after a flag belongs to it.
func (f *flagWord) last() string {
	if f.bundle {
		return f.name[len(f.name)-1:]
	}
	return f.name
}

// decideFlags settles labs.md E4 (c) for the line: of the scenarios with the same
// first path word that name a flag, the one sharing the longest path with the
// line decides. The path is sought in the leading words, then also in the
// leading positionals as the first answer reads them.
func (q *Prepared) decideFlags(index *wordIndex) {
	decide := func(positionals []string) {
		for i := range q.flags {
			f := &q.flags[i]
			if !f.flag {
				continue
			}
			best := 0
			f.known, f.takes = false, false
			for _, use := range index.flags[f.last()] {
				n := max(sharedPrefix(use.path, q.words), sharedPrefix(use.path, positionals))
				if n > best || n == best && use.byValue {
					f.takes = use.byValue
				}
				best = max(best, n)
				f.known = true
			}
		}
	}
	decide(nil)
	q.read(nil, 0, 0, false)
	if sharedPrefix(q.positionals, q.words) < len(q.positionals) {
		decide(q.positionals)
	}
}

// read takes the words from index from on apart into q.positionals and
// q.occurrences, as the scenario r (nil: none) sees them. The first path
// positionals belong to its path. With bare, flags before the first positional
// after the path that nothing is known of take no word (labs.md E4); it reports
// whether that would make a difference.
func (q *Prepared) read(r *rule, from, path int, bare bool) (differs bool) {
	q.positionals, q.occurrences = q.positionals[:0], q.occurrences[:0]
	if q.flags == nil {
		q.positionals = append(q.positionals, q.words[from:]...)
		return false
	}
	ended := false
	for i := from; i < len(q.words); i++ {
		f := &q.flags[i]
		if ended || !f.flag {
			q.positionals = append(q.positionals, q.words[i])
			continue
		}
		if q.words[i] == "--" {
			ended = true
			continue
		}
		o := occurrence{i, f.value}
		takes, guess := f.takesNext(r)
		if guess {
			takes = i+1 < len(q.words) && !q.flags[i+1].flag
			if takes && len(q.positionals) <= path {
				differs = true
				takes = !bare
			}
		}
		if takes {
			if i++; i < len(q.words) {
				o.value = q.words[i]
			}
		}
		q.occurrences = append(q.occurrences, o)
	}
	return differs
}

// takesNext applies labs.md E4 (a) to (c); guess is left for (d).
func (f *flagWord) takesNext(r *rule) (takes, guess bool) {
	if f.hasValue {
		return false, false
	}
	name, named := f.last(), false
	if r != nil {
		for i := range r.When.Args {
			a := &r.When.Args[i]
			if a.Flag != "" && a.Flag == name {
				if a.Matcher.Kind.ByValue() {
					return true, false
				}
				named = true
			}
		}
	}
	if named {
		return false, false
	}
	if f.known {
		return f.takes, false
	}
	return false, !f.bundle
}

// Select returns the first rule that matches in the state, or -1.
func (q *Prepared) Select(s *State) (rule int, captures []Capture) {
	for i := 0; ; i++ {
		for i == len(q.fits) {
			if q.next == len(q.candidates) {
				return -1, nil
			}
			r := q.candidates[q.next]
			q.next++
			if captures, ok := q.fit(&q.prog.rules[r], nil); ok {
				q.fits = append(q.fits, fit{r, captures})
			}
		}
		f := &q.fits[i]
		if q.prog.rules[f.rule].guarded(s, nil) {
			return int(f.rule), f.captures
		}
	}
}

// guarded reports whether the rule's conditions on the state hold.
func (r *rule) guarded(s *State, why *Miss) bool {
	for i := range r.guards {
		g := &r.guards[i]
		if got := s.Lookup(g.path); !Holds(g.want, got) {
			return why.state(r.When.State[i].Path, g.want, got)
		}
	}
	return true
}

// Holds is the equality of labs.md E6: typed, and null (or a missing key) also
// equals false, 0 and "".
func Holds(want, got lab.Value) bool {
	if want.IsNull() {
		want, got = got, want
	}
	if got.IsNull() {
		switch want.Kind() {
		case lab.KindNull:
			return true
		case lab.KindBool:
			return !want.Truth()
		case lab.KindText:
			return want.Text() == ""
		}
		return lab.Equal(want, lab.Int(0))
	}
	return lab.Equal(want, got)
}

// fit checks every condition of a rule but those on the state, in the order of
// simulator.md 6. why, when not nil, gets the first that failed.
func (q *Prepared) fit(r *rule, why *Miss) (captures []Capture, ok bool) {
	if q.agent {
		return nil, q.fitPrompt(r, q.prompt, q.lower, why) && q.fitTerminal(r, why)
	}
	path := r.When.Command
	if len(path) > 0 && lab.IsFlag(q.words[0]) {
		q.decideFlags(q.prog.byWord[path[0]])
	}
	from, inside := len(path), 0
	if sharedPrefix(path, q.words) < len(path) {
		if r.flagged || q.flags == nil {
			return nil, why.command(path, q.words)
		}
		from, inside = 0, len(path)
	}
	if len(r.When.Args) == 0 && r.When.Prompt == nil && r.contains == nil && inside == 0 {
		return nil, q.fitTerminal(r, why)
	}
	differs := q.read(r, from, inside, false)
	captures, ok = q.fitRead(r, inside, why)
	if !ok && differs {
		q.read(r, from, inside, true)
		captures, ok = q.fitRead(r, inside, nil)
	}
	return captures, ok && q.fitTerminal(r, why)
}

// fitRead checks what q.read found.
func (q *Prepared) fitRead(r *rule, inside int, why *Miss) (captures []Capture, ok bool) {
	path := r.When.Command[:inside]
	if sharedPrefix(path, q.positionals) < inside {
		return nil, why.command(path, q.words)
	}
	positionals := q.positionals[inside:]
	byValue := 0
	for i := range r.When.Args {
		a := &r.When.Args[i]
		if value, present, good := q.matchArg(a, positionals); !good {
			why.args(q, r, positionals)
			return nil, why.arg(a, present, value)
		}
		if a.Matcher.Kind.ByValue() {
			byValue++
		}
	}
	if byValue > 0 { // only now, so that a scenario that does not match costs no memory
		captures = make([]Capture, 0, byValue)
		for i := range r.When.Args {
			if a := &r.When.Args[i]; a.Matcher.Kind.ByValue() {
				value, _, _ := q.matchArg(a, positionals)
				captures = append(captures, Capture{argName(a), value})
			}
		}
	}
	if r.When.Prompt != nil || r.contains != nil {
		text := strings.TrimSpace(strings.Join(positionals, " "))
		return captures, q.fitPrompt(r, text, strings.ToLower(text), why)
	}
	return captures, true
}

func (q *Prepared) matchArg(a *lab.Arg, positionals []string) (value string, present, good bool) {
	if a.Flag != "" {
		return q.matchFlag(a)
	}
	if present = a.Pos < len(positionals); present {
		value = positionals[a.Pos]
	}
	return value, present, accepts(a.Matcher, present, value)
}

// argName is what templates call an argument.
func argName(a *lab.Arg) string {
	if a.Flag != "" {
		return a.Flag
	}
	return strconv.Itoa(a.Pos)
}

// matchFlag looks at each occurrence of a flag; the first that fits counts.
func (q *Prepared) matchFlag(a *lab.Arg) (value string, present, good bool) {
	for _, o := range q.occurrences {
		f := &q.flags[o.word]
		v := o.value
		if f.name != a.Flag {
			at := -1
			if f.bundle && len(a.Flag) == 1 {
				at = strings.LastIndexByte(f.name, a.Flag[0])
			}
			if at < 0 {
				continue
			}
			if at < len(f.name)-1 {
				v = ""
			}
		}
		if a.Matcher.Kind == lab.MatchAbsent {
			return v, true, false
		}
		if accepts(a.Matcher, true, v) {
			return v, true, true
		}
		if !present {
			value, present = v, true
		}
	}
	return value, present, !present && accepts(a.Matcher, false, "")
}

func (q *Prepared) fitPrompt(r *rule, text, lower string, why *Miss) bool {
	if r.When.Prompt != nil && r.prompt != text {
		return why.text("prompt", r.prompt, text)
	}
	for i, c := range r.contains {
		if !strings.Contains(lower, c) {
			return why.text("promptContains", r.When.PromptContains[i], text)
		}
	}
	return true
}

func (q *Prepared) fitTerminal(r *rule, why *Miss) bool {
	if r.When.Terminal != "" && r.When.Terminal != q.terminal {
		return why.text("terminal", r.When.Terminal, q.terminal)
	}
	return true
}

// accepts applies one matcher to a word that may be absent.
func accepts(m lab.Matcher, present bool, value string) bool {
	switch m.Kind {
	case lab.MatchPresent, lab.MatchAny:
		return present
	case lab.MatchAbsent:
		return !present
	}
	return present && slices.Contains(m.Set, value)
}
