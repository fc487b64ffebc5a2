"""`penstock storage-jobs`."""

from __future__ import annotations

import json

from tests.support.http import Http
from tests.support.stacks import RunningStack
from tests.unit.cli.conftest import Penstock
from tests.unit.services.storage.loading import make_table


def test_jobs_of_storage_are_listed_and_one_that_has_ended_cannot_be_cancelled(
    penstock: Penstock, penstock_process: Penstock, stack: RunningStack
) -> None:
    http = Http(f"{stack.storage.base}/v2/storage", stack.storage.token)
    make_table(http, "id\n1\n", "listed", "listing")
    target = ("--data-dir", stack.folder)
    listed = penstock_process("storage-jobs", "list", "--limit", "1", *target)
    [job] = json.loads(penstock("storage-jobs", "list", "--limit", "1", "--json", *target).stdout)
    refused = penstock_process("storage-jobs", "cancel", str(job["id"]), *target)

    header, line = listed.stdout.splitlines()
    assert header.split() == ["ID", "STATUS", "OPERATION", "TABLE", "CREATED", "ERROR"]
    assert line.split()[:4] == [str(job["id"]), "success", "tableCreate", "in.c-listing.listed"]
    assert (refused.returncode, refused.stdout) == (1, "")
    assert "has ended already" in refused.stderr
    assert json.loads(penstock("storage-jobs", "list", "--unfinished", "--json", *target).stdout) == []


def test_an_unknown_job_is_a_sentence(penstock: Penstock, stack: RunningStack) -> None:
    ended = penstock("storage-jobs", "cancel", "../nope", "--data-dir", stack.folder)

    assert (ended.returncode, ended.stdout) == (1, "")
    assert "404" in ended.stderr
    assert "Traceback" not in ended.stderr


def test_help_explains_what_it_does(penstock: Penstock) -> None:
    shown = penstock("storage-jobs", "--help").stdout

    assert "cancel" in shown
    assert "unfinished work has no effect" in " ".join(shown.split())
