"""The journal after the process that wrote it has ended, at whatever byte."""

from __future__ import annotations

import tempfile
import threading
from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from penstock.extractor.requests.journal import Journal, sync
from tests.support.patience import PATIENCE
from tests.unit.extractor.requests.journal.responses import Responses, entry_of, responses, write


def taken(folder: Path, kept: Responses) -> Responses:
    """What a journal still has of these responses."""
    with closing(Journal(folder)) as journal:
        found = [journal.take(entry.key) for entry, _body in kept]
    return [(each.entry, each.body) for each in found if each is not None]


@given(responses())
def test_answers_are_there_again_under_their_keys(kept: Responses):
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write(folder, kept)

        assert taken(folder, kept) == kept


def test_a_journal_cut_at_any_byte_has_every_answer_before_that(tmp_path: Path):
    kept: Responses = [(entry_of("0#0"), b"first"), (entry_of("0#1"), b""), (entry_of("0#2"), b"third")]
    whole = write(tmp_path, kept)
    ends: list[int] = []
    with closing(Journal(tmp_path)) as journal:
        ends = [each.end for entry, _body in kept if (each := journal.take(entry.key))]
    for length in range(len(whole) + 1):
        (tmp_path / "pages").write_bytes(whole[:length])
        count = sum(end <= length for end in ends)

        assert taken(tmp_path, kept) == kept[:count]
        assert (tmp_path / "pages").read_bytes() == whole[: ends[count - 1] if count else 0]


@given(responses(), st.binary(min_size=1, max_size=60) | st.integers(1, 9000).map(bytes), st.integers(0, 30))
def test_garbage_at_the_end_is_dropped_whatever_it_is(kept: Responses, garbage: bytes, lost: int):
    """As a power cut may leave it: the end of the last response overwritten, or what follows it."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        whole = write(folder, kept)
        (folder / "pages").write_bytes(whole[: max(len(whole) - lost, 0)] + garbage)
        again = taken(folder, kept)

        assert again == kept[: len(again)]
        assert lost or again == kept


@given(responses(least=1), st.data())
def test_an_answer_with_a_wrong_byte_is_lost_with_those_behind_it(kept: Responses, data: st.DataObject):
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        whole = bytearray(write(folder, kept))
        at = data.draw(st.integers(0, len(whole) - 1))
        whole[at] ^= data.draw(st.integers(1, 255))
        before = [(entry, body) for entry, body in kept if _end_of(folder, entry.key) <= at]
        (folder / "pages").write_bytes(whole)

        assert taken(folder, kept) == before


def _end_of(folder: Path, key: str) -> int:
    with closing(Journal(folder)) as journal:
        kept = journal.peek(key)
        assert kept is not None
        return kept.end


@given(responses(least=1), responses(), st.data())
def test_what_is_appended_after_a_cut_is_as_good_as_what_was_there(
    first: Responses, more: Responses, data: st.DataObject
):
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        whole = write(folder, first)
        (folder / "pages").write_bytes(whole[: data.draw(st.integers(0, len(whole)))])
        left = taken(folder, first)
        again = [(entry, body + b"!") for entry, body in [*first[len(left) :], *more[len(first) :]]]
        write(folder, again)

        assert taken(folder, left + again) == left + again


def test_answers_are_read_while_others_are_appended(tmp_path: Path):
    with closing(Journal(tmp_path)) as journal:
        first = journal.append(entry_of("0#0"), b"a" * 100_000)
        second = journal.append(entry_of("0#1"), b"b")
        assert journal.read(first.at) == first
        third = journal.append(entry_of("0#2"), b"c")
        assert journal.read(second.at, is_whole=False).entry.key == "0#1"

        assert [journal.read(each.at) for each in (third, first, second)] == [third, first, second]
        assert third.at == second.end


def test_only_answers_of_an_earlier_attempt_are_waiting(tmp_path: Path):
    write(tmp_path, [(entry_of("0#0"), b"a"), (entry_of("0#1"), b"b")])

    with closing(Journal(tmp_path)) as journal:
        assert journal.waiting == 2
        journal.append(entry_of("0#2"), b"c")
        assert journal.waiting == 2
        assert journal.take("0#2") is None


def test_an_answer_can_be_looked_at_before_and_after_it_is_taken(tmp_path: Path):
    write(tmp_path, [(entry_of("0#0"), b"a")])

    with closing(Journal(tmp_path)) as journal:
        for _ in range(2):
            found = journal.peek("0#0")
            assert found is not None
            assert (found.entry, found.body) == (entry_of("0#0"), b"")
            taken = journal.take("0#0")
            assert taken is not None
            assert taken.body == b"a"
        assert journal.peek("0#1") is None


@pytest.mark.parametrize("other", ["0#1", "0/0.0.0.0#0", "0:0#0", "00#0", "0#00"])
def test_another_key_is_another_answer(tmp_path: Path, other: str):
    write(tmp_path, [(entry_of("0#0"), b"a")])

    with closing(Journal(tmp_path)) as journal:
        assert journal.take(other) is None


def test_a_large_answer_has_a_file_of_its_own(tmp_path: Path):
    with closing(Journal(tmp_path)) as journal:
        places = [journal.place_for(key) for key in ("0#0", "0#1")]
    assert places[0] != places[1]
    kept: Responses = [(entry_of("0#0", places[0].name, 5), b""), (entry_of("0#1"), b"small")]
    write(tmp_path, kept)
    places[0].write_bytes(b"large")

    assert taken(tmp_path, kept) == kept
    assert places[0].read_bytes() == b"large"


@pytest.mark.parametrize("left", [None, b"", b"larg", b"larger"])
def test_a_large_answer_whose_file_is_not_whole_is_lost_with_those_behind_it(tmp_path: Path, left: bytes | None):
    file = tmp_path / "large-1"
    kept: Responses = [(entry_of("0#0"), b""), (entry_of("0#1", file.name, 5), b""), (entry_of("0#2"), b"x")]
    write(tmp_path, kept)
    if left is not None:
        file.write_bytes(left)

    assert taken(tmp_path, kept) == kept[:1]
    assert not file.exists()


def test_files_of_large_answers_that_never_came_to_an_end_are_removed(tmp_path: Path):
    (tmp_path / "large-1").write_bytes(b"half of it")
    (tmp_path / "run.json").write_bytes(b"{}")

    taken(tmp_path, [])

    assert {path.name for path in tmp_path.iterdir()} == {"run.json", "pages"}


def test_nobody_else_may_read_the_answers(tmp_path: Path):
    write(tmp_path, [])

    assert (tmp_path / "pages").stat().st_mode & 0o777 == 0o600


def test_what_is_written_is_synced_within_a_second(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    synced = threading.Event()
    monkeypatch.setattr(sync.os, "fsync", lambda _handle: synced.set())

    with closing(Journal(tmp_path)) as journal:
        journal.append(entry_of("0#0"), b"a")

        assert synced.wait(PATIENCE)
    assert sync.SECONDS < 1


def test_a_disk_that_cannot_sync_does_not_stop_the_syncing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    calls: list[int] = []
    again = threading.Event()

    def fail(handle: int) -> None:
        calls.append(handle)
        if len(calls) > 1:
            again.set()
        raise OSError

    monkeypatch.setattr(sync, "SECONDS", 0.01)
    monkeypatch.setattr(sync.os, "fsync", fail)
    with closing(Journal(tmp_path)) as journal:
        for _ in range(2000):
            journal.append(entry_of("0#0"), b"a")
            if again.wait(0.05):
                break

    assert len(calls) > 1


def test_what_is_left_behind_on_purpose_is_synced_at_once_with_the_folders_it_is_in(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    handles: list[int] = []
    monkeypatch.setattr(sync, "SECONDS", 60)
    monkeypatch.setattr(sync.os, "fsync", handles.append)
    with closing(Journal(tmp_path)) as journal:
        journal.append(entry_of("0#0"), b"a")
        assert handles == []

        journal.sync()

        assert len(handles) == 3
