# Thin: CMake and its presets do the work. `make help` lists what there is.
SHELL := bash
.SHELLFLAGS := -eu -o pipefail -c
.NOTPARALLEL:
.DEFAULT_GOAL := build

# Where everything goes that is made or fetched: the source, or the folder KORE_BUILD (scripts/places.sh). Presets want it with a
# slash at its end, or nothing.
ifneq ($(KORE_BUILD),)
  override KORE_BUILD := $(shell realpath -m -- '$(KORE_BUILD)')
  export KORE_BUILD
  export KORE_BUILD_PREFIX := $(KORE_BUILD)/
  export RUFF_CACHE_DIR := $(KORE_BUILD)/build-python/ruff
endif
MADE := $(or $(KORE_BUILD),.)

JOBS ?= $(shell nproc)
PREFIX ?= /usr/local
CMAKE_ARGS ?=

# A build that is there keeps its preset.
CONFIGURE = $$([[ -f "$(MADE)/build/build.ninja" ]] && echo -S . -B || echo --preset command -B) "$(MADE)/build"

# Sources under version control, so that what lies about by chance is neither checked nor changed.
SOURCES = git ls-files -z '*.cpp' '*.hpp'

.PHONY: help setup build demo test test-long test-faults fuzz fuzz-coverage test-cluster test-r r-package r-bare r-check test-exports wheel wheels dist docs test-large bench reproduce accuracy families families-truths families-speed honesty check check-c-interface check-fast check-format check-python check-includes check-readers check-tidy-1 check-tidy-2 check-asan-1 check-asan-2 check-asan-3 check-tsan format install clean

help:  ## What there is to make
	@awk -F ':.*## ' '/^[a-z0-9-]+:.*## / { printf "%-16s %s\n", $$1, $$2 }' Makefile

setup:  ## Install what building and testing need and this machine lacks (every target does this for itself)
	@scripts/setup.sh

# Set-up by need: `setup-build` has what the command needs, and no browser, Java or Python packages.
.PHONY: setup-build setup-test setup-python setup-docs setup-r setup-bare setup-check
setup-build setup-python setup-docs setup-r setup-bare setup-check: setup-%:
	@scripts/setup.sh $*
setup-test:
	@scripts/setup.sh build test

build: setup-build  ## Build the command (build/kore) and the library, with the paper's experiments
	cmake $(CONFIGURE) -DKORE_EXPERIMENTS=ON $(CMAKE_ARGS)
	cmake --build "$(MADE)/build" --parallel $(JOBS) --target kore kore_command

demo: setup-build  ## Build the command alone, fit an equation and a real table, and write a report
	[[ -f "$(MADE)/build/build.ninja" ]] || cmake --preset command $(CMAKE_ARGS)
	cmake --build "$(MADE)/build" --parallel $(JOBS) --target kore_command
	@scripts/demo.sh

# Everything that there is to build; the tests are in build/tests.
.PHONY: build-all
build-all: setup-test
	cmake --preset release $(CMAKE_ARGS)
	cmake --build --preset release --parallel $(JOBS)

test: setup build-all  ## All tests, those of the Python package from its wheel in a new environment
	ctest --preset release
	@scripts/test_python.sh

test-faults: build-all  ## The command killed at 100 moments of each kind of run, and short of disk, memory, threads (minutes)
	KORE_FAULT_KILLS=100 "$(MADE)/build/tests/cli_test" --gtest_filter='Faults.*:BadCommands.*:FaithfulInput.*'

FUZZ_SECONDS ?= 60
fuzz: setup-test setup-check  ## Every reader of bytes fuzzed, FUZZ_SECONDS=60 each (clang; the first build takes a quarter of an hour)
	@scripts/fuzz.sh $(FUZZ_SECONDS)

fuzz-coverage: setup-test setup-check  ## Which lines of the readers the files reach that fuzzing has found
	@scripts/fuzz.sh coverage

.PHONY: test-folders
test-folders: setup  ## Builds, fits and quick tests in folders named kore, with umlauts, read-only, and as a user with sudo (minutes; some need root)
	@scripts/test_folders.sh

test-long: build-all  ## Tests of real tables on all of their rows (minutes; test has the short form; needs ../shared)
	KORE_LONG_TESTS=1 ctest --preset release -R RealData

test-cluster: setup  ## Spark and Dask in full, with executors that are killed (minutes; test has the short form)
	@scripts/test_cluster.sh

test-r: setup-test setup-r  ## The tests of the R package, beside the command and mgcv (minutes)
	cmake --preset release $(CMAKE_ARGS)
	cmake --build "$(MADE)/build" --parallel $(JOBS) --target kore_c kore_command
	@scripts/test_r.sh

r-package: setup-test setup-r  ## The R package with the engine's sources, in build-r
	cmake --preset release $(CMAKE_ARGS)
	cmake --build "$(MADE)/build" --parallel $(JOBS) --target kore_c
	@scripts/build_r_package.sh

r-bare: setup-test setup-r  ## The R package in a new root that has Debian's R and compilers alone (needs root; it compiles the engine)
	@scripts/setup.sh bare
	cmake --preset release $(CMAKE_ARGS)
	cmake --build "$(MADE)/build" --parallel $(JOBS) --target kore_c kore_command
	@scripts/test_r_bare.sh

r-check: setup-test setup-r  ## The same, and R CMD check --as-cran (it compiles the engine: a quarter of an hour)
	@scripts/build_r_package.sh --check

test-exports: setup build-all  ## Exports of every shared table and family in all their homes (needs DATA; test has the short form)
	KORE_LONG_TESTS=1 scripts/test_python.sh tests/python/test_export.py

wheel: setup-build setup-python  ## The wheel of the Python package for this machine, in build-python/wheels
	@scripts/build_wheel.sh

ROOTS ?=
dist: build setup-bare  ## The command with all it needs, in dist/kore-VERSION-linux-x86_64.tar.gz, tried in bare systems (ROOTS='bookworm trixie')
	@scripts/make_dist.sh $(ROOTS)

PYTHONS ?=
wheels: setup-build setup-python setup-bare  ## Wheels to give away, in dist, each used in a bare system (PYTHONS='3.10 3.13'; default: 3.10 to 3.13, and all of them have to be here)
	@scripts/third_party.py --check
	cmake $(CONFIGURE) -DKORE_EXPERIMENTS=ON -DKORE_ARROW=ON $(CMAKE_ARGS)
	cmake --build "$(MADE)/build" --parallel $(JOBS) --target kore kore_arrow kore_story kore_report kore_command
	@scripts/make_wheels.sh $(PYTHONS)

docs: build setup-python setup-docs setup-r  ## The site of docs/, with its tutorials run: build-site/index.html
	cmake --build "$(MADE)/build" --parallel $(JOBS) --target kore_c
	@scripts/build_site.sh

test-large: build  ## Five million rows within one gigabyte (minutes; not part of test)
	@tests/large/run.sh "$(MADE)/build/kore"

BENCH ?=
bench: build-all setup-python  ## The speed comparison with KORE's peers (an hour; BENCH='--limit 60 --repeats 1' is shorter); renews docs/benchmarks.md
	@scripts/bench.sh $(BENCH)

reproduce: build  ## Every synthetic experiment of the paper (a quarter of an hour); renews docs/reproduction.md
	"$(MADE)/build/kore" reproduce all -o "$(MADE)/out/reproduction"
	cp "$(MADE)/out/reproduction/reproduction.md" docs/reproduction.md

DATA ?= ../shared/data
RESULTS ?= ../shared/reference/results
WHOLE ?=
accuracy: build-all  ## Beside the published cells of tuned boosters, whole tables beside LightGBM, then families and classes (needs DATA and RESULTS; WHOLE='--tables fifa')
	"$(MADE)/build/experiments/kore_accuracy" $(DATA) $(RESULTS)
	@scripts/whole_tables.sh $(DATA) $(WHOLE)
	@scripts/families.sh "$(MADE)/build/kore" $(DATA)/responses

families: build  ## Test deviance of yes and no, counts, amounts and classes beside tuned boosters (needs DATA; half an hour)
	@scripts/families.sh "$(MADE)/build/kore" $(DATA)/responses

TRUTHS ?=
families-truths: build  ## Families on made-up tables beside mgcv's bam: errors of the linear predictor, and bands (minutes; TRUTHS='--tables 2' is shorter)
	"$$(scripts/peers.sh)" benchmarks/beside_mgcv/truths.py "$(MADE)/build/kore" "$(MADE)/out/families/truths" $(TRUTHS)

SPEED ?=
families-speed: build  ## Yes-or-no fits beside bam, XGBoost and the fit of numbers (minutes, 2 GB of disk; SPEED='--long-rows 1000000' is shorter)
	"$$(scripts/peers.sh)" benchmarks/beside_mgcv/speed.py "$(MADE)/build/kore" "$(MADE)/out/families/speed" $(SPEED)

HONESTY ?=
honesty: build-all  ## Stated errors, verdicts and intervals beside the truth (minutes; needs DATA; HONESTY='--part noise' is shorter); renews docs/honesty.md
	@scripts/honesty.sh $(DATA) $(HONESTY)

# Parts that each take less than half an hour on two cores from nothing; docs/reliability.md has their times.
check: check-format check-python check-includes check-tidy-1 check-tidy-2 check-asan-1 check-asan-2 check-asan-3 check-c-interface check-tsan  ## Formatting, clang-tidy, sanitizers: all of it (hours), or one part: check-asan-2

check-fast: check-format check-python check-includes check-readers  ## Its fast part: formatting, lint, includes, and the readers of bytes under sanitizers

check-format: setup-check
	$(SOURCES) | xargs -0 clang-format --dry-run -Werror

check-python: setup-check
	"$(MADE)/.venv/bin/ruff" check && "$(MADE)/.venv/bin/ruff" format --check

# clang does not read the precompiled headers of g++, so that these commands are made without them. Every other file is in each
# half, because neighbours take about as long.
check-tidy-1 check-tidy-2: check-tidy-%: setup-test setup-check
	cmake --preset release -B "$(MADE)/build-tidy" -DKORE_PRECOMPILED_HEADERS=OFF -DKORE_GROUPED_FILES=OFF $(CMAKE_ARGS)
	git ls-files 'src/*.cpp' | while read -r file; do ! grep -qF "/$$file\"" "$(MADE)/build-tidy/compile_commands.json" || echo "$$file"; done | \
	  awk 'NR % 2 == $* % 2' | xargs -P $(JOBS) -n 1 clang-tidy -p "$(MADE)/build-tidy" --quiet

# A file that lacks an include compiles with precompiled headers all the same. Here every file is only parsed, without them.
check-includes: setup-test
	cmake --preset release -B "$(MADE)/build-tidy" -DKORE_PRECOMPILED_HEADERS=OFF -DKORE_GROUPED_FILES=OFF $(CMAKE_ARGS)
	@scripts/check_includes.py "$(MADE)/build-tidy" $(JOBS)

# Rooms in three parts of about the same time; the first one compiles the engine.
ASAN_1 := base basis design stats solve pass law response model memory
ASAN_2 := penalty select grow fit table arrow
ASAN_3 := duckdb story report cli fuzz
READERS := base design pass model table arrow
tests_of = '^($(subst $() $(),|,$(strip $(1))))\.'

check-asan-1 check-asan-2 check-asan-3: check-asan-%: setup-test
	cmake --preset asan $(CMAKE_ARGS)
	cmake --build "$(MADE)/build-asan" --parallel $(JOBS) --target $(ASAN_$*:%=%_test)
	ctest --preset asan -R $(call tests_of,$(ASAN_$*))

check-readers: setup-test  ## The readers of bytes under the address and undefined-behaviour sanitizers
	cmake --preset asan $(CMAKE_ARGS)
	cmake --build "$(MADE)/build-asan" --parallel $(JOBS) --target $(READERS:%=%_test)
	ctest --preset asan -R $(call tests_of,$(READERS))

# The second client is Python, which is not sanitized itself: it must load the runtime first, and keeps memory to its end.
check-c-interface: setup-test setup-python  ## libkore.so under the same sanitizers: from C, and from Python's ctypes
	cmake --preset release $(CMAKE_ARGS)
	cmake --build "$(MADE)/build" --parallel $(JOBS) --target kore_command
	cmake --preset asan $(CMAKE_ARGS)
	cmake --build "$(MADE)/build-asan" --parallel $(JOBS) --target c_interface_test
	ctest --preset asan -R '^c_interface\.'
	LD_PRELOAD="$$(g++ -print-file-name=libasan.so) $$(g++ -print-file-name=libubsan.so)" ASAN_OPTIONS=detect_leaks=0 KORE_C_BUILD=build-asan \
	  "$(MADE)/.venv/bin/python" -m pytest -q -p no:cacheprovider tests/python/test_c_interface.py

check-tsan: setup-test
	cmake --preset tsan $(CMAKE_ARGS)
	cmake --build --preset tsan --parallel $(JOBS)
	ctest --preset tsan

format:  ## Format every source in place
	$(SOURCES) | xargs -0 clang-format -i
	[[ ! -x "$(MADE)/.venv/bin/ruff" ]] || "$(MADE)/.venv/bin/ruff" format --quiet

install:  ## Install what was built into PREFIX (/usr/local)
	cmake --install "$(MADE)/build" --prefix "$(PREFIX)"

clean:  ## Remove what was built
	cd "$(MADE)" && rm -rf build build-asan build-tsan build-tidy build-fuzz build-python build-site build-site-work build-dist build-folders dist
