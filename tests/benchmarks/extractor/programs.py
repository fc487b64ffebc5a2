"""Who runs: a program is a name, the command for a workload, and the form of the tables that it leaves."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec

from tests.benchmarks.extractor import workloads as w
from tests.benchmarks.extractor.workloads import Workload

PENSTOCK = Path(sys.executable).parent / "penstock"
_PAGING: dict[str, dict[str, Any]] = {
    "offset": {"pagination": {"method": "offset", "limit": 1000}},
    "cursor": {"pagination": {"method": "cursor", "idKey": "id", "param": "after"}},
    "whole": {},
}


class Call(msgspec.Struct, frozen=True):
    command: list[str]
    form: str
    """What is verified: `penstock`, `csv` or `parquet` tables, or only what was `asked` of the server."""
    environment: dict[str, str] = {}
    is_parallel: bool = False
    """Whether it may have several requests under way."""


Program = Callable[[Workload, int, Path], Call]
"""Takes the port of the server and an empty folder."""


def all_programs(peers: Path | None) -> dict[str, Program]:
    known = {
        w.OURS: _penstock({}),
        w.PARALLEL: _penstock({"parallelism": "auto"}),
        w.FETCH: _limit("fetch", "asked"),
        w.FETCH_AHEAD: _limit("fetch_ahead", "asked"),
        w.DUCKDB: _limit("duckdb_tables", "csv"),
        w.ROW_IDS: _limit("row_id_tables", "ours"),
    }
    if peers is None:
        return known
    return {**known, w.PEERS[0]: _dlt(peers, "tuned-csv", "csv"), w.PEERS[1]: _dlt(peers, "tuned-fs", "parquet")}


def dlt_python() -> Path:
    """Where the peers' own set-up puts dlt."""
    home = Path(os.environ.get("BENCH_HOME", Path.home() / ".cache" / "penstock-bench"))
    return home / "venvs" / "dlt" / "bin" / "python"


def _penstock(api: dict[str, Any]) -> Program:
    def call(workload: Workload, port: int, out: Path) -> Call:
        (out / "config.json").write_text(json.dumps({"parameters": _configuration(workload, port, api)}))
        return Call([str(PENSTOCK), "extract", "--data-dir", str(out)], "penstock", is_parallel=bool(api))

    return call


def _configuration(workload: Workload, port: int, api: dict[str, Any]) -> dict[str, Any]:
    params = {"delay_ms": workload.delay} if workload.delay else {}
    if workload.way == "cursor":
        params["limit"] = 1000
    job = {"endpoint": f"{workload.way}/{workload.kind}-{workload.rows}", "dataType": workload.kind, "params": params}
    if workload.way != "whole":
        job["dataField"] = "items"
    return {
        "api": {"baseUrl": f"http://127.0.0.1:{port}/", **_PAGING[workload.way], **api},
        "config": {"outputBucket": "bench", "jobs": [job]},
    }


def _limit(module: str, form: str) -> Program:
    def call(workload: Workload, port: int, out: Path) -> Call:
        command = [sys.executable, "-m", f"tests.benchmarks.extractor.limits.{module}", str(port)]
        return Call([*command, *_description(workload), str(out)], form, is_parallel=module == "fetch_ahead")

    return call


def _dlt(peers: Path, variant: str, form: str) -> Program:
    def call(workload: Workload, port: int, out: Path) -> Call:
        script = peers / "peers" / "dlt_peer.py"
        command = [str(dlt_python()), str(script), variant, *_description(workload), str(out)]
        return Call(command, form, {"BENCH_PORT": str(port)}, is_parallel=True)

    return call


def _description(workload: Workload) -> list[str]:
    return [workload.way, workload.kind, str(workload.rows), str(workload.delay)]
