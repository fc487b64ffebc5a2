"""Compiles the tests before pytest starts: `python -m tests.support.compiling`.

In a clean clone nothing is compiled yet, and each of pytest's processes would compile every file at the same moment as
the others. Test files are compiled as pytest does it, with asserts that say what they compared.
"""

from __future__ import annotations

import importlib.util
import os
import py_compile
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

from _pytest.assertion.rewrite import PYC_TAIL, _read_pyc, _rewrite_test, _write_pyc_fp

TESTS = Path(__file__).parents[1]


def compile_tests(folder: Path = TESTS) -> None:
    """What is compiled and has not changed stays as it is."""
    with ProcessPoolExecutor() as processes:
        list(processes.map(compile_file, sorted(folder.rglob("*.py")), chunksize=20))


def compile_file(path: Path) -> None:
    if path.name.startswith("test_") or path.name == "conftest.py":
        _compile_test(path)
    elif not Path(importlib.util.cache_from_source(path)).exists():
        py_compile.compile(str(path), quiet=1)


def _compile_test(path: Path) -> None:
    compiled = path.parent / "__pycache__" / f"{path.stem}{PYC_TAIL}"
    if _read_pyc(path, compiled):
        return
    source_hash, code = _rewrite_test(path, None)  # pyright: ignore[reportArgumentType]
    compiled.parent.mkdir(exist_ok=True)
    own = compiled.with_suffix(f".{os.getpid()}")
    with own.open("wb") as file:
        _write_pyc_fp(file, source_hash, code)
    own.replace(compiled)


if __name__ == "__main__":
    compile_tests()
