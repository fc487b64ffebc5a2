from __future__ import annotations

import shutil
from collections.abc import Generator
from pathlib import Path
from typing import Any

import psycopg
import pytest

from tests.support.stacks import ServicesOnly
from tests.unit.pgwire.sql_server import Login, SqlServer
from tests.unit.services.fill import load_table


@pytest.fixture(scope="package")
def sql_server(new_data_folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Generator[SqlServer]:
    """One stack with an SQL port, and a table in a bucket, for all tests here."""
    folder = tmp_path_factory.mktemp("sql-port")
    shutil.copytree(new_data_folder, folder / "data")
    services = ServicesOnly(folder / "data", component_niceness=0)
    load_table(services, "in.c-shop.orders", "id,customer\n1,Ada\n2,Bob\n")
    server = SqlServer(services, folder)
    yield server
    server.stop()
    services.close()


@pytest.fixture(scope="package")
def workspace(sql_server: SqlServer) -> Login:
    return sql_server.new_workspace()


@pytest.fixture
def client(sql_server: SqlServer, workspace: Login) -> Generator[psycopg.Connection[Any]]:
    with sql_server.connect(workspace) as connection:
        yield connection
