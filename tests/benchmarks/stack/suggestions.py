"""How long a suggestion of a component takes over 500 of them, and an answer from the documentation."""

from __future__ import annotations

import itertools
import json
from collections.abc import Iterator
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING

from penstock.foundation.database import Database
from penstock.services.developer import interface as developer
from tests.benchmarks.lake.bench import seconds
from tests.benchmarks.lines import Line
from tests.support.http import Http

if TYPE_CHECKING:
    from tests.benchmarks.stack.work import Office

COMPONENTS, REQUESTS = 500, 100
SYSTEMS = ("Orders", "Tickets", "Contacts", "Campaigns", "Payments", "Shipments", "Surveys", "Sensors", "Fees", "Leads")
VENDORS = [
    f"{first}{second}" for first, second in itertools.product(("Blue", "North", "Open", "Quick", "True"), SYSTEMS)
]
ABOUT = (
    "Reads {what} of {vendor} into tables, incrementally by their date of change, with nested records as tables. " * 8
)


def measure_suggestions(office: Office) -> Iterator[Line]:
    _add_components(office.bench.folder / "components", office.stack.folder)
    ai = Http(office.stack.greeting["storageUrl"].replace("/storage", "/ai"), office.stack.greeting["token"])
    questions = itertools.cycle(f"extract {what.lower()} from {vendor}" for what in SYSTEMS for vendor in VENDORS)

    def suggest() -> None:
        response = ai.post("/suggest/component", {"prompt": next(questions)})
        assert response.status == 200
        assert len(response.json["components"]) == 10

    def ask() -> None:
        assert ai.post("/docs/question", {"query": f"How are {next(questions)} scheduled?"}).status == 201

    first = seconds(suggest)
    yield Line(f"the first suggestion over {COMPONENTS} components", 1000 * first, 2000, unit="ms")
    yield Line("another one, p50", 1000 * median(seconds(suggest) for _ in range(REQUESTS)), 30, unit="ms")
    ask()
    yield Line(
        "an answer from the documentation, p50", 1000 * median(seconds(ask) for _ in range(REQUESTS)), 30, unit="ms"
    )


def _add_components(folder: Path, data: Path) -> None:
    database = Database(data / "metadata.sqlite")
    pairs = list(itertools.product(VENDORS, SYSTEMS))[:COMPONENTS]
    wanted = [_write(folder / str(number), vendor, what) for number, (vendor, what) in enumerate(pairs)]
    with database.writing() as tx:
        for each in wanted:
            developer.add_component(tx, each)
    database.close()


def _write(folder: Path, vendor: str, what: str) -> developer.AddedComponent:
    folder.mkdir(parents=True)
    (folder / "main.py").touch()
    about = ABOUT.format(what=what, vendor=vendor)
    manifest = {
        "id": f"bench.ex-{vendor.lower()}-{what.lower()}",
        "name": f"{vendor} {what}",
        "type": "extractor",
        "command": ["python", "main.py"],
        "description": about[:100],
        "long_description": about,
    }
    (folder / "component.json").write_text(json.dumps(manifest))
    return developer.read_folder(folder)
