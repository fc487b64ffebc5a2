"""Tests use what others may use. Where one reaches for an attribute that begins with an underscore, it is listed here
with the reason."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

TESTS = Path(__file__).parents[1]
PLAIN = {"_asdict", "_exit", "_fields", "_make", "_replace", "_repr_html_"}
"""Public in spite of their names."""
MAY_BE_PRIVATE = re.compile(r'\._[a-z]|"_[a-z]|import _[a-z]|, _[a-z]')

WITH_REASON = {
    "docs/test_facts.py: parser._actions": "argparse lists the flags of a parser nowhere else",
    "e2e/test_official_client.py: _generate_rsa_key_pair": "the client makes its keys with it",
    "e2e/resume/server.py: servers._loop": "the loop in which all servers of the tests run",
    "support/compiled.py: engine._compiled_cache": "SQLAlchemy keeps statements by engine",
    "support/compiled.py: first._compiled_cache": "SQLAlchemy keeps statements by engine",
    "support/compiling.py: _read_pyc": "pytest compiles only what it imports",
    "support/compiling.py: _rewrite_test": "pytest compiles only what it imports",
    "support/compiling.py: _write_pyc_fp": "pytest compiles only what it imports",
    "unit/client/test_transport.py: discovery._index": "a stack with TLS whose index names an address without",
    "unit/extractor/requests/auth/test_aws_signature.py: signer._inject_signature_to_request": "botocore's own header",
    "unit/extractor/requests/journal/test_folder.py: folder._lock": "the moment between opening a folder and its lock",
    "unit/extractor/requests/sending/test_spill.py: spill._file": "a disk that is full from here on",
    "unit/extractor/requests/sending/test_tunnel.py: tunnel._link": "a dead tunnel shows when it is used next",
    "unit/foundation/lake/test_attachments.py: _let_readers_pass": "a catalog that is not written to its end",
    "unit/foundation/lake/test_maintenance.py: _relations": "a table that goes after it was listed",
    "unit/foundation/test_blobs.py: _boot": "another start of the machine",
    "unit/foundation/test_database_postgresql.py: _check": "a connection that goes right after its check",
    "unit/foundation/test_group_commit.py: database._kind._commits._turns": "nothing public tells who waits to write",
    "unit/foundation/test_group_commit.py: database._kind._commits._turns._is_taken": "and neither is who writes",
    "unit/pgwire/test_limits.py: _memory": "limits that two messages reach",
    "unit/server/test_worker_process.py: loop._wakeup": "a loop that was woken also polls without",
    "unit/server/tls_serving.py: each._is_ending": "a listener that takes no more still serves",
    "unit/services/ai/test_model.py: _calls": "all calls to the model are under way",
    "unit/services/ai/test_model.py: model._calls": "all calls to the model are under way",
    "unit/services/conftest.py: _hasher": "a hash takes 35 ms, and most tests are not about it",
    "unit/services/oauth/test_refreshing.py: _commit": "a process that ends between the response and its commit",
    "unit/services/storage/test_branches.py: branch_jobs._copy_portion": "a worker that died after the first portion",
    "unit/services/storage/test_branches.py: branch_jobs._copying": "a worker that died after the first portion",
    "unit/services/storage/test_swaps.py: _fill_second": "a lease that is lost between the two tables",
    "unit/services/storage/test_swaps.py: swaps._fill_second": "a lease that is lost between the two tables",
    "unit/services/sync_actions/test_processes.py: routes._run": "cancels the task of a request, and no client",
    "unit/services/sync_actions/test_processes.py: routes._running": "cancels the task of a request, and no client",
    "unit/services/test_public_surface.py: anonymous._free": "a queue that is full of requests",
    "unit/test_compiling.py: _read_pyc": "pytest tells nowhere else what it would compile",
    "unit/web/test_write_threads.py: database._kind._commits._turns": "nothing public tells who waits to write",
}


def test_only_these_reach_for_private_attributes_and_each_for_a_reason() -> None:
    # Only files are parsed that may have one.
    sources = {
        path: source for path in sorted(TESTS.rglob("*.py")) if MAY_BE_PRIVATE.search(source := path.read_text())
    }
    found = {f"{path.relative_to(TESTS)}: {name}" for path, source in sources.items() for name in find_private(source)}

    assert sorted(found - WITH_REASON.keys()) == [], "use what is public, or say here why not"
    assert sorted(WITH_REASON.keys() - found) == [], "these are not used any more"


def test_attributes_patches_and_imports_that_are_private_are_found() -> None:
    source = """
from product.module import _write
patch.setattr(module, "_check", None)
patch.setattr("product.module._commit", None)
assert listener._turns._count.value == row._replace(x=1)._asdict()
class Own(Base):
    def __init__(self): self._mine, other._mine = 1, super()._theirs
"""

    assert sorted(find_private(source)) == ["_check", "_commit", "_write", "listener._turns._count"]


def find_private(source: str) -> Iterator[str]:
    """Attributes of others, also those that are replaced or imported. What the file itself defines is its own."""
    nodes = list(ast.walk(ast.parse(source)))
    own = PLAIN | set(_list_own(nodes))
    inner = {id(below) for node in nodes if _is_private(node, own) for below in _list_below(node)}
    for node in nodes:
        if _is_private(node, own) and id(node) not in inner:
            yield ast.unparse(node)
        elif isinstance(node, ast.ImportFrom):
            yield from (name.name for name in node.names if re.match("_[a-z]", name.name))
        elif isinstance(node, ast.Call) and getattr(node.func, "attr", "") == "setattr":
            texts = [each.value for each in node.args if isinstance(each, ast.Constant) and isinstance(each.value, str)]
            names = (text.rpartition(".")[2] for text in texts[:1])
            yield from (name for name in names if re.match("_[a-z]", name) and name not in own)


def _list_own(nodes: list[ast.AST]) -> Iterator[str]:
    for node in nodes:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield node.name
        elif isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store) and _is_of_self(node):
            yield node.attr
        elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            yield node.target.id


def _is_private(node: ast.AST, own: set[str]) -> bool:
    return (
        isinstance(node, ast.Attribute)
        and re.match("_[a-z]", node.attr) is not None
        and node.attr not in own
        and not _is_of_self(node)
    )


def _is_of_self(node: ast.Attribute) -> bool:
    return ast.unparse(node.value) in ("self", "cls", "super()")


def _list_below(node: ast.AST) -> Iterator[ast.AST]:
    while isinstance(node, ast.Attribute):
        node = node.value
        yield node
