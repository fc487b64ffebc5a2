"""Fuzzing: tests that try bytes of any kind, in `make test` a few and in `make soak` for as long as it is told.

`@fuzzed("cron", …)` tries the files of `tests/data/fuzz/cron` first. What fails while `python -m tests.support.fuzzing`
runs is kept there, in its shortest form, so that `make test` tries it from then on. `PENSTOCK_FUZZ_SECONDS` says how
long that takes, 30 minutes by default. Test files that have the marker `fuzz` take part, with their property tests.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable
from functools import wraps
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, example, given
from hypothesis import strategies as st

from tests.support.examples import examples

ROOT = Path(__file__).parents[2]
CORPORA = ROOT / "tests" / "data" / "fuzz"
SECONDS = 1800.0
MARKER = "mark.fuzz"
MAX_CHANGES, MAX_PIECE = 6, 12
CHECKS = (HealthCheck.function_scoped_fixture, HealthCheck.too_slow)
"""That are left out: fixtures are for all examples, and the machine may be busy."""
IS_KEEPING = "PENSTOCK_FUZZ_SECONDS" in os.environ

Test = Callable[..., None]


def fuzzed(name: str, strategy: st.SearchStrategy[bytes], count: int = 200) -> Callable[[Test], Test]:
    """Pass `content` to the test: the corpus of this name, then examples of the strategy."""

    def decorate(test: Test) -> Test:
        @wraps(test)
        def run(*args: Any, **values: Any) -> None:
            try:
                test(*args, **values)
            except Exception:
                keep(name, values["content"])
                raise

        tried: Any = given(content=strategy)(run)
        for content in read_corpus(name):
            tried = example(content=content)(tried)
        return pytest.mark.fuzz(examples(count, suppress_health_check=CHECKS)(tried))

    return decorate


def read_corpus(name: str) -> list[bytes]:
    return [file.read_bytes() for file in sorted((CORPORA / name).iterdir())]


def keep(name: str, content: bytes) -> None:
    """Only while fuzzing. Each try that fails is shorter than the one before, and replaces it."""
    if IS_KEEPING:
        (CORPORA / name / f"crash-{os.getpid()}").write_bytes(content)


@st.composite
def changed(draw: st.DrawFn, name: str) -> bytes:
    """A file of the corpus in which some pieces are removed, replaced or repeated."""
    content = draw(st.sampled_from(read_corpus(name)))
    for _ in range(draw(st.integers(0, MAX_CHANGES))):
        begin = draw(st.integers(0, len(content)))
        end = draw(st.integers(begin, min(len(content), begin + MAX_PIECE)))
        piece = draw(st.binary(max_size=MAX_PIECE) | st.just(content[begin:end] * 3))
        content = content[:begin] + piece + content[end:]
    return content


def joined(*tokens: str) -> st.SearchStrategy[bytes]:
    """Texts of these tokens, with others in between."""
    return st.lists(st.sampled_from(tokens) | st.text(max_size=4), max_size=20).map("".join).map(str.encode)


def list_files() -> list[str]:
    """Test files that take part."""
    files = sorted((ROOT / "tests" / "unit").rglob("test_*.py"))
    return [str(file) for file in files if MARKER in file.read_text() or "@fuzzed(" in file.read_text()]


def main() -> int:
    """Run all of them again and again, each time with new examples, until the time is over or one fails."""
    seconds = float(os.environ.get("PENSTOCK_FUZZ_SECONDS", SECONDS))
    variables = {**os.environ, "PENSTOCK_EXAMPLES": "explore", "PENSTOCK_FUZZ_SECONDS": str(seconds)}
    command = [sys.executable, "-m", "pytest", "-m", "fuzz and hypothesis", *sys.argv[1:], *list_files()]
    since, rounds = time.monotonic(), 0
    while time.monotonic() - since < seconds:
        rounds += 1
        failed = subprocess.run(command, env=variables, check=False, cwd=ROOT).returncode
        if failed:
            print(f"Round {rounds} found something; what was kept is in {CORPORA.relative_to(ROOT)}.", file=sys.stderr)
            return failed
    print(f"Fuzzing: {rounds} rounds in {time.monotonic() - since:.0f} s, nothing found.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
