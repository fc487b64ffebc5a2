"""The header Link."""

from __future__ import annotations

from penstock.extractor.tools.discovery.pagination import link_header
from tests.unit.extractor.tools.discovery.pagination.first_page import ROWS, clues


def test_a_next_link_suggests_link_pagination() -> None:
    header = '<https://a.example/rows?page=9>; rel="last", </rows?page=2>; rel="next"'
    [candidate] = link_header.suggest(clues(ROWS, {"Link": header}))

    assert candidate.settings == {"method": "link"}
    assert "/rows?page=2" in candidate.evidence


def test_other_links_suggest_nothing() -> None:
    assert list(link_header.suggest(clues(ROWS, {"Link": '</rows?page=1>; rel="prev"'}))) == []
    assert list(link_header.suggest(clues(ROWS))) == []
