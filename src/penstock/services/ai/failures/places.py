"""Where in a configuration a failure has its cause, as a path such as `parameters.config.jobs[0].endpoint`.

A place is looked for with the words that a message has. Documents come from users: any member may be missing or of
another type. Only paths are returned, never values.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any, cast
from urllib.parse import urlsplit

from penstock.services.ai.documents import Document, member, members

Groups = Mapping[str, str]
Place = Callable[[Document, Groups], str | None]

JOBS = "parameters.config.jobs"
MAX_DEPTH = 20
_PLACEHOLDER = re.compile(r"\\\{.*?\\\}")


def of_job(setting: str) -> Place:
    """Find the job of the extractor that a message names by its `endpoint` or `url`, and the setting of it.

    A message that names none is about the only job, if there is one only."""

    def find(document: Document, groups: Groups) -> str | None:
        jobs = list(_list_jobs(members(document, "parameters", "config", "jobs"), JOBS))
        if not groups.get("endpoint") and not groups.get("url"):
            return f"{jobs[0][0]}.{setting}" if len(jobs) == 1 else None
        fits = [(path, job) for path, job in jobs if _is_asked(job, groups)]
        best = max(fits, key=lambda each: len(str(each[1].get("endpoint"))), default=None)
        return f"{best[0]}.{setting}" if best else None

    return find


def of_job_without(setting: str) -> Place:
    """Find the first job of the extractor that lacks a setting."""

    def find(document: Document, _groups: Groups) -> str | None:
        jobs = _list_jobs(members(document, "parameters", "config", "jobs"), JOBS)
        return next((f"{path}.{setting}" for path, job in jobs if not job.get(setting)), None)

    return find


def of_script(document: Document, groups: Groups) -> str | None:
    """Find the code of a transformation by the names of its block and of itself."""
    for number, block in enumerate(members(document, "parameters", "blocks")):
        for index, code in enumerate(members(block, "codes")):
            if block.get("name") == groups.get("block") and code.get("name") == groups.get("code"):
                return f"parameters.blocks[{number}].codes[{index}].script"
    return None


def of_item(where: str, key: str) -> Place:
    """Find the item of a mapping, such as `storage.input.tables`, whose key has the `value` of the message."""

    def find(document: Document, groups: Groups) -> str | None:
        value = groups.get("value")
        if not value:
            return None
        values = (value, value.removesuffix(".csv"), f"{value}.csv")
        items = enumerate(members(document, *where.split(".")))
        return next((f"{where}[{number}].{key}" for number, item in items if str(item.get(key)) in values), None)

    return find


def of_value(key: str) -> Place:
    """Find the first object, at any depth, whose key has the `value` of the message."""

    def find(document: Document, groups: Groups) -> str | None:
        value = groups.get("value")
        paths = _walk(document, "") if value else ()
        return next((f"{path}.{key}" for path, node in paths if node.get(key) == value), None)

    return find


def of_key(document: Document, groups: Groups) -> str | None:
    """Find the first object, at any depth, that has the `value` of the message as a key."""
    value = groups.get("value")
    paths = _walk(document, "") if value else ()
    return next((f"{path}.{value}" for path, node in paths if path and value in node), None)


def beside_scripts(path: str) -> Place:
    """Return the path if the configuration is that of a transformation."""
    return lambda document, _groups: path if member(document, "parameters", "blocks") is not None else None


def _list_jobs(jobs: list[Document], path: str, depth: int = 0) -> Iterator[tuple[str, Document]]:
    for number, job in enumerate(jobs):
        place = f"{path}[{number}]"
        yield place, job
        if depth < MAX_DEPTH:
            yield from _list_jobs(members(job, "children"), f"{place}.children", depth + 1)


def _is_asked(job: Document, groups: Groups) -> bool:
    endpoint = job.get("endpoint")
    if not isinstance(endpoint, str) or not endpoint:
        return False
    if groups.get("endpoint"):
        return endpoint == groups["endpoint"]
    # `{…}` in an endpoint stands for a value of the parent's record.
    pattern = _PLACEHOLDER.sub(r"[^/]+", re.escape(_read_path(endpoint).strip("/")))
    return bool(re.search(rf"(?:^|/){pattern}/?$", _read_path(groups.get("url", ""))))


def _read_path(url: str) -> str:
    try:
        return urlsplit(url).path
    except ValueError:
        return ""


def _walk(node: Any, path: str, depth: int = 0) -> Iterator[tuple[str, Document]]:
    if depth > MAX_DEPTH:
        return
    if isinstance(node, dict):
        inside = cast(Document, node)
        yield path, inside
        for key, value in inside.items():
            yield from _walk(value, f"{path}.{key}" if path else key, depth + 1)
    elif isinstance(node, list):
        for number, value in enumerate(cast(list[Any], node)):
            yield from _walk(value, f"{path}[{number}]", depth + 1)
