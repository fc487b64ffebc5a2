"""The portal's page: the reader that is built with the console, and a plain list of all operations.

The list is shown until the bundle is built, and where scripts are switched off. Every name in it is escaped.
"""

from __future__ import annotations

from collections.abc import Iterable
from html import escape
from importlib.resources import files
from string import Template
from typing import Any, NamedTuple

from penstock.services.portal.models import ApiEntry, Apis
from penstock.web.bundle import read_failure, read_page

PLACE = "<!-- list -->"
"""Where the built page takes the list."""
NOT_YET = "The reader of these APIs is being built, which takes less than a minute after the first start. Reload then."
FAILED = "The reader of these APIs could not be built; <code>make console</code> says why. This is the plain list."


class Operation(NamedTuple):
    method: str
    path: str
    id: str
    summary: str


def make_page(apis: Apis, operations: dict[str, list[Operation]], portal_url: str, base: str) -> str:
    """`base` is where the page is, since its links are relative."""
    listed = _list(apis, operations, portal_url)
    if page := read_page("portal", base):
        return page.replace(PLACE, listed)
    template = Template(files("penstock.services.portal").joinpath("page.html").read_text(encoding="utf-8"))
    state = FAILED if read_failure() else NOT_YET
    return template.substitute(stack=escape(apis.stack), list=f"<p>{state}</p>\n{listed}")


def list_operations(document: dict[str, Any]) -> list[Operation]:
    return [
        Operation(method.upper(), path, found["operationId"], found["summary"])
        for path, methods in document["paths"].items()
        for method, found in methods.items()
    ]


def _list(apis: Apis, operations: dict[str, list[Operation]], portal_url: str) -> str:
    index = f'<a href="{escape(portal_url)}/apis.json"><code>apis.json</code></a>'
    services = "\n".join(_service(entry, operations[entry.id]) for entry in apis.services)
    return f"<h1>{escape(apis.stack)}</h1>\n<p>The APIs of this stack. Programs read {index}.</p>\n{services}"


def _service(entry: ApiEntry, operations: Iterable[Operation]) -> str:
    specification = f'<a href="{escape(entry.open_api_spec_url)}"><code>{escape(entry.id)}.json</code></a>'
    address = f'<a href="{escape(entry.api_url)}/"><code>{escape(entry.api_url)}</code></a>'
    rows = "\n".join(map(_row, operations))
    return (
        f"<details><summary><h2>{escape(entry.name)}</h2></summary>\n<p>{address} · {specification}</p>\n"
        f"<table><tbody>\n{rows}\n</tbody></table></details>"
    )


def _row(operation: Operation) -> str:
    name = f"<code>{escape(operation.method)} {escape(operation.path)}</code>"
    return f"<tr><td>{name}</td><td>{escape(operation.summary)}</td></tr>"
