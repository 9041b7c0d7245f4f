package sim

import (
	"strings"
)

// builtin runs `ls` or `cat` against the virtual files (simulator.md 10).
func builtin(s *State, words []string) (*Result, bool) {
	var paths []string
	for _, w := range words[1:] {
		if !strings.HasPrefix(w, "-") {
			paths = append(paths, w)
		}
	}
	r := &Result{Builtin: words[0]}
	switch words[0] {
	case "ls":
		r.list(s.files, paths)
	case "cat":
		r.concatenate(s.files, paths)
	default:
		return r, false
	}
	return r, true
}

func (r *Result) list(files Files, paths []string) {
	if len(paths) == 0 {
		paths = []string{"."}
	}
	for _, path := range paths {
		lines, dir, err := files.list(path)
		if err != nil {
			r.Exit = 1
			r.say(Stderr, "ls: "+path+": "+err.Error())
			continue
		}
		if r.size > maxText {
			r.Exit = 1
			r.say(Stderr, "ls: "+errTooLong.Error())
			break
		}
		if dir && len(paths) > 1 {
			r.say(Stdout, path+":")
		}
		r.say(Stdout, lines...)
	}
	r.stdoutFirst()
}

func (r *Result) concatenate(files Files, paths []string) {
	if len(paths) == 0 {
		r.Exit = 1
		r.say(Stderr, "cat: missing file name")
	}
	for _, path := range paths {
		text, err := files.Read(path)
		if err == errOutside {
			err = errMissing
		}
		if err != nil {
			r.Exit = 1
			r.say(Stderr, "cat: "+path+": "+err.Error())
			continue
		}
		if r.size > maxText {
			r.Exit = 1
			r.say(Stderr, "cat: "+errTooLong.Error())
			break
		}
		if text != "" {
			r.say(Stdout, strings.Split(strings.TrimSuffix(text, "\n"), "\n")...)
		}
	}
	r.stdoutFirst()
}

// stdoutFirst joins the pieces into one whose lines of stdout stand before
// those of stderr, as in every outcome.
func (r *Result) stdoutFirst() {
	var out, err []Block
	for _, p := range r.pieces {
		for _, b := range p.blocks {
			if b.Stream == Stdout {
				out = append(out, b)
			} else {
				err = append(err, b)
			}
		}
	}
	r.pieces = []piece{{blocks: append(out, err...)}}
}
