package claudecode

import "time"

// utc appends an RFC 3339 time in UTC, with the fraction that it was written with, cut after nine digits. ok is false for
// what is no time of the years 0 to 9999; at is nil when s is as it should be already.
func utc(buf []byte, s string) (at []byte, ok bool) {
	const date = len("2006-01-02T15:04:05")
	if len(s) <= date || s[10]|0x20 != 't' || s[4] != '-' || s[7] != '-' || s[13] != ':' || s[16] != ':' {
		return nil, false
	}
	year, ok1 := digits(s[:4])
	month, ok2 := digits(s[5:7])
	day, ok3 := digits(s[8:10])
	hour, ok4 := digits(s[11:13])
	minute, ok5 := digits(s[14:16])
	second, ok6 := digits(s[17:19])
	if !ok1 || !ok2 || !ok3 || !ok4 || !ok5 || !ok6 || month < 1 || month > 12 || hour > 23 || minute > 59 || second > 59 ||
		day < 1 || day > time.Date(year, time.Month(month)+1, 0, 0, 0, 0, 0, time.UTC).Day() {
		return nil, false
	}
	end := date
	if s[end] == '.' {
		for end++; end < len(s) && s[end] >= '0' && s[end] <= '9'; end++ {
		}
		if end == date+1 {
			return nil, false
		}
	}
	fraction := s[date:min(end, date+10)]
	zone := s[end:]
	switch {
	case zone == "Z" && s[10] == 'T' && end <= date+10:
		return nil, true
	case zone == "Z" || zone == "z":
		at = append(append(append(buf, s[:date]...), fraction...), 'Z')
		at[10] = 'T'
		return at, true
	}
	if len(zone) != len("+00:00") || zone[0] != '+' && zone[0] != '-' || zone[3] != ':' {
		return nil, false
	}
	hours, ok1 := digits(zone[1:3])
	minutes, ok2 := digits(zone[4:6])
	if !ok1 || !ok2 || hours > 23 || minutes > 59 {
		return nil, false
	}
	offset := time.Duration(hours)*time.Hour + time.Duration(minutes)*time.Minute
	if zone[0] == '+' {
		offset = -offset
	}
	t := time.Date(year, time.Month(month), day, hour, minute, second, 0, time.UTC).Add(offset)
	if t.Year() < 0 || t.Year() > 9999 {
		return nil, false
	}
	at = t.AppendFormat(buf, "2006-01-02T15:04:05")
	return append(append(at, fraction...), 'Z'), true
}

func digits(s string) (n int, ok bool) {
	for i := range len(s) {
		if s[i] < '0' || s[i] > '9' {
			return 0, false
		}
		n = n*10 + int(s[i]-'0')
	}
	return n, true
}
