"""Suggestions of components and answers from the documentation, without a model."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from penstock.services.developer import interface as developer
from tests.support.http import Http
from tests.support.stacks import ServicesOnly
from tests.unit.services.queue.own_components import add_component


def suggest(services: ServicesOnly, prompt: str) -> list[dict[str, Any]]:
    response = services.service("ai").post("/suggest/component", {"prompt": prompt})
    assert response.status == 200, response.text
    assert response.json.keys() == {"components", "correlationId"}
    return response.json["components"]


def ask(services: ServicesOnly, query: str) -> dict[str, Any]:
    response = services.service("ai").post("/docs/question", {"query": query})
    assert response.status == 201, response.text
    return response.json


@pytest.mark.parametrize(
    ("prompt", "expected"),
    [
        ("extract data from a REST API", "ex-generic-v2"),
        ("I want to send rows of a table to an API", "kds-team.wr-generic"),
        ("transform tables with SQL", "keboola.duckdb-transformation"),
        ("transform tables with Snowflake SQL", "keboola.snowflake-transformation"),
        ("run my Python code", "keboola.python-transformation-v2"),
        ("run configurations phase after phase under conditions", "keboola.flow"),
        ("EXTRACTING from S3", "keboola.ex-aws-s3"),
    ],
)
def test_the_component_that_fits_comes_first(shared: ServicesOnly, prompt: str, expected: str) -> None:
    found = suggest(shared, prompt)

    assert found[0]["componentId"] == expected
    assert found[0]["source"] == "bundled"
    scores = [each["score"] for each in found]
    assert scores == sorted(scores, reverse=True)
    assert all(0 < score <= 1 for score in scores)
    assert len(found) <= 10


def test_nothing_is_suggested_for_words_that_no_component_knows(shared: ServicesOnly) -> None:
    assert suggest(shared, "bake a chocolate cake") == []


def test_an_added_component_is_found_at_once_and_a_removed_one_is_not(shared: ServicesOnly, tmp_path: Path) -> None:
    assert suggest(shared, "ornithology sightings") == []
    about = "Reads sightings of birds from the ornithology register."
    add_component(shared, tmp_path, "me.ex-birds", "", type="extractor", name="Birds", description=about)

    [found] = suggest(shared, "ornithology sightings")
    assert (found["componentId"], found["source"]) == ("me.ex-birds", "added")
    assert found["score"] > 0.8
    with shared.stack.database.writing() as tx:
        developer.remove_component(tx, "me.ex-birds")
    assert suggest(shared, "ornithology sightings") == []


@pytest.mark.parametrize(
    ("query", "page", "words"),
    [
        ("How do I store a secret in the vault?", "services/vault.md#store-a-secret", "The value is encrypted before"),
        ("rotate the root key", "operating.md#the-root-key", "penstock keys rotate"),
        ("pagination by offset and limit", "extractor/pagination/offset.md", "offset"),
    ],
)
def test_an_answer_quotes_the_documentation_in_both_shapes(
    shared: ServicesOnly, query: str, page: str, words: str
) -> None:
    found = ask(shared, query)

    assert found.keys() == {"text", "sourceUrls", "response", "metadata", "correlationId"}
    assert found["sourceUrls"][0] == f"http://127.0.0.1:{shared.port}/_svc/portal/docs/{page}"
    assert found["response"] == found["text"]
    assert found["metadata"] == {"sources": found["sourceUrls"]}
    assert f"]({found['sourceUrls'][0]}):\n\n> " in found["text"]
    assert words in found["text"]
    assert len(found["text"]) < 10_000


def test_every_source_of_an_answer_can_be_opened_and_holds_the_quote(shared: ServicesOnly) -> None:
    sources = ask(shared, "the generic extractor reads any HTTP API into tables")["sourceUrls"]
    assert any("/v2/storage/components/ex-generic-v2" in each for each in sources)

    for query in ("how to schedule a job with cron", "which settings has the generic extractor"):
        for url in ask(shared, query)["sourceUrls"]:
            page = Http(url.partition("#")[0]).get("")
            assert page.status == 200, url
            if "#" in url:
                titles = re.findall(r"^#+ (.+)$", page.text, re.MULTILINE)
                anchors = [re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in titles]
                assert url.partition("#")[2] in anchors


def test_a_component_is_linked_to_its_own_documentation(shared: ServicesOnly, tmp_path: Path) -> None:
    url = "https://docs.example.com/whales"
    add_component(shared, tmp_path, "me.whales", "", description="Counts humpback whales.", documentation_url=url)

    assert ask(shared, "humpback whales")["sourceUrls"] == [url]


def test_a_question_that_nothing_answers_says_so(shared: ServicesOnly) -> None:
    found = ask(shared, "zzyzx qwertzuiop")

    assert found["sourceUrls"] == []
    assert found["text"].startswith("Neither the documentation nor the texts of the components say anything")


@pytest.mark.parametrize("path", ["/docs/question", "/suggest/component", "/prompt/answer-question"])
@pytest.mark.parametrize("text", ["", " \n"])
def test_an_empty_question_is_refused_in_the_words_of_the_contract(shared: ServicesOnly, path: str, text: str) -> None:
    refused = shared.service("ai").post(path, {"query": text, "prompt": text})

    assert (refused.status, refused.json["error"], refused.json["code"]) == (422, "Request contents is not valid", 422)
    assert refused.json["status"] == "error"


@pytest.mark.parametrize("body", [{}, {"query": 5, "prompt": []}, {"query": "x" * 20_001, "prompt": "x" * 20_001}])
def test_a_question_that_cannot_be_read_is_refused(shared: ServicesOnly, body: dict[str, Any]) -> None:
    for path in ("/docs/question", "/suggest/component"):
        assert shared.service("ai").post(path, body).status == 422


def test_pages_of_the_documentation_are_open_and_nothing_else_is(shared: ServicesOnly) -> None:
    portal = shared.service("portal", token="")

    page = portal.get("/docs/services/ai.md")
    assert (page.status, page.headers["content-type"]) == (200, "text/plain; charset=utf-8")
    assert page.text.startswith("# AI\n")
    for path in ("nothing.md", "../README.md", "..%2fpyproject.toml", "/etc/passwd", "services/", "notebook.ipynb"):
        assert portal.get(f"/docs/{path}").status == 404, path
