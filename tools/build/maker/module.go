package maker

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"asz/shared/diag"
	"asz/web/site"
)

// modules are the wasm programs and the script of Go's that runs them: files by site path, paths by name.
type modules struct {
	files site.Files
	paths map[string]string
}

// buildModules builds the learner's program for the browser.
func buildModules(ctx context.Context, root string) (modules, error) {
	dir, err := os.MkdirTemp("", "asz-wasm-")
	if err != nil {
		return modules{}, err
	}
	defer os.RemoveAll(dir)
	if err := BuildModule(ctx, root, "player", dir); err != nil {
		return modules{}, err
	}
	out := modules{files: site.Files{}, paths: map[string]string{}}
	if err := out.add(filepath.Join(dir, "player.wasm"), "player", ".wasm"); err != nil {
		return modules{}, err
	}
	if err := out.add(filepath.Join(dir, "wasm_exec.js"), "wasm_exec", ".js"); err != nil {
		return modules{}, err
	}
	return out, nil
}

// BuildModule builds a program below wasm/ into dir, beside Go's own script that
// runs it, of the compiler's version. Whoever runs the program meanwhile reads
// the old files or the new ones.
func BuildModule(ctx context.Context, root, name, dir string) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	fresh, err := os.MkdirTemp(dir, ".new-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(fresh)
	args := []string{"build", "-trimpath", "-ldflags=-s -w", "-o", filepath.Join(fresh, name+".wasm")}
	if _, err := goTool(ctx, root, []string{"GOOS=js", "GOARCH=wasm"}, append(args, "./wasm/"+name)...); err != nil {
		return err
	}
	goroot, err := goTool(ctx, root, nil, "env", "GOROOT")
	if err != nil {
		return err
	}
	script, err := os.ReadFile(filepath.Join(strings.TrimSpace(goroot), "lib", "wasm", "wasm_exec.js"))
	if err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(fresh, "wasm_exec.js"), script, 0o644); err != nil {
		return err
	}
	for _, file := range []string{"wasm_exec.js", name + ".wasm"} {
		if err := os.Rename(filepath.Join(fresh, file), filepath.Join(dir, file)); err != nil {
			return err
		}
	}
	return nil
}

// Practice writes the labs on which Node practises the author's module into dir: those of the project, and the bad side
// of each example of a finding.
func Practice(root, dir string) error {
	dir = filepath.Join(dir, "practice")
	if err := os.RemoveAll(dir); err != nil {
		return err
	}
	if err := os.CopyFS(dir, os.DirFS(filepath.Join(root, "labs"))); err != nil {
		return err
	}
	for _, rule := range diag.Rules() {
		for name, text := range rule.Example().Bad {
			file := filepath.Join(dir, "bad-"+string(rule.Code), filepath.FromSlash(name))
			if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
				return err
			}
			if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
				return err
			}
		}
	}
	return nil
}

// KeepCode makes the machine code that Node keeps beside the author's module in dir, by running it on the labs of
// Practice there: with it the module starts in half the time. It is an error where Node is missing; the module runs
// without it as well.
func KeepCode(ctx context.Context, root, dir string) error {
	command := exec.CommandContext(ctx, "node", filepath.Join(root, "wasm", "author", "train.cjs"), dir, dir)
	if out, err := command.CombinedOutput(); err != nil {
		return fmt.Errorf("node train.cjs: %w\n%s", err, strings.TrimSpace(string(out)))
	}
	return nil
}

func (m modules) add(file, name, extension string) error {
	data, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	path := "assets/" + name + "-" + site.Hash(data) + extension
	m.files[path] = data
	m.paths[name+extension] = path
	return nil
}

// goTool runs the go command in root and returns what it printed; its complaint is the error.
func goTool(ctx context.Context, root string, env []string, args ...string) (string, error) {
	command := exec.CommandContext(ctx, "go", args...)
	command.Dir = root
	command.Env = append(os.Environ(), env...)
	var complaint strings.Builder
	command.Stderr = &complaint
	printed, err := command.Output()
	if err != nil {
		return "", fmt.Errorf("go %s: %w\n%s", args[0], err, strings.TrimSpace(complaint.String()))
	}
	return string(printed), nil
}
