# make suggest   shows one suggestion
# make test      runs linters, type checks and the tests, without the long ones
# make slow      runs the long tests: the page in a browser, the lessons, wheels, many random games
# make lint-scripts   checks the scripts of the page: their types, a linter, tests under node, which
#                     has to be installed
# make bench     measures the figures of docs/figures.md again
# make course    writes the course as students get it to build/course, and as assignments of nbgrader
#                to build/nbgrader
# make site      builds the site in build/site: all pages, references, and the games to play
# make theorem   proves the solution of 7x6 with Rocq, which has to be installed; with COQCHK=1
#                Rocq's second checker reads the proof too
# Each sets up .venv by itself.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin

.PHONY: suggest test slow lint-scripts bench course site theorem clean

suggest: $(VENV)/.installed
	$(BIN)/advisor suggest chapter2/28 --explain

test: $(VENV)/.installed-dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/pytest -n auto --dist loadfile -m "not slow"

# A browser that finds no time on a busy machine is asked once more; the summary names the test.
slow: $(VENV)/.installed-dev
	$(BIN)/pytest -n auto --dist loadfile -m slow --reruns 1 --only-rerun "Locator expected|TimeoutError"

lint-scripts: node_modules/.installed
	npm run --silent types
	npm run --silent lint
	npm run --silent test

bench: $(VENV)/.installed-dev
	$(BIN)/python benchmarks/measure/figures.py

course: $(VENV)/.installed
	$(BIN)/python teach/handing_out.py build/course build/nbgrader

site: $(VENV)/.installed-dev
	$(BIN)/python docs/site/make_site.py

theorem: $(VENV)/.installed
	$(BIN)/python solutions/theorem/prove.py $(if $(COQCHK),--coqchk)

$(VENV)/.installed: pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/pip install --quiet --editable .
	touch $@

$(VENV)/.installed-dev: pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/pip install --quiet --editable '.[dev]'
	touch $@

node_modules/.installed: package.json
	npm install --no-package-lock --no-audit --no-fund --silent
	touch $@

clean:
	rm -rf $(VENV) node_modules build/theorem build/course build/nbgrader build/site
