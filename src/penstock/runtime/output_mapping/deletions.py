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
    deletion = Deletion(
        changed_since=to_text(rule.changed_since),
        changed_until=to_text(rule.changed_until),
        filters=[_read_filter(condition, file_name) for condition in rule.where_filters or []],
    )
    if not (deletion.changed_since or deletion.changed_until or deletion.filters):
        raise BadOutput(
            f'A rule of "delete_where" of the table "{file_name}" is empty: it needs "changed_since", "changed_until" '
            'or "where_filters".'
        )
    return deletion


def _read_filter(condition: WhereFilter, file_name: str) -> DeletionFilter:
    ways = [condition.values_from_set, condition.values_from_storage, condition.values_from_workspace]
    if sum(way is not None for way in ways) != 1:
        raise BadOutput(
            f'A filter in "delete_where" of the table "{file_name}" needs exactly one of "values_from_set", '
            '"values_from_storage" and "values_from_workspace".'
        )
    if condition.values_from_workspace is not None:
        raise BadOutput(f'"values_from_workspace" of the table "{file_name}": this job has no workspace.')
    if condition.values_from_storage is not None:
        source = condition.values_from_storage
        table_id = f"{source.bucket_id}.{source.table}"
        return DeletionFilter(
            column=condition.column, operator=condition.operator, from_table=table_id, from_column=source.column
        )
    values = [to_text(value) for value in condition.values_from_set or []]
    if not values:
        raise BadOutput(f'A filter in "delete_where" of the table "{file_name}" has no values.')
    return DeletionFilter(column=condition.column, operator=condition.operator, values=values)
