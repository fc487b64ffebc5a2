"""Virtual environments with the packages of configurations, cached for the next run.

An environment belongs to one project, one list of packages and one interpreter. It is created in its final place, under
a lock; the file `ready` is written last, so an incomplete one is created again.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import sys
from pathlib import Path

from penstock.components.program import Data
from penstock.components.python_transformation.installer import install
from penstock.extractor.base.errors import UserError
from penstock.foundation.files import locks

CACHE_VARIABLE = "PENSTOCK_CACHE"
READY = "ready"


def find_python(data: Data, packages: list[str]) -> str:
    """Returns the interpreter that has the packages; without any, this one."""
    requirements = _check(packages)
    if not requirements:
        return sys.executable
    home = _find_cache(data.folder) / "python" / _name(requirements)
    with locks.exclusive(home.with_name(f"{home.name}.lock")):
        if not (home / READY).exists():
            data.log.info(f"Installing {', '.join(requirements)}.")
            shutil.rmtree(home, ignore_errors=True)
            install(home, requirements)
            (home / READY).touch()
    return str(home / "bin" / "python")


def _check(packages: list[str]) -> list[str]:
    for package in packages:
        # A word that begins with a dash would be an option of the installer.
        if package.strip().startswith("-") or any(ord(letter) < 32 for letter in package):
            raise UserError(f'Invalid configuration: "{package}" in `parameters.packages` is not a valid package.')
    return sorted({package.strip() for package in packages if package.strip()})


def _find_cache(folder: Path) -> Path:
    """Returns the folder of the cache; the default is in the data folder, with which the environment is removed."""
    path = os.environ.get(CACHE_VARIABLE)
    return Path(path) if path else folder / ".cache"


def _name(packages: list[str]) -> str:
    """Returns a project's code can change its environments, so none is shared with another project."""
    facts = [os.environ.get("KBC_PROJECTID", ""), sys.version, os.path.realpath(sys.executable), *packages]
    return hashlib.sha256("\n".join(facts).encode()).hexdigest()[:32]
