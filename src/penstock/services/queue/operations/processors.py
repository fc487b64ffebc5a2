"""Checks that the caller may use the processors of a job: when it is created, as far as known, and when it runs."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from penstock.components.component import Component, Runs
from penstock.components.processors import TYPE, list_processors
from penstock.foundation.callers import Caller
from penstock.foundation.database import Transaction
from penstock.runtime.launchers import check_launchable
from penstock.services.developer import interface as developer
from penstock.services.queue.errors import NotAProcessor, ProcessorForbidden, UnknownProcessor
from penstock.services.queue.models.requests import JobRequest
from penstock.services.queue.operations.resolution import choose_rows
from penstock.services.storage import interface as storage


def get_processor(tx: Transaction, caller: Caller, component_id: str, tag: str = "") -> Component:
    """The component of a processor; raises unless it is one, and one that the caller may use."""
    found = developer.find_component(tx, component_id, tag, project_id=caller.project_id)
    if not found or found.runs is not Runs.PROGRAM:
        raise UnknownProcessor(component_id)
    if found.type != TYPE:
        raise NotAProcessor(component_id, found.type)
    if not caller.may_use_component(found.id):
        raise ProcessorForbidden(component_id)
    return found


def check_processors(
    tx: Transaction, caller: Caller, launcher: str, request: JobRequest, stored: storage.Configuration | None
) -> None:
    """Check the processors of a requested job, on a stack with this setting. A processor that a placeholder names is
    not known before the job runs."""
    documents = _list_documents(request, stored)
    named = (each for document in documents for each in list_processors(document) if not each.is_placeholder)
    for component_id, tag in dict.fromkeys((each.component_id, each.tag) for each in named):
        processor = get_processor(tx, caller, component_id, tag)
        check_launchable(launcher, processor.image, has_command=processor.has_command)


def _list_documents(request: JobRequest, stored: storage.Configuration | None) -> Iterator[dict[str, Any]]:
    if request.config_data is not None:
        yield request.config_data
    elif stored:
        yield stored.document
        yield from (row.document for row in choose_rows(stored.rows, request))
