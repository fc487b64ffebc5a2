"""`penstock hosts`: one marked block, and every other line as it was."""

from __future__ import annotations

import json
import os
import socket
import stat
from collections.abc import Generator
from importlib import import_module
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from penstock.cli import hosts, main
from penstock.cli.hosts.block import BEGIN, END, Block, BrokenBlock, find_lines, with_block, without_block
from tests.unit.cli.conftest import Penstock

BLOCK = Block("127.0.0.1", ("data.invalid", "connection.data.invalid"))
OTHER = Block("::1", ("other.example",))
DEFAULT_HOSTS = "127.0.0.1\tlocalhost\n::1 ip6-localhost\n\n# mine\n10.0.0.1 printer"

lines = st.text(st.characters(blacklist_characters="\n")).filter(lambda line: not line.startswith("# penstock: "))
texts = st.lists(lines).map("\n".join)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "hosts"
    path.write_text(f"{DEFAULT_HOSTS}\n")
    return path


@given(texts)
def test_a_block_that_is_put_in_and_taken_out_leaves_every_line_as_it_was(text: str) -> None:
    back = without_block(with_block(text, BLOCK))

    assert back in (text, f"{text}\n", f"{text}\r\n")


@given(texts)
def test_put_in_twice_it_is_there_once(text: str) -> None:
    once = with_block(text, BLOCK)

    assert with_block(once, BLOCK) == once
    assert find_lines(once) == BLOCK.lines


@given(texts, texts)
def test_a_new_block_takes_the_place_of_the_old_one(before: str, after: str) -> None:
    old = with_block(f"{before}\n", BLOCK) + after
    new = with_block(old, OTHER)

    assert new.startswith(f"{before}\n{BEGIN}")
    assert new.rstrip("\r\n").endswith(after.rstrip("\r\n"))
    assert find_lines(new) == OTHER.lines


def test_a_file_of_another_system_keeps_its_line_ends() -> None:
    assert with_block("a\r\n", BLOCK).count("\r\n") == 1 + len(BLOCK.lines)


@pytest.mark.parametrize(
    "text",
    [f"{BEGIN}\n", f"{END}\n", f"{END}\n{BEGIN}\n", f"{BEGIN}\n{END}\n{BEGIN}\n{END}\n", f"{BEGIN}\n{BEGIN}\n{END}"],
)
def test_a_broken_block_is_left_unchanged(text: str) -> None:
    for change in (find_lines, without_block, lambda it: with_block(it, BLOCK)):
        with pytest.raises(BrokenBlock, match="Remove them by hand"):
            change(text)


def test_install_and_remove_are_there_and_back(penstock: Penstock, penstock_process: Penstock, file: Path) -> None:
    installed = penstock_process("hosts", "install", "--file", file, "--domain", "data.invalid")
    text = file.read_text()

    assert installed.returncode == 0
    assert text.startswith(f"{DEFAULT_HOSTS}\n")
    assert "\n127.0.0.1 connection.data.invalid\n" in text
    assert "\n127.0.0.1 metastore.data.invalid\n" in text
    assert "already" in penstock("hosts", "install", "--file", file, "--domain", "data.invalid").stdout
    assert file.read_text() == text

    removed = penstock("hosts", "remove", "--file", file)
    assert (removed.returncode, file.read_text()) == (0, f"{DEFAULT_HOSTS}\n")
    assert "no block" in penstock("hosts", "remove", "--file", file).stdout


def test_another_domain_or_address_replaces_the_block(penstock: Penstock, file: Path) -> None:
    penstock("hosts", "install", "--file", file, "--domain", "old.invalid")
    penstock("hosts", "install", "--file", file, "--domain", "new.invalid", "--address", "::1")

    assert "old.invalid" not in file.read_text()
    assert "::1 connection.new.invalid\n" in file.read_text()


def test_show_prints_the_block_alone_where_a_program_reads_it(penstock_process: Penstock, file: Path) -> None:
    shown = penstock_process("hosts", "show", "--file", file, "--domain", "data.invalid")

    assert shown.stdout.splitlines()[:2] == [BEGIN, "127.0.0.1 data.invalid"]
    assert shown.stdout.splitlines()[-1] == END
    assert "penstock hosts install" in shown.stderr
    assert file.read_text() == f"{DEFAULT_HOSTS}\n"


def test_json_has_the_same_contents(penstock: Penstock, file: Path) -> None:
    arguments = ("--file", file, "--domain", "data.invalid", "--json")
    before = json.loads(penstock("hosts", "show", *arguments).stdout)
    installed = json.loads(penstock("hosts", "install", *arguments).stdout)
    after = json.loads(penstock("hosts", "show", *arguments).stdout)

    assert (before["isInstalled"], installed["isChanged"], after["isInstalled"]) == (False, True, True)
    assert after["names"][1] == "connection.data.invalid"
    assert after["leadHere"] is False


def test_mode_owner_links_and_odd_bytes_survive(penstock: Penstock, file: Path, tmp_path: Path) -> None:
    file.write_bytes(b"127.0.0.1 localhost\n# caf\xe9\x00\n")
    file.chmod(0o640)
    if os.geteuid() == 0:
        os.chown(file, 12345, 54321)
    before = file.stat()
    link = tmp_path / "link"
    link.symlink_to(file)

    penstock("hosts", "install", "--file", link)

    after = file.stat()
    assert link.is_symlink()
    assert (stat.S_IMODE(after.st_mode), after.st_uid, after.st_gid) == (0o640, before.st_uid, before.st_gid)
    assert file.read_bytes().startswith(b"127.0.0.1 localhost\n# caf\xe9\x00\n# penstock")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["hosts", "link"]


@pytest.mark.parametrize("place", ["gone", "."])
def test_a_file_that_is_none_is_a_sentence(penstock: Penstock, tmp_path: Path, place: str) -> None:
    refused = penstock("hosts", "install", "--file", tmp_path / place)

    assert refused.returncode == 1
    assert "There is no hosts file" in refused.stderr
    assert "Traceback" not in refused.stderr


@pytest.mark.parametrize("flags", [("--address", "here"), ("--domain", "not a domain")])
def test_a_wrong_flag_is_a_sentence(penstock: Penstock, file: Path, flags: tuple[str, str]) -> None:
    refused = penstock("hosts", "install", "--file", file, *flags)

    assert refused.returncode == 1
    assert "Traceback" not in refused.stderr
    assert file.read_text() == f"{DEFAULT_HOSTS}\n"


@pytest.fixture
def nobody(tmp_path: Path, file: Path, monkeypatch: pytest.MonkeyPatch) -> Generator[None]:
    """This test runs as a user who may read the file and not change it."""
    # What the command imports may lie where that user may not go.
    import_module("penstock.cli.hosts.file")
    import_module("penstock.server.program")
    monkeypatch.chdir(tmp_path)
    before = os.geteuid()
    tmp_path.chmod(0o555)
    file.chmod(0o444)
    for parent in tmp_path.parents:
        if parent.stat().st_uid == before and "pytest" in str(parent):
            parent.chmod(0o755)
    if before == 0:
        os.seteuid(65534)
    yield
    os.seteuid(before)
    tmp_path.chmod(0o755)


@pytest.mark.usefixtures("nobody")
def test_without_the_right_it_prints_the_command_and_the_lines(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code = main(["hosts", "install", "--file", str(file), "--domain", "data.invalid"])
    said = capsys.readouterr().err

    assert code == 1
    assert "may not be changed by this user" in said
    assert "sudo " in said
    assert f"hosts install --domain data.invalid --address 127.0.0.1 --file {file}" in said
    assert "127.0.0.1 connection.data.invalid\n" in said
    assert file.read_text() == f"{DEFAULT_HOSTS}\n"


def test_what_leads_here_already_needs_no_block(
    file: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(hosts, "SYSTEM_FILE", file)
    real = socket.getaddrinfo
    monkeypatch.setattr(socket, "getaddrinfo", lambda _name, *rest: real("localhost", *rest))

    assert main(["hosts", "install"]) == 0
    assert "Nothing to install" in capsys.readouterr().out
    assert file.read_text() == f"{DEFAULT_HOSTS}\n"

    assert main(["hosts", "install", "--force"]) == 0
    assert "connection.penstock.localhost" in file.read_text()
