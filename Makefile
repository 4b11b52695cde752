# Thin: CMake and its presets do the work. `make help` lists what there is.
SHELL := bash
.SHELLFLAGS := -eu -o pipefail -c
.NOTPARALLEL:
.DEFAULT_GOAL := build

JOBS ?= $(shell nproc)
PREFIX ?= /usr/local
CMAKE_ARGS ?=

# Sources under version control, so that what lies about by chance is neither checked nor changed.
SOURCES = git ls-files -z '*.cpp' '*.hpp'

.PHONY: help setup build demo test test-long test-faults fuzz test-cluster wheel test-large bench reproduce accuracy families families-truths families-speed honesty check check-format check-python check-tidy check-asan check-tsan format install clean

help:  ## What there is to make
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "%-16s %s\n", $$1, $$2 }' Makefile

setup:  ## Install what building and testing need and this machine lacks (every target does this for itself)
	@scripts/setup.sh

# Set-up by need: `setup-build` has what the command needs, and no browser, Java or Python packages.
.PHONY: setup-build setup-test setup-python setup-check
setup-build setup-python setup-check: setup-%:
	@scripts/setup.sh $*
setup-test:
	@scripts/setup.sh build test

build: setup-build  ## Build the command (build/kore) and the library, with the paper's experiments
	cmake $(if $(wildcard build/build.ninja),build,--preset command) -DKORE_EXPERIMENTS=ON $(CMAKE_ARGS)
	cmake --build build --parallel $(JOBS) --target kore kore_command

demo: setup-build  ## Build the command alone, fit an equation and a real table, and write a report
	[[ -f build/build.ninja ]] || cmake --preset command $(CMAKE_ARGS)
	cmake --build build --parallel $(JOBS) --target kore_command
	@scripts/demo.sh

# Everything that there is to build; the tests are in build/tests.
.PHONY: build-all
build-all: setup-test
	cmake --preset release $(CMAKE_ARGS)
	cmake --build --preset release --parallel $(JOBS)

test: setup build-all  ## All tests, those of the Python package from its wheel in a new environment
	ctest --preset release
	@scripts/test_python.sh
	@if [[ -d build-fuzz ]]; then scripts/fuzz.sh 5 || [[ $$? == 77 ]]; else echo "fuzz: skipped, because 'make fuzz' has not been run here."; fi

test-faults: build-all  ## The command killed at 100 moments of each kind of run, and short of disk, memory, threads (minutes)
	KORE_FAULT_KILLS=100 build/tests/cli_test --gtest_filter='Faults.*:BadCommands.*:FaithfulInput.*'

FUZZ_SECONDS ?= 60
fuzz: setup-check  ## Every reader of bytes fuzzed, FUZZ_SECONDS=60 each (clang; the first build takes a quarter of an hour)
	@scripts/fuzz.sh $(FUZZ_SECONDS)

test-long: build-all  ## Tests of real tables on all of their rows (minutes; test has the short form; needs ../shared)
	KORE_LONG_TESTS=1 ctest --preset release -R RealData

test-cluster: setup  ## Spark and Dask in full, with executors that are killed (minutes; test has the short form)
	@scripts/test_cluster.sh

wheel: setup-build setup-python  ## The wheel of the Python package, in build-python/wheels
	@scripts/build_wheel.sh

test-large: build  ## Five million rows within one gigabyte (minutes; not part of test)
	@tests/large/run.sh build/kore

BENCH ?=
bench: build-all setup-python  ## The speed comparison with KORE's peers (an hour; BENCH='--limit 60 --repeats 1' is shorter); renews docs/benchmarks.md
	@scripts/bench.sh $(BENCH)

reproduce: build  ## Every synthetic experiment of the paper (a quarter of an hour); renews docs/reproduction.md
	build/kore reproduce all -o out/reproduction
	cp out/reproduction/reproduction.md docs/reproduction.md

DATA ?= ../shared/data
RESULTS ?= ../shared/reference/results
WHOLE ?=
accuracy: build-all  ## Beside the published cells of tuned boosters, whole tables beside LightGBM, then families and classes (needs DATA and RESULTS; WHOLE='--tables fifa')
	build/experiments/kore_accuracy $(DATA) $(RESULTS)
	@scripts/whole_tables.sh $(DATA) $(WHOLE)
	@scripts/families.sh build/kore $(DATA)/responses

families: build  ## Test deviance of yes and no, counts, amounts and classes beside tuned boosters (needs DATA; half an hour)
	@scripts/families.sh build/kore $(DATA)/responses

TRUTHS ?=
families-truths: build  ## Families on made-up tables beside mgcv's bam: errors of the linear predictor, and bands (minutes; TRUTHS='--tables 2' is shorter)
	"$$(scripts/peers.sh)" benchmarks/beside_mgcv/truths.py build/kore out/families/truths $(TRUTHS)

SPEED ?=
families-speed: build  ## Yes-or-no fits beside bam, XGBoost and the fit of numbers (minutes, 2 GB of disk; SPEED='--long-rows 1000000' is shorter)
	"$$(scripts/peers.sh)" benchmarks/beside_mgcv/speed.py build/kore out/families/speed $(SPEED)

HONESTY ?=
honesty: build-all  ## Stated errors, verdicts and intervals beside the truth (minutes; needs DATA; HONESTY='--part noise' is shorter); renews docs/honesty.md
	@scripts/honesty.sh $(DATA) $(HONESTY)

check: check-format check-python check-tidy check-asan check-tsan  ## Formatting, clang-tidy, sanitizers

check-format: setup-check
	$(SOURCES) | xargs -0 clang-format --dry-run -Werror

check-python: setup-check
	.venv/bin/ruff check && .venv/bin/ruff format --check

# clang does not read the precompiled headers of g++, so that these commands are made without them.
check-tidy: setup-test setup-check
	cmake --preset release -B build-tidy -DKORE_PRECOMPILED_HEADERS=OFF $(CMAKE_ARGS)
	git ls-files 'src/*.cpp' | while read -r file; do ! grep -qF "/$$file\"" build-tidy/compile_commands.json || echo "$$file"; done | \
	  xargs -P $(JOBS) -n 1 clang-tidy -p build-tidy --quiet

check-asan check-tsan: check-%: setup-test
	cmake --preset $* $(CMAKE_ARGS)
	cmake --build --preset $* --parallel $(JOBS)
	ctest --preset $*

format:  ## Format every source in place
	$(SOURCES) | xargs -0 clang-format -i
	[[ ! -x .venv/bin/ruff ]] || .venv/bin/ruff format --quiet

install:  ## Install what was built into PREFIX (/usr/local)
	cmake --install build --prefix $(PREFIX)

clean:  ## Remove what was built
	rm -rf build build-asan build-tsan build-tidy build-fuzz build-python
