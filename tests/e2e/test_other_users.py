"""Other users of the machine open nothing of a stack that root runs without a sandbox."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from penstock.runtime.users import choose_user
from tests.support.opening import opening
from tests.support.stacks import ONE_WORKER, PENSTOCK, RunningStack, clean_environment
from tests.support.views import NOBODY, open_to_all, run_python

OTHER_PROJECT = 99
QUERY = 'SELECT count(*) FROM "in.c-sample"."customers"'
TRY_ALL = opening("sys.argv[1:]")


@pytest.mark.skipif(os.geteuid() != 0, reason="only root becomes another user")
def test_other_users_and_programs_of_other_projects_open_nothing(tmp_path: Path) -> None:
    open_to_all(tmp_path)
    stack = RunningStack(tmp_path / "data", *ONE_WORKER, variables={"PENSTOCK_SANDBOX": "off"})
    stack.run_job("sample-customers")
    command = [*PENSTOCK, "sql", QUERY, "--data-dir", str(stack.folder)]
    subprocess.run(command, check=True, capture_output=True, env=clean_environment())
    archive = [*PENSTOCK, "backup", str(tmp_path / "backup.tar"), "--data-dir", str(stack.folder)]
    subprocess.run(archive, check=True, capture_output=True, env=clean_environment())
    paths = [path for path in stack.folder.rglob("*") if not path.is_symlink()]
    words = [f"{'list' if path.is_dir() else 'read'} {path}" for path in paths]
    files_of_tables = [path for path in paths if path.match("workspaces/*/tables/*.parquet")]

    opened = {user: run_python(user, TRY_ALL, *words) for user in (NOBODY, choose_user(OTHER_PROJECT))}

    stack.stop()
    assert files_of_tables
    assert {user: done.stdout for user, done in opened.items()} == dict.fromkeys(opened, "")
    assert {done.returncode for done in opened.values()} == {0}
