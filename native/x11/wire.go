package x11

import (
	"bufio"
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"strconv"
	"strings"
	"sync"
)

// wire is the socket below a connection. Between hold and flush it keeps requests back, so that they reach the server
// in one piece: a runtime that is killed has sent all of them or none, and a key is not held long enough to repeat.
type wire struct {
	net.Conn
	hello  []byte // what opens the connection: xgb's own knows no authority for a socket it was handed
	screen int
	in     *bufio.Reader // xgb reads 32 bytes at a time

	mu      sync.Mutex
	greeted bool
	held    bool
	pending []byte
	flushed func() // a test's, after each flush; nil: none
}

// dial connects to a display: [protocol/][host]:number[.screen], or the path of a socket before :number.
func dial(ctx context.Context, display string) (*wire, error) {
	colon := strings.LastIndexByte(display, ':')
	if colon < 0 {
		return nil, fmt.Errorf("%q is not the name of a display, such as :0", display)
	}
	host := display[:colon]
	number, screen, dotted := strings.Cut(display[colon+1:], ".")
	n, err := strconv.Atoi(number)
	if err != nil || n < 0 {
		return nil, fmt.Errorf("%q is not the name of a display, such as :0", display)
	}
	w := &wire{}
	if dotted {
		if w.screen, err = strconv.Atoi(screen); err != nil || w.screen < 0 {
			return nil, fmt.Errorf("%q is not the name of a display, such as :0.0", display)
		}
	}
	network, address := "unix", "/tmp/.X11-unix/X"+number
	if strings.HasPrefix(host, "/") {
		address, host = display[:colon]+":"+number, ""
	} else if at := strings.LastIndexByte(host, '/'); at >= 0 {
		network, host = host[:at], host[at+1:]
	} else if host != "" && host != "unix" {
		network = "tcp"
	}
	if network != "unix" {
		address = net.JoinHostPort(host, strconv.Itoa(6000+n))
	} else {
		host = ""
	}
	var dialer net.Dialer
	if w.Conn, err = dialer.DialContext(ctx, network, address); err != nil {
		return nil, err
	}
	w.in = bufio.NewReaderSize(w.Conn, 1<<16)
	name, data := authority(host, number)
	w.hello = hello(name, data)
	return w, nil
}

func (w *wire) Read(b []byte) (int, error) { return w.in.Read(b) }

// Write sends a request, or keeps it.
func (w *wire) Write(b []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if !w.greeted { // the first write is xgb's own opening, without the right authority
		w.greeted = true
		if _, err := w.Conn.Write(w.hello); err != nil {
			return 0, err
		}
		return len(b), nil
	}
	w.pending = append(w.pending, b...)
	// xgb waits for the reply of this one by itself, when many requests have none.
	const getInputFocus = 43
	if w.held && b[0] != getInputFocus {
		return len(b), nil
	}
	return len(b), w.send()
}

func (w *wire) send() error {
	if len(w.pending) == 0 {
		return nil
	}
	_, err := w.Conn.Write(w.pending)
	w.pending = w.pending[:0]
	if w.flushed != nil {
		w.flushed()
	}
	return err
}

// together sends all requests of f, which must not wait for a reply, in one piece.
func (w *wire) together(f func()) {
	w.mu.Lock()
	w.held = true
	w.mu.Unlock()
	f()
	w.mu.Lock()
	w.held = false
	w.send() // a lost connection is seen by whoever waits for a reply
	w.mu.Unlock()
}

// hello is the opening of a connection, least significant byte first.
func hello(name string, data []byte) []byte {
	b := []byte{'l', 0, 11, 0, 0, 0}
	b = binary.LittleEndian.AppendUint16(b, uint16(len(name)))
	b = binary.LittleEndian.AppendUint16(b, uint16(len(data)))
	b = append(b, 0, 0)
	for _, part := range [][]byte{[]byte(name), data} {
		b = append(b, part...)
		for len(b)%4 != 0 {
			b = append(b, 0)
		}
	}
	return b
}

// authority finds the cookie for a display in $XAUTHORITY or ~/.Xauthority; "" when there is none.
func authority(host, number string) (name string, data []byte) {
	file := os.Getenv("XAUTHORITY")
	if file == "" {
		home, err := os.UserHomeDir()
		if err != nil {
			return "", nil
		}
		file = home + "/.Xauthority"
	}
	all, err := os.ReadFile(file)
	if err != nil {
		return "", nil
	}
	self, _ := os.Hostname()
	return findAuthority(all, host, self, number)
}

func findAuthority(all []byte, host, self, number string) (name string, data []byte) {
	const (
		internet  = 0
		internet6 = 6
		local     = 256
		wild      = 65535
		scheme    = "MIT-MAGIC-COOKIE-1"
	)
	r := bytes.NewReader(all)
	for {
		var family uint16
		if binary.Read(r, binary.BigEndian, &family) != nil {
			return "", nil
		}
		var field [4]string // address, number, scheme, data
		for i := range field {
			var err error
			if field[i], err = counted(r); err != nil {
				return "", nil
			}
		}
		address := field[0]
		if family == internet || family == internet6 {
			address = net.IP(address).String()
		}
		here := family == wild || address == host || (host == "" || host == "localhost") && family == local && address == self
		if here && (field[1] == "" || field[1] == number) && field[2] == scheme {
			return scheme, []byte(field[3])
		}
	}
}

func counted(r io.Reader) (string, error) {
	var n uint16
	if err := binary.Read(r, binary.BigEndian, &n); err != nil {
		return "", err
	}
	b := make([]byte, n)
	if _, err := io.ReadFull(r, b); err != nil {
		return "", errors.New("cut short")
	}
	return string(b), nil
}
