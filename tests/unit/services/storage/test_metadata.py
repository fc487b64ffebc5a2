"""Metadata of buckets, tables and columns."""

from __future__ import annotations

import re
from typing import Any
from urllib.parse import urlencode

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy import event

from penstock.foundation.limits import METADATA_ITEMS
from penstock.services.storage.errors.metadata import InvalidMetadata, TooManyItems
from penstock.services.storage.models.metadata import (
    COLUMN,
    CONFIGURATION,
    TABLE,
    MetadataItem,
    Owner,
    read_columns_metadata,
)
from penstock.services.storage.operations import metadata
from tests.support.http import Response
from tests.support.stacks import ServicesOnly
from tests.unit.services.fill import add_project, first_project, load_table
from tests.unit.services.storage.loading import storage, succeed

BUCKET_ID, TABLE_ID = "in.c-main", "in.c-main.users"
BUCKET = f"/v2/storage/buckets/{BUCKET_ID}/metadata"
OF_TABLE = f"/v2/storage/tables/{TABLE_ID}/metadata"
OF_COLUMN = f"/v2/storage/columns/{TABLE_ID}.name/metadata"
ALL = [BUCKET, OF_TABLE, OF_COLUMN]
FORM = {"Content-Type": "application/x-www-form-urlencoded"}


@pytest.fixture(autouse=True, scope="module")
def users(shared: ServicesOnly) -> None:
    load_table(shared, TABLE_ID, "id,name\n1,Ann\n")


def body(*pairs: tuple[str, Any], provider: str = "user") -> dict[str, Any]:
    return {"provider": provider, "metadata": [{"key": key, "value": value} for key, value in pairs]}


def put(services: ServicesOnly, path: str, *pairs: tuple[str, Any], provider: str = "user") -> list[dict[str, Any]]:
    response = services.service("storage").post(path, body(*pairs, provider=provider))
    assert response.status == 201, response.text
    return response.json if isinstance(response.json, list) else response.json["metadata"]


def clear(services: ServicesOnly, path: str) -> None:
    for item in services.service("storage").get(path).json:
        assert services.service("storage").delete(f"{path}/{item['id']}").status == 204


@pytest.mark.parametrize("path", ALL)
def test_metadata_is_kept_shown_and_removed(shared: ServicesOnly, path: str) -> None:
    clear(shared, path)
    made = put(shared, path, ("KBC.description", "people"), ("rows", 5))
    storage = shared.service("storage")

    assert storage.get(path).json == made
    assert [(item["key"], item["value"], item["provider"]) for item in made] == [
        ("KBC.description", "people", "user"),
        ("rows", "5", "user"),
    ]
    assert all(isinstance(item["id"], str) for item in made)
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+0000", made[0]["timestamp"])
    assert storage.delete(f"{path}/{made[0]['id']}").status == 204
    assert storage.get(path).json == made[1:]


@pytest.mark.parametrize("path", ALL)
def test_an_overwritten_item_keeps_its_id_and_its_place(shared: ServicesOnly, path: str) -> None:
    clear(shared, path)
    first = put(shared, path, ("a", "1"), ("b", "2"))
    second = put(shared, path, ("a", "3"), ("c", "4"))

    assert [(item["key"], item["value"]) for item in second] == [("a", "3"), ("b", "2"), ("c", "4")]
    assert second[0]["id"] == first[0]["id"]


@pytest.mark.parametrize("path", ALL)
def test_one_key_of_two_providers_is_two_items(shared: ServicesOnly, path: str) -> None:
    clear(shared, path)
    put(shared, path, ("a", "1"), provider="one")
    both = put(shared, path, ("a", "2"), provider="two")

    assert [(item["provider"], item["value"]) for item in both] == [("one", "1"), ("two", "2")]


@pytest.mark.parametrize("path", ALL)
@pytest.mark.parametrize(("value", "kept"), [("", ""), (0, "0"), (1.5, "1.5"), (True, "true"), ("ž\n'\"", "ž\n'\"")])
def test_values_are_text(shared: ServicesOnly, path: str, value: Any, kept: str) -> None:
    assert [item["value"] for item in put(shared, path, ("value", value)) if item["key"] == "value"] == [kept]


@pytest.mark.parametrize("path", ALL)
def test_a_provider_must_be_named_and_may_not_be_ours(shared: ServicesOnly, path: str) -> None:
    storage = shared.service("storage")
    missing = storage.post(path, {"metadata": [{"key": "a", "value": "1"}]})
    ours = storage.post(path, body(("a", "1"), provider="storage"))

    assert (missing.status, missing.json["code"]) == (400, "storage.metadata.invalidProvider")
    assert missing.json["error"] == "Provider is required."
    assert (ours.status, ours.json["code"]) == (403, "storage.metadata.invalidProvider")
    assert storage.post(path, body(("a", "1"), provider="x" * 256)).status == 400


@pytest.mark.parametrize("path", ALL)
@pytest.mark.parametrize("key", ["", "a b", "ž", "a/b", "a\n", "x" * 256, "a:b"])
def test_a_key_that_cannot_be_is_refused(shared: ServicesOnly, path: str, key: str) -> None:
    clear(shared, path)
    response = shared.service("storage").post(path, body(("good", "1"), (key, "2")))

    assert (response.status, response.json["code"]) == (400, "storage.metadata.invalidKey")
    assert shared.service("storage").get(path).json == []


@pytest.mark.parametrize(
    "wrong",
    [
        {"metadata": "text"},
        {"metadata": {"key": "a", "value": "1"}},
        {"metadata": [1]},
        {"metadata": [{"key": "a"}]},
        {"metadata": [{"value": "a"}]},
        {"metadata": [{"key": "a", "value": None}]},
        {"metadata": [{"key": "a", "value": {}}]},
        {"metadata": [{"key": 5, "value": "a"}]},
        {"provider": 5},
    ],
)
@pytest.mark.parametrize("path", ALL)
def test_a_wrong_shape_is_refused(shared: ServicesOnly, path: str, wrong: dict[str, Any]) -> None:
    assert shared.service("storage").post(path, {"provider": "user", **wrong}).status == 400


@pytest.mark.parametrize("metadata_id", ["0", "999999", "foo", "-1", "9" * 30])
def test_an_unknown_item_is_not_found(shared: ServicesOnly, metadata_id: str) -> None:
    for path, kind, name in (
        (BUCKET, "bucket", BUCKET_ID),
        (OF_TABLE, "table", TABLE_ID),
        (OF_COLUMN, "column", f"{TABLE_ID}.name"),
    ):
        response = shared.service("storage").delete(f"{path}/{metadata_id}")
        assert (response.status, response.json["code"]) == (404, "storage.metadata.notFound")
        assert response.json["error"] == f'Metadata "{metadata_id}" not found for {kind} "{name}".'


def test_an_item_of_another_object_is_not_found(shared: ServicesOnly) -> None:
    item = put(shared, BUCKET, ("a", "1"))[0]

    assert shared.service("storage").delete(f"{OF_TABLE}/{item['id']}").status == 404
    assert item["id"] in [each["id"] for each in shared.service("storage").get(BUCKET).json]


@pytest.mark.parametrize(
    "path",
    [
        "buckets/in.c-absent/metadata",
        "buckets/nonsense/metadata",
        "tables/in.c-main.absent/metadata",
        "tables/nonsense/metadata",
        "columns/in.c-main.users.absent/metadata",
        "columns/in.c-main.users/metadata",
        "columns/nonsense/metadata",
    ],
)
def test_metadata_of_nothing_is_not_found(shared: ServicesOnly, path: str) -> None:
    storage = shared.service("storage")

    assert storage.get(f"/v2/storage/{path}").status == 404
    assert storage.post(f"/v2/storage/{path}", body(("a", "1"))).status == 404
    assert storage.delete(f"/v2/storage/{path}/1").status == 404


@pytest.mark.parametrize("path", ALL)
def test_another_projects_objects_are_not_found(shared: ServicesOnly, path: str) -> None:
    foreign = shared.service("storage", add_project(shared).token)

    assert foreign.get(path).status == foreign.post(path, body(("a", "1"))).status == 404


@pytest.mark.parametrize("path", ALL)
def test_who_may_only_read_a_bucket_only_reads(shared: ServicesOnly, path: str) -> None:
    item = put(shared, path, ("a", "1"))[0]
    may = {}
    for right in ("read", "write"):
        wish = {"bucketPermissions": {BUCKET_ID: right}}
        token = shared.service("storage").post("/v2/storage/tokens", wish).json["token"]
        may[right] = shared.service("storage", token)
    nobody = shared.service("storage", shared.service("storage").post("/v2/storage/tokens", {}).json["token"])

    assert may["read"].get(path).status == 200
    assert may["read"].post(path, body(("a", "2"))).status == 403
    assert may["read"].delete(f"{path}/{item['id']}").status == 403
    assert nobody.get(path).status == 403
    assert may["write"].post(path, body(("a", "2"))).status == 201
    assert may["write"].delete(f"{path}/{item['id']}").status == 204


def test_branches_show_what_the_main_one_has(shared: ServicesOnly) -> None:
    storage = shared.service("storage")
    made = storage.post("/v2/storage/branch/default/buckets/in.c-main/metadata", body(("branch", "1")))

    assert made.status == 201
    assert storage.get(BUCKET).json == made.json


def post_columns(services: ServicesOnly, columns: Any) -> Response:
    return services.service("storage").post(OF_TABLE, {"provider": "user", "columnsMetadata": columns})


@pytest.mark.parametrize(
    "columns",
    [
        {"name": [{"key": "k", "value": "v"}]},
        {"name": [{"key": "k", "value": "v", "columnName": "name"}]},
        {"all": [{"columnName": "name", "key": "k", "value": "v"}]},
        [[{"columnName": "name", "key": "k", "value": "v"}]],
        [{"columnName": "name", "key": "k", "value": "v"}],
        {"columnName": "name", "key": "k", "value": "v"},
        {"name": {"0": {"key": "k", "value": "v"}, "columnName": None}, "id": []}
        | {"name": {"columnName": "name", "key": "k", "value": "v"}},
    ],
)
def test_columns_are_described_in_every_clients_shape(shared: ServicesOnly, columns: Any) -> None:
    clear(shared, OF_COLUMN)
    response = post_columns(shared, columns)

    assert response.status == 201, response.text
    assert set(response.json) == {"metadata", "columnsMetadata"}
    (item,) = response.json["columnsMetadata"]["name"]
    assert (item["key"], item["value"], item["provider"]) == ("k", "v", "user")
    assert shared.service("storage").get(OF_COLUMN).json == [item]


def test_the_answer_has_every_column_that_has_metadata(shared: ServicesOnly) -> None:
    clear(shared, OF_COLUMN)
    put(shared, f"/v2/storage/columns/{TABLE_ID}.id/metadata", ("earlier", "1"))
    response = post_columns(shared, {"name": [{"key": "k", "value": "v"}]}).json

    assert set(response["columnsMetadata"]) == {"id", "name"}


@pytest.mark.parametrize(
    "columns",
    [
        {"absent": [{"key": "k", "value": "v"}]},
        [{"key": "k", "value": "v"}],
        [{"columnName": 5, "key": "k", "value": "v"}],
        {"name": [{"key": "k"}]},
        {"name": [{"key": "k", "value": {}}]},
        {"name": "text"},
        "text",
        5,
    ],
)
def test_a_column_that_is_not_there_or_not_described_is_refused(shared: ServicesOnly, columns: Any) -> None:
    clear(shared, OF_TABLE)
    wish = {"provider": "user", "metadata": [{"key": "a", "value": "1"}], "columnsMetadata": columns}
    response = shared.service("storage").post(OF_TABLE, wish)

    assert (response.status, response.json["code"]) == (400, "storage.metadata.invalidStructure")
    assert shared.service("storage").get(OF_TABLE).json == []


def test_the_response_to_a_form_is_a_plain_list(shared: ServicesOnly) -> None:
    clear(shared, OF_TABLE)
    fields = {"provider": "user", "metadata[0][key]": "a", "metadata[0][value]": "1"}
    response = shared.service("storage").send("POST", OF_TABLE, urlencode(fields).encode(), FORM)

    assert response.status == 201
    assert [(item["key"], item["value"]) for item in response.json] == [("a", "1")]


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(st.sampled_from(["key", "value", "columnName", "name", "0"]), inner, max_size=4)
    ),
    max_leaves=20,
)


@given(json_values)
def test_any_nesting_is_read_or_refused(document: Any) -> None:
    try:
        found = read_columns_metadata(document)
    except InvalidMetadata:
        return
    assert all(column and items for column, items in found.items())


def test_the_deepest_nesting_is_read() -> None:
    document: Any = {"key": "k", "value": "v", "columnName": "c"}
    for _ in range(10_000):
        document = [document]

    assert read_columns_metadata(document) == {"c": [MetadataItem("k", "v")]}


def test_what_lies_below_a_prefix_goes_with_it_and_nothing_else(services: ServicesOnly) -> None:
    caller = first_project(services).caller
    here = (caller.project_id, caller.main_branch_id)
    ids = ["in.c-a.t", "in.c-a.u", "in.c-A.t", "in.c-ab.t", "in.c-a", "in.c_a.t"]
    with services.stack.database.writing() as tx:
        for table_id in ids:
            metadata.put_metadata(tx, Owner(*here, TABLE, table_id), "user", [MetadataItem("k", "v")])
        metadata.put_metadata(tx, Owner(*here, COLUMN, "in.c-a.t.x"), "user", [MetadataItem("k", "v")])

        assert set(metadata.list_all_metadata(tx, *here, TABLE, "in.c-a.")) == {"in.c-a.t", "in.c-a.u"}
        metadata.drop_metadata_below(tx, *here, TABLE, "in.c-a.")
        assert set(metadata.list_all_metadata(tx, *here, TABLE)) == {"in.c-A.t", "in.c-ab.t", "in.c-a", "in.c_a.t"}
        assert set(metadata.list_all_metadata(tx, *here, COLUMN)) == {"in.c-a.t.x"}


def test_storage_itself_may_add_metadata(services: ServicesOnly) -> None:
    caller = first_project(services).caller
    owner = Owner(caller.project_id, caller.main_branch_id, TABLE, "in.c-main.users")
    with services.stack.database.writing() as tx:
        metadata.put_own_metadata(tx, owner, [MetadataItem("KBC.dataTypesEnabled", True)])
        (row,) = metadata.list_metadata(tx, owner)
        metadata.drop_metadata(tx, owner)
        assert metadata.list_metadata(tx, owner) == []

    assert (row.provider, row.value) == ("storage", "true")


def test_configurations_do_not_ask_for_a_provider(services: ServicesOnly) -> None:
    caller = first_project(services).caller
    owner = Owner(caller.project_id, caller.branch_id, CONFIGURATION, "ex-generic-v2/1")
    with services.stack.database.writing() as tx:
        metadata.put_metadata(tx, owner, "one", [MetadataItem("k", "1")])
        metadata.put_metadata(tx, owner, "", [MetadataItem("k", "2")])
        (row,) = metadata.list_metadata(tx, owner)

    assert (row.provider, row.value) == ("", "2")


@pytest.mark.parametrize(
    ("provider", "key", "code"),
    [
        ("you", "k", "storage.metadata.tooManyItems"),
        ("me", "not valid", "storage.metadata.invalidKey"),
        ("storage", "k", "storage.metadata.invalidProvider"),
    ],
)
def test_what_is_refused_does_not_wait_for_other_writers_or_make_them_wait(
    new_project: ServicesOnly, provider: str, key: str, code: str
) -> None:
    http = storage(new_project)
    http.post("/buckets", {"name": "main"})
    succeed(http, http.post("/buckets/in.c-main/tables-definition", {"name": "t", "columns": [{"name": "id"}]}))
    full = [{"key": f"key.{number}", "value": "v"} for number in range(METADATA_ITEMS)]
    bucket, table = "/buckets/in.c-main/metadata", "/tables/in.c-main.t/metadata"
    assert http.post(bucket, {"provider": "me", "metadata": full}).status == 201
    assert http.post(table, {"provider": "me", "metadata": full[:-1]}).status == 201
    many = [{"key": f"{key}.{number}", "value": "v"} for number in range(METADATA_ITEMS)]

    with new_project.stack.database.writing():
        answers = [http.post(path, {"provider": provider, "metadata": many}) for path in (bucket, table)]

    assert {answer.status for answer in answers} <= {400, 403}
    assert {answer.json["code"] for answer in answers} == {code}


def test_an_object_that_is_full_still_takes_new_values_of_its_keys(new_project: ServicesOnly) -> None:
    http = storage(new_project)
    http.post("/buckets", {"name": "main"})
    full = [{"key": f"key.{number}", "value": "v"} for number in range(METADATA_ITEMS)]
    assert http.post("/buckets/in.c-main/metadata", {"provider": "me", "metadata": full}).status == 201

    changed = http.post("/buckets/in.c-main/metadata", {"provider": "me", "metadata": [{"key": "key.7", "value": "w"}]})

    assert (changed.status, len(changed.json), changed.json[7]["value"]) == (201, METADATA_ITEMS, "w")


def test_a_full_object_is_overwritten_without_reading_what_it_has(shared: ServicesOnly) -> None:
    """Others wait for the transaction: it writes, and reads one number."""
    project, statements = first_project(shared), list[str]()
    owner = Owner(project.caller.project_id, project.caller.branch_id, CONFIGURATION, "x/full")
    items = [MetadataItem(key=f"key.{number}", value="v") for number in range(METADATA_ITEMS)]
    database = shared.stack.database

    def keep(_connection: Any, _cursor: Any, statement: str, *_rest: Any) -> None:
        statements.append(statement)

    with database.writing(owner.project_id) as tx:
        metadata.put_metadata(tx, owner, "", items)
        event.listen(tx.connection, "before_cursor_execute", keep)
        metadata.put_metadata(tx, owner, "", items)
        event.remove(tx.connection, "before_cursor_execute", keep)
        metadata.drop_metadata(tx, owner)

    read = [each for each in statements if each.startswith("SELECT") and "storage_metadata" in each]
    assert [each.split()[1] for each in read] == ["count(*)"]
    assert len(statements) < METADATA_ITEMS / 100


def test_what_others_have_put_meanwhile_counts(shared: ServicesOnly) -> None:
    """Both requests were checked before either of them has written."""
    project = first_project(shared)
    owner = Owner(project.caller.project_id, project.caller.branch_id, CONFIGURATION, "x/raced")
    first, second = ([MetadataItem(key=f"{name}.{number}", value="v") for number in range(6_000)] for name in "ab")
    database = shared.stack.database
    with database.reading() as tx:
        metadata.check_metadata(tx, owner, "", first)
        metadata.check_metadata(tx, owner, "", second)
    with database.writing(owner.project_id) as tx:
        metadata.put_metadata(tx, owner, "", first)
    with pytest.raises(TooManyItems), database.writing(owner.project_id) as tx:
        metadata.put_metadata(tx, owner, "", second)

    with database.reading() as tx:
        assert {row.key[0] for row in metadata.list_metadata(tx, owner)} == {"a"}
