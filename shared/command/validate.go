package command

import (
	"cmp"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"asz/shared/diag"
	"asz/shared/lab"
	"asz/shared/labfile"
	"asz/shared/validate"
)

// Exit codes of validate-lab, beside exitUnusable.
const (
	exitErrors      = 1 // a lab has errors or, with --strict, warnings
	exitInterrupted = 130
)

// slice is how many transitions a search makes before its host looks up: about a
// tenth of a second.
const slice = 20_000

// quietSlices are searched before a progress line appears.
const quietSlices = 10

const validateHelp = `PATH is a lab's folder, its labspace.yaml, or a folder of labs; without one it
is the folder labs.

  asz validate-lab                      the labs in labs
  asz validate-lab labs/hello           one lab
  asz validate-lab --explain dead-end   what [dead-end] after a finding means

Each finding is shown with its place, the line, and what to do; below "play:"
stand the commands that lead there. The last line counts them, and says whether
all states that a learner can bring about were looked at. --explore auto ends
where no person would wait longer, full where memory does.

After a whole folder of labs without errors, labs.json, the list of its labs, is
written beside that folder.

--fix corrects only where it is clear what was meant, and keeps every other
byte.

--solution prints a script to standard output and everything else to standard
error. With several labs, each script stands below a line with # and the lab.

  asz validate-lab LAB --solution > FILE && asz play LAB --script FILE

--solution and --coverage go with the formats text and json, and need a search.

Exit codes: 0 no errors; 1 errors or, with --strict, warnings; 2 nothing could
be checked; 130 interrupted.
`

// Validate is `asz validate-lab`.
func Validate() *Command {
	return &Command{
		Name: "validate-lab", Args: "[PATH…]", Misuse: exitUnusable,
		Summary: "prove labs: find mistakes, dead ends and lines that nothing takes",
		Flags: []Flag{
			{Name: "format", Value: "FORMAT", Summary: "text (default), json, sarif or github"},
			{Name: "strict", Summary: "warnings count as errors"},
			{Name: "fix", Summary: "correct what is safe to correct, then check again"},
			{Name: "explain", Value: "CODE", Summary: "tell what a finding's code means, with an example"},
			{Name: "explore", Value: "HOW", Summary: "how far states are searched: off, auto (default) or full"},
			{Name: "solution", Summary: "print the shortest play that completes every step"},
			{Name: "coverage", Summary: "tell where each scenario, step and line is played"},
		},
		Help: validateHelp,
		Run:  runValidate,
	}
}

// validation is one use of validate-lab.
type validation struct {
	*Call
	targets
	format      string
	options     validate.Options
	interrupted func() bool
	progress    Progress
	skip        map[string]bool     // files that could not be corrected, by full path
	tried       map[string][]*tried // corrections that were made, by the file's full path
	again       map[string]int      // how often somebody else changed a file just then, by full path
	exit        int                 // exitUnusable when something could not be done
}

// checked is one lab with what its check found.
type checked struct {
	target
	validate.Result
}

func runValidate(c *Call) int {
	if c.Has("explain") {
		return explainCode(c)
	}
	v := &validation{
		Call: c, format: "text", interrupted: func() bool { return false }, skip: map[string]bool{},
		targets: targets{host: c.Host, folders: map[string]*folder{}, seen: map[string]bool{}},
	}
	if problem := v.readFlags(); problem != "" {
		return c.Usage("%s", problem)
	}
	paths := c.Operands
	if len(paths) == 0 {
		paths = []string{"labs"}
		if isMissing("labs") {
			return c.Fail(exitUnusable, "there is no folder labs here: name a lab's folder, or the folder your labs lie in")
		}
	}
	missed := false
	for _, p := range paths {
		if err := v.find(p); err != nil {
			c.Fail(exitUnusable, "%v", err)
			missed = true
		}
	}
	if missed {
		return exitUnusable
	}
	if c.Interrupts != nil {
		interrupted, stop := c.Interrupts()
		defer stop()
		v.interrupted = interrupted
	}
	v.progress.Shown = c.StderrTerminal
	v.progress.Out = c.Stderr
	return v.run()
}

func (v *validation) readFlags() (problem string) {
	if v.Has("format") {
		v.format = v.Value("format")
	}
	if !slices.Contains([]string{"text", "json", "sarif", "github"}, v.format) {
		return fmt.Sprintf("--format takes text, json, sarif or github, not %q", v.format)
	}
	if v.Has("explore") {
		modes := map[string]validate.Mode{"off": validate.Off, "auto": validate.Auto, "full": validate.Full}
		mode, ok := modes[v.Value("explore")]
		if !ok {
			return fmt.Sprintf("--explore takes off, auto or full, not %q", v.Value("explore"))
		}
		v.options.Explore = mode
	}
	v.options.Solution, v.options.Coverage = v.Has("solution"), v.Has("coverage")
	switch {
	case (v.options.Solution || v.options.Coverage) && v.format != "text" && v.format != "json":
		return "--solution and --coverage go with --format text or json"
	case (v.options.Solution || v.options.Coverage) && v.options.Explore == validate.Off:
		return "--solution and --coverage need a search: leave out --explore off"
	case slices.Contains(v.Operands, ""):
		return "a PATH is empty"
	}
	return ""
}

// run checks the labs, corrects them when asked to, and reports.
func (v *validation) run() int {
	options := v.options
	if v.Has("fix") {
		options = validate.Options{Explore: validate.Off} // most corrections need no search
	}
	results, complete := v.check(options)
	for round := 0; v.Has("fix") && complete; round++ {
		fixed := round < maxFixRounds && v.applyFixes(results)
		if !fixed && options == v.options {
			break
		}
		if !fixed {
			options = v.options
		}
		results, complete = v.check(options)
	}
	findings := v.collect(results)
	out, aside := &checkedWriter{Writer: v.Stdout}, &checkedWriter{Writer: v.Stderr}
	v.report(out, aside, results, findings)
	errors, warnings := findings.Errors(), findings.Count(diag.Warning)
	switch {
	case out.err != nil || aside.err != nil:
		return v.Fail(exitUnusable, "the output cannot be written: %v", cmp.Or(out.err, aside.err))
	case !complete:
		return v.Fail(exitInterrupted, "interrupted in lab %d of %d; what was found until then is shown", max(1, len(results)), len(v.labs))
	}
	if errors == 0 {
		v.writeCatalogs(results)
	}
	switch {
	case v.exit != 0:
		return v.exit
	case errors > 0 || v.Has("strict") && warnings > 0:
		return exitErrors
	}
	return 0
}

// check looks at each lab; complete is false when it was interrupted, and then the
// last lab is known in part.
func (v *validation) check(o validate.Options) (results []checked, complete bool) {
	defer v.progress.Clear()
	for _, t := range v.labs {
		if v.interrupted() {
			return results, false
		}
		c := validate.New(t.files, t.dir, o)
		for slices := 0; c.Step(slice); slices++ {
			if v.interrupted() {
				return append(results, checked{t, *c.Result()}), false
			}
			if slices >= quietSlices {
				v.progress.Show("%s: %s states so far", t.name(), grouped(c.Progress().States))
			}
		}
		v.progress.Clear()
		results = append(results, checked{t, *c.Result()})
	}
	return results, true
}

// collect joins the findings of all labs, their files named for the format that
// is asked for. What two labs have in common is said once.
func (v *validation) collect(results []checked) diag.List {
	var all diag.List
	for _, r := range results {
		all = append(all, r.Findings...)
		r.Findings.Rename(func(name string) string { return v.named(r.target, name) })
	}
	all.Sort()
	return slices.CompactFunc(all, func(a, b diag.Diagnostic) bool {
		return a.Code == b.Code && a.Message == b.Message && a.Span.Start == b.Span.Start && a.Span.Len == b.Span.Len &&
			(a.Span.Source == b.Span.Source || a.Span.Source != nil && b.Span.Source != nil && a.Span.Source.Name == b.Span.Source.Name)
	})
}

// named is what the output calls a file of a folder of labs: the way from where
// the reader is or, in JSON, from the one folder that was given (labs.md 8).
func (v *validation) named(t target, file string) string {
	if v.format != "json" || len(v.Operands) > 1 {
		return t.folder.name(file)
	}
	if relative, err := filepath.Rel(v.base, file); err == nil {
		return filepath.ToSlash(relative)
	}
	return file
}

// writeCatalogs writes labs.json beside each whole folder of labs.
func (v *validation) writeCatalogs(results []checked) {
	for i, w := range v.whole {
		same := func(o whole) bool { return o.catalog == w.catalog }
		if n := slices.IndexFunc(v.whole, same); n < i {
			v.Fail(0, "%s is written for %s only, not for %s beside it", w.shownCatalog(), v.whole[n].shown, w.shown)
			continue
		}
		var labs []*lab.Lab
		for _, r := range results {
			if r.folder == w.folder && r.Lab != nil && !r.Skipped {
				labs = append(labs, r.Lab)
			}
		}
		if err := w.write(labfile.Catalog(labs)); err != nil {
			v.Fail(0, "%s cannot be written: %v", w.shownCatalog(), labfile.Reason(err))
		}
	}
}

// explainCode prints what a code means.
func explainCode(c *Call) int {
	code := c.Value("explain")
	if len(c.Operands) > 0 {
		return c.Usage("--explain takes one code and no PATH")
	}
	if rule, ok := diag.RuleOf(diag.Code(code)); ok {
		var b strings.Builder
		rule.WriteExplain(&b)
		return c.Print(b.String())
	}
	var codes []string
	for _, r := range diag.Rules() {
		codes = append(codes, string(r.Code))
	}
	if near := nearCodes(code, codes); len(near) > 0 {
		return c.Fail(exitUnusable, "there is no code %q; did you mean %s?", code, strings.Join(near, " or "))
	}
	c.Fail(0, "there is no code %q", code)
	fmt.Fprintf(c.Stderr, "the codes are:\n  %s\n", strings.Join(codes, "\n  "))
	return exitUnusable
}

// nearCodes are up to three codes that may be meant: the nearest ones, then those
// that hold the word.
func nearCodes(code string, codes []string) []string {
	var near []string
	for distance := range 3 {
		for _, c := range codes {
			if diag.Distance(strings.ToLower(code), c) == distance {
				near = append(near, c)
			}
		}
	}
	for _, c := range codes {
		if len(code) > 2 && strings.Contains(c, strings.ToLower(code)) && !slices.Contains(near, c) {
			near = append(near, c)
		}
	}
	return near[:min(3, len(near))]
}
