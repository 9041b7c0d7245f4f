# `make play` and `make test` each do everything on a machine that has Go, Node and a network.
SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help
MAKEFLAGS += --no-builtin-rules

FUZZTIME ?= 30s
SUDO := $(if $(filter 0,$(shell id -u)),,sudo)
TSC := node_modules/.bin/tsc --noEmit

.PHONY: help play site test check bench fuzz browser test-go test-wasm test-ts

help: ## this list
	@grep -E '^[a-z-]+:.*## ' Makefile | sed -E 's/^([a-z-]+):.*## /\1\t/' | expand -t 10

play: node_modules/.stamp ## build the labs, serve them on 127.0.0.1 and rebuild on every change
	go tool templ generate -path web -lazy -log-level error
	go run ./tools/build -serve

site: node_modules/.stamp ## build the static site into web/dist
	go tool templ generate -path web -lazy -log-level error
	go run ./tools/build

test: node_modules/.stamp browser site ## everything: installs what the tests need, builds, runs them all
	go vet ./...
	$(MAKE) --no-print-directory test-go test-wasm test-ts

check: node_modules/.stamp ## formatting, vet, generated code, types
	@unformatted=$$(gofmt -l $$(git ls-files -co --exclude-standard '*.go')); \
	  [ -z "$$unformatted" ] || { echo "not formatted, run gofmt -w on:"; echo "$$unformatted"; exit 1; }
	go tool templ generate -path web -check -log-level error
	go vet ./...
	$(TSC) -p web/src/core && $(TSC) -p web/src/core/tsconfig.test.json && $(TSC) -p web/src/ui

bench: node_modules/.stamp browser ## measure the engine, what the page weighs, collecting and parsing
	go run ./tools/bench
	go run ./tools/bench collect
	go run ./tools/bench parse
	go run ./tools/build -sizes

fuzz: ## each fuzz target for FUZZTIME (30s)
	for package in $$(go list ./...); do \
	  for target in $$(go test -list '^Fuzz' $$package | grep '^Fuzz' || true); do \
	    go test -run '^$$' -fuzz "^$$target$$" -fuzztime $(FUZZTIME) $$package; \
	  done; \
	done

test-go:
	go test ./...

# A Go wasm program under Node dies when arguments and environment exceed 8 KB, so it gets an environment of its own.
test-wasm:
	@echo "go test ./shared/... (as wasm, under Node)"
	@env -i PATH="$$PATH" HOME="$$HOME" GOCACHE="$$(go env GOCACHE)" GOMODCACHE="$$(go env GOMODCACHE)" \
	  GOOS=js GOARCH=wasm go test -exec "$$(go env GOROOT)/lib/wasm/go_js_wasm_exec" ./shared/...

test-ts: node_modules/.stamp
	$(TSC) -p web/src/core && $(TSC) -p web/src/core/tsconfig.test.json && $(TSC) -p web/src/ui
	go run ./tools/build -ts-tests

node_modules/.stamp: package.json package-lock.json
	npm ci --no-progress
	touch $@

browser:
	@if ! command -v chromium >/dev/null || ! command -v Xvfb >/dev/null; then \
	  $(SUDO) apt-get update && \
	  $(SUDO) env DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends chromium xvfb fonts-dejavu-core; \
	fi
