"""What a job is created with: every field in every spelling, and which place wins."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from hypothesis import HealthCheck, given
from hypothesis import strategies as st

from penstock.components import catalogue
from penstock.components.component import Component, Runs
from penstock.foundation import clock
from tests.support.examples import examples
from tests.support.http import Http
from tests.support.stacks import ServicesOnly
from tests.unit.services.each_database import on_one_database
from tests.unit.services.queue.jobs import COMPONENT, CONFIGS, ORDERS, accepted, configure, post

TAG = next(each.tag for each in catalogue.CATALOGUE if each.id == COMPONENT)
INLINE = {"component": COMPONENT, "configData": {"parameters": {}}}


@on_one_database
@pytest.mark.parametrize(
    ("given_parallelism", "kept"),
    [(None, None), ("", None), (0, "0"), ("0", "0"), (3, "3"), ("3", "3"), ("007", "7"), ("infinity", "infinity")],
)
def test_parallelism_has_many_spellings(shared: ServicesOnly, given_parallelism: Any, kept: str | None) -> None:
    assert accepted(shared, **INLINE, parallelism=given_parallelism)["parallelism"] == kept


@on_one_database
@pytest.mark.parametrize(
    ("backend", "kept"),
    [
        ("small", {"containerType": "small"}),
        ({"type": "large"}, {"containerType": "large"}),
        ({"type": "large", "containerType": "xsmall"}, {"containerType": "xsmall"}),
        ({"type": None, "context": "mine", "more": 1}, {"context": "mine"}),
        ([], {}),
        (None, {}),
    ],
)
def test_a_backend_is_a_word_or_an_object(shared: ServicesOnly, backend: Any, kept: dict[str, str]) -> None:
    context = {"context": f"{shared.project.id}-extractor"}

    assert accepted(shared, **INLINE, backend=backend)["backend"] == {**context, **kept}


def test_values_of_variables_become_text(shared: ServicesOnly) -> None:
    values = [{"name": "a", "value": 1}, {"name": "b", "value": 1.5}, {"name": "c", "value": True}, {"name": "d"}]
    job = accepted(shared, **INLINE, variableValuesData={"values": values})

    assert [value["value"] for value in job["variableValuesData"]["values"]] == ["1", "1.5", "true", ""]


def test_an_empty_list_of_values_does_not_count(shared: ServicesOnly) -> None:
    job = accepted(shared, **INLINE, variableValuesId=7, variableValuesData={"values": []})

    assert (job["variableValuesId"], job["variableValuesData"]) == ("7", {"values": []})


def test_values_come_from_one_place(shared: ServicesOnly) -> None:
    values = {"values": [{"name": "a", "value": "1"}]}
    response = post(shared, **INLINE, variableValuesId="7", variableValuesData=values)

    assert response.status == 400
    assert response.json["error"] == 'Provide either "variableValuesId" or "variableValuesData", but not both.'


def test_what_belongs_to_a_flow_is_kept_as_text(shared: ServicesOnly) -> None:
    wish = {"orchestrationJobId": 5, "orchestrationTaskId": "t", "previousJobId": 9}
    job = accepted(shared, **INLINE, **wish, onlyOrchestrationTaskIds=[1, "two", 3], behavior={"onError": "warning"})

    assert [job[name] for name in wish] == ["5", "t", "9"]
    assert job["onlyOrchestrationTaskIds"] == ["1", "two", "3"]
    assert job["behavior"] == {"onError": "warning"}


def test_a_job_may_begin_later(shared: ServicesOnly) -> None:
    delayed = accepted(shared, **INLINE, delay="60")
    dated = accepted(shared, **INLINE, delayedStartTime="2040-01-31T10:00:00+01:00")

    wait = datetime.fromisoformat(delayed["delayedStartTime"]) - clock.now()
    assert timedelta(seconds=50) < wait <= timedelta(seconds=60)
    assert datetime.fromisoformat(dated["delayedStartTime"]) == datetime(2040, 1, 31, 9, tzinfo=UTC)
    assert delayed["status"] == dated["status"] == "created"
    assert accepted(shared, **INLINE, delay=0)["delayedStartTime"] is None


@on_one_database
@pytest.mark.parametrize(
    ("wish", "field"),
    [
        ({"parallelism": "many"}, "parallelism"),
        ({"parallelism": -1}, "parallelism"),
        ({"parallelism": {"a": 1}}, "parallelism"),
        ({"parallelism": "9" * 50}, "parallelism"),
        ({"backend": "huge"}, "backend.type"),
        ({"backend": {"containerType": "huge"}}, "backend.containerType"),
        ({"backend": 5}, "backend"),
        ({"executor": "magic"}, "executor"),
        ({"behavior": {"onError": "shrug"}}, "behavior.onError"),
        ({"behavior": "stop"}, "behavior"),
        ({"variableValuesData": {"values": 5}}, "variableValuesData.values"),
        ({"variableValuesData": {"values": [5]}}, "variableValuesData.values[0]"),
        ({"variableValuesData": {"values": [{"value": "x"}]}}, "variableValuesData.values[0].name"),
        ({"variableValuesData": {"values": [{"name": "a", "value": {}}]}}, "variableValuesData.values[0].value"),
        ({"onlyOrchestrationTaskIds": [1, "1"]}, "onlyOrchestrationTaskIds"),
        ({"onlyOrchestrationTaskIds": [{}]}, "onlyOrchestrationTaskIds[0]"),
        ({"configRowIds": "r1"}, "configRowIds"),
        ({"delay": -1}, "delay"),
        ({"delay": "soon"}, "delay"),
        ({"delay": 10**12}, "delay"),
        ({"delay": 10**11, "delayedStartTime": ""}, "delay"),
        ({"delay": 5, "delayedStartTime": "tomorrow"}, "delay"),
        ({"delayedStartTime": "when it is time"}, "delayedStartTime"),
        ({"tag": "x" * 256}, "tag"),
        ({"previousJobId": "9" * 256}, "previousJobId"),
        ({"tag": "a\0b"}, "tag"),
        ({"tag": "9.9.9-none"}, "tag"),
        ({"config": " "}, "config"),
        ({"config": "\t\n"}, "config"),
    ],
)
def test_what_cannot_be_is_refused_by_the_name_of_the_field(
    shared: ServicesOnly, wish: dict[str, Any], field: str
) -> None:
    response = post(shared, **INLINE, **wish)

    assert (response.status, response.json["code"]) == (400, 400), response.text
    assert [fault["path"] for fault in response.json["context"]] == [field]
    assert response.json["context"][0]["message"] in response.json["error"]


def test_of_one_deduplication_id_only_one_job_is_unfinished(shared: ServicesOnly) -> None:
    first = accepted(shared, **INLINE, deduplicationId="once")
    refused = post(shared, **INLINE, deduplicationId="once")
    shared.service("queue").post(f"/jobs/{first['id']}/kill")

    assert (refused.status, refused.json["context"][0]["path"]) == (400, "deduplicationId")
    assert accepted(shared, **INLINE, deduplicationId="once")["id"] != first["id"]


def test_the_request_wins_over_its_data_and_that_over_the_stored_configuration(shared: ServicesOnly) -> None:
    runtime = {"tag": "stored", "parallelism": 4, "executor": "dind", "backend": {"type": "small", "context": "s"}}
    configure(shared, "full", {"runtime": runtime, "variables_values_id": "stored-values"})
    data = {"runtime": {"tag": "data", "backend": {"type": "medium"}}, "variables_values_id": "data-values"}
    wish = {"component": COMPONENT, "config": "full"}

    stored, mixed = accepted(shared, **wish), accepted(shared, **wish, configData=data)
    asked = accepted(shared, **wish, configData=data, tag=TAG, parallelism=1, backend="large", variableValuesId="mine")

    assert [job["tag"] for job in (stored, mixed, asked)] == ["stored", "data", TAG]
    assert [job["parallelism"] for job in (stored, mixed, asked)] == ["4", "4", "1"]
    assert [job["executor"] for job in (stored, mixed, asked)] == ["dind"] * 3
    assert [job["backend"]["containerType"] for job in (stored, mixed, asked)] == ["small", "medium", "large"]
    assert [job["backend"]["context"] for job in (stored, mixed, asked)] == ["s"] * 3
    assert [job["variableValuesId"] for job in (stored, mixed, asked)] == ["stored-values", "data-values", "mine"]


def test_the_old_name_of_a_tag_comes_after_the_new_one(shared: ServicesOnly) -> None:
    configure(shared, "old", {"runtime": {"image_tag": "old"}})
    wish = {"component": COMPONENT, "config": "old"}

    assert accepted(shared, **wish)["tag"] == "old"
    assert accepted(shared, **wish, tag="old")["tag"] == "old", "as a client that runs the job again"
    assert accepted(shared, **wish, configData={"runtime": {"tag": "new"}})["tag"] == "new"
    assert accepted(shared, **INLINE)["tag"] == catalogue.CATALOGUE[0].tag


@on_one_database
@pytest.mark.parametrize("runtime", [5, [], {"parallelism": "lots", "backend": 7, "tag": {}, "executor": "x"}])
def test_a_configuration_that_says_nonsense_is_passed_over(shared: ServicesOnly, runtime: Any) -> None:
    job = accepted(shared, component=COMPONENT, configData={"runtime": runtime})

    assert (job["parallelism"], job["executor"]) == (None, None)


def test_rows_that_run_side_by_side_make_a_container(shared: ServicesOnly) -> None:
    configure(shared, "rows", rows=3)
    wish = {"component": COMPONENT, "config": "rows"}

    def kind(**more: Any) -> str:
        return accepted(shared, **wish, **more)["type"]

    assert kind() == kind(parallelism=0) == "standard"
    assert kind(parallelism=2) == kind(parallelism="infinity") == "container"
    assert kind(parallelism=2, configRowIds=["r1"]) == "standard"
    assert kind(parallelism=2, configRowIds=["r1", "r3"]) == "container"
    assert kind(parallelism=2, configData={"a": 1}) == "standard"


def test_disabled_rows_do_not_count_unless_they_are_named(shared: ServicesOnly) -> None:
    configure(shared, "some", rows=2)
    shared.service("storage").put(f"{CONFIGS}/some/rows/r2", {"isDisabled": True})
    wish = {"component": COMPONENT, "config": "some", "parallelism": 2}

    assert accepted(shared, **wish)["type"] == "standard"
    assert accepted(shared, **wish, configRowIds=["r1", "r2"])["type"] == "container"


@pytest.fixture
def other_components(monkeypatch: pytest.MonkeyPatch) -> None:
    made = [
        Component(id=f"test.{runs}", name=runs, type="other", description="", runs=runs)
        for runs in (Runs.FLOW, Runs.ORCHESTRATION, Runs.NOTHING)
    ]
    monkeypatch.setattr(catalogue, "CATALOGUE", (*catalogue.CATALOGUE, *made))


@pytest.mark.usefixtures("other_components")
def test_flows_and_their_phases_are_made_of_other_jobs(shared: ServicesOnly) -> None:
    def kind(runs: Runs, **data: Any) -> str:
        return accepted(shared, component=f"test.{runs}", configData={"tasks": [], **data})["type"]

    assert kind(Runs.FLOW) == kind(Runs.ORCHESTRATION) == "orchestrationContainer"
    assert kind(Runs.ORCHESTRATION, phaseId="1") == "phaseContainer"


@pytest.mark.usefixtures("other_components")
def test_a_component_that_runs_nothing_is_not_runnable(shared: ServicesOnly) -> None:
    response = post(shared, component=f"test.{Runs.NOTHING}", configData={})

    assert (response.status, response.json["error"]) == (400, 'The component "test.nothing" is not runnable.')


@on_one_database
@pytest.mark.parametrize("component", [c for c in catalogue.CATALOGUE if not c.is_runnable], ids=lambda c: c.id)
def test_a_component_that_cannot_run_says_why_when_a_job_is_made(shared: ServicesOnly, component: Component) -> None:
    storage = shared.service("storage")
    made = storage.post(f"/v2/storage/components/{component.id}/configs", {"name": "Mine"})
    assert made.status == 201

    response = post(shared, component=component.id, config=made.json["id"])

    sentence = f'The component "{component.id}" is not runnable. {component.why_not_runnable}'
    assert (response.status, response.json["error"]) == (400, sentence)


def test_a_job_runs_in_the_branch_that_is_asked_for(services: ServicesOnly) -> None:
    storage = services.service("storage")
    branch = storage.post("/v2/storage/dev-branches", {"name": "mine"})
    branch_id = storage.get(f"/v2/storage/jobs/{branch.json['id']}").json
    branch_id = next(each["id"] for each in storage.get("/v2/storage/dev-branches").json if each["name"] == "mine")

    job = accepted(services, **ORDERS, branchId=branch_id)
    assert job["branchId"] == str(branch_id)
    assert accepted(services, **ORDERS, branchId=str(branch_id))["status"] == "waiting"
    assert accepted(services, **ORDERS)["status"] == "created"


def test_the_header_names_the_run_that_a_job_belongs_to(shared: ServicesOnly) -> None:
    queue = shared.service("queue")
    job = Http(queue.base, queue.token, headers={"X-KBC-RunId": "12.34"}).post("/jobs", ORDERS).json
    other = Http(queue.base, queue.token, headers={"X-KBC-RunId": "12"}).post("/jobs", {**ORDERS, "parentRunId": "5"})

    assert (job["runId"], job["parentRunId"]) == (f"12.34.{job['id']}", "12.34")
    assert other.json["parentRunId"] == "5"


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=5,
)
FIELDS = (
    *("configRowIds", "tag", "branchId", "variableValuesId", "variableValuesData", "backend", "executor"),
    *("parallelism", "behavior", "delay", "delayedStartTime", "orchestrationJobId", "onlyOrchestrationTaskIds"),
    *("previousJobId", "parentRunId", "deduplicationId", "mode", "config", "type"),
)


@examples(60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(field=st.sampled_from(FIELDS), value=JSON)
def test_no_value_of_a_field_breaks_anything(shared: ServicesOnly, field: str, value: Any) -> None:
    response = post(shared, **{**INLINE, field: value})

    assert response.status in (201, 400), response.text
    assert "exceptionId" in response.json or response.json["id"]


def test_a_row_id_that_no_database_could_be_asked_for_is_refused(shared: ServicesOnly) -> None:
    response = post(shared, **ORDERS, configRowIds=["r", "a\0b"])

    assert response.status == 400
    assert [fault["path"] for fault in response.json["context"]] == ["configRowIds"]
