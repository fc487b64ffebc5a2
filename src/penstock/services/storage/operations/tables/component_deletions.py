"""Rows to delete before a component's new rows are loaded: `delete_where`, one deletion per rule."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from penstock.contracts.tables import Deletion, DeletionFilter, TableLoad
from penstock.foundation import interruption
from penstock.foundation.callers import Caller
from penstock.foundation.lake import LakeTable, Query, delete_rows, is_loaded, read_rows
from penstock.foundation.stack import Stack
from penstock.services.storage.errors.tables import InvalidTable
from penstock.services.storage.models.queries import RowsQuery, WhereFilter
from penstock.services.storage.models.tables import TableRow
from penstock.services.storage.operations.tables.losses import detecting_loss
from penstock.services.storage.operations.tables.queries import read_query
from penstock.services.storage.operations.tables.tables import get_table

MAX_VALUES = 10_000
"""The maximum number of values that a filter reads from another table."""


def read_deletions(stack: Stack, caller: Caller, load: TableLoad, existing: TableRow) -> list[Query]:
    """The deletions for the table as it is now. Raises if a rule is not valid."""
    found: list[Query] = []
    for rule in load.deletions:
        filters = list(_read_filters(stack, caller, rule))
        if all(each.values for each in filters):  # a filter without values matches nothing
            found.append(read_query(existing, _to_request(rule, filters)))
    return found


def delete_before(stack: Stack, caller: Caller, load: TableLoad, existing: TableRow, place: LakeTable) -> None:
    """The caller holds the table's lock. Must run before the load: the rules could match the new rows too."""
    if not load.deletions or is_loaded(stack.lake, place, load.id):
        return
    work = interruption.current()
    for number, query in enumerate(read_deletions(stack, caller, load, existing)):
        work.check()
        # A separate commit: if the load fails later, the rows stay deleted.
        with interruption.Interruption().applied():
            delete_rows(stack.lake, place, query, f"{load.id}-delete-{number}")


def _to_request(rule: Deletion, filters: list[WhereFilter]) -> RowsQuery:
    if not (filters or rule.changed_since or rule.changed_until):
        raise InvalidTable("A rule of `delete_where` selects no rows: give it a filter or a time range of changes.")
    return RowsQuery(changed_since=rule.changed_since, changed_until=rule.changed_until, where_filters=filters)


def _read_filters(stack: Stack, caller: Caller, rule: Deletion) -> Iterator[WhereFilter]:
    for each in rule.filters:
        values = _read_values(stack, caller, each) if each.from_table else list(each.values)
        if not values and (each.operator != "eq" or not each.from_table):
            raise InvalidTable(f'The filter of `delete_where` on the column "{each.column}" has no values.')
        yield WhereFilter(column=each.column, operator=each.operator, values=values)


def _read_values(stack: Stack, caller: Caller, row_filter: DeletionFilter) -> list[str]:
    if row_filter.from_branch_id is not None:
        caller = msgspec.structs.replace(caller, branch_id=row_filter.from_branch_id)
    with stack.database.reading() as tx:
        located = get_table(tx, caller, row_filter.from_table)
    column = row_filter.from_column or row_filter.column
    query = read_query(located.row, RowsQuery(columns=[column], limit=MAX_VALUES + 1))
    with detecting_loss(stack, located.place, located.row.id):
        rows = read_rows(stack.lake, located.place, query)
    if len(rows) > MAX_VALUES:
        raise InvalidTable(
            f'The table "{row_filter.from_table}" has more than {MAX_VALUES:,} rows; `delete_where` takes no more '
            "values."
        )
    return list(dict.fromkeys(row[0] for row in rows))
