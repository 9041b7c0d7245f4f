// Command asz plays scenarios: labs, GUI scenarios and session scenarios.
package main

import (
	"os"

	"asz/native/cli"
)

func main() { os.Exit(cli.Main(os.Args[1:], cli.System())) }
