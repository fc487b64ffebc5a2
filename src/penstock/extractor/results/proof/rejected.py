"""Finds the records of a page that cannot be in their table, and writes them to a file, with the reason.

A record is accepted or refused by the types of the records before it. A page is tried as a whole, without side effects,
and bisected if it is not accepted, so a good page costs one attempt, and a bad record about ten more.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, BinaryIO

from penstock.extractor.base.errors import UserError
from penstock.extractor.base.json_text import json_text
from penstock.extractor.records.columns import Column
from penstock.extractor.records.tree import Node, Tree

BUFFER = 1 << 16


Accept = Callable[[Sequence[Any]], str]
"""Accepts all of the records and returns an empty text, or none of them and returns the reason."""


class Rejected:
    """The rejected records of one bucket: lines of JSON, `{"reason": …, "record": …}`, in a file per table.

    The folder is created with the first record.
    """

    def __init__(self, folder: Path, bucket: str = "") -> None:
        self._folder, self._prefix = folder, f"{bucket}." if bucket else ""
        self.counts: Counter[str] = Counter()
        """How many records of each table were rejected."""
        self._file: BinaryIO | None = None
        self._name = ""

    def add(self, table: str, record: Any, reason: str) -> None:
        line = f'{{"reason":{json_text(reason)},"record":{json_text(record)}}}\n'
        self._open(table).write(line.encode())
        self.counts[table] += 1

    def close(self) -> None:
        if self._file is not None:
            self._file.close()
            self._file = None

    def _open(self, table: str) -> BinaryIO:
        """One open file at a time is enough, because bad records of a page are added together."""
        if self._file is None or self._name != table:
            self.close()
            self._folder.mkdir(exist_ok=True)
            self._file = (self._folder / f"{self._prefix}{table}.ndjson").open("ab", buffering=BUFFER)
            self._name = table
        return self._file


def refusals(records: Sequence[Any], accept: Accept) -> dict[int, str]:
    """Returns the indexes of the refused records, each with the reason."""
    refused: dict[int, str] = {}
    waiting = [(0, len(records))] if records else []
    while waiting:
        start, end = waiting.pop()
        reason = accept(records[start:end])
        if reason and end - start == 1:
            refused[start] = reason
        elif reason:
            middle = (start + end) // 2
            waiting += [(middle, end), (start, middle)]
    return refused


class TypeChecker:
    """Finds the records whose types contradict those known so far.

    Pages are tried on copies of the tree, so that refused records do not change the tree itself. The copies learn the
    accepted records, and are created again only after a page with refused ones.
    """

    def __init__(self, tree: Tree) -> None:
        self._tree = tree
        self._copies: dict[str, Node] = {}

    def refusals(self, data_type: str, records: Sequence[Any], column: Column) -> dict[int, str]:
        """`column` are the records as the tree learns them; the accepted records must be learnt next."""
        if data_type not in self._copies:
            self._copies[data_type] = self._known(data_type)
        if not _learn(data_type, self._copies[data_type], column):
            return {}
        self._copies[data_type] = self._known(data_type)
        return refusals(list(records), lambda part: self._accept(data_type, part))

    def _accept(self, data_type: str, part: Sequence[Any]) -> str:
        trial = copied(self._copies[data_type])
        reason = _learn(data_type, trial, Column(part))
        if not reason:
            self._copies[data_type] = trial
        return reason

    def _known(self, data_type: str) -> Node:
        root = self._tree.roots.get(data_type)
        return copied(root) if root else Node("array")


def copied(node: Node) -> Node:
    """Returns a copy of the types below a node, without names of columns."""
    copy = Node(node.kind)
    copy.members = {key: copied(child) for key, child in node.members.items()}
    copy.items = copied(node.items) if node.items is not None else None
    copy.is_extra = node.is_extra
    return copy


def _learn(data_type: str, root: Node, column: Column) -> str:
    """Returns an empty text if the column was learnt; otherwise the reason, and the node is unusable."""
    try:
        Tree({data_type: root}).learn(data_type, column, _ignore)
    except UserError as error:
        return str(error)
    return ""


def _ignore(_message: str, _item: Any) -> None:
    """Reports are made when the accepted records are learnt."""
