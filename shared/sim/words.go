package sim

import "strings"

// token is one word of a command line, or an operator between two commands.
type token struct {
	text     string
	operator bool // an unquoted `;`, `&&` or `||`
	glued    bool // nothing stands between it and the token before
}

// lexed is a command line taken apart (labs.md E1).
type lexed struct {
	tokens []token
	open   byte // what the line still waits for: a quote, `\`, or 0
}

// lex splits a line into words and operators by POSIX quoting. Nothing is
// expanded; an unquoted `#` at the start of a word ends the line.
func lex(line string) lexed {
	out := lexed{tokens: make([]token, 0, 8)}
	glued := false
	for i := 0; i < len(line); {
		c := line[i]
		switch {
		case isBlank(c):
			i++
			glued = false
			continue
		case c == '\\' && i+1 < len(line) && line[i+1] == '\n': // a joined line
			i += 2
			continue
		case c == '#' && (!glued || len(out.tokens) > 0 && out.tokens[len(out.tokens)-1].operator):
			return out
		}
		if n := operatorAt(line, i); n > 0 {
			out.tokens = append(out.tokens, token{line[i : i+n], true, glued})
			i += n
			glued = true
			continue
		}
		word, next, open := lexWord(line, i)
		if open != 0 {
			out.open = open
			return out
		}
		out.tokens = append(out.tokens, token{word, false, glued})
		i = next
		glued = true
	}
	return out
}

// lexWord reads the word that starts at line[i].
func lexWord(line string, i int) (word string, next int, open byte) {
	from := i
	for i < len(line) && !endsWord(line, i) && !isQuoting(line[i]) {
		i++
	}
	if i == len(line) || endsWord(line, i) {
		return line[from:i], i, 0 // the usual word, no copy
	}
	var b strings.Builder
	b.WriteString(line[from:i])
	for i < len(line) && !endsWord(line, i) {
		switch c := line[i]; c {
		case '\'':
			end := strings.IndexByte(line[i+1:], '\'')
			if end < 0 {
				return "", 0, '\''
			}
			b.WriteString(line[i+1 : i+1+end])
			i += end + 2
		case '"':
			if i = lexDouble(line, i+1, &b); i < 0 {
				return "", 0, '"'
			}
		case '\\':
			if i+1 == len(line) {
				return "", 0, '\\'
			}
			if line[i+1] != '\n' {
				b.WriteByte(line[i+1])
			}
			i += 2
		default:
			b.WriteByte(c)
			i++
		}
	}
	return b.String(), i, 0
}

// lexDouble reads the inside of double quotes from line[i]; it returns where the
// word goes on, or -1 when the quotes are not closed.
func lexDouble(line string, i int, b *strings.Builder) int {
	for ; i < len(line); i++ {
		switch c := line[i]; {
		case c == '"':
			return i + 1
		case c == '\\' && i+1 < len(line) && strings.IndexByte("\"\\$`\n", line[i+1]) >= 0:
			i++
			if line[i] != '\n' {
				b.WriteByte(line[i])
			}
		default:
			b.WriteByte(c)
		}
	}
	return -1
}

func isBlank(c byte) bool { return c == ' ' || c == '\t' || c == '\n' || c == '\r' }

func isQuoting(c byte) bool { return c == '\'' || c == '"' || c == '\\' }

func endsWord(line string, i int) bool { return isBlank(line[i]) || operatorAt(line, i) > 0 }

// operatorAt is the length of the operator at line[i], 0 when there is none.
func operatorAt(line string, i int) int {
	switch line[i] {
	case ';':
		return 1
	case '&', '|':
		if i+1 < len(line) && line[i+1] == line[i] {
			return 2
		}
	}
	return 0
}

// command is one command of a list with the operator that stands before it.
type command struct {
	after string // "", ";", "&&" or "||"
	words []string
}

// split makes commands of tokens (labs.md E2). The line begins with the words of
// path, whose operators do not split; tokens are what follows. bad is the
// operator that has no command before or after it, "" when all is well.
func split(path []string, tokens []token) (list []command, bad string) {
	words := make([]string, 0, len(path)+len(tokens))
	words = append(words, path...)
	start, after := 0, ""
	for _, t := range tokens {
		if !t.operator {
			words = append(words, t.text)
			continue
		}
		if len(words) == start {
			return nil, t.text
		}
		list = append(list, command{after, words[start:len(words):len(words)]})
		start, after = len(words), t.text
	}
	if len(words) > start {
		return append(list, command{after, words[start:]}), ""
	}
	if after != "" && after != ";" {
		return nil, after
	}
	return list, ""
}

// takePath reports how many tokens at the start of the line are the words of
// path, 0 when they are not. Operators count as words or parts of words.
func takePath(tokens []token, path []string) int {
	n := 0
	for _, want := range path {
		got := ""
		for first := true; got != want; first = false {
			if n == len(tokens) || !first && !tokens[n].glued || len(got) > len(want) {
				return 0
			}
			got += tokens[n].text
			n++
		}
	}
	return n
}
