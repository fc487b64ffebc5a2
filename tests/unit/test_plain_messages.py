"""What is wrong with a document of a user is said in words, wherever the document is read: no type of a library, no
regular expression, and the field in front."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from penstock.foundation.errors import Invalid
from penstock.mcp.tool import InvalidArguments
from penstock.mcp.tools import TOOLS
from penstock.runtime.documents import BadConfiguration, read_item
from penstock.runtime.input_mapping.items import TableItem
from penstock.server.logins import read_wanted
from penstock.services.queue.flows.conditional.nodes import read_node
from penstock.services.queue.flows.fields import read_struct
from penstock.services.queue.flows.orchestration.document import Phase
from penstock.services.scheduler.operations import read_definition
from penstock.settings import read_settings

SCHEDULE = {"cronTab": "0 * * * *", "timezone": "UTC", "state": "enabled"}
TARGET = {"componentId": "ex-generic-v2", "configurationId": "1", "mode": "run"}
VALUES: list[Any] = [None, 7, 1.5, -(10**30), True, "", "no such value", [], [7], {}, {"a": [{}]}]
JARGON = re.compile(
    r"`(str|int|float|bool|array|object|null|datetime|date|uuid|bytes)\b|Expected `|Object (missing|contains)|regex"
    r"|enum | - at `|\$\."
)


def read_schedule(part: str, name: str, value: Any) -> None:
    document = {"schedule": SCHEDULE, "target": TARGET}
    read_definition("1", {**document, part: {**document[part], name: value}})


def read_tool(name: str, field: str, value: Any) -> None:
    next(tool for tool in TOOLS if tool.name == name).read_arguments({field: value})


def read_setting(name: str, value: Any) -> None:
    read_settings({name: value}, Path("/nonexistent"))


READERS: list[Callable[[Any], object]] = [
    *(
        lambda value, name=name: read_setting(name, value)
        for name in ("port", "workers", "domain", "allow_hosts", "launcher", "https", "smtp_tls")
    ),
    *(lambda value, name=name: read_schedule("schedule", name, value) for name in SCHEDULE),
    *(lambda value, name=name: read_schedule("target", name, value) for name in TARGET),
    lambda value: read_definition("1", {"schedule": value}),
    *(lambda value, name=name: read_tool("search", name, value) for name in ("limit", "kinds", "query", "other")),
    lambda value: read_tool("get_table", "table_id", value),
    lambda value: read_node(value, "conditions[0]"),
    lambda value: read_node({"type": value}, "conditions[0]"),
    lambda value: read_node({"type": "operator", "operator": value, "operands": value}, "conditions[0]"),
    *(
        lambda value, name=name: read_struct({"id": 1, "name": "x", name: value}, Phase, "phases[0]")
        for name in ("id", "name", "dependsOn")
    ),
    lambda _: read_struct({}, Phase, "phases[0]"),
    *(
        lambda value, name=name: read_item({"source": "t", name: value}, TableItem, "storage.input.tables[0]")
        for name in ("source", "columns", "limit", "where_operator")
    ),
    lambda value: read_wanted(value, 1, [], only_reads=True),
    lambda value: read_wanted("x", value, value, only_reads=True),
]


def find_message(read: Callable[[Any], object], value: Any) -> str | None:
    try:
        read(value)
    except (Invalid, InvalidArguments, BadConfiguration) as error:
        return str(error)
    return None


@pytest.mark.parametrize("value", VALUES, ids=repr)
def test_no_message_has_words_of_a_library(value: Any) -> None:
    messages = [find_message(read, value) or "" for read in READERS]

    assert [message for message in messages if JARGON.search(message)] == []


@pytest.mark.parametrize("number", range(len(READERS)))
def test_each_of_these_documents_is_refused(number: int) -> None:
    """So that the test above reads messages."""
    assert any(find_message(READERS[number], value) for value in VALUES)
