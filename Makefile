# Everything a person types. The files of this folder install all that is needed into .venv.
SHELL := /bin/bash
VENV := .venv
PYTHON := $(VENV)/bin/python
# Candidates are run, not looked up: a version manager's shim can exist and still exit with 127.
FIND_PYTHON = for candidate in python3.13 python3.14 python3.12 python3 $$HOME/.pyenv/versions/3.1[2-9]*/bin/python3; do \
	$$candidate -c 'import sys, venv; sys.exit(sys.version_info < (3, 12))' 2>/dev/null && { echo $$candidate; break; }; done
CHECKED := manage.py portal tests
# Compiled once: without its files each of a hundred processes of a run would compile all of the portal at its start.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: setup demo test test-fast controls moods faults steady lint format bench docs lock

setup: $(VENV)/.tests-stamp
	@$(PYTHON) -m tests.browser

demo: $(VENV)/.run-stamp
	@exec $(PYTHON) manage.py demo

test: setup
	@$(PYTHON) -m tests.run suite

test-fast: $(VENV)/.tests-stamp
	@$(PYTHON) -m tests.run fast

controls: setup
	@$(PYTHON) -m tests.run controls

moods: setup
	@$(PYTHON) -m tests.run moods

faults: setup
	@$(PYTHON) -m tests.nginx
	@$(PYTHON) -m tests.run faults

steady: setup
	@$(PYTHON) -m tests.run steady

bench: setup
	@$(PYTHON) -m tests.bench

lint: $(VENV)/.tests-stamp
	$(VENV)/bin/ruff format --check $(CHECKED)
	$(VENV)/bin/ruff check $(CHECKED)
	DEBUG=1 $(VENV)/bin/mypy
	$(VENV)/bin/lint-imports
	DEBUG=1 $(PYTHON) manage.py makemigrations --check --dry-run

format: $(VENV)/.tests-stamp
	$(VENV)/bin/ruff format $(CHECKED)
	$(VENV)/bin/ruff check --fix $(CHECKED)

docs: $(VENV)/.tests-stamp
	@$(PYTHON) -m tests.documents

# Anew from the lower bounds in pyproject.toml; needs uv.
lock:
	uv pip compile -q --universal --generate-hashes --no-header --python-version 3.12 pyproject.toml -o requirements.txt
	uv pip compile -q --universal --generate-hashes --no-header --python-version 3.12 --group watching -c requirements.txt -o requirements-watching.txt
	uv pip compile -q --universal --generate-hashes --no-header --python-version 3.12 pyproject.toml --group dev -c requirements.txt -c requirements-watching.txt -o requirements-dev.txt

$(VENV)/bin/python:
	@python=$$($(FIND_PYTHON)); \
	if [ -z "$$python" ]; then echo "Python 3.12 or newer is needed (with its venv module)." >&2; exit 1; fi; \
	"$$python" -m venv $(VENV)

$(VENV)/.run-stamp: requirements.txt | $(VENV)/bin/python
	@$(call install,requirements.txt)
	@touch $@

$(VENV)/.tests-stamp: requirements-dev.txt requirements.txt | $(VENV)/bin/python
	@$(call install,requirements-dev.txt)
	@touch $@ $(VENV)/.run-stamp

define install
if command -v uv >/dev/null; then uv pip install -q --python $(PYTHON) --require-hashes -r $(1); \
else $(PYTHON) -m pip install -q --disable-pip-version-check --require-hashes -r $(1); fi
endef
