"""Keys of a configuration that no setting has: a misspelled setting is silently not set.

The known keys are those of the JSON schema. Keys that begin with `_`, `$` or `/` are comments, and keys of `config`
that a function refers to, or that are unlike all settings, are values of the user.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, cast

import msgspec

from penstock.extractor.base.errors import UserError
from penstock.extractor.base.section import Section
from penstock.extractor.base.values import as_map
from penstock.extractor.config.schema import PARAMETERS
from penstock.extractor.config.schema.jobs import CONFIG
from penstock.extractor.config.schema.kinds import Schema

COMMENTS = ("_", "$", "/")
MAX_SHOWN = 6
"""More known keys than these are not listed."""
STRICT = "strict"
Warn = Callable[[str], None]


def check_keys(parameters: Mapping[str, Any], warn: Warn) -> None:
    """Warns about every unknown key; with `strict`, raises UserError instead, about all of them."""
    sentences = list(find_unknown(parameters))
    if sentences and Section(dict(parameters), "parameters").flag(STRICT):
        raise UserError(f'Invalid configuration: {" ".join(sentences)} To accept them, remove `"strict": true`.')
    for sentence in sentences:
        warn(sentence)


def find_unknown(parameters: Mapping[str, Any]) -> Iterator[str]:
    """Yields a sentence for every unknown key: its path, and the known key that is most like it."""
    referred = {str(name).partition(".")[0] for name in _references(parameters)}
    yield from _Section([PARAMETERS], parameters, "parameters", referred).unknown()


class _Section(msgspec.Struct, frozen=True):
    """A map of the configuration, and the schemas that describe it."""

    schemas: list[Schema]
    members: Mapping[str, Any]
    path: str
    referred: set[str]
    """Keys of `config` that functions refer to."""

    def unknown(self) -> Iterator[str]:
        parts = [part for schema in self.schemas for part in _parts(schema, self.members)]
        if not any("properties" in part for part in parts):
            yield from self._within_items(parts)
            return
        properties = _properties(parts)
        for key, value in self.members.items():
            if key in properties:
                yield from _inside(properties[key], value, f"{self.path}.{key}", self.referred)
            elif not self._is_free(key, parts, properties) and f"#{key}" not in properties:
                yield self._sentence(key, list(properties))

    def _within_items(self, parts: list[Schema]) -> Iterator[str]:
        """Checks a list of sections, or sections by name."""
        items = [part[name] for part in parts for name in ("additionalProperties", "items") if name in part]
        for key, value in self.members.items():
            yield from _inside(items[:1], value, f"{self.path}[{key}]", self.referred)

    def _is_free(self, key: str, parts: list[Schema], settings: Iterable[str]) -> bool:
        """Any key may be a value of `config`, so there only one that is like a setting is suspicious."""
        is_attribute = key in self.referred or not _nearest(key, settings)
        return key.startswith(COMMENTS) or (is_attribute and any(part is CONFIG for part in parts))

    def _sentence(self, key: str, settings: list[str]) -> str:
        elsewhere = {name: where for schema in self.schemas for name, where in _other_cases(schema, self.members)}
        if key in elsewhere:
            return f"`{self.path}.{key}` has no effect, because it is a setting of {elsewhere[key]}."
        return f"`{self.path}.{key}` is not a setting and has no effect. {_hint(key, settings)}"


def _inside(schemas: list[Schema], value: Any, path: str, referred: set[str]) -> Iterator[str]:
    if isinstance(value, (dict, list)) and value and schemas:
        yield from _Section(schemas, as_map(value), path, referred).unknown()


def _properties(parts: list[Schema]) -> dict[str, list[Schema]]:
    """Returns the schemas of every known key: a section and its cases may both describe one."""
    schemas: dict[str, list[Schema]] = {}
    for part in parts:
        for name, schema in part.get("properties", {}).items():
            schemas.setdefault(name, []).append(schema)
    return schemas


def _parts(schema: Schema, members: Mapping[str, Any]) -> Iterator[Schema]:
    """Yields the schemas that hold for a map: this one, those it consists of, and the cases that apply."""
    if reference := schema.get("$ref"):
        name = reference.rpartition("/")[2]
        if name != "value":  # any value, or a function
            yield from _parts(PARAMETERS["definitions"][name], members)
        return
    yield schema
    for inner in (alternative for name in ("allOf", "anyOf", "oneOf") for alternative in schema.get(name, [])):
        yield from _parts(inner, members)
    if "if" in schema and _applies(schema["if"], members):
        yield from _parts(schema["then"], members)


def _applies(condition: Schema, members: Mapping[str, Any]) -> bool:
    """Returns whether the conditions on values of keys hold; other conditions do not matter to keys."""
    choices = {name: setting["enum"] for name, setting in condition.get("properties", {}).items() if "enum" in setting}
    return all(members.get(name) in values for name, values in choices.items())


def _other_cases(schema: Schema, members: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Yields keys that are settings in cases which do not apply, such as those of another pagination method."""
    for part in _parts(schema, members):
        if "if" in part and not _applies(part["if"], members):
            (name, choice), *_others = part["if"]["properties"].items()
            where = f"the {name} `{' or '.join(choice['enum'])}`"
            yield from ((key, where) for key in part["then"].get("properties", {}))


def _hint(key: str, settings: list[str]) -> str:
    if near := _nearest(key, settings):
        return f"Did you mean `{near}`?"
    listed = ", ".join(f"`{name}`" for name in settings)
    return f"Settings here are {listed}." if len(settings) <= MAX_SHOWN else "Remove it."


def _nearest(key: str, settings: Iterable[str]) -> str:
    from difflib import get_close_matches  # only here: most configurations have no unknown keys

    names = {name.lower(): name for name in settings}
    near = get_close_matches(key.lower(), names, 1)
    return names[near[0]] if near else ""


def _references(value: Any) -> Iterator[Any]:
    """Yields what functions name with `attr`, anywhere in the configuration."""
    if isinstance(value, dict):
        members = cast(dict[str, Any], value)
        if "attr" in members:
            yield members["attr"]
    for inner in as_map(value).values() if isinstance(value, (dict, list)) else ():
        yield from _references(inner)
