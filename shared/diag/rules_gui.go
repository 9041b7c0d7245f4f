package diag

// guiRules are the rows of GUI scenarios, sorted by code.
var guiRules = []Rule{
	{
		Code: "action-form", Severity: Error, Stops: true,
		Title:   "an action that cannot be understood",
		Fix:     "write the word, then its arguments: texts in double quotes, numbers without",
		Explain: "An action is a word and what it acts on, as in `type \"hello\"` or `wait 1.5`. A text in double quotes is taken verbatim: nothing escapes a character, so it cannot hold a `\"`.",
	},
	{
		Code: "action-unknown", Severity: Error, Stops: true, Mends: true,
		Title:   "an action that does not exist",
		Fix:     "write one of the known actions",
		Explain: "An action that is not known is never passed over: the run would go on as if it had been done.",
	},
	{
		Code: "chord-form", Severity: Error, Stops: true,
		Title:   "a chord that cannot be pressed",
		Fix:     "write modifiers and one key, joined by `+`, as in `ctrl+shift+s`",
		Explain: "A chord is any of ctrl, alt, shift and super, and at its end one character or the name of a key. Names may be in any case; a character is itself, so that `ctrl+S` presses Shift too.",
	},
	{
		Code: "entry-form", Severity: Error, Stops: true,
		Title:   "an entry that is not one action or one observation",
		Fix:     "write either `action` or `observe`",
		Explain: "Each entry of `steps` does one thing or judges one thing. `plan` is replayed without a model, so its entries only act.",
	},
	{
		Code: "env-reference", Severity: Error, Stops: true,
		Title:   "a reference to the environment that is not closed or names nothing",
		Fix:     "write `$NAME` or `${NAME}`, or `$$` for the character itself",
		Explain: "What is typed may name variables of the environment. A reference that is half written would be typed as it stands, in a field that expects a password.",
	},
	{
		Code: "key-conflict", Severity: Error, Stops: true,
		Title:   "keys that cannot stand together",
		Fix:     "remove one of the two",
		Explain: "Each of the two is understood, but one rules out the other. None of them is silently given up.",
	},
	{
		Code: "key-requires", Severity: Error, Stops: true,
		Title:   "a key without what it needs",
		Fix:     "add what it needs, or remove the key",
		Explain: "The key means something only together with another one. Alone it would silently do nothing.",
	},
	{
		Code: "name-undeclared", Severity: Error, Stops: true,
		Title:   "a name that is not declared",
		Fix:     "correct the name, or declare it",
		Explain: "Positions, holds, commands, tools and the values of their parameters are declared once in the file and then named. A name that is not there has nothing to stand for.",
	},
	{
		Code: "pattern-form", Severity: Error, Stops: true,
		Title:   "a regular expression that cannot be read",
		Fix:     "correct the expression",
		Explain: "The pattern of `kill` is an extended regular expression of POSIX, as `pkill -f` takes it; that of a rule is one of Go (RE2). One that cannot be read matches nothing.",
	},
	{
		Code: "policy-form", Severity: Error, Stops: true,
		Title:   "a policy that does not say where its procedure comes from",
		Fix:     "write either `skill` or `inline`",
		Explain: "The procedure of the agent loop is one that is built in, or a text in the file.",
	},
	{
		Code: "policy-placeholder", Severity: Error, Stops: true,
		Title:   "a procedure and its values that do not agree",
		Fix:     "give each `{{.name}}` a value below `vars`, and remove values without a placeholder",
		Explain: "A procedure is filled in with `{{.name}}` and nothing else. A placeholder without a value, a value without a placeholder and any other `{{` is a mistake that a model would be told as if it was meant.",
	},
	{
		Code: "post-form", Severity: Error, Stops: true,
		Title:   "a postcondition that is not of one kind",
		Fix:     "write one of url, dom, state, window, no_window, process, no_process, file, screen",
		Explain: "Each entry of `post` says one thing that must be true, so that the report can say which one was not. Two things are two entries.",
	},
	{
		Code: "state-form", Severity: Error, Stops: true,
		Title:   "a control and its state that cannot be understood",
		Fix:     "write the control's name, `not` if it must not be so, and one of the states: `Bold not checked`",
		Explain: "The last word is the state: checked, enabled, expanded, focused, pressed, selected, sensitive or showing. A `not` before it is the negation, and what stands before is the name, without quotes.",
	},
	{
		Code: "steps-too-many", Severity: Error, Stops: true,
		Title:   "more than 40 entries",
		Fix:     "divide the file, or remove entries",
		Explain: "`steps` and `plan` have 40 entries at most. Longer ones take long to run, and one that fails hides all that come after it.",
	},
	{
		Code: "target-form", Severity: Error, Stops: true,
		Title:   "a target that cannot be understood",
		Fix:     "write `window \"part of its title\"` or `browser`",
		Explain: "An action goes to the app's window unless `target` names another window, by a part of its title or class, or the attached tab.",
	},
	{
		Code: "text-empty", Severity: Error, Stops: true,
		Title:   "an empty text where one is needed",
		Fix:     "write a text, or leave the key out",
		Explain: "An empty text is part of every title, command line and log, and a question about nothing holds always. What is meant to have no value is left out.",
	},
	{
		Code: "tool-commands", Severity: Error, Stops: true,
		Title:   "commands that do not go with the values of `name`",
		Fix:     "write one command for each value of the parameter `name`",
		Explain: "The model chooses a value of `name`, and the command of that value is run. A value without a command fails when it is chosen; a command without a value is never run.",
	},
	{
		Code: "tool-cycle", Severity: Error, Stops: true,
		Title:   "tools that wait for each other",
		Fix:     "remove one of the prerequisites",
		Explain: "A tool can be called once its prerequisites were. In a circle each waits for another, so none can ever be called.",
	},
	{
		Code: "tool-reserved", Severity: Error, Stops: true,
		Title:   "a tool with the name of one that is built in",
		Fix:     "choose another name",
		Explain: "The model calls tools by their names. With two of one name, nobody could tell which one it meant.",
	},
	{
		Code: "value-twice", Severity: Error, Stops: true,
		Title:   "a value that is listed twice",
		Fix:     "remove one of the two",
		Explain: "The values of a parameter are what the model chooses from. A value that stands twice is most often another one misspelt.",
	},
}
