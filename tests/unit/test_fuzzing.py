from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import strategies as st

from tests.support import fuzzing
from tests.support.fuzzing import fuzzed, list_files


def test_what_fails_is_kept_in_its_shortest_form_and_tried_from_then_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(fuzzing, "CORPORA", tmp_path)
    monkeypatch.setattr(fuzzing, "IS_KEEPING", True)
    (tmp_path / "short").mkdir()

    @fuzzed("short", st.binary())
    def refuse(content: bytes) -> None:
        assert len(content) < 3

    with pytest.raises(AssertionError):
        refuse()

    tried = list[bytes]()

    @fuzzed("short", st.just(b""))
    def note(content: bytes) -> None:
        tried.append(content)

    note()
    assert tried[0] == bytes(3)


def test_nothing_is_kept_by_make_test(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fuzzing, "CORPORA", tmp_path)
    monkeypatch.setattr(fuzzing, "IS_KEEPING", False)
    (tmp_path / "short").mkdir()

    fuzzing.keep("short", b"content")

    assert not list((tmp_path / "short").iterdir())


def test_every_edge_takes_part_with_a_corpus() -> None:
    edges = {"archives", "backups", "ciphers", "cron", "http2", "json", "multipart", "postgresql", "sql"}

    assert {folder.name for folder in fuzzing.CORPORA.iterdir()} == edges
    texts = "".join(Path(file).read_text() for file in list_files())
    assert [edge for edge in edges if f'@fuzzed(\n    "{edge}"' not in texts and f'@fuzzed("{edge}"' not in texts] == []
