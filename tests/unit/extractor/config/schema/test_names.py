"""Every setting that the extractor asks for is in the schema, and every setting of the schema is asked for.

Configurations are read from maps that note the keys that are asked of them.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from typing import Any, cast

import pytest

from penstock.extractor.base.errors import UserError
from penstock.extractor.config.effective import read_configs
from penstock.extractor.config.schema import PARAMETERS
from penstock.extractor.config.schema.kinds import VALUE, Schema
from tests.unit.extractor.config.schema.configurations import CASE_CONFIGURATIONS, SHOWN_CONFIGURATIONS

Place = tuple[str, ...]
"""The keys that lead to a setting; items of lists by their number."""

EVERYTHING: dict[str, Any] = {
    "parameters": {
        "api": {
            "baseUrl": "https://h/",
            "retryConfig": {"http": {"codes": [500]}, "curl": {"codes": [6]}},
            "rateLimit": {"requests": 1, "interval": 1},
            "authentication": {
                "type": "login",
                "loginRequest": {"endpoint": "a", "method": "GET", "params": {}, "headers": {}},
                "apiRequest": {"headers": {"a": "b"}, "query": {}},
                "expires": {"response": "a", "relative": True},
            },
            "pagination": {
                "method": "response.param",
                "responseParam": "a",
                "queryParam": "b",
                "scrollRequest": {"params": {"a": 1}},
                "nextPageFlag": {"field": "a", "stopOn": True},
                "forceStop": {"pages": 1},
                "limitStop": {"count": 1},
                "loopGuard": {"pages": 2},
            },
            "http": {"defaultOptions": {"params": {"a": 1}}},
        },
        "aws": {"signature": {"credentials": {"accessKeyId": 1, "#secretKey": 1, "serviceName": 1, "regionName": 1}}},
        "cache": {"ttl": 1},
        "config": {
            "http": {"headers": {"a": "b"}},
            "proof": {"zero": "warning"},
            "mappings": {
                "0": {"0": {"type": "table", "destination": "c", "parentKey": {"x": 1}, "tableMapping": {"d": "e"}}}
            },
            "jobs": [
                {"endpoint": "a", "dataField": {"path": "b"}, "responseFormat": {"format": "csv"}, "scroller": "x"}
            ],
        },
    }
}
COLUMNS: dict[str, Any] = {
    "parameters": {
        "api": {"baseUrl": "https://h/"},
        "config": {"jobs": [{"endpoint": "0"}], "mappings": {"0": {"0": {"mapping": {"destination": "a"}}}}},
    }
}
READ_LATER = {
    *(("sshProxy",), *(("sshProxy", key) for key in ("host", "port", "user", "#privateKey", "hostKey"))),
    *(("api", "http", "defaultOptions", key) for key in ("params", "method", "headers")),
    *(("config", "#username"), ("config", "#password"), ("strict",)),
}
"""Settings that are read once a run begins: by the tunnel, for each message, as attributes, by the check of keys."""


class Noting(dict[str, Any]):
    """A map that notes what is asked of it, and so do the maps inside it."""

    def __init__(self, values: dict[str, Any], place: Place, asked: set[Place]) -> None:
        super().__init__({key: noting(value, (*place, key), asked) for key, value in values.items()})
        self._place, self._asked = place, asked

    def get(self, key: str, default: Any = None) -> Any:
        self._asked.add((*self._place, key))
        return super().get(key, default)

    def __getitem__(self, key: str) -> Any:
        self._asked.add((*self._place, key))
        return super().__getitem__(key)

    def __contains__(self, key: object) -> bool:
        self._asked.add((*self._place, str(key)))
        return super().__contains__(key)


def noting(value: Any, place: Place, asked: set[Place]) -> Any:
    if isinstance(value, list):
        items = cast(list[Any], value)
        return [noting(item, (*place, str(index)), asked) for index, item in enumerate(items)]
    return Noting(cast(dict[str, Any], value), place, asked) if isinstance(value, dict) else value


@pytest.fixture(scope="module")
def asked(tmp_path_factory: pytest.TempPathFactory) -> set[Place]:
    found: set[Place] = set()
    folder = tmp_path_factory.mktemp("cache")
    for document in (EVERYTHING, COLUMNS, *(each.document for each in (*CASE_CONFIGURATIONS, *SHOWN_CONFIGURATIONS))):
        watched = {**document, "parameters": noting(document["parameters"], (), found)}
        with suppress(UserError):
            read_configs(watched, folder, lambda _warning: None)
    return found


def parts_of(schema: Schema) -> Iterator[Schema]:
    """The schema, and those that hold for the same value; a reference to free values leads nowhere."""
    if "$ref" in schema:
        yield from parts_of(PARAMETERS["definitions"][schema["$ref"].rpartition("/")[2]])
        return
    yield schema
    inside = [each for key in ("anyOf", "oneOf", "allOf") for each in schema.get(key, [])]
    for inner in [*inside, *(schema[key] for key in ("then", "else") if key in schema)]:
        yield from parts_of(inner)


def below(schema: Schema, key: str) -> list[Schema]:
    """What holds for a member: the property of this name, or what holds for every member."""
    named = [part["properties"][key] for part in parts_of(schema) if key in part.get("properties", {})]
    others = [part[name] for part in parts_of(schema) for name in ("items", "additionalProperties") if name in part]
    return named or others


def is_known(place: Place) -> bool:
    schemas = [PARAMETERS]
    for key in place:
        schemas = [inner for schema in schemas for inner in below(schema, key)]
        if any(schema is VALUE or schema == {} for schema in schemas):
            return True
    return bool(schemas)


def settings_in(schema: Schema, place: Place = (), seen: frozenset[int] = frozenset()) -> Iterator[Place]:
    """The place of every setting, once where sections stand inside each other; members with free names are `0`."""
    parts = [
        part for part in parts_of(schema) if id(part) not in seen and part is not PARAMETERS["definitions"]["value"]
    ]
    seen = seen.union(map(id, parts))
    for part in parts:
        for key, inner in part.get("properties", {}).items():
            yield (*place, key)
            yield from settings_in(inner, (*place, key), seen)
        for name in ("items", "additionalProperties"):
            if isinstance(part.get(name), dict):
                yield from settings_in(part[name], (*place, "0"), seen)


def test_what_is_asked_for_is_in_the_schema(asked: set[Place]) -> None:
    assert sorted(place for place in asked if not is_known(place)) == []


def test_what_is_in_the_schema_is_asked_for(asked: set[Place]) -> None:
    settings = set(settings_in(PARAMETERS)) - READ_LATER

    assert sorted(place for place in settings if place[0] != "iterations" and place not in asked) == []
