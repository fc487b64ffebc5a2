"""The bill of materials of a wheel: valid CycloneDX, and complete."""

from __future__ import annotations

import importlib.util
import json
import re
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from cyclonedx.schema import SchemaVersion
from cyclonedx.validation.json import JsonStrictValidator

from penstock import __version__

ROOT = Path(__file__).parents[2]
LOCK = """
Some_Package==1.0 ; sys_platform == 'linux' \\
    --hash=sha256:aa11 \\
    --hash=sha256:bb22
tool[extra]==2.0 \\
    --hash=sha256:cc33
"""


def load(name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(name, ROOT / "console" / f"{name}.py")
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def document(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """As the build of a wheel writes it."""
    return json.loads(load("build").write_sbom(tmp_path_factory.mktemp("sbom")).read_text())


def test_it_is_valid_cyclonedx(document: dict[str, Any]) -> None:
    assert JsonStrictValidator(SchemaVersion.V1_6).validate_str(json.dumps(document)) is None
    assert document["metadata"]["component"]["version"] == __version__


def test_it_names_every_package_of_both_lock_files_in_its_version(document: dict[str, Any]) -> None:
    pins = re.findall(r"^([a-z0-9._-]+)(?:\[.*\])?==([^\s;]+)", (ROOT / "requirements.lock").read_text(), re.M | re.I)
    lock = json.loads((ROOT / "console/package-lock.json").read_text())["packages"]
    bundled = {
        (path.rpartition("node_modules/")[2], each["version"]) for path, each in lock.items() if not each.get("dev")
    }

    components = {(each["name"], each["version"]) for each in document["components"]}

    assert components == {*pins, *bundled} - {("", "0.0.0")}
    assert all(each["hashes"] and each["purl"] for each in document["components"])


def test_most_licences_are_known(document: dict[str, Any]) -> None:
    unknown = [each["name"] for each in document["components"] if not each.get("licenses")]

    assert len(unknown) < len(document["components"]) / 4, unknown


def test_it_is_the_same_each_time(document: dict[str, Any]) -> None:
    assert load("sbom").make_sbom() == document


def test_a_pin_keeps_its_name_all_its_hashes_and_whether_it_only_builds() -> None:
    package, tool = load("sbom").read_python_lock(LOCK, ["tool"])

    assert package["purl"] == "pkg:pypi/some-package@1.0"
    assert [each["content"] for each in package["hashes"]] == ["aa11", "bb22"]
    assert (package["scope"], tool["scope"]) == ("required", "excluded")
    assert (tool["name"], tool["version"]) == ("tool", "2.0")


def test_a_package_of_the_console_in_two_places_is_named_once_and_one_for_tests_never() -> None:
    react = {"version": "19.3.1", "integrity": "sha512-q6o=", "license": "MIT"}
    packages = {"": {}, "node_modules/react": react, "node_modules/a/node_modules/react": react}
    tests = {"node_modules/@types/react": {"version": "1.0.0", "dev": True}}
    scoped = {"node_modules/@mantine/core": {"version": "9.7.3", "optional": True}}

    found = list(load("sbom").read_console_lock({"packages": {**packages, **tests, **scoped}}))

    assert [each["purl"] for each in found] == ["pkg:npm/react@19.3.1", "pkg:npm/%40mantine/core@9.7.3"]
    assert found[0]["hashes"] == [{"alg": "SHA-512", "content": "abaa"}]
    assert found[0]["licenses"] == [{"expression": "MIT"}]
    assert found[1]["scope"] == "optional"
