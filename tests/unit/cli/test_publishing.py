"""`penstock components` for published ones: init, publish, versions, rollback, remove-version."""

from __future__ import annotations

import json
import os
import zipfile
from pathlib import Path

from tests.support.http import Http
from tests.support.stacks import RunningStack
from tests.unit.cli.conftest import Penstock

ID = "tests.ex-published"


def make(penstock: Penstock, folder: Path, **manifest: object) -> Path:
    if not folder.exists():
        assert penstock("components", "init", ID, "--dir", folder).returncode == 0
    known = json.loads((folder / "component.json").read_text())
    (folder / "component.json").write_text(json.dumps({**known, **manifest}))
    return folder


def test_a_folder_is_published_in_versions_and_removed(penstock: Penstock, stack: RunningStack, tmp_path: Path) -> None:
    where = ("--data-dir", stack.folder)
    folder = make(penstock, tmp_path / "made", tag="1.0.0")
    first = penstock("components", "publish", folder, *where)
    again = penstock("components", "publish", folder, *where)
    (folder / "main.py").write_text("print('changed')\n")
    refused = penstock("components", "publish", folder, *where)
    make(penstock, folder, tag="1.1.0")
    second = penstock("components", "publish", folder, *where)
    back = penstock("components", "rollback", ID, "1", *where)
    removed = penstock("components", "remove-version", ID, "2", *where)
    versions = json.loads(penstock("components", "versions", ID, "--json", *where).stdout)
    listed = penstock("components", "list", *where).stdout
    gone = penstock("components", "remove", ID, *where)

    assert first.stdout == again.stdout == f"Published {ID} 1.0.0 as version 1.\n"
    assert "Raise `tag` in component.json" in refused.stderr
    assert second.stdout == f"Published {ID} 1.1.0 as version 2.\n"
    assert back.stdout == f"{ID} is at 1.0.0 again, as version 3.\n"
    assert removed.stdout == f"Removed version 2 of {ID}.\n"
    assert [(each["version"], each["tag"], each["isCurrent"]) for each in versions] == [
        (3, "1.0.0", True),
        (1, "1.0.0", False),
    ]
    assert "published, version 3" in listed
    assert gone.stdout == f"Removed {ID}.\n"
    assert ID not in penstock("components", "list", *where).stdout


def test_a_version_of_a_vendor_waits_until_the_operator_approves_it(
    penstock: Penstock, stack: RunningStack, tmp_path: Path
) -> None:
    where, remote = ("--data-dir", stack.folder), ("--url", stack.storage.base)
    folder = make(penstock, tmp_path / "made", tag="1.0.0")
    penstock("components", "publish", folder, *where)
    password = penstock("developers", "create", "ci", "--vendor", "tests", *where).stdout.strip()
    developer = Http(stack.storage.base.replace("storage", "developer"))
    login = developer.post("/auth/login", {"email": "ci", "password": password}).json
    make(penstock, folder, tag="2.0.0")
    sent = penstock("components", "publish", folder, *remote, "--token", login["token"])
    listed = penstock("components", "list", *where).stdout
    versions = penstock("components", "versions", ID, *where).stdout
    approved = penstock("components", "approve", ID, "2", *where)
    rejected = penstock("components", "reject", ID, "2", "--reason", "It is slow.", *where)
    withdrawn = penstock("components", "reject", ID, "1", "--reason", "It is slow.", *where)
    penstock("components", "remove", ID, *where)
    penstock("developers", "remove", "ci", *where)

    assert sent.stdout == (
        f"Published {ID} 2.0.0 as version 2.\nProjects run version 1 until an administrator has approved it.\n"
    )
    assert "published, version 1; 2.0.0 waits for approval" in listed
    assert [line.split()[:4] for line in versions.splitlines()[1:]] == [
        ["2", "2.0.0", "current", "not"],
        ["1", "1.0.0", "approved", versions.split()[-2]],
    ]
    assert approved.stdout == f"Approved version 2 of {ID}. Projects run 2.0.0.\n"
    assert rejected.stdout == f"Rejected version 2 of {ID}. Projects run 1.0.0.\n"
    assert withdrawn.stdout == f"Rejected version 1 of {ID}. Projects can no longer run it.\n"


def test_publishing_takes_the_place_of_a_component_that_was_added(
    penstock: Penstock, stack: RunningStack, tmp_path: Path
) -> None:
    where = ("--data-dir", stack.folder)
    folder = make(penstock, tmp_path / "made")
    penstock("components", "add", folder, *where)
    penstock("components", "publish", folder, *where)
    shown = json.loads(penstock("components", "show", ID, "--json", *where).stdout)
    penstock("components", "remove", ID, *where)

    assert (shown["folder"], shown["isPublished"]) == (None, True)


def test_an_archive_depends_only_on_the_files(penstock: Penstock, stack: RunningStack, tmp_path: Path) -> None:
    where, sums = ("--data-dir", stack.folder, "--json"), list[str]()
    for name in ("one", "two"):
        folder = make(penstock, tmp_path / name)
        (folder / "tool.sh").write_text("#!/bin/sh\n")
        (folder / "tool.sh").chmod(0o755)
        (folder / "__pycache__").mkdir()
        (folder / "__pycache__" / f"{name}.pyc").touch()
        os.utime(folder / "main.py", (len(sums) * 1e9, 0))
        sums.append(json.loads(penstock("components", "publish", folder, *where).stdout)["sha256"])
    [archive] = (stack.folder / "archives" / "stored").glob("*/*")
    with zipfile.ZipFile(archive) as opened:
        modes = {entry.filename: entry.external_attr >> 16 & 0o777 for entry in opened.infolist()}
    penstock("components", "remove", ID, *where)

    assert sums[0] == sums[1]
    assert (modes["tool.sh"], modes["main.py"]) == (0o755, 0o644)
    assert not any("pycache" in name for name in modes)


def test_what_cannot_be_published_is_said(penstock: Penstock, stack: RunningStack, tmp_path: Path) -> None:
    where = ("--data-dir", stack.folder)
    folder = make(penstock, tmp_path / "made", id="without-vendor")

    def refusal() -> str:
        return penstock("components", "publish", folder, *where).stderr

    assert "the id is that of a vendor, a dot, and a name" in refusal()
    make(penstock, folder, id="keboola.duckdb-transformation")
    assert "ships with the platform" in refusal()
    make(penstock, folder, id=ID)
    (folder / "link").symlink_to("/etc/passwd")
    assert "is not a plain file" in refusal()
    assert "is not the id of a component" in penstock("components", "init", "Nonsense").stderr
    assert "exists already" in penstock("components", "init", ID, "--dir", folder).stderr
    assert 'There is no app "nobody.nothing".' in penstock("components", "versions", "nobody.nothing", *where).stderr


def test_a_folder_is_published_over_http(penstock: Penstock, stack: RunningStack, tmp_path: Path) -> None:
    remote = ("--url", stack.storage.base)
    token = penstock("login", "create-token", "--description", "CI", "--data-dir", stack.folder).stdout.strip()
    folder = make(penstock, tmp_path / "made", id="remote.ex-published", tag="1.0.0")
    first = penstock("components", "publish", folder, *remote, "--token", token)
    again = json.loads(penstock("components", "publish", folder, *remote, "--token", token, "--json").stdout)
    (folder / "main.py").write_text("print('changed')\n")
    refused = penstock("components", "publish", folder, *remote, "--token", token)
    listed = penstock("components", "list", "--data-dir", stack.folder).stdout

    assert first.stdout == "Published remote.ex-published 1.0.0 as version 2.\n", first.stderr
    assert (again["version"], again["tag"], len(again["sha256"])) == (2, "1.0.0", 64)
    assert "Raise `tag` in component.json" in refused.stderr
    assert "remote.ex-published" in listed
    assert penstock("components", "remove", "remote.ex-published", "--data-dir", stack.folder).returncode == 0


def test_publishing_over_http_needs_a_token_of_the_portal(
    penstock: Penstock, stack: RunningStack, tmp_path: Path
) -> None:
    folder = make(penstock, tmp_path / "made", id="remote.ex-published")
    missing = penstock("components", "publish", folder, "--url", stack.storage.base)
    wrong = penstock("components", "publish", folder, "--url", stack.storage.base, "--token", stack.storage.token)
    both = penstock("components", "publish", folder, "--url", stack.storage.base, "--data-dir", stack.folder)

    assert "A token is needed" in missing.stderr
    assert "answered 401: The token is not valid" in wrong.stderr
    assert "not allowed with argument" in both.stderr
