"""Describes a run without sending anything: its requests, how they are paginated, and where their records go."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any
from urllib.parse import unquote

import msgspec

from penstock.extractor.base.functions import Contexts, evaluate, flat
from penstock.extractor.base.json_text import json_text
from penstock.extractor.config.children.placeholders import Parents, Placeholder, level_of, read_source
from penstock.extractor.config.children.recursion_filter import Conditions
from penstock.extractor.config.effective import Config
from penstock.extractor.config.jobs import Job
from penstock.extractor.records.names import table_name
from penstock.extractor.requests.pagination.method import Method, OnePage
from penstock.extractor.results.state import State

INDENT = "  "
LABEL = 8
_ESCAPED_NAME = re.compile("%7B(.+?)%7D")


def explain(configs: list[Config], state: State) -> Iterator[str]:
    """Yields lines for people; the caller redacts the secrets in them."""
    for number, config in enumerate(configs, 1):
        which = f"Iteration {number} of {len(configs)}: " if len(configs) > 1 else ""
        where = f"bucket in.c-{config.bucket}" if config.bucket else "the default bucket"
        yield from [""] * (number > 1)
        yield f"{which}tables for {where}"
        yield f"{INDENT}authentication: {_authentication(config)}"
        if config.sending.builder.headers:
            yield f"{INDENT}headers of every request: {', '.join(config.sending.builder.headers)}"
        plan = _Plan(config, {**config.contexts, "time": flat(state.times)})
        for position, job in enumerate(config.jobs, 1):
            yield ""
            yield from plan.explain(job, f"{position}. ", INDENT, {})


class _Plan(msgspec.Struct, frozen=True):
    """Describes the jobs of one effective configuration."""

    config: Config
    contexts: Contexts

    def explain(self, job: Job, mark: str, indent: str, sources: dict[str, Any]) -> Iterator[str]:
        """`sources` are the sources of the placeholders of the job and of its parents."""
        method = self.config.pagination.method_for(job.scroller)
        request = job.request({key: evaluate(value, self.contexts) for key, value in job.params.items()}, job.endpoint)
        message = self.config.sending.builder.build(method.first(request).request)
        yield f"{indent}{mark}{message.method} {_readable(message.url, sources)}"
        facts = {f"{{{name}}}": _origin(name, source) for name, source in job.placeholders.items()}
        facts |= {"body": message.body.decode()} if message.body is not None else {}
        facts |= {"paging": _paging(method), "records": _records(job), "table": self._table(job, sources)}
        below = indent + " " * len(mark)
        yield from (f"{below}{label:<{LABEL}} {fact}" for label, fact in facts.items())
        for child in job.children:
            yield from self._explain_child(child, below, {**sources, **child.placeholders})

    def _explain_child(self, child: Job, indent: str, sources: dict[str, Any]) -> Iterator[str]:
        if not sources:
            yield f"{indent}then nothing for '{child.endpoint}': without placeholders it never runs"
            return
        yield f"{indent}then, for each record{_condition(child.conditions)}:"
        yield from self.explain(child, "- ", indent, sources)

    def _table(self, job: Job, sources: dict[str, Any]) -> str:
        is_mapped = job.data_type in self.config.mappings
        name = job.data_type if is_mapped else table_name(job.data_type)
        prefix = f"{self.config.bucket}." if self.config.bucket else ""
        kind = (
            "; its columns are mapped" if is_mapped else f"{self._extra(job, sources)}; arrays in records become tables"
        )
        return f"{prefix}{name}{', added to what is there' if self.config.is_incremental else ''}{kind}"

    def _extra(self, job: Job, sources: dict[str, Any]) -> str:
        placeholders = tuple(Placeholder(name, read_source(name, source)[0], None) for name, source in sources.items())
        inherited = {} if sources else self.config.user_data
        keys = [*{**inherited, **job.user_data, **Parents((), placeholders).columns}]
        return f", with extra columns {', '.join(keys)}" if keys else ""


def _authentication(config: Config) -> str:
    names = [config.sending.auth.name, "AWS signature" if config.sending.aws else ""]
    return " and ".join(filter(None, names)) or "none"


def _readable(url: str, sources: dict[str, Any]) -> str:
    """Returns the URL with its placeholders as they are written in the configuration."""
    return _ESCAPED_NAME.sub(lambda match: f"{{{name}}}" if (name := unquote(match[1])) in sources else match[0], url)


def _origin(name: str, source: Any) -> str:
    path, function = read_source(name, source)
    level = level_of(name)
    row = "the record" if level == 1 else f"the record {level} levels up"
    through = f", through {function['function']}" if "function" in function else ""
    return f"{row} itself{through}" if path == "." else f"{path} of {row}{through}"


def _paging(method: Method) -> str:
    """Returns the method and the stops around it, innermost first."""
    parts = [method]
    while isinstance(inner := getattr(parts[0], "inner", None), Method):
        parts.insert(0, inner)
    first, *stops = map(_described, parts)
    return f"{first}, stopped early by {' or '.join(stops)}" if stops else first


def _described(method: Method) -> str:
    """Returns the name of the method, and its settings that are not defaults."""
    if isinstance(method, OnePage):
        return "one page"
    fields = [field for field in msgspec.structs.fields(method) if field.name != "inner"]
    values = {field.encode_name: getattr(method, field.name) for field in fields if not _is_default(method, field)}
    details = ", ".join(f"{name} {json_text(value)}" for name, value in values.items())
    name = str(method.__struct_config__.tag)
    return f"{name} ({details})" if details else name


def _is_default(method: Method, field: Any) -> bool:
    value = getattr(method, field.name)
    return value == field.default or value is None or not isinstance(value, (str, int, float, bool, list, dict))


def _records(job: Job) -> str:
    path = job.field.path
    where = "the only array of the response" if path in ("", "0") else f"what is at {path}"
    where = "the whole response" if path == job.field.delimiter else where
    return where + (f"; {', '.join(job.filter.paths)} as JSON text" if job.filter.paths else "")


def _condition(conditions: Conditions | None) -> str:
    groups = [" and ".join(f"{c.path} {c.operator} {c.value!r}" for c in group) for group in conditions or ()]
    return f" with {', or '.join(groups)}" if groups else ""
