package diag

import (
	"slices"
	"strings"
)

// Code is the stable kebab-case name of a kind of finding.
type Code string

// Rule is the row of the one table that describes a code.
type Rule struct {
	Code     Code
	Severity Severity
	Mends    bool   // --fix can correct it where it is clear what was meant
	Stops    bool   // the file cannot be used: a lab with such a finding does not load
	Title    string // what, in one line
	Fix      string // what to do, in one line: the default text of the "fix:" line
	Explain  string // why it matters, a few sentences
}

// Rules gives the table, sorted by code. Callers do not change it.
func Rules() []Rule { return rules }

// RuleOf finds the row of a code.
func RuleOf(code Code) (Rule, bool) {
	i, ok := slices.BinarySearchFunc(rules, code, func(r Rule, c Code) int {
		return strings.Compare(string(r.Code), string(c))
	})
	if !ok {
		return Rule{}, false
	}
	return rules[i], true
}

// rules is read-only and sorted by code; a test holds the order.
var rules = []Rule{
	{
		Code: "agent-args", Severity: Warning,
		Title:   "`args` in an agent scenario",
		Fix:     "remove `args`; use `prompt` or `promptContains`",
		Explain: "An agent prompt is one text and no command line, so conditions on its words are never looked at.",
	},
	{
		Code: "append-form", Severity: Error, Stops: true, Mends: true,
		Title:   "`+=` that does not append",
		Fix:     "write `path += value` on a line of its own, directly below the `state:` of `then`",
		Explain: "A change that appends to a list is the line `docker.events += \"started\"`, or an entry with the key `\"docker.events +=\"`, in the `state:` of `then`. Written otherwise it is a plain text or another name to YAML, and would silently append nothing.",
	},
	{
		Code: "call-form", Severity: Error, Stops: true,
		Title:   "a call that is not one answer of the model",
		Fix:     "give it `thinking`, `text`, or one of `tool`, `agent`, `skill`, `workflow`",
		Explain: "A call is one answer in fragments: reasoning, text, then at most one thing that it asks for. What asks for two things is two calls, and so two steps.",
	},
	{
		Code: "ci-without-tab", Severity: Info,
		Title:   "a CI run without a CI tab",
		Fix:     "add `features: { ci: {} }` to labspace.yaml",
		Explain: "The run is kept in `state.ci.runs`, but the page has no tab that shows it. That is fine when only conditions look at it.",
	},
	{
		Code: "command-and-agent", Severity: Error, Stops: true,
		Title:   "`command` together with `agent`",
		Fix:     "remove one of the two",
		Explain: "A scenario takes either commands or the prompts of an agent session. To react to both, write two scenarios.",
	},
	{
		Code: "content-missing", Severity: Error,
		Title:   "a section without its text",
		Fix:     "create the file or correct `contentPath`",
		Explain: "`contentPath` is relative to the lab's folder. Without the file the section is an empty page.",
	},
	{
		Code: "dead-end", Severity: Warning,
		Title:   "a state from which a step can no longer be completed",
		Fix:     "let a scenario lead back, or keep this one from firing too early with a condition on the state",
		Explain: "After these commands the step can never be completed, whatever the learner does. Only Reset helps, and nothing tells the learner so.",
	},
	{
		Code: "duplicate-id", Severity: Error,
		Title:   "an id that is given twice",
		Fix:     "give one of them another id",
		Explain: "Ids name scenarios, workflows, controls and steps in traces and references; with two of one name, a reference means the first only.",
	},
	{
		Code: "duplicate-lab-id", Severity: Warning,
		Title:   "an id of the labspace that is given twice",
		Fix:     "give one of them another id or title",
		Explain: "Terminals, sections, services and steps are named by their ids; where two have the same, only the first can be named.",
	},
	{
		Code: "duration-form", Severity: Error, Stops: true,
		Title:   "a duration that cannot be used",
		Fix:     "write a number with its unit, such as 800ms, 1s or 1m30s",
		Explain: "Gaps of time are numbers with a unit: ns, us, ms, s, m or h, several in a row if need be. They are never negative, since records come one after the other.",
	},
	{
		Code: "effect-fails", Severity: Error,
		Title:   "an effect that cannot be applied",
		Fix:     "make the effect possible whenever the scenario fires, or add a condition on the state",
		Explain: "In a state that a learner can reach, this scenario fires and one of its effects is impossible. Then none of its effects happen, and the learner sees an error of the lab.",
	},
	{
		Code: "expect-absent", Severity: Error, Stops: true,
		Title:   "an expectation of a node that is not there",
		Fix:     "remove `absent`, or everything beside it",
		Explain: "`absent: true` says that there is no such node. Nothing else can then be said of it.",
	},
	{
		Code: "expect-lose", Severity: Error, Stops: true,
		Title:   "a lost file that cannot be found",
		Fix:     "name a `stream` with transcript or agent_meta, or a `run` with journal, workflow_manifest or workflow_script",
		Explain: "A landed file belongs either to a stream or to the run of a workflow, and each has kinds of its own. The file is deleted from the root, so it must be clear which one.",
	},
	{
		Code: "expect-name", Severity: Error, Stops: true,
		Title:   "an expectation about what the scenario does not have",
		Fix:     "use a name of the scenario",
		Explain: "Expectations name checkpoints, children and workflows as the scenario does. With a name that is not there they would be about nothing.",
	},
	{
		Code: "expect-vain", Severity: Warning,
		Title:   "an expectation that cannot fail",
		Fix:     "correct the name, or remove it",
		Explain: "None of this kind is expected, and the kind does not exist. Behind a misspelt name such an expectation holds whatever happens.",
	},
	{
		Code: "explore-bound", Severity: Warning,
		Title:   "a search that ended before it had seen every state",
		Fix:     "run with `--explore full`, or give the lab fewer independent facts",
		Explain: "The lab has more states than were looked at. What was found is true; what was not found may still be there. `--explore full` goes on to where memory ends, but does not try more than 255 values of one fact, nor all combinations of answers to questions that have very many: the `fix:` line says which it was.",
	},
	{
		Code: "fence-impossible", Severity: Error,
		Title:   "a line with a Run button that nothing takes",
		Fix:     "add a scenario for it, correct the line, or give the block `no-run-button`",
		Explain: "The instructions offer the line, but no scenario or builtin takes it in any state that a learner can reach.",
	},
	{
		Code: "fence-language", Severity: Warning,
		Title:   "commands in a block without a Run button",
		Fix:     "name the language `bash` (or `console` when output follows), or add `no-run-button` if it is only to be read",
		Explain: "The block begins like a command of the lab, but only blocks of bash, sh, shell, console and prompt get a Run button.",
	},
	{
		Code: "fence-repeats", Severity: Info,
		Title:   "a block that does the same thing twice",
		Fix:     "remove one of the lines unless the repetition is meant",
		Explain: "Two lines of one block fire the same scenario, so the learner sees its output twice.",
	},
	{
		Code: "fence-too-early", Severity: Warning,
		Title:   "a line that nothing takes at this point",
		Fix:     "move the block, or add a scenario for what a learner sees here",
		Explain: "A learner who follows the sections in order meets this line in a state in which no scenario takes it.",
	},
	{
		Code: "file-missing", Severity: Error, Stops: true,
		Title:   "a file that does not exist",
		Fix:     "create the file or correct the path",
		Explain: "The lab names this file and cannot be played without it.",
	},
	{
		Code: "file-never", Severity: Warning,
		Title:   "a link to a file that never exists",
		Fix:     "correct the path, or let a scenario create the file",
		Explain: "The link runs `cat`, and no seed, scenario or Save button ever makes this file.",
	},
	{
		Code: "file-operation", Severity: Error, Stops: true,
		Title:   "a file operation that is unclear",
		Fix:     "write one of mkdir, create, append, replace, delete, copy with the keys that go with it",
		Explain: "Each entry under `files` does one thing: mkdir, create (content), append (content), replace (find, with), delete, copy (to).",
	},
	{
		Code: "file-unreadable", Severity: Error, Stops: true,
		Title:   "a file that cannot be read",
		Fix:     "make the path a readable file",
		Explain: "The lab names this file and cannot be played without it. It may be a folder, or its permissions may forbid reading.",
	},
	{
		Code: "flag-ambiguous", Severity: Warning,
		Title:   "a line that can be read in two ways",
		Fix:     "write the flag as `--name=value`, or name it in the scenario's `args`",
		Explain: "Whether a flag takes the next word as its value is known only for flags that some scenario names. Both readings of this line fit, and they capture different values.",
	},
	{
		Code: "input-and-session", Severity: Error, Stops: true,
		Title:   "`input` together with `session`",
		Fix:     "keep one of the two",
		Explain: "A command either asks for values or opens a session.",
	},
	{
		Code: "input-form", Severity: Error, Stops: true,
		Title:   "an input in two forms at once",
		Fix:     "write either `key` and `prompt`, or `steps`",
		Explain: "An input asks one question, written in its own fields, or several, written under `steps`.",
	},
	{
		Code: "input-key-twice", Severity: Error, Stops: true,
		Title:   "a key that an input asks for twice",
		Fix:     "give each question a key of its own",
		Explain: "The second answer would overwrite the first.",
	},
	{
		Code: "input-nested", Severity: Error, Stops: true,
		Title:   "a session or input inside of an input",
		Fix:     "let a later command open it",
		Explain: "The effects of an input end it; they cannot begin another one or a session.",
	},
	{
		Code: "kind-skipped", Severity: Info,
		Title:   "an entry that is not played",
		Fix:     "write `kind: lab`, or nothing if slides are meant",
		Explain: "Entries of kind `slides` are accepted but not played; this one does not appear among the labs.",
	},
	{
		Code: "labspace-old", Severity: Error, Stops: true,
		Title:   "a labspace.yaml of an older shape",
		Fix:     "write `title:` and `simulator:` at the top level, the latter naming a simulator.yaml",
		Explain: "Labs are simulated here: `simulator:` names the file that says what each command does. Files with a `metadata:` block come from a tool that runs real containers.",
	},
	{
		Code: "list-empty", Severity: Error, Stops: true,
		Title:   "a list without an entry",
		Fix:     "add an entry, or leave out what has none",
		Explain: "A scenario without steps leaves nothing behind, and a workflow starts one child at least. A child that does nothing has no `steps` at all.",
	},
	{
		Code: "main-only", Severity: Error, Stops: true,
		Title:   "a key that stands in the main stream only",
		Fix:     "move it to the step of the main stream that starts the child",
		Explain: "A checkpoint ends a stage of the whole session, and a replay repeats records of the main stream. The steps of a child have neither.",
	},
	{
		Code: "masked-value-shown", Severity: Warning,
		Title:   "a masked value that is printed or stored",
		Fix:     "leave the value out",
		Explain: "The learner's secret is hidden while it is typed; a template that prints or stores it shows it after all.",
	},
	{
		Code: "matcher", Severity: Error, Stops: true,
		Title:   "an argument matcher that is unclear",
		Fix:     "write a text, a number, true, false, { any: true } or { oneOf: [a, b] }",
		Explain: "A matcher compares with a text or number, asks for presence (true) or absence (false), takes any value, or one of a list.",
	},
	{
		Code: "missing-key", Severity: Error, Stops: true,
		Title:   "a required key is missing",
		Fix:     "add the key",
		Explain: "The entry cannot be used without this key, and no default stands in for it.",
	},
	{
		Code: "name-taken", Severity: Error, Stops: true,
		Title:   "a name that is given twice",
		Fix:     "choose another name",
		Explain: "Checkpoints, children, tools and runs of workflows are found by their names, so each has one of its own. A tool without an id has that of its step: `s2-tool`. Runs of workflows are directories, and some file systems do not tell `A` from `a`.",
	},
	{
		Code: "name-unusable", Severity: Error, Stops: true,
		Title:   "a name that cannot be used",
		Fix:     "choose another name",
		Explain: "Names are texts on one line. Some are taken: `final` is the end of every scenario, `main` the stream of the session. A project is one directory, and a file is named by a workflow.",
	},
	{
		Code: "pace-unknown", Severity: Error,
		Title:   "a pace that does not exist",
		Fix:     "use short, medium, long or a name under `settings.pace`, or a number of milliseconds",
		Explain: "The delay names a pace that is not declared, so the line would appear without its delay.",
	},
	{
		Code: "path-outside", Severity: Error, Stops: true,
		Title:   "a path that leaves its folder",
		Fix:     "use a path inside",
		Explain: "Labs read nothing outside of the folder of labs, and their files have a root that cannot be left.",
	},
	{
		Code: "path-taken", Severity: Error, Stops: true,
		Title:   "a file path that is taken",
		Fix:     "rename one of the two",
		Explain: "A file and a directory cannot share a path.",
	},
	{
		Code: "play-expectation", Severity: Error, Stops: true,
		Title:   "an expectation of a script that does not hold",
		Fix:     "correct the lab, or the expectation",
		Explain: "A script says with @expect what a line must come to. Playing stops at the first that does not hold.",
	},
	{
		Code: "play-script", Severity: Error, Stops: true,
		Title:   "a line of a script that cannot be understood",
		Fix:     "see `asz play --help` for what a script can do",
		Explain: "Lines that begin with @ act instead of being typed. They are all checked before the first line is played.",
	},
	{
		Code: "replay-range", Severity: Error, Stops: true,
		Title:   "a replay of records that are not there",
		Fix:     "repeat less",
		Explain: "`replay: N` writes the last N records of the main stream again. Fewer than N stand before it.",
	},
	{
		Code: "result-of", Severity: Error, Stops: true,
		Title:   "a result without its tool",
		Fix:     "name the id of a tool of an earlier step",
		Explain: "`of` names the tool whose result arrives: its `id`, or the name of its step and `-tool`, as in `s2-tool`. A call that is lost still counts. The result comes after its call.",
	},
	{
		Code: "save-outside", Severity: Error,
		Title:   "a Save button for a path outside of the lab's files",
		Fix:     "use a path inside",
		Explain: "The lab's files have a root that cannot be left; the button would do nothing.",
	},
	{
		Code: "scenario-id", Severity: Error,
		Title:   "a scenario without an id",
		Fix:     "add an `id`",
		Explain: "Ids name scenarios in traces, findings and tests; a number would change with each scenario that is added above.",
	},
	{
		Code: "scenario-shadowed", Severity: Warning,
		Title:   "a scenario that an earlier one always hides",
		Fix:     "move it above the earlier one, or give the earlier one more conditions",
		Explain: "The first scenario that matches fires, and an earlier one matches every line that this one would take.",
	},
	{
		Code: "scenario-too-long", Severity: Error, Stops: true,
		Title:   "a scenario that goes on too long",
		Fix:     "write shorter gaps, or replay less",
		Explain: "The gaps of time and the replays of a short file can come to millions of years and records. Both are bounded, so that every time is a date and every session fits.",
	},
	{
		Code: "scenario-unreachable", Severity: Warning,
		Title:   "a scenario that can never fire",
		Fix:     "write the state it waits for in an effect, in `state:` or in a control, or remove the scenario",
		Explain: "In no state that a learner can reach do all of its conditions hold.",
	},
	{
		Code: "session-in-agent", Severity: Error, Stops: true,
		Title:   "a session in an agent scenario",
		Fix:     "remove `session`",
		Explain: "An agent scenario answers inside of a session, so none can be opened there.",
	},
	{
		Code: "state-path", Severity: Error, Stops: true,
		Title:   "an impossible path into the state",
		Fix:     "correct the path",
		Explain: "A path is names joined by dots, such as `docker.running`; nothing can lie below a text or number.",
	},
	{
		Code: "state-reserved", Severity: Error, Stops: true,
		Title:   "a reserved part of the state",
		Fix:     "choose another name",
		Explain: "`history` lists the commands that were typed and is kept by the engine.",
	},
	{
		Code: "state-unread", Severity: Info,
		Title:   "a fact that nothing reads",
		Fix:     "remove it, or use it in a condition or template",
		Explain: "No condition, template or `requires` looks at this fact, so it changes nothing.",
	},
	{
		Code: "state-unwritten", Severity: Warning,
		Title:   "a fact that nothing writes",
		Fix:     "correct the path, or write it in `state:`, an effect or a control",
		Explain: "Nothing seeds, writes or toggles this path: a condition on it never changes, and a template prints nothing.",
	},
	{
		Code: "step-exit", Severity: Info,
		Title:   "a step that is completed by a failing command",
		Fix:     "give the scenario `exit: 0` if it is meant to succeed",
		Explain: "The block completes a step and ends with an exit code that is not 0. That is fine when the failure is the lesson.",
	},
	{
		Code: "step-form", Severity: Error, Stops: true,
		Title:   "a step that does not do one thing",
		Fix:     "write one of input, queued, inject, call, result, error, reset, replay, system",
		Explain: "Each step is one thing that happens, and may have `after`, `checkpoint` and `lost` beside it. Two things are two steps.",
	},
	{
		Code: "step-not-completed", Severity: Warning,
		Title:   "a step that no scenario completes",
		Fix:     "add `completes:` to the scenario that does it",
		Explain: "The step stands in the list and can never be marked as done.",
	},
	{
		Code: "step-unknown", Severity: Error,
		Title:   "a step that does not exist",
		Fix:     "correct the id, or add the step to a section of labspace.yaml",
		Explain: "`completes:` names a step that no section has, so nothing is marked as done.",
	},
	{
		Code: "step-unreachable", Severity: Warning,
		Title:   "a step that cannot be completed",
		Fix:     "let something bring about the state that those scenarios wait for",
		Explain: "Scenarios complete this step, but none of them can fire from the start, whatever the learner types.",
	},
	{
		Code: "system-field", Severity: Error, Stops: true,
		Title:   "a field that a record has already",
		Fix:     "remove it",
		Explain: "`fields` is what a system record holds besides. What makes it a record of this session, its type, id, parent and time, follows from the step.",
	},
	{
		Code: "tab-missing", Severity: Info,
		Title:   "a link to a tab that does not exist",
		Fix:     "correct `href`, or add the service to labspace.yaml",
		Explain: "The link names no service, no file of the lab and no address on the web.",
	},
	{
		Code: "template-args", Severity: Error,
		Title:   "a template for an argument that is not captured",
		Fix:     "match the argument by value, `{ any: true }` or `{ oneOf: […] }`, or correct the name",
		Explain: "`{{ args.X }}` prints what a matcher of this scenario captured. `true` and `false` capture nothing. Nothing is captured by this name, so nothing would be printed.",
	},
	{
		Code: "template-input", Severity: Error,
		Title:   "a template for an answer that is not asked for",
		Fix:     "add the question to the input's steps, or correct the key",
		Explain: "`{{ input.key }}` prints what the learner answered to the step of that key, in the input's own `then`.",
	},
	{
		Code: "template-scope", Severity: Warning,
		Title:   "a template that is not filled in",
		Fix:     "write `args`, `state` or `input`, or leave it if the braces are meant as they stand",
		Explain: "Only `{{ args.… }}`, `{{ state.… }}` and `{{ input.… }}` are filled in; everything else in braces is printed as it stands.",
	},
	{
		Code: "terminal-unknown", Severity: Error,
		Title:   "a terminal that does not exist",
		Fix:     "use the id of a terminal in labspace.yaml",
		Explain: "Terminals are named by the ids under `terminals:` in labspace.yaml; without that list there is one, `terminal`.",
	},
	{
		Code: "text-nul", Severity: Error, Stops: true,
		Title:   "the character U+0000 in a text",
		Fix:     "remove the escape",
		Explain: "Programs that read a text up to this character would lose what follows it, and some receivers refuse it.",
	},
	{
		Code: "too-many-findings", Severity: Error, Stops: true,
		Title:   "more findings than are shown",
		Fix:     "correct those that are shown and look again",
		Explain: "A file that is wrong throughout would fill the screen for minutes. The first findings are shown, and the file counts as unusable.",
	},
	{
		Code: "unknown-key", Severity: Error, Stops: true, Mends: true,
		Title:   "a key that means nothing here",
		Fix:     "remove the key or correct its spelling",
		Explain: "A key that is not known is never ignored: a misspelt key would otherwise silently do nothing.",
	},
	{
		Code: "unknown-word", Severity: Error, Stops: true, Mends: true,
		Title:   "a word that is not known here",
		Fix:     "write one of the known words",
		Explain: "The value is one of a few words. Another one is never passed over: it would silently do or compare nothing.",
	},
	{
		Code: "value-not-json", Severity: Error, Stops: true,
		Title:   "a value that JSON does not have",
		Fix:     "write another number, or put it in quotes",
		Explain: "What a tool is given and what a record holds is written as JSON, which has no infinity, no NaN, and no octal or hexadecimal numbers of more than 64 bits.",
	},
	{
		Code: "variable-unset", Severity: Info,
		Title:   "a variable that is never set",
		Fix:     "add it to `variables:` in labspace.yaml, or set it in the text",
		Explain: "`$$name$$` prints its own name until something sets the variable.",
	},
	{
		Code: "version-unknown", Severity: Error, Stops: true,
		Title:   "another version of the schema",
		Fix:     "write `version: \"2.0\"` and check what changed",
		Explain: "The major version says how the file is to be understood, and version 2 is the one that is played.",
	},
	{
		Code: "version-unquoted", Severity: Warning, Mends: true,
		Title:   "a version without quotes",
		Fix:     "put the version in quotes",
		Explain: "Without quotes a version is a number, and 1.10 is the same number as 1.1.",
	},
	{
		Code: "workflow-step-unknown", Severity: Error,
		Title:   "a workflow step that does not exist",
		Fix:     "use the id of a step of this workflow",
		Explain: "`failedStep` and the overrides under `steps` name steps of the workflow that is run.",
	},
	{
		Code: "workflow-unknown", Severity: Error,
		Title:   "a workflow that does not exist",
		Fix:     "use the id of a workflow under `workflows:`",
		Explain: "`ci.workflow` names an entry of the list `workflows:`. There is none of this name, so the command would end in an error of the lab.",
	},
	{
		Code: "wrong-type", Severity: Error, Stops: true,
		Title:   "a value of the wrong type",
		Fix:     "write a value of the expected type",
		Explain: "The key is known, but its value is of another type, such as a list where text belongs. Quotes make any value text.",
	},
	{
		Code: "yaml-alias-cycle", Severity: Error, Stops: true,
		Title:   "an alias inside the value it stands for",
		Fix:     "move the alias out of the value its anchor names",
		Explain: "An alias repeats the value its anchor names. Inside that very value it would repeat without end.",
	},
	{
		Code: "yaml-alias-unknown", Severity: Error, Stops: true,
		Title:   "an alias without an anchor",
		Fix:     "define the anchor above this line, or put the text in quotes if no alias is meant",
		Explain: "*name repeats a value that was named with &name earlier in the same file. Text that begins with * needs quotes.",
	},
	{
		Code: "yaml-control-character", Severity: Error, Stops: true,
		Title:   "a control character in the file",
		Fix:     `remove the character, or write it as an escape in double quotes ("\x1b")`,
		Explain: "YAML files hold printable text only. Invisible characters change what a reader sees and what programs do.",
	},
	{
		Code: "yaml-duplicate-key", Severity: Error, Stops: true,
		Title:   "a key written twice in one map",
		Fix:     "remove or rename one of the two",
		Explain: "One of the two values would be lost, and which one depends on the program that reads the file.",
	},
	{
		Code: "yaml-encoding", Severity: Error, Stops: true,
		Title:   "the file is not UTF-8",
		Fix:     "save the file as UTF-8",
		Explain: "Files are read as UTF-8 only; in any other encoding the text would be garbled.",
	},
	{
		Code: "yaml-key", Severity: Error, Stops: true,
		Title:   "a key that is not simple text",
		Fix:     "write the key as text on one line: key: value",
		Explain: "Keys are text. Lists, maps, aliases and the long form with ? cannot be keys here.",
	},
	{
		Code: "yaml-merge", Severity: Error, Stops: true,
		Title:   "a merge key without a map",
		Fix:     "give << an alias of a map, or a list of such aliases",
		Explain: "<<: *name copies the keys of a map into this one; other values have no keys to copy.",
	},
	{
		Code: "yaml-quote-it", Severity: Error, Stops: true, Mends: true,
		Title:   "text that YAML reads as something else",
		Fix:     "put the text in quotes",
		Explain: "Unquoted, these characters have a meaning in YAML: {{ x }} is a map, key: value is a map, !word is a tag. Quotes keep the text as it is.",
	},
	{
		Code: "yaml-second-document", Severity: Error, Stops: true,
		Title:   "a second YAML document in one file",
		Fix:     "remove the --- line, or move what follows to a file of its own",
		Explain: "One file holds one document. What follows would be ignored.",
	},
	{
		Code: "yaml-syntax", Severity: Error, Stops: true,
		Title:   "the YAML cannot be read here",
		Fix:     "correct the YAML at this place",
		Explain: "The structure of the file is not clear from this place on. The piece is skipped, and the rest of the file is still checked.",
	},
	{
		Code: "yaml-tab", Severity: Error, Stops: true,
		Title:   "a tab in the indentation",
		Fix:     "indent with spaces",
		Explain: "YAML does not allow tabs in indentation, since their width is not fixed.",
	},
	{
		Code: "yaml-tag", Severity: Error, Stops: true,
		Title:   "a tag that cannot be used",
		Fix:     "remove the tag, or put the text in quotes if no tag is meant",
		Explain: "A word that begins with ! is a tag and gives the value's type. Only !!str, !!int, !!float, !!bool, !!null, !!map and !!seq have a meaning here.",
	},
	{
		Code: "yaml-too-deep", Severity: Error, Stops: true,
		Title:   "values nested too deeply",
		Fix:     "nest less deeply",
		Explain: "The depth of nesting is bounded so that no file can exhaust the program that reads it.",
	},
	{
		Code: "yaml-too-large", Severity: Error, Stops: true,
		Title:   "the file is too large",
		Fix:     "make the file smaller, or split it",
		Explain: "Size, number of values and the values that aliases repeat are bounded so that no file can exhaust the program that reads it.",
	},
}
