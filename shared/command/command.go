// Package command holds what a verb of asz is: a value with its flags, run with
// streams of its caller and returning an exit code. Verbs that also run under
// Node are values of this type, so that both programs have one of each.
package command

import (
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"
	"unicode/utf8"

	"asz/shared/diag"
	"asz/shared/play"
)

// Command is one verb.
type Command struct {
	Name    string
	Args    string // the operands, as the usage line shows them
	Summary string // one line
	Help    string // what else a person should know, with a newline at the end
	Flags   []Flag
	Misuse  int // the exit code for wrong usage
	Run     func(c *Call) int
}

// Flag is `--name`, or `--name VALUE` when Value names the value.
type Flag struct {
	Name, Value, Summary string
	Optional             bool // of the value: it is given as `--name=VALUE` or not at all
}

// shown is the flag as usage and help write it.
func (f Flag) shown() string {
	switch {
	case f.Value == "":
		return "--" + f.Name
	case f.Optional:
		return "--" + f.Name + "[=" + f.Value + "]"
	}
	return "--" + f.Name + " " + f.Value
}

// Host is the machine as a command sees it.
type Host struct {
	Stdin          io.Reader
	Stdout, Stderr io.Writer
	Terminal       play.Terminal // nil: standard input and output are no terminal

	StdoutTerminal, StderrTerminal bool
	Color                          bool // a person reads standard output and wants colours

	// Interrupts notes Ctrl-C from now on, in place of ending the program, until
	// stop is called; a second one ends it. Ask interrupted often: under Node a
	// Ctrl-C arrives only while it is asked. nil: there is none.
	Interrupts func() (interrupted func() bool, stop func())

	// Folder is a faster way to read the folder full than files, which holds what
	// may be read of it. nil: there is none.
	Folder func(full string, files fs.FS) fs.FS
}

// folder opens a folder that is shown to people by a name.
func (h *Host) folder(full, shown string) (*folder, error) {
	root, err := os.OpenRoot(full)
	if err != nil {
		return nil, err
	}
	files := root.FS()
	if h.Folder != nil {
		files = h.Folder(full, files)
	}
	return &folder{root, files, full, shown}, nil
}

// Call is one use of a command.
type Call struct {
	*Host
	Operands []string
	flags    map[string]string
	command  *Command
}

// Has reports whether a flag was given.
func (c *Call) Has(flag string) bool {
	_, ok := c.flags[flag]
	return ok
}

// Value is the value given to a flag, or "".
func (c *Call) Value(flag string) string { return c.flags[flag] }

// Fail says what is wrong and returns the exit code for it.
func (c *Call) Fail(exit int, format string, args ...any) int {
	fmt.Fprintf(c.Stderr, "asz %s: %s\n", c.command.Name, play.Printable(fmt.Sprintf(format, args...)))
	return exit
}

// Usage says how the command is used and returns the exit code for wrong usage.
func (c *Call) Usage(format string, args ...any) int {
	c.Fail(0, format, args...)
	fmt.Fprintf(c.Stderr, "%s\n`asz %s --help` tells more\n", c.command.usage(), c.command.Name)
	return c.command.Misuse
}

// Print writes a text to standard output and returns the exit code: output that
// does not arrive, on a full disk, is not passed over.
func (c *Call) Print(text string) int {
	if _, err := io.WriteString(c.Stdout, text); err != nil {
		return c.Fail(exitUnusable, "the output cannot be written: %v", err)
	}
	return 0
}

// Do parses the arguments after the verb and runs the command. Flags may follow
// operands; `--` ends them.
func (cmd *Command) Do(h *Host, args []string) int {
	c := &Call{Host: h, flags: map[string]string{}, command: cmd}
	for i := 0; i < len(args); i++ {
		arg := args[i]
		switch {
		case arg == "--":
			c.Operands = append(c.Operands, args[i+1:]...)
			i = len(args)
		case arg == "-h" || arg == "--help":
			return c.Print(cmd.help())
		case len(arg) < 2 || arg[0] != '-':
			c.Operands = append(c.Operands, arg)
		default:
			name, value, given := strings.Cut(strings.TrimLeft(arg, "-"), "=")
			f := cmd.flag(name)
			switch {
			case f == nil:
				return c.Usage("unknown flag %s%s", arg, cmd.near(name))
			case f.Value == "" && given:
				return c.Usage("--%s takes no value", name)
			case f.Value != "" && !given && !f.Optional:
				if i++; i == len(args) {
					return c.Usage("--%s needs a value; --%[1]s %s: %s", name, f.Value, f.Summary)
				}
				value = args[i]
				if next, _, _ := strings.Cut(strings.TrimLeft(value, "-"), "="); len(value) > 1 && value[0] == '-' && cmd.flag(next) != nil {
					return c.Usage("--%s needs a value, and %s is a flag; --%[1]s %s: %s", name, value, f.Value, f.Summary)
				}
			}
			if c.Has(name) {
				return c.Usage("--%s is given twice", name)
			}
			c.flags[name] = value
		}
	}
	return cmd.Run(c)
}

func (cmd *Command) flag(name string) *Flag {
	for i := range cmd.Flags {
		if cmd.Flags[i].Name == name {
			return &cmd.Flags[i]
		}
	}
	return nil
}

// near asks whether another flag is meant.
func (cmd *Command) near(name string) string {
	for distance := range 3 {
		for _, f := range cmd.Flags {
			if diag.Distance(name, f.Name) <= distance {
				return ": did you mean --" + f.Name + "?"
			}
		}
	}
	return ""
}

// usage is the command with its operands and flags, in lines that a terminal of
// 80 columns has room for.
func (cmd *Command) usage() string {
	const indent, most = "           ", 80
	line := "usage: asz " + cmd.Name
	if cmd.Args != "" {
		line += " " + cmd.Args
	}
	var b strings.Builder
	for _, f := range cmd.Flags {
		part := "[" + f.shown() + "]"
		if utf8.RuneCountInString(line)+1+len(part) > most {
			b.WriteString(line + "\n")
			line = indent + part
			continue
		}
		line += " " + part
	}
	return b.String() + line
}

func (cmd *Command) help() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s\n\n%s\n", cmd.Name, cmd.Summary, cmd.usage())
	if len(cmd.Flags) > 0 {
		b.WriteString("\n")
	}
	width := 18
	for _, f := range cmd.Flags {
		width = max(width, len(f.shown()))
	}
	for _, f := range cmd.Flags {
		fmt.Fprintf(&b, "  %-*s %s\n", width, f.shown(), f.Summary)
	}
	if cmd.Help != "" {
		b.WriteString("\n" + cmd.Help)
	}
	return b.String()
}
