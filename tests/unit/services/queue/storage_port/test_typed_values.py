"""Values of all types through the extractor, Storage, a SQL transformation and Storage again: they come out equal."""

from __future__ import annotations

import io
import sys
import tempfile
from collections.abc import Generator
from datetime import UTC, datetime
from decimal import Decimal
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import HealthCheck, given
from hypothesis import strategies as st

from penstock.cli.extract import RECURSION_LIMIT
from penstock.components.duckdb_transformation.transform import transform
from penstock.components.program import Data
from penstock.extractor.base.log import Log
from penstock.foundation.lake import LakeTable
from penstock.foundation.redaction import Redactor
from penstock.runtime.data_folder import DataFolder
from penstock.services.storage.store import buckets
from tests.support.api import Api, Response
from tests.support.examples import examples
from tests.support.extraction import parameters, try_extraction
from tests.support.stacks import ServicesOnly
from tests.unit.services.fill import first_project
from tests.unit.services.queue.storage_port.ports import fetch, numbers, port_of, store

Record = dict[str, Any]

decimals = st.decimals(-(10**12), 10**12, places=6).map(lambda number: Decimal(str(number).rstrip("0").rstrip(".")))
moments = st.datetimes(datetime(1900, 1, 1), datetime(2200, 1, 1))
texts = st.text(st.characters(codec="utf-8", exclude_characters="\0"), max_size=8)
KINDS = (
    st.booleans(),
    st.integers(-(10**37), 10**37),
    decimals,
    st.dates(datetime(1, 1, 1).date()).map(str),
    moments.map(lambda moment: moment.isoformat()),
    moments.map(lambda moment: moment.replace(tzinfo=UTC).isoformat()),
    st.sampled_from(["", " ", '"', "\\N", "NULL", "null", "a,b\r\nc", "1"]) | texts,
)
columns = st.lists(st.one_of(*map(st.just, KINDS)) | st.just(st.one_of(*KINDS)), min_size=1, max_size=4)


@st.composite
def runs(draw: st.DrawFn) -> list[list[Record]]:
    """The records of two runs, whose columns mostly have one type; a record has an id and perhaps nulls."""
    kinds = [st.none() | kind for kind in draw(columns)]
    record = st.fixed_dictionaries({f"c{number}": kind for number, kind in enumerate(kinds)})
    found = draw(st.tuples(st.lists(record, min_size=1, max_size=4), st.lists(record, min_size=1, max_size=4)))
    ids = iter(range(100))
    return [[{"id": next(ids), **each} for each in records] for records in found]


@pytest.fixture(scope="module")
def api() -> Generator[Api]:
    sys.setrecursionlimit(RECURSION_LIMIT)  # as each extraction does; Hypothesis warns about a change during a test
    with Api() as api:
        yield api


@pytest.mark.parametrize("shared", ["sqlite"], indirect=True)
@examples(40, deadline=None, suppress_health_check=list(HealthCheck))
@given(runs())
def test_values_come_out_equal(shared: ServicesOnly, api: Api, records: list[list[Record]]) -> None:
    name = f"typed{next(numbers)}"
    with tempfile.TemporaryDirectory() as folder:
        for number, run in enumerate(records):
            _extract(shared, api, Path(folder) / f"extract{number}", name, run)
        _transform(shared, Path(folder) / "transform", name)
    expected = {record["id"]: record for run in records for record in run}

    for table in (f"in.c-{name}.t", f"out.c-{name}.t"):
        found = _read(shared, table)
        assert found.keys() == expected.keys()
        for number, record in expected.items():
            pairs = {key: (value, found[number][key]) for key, value in record.items()}
            assert [pair for pair in pairs.items() if not _are_equal(*pair[1])] == []


def _extract(services: ServicesOnly, api: Api, path: Path, name: str, records: list[Record]) -> None:
    folder = DataFolder(path)
    folder.create()
    encoded = [{key: _encoded(value) for key, value in record.items()} for record in records]
    api.on("/t", Response(200, msgspec.json.encode(encoded)))
    document = parameters(api.url, {"endpoint": "t", "primaryKey": "id", "incremental": True})
    document["config"] |= {"types": "infer", "outputBucket": name}
    result = try_extraction(document, path / "out")
    assert result.error is None, result.error
    for other in ("state.json", "report.json"):
        (path / "out" / other).unlink(missing_ok=True)
    store(port_of(services), folder, {})


def _encoded(value: Any) -> Any:
    return msgspec.Raw(f"{value:f}".encode()) if isinstance(value, Decimal) else value


def _transform(services: ServicesOnly, path: Path, name: str) -> None:
    folder, port = DataFolder(path), port_of(services)
    folder.create()
    fetch(port, folder, tables=[{"source": f"in.c-{name}.t", "destination": "t.csv"}])
    output: dict[str, Any] = {"tables": [{"source": "r", "destination": f"out.c-{name}.t", "primary_key": ["id"]}]}
    document = {"parameters": {"script": ["CREATE TABLE r AS FROM t"]}, "storage": {"output": output}}
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("KBC_DATA_TYPE_SUPPORT", "authoritative")
        transform(Data(folder=path, document=document, log=Log(io.StringIO(), Redactor())))
    store(port, folder, {}, **output)


def _read(services: ServicesOnly, table_id: str) -> dict[int, dict[str, str | None]]:
    bucket_id, _, name = table_id.rpartition(".")
    caller = first_project(services).caller
    with services.stack.database.reading() as tx:
        bucket = buckets.find_bucket(tx, caller.project_id, caller.storage_branch_id, bucket_id)
    assert bucket
    with services.stack.lake.existing(LakeTable(bucket.number, name)) as session:
        rows = session.execute(f"SELECT COLUMNS(c -> c NOT LIKE '\\_%' ESCAPE '\\')::VARCHAR FROM {session.address}")
        names = [column[0] for column in rows.description or ()]
        found = [dict(zip(names, row, strict=True)) for row in rows.fetchall()]
    return {int(row["id"] or ""): row for row in found}


def _are_equal(value: Any, text: str | None) -> bool:
    if value is None or isinstance(value, bool):
        return text == {None: None, True: "true", False: "false"}[value]
    if text is None or isinstance(value, str):
        return text == value or (text is not None and _moment(value) == _moment(text) is not None)
    return Decimal(text) == value


def _moment(text: str) -> datetime | None:
    try:
        return datetime.fromisoformat(text)
    except ValueError:
        return None
