"""Docstrings of functions are sentences, and parameters are nouns."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

SOURCE = Path(__file__).parents[2] / "src" / "penstock"
PACKAGES = sorted(path.name for path in SOURCE.iterdir() if path.suffix == ".py" or (path / "__init__.py").exists())
FRAGMENT = re.compile(
    r"(After|As|At|Before|Behind|Beside|By|For|From|In|It|Its|None|Not|Of|On|Only|Since|Such|That|Their|They|This|Those|To"
    r"|Until|Where|Who|With|Without)\b"
)
"""A sentence about a function does not begin like this: what it returns or does comes first."""
PRONOUN = re.compile("found|given|kept|known|made|mine|ours|said|shown|taken|theirs|told|wanted")
PREFIXES = ("LONGEST_", "MOST_", "SHORTEST_", "USUAL_")
"""Limits are MAX_ or MIN_, and defaults DEFAULT_."""


def find_complaints(source: str) -> Iterator[str]:
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            if first := FRAGMENT.match(ast.get_docstring(node) or ""):
                yield f"{node.lineno}: the docstring of {node.name} begins with {first[0]}"
            every = (*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs)
            names = [argument.arg for argument in every if PRONOUN.fullmatch(argument.arg)]
            yield from (f"{node.lineno}: {node.name} calls a parameter {name}" for name in names)
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store) and node.id.startswith(PREFIXES):
            yield f"{node.lineno}: {node.id} is not called MAX_, MIN_ or DEFAULT_"


@pytest.mark.parametrize("package", PACKAGES)
def test_docstrings_are_sentences_and_parameters_are_nouns(package: str) -> None:
    path = SOURCE / package
    files = [path] if path.is_file() else sorted(path.rglob("*.py"))

    assert [f"{file.relative_to(SOURCE)}:{it}" for file in files for it in find_complaints(file.read_text())] == []


def test_fragments_pronouns_and_prefixes_are_refused() -> None:
    wrong = '"""Of this file."""\nMOST_ROWS = 1\n\ndef read(wanted, row):\n    """Of any project."""\n'

    assert sorted(find_complaints(wrong)) == [
        "2: MOST_ROWS is not called MAX_, MIN_ or DEFAULT_",
        "4: read calls a parameter wanted",
        "4: the docstring of read begins with Of",
    ]
    assert list(find_complaints('MAX_ROWS = 1\n\ndef read(plan, row):\n    """Return the row."""\n')) == []
