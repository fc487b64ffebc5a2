"""Findings and first rows as lines for people. The caller redacts the secrets in them."""

from __future__ import annotations

from collections.abc import Iterator

from penstock.extractor.tools.discovery.discovery import Discovery
from penstock.extractor.tools.discovery.draft import Finding
from penstock.extractor.tools.discovery.proof import Table

NARROW, MAX_COLUMNS = 24, 6


def explain(discovery: Discovery) -> Iterator[str]:
    yield from _list([finding for finding in discovery.findings if finding.is_proven], "")
    unproven = [finding for finding in discovery.findings if not finding.is_proven]
    if unproven:
        yield ""
        yield from _list(unproven, "Not proven:")
    for table in discovery.proof.tables:
        yield ""
        yield from _table(table)


def _list(findings: list[Finding], title: str) -> Iterator[str]:
    if title:
        yield title
    width = max((len(finding.subject) for finding in findings), default=0)
    for finding in findings:
        yield f"{finding.subject.ljust(width)}  {finding.choice}"
        yield f"{' ' * width}  {finding.evidence}"


def _table(table: Table) -> Iterator[str]:
    hidden = len(table.columns) - MAX_COLUMNS
    more = f", {hidden} more columns" if hidden > 1 else ", 1 more column" if hidden == 1 else ""
    yield f"{table.name}: {table.count} rows{more}"
    lines = [[_cell(text) for text in row[:MAX_COLUMNS]] for row in (table.columns, *table.rows)]
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    for line in lines:
        yield "  " + "  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip()


def _cell(text: str) -> str:
    plain = " ".join(text.split())
    return plain if len(plain) <= NARROW else f"{plain[: NARROW - 3]}..."
