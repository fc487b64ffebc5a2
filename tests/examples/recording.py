"""Sends one request of every operation, and writes down what was sent and what came back."""

from __future__ import annotations

import json
from pathlib import Path

import msgspec

from penstock.app import list_services
from penstock.services.portal import examples
from penstock.services.portal.examples import Example, Request, Response
from penstock.web.routing import Route
from tests.examples.asking import Asker
from tests.examples.stable import Stable
from tests.examples.states import CANCEL
from tests.support.http import Response as HttpResponse
from tests.support.providers import Provider
from tests.support.stacks import ServicesOnly
from tests.unit.services.fill import first_project
from tests.unit.services.world import TABLES, in_order, make_world, name_of

NAME = "shop"
"""Of the project, and in the names of all that is in it."""
FOLDER = Path(examples.__file__).parent / "examples"
DOCUMENTED = {
    service.id: [row for row in TABLES[service.id] if row.is_documented]
    for service in list_services()
    if service.listing.is_documented
}


def open_stack(folder: Path) -> ServicesOnly:
    """It has what some operations need: a mail server, which nothing sends to, and a provider of OAuth on loopback."""
    return ServicesOnly(folder, smtp_host="localhost", allow_hosts=["127.0.0.1"], developer_sign_up="open")


def record(services: ServicesOnly) -> dict[str, dict[str, Example]]:
    """By the service and the operation. The stack is used up: what deletes is sent last."""
    world = make_world(services, NAME, first_project(services))
    found: dict[str, dict[str, Example]] = {service: {} for service in DOCUMENTED}
    services_of = {id(row): service for service, table in DOCUMENTED.items() for row in table}
    rows = in_order(row for table in DOCUMENTED.values() for row in table)
    with Provider() as provider:
        asker = Asker(services, world, provider)
        for row in sorted(rows, key=lambda row: name_of(row) == CANCEL):
            found[services_of[id(row)]][f"{row.method} {row.template}"] = _ask(asker, row)
    return {service: {key: found[service][key] for key in sorted(found[service])} for service in found}


def _ask(asker: Asker, row: Route) -> Example:
    sent = asker.find_request(row)
    response = asker.send(row, sent)
    stable = Stable(NAME)
    request = Request(
        path={name: stable.value(value, name) for name, value in sent.values.items()},
        query=stable.value(sent.query),
        body=stable.value(sent.body) if sent.body is not None else None,
    )
    return Example(request=request, response=_to_response(stable, response))


def _to_response(stable: Stable, response: HttpResponse) -> Response:
    kind = response.headers.get("content-type", "").partition(";")[0]
    if kind == "application/json":
        return Response(status=response.status, media_type=kind, body=stable.value(response.json))
    try:
        text = stable.text(response.text)
    except UnicodeDecodeError:
        text = ""
    return Response(status=response.status, media_type=kind if response.body else "", body=text or None)


def write(recorded: dict[str, dict[str, Example]], folder: Path = FOLDER) -> None:
    """One line for each operation."""
    folder.mkdir(exist_ok=True)
    for service, found in recorded.items():
        lines = ",\n".join(f"{json.dumps(name)}: {_to_text(each)}" for name, each in found.items())
        (folder / f"{service}.json").write_text(f"{{\n{lines}\n}}\n", encoding="utf-8")


def _to_text(example: Example) -> str:
    return msgspec.json.encode(example).decode()
