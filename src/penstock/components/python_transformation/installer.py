"""Installs packages into a new virtual environment: with uv if available, otherwise with pip.

The stack's operator configures the index, as for any other use of uv and pip: in the environment of the stack, or in
files of the machine (/etc/pip.conf, /etc/uv/uv.toml). Scripts do not see it: an address may contain a password. Build
scripts of packages do, as with any other use of uv and pip.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

from penstock.components.python_transformation import INSTALLER_SETTINGS
from penstock.extractor.base.errors import UserError
from penstock.foundation.outbound import VARIABLE, Policy

SHOWN_LINES = 20
_SAME = {
    "PIP_INDEX_URL": "UV_DEFAULT_INDEX",
    "PIP_EXTRA_INDEX_URL": "UV_INDEX",
    "PIP_FIND_LINKS": "UV_FIND_LINKS",
    "PIP_NO_INDEX": "UV_NO_INDEX",
}
"""Options that both installers have: set for pip, they apply to uv too."""


def install(home: Path, packages: list[str]) -> None:
    """Create the environment; raises UserError with the installer's output."""
    python = str(home / "bin" / "python")
    if uv := _find_uv():
        _run([uv, "venv", "--quiet", "--python", sys.executable, str(home)])
        _run([uv, "pip", "install", "--quiet", "--python", python, "--", *packages])
    else:
        _run([sys.executable, "-m", "venv", str(home)])
        _run([python, "-m", "pip", "install", "--quiet", "--no-input", "--disable-pip-version-check", "--", *packages])


def without_settings() -> dict[str, str]:
    """Returns the environment variables for scripts."""
    hidden = (*INSTALLER_SETTINGS, VARIABLE)
    return {name: value for name, value in os.environ.items() if name not in hidden}


def _find_uv() -> str | None:
    sibling = Path(sys.executable).with_name("uv")
    return str(sibling) if sibling.exists() else shutil.which("uv")


def _run(command: list[str]) -> None:
    done = subprocess.run(
        command,
        env=_environment(),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        errors="replace",
        check=False,
    )
    if done.returncode:
        said = "\n".join((done.stderr or done.stdout).strip().splitlines()[-SHOWN_LINES:])
        raise UserError(f"The packages could not be installed. Check their names and versions.\n{said}")


def _environment() -> dict[str, str]:
    """Installers do not use our gate; its proxy settings are passed in their own variables."""
    policy = Policy.from_environment()
    proxies = {"HTTP_PROXY": policy.proxy, "HTTPS_PROXY": policy.proxy} if policy.proxy else {}
    bundle = {"SSL_CERT_FILE": policy.ca_bundle, "PIP_CERT": policy.ca_bundle} if policy.ca_bundle else {}
    same = {uvs: os.environ[pips] for pips, uvs in _SAME.items() if pips in os.environ}
    if "UV_FIND_LINKS" in same:  # pip separates the locations by spaces, uv by commas
        same["UV_FIND_LINKS"] = ",".join(same["UV_FIND_LINKS"].split())
    # pip uses the machine's trusted authorities; uv does so with an option, whose name depends on its version.
    trust = {"UV_SYSTEM_CERTS": "true", "UV_NATIVE_TLS": "true"}
    # A cache would be removed with the data folder, and the script could read it before.
    no_cache = {"UV_NO_CACHE": "true", "PIP_NO_CACHE_DIR": "true"}
    inherited = {name: value for name, value in os.environ.items() if name != VARIABLE}
    return {**trust, **no_cache, **same, **inherited, **proxies, **bundle}
