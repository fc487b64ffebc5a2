"""The SQL transformation and types: typed inputs arrive typed, and outputs have types if they are wanted."""

from __future__ import annotations

import json
from typing import Any

import pytest

from penstock.components.duckdb_transformation.transform import transform as duckdb_transform
from tests.support.components import Finished, Trial


def transform(trial: Trial, *statements: str, support: str = "authoritative") -> Finished:
    output = {"tables": [{"source": "result", "destination": "out.c-main.result"}]}
    document = {"parameters": {"script": list(statements)}, "storage": {"output": output}}
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("KBC_DATA_TYPE_SUPPORT", support)
        return trial.call(duckdb_transform, document)


def column(name: str, kind: str, length: str | None = None) -> dict[str, Any]:
    native = {"type": kind, **({"length": length} if length else {})}
    return {"name": name, "primary_key": False, "nullable": True, "data_type": {"base": {}, "snowflake": native}}


def schema(done: Finished) -> dict[str, Any]:
    assert (done.code, done.errors) == (0, "")
    manifest = json.loads(done.text("tables/result.manifest"))
    return {each["name"]: each["data_type"]["snowflake"] for each in manifest["schema"]}


SCHEMA = [
    column("id", "NUMBER", "38,0"),
    column("price", "NUMBER", "10,2"),
    column("on", "BOOLEAN"),
    column("at", "TIMESTAMP_TZ", "9"),
    column("note", "VARCHAR", "16777216"),
]


def test_a_typed_input_arrives_with_its_types(trial: Trial) -> None:
    trial.add_table("t.csv", 'id,price,on,at,note\n1,"2.50",false,2026-02-28T10:00:00+02:00,""\n2,,,,\n', schema=SCHEMA)

    done = transform(
        trial,
        'CREATE TABLE result AS SELECT id, price * 2 AS price, NOT "on" AS "on", '
        "\"at\" = TIMESTAMPTZ '2026-02-28 08:00:00+00' AS moment, note, note IS NULL AS missing FROM t ORDER BY id",
    )

    assert done.text("tables/result").splitlines()[1:] == ['1,5.00,true,true,"",false', "2,,,,,true"]
    assert schema(done)["price"]["type"] == "NUMBER"


def test_a_value_that_does_not_fit_is_named(trial: Trial) -> None:
    trial.add_table("t.csv", "id,price,on,at,note\n1,2,true,,x\n2,much,true,,x\n", schema=SCHEMA)

    done = transform(trial, "CREATE TABLE result AS FROM t")

    assert (done.code, done.errors) == (
        1,
        'Loading the input table "t" failed: row 2 has "much" in the column "price", whose type in Storage is '
        "DECIMAL(10,2). Correct the value, or change the type of the column.\n",
    )


def test_an_output_has_the_types_of_the_engine(trial: Trial) -> None:
    done = transform(
        trial,
        "CREATE TABLE result AS SELECT 1 AS i, sum(1) AS s, 1.50::DECIMAL(10, 2) AS d, 0.5::DOUBLE AS f, true AS b, "
        "DATE '2026-02-28' AS day, TIME '10:00' AS clock, TIMESTAMP '2026-02-28 10:00:00' AS ts, "
        "TIMESTAMPTZ '2026-02-28 10:00:00+00' AS tz, TIMESTAMP_NS '2026-02-28 10:00:00.123456789' AS ns, "
        "'x' AS text, [1] AS list, uuid() AS u",
    )

    assert schema(done) == {
        "i": {"type": "NUMBER", "length": "38,0"},
        "s": {"type": "NUMBER", "length": "38,0"},
        "d": {"type": "NUMBER", "length": "10,2"},
        "f": {"type": "FLOAT"},
        "b": {"type": "BOOLEAN"},
        "day": {"type": "DATE"},
        "clock": {"type": "TIME"},
        "ts": {"type": "TIMESTAMP_NTZ"},
        "tz": {"type": "TIMESTAMP_TZ"},
        "ns": {"type": "VARCHAR"},
        "text": {"type": "VARCHAR"},
        "list": {"type": "VARCHAR"},
        "u": {"type": "VARCHAR"},
    }


def test_null_in_an_output_of_one_column_is_no_empty_line(trial: Trial) -> None:
    done = transform(trial, "CREATE TABLE result AS SELECT * FROM (VALUES (NULL), (''), ('x')) AS t(v)")

    assert done.text("tables/result") == '"v"\n\\N\n""\n"x"\n'
    assert json.loads(done.text("tables/result.manifest"))["treat_values_as_null"] == ["\\N"]
    taken = transform(trial, r"CREATE TABLE result AS SELECT * FROM (VALUES (NULL), ('\N')) AS t(v)")
    [null] = json.loads(taken.text("tables/result.manifest"))["treat_values_as_null"]
    assert null.startswith("null-")


def test_an_input_of_one_column_is_null_where_it_is_empty(trial: Trial) -> None:
    trial.add_table("t.csv", 'v\n""\n"x"\n', schema=[column("v", "VARCHAR")])

    done = transform(trial, "CREATE TABLE result AS SELECT count(*) AS a, count(v) AS b FROM t")

    assert done.text("tables/result") == "a,b\n2,1\n"


@pytest.mark.parametrize("support", ["none", ""])
def test_without_types_an_output_has_no_manifest(trial: Trial, support: str) -> None:
    trial.add_table("t.csv", "id,v\n1,\n", schema=[column("id", "NUMBER", "38,0"), column("v", "VARCHAR")])

    done = transform(trial, "CREATE TABLE result AS SELECT id + 1 AS id, v IS NULL AS missing FROM t", support=support)

    assert (done.names(), done.text("tables/result")) == (["result"], "id,missing\n2,true\n")


def test_a_broken_manifest_of_an_input_is_an_error(trial: Trial) -> None:
    trial.add_table("t.csv", "id\n1\n", schema="id")

    done = transform(trial, "CREATE TABLE result AS FROM t")

    assert done.code == 1
    assert (
        'The manifest "t.csv.manifest" of an input table cannot be read: `schema`: This must be a list' in done.errors
    )
