"""Discovery against small APIs with the conventions of well-known services, without help."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from penstock.extractor.base.values import to_text
from tests.support.api import Api
from tests.support.extraction import run_extraction
from tests.unit.extractor.tools.discovery.apis import APIS, SmallApi
from tests.unit.extractor.tools.discovery.finding import discover_command

BUDGET = 20


@pytest.mark.parametrize("small", APIS, ids=lambda small: small.name)
def test_the_proposed_configuration_reads_all_rows(small: SmallApi, tmp_path: Path) -> None:
    with Api() as api:
        small.serve(api)
        found = discover_command(small.command(api.url))
        asked = len(api.seen)
        rows = run_extraction(found.document, tmp_path / "out").rows(small.table)

    assert [_scalars(record) for record in small.records] == [_same(row, small.records[0]) for row in rows]
    assert found.document["parameters"]["api"]["pagination"]["method"] == small.method
    assert asked <= BUDGET
    assert not found.proof.problem
    assert found.proof.tables


def _scalars(record: dict[str, Any]) -> dict[str, str]:
    """Columns do not start with an underscore."""
    plain = {key: value for key, value in record.items() if not isinstance(value, (dict, list))}
    return {key.lstrip("_"): to_text(value) for key, value in plain.items()}


def _same(row: dict[str, str], record: dict[str, Any]) -> dict[str, str]:
    return {key: row[key] for key in _scalars(record)}
