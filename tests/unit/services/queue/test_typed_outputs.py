"""Tables with types that components write: new ones, and existing ones whose types become wider."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import text

from penstock.foundation.lake import LakeTable
from penstock.services.management import interface as management
from tests.support.stacks import ServicesOnly
from tests.unit.services.queue.own_components import add_component, messages, run

OWN = "own.test"
T = "in.c-main.t"
SCRIPT = """
text, manifest = config["parameters"]["table"]
write_table("t.csv", text, **{"destination": "in.c-main.t", **manifest})
"""
WIDENS: dict[str, Any] = {"has_header": True, "treat_values_as_null": [], "table_modifications": "non-destructive"}
on_sqlite = pytest.mark.parametrize("services_on_each", ["sqlite"], indirect=True)


@pytest.fixture
def typed(services: ServicesOnly, tmp_path: Path) -> ServicesOnly:
    add_component(services, tmp_path, OWN, SCRIPT)
    return services


def write(
    services: ServicesOnly, rows: str, types: dict[str, str] | None, output: dict[str, Any] | None = None, **more: Any
) -> dict[str, Any]:
    """A job that writes a table; `types` are the base types of its columns, an empty one for a column without."""
    schema = [_column(name, kind) for name, kind in (types or {}).items()]
    manifest = {**({"schema": schema, **WIDENS} if schema else {}), **more}
    data = {"parameters": {"table": [rows, manifest]}, "storage": {"output": output or {}}}
    return run(services, OWN, configData=data)


def _column(name: str, kind: str) -> dict[str, Any]:
    base, _, length = kind.partition(" ")
    return {"name": name, **({"data_type": {"base": {"type": base, "length": length}}} if kind else {})}


def shown(services: ServicesOnly) -> dict[str, Any]:
    return services.service("storage").get(f"/v2/storage/tables/{T}").json


def types(services: ServicesOnly) -> list[str]:
    """Of the columns, in the order of their names."""
    columns = sorted(shown(services)["definition"]["columns"], key=lambda column: column["name"])
    kinds = [column.get("definition", {"type": ""}) for column in columns]
    return [f"{kind['type']} {kind['length']}" if kind["type"] == "NUMBER" else kind["type"] for kind in kinds]


def rows(services: ServicesOnly) -> list[tuple[str | None, ...]]:
    """As the lake stores them: NULL is not the empty text."""
    with services.stack.database.reading() as tx:
        [number] = tx.connection.execute(text("SELECT number FROM storage_buckets")).scalars()
    with services.stack.lake.existing(LakeTable(number, "t")) as session:
        names = ", ".join(f'"{name}"::VARCHAR' for name in sorted(shown(services)["columns"]))
        return sorted(session.execute(f"SELECT {names} FROM {session.address}").fetchall(), key=str)


def test_null_false_and_an_empty_text_are_three_values_and_types_become_wider(typed: ServicesOnly) -> None:
    first = {"id": "INTEGER", "n": "INTEGER", "on": "BOOLEAN", "t": "STRING"}
    job = write(typed, 'id,n,on,t\n1,5,false,""\n2,,,\n', first, incremental=True)
    assert job["status"] == "success", job["result"]
    assert (types(typed), rows(typed)) == (
        ["NUMBER 38,0", "NUMBER 38,0", "BOOLEAN", "VARCHAR"],
        [("1", "5", "false", ""), ("2", None, None, None)],
    )

    wider = {"id": "INTEGER", "n": "NUMERIC 38,2", "on": "STRING", "t": "INTEGER"}
    job = write(typed, 'id,n,on,t\n3,0.25,"maybe",7\n', wider, incremental=True)

    assert job["status"] == "success", job["result"]
    assert types(typed) == ["NUMBER 38,0", "NUMBER 38,2", "VARCHAR", "VARCHAR"]
    assert rows(typed) == [("1", "5.00", "false", ""), ("2", None, None, None), ("3", "0.25", "maybe", "7")]
    told = {item["key"]: item["value"] for item in shown(typed)["columnMetadata"]["n"]}
    assert (told["KBC.datatype.length"], told["KBC.datatype.basetype"]) == ("38,2", "NUMERIC")


@on_sqlite
def test_a_narrower_load_keeps_the_types_of_the_table(typed: ServicesOnly) -> None:
    write(typed, "id,v\n1,2.5\n", {"id": "INTEGER", "v": "NUMERIC 38,1"})
    write(typed, "id,v\n2,3\n", {"id": "INTEGER", "v": "INTEGER"})

    assert (types(typed), rows(typed)) == (["NUMBER 38,0", "NUMBER 38,1"], [("2", "3.0")])


@on_sqlite
def test_a_column_without_any_value_gets_the_type_of_its_first_values(typed: ServicesOnly) -> None:
    write(typed, "id,v\n1,\n", {"id": "INTEGER", "v": ""}, incremental=True)
    assert types(typed) == ["NUMBER 38,0", "VARCHAR"]

    write(typed, "id,v\n2,2026-02-28\n", {"id": "INTEGER", "v": "DATE"}, incremental=True)

    assert (types(typed), rows(typed)) == (["NUMBER 38,0", "DATE"], [("1", None), ("2", "2026-02-28")])


@on_sqlite
def test_an_untyped_table_gets_types_when_none_of_its_texts_stay(typed: ServicesOnly) -> None:
    types_given = {"id": "INTEGER", "v": "BOOLEAN"}
    write(typed, "id,v\n1,x\n", None)
    kept = write(typed, "id,v\n2,true\n", types_given, incremental=True)

    assert (types(typed), rows(typed)) == (["", ""], [("1", "x"), ("2", "true")])
    [warning] = [each for each in kept["result"]["warnings"] if "without types" in each]
    assert warning == (
        f"The table {T} exists without types, so the types of this load had no effect: its values were stored as "
        "texts. Delete the table and run the job again to get a typed one."
    )
    job = write(typed, "id,v\n3,false\n", types_given)
    assert job["status"] == "success", job["result"]
    assert (types(typed), rows(typed)) == (["NUMBER 38,0", "BOOLEAN"], [("3", "false")])
    assert shown(typed)["isTyped"]


@on_sqlite
@pytest.mark.parametrize(
    "output", [{"table_modifications": "none"}, {"tables": [{"source": "t.csv", "table_modifications": "none"}]}]
)
def test_the_configuration_may_forbid_wider_types(typed: ServicesOnly, output: dict[str, Any]) -> None:
    write(typed, "id,v\n1,2\n", {"id": "INTEGER", "v": "INTEGER"}, incremental=True)
    job = write(typed, "id,v\n2,x\n", {"id": "INTEGER", "v": "STRING"}, output, incremental=True)

    assert job["status"] == "error"
    assert f'Failed to load table "{T}": Load error: Row 2, column "v": "x" is not a valid' in job["result"]["message"]
    assert types(typed) == ["NUMBER 38,0", "NUMBER 38,0"]


@on_sqlite
def test_the_primary_key_of_the_configuration_goes_with_the_types_of_the_manifest(typed: ServicesOnly) -> None:
    output = {"tables": [{"source": "t.csv", "primary_key": ["id"]}]}
    job = write(typed, "id,v\n1,2\n", {"id": "INTEGER", "v": "INTEGER"}, output)

    assert job["status"] == "success", job["result"]
    assert (shown(typed)["primaryKey"], types(typed)) == (["id"], ["NUMBER 38,0", "NUMBER 38,0"])
    failed = write(typed, "id,v\n,2\n", {"id": "INTEGER", "v": "INTEGER"}, output)
    assert 'column "id": the value may not be empty' in failed["result"]["message"]


@on_sqlite
def test_a_wrong_table_modification_is_shown_with_the_right_ones(typed: ServicesOnly) -> None:
    job = write(typed, "id\n1\n", None, {"table_modifications": "some"})

    assert job["result"]["message"] == (
        '"container.storage.output.table_modifications": "some" is not a valid value. '
        'Use "none", "non-destructive" or "all".'
    )


@on_sqlite
def test_in_a_project_with_native_types_components_are_asked_for_types(services: ServicesOnly, tmp_path: Path) -> None:
    add_component(services, tmp_path, "own.asked", 'print("told", os.environ["KBC_DATA_TYPE_SUPPORT"])')
    with services.stack.database.writing() as tx:
        management.set_feature(tx, services.project.id, "native-types", is_on=True)

    assert "told authoritative" in messages(services, run(services, "own.asked", configData={"parameters": {}}))
