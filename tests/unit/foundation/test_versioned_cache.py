"""Values read from the database are cached until any process changes anything."""

from __future__ import annotations

import sqlite3
from collections.abc import Generator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy import text

from penstock.foundation.database import Database
from penstock.foundation.database.versioned_cache import VersionedCache


@pytest.fixture
def database(tmp_path: Path) -> Generator[Database]:
    made = Database(tmp_path / "metadata.sqlite")
    with made.writing() as tx:
        tx.change(text("CREATE TABLE things (id INTEGER)"))
    yield made
    made.close()


def add(database: Database) -> None:
    with database.writing() as tx:
        tx.change(text("INSERT INTO things VALUES (1)"))


def test_the_version_stays_while_nothing_changes(database: Database) -> None:
    first = database.version()
    with database.reading() as tx:
        tx.value(text("SELECT count(*) FROM things"))

    assert first is not None
    assert database.version() == first


def test_every_commit_is_a_new_version(database: Database) -> None:
    seen = [database.version()]
    for _ in range(50):
        add(database)
        seen.append(database.version())

    assert len(set(seen)) == 51
    assert seen == sorted(seen, key=lambda version: version or 0)


def test_what_is_rolled_back_changes_nothing(database: Database) -> None:
    first = database.version()
    with pytest.raises(ZeroDivisionError):
        add_and_fail(database)

    assert database.version() == first


def add_and_fail(database: Database) -> None:
    with database.writing() as tx:
        tx.change(text("INSERT INTO things VALUES (1)"))
        raise ZeroDivisionError


def test_a_commit_of_another_process_is_a_new_version(database: Database) -> None:
    first = database.version()
    with sqlite3.connect(database.place) as other:
        other.execute("INSERT INTO things VALUES (1)")
    other.close()

    assert database.version() != first


def test_the_version_waits_for_no_writer(database: Database) -> None:
    first = database.version()
    with database.writing() as tx:
        tx.change(text("INSERT INTO things VALUES (1)"))
        assert database.version() == first


def test_a_database_that_is_not_there_or_closed_has_no_version(database: Database) -> None:
    absent = Database(Path(database.place).with_name("absent.sqlite"))
    assert absent.version() is None
    absent.close()

    assert database.version() is not None
    database.close()
    assert database.version() is None


def test_a_full_cache_evicts_the_oldest_value() -> None:
    memory = VersionedCache[str](most=2)
    for key in ("a", "b", "c"):
        memory.put(1, key, key.upper())

    assert [memory.get(1, key) for key in ("a", "b", "c")] == [None, "B", "C"]


def test_nothing_is_kept_for_an_unknown_version() -> None:
    memory = VersionedCache[str]()
    memory.put(None, "a", "A")

    assert memory.get(None, "a") is None


@given(steps=st.lists(st.tuples(st.sampled_from(["change", "read", "recall"]), st.integers(0, 3)), max_size=60))
def test_the_cache_never_returns_an_outdated_value(steps: list[tuple[str, int]]) -> None:
    """Readers begin under some version and keep later, in any order, while the truth changes."""
    memory, truth, under_way = VersionedCache[int](most=2), 0, dict[int, tuple[int, int]]()
    for step, key in steps:
        if step == "change":
            truth += 1
        elif step == "read" and key in under_way:
            version, value = under_way.pop(key)
            memory.put(version, key, value)
        elif step == "read":
            under_way[key] = (truth, truth)
        else:
            assert memory.get(truth, key) in (None, truth)
