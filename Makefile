# Every command we type. Each target sets up what it needs.
SHELL := /bin/sh
BIN := .venv/bin
# Tests start hundreds of processes, which would each compile everything again if nothing compiled were kept.
export PYTHONDONTWRITEBYTECODE :=
# Four at once on two cores, since many tests wait; tests of one file stay together, since they share a stack.
PYTEST := $(BIN)/pytest -n 4 --dist worksteal
WHAT := extractor lake stack queue sql
LOCK := uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-header --no-annotate

.PHONY: help setup up console examples check test test-browser test-machines test-faults soak conformance bench screenshots wheel audit lock clean

help:  ## this list
	@grep -E '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed 's/:.*## /\t/' | expand -t 14

# The console is built beside the stack, which does not wait for it; nothing is built if nothing has changed.
up: .venv/run  ## set up and start a stack on this machine
	@$(BIN)/python console/build.py & exec $(BIN)/penstock up

console: .venv/dev  ## build the console, and check its types against the OpenAPI documents of the services
	@$(BIN)/python console/build.py --check

examples: .venv/dev  ## send one request of every operation to a stack, and write the examples of the portal
	@$(BIN)/python -m tests.examples

setup: .venv/dev  ## the locked environment, tools included, in .venv

# Format, lint, types, and the tests in $(1). The tests are compiled once, instead of by every process of pytest; the
# types are checked beside the tests, which often wait, and what was found is shown after them.
define CHECK
@$(BIN)/python -m tests.support.compiling & compiling=$$!; \
$(BIN)/ruff format --check . && $(BIN)/ruff check .; failed=$$?; wait $$compiling && exit $$failed
@$(BIN)/pyright >.venv/types 2>&1 & types=$$!; trap "kill $$types; exit 130" INT TERM; \
$(PYTEST) -m "not faults" $(1); failed=$$?; \
wait $$types || failed=1; cat .venv/types; exit $$failed
endef

check: .venv/dev  ## format, lint, types, imports, unit tests
	$(call CHECK,tests/unit)

ifdef T
test: .venv/dev
	$(PYTEST) $(T)
else
# One run for all, since in every run every process lists the tests; those that wait longest begin.
test: .venv/dev  ## check, and everything on real parts; T=tests/unit/web only that
	$(call CHECK,-rsfE tests/e2e tests/docs tests/conformance tests/unit)
	@echo "Ran: format, lint, types, unit tests, conformance, end to end and the documents' own examples."
endif

test-browser: .venv/dev  ## what needs Chromium: the console, with all of its screens, and the portal
	PENSTOCK_EXAMPLES=explore $(PYTEST) -rsfE tests/e2e/console tests/e2e/test_portal_page.py

test-machines: .venv/dev  ## the first job as root and as a user, with and without a sandbox, with every kind of Python
	$(BIN)/pytest -n 2 --dist loadfile -v -rsfE tests/machines

test-faults: .venv/dev  ## crash and hostile suites
	$(PYTEST) -m faults -rsfE tests
	@echo "Ran: kills, frozen workers, full disks and hostile servers."

soak: .venv/dev  ## at length: a hostile project, a thousand crashes, new examples, all hostile values, fuzzing
	PENSTOCK_SOAK_SECONDS=$${PENSTOCK_SOAK_SECONDS:-300} $(BIN)/pytest -s -m faults tests/e2e/soak tests/e2e/test_floods.py
	PENSTOCK_CRASHES=1000 PENSTOCK_KILLED_JOBS=1000 $(PYTEST) -m faults tests/e2e/resume tests/e2e/test_worker_kills.py \
		tests/e2e/test_load_crashes.py tests/unit/services/oauth/test_crashes.py
	PENSTOCK_EXAMPLES=explore $(PYTEST) -m hypothesis tests/unit
	PENSTOCK_EXAMPLES=explore $(PYTEST) -m "not hypothesis and not faults" tests/unit/services tests/unit/web/test_openapi.py
	$(BIN)/python -m tests.support.fuzzing

conformance: .venv/dev  ## recorded conversations: make conformance RUNNER=path/to/run.py [CONFORMANCE="--only 001"]
	@test -n "$(RUNNER)" || { echo "Say where the recorded conversations are: make conformance RUNNER=path/to/run.py" >&2; exit 1; }
	$(BIN)/python $(RUNNER) $(CONFORMANCE) -- $(abspath $(BIN))/penstock extract --data-dir {data}

bench: .venv/dev  ## everything beside its limits: make bench [WHAT="lake stack crowd"] [PEERS=path/to/bench] [BENCH="--rounds 5"]
	@failed=0; for what in $(WHAT); do $(if $(PEERS),PENSTOCK_BENCH_PEERS="$(PEERS)") $(BIN)/python -m tests.benchmarks.$$what $(BENCH) || failed=1; done; exit $$failed

screenshots: .venv/dev  ## pictures of the console for the README, with Chromium
	@$(BIN)/python -m tests.support.screenshots

wheel: .venv/dev  ## the package with the console, and its bill of materials (CycloneDX), in dist/
	$(BIN)/uv build --quiet --wheel --no-build-isolation --python $(BIN)/python --out-dir dist

audit: .venv/dev .venv/audit  ## known vulnerabilities of what the lock files name; says so and ends well where no database can be reached
	@$(BIN)/python -m tests.support.audit

lock: .venv/dev  ## resolve the dependencies again
	$(BIN)/$(LOCK) --group build pyproject.toml -o requirements.lock
	$(BIN)/$(LOCK) --group build --group dev pyproject.toml -o requirements-dev.lock
	$(BIN)/$(LOCK) --group pyproject.toml:audit -o requirements-audit.lock

clean:  ## remove the environment; data stays
	rm -rf .venv .pytest_cache .ruff_cache .hypothesis

# Prints the interpreter with its rank, if it is new enough: best is one that can install packages and, for root, one that
# other users can read as well, because components of root's stack run as other users.
define RANK
import importlib.util, os, sys
if sys.version_info >= (3, 11):
    path = os.path.realpath(sys.executable)
    installs = any(map(importlib.util.find_spec, ("ensurepip", "pip")))
    closed = not os.geteuid() and any(not os.stat(path[:end] or "/").st_mode & 1 for end, c in enumerate(path) if c == "/")
    print(2 * installs + (not closed), sys.executable, sep="\t")
endef
export RANK

.venv/uv: requirements-setup.lock
	@python="$(PYTHON)"; if [ -z "$$python" ]; then \
		python=$$(for p in python3.13 python3.12 python3.11 python3 /usr/bin/python3 /usr/local/bin/python3; do $$p -c "$$RANK" 2>/dev/null; done \
			| sort -s -k1,1nr | head -n 1 | cut -f 2); \
	fi; \
	test -n "$$python" || { echo "Penstock needs Python 3.11 or newer; none was found. Name one: make PYTHON=/path/to/python3" >&2; exit 1; }; \
	echo "Setting up .venv with $$python"; \
	install="install --quiet --disable-pip-version-check --require-hashes -r requirements-setup.lock"; \
	if $$python -c "import ensurepip" 2>/dev/null; then $$python -m venv --clear .venv && $(BIN)/python -m pip $$install; \
	elif $$python -c "import pip" 2>/dev/null; then $$python -m venv --clear --without-pip .venv && $$python -m pip --python $(BIN)/python $$install; \
	else echo "$$python cannot install packages: it has neither ensurepip nor pip. On Debian and Ubuntu: apt install python3-venv" >&2; exit 1; fi
	@touch $@

.venv/run: .venv/uv requirements.lock pyproject.toml
	@$(BIN)/uv pip install --quiet --python $(BIN)/python --compile-bytecode --require-hashes -r requirements.lock
	@$(BIN)/uv pip install --quiet --python $(BIN)/python --no-deps --no-build-isolation -e .
	@$(BIN)/python -m compileall -q src
	@touch $@

.venv/dev: .venv/run requirements-dev.lock
	@$(BIN)/uv pip install --quiet --python $(BIN)/python --compile-bytecode --require-hashes -r requirements-dev.lock
	@touch $@

# An environment of its own: what only checks the others is not beside them.
.venv/audit: .venv/uv requirements-audit.lock
	@$(BIN)/uv venv --quiet --clear --python $(BIN)/python $@
	@$(BIN)/uv pip install --quiet --python $@/bin/python --require-hashes -r requirements-audit.lock
	@touch $@
