"""The components that ship with the platform."""

from __future__ import annotations

import importlib

import pytest

from penstock.components.catalogue import CATALOGUE, find_component
from penstock.extractor.journal.folder import NAME


@pytest.mark.parametrize("name", ["ex-generic-v2", "keboola.ex-generic-v2"])
def test_the_extractor_is_found_by_its_id_and_its_alias(name: str) -> None:
    component = find_component(name)

    assert component
    assert (component.id, component.name, component.type) == ("ex-generic-v2", "Generic", "extractor")


@pytest.mark.parametrize("name", ["", "EX-GENERIC-V2", "ex-generic-v2 ", "keboola.nothing", "../ex-generic-v2"])
def test_anything_else_is_not_there(name: str) -> None:
    assert find_component(name) is None


def test_ids_and_aliases_are_used_once() -> None:
    names = [name for component in CATALOGUE for name in (component.id, *component.aliases)]

    assert len(names) == len(set(names))


def test_every_component_can_be_started() -> None:
    for component in CATALOGUE:
        assert importlib.import_module(component.module)
        assert component.timeout_seconds > 0


def test_an_interrupted_extraction_is_found_where_the_extractor_keeps_it() -> None:
    component = find_component("ex-generic-v2")

    assert component
    assert component.work == f"out/{NAME}"
