# gpumark. `make demo` and `make test` do their own set-up on a Debian machine with Node, npm, make and g++.

SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help

# Everything runs on the Node that the lock file pins; the system's only runs `npm ci`.
NODE := node_modules/.bin/node
INSTALLED := node_modules/.installed
RUNNER := native/build/gpumark-runner
AGENT := dist/gpumark-agent
JOBS := -j$(shell nproc)

.PHONY: help demo test attack fuzz serve agent native bench soak device-check lint fmt clean

help: ## what can be made
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):[^#]*## ?(.*)/  make \1\t\2/' | expand -t 22

$(INSTALLED): package.json package-lock.json
	npm ci --no-audit --no-fund --loglevel=error
	@# npm 11 may be told not to run install scripts; the pinned Node and esbuild need theirs
	test -x $(NODE) || npm rebuild --loglevel=error node esbuild
	touch $@

native: ## native/build/gpumark-runner, the measuring program
	$(MAKE) --no-print-directory $(JOBS) -C native

$(RUNNER): native

agent: $(INSTALLED) native ## dist/gpumark-agent, one file
	$(NODE) agent/packaging/build-agent.ts

demo: agent ## the main job for real, on this machine; ends in var/demo/report.pdf
	$(NODE) test/e2e/demo.ts

serve: $(INSTALLED) ## the coordinator on embedded Postgres
	exec $(NODE) coordinator/main.ts serve

# Two hundred test files and what they start load much of the same.
test: export NODE_COMPILE_CACHE := $(CURDIR)/node_modules/.cache/compiled
test: agent ## all tests
	$(MAKE) --no-print-directory $(JOBS) -C native faulty unit
	$(MAKE) --no-print-directory $(JOBS) -C test/support/simulated-driver
	$(NODE) --test --test-reporter=spec --test-concurrency=3 --test-timeout=300000 \
	  --test-global-setup=test/support/global-setup.ts 'test/**/*.test.ts'

attack: $(INSTALLED) ## known attacks against a fresh coordinator on loopback; ONLY="slow-bodies"
	$(NODE) test/attack/main.ts $(ONLY)

fuzz: $(INSTALLED) ## hostile calls drawn from a seed, in great number; ONLY="lying-node" SEED=text STEPS=n
	$(NODE) test/fuzz/main.ts $(ONLY)

bench: agent ## ratios to peers and floors, measured alternating in this run
	$(NODE) test/bench/main.ts $(ONLY)

soak: agent ## 64 and 256 nodes, all faults at once, minutes; ONLY="network-64"
	$(NODE) test/soak/main.ts $(ONLY)

device-check: $(INSTALLED) native ## every kernel on this machine's GPUs beside PyTorch; ARGS="--rounds 5"
	$(NODE) test/device/main.ts $(ARGS)

lint: $(INSTALLED) ## types, lint, format
	node_modules/.bin/tsc --noEmit -p .
	node_modules/.bin/oxlint --type-aware agent coordinator test
	node_modules/.bin/oxfmt --check agent coordinator test

fmt: $(INSTALLED) ## rewrite in the house format
	node_modules/.bin/oxfmt agent coordinator test

clean: ## remove what was built; data under var/ stays
	rm -rf dist
	$(MAKE) --no-print-directory -C native clean
