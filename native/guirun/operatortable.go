package guirun

import (
	"fmt"
	"math"
	"net/url"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"asz/shared/diag"
	"asz/shared/gui"
	"asz/shared/yamldoc"
)

// OperatorSchema is the JSON Schema of operator files.
func OperatorSchema() []byte {
	return operatorType().SchemaFile("operator.yaml", "How asz plays GUI scenarios: bounds, model, browser, logs and evidence.")
}

func operatorType() yamldoc.Type[Operator] {
	type O = Operator
	type M = ModelOptions
	runner := yamldoc.Object("`runner`",
		yamldoc.Optional("max_iterations", "model calls of a run, 25 when left out; agentic_max_iterations of a scenario replaces it", yamldoc.Int(1, math.MaxInt32), func(o *O) *int { return &o.MaxIterations }),
		yamldoc.Optional("deadline_s", "seconds of a whole run, 600 when left out", yamldoc.Seconds(true), func(o *O) *time.Duration { return &o.Deadline }),
		yamldoc.Optional("reserve_s", "seconds of them for the final observation and the report, 20 when left out", yamldoc.Seconds(false), func(o *O) *time.Duration { return &o.Reserve }),
		yamldoc.Optional("action_timeout_s", "seconds that what an action needs is awaited, 10 when left out", yamldoc.Seconds(false), func(o *O) *time.Duration { return &o.ActionTimeout }),
		yamldoc.Optional("shell_timeout_s", "seconds of a shell command, 60 when left out", yamldoc.Seconds(true), func(o *O) *time.Duration { return &o.ShellTimeout }),
		yamldoc.Optional("shell_output_bytes", "of its output that are kept, 65536 when left out", yamldoc.Int(1, 64<<20), func(o *O) *int { return &o.ShellOutput }),
		yamldoc.Optional("key_delay_ms", "milliseconds between two keys, 0 when left out", milliseconds(0), func(o *O) *time.Duration { return &o.KeyDelay }),
		yamldoc.Optional("settle_ms", "milliseconds between two screenshots that tell whether the screen has settled, 250 when left out", milliseconds(1), func(o *O) *time.Duration { return &o.Settle }),
	)
	model := yamldoc.Object("`model`",
		yamldoc.Optional("provider", "`openai`: any compatible chat endpoint that takes pictures; `anthropic`; `scripted`: answers from a file", yamldoc.Word("a provider", ProviderOpenAI, ProviderAnthropic, ProviderScripted), func(m *M) *string { return &m.Provider }),
		yamldoc.Optional("endpoint", "its URL; the provider's own when left out", webAddress("http", "https"), func(m *M) *string { return &m.Endpoint }),
		yamldoc.Optional("name", "which model", filled(), func(m *M) *string { return &m.Name }),
		yamldoc.Optional("api_key_env", "the environment variable that holds the key", variableName(), func(m *M) *string { return &m.APIKeyEnv }),
		yamldoc.Optional("timeout_s", "seconds of a call", yamldoc.Seconds(true), func(m *M) *time.Duration { return &m.Timeout }),
		yamldoc.Optional("max_output_tokens", "of an answer", yamldoc.Int(1, math.MaxInt32), func(m *M) *int { return &m.MaxOutputTokens }),
		yamldoc.Optional("file", "the answers of a scripted model", filled(), func(m *M) *string { return &m.File }),
	)
	return yamldoc.Object("an operator file",
		yamldoc.Optional("runner", "bounds of a run", runner, func(o *O) *O { return o }),
		yamldoc.Optional("model", "which model is asked; none when left out", model, func(o *O) *M { return &o.Model }),
		yamldoc.Optional("browser", "the browser under test", yamldoc.Object("`browser`",
			yamldoc.Optional("debug_url", "where it listens; found by its command line when left out, else port 9222", webAddress("http", "https", "ws", "wss"), func(b *BrowserOptions) *string { return &b.DebugURL }),
		), func(o *O) *BrowserOptions { return &o.Browser }),
		yamldoc.Optional("logs", "files and globs that are collected, in place of ~/.xsession-errors; `~/` is HOME", yamldoc.List(logPattern()), func(o *O) *[]string { return &o.Logs }),
		yamldoc.Optional("error_words", "words that make a dialog one of an error, in place of the usual ones", yamldoc.List(filled()), func(o *O) *[]string { return &o.ErrorWords }),
		yamldoc.Optional("redact", "regular expressions: what they match is taken out of all that is written, besides secrets", yamldoc.List(expression()), func(o *O) *[]*regexp.Regexp { return &o.Redact }),
		yamldoc.Optional("evidence", "what is kept", yamldoc.Object("`evidence`",
			yamldoc.Optional("screenshots", "`all` (default), `failures`: of rows that did not pass, `none`", yamldoc.Word("an amount of screenshots", ScreenshotsAll, ScreenshotsFailures, ScreenshotsNone), func(o *O) *string { return &o.Screenshots }),
		), func(o *O) *O { return o }),
		yamldoc.Optional("tools", "the tools of the model", yamldoc.Object("`tools`",
			yamldoc.Optional("deny", "built-in tools that it may not have", yamldoc.List(yamldoc.Word("a built-in tool", gui.BuiltinTools()...)), func(o *O) *[]string { return &o.Deny }),
		), func(o *O) *O { return o }),
	)
}

// milliseconds reads a whole number of them.
func milliseconds(least int) yamldoc.Type[time.Duration] {
	t := yamldoc.Int(least, 60_000)
	return yamldoc.NewType(t.Name(), t.Schema, func(r *yamldoc.Reader, n *yamldoc.Node, dst *time.Duration) bool {
		var v int
		ok := t.Read(r, n, &v)
		*dst = time.Duration(v) * time.Millisecond
		return ok
	})
}

// checkedText reads a text that must also hold to a rule; wrong says how it does not, and what to do.
func checkedText(wrong func(string) (code diag.Code, message, fix string)) yamldoc.Type[string] {
	t := yamldoc.Text()
	return yamldoc.NewType(t.Name(), t.Schema, func(r *yamldoc.Reader, n *yamldoc.Node, dst *string) bool {
		if !t.Read(r, n, dst) {
			return false
		}
		code, message, fix := diag.Code("text-empty"), "the text is empty", "write it, or remove the key"
		if strings.TrimSpace(*dst) != "" {
			code, message, fix = wrong(*dst)
		}
		if code != "" {
			r.Report(code, n.Span.FirstLine(), message).Fix = &diag.Fix{Text: fix}
		}
		return code == ""
	})
}

func filled() yamldoc.Type[string] {
	return checkedText(func(string) (diag.Code, string, string) { return "", "", "" })
}

// variableName reads the name of a variable. What is none may be a key that was pasted here, so it is not quoted.
func variableName() yamldoc.Type[string] {
	name := regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`)
	return checkedText(func(text string) (diag.Code, string, string) {
		if name.MatchString(text) {
			return "", "", ""
		}
		return "wrong-type", "this is not the name of an environment variable", "put the key into a variable, and write its name here, such as MODEL_API_KEY"
	})
}

// webAddress reads a URL with a host. It may hold a password by mistake, so it is not quoted.
func webAddress(schemes ...string) yamldoc.Type[string] {
	return checkedText(func(text string) (diag.Code, string, string) {
		u, err := url.Parse(text)
		example := "write one such as " + schemes[0] + "://127.0.0.1:9222"
		switch {
		case err != nil || u.Host == "" || u.Opaque != "":
			return "wrong-type", "this is not a URL with a host", example
		case !slices.Contains(schemes, strings.ToLower(u.Scheme)):
			return "wrong-type", fmt.Sprintf("a URL that begins with %s: is not reached here", diag.Quoted(u.Scheme)), "write " + strings.Join(schemes, ":// or ") + "://"
		case u.User != nil:
			return "wrong-type", "a URL in this file holds no user and password: everybody may read it", "remove them; a key is named by model.api_key_env"
		}
		return "", "", ""
	})
}

// logPattern reads a path or a glob.
func logPattern() yamldoc.Type[string] {
	return checkedText(func(text string) (diag.Code, string, string) {
		_, err := filepath.Match(text, "")
		switch {
		case err != nil:
			return "pattern-form", fmt.Sprintf("%s is no pattern", diag.Quoted(text)), "close its brackets, or put a backslash before them"
		case strings.HasPrefix(text, "~") && !strings.HasPrefix(text, "~/"):
			return "wrong-type", "only `~/` is expanded, to HOME", "write the whole path"
		case strings.HasPrefix(text, "$"):
			return "wrong-type", "variables of the environment are not expanded here", "write the whole path, or begin it with ~/"
		}
		return "", "", ""
	})
}

// expression reads a regular expression that does not match the empty text.
func expression() yamldoc.Type[*regexp.Regexp] {
	text := filled()
	return yamldoc.NewType("text (a regular expression)", text.Schema, func(r *yamldoc.Reader, n *yamldoc.Node, dst **regexp.Regexp) bool {
		var s string
		if !text.Read(r, n, &s) || n.Broken {
			return false
		}
		re, err := regexp.Compile(s)
		switch {
		case err != nil:
			r.Report("pattern-form", n.Span.FirstLine(), fmt.Sprintf("%s is no regular expression: %s", diag.Quoted(s), strings.TrimPrefix(err.Error(), "error parsing regexp: "))).Fix =
				&diag.Fix{Text: "correct it; the syntax is RE2's"}
			return false
		case re.MatchString(""):
			r.Report("pattern-form", n.Span.FirstLine(), fmt.Sprintf("%s matches the empty text, which is everywhere", diag.Quoted(s))).Fix =
				&diag.Fix{Text: "make it match one character at least"}
			return false
		}
		*dst = re
		return true
	})
}
