# The commands of this repository. Each one first makes the virtual environment it needs, when it is not there
# or when pyproject.toml or constraints.txt changed.

VENV := .venv
# What is installed: enough to run the product, to test its core, or to work on all of it.
USABLE := $(VENV)/.usable
TESTABLE := $(VENV)/.testable
READY := $(VENV)/.installed
RUN := $(VENV)/bin/python -m
# Further arguments for pytest: make test ARGS='-k knapsack'
ARGS :=
# The interpreter to use: make test-core PYTHON=python3.13
PYTHON :=
CANDIDATES := $(or $(PYTHON),python3 python3.14 python3.13 python3.12 python3.11)
COMMA := ,
# Debian's python3 may come without ensurepip, pyenv's shims without an interpreter behind them.
FIT := import ensurepip, sys, venv; sys.exit(sys.version_info < (3, 11))

.DEFAULT_GOAL := help
.PHONY: help chat test test-core core e2e test-llm lint notebooks docs

help: ## show this list
	@sed -n 's/^\([a-z0-9-]*\):.*## /\1\t/p' Makefile | expand -t 12

chat: $(USABLE) ## chat about the knapsack example in this terminal
	@$(VENV)/bin/decision-ai chat decision_ai/examples/knapsack/model.py --data decision_ai/examples/knapsack/data.json

test: $(READY) ## run the whole test suite
	@$(RUN) pytest -n 2 --dist loadfile $(ARGS)

test-core: ## run the core tests on another Python: make test-core PYTHON=python3.12
	@for python in $(CANDIDATES); do \
	  if $$python -c '$(FIT)' 2>/dev/null; then \
	    version=$$($$python -c 'import sys; print("%d.%d" % sys.version_info[:2])'); \
	    exec $(MAKE) --no-print-directory core VENV=.venv-$$version PYTHON=$$python; \
	  fi; \
	done; echo "no working Python >= 3.11 among: $(CANDIDATES)" >&2; exit 1

core: $(TESTABLE)
	@$(RUN) pytest -m core -n 2 --dist loadfile $(ARGS)

e2e: $(READY) ## run the tests with a real server and a real client in two processes
	@$(RUN) pytest -m e2e $(ARGS)

test-llm: $(READY) ## chat with the 1.5B language model of this machine (decision-ai models fetch)
	@$(RUN) pytest -m llm --timeout 1800 $(ARGS)

lint: $(READY) ## check style, layout and types
	@$(RUN) ruff check
	@$(RUN) ruff format --check
	@$(RUN) mypy

notebooks: $(READY) ## run every notebook from top to bottom
	@$(RUN) pytest tests/docs/test_notebooks.py $(ARGS)

docs: $(READY) ## write the generated parts of docs/ anew
	@$(RUN) docs.generate

# Standard input stays untouched for the command that follows: it may be a piped conversation.
define install
	@$(VENV)/bin/python -c '$(FIT)' 2>/dev/null || { \
	  for python in $(CANDIDATES); do \
	    if $$python -c '$(FIT)' 2>/dev/null; then exec $$python -m venv --clear $(VENV); fi; \
	  done; \
	  echo "no working Python >= 3.11 with venv among: $(CANDIDATES); name one with PYTHON=..." >&2; exit 1; }
	@echo "Setting up $(VENV), once; this takes a minute or two ..." >&2
	@$(RUN) pip install --disable-pip-version-check --root-user-action=ignore -c constraints.txt \
	  -e $(1) > $(VENV)/pip.log 2>&1 < /dev/null || { tail -n 20 $(VENV)/pip.log >&2; exit 1; }
	@touch $@
endef

$(USABLE): pyproject.toml constraints.txt
	$(call install,.)

$(TESTABLE): pyproject.toml constraints.txt
	$(call install,'.[test]')
	@touch $(USABLE)

$(READY): pyproject.toml constraints.txt
	$(call install,'.[local$(COMMA)notebook$(COMMA)openai$(COMMA)test]')
	@touch $(USABLE) $(TESTABLE)
