"""Writes the bill of materials of a wheel, as CycloneDX: what the lock files name, with versions, hashes and licences.

`python console/sbom.py FILE`. The console's build runs it for each wheel, and without packages: it reads the lock files
alone, and licences of Python packages from those that are installed in the locked version.
"""

from __future__ import annotations

import base64
import json
import re
import sys
import tomllib
import uuid
from collections.abc import Iterable, Iterator
from importlib import metadata
from pathlib import Path
from typing import Any
from urllib.parse import quote

ROOT = Path(__file__).resolve().parents[1]
NAME = "penstock"
SPEC_VERSION = "1.6"
MAX_LICENCE_NAME = 60
ALGORITHMS = {"sha256": "SHA-256", "sha384": "SHA-384", "sha512": "SHA-512", "sha1": "SHA-1"}
_PIN = re.compile(r"^(?P<name>[A-Za-z0-9._-]+)(?:\[[^]]*\])?==(?P<version>[^\s;\\]+)")
_HASH = re.compile(r"--hash=(\w+):([0-9a-f]+)")
_VERSION = re.compile(r'^__version__ = "([^"]+)"', re.MULTILINE)
_MODULES = "node_modules/"

Component = dict[str, Any]


def make_sbom(root: Path = ROOT) -> dict[str, Any]:
    """The same for the same lock files: it has neither a date nor a random number."""
    python = list(read_python_lock((root / "requirements.lock").read_text(), _list_build_tools(root)))
    console = list(read_console_lock(json.loads((root / "console/package-lock.json").read_text())))
    components = sorted([*python, *console], key=lambda each: each["bom-ref"])
    subject = _describe_subject(root)
    references = [each["bom-ref"] for each in components]
    number = uuid.uuid5(uuid.NAMESPACE_URL, "\n".join([subject["bom-ref"], *references]))
    return {
        "$schema": f"http://cyclonedx.org/schema/bom-{SPEC_VERSION}.schema.json",
        "bomFormat": "CycloneDX",
        "specVersion": SPEC_VERSION,
        "serialNumber": f"urn:uuid:{number}",
        "version": 1,
        "metadata": {"component": subject},
        "components": components,
        "dependencies": [{"ref": subject["bom-ref"], "dependsOn": references}],
    }


def read_python_lock(text: str, build_tools: Iterable[str] = ()) -> Iterator[Component]:
    """One component per pin. Its hashes are those of all its files: which of them is installed depends on the
    machine."""
    tools = set(build_tools)
    for line in text.replace("\\\n", " ").splitlines():
        if pin := _PIN.match(line):
            name, version = pin["name"], pin["version"]
            hashes = [{"alg": ALGORITHMS[kind], "content": digest} for kind, digest in _HASH.findall(line)]
            scope = "excluded" if name in tools else "required"
            yield {
                **_component(f"pkg:pypi/{_normal(name)}@{version}", name, version, hashes, scope),
                **_find_licence(name, version),
            }


def read_console_lock(lock: dict[str, Any]) -> Iterator[Component]:
    """One component per package. Those for tests alone are in no bundle and left out."""
    seen: set[str] = set()
    for path, package in lock["packages"].items():
        if not path or package.get("dev"):
            continue
        name = package.get("name") or path.rpartition(_MODULES)[2]
        purl = f"pkg:npm/{quote(name, safe='/')}@{package['version']}"
        if purl not in seen:
            seen.add(purl)
            hashes = list(_read_integrity(package.get("integrity", "")))
            scope = "optional" if package.get("optional") else "required"
            yield {
                **_component(purl, name, package["version"], hashes, scope),
                **_licence(package.get("license")),
            }


def _component(purl: str, name: str, version: str, hashes: list[dict[str, str]], scope: str) -> Component:
    about = {"type": "library", "bom-ref": purl, "name": name, "version": version, "scope": scope}
    return {**about, **({"hashes": hashes} if hashes else {}), "purl": purl}


def _licence(expression: str | None) -> Component:
    return {"licenses": [{"expression": expression}]} if expression else {}


def _read_integrity(integrity: str) -> Iterator[dict[str, str]]:
    for each in integrity.split():
        kind, _, digest = each.partition("-")
        yield {"alg": ALGORITHMS[kind], "content": base64.b64decode(digest).hex()}


def _find_licence(name: str, version: str) -> Component:
    """The SPDX expression, or what older packages call their licence; some have its whole text there."""
    try:
        found = metadata.distribution(name)
    except metadata.PackageNotFoundError:
        return {}
    if found.version != version:
        return {}
    fields = found.metadata.json
    if expression := fields.get("license_expression"):
        return _licence(str(expression))
    older = str(fields.get("license", "")).strip()
    is_name = bool(older) and len(older) <= MAX_LICENCE_NAME and "\n" not in older
    return {"licenses": [{"license": {"name": older}}]} if is_name else {}


def _list_build_tools(root: Path) -> Iterator[str]:
    """Those that make the wheel, and are not installed with it."""
    groups = tomllib.loads((root / "pyproject.toml").read_text())["dependency-groups"]
    for requirement in groups["build"]:
        yield re.split(r"[^A-Za-z0-9._-]", requirement)[0]


def _describe_subject(root: Path) -> Component:
    found = _VERSION.search((root / "src/penstock/__init__.py").read_text())
    if not found:
        raise SystemExit('src/penstock/__init__.py has no line `__version__ = "…"`, so the bill has no version.')
    purl = f"pkg:pypi/{NAME}@{found[1]}"
    about = {"type": "application", "bom-ref": purl, "name": NAME, "version": found[1], "purl": purl}
    return {**about, **_licence("Apache-2.0")}


def _normal(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


if __name__ == "__main__":
    Path(sys.argv[1]).write_text(json.dumps(make_sbom(), indent=1) + "\n")
