"""The generic HTTP writer, which calls a real API."""

from __future__ import annotations

import gzip
import json
from collections.abc import Generator
from typing import Any

import pytest

from penstock.components.generic_writer import GENERIC_WRITER
from penstock.components.generic_writer.__main__ import write_tables
from penstock.foundation.outbound import Policy
from tests.support.api import Api, Response
from tests.support.components import Finished, Trial

PEOPLE = 'id,name,address__city\n1,Ann,Brno\n2,"B, b",\n3,Cy,Zlín\n'


@pytest.fixture
def api() -> Generator[Api]:
    with Api() as running:
        running.on_everything(lambda _seen: Response(201))
        yield running


def write(trial: Trial, api: Api, content: dict[str, Any], /, **parameters: Any) -> Finished:
    return trial.call(write_tables, configure(api, content, **parameters), Policy(is_open=True).to_environment())


def start(trial: Trial, api: Api, content: dict[str, Any], /, is_open: bool = True, **parameters: Any) -> Finished:
    """As a process."""
    document = configure(api, content, **parameters)
    return trial.run(GENERIC_WRITER, document, Policy(is_open=is_open).to_environment())


def configure(api: Api, content: dict[str, Any], /, **parameters: Any) -> dict[str, Any]:
    more = {"base_url": api.url, "retry_config": {"backoff_factor": 0.01}, **parameters.pop("api", {})}
    request = {"method": "POST", "endpoint_path": "/people", **parameters.pop("request_parameters", {})}
    return {"parameters": {"api": more, "request_parameters": request, "request_content": content, **parameters}}


def bodies(api: Api) -> list[Any]:
    return [json.loads(seen.body) for seen in api.seen]


def test_every_row_is_an_object(trial: Trial, api: Api) -> None:
    trial.add_table("people.csv", PEOPLE)

    done = start(trial, api, {"content_type": "JSON", "json_mapping": {"nesting_delimiter": "__"}})

    assert (done.code, done.errors) == (0, "")
    assert bodies(api)[0] == {"id": "1", "name": "Ann", "address": {"city": "Brno"}}
    assert [seen.method for seen in api.seen] == ["POST"] * 3
    assert api.seen[0].headers["content-type"] == "application/json"
    assert 'Sent the table "people.csv": 3 rows in 3 requests.' in done.lines[-1]


def test_chunks_are_lists_in_their_wrapper(trial: Trial, api: Api) -> None:
    trial.add_table("people.csv", PEOPLE)

    write(trial, api, {"json_mapping": {"chunk_size": 2, "request_data_wrapper": '{"data": [[data]]}'}})

    assert [[row["id"] for row in body["data"]] for body in bodies(api)] == [["1", "2"], ["3"]]


def test_columns_have_types_and_other_names(trial: Trial, api: Api) -> None:
    trial.add_table("t.csv", 'a,b,c,d,e\n1.50,007,yes,"{""x"": 1}",\n')
    override = [
        {"column": "c", "type": "bool"},
        {"column": "d", "type": "object"},
        {"column": "e", "type": "number"},
    ]
    types = {"autodetect": True, "datatype_override": override}

    write(trial, api, {"json_mapping": {"column_data_types": types, "column_names_override": {"a": "the-a"}}})

    assert api.seen[0].body == b'{"the-a":1.50,"b":"007","c":true,"d":{"x":1},"e":null}'


def test_placeholders_and_parameters_come_from_the_row(trial: Trial, api: Api) -> None:
    trial.add_table("people.csv", "id,name,day\na/../b?c,Ann,2026-01-01\n")

    done = write(
        trial,
        api,
        {"iterate_by_columns": ["id", "day"]},
        request_parameters={
            "method": "PUT",
            "endpoint_path": "people/[[id]]",
            "headers": {"X-Day": "on [[day]]"},
            "query_parameters": {"day": {"attr": "day"}},
        },
    )

    assert done.code == 0, done.errors
    seen = api.seen[0]
    assert (seen.method, seen.path, seen.query) == ("PUT", "/people/a%2F..%2Fb%3Fc", "day=2026-01-01")
    assert seen.headers["x-day"] == "on 2026-01-01"
    assert bodies(api) == [{"name": "Ann"}]


def test_secrets_are_sent_and_never_shown(trial: Trial, api: Api) -> None:
    trial.add_table("people.csv", PEOPLE)
    api.on("/people", Response(403, b"the key swordfish is wrong"))

    done = write(
        trial,
        api,
        {},
        user_parameters={"#key": "swordfish", "bearer": {"function": "concat", "args": ["Bearer ", {"attr": "#key"}]}},
        request_parameters={"headers": {"Authorization": {"attr": "bearer"}}},
    )

    assert api.seen[0].headers["authorization"] == "Bearer swordfish"
    assert done.code == 1
    assert 'Row 1 of the table "people.csv": the API answered 403 Forbidden to POST. the key [hidden]' in done.errors
    assert "swordfish" not in done.all_output


@pytest.mark.parametrize(
    ("authentication", "header"),
    [
        ({"type": "BasicHttp", "parameters": {"username": "me", "#password": "pw"}}, "Basic bWU6cHc="),
        ({"type": "BearerToken", "parameters": {"#token": "tok"}}, "Bearer tok"),
    ],
)
def test_it_prints_its_user(trial: Trial, api: Api, authentication: dict[str, Any], header: str) -> None:
    write(trial, api, {"content_type": "EMPTY_REQUEST"}, api={"authentication": authentication})

    assert [seen.headers["authorization"] for seen in api.seen] == [header]
    assert api.seen[0].body == b""


def test_what_may_pass_is_tried_again(trial: Trial, api: Api) -> None:
    trial.add_table("people.csv", "id\n1\n")
    busy = Response(429, headers={"Retry-After": "0"})
    api.on("/people", [busy, Response(503), Response(200, b"x" * 100, cut=10), Response(200)])

    done = write(trial, api, {})

    assert (done.code, done.errors) == (0, "")
    assert len(api.seen) == 4


def test_it_gives_up_in_the_end(trial: Trial, api: Api) -> None:
    api.on("/people", Response(500, b"broken"))

    done = write(trial, api, {"content_type": "EMPTY_REQUEST"}, api={"retry_config": {"max_retries": 1}})

    assert done.code == 1
    assert "answered 500" in done.errors
    assert len(api.seen) == 2


def test_a_redirect_is_not_taken_for_success(trial: Trial, api: Api) -> None:
    trial.add_table("people.csv", "id\n1\n")
    api.on("/people", Response(302, headers={"Location": "/elsewhere"}))

    done = write(trial, api, {})

    assert done.code == 1
    assert [seen.path for seen in api.seen] == ["/people"]


def test_a_private_host_is_refused(trial: Trial, api: Api) -> None:
    done = start(trial, api, {"content_type": "EMPTY_REQUEST"}, is_open=False)

    assert done.code == 1
    assert "private address" in done.errors
    assert api.seen == []


def test_a_table_may_go_as_a_file_and_as_a_form(trial: Trial, api: Api) -> None:
    trial.add_table("t.csv", "a,b\n1,x y\n")

    write(trial, api, {"content_type": "BINARY"})
    write(trial, api, {"content_type": "BINARY_GZ"})
    write(trial, api, {"content_type": "JSON_URL_ENCODED"})

    raw, packed, form = (seen.body for seen in api.seen)
    assert raw == gzip.decompress(packed) == b"a,b\n1,x y\n"
    assert form == b"a=1&b=x+y"


@pytest.mark.parametrize(
    ("content", "more", "said"),
    [
        ({"content_type": "XML"}, {}, "'XML' is not a valid value here."),
        ({"json_mapping": {"chunk_size": 0}}, {}, "`chunk_size` must be between 1 and"),
        ({"json_mapping": {"request_data_wrapper": "{}"}}, {}, "has no [[data]], so no row would be sent"),
        ({}, {"api": {"timeout": -1}}, "`parameters.api.timeout` must be"),
        ({"iterate_by_columns": ["no"]}, {}, 'has no column "no" to iterate by'),
        ({}, {"request_parameters": {"endpoint_path": "/[[id]]"}}, "The placeholder [[id]] is not one of"),
        ({}, {"api": {"base_url": "ftp://x"}}, "must start with https:// or http://"),
        ({}, {"api": {"ssl_verification": False}}, "cannot be switched off"),
        ({}, {"api": {"authentication": {"type": "Magic"}}}, '"Magic" is not a known authentication'),
        ({}, {"request_parameters": {"headers": {"X": {"attr": "nope"}}}}, "'nope' not found"),
        ({"json_mapping": {"nesting_delimiter": "_"}}, {}, '"id" is a column itself'),
        ({"json_mapping": {"column_names_override": {"id": "name"}}}, {}, 'another value called "name"'),
        (
            {"json_mapping": {"column_data_types": {"datatype_override": [{"column": "name", "type": "number"}]}}},
            {},
            'Row 1 of the table "people.csv": The column "name" cannot be sent: \'Ann\' is not a number.',
        ),
        (
            {"json_mapping": {"column_data_types": {"datatype_override": [{"column": "name", "type": "date"}]}}},
            {},
            '"date" is not a column type',
        ),
    ],
)
def test_a_mistake_is_a_sentence_and_nothing_is_sent(
    trial: Trial, api: Api, content: dict[str, Any], more: dict[str, Any], said: str
) -> None:
    trial.add_table("people.csv", "id,id_x,name\n1,2,Ann\n")

    done = write(trial, api, content, **more)

    assert done.code == 1
    assert said in done.errors
    assert "Traceback" not in done.errors
    assert api.seen == []


def test_a_table_that_is_not_csv_is_reported(trial: Trial, api: Api) -> None:
    trial.add_table("t.csv", "a,b\n1\n")

    assert 'Row 1 of "t.csv" has 1 values for 2 columns' in write(trial, api, {}).errors


@pytest.mark.parametrize(
    ("api_section", "hosts"),
    [({"base_url": "https://API.test:8443/v1"}, "api.test:8443"), ({}, ""), ({"base_url": 1}, ""), ([], "")],
)
def test_secrets_are_meant_for_the_host_of_the_base_address(api_section: Any, hosts: str) -> None:
    assert GENERIC_WRITER.hosts_of({"parameters": {"api": api_section}}) == hosts
