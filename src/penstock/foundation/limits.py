"""The maximum lengths of lists in a request, a configuration or a manifest.

Every list has its limit here, checked before the work begins. Each is above what clients send, and low enough that a
writing transaction with such a list ends within a second.
"""

from __future__ import annotations

from typing import Annotated, TypeVar

import msgspec

T = TypeVar("T")

COLUMNS = 1_200
"""Of a table."""
METADATA_ITEMS = 10_000
"""In one request, one manifest or one object, including all columns of a table."""
METADATA_OF_COLUMNS = 50_000
"""Of all columns of a table together, from all requests."""
FILTERS = 100
"""Filters, rules of `delete_where`, and columns to sort by: each takes memory of the engine."""
VALUES = 10_000
"""Of one condition."""
ROWS = 10_000
"""Of a configuration, in a list of their ids."""
TASKS = 5_000
"""Of a flow."""
RECIPIENTS = 100
"""Of a notification that a flow sends."""
PHASES = 200
"""Of a flow, or transitions of a phase."""
PERMISSIONS = 10_000
"""Buckets and components that a token names."""
ATTRIBUTES = 100
"""Attributes of a variable in the vault."""
VARIABLES = 1_000
"""Variable values of a job."""
TAGS = 500
"""Of a file."""
SEARCHED = 2_000
"""Alternatives for one field of a search."""
STATEMENTS = 1_000
"""Of a query job."""
TRIGGERS = 500
"""Of a project: each load of a table reads all of them."""
WATCHED = 500
"""Tables of a trigger."""
NAMES = 10_000
"""Any other list of names or numbers in a request."""

Columns = Annotated[list[T], msgspec.Meta(max_length=COLUMNS)]
MetadataItems = Annotated[list[T], msgspec.Meta(max_length=METADATA_ITEMS)]
Filters = Annotated[list[T], msgspec.Meta(max_length=FILTERS)]
Values = Annotated[list[T], msgspec.Meta(max_length=VALUES)]
Rows = Annotated[list[T], msgspec.Meta(max_length=ROWS)]
Tasks = Annotated[list[T], msgspec.Meta(max_length=TASKS)]
Permissions = Annotated[list[T], msgspec.Meta(max_length=PERMISSIONS)]
Tags = Annotated[list[T], msgspec.Meta(max_length=TAGS)]
Searched = Annotated[list[T], msgspec.Meta(max_length=SEARCHED)]
Statements = Annotated[list[T], msgspec.Meta(max_length=STATEMENTS)]
Watched = Annotated[list[T], msgspec.Meta(max_length=WATCHED)]
Names = Annotated[list[T], msgspec.Meta(max_length=NAMES)]
