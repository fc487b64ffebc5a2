"""What is compiled before pytest starts is what pytest would have compiled."""

from __future__ import annotations

from pathlib import Path

import pytest
from _pytest.assertion.rewrite import PYC_TAIL, _read_pyc

from tests.support.compiling import compile_file


@pytest.fixture
def path(tmp_path: Path) -> Path:
    file = tmp_path / "test_sums.py"
    file.write_text("def check(sum):\n    assert sum == 5\n")
    return file


def compiled(path: Path) -> Path:
    return path.parent / "__pycache__" / f"{path.stem}{PYC_TAIL}"


def test_a_compiled_test_says_what_it_compared(path: Path) -> None:
    compile_file(path)
    module: dict[str, object] = {"__name__": "test_sums"}
    code = _read_pyc(path, compiled(path))
    assert code
    exec(code, module)

    check = module["check"]
    assert callable(check)
    with pytest.raises(AssertionError, match="assert 4 == 5"):
        check(4)


def test_a_test_is_compiled_again_only_after_it_changed(path: Path) -> None:
    compile_file(path)
    before = compiled(path).stat().st_ino
    compile_file(path)
    assert compiled(path).stat().st_ino == before

    path.write_text("def check(sum):\n    assert sum == 6\n")
    assert not _read_pyc(path, compiled(path))
    compile_file(path)

    assert _read_pyc(path, compiled(path))
