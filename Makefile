# Every target sets up what it needs; `make help` lists them.
PYTHON ?= python3
ARGS ?=
DATA ?=
BIN := .venv/bin
CODE := $(wildcard src tests bench)
BENCHES := $(sort $(basename $(notdir $(shell grep -ls '__name__ == "__main__"' bench/*.py))))

.DEFAULT_GOAL := help
.PHONY: help setup setup-dev run test lint format bench clean

help:
	@echo 'make run          start Innerlife on 127.0.0.1:11435 (ARGS="--port 8000" adds options)'
	@echo 'make test         run the whole test suite (ARGS="-k recall" selects)'
	@echo 'make lint         check style, types and the map of imports'
	@echo 'make format       rewrite the code in the one style'
	@echo 'make bench        run every bench; make bench-NAME DATA=FILE runs one'
	@echo 'make setup        prepare .venv only (PYTHON=/path/to/python3.12 chooses another Python)'
	@echo 'make clean        remove .venv, caches and build output; never a Core'

setup:
	@sh scripts/setup "$(PYTHON)" runtime

setup-dev:
	@sh scripts/setup "$(PYTHON)" dev

run: setup
	@$(BIN)/innerlife serve $(ARGS)

test: setup-dev
	@$(BIN)/python -m pytest -q $(ARGS)

lint: setup-dev
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .
	@$(BIN)/mypy $(CODE)
	@$(BIN)/lint-imports

format: setup-dev
	@$(BIN)/ruff check --fix-only .
	@$(BIN)/ruff format .

bench: setup-dev
	@for name in $(BENCHES); do echo "== $$name"; DATA='$(DATA)' $(BIN)/python -m "bench.$$name" || exit 1; done

bench-%: setup-dev
	@DATA='$(DATA)' $(BIN)/python -m bench.$* $(ARGS)

clean:
	rm -rf .venv build dist .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache src/*.egg-info
	find src tests bench scripts -name __pycache__ -type d -prune -exec rm -rf {} + 2>/dev/null || true
