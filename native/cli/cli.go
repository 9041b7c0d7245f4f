// Package cli is the table of asz's verbs and their wiring to the machine.
package cli

import (
	"fmt"
	"io"
	"os"
	"runtime/debug"
	"slices"
	"strings"

	"asz/native/guirun"
	"asz/native/x11"
	"asz/shared/command"
	"asz/shared/diag"
	"asz/shared/gui"
	"asz/shared/session"
)

// version is the program's version; what a build lands names it.
const version = "0.1.0"

const (
	exitUnwritten = 2  // help could not be printed
	exitUnknown   = 64 // the verb does not exist
)

func verbs() []*command.Command {
	return []*command.Command{
		command.Play(), command.Validate(),
		scenarioBuild(), scenarioCheck(), collectVerb(), sourcesVerb(), indexVerb(), showVerb(),
		parseVerb(), verifyVerb(), repackVerb(), conversationVerb(),
		runVerb(), reportMerge(),
		command.Schema(
			command.SchemaKind{Kind: "gui", File: "a GUI scenario", JSON: gui.Schema},
			command.SchemaKind{Kind: "session", File: "a session scenario", JSON: session.ScenarioSchema},
			command.SchemaKind{Kind: "expect", File: "NAME.expect.yaml beside a session scenario", JSON: session.ExpectationSchema},
			command.SchemaKind{Kind: "operator", File: "the operator's file of GUI scenarios", JSON: guirun.OperatorSchema},
			command.SchemaKind{Kind: "report", File: "report.json, which a GUI scenario leaves", JSON: guirun.ReportSchema},
			command.SchemaKind{Kind: "config", File: configFile, JSON: ConfigSchema},
		),
		versionVerb(),
	}
}

// Main runs asz with its arguments and returns the exit code.
func Main(args []string, h *command.Host) int {
	// Most runs are short and their garbage small; only one that grows must not take several times what it holds.
	debug.SetGCPercent(400)
	debug.SetMemoryLimit(5 << 28) // above the 1 GB that a search may fill
	if len(args) == 0 {
		if exit, asked := runEncoded(h); asked {
			return exit
		}
		help(h.Stderr)
		return exitUnknown
	}
	if args[0] == x11.GuardVerb { // asz starts itself so, nobody else does: no help shows it
		return x11.Guard()
	}
	switch args[0] {
	case "-version", "--version":
		args = append([]string{"version"}, args[1:]...)
	case "help", "-h", "--help":
		if len(args) > 1 {
			return Main(append(slices.Clone(args[1:]), "--help"), h)
		}
		if help(h.Stdout) != nil {
			fmt.Fprintln(h.Stderr, "asz: the output cannot be written")
			return exitUnwritten
		}
		return 0
	}
	group := false // args[0] is the first word of a verb of two
	for _, v := range verbs() {
		words := strings.Fields(v.Name)
		if len(args) >= len(words) && slices.Equal(words, args[:len(words)]) {
			do := func(h *command.Host) int { return v.Do(h, args[len(words):]) }
			if words[0] == "run" || words[0] == "report" { // whose wrong usage may tell a secret, too
				return withoutSecrets(h, do)
			}
			return do(h)
		}
		group = group || len(words) > 1 && words[0] == args[0]
	}
	if group {
		return helpGroup(h, args)
	}
	return withoutSecrets(h, func(h *command.Host) int { return unknown(args, h) })
}

// unknown tells that there is no such verb.
func unknown(args []string, h *command.Host) int {
	if near := nearVerb(args[0]); near != "" {
		fmt.Fprintf(h.Stderr, "asz: there is no verb %q: did you mean %s?\n`asz --help` lists all\n", args[0], near)
		return exitUnknown
	}
	fmt.Fprintf(h.Stderr, "asz: there is no verb %q\n\n", args[0])
	help(h.Stderr)
	return exitUnknown
}

// withoutSecrets does something with streams that let no secret of the environment out. A secret that is too short to be
// told from other text is for whoever reads them for good to complain of.
func withoutSecrets(h *command.Host, do func(*command.Host) int) int {
	secrets, err := guirun.NewSecrets(os.Environ())
	if err != nil || !secrets.Any() {
		return do(h)
	}
	host, out, errs := *h, secrets.Writer(h.Stdout), secrets.Writer(h.Stderr)
	host.Stdout, host.Stderr = out, errs
	exit := do(&host)
	if out.Flush() != nil || errs.Flush() != nil {
		return max(exit, guirun.ExitRuntime)
	}
	return exit
}

// nearVerb is the verb, or the first word of some, that a word comes near; "" is none.
func nearVerb(word string) string {
	var words []string
	for _, v := range verbs() {
		first, _, _ := strings.Cut(v.Name, " ")
		if !slices.Contains(words, first) {
			words = append(words, first)
		}
	}
	return diag.Nearest(word, words)
}

// helpGroup tells the verbs that begin with a word.
func helpGroup(h *command.Host, args []string) int {
	asked := len(args) > 1 && slices.Contains([]string{"-h", "--help", "help"}, args[1])
	var b strings.Builder
	if !asked {
		fmt.Fprintf(&b, "asz %s: name one of these\n", args[0])
	}
	for _, v := range verbs() {
		if strings.HasPrefix(v.Name, args[0]+" ") {
			fmt.Fprintf(&b, "  %s\n", line(v))
		}
	}
	if !asked {
		io.WriteString(h.Stderr, b.String())
		return exitMisuse
	}
	if _, err := io.WriteString(h.Stdout, b.String()); err != nil {
		return exitUnwritten
	}
	return 0
}

// line is how a list of verbs tells one.
func line(v *command.Command) string { return fmt.Sprintf("%-14s  %s", v.Name, v.Summary) }

func help(w io.Writer) error {
	text := "asz plays scenarios: files that say what happens and what must be true.\n\nusage: asz VERB …\n\n"
	for _, v := range verbs() {
		text += fmt.Sprintf("  %s\n", line(v))
	}
	_, err := io.WriteString(w, text+"\n`asz VERB --help` tells more. Flags begin with one dash or two.\n")
	return err
}
