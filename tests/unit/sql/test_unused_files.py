"""Links to files that no table and no clone has any more."""

from __future__ import annotations

import os
from pathlib import Path

from penstock.foundation.lake import drop_table
from penstock.sql import TableLoad, clones, links
from penstock.sql.folders import WorkspaceFolder, folder_of
from tests.unit.sql.workbench import BUCKET, Workbench

ORDERS = [["id", "name"], ["1", "a"]]


def folder_of_bench(bench: Workbench) -> WorkspaceFolder:
    return folder_of(bench.stack.folder, bench.workspace.id)


def list_links(bench: Workbench) -> set[Path]:
    return {path for path in folder_of_bench(bench).tables.iterdir() if path.is_file()}


def make_older(*files: Path) -> None:
    """By two days."""
    for file in files:
        time = file.stat().st_mtime - 2 * 24 * 3600
        os.utime(file, (time, time))


def clone(bench: Workbench, target: str) -> None:
    bench.load("orders", ORDERS)
    with bench.engines.open(bench.workspace) as engine:
        engine.load(TableLoad(link=bench.links["orders"], target=target, mode="clone"))


def test_links_go_when_the_table_has_dropped_the_file(new_bench: Workbench) -> None:
    for name in ("kept", "dropped"):
        new_bench.load(name, ORDERS)
        new_bench.run(f'SELECT * FROM "{BUCKET}"."{name}"')
    first = list_links(new_bench)
    only = min(first)
    # As after the maintenance of the lake: the link is the only name of the file.
    copy = only.with_name("copy")
    copy.write_bytes(only.read_bytes())
    copy.replace(only)

    links.remove_unused_links(folder_of_bench(new_bench), 60.0)
    assert list_links(new_bench) == first
    links.remove_unused_links(folder_of_bench(new_bench), -60.0)
    assert list_links(new_bench) == first - {only}


def test_links_of_a_dropped_clone_go_and_others_stay(new_bench: Workbench) -> None:
    clone(new_bench, "dropped")
    clone(new_bench, "kept")
    drop_table(new_bench.stack.lake, new_bench.links["orders"].table)
    folder = folder_of_bench(new_bench)
    assert len(list(folder.clones.iterdir())) == 2
    new_bench.run("DROP TABLE dropped")

    new_bench.engines.remove_unused_files(new_bench.workspace)
    make_older(folder.clones_checked)
    new_bench.engines.remove_unused_files(new_bench.workspace)
    assert len(list(folder.clones.iterdir())) == 2  # a statement may still read it
    [mark] = folder.clones.glob("*/unused")
    make_older(folder.clones_checked, mark)
    new_bench.engines.remove_unused_files(new_bench.workspace)

    assert len(list(folder.clones.iterdir())) == 1
    assert new_bench.rows("SELECT * FROM kept") == [["1", "a"]]


def test_clones_are_checked_once_a_day(new_bench: Workbench) -> None:
    folder = folder_of_bench(new_bench)
    assert not clones.should_check_clones(folder)
    clone(new_bench, "cloned")
    assert clones.should_check_clones(folder)
    new_bench.engines.remove_unused_files(new_bench.workspace)
    assert not clones.should_check_clones(folder)
