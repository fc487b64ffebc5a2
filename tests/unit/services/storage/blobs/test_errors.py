"""All errors below the endpoint are in its XML format, even where no route or no handler is reached."""

from __future__ import annotations

import logging

import pytest

from penstock.services.storage.routes import blobs as routes
from tests.support.files import Container, prepare, to_write
from tests.support.http import Http
from tests.support.stacks import ServicesOnly, wait_for
from tests.unit.services.storage.blobs.responses import code_of


@pytest.mark.parametrize("method", ["POST", "PATCH"])
def test_a_method_that_is_not_spoken_is_refused_in_xml(place: Container, method: str) -> None:
    place.put("b", b"1")
    response = place.send(method, "b")

    assert (response.status, code_of(response)) == (405, "UnsupportedHttpVerb")
    assert place.get("b").body == b"1"


@pytest.mark.parametrize("path", ["", "/", "/?comp=list", "/?restype=service&comp=properties"])
def test_what_is_not_a_blob_is_not_found_in_xml(place: Container, path: str) -> None:
    response = Http(place.endpoint).get(path)

    assert (response.status, code_of(response)) == (404, "ResourceNotFound")


def test_the_response_for_a_path_beside_the_endpoint_is_json(place: Container) -> None:
    response = Http(f"{place.endpoint}.example").get("/x")

    assert (response.status, response.headers["content-type"]) == (404, "application/json")


@pytest.mark.parametrize("comp", ["tags", "pagelist", "snapshot", "\x00"])
def test_what_cannot_be_read_of_a_blob_is_refused(place: Container, comp: str) -> None:
    place.put("b", b"1")
    response = place.send("GET", "b", comp=comp)

    assert (response.status, code_of(response)) == (400, "InvalidQueryParameterValue")
    assert "\x00" not in response.text


def test_a_defect_is_said_in_xml_with_the_id_that_the_log_has(
    services: ServicesOnly, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def fail(*_: object) -> None:
        raise KeyError("canary-secret")

    place = to_write(prepare(services.service("storage")))
    monkeypatch.setattr(routes.blobs, "get_blob", fail)
    with caplog.at_level(logging.ERROR):
        response = place.get("b")
        record = wait_for(lambda: next((each for each in caplog.records if each.name == "penstock.web"), None))

    assert (response.status, code_of(response)) == (500, "InternalError")
    assert "canary" not in response.text
    assert record.__dict__["facts"]["exception_id"] == response.headers["x-ms-request-id"]
