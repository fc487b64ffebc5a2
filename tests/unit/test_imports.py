"""Who imports whom, held over the text of every module.

cli → server → app → services → web → foundation
services.queue, services.sync_actions, server → runtime → foundation
runtime, services → contracts, which imports nothing of ours
services → components → extractor → foundation
server → pgwire → services, sql
services.storage, services.query, services.editor, server, components → sql → runtime, contracts, foundation
client → foundation
cli, services.mcp → mcp → client
in the extractor   tools → run → job → results → responses → config → requests → records → base
in a service       routes → operations → store → models, errors
between services   only the interface of a lower one
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from penstock import app

SOURCE = Path(__file__).parents[2] / "src" / "penstock"

MAY_USE = {
    "foundation": set[str](),
    "contracts": set[str](),
    "settings": {"foundation"},
    "extractor": {"foundation"},
    "client": {"foundation"},
    "mcp": {"client", "foundation"},
    "runtime": {"contracts", "foundation"},
    "web": {"foundation"},
    "sql": {"runtime", "contracts", "foundation"},
    "components": {"sql", "extractor", "foundation"},
    "services": {"web", "components", "contracts", "foundation"},
    "app": {"services", "web", "settings", "foundation"},
    "pgwire": {"services", "sql", "foundation"},
    "server": {"app", "pgwire", "services", "components", "sql", "runtime", "web", "settings", "foundation"},
    "cli": {"server", "app", "mcp", "client", "extractor", "settings", "foundation"},
    "__main__": {"cli"},
}
SERVICES_MAY_USE = {
    "queue": {"runtime"},
    "sync_actions": {"runtime"},
    "storage": {"sql"},
    "query": {"sql"},
    "editor": {"sql"},
    "mcp": {"mcp", "client"},
}
"""What single services may use besides."""
SERVICES = [make.__module__.split(".")[2] for make in app.SERVICES]
"""Lowest first."""
EXTRACTOR = ["base", "records", "requests", "config", "responses", "results", "explain", "job", "run", "tools"]
"""In the order of its data, lowest first."""
LAYERS = ["errors", "models", "names", "store", "operations", "routes", "service"]
ABROAD = ("aiohttp", "http.client", "urllib.request", "requests", "httpx", "urllib3", "ftplib", "smtplib")
UNSAFE = ("pickle", "marshal", "shelve")


def complaints(module: str, source: str) -> list[str]:
    """What a module, named without `penstock.`, does that it must not."""
    names, called = read_module(source)
    found = [f"{module} imports {name}" for name in names if not is_allowed(module, name)]
    found += [f"{module} calls {call}" for call in called if call in ("eval", "exec", "compile", "shell=True")]
    return found


def is_allowed(module: str, name: str) -> bool:
    if not name.startswith("penstock."):
        may_go_abroad = module.startswith("foundation.outbound")
        return not is_under(name, UNSAFE) and (may_go_abroad or not is_under(name, ABROAD))
    ours, theirs = module.split("."), name.removeprefix("penstock.").split(".")
    if theirs[0] == "__version__":
        return True
    if ours[0] != theirs[0]:
        allowed = MAY_USE[ours[0]] | (SERVICES_MAY_USE.get(ours[1], set()) if ours[0] == "services" else set())
        return theirs[0] in allowed and (theirs[0] != "services" or may_use_service(ours, theirs))
    if ours[0] == "extractor":
        return len(ours) == 1 or EXTRACTOR.index(theirs[1]) <= EXTRACTOR.index(ours[1])
    return ours[0] != "services" or between_services(ours, theirs)


def may_use_service(ours: list[str], theirs: list[str]) -> bool:
    """The app puts services together; the server adds components, features of projects, and the first project; the SQL
    port signs in and meters."""
    doors = {"app": ("service", "interface"), "pgwire": ("interface",), "server": ("interface", "configurations")}
    return len(theirs) == 2 or theirs[2] in doors.get(ours[0], ())


def between_services(ours: list[str], theirs: list[str]) -> bool:
    if ours[1:2] == theirs[1:2]:
        return is_downwards(ours[2:3], theirs[2:3])
    if len(theirs) < 2:
        return False
    is_lower = SERVICES.index(theirs[1]) < SERVICES.index(ours[1])
    return is_lower and ours[1] != "portal" and (len(theirs) == 2 or theirs[2] == "interface")


def is_downwards(ours: list[str], theirs: list[str]) -> bool:
    """Within a service; what is not a layer (an interface, a worker) is beside the operations."""
    above = LAYERS.index("operations")
    rank = [LAYERS.index(name[0]) if name and name[0] in LAYERS else above for name in (ours, theirs)]
    return not (ours and theirs) or rank[1] <= rank[0]


def is_under(name: str, roots: tuple[str, ...]) -> bool:
    return any(name == root or name.startswith(f"{root}.") for root in roots)


@cache
def read_module(source: str) -> tuple[list[str], list[str]]:
    """What a module imports and what it calls; read once, since all of them together are many lines."""
    names, called = list[str](), list[str]()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import | ast.ImportFrom):
            names += imports(node)
        elif isinstance(node, ast.Call):
            called += calls(node)
    return names, called


def imports(node: ast.Import | ast.ImportFrom) -> Iterator[str]:
    if isinstance(node, ast.Import):
        yield from (alias.name for alias in node.names)
    else:
        assert node.level == 0, "imports are absolute"
        yield from (f"{node.module}.{alias.name}" for alias in node.names)


def calls(node: ast.Call) -> Iterator[str]:
    yield node.func.id if isinstance(node.func, ast.Name) else ""
    yield from (f"{word.arg}={ast.unparse(word.value)}" for word in node.keywords if word.arg == "shell")


def modules() -> Iterator[tuple[str, str]]:
    for path in sorted(SOURCE.rglob("*.py")):
        parts = path.relative_to(SOURCE).with_suffix("").parts
        if parts != ("__init__",):
            yield ".".join(part for part in parts if part != "__init__"), path.read_text()


def test_every_import_follows_the_picture() -> None:
    found = [complaint for module, source in modules() for complaint in complaints(module, source)]

    assert found == []


def test_the_whole_program_was_looked_at() -> None:
    names = {module for module, _ in modules()}

    assert {"foundation.database", "services.storage.routes.tables", "services.queue", "cli.up", "app"} <= names
    assert {module.split(".")[0] for module in names} == set(MAY_USE)
    assert {name.split(".")[1] for name in names if name.startswith("services.")} == set(SERVICES)


@pytest.mark.parametrize(
    ("module", "line"),
    [
        ("foundation.ids", "from penstock.web import bodies"),
        ("foundation.ids", "import penstock.settings"),
        ("web.bodies", "from penstock.services.storage import interface"),
        ("runtime.process", "from penstock.services.queue import store"),
        ("services.storage.operations.tables", "from penstock.runtime import process"),
        ("services.storage.operations.tables", "from penstock.services.queue import interface"),
        ("services.queue.operations", "from penstock.services.storage.store import tables"),
        ("services.queue.operations", "from penstock.services.storage.operations.tables import load_table"),
        ("services.portal.routes", "from penstock.services.storage import interface"),
        ("services.storage.store.tables", "from penstock.services.storage.operations import tables"),
        ("services.storage.models.tables", "from penstock.services.storage.store import tables"),
        ("services.queue.store", "from penstock.services.queue.routes import service"),
        ("services.queue.routes", "from penstock.app import build_app"),
        ("app", "from penstock.services.storage.store import tokens"),
        ("app", "from penstock.services.queue import routes"),
        ("server.worker_process", "from penstock.services.queue import worker"),
        ("services.queue.routes", "from penstock.services.queue.service import service"),
        ("server.run", "from penstock.services.queue.store import jobs"),
        ("pgwire.listener", "from penstock.server.sockets import Listening"),
        ("pgwire.execution", "from penstock.services.storage.operations.tables import load_table"),
        ("cli.run", "from penstock.services.queue import operations"),
        ("client.client", "from penstock.settings import Settings"),
        ("extractor.run", "from penstock.components import catalogue"),
        ("components.catalogue", "from penstock.services.storage import interface"),
        ("services.queue.running.monitor", "def inside():\n    from penstock.cli import main"),
        ("extractor.requests.client", "import aiohttp"),
        ("extractor.base.http", "from penstock.extractor.records.columns import Column"),
        ("extractor.requests.pagination.offset", "from penstock.extractor.config.jobs import Job"),
        ("client.transport", "from http.client import HTTPConnection"),
        ("services.sample.data", "import urllib.request as u"),
        ("server.workers", "from requests import get"),
        ("foundation.outbound.gate", "import pickle"),
        ("runtime.process", "subprocess.run('ls', shell=True)"),
        ("extractor.base.numbers", "eval('1')"),
        ("extractor.base.numbers", "exec('1')"),
    ],
)
def test_a_forbidden_arrow_is_found(module: str, line: str) -> None:
    assert len(complaints(module, line)) == 1


@pytest.mark.parametrize(
    ("module", "line"),
    [
        ("services.queue.execution", "from penstock.runtime.process import Process"),
        ("services.queue.running.monitor", "from penstock.services.storage.interface import NewEvent"),
        ("services.storage.operations.tokens", "from penstock.services.management import interface as management"),
        ("services.storage.routes.tables", "from penstock.services.storage.operations import tables"),
        ("foundation.outbound.gate", "import aiohttp"),
        ("cli.run", "from penstock.client import Client"),
        ("app", "from penstock.services.queue import service"),
        ("services.queue.service", "from penstock.services.queue.routes import routes"),
    ],
)
def test_an_arrow_of_the_picture_is_not(module: str, line: str) -> None:
    assert complaints(module, line) == []


def mutual_folders(sources: dict[str, str]) -> set[tuple[str, str]]:
    """Pairs of folders that import each other, of modules by name; a folder and one inside it are not such a pair."""
    folders = {name for name in sources if any(other.startswith(f"{name}.") for other in sources)}
    arrows = {
        (folder_of(module, folders), folder_of(target, folders))
        for module, source in sources.items()
        for name in read_module(source)[0]
        if (target := module_of(name, sources))
    }
    return {(one, two) for one, two in arrows if "" < one < two and (two, one) in arrows and not is_under(two, (one,))}


def module_of(name: str, sources: dict[str, str]) -> str:
    """The module of ours that an imported name is in; empty if there is none."""
    name = name.removeprefix("penstock.")
    while name and name not in sources:
        name = name.rpartition(".")[0]
    return name


def folder_of(module: str, folders: set[str]) -> str:
    return module if module in folders else module.rpartition(".")[0]


def test_no_two_folders_import_each_other() -> None:
    assert mutual_folders(dict(modules())) == set()


def test_folders_that_import_each_other_are_found() -> None:
    sources = {
        "shop": "",
        "shop.cart": "from penstock.shop.cart import items",
        "shop.cart.items": "from penstock.shop.orders import Order",
        "shop.orders": "import penstock.shop.errors",
        "shop.orders.order": "from penstock.shop.cart.items import Item",
        "shop.errors": "",
    }

    assert mutual_folders(sources) == {("shop.cart", "shop.orders")}
