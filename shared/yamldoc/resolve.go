package yamldoc

// resolve gives the type of a plain scalar after the YAML 1.2 core schema, and the value of a bool.
// What is not null, a bool or a number is text: on, yes, 1_000, 12:30:00 and dates among them.
func resolve(s string) (kind Kind, value bool) {
	switch s {
	case "", "~", "null", "Null", "NULL":
		return KindNull, false
	case "true", "True", "TRUE":
		return KindBool, true
	case "false", "False", "FALSE":
		return KindBool, false
	case ".nan", ".NaN", ".NAN":
		return KindNumber, false
	}
	if isInt(s) || isFloat(s) {
		return KindNumber, false
	}
	return KindText, false
}

// isInt accepts [-+]?[0-9]+, 0o[0-7]+ and 0x[0-9a-fA-F]+.
func isInt(s string) bool {
	if len(s) > 2 && s[:2] == "0o" {
		return span(s[2:], func(c byte) bool { return c >= '0' && c <= '7' }) == len(s)-2
	}
	if len(s) > 2 && s[:2] == "0x" {
		return span(s[2:], isHex) == len(s)-2
	}
	s = unsigned(s)
	return s != "" && span(s, isDigit) == len(s)
}

// isFloat accepts [-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)? and [-+]?\.inf in three cases.
func isFloat(s string) bool {
	s = unsigned(s)
	if s == ".inf" || s == ".Inf" || s == ".INF" {
		return true
	}
	whole := span(s, isDigit)
	s = s[whole:]
	if s != "" && s[0] == '.' {
		fraction := span(s[1:], isDigit)
		if whole+fraction == 0 {
			return false
		}
		s = s[1+fraction:]
	} else if whole == 0 {
		return false
	}
	if s == "" {
		return true
	}
	if s[0] != 'e' && s[0] != 'E' {
		return false
	}
	s = unsigned(s[1:])
	return s != "" && span(s, isDigit) == len(s)
}

func unsigned(s string) string {
	if s != "" && (s[0] == '-' || s[0] == '+') {
		return s[1:]
	}
	return s
}

// span counts the leading bytes that satisfy is.
func span(s string, is func(byte) bool) int {
	i := 0
	for i < len(s) && is(s[i]) {
		i++
	}
	return i
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

func isHex(c byte) bool {
	return isDigit(c) || c >= 'a' && c <= 'f' || c >= 'A' && c <= 'F'
}
