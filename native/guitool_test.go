package main

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"html"
	"net/url"
	"os"
	"strconv"
	"strings"

	"github.com/jezek/xgb"
	"github.com/jezek/xgb/xproto"
	"github.com/jezek/xgb/xtest"

	"asz/native/guirun"
)

// encodings are the forms in which a secret could stand in a file.
func encodings(secret string) []string {
	quoted, _ := json.Marshal(secret)
	inner := string(quoted[1 : len(quoted)-1])
	again, _ := json.Marshal(inner)
	out := []string{secret, inner, string(again[1 : len(again)-1]), html.EscapeString(secret), url.QueryEscape(secret), url.PathEscape(secret)}
	for shift := range 3 {
		for _, coding := range []*base64.Encoding{base64.RawStdEncoding, base64.RawURLEncoding} {
			text := coding.EncodeToString([]byte(strings.Repeat(".", shift) + secret))
			first := (8*shift + 5) / 6 // characters that what stands before the secret has a share in
			last := len(text)
			if (shift+len(secret))%3 != 0 {
				last-- // and what stands after it
			}
			out = append(out, text[first:last])
		}
	}
	return sorted(out)
}

// told prints reports tersely: the verdict, then a line for each row and for what belongs to it.
func told() {
	for _, name := range os.Args[1:] {
		text, err := os.ReadFile(name)
		var r guirun.Report
		if err == nil {
			err = json.Unmarshal(text, &r)
		}
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		fmt.Printf("%s: %s, exit %d, finished %t, flaky %t, attempts %d, not judged %d\n", r.Scenario.Name, r.Verdict, r.Exit, r.Finished, r.Flaky, len(r.Attempts), r.NotJudged)
		fmt.Printf("reason: %s\n", r.Reason)
		for _, row := range r.Rows {
			fmt.Printf("%s %s: %s", row.Phase, row.Status, row.Action)
			for _, detail := range []struct{ name, text string }{{"target", row.Target}, {"rung", row.Rung}, {"resolved", row.Resolved}} {
				if detail.text != "" {
					fmt.Printf(" | %s %s", detail.name, detail.text)
				}
			}
			if row.Screenshots.Before != "" {
				fmt.Print(" | before")
			}
			if row.Screenshots.After != "" {
				fmt.Print(" | after")
			}
			fmt.Println()
			if row.Error != nil {
				fmt.Printf("  %s: %s\n", row.Error.Class, row.Error.Message)
			}
			for _, p := range row.Postconditions {
				holds := "not judged"
				if p.Holds != nil {
					holds = strconv.FormatBool(*p.Holds)
				}
				fmt.Printf("  %s %q %s: %s\n", p.Kind, p.Want, holds, p.Last)
			}
			if res := row.Result; res != nil {
				if res.Exit != nil {
					fmt.Printf("  exit %d\n", *res.Exit)
				}
				if res.Output != "" || res.CutBytes > 0 {
					fmt.Printf("  output %q, %d cut\n", res.Output, res.CutBytes)
				}
				if res.PIDs != nil {
					fmt.Printf("  %d processes\n", len(res.PIDs))
				}
			}
			for _, note := range row.Notes {
				fmt.Printf("  note %s\n", note)
			}
		}
		if f := r.Final; f != nil {
			for _, w := range f.Windows {
				fmt.Printf("window %q %q active %t minimised %t\n", w.Title, w.Class, w.Active, w.Minimised)
			}
			for _, d := range f.Dialogs {
				fmt.Printf("dialog %s\n", d)
			}
			for _, l := range f.Logs {
				fmt.Printf("log %s fatal %q\n", l.Path, l.Fatal)
			}
		}
	}
}

// keyboard without arguments prints what every program on the display sees of it: the lock state, the group, whether
// any key is down, a sum over the map. With arguments it presses these keycodes, one after the other; what "down" is put
// before stays down.
func keyboard() {
	if err := onKeyboard(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func onKeyboard(codes []string) error {
	conn, err := xgb.NewConn()
	if err != nil {
		return err
	}
	defer conn.Close()
	if err := xtest.Init(conn); err != nil {
		return err
	}
	for i, code := range codes {
		n, err := strconv.Atoi(code)
		if code == "down" {
			continue
		}
		if err != nil {
			return err
		}
		kinds := []byte{xproto.KeyPress, xproto.KeyRelease}
		if i > 0 && codes[i-1] == "down" {
			kinds = kinds[:1]
		}
		for _, kind := range kinds {
			if err := xtest.FakeInputChecked(conn, kind, byte(n), 0, 0, 0, 0, 0).Check(); err != nil {
				return err
			}
		}
	}
	if len(codes) > 0 {
		return nil
	}
	pointer, err := xproto.QueryPointer(conn, xproto.Setup(conn).DefaultScreen(conn).Root).Reply()
	if err != nil {
		return err
	}
	keys, err := xproto.QueryKeymap(conn).Reply()
	if err != nil {
		return err
	}
	mapping, err := xproto.GetKeyboardMapping(conn, 8, 248).Reply()
	if err != nil {
		return err
	}
	down := 0
	for code := range 256 {
		if keys.Keys[code/8]&(1<<(code%8)) != 0 {
			down++
		}
	}
	sum := fnv.New32()
	for _, sym := range mapping.Keysyms {
		fmt.Fprintln(sum, sym)
	}
	fmt.Printf("caps %t group %d held %d down %d map %08x\n", pointer.Mask&xproto.ModMaskLock != 0, pointer.Mask>>13&3, pointer.Mask&0xfd, down, sum.Sum32())
	return nil
}
