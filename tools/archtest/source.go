package archtest

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"
)

// Source loads packages with their syntax and types, for a system as in List.
func Source(dir, system string, patterns ...string) ([]*packages.Package, error) {
	config := &packages.Config{
		Mode: packages.NeedName | packages.NeedFiles | packages.NeedSyntax | packages.NeedTypes | packages.NeedTypesInfo | packages.NeedImports,
		Dir:  dir,
		Env:  os.Environ(),
	}
	if goos, goarch, ok := strings.Cut(system, "/"); ok {
		config.Env = append(config.Env, "GOOS="+goos, "GOARCH="+goarch)
	}
	loaded, err := packages.Load(config, patterns...)
	if err != nil {
		return nil, err
	}
	for _, p := range loaded {
		if len(p.Errors) > 0 {
			return nil, fmt.Errorf("%s: %w", p.PkgPath, p.Errors[0])
		}
	}
	return loaded, nil
}

// clock are the functions of package time whose answer depends on when they are called.
var clock = []string{"Now", "Since", "Until", "Sleep", "After", "AfterFunc", "Tick", "NewTicker", "NewTimer"}

// NoClock finds uses of the clock.
func NoClock(p *packages.Package) []string {
	return timeUses(p, clock, "the same inputs give the same outcome, whenever it is")
}

// NoSleep finds fixed sleeps: what waits for something has to end when that comes, or with its context.
func NoSleep(p *packages.Package) []string {
	return timeUses(p, []string{"Sleep"}, "wait for what is to come, within a context")
}

func timeUses(p *packages.Package, functions []string, reason string) []string {
	var out []string
	for name, object := range p.TypesInfo.Uses {
		function, ok := object.(*types.Func)
		if ok && function.Pkg() != nil && function.Pkg().Path() == "time" && slices.Contains(functions, function.Name()) &&
			function.Signature().Recv() == nil {
			out = append(out, fmt.Sprintf("%s: time.%s: %s", place(p, name.Pos()), function.Name(), reason))
		}
	}
	slices.Sort(out)
	return out
}

// NoState finds package-level variables that hold state: those that code changes, and those of a type made for it.
// A table that is only read is no state.
func NoState(p *packages.Package) []string {
	found := map[types.Object]token.Pos{}
	note := func(expression ast.Expr) {
		if object := rootVariable(p, expression); object != nil {
			if _, seen := found[object]; !seen {
				found[object] = expression.Pos()
			}
		}
	}
	for _, file := range p.Syntax {
		ast.Inspect(file, func(node ast.Node) bool {
			switch node := node.(type) {
			case *ast.AssignStmt:
				for _, left := range node.Lhs {
					note(left)
				}
			case *ast.IncDecStmt:
				note(node.X)
			case *ast.RangeStmt:
				if node.Tok == token.ASSIGN {
					note(node.Key)
					note(node.Value)
				}
			case *ast.UnaryExpr:
				if node.Op == token.AND {
					note(node.X)
				}
			case *ast.CallExpr:
				for _, argument := range changedArguments(p, node) {
					note(argument)
				}
			}
			return true
		})
	}
	scope := p.Types.Scope()
	for _, name := range scope.Names() {
		if variable, ok := scope.Lookup(name).(*types.Var); ok && madeForState(variable.Type()) {
			found[variable] = variable.Pos()
		}
	}
	var out []string
	for object, at := range found {
		out = append(out, fmt.Sprintf("%s: the package-level variable %s holds state: pass it instead", place(p, at), object.Name()))
	}
	slices.Sort(out)
	return out
}

// changedArguments are what a call changes without an assignment: the first argument of delete, clear and copy and of
// the sorting functions, and the variable whose method takes a pointer.
func changedArguments(p *packages.Package, call *ast.CallExpr) []ast.Expr {
	switch function := ast.Unparen(call.Fun).(type) {
	case *ast.Ident:
		if builtin, ok := p.TypesInfo.Uses[function].(*types.Builtin); ok && slices.Contains([]string{"delete", "clear", "copy"}, builtin.Name()) {
			return call.Args[:1]
		}
	case *ast.SelectorExpr:
		if selection := p.TypesInfo.Selections[function]; selection != nil {
			method, ok := selection.Obj().(*types.Func)
			if ok && isPointer(method.Signature().Recv().Type()) && !isPointer(selection.Recv()) {
				return []ast.Expr{function.X}
			}
			return nil
		}
		object, ok := p.TypesInfo.Uses[function.Sel].(*types.Func)
		if ok && object.Pkg() != nil && len(call.Args) > 0 &&
			(object.Pkg().Path() == "sort" || object.Pkg().Path() == "slices" && strings.HasPrefix(object.Name(), "Sort") && !strings.HasPrefix(object.Name(), "Sorted")) {
			return call.Args[:1]
		}
	}
	return nil
}

func isPointer(t types.Type) bool {
	_, ok := types.Unalias(t).(*types.Pointer)
	return ok
}

// rootVariable is the package-level variable that an expression such as v, v.f[i].g or (*v) is a part of.
func rootVariable(p *packages.Package, expression ast.Expr) types.Object {
	for {
		switch e := expression.(type) {
		case *ast.Ident:
			variable, ok := p.TypesInfo.Uses[e].(*types.Var)
			if ok && variable.Parent() == p.Types.Scope() {
				return variable
			}
			return nil
		case *ast.SelectorExpr:
			expression = e.X
		case *ast.IndexExpr:
			expression = e.X
		case *ast.SliceExpr:
			expression = e.X
		case *ast.StarExpr:
			expression = e.X
		case *ast.ParenExpr:
			expression = e.X
		default:
			return nil
		}
	}
}

// madeForState tells types whose only use is to change: channels, pointers to our own or sync's structs.
func madeForState(t types.Type) bool {
	switch t := t.Underlying().(type) {
	case *types.Chan:
		return true
	case *types.Pointer:
		_, isStruct := t.Elem().Underlying().(*types.Struct)
		return isStruct
	}
	named, ok := types.Unalias(t).(*types.Named)
	return ok && named.Obj().Pkg() != nil && strings.HasPrefix(named.Obj().Pkg().Path(), "sync")
}

func place(p *packages.Package, at token.Pos) string {
	position := p.Fset.Position(at)
	return fmt.Sprintf("%s/%s:%d", p.PkgPath, filepath.Base(position.Filename), position.Line)
}
