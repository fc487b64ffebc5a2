"""Questions and wishes of users in five languages, in tests/data/retrieval: the right page or component is among the
first three. They come in four parts, so that tuning for one of them shows on the others."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from penstock.components.catalogue import CATALOGUE
from penstock.services.ai.operations.retrieval import find_quotes, suggest_components
from penstock.services.ai.search.library import ComponentsIndex, documentation
from penstock.services.ai.search.passages import make_anchor
from penstock.services.ai.search.vocabulary import topics
from penstock.web.addresses import Addresses
from penstock.web.pages import list_pages

DATA = Path(__file__).parents[4] / "data" / "retrieval"
PARTS = ("tuned", "held-out", "fresh", "later")
MIN_SHARE = 0.9
FIRST = 3
PORTAL = "http://stack/_svc/portal/docs/"


@pytest.fixture(scope="module")
def components() -> ComponentsIndex:
    return ComponentsIndex(CATALOGUE)


def read(name: str, part: str) -> list[dict[str, Any]]:
    lines = map(json.loads, (DATA / name).read_text().splitlines())
    return [line for line in lines if line["part"] == part]


def list_answers(components: ComponentsIndex, question: str) -> list[str]:
    quotes = find_quotes(components, question, Addresses("http", "", "stack", "http://stack"))
    return [quote.url.removeprefix(PORTAL).partition("#")[0] for quote in quotes[:FIRST]]


def list_suggestions(components: ComponentsIndex, wish: str) -> list[str]:
    return [suggestion.component_id for suggestion in suggest_components(components, wish)[:FIRST]]


@pytest.mark.parametrize("part", PARTS)
def test_the_page_that_answers_a_question_is_among_the_first_three(components: ComponentsIndex, part: str) -> None:
    questions = read("questions.jsonl", part)
    missed = [
        each["question"]
        for each in questions
        if not set(each["pages"]) & set(list_answers(components, each["question"]))
    ]
    assert len(questions) >= 30
    assert len(missed) <= len(questions) * (1 - MIN_SHARE), missed


@pytest.mark.parametrize("part", PARTS)
def test_the_component_that_fits_a_wish_is_among_the_first_three(components: ComponentsIndex, part: str) -> None:
    wishes = read("wishes.jsonl", part)
    missed = [
        each["prompt"]
        for each in wishes
        if not set(each["components"]) & set(list_suggestions(components, each["prompt"]))
    ]
    assert len(wishes) >= 18
    assert len(missed) <= len(wishes) * (1 - MIN_SHARE), missed


@pytest.mark.parametrize(
    ("wish", "first"),
    [
        ("load data from a REST API", "ex-generic-v2"),
        ("load data to a REST API", "kds-team.wr-generic"),
        ("stáhnout data z API", "ex-generic-v2"),
        ("nahrát data do API", "kds-team.wr-generic"),
        ("Daten aus einer API laden", "ex-generic-v2"),
        ("cargar datos desde un servicio", "ex-generic-v2"),
        ("charger des données vers un service web", "kds-team.wr-generic"),
    ],
)
def test_where_data_comes_from_or_goes_decides_between_extractors_and_writers(
    components: ComponentsIndex, wish: str, first: str
) -> None:
    assert list_suggestions(components, wish)[0] == first


def test_a_question_about_a_failed_job_is_answered_by_pages_about_jobs(components: ComponentsIndex) -> None:
    pages = list_answers(components, "how can I see why a job failed?")

    assert set(pages) & {"commands.md", "services/queue/jobs.md", "services/console.md"}
    assert "architecture.md" not in pages


def test_pages_for_those_who_change_the_program_are_not_searched() -> None:
    words = "architecture decision record, import layers of the tree, glossary, deliberately absent, benchmarks"
    keys = [hit.passage.key for hit in documentation().find(words, 10_000)]

    assert len(keys) > 100
    assert [key for key in keys if key.startswith(("architecture", "decisions/", "benchmarks", "contributing"))] == []


def test_every_topic_is_of_a_page_a_section_or_a_component_that_exists() -> None:
    pages = list_pages()
    anchors = {
        f"{path}#{make_anchor(line.lstrip('# '))}"
        for path, text in pages.items()
        for line in text.splitlines()
        if line.startswith("#")
    }
    assert [key for key in topics("page") if key not in pages and key not in anchors] == []
    assert topics("component").keys() <= {component.id for component in CATALOGUE}
