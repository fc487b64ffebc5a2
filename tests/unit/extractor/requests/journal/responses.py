"""Answers to keep, and strategies that make them."""

from __future__ import annotations

from pathlib import Path

from hypothesis import strategies as st

from penstock.extractor.requests.journal import Entry, Journal

texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=8)
headers = st.lists(st.tuples(st.binary(), st.binary()), max_size=3)
bodies = st.binary(max_size=40)
Responses = list[tuple[Entry, bytes]]


def entry_of(key: str, file: str = "", size: int = 0) -> Entry:
    return Entry(key, b"asked", 200, "OK", [(b"A", b"b")], 1.5, 2.5, 3.5, file=file, size=size)


@st.composite
def entries(draw: st.DrawFn, key: str) -> Entry:
    return Entry(
        key=key,
        request=draw(st.binary(max_size=8)),
        status=draw(st.integers(0, 599)),
        reason=draw(texts),
        headers=draw(headers),
        moment=draw(st.floats(allow_nan=False)),
        asked=draw(st.floats(allow_nan=False)),
        received=draw(st.floats(allow_nan=False)),
        requests=draw(st.integers(1, 9)),
        retries=draw(st.integers(0, 9)),
        extra=draw(st.binary(max_size=8)),
        dropped=draw(st.integers(0, 9)),
    )


@st.composite
def responses(draw: st.DrawFn, least: int = 0, most: int = 6) -> Responses:
    """Of different keys."""
    return [(draw(entries(f"0#{at}")), draw(bodies)) for at in range(draw(st.integers(least, most)))]


def write(folder: Path, kept: Responses) -> bytes:
    """What the file of a journal with these responses holds."""
    journal = Journal(folder)
    for entry, body in kept:
        journal.append(entry, body)
    journal.close()
    return (folder / "pages").read_bytes()
