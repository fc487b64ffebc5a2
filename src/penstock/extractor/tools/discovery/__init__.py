"""From a URL to a configuration: fetches a few pages, proposes a configuration, and proves it by running it.

inputs/            a URL, a curl command, an OpenAPI document or a HAR file become a Target
target.py          the request to start from, and a choice among several
safety.py          refuses what may change data
discovery.py       the whole procedure
budget.py          the most requests that may be sent
probe.py           sends requests within the budget, like a run
draft.py           the configuration while it is being built, and the findings: a choice and its evidence
authentication.py  secrets of the request become `#` keys
records.py         where the records are
pagination/        one file per method: what in a response suggests it
comparison.py      whether page 2 is another page than page 1
page_size.py       larger pages, if the API allows them
ending.py          what the API returns after the last page
keys.py            a likely primary key
changes.py         a field with the time of the last change, and a parameter that selects records by it
nested.py          arrays within records
proof.py           runs the configuration and reads the first rows of its tables
conclusions.py     findings in words
explanation.py     findings and rows as lines
"""

from __future__ import annotations

from penstock.extractor.tools.discovery.discovery import Discovery, discover
from penstock.extractor.tools.discovery.draft import Finding
from penstock.extractor.tools.discovery.target import Target

__all__ = ["Discovery", "Finding", "Target", "discover"]
