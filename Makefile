.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.PHONY: help install certify test lint bench pins clean distclean

BIN    := .venv/bin
PINS   := requirements-dev.txt
ARGS   ?=

# The newest supported interpreter that runs and can build an environment (`make install PYTHON=…` overrides).
PYTHON ?= $(firstword $(foreach p,python3.13 python3.12 python3.11 python3,$(shell \
	$(p) -c 'import ensurepip, sys, venv; sys.version_info >= (3, 11) and print("$(p)")' 2>/dev/null)))

help: ## list these targets
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "  make %-10s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

install: .venv/.project ## build .venv from the pin file (does nothing when it is up to date)

certify: install ## certify every game of the catalogue (ARGS="--full" adds options)
	$(BIN)/dealproof certify --all $(ARGS)

test: install ## run the tests (ARGS="-m slow" adds options)
	$(BIN)/python -m pytest $(ARGS)

lint: install ## ruff, its formatter, mypy, and the walls between folders
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports --config pyproject.toml

bench: install ## measure the speeds that the project promises
	$(BIN)/python -m tests.bench $(ARGS)

# uv comes from the pin file as well, by its hash; pip takes over where uv cannot run or reach the index.
.venv/.pins: $(PINS)
	@test -n "$(PYTHON)" || { echo "make: Python 3.11 or newer with its venv module is needed (Debian: apt install python3-venv)" >&2; exit 1; }
	@echo "Building .venv with $(PYTHON): half a minute with uv, two to three with pip"
	@$(PYTHON) -m venv .venv
	@awk '/^[a-z]/ { wanted = /^uv==/ } wanted' $(PINS) \
		| $(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r /dev/stdin \
		&& $(BIN)/uv pip install --quiet --python $(BIN)/python --require-hashes --compile-bytecode -r $(PINS) \
		|| $(BIN)/python -m pip install --quiet --disable-pip-version-check --compile --require-hashes -r $(PINS)
	@touch $@

.venv/.project: .venv/.pins pyproject.toml
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation --editable .
	@$(BIN)/python -m compileall -q dealproof engine tasks flows
	@touch $@

pins: install ## resolve the newest versions anew and rewrite the pin files
	$(BIN)/uv $(COMPILE) --upgrade --extra dev --output-file $(PINS)
	$(BIN)/uv $(COMPILE) --upgrade --constraints $(PINS) --output-file requirements.txt

COMPILE := pip compile --quiet --universal --python-version 3.11 --fork-strategy fewest \
	--generate-hashes --no-header --no-annotate --no-emit-index-url pyproject.toml

clean: ## remove .venv, caches and build outputs; results/ stays
	rm -rf .venv build dist *.egg-info .mypy_cache .ruff_cache .pytest_cache .hypothesis .coverage htmlcov
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

distclean: clean ## clean, and remove results/ too
	rm -rf results
