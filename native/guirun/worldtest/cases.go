package worldtest

import "slices"

// Cases are all cases of the suite.
func Cases() []Case {
	return slices.Concat(launchCases(), dialogCases(), inputCases(), commandCases(), postCases(), planCases(), verdictCases(), evidenceCases())
}
