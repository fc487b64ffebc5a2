"""Events: added by clients, services and Storage itself, and listed."""

from __future__ import annotations

import json
import re
from datetime import timedelta
from typing import Any
from urllib.parse import quote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from penstock.foundation import clock
from penstock.services.storage.models.event_search import FIELDS, Clause, parse_search
from penstock.services.storage.operations import events
from tests.support.stacks import ServicesOnly, wait_for
from tests.unit.services.fill import add_event, add_project, first_project, load_table

EVENTS = "/v2/storage/events"


def tell(services: ServicesOnly, message: str = "hello", token: str | None = None, **fields: Any) -> dict[str, Any]:
    response = services.service("storage", token).post(EVENTS, {"message": message, "component": "test", **fields})
    assert response.status == 201, response.text
    return response.json


def messages(services: ServicesOnly, query: str = "", token: str | None = None) -> list[str]:
    response = services.service("storage", token).get(f"{EVENTS}?{query}")
    assert response.status == 200, response.text
    return [event["message"] for event in response.json]


def test_an_event_is_returned_as_it_was_added(shared: ServicesOnly) -> None:
    sent: dict[str, Any] = {
        "type": "warn",
        "description": "in detail",
        "configurationId": "123",
        "runId": "55.66",
        "params": {"b": 1, "a": {"c": []}},
        "results": {"x": [1, 2]},
        "duration": 7,
    }
    response = tell(shared, "it happened", **sent)
    event = shared.service("storage").get(f"{EVENTS}/{response['id']}").json

    assert set(response) == {"id", "uuid"}
    assert {name: event[name] for name in sent if name != "duration"} == {
        k: v for k, v in sent.items() if k != "duration"
    }
    assert event["performance"] == {"duration": 7}
    assert (event["event"], event["component"], event["message"]) == ("ext.test.warn", "test", "it happened")
    assert event["uuid"] == response["uuid"]
    assert re.fullmatch(r"[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}", event["uuid"])
    assert shared.service("storage").get(f"{EVENTS}/{response['uuid']}").json == event


def test_an_event_has_its_origin(shared: ServicesOnly) -> None:
    client = shared.service("storage")
    client.headers = {"User-Agent": "a client/1.0", "Referer": "https://pages.example/", "X-KBC-RunId": "77"}
    made = client.post(EVENTS, {"message": "hello", "component": "test"}).json
    event = client.get(f"{EVENTS}/{made['id']}").json

    assert event["context"] == {
        "remoteAddr": "127.0.0.1",
        "httpReferer": "https://pages.example/",
        "httpUserAgent": "a client/1.0",
        "userAgent": "a client/1.0",
        "apiVersion": "v2",
        "async": False,
    }
    assert event["runId"] == "77"
    assert event["token"]["id"] == int(shared.project.token.split("-")[1])


def test_an_event_of_a_service_has_the_same_shape(shared: ServicesOnly) -> None:
    tell(shared, "hello")
    add_event(shared, "from the queue")
    told, sent = (shared.service("storage").get(f"{EVENTS}?q={quote(q)}").json for q in ("from the queue", "hello"))

    assert told[0].keys() == sent[0].keys()
    assert told[0]["context"]["async"]
    assert told[0]["context"]["userAgent"] == ""


def test_what_stands_under_secret_keys_is_kept_nowhere(shared: ServicesOnly) -> None:
    told = tell(
        shared,
        "used canary-1234 twice",
        description="canary-1234",
        params={"#token": "canary-1234", "deep": [{"#more": {"a": ["canary-5678", 5]}}], "plain": "kept"},
        results=json.dumps({"values": [{"name": "#name", "value": "canary-9"}, {"name": "name", "value": "kept"}]}),
    )
    found = shared.service("storage").get(f"{EVENTS}/{told['id']}")

    assert "canary" not in found.text + json.dumps(told)
    assert found.json["message"] == "used [hidden] twice"
    assert found.json["params"] == {
        "#token": "[hidden]",
        "deep": [{"#more": {"a": ["[hidden]", "[hidden]"]}}],
        "plain": "kept",
    }
    assert found.json["results"]["values"][1] == {"name": "name", "value": "kept"}


def test_an_event_that_is_nested_deeply_is_refused_or_kept(shared: ServicesOnly) -> None:
    for depth in (100, 400, 900, 5000):
        deep = '{"#a":' * depth + "1" + "}" * depth
        response = shared.service("storage").post(EVENTS, {"message": "x", "component": "test", "params": deep})
        assert response.status in (201, 400), depth


@pytest.mark.parametrize("field", ["params", "results"])
def test_objects_may_be_sent_as_text(shared: ServicesOnly, field: str) -> None:
    for sent, kept in (('{"a": [1]}', {"a": [1]}), ({"a": 1}, {"a": 1}), ("", {}), ("{}", {}), ([], {}), ([1], [1])):
        made = tell(shared, "hello", None, **{field: sent})
        assert shared.service("storage").get(f"{EVENTS}/{made['id']}").json[field] == kept


@pytest.mark.parametrize("field", ["params", "results"])
@pytest.mark.parametrize("wrong", ["no json", "5", '"text"', 5, True, "[" * 100_000])
def test_a_value_that_is_not_an_object_is_refused(shared: ServicesOnly, field: str, wrong: object) -> None:
    response = shared.service("storage").post(EVENTS, {"message": "m", "component": "test", field: wrong})

    assert (response.status, response.json["code"]) == (400, "malformedRequest")


@pytest.mark.parametrize(
    "wrong",
    [
        {"component": "test"},
        {"message": "m"},
        {"message": "", "component": "test"},
        {"message": "m", "component": ""},
        {"message": "m", "component": "test", "type": "loud"},
        {"message": "m", "component": "test", "duration": -1},
        {"message": "m", "component": "test", "duration": "long"},
        {"message": "m", "component": "test", "duration": 2**70},
        {"message": {}, "component": "test"},
    ],
)
def test_a_wrong_event_is_refused(shared: ServicesOnly, wrong: dict[str, Any]) -> None:
    assert shared.service("storage").post(EVENTS, wrong).status == 400


def test_an_event_that_is_too_large_is_refused(shared: ServicesOnly) -> None:
    for fields in ({"message": "x" * 200_001}, {"message": "m", "params": {"x": "y" * 200_001}}):
        response = shared.service("storage").post(EVENTS, {"component": "test", **fields})
        assert (response.status, response.json["code"]) == (400, "requestTooLarge")
    tell(shared, "x" * 199_000)


def test_an_event_may_be_sent_as_a_form(shared: ServicesOnly) -> None:
    form = {"Content-Type": "application/x-www-form-urlencoded"}
    wish = f"message=form&component=test&params%5Ba%5D=1&results={quote(json.dumps({'b': 2}))}&duration=3"
    made = shared.service("storage").send("POST", EVENTS, wish.encode(), form)
    event = shared.service("storage").get(f"{EVENTS}/{made.json['id']}").json

    assert (event["params"], event["results"], event["performance"]) == ({"a": "1"}, {"b": 2}, {"duration": 3})


def test_events_are_found_by_what_they_are(services: ServicesOnly) -> None:
    tell(services, "one", runId="5")
    tell(services, "two", runId="5.6", component="other")
    tell(services, "three", runId="56", configurationId="c1")
    tell(services, "four", runId="5.7", type="error")

    assert messages(services) == ["four", "three", "two", "one"]
    assert messages(services, "sortOrder=asc") == ["one", "two", "three", "four"]
    assert messages(services, "runId=5") == ["four", "two", "one"]
    assert messages(services, "component=other") == ["two"]
    assert messages(services, "configurationId=c1") == ["three"]
    assert messages(services, "limit=2&offset=1") == ["three", "two"]
    assert messages(services, "forceUuid=1&limit=1") == ["four"]


def test_events_before_and_after_one_are_found_by_id_and_uuid(services: ServicesOnly) -> None:
    made = [tell(services, message) for message in ("one", "two", "three")]

    for name in ("id", "uuid"):
        assert messages(services, f"sinceId={made[1][name]}") == ["three"]
        assert messages(services, f"maxId={made[1][name]}") == ["one"]
    assert messages(services, "sinceId=00000000-0000-7000-8000-000000000000") == []
    assert messages(services, "maxId=nonsense") == []


@pytest.mark.parametrize("query", ["limit=0", "limit=10001", "offset=-1", "sortOrder=sideways", "limit=many"])
def test_a_wrong_filter_is_refused(shared: ServicesOnly, query: str) -> None:
    assert shared.service("storage").get(f"{EVENTS}?{query}").status == 400


def test_a_search_is_read_leniently(services: ServicesOnly) -> None:
    tell(services, 'MCP tool "foo" call succeeded')
    tell(services, "100% of a_b", type="error")
    tell(services, "100x of axb")

    for search, found in (
        ('message:"MCP tool "foo" call*"', 1),
        ("message:MCP*succeeded", 1),
        ("MCP tool", 1),
        ('"MCP tool"', 1),
        ("100%", 1),
        ("a_b", 1),
        ("type:error", 1),
        ("type:err", 0),
        ("type:e*r", 1),
        ("type:error AND message:100", 1),
        ("type:info message:100", 1),
        ("event:ext.test.*", 3),
        ('component:"test" AND type:"info"', 2),
        ("", 3),
        ("unknown:field", 0),
        ("message:", 3),
        ("\\", 0),
    ):
        assert len(messages(services, f"q={quote(search)}")) == found, search


def test_a_search_that_is_too_long_is_refused(shared: ServicesOnly) -> None:
    assert shared.service("storage").get(f"{EVENTS}?q={'*' * 1000}").status == 200
    assert shared.service("storage").get(f"{EVENTS}?q={'x' * 1001}").status == 400


@given(st.lists(st.sampled_from([*' :"*\\AND', "message:", "type:", " AND ", "é", "\n"]), max_size=30).map("".join))
def test_every_search_has_a_meaning(text: str) -> None:
    clauses = parse_search(text)

    assert all(clause.column in FIELDS.values() and clause.pieces for clause in clauses)
    assert bool(clauses) == bool(text.strip())


@given(
    st.lists(st.text(alphabet="abc 123", min_size=1, max_size=8).map(str.strip).filter(bool), min_size=1, max_size=4)
)
def test_what_is_written_carefully_is_read_exactly(values: list[str]) -> None:
    columns = list(FIELDS.items())[: len(values)]
    text = " AND ".join(f'{name}:"{value}"' for (name, _), value in zip(columns, values, strict=True))

    expected = [Clause(column, (value,)) for (_, column), value in zip(columns, values, strict=True)]
    assert parse_search(text) == expected


def test_a_limited_token_sees_its_own_events(services: ServicesOnly) -> None:
    token = services.service("storage").post("/v2/storage/tokens", {}).json["token"]
    hidden = tell(services, "hidden")
    tell(services, "own", token)

    assert messages(services, token=token) == ["own"]
    assert services.service("storage", token).get(f"{EVENTS}/{hidden['id']}").status == 404
    assert services.service("storage", token).get(f"{EVENTS}/{hidden['uuid']}").status == 404
    assert "own" in messages(services)


def test_events_of_another_project_are_not_seen(services: ServicesOnly) -> None:
    made = tell(services, "secret")
    foreign = add_project(services).token

    assert messages(services, token=foreign) == []
    assert services.service("storage", foreign).get(f"{EVENTS}/{made['uuid']}").status == 404


def test_what_happens_to_an_object_is_seen_by_who_may_read_it(services: ServicesOnly) -> None:
    load_table(services, "in.c-main.users", "id\n1\n")
    load_table(services, "in.c-main-2.users", "id\n1\n")
    caller = first_project(services).caller
    with services.stack.database.writing() as tx:
        for event, object_id, kind in (
            ("storage.tableDetail", "in.c-main.users", "table"),
            ("storage.bucketUpdated", "in.c-main", "bucket"),
            ("storage.bucketUpdated", "in.c-main-2", "bucket"),
        ):
            events.add_event(tx, caller, event, f"{event} {object_id}", object_id=object_id, object_type=kind)
    wish = {"bucketPermissions": {"in.c-main": "read"}}
    reader = services.service("storage", services.service("storage").post("/v2/storage/tokens", wish).json["token"])

    of_table = reader.get("/v2/storage/tables/in.c-main.users/events?q=event:storage.tableDetail").json
    of_bucket = reader.get("/v2/storage/buckets/in.c-main/events").json
    assert [event["objectId"] for event in of_table] == ["in.c-main.users"]
    assert (of_table[0]["objectType"], of_table[0]["objectName"]) == ("table", "users")
    assert {event["objectId"] for event in of_bucket} == {"in.c-main", "in.c-main.users"}
    assert len(reader.get("/v2/storage/buckets/in.c-main/events?limit=1").json) == 1
    for path in ("tables/in.c-main-2.users", "buckets/in.c-main-2"):
        assert reader.get(f"/v2/storage/{path}/events").status == 403
    for path in ("tables/in.c-main.absent", "buckets/in.c-absent", "buckets/nonsense", "tokens/999999", "tokens/foo"):
        assert services.service("storage").get(f"/v2/storage/{path}/events").status == 404


def test_a_branch_is_identified_in_responses(shared: ServicesOnly) -> None:
    made = shared.service("storage").post(
        "/v2/storage/branch/default/events", {"message": "in a branch", "component": "test"}
    )

    assert made.status == 201
    event = shared.service("storage").get(f"/v2/storage/branch/default/events/{made.json['id']}").json
    assert event["idBranch"] == first_project(shared).caller.main_branch_id


def test_old_events_go_and_young_ones_stay(services: ServicesOnly, monkeypatch: pytest.MonkeyPatch) -> None:
    now = clock.now()
    for days in (400, 181, 179, 0):
        monkeypatch.setattr(clock, "source", lambda days=days: now - timedelta(days=days))
        tell(services, f"{days} days ago")
    monkeypatch.setattr(events, "REMOVED_AT_ONCE", 1)

    assert events.remove_old_events(services.stack) == 2
    assert events.remove_old_events(services.stack) == 0
    assert messages(services) == ["0 days ago", "179 days ago"]


def test_events_of_a_table_tell_how_many_rows_it_has_since_then(shared: ServicesOnly) -> None:
    load_table(shared, "in.c-counted.rows", "id\n1\n2\n", incremental=True)  # as components do
    http = shared.service("storage")
    one = "/v2/storage/tables/in.c-counted.rows"
    assert http.post(f"{one}/import", {"dataString": "id\n3\n", "incremental": 1}).status == 200
    deleted = http.send("DELETE", f"{one}/rows?whereColumn=id&whereValues[]=1")
    assert deleted.status == 202
    wait_for(lambda: http.get(f"/v2/storage/jobs/{deleted.json['id']}").json["status"] == "success")

    found = [event["results"]["totalRowsCount"] for event in http.get(f"{one}/events").json]
    assert found == [2, 3, 2]
