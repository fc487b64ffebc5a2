"""Jobs, searched: any filters, any order, and the newest of every group in one query."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec
from sqlalchemy import Column, ColumnElement, Float, Select, Table, UnaryExpression, exists, func, literal, or_, select
from sqlalchemy.ext.compiler import compiles
from sqlalchemy.sql.compiler import SQLCompiler
from sqlalchemy.sql.functions import FunctionElement, GenericFunction

from penstock.foundation import clock
from penstock.foundation.database import Timestamp, Transaction
from penstock.services.queue.models.jobs import JobRow, Kind
from penstock.services.queue.models.searching import Asked, Order
from penstock.services.queue.models.statuses import Status
from penstock.services.queue.store.jobs import jobs


class Scope(msgspec.Struct, frozen=True, kw_only=True):
    """Whose jobs a token sees: all of its project, or its own and those of its components."""

    project_id: int
    token_id: int
    sees_all: bool
    components: tuple[str, ...] = ()


class seconds_between(FunctionElement[float]):  # noqa: N801  (a function of SQL)
    """The time between two moments, in the SQL of the database."""

    type = Float()
    inherit_cache = True


@compiles(seconds_between)  # pyright: ignore[reportUnknownMemberType, reportUntypedFunctionDecorator]
def _compile_seconds(element: Any, compiler: SQLCompiler, **options: Any) -> str:
    first, second = (compiler.process(clause, **options) for clause in element.clauses)
    return f"EXTRACT(EPOCH FROM ({second} - {first}))"


@compiles(seconds_between, "sqlite")  # pyright: ignore[reportUnknownMemberType, reportUntypedFunctionDecorator]
def _compile_sqlite_seconds(element: Any, compiler: SQLCompiler, **options: Any) -> str:
    first, second = (compiler.process(clause, **options) for clause in element.clauses)
    # Milliseconds: days as a floating-point number hold no more.
    return f"ROUND((JULIANDAY({second}) - JULIANDAY({first})) * 86400, 3)"


class json_items(GenericFunction[Any]):  # noqa: N801  (a function of SQL)
    """The elements of a JSON list, one `value` in a row."""

    inherit_cache = True


@compiles(json_items)  # pyright: ignore[reportUnknownMemberType, reportUntypedFunctionDecorator]
def _compile_items(element: Any, compiler: SQLCompiler, **options: Any) -> str:
    return f"json_array_elements_text{compiler.process(element.clause_expr, **options)}"


@compiles(json_items, "sqlite")  # pyright: ignore[reportUnknownMemberType, reportUntypedFunctionDecorator]
def _compile_sqlite_items(element: Any, compiler: SQLCompiler, **options: Any) -> str:
    return f"json_each{compiler.process(element.clause_expr, **options)}"


def search_jobs(tx: Transaction, scope: Scope, asked: Asked, order: Order, limit: int, offset: int) -> list[JobRow]:
    statement = select(jobs).where(*_conditions(scope, asked)).order_by(*_ordered(order)).limit(limit).offset(offset)
    return tx.converted(statement, JobRow)


def search_groups(
    tx: Transaction, scope: Scope, asked: Asked, groups: Sequence[str], most: int, order: Order, limit: int
) -> list[JobRow]:
    """The newest jobs of every group, group after group; the groups are in the order of their first jobs."""
    names = [COLUMNS[group].name for group in groups]
    newest = _newest(_conditions(scope, asked), [jobs.c[name] for name in names], most, _sorted_by(order)).subquery()
    edge = func.max(newest.c.value) if order.is_descending else func.min(newest.c.value)
    headed = select(newest, edge.over(partition_by=[newest.c[name] for name in names]).label("edge")).subquery()
    places = [_directed(headed.c.edge, order), *(headed.c[name] for name in names)]
    ranked = select(headed.c.id, func.dense_rank().over(order_by=places).label("rank")).subquery()
    statement = select(jobs).join(ranked, ranked.c.id == jobs.c.id).where(ranked.c.rank <= limit)
    return tx.converted(statement.order_by(ranked.c.rank, *_ordered(order)), JobRow)


def search_newest(
    tx: Transaction, scope: Scope, asked: Asked, most: int, order: Order, limit: int, offset: int
) -> list[JobRow]:
    """The newest jobs of every configuration, all in one list."""
    columns = [jobs.c.branch_id, jobs.c.component, jobs.c.config]
    # With both conditions, SQLite uses the index for IS NOT NULL, and reads the jobs of all configurations.
    has_config = [] if asked.lists.get("config") else [jobs.c.config.is_not(None)]
    conditions = [*_conditions(scope, asked), *has_config]
    newest = _newest(conditions, columns, most, jobs.c.id).subquery()
    statement = select(jobs).join(newest, newest.c.id == jobs.c.id).order_by(*_ordered(order))
    return tx.converted(statement.limit(limit).offset(offset), JobRow)


def sum_durations(tx: Transaction, project_id: int) -> int:
    """Seconds; jobs that are made of others would count them twice."""
    mine = (jobs.c.project_id == project_id, jobs.c.type == Kind.STANDARD, jobs.c.start_time.is_not(None))
    return int(tx.value(select(func.sum(_duration())).where(*mine)) or 0)


def _newest(
    conditions: Sequence[ColumnElement[bool]],
    columns: Sequence[ColumnElement[Any]],
    most: int,
    value: ColumnElement[Any],
) -> Select[Any]:
    """Select only the keys: the jobs themselves are large, and few of them are wanted."""
    place = func.row_number().over(partition_by=columns, order_by=jobs.c.id.desc()).label("place")
    numbered = select(jobs.c.id, *columns, value.label("value"), place).where(*conditions).subquery()
    return select(numbered).where(numbered.c.place <= most)


def are_visible(table: Table, scope: Scope) -> list[ColumnElement[bool]]:
    """Return the conditions of what a token sees, of jobs or of totals of them."""
    conditions = [table.c.project_id == scope.project_id]
    if not scope.sees_all:
        conditions.append(or_(table.c.component.in_(scope.components), table.c.token_id == scope.token_id))
    return conditions


def _conditions(scope: Scope, asked: Asked) -> list[ColumnElement[bool]]:
    conditions = are_visible(jobs, scope)
    conditions += [_is_one_of(column, values) for column, values in asked.lists.items()]
    # Searches for unfinished jobs only can use the index of unfinished jobs.
    if (statuses := asked.lists.get("status")) and not any(Status(status).is_final for status in statuses):
        conditions.append(~jobs.c.is_finished)
    if asked.row_ids:
        conditions.append(_has_row(asked.row_ids))
    conditions += [jobs.c[column] >= moment for column, moment in asked.after.items()]
    conditions += [jobs.c[column] <= moment for column, moment in asked.before.items()]
    return conditions + _lengths(asked)


def _is_one_of(column: str, values: Sequence[Any]) -> ColumnElement[bool]:
    # A single value is asked for as such: then an index gives what follows in its order.
    return jobs.c[column] == values[0] if len(values) == 1 else jobs.c[column].in_(values)


def _lengths(asked: Asked) -> list[ColumnElement[bool]]:
    shortest = [] if asked.shortest is None else [_duration() >= asked.shortest]
    return shortest if asked.longest is None else [*shortest, _duration() <= asked.longest]


def _has_row(row_ids: Sequence[str]) -> ColumnElement[bool]:
    """Whether the job's list has one of them."""
    items = json_items(jobs.c.config_row_ids).table_valued("value")
    return exists(select(literal(1)).select_from(items).where(items.c.value.in_(row_ids)))


def _duration() -> ColumnElement[float]:
    """0 for those that have not begun, as a job shows it."""
    end = func.coalesce(jobs.c.end_time, literal(clock.now(), Timestamp))
    return func.coalesce(seconds_between(jobs.c.start_time, end), 0)


COLUMNS: dict[str, Column[Any]] = {
    "id": jobs.c.id,
    "runId": jobs.c.run_id,
    "projectId": jobs.c.project_id,
    "branchId": jobs.c.branch_id,
    "componentId": jobs.c.component,
    "configId": jobs.c.config,
    "tokenDescription": jobs.c.token_description,
    "status": jobs.c.status,
    "createdTime": jobs.c.created_time,
    "startTime": jobs.c.start_time,
    "endTime": jobs.c.end_time,
}


def _sorted_by(order: Order) -> ColumnElement[Any]:
    if order.by == "durationSeconds":
        return _duration()
    if order.by == "updatedTime":
        return func.coalesce(jobs.c.updated_time, jobs.c.created_time)
    return COLUMNS[order.by]


def _ordered(order: Order) -> list[UnaryExpression[Any]]:
    """Equal values are in order of creation."""
    by_id = jobs.c.id.desc() if order.is_descending else jobs.c.id.asc()
    return [by_id] if order.by == "id" else [_directed(_sorted_by(order), order), by_id]


def _directed(column: ColumnElement[Any], order: Order) -> UnaryExpression[Any]:
    """NULL sorts as the smallest value, in every database."""
    return column.desc().nulls_last() if order.is_descending else column.asc().nulls_first()
