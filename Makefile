# Thin: CMake and its presets do the work. `make help` lists what there is.
SHELL := bash
.SHELLFLAGS := -eu -o pipefail -c
.NOTPARALLEL:
.DEFAULT_GOAL := build

JOBS ?= $(shell nproc)
PREFIX ?= /usr/local
CMAKE_ARGS ?=

# Sources under version control, so that what lies about by chance is neither checked nor changed.
SOURCES = git ls-files '*.cpp' '*.hpp'

.PHONY: help setup build demo test test-cluster wheel test-large bench reproduce accuracy families honesty check check-format check-python check-tidy check-asan check-tsan format install clean

help:  ## What there is to make
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "%-12s %s\n", $$1, $$2 }' Makefile

setup:  ## Install what is missing on this machine (asks for root only then)
	@scripts/setup.sh

build:  ## Build everything; the command, the library and the tests are then in build/
	cmake --preset release $(CMAKE_ARGS)
	cmake --build --preset release --parallel $(JOBS)

demo: setup build  ## Fit an equation and a real table, and tell the story of the fits
	@scripts/demo.sh

test: setup build  ## All tests, those of the Python package from its wheel in a new environment
	ctest --preset release
	@scripts/test_python.sh

test-cluster: setup  ## Spark and Dask in full, with executors that are killed (minutes; test has the short form)
	@scripts/test_cluster.sh

wheel: setup  ## The wheel of the Python package, in build-python/wheels
	@scripts/build_wheel.sh

test-large: setup build  ## Five million rows within one gigabyte (minutes; not part of test)
	@tests/large/run.sh build/kore

BENCH ?=
bench: setup build  ## The speed comparison with KORE's peers (an hour; BENCH='--limit 60 --repeats 1' is shorter); renews docs/benchmarks.md
	@scripts/bench.sh $(BENCH)

reproduce: setup build  ## Every synthetic experiment of the paper (a quarter of an hour); renews docs/reproduction.md
	build/kore reproduce all -o out/reproduction
	cp out/reproduction/reproduction.md docs/reproduction.md

DATA ?= ../shared/data
RESULTS ?= ../shared/reference/results
WHOLE ?=
accuracy: setup build  ## Beside the published cells of tuned boosters, then whole tables beside LightGBM (needs DATA and RESULTS; WHOLE='--tables fifa')
	build/experiments/kore_accuracy $(DATA) $(RESULTS)
	@scripts/whole_tables.sh $(DATA) $(WHOLE)

families: setup build  ## Test deviance of yes and no, counts and amounts beside tuned boosters (needs DATA; half an hour)
	@scripts/whole_tables.sh --families build/kore $(DATA)/responses

HONESTY ?=
honesty: setup build  ## Stated errors, verdicts and intervals beside the truth (minutes; needs DATA; HONESTY='--part noise' is shorter); renews docs/honesty.md
	@scripts/honesty.sh $(DATA) $(HONESTY)

check: check-format check-python check-tidy check-asan check-tsan  ## Formatting, clang-tidy, sanitizers

check-format: setup-check
	$(SOURCES) | xargs clang-format --dry-run -Werror

check-python: setup-check
	.venv/bin/ruff check && .venv/bin/ruff format --check

check-tidy: setup-check build
	git ls-files 'src/*.cpp' | while read -r file; do ! grep -qF "/$$file\"" build/compile_commands.json || echo "$$file"; done | \
	  xargs -P $(JOBS) -n 1 clang-tidy -p build --quiet

check-asan check-tsan: check-%: setup-check
	cmake --preset $* $(CMAKE_ARGS)
	cmake --build --preset $* --parallel $(JOBS)
	ctest --preset $*

.PHONY: setup-check
setup-check:
	@scripts/setup.sh --check

format:  ## Format every source in place
	$(SOURCES) | xargs clang-format -i
	[[ ! -x .venv/bin/ruff ]] || .venv/bin/ruff format --quiet

install:  ## Install what was built into PREFIX (/usr/local)
	cmake --install build --prefix $(PREFIX)

clean:  ## Remove what was built
	rm -rf build build-asan build-tsan build-python
