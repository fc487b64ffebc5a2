"""`penstock files`."""

from __future__ import annotations

import json
from pathlib import Path

from tests.support.stacks import RunningStack
from tests.unit.cli.conftest import Penstock


def test_a_file_is_uploaded_with_tags_found_by_them_and_downloaded(
    penstock: Penstock, penstock_process: Penstock, stack: RunningStack, tmp_path: Path
) -> None:
    at = ("--data-dir", stack.folder)
    (tmp_path / "report.bin").write_bytes(bytes(range(256)))
    flags = ("--tag", "monthly", "--tag", "cli", *at)
    file_id = penstock_process("files", "upload", "report.bin", *flags).stdout.strip()
    (found,) = json.loads(penstock("files", "list", "--tag", "monthly", "--json", *at).stdout)
    line = penstock("files", "list", "--tag", "monthly", *at).stdout.splitlines()[1].split()
    done = penstock("files", "download", file_id, "copy.bin", *at)
    again = penstock_process("files", "download", file_id, *at)

    assert (str(found["id"]), found["name"], found["tags"]) == (file_id, "report.bin", ["monthly", "cli"])
    assert line[:3] == [file_id, "report.bin", "256"]
    assert (done.returncode, done.stdout) == (0, "copy.bin: 256 bytes\n")
    assert (tmp_path / "copy.bin").read_bytes() == bytes(range(256))
    assert (again.returncode, again.stderr) == (
        1,
        "report.bin exists. Use --overwrite to replace it, or give another name.\n",
    )


def test_what_is_not_there_is_an_error(penstock: Penstock, stack: RunningStack, tmp_path: Path) -> None:
    at = ("--data-dir", stack.folder)

    assert penstock("files", "upload", "none.bin", *at).stderr == "There is no file none.bin.\n"
    assert "answered 404" in penstock("files", "download", "999999", "x", *at).stderr
    assert list(tmp_path.iterdir()) == []
