"""Jobs that are looked for: every filter in every spelling, in every order, a page at a time."""

from __future__ import annotations

from datetime import timedelta
from typing import get_args
from urllib.parse import quote

import pytest
from hypothesis import HealthCheck, given
from hypothesis import strategies as st

from penstock.foundation import clock
from penstock.services.queue.models.jobs import JobRow, Kind
from penstock.services.queue.models.searching import JobSearch, SortBy
from penstock.services.queue.models.statuses import Status
from tests.support.examples import examples
from tests.support.stacks import ServicesOnly
from tests.unit.services.fill import add_project
from tests.unit.services.queue.jobs import COMPONENT, add_job, lasting

Jobs = dict[str, JobRow]


@pytest.fixture(scope="module")
def jobs(shared: ServicesOnly) -> Jobs:
    """Each differs from the others in something that one can ask for."""
    ago = clock.now() - timedelta(days=10)
    return {
        "plain": add_job(shared, config="1"),
        "rows": add_job(shared, config="2", config_row_ids=["r1", 'r"2'], tag="t1", **lasting(5)),
        "failed": add_job(shared, config="2", **{**lasting(100), "status": Status.ERROR}, mode="debug"),
        "old": add_job(shared, component="keboola.old", component_type="writer", created_time=ago, config="9"),
        "child": add_job(shared, run_id="1.2.3", parent_run_id="1.2", token_id=777, token_description="its own"),
        "branch": add_job(shared, branch_id=4242, type=Kind.CONTAINER, variable_values_id="v"),
        "busy": add_job(shared, status=Status.PROCESSING, start_time=clock.now() - timedelta(seconds=30)),
        "stopping": add_job(shared, status=Status.TERMINATING, desired_status=Status.TERMINATING),
    }


def ask(services: ServicesOnly, query: str, jobs: Jobs, path: str = "/search/jobs") -> list[str]:
    response = services.service("queue").get(f"{path}?{query}")
    assert response.status == 200, response.text
    names = {str(job.id): name for name, job in jobs.items()}
    return [names[job["id"]] for job in response.json]


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("status=success", {"rows"}),
        ("status=success&status=error", {"rows", "failed"}),
        ("status[]=success&status[]=error", {"rows", "failed"}),
        ("status[0]=success&status[1]=error", {"rows", "failed"}),
        ("status=success&mode=debug", set[str]()),
        ("mode=debug", {"failed"}),
        ("config=2", {"rows", "failed"}),
        ("configId[]=1&config=9", {"plain", "old"}),
        ("component=keboola.old", {"old"}),
        (f"component={COMPONENT}&status=created&branchId=default", {"plain", "child"}),
        ("componentId=keboola.ex-generic-v2&config=1", {"plain"}),
        ("componentProps[type]=writer", {"old"}),
        ("componentProps[type][]=writer&componentProps[type][]=application", {"old"}),
        ("configRowIds=r1", {"rows"}),
        ("configRowIds[]=r&configRowIds[]=r%222", {"rows"}),
        ("configRowIds=r", set[str]()),
        ("configRowIds[]=r1" + "".join(f"&configRowIds[]={number}" for number in range(1500)), {"rows"}),
        ("configRowIds=R1", set[str]()),
        ("runId=1.2.3", {"child"}),
        ("parentRunId=1.2", {"child"}),
        ("tokenId=777", {"child"}),
        ("tokenId=nobody", set[str]()),
        ("tokenDescription=its%20own", {"child"}),
        ("branchId=4242", {"branch"}),
        ("type=container", {"branch"}),
        ("desiredStatus=terminating", {"stopping"}),
        ("tag=t1", {"rows"}),
        ("variableValuesId=v", {"branch"}),
        ("durationSecondsFrom=60", {"failed"}),
        ("durationSecondsFrom=1&durationSecondsTo=60", {"rows", "busy"}),
        ("createdTimeTo=-1%20week", {"old"}),
        ("createdTimeFrom=-11%20days&createdTimeTo=-9%20days", {"old"}),
        ("endTimeFrom=-2%20hours&endTimeTo=now", {"rows", "failed"}),
        ("startTimeFrom=-1%20minute", {"busy"}),
        ("status=processing&status=terminating", {"busy", "stopping"}),
        ("id=0", set[str]()),
        ("id=nonsense", set[str]()),
    ],
)
def test_a_filter_lets_through_what_it_names(shared: ServicesOnly, jobs: Jobs, query: str, found: set[str]) -> None:
    assert set(ask(shared, query, jobs)) == found
    assert set(ask(shared, query, jobs, "/jobs")) == found


def test_nothing_asked_for_is_everything_newest_first(shared: ServicesOnly, jobs: Jobs) -> None:
    assert ask(shared, "", jobs) == list(jobs)[::-1]
    assert ask(shared, "status=&config=&createdTimeFrom=&unknown=5", jobs) == list(jobs)[::-1]


def test_an_empty_parent_means_jobs_without_one(shared: ServicesOnly, jobs: Jobs) -> None:
    assert set(ask(shared, "parentRunId=", jobs)) == set(jobs) - {"child"}


@pytest.mark.parametrize("main", ["null", "default", "2"])
def test_the_main_branch_has_several_names(shared: ServicesOnly, jobs: Jobs, main: str) -> None:
    assert set(ask(shared, f"branchId={main}", jobs)) == set(jobs) - {"branch"}
    assert set(ask(shared, f"branchId[]={main}&branchId[]=4242", jobs)) == set(jobs)


def test_jobs_are_asked_for_by_their_ids(shared: ServicesOnly, jobs: Jobs) -> None:
    wanted = f"id[]={jobs['old'].id}&id[]={jobs['plain'].id}&id[]=99999999"

    assert ask(shared, wanted, jobs) == ["old", "plain"]


def test_pages_follow_each_other(shared: ServicesOnly, jobs: Jobs) -> None:
    pages = [name for offset in (0, 3, 6, 9) for name in ask(shared, f"limit=3&offset={offset}", jobs)]

    assert pages == list(jobs)[::-1]
    assert ask(shared, "limit=1&sortOrder=asc", jobs) == ["plain"]


def test_jobs_are_sorted_by_whatever_is_asked_for(shared: ServicesOnly, jobs: Jobs) -> None:
    assert ask(shared, "sortBy=durationSeconds&limit=3", jobs) == ["failed", "busy", "rows"]
    assert ask(shared, "sortBy=startTime&sortOrder=desc&limit=1", jobs) == ["busy"]
    assert ask(shared, "sortBy=createdTime&sortOrder=asc&limit=1", jobs) == ["old"]
    assert ask(shared, "sortBy=configId&sortOrder=desc&limit=3", jobs) == ["old", "failed", "rows"]


@pytest.mark.parametrize("order", ["asc", "desc"])
def test_every_order_has_every_job_once(shared: ServicesOnly, jobs: Jobs, order: str) -> None:
    for column in get_args(SortBy):
        assert sorted(ask(shared, f"sortBy={column}&sortOrder={order}", jobs)) == sorted(jobs), column


@pytest.mark.parametrize(
    ("query", "field"),
    [
        ("status=odd", "status"),
        ("mode=odd", "mode"),
        ("type=odd", "type"),
        ("status[a]=success", "status"),
        ("limit=0", "limit"),
        ("limit=501", "limit"),
        ("limit=many", "limit"),
        ("offset=-1", "offset"),
        ("offset=99999999999999999999", "offset"),
        ("sortBy=luck", "sortBy"),
        ("sortOrder=sideways", "sortOrder"),
        ("createdTimeFrom=someday", "createdTimeFrom"),
        ("endTimeTo[]=today&endTimeTo[]=now", "endTimeTo"),
        ("durationSecondsFrom=long", "durationSecondsFrom"),
        ("componentProps=extractor", "componentProps"),
        ("componentProps[type][a]=b", "componentProps"),
        ("parentRunId[]=1&parentRunId[]=2", "parentRunId"),
    ],
)
def test_what_cannot_be_asked_is_refused_by_name(shared: ServicesOnly, query: str, field: str) -> None:
    response = shared.service("queue").get(f"/search/jobs?{query}")

    assert (response.status, response.json["code"]) == (400, 400)
    assert [fault["path"] for fault in response.json["context"]] == [field]


def test_another_project_finds_nothing(shared: ServicesOnly, jobs: Jobs) -> None:
    foreign = shared.service("queue", add_project(shared).token)
    project_id = next(iter(jobs.values())).project_id

    for query in ("", f"projectId={project_id}", "id[]=" + "&id[]=".join(str(job.id) for job in jobs.values())):
        assert foreign.get(f"/search/jobs?{query}").json == []
        assert foreign.get(f"/search/grouped-jobs?groupBy=configId&{query}").json == []
        assert foreign.get(f"/configurations-jobs?configIds[]=2&{query}").json == []
        assert foreign.get(f"/latest-configurations-jobs?{query}").json == []


def test_a_token_finds_jobs_of_its_components_and_its_own(services: ServicesOnly) -> None:
    tokens = [{}, {"componentAccess": [COMPONENT]}]
    nothing, runner = (services.service("storage").post("/v2/storage/tokens", powers).json for powers in tokens)
    own = add_job(services, component="keboola.old", token_id=int(nothing["id"]))
    usual = add_job(services)

    assert _ids(services, nothing["token"]) == [str(own.id)]
    assert _ids(services, runner["token"]) == [str(usual.id)]
    assert _ids(services, services.project.token) == [str(usual.id), str(own.id)]


def _ids(services: ServicesOnly, token: str) -> list[str]:
    return [job["id"] for job in services.service("queue", token).get("/search/jobs").json]


NAMES = [field.replace("_", " ").title().replace(" ", "") for field in JobSearch.__struct_fields__]
KEYS = [name[0].lower() + name[1:] for name in NAMES]


@examples(80, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    key=st.sampled_from(KEYS), suffix=st.sampled_from(["", "[]", "[0]", "[a]", "[type]"]), value=st.text(max_size=30)
)
def test_no_question_breaks_anything(shared: ServicesOnly, key: str, suffix: str, value: str) -> None:
    response = shared.service("queue").get(f"/search/jobs?{key}{suffix}={quote(value, errors='replace')}")

    assert response.status in (200, 400), response.text


def test_rows_are_found_in_each_database(services: ServicesOnly) -> None:
    wanted = add_job(services, config_row_ids=["r1", 'r"2', "ř"])
    add_job(services, config_row_ids=["r10"])
    add_job(services)

    for query in ("configRowIds=r1", "configRowIds[]=x&configRowIds[]=%C5%99", "configRowIds=r%222"):
        found = services.service("queue").get(f"/search/jobs?{query}")
        assert [job["id"] for job in found.json] == [str(wanted.id)], found.text
