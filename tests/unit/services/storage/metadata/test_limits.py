"""How much metadata an object has, and what that costs other writers."""

from __future__ import annotations

from typing import Any

import pytest
from sqlalchemy import event

from penstock.foundation.limits import METADATA_ITEMS
from penstock.services.storage.errors.metadata import TooManyItems
from penstock.services.storage.models.metadata import (
    CONFIGURATION,
    MetadataItem,
    Owner,
)
from penstock.services.storage.operations import metadata
from tests.support.stacks import ServicesOnly
from tests.unit.services.fill import first_project
from tests.unit.services.storage.loading import storage, succeed


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
