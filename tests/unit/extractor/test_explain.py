from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from penstock.extractor.base.errors import UserError
from penstock.extractor.config.effective import read_configs
from penstock.extractor.explain import explain
from penstock.extractor.results.state import State
from penstock.foundation.redaction import Redactor


def plan(config: dict[str, Any], state: dict[str, Any] | None = None, **api: Any) -> str:
    parameters = {"api": {"baseUrl": "https://api.example.com/v1/", **api}, "config": config}
    return plan_of(parameters, state)


def plan_of(parameters: dict[str, Any], state: dict[str, Any] | None = None) -> str:
    configs = read_configs({"parameters": parameters}, Path("cache"), lambda message: None)
    text = "\n".join(explain(configs, State(state or {}, 1_700_000_000)))
    return Redactor.of(parameters).clean(text)


def test_a_plain_job_is_a_request_its_paging_its_records_and_its_table():
    assert plan({"jobs": [{"endpoint": "users"}]}) == (
        "tables for the default bucket\n"
        "  authentication: none\n"
        "\n"
        "  1. GET https://api.example.com/v1/users\n"
        "     paging   one page\n"
        "     records  the only array of the response\n"
        "     table    users; arrays in records become tables"
    )


@pytest.mark.parametrize(
    ("endpoint", "path"), [("users", "/api/v1/users"), ("/users", "/users"), ("?page=2", "/api/v1?page=2")]
)
def test_the_address_is_the_one_that_is_asked_below_a_base_without_a_slash(endpoint: str, path: str):
    text = plan({"jobs": [{"endpoint": endpoint}]}, baseUrl="https://api.example.com/api/v1")

    assert f"1. GET https://api.example.com{path}\n" in text


def test_the_first_page_is_asked_for_with_its_parameters():
    since = {"function": "date", "args": ["Y-m-d", {"time": "previousStart"}]}
    job = {"endpoint": "users", "params": {"since": since, "name": "a b"}}
    pagination = {"method": "offset", "limit": 50, "offsetParam": "skip"}
    http = {"defaultOptions": {"params": {"lang": "en"}}}

    text = plan({"jobs": [job]}, {"time": {"previousStart": 86400}}, pagination=pagination, http=http)

    assert "GET https://api.example.com/v1/users?lang=en&since=1970-01-02&name=a+b&limit=50&skip=0\n" in text
    assert 'paging   offset (limit 50, offsetParam "skip")\n' in text


@pytest.mark.parametrize(
    ("method", "body"), [("POST", '{"a":{"b":"x\\/y"},"page":1}'), ("FORM", "a%5Bb%5D=x%2Fy&page=1")]
)
def test_a_posted_request_is_shown_with_its_body(method: str, body: str):
    job = {"endpoint": "search", "method": method, "params": {"a": {"b": "x/y"}}}

    text = plan({"jobs": [job]}, pagination={"method": "pagenum"})

    assert f"POST https://api.example.com/v1/search\n     body     {body}\n     paging   pagenum\n" in text


def test_what_stops_the_paging_early_is_told():
    pagination = {
        "method": "response.url",
        "nextPageFlag": {"field": "more", "stopOn": False},
        "forceStop": {"pages": 5},
        "limitStop": {"count": 1000},
    }

    text = plan({"jobs": [{"endpoint": "users"}]}, pagination=pagination)

    assert "paging   response.url, stopped early by nextPageFlag (" in text
    assert ") or forceStop (pages 5) or limitStop (limit 1000)\n" in text


def test_each_job_is_told_with_its_own_scroller():
    scrollers = {"by-page": {"method": "pagenum"}, "by-link": {"method": "response.url", "urlKey": "links.next"}}
    jobs = [{"endpoint": "a", "scroller": "by-link"}, {"endpoint": "b", "scroller": "by-page"}, {"endpoint": "c"}]

    text = plan({"jobs": jobs}, pagination={"method": "multiple", "scrollers": scrollers})

    assert [line.split("paging   ")[1] for line in text.splitlines() if "paging" in line] == [
        'response.url (urlKey "links.next")',
        "pagenum",
        "one page",
    ]


@pytest.mark.parametrize(
    ("job", "records"),
    [
        ({"dataField": "data.items"}, "what is at data.items"),
        ({"dataField": "."}, "the whole response"),
        ({"responseFilter": ["a", "b[].c"]}, "the only array of the response; a, b[].c as JSON text"),
    ],
)
def test_where_the_records_are(job: dict[str, Any], records: str):
    assert f"     records  {records}\n" in plan({"jobs": [{"endpoint": "users", **job}]})


def test_tables_are_named_as_they_will_be():
    config = {"outputBucket": "crm", "incrementalOutput": True, "userData": {"source": "x"}}
    jobs = [{"endpoint": "v2/users?all=1"}, {"endpoint": "o", "dataType": "orders"}]

    text = plan({**config, "jobs": jobs, "mappings": {"orders": {"id": "id"}}})

    assert text.startswith("tables for bucket in.c-crm\n")
    assert "table    crm.v2_users_all_1, added to what is there, with extra columns source; arrays" in text
    assert "table    crm.orders, added to what is there; its columns are mapped" in text


def test_child_jobs_are_told_below_their_parents():
    order = {"endpoint": "orders/{id}/{2:user}", "placeholders": {"id": "id", "2:user": "info.id"}}
    padded = {"path": "id", "function": "sprintf", "args": ["%05d", {"placeholder": "value"}]}
    user = {
        "endpoint": "users/{user id}/orders",
        "placeholders": {"user id": padded},
        "recursionFilter": "type==a&age>5|name~~%x%",
        "userData": {"kind": "u"},
        "children": [order],
    }

    text = plan({"userData": {"source": "x"}, "jobs": [{"endpoint": "users", "children": [user]}]})

    assert text.partition("     then")[2] == (
        ", for each record with type == 'a' and age > '5', or name ~~ '%x%':\n"
        "     - GET https://api.example.com/v1/users/{user id}/orders\n"
        "       {user id} id of the record, through sprintf\n"
        "       paging   one page\n"
        "       records  the only array of the response\n"
        "       table    users_user_id_orders, with extra columns kind, parent_id; arrays in records become tables\n"
        "       then, for each record:\n"
        "       - GET https://api.example.com/v1/orders/{id}/{2:user}\n"
        "         {id}     id of the record\n"
        "         {2:user} info.id of the record 2 levels up\n"
        "         paging   one page\n"
        "         records  the only array of the response\n"
        "         table    orders_id_2_user, with extra columns parent_id, parent_info.id; arrays in records become "
        "tables"
    )


def test_a_child_that_can_never_run_is_told_so():
    text = plan({"jobs": [{"endpoint": "users", "children": [{"endpoint": "details"}]}]})

    assert "\n     then nothing for 'details': without placeholders it never runs" in text


def test_braces_that_are_no_placeholders_stay_as_they_are_sent():
    assert "/v1/users?q=%7Bx%7D\n" in plan({"jobs": [{"endpoint": "users", "params": {"q": "{x}"}}]})


def test_iterations_are_told_one_after_another():
    parameters = {
        "api": {"baseUrl": "https://api.example.com/"},
        "config": {"jobs": [{"endpoint": "users", "params": {"team": {"attr": "team"}}}]},
        "iterations": [{"team": "a"}, {"team": "b", "outputBucket": "other"}],
    }

    text = plan_of(parameters)

    assert text.startswith("Iteration 1 of 2: tables for the default bucket\n")
    assert "\n\nIteration 2 of 2: tables for bucket in.c-other\n" in text
    assert text.index("team=a") < text.index("Iteration 2") < text.index("team=b")


def test_how_requests_prove_who_sends_them_is_told_without_any_secret():
    config = {
        "username": "ada",
        "#password": "pa$$word",
        "#token": "tok/en-123",
        "jobs": [{"endpoint": "users", "method": "POST", "params": {"key": {"attr": "#token"}}}, {"endpoint": "x"}],
    }
    http = {"headers": {"X-Key": {"attr": "#token"}}, "defaultOptions": {"params": {"k": "tok/en-123"}}}

    text = plan(config, authentication={"type": "basic"}, http=http)

    assert "  authentication: basic\n  headers of every request: X-Key\n" in text
    assert '{"k":"[hidden]","key":"[hidden]"}' in text
    assert "/v1/x?k=[hidden]\n" in text
    assert not any(secret in text for secret in ("pa$$", "tok/en", "tok%2Fen", "tok\\/en"))


def test_an_aws_signature_is_told():
    credentials = {"accessKeyId": "id", "#secretKey": "s3cret", "serviceName": "s3", "regionName": "eu"}
    parameters = {
        "api": {"baseUrl": "https://api.example.com/"},
        "config": {"jobs": [{"endpoint": "users"}]},
        "aws": {"signature": {"credentials": credentials}},
    }

    assert "authentication: AWS signature\n" in plan_of(parameters)


def test_a_placeholder_without_a_path_is_found_before_anything_is_sent():
    child = {"endpoint": "user/{id}", "placeholders": {"id": {"function": "md5"}}}

    with pytest.raises(UserError, match="The path for placeholder 'id' must be a string value"):
        plan({"jobs": [{"endpoint": "users", "children": [child]}]})
