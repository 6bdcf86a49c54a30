# make demo: set up the core and sort the embedded pictures.   make test: set up everything, check and test.
PYTHON ?= $(shell command -v python3.11 || command -v python3)
BIN := .venv/bin
ONE_THREAD := OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1 MKL_NUM_THREADS=1# each, as there is a test on every core

.PHONY: demo test test-slow check format benchmark clean

demo: .venv/installed
	$(BIN)/ilap demo

test: check
	$(ONE_THREAD) $(BIN)/python -m pytest -n auto --maxprocesses 4 --dist loadfile

test-slow: check
	$(BIN)/python -m pytest -m "slow or not slow"

check: .venv/installed-dev
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports

format: .venv/installed-dev
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

benchmark: .venv/installed
	$(BIN)/python benchmarks/exposure_cost.py

.venv/bin/python:
	$(PYTHON) -m venv .venv

.venv/installed: pyproject.toml | .venv/bin/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable .
	touch $@

.venv/installed-dev: .venv/installed
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable ".[dev]"
	touch $@

clean:
	rm -rf .venv build src/*.egg-info .mypy_cache .ruff_cache .pytest_cache
