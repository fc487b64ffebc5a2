"""YAML with the types of JSON: dates stay text, and only `true` and `false` are booleans, so that `no` stays a word."""

from __future__ import annotations

import re
from typing import Any, cast

import yaml

_LEFT_OUT = ("tag:yaml.org,2002:timestamp", "tag:yaml.org,2002:bool")


class JsonTypesLoader(yaml.SafeLoader):
    yaml_implicit_resolvers: dict[str, list[tuple[str, re.Pattern[str]]]] = {
        first: [(tag, pattern) for tag, pattern in resolvers if tag not in _LEFT_OUT]
        for first, resolvers in yaml.SafeLoader.yaml_implicit_resolvers.items()
    }


cast(Any, JsonTypesLoader).add_implicit_resolver(
    "tag:yaml.org,2002:bool", re.compile("^(true|false|True|False)$"), list("tfTF")
)
