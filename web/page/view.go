// Package page holds the site's pages as templ components. Each takes a view of its own, made of text only, so that
// it can be shown from anywhere; it knows no lab, no file and no server.
package page

import "strconv"

// Frame is what every page has around its content. Paths in it are relative to the page.
type Frame struct {
	Title   string
	Style   string
	Head    string // the script that runs before anything is shown
	Scripts []string
}

// Catalog is the page that lists the labs.
type Catalog struct {
	Frame Frame
	Cards []Card
}

// Card is one lab in the catalog. Minutes is 0 when its author gave none.
type Card struct {
	ID, Version              string
	Href, Title, Description string
	Icon                     string
	Tags                     []string
	Minutes, Steps           int
}

// Lab is the page of one lab. Home, Bytes, Player and Diagrams are paths relative to the page: the catalog, the
// compiled lab, the wasm module that plays it, and the script that draws diagrams. Config is JSON for the page's script.
type Lab struct {
	Frame                         Frame
	Title, Description            string
	Home, Bytes, Player, Diagrams string
	Root                          string // the site's root
	Config                        string
	Sections                      []Section
	Terminals                     []Terminal
	CI                            string   // title of the CI tab; "" = none
	Services                      []string // titles of the tabs for services
}

// Section is one section of a lab. HTML is shown as it is, so it must be sanitised. Titled says that HTML begins
// with a heading of its own.
type Section struct {
	ID, Title, HTML string
	Titled          bool
	Steps           []Step
}

// Step is one thing to do in a lab.
type Step struct{ ID, Title string }

// Terminal is one terminal of a lab.
type Terminal struct{ ID, Title string }

// meta is the line under a card's title, such as "10 minutes · 3 steps".
func (c Card) meta() string {
	line := count(c.Steps, "step")
	if c.Minutes > 0 {
		line = count(c.Minutes, "minute") + " · " + line
	}
	return line
}

func (l Lab) steps() int {
	n := 0
	for _, section := range l.Sections {
		n += len(section.Steps)
	}
	return n
}

func count(n int, what string) string {
	if n != 1 {
		what += "s"
	}
	return strconv.Itoa(n) + " " + what
}

func trueFalse(b bool) string { return strconv.FormatBool(b) }

// tabIndex lets only the chosen tab be reached by the Tab key; the arrow keys go between tabs.
func tabIndex(chosen bool) string {
	if chosen {
		return "0"
	}
	return "-1"
}

// progress is the count of steps before any is done; the script writes the same form later.
func progress(steps int) string { return "0 of " + count(steps, "step") }

// number makes an element's id: a terminal's own id may hold what an HTML id must not.
func number(prefix string, i int) string { return prefix + strconv.Itoa(i) }

func current(first bool) string {
	if first {
		return "section current"
	}
	return "section"
}
