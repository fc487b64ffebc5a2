"""Profiles of tables: statistics of each column, computed by a job."""

from __future__ import annotations

from typing import Any

import pytest

from penstock.foundation.lake import profiles as lake_profiles
from penstock.services.storage.operations.tables import profiles
from tests.support.http import Http
from tests.support.stacks import ServicesOnly
from tests.unit.services.each_database import shared
from tests.unit.services.storage.loading import load, make_table, storage, succeed
from tests.unit.services.storage.storage_branches.making import Branched

__all__ = ["shared"]

T = "in.c-main.users"
PATH = f"/tables/{T}/profile"
CSV = "id,name,price,city\n1,Ada,1.5,\n2,Emmy,2.5,Prague\n3,Ada,5,\n"


@pytest.fixture
def http(new_project: ServicesOnly) -> Http:
    return storage(new_project)


def facts(profile: Any, column: str) -> Any:
    return next(each["profile"] for each in profile["columns"] if each["name"] == column)


def test_a_profile_tells_what_the_columns_hold(http: Http):
    make_table(http, CSV)

    profile = succeed(http, http.post(PATH))

    assert (profile["tableId"], profile["profile"]["rowCount"], profile["profile"]["columnCount"]) == (T, 3, 4)
    assert profile["profile"]["dataSize"] == http.get(f"/tables/{T}").json["dataSizeBytes"]
    assert facts(profile, "name") == {
        "nullCount": 0,
        "distinctCount": 2,
        "duplicateCount": 1,
        "isEstimate": False,
        "length": {"min": 3, "max": 4, "avg": 10 / 3},
        "minValue": "Ada",
        "maxValue": "Emmy",
        "numericStatistics": None,
    }
    assert facts(profile, "price")["numericStatistics"] == {"min": 1.5, "max": 5.0, "avg": 3.0, "median": 2.5}
    assert (facts(profile, "city")["nullCount"], facts(profile, "city")["distinctCount"]) == (2, 1)


def test_the_newest_profile_is_kept(http: Http):
    make_table(http, CSV)
    missing = http.get(PATH)
    assert (missing.status, missing.json["code"]) == (404, "storage.tables.profileNotFound")
    assert "POST tables/" in missing.json["error"]

    first = succeed(http, http.post(PATH))
    assert http.get(PATH).json == first
    succeed(http, load(http, T, "id,name,price,city\n9,Zoe,,\n"))
    assert http.get(PATH).json == first
    second = succeed(http, http.post(PATH))

    assert http.get(PATH).json == second != first


def test_another_table_of_the_same_id_has_no_profile(http: Http):
    make_table(http, CSV)
    succeed(http, http.post(PATH))
    assert http.delete(f"/tables/{T}").status == 204
    make_table(http, CSV)

    assert http.get(PATH).status == 404


def test_columns_of_typed_and_of_empty_tables_have_profiles(http: Http):
    http.post("/buckets", {"name": "main"})
    columns = [
        {"name": "day", "basetype": "DATE"},
        {"name": "n", "basetype": "INTEGER"},
        {"name": "t", "basetype": "STRING"},
    ]
    body = {"name": "users", "columns": columns}
    succeed(http, http.post("/buckets/in.c-main/tables-definition", body))
    empty = succeed(http, http.post(PATH))
    assert facts(empty, "n")["numericStatistics"] is None
    assert facts(empty, "day")["length"] == {"min": 0, "max": 0, "avg": 0.0}
    succeed(http, load(http, T, "day,n,t\n2026-01-02,7,nan\n2026-01-01,,inf\n"))

    profile = succeed(http, http.post(PATH))

    assert (facts(profile, "day")["minValue"], facts(profile, "day")["maxValue"]) == ("2026-01-01", "2026-01-02")
    assert facts(profile, "n")["numericStatistics"] == {"min": 7.0, "max": 7.0, "avg": 7.0, "median": 7.0}
    assert (facts(profile, "n")["nullCount"], facts(profile, "t")["numericStatistics"]) == (1, None)


def test_large_tables_are_estimated(http: Http, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(lake_profiles, "MAX_EXACT_ROWS", 2)
    monkeypatch.setattr(profiles, "MAX_EXACT_ROWS", 2)
    make_table(http, CSV)

    profile = succeed(http, http.post(PATH))

    assert facts(profile, "name")["isEstimate"] is True
    assert 1 <= facts(profile, "name")["distinctCount"] <= 3


def test_a_reader_computes_a_profile_and_others_do_not(http: Http):
    make_table(http, CSV)
    reader = http.post("/tokens", {"bucketPermissions": {"in.c-main": "read"}}).json["token"]
    nobody = http.post("/tokens", {"description": "nobody"}).json["token"]

    succeed(http, Http(http.base, reader).post(PATH))

    assert Http(http.base, reader).get(PATH).status == 200
    assert (Http(http.base, nobody).get(PATH).status, Http(http.base, nobody).post(PATH).status) == (403, 403)


def test_a_branch_with_its_own_storage_has_its_own_profile(new_project: ServicesOnly):
    branched = Branched(new_project)
    branched.make_tables()
    branched.run(branched.branch, PATH)

    assert (branched.branch.get(PATH).status, branched.main.get(PATH).status) == (200, 404)


def test_an_alias_has_no_profile_of_its_own(http: Http):
    make_table(http, CSV)
    http.post("/buckets/in.c-main/table-aliases", {"sourceTable": T, "name": "alias"})

    refused = http.post("/tables/in.c-main.alias/profile")

    assert (refused.status, "source table" in refused.json["error"]) == (400, True)
