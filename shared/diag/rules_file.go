package diag

// fileRules are the rows of every kind of file: what the reader of YAML finds, and what no file may hold, sorted by code.
var fileRules = []Rule{
	{
		Code: "list-empty", Severity: Error, Stops: true,
		Title:   "a list without an entry",
		Fix:     "add an entry, or leave out what has none",
		Explain: "A session without steps leaves nothing behind, a workflow starts one child at least, an entry of a plan promises something, and a parameter has values. What has none is left out.",
	},
	{
		Code: "missing-key", Severity: Error, Stops: true,
		Title:   "a required key is missing",
		Fix:     "add the key",
		Explain: "The entry cannot be used without this key, and no default stands in for it.",
	},
	{
		Code: "name-unusable", Severity: Error, Stops: true,
		Title:   "a name that cannot be used",
		Fix:     "choose another name",
		Explain: "Names are texts on one line. In a session, `final` and `main` are taken, a project is one directory, and a file is named by a workflow. In a GUI run an action names things in double quotes, and the names of tools are those that providers of models take.",
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
