"""Documentation of a component as Markdown, generated from its texts, schemas and examples."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, cast

import msgspec

from penstock.components.component import Component, Runs
from penstock.components.json_schema import Schema

_COMBINED = ("anyOf", "oneOf", "allOf")
_HEADER = "| setting | default | meaning |\n|---|---|---|"


def documented(component: Component) -> Component:
    return msgspec.structs.replace(component, documentation="\n\n".join(_sections(component)) + "\n")


def _sections(component: Component) -> Iterator[str]:
    yield f"# {component.name}"
    yield from filter(None, (component.description, component.long_description, component.configuration_description))
    if component.why_not_runnable:
        yield f"Jobs of it are refused. {component.why_not_runnable}"
    what = "Parameters" if component.runs is Runs.PROGRAM else "Configuration"
    yield from _table(f"## {what}", component.full_schema)
    yield from _table("## Rows", component.configuration_row_schema)
    yield from _examples("## Examples", component.configuration_examples)
    yield from _examples("## Examples of rows", component.configuration_row_examples)


def _table(title: str, schema: Schema) -> Iterator[str]:
    rows: dict[tuple[str, str], str] = {}
    for row in _Walk(schema).rows(schema, "", ""):
        rows.setdefault((row.path, row.when), row.text)  # a repetition only narrows the schema
    if rows:
        yield title
        yield "\n".join([_HEADER, *rows.values()])


def _examples(title: str, examples: tuple[dict[str, Any], ...]) -> Iterator[str]:
    if examples:
        yield title
    for example in examples:
        yield f"```json\n{msgspec.json.format(msgspec.json.encode(example)).decode()}\n```"


class Row(msgspec.Struct, frozen=True):
    """A setting, and the condition under which it applies."""

    path: str
    when: str
    default: str
    about: str

    @property
    def text(self) -> str:
        return f"| `{self.path}` | {self.default} | {self.about.replace('|', '/')} |"


class _Walk:
    """All settings of a schema, in order; named definitions are expanded where they first occur."""

    def __init__(self, root: Schema) -> None:
        self._definitions: dict[str, Schema] = {**root.get("definitions", {}), **root.get("$defs", {})}
        self._shown: set[str] = set()

    def rows(self, schema: Schema, path: str, when: str) -> Iterator[Row]:
        schema = self._follow(schema)
        needed = cast(list[str], schema.get("required", []))
        for name, inner in cast(dict[str, Schema], schema.get("properties", {})).items():
            key_path = f"{path}.{name}" if path else name
            yield _row(key_path, inner, when, is_required=name in needed)
            yield from self.rows(inner, key_path, when)
        yield from self._inside(schema, path, when)

    def _inside(self, schema: Schema, path: str, when: str) -> Iterator[Row]:
        for key in ("items", "additionalProperties"):
            if isinstance(schema.get(key), dict):
                yield from self.rows(schema[key], f"{path}[]", when)
        for inner in (part for key in _COMBINED for part in cast(list[Schema], schema.get(key, []))):
            yield from self.rows(inner.get("then", inner), path, _condition(inner) or when)

    def _follow(self, schema: Schema) -> Schema:
        name = str(schema.get("$ref", "")).rpartition("/")[2]
        if not name:
            return schema
        definition = {} if name in self._shown else self._definitions.get(name, {})
        self._shown.add(name)
        return definition if "object" in definition.get("type", ()) else {}


def _row(path: str, schema: Schema, when: str, *, is_required: bool) -> Row:
    default = "required" if is_required else _shown(schema.get("default"))
    parts = (f"With {when}:" if when else "", str(schema.get("description", "")), _choices(schema))
    return Row(path, when, default, " ".join(filter(None, parts)))


def _choices(schema: Schema) -> str:
    """Returns the allowed values; synonyms of true are left out."""
    enums = [alternative.get("enum", []) for alternative in (schema, *schema.get("anyOf", []))]
    words = [word for words in enums if "true" not in words for word in words if isinstance(word, str) and word]
    return f"One of {', '.join(f'`{word}`' for word in words)}." if words else ""


def _condition(schema: Schema) -> str:
    """Returns the condition of a part that applies only if a setting has a certain value."""
    tests = cast(dict[str, Schema], schema.get("if", {}).get("properties", {}))
    return " and ".join(
        f"`{name}` {'/'.join(map(str, test['enum']))}" for name, test in tests.items() if "enum" in test
    )


def _shown(value: Any) -> str:
    if value in (None, "", [], {}) or isinstance(value, dict):
        return ""
    return f"`{value if isinstance(value, str) else msgspec.json.encode(value).decode()}`"
