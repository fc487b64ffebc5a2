"""Lists in requests: every one has a limit, and none holds a writing transaction for long."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from msgspec import inspect

from penstock.app import SERVICES
from penstock.foundation import limits
from penstock.services.storage.errors.metadata import TooManyItems
from penstock.services.storage.models.metadata import MetadataItem
from penstock.services.storage.models.table_loads import LoadNotes
from penstock.web.routing import Route
from tests.support.stacks import ServicesOnly
from tests.unit.services.fill import load_table
from tests.unit.services.storage.loading import storage, succeed

SLOW_MACHINE_SECONDS = 3
ROUTES = [(service.id, route) for service in (make() for make in SERVICES) for route in service.routes]


@pytest.mark.parametrize("place", ["body", "query"])
def test_every_list_of_a_request_has_a_limit(place: str) -> None:
    endless = {name for service, route in ROUTES for name in _endless(service, route, place)}

    assert sorted(endless) == []


def _endless(service: str, route: Route, place: str) -> Iterator[str]:
    model: type[Any] | None = getattr(route, place)
    if model:
        yield from (f"{service}: {path}" for path in _unlimited(inspect.type_info(model), model.__name__))


def _unlimited(found: inspect.Type, path: str) -> Iterator[str]:
    match found:
        case inspect.StructType(fields=fields):
            for field in fields:
                yield from _unlimited(field.type, f"{path}.{field.name}")
        case inspect.UnionType(types=types):
            for each in types:
                yield from _unlimited(each, path)
        case inspect.CollectionType(max_length=limit, item_type=item):
            yield from () if limit else (path,)
            yield from _unlimited(item, f"{path}[]")
        case inspect.DictType(max_length=limit, value_type=value):
            # What is a document and not a list of ours is limited by the size of the body alone.
            yield from () if limit or isinstance(value, inspect.AnyType) else (path,)
        case inspect.Metadata(type=inner):
            yield from _unlimited(inner, path)
        case _:
            return


def _long(caplog: pytest.LogCaptureFixture) -> list[Any]:
    """Who worked for longer than a second in a writing transaction. Waiting for a busy machine does not count, nor that
    its cores are slower then."""
    found = [vars(record)["facts"] for record in caplog.records if "writing transaction" in record.message]
    return [facts for facts in found if facts["busy_seconds"] > SLOW_MACHINE_SECONDS]


def _items(count: int) -> list[dict[str, str]]:
    return [{"key": f"key.{number}", "value": "v" * 20} for number in range(count)]


def test_as_many_items_of_metadata_as_there_may_be_are_written_at_once(
    services: ServicesOnly, caplog: pytest.LogCaptureFixture
) -> None:
    http = storage(services)
    http.post("/buckets", {"name": "main"})

    for _ in ("added", "overwritten"):
        answer = http.post("/buckets/in.c-main/metadata", {"provider": "me", "metadata": _items(limits.METADATA_ITEMS)})
        assert (answer.status, len(answer.json)) == (201, limits.METADATA_ITEMS)
    too_many = http.post("/buckets/in.c-main/metadata", {"provider": "me", "metadata": _items(40_000)})
    assert (too_many.status, too_many.json["error"]) == (
        400,
        'Invalid request:\n - metadata: "Expected `array` of length <= 10000"',
    )
    one_more = http.post("/buckets/in.c-main/metadata", {"provider": "you", "metadata": _items(1)})
    assert (one_more.status, one_more.json["code"]) == (400, "storage.metadata.tooManyItems")
    assert _long(caplog) == []


def test_a_table_of_as_many_typed_columns_as_there_may_be(
    services: ServicesOnly, caplog: pytest.LogCaptureFixture
) -> None:
    http = storage(services)
    http.post("/buckets", {"name": "main"})
    names = [f"column_{number}" for number in range(limits.COLUMNS)]
    columns = [
        {"name": name, "definition": {"type": "VARCHAR", "length": "100", "nullable": True, "default": "x"}}
        for name in names
    ]
    succeed(http, http.post("/buckets/in.c-main/tables-definition", {"name": "wide", "columns": columns}))
    metadata = {name: [{"key": f"k{n}", "value": "v", "columnName": name} for n in range(8)] for name in names}

    answer = http.post("/tables/in.c-main.wide/metadata", {"provider": "me", "columnsMetadata": metadata})

    assert (answer.status, len(answer.json["columnsMetadata"])) == (201, limits.COLUMNS)
    many = {name: [{"key": f"k{n}", "value": "v", "columnName": name} for n in range(9)] for name in names}
    answer = http.post("/tables/in.c-main.wide/metadata", {"provider": "me", "columnsMetadata": many})
    assert (answer.status, answer.json["code"]) == (400, "storage.metadata.tooManyItems")
    assert _long(caplog) == []


def test_a_manifest_with_as_many_items_as_it_may_have(services: ServicesOnly, caplog: pytest.LogCaptureFixture) -> None:
    names = [f"column_{number}" for number in range(limits.COLUMNS)]
    items = tuple(MetadataItem(f"k{number}", "v") for number in range(8))
    notes = LoadNotes(provider="me", columns=dict.fromkeys(names, items), maker={"component.id": "me"})

    load_table(services, "in.c-main.wide", ",".join(names) + "\n", notes=notes)

    assert _long(caplog) == []
    many = LoadNotes(provider="me", metadata=tuple(MetadataItem(f"k{n}", "v") for n in range(200_000)))
    with pytest.raises(TooManyItems):
        load_table(services, "in.c-main.wide", ",".join(names) + "\n", notes=many)
