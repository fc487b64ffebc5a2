from __future__ import annotations

import os
import signal
import threading
from collections.abc import Generator
from contextlib import closing
from pathlib import Path

import pytest

from penstock.foundation.files import locks
from penstock.sql import Engines, EngineStopped, Statement, sockets
from penstock.sql import engine as engine_module
from penstock.sql.folders import folder_of
from penstock.sql.messages import receive_hello
from tests.support.stacks import ServicesOnly, wait_for
from tests.unit.sql.workbench import Workbench

ENDLESS = "SELECT count(*) FROM range(10000000) AS a, range(10000000) AS b"
BUSY_TICKS = 30
"""More than an engine needs before it runs a statement."""


def find_processes(bench: Workbench) -> list[int]:
    """Of the engine itself, as this machine numbers them."""
    found: list[int] = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdecimal():
            try:
                words = (entry / "cmdline").read_bytes().split(b"\0")
            except OSError:
                continue
            is_engine = b"penstock.sql.process" in words and words[0].endswith(b"python")
            if is_engine and any(bench.workspace.schema.encode() + b'"' in word for word in words):
                found.append(int(entry.name))
    return found


def processor_ticks(bench: Workbench) -> int:
    """Hundredths of a second that the engine has computed."""
    texts = [Path(f"/proc/{pid}/stat").read_text() for pid in find_processes(bench)]
    fields = [text.rpartition(")")[2].split() for text in texts]
    return sum(int(each[11]) + int(each[12]) for each in fields)


@pytest.fixture
def short(shared: ServicesOnly, tmp_path: Path) -> Generator[Workbench]:
    """A workspace whose engine ends after a second."""
    stack = shared.stack.with_settings(sql_idle_timeout=1)
    with closing(Engines(stack)) as engines:
        yield Workbench(stack, engines, tmp_path)


def test_an_idle_engine_ends_and_starts_again_with_its_tables(short: Workbench) -> None:
    short.run("CREATE TABLE kept AS SELECT 7 AS a")
    wait_for(lambda: not find_processes(short))

    assert short.rows("SELECT a FROM kept") == [["7"]]


def test_the_socket_goes_with_the_engine(short: Workbench) -> None:
    short.run("SELECT 1")
    socket = folder_of(short.stack.folder, short.workspace.id).socket

    assert socket.exists()
    wait_for(lambda: not socket.exists())


def test_the_socket_stays_while_another_engine_may_be_started(new_bench: Workbench) -> None:
    new_bench.run("SELECT 1")
    folder = folder_of(new_bench.stack.folder, new_bench.workspace.id)
    with locks.exclusive(folder.lock):
        for pid in find_processes(new_bench):
            os.kill(pid, signal.SIGKILL)
        wait_for(folder.ended.exists)
        wait_for(lambda: not any(each.name == f"sql-{folder.path.name}" for each in threading.enumerate()))
        assert folder.socket.exists()

    assert new_bench.rows("SELECT 2 AS n") == [["2"]]


def test_a_result_is_read_after_its_engine_has_ended(short: Workbench) -> None:
    short.run("SELECT 8 AS a")
    wait_for(lambda: not find_processes(short))

    assert short.page().rows == [["8"]]


def test_two_processes_of_the_stack_share_one_engine(new_bench: Workbench) -> None:
    new_bench.run("CREATE TEMP TABLE mine AS SELECT 1 AS a", session_id="s")
    with closing(Engines(new_bench.stack)) as others:
        other = Workbench(new_bench.stack, others, Path())
        other.workspace = new_bench.workspace

        assert other.rows("SELECT a FROM mine", session_id="s") == [["1"]]


def test_results_of_a_session_go_after_its_engine_has_ended(short: Workbench) -> None:
    with short.engines.open(short.workspace) as engine:
        engine.execute(Statement(id="s-1", sql="SELECT 1", session_id="s", dialect="duckdb"), short.find_tables)
        wait_for(lambda: not engine.is_open)
        engine.end_session("s")

    assert not list(folder_of(short.stack.folder, short.workspace.id).results.iterdir())


def test_every_use_of_an_open_engine_is_marked_but_not_often(
    new_bench: Workbench, monkeypatch: pytest.MonkeyPatch
) -> None:
    used = folder_of(new_bench.stack.folder, new_bench.workspace.id).used
    with new_bench.engines.open(new_bench.workspace) as engine:
        for seconds, is_marked in ((60.0, False), (0.0, True)):
            os.utime(used, (1, 1))
            monkeypatch.setattr(engine_module, "USED_SECONDS", seconds)
            engine.execute(Statement(id="s", sql="SELECT 1"), new_bench.find_tables)
            assert (used.stat().st_mtime > 1) is is_marked


@pytest.mark.faults
def test_a_killed_engine_says_so_and_opens_again(new_bench: Workbench) -> None:
    new_bench.run("CREATE TABLE kept AS SELECT 7 AS a")

    before = processor_ticks(new_bench)

    def kill() -> None:
        wait_for(lambda: processor_ticks(new_bench) > before + BUSY_TICKS)
        for pid in find_processes(new_bench):
            os.kill(pid, signal.SIGKILL)

    thread = threading.Thread(target=kill)
    thread.start()
    with pytest.raises(EngineStopped, match="starts again with the next statement"):
        new_bench.run(ENDLESS)
    thread.join()

    assert new_bench.rows("SELECT a FROM kept") == [["7"]]


@pytest.mark.faults
def test_engines_end_with_the_process_that_started_them(shared: ServicesOnly, tmp_path: Path) -> None:
    engines = Engines(shared.stack)
    bench = Workbench(shared.stack, engines, tmp_path)
    bench.run("SELECT 1")
    engines.close()

    wait_for(lambda: not find_processes(bench))


@pytest.mark.faults
def test_twenty_workspaces_are_active_at_once(shared: ServicesOnly, engines: Engines, tmp_path: Path) -> None:
    benches = [Workbench(shared.stack, engines, tmp_path) for _ in range(20)]
    found: list[list[list[str | None]]] = []

    def run(bench: Workbench) -> None:
        found.append(bench.rows("SELECT sum(range) FROM range(1000000)"))

    threads = [threading.Thread(target=run, args=(bench,)) for bench in benches]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert found == [[["499999500000"]]] * 20
    for bench in benches:
        engines.remove(bench.workspace)


def test_the_socket_of_an_engine_greets_at_once(bench: Workbench) -> None:
    bench.run("SELECT 1")
    with sockets.connect(folder_of(bench.stack.folder, bench.workspace.id).socket, 5.0) as line:
        assert receive_hello(line).pid > 0


def test_an_engine_imports_no_library_that_it_does_not_use(bench: Workbench) -> None:
    bench.run("CREATE VIEW v AS SELECT 1 AS n")
    bench.rows("SELECT * FROM v")
    maps = [Path(f"/proc/{pid}/maps").read_text() for pid in find_processes(bench)]

    assert any("duckdb" in text for text in maps)
    assert not any(name in text for text in maps for name in ("pandas", "numpy", "pyarrow"))
