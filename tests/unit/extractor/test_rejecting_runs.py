"""Runs that set bad records aside instead of ending."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.support.api import Api, Response
from tests.support.extraction import parameters, run_extraction
from tests.unit.extractor.scenarios import name_of

SHARED = {"dataType": "things", "dataField": "items"}


@pytest.mark.parametrize(
    ("known", "other"),
    [({"x": 1}, [{"x": 1}]), (1, {"x": 1}), ({"x": 1}, "text"), ({"x": 1}, 2), ([1], [{"x": 1}]), (1, [{"x": 1}])],
)
def test_pages_after_rejected_records_may_hold_null_where_those_held_another_type(
    tmp_path: Path, known: Any, other: Any
):
    """The second job has seen the other type, but only in records that were rejected."""
    pages = {
        "/a": [{"k": known, "z": {"q": 1}}],
        "/b?page=1": [{"k": other, "z": 5}, {"k": None, "z": 5}, {"k": None, "z": None}],
        "/b?page=2": [{"k": None, "z": None}] * 2,
        "/b?page=3": [{"k": [] if isinstance(other, list) else None, "z": None}] * 3,
    }
    jobs = [{"endpoint": "a", **SHARED}, {"endpoint": "b", **SHARED, "scroller": "pages"}]
    scrollers = {"method": "multiple", "scrollers": {"pages": {"method": "pagenum"}}}
    with Api() as api:
        api.on_everything(lambda seen: Response.json({"items": pages.get(name_of(seen), [])}))
        document = parameters(api.url, *jobs, pagination=scrollers)
        document["config"]["proof"] = {"badRows": "reject"}
        result = run_extraction(document, tmp_path)

    assert len(result.rows("test.things")) == 7
    assert len((tmp_path / "rejected" / "test.things.ndjson").read_text().splitlines()) == 2
