"""The route table against the contract: a test reads the list of what a compatible service must have, line by line."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from penstock.services.queue.interface import FOR_STORAGE
from penstock.services.storage.models.blobs import ENDPOINT
from penstock.services.storage.routes import routes

ROOT = "/v2/storage/"
SPEC = Path(__file__).parents[4] / ".." / "shared" / "spec" / "storage.md"
SECTIONS = range(4, 20)

AREAS = {
    "Index": [""],
    "Tokens": ["tokens"],
    "Buckets": ["buckets", "shared-buckets"],
    "Tables": ["tables", "columns"],
    "Jobs": ["jobs"],
    "Files": ["files"],
    "Components & configurations": ["components"],
    "Branches": ["dev-branches", "branch/{}/metadata"],
    "Workspaces": ["workspaces"],
    "Events": ["events"],
    "Triggers": ["triggers"],
    "Search": ["branch/{}/search", "global-search"],
}
ALSO_TABLES = [f"POST buckets/{{}}/{word}" for word in ("tables", "tables-async", "tables-definition")]
"""They are below a bucket, and the list counts them with the tables."""

NEVER_IN_A_BRANCH = re.compile(
    r"(jobs|triggers|tickets|snapshots|scheduled-tasks|dev-branches|merge-request|audit-log|global-search)(/|$)|tables/\{\}/alias-filter$"
)
ONLY_IN_A_BRANCH = re.compile(r"(metadata(/\{\})?|search/component-configurations)$")

_CALL = re.compile(r"`(GET|POST|PUT|DELETE) ([^` ]+)")


def normal(path: str) -> str:
    """A path below the root, with nothing said about its parameters."""
    path = path.replace("{B}", "").removeprefix(ROOT).removeprefix(ROOT.rstrip("/")).removesuffix("[/]")
    path = re.sub(r"^C(?=/|$)", "components/{}", path)
    path = re.sub(r"^W(?=/|$)", "workspaces/{}", path)
    return re.sub(r"\{[^}]*\}", "{}", path).strip("/")


def rows_of_the_table() -> set[str]:
    return {f"{row.method} {normal(row.path)}" for row in routes(FOR_STORAGE) if row.path.startswith(ROOT.rstrip("/"))}


def sections(text: str) -> dict[int, str]:
    parts = re.split(r"^# (\d+)\. ", text, flags=re.MULTILINE)
    return {int(number): body for number, body in zip(parts[1::2], parts[2::2], strict=True)}


def endpoints_in(section: str) -> Iterator[str]:
    """Of every line of a table that says MUST, and of every headline that is about one call."""
    for line in section.splitlines():
        if "**MUST" in line and line.startswith("|"):
            calls = _CALL.findall(line.replace("{id or default}", "{id}"))
            yield from (f"{method} {normal(path)}" for method, path in calls)
        elif found := re.match(r"## 9\.[1-4] .*`(GET|POST) ([^`]+)`$", line):
            yield f"{found[1]} {normal(found[2])}"


@pytest.fixture(scope="module")
def spec() -> dict[int, str]:
    if not SPEC.exists():
        pytest.skip("The contract is not beside this checkout, so its list cannot be read.")
    return sections(SPEC.read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def musts(spec: dict[int, str]) -> set[str]:
    return {endpoint for number in SECTIONS for endpoint in endpoints_in(spec[number])}


def area_of(endpoint: str) -> str:
    if endpoint in ALSO_TABLES:
        return "Tables"
    path = endpoint.partition(" ")[2]
    if path.endswith("/workspaces"):
        return "Workspaces"
    return next(
        area for area, names in AREAS.items() if path in names or path.startswith(tuple(f"{n}/" for n in names))
    )


def test_as_many_endpoints_are_read_from_the_contract_as_its_list_counts(spec: dict[int, str], musts: set[str]) -> None:
    listed = {area: int(count) for area, count in re.findall(r"^\| ([\w &]+) \| (\d+) \|", spec[23], re.MULTILINE)}

    found = {area: {endpoint for endpoint in musts if area_of(endpoint) == area} for area in AREAS}

    assert {area: len(endpoints) for area, endpoints in found.items()} == listed, found


def test_every_endpoint_that_must_be_there_is_a_row(musts: set[str]) -> None:
    assert sorted(musts - rows_of_the_table()) == []


def test_the_blob_endpoint_has_its_rows() -> None:
    # Put Block and Put Block List are Put Blob with a parameter, and whatever can be got can be asked for its head.
    blobs = {row.method for row in routes(FOR_STORAGE) if row.path.startswith(f"/{ENDPOINT}/")}

    assert blobs == {"GET", "PUT", "DELETE"}


def test_a_route_exists_with_and_without_a_branch_as_in_the_contract() -> None:
    paths = {f"{row.method} {normal(row.path)}" for row in routes(FOR_STORAGE) if row.path.startswith(ROOT)}
    within = {path.replace("branch/{}/", "") for path in paths if "branch/{}/" in path}
    without = {path for path in paths if "branch/{}/" not in path}

    assert sorted(path for path in within if NEVER_IN_A_BRANCH.match(path.partition(" ")[2])) == []
    missing = {path for path in without - within if not NEVER_IN_A_BRANCH.match(path.partition(" ")[2])}
    assert sorted(missing) == [], "these need a row for branches"
    missing = {path for path in within - without if not ONLY_IN_A_BRANCH.match(path.partition(" ")[2])}
    assert sorted(missing) == [], "these need a row without a branch"
