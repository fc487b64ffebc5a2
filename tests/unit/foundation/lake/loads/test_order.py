"""The order of columns: a load that replaces the table determines it, any other keeps the table's."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from penstock.foundation.lake import LakeTable
from penstock.foundation.lake.relations import find_columns
from tests.unit.foundation.lake.tables import Tables, few_examples

TABLE = LakeTable(9, "ordered")
headers = st.lists(st.sampled_from("abcdef"), min_size=1, unique=True)


def order(tables: Tables) -> list[str]:
    with tables.lake.session(TABLE) as session:
        return [column.name for column in find_columns(session) or []]


def load(tables: Tables, header: list[str], mark: str, *, incremental: bool) -> None:
    tables.load([header, [f"{name}{mark}" for name in header]], TABLE, incremental=incremental)


@few_examples
@given(headers, headers, headers)
def test_a_full_load_has_the_order_of_its_file_and_others_add_to_it(
    shared_tables: Tables, first: list[str], second: list[str], third: list[str]
) -> None:
    load(shared_tables, first, "1", incremental=False)
    before = order(shared_tables)
    load(shared_tables, second, "2", incremental=False)
    replaced = order(shared_tables)
    assert replaced == [*second, *(name for name in before if name not in second)]

    load(shared_tables, third, "3", incremental=True)
    assert order(shared_tables) == [*replaced, *(name for name in third if name not in replaced)]
    assert sorted(shared_tables.read(order(shared_tables), TABLE)) == sorted(
        tuple(f"{name}{mark}" if name in header else "" for name in order(shared_tables))
        for header, mark in ((second, "2"), (third, "3"))
    )
