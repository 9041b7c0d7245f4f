package guirun

import (
	"fmt"
	"strings"
	"unicode"
)

// errorDialog is the fault that an error dialog is, nil when there is none.
func (r *run) errorDialog(windows []Window, all []Process) *Fault {
	if dialogs := r.errorDialogs(windows, all); len(dialogs) > 0 {
		return Faultf(ClassAbsent, "an error dialog came up: %s", strings.Join(dialogs, "; "))
	}
	return nil
}

// errorDialogs are the error dialogs of the app among the windows there are: dialogs that belong to it, with an error word
// in their title. Without anything that is the app, as on a desktop, there are none.
func (r *run) errorDialogs(windows []Window, all []Process) []string {
	own := map[int]bool{}
	if r.launched != 0 {
		own[r.launched] = true
		for range all { // a parent may stand behind its child in the list
			grown := false
			for _, p := range all {
				if own[p.Parent] && !own[p.PID] {
					own[p.PID], grown = true, true
				}
			}
			if !grown {
				break
			}
		}
	}
	if r.process != "" {
		for _, p := range matching(all, r.process) {
			own[p.PID] = true
		}
	}
	app := map[WindowID]bool{}
	for _, w := range windows {
		if r.window != "" && w.Has(r.window) {
			app[w.ID] = true
			if w.PID != 0 {
				own[w.PID] = true
			}
		}
	}
	var out []string
	for _, w := range windows {
		if !w.Dialog || !app[w.For] && !own[w.PID] && !app[w.ID] {
			continue
		}
		if word := r.errorWord(w.Title); word != "" {
			out = append(out, fmt.Sprintf("%s (it says %q)", w.label(), word))
		}
	}
	return out
}

// errorWord is the first of the error words that a text has as a whole word, in any case.
func (r *run) errorWord(text string) string {
	text = strings.ToLower(text)
	for _, word := range r.Operator.ErrorWords {
		if hasWord(text, strings.ToLower(word)) {
			return word
		}
	}
	return ""
}

// hasWord says whether a text has a word with no letter or digit beside it.
func hasWord(text, word string) bool {
	if word == "" {
		return false
	}
	for from := 0; ; {
		i := strings.Index(text[from:], word)
		if i < 0 {
			return false
		}
		before, after := text[:from+i], text[from+i+len(word):]
		if !endsInLetter(before) && !beginsWithLetter(after) {
			return true
		}
		from += i + 1
	}
}

func endsInLetter(s string) bool {
	last := rune(0)
	for _, c := range s[max(0, len(s)-4):] {
		last = c
	}
	return unicode.IsLetter(last) || unicode.IsDigit(last)
}

func beginsWithLetter(s string) bool {
	for _, c := range s {
		return unicode.IsLetter(c) || unicode.IsDigit(c)
	}
	return false
}
