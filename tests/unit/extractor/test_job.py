"""Jobs and the jobs below them, against a real API."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from penstock.extractor.base.errors import UserError
from tests.support.api import Api, Response, Seen
from tests.support.extraction import Extraction, parameters, run_extraction, try_extraction

USERS = [{"id": 1, "name": "Ada", "tags": ["a", "b"]}, {"id": 2, "name": "Eve", "tags": []}]
USER = {"endpoint": "user/{id}", "dataField": ".", "placeholders": {"id": "id"}}


def echo(seen: Seen) -> Response:
    return Response.json({"path": seen.path})


@pytest.fixture
def api():
    with Api() as api:
        api.on("/users", Response.json(USERS))
        api.on_everything(echo)
        yield api


def users_with(*children: dict[str, Any], **job: Any) -> dict[str, Any]:
    return {"endpoint": "users", **job, "children": list(children)}


def paths(api: Api) -> list[str]:
    return [seen.path for seen in api.seen]


def read(api: Api, out: Path, *jobs: dict[str, Any], **config: Any) -> Extraction:
    document = parameters(api.url, *jobs)
    document["config"] |= config
    return run_extraction(document, out)


def test_a_child_runs_for_every_row_and_remembers_it(api: Api, tmp_path: Path):
    result = read(api, tmp_path, users_with(USER))

    assert paths(api) == ["/users", "/user/1", "/user/2"]
    assert result.rows("test.user_id") == [
        {"path": "/user/1", "parent_id": "1"},
        {"path": "/user/2", "parent_id": "2"},
    ]


def test_children_run_in_order_each_for_all_rows(api: Api, tmp_path: Path):
    read(api, tmp_path, users_with(USER, {**USER, "endpoint": "detail/{id}"}))

    assert paths(api) == ["/users", "/user/1", "/user/2", "/detail/1", "/detail/2"]


def test_a_child_is_done_with_its_own_children_before_the_next_row(api: Api, tmp_path: Path):
    api.on("/user/1", Response.json({"id": "x"}))
    api.on("/user/2", Response.json({"id": "y"}))
    orders = {
        "endpoint": "orders/{2:user}/{1:order}",
        "dataField": ".",
        "placeholders": {"2:user": "id", "1:order": "id"},
    }

    result = read(api, tmp_path, users_with({**USER, "children": [orders]}))

    assert paths(api) == ["/users", "/user/1", "/orders/1/x", "/user/2", "/orders/2/y"]
    assert result.column("test.orders_2_user_1_order", "parent_id") == ["x", "y"]


def test_the_children_of_a_page_run_before_the_next_page(api: Api, tmp_path: Path):
    def page(seen: Seen) -> Response:
        return Response.json([{"id": seen.params["page"]}] if int(seen.params["page"]) < 3 else [])

    api.on("/users", page)
    document = parameters(api.url, users_with(USER), pagination={"method": "pagenum", "forceStop": {"pages": 2}})

    run_extraction(document, tmp_path)

    # A child pages too: its second page repeats the first.
    assert paths(api) == ["/users", "/user/1", "/user/1", "/users", "/user/2", "/user/2"]


def test_a_list_runs_a_child_for_each_of_its_elements(api: Api, tmp_path: Path):
    tag = {
        "endpoint": "tag/{id}/{tag}",
        "dataType": "tag",
        "dataField": ".",
        "placeholders": {"id": "id", "tag": "tags"},
    }

    result = read(api, tmp_path, users_with(tag))

    assert paths(api) == ["/users", "/tag/1/a", "/tag/1/b"]
    assert [list(row.values()) for row in result.rows("test.tag")] == [["/tag/1/a", "1", "a"], ["/tag/1/b", "1", "b"]]


def test_a_filter_chooses_the_rows_that_a_child_runs_for(api: Api, tmp_path: Path):
    read(api, tmp_path, users_with({**USER, "recursionFilter": "name~~%v%|id>5"}))

    assert paths(api) == ["/users", "/user/2"]


def test_a_child_without_placeholders_never_runs_and_is_a_warning(api: Api, tmp_path: Path):
    result = read(api, tmp_path, users_with({"endpoint": "detail"}))

    assert paths(api) == ["/users"]
    assert result.warnings == ["No 'placeholders' set for 'detail'"]


def test_a_child_with_inherited_placeholders_runs_once_per_row(api: Api, tmp_path: Path):
    rows = [{"name": "p"}, {"name": "q"}]
    api.on("/user/1", Response.json(rows))
    api.on("/user/2", Response.json([]))
    again = {"endpoint": "again/{id}", "dataField": "."}
    user = {"endpoint": "user/{id}", "placeholders": {"id": "id"}, "children": [again]}

    result = read(api, tmp_path, users_with(user))

    assert paths(api) == ["/users", "/user/1", "/again/1", "/again/1", "/user/2"]
    placeholders, empty = result.warnings
    assert placeholders == "No 'placeholders' set for 'again/{id}'"
    assert empty.startswith("dataField '.' contains no data!")
    assert result.column("test.again_id", "parent_id") == ["1", "1"]


def test_the_columns_of_parents_come_after_the_users_data(api: Api, tmp_path: Path):
    child = {**USER, "userData": {"kind": "u"}, "dataType": "details"}

    result = read(api, tmp_path, users_with(child), userData={"source": "crm"})

    assert list(result.rows("test.details")[0]) == ["path", "kind", "parent_id"]
    assert result.column("test.details", "kind") == ["u", "u"]


def test_the_users_data_of_the_configuration_is_for_jobs_at_the_root(api: Api, tmp_path: Path):
    first = users_with(USER, userData={"source": "job", "team": "a"})

    result = read(
        api, tmp_path, first, {"endpoint": "users?x", "dataType": "others"}, userData={"source": "crm", "n": 1}
    )

    assert [list(row.items())[-3:] for row in result.rows("test.users")] == [
        [("source", "job"), ("n", "1"), ("team", "a")]
    ] * 2
    assert list(result.rows("test.others")[0].items())[-2:] == [("source", "crm"), ("n", "1")]
    assert "source" not in result.rows("test.user_id")[0]


def test_a_single_value_as_the_users_data_gets_a_name(api: Api, tmp_path: Path):
    result = read(api, tmp_path, {"endpoint": "users", "userData": "mine"}, userData=5)

    assert list(result.rows("test.users")[0].items())[-2:] == [("userData", "5"), ("job_parent_id", "mine")]


def test_the_users_data_is_not_for_the_tables_below(api: Api, tmp_path: Path):
    result = read(api, tmp_path, {"endpoint": "users"}, userData={"source": "crm"})

    assert list(result.rows("test.users_tags")[0]) == ["data", "JSON_parentId"]


def test_functions_in_parameters_and_the_users_data_are_evaluated(api: Api, tmp_path: Path):
    job = {
        "endpoint": "users",
        "params": {"team": {"attr": "team"}, "since": {"time": "previousStart"}},
        "userData": {"team": {"function": "concat", "args": ["t-", {"attr": "team"}]}},
    }
    document = parameters(api.url, job)
    document["config"]["team"] = "a"

    result = run_extraction(document, tmp_path, {"time": {"previousStart": 7}})

    assert api.asked("/users") == ["team=a&since=7"]
    assert result.column("test.users", "team") == ["t-a", "t-a"]


def test_an_object_as_the_users_data_is_json_text_and_an_error_in_the_log(api: Api, tmp_path: Path):
    result = read(api, tmp_path, {"endpoint": "users"}, userData={"who": {"a": {"b": 1}}})

    assert result.column("test.users", "who") == ['{"a":{"b":1}}'] * 2
    assert "logger.ERROR: Data parse error in 'who' - unexpected 'object' where 'string' was expected!" in result.log


@pytest.mark.parametrize("value", [["a"], {"0": "a", "1": "b"}])
def test_a_list_as_the_users_data_is_the_users_error(api: Api, tmp_path: Path, value: Any):
    with pytest.raises(UserError, match="'who' is an array"):
        read(api, tmp_path, {"endpoint": "users"}, userData={"who": value})


def test_parameters_of_a_child_are_its_own(api: Api, tmp_path: Path):
    child = {**USER, "params": {"n": {"function": "md5", "args": ["x"]}}}

    read(api, tmp_path, users_with(child, params={"a": 1}))

    assert api.asked("/users") == ["a=1"]
    assert api.asked("/user/1") == ["n=9dd4e461268c8034f5c8564e155c67a6"]


def test_placeholders_fill_nothing_but_the_endpoint(api: Api, tmp_path: Path):
    read(api, tmp_path, users_with({**USER, "params": {"id": "{id}"}}))

    assert api.asked("/user/1") == ["id=%7Bid%7D"]


def test_children_see_the_rows_as_they_are_filtered(api: Api, tmp_path: Path):
    tag = {"endpoint": "tag/{tag}", "dataField": ".", "placeholders": {"tag": "tags"}}

    result = read(api, tmp_path, users_with(tag, responseFilter="tags"))

    assert result.column("test.tag_tag", "parent_tags") == ['["a","b"]', "[]"]


def test_a_repeated_page_is_dropped_with_its_children(api: Api, tmp_path: Path):
    document = parameters(api.url, users_with(USER, id="main"), pagination={"method": "pagenum"})
    document["config"]["debug"] = True

    result = run_extraction(document, tmp_path)

    assert paths(api) == ["/users", "/user/1", "/user/1", "/user/2", "/user/2", "/users"]
    assert len(result.rows("test.users")) == 2
    assert "logger.DEBUG: Job 'main' finished when last response matched the previous! [] []" in result.log


def test_pages_and_records_are_counted(api: Api, tmp_path: Path):
    result = read(api, tmp_path, users_with(USER))

    assert "logger.INFO: Records written: 4 (pages: 3, tables: 3). [] []" in result.log


@pytest.mark.parametrize(
    ("child", "message"),
    [
        ({"placeholders": {"id": "nothing"}}, "No value found for id in parent result. (level: 1)"),
        ({"placeholders": {"2:id": "id"}}, "Level 2 not found in parent results! Maximum level: 1"),
        ({"placeholders": {"id": {"x": 1}}}, "The path for placeholder 'id' must be a string value or an object"),
        ({"recursionFilter": "id"}, "Error creating a filter from id: Operator couldn't be determined."),
    ],
)
def test_what_is_wrong_with_a_child_is_a_sentence(api: Api, tmp_path: Path, child: dict[str, Any], message: str):
    result = try_extraction(parameters(api.url, users_with({**USER, **child})), tmp_path / "out")

    assert result.error is not None
    assert result.error.startswith(message)
    assert {path.name for path in (tmp_path / "out").glob("*")} <= {"report.json"}


def test_a_missing_placeholder_is_said_with_its_path_and_what_the_record_has(api: Api, tmp_path: Path):
    user = {**USER, "placeholders": {"id": "person.id"}}

    result = try_extraction(parameters(api.url, users_with(user)), tmp_path / "out")

    assert result.error == (
        "No value found for id in parent result. (level: 1) Nothing is at the path 'person.id' of the record, which "
        "has the keys id, name, tags - at `parameters.config.jobs[0].children[0].placeholders.id`. Correct the path, "
        "or set `recursionFilter` to leave such records out."
    )


def test_what_is_odd_about_the_response_of_a_child_is_said_with_its_own_address(api: Api, tmp_path: Path):
    api.on("/orders/1", Response(404, b'{"error": "gone for s3cret-key"}'))
    api.on("/orders/2", Response.json({"state": "none"}))
    orders = {"endpoint": "orders/{id}", "placeholders": {"id": "id"}, "params": {"all": 1}}
    document = parameters(api.url, users_with(orders))
    document["api"]["http"] = {"ignoreErrors": [404]}
    document["config"]["#key"] = "s3cret-key"

    warnings = run_extraction(document, tmp_path).warnings

    where = f'{{"endpoint":"orders/1","page":1,"method":"GET","url":"{api.url}/orders/1?all=1","status":404,'
    gone = where + '"response":"{\\"error\\": \\"gone for [hidden]\\"}"} []'
    assert warnings == [
        f"Failed to get response [404] Not Found, which is ignored. {gone}",
        f"No data array found in response! (endpoint: orders/1) {gone}",
        "No data array found in response! (endpoint: orders/2) "
        f'{{"endpoint":"orders/2","page":1,"method":"GET","url":"{api.url}/orders/2?all=1","status":200,'
        '"response":"{\\"state\\": \\"none\\"}"} []',
    ]


def test_the_reason_to_stop_names_the_endpoint_where_there_are_several(tmp_path: Path):
    with Api() as api:
        api.on_everything(lambda _seen: Response.json([{"id": 1}]))
        jobs = [{"endpoint": "users"}, {"endpoint": "orders"}]
        offset = {"method": "offset", "limit": 10}
        several = run_extraction(parameters(api.url, *jobs, pagination=offset), tmp_path / "several").log
        one = run_extraction(parameters(api.url, jobs[0], pagination=offset), tmp_path / "one").log

    reason = "Offset limit reached, stopping scrolling."
    assert f'{reason} {{"endpoint":"users"}} []' in several
    assert f'{reason} {{"endpoint":"orders"}} []' in several
    assert f"{reason} [] []" in one
