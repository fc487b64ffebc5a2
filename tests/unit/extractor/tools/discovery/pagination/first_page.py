"""What is known after a first page, made without a server."""

from __future__ import annotations

import json
from typing import Any

from penstock.extractor.base.http import Message
from penstock.extractor.responses.response_meta.fields import fields
from penstock.extractor.responses.response_meta.signs import read_signs
from penstock.extractor.tools.discovery.draft import Draft
from penstock.extractor.tools.discovery.keys import find_key
from penstock.extractor.tools.discovery.pagination import Clues
from penstock.extractor.tools.discovery.probe import Sample
from penstock.extractor.tools.discovery.records import find
from penstock.foundation.outbound import Response

ROWS = [{"id": n} for n in range(1, 21)]


def clues(
    document: Any,
    headers: dict[str, str] | None = None,
    params: dict[str, Any] | None = None,
    declared: tuple[str, ...] = (),
) -> Clues:
    body = json.dumps(document).encode()
    response = Response.kept(200, "OK", list((headers or {}).items()), body, "https://a.example/rows")
    records = find(document, "rows")
    assert records is not None
    known = list(fields(document, records.path))
    draft = Draft("https://a.example/", {"endpoint": "rows", "params": params or {}})
    sample = Sample(Message("GET", "https://a.example/rows"), response, body, document, records.items)
    signs = read_signs(known, response.headers, len(records.items))
    return Clues(draft, sample, records, known, signs, find_key(records.items, "rows"), declared)
