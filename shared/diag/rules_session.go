package diag

// sessionRules are the rows of session scenarios and their expectations, sorted by code.
var sessionRules = []Rule{
	{
		Code: "call-form", Severity: Error, Stops: true,
		Title:   "a call that is not one answer of the model",
		Fix:     "give it `thinking`, `text`, or one of `tool`, `agent`, `skill`, `workflow`",
		Explain: "A call is one answer in fragments: reasoning, text, then at most one thing that it asks for. What asks for two things is two calls, and so two steps.",
	},
	{
		Code: "duration-form", Severity: Error, Stops: true,
		Title:   "a duration that cannot be used",
		Fix:     "write a number with its unit, such as 800ms, 1s or 1m30s",
		Explain: "Gaps of time are numbers with a unit: ns, us, ms, s, m or h, several in a row if need be. They are never negative, since records come one after the other.",
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
		Code: "main-only", Severity: Error, Stops: true,
		Title:   "a key that stands in the main stream only",
		Fix:     "move it to the step of the main stream that starts the child",
		Explain: "A checkpoint ends a stage of the whole session, and a replay repeats records of the main stream. The steps of a child have neither.",
	},
	{
		Code: "name-taken", Severity: Error, Stops: true,
		Title:   "a name that is given twice",
		Fix:     "choose another name",
		Explain: "Checkpoints, children, tools and runs of workflows are found by their names, so each has one of its own. A tool without an id has that of its step: `s2-tool`. Runs of workflows are directories, and some file systems do not tell `A` from `a`.",
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
		Code: "scenario-too-long", Severity: Error, Stops: true,
		Title:   "a scenario that goes on too long",
		Fix:     "write shorter gaps, or replay less",
		Explain: "The gaps of time and the replays of a short file can come to millions of years and records. Both are bounded, so that every time is a date and every session fits.",
	},
	{
		Code: "step-form", Severity: Error, Stops: true,
		Title:   "a step that does not do one thing",
		Fix:     "write one of input, queued, inject, call, result, error, reset, replay, system",
		Explain: "Each step is one thing that happens, and may have `after`, `checkpoint` and `lost` beside it. Two things are two steps.",
	},
	{
		Code: "system-field", Severity: Error, Stops: true,
		Title:   "a field that a record has already",
		Fix:     "remove it",
		Explain: "`fields` is what a system record holds besides. What makes it a record of this session, its type, id, parent and time, follows from the step.",
	},
	{
		Code: "value-not-json", Severity: Error, Stops: true,
		Title:   "a value that JSON does not have",
		Fix:     "write another number, or put it in quotes",
		Explain: "What a tool is given and what a record holds is written as JSON, which has no infinity, no NaN, and no octal or hexadecimal numbers of more than 64 bits.",
	},
}
