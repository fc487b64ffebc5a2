"""Views of project tables, which several sessions may need at the same time."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import duckdb

from penstock.sql.messages import Limits, Setup, TableView
from penstock.sql.process.catalog import Catalog
from penstock.sql.process.sessions import Session
from tests.support.patience import PATIENCE

SESSIONS, SCHEMAS = 8, 40


def test_sessions_that_need_the_same_new_view_at_once_all_get_it(tmp_path: Path) -> None:
    database = duckdb.connect(str(tmp_path / "KBC_1.duckdb"))
    catalog = Catalog(Setup(database="KBC_1", schema="own", tables="", listener=0, limits=Limits()))
    together = threading.Barrier(SESSIONS, timeout=PATIENCE)

    def use_new_views(session: Session) -> list[tuple[int]]:
        for number in range(SCHEMAS):
            together.wait()
            catalog.add_views(session, [TableView(schema=f"in.c-{number}", name="rows", sql=f"SELECT {number} AS n")])
        return [session.cursor.execute(f'FROM "in.c-{n}"."rows"').fetchall()[0] for n in range(SCHEMAS)]

    with ThreadPoolExecutor(SESSIONS) as pool:
        found = list(pool.map(use_new_views, [Session(database.cursor()) for _ in range(SESSIONS)]))

    assert found == [[(number,) for number in range(SCHEMAS)]] * SESSIONS
    database.close()
