from __future__ import annotations

from typing import Any

import pytest

from penstock.extractor.config.endpoints import warn_of_unfilled
from penstock.extractor.config.jobs import read_jobs


def warnings(*jobs: dict[str, Any]) -> list[str]:
    said: list[str] = []
    warn_of_unfilled(read_jobs(list(jobs), "jobs", 3, said.append), said.append)
    return said


def child(endpoint: str, *children: dict[str, Any], **placeholders: str) -> dict[str, Any]:
    return {"endpoint": endpoint, "placeholders": placeholders, "children": list(children)}


def test_a_name_in_the_endpoint_of_a_job_at_the_root_is_filled_by_nothing():
    assert warnings({"endpoint": "users/{id}", "placeholders": {"id": "id"}}) == [
        "The endpoint 'users/{id}' at `jobs[0]` holds {id}, which no placeholder fills: it is sent as it is. "
        "Only child jobs have placeholders: write the value there instead."
    ]


def test_a_name_that_neither_the_child_nor_a_job_above_it_fills_is_said():
    grandchild = child("a/{id}/{1:id}/{other}/{other}", **{"1:id": "id"})

    assert warnings(child("users", child("user/{id}", grandchild, id="id"))) == [
        "The endpoint 'a/{id}/{1:id}/{other}/{other}' at `jobs[0].children[0].children[0]` holds {other}, which no "
        "placeholder fills: it is sent as it is. Add it to the job's `placeholders`, or use one of {1:id}, {id}."
    ]


@pytest.mark.parametrize("endpoint", ["users", 'q?filter={"a":1}', "q?f={a,b}", "q?x={}", "q?x={ a }"])
def test_braces_around_something_else_are_no_placeholder(endpoint: str):
    assert warnings({"endpoint": endpoint}) == []


def test_a_child_that_never_runs_sends_nothing():
    assert warnings(child("users", {"endpoint": "user/{id}"})) == []
