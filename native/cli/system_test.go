package cli

import (
	"os"
	"testing"
	"time"
)

func TestInterrupts(t *testing.T) {
	interrupted, stop := interrupts()
	defer stop()
	if interrupted() {
		t.Error("interrupted before Ctrl-C")
	}
	me, err := os.FindProcess(os.Getpid())
	if err == nil {
		err = me.Signal(os.Interrupt)
	}
	if err != nil {
		t.Fatal(err)
	}
	for !interrupted() { // that it ends is the test
		time.Sleep(time.Millisecond)
	}
}
