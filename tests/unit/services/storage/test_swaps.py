"""Swapped tables: each has the rows, columns, types and key of the other; names, aliases and descriptions stay."""

from __future__ import annotations

from typing import Any

import pytest

from penstock.foundation.callers import Caller
from penstock.foundation.errors import Unavailable
from penstock.foundation.lake import copy_table
from penstock.foundation.stack import Stack
from penstock.services.storage.models.jobs import JobRow
from penstock.services.storage.operations import work
from penstock.services.storage.operations.tables import swaps
from tests.support.http import Http
from tests.support.stacks import ServicesOnly
from tests.unit.services.each_database import shared
from tests.unit.services.storage.loading import fail, load, make_table, rows, storage, succeed
from tests.unit.services.storage.storage_branches.making import Branched

__all__ = ["shared"]

OLD, NEW = "in.c-main.users", "in.c-other.staged"
OLD_CSV, NEW_CSV = "id,name\n1,Ada\n", "key,city,id\n7,Prague,70\n8,Brno,80\n"
OLD_ROWS, NEW_ROWS = [["1", "Ada"]], [["7", "Prague", "70"], ["8", "Brno", "80"]]


@pytest.fixture
def http(new_project: ServicesOnly) -> Http:
    return storage(new_project)


def make_both(http: Http) -> None:
    make_table(http, OLD_CSV, primaryKey="id")
    make_table(http, NEW_CSV, "staged", "other", primaryKey="key,city")


def swap(http: Http, table_id: str = OLD, target_id: str = NEW) -> Any:
    return http.post(f"/tables/{table_id}/swap", {"targetTableId": target_id})


def shape(http: Http, table_id: str) -> Any:
    table = http.get(f"/tables/{table_id}").json
    return table["columns"], table["primaryKey"], table["rowsCount"]


def snapshots(http: Http) -> Any:
    return http.get(f"/tables/{OLD}/snapshots").json


def test_two_tables_get_the_rows_columns_and_keys_of_each_other(http: Http):
    make_both(http)

    succeed(http, swap(http))

    assert (rows(http, OLD), rows(http, NEW)) == (NEW_ROWS, OLD_ROWS)
    assert shape(http, OLD) == (["key", "city", "id"], ["key", "city"], 2)
    assert shape(http, NEW) == (["id", "name"], ["id"], 1)
    assert snapshots(http) == []


def test_a_table_is_loaded_by_its_new_key_afterwards_and_swapped_back(http: Http):
    make_both(http)
    succeed(http, swap(http))
    succeed(http, load(http, OLD, "key,city,id\n7,Prague,71\n9,Plzen,90\n", incremental=1))
    assert rows(http, OLD) == [["7", "Prague", "71"], ["8", "Brno", "80"], ["9", "Plzen", "90"]]

    succeed(http, swap(http))

    assert (rows(http, OLD), len(rows(http, NEW))) == (OLD_ROWS, 3)


def test_metadata_goes_with_the_columns_and_stays_with_the_tables(http: Http):
    make_both(http)
    for table, column in ((OLD, "id"), (NEW, "id"), (NEW, "city")):
        item = {"metadata": [{"key": "note", "value": f"{table} {column}"}], "provider": "user"}
        assert http.post(f"/columns/{table}.{column}/metadata", item).status == 201
    http.post(f"/tables/{OLD}/metadata", {"metadata": [{"key": "note", "value": "of the table"}], "provider": "user"})

    succeed(http, swap(http))

    notes = {
        (table, column): [item["value"] for item in items]
        for table in (OLD, NEW)
        for column, items in http.get(f"/tables/{table}").json["columnMetadata"].items()
    }
    assert notes == {(OLD, "id"): [f"{NEW} id"], (OLD, "city"): [f"{NEW} city"], (NEW, "id"): [f"{OLD} id"]}
    assert [item["value"] for item in http.get(f"/tables/{OLD}/metadata").json] == ["of the table"]


def test_typed_tables_keep_their_types(http: Http):
    make_table(http, OLD_CSV)
    body = {"name": "staged", "columns": [{"name": "n", "basetype": "INTEGER"}]}
    http.post("/buckets", {"name": "other"})
    succeed(http, http.post("/buckets/in.c-other/tables-definition", body))
    succeed(http, load(http, NEW, "n\n12\n"))

    succeed(http, swap(http))

    table = http.get(f"/tables/{OLD}").json
    assert (table["isTyped"], table["definition"]["columns"][0]["basetype"]) == (True, "INTEGER")
    assert http.get(f"/tables/{NEW}").json["isTyped"] is False
    assert fail(http, load(http, OLD, "n\nmany\n"))[0] == "invalidData"


def test_both_tables_have_an_event(http: Http):
    make_both(http)

    succeed(http, swap(http))

    for table in (OLD, NEW):
        events = http.get(f"/tables/{table}/events").json
        assert "storage.tableSwapped" in [event["event"] for event in events]


def test_an_alias_shows_the_new_rows_and_needs_its_columns(http: Http):
    make_both(http)
    http.post("/buckets/in.c-main/table-aliases", {"sourceTable": OLD, "name": "all"})
    succeed(http, swap(http))
    assert rows(http, "in.c-main.all") == NEW_ROWS
    http.post("/buckets/in.c-main/table-aliases", {"sourceTable": OLD, "name": "some", "aliasColumns": ["city"]})

    refused = swap(http, NEW, OLD)

    assert (refused.status, refused.json["code"]) == (400, "storage.tables.validation")
    assert 'The alias "in.c-main.some" uses the column "city"' in refused.json["error"]


@pytest.mark.parametrize(
    ("target_id", "status", "words"),
    [
        ("", 400, "targetTableId is missing"),
        (OLD, 400, "cannot be swapped with itself"),
        ("in.c-main.none", 404, '"none" was not found'),
        ("in.c-main.alias", 400, "is an alias or linked"),
        ("none", 404, "was not found"),
    ],
)
def test_what_cannot_be_swapped_is_refused_immediately(http: Http, target_id: str, status: int, words: str):
    make_both(http)
    http.post("/buckets/in.c-main/table-aliases", {"sourceTable": NEW, "name": "alias"})

    refused = swap(http, OLD, target_id)

    assert (refused.status, words in refused.json["error"]) == (status, True), refused.text


def test_a_token_must_write_both_tables(http: Http):
    make_both(http)
    permissions = {"in.c-main": "write", "in.c-other": "read"}
    token = http.post("/tokens", {"bucketPermissions": permissions}).json["token"]

    assert swap(Http(http.base, token)).status == 403
    assert swap(Http(http.base, token), NEW, OLD).status == 403


def test_a_branch_with_its_own_storage_swaps_its_own_tables(new_project: ServicesOnly):
    branched = Branched(new_project)
    branched.make_tables()
    branched.make_tables("staged")
    branched.make_in_branch("third", "id,name\n3,third\n")

    branched.run(branched.branch, f"/tables/{OLD}/swap", {"targetTableId": "in.c-main.third"})

    assert branched.rows() == ([["1", "main"]], [["3", "third"]])


def test_a_swap_that_is_repeated_after_each_step_happens_once(http: Http, monkeypatch: pytest.MonkeyPatch):
    """The worker is lost after its work, so that another one repeats it."""
    attempts: list[JobRow] = []

    def lose(stack: Stack, caller: Caller, job: JobRow) -> Any:
        swaps.swap_tables(stack, caller, job)
        attempts.append(job)
        if len(attempts) == 1:
            raise Unavailable("lost")

    make_both(http)
    monkeypatch.setitem(work.OPERATIONS, "tableSwap", lose)

    succeed(http, swap(http))

    assert [job.params["_isSwapped"] for job in attempts] == [False, True]
    assert (rows(http, OLD), rows(http, NEW), snapshots(http)) == (NEW_ROWS, OLD_ROWS, [])


def test_a_swap_that_goes_on_after_the_first_table_loses_nothing(http: Http, monkeypatch: pytest.MonkeyPatch):
    calls: list[str | None] = []

    def lose(stack: Stack, job: JobRow, pair: swaps.Pair) -> Any:
        calls.append(job.worker)
        if len(calls) == 1:
            raise Unavailable("lost")
        return original(stack, job, pair)

    original = swaps._fill_second  # pyright: ignore[reportPrivateUsage]
    make_both(http)
    monkeypatch.setattr(swaps, "_fill_second", lose)

    succeed(http, swap(http))

    assert (rows(http, OLD), rows(http, NEW), snapshots(http)) == (NEW_ROWS, OLD_ROWS, [])


def test_a_swap_that_fails_halfway_is_undone(http: Http, monkeypatch: pytest.MonkeyPatch):
    failing = FailingCopies(fails=[3])
    make_both(http)
    monkeypatch.setattr(swaps, "copy_table", failing)

    code, _ = fail(http, swap(http))

    assert code
    assert (rows(http, OLD), rows(http, NEW), snapshots(http)) == (OLD_ROWS, NEW_ROWS, [])


def test_a_swap_that_cannot_be_undone_keeps_the_rows_as_a_snapshot(http: Http, monkeypatch: pytest.MonkeyPatch):
    make_both(http)
    monkeypatch.setattr(swaps, "copy_table", FailingCopies(fails=[3, 4]))

    code, message = fail(http, swap(http))

    [kept] = snapshots(http)
    assert (code, f"snapshot {kept['id']}" in message) == ("storage.tables.swapInterrupted", True)
    http.post("/buckets", {"name": "back"})
    body = {"name": "users", "snapshotId": kept["id"]}
    succeed(http, http.post("/buckets/in.c-back/tables-async", body))
    assert rows(http, "in.c-back.users") == OLD_ROWS


class FailingCopies:
    """Copies rows; some of the copies fail, counted from the second: the first one makes the snapshot."""

    def __init__(self, fails: list[int]) -> None:
        self.fails, self.count = fails, 1

    def __call__(self, *places: Any, **options: Any) -> Any:
        self.count += 1
        if self.count in self.fails:
            raise ValueError("no copy")
        return copy_table(*places, **options)
