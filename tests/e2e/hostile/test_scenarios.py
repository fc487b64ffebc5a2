"""The suite itself: as many scenarios as promised, every form of every fault among them, and always the same ones."""

from __future__ import annotations

from collections import Counter

import pytest

from tests.docs.pages import ROOT, read_page
from tests.e2e.hostile.faults import CLASSES
from tests.e2e.hostile.model import Record, table
from tests.e2e.hostile.paging import WAYS
from tests.e2e.hostile.scenario import Scenario
from tests.e2e.hostile.scenarios import all_scenarios, make_scenario


@pytest.fixture(scope="module")
def scenarios() -> list[Scenario]:
    return list(all_scenarios())


def test_there_are_six_hundred_and_each_has_a_name_of_its_own(scenarios: list[Scenario]):
    assert len(CLASSES) * len(WAYS) == 120
    assert len({scenario.id for scenario in scenarios}) == len(scenarios) >= 600


def test_every_variant_is_used(scenarios: list[Scenario]):
    used = Counter((scenario.id.split("-")[0], scenario.variant.name) for scenario in scenarios)

    for name, variants in CLASSES.items():
        assert [variant.name for variant in variants if not used[name, variant.name]] == []
        assert len({variant.name for variant in variants}) == len(variants)


def test_a_seed_always_gives_the_same_scenario():
    scenario = make_scenario("H2", "cursor", 3)

    assert make_scenario("H2", "cursor", 3) == scenario
    assert make_scenario("H2", "cursor", 4).data != scenario.data


def test_the_model_quotes_every_cell():
    records = [Record(1, 'a "b"', "1.5", True), Record(2, "", "2", False)]

    assert table(records) == b'"id","name","amount","active"\n"1","a ""b""","1.5","1"\n"2","","2",""\n'


def test_the_page_about_reliability_tells_of_every_class():
    rows = read_page(ROOT / "docs/reliability.md").table_below("## A hostile API")

    assert [row[0] for row in rows] == list(CLASSES)
