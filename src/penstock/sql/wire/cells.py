"""A column of a result as a part of its rows: the length of each value in four bytes, and the value."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from penstock.sql.wire.binary import AS_TEXT, find_binary, is_stored
from penstock.sql.wire.texts import Text, find_text

MAX_SHORT = 127
"""Bytes of a value whose length is ASCII, so that the database may join it as text, which is much faster."""
_NULL = "'\\xFF\\xFF\\xFF\\xFF'::BLOB"
_ZEROS = "decode('\\x00\\x00\\x00'::BLOB)"


class Cell(NamedTuple):
    """What the rows have of one column: texts to join, or a blob."""

    texts: tuple[str, ...] = ()
    blob: str = ""


class Column:
    """`is_known` is false if the database cannot encode it."""

    def __init__(self, name: str, kind: str, *, is_binary: bool) -> None:
        # Results of statements that are not queries hold only texts, which become values again.
        self.sql = f"{name}::{kind}" if is_stored(kind) else name
        self._name = name
        binary = find_binary(name, self.sql, kind) if is_binary else AS_TEXT
        self._binary = None if isinstance(binary, str) else binary
        self._text = find_text(self.sql, kind) if binary == AS_TEXT else None
        self.is_known = self._text is not None or self._binary is not None

    @property
    def ordinary(self) -> str:
        """A condition that values meet which are encoded here; empty if all do."""
        found = self._text or self._binary
        return found.ordinary if found else ""

    @property
    def long_text(self) -> str:
        """The text, if it may be longer than MAX_SHORT."""
        return self._text.sql if self._text and not self._text.is_short else ""

    @property
    def steps(self) -> tuple[tuple[str, ...], ...]:
        """Columns to make of it before its cell is made: what a cell uses twice is not computed twice."""
        return (
            ((f"{self._text.sql} AS {self._name}_text",),) if self._text else self._binary.steps if self._binary else ()
        )

    def cell(self, *, has_nulls: bool, is_short: bool) -> Cell:
        if self._text:
            return self._text_cell(self._text, has_nulls=has_nulls, is_short=is_short)
        assert self._binary
        value, length = self._binary.sql, self._binary.length
        before = _blob(length) if length else f"octet_length({value})::INTEGER::BIT::BLOB"
        joined = f"({before} || {value})"
        return Cell(blob=f"coalesce({joined}, {_NULL})" if has_nulls else joined)

    def _text_cell(self, text: Text, *, has_nulls: bool, is_short: bool) -> Cell:
        value = f"{self._name}_text"
        if not is_short:
            return Cell(blob=f"coalesce(strlen({value})::INTEGER::BIT::BLOB || encode({value}), {_NULL})")
        texts = (_ZEROS, f"chr({text.length or f'strlen({value})::INTEGER'})", value)
        if has_nulls:
            return Cell(blob=f"CASE WHEN {self.sql} IS NULL THEN {_NULL} ELSE {_encode(texts)} END")
        return Cell(texts=texts)


def join_cells(cells: Sequence[Cell]) -> str:
    """Join cells to one blob. Those of texts that follow each other are joined first; the blobs are joined in pairs,
    since each step copies what it joins."""
    blobs, texts = list[str](), list[str]()
    for cell in cells:
        texts += cell.texts
        if cell.blob:
            blobs += [*([_encode(texts)] if texts else []), cell.blob]
            texts = []
    blobs += [_encode(texts)] if texts else []
    while len(blobs) > 1:
        pairs = [blobs[start : start + 2] for start in range(0, len(blobs), 2)]
        blobs = [f"({' || '.join(pair)})" for pair in pairs]
    return blobs[0]


def _encode(texts: Sequence[str]) -> str:
    return f"encode(concat({', '.join(texts)}))"


def _blob(length: int) -> str:
    return f"'\\x00\\x00\\x00\\x{length:02X}'::BLOB"
