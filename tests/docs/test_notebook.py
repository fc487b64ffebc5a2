"""The notebook in docs/: its cells run in order, as a notebook runs them, in a running event loop."""

from __future__ import annotations

import ast
import asyncio
import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from tests.docs.pages import ROOT
from tests.support.stacks import RunningStack

NOTEBOOK = json.loads((ROOT / "docs/notebook.ipynb").read_text(encoding="utf-8"))
CELLS = ["".join(cell["source"]) for cell in NOTEBOOK["cells"] if cell["cell_type"] == "code"]


def test_every_cell_runs_and_its_last_expression_is_shown(
    stack: RunningStack, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / ".penstock").mkdir()
    shutil.copy(stack.folder / "admin-token", tmp_path / ".penstock")
    monkeypatch.chdir(tmp_path)
    address = stack.greeting["storageUrl"].removesuffix("/_svc/storage")

    shown = asyncio.run(_run([cell.replace("http://127.0.0.1:8300", address) for cell in CELLS]))

    assert shown[0].startswith("<p><b>Project My project</b></p>")
    assert "<b>in.c-sample.orders</b>" in "".join(shown)
    assert "<td>Status</td><td>success</td>" in "".join(shown)
    assert any("customer_id (string)" in text for text in shown)


def test_the_notebook_is_stored_without_outputs() -> None:
    assert all(not cell.get("outputs") for cell in NOTEBOOK["cells"])


async def _run(cells: list[str]) -> list[str]:
    names: dict[str, Any] = {}
    return [_show(_run_cell(cell, names)) for cell in cells]


def _run_cell(cell: str, names: dict[str, Any]) -> Any:
    """The value of the last expression, which a notebook shows."""
    tree = ast.parse(cell)
    last = tree.body.pop() if isinstance(tree.body[-1], ast.Expr) else None
    exec(compile(tree, "cell", "exec"), names)
    return eval(compile(ast.Expression(last.value), "cell", "eval"), names) if isinstance(last, ast.Expr) else None


def _show(value: Any) -> str:
    return value._repr_html_() if hasattr(value, "_repr_html_") else repr(value)
