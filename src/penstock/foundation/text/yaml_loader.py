"""YAML with the types of JSON: keys and dates are text, and only `true` and `false` are booleans, so that `no` stays a
word."""

from __future__ import annotations

import re
from collections.abc import Hashable
from typing import Any, cast

import yaml

_LEFT_OUT = ("tag:yaml.org,2002:timestamp", "tag:yaml.org,2002:bool")


class JsonTypesLoader(yaml.SafeLoader):
    """Not the faster loader in C: a document that is nested very deeply crashes it."""

    yaml_implicit_resolvers: dict[str, list[tuple[str, re.Pattern[str]]]] = {
        first: [(tag, pattern) for tag, pattern in resolvers if tag not in _LEFT_OUT]
        for first, resolvers in yaml.SafeLoader.yaml_implicit_resolvers.items()
    }

    def construct_mapping(self, node: Any, deep: bool = False) -> dict[Hashable, Any]:
        """The responses of an OpenAPI document have keys such as 200, which is a number in YAML."""
        values = cast(dict[Any, Any], super().construct_mapping(node, deep))
        return {key if isinstance(key, str) else str(key): value for key, value in values.items()}


cast(Any, JsonTypesLoader).add_implicit_resolver(
    "tag:yaml.org,2002:bool", re.compile("^(true|false|True|False)$"), list("tfTF")
)


def read_yaml(text: bytes | str) -> Any:
    """Raises ValueError with the reason."""
    try:
        return yaml.load(text, JsonTypesLoader)  # noqa: S506 - derived from SafeLoader
    except yaml.YAMLError as error:
        raise ValueError(str(error)) from error
