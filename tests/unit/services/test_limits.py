"""Lists in requests: every one has a limit, and none holds a writing transaction for long.

`tests/data/lists.jsonl` has a line for each list of all services: what its items are, and how many it may have.
"""

from __future__ import annotations

import json
from collections.abc import Generator, Iterator
from fnmatch import fnmatchcase
from typing import Any, cast

import pytest
from msgspec import inspect

from penstock.app import list_services
from penstock.contracts.tables import LoadNotes
from penstock.foundation import limits
from penstock.services.storage.errors.metadata import TooManyItems
from penstock.services.storage.models.metadata import MetadataItem
from penstock.web.routing import Route
from tests.support.corpora import read_objects
from tests.support.stacks import ServicesOnly
from tests.support.statements import recorded_transactions
from tests.unit.services.fill import load_table
from tests.unit.services.storage.loading import storage, succeed
from tests.unit.services.world import ROWS, Worlds, is_in_branch

STATEMENTS, ITEMS_PER_STATEMENT = 60, 50
"""What a transaction may execute for any request, and how many items of a list at least share a statement."""
QUADRATIC_SECONDS = 60
"""More than any list takes on a machine that is busy otherwise; comparing each item with each would take longer."""
LINE_CHARACTERS = 60_000
"""What is longer does not fit into the first line of a request, which has a limit of its own."""
LINES = read_objects("lists.jsonl")
ROUTES = [(service.id, route) for service in list_services() for route in service.routes]


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


def _lists(found: inspect.Type, path: str) -> Iterator[tuple[str, int]]:
    """The lists of a model, with their limits."""
    match found:
        case inspect.StructType(fields=fields):
            for field in fields:
                yield from _lists(field.type, f"{path}.{field.encode_name}")
        case inspect.UnionType(types=types):
            for each in types:
                yield from _lists(each, path)
        case inspect.CollectionType(max_length=limit, item_type=item) if limit:
            yield path, limit
            yield from _lists(item, f"{path}[]")
        case inspect.DictType(max_length=limit) if limit:
            yield path, limit
        case inspect.Metadata(type=inner):
            yield from _lists(inner, path)
        case _:
            return


def _all_lists(place: str) -> dict[str, tuple[Route, int]]:
    """Each list of all services once, with a row that takes it."""
    found: dict[str, tuple[Route, int]] = {}
    for row in sorted(ROWS, key=is_in_branch):
        model: type[Any] | None = getattr(row, place)
        for path, limit in _lists(inspect.type_info(model), model.__name__) if model else ():
            found.setdefault(path, (row, limit))
    return found


BODY_LISTS, QUERY_LISTS = _all_lists("body"), _all_lists("query")


@pytest.fixture
def transactions() -> Generator[list[list[str]]]:
    with recorded_transactions() as found:
        yield found


def _line(path: str) -> dict[str, Any]:
    line = next((line for line in LINES if fnmatchcase(path, line["list"])), None)
    assert line, f"{path} is a new list: say in tests/data/lists.jsonl what its items are, and how many it may have."
    return line


def _items_of(line: dict[str, Any], count: int) -> Any:
    items = [json.loads(json.dumps(line["item"]).replace("$n", str(number))) for number in range(count)]
    if "key" in line:
        return {line["key"].replace("$n", str(number)): item for number, item in enumerate(items)}
    return items


def test_the_limits_are_those_of_the_file() -> None:
    found = {path: limit for path, (_, limit) in (BODY_LISTS | QUERY_LISTS).items()}

    assert {path: _line(path)["limit"] for path in found} == found


@pytest.mark.parametrize("path", BODY_LISTS)
def test_a_list_of_a_body_is_taken_or_refused_at_once(
    worlds: Worlds, transactions: list[list[str]], caplog: pytest.LogCaptureFixture, path: str
) -> None:
    (row, limit), line = BODY_LISTS[path], _line(path)
    fields = path.split(".")[1:]
    for count in (limit, limit + 1):
        body: dict[str, Any] = worlds.mine.body(row) or {}
        response = worlds.mine.ask(row, body={**body, **_nested(body, fields, _items_of(line, count))})
        assert response.status < 500, response.text
        if count > limit:
            assert response.status == row.refuses_body_with, response.text
            assert "This must have at most" in response.text
    _check_short(transactions, limit, caplog)


def _nested(known: dict[str, Any], fields: list[str], items: Any) -> dict[str, Any]:
    """The items at a path, in an item of a list or in a known object."""
    name, inner = fields[0].removesuffix("[]"), fields[1:]
    if not inner:
        return {name: items}
    if fields[0].endswith("[]"):
        return {name: [{"column": "id", **_nested({}, inner, items)}]}
    return {name: {**known[name], **_nested(known[name], inner, items)}}


@pytest.mark.parametrize("path", QUERY_LISTS)
def test_a_list_of_a_query_is_taken_or_refused_at_once(worlds: Worlds, path: str) -> None:
    (row, limit), line = QUERY_LISTS[path], _line(path)
    name = path.split(".")[1].replace("[]", "")
    for count in (limit, limit + 1):
        query = _query(name, line, count)
        if len(query) > LINE_CHARACTERS:
            continue
        response = worlds.mine.ask(row, path=f"{worlds.mine.fill(row).partition('?')[0]}?{query}")
        assert response.status < 500, response.text
        assert count <= limit or response.status >= 400, f"{count} were taken"


def _query(name: str, line: dict[str, Any], count: int) -> str:
    items = _items_of(line, count)
    if isinstance(items, dict):
        return "&".join(f"{name}[{key}]={value}" for key, value in cast(dict[str, str], items).items())
    if name == "whereFilters" and not isinstance(line["item"], dict):
        values = "&".join(f"whereFilters[0][values][]={item}" for item in items)
        return f"whereFilters[0][column]=id&{values}"
    if isinstance(line["item"], dict):
        return "&".join(f"{name}[{n}][column]=id" for n, _ in enumerate(items))
    return "&".join(f"{name}[]={item}" for item in items)


def _check_short(transactions: list[list[str]], items: int, caplog: pytest.LogCaptureFixture) -> None:
    """No transaction executes a statement for each item, nor works for long."""
    longest = max(transactions, key=len, default=[])
    assert len(longest) <= STATEMENTS + items / ITEMS_PER_STATEMENT, longest[:STATEMENTS]
    facts = [vars(record)["facts"] for record in caplog.records if "writing transaction" in record.message]
    assert [one for one in facts if one["busy_seconds"] > QUADRATIC_SECONDS] == []


def _items(count: int) -> list[dict[str, str]]:
    return [{"key": f"key.{number}", "value": "v" * 20} for number in range(count)]


def test_as_many_items_of_metadata_as_there_may_be_are_written_at_once(
    services: ServicesOnly, transactions: list[list[str]], caplog: pytest.LogCaptureFixture
) -> None:
    http = storage(services)
    http.post("/buckets", {"name": "main"})

    for _ in ("added", "overwritten"):
        response = http.post(
            "/buckets/in.c-main/metadata", {"provider": "me", "metadata": _items(limits.METADATA_ITEMS)}
        )
        assert (response.status, len(response.json)) == (201, limits.METADATA_ITEMS)
    too_many = http.post("/buckets/in.c-main/metadata", {"provider": "me", "metadata": _items(40_000)})
    assert (too_many.status, too_many.json["error"]) == (
        400,
        'Invalid request:\n - metadata: "This must have at most 10,000 items."',
    )
    one_more = http.post("/buckets/in.c-main/metadata", {"provider": "you", "metadata": _items(1)})
    assert (one_more.status, one_more.json["code"]) == (400, "storage.metadata.tooManyItems")
    _check_short(transactions, limits.METADATA_ITEMS, caplog)


def test_a_table_of_as_many_typed_columns_as_there_may_be(
    services: ServicesOnly, transactions: list[list[str]], caplog: pytest.LogCaptureFixture
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

    response = http.post("/tables/in.c-main.wide/metadata", {"provider": "me", "columnsMetadata": metadata})

    assert (response.status, len(response.json["columnsMetadata"])) == (201, limits.COLUMNS)
    many = {name: [{"key": f"k{n}", "value": "v", "columnName": name} for n in range(9)] for name in names}
    response = http.post("/tables/in.c-main.wide/metadata", {"provider": "me", "columnsMetadata": many})
    assert (response.status, response.json["code"]) == (400, "storage.metadata.tooManyItems")
    _check_short(transactions, 8 * limits.COLUMNS, caplog)


def test_a_manifest_with_as_many_items_as_it_may_have(
    services: ServicesOnly, transactions: list[list[str]], caplog: pytest.LogCaptureFixture
) -> None:
    names = [f"column_{number}" for number in range(limits.COLUMNS)]
    items = tuple(MetadataItem(f"k{number}", "v") for number in range(8))
    notes = LoadNotes(provider="me", columns=dict.fromkeys(names, items), maker={"component.id": "me"})

    load_table(services, "in.c-main.wide", ",".join(names) + "\n", notes=notes)

    _check_short(transactions, 8 * limits.COLUMNS, caplog)
    many = LoadNotes(provider="me", metadata=tuple(MetadataItem(f"k{n}", "v") for n in range(200_000)))
    with pytest.raises(TooManyItems):
        load_table(services, "in.c-main.wide", ",".join(names) + "\n", notes=many)
