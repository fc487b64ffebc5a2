"""The whole run, in this process, against a real API."""

from __future__ import annotations

import asyncio
import io
import json
import re
from pathlib import Path

import pytest

from penstock.extractor.base.errors import UserError
from penstock.extractor.base.log import Log
from penstock.extractor.run import extract
from penstock.foundation.redaction import Redactor
from tests.support.api import Api, Response
from tests.support.extraction import parameters, run_extraction
from tests.support.stacks import wait_for


@pytest.fixture
def api():
    with Api() as api:
        api.on("/users", Response.json([{"id": 1}]))
        api.on("/orders", Response.json([{"id": 2}]))
        yield api


def test_jobs_run_in_order(api: Api, tmp_path: Path):
    run_extraction(parameters(api.url, {"endpoint": "orders"}, {"endpoint": "users"}), tmp_path)

    assert [seen.path for seen in api.seen] == ["/orders", "/users"]
    assert {path.name for path in (tmp_path / "tables").iterdir()} == {
        "test.orders",
        "test.orders.manifest",
        "test.users",
        "test.users.manifest",
    }


def test_jobs_of_one_id_are_one_job(api: Api, tmp_path: Path):
    jobs = [{"id": "a", "endpoint": "users"}, {"endpoint": "orders"}, {"id": "a", "endpoint": "users?page=2"}]

    result = run_extraction(parameters(api.url, *jobs), tmp_path)

    assert [f"{seen.path}?{seen.query}" for seen in api.seen] == ["/users?page=2", "/orders?"]
    assert len(result.warnings) == 1


def test_two_equal_jobs_are_one_job(api: Api, tmp_path: Path):
    run_extraction(parameters(api.url, {"endpoint": "users"}, {"endpoint": "users"}), tmp_path)

    assert len(api.seen) == 1


def test_a_job_that_fails_takes_the_tables_of_the_others_with_it(api: Api, tmp_path: Path):
    api.on("/orders", Response(404))

    with pytest.raises(UserError, match=r"\[404\]"):
        run_extraction(parameters(api.url, {"endpoint": "users"}, {"endpoint": "orders"}), tmp_path / "out")

    assert [path.name for path in (tmp_path / "out").iterdir()] == ["report.json"]


def test_bytes_that_are_no_text_are_a_warning(api: Api, tmp_path: Path):
    api.on("/users", Response(body=b'[{"name":"Zo\xeb"}]'))

    result = run_extraction(parameters(api.url, {"endpoint": "users"}), tmp_path)

    assert result.column("test.users", "name") == ["Zo"]
    assert result.warnings == ["Left out 1 bytes or escapes that are not Unicode text, on page 1 of 'users'."]


@pytest.mark.parametrize(
    ("second", "cells"), [(b'"x"', ["1", "1", "3", "x"]), (b"-0", ["1", "1", "3", "0"]), (b"null", ["1", "1", "3", ""])]
)
def test_one_record_that_is_unlike_all_others_changes_nothing_for_them(
    api: Api, tmp_path: Path, second: bytes, cells: list[str]
):
    pages = {"0": b'[{"id":1},{"id":1}]', "2": b'[{"id":3},{"id":%b}]' % second}
    api.on("/users", lambda seen: Response(body=pages.get(seen.params.get("offset", "0"), b"[]")))
    paged = parameters(api.url, {"endpoint": "users"}, pagination={"method": "offset", "limit": 2})

    assert run_extraction(paged, tmp_path).column("test.users", "id") == cells


def test_a_number_too_long_to_be_one_is_named_with_its_page(api: Api, tmp_path: Path):
    pages = {"0": b'[{"id":1},{"id":1}]', "2": b'[{"id":2},{"id":%b}]' % (b"1" * 5000)}
    api.on("/users", lambda seen: Response(body=pages.get(seen.params.get("offset", "0"), b"[]")))
    document = parameters(api.url, {"endpoint": "users"}, pagination={"method": "offset", "limit": 2})

    with pytest.raises(UserError, match="of page 2 of 'users'"):
        run_extraction(document, tmp_path)


def test_the_state_remembers_when_the_run_started_and_what_it_saw(api: Api, tmp_path: Path):
    run_extraction(parameters(api.url, {"endpoint": "users"}), tmp_path, {"time": {"previousStart": 1}})

    state = json.loads((tmp_path / "state.json").read_text())
    assert state["time"]["previousStart"] > 1
    assert list(state["json_parser.struct"]["data"]) == ["_users"]


def test_a_state_that_no_run_could_have_written_stops_before_the_first_request(api: Api, tmp_path: Path):
    state = {"json_parser.struct": {"data": {"_users": 1}}, "json_parser.structVersion": 3}

    with pytest.raises(UserError, match=r"Delete `json_parser\.struct` from the state"):
        run_extraction(parameters(api.url, {"endpoint": "users"}), tmp_path, state)

    assert api.seen == []


def test_secrets_of_the_configuration_are_not_in_the_log(api: Api, tmp_path: Path):
    document = parameters(api.url, {"endpoint": "users", "params": {"key": "s3cret~key"}})
    document["config"] |= {"debug": True, "#key": "s3cret~key"}

    result = run_extraction(document, tmp_path)

    assert "/users?key=[hidden]" in result.log
    assert "s3cret" not in result.log


def test_the_log_says_how_requests_are_authenticated_in_debug_mode(api: Api, tmp_path: Path):
    document = parameters(api.url, {"endpoint": "users"})
    document["config"] |= {"username": "ada", "#password": "s3cret"}
    iterations = [{"debug": True}, {"debug": False}, {"debug": 1}]

    result = run_extraction({**document, "iterations": iterations}, tmp_path / "none")
    document["api"]["authentication"] = {"type": "basic"}
    basic = run_extraction({**document, "iterations": iterations}, tmp_path / "basic")

    assert result.log.count("logger.DEBUG: Using no authentication. [] []") == 2
    assert basic.log.count("logger.DEBUG: Using 'basic' authentication. [] []") == 2


def test_the_last_lines_count_what_was_written_and_say_that_all_is_well(api: Api, tmp_path: Path):
    result = run_extraction(parameters(api.url, {"endpoint": "users"}, {"endpoint": "orders"}), tmp_path)

    lines = [line.partition("logger.")[2] for line in result.log.splitlines()]
    assert lines[0] == "INFO: Records written: 2 (pages: 2, tables: 2). [] []"
    assert lines[-1] == "INFO: Extractor finished successfully. [] []"


def test_tables_of_an_earlier_run_that_are_not_written_again_stay(api: Api, tmp_path: Path):
    run_extraction(parameters(api.url, {"endpoint": "orders"}), tmp_path)
    run_extraction(parameters(api.url, {"endpoint": "users"}), tmp_path)

    assert {path.name for path in (tmp_path / "tables").iterdir() if path.suffix != ".manifest"} == {
        "test.orders",
        "test.users",
    }


def test_a_run_without_any_record_leaves_an_empty_folder_and_a_state(api: Api, tmp_path: Path):
    api.on("/users", Response.json([]))

    run_extraction(parameters(api.url, {"endpoint": "users"}), tmp_path)

    assert list((tmp_path / "tables").iterdir()) == []
    state = json.loads((tmp_path / "state.json").read_text())
    assert state["json_parser.struct"] == {"data": [], "parent_aliases": []}


def test_without_a_bucket_tables_have_plain_names(api: Api, tmp_path: Path):
    document = parameters(api.url, {"endpoint": "users"})
    del document["config"]["outputBucket"]

    run_extraction(document, tmp_path)

    assert (tmp_path / "tables/users").read_bytes() == b'"id"\n"1"\n'
    assert (tmp_path / "tables/users.manifest").read_bytes() == b'{"incremental":false}'


def test_the_second_run_knows_the_columns_of_the_first(api: Api, tmp_path: Path):
    run_extraction(parameters(api.url, {"endpoint": "users"}), tmp_path / "1")
    state = json.loads((tmp_path / "1/state.json").read_text())
    api.on("/users", Response.json([{"name": "Ada"}]))

    run_extraction(parameters(api.url, {"endpoint": "users"}), tmp_path / "2", state)

    assert (tmp_path / "2/tables/test.users").read_text() == '"id","name"\n"","Ada"\n'


def test_the_legacy_parser_is_chosen_by_the_state_or_the_level(api: Api, tmp_path: Path):
    document = parameters(api.url, {"endpoint": "users"})
    document["config"]["compatLevel"] = 1

    asked = run_extraction(document, tmp_path / "1")
    state = json.loads((tmp_path / "1/state.json").read_text())
    known = run_extraction(parameters(api.url, {"endpoint": "users"}), tmp_path / "2", state)

    assert asked.warnings == ["Using legacy JSON parser, because it has been explicitly requested."]
    assert known.warnings == ["Using legacy JSON parser, because it is in configuration state."]
    assert state["json_parser.structVersion"] == 2
    assert known.column("test.users", "id") == ["1"]


def test_a_mapping_that_cannot_work_is_found_before_the_first_request(api: Api, tmp_path: Path):
    document = parameters(api.url, {"endpoint": "users"})
    document["config"]["mappings"] = {"users": {"id": {"type": "date", "mapping": {"destination": "id"}}}}

    with pytest.raises(UserError, match='Invalid mapping type "date"'):
        run_extraction(document, tmp_path / "out")

    assert api.seen == []
    assert not (tmp_path / "out").exists()


def test_numbers_of_any_size_may_be_asked_for(api: Api, tmp_path: Path):
    api.on("/users", [Response.json([{"id": 2**70}]), Response.json([])])
    job = {"endpoint": "users", "params": {"largest": 2**80, "in": {"a": [-(2**80)]}}}
    pagination = {"method": "cursor", "idKey": "id", "param": "since", "increment": 1}

    result = run_extraction(parameters(api.url, job, pagination=pagination), tmp_path)

    assert result.column("test.users", "id") == [str(2**70)]
    assert api.seen[1].params["since"] == str(2**70 + 1)
    assert api.seen[1].params["largest"] == str(2**80)


def test_a_run_that_waits_for_the_api_says_how_far_it_is(api: Api, tmp_path: Path):
    out = io.StringIO()
    api.on("/orders", lambda _seen: wait_for(lambda: "In progress" in out.getvalue()) and Response.json([{"id": 2}]))
    log = Log(out, Redactor(), interval=0.1)
    document = {"parameters": parameters(api.url, {"endpoint": "users"}, {"endpoint": "orders"})}

    asyncio.run(extract(document, {}, tmp_path, log))

    assert "In progress: 1 pages, 1 records so far" in out.getvalue()
    assert re.search(r"after \d+ seconds\. Requests: 1, bytes received: [1-9]\d\.", out.getvalue())
    assert "All pages are read. Writing the tables." in out.getvalue()


def test_an_endpoint_with_a_name_that_nothing_fills_is_sent_as_it_is_with_a_warning(api: Api, tmp_path: Path):
    api.on("/users/%7Bid%7D", Response.json([{"id": 1}]))

    result = run_extraction(parameters(api.url, {"endpoint": "users/{id}"}), tmp_path)

    assert [seen.path for seen in api.seen] == ["/users/%7Bid%7D"]
    (warning,) = result.warnings
    assert warning.startswith(
        "The endpoint 'users/{id}' at `parameters.config.jobs[0]` holds {id}, which no placeholder"
    )


def test_a_run_that_ends_with_an_empty_array_says_so_and_is_in_order(api: Api, tmp_path: Path):
    api.on("/users", lambda seen: Response.json([{"id": 1}] if seen.params["page"] == "1" else []))

    result = run_extraction(parameters(api.url, {"endpoint": "users"}, pagination={"method": "pagenum"}), tmp_path)

    (warning,) = result.warnings
    assert warning.startswith("dataField '.' contains no data!")
    assert len(api.seen) == 2
    assert json.loads((tmp_path / "report.json").read_text())["status"] == "ok"


def test_xml_is_not_called_a_web_page(api: Api, tmp_path: Path):
    api.on("/users", Response(body=b'<?xml version="1.0"?><users/>'))

    with pytest.raises(UserError, match=r"It is XML: ask the API for JSON") as caught:
        run_extraction(parameters(api.url, {"endpoint": "users"}), tmp_path)

    assert "web page" not in str(caught.value)


def test_a_proxy_that_is_not_used_is_said_once(api: Api, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:1")
    document = parameters(api.url, {"endpoint": "users"})

    result = run_extraction({"parameters": {**document, "iterations": [{"a": 1}, {"a": 2}]}}, tmp_path)

    said = "logger.INFO: The proxy of HTTP_PROXY is not used for http://127.0.0.1: hosts of this machine are called"
    assert result.log.count(said) == 1
