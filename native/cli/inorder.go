package cli

import (
	"runtime"
	"sync"
)

// inOrder does so many jobs, several at a time, and tells of each in their order as soon as those before it are told.
func inOrder[T any](jobs int, do func(int) T, tell func(int, T)) {
	answers := make([]chan T, jobs)
	for i := range answers {
		answers[i] = make(chan T, 1)
	}
	next := make(chan int)
	var wait sync.WaitGroup
	for range min(jobs, runtime.GOMAXPROCS(0)) {
		wait.Go(func() {
			for i := range next {
				answers[i] <- do(i)
			}
		})
	}
	wait.Go(func() {
		for i := range jobs {
			next <- i
		}
		close(next)
	})
	for i := range answers {
		tell(i, <-answers[i])
	}
	wait.Wait()
}
