"""Rows of the contract that this stack does not implement: each says so, and what to do instead."""

from __future__ import annotations

import pytest

from penstock.services.storage.routes import not_implemented
from penstock.web.openapi_errors import FAILURES
from penstock.web.routing import Route
from tests.support.http import Http
from tests.support.stacks import ServicesOnly
from tests.unit.services.storage.loading import storage

ROWS = [*not_implemented.routes(), *not_implemented.main_routes()]
SENTENCES = 2


@pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row.method} {row.path}")
def test_the_response_says_what_is_not_available_and_what_to_do_instead(shared: ServicesOnly, row: Route):
    http = Http(storage(shared).base.removesuffix("/v2/storage"), storage(shared).token)
    path = row.template.replace("{", "").replace("}", "")

    response = http.send(row.method, path, b"{}", {"Content-Type": "application/json"})

    assert (response.status, response.json["code"]) == (501, "notImplemented")
    assert response.json["error"].count(". ") >= SENTENCES - 1
    assert response.json["error"] in " ".join((row.handler.__doc__ or "").split())


def test_a_token_without_the_right_is_refused_before(shared: ServicesOnly):
    http = storage(shared)
    limited = Http(http.base, http.post("/tokens", {"description": "limited"}).json["token"])

    assert limited.post("/buckets/register", {}).status == 403
    assert Http(http.base).get("/merge-request").status == 401


def test_the_openapi_document_has_no_success_for_them(shared: ServicesOnly):
    document = shared.service("api").get("/specs/storage.json").json

    responses = document["paths"]["/v2/storage/buckets/{bucket_id}/refresh"]["put"]["responses"]

    assert responses["501"].get("description") == FAILURES["501"].sentence, responses["501"]
    assert not [status for status in responses if status.startswith("2")]
