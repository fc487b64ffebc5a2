"""Measures what each public row costs: the CPU time of the whole process, without a socket or a client."""

from __future__ import annotations

import asyncio
import json
import statistics
import tempfile
import time
from pathlib import Path

from starlette.types import ASGIApp

from penstock.app import build_app
from tests.public_surface.asking import ask
from tests.public_surface.rows import COSTS, Row, list_public, make_table, write_table
from tests.support.stacks import ServicesOnly

ROUNDS = 9


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        services = ServicesOnly(Path(folder) / "data")
        rows = list_public()
        app = build_app(services.settings, services.stack)
        costs = asyncio.run(_measure_all(app, rows))
        services.close()
    COSTS.write_text(json.dumps(costs, indent=1) + "\n")
    write_table(make_table(rows, costs))


async def _measure_all(app: ASGIApp, rows: list[Row]) -> dict[str, float]:
    return {row.name: await _measure(app, row) for row in rows}


async def _measure(app: ASGIApp, row: Row) -> float:
    """In milliseconds, the median; the first request is not counted."""
    times = list[float]()
    for _ in range(ROUNDS + 1):
        since = time.process_time()
        await ask(app, row)
        times.append(time.process_time() - since)
    return round(1000 * statistics.median(times[1:]), 1)


if __name__ == "__main__":
    main()
