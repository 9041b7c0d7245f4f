package wasm_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
	"unsafe"
)

// TestInterrupt: Ctrl-C in a long search tells what was found so far. That a search goes on is seen on a terminal only.
func TestInterrupt(t *testing.T) {
	files := map[string]string{}
	for name, text := range huge() {
		files["labs/"+name] = text
	}
	home := write(t, files)
	for _, program := range twins(t) {
		master, terminal := openTerminal(t)
		var out bytes.Buffer
		c := program.command("validate-lab", "--explore", "full")
		c.Dir, c.Stdout, c.Stderr = home, &out, terminal
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		terminal.Close()
		stop := time.AfterFunc(time.Minute, func() { c.Process.Kill() }) // that it ends is the test
		var shown []byte
		sent := false
		for buffer := make([]byte, 4096); ; {
			n, err := master.Read(buffer) // fails when the program has ended
			shown = append(shown, buffer[:n]...)
			if !sent && bytes.Count(shown, []byte("states so far")) >= 2 {
				sent = true
				c.Process.Signal(os.Interrupt)
			}
			if err != nil {
				break
			}
		}
		c.Wait()
		stop.Stop()
		if exit := c.ProcessState.ExitCode(); exit != 130 {
			t.Errorf("%s it ends with %d", program.name, exit)
		}
		if got := string(shown); !strings.HasPrefix(got, "\r\x1b[Klabs/huge: ") || !strings.HasSuffix(got, "\r\x1b[Kasz validate-lab: interrupted in lab 1 of 1; what was found until then is shown\r\n") {
			t.Errorf("%s the terminal shows %q", program.name, got)
		}
		if got := out.String(); !strings.HasPrefix(got, "labs/huge/a.md:4:1: ") || !strings.Contains(got, "not exhaustive") || strings.Contains(got, "\x1b") {
			t.Errorf("%s standard output is\n%s", program.name, got)
		}
		if _, err := os.Stat(filepath.Join(home, "labs.json")); err == nil {
			t.Errorf("%s labs.json was written", program.name)
		}

		// Where nobody looks nothing is shown.
		var problems bytes.Buffer
		quiet := program.command("validate-lab")
		quiet.Dir, quiet.Stderr = home, &problems
		if quiet.Run(); problems.Len() > 0 {
			t.Errorf("%s without a terminal: %q", program.name, problems.String())
		}
	}
}

// openTerminal opens a pseudo-terminal.
func openTerminal(t *testing.T) (master, terminal *os.File) {
	t.Helper()
	master, err := os.OpenFile("/dev/ptmx", os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { master.Close() })
	ask := func(request uintptr, number *int32) {
		if _, _, errno := syscall.Syscall(syscall.SYS_IOCTL, master.Fd(), request, uintptr(unsafe.Pointer(number))); errno != 0 {
			t.Fatal(errno)
		}
	}
	var locked, number int32
	ask(syscall.TIOCSPTLCK, &locked)
	ask(syscall.TIOCGPTN, &number)
	terminal, err = os.OpenFile(fmt.Sprintf("/dev/pts/%d", number), os.O_RDWR|syscall.O_NOCTTY, 0)
	if err != nil {
		t.Fatal(err)
	}
	return master, terminal
}
