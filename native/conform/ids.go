package conform

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strconv"
	"strings"

	"asz/shared/session"
)

// AgentID is the id of a child's stream.
func AgentID(name string) string {
	sum := sha256.Sum256([]byte("agent:" + name))
	return "a" + hex.EncodeToString(sum[:8])
}

// batchID is the id of a workflow's run: a name that a file may have.
func batchID(name string) string {
	id := strings.Map(func(r rune) rune {
		if alphanumeric(r) || r == '_' || r == '-' {
			return r
		}
		return '-'
	}, name)
	if id == "" || !alphanumeric(rune(id[0])) {
		id = "run-" + id
	}
	return "wf_" + id
}

func alphanumeric(r rune) bool {
	return r >= '0' && r <= '9' || r >= 'A' && r <= 'Z' || r >= 'a' && r <= 'z'
}

// sessionID is the id of a scenario's first session.
func sessionID(s *session.Scenario) string {
	switch {
	case isUUID(s.Session):
		return s.Session
	case s.Session != "":
		return uuidOf([]byte("session:" + s.Session))
	}
	return uuidOf(s.Canonical())
}

func uuidOf(data []byte) string {
	sum := sha256.Sum256(data)
	h := hex.EncodeToString(sum[:16])
	return h[:8] + "-" + h[8:12] + "-" + h[12:16] + "-" + h[16:20] + "-" + h[20:]
}

// isUUID reports whether a text has the shape of a UUID, in either case.
func isUUID(text string) bool {
	if len(text) != 36 {
		return false
	}
	for i, c := range text {
		switch i {
		case 8, 13, 18, 23:
			if c != '-' {
				return false
			}
		default:
			if !(c >= '0' && c <= '9' || c >= 'a' && c <= 'f' || c >= 'A' && c <= 'F') {
				return false
			}
		}
	}
	return true
}

// maxCounted is one more than what the last 12 digits of an id can count to.
const maxCounted = 1 << 48

// countedID is the id of the k-th session behind the first, "" when its digits cannot count so far.
func countedID(first string, k int64) string {
	head, digits := first[:24], first[24:]
	n, _ := strconv.ParseInt(digits, 16, 64)
	switch {
	case k == 0:
		return first
	case k >= maxCounted || n+k >= maxCounted:
		return ""
	}
	next := fmt.Sprintf("%012x", n+k)
	if strings.ToUpper(first) == first && strings.ToLower(first) != first {
		next = strings.ToUpper(next)
	}
	return head + next
}
