"""A lake, and beside it a catalog on an engine of the same kind that is told by hand what to do."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from penstock.foundation.lake import CsvSource, Lake, LakeTable, Load, load_csv
from penstock.foundation.lake.engine import start_engine
from tests.benchmarks.lake.data import COLUMNS

Work = Callable[[], object]


class Bench:
    def __init__(self, folder: Path, rounds: int) -> None:
        self.folder, self.rounds = folder, rounds
        self.lake = Lake(folder / "lake")
        for name in ("scratch", "hand"):
            (folder / name).mkdir()
        self.hand = start_engine(folder / "scratch", "2GB")
        catalog = f"ducklake:sqlite:{folder}/hand.sqlite"
        self.hand.execute(f"ATTACH '{catalog}' AS hand (DATA_PATH '{folder}/hand/', DATA_INLINING_ROW_LIMIT 0)")
        self._loads = 0

    def load(self, table: LakeTable, file: Path, **options: Any) -> None:
        self._loads += 1
        source = CsvSource(paths=(file,), columns=COLUMNS, has_header=True)
        with self.lake.one_writer(table):
            load_csv(self.lake, table, Load(id=f"bench-{self._loads}", source=source, **options))

    def by_hand(self, *statements: str) -> None:
        for statement in statements:
            self.hand.execute(statement)

    def count_by_hand(self, name: str) -> int:
        return int(self.hand.execute(f"SELECT count(*) FROM {name}").fetchall()[0][0])

    def compare(self, ours: Work, beside: Work) -> tuple[float, float]:
        return best([(seconds(ours), seconds(beside)) for _ in range(self.rounds)])

    def close(self) -> None:
        self.lake.close()
        self.hand.close()


def seconds(work: Work) -> float:
    began = time.perf_counter()
    work()
    return time.perf_counter() - began


def best(pairs: list[tuple[float, float]]) -> tuple[float, float]:
    """Both took turns; the best of each is what the machine's other work disturbed least."""
    return min(pair[0] for pair in pairs), min(pair[1] for pair in pairs)


def read_by_hand(file: Path) -> str:
    columns = ", ".join(f"'{name}': 'VARCHAR'" for name in COLUMNS)
    return f"read_csv('{file}', auto_detect = false, header = true, columns = {{{columns}}})"
