# make demo    a recorded game, in your terminal           make test    all fast tests
# make check   ruff, mypy, pyright, the house test         make prove   all tests, the slow ones too
# make corpus-demo: generates 100,000 games, builds a corpus, audits and queries it, in build/league
# make browser: the tests that drive Chromium, except the slow ones
# make wide: more cases of the tests of which make test runs one or a few
# make matrix: make demo and make test on the Pythons of this machine, for several kinds of newcomers
# make golden: writes the files anew in which the tests find what daynight says; read the diff
# make site: the documentation, in build/site; make release-check: what a release would do, but for uploading
# make bench, make coverage, make messages, make page, make pictures, make mutants, make build, make clean
#
# Needs make and Python 3.11 or later; pip installs the rest into .venv. `make PYTHON=python3.12 ...` chooses one.

SHELL  := /bin/sh
PYTHON ?= $(shell for each in python3 python3.14 python3.13 python3.12 python3.11 python; do \
	"$$each" -c 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && echo "$$each" && break; done)
JOBS   ?= auto
BIN    := .venv/bin
PIP    := $(BIN)/python -m pip --disable-pip-version-check --quiet
SOURCES := $(shell find daynight/. events/. projections/. \( -name __pycache__ -o -name node_modules \) -prune -o -type f -print 2>/dev/null)

.PHONY: demo corpus-demo test golden wide browser check prove matrix bench coverage messages page pictures mutants site build release-check clean help
.DEFAULT_GOAL := help

help:
	@sed -n 's/^# \{0,1\}//p' Makefile | head -11

demo: .venv/installed
	@$(BIN)/daynight demo

corpus-demo: .venv/testing
	$(BIN)/python examples/league.py build/league $(GAMES)

test: .venv/testing
	$(BIN)/python -m pytest -n $(JOBS) $(ARGS)

# Runs only the tests that use tests/golden.py.
golden: .venv/testing
	DAYNIGHT_GOLDEN=write $(BIN)/python -m pytest -n $(JOBS) -m "not slow and not browser" \
		$(shell grep -rlE --include='test_*.py' 'golden import' tests) $(ARGS)

wide: .venv/testing
	$(BIN)/python -m pytest -n $(JOBS) -m "wide and not slow and not browser" $(ARGS)

browser: .venv/testing
	$(BIN)/python -m pytest -n $(JOBS) -m "browser and not slow" tests/browser $(ARGS)

prove: .venv/developing
	$(BIN)/python -m pytest -n $(JOBS) -m "not alone" $(ARGS)
	$(BIN)/python -m pytest -m alone tests

matrix:
	@$(PYTHON) -m tests.packaging.matrix $(ARGS)

# The variable keeps pyright from asking the network whether there is a newer one.
check: .venv/developing
	$(BIN)/ruff check
	$(BIN)/mypy
	PYRIGHT_PYTHON_IGNORE_WARNINGS=1 $(BIN)/pyright --warnings
	$(BIN)/python -m pytest tests/house

bench: .venv/testing
	@test -f tests/bench/bench.py || { echo "there is no tests/bench/bench.py yet"; exit 1; }
	$(BIN)/python tests/bench/bench.py $(ARGS)

coverage: .venv/testing
	$(BIN)/python -m pytest -n $(JOBS) --cov --cov-report=term --cov-report=html $(ARGS)

# The catalogues of the languages: adds new texts, removes those no longer used, and compiles them.
messages: .venv/testing
	$(BIN)/python -m tests.languages.messages

# The page's bundle, daynight/web/static: the same bytes from the same sources. Node comes from PyPI.
page: .venv/developing
	$(BIN)/python -m tests.languages.messages
	$(BIN)/python -m tests.house.bundle

# The README's pictures of the page, examples/page-light.png and page-dark.png, taken in Chromium.
pictures: .venv/testing
	$(BIN)/python -m tests.browser.photographs

# Try some mutants only: make mutants ONLY='daynight.rules.citations*'
mutants: .venv/developing
	$(BIN)/mutmut run 'daynight.rules.citations*' # writes all mutants and notes which tests call what
	$(BIN)/python tests/mutants.py $(ONLY)

# The documentation, from the guides, the docstrings and the program: the same bytes from the same sources.
site: .venv/developing
	$(BIN)/python -m tests.site.build

build: .venv/testing
	$(BIN)/python -m build

# Builds, checks, installs into bare environments, and runs what the README shows first; uploads nothing. ARGS=--whole runs
# `make test` in the source archive too.
release-check: .venv/developing
	$(BIN)/python -m tests.packaging.release $(ARGS)

clean:
	rm -rf .venv daynight/web/page/node_modules build dist mutants htmlcov .coverage .coverage.* .hypothesis .mypy_cache .pytest_cache .ruff_cache
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

# Three states of .venv, each with a stamp file; a later state includes the earlier ones. The first is a plain install,
# renewed when the source changes; the others are editable, renewed when pyproject.toml changes.

$(BIN)/python:
	@test -n "$(PYTHON)" || { echo "daynight needs Python 3.11 or later with venv and pip (Debian: apt install python3-venv); none was found. Say where: make PYTHON=/path/to/python3"; exit 1; }
	$(PYTHON) -m venv .venv

.venv/installed: $(BIN)/python pyproject.toml $(SOURCES)
	@test -e .venv/testing || { echo "installing daynight into .venv"; $(PIP) install .; }
	@touch $@

.venv/testing: $(BIN)/python pyproject.toml
	@test -e .venv/developing -a .venv/developing -nt pyproject.toml || { echo "installing daynight and what its tests need into .venv"; $(PIP) install --editable '.[test]'; }
	@touch .venv/installed $@

.venv/developing: $(BIN)/python pyproject.toml
	@echo "installing daynight and what its developers need into .venv"
	@$(PIP) install --editable '.[dev]'
	@touch .venv/installed .venv/testing $@
