"""The newest jobs of every group, and of every configuration."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest

from penstock.foundation import clock
from penstock.services.queue.models.jobs import JobRow
from tests.support.stacks import ServicesOnly
from tests.unit.services.queue.jobs import add_job, lasting

Jobs = dict[str, JobRow]


@pytest.fixture(scope="module")
def jobs(shared: ServicesOnly) -> Jobs:
    ago = clock.now() - timedelta(days=40)
    return {
        "a1": add_job(shared, config="a"),
        "b1": add_job(shared, config="b", **lasting(50)),
        "a2": add_job(shared, config="a"),
        "w1": add_job(shared, component="keboola.wr", config="a", created_time=ago),
        "a3": add_job(shared, config="a", tag="special"),
        "none": add_job(shared, component="keboola.wr"),
    }


def ask(services: ServicesOnly, query: str, jobs: Jobs) -> list[tuple[dict[str, Any], list[str]]]:
    response = services.service("queue").get(f"/search/grouped-jobs?{query}")
    assert response.status == 200, response.text
    return [(found["group"], [_name(jobs, job) for job in found["jobs"]]) for found in response.json]


def test_groups_come_in_the_order_of_their_first_jobs(shared: ServicesOnly, jobs: Jobs) -> None:
    found = ask(shared, "groupBy[]=componentId&groupBy[]=configId", jobs)

    assert found == [
        ({"componentId": "ex-generic-v2", "configId": "a"}, ["a1", "a2", "a3"]),
        ({"componentId": "ex-generic-v2", "configId": "b"}, ["b1"]),
        ({"componentId": "keboola.wr", "configId": "a"}, ["w1"]),
        ({"componentId": "keboola.wr", "configId": None}, ["none"]),
    ]


def test_of_each_group_the_newest_are_shown(shared: ServicesOnly, jobs: Jobs) -> None:
    assert [names for _, names in ask(shared, "groupBy=configId&jobsPerGroup=2", jobs)] == [
        *(["b1"], ["w1", "a3"], ["none"])
    ]
    found = ask(shared, "groupBy=configId&jobsPerGroup=1&sortBy=createdTime&sortOrder=desc", jobs)
    assert [names for _, names in found] == [["none"], ["a3"], ["b1"]]


def test_there_are_as_many_groups_as_were_asked_for(shared: ServicesOnly, jobs: Jobs) -> None:
    found = ask(shared, "groupBy=configId&limit=1&sortOrder=desc", jobs)

    assert found == [({"configId": None}, ["none"])]


@pytest.mark.parametrize(
    "query", ["tag=special", "filters[tag]=special", "filters[tag][]=special&tag=", "tag=other&filters[tag]=special"]
)
def test_filters_may_be_nested(shared: ServicesOnly, jobs: Jobs, query: str) -> None:
    assert ask(shared, f"groupBy=branchId&{query}", jobs) == [({"branchId": "2"}, ["a3"])]


def test_a_nested_time_is_read_like_any_other(shared: ServicesOnly, jobs: Jobs) -> None:
    found = ask(shared, "groupBy=projectId&filters[createdTimeTo]=-1%20month", jobs)

    assert found == [({"projectId": str(shared.project.id)}, ["w1"])]


@pytest.mark.parametrize(
    ("query", "field"),
    [
        ("", "groupBy"),
        ("groupBy=", "groupBy"),
        ("groupBy=luck", "groupBy"),
        ("groupBy=configId&jobsPerGroup=0", "jobsPerGroup"),
        ("groupBy=configId&jobsPerGroup=500&limit=500", "jobsPerGroup"),
        ("groupBy=configId&filters[status]=odd", "status"),
        ("groupBy=configId&filters[status][a]=odd", "filters"),
        ("groupBy=configId&filters=5", "filters"),
    ],
)
def test_what_cannot_be_asked_is_refused_by_name(shared: ServicesOnly, query: str, field: str) -> None:
    response = shared.service("queue").get(f"/search/grouped-jobs?{query}")

    assert response.status == 400
    assert [fault["path"] for fault in response.json["context"]] == [field]


def test_the_old_lists_show_the_newest_jobs_of_configurations(shared: ServicesOnly, jobs: Jobs) -> None:
    queue = shared.service("queue")

    listed = queue.get("/configurations-jobs?configIds[]=a&jobsPerConfiguration=2").json
    latest = queue.get("/latest-configurations-jobs").json

    assert [_name(jobs, job) for job in listed] == ["a3", "w1", "a2"]
    assert [_name(jobs, job) for job in latest] == ["a3", "b1"]


def test_the_time_of_all_jobs_is_added_up(shared: ServicesOnly, jobs: Jobs) -> None:
    assert shared.service("queue").get("/stats/project").json == {"jobs": {"durationSum": 50}}


def _name(jobs: Jobs, shown: dict[str, Any]) -> str:
    return next(name for name, job in jobs.items() if str(job.id) == shown["id"])
