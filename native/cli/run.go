package cli

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/signal"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"unicode"
	"unicode/utf8"

	"asz/native/guirun"
	"asz/shared/command"
	"asz/shared/diag"
	"asz/shared/gui"
	"asz/shared/play"
)

const (
	scenarioVariable = "KASM_RUNTIME_SCENARIO_B64"
	operatorVariable = "KASM_RUNTIME_OPERATOR"
	operatorFile     = "/etc/asz/operator.yaml"
)

const runHelp = `Each FILE is played in order, on the display that DISPLAY names or, with
--xvfb, each on a private one with its own session bus, window manager and
home. What happened and how it was judged is written to --out as it goes:
index.html and junit.xml over all, and for each scenario report.html,
report.json, screenshots and logs.

  asz run --xvfb editor.yaml
  asz run --xvfb=1920x1080 --shard 1/4 --retries 1 scenarios/*.yaml
  asz run --check editor.yaml

Part I of N holds file k, counted from 0, when I is k mod N + 1. The operator's
file is --operator, else what ` + operatorVariable + ` names, else
` + operatorFile + ` where it exists.

With several files the worst exit code counts: 0 all passed; 1 a scenario
failed or was inconclusive; 2 an app failed (it did not come up, or went away);
3 the runtime itself could not work, for example without a display; 64 wrong
usage, or a file that does not load. Without any argument asz plays the base64
document in ` + scenarioVariable + `.
`

func runVerb() *command.Command {
	return &command.Command{
		Name: "run", Args: "FILE…", Misuse: guirun.ExitUsage,
		Summary: "play GUI scenarios on an X11 desktop and judge them",
		Flags: []command.Flag{
			{Name: "check", Summary: "only read the files and tell what is wrong"},
			{Name: "out", Value: "DIR", Summary: "where reports go (default " + defaultReports + ")"},
			{Name: "xvfb", Value: "WxH", Optional: true, Summary: "play each on a display of its own (" + defaultScreen + ")"},
			{Name: "display", Value: ":N", Summary: "the display to play on, instead of DISPLAY"},
			{Name: "operator", Value: "FILE", Summary: "settings of the runtime"},
			{Name: "shard", Value: "I/N", Summary: "play only part I (from 1) of N"},
			{Name: "retries", Value: "K", Summary: "play again what did not pass, up to K times"},
			{Name: "fail-fast", Summary: "stop after the first that did not pass"},
			{Name: "format", Value: "FORMAT", Summary: "text (default), or json: an object a line"},
			{Name: "junit", Value: "FILE", Summary: "write JUnit's XML there too"},
		},
		Help: runHelp,
		Run:  runRun,
	}
}

const defaultScreen = "1280x800"

// runSettings are what the flags of `asz run` say.
type runSettings struct {
	out, display, junit string
	xvfb                bool
	width, height       int
	shard, shards       int // shard from 1
	retries             int
	failFast, json      bool
	operator            *guirun.Operator
	secrets             *guirun.Secrets
}

func runRun(c *command.Call) int {
	return redacted(c, func(secrets *guirun.Secrets) int { return runFiles(c, secrets) })
}

func runFiles(c *command.Call, secrets *guirun.Secrets) int {
	if len(c.Operands) == 0 {
		return c.Usage("name one or more scenario files")
	}
	o, problem := readRunSettings(c)
	if problem != "" {
		return c.Usage("%s", problem)
	}
	o.secrets = secrets
	var list []*playing
	var names guirun.Names
	broken := false
	for _, name := range c.Operands {
		s, sum := readGUI(c, name)
		broken = broken || s == nil
		list = append(list, &playing{scenario: s, file: guirun.ScenarioFile{
			Name: names.Take(secrets.Text(scenarioName(name))), File: secrets.Text(name), SHA256: sum,
		}})
	}
	var ok bool
	if o.operator, ok = readOperator(c); broken || !ok {
		return guirun.ExitUsage
	}
	secrets.Redact(o.operator.Redact)
	if c.Has("check") {
		return c.Print("")
	}
	return playAll(c, o, list)
}

// runEncoded plays the document that the environment holds; asked says that there is one.
func runEncoded(h *command.Host) (exit int, asked bool) {
	encoded, asked := os.LookupEnv(scenarioVariable)
	if !asked {
		return 0, false
	}
	cmd := runVerb()
	cmd.Run = func(c *command.Call) int {
		return redacted(c, func(secrets *guirun.Secrets) int { return runDocument(c, encoded, secrets) })
	}
	return cmd.Do(h, nil), true
}

func runDocument(c *command.Call, encoded string, secrets *guirun.Secrets) int {
	text, err := base64.StdEncoding.DecodeString(strings.Join(strings.Fields(encoded), ""))
	if err != nil {
		return c.Fail(guirun.ExitUsage, "%s is not base64: %v", scenarioVariable, err)
	}
	o, problem := readRunSettings(c)
	if problem != "" {
		return c.Usage("%s", problem)
	}
	o.secrets = secrets
	s := parseGUI(c, "scenario", string(text))
	var ok bool
	if o.operator, ok = readOperator(c); s == nil || !ok {
		return guirun.ExitUsage
	}
	secrets.Redact(o.operator.Redact)
	file := guirun.ScenarioFile{Name: "scenario", File: scenarioVariable, SHA256: digest(string(text))}
	return playAll(c, o, []*playing{{scenario: s, file: file}})
}

// redacted does something with streams that let nothing secret out.
func redacted(c *command.Call, do func(*guirun.Secrets) int) int {
	secrets, err := guirun.NewSecrets(os.Environ())
	if err != nil {
		return c.Fail(guirun.ExitUsage, "%v", err)
	}
	host, out, errs := *c.Host, secrets.Writer(c.Stdout), secrets.Writer(c.Stderr)
	host.Stdout, host.Stderr = out, errs
	c.Host = &host
	exit := do(secrets)
	if out.Flush() != nil || errs.Flush() != nil {
		return max(exit, guirun.ExitRuntime)
	}
	return exit
}

func readRunSettings(c *command.Call) (o runSettings, problem string) {
	o = runSettings{out: defaultReports, junit: c.Value("junit"), shard: 1, shards: 1, failFast: c.Has("fail-fast"), display: os.Getenv("DISPLAY")}
	for _, flag := range []string{"out", "display", "operator", "junit"} {
		if c.Has(flag) && c.Value(flag) == "" {
			return o, "--" + flag + " needs a value"
		}
	}
	if c.Has("out") {
		o.out = c.Value("out")
	}
	if c.Has("display") {
		o.display = c.Value("display")
	}
	if c.Has("xvfb") {
		if c.Has("display") {
			return o, "--display and --xvfb exclude each other: the display is either there or made for each scenario"
		}
		size := c.Value("xvfb")
		if size == "" {
			size = defaultScreen
		}
		w, h, _ := strings.Cut(size, "x")
		var errs [2]error
		o.width, errs[0] = strconv.Atoi(w)
		o.height, errs[1] = strconv.Atoi(h)
		if errors.Join(errs[:]...) != nil || min(o.width, o.height) < 64 || max(o.width, o.height) > 16384 {
			return o, fmt.Sprintf("--xvfb takes a size like %s, of 64 to 16384 pixels a side, not %q", defaultScreen, size)
		}
		o.xvfb = true
	}
	if c.Has("shard") {
		i, n, _ := strings.Cut(c.Value("shard"), "/")
		var errs [2]error
		o.shard, errs[0] = strconv.Atoi(i)
		o.shards, errs[1] = strconv.Atoi(n)
		if errors.Join(errs[:]...) != nil || o.shard < 1 || o.shard > o.shards {
			return o, fmt.Sprintf("--shard takes I/N with I from 1 to N, such as 1/4, not %q", c.Value("shard"))
		}
	}
	if c.Has("retries") {
		var err error
		if o.retries, err = strconv.Atoi(c.Value("retries")); err != nil || o.retries < 0 || o.retries > 100 {
			return o, fmt.Sprintf("--retries takes a whole number from 0 to 100, not %q", c.Value("retries"))
		}
	}
	switch c.Value("format") {
	case "", "text":
		if c.Has("format") && c.Value("format") == "" {
			return o, "--format takes text or json"
		}
	case "json":
		o.json = true
	default:
		return o, fmt.Sprintf("--format takes text or json, not %q", c.Value("format"))
	}
	return o, ""
}

// maxGUI is more MiB than any scenario of 40 steps, or any operator file, needs.
const maxGUI = 16

// readGUI reads a scenario file and shows its findings; nil when it cannot be played.
func readGUI(c *command.Call, name string) (*gui.Scenario, string) {
	text, err := readText(name, maxGUI)
	if err != nil {
		hint := ""
		var width, height int
		if n, _ := fmt.Sscanf(name, "%dx%d", &width, &height); n == 2 && c.Has("xvfb") {
			hint = "; a size is part of the flag: --xvfb=" + name
		}
		c.Fail(guirun.ExitUsage, "%s cannot be read: %v%s", name, err, hint)
		return nil, ""
	}
	return parseGUI(c, name, text), digest(text)
}

func parseGUI(c *command.Call, name, text string) *gui.Scenario {
	if !utf8.ValidString(text) {
		c.Fail(guirun.ExitUsage, "%s is not UTF-8 text", name)
		return nil
	}
	s, findings := gui.Parse(diag.NewSource(name, text))
	if err := findings.WriteText(c.Stderr, c.Color && c.StderrTerminal); err != nil {
		return nil
	}
	return s
}

func digest(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:])
}

// scenarioName is what a file is called in reports.
func scenarioName(file string) string {
	name := filepath.Base(file)
	name = strings.TrimSuffix(strings.TrimSuffix(name, ".yml"), ".yaml")
	if name == "" || name[0] == '.' || name == string(filepath.Separator) {
		return "scenario"
	}
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return '_' // as a newline, which would make more lines of the one that tells the verdict
		}
		return r
	}, play.Printable(name))
}

// readOperator reads the operator's file, if there is one.
func readOperator(c *command.Call) (*guirun.Operator, bool) {
	name, asked := c.Value("operator"), c.Has("operator")
	if !asked {
		name, asked = os.LookupEnv(operatorVariable)
		asked = asked && name != ""
	}
	if !asked {
		name = operatorFile
	}
	text, err := readText(name, maxGUI)
	switch {
	case !asked && errors.Is(err, fs.ErrNotExist):
		return guirun.DefaultOperator(), true
	case err != nil:
		c.Fail(guirun.ExitUsage, "the operator file %s cannot be read: %v", name, err)
		return nil, false
	case !utf8.ValidString(text):
		c.Fail(guirun.ExitUsage, "the operator file %s is not UTF-8 text", name)
		return nil, false
	}
	op, findings := guirun.LoadOperator(diag.NewSource(name, text))
	if err := findings.WriteText(c.Stderr, c.Color && c.StderrTerminal); err != nil || op == nil {
		return nil, false
	}
	return op, true
}

// playAll plays the scenarios of this shard and writes what stands over them.
func playAll(c *command.Call, o runSettings, list []*playing) int {
	var mine []*playing
	for k, p := range list {
		if k%o.shards+1 == o.shard {
			mine = append(mine, p)
		}
	}
	if len(mine) == 0 {
		return c.Print(fmt.Sprintf("no scenario is in shard %d/%d\n", o.shard, o.shards))
	}
	if !o.xvfb && o.display == "" {
		return c.Fail(guirun.ExitRuntime, "there is no display: set DISPLAY, name one with --display :N, or let --xvfb make a private one")
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	defer stop()
	context.AfterFunc(ctx, stop) // the next signal has its usual effect
	r := newRunner(c, o, mine)
	defer func() { r.lock.Close() }() // none is open when that failed: an error, which does not matter
	if err := r.prepare(); err != nil {
		return c.Fail(guirun.ExitRuntime, "%v", err)
	}
	for _, p := range mine {
		if ctx.Err() != nil {
			break
		}
		r.play(ctx, p)
		if p.report.Outcome() != guirun.Passed && o.failFast {
			break
		}
	}
	return r.finish(ctx)
}
