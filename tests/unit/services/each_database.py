"""Fixtures for services that are tried on both databases: a `conftest.py` imports them."""

from __future__ import annotations

import shutil
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import delete

from penstock.foundation.database import metadata
from tests.support.postgresql import NewStack
from tests.support.stacks import ServicesOnly

each_database = pytest.fixture(scope="module", params=["sqlite", "postgresql"])
on_one_database = pytest.mark.parametrize("shared", ["sqlite"], indirect=True)
"""For a test of what happens above the database: what is said about a document, what an engine of SQL refuses."""
new_on_one_database = pytest.mark.parametrize("services_on_each", ["sqlite"], indirect=True)
"""The same, for a test that has a stack of its own."""


def emptied(services: ServicesOnly, *tables: str) -> ServicesOnly:
    """A stack that tests share, without what those before have left in tables whose names begin so."""
    with services.stack.database.writing() as tx:
        for table in reversed(metadata.sorted_tables):
            if table.name.startswith(tables):
                tx.change(delete(table))
    return services


@pytest.fixture
def services(services_on_each: ServicesOnly) -> ServicesOnly:
    return services_on_each


@each_database
def shared(
    request: pytest.FixtureRequest, new_data_folder: Path, tmp_path_factory: pytest.TempPathFactory
) -> Generator[ServicesOnly]:
    """The services of a new stack on each database, for all tests of a file."""
    with open_services(request, new_data_folder, tmp_path_factory.mktemp("shared") / "data") as stack:
        yield stack


@contextmanager
def open_services(
    request: pytest.FixtureRequest, new_data_folder: Path, folder: Path, **settings: Any
) -> Generator[ServicesOnly]:
    """The services of a new stack, on the database that the parameter of a fixture names."""
    if request.param == "postgresql":
        made: NewStack = request.getfixturevalue("new_stack_on_postgresql")
        stack = made.copy(folder, **settings)
        yield stack
        made.close(stack)
    else:
        shutil.copytree(new_data_folder, folder)
        stack = ServicesOnly(folder, **settings)
        yield stack
        stack.close()
