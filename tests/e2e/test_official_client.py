"""The official Python client, unmodified, against a stack: everything that it can do with what is built."""

from __future__ import annotations

import csv
import gzip
import random
from collections.abc import Generator
from pathlib import Path
from typing import Any

import pytest
import requests
from azure.core.exceptions import HttpResponseError, ResourceNotFoundError
from azure.storage.blob import BlobServiceClient
from kbcstorage.client import Client
from kbcstorage.workspaces import _generate_rsa_key_pair

from tests.support.stacks import RunningStack

COMPONENT = "ex-generic-v2"


@pytest.fixture(scope="module")
def client(stack: RunningStack) -> Client:
    return Client(stack.greeting["storageUrl"], stack.greeting["token"], "default")


@pytest.fixture
def bucket(client: Client, request: pytest.FixtureRequest) -> Generator[str]:
    name = f"t{abs(hash(request.node.name)) % 10**9}"
    yield client.buckets.create(name=name, stage="in", description="for a test")["id"]
    client.buckets.delete(f"in.c-{name}", force=True)


@pytest.fixture(autouse=True)
def _in_a_folder_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The client writes slices into the current folder."""
    monkeypatch.chdir(tmp_path)


def write_csv(path: Path, rows: list[list[Any]]) -> str:
    with path.open("w", newline="") as file:
        csv.writer(file, lineterminator="\n", quoting=csv.QUOTE_ALL).writerows(rows)
    return str(path)


def read_csv(path: str) -> list[list[str]]:
    with Path(path).open(newline="") as file:
        header, *rows = csv.reader(file)
    return [header, *sorted(rows)]


def test_buckets(client: Client):
    made = client.buckets.create(name="py-test-buckets", stage="in", description="Test bucket")
    try:
        detail = client.buckets.detail("in.c-py-test-buckets")
        assert made["id"] in [each["id"] for each in client.buckets.list()]
        assert (detail["id"], detail["name"], detail["tables"]) == (made["id"], "c-py-test-buckets", [])
        assert client.buckets.list_tables(made["id"]) == []
    finally:
        client.buckets.delete(made["id"])
    with pytest.raises(requests.HTTPError, match="404"):
        client.buckets.detail(made["id"])


def test_a_table_is_created_loaded_exported_and_deleted(client: Client, bucket: str, tmp_path: Path):
    source = write_csv(tmp_path / "users.csv", [["id", "name"], [1, 'Ada "L"'], [2, "a,b\nc"]])

    table_id = client.tables.create(bucket, "users", source, primary_key=["id"])
    detail = client.tables.detail(table_id)
    assert (detail["columns"], detail["primaryKey"], detail["rowsCount"]) == (["id", "name"], ["id"], 2)
    assert detail["bucket"]["id"] == bucket

    more = write_csv(tmp_path / "more.csv", [["id", "name"], [2, "Emmy"], [3, "Noether"]])
    results = client.tables.load(table_id, more, is_incremental=True)
    assert results["totalRowsCount"] == 3

    path = client.tables.export_to_file(table_id, str(tmp_path))
    assert read_csv(path) == [["id", "name"], ["1", 'Ada "L"'], ["2", "Emmy"], ["3", "Noether"]]
    assert table_id in [each["id"] for each in client.tables.list()]
    client.tables.delete(table_id)
    with pytest.raises(requests.HTTPError, match="404"):
        client.tables.detail(table_id)


def test_a_full_load_replaces_what_was_there(client: Client, bucket: str, tmp_path: Path):
    table_id = client.tables.create(bucket, "t", write_csv(tmp_path / "a.csv", [["a"], ["1"], ["2"]]))

    client.tables.load(table_id, write_csv(tmp_path / "b.csv", [["a"], ["3"]]))

    assert client.tables.preview(table_id) == '"a"\n"3"\n'


def test_exports_by_column_filter_and_change(client: Client, bucket: str, tmp_path: Path):
    rows = [["id", "kind", "value"], [1, "a", "x"], [2, "b", "y"], [3, "a", "z"], [4, "", "w"]]
    table_id = client.tables.create(bucket, "t", write_csv(tmp_path / "t.csv", rows))

    def export(**options: Any) -> list[list[str]]:
        return read_csv(client.tables.export_to_file(table_id, str(tmp_path), **options))

    assert export(columns=["value", "id"])[1] == ["w", "4"]
    found = export(where_column="kind", where_operator="eq", where_values=["a"])
    assert [row[0] for row in found[1:]] == ["1", "3"]
    found = export(where_column="kind", where_operator="neq", where_values=["a", ""])
    assert [row[0] for row in found[1:]] == ["2"]
    assert len(export(changed_since="-1 hour")) == 5
    assert len(export(changed_until="-1 hour")) == 1
    assert export(is_gzip=True) == read_csv(str(tmp_path / "t.csv")) or len(export(is_gzip=True)) == 5


def test_a_preview_is_csv_with_a_header(client: Client, bucket: str, tmp_path: Path):
    table_id = client.tables.create(bucket, "t", write_csv(tmp_path / "t.csv", [["col1", "col2"], ["foo", "bar"]]))

    assert client.tables.preview(table_id) == '"col1","col2"\n"foo","bar"\n'
    assert client.tables.preview(table_id, columns=["col2"]) == '"col2"\n"bar"\n'


def test_files_with_other_delimiters_and_quotes(client: Client, bucket: str, tmp_path: Path):
    (tmp_path / "tabs.csv").write_text("a\tb\n'1\t2'\t''''\n")

    table_id = client.tables.create(bucket, "t", str(tmp_path / "tabs.csv"), delimiter="\t", enclosure="'")

    assert client.tables.preview(table_id) == '"a","b"\n"1\t2","\'"\n'


def test_a_gzipped_file_is_loaded(client: Client, bucket: str, tmp_path: Path):
    table_id = client.tables.create(bucket, "t", write_csv(tmp_path / "t.csv", [["a"], ["1"]]))
    (tmp_path / "more.csv.gz").write_bytes(gzip.compress(b"a\n2\n"))
    file_id = client.files.upload_file(str(tmp_path / "more.csv.gz"), compress=False)

    client.tables.load_raw(table_id, data_file_id=file_id, is_incremental=True)

    assert client.tables.detail(table_id)["rowsCount"] == 2


def test_what_is_wrong_with_a_load_is_said(client: Client, bucket: str, tmp_path: Path):
    table_id = client.tables.create(bucket, "t", write_csv(tmp_path / "t.csv", [["id", "name"], [1, "a"]]))

    with pytest.raises(RuntimeError, match=r"Some columns are missing in the csv file\. Missing columns: name"):
        client.tables.load(table_id, write_csv(tmp_path / "missing.csv", [["id"], [1]]))
    (tmp_path / "ragged.csv").write_text("id,name\n1,a\n2\n")
    with pytest.raises(RuntimeError, match="Load error:"):
        client.tables.load(table_id, str(tmp_path / "ragged.csv"))
    with pytest.raises(requests.HTTPError, match="404"):
        client.tables.load_raw(table_id, data_file_id="123456789")
    assert client.tables.detail(table_id)["rowsCount"] == 1


def test_a_hundred_thousand_rows_come_back_as_they_went(client: Client, bucket: str, tmp_path: Path):
    rng = random.Random(1)
    rows = [["id", "text", "number"]] + [[i, f"{rng.getrandbits(60):x}", rng.random()] for i in range(100_000)]
    source = write_csv(tmp_path / "large.csv", rows)

    table_id = client.tables.create(bucket, "large", source, primary_key=["id"])
    path = client.tables.export_to_file(table_id, str(tmp_path))

    assert read_csv(path) == read_csv(source)


def test_table_metadata(client: Client, bucket: str, tmp_path: Path):
    table_id = client.tables.create(bucket, "t", write_csv(tmp_path / "t.csv", [["a", "b"], [1, 2]]))
    columns = [[{"columnName": "a", "key": "unit", "value": "m"}]]

    client.tables.metadata.create(table_id, "test", [{"key": "k", "value": "v"}], columns_metadata=columns)

    [item] = client.tables.metadata.list(table_id)
    assert (item["key"], item["value"], item["provider"]) == ("k", "v", "test")
    assert client.tables.detail(table_id)["columnMetadata"]["a"][0]["value"] == "m"
    client.tables.metadata.delete(table_id, item["id"])
    assert client.tables.metadata.list(table_id) == []


def test_configurations(client: Client):
    made = client.configurations.create(COMPONENT, "mine", configuration={"parameters": {"b": 1, "a": []}})
    try:
        detail = client.configurations.detail(COMPONENT, made["id"])
        assert (detail["name"], detail["configuration"]) == ("mine", {"parameters": {"b": 1, "a": []}})
        assert made["id"] in [each["id"] for each in client.configurations.list(COMPONENT)]
        client.configurations.metadata.create(COMPONENT, made["id"], "test", [{"key": "k", "value": "v"}])
        [item] = client.configurations.metadata.list(COMPONENT, made["id"])
        client.configurations.metadata.delete(COMPONENT, made["id"], item["id"])
        [component] = [each for each in client.components.list() if each["id"] == COMPONENT]
        assert all("configuration" not in each for each in component["configurations"])
    finally:
        client.configurations.delete(COMPONENT, made["id"])
    with pytest.raises(requests.HTTPError, match="404"):
        client.configurations.detail(COMPONENT, made["id"])


def test_branches_tokens_and_jobs(client: Client, stack: RunningStack, bucket: str, tmp_path: Path):
    branch = client.branches.branch_detail("default")
    assert (branch["name"], branch["isDefault"]) == ("Main", True)
    assert client.branches.metadata("default") == []
    token = client.tokens.verify()
    assert token["owner"]["id"] == int(stack.greeting["token"].split("-")[0])
    table_id = client.tables.create(bucket, "t", write_csv(tmp_path / "t.csv", [["a"], [1]]))
    assert table_id in [job["tableId"] for job in client.jobs.list()]


def test_triggers(client: Client, bucket: str, tmp_path: Path):
    table_id = client.tables.create(bucket, "t", write_csv(tmp_path / "t.csv", [["a"], [1]]))
    token_id = client.tokens.verify()["id"]

    made = client.triggers.create(token_id, COMPONENT, "123", 10, [table_id])
    try:
        assert int(made["runWithTokenId"]) == int(token_id)
        changed = client.triggers.update(made["id"], coolDownPeriodMinutes=20, tableIds=[table_id])
        assert changed["coolDownPeriodMinutes"] == 20
        assert client.triggers.detail(made["id"])["tables"] == [{"tableId": table_id}]
        assert made["id"] in [each["id"] for each in client.triggers.list()]
    finally:
        client.triggers.delete(made["id"])


def test_workspaces(client: Client, bucket: str, tmp_path: Path):
    table = client.tables.create(
        bucket_id=bucket, name="people", file_path=write_csv(tmp_path / "p.csv", [["id", "name"], ["1", "Ada"]])
    )
    made = client.workspaces.create(read_all_objects=True)
    number = made["id"]
    try:
        assert made["connection"]["loginType"] == "snowflake-service-keypair"
        assert made["connection"]["privateKey"].startswith("-----BEGIN PRIVATE KEY-----")
        assert client.workspaces.detail(number)["name"] == made["name"]
        assert number in [each["id"] for each in client.workspaces.list()]
        job = client.workspaces.load_tables(number, {table: "people"})
        assert client.jobs.block_for_success(job["id"])
        wanted = [{"source": table, "destination": "again", "columns": ["name"]}]
        job = client.workspaces.load_tables(number, wanted, preserve=True)
        assert client.jobs.block_for_success(job["id"])
        job = client.workspaces.load_tables(number, {table: "cloned"}, load_type="load-clone")
        assert client.jobs.block_for_success(job["id"])
        with pytest.raises(requests.HTTPError):
            client.workspaces.reset_password(number)
        _, public_key = _generate_rsa_key_pair()
        assert client.workspaces.set_public_key(number, public_key)["id"] == number
        job = client.tables.create_raw(bucket, "back", data_workspace_id=number, data_table_name="cloned")
        assert client.jobs.block_for_success(job["id"])
        assert client.tables.preview(f"{bucket}.back") == '"id","name"\n"1","Ada"\n'
        with pytest.raises(Exception, match="only available for ABS workspaces"):
            client.workspaces.load_files(number, {"tags": ["x"], "destination": "y"})
    finally:
        client.workspaces.delete(number)
    with pytest.raises(requests.HTTPError):
        client.workspaces.detail(number)


def test_a_workspace_of_files_takes_files_by_their_tags(client: Client, tmp_path: Path):
    (tmp_path / "a.csv").write_text("fooBar")
    first, second = (client.files.upload_file(str(tmp_path / "a.csv"), tags=["abs-test", tag]) for tag in ("1", "2"))
    made = client.workspaces.create("abs")
    try:
        client.workspaces.load_files(made["id"], {"tags": ["abs-test"], "destination": "in/any"})
        both = {"tags": ["abs-test", "2"], "operator": "and", "destination": "in/both"}
        client.workspaces.load_files(made["id"], both)
        service = BlobServiceClient.from_connection_string(made["connection"]["connectionString"])
        container = service.get_container_client(made["connection"]["container"])
        assert container.download_blob(f"in/any/a.csv/{first}").readall() == b"fooBar"
        assert container.download_blob(f"in/any/a.csv/{second}").readall() == b"fooBar"
        assert container.download_blob(f"in/both/a.csv/{second}").readall() == b"fooBar"
        with pytest.raises(ResourceNotFoundError, match="The specified blob does not exist"):
            container.download_blob(f"in/both/a.csv/{first}")
    finally:
        client.workspaces.delete(made["id"])
    with pytest.raises(HttpResponseError, match="AuthenticationFailed"):
        container.download_blob(f"in/any/a.csv/{first}")


def test_a_workspace_with_a_password(client: Client):
    made = client.workspaces.create(login_type="snowflake-legacy-service", timeout=60)
    try:
        assert made["statementTimeoutSeconds"] == 60
        assert client.workspaces.reset_password(made["id"])["password"] != made["connection"]["password"]
        with pytest.raises(requests.HTTPError):
            client.workspaces.create(backend="bigquery")
    finally:
        client.workspaces.delete(made["id"])
