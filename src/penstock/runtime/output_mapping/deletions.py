"""`delete_where`: rows that go before the new ones come, and the older way to write one such rule."""

from __future__ import annotations

from penstock.contracts.tables import Deletion, DeletionFilter
from penstock.runtime.documents import to_text
from penstock.runtime.output_mapping.items import DeleteRule, TableItem, WhereFilter
from penstock.runtime.written import BadOutput


def read_deletions(item: TableItem, file_name: str) -> list[Deletion]:
    return [*_old_rule(item, file_name), *(_read_rule(rule, file_name) for rule in item.delete_where)]


def _old_rule(item: TableItem, file_name: str) -> list[Deletion]:
    if not item.delete_where_column:
        return []
    if not item.delete_where_values:
        raise BadOutput(f'The table "{file_name}" has "delete_where_column" without "delete_where_values".')
    values = [to_text(value) for value in item.delete_where_values]
    operator = item.delete_where_operator or "eq"
    return [Deletion(filters=[DeletionFilter(column=item.delete_where_column, operator=operator, values=values)])]


def _read_rule(rule: DeleteRule, file_name: str) -> Deletion:
    found = Deletion(
        changed_since=to_text(rule.changed_since),
        changed_until=to_text(rule.changed_until),
        filters=[_read_filter(each, file_name) for each in rule.where_filters or []],
    )
    if not (found.changed_since or found.changed_until or found.filters):
        raise BadOutput(
            f'A rule of "delete_where" of the table "{file_name}" is empty: it needs "changed_since", "changed_until" '
            'or "where_filters".'
        )
    return found


def _read_filter(given: WhereFilter, file_name: str) -> DeletionFilter:
    ways = [given.values_from_set, given.values_from_storage, given.values_from_workspace]
    if sum(way is not None for way in ways) != 1:
        raise BadOutput(
            f'A filter in "delete_where" of the table "{file_name}" needs exactly one of "values_from_set", '
            '"values_from_storage" and "values_from_workspace".'
        )
    if given.values_from_workspace is not None:
        raise BadOutput(f'"values_from_workspace" of the table "{file_name}": this job has no workspace.')
    if given.values_from_storage is not None:
        place = given.values_from_storage
        table_id = f"{place.bucket_id}.{place.table}"
        return DeletionFilter(
            column=given.column, operator=given.operator, from_table=table_id, from_column=place.column
        )
    values = [to_text(value) for value in given.values_from_set or []]
    if not values:
        raise BadOutput(f'A filter in "delete_where" of the table "{file_name}" has no values.')
    return DeletionFilter(column=given.column, operator=given.operator, values=values)
