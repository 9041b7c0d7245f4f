package lab

import (
	"strconv"
	"strings"
)

// canonical returns a form that equal numbers share: sign, digits without zeros
// at either end, and a power of ten. Exact at any size, so 2^53+1 is not 2^53.
func canonical(text string) string {
	s := text
	sign := ""
	if s != "" && (s[0] == '-' || s[0] == '+') {
		if s[0] == '-' {
			sign = "-"
		}
		s = s[1:]
	}
	if len(s) > 2 && s[0] == '0' && (s[1] == 'x' || s[1] == 'o') {
		base := uint64(16)
		if s[1] == 'o' {
			base = 8
		}
		u, ok := parseUint(s[2:], base)
		if !ok {
			return strings.ToLower(text)
		}
		s = strconv.FormatUint(u, 10)
	}
	switch strings.ToLower(s) {
	case ".inf":
		return sign + "inf"
	case ".nan":
		return "nan"
	}
	exp := 0
	if i := strings.IndexAny(s, "eE"); i >= 0 {
		n, ok := Atoi(strings.TrimPrefix(s[i+1:], "+"))
		if !ok {
			return strings.ToLower(text)
		}
		exp, s = n, s[:i]
	}
	whole, part, _ := strings.Cut(s, ".")
	digits := strings.TrimLeft(whole+part, "0")
	exp -= len(part)
	trimmed := strings.TrimRight(digits, "0")
	exp += len(digits) - len(trimmed)
	if trimmed == "" {
		return "0"
	}
	return sign + trimmed + "e" + strconv.Itoa(exp)
}

// appendNumber appends a number as JSON: as written where that is JSON, else by
// its value; infinities and not-a-number, which JSON lacks, as null.
func appendNumber(dst []byte, d *datum) []byte {
	if isJSONNumber(d.text) {
		return append(dst, d.text...)
	}
	sign, rest := "", d.number
	if strings.HasPrefix(rest, "-") {
		sign, rest = "-", rest[1:]
	}
	digits, power, ok := strings.Cut(rest, "e")
	switch {
	case rest == "0":
		return append(dst, '0')
	case !ok || !isJSONNumber(digits):
		return append(dst, "null"...)
	case power == "0":
		return append(append(dst, sign...), digits...)
	}
	exp, _ := Atoi(power)
	if exp > 0 && exp <= 20 {
		return append(append(append(dst, sign...), digits...), strings.Repeat("0", exp)...)
	}
	if exp < 0 && -exp < len(digits) {
		cut := len(digits) + exp
		return append(append(append(append(dst, sign...), digits[:cut]...), '.'), digits[cut:]...)
	}
	if exp < 0 && exp >= -20 {
		dst = append(append(append(dst, sign...), "0."...), strings.Repeat("0", -exp-len(digits))...)
		return append(dst, digits...)
	}
	return append(append(append(append(dst, sign...), digits...), 'e'), power...)
}

// isJSONNumber reports whether s is a number in JSON's grammar.
func isJSONNumber(s string) bool {
	s = strings.TrimPrefix(s, "-")
	whole := countDigits(s)
	if whole == 0 || whole > 1 && s[0] == '0' {
		return false
	}
	s = s[whole:]
	if strings.HasPrefix(s, ".") {
		n := countDigits(s[1:])
		if n == 0 {
			return false
		}
		s = s[1+n:]
	}
	if s != "" && (s[0] == 'e' || s[0] == 'E') {
		s = s[1:]
		if s != "" && (s[0] == '+' || s[0] == '-') {
			s = s[1:]
		}
		n := countDigits(s)
		if n == 0 {
			return false
		}
		s = s[n:]
	}
	return s == ""
}

func countDigits(s string) int {
	n := 0
	for n < len(s) && s[n] >= '0' && s[n] <= '9' {
		n++
	}
	return n
}

// Atoi reads a decimal number with an optional minus sign. It is here because
// the errors of strconv.Atoi bring quoting and its tables into the player.
func Atoi(s string) (n int, ok bool) {
	digits := strings.TrimPrefix(s, "-")
	u, ok := parseUint(digits, 10)
	if !ok || u > 1<<31-1 {
		return 0, false
	}
	if len(digits) < len(s) {
		return -int(u), true
	}
	return int(u), true
}

func parseUint(s string, base uint64) (n uint64, ok bool) {
	for i := range len(s) {
		d := uint64(99)
		switch c := s[i]; {
		case c >= '0' && c <= '9':
			d = uint64(c - '0')
		case c|0x20 >= 'a' && c|0x20 <= 'f':
			d = uint64(c|0x20-'a') + 10
		}
		if d >= base || n > (1<<63)/base {
			return 0, false
		}
		n = n*base + d
	}
	return n, s != ""
}
