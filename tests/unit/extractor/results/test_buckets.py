"""Iterations and the buckets they write into, against a real API."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.support.api import Api, Response, Seen
from tests.support.extraction import Extraction, parameters, run_extraction, try_extraction

TEAM = {"attr": "team"}


def members(seen: Seen) -> Response:
    """Every team has a column of its own."""
    team = seen.params["team"]
    return Response.json([{"id": 1, f"only_{team}": team}])


@pytest.fixture
def api():
    with Api() as api:
        api.on("/users", members)
        yield api


def run(api: Api, out: Path, *iterations: dict[str, Any], **config: Any) -> Extraction:
    document = parameters(api.url, {"endpoint": "users", "params": {"team": TEAM}})
    document["config"] |= config
    return run_extraction({**document, "iterations": list(iterations)}, out)


def header(result: Extraction, table: str) -> str:
    return (result.out / "tables" / table).read_text().splitlines()[0]


def manifest(result: Extraction, table: str) -> dict[str, Any]:
    return json.loads((result.out / "tables" / f"{table}.manifest").read_text())


def known(result: Extraction, data_type: str) -> list[str]:
    state = json.loads((result.out / "state.json").read_text())
    rows = state["json_parser.struct"]["data"][f"_{data_type}"]["[]"]
    return [key[1:] for key in rows if key.startswith("_")]


def test_with_iterations_the_plain_configuration_does_not_run(api: Api, tmp_path: Path):
    run(api, tmp_path, {"team": "a"}, {"team": "b"}, team="plain")

    assert api.asked("/users") == ["team=a", "team=b"]


@pytest.mark.parametrize("iterations", [[], {}, None])
def test_no_iterations_are_the_plain_configuration(api: Api, tmp_path: Path, iterations: Any):
    document = parameters(api.url, {"endpoint": "users", "params": {"team": "plain"}})

    run_extraction({**document, "iterations": iterations}, tmp_path)

    assert api.asked("/users") == ["team=plain"]


def test_iterations_of_one_bucket_fill_the_same_tables(api: Api, tmp_path: Path):
    result = run(api, tmp_path, {"team": "a"}, {"team": "b"})

    assert result.rows("test.users") == [
        {"id": "1", "only_a": "a", "only_b": ""},
        {"id": "1", "only_a": "", "only_b": "b"},
    ]


def test_iterations_of_different_buckets_have_tables_of_their_own(api: Api, tmp_path: Path):
    result = run(api, tmp_path, {"team": "a"}, {"team": "b", "outputBucket": "other"})

    assert header(result, "test.users") == '"id","only_a"'
    assert manifest(result, "other.users")["destination"] == "in.c-other.users"


def test_a_later_bucket_has_the_columns_of_earlier_iterations_in_front_but_not_the_other_way_round(
    api: Api, tmp_path: Path
):
    result = run(api, tmp_path, {"team": "a"}, {"team": "b", "outputBucket": "other"})

    assert result.rows("other.users") == [{"id": "1", "only_a": "", "only_b": "b"}]
    assert header(result, "test.users") == '"id","only_a"'


def test_a_bucket_that_is_open_already_learns_nothing_from_others(api: Api, tmp_path: Path):
    other = {"outputBucket": "other"}

    result = run(api, tmp_path, {"team": "a"}, {"team": "b", **other}, {"team": "c"}, {"team": "d", **other})

    assert header(result, "test.users") == '"id","only_a","only_c"'
    assert header(result, "other.users") == '"id","only_a","only_b","only_d"'


def test_the_state_knows_what_all_iterations_have_seen(api: Api, tmp_path: Path):
    result = run(api, tmp_path, {"team": "a"}, {"team": "b", "outputBucket": "other"}, {"team": "c"})

    assert known(result, "users") == ["id", "only_a", "only_b", "only_c"]


def test_each_iteration_has_its_own_users_data_and_headers(api: Api, tmp_path: Path):
    first = {"team": "a", "userData": {"from": TEAM}, "http": {"headers": {"X-Team": TEAM}}}

    result = run(api, tmp_path, first, {"team": "b"}, userData={"all": "x"}, http={"headers": {"X-All": "y"}})

    assert [(seen.headers.get("x-team"), seen.headers.get("x-all")) for seen in api.seen] == [("a", None), (None, "y")]
    assert [(row["from"], row["all"]) for row in result.rows("test.users")] == [("a", ""), ("", "x")]


def test_a_table_is_incremental_as_the_last_iteration_of_its_bucket_says(api: Api, tmp_path: Path):
    other = {"outputBucket": "other"}

    result = run(
        api,
        tmp_path,
        {"team": "a", "incrementalOutput": True},
        {"team": "b", **other},
        {"team": "c"},
        {"team": "d", **other, "incrementalOutput": True},
    )

    assert manifest(result, "test.users")["incremental"] is False
    assert manifest(result, "other.users")["incremental"] is True


def test_the_first_iteration_of_a_bucket_decides_about_its_mappings(api: Api, tmp_path: Path):
    mapped = {"mappings": {"users": {"id": "number"}}}

    result = run(
        api,
        tmp_path,
        {"team": "a", **mapped},
        {"team": "b", "mappings": {"users": {"only_b": "x"}}},
        {"team": "c"},
        {"team": "d", "outputBucket": "plain"},
        {"team": "e", "outputBucket": "plain", **mapped},
    )

    assert (tmp_path / "tables/test.users").read_text() == '"number"\n"1"\n"1"\n"1"\n'
    assert header(result, "plain.users") == '"id","only_d","only_e"'


def test_records_that_are_mapped_are_not_remembered(api: Api, tmp_path: Path):
    run(api, tmp_path, {"team": "a", "mappings": {"users": {"id": "number"}}}, {"team": "b"})

    assert list(json.loads((tmp_path / "state.json").read_text())) == ["time"]


def test_records_that_are_not_mapped_are_remembered_whatever_later_iterations_map(api: Api, tmp_path: Path):
    result = run(api, tmp_path, {"team": "a"}, {"team": "b", "mappings": {"users": {"id": "number"}}})

    assert known(result, "users") == ["id", "only_a", "only_b"]


def test_every_iteration_adds_the_tables_that_it_maps_but_has_no_records_for(api: Api, tmp_path: Path):
    orders = {"mappings": {"orders": {"id": {"mapping": {"destination": "id", "primaryKey": True}}}}}

    result = run(api, tmp_path, {"team": "a"}, {"team": "b", "incrementalOutput": True, **orders}, {"team": "c"})

    assert header(result, "test.orders") == '"id"'
    assert list(manifest(result, "test.orders").items()) == [
        ("incremental", True),
        ("destination", "in.c-test.orders"),
        ("primary_key", ["id"]),
    ]
    assert manifest(result, "test.users")["incremental"] is False


def test_buckets_are_told_in_debug_mode(api: Api, tmp_path: Path):
    result = run(api, tmp_path, {"team": "a"}, {"team": "b", "outputBucket": "", "debug": True})

    assert "logger.DEBUG: Processing results for test. [] []" in result.log
    assert "logger.DEBUG: Processing results for __kbc_default. [] []" in result.log


def test_a_later_iteration_that_fails_takes_everything_with_it(api: Api, tmp_path: Path):
    document = parameters(api.url, {"endpoint": "users", "params": {"team": TEAM}})
    iterations = [{"team": "a"}, {"team": "b", "jobs": [{"endpoint": "gone"}]}]

    result = try_extraction({**document, "iterations": iterations}, tmp_path / "out")

    assert result.error is not None
    assert "[404]" in result.error
    assert [path.name for path in (tmp_path / "out").iterdir()] == ["report.json"]


def test_a_mistake_in_any_iteration_is_found_before_the_first_request(api: Api, tmp_path: Path):
    document = parameters(api.url, {"endpoint": "users", "params": {"team": TEAM}})

    result = try_extraction({**document, "iterations": [{"team": "a"}, {"jobs": []}]}, tmp_path / "out")

    assert result.error is not None
    assert result.error.startswith("The 'jobs' section is required in the configuration.")
    assert api.seen == []


@pytest.mark.parametrize("level", [1, 3])
def test_the_table_of_a_list_gives_way_to_a_mapped_table(tmp_path: Path, level: int):
    config = {
        "compatLevel": level,
        "mappings": {
            "tags": {"id": "id", "more": {"type": "table", "destination": "users_l", "tableMapping": {"x": "x"}}}
        },
    }
    with Api() as api:
        api.on("/users", {"items": [{"tags": [1], "l": [2]}]})
        api.on("/tags", {"items": [{"id": 5, "more": [{"x": 6}]}]})
        document = parameters(api.url, {"endpoint": "users"}, {"endpoint": "tags"})
        document["config"] |= config
        result = run_extraction(document, tmp_path)

    tables = {path.name for path in (tmp_path / "tables").iterdir() if path.suffix != ".manifest"}
    assert result.column("test.users_l", "x") == ["6"]
    (other,) = tables - {"test.users", "test.tags", "test.users_tags", "test.users_l"}
    assert other.startswith("test.users_l_")
    assert result.column(other, "data") == ["2"]
