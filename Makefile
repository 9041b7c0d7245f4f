# `make play` and `make test` each do everything on a machine that has Go, Node and a network.
SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help
MAKEFLAGS += --no-builtin-rules

FUZZTIME ?= 30s
SUDO := $(if $(filter 0,$(shell id -u)),,sudo)
TSC := node_modules/.bin/tsc --noEmit

# What the tests of the page and of GUI scenarios need: a browser, a display, and programs of several toolkits.
DESKTOP := xvfb openbox dbus at-spi2-core xterm mousepad zenity gnome-calculator featherpad chromium fonts-dejavu-core \
  fonts-noto-cjk x11-utils x11-xkb-utils

.PHONY: help play site test check bench fuzz desktop rivals test-go test-wasm test-ts

help: ## this list
	@grep -E '^[a-z-]+:.*## ' Makefile | sed -E 's/^([a-z-]+):.*## /\1\t/' | expand -t 10

play: node_modules/.stamp ## build the labs, serve them on 127.0.0.1 and rebuild on every change
	go tool templ generate -path web -lazy -log-level error
	go run ./tools/build -serve

site: node_modules/.stamp ## build the static site into web/dist
	go tool templ generate -path web -lazy -log-level error
	go run ./tools/build

test: node_modules/.stamp desktop site ## everything: installs what the tests need, builds, runs them all
	go vet ./...
	$(MAKE) --no-print-directory test-go test-wasm test-ts

check: node_modules/.stamp ## formatting, vet, generated code, types
	@unformatted=$$(gofmt -l $$(git ls-files -co --exclude-standard '*.go')); \
	  [ -z "$$unformatted" ] || { echo "not formatted, run gofmt -w on:"; echo "$$unformatted"; exit 1; }
	go tool templ generate -path web -check -log-level error
	go vet ./...
	$(TSC) -p web/src/core && $(TSC) -p web/src/core/tsconfig.test.json && $(TSC) -p web/src/ui

bench: node_modules/.stamp desktop rivals ## measure the engine, what the page weighs, collecting, parsing, acting on a display
	go run ./tools/bench
	go run ./tools/bench collect
	go run ./tools/bench parse
	go run ./tools/bench gui
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

desktop:
	@$(call installed,$(DESKTOP))

rivals: # what is measured beside us
	@$(call installed,xdotool python3-pyatspi)

# Installs those of Debian's packages that are not there yet.
define installed
missing=$$(for package in $(1); do dpkg-query -W -f '$${Status}' $$package 2>/dev/null | grep -q 'ok installed' || echo $$package; done); \
	if [ -n "$$missing" ]; then \
	  $(SUDO) apt-get update && \
	  $(SUDO) env DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends $$missing; \
	fi
endef
