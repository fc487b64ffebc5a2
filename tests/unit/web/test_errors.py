"""A defect is ours: its caller gets an id to quote, and the log has the rest."""

from __future__ import annotations

import logging
from collections.abc import Generator

import pytest

from penstock.foundation.callers import Right
from penstock.foundation.errors import Conflict, Unavailable
from penstock.web.errors import with_status_code, with_text_code
from penstock.web.requests import Request
from penstock.web.routing import Route, get
from tests.support.http import Http
from tests.support.stacks import ServicesOnly, wait_for
from tests.unit.web.served import serve


def routes() -> list[Route]:
    return [
        get("/break", fail, needs=Right.PUBLIC),
        get("/recurse", recurse, needs=Right.PUBLIC),
        get("/strange", answer_strangely, needs=Right.PUBLIC),
        get("/conflict", conflict, needs=Right.PUBLIC),
        get("/away", be_away, needs=Right.PUBLIC),
        get("/fine", be_fine, returns=dict[str, str], needs=Right.PUBLIC),
    ]


def fail(_request: Request) -> None:
    raise KeyError("canary-secret in /home/of/somebody")


def recurse(request: Request) -> None:
    return recurse(request)


def answer_strangely(_request: Request) -> object:
    return object()


def conflict(_request: Request) -> None:
    raise Conflict("It changed meanwhile.")


def be_away(_request: Request) -> None:
    raise Unavailable("Try again.")


def be_fine(_request: Request) -> dict[str, str]:
    return {"is": "fine"}


@pytest.fixture(scope="module", params=[with_text_code, with_status_code], ids=["text", "status"])
def broken(shared: ServicesOnly, request: pytest.FixtureRequest) -> Generator[Http]:
    yield from serve(shared, routes(), request.param)


@pytest.mark.parametrize("path", ["/break", "/recurse", "/strange"])
def test_a_defect_answers_with_an_id_and_no_details(broken: Http, path: str, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.ERROR):
        response = broken.get(path)
        wait_for(lambda: caplog.records)

    assert (response.status, response.headers["content-type"]) == (500, "application/json")
    assert response.json["error"] == "Internal Server Error occurred."
    assert response.json["exceptionId"].startswith("exception-")
    assert not any(word in response.text for word in ("canary", "KeyError", "Traceback", "/home"))
    record = next(record for record in caplog.records if record.name == "penstock.web")
    assert record.exc_info
    facts: dict[str, object] = record.__dict__["facts"]
    assert facts["exception_id"] == response.json["exceptionId"]


def test_the_service_goes_on_after_a_defect(broken: Http) -> None:
    broken.get("/break")

    assert broken.get("/fine").json == {"is": "fine"}


@pytest.mark.parametrize(("path", "status"), [("/conflict", 409), ("/away", 503), ("/nothing", 404)])
def test_an_error_has_the_status_of_its_family(broken: Http, path: str, status: int) -> None:
    response = broken.get(path)

    assert (response.status, response.headers["content-type"]) == (status, "application/json")
    assert {"error", "status", "exceptionId"} <= response.json.keys()


def test_every_error_has_an_id_of_its_own(broken: Http) -> None:
    assert broken.get("/nothing").json["exceptionId"] != broken.get("/nothing").json["exceptionId"]


def test_storage_words_its_code_and_queue_counts_it(shared: ServicesOnly) -> None:
    of_storage = shared.service("storage").get("/v2/storage/tokens/0").json
    of_queue = shared.service("queue").get("/jobs/0").json

    assert of_storage["code"] == "notFound"
    assert (of_queue["code"], of_queue["status"], of_queue["context"]) == (404, "error", {})


def test_an_error_without_a_code_has_no_code_in_storage(shared: ServicesOnly) -> None:
    response = shared.service("storage", token="").get("/v2/storage/tokens/verify")

    assert "code" not in response.json
