package guirun

import (
	"regexp"
	"time"

	"asz/shared/diag"
	"asz/shared/yamldoc"
)

// Operator is what the operator's file sets: how runs are bounded, what they may use, and what is kept of them.
type Operator struct {
	MaxIterations int           // model calls of a run, unless the scenario says how many
	Deadline      time.Duration // of a whole run
	Reserve       time.Duration // the part of it that is kept for the final observation and the report
	ActionTimeout time.Duration // how long what an action needs is awaited
	ShellTimeout  time.Duration
	ShellOutput   int           // bytes of a command's output that are kept
	KeyDelay      time.Duration // between two keys
	Settle        time.Duration // between two screenshots that must be equal for a settled screen
	Model         ModelOptions
	Browser       BrowserOptions
	Logs          []string         // paths and globs, `~/` in front is HOME
	ErrorWords    []string         // what makes a dialog one of an error
	Redact        []*regexp.Regexp // taken out besides secrets
	Screenshots   string           // of the Screenshots… constants
	Deny          []string         // built-in tools that the model may not have
}

// ModelOptions say which model is asked. Provider "" is none.
type ModelOptions struct {
	Provider        string // of the Provider… constants
	Endpoint        string // URL; "": the provider's own
	Name            string
	APIKeyEnv       string        // the variable that holds the key
	Timeout         time.Duration // of a call; 0: the provider's default
	MaxOutputTokens int           // of an answer; 0: the provider's default
	File            string        // answers of ProviderScripted
}

// BrowserOptions say where the browser listens; "": it is found.
type BrowserOptions struct{ DebugURL string }

// Words of the operator's file.
const (
	ProviderOpenAI    = "openai"
	ProviderAnthropic = "anthropic"
	ProviderScripted  = "scripted"

	ScreenshotsAll      = "all"
	ScreenshotsFailures = "failures" // only of rows that did not pass
	ScreenshotsNone     = "none"
)

// DefaultOperator is what holds without a file, and for all that a file leaves out.
func DefaultOperator() *Operator {
	return &Operator{
		MaxIterations: 25,
		Deadline:      600 * time.Second,
		Reserve:       20 * time.Second,
		ActionTimeout: 10 * time.Second,
		ShellTimeout:  60 * time.Second,
		ShellOutput:   64 << 10,
		Settle:        250 * time.Millisecond,
		Logs:          []string{"~/.xsession-errors"},
		ErrorWords: []string{
			"error", "failed", "failure", "fatal", "crash", "crashed", "exception", "could not", "cannot", "unable to", "not responding",
		},
		Screenshots: ScreenshotsAll,
	}
}

// LoadOperator reads an operator file over the defaults. It is nil when a finding is an error.
func LoadOperator(src *diag.Source) (*Operator, diag.List) {
	o := DefaultOperator()
	doc, findings := yamldoc.Parse(src, yamldoc.Options{})
	if doc.Root != nil && (doc.Root.Kind != yamldoc.KindNull || doc.Root.Broken) {
		r := yamldoc.NewReader()
		if operatorType().Read(r, doc.Root, o) {
			o.check(r)
		}
		findings = append(findings, r.Findings...)
		findings.Sort()
	}
	if findings.Count(diag.Error) > 0 {
		return nil, findings
	}
	return o, findings
}

// check holds the values against each other.
func (o *Operator) check(r *yamldoc.Reader) {
	report := func(at any, code diag.Code, message, fix string) {
		if n := r.NodeOf(at); n != nil {
			r.Report(code, n.Span.FirstLine(), message).Fix = &diag.Fix{Text: fix}
		}
	}
	if o.Reserve >= o.Deadline {
		const message, fix = "the reserve leaves no time of the deadline", "make reserve_s smaller than deadline_s"
		if r.NodeOf(&o.Reserve) != nil {
			report(&o.Reserve, "wrong-type", message, fix)
		} else {
			report(&o.Deadline, "wrong-type", message+": it is 20 s when left out", fix)
		}
	}
	m := &o.Model
	switch m.Provider {
	case "":
		for _, v := range []any{&m.Endpoint, &m.Name, &m.APIKeyEnv, &m.Timeout, &m.MaxOutputTokens, &m.File} {
			report(v, "key-requires", "a model is described, and no provider is named", "add model.provider")
		}
	case ProviderScripted:
		if m.File == "" {
			report(&m.Provider, "key-requires", "a scripted model needs its answers", "add model.file, a YAML file with them")
		}
	default:
		if m.Name == "" {
			report(&m.Provider, "key-requires", "the model is not named", "add model.name")
		}
		report(&m.File, "key-conflict", "only a scripted model answers from a file", "remove model.file, or set model.provider to scripted")
	}
}
