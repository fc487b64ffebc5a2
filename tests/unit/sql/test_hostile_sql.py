"""Every line of tests/data/hostile_sql.jsonl, on one engine behind bubblewrap and on one without it.

`refused` fails; `harmless` may succeed, and shows nothing from outside; `stopped` ends within its timeout.
"""

from __future__ import annotations

import hashlib
import subprocess
import sys
import time
from collections.abc import Generator
from contextlib import closing
from pathlib import Path

import duckdb
import msgspec
import pytest

from penstock.sql import Engine, Engines, EngineStopped, Limits, StatementFailed, StatementTimedOut, Workspace, sockets
from penstock.sql.folders import folder_of
from penstock.sql.messages import Setup
from tests.support.stacks import ServicesOnly
from tests.unit.sql.workbench import Workbench

CANARY = "canary-7f3a9"
TIMEOUT_SECONDS = 1.0
OF_A_BUSY_MACHINE = 3.0


class Attack(msgspec.Struct, forbid_unknown_fields=True):
    sql: str
    expect: str


LINES = (Path(__file__).parents[2] / "data" / "hostile_sql.jsonl").read_text().splitlines()
ATTACKS = [msgspec.json.decode(line, type=Attack) for line in LINES]


class Target:
    """A workspace, and files beside it that must be neither read nor written."""

    def __init__(self, bench: Workbench, outside: Path) -> None:
        self.bench, self._outside = bench, outside
        for name in ("txt", "csv", "json"):
            (outside / f"secret.{name}").write_text(f'{{"a": "{CANARY}"}}\n')
        duckdb.sql(f"COPY (SELECT '{CANARY}' AS a) TO '{outside}/secret.parquet'")
        with duckdb.connect(str(outside / "secret.duckdb")) as database:
            database.execute(f"CREATE TABLE t AS SELECT '{CANARY}' AS a")
        outside.chmod(0o777)
        for file in outside.iterdir():
            file.chmod(0o666)
        bench.run("CREATE TABLE own AS SELECT 1 AS a")

    def fill(self, sql: str) -> str:
        places = {
            "{outside}": self._outside,
            "{stack}": self.bench.stack.folder,
            "{tables}": folder_of(self.bench.stack.folder, self.bench.workspace.id).tables,
            "{schema}": self.bench.workspace.schema,
        }
        for mark, place in places.items():
            sql = sql.replace(mark, str(place))
        return sql

    def look_outside(self) -> dict[str, str]:
        return {file.name: hashlib.sha256(file.read_bytes()).hexdigest() for file in sorted(self._outside.iterdir())}


@pytest.fixture(scope="module", params=["behind the sandbox", "without it"])
def target(
    request: pytest.FixtureRequest, shared: ServicesOnly, tmp_path_factory: pytest.TempPathFactory
) -> Generator[Target]:
    stack = shared.stack.with_settings(sql_memory_megabytes=512, sql_temp_megabytes=200)
    with closing(BareEngines(stack) if request.param == "without it" else Engines(stack)) as engines:
        bench = Workbench(stack, engines, tmp_path_factory.mktemp("csv"))
        yield Target(bench, tmp_path_factory.mktemp("outside"))


class BareEngines(Engines):
    """Engines that run as we do, without sandbox and guard: only the locks of the database are left."""

    def open(self, workspace: Workspace) -> Engine:
        folder = folder_of(self._stack.folder, workspace.id)
        if not hasattr(self, "_process") or self._process.poll() is not None:
            folder.make()
            limits = Limits.of(self._stack.settings)
            listener = sockets.listen(folder.socket)
            setup = Setup(
                database=workspace.database,
                schema=workspace.schema,
                tables=str(folder.tables),
                listener=listener.fileno(),
                limits=limits,
            )
            command = [sys.executable, "-I", "-m", "penstock.sql.process", msgspec.json.encode(setup).decode()]
            self._process = subprocess.Popen(command, cwd=folder.data, pass_fds=[listener.fileno()])
            listener.close()
        return super().open(workspace)

    def close(self) -> None:
        self._process.kill()
        self._process.wait()
        super().close()


def of(*expected: str) -> pytest.MarkDecorator:
    chosen = [attack for attack in ATTACKS if attack.expect in expected]
    return pytest.mark.parametrize("attack", chosen, ids=lambda attack: ascii(attack.sql[:60]))


@of("refused", "harmless")
def test_sql_reaches_nothing_outside_of_the_workspace(target: Target, attack: Attack) -> None:
    before = target.look_outside()
    try:
        target.bench.run(target.fill(attack.sql))
        shown, outcome = str(target.bench.page().rows), "harmless"
    except StatementFailed as error:
        shown, outcome = str(error), "refused"

    assert outcome == attack.expect, shown
    assert CANARY not in shown
    assert "root:" not in shown
    assert target.look_outside() == before


@pytest.mark.faults
@pytest.mark.parametrize("target", ["behind the sandbox"], indirect=True)  # without it there is no guard to end it
@of("stopped")
def test_sql_that_takes_too_much_is_stopped(target: Target, attack: Attack) -> None:
    target.bench.rows("SELECT 1")
    begun = time.monotonic()
    with pytest.raises((StatementTimedOut, StatementFailed, EngineStopped)):
        target.bench.run(attack.sql, timeout_seconds=TIMEOUT_SECONDS)

    assert time.monotonic() - begun < TIMEOUT_SECONDS + 2 + OF_A_BUSY_MACHINE
    try:
        assert target.bench.rows("SELECT count(*) FROM own") == [["1"]]
    except EngineStopped:  # for memory that the statement took, which the guard saw only now
        assert target.bench.rows("SELECT count(*) FROM own") == [["1"]]


def test_the_workspace_still_works_after_all_of_them(target: Target) -> None:
    assert target.bench.rows("SELECT count(*) FROM own") == [["1"]]


def test_there_are_at_least_two_hundred() -> None:
    assert len(ATTACKS) >= 200
