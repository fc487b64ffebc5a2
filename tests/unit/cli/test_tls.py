"""`penstock tls`."""

from __future__ import annotations

import json
import re
import shlex
import ssl
from pathlib import Path

from penstock.cli.doctor.trust import in_memory
from penstock.server.certificates import Secure, StackFiles
from tests.unit.cli.conftest import Penstock


def test_init_creates_what_a_client_trusts_and_prints_how(penstock_process: Penstock, tmp_path: Path) -> None:
    ended = penstock_process("tls", "init", "--domain", "data.example")

    authority = tmp_path / ".penstock" / "tls" / "authority.pem"
    assert ended.returncode == 0, ended.stderr
    assert f"sudo cp {authority}" in ended.stdout or "security add-trusted-cert" in ended.stdout
    assert f"SSL_CERT_FILE={authority}" in ended.stdout
    assert "For data.example, *.data.example, localhost, 127.0.0.1, ::1." in ended.stdout
    stack = Secure(StackFiles(tmp_path / ".penstock").stack).context
    assert in_memory(stack, "queue.data.example")(ssl.create_default_context(cafile=authority))


def test_init_again_renews_and_keeps_the_authority(penstock: Penstock) -> None:
    first, second, forced = (
        json.loads(penstock("tls", "init", "--json", *flags).stdout) for flags in ((), (), ("--force",))
    )

    assert (first["isNewAuthority"], second["isNewAuthority"], forced["isNewAuthority"]) == (True, False, True)
    assert second["authorityFingerprint"] == first["authorityFingerprint"] != forced["authorityFingerprint"]
    assert re.fullmatch(r"([0-9A-F]{2}:){31}[0-9A-F]{2}", first["authorityFingerprint"])


def test_show_changes_nothing(penstock: Penstock) -> None:
    made = json.loads(penstock("tls", "init", "--json").stdout)
    shown = json.loads(penstock("tls", "show", "--json").stdout)

    assert shown == {**made, "isNewAuthority": False, "isNewCertificate": False}
    assert penstock("tls", "show").stdout.startswith("This is what the stack has.")


def test_show_without_a_certificate_explains_how_to_create_one(penstock_process: Penstock, tmp_path: Path) -> None:
    refused = penstock_process("tls", "show")

    assert refused.returncode == 1
    assert "penstock tls init" in refused.stderr
    assert list(tmp_path.iterdir()) == []


def test_no_secret_is_printed(penstock: Penstock, tmp_path: Path) -> None:
    ended = penstock("tls", "init", "--json")

    for key in (tmp_path / ".penstock" / "tls").glob("*.key"):
        for line in key.read_text().splitlines()[1:-1]:
            assert line not in ended.stdout + ended.stderr


def test_every_command_to_trust_can_be_copied(penstock: Penstock, tmp_path: Path) -> None:
    made = json.loads(penstock("tls", "init", "--json", "--data-dir", tmp_path / "a folder").stdout)

    for way in made["trust"]:
        if not way["how"].startswith("Settings"):
            assert any("a folder/tls/authority.pem" in word for word in shlex.split(way["how"])), way


def test_another_domain_is_a_sentence(penstock: Penstock) -> None:
    penstock("tls", "init", "--domain", "one.example")
    refused = penstock("tls", "init", "--domain", "two.example")

    assert refused.returncode == 1
    assert "--force" in refused.stderr
    assert "Traceback" not in refused.stderr
