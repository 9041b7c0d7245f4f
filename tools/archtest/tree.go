package archtest

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path"
	"slices"
	"strings"
)

// topLevel is what the project's folder may hold, beside files whose names begin with a dot. node_modules is npm's.
var topLevel = []string{
	"wasm", "web", "native", "shared", "labs", "tools",
	"go.mod", "go.sum", "package.json", "package-lock.json", "Makefile", "README.md", "node_modules",
	"asz", "labs.json", // built as README says, and not committed; so are npm's packages
}

// Limits of a source file's length, in lines.
const (
	longFile     = 500 // worth a look
	tooLongFile  = 700
	mainFileMost = 25 // native/main.go only starts native/cli
)

// TopLevel finds what does not belong at the top.
func TopLevel(root fs.FS) ([]string, error) {
	entries, err := fs.ReadDir(root, ".")
	if err != nil {
		return nil, err
	}
	var out []string
	for _, entry := range entries {
		if name := entry.Name(); !strings.HasPrefix(name, ".") && !strings.HasSuffix(name, ".tgz") && !slices.Contains(topLevel, name) {
			out = append(out, name+" does not belong in the project's top folder")
		}
	}
	return out, nil
}

// Sizes finds files that are too long, and separately those worth a look.
func Sizes(root fs.FS) (tooLong, long []string, err error) {
	err = eachSource(root, func(name string) error {
		data, err := fs.ReadFile(root, name)
		if err != nil {
			return err
		}
		lines := bytes.Count(data, []byte("\n"))
		switch {
		case name == "native/main.go" && lines > mainFileMost:
			tooLong = append(tooLong, fmt.Sprintf("%s has %d lines, %d at most: the rest is native/cli's", name, lines, mainFileMost))
		case lines > tooLongFile:
			tooLong = append(tooLong, fmt.Sprintf("%s has %d lines: divide it by nouns", name, lines))
		case lines > longFile:
			long = append(long, fmt.Sprintf("%s has %d lines", name, lines))
		}
		return nil
	})
	return tooLong, long, err
}

// Names finds files and folders named for being useful instead of for a thing.
func Names(root fs.FS) ([]string, error) {
	var out []string
	err := eachSource(root, func(name string) error {
		for at := name; at != "."; at = path.Dir(at) {
			stem, _, _ := strings.Cut(path.Base(at), ".")
			stem = strings.TrimSuffix(stem, "_test")
			if slices.Contains([]string{"util", "utils"}, stem) {
				out = append(out, name+": name it by the thing it holds")
				break
			}
		}
		return nil
	})
	return out, err
}

// NoInit finds init functions, in tests too.
func NoInit(root fs.FS) ([]string, error) {
	var out []string
	err := eachSource(root, func(name string) error {
		if path.Ext(name) != ".go" {
			return nil
		}
		data, err := fs.ReadFile(root, name)
		if err != nil {
			return err
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, data, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		for _, declaration := range file.Decls {
			if function, ok := declaration.(*ast.FuncDecl); ok && function.Recv == nil && function.Name.Name == "init" {
				out = append(out, name+": init: do it where the value is made")
			}
		}
		return nil
	})
	return out, err
}

// eachSource visits the files that people write, outside of hidden folders and of what tools made.
func eachSource(root fs.FS, visit func(name string) error) error {
	return fs.WalkDir(root, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		base := entry.Name()
		if entry.IsDir() {
			if base == "node_modules" || base == "dist" || base == "testdata" || strings.HasPrefix(base, ".") && base != "." {
				return fs.SkipDir
			}
			return nil
		}
		written := slices.Contains([]string{".go", ".templ", ".ts", ".css"}, path.Ext(base)) && !strings.HasSuffix(base, "_templ.go")
		if !written {
			return nil
		}
		return visit(name)
	})
}
