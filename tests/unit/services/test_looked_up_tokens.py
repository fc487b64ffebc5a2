"""Who looks a Storage token up: an authentication scheme, for which the row says what the role of a member may do, or
code that has to check the role by itself. The second is done by `authenticate_writer` and nothing else."""

from __future__ import annotations

import ast
from pathlib import Path

import penstock

SOURCE = Path(penstock.__file__).parent
LOOKUPS = {
    "penstock.services.storage.interface": {"authenticate"},
    "penstock.services.storage.interface.access": {"authenticate"},
    "penstock.services.storage.operations.authentication": {"authenticate"},
    "penstock.services.storage.operations.callers": {"find_caller"},
}
"""The functions that find a caller and do not look at its role, by module."""
SCHEMES = {"storage_token", "token_with_challenge"}
OTHERS = {
    "server/first_sample.py": "the stack fills its first project at the start, with the token that it has made",
    "server/first_project.py": "the stack looks whether the token of its first project still works",
    "services/storage/operations/callers.py": "the lookup itself, which goes on to another kind of token",
    "services/storage/interface/access.py": "where `authenticate` and `authenticate_writer` are defined",
}


def find_uses(source: str) -> list[int]:
    """The lines that use such a function, but for arguments of schemes."""
    tree = ast.parse(source)
    names, modules = _imported(tree)
    given = {
        id(argument)
        for call in ast.walk(tree)
        if isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id in SCHEMES
        for argument in call.args
    }
    return [
        node.lineno
        for node in ast.walk(tree)
        if id(node) not in given
        and (
            (isinstance(node, ast.Name) and node.id in names)
            or (isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and _is_of(node, modules))
        )
    ]


def _is_of(node: ast.Attribute, modules: dict[str, str]) -> bool:
    return isinstance(node.value, ast.Name) and node.attr in LOOKUPS.get(modules.get(node.value.id, ""), ())


def _imported(tree: ast.Module) -> tuple[set[str], dict[str, str]]:
    """The names that such functions have in this module, and the modules by the names that they have there."""
    names: set[str] = set()
    modules: dict[str, str] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module:
            for alias in node.names:
                here = alias.asname or alias.name
                modules[here] = f"{node.module}.{alias.name}"
                if alias.name in LOOKUPS.get(node.module, ()):
                    names.add(here)
    return names, modules


def test_a_token_that_no_scheme_has_checked_is_looked_up_with_its_role() -> None:
    uses = {
        path.relative_to(SOURCE).as_posix(): lines
        for path in sorted(SOURCE.rglob("*.py"))
        if (lines := find_uses(path.read_text()))
    }

    assert set(uses) == set(OTHERS), "Call storage.authenticate_writer(): it looks at the role of the member."


def test_each_way_to_write_the_lookup_is_seen() -> None:
    lookups = [
        "from penstock.services.storage import interface as storage\nstorage.authenticate(stack, token)",
        "from penstock.services.storage.interface import authenticate as find\nfind(stack, token)",
        "from penstock.services.storage.operations import callers\ncallers.find_caller(stack, token)",
    ]
    scheme = "from penstock.services.storage.interface import authenticate\nstorage_token(authenticate)"

    assert [find_uses(each) for each in lookups] == [[2], [2], [2]]
    assert find_uses(scheme) == []
