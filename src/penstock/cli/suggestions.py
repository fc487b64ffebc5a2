"""Suggestions for mistyped names: the end of an error message, empty if nothing is close."""

from __future__ import annotations

import re
from argparse import ArgumentParser
from collections.abc import Callable, Generator, Iterable
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, NoReturn

if TYPE_CHECKING:
    from penstock.client import Client, RequestRefused

_CHOICES = r"invalid choice: '?(?P<name>[^' ]*)'? \(choose from (?P<choices>.*)\)"
_NEWEST_JOBS = 500


def suggest(name: str, choices: Iterable[str]) -> str:
    """Return text such as ` Did you mean orders?`."""
    from difflib import get_close_matches

    by_lower = {choice.lower(): choice for choice in choices}
    matches = [by_lower[match] for match in get_close_matches(name.lower(), by_lower, n=3)]
    return f" Did you mean {' or '.join(matches)}?" if matches else ""


@contextmanager
def explain_missing_table(client: Client, table_id: str) -> Generator[None]:
    """Name the nearest table where the project has none with this id."""
    from penstock.client import NotThere

    with _replace_error(NotThere, lambda _error: _find_table_message(client, table_id)):
        yield


@contextmanager
def explain_missing_job(client: Client, job_id: str) -> Generator[None]:
    """Name the nearest job where the project has none with this number."""
    from penstock.client import NotThere

    with _replace_error(NotThere, lambda _error: _find_job_message(client, job_id)):
        yield


@contextmanager
def explain_missing_config(client: Client, component: str, config: str) -> Generator[None]:
    """Name the nearest component or configuration where a job is refused because there is none with this id."""
    from penstock.client import RequestRefused

    with _replace_error(RequestRefused, lambda error: _find_config_message(client, component, config, error.message)):
        yield


@contextmanager
def _replace_error(kind: type[RequestRefused], find_message: Callable[[RequestRefused], str]) -> Generator[None]:
    """Raise NotFound with a message that tells more; the error itself where there is none."""
    from penstock.client import ClientError
    from penstock.foundation.errors import NotFound

    try:
        yield
    except kind as error:
        message = ""
        with suppress(ClientError):
            message = find_message(error) if error.status in (400, 404) else ""
        if not message:
            raise
        raise NotFound(message) from error


def _find_table_message(client: Client, table_id: str) -> str:
    ids = [table.id for table in client.tables.list()]
    if table_id in ids:
        return ""
    return f"There is no table {table_id}.{suggest(table_id, ids)} See penstock tables list."


def _find_job_message(client: Client, job_id: str) -> str:
    jobs = client.jobs.search({"limit": _NEWEST_JOBS})
    own = next((f" The newest of {job_id} is {job.id}." for job in jobs if job.config == job_id), "")
    hint = own or suggest(job_id, [job.id for job in jobs]) or (f" The newest is {jobs[0].id}." if jobs else "")
    return f"There is no job {job_id}.{hint} See penstock jobs list."


def _find_config_message(client: Client, component: str, config: str, refusal: str) -> str:
    from penstock.client import NotThere

    try:
        component = client.components.get(component).id
    except NotThere:
        hint = suggest(component, [listed.id for listed in client.components.list()])
        return f"There is no component {component}.{hint} See penstock components list."
    configs = client.configurations.list()
    own = [listed.id for listed in configs if listed.component == component]
    if config in own or config not in refusal:
        return ""
    owner = next((f" {listed.component} has one." for listed in configs if listed.id == config), "")
    hint = owner or suggest(config, own)
    return f"There is no configuration {config} of {component}.{hint} See penstock configs list."


class Parser(ArgumentParser):
    """Suggests the nearest command or action for one that does not exist."""

    def error(self, message: str) -> NoReturn:
        match = re.search(_CHOICES, message)
        choices = re.findall(r"[\w-]+", match["choices"]) if match else []
        super().error(message + (suggest(match["name"], choices) if match else ""))
