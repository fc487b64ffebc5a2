"""Facts of a configuration's document, whatever it looks like: what it reads, writes and runs, and its secrets' names.

Documents come from users, so that any member may be missing or of another type; what is not understood is left out.
Values of secrets never are in a fact: they are stored encrypted, and are not decrypted here.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, cast
from urllib.parse import urlsplit

from penstock.foundation.redaction.values import secret_keys

Document = dict[str, Any]


def member(node: Any, *path: str) -> Any:
    """What is at a path; None if it is not there."""
    for key in path:
        node = cast(Document, node).get(key) if isinstance(node, dict) else None
    return node


def members(node: Any, *path: str) -> list[Document]:
    """The objects of a list at a path."""
    found = member(node, *path)
    return [each for each in cast(list[Any], found) if isinstance(each, dict)] if isinstance(found, list) else []


def list_reads(document: Document) -> Iterator[str]:
    for table in members(document, "storage", "input", "tables"):
        yield f"the table `{_text(table, 'source')}`" + _renamed(table)
    for file in members(document, "storage", "input", "files"):
        tags = file.get("tags")
        yield f"files with the tags {_names(cast(list[Any], tags))}" if isinstance(tags, list) else "files"
    base = member(document, "parameters", "api", "baseUrl")
    if isinstance(base, str):
        yield f"the API at {shown_url(base)}"
    for job in members(document, "parameters", "config", "jobs"):
        yield f"the endpoint `{_text(job, 'endpoint').partition('?')[0]}`" + _as_type(job)


def list_writes(document: Document) -> Iterator[str]:
    for table in members(document, "storage", "output", "tables"):
        how = " incrementally" if table.get("incremental") is True else ""
        yield f"the table `{_text(table, 'destination')}`{how}"
    bucket = member(document, "storage", "output", "default_bucket")
    if isinstance(bucket, str) and bucket:
        yield f"tables in the bucket `{bucket}`"
    for file in members(document, "storage", "output", "files"):
        yield f"the file `{_text(file, 'source')}`"
    bucket = member(document, "parameters", "config", "outputBucket")
    if isinstance(bucket, str) and bucket:
        yield f"tables in the bucket `{bucket}`"


def list_steps(document: Document) -> Iterator[str]:
    """What it runs: code of a transformation, or tasks of a flow."""
    for block in members(document, "parameters", "blocks"):
        codes = [_text(code, "name") for code in members(block, "codes")]
        yield f"the block `{_text(block, 'name')}` with the codes {_names(codes)}"
    for task in members(document, "tasks"):
        what = f"{_text(task, 'task', 'componentId')} `{_text(task, 'task', 'configId')}`"
        yield f"the task `{_text(task, 'name')}`: {what}" + ("" if task.get("enabled", True) else ", which is disabled")
    cron = member(document, "schedule", "cronTab")
    if isinstance(cron, str):
        target = f"{_text(document, 'target', 'componentId')} `{_text(document, 'target', 'configurationId')}`"
        yield f"{target} at `{cron}` ({_text(document, 'schedule', 'timezone') or 'UTC'})"


def list_secrets(node: Any, path: str = "") -> Iterator[str]:
    """The paths of secrets."""
    if isinstance(node, dict):
        inside = cast(Document, node)
        secret = secret_keys(inside)
        for key, value in inside.items():
            place = f"{path}.{key}" if path else key
            if key in secret:
                yield place
            else:
                yield from list_secrets(value, place)
    elif isinstance(node, list):
        for number, value in enumerate(cast(list[Any], node)):
            yield from list_secrets(value, f"{path}[{number}]")


def shown_url(url: str) -> str:
    """Return the address without a user, a password and a query, which may be secrets that were not marked as such."""
    try:
        parts = urlsplit(url)
        host = parts.netloc.rpartition("@")[2]
    except ValueError:
        return "an address that cannot be read"
    return f"{parts.scheme}://{host}{parts.path}" if parts.scheme else f"{host}{parts.path}"


def _text(node: Any, *path: str) -> str:
    found = member(node, *path)
    return str(found) if isinstance(found, str | int) else ""


def _names(names: list[Any]) -> str:
    return ", ".join(f"`{name}`" for name in names if isinstance(name, str | int)) or "that are not named"


def _renamed(table: Document) -> str:
    name = _text(table, "destination")
    return f" as `{name}`" if name and name != _text(table, "source") else ""


def _as_type(job: Document) -> str:
    name = _text(job, "dataType")
    return f" into the table `{name}`" if name else ""
