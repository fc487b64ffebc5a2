"""The exact commands by which programs on this system are made to trust a stack's authority."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path

import msgspec

from penstock.server.names import storage_name

_SYSTEMS = (
    ("Debian, Ubuntu, Alpine", "/usr/local/share/ca-certificates", "penstock.crt", "sudo update-ca-certificates"),
    ("Fedora, Red Hat", "/etc/pki/ca-trust/source/anchors", "penstock.pem", "sudo update-ca-trust"),
    ("SUSE", "/etc/pki/trust/anchors", "penstock.pem", "sudo update-ca-certificates"),
    ("Arch", "/etc/ca-certificates/trust-source/anchors", "penstock.crt", "sudo update-ca-trust"),
)
"""Where a Linux system stores its administrator's trusted certificates, and the command that loads them."""


class Way(msgspec.Struct, frozen=True):
    who: str
    how: str


def ways_to_trust(authority: Path, domain: str, platform: str = sys.platform) -> list[Way]:
    file = shlex.quote(str(authority))
    return [*_by_system(file, platform), *_by_program(file, platform), _by_curl(file, domain)]


def system_way(authority: Path, platform: str = sys.platform) -> str:
    """The first system-wide way; the distribution is recognized by its folders."""
    return _by_system(shlex.quote(str(authority)), platform)[0].how


def into_bundle(authority: Path, bundle: Path) -> str:
    return f"cat {shlex.quote(str(authority))} >> {shlex.quote(str(bundle))}"


def _by_system(file: str, platform: str) -> list[Way]:
    if platform == "darwin":
        chain = "/Library/Keychains/System.keychain"
        command = f"sudo security add-trusted-cert -d -r trustRoot -k {chain} {file}"
        return [Way("The system (macOS): Safari, Chrome, curl, Go programs", command)]
    here = [row for row in _SYSTEMS if Path(row[1]).is_dir()] or _SYSTEMS
    return [
        Way(
            f"The system ({name}): curl, Go programs, Python of the system",
            f"sudo cp {file} {target}/{folder} && {look}",
        )
        for name, target, folder, look in here
    ]


def _by_program(file: str, platform: str) -> list[Way]:
    chrome = f'certutil -d "sql:$HOME/.pki/nssdb" -A -t C,, -n penstock -i {file}'
    return [
        Way("Python with certifi (requests, httpx): once in each environment", _into_certifi(file)),
        Way("Python by a variable: these programs then trust no other authority", _variables(file)),
        Way("Node.js by a variable", f"export NODE_EXTRA_CA_CERTS={file}"),
        *([Way("Chrome and Chromium on Linux", chrome)] if platform != "darwin" else []),
        Way("Firefox", f"Settings, Privacy & Security, View Certificates, Authorities, Import: {file}"),
    ]


def _into_certifi(file: str) -> str:
    return f'cat {file} >> "$(python -m certifi)"'


def _variables(file: str) -> str:
    return f"export SSL_CERT_FILE={file} REQUESTS_CA_BUNDLE={file}"


def _by_curl(file: str, domain: str) -> Way:
    return Way("curl, without trusting it anywhere", f"curl --cacert {file} https://{storage_name(domain)}/v2/storage")
