"""The header `Link` holds the address of the next page."""

from __future__ import annotations

from collections.abc import Iterator

from penstock.extractor.requests.pagination.link_header import parse_links
from penstock.extractor.tools.discovery.pagination.candidate import Candidate, Clues


def suggest(clues: Clues) -> Iterator[Candidate]:
    header = clues.first.response.headers.get("Link", "")
    for link in parse_links(header):
        if "next" in link.rels:
            yield Candidate({"method": "link"}, f"the header Link holds {link.address} with rel=next")
            return
