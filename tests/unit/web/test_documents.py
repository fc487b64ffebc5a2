"""Documents are made once, whoever asks and under whichever address; their bytes are kept."""

from __future__ import annotations

import gzip
from collections.abc import Generator
from pathlib import Path

import anyio
import pytest

from penstock.foundation.callers import Right
from penstock.foundation.database import database
from penstock.foundation.errors import NotFound
from penstock.web.addresses import Addresses
from penstock.web.documents import Content, ContentCache, Documents, Requested
from penstock.web.fair_threads import FairThreads
from penstock.web.request_threads import WorkQueue
from penstock.web.requests import Request
from penstock.web.routing import Document, Route, get
from tests.support.http import Http
from tests.support.postgresql import NewStack
from tests.support.stacks import ServicesOnly, wait_for
from tests.unit.web import served

MADE: list[str] = []


def show(request: Request, name: str) -> dict[str, str]:
    MADE.append(name)
    return {"name": name, "url": request.addresses.url_of("tested"), "filler": "x" * 2000}


def show_stored(request: Request) -> dict[str, int]:
    MADE.append("stored")
    with request.reading() as tx:
        return {"version": 1 if tx else 0}


def routes() -> list[Route]:
    return [
        get("/shown/{name}", show, needs=Right.PUBLIC, document=Document.PROGRAM),
        get("/stored", show_stored, needs=Right.PUBLIC, document=Document.DATABASE),
    ]


@pytest.fixture(scope="module")
def served_documents(shared: ServicesOnly) -> Generator[Http]:
    yield from served.serve(shared, routes())


@pytest.fixture(autouse=True)
def _forget() -> None:
    MADE.clear()


def test_a_document_is_made_once_whatever_port_a_client_names(served_documents: Http) -> None:
    answers = [
        served_documents.send("GET", "/shown/a", headers={"Host": f"localhost:{port}"}) for port in range(8000, 8020)
    ]

    assert MADE == ["a"]
    assert [answer.json["url"] for answer in answers] == [
        f"http://localhost:{port}/_svc/tested" for port in range(8000, 8020)
    ]
    packed = served_documents.send("GET", "/shown/a", headers={"Accept-Encoding": "gzip", "Host": "localhost:8000"})
    assert gzip.decompress(packed.body) == answers[0].body
    assert MADE == ["a"]


def test_a_document_depends_on_its_arguments_and_not_on_what_nobody_reads(served_documents: Http) -> None:
    names = [served_documents.get(f"/shown/{name}").json["name"] for name in ("b", "c", "b?x=1", "c?y=2")]

    assert (names, MADE) == (["b", "c", "b", "c"], ["b", "c"])


def test_on_postgresql_too_it_is_made_once_for_each_change(
    new_stack_on_postgresql: NewStack, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(database, "DOCUMENT_SECONDS", 1e9)
    stack = new_stack_on_postgresql.copy(tmp_path / "data")
    serving = served.serve(stack, routes())
    documents = next(serving)
    wait_for(lambda: stack.stack.database.document_version() is not None)

    for _ in range(20):
        documents.get("/stored")
    before = len(MADE)
    assert stack.service("storage").post("/v2/storage/tickets").status == 201
    documents.get("/stored")

    # A worker may have written something meanwhile.
    assert 1 <= before < 10
    assert len(MADE) > before
    next(serving, None)
    new_stack_on_postgresql.close(stack)


def test_one_of_the_database_is_made_again_when_that_changes(served_documents: Http, shared: ServicesOnly) -> None:
    served_documents.get("/stored")
    served_documents.get("/stored")
    assert MADE == ["stored"]
    assert shared.service("storage").post("/v2/storage/tickets").status == 201

    served_documents.get("/stored")

    assert MADE == ["stored", "stored"]


def test_a_thousand_who_ask_at_once_wait_for_the_same_document() -> None:
    made, documents, threads = list[str](), Documents(), FairThreads(1, max_waiting=2)
    requested = Requested(
        name="a", version=0, addresses=Addresses("http", ":1", "penstock.localhost"), takes_gzip=False
    )
    bodies = list[bytes]()

    def make(addresses: Addresses) -> bytes:
        made.append(addresses.domain)
        return b"document"

    async def ask() -> None:
        response = await documents.get(requested, WorkQueue(threads, "somebody"), make)
        assert isinstance(response.body, bytes)
        bodies.append(response.body)

    async def scenario() -> None:
        async with anyio.create_task_group() as tasks:
            for _ in range(1000):
                tasks.start_soon(ask)

    anyio.run(scenario)
    assert (len(made), len(bodies)) == (1, 1000)
    assert len({id(body) for body in bodies}) == 1


def test_an_error_is_sent_to_all_who_wait_and_is_not_kept() -> None:
    documents, threads, errors = Documents(), FairThreads(1), list[str]()
    requested = Requested(name="a", version=0, addresses=Addresses("http", "", "x"), takes_gzip=False)

    def fail(_addresses: Addresses) -> bytes:
        raise NotFound("There is no such document.")

    async def ask() -> None:
        try:
            await documents.get(requested, WorkQueue(threads, "somebody"), fail)
        except NotFound as error:
            errors.append(error.message)

    async def scenario() -> None:
        async with anyio.create_task_group() as tasks:
            for _ in range(5):
                tasks.start_soon(ask)
        response = await documents.get(requested, WorkQueue(threads, "somebody"), lambda _addresses: b"now")
        assert response.body == b"now"

    anyio.run(scenario)
    assert errors == ["There is no such document."] * 5


def test_what_is_kept_has_a_limit() -> None:
    kept = ContentCache(max_bytes=100)
    for number in range(50):
        kept.put(number, Content(bytes(30), version=0))
        kept.get(0, 0)

    assert kept.size <= 100
    assert kept.get(0, 0), "what is used stays"
    assert kept.get(10, 0) is None
    assert kept.get(49, 1) is None, "another version is another document"
