package fold

import "asz/native/store"

// VerifyChain is the part of Verify that Problem.Chain tells, for one who has read the landed files already: sums are their
// SHA-256 by seq. A landed file without a sum is read.
func VerifyChain(root *store.Root, id string, rounds []store.RoundFile, landed []store.Landed, sums map[int64]string) []Problem {
	v := &verifier{root: root, report: &Report{Session: id}}
	bySeq := make(map[int64]store.Landed, len(landed))
	for _, l := range landed {
		if _, twice := bySeq[l.Seq]; !twice {
			bySeq[l.Seq] = l
		}
	}
	v.inputs = newInputs(root, bySeq)
	v.inputs.sums = sums
	v.rounds(rounds)
	return v.report.Problems
}
