"""How long the lists may be that a request, a configuration or a manifest holds.

Every list has its limit here, and it is checked before the work begins. Each is above what clients send and low enough
that a writing transaction with a list of that length ends within a second.
"""

from __future__ import annotations

from typing import Annotated, TypeVar

import msgspec

T = TypeVar("T")

COLUMNS = 1_200
"""Of a table."""
METADATA_ITEMS = 10_000
"""That one request, one manifest or one object has, those of all columns of a table together."""
METADATA_OF_COLUMNS = 50_000
"""That all columns of a table have together, from all requests."""
FILTERS = 100
"""Conditions on rows, rules by which rows are deleted, and columns to sort by: each takes memory of the engine."""
VALUES = 10_000
"""Of one condition."""
ROWS = 10_000
"""Of a configuration, in a list of their ids."""
TASKS = 5_000
"""Of a flow."""
PHASES = 200
"""Of a flow, or transitions of a phase."""
PERMISSIONS = 10_000
"""Buckets and components that a token names."""
ATTRIBUTES = 100
"""Of a variable in the vault."""
VARIABLES = 1_000
"""Values that a job is given."""
TAGS = 500
"""Of a file."""
SEARCHED = 2_000
"""Alternatives of one field of a search."""
NAMES = 10_000
"""Anything else that a request lists by name or number."""

Columns = Annotated[list[T], msgspec.Meta(max_length=COLUMNS)]
MetadataItems = Annotated[list[T], msgspec.Meta(max_length=METADATA_ITEMS)]
Filters = Annotated[list[T], msgspec.Meta(max_length=FILTERS)]
Values = Annotated[list[T], msgspec.Meta(max_length=VALUES)]
Rows = Annotated[list[T], msgspec.Meta(max_length=ROWS)]
Tasks = Annotated[list[T], msgspec.Meta(max_length=TASKS)]
Permissions = Annotated[list[T], msgspec.Meta(max_length=PERMISSIONS)]
Tags = Annotated[list[T], msgspec.Meta(max_length=TAGS)]
Searched = Annotated[list[T], msgspec.Meta(max_length=SEARCHED)]
Names = Annotated[list[T], msgspec.Meta(max_length=NAMES)]
