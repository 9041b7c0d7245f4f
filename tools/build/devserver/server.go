package devserver

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"asz/tools/build/maker"
	"asz/web/site"
)

// Server is the development server. With an empty Addr it takes 127.0.0.1:8080 or the next free port.
type Server struct {
	Maker *maker.Maker
	Addr  string
	Out   io.Writer // for the address and for findings
}

// Run serves until ctx ends.
func (s *Server) Run(ctx context.Context) error {
	listener, err := listen(s.Addr)
	if err != nil {
		return err
	}
	defer os.Remove(replacement())
	handler := NewHandler()
	s.rebuild(ctx, handler, maker.All)
	fmt.Fprintf(s.Out, "The labs are at http://%s/ (Ctrl-C ends this)\n", listener.Addr())

	server := &http.Server{Handler: handler, ReadHeaderTimeout: 10 * time.Second, BaseContext: func(net.Listener) context.Context { return ctx }}
	failed := make(chan error, 2)
	go func() { failed <- server.Serve(listener) }()
	go func() {
		failed <- watch(ctx, s.Maker.Root, s.Maker.LabsDir, func(change Change) { s.follow(ctx, handler, change, listener.Addr().String()) })
	}()
	select {
	case err := <-failed:
		return err
	case <-ctx.Done():
		return server.Close()
	}
}

// follow does what a change asks for.
func (s *Server) follow(ctx context.Context, handler *Handler, change Change, addr string) {
	if change.Templates {
		if err := maker.Generate(ctx, s.Maker.Root); err != nil {
			s.tell(handler, nil, err.Error())
			return
		}
		change.Tool = true
	}
	if change.Tool {
		// This program is made of what changed, so a new one takes its place and its address. It starts without a
		// site, so the modules, which are made of the same code, must build before the previous site is given up.
		_, _, err := s.Maker.Make(ctx, maker.Modules)
		if err == nil {
			err = s.replace(ctx, addr)
		}
		s.tell(handler, nil, err.Error())
		return
	}
	s.rebuild(ctx, handler, change.Parts)
}

func (s *Server) rebuild(ctx context.Context, handler *Handler, parts maker.Parts) {
	start := time.Now()
	files, findings, err := s.Maker.Make(ctx, parts)
	var text strings.Builder
	if err := findings.WriteText(&text, false); err != nil {
		text.WriteString(err.Error())
	}
	if err != nil {
		text.WriteString(err.Error())
	}
	s.tell(handler, files, text.String())
	if files != nil {
		fmt.Fprintf(s.Out, "built in %d ms\n", time.Since(start).Milliseconds())
	}
}

func (s *Server) tell(handler *Handler, files site.Files, findings string) {
	if findings != "" {
		fmt.Fprintln(s.Out, findings)
	}
	handler.Show(files, findings)
}

// replacement is the file of the program that takes this one's place, and of this one when it has taken another's:
// the process stays the same.
func replacement() string {
	return filepath.Join(os.TempDir(), "asz-build-"+strconv.Itoa(os.Getpid()))
}

// replace builds this program anew and becomes it, at the same address. It returns only when that failed.
func (s *Server) replace(ctx context.Context, addr string) error {
	tool := replacement()
	if err := maker.BuildTool(ctx, s.Maker.Root, tool); err != nil {
		return err
	}
	args := []string{tool, "-serve", "-addr", addr, "-labs", s.Maker.LabsDir}
	return syscall.Exec(tool, args, os.Environ())
}

func listen(addr string) (net.Listener, error) {
	if addr != "" {
		return net.Listen("tcp", addr)
	}
	const first, tries = 8080, 50
	for port := first; port < first+tries; port++ {
		listener, err := net.Listen("tcp", net.JoinHostPort("127.0.0.1", strconv.Itoa(port)))
		if err == nil || !errors.Is(err, syscall.EADDRINUSE) {
			return listener, err
		}
	}
	return nil, fmt.Errorf("the ports %d to %d are all taken: give one with -addr", first, first+tries-1)
}

// versionOf changes when any file of the site does.
func versionOf(files site.Files) string {
	var all strings.Builder
	for _, path := range slices.Sorted(maps.Keys(files)) {
		fmt.Fprintf(&all, "%s %s\n", path, site.Hash(files[path]))
	}
	return site.Hash([]byte(all.String()))
}
