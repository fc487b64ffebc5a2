"""Output line by line: printable, bounded, without secrets."""

from __future__ import annotations

import io
from functools import partial

from hypothesis import given
from hypothesis import strategies as st

from penstock.foundation.redaction import Redactor
from penstock.runtime.launch import Clean, decode_start
from penstock.runtime.streams import LINE_BYTES, TAIL_LINES, Tail, listen


def hear(content: bytes, clean: Clean = decode_start) -> list[str]:
    lines: list[str] = []
    listen(io.BytesIO(content), clean, lines.append).join()
    return lines


def test_what_is_not_text_becomes_printable() -> None:
    assert hear(b"a\0b\x1b[31mred\x07\tc\x7f\n\xff\xfe") == ["a\ufffdb\ufffd[31mred\ufffd\tc\ufffd", "\ufffd\ufffd"]


@given(st.lists(st.binary(max_size=200)))
def test_any_bytes_become_lines_that_a_database_takes(pieces: list[bytes]) -> None:
    for line in hear(b"\n".join(pieces)):
        assert line.encode()
        assert not any(ord(character) < 32 and character != "\t" for character in line)


@given(st.lists(st.text(st.characters(codec="utf-8", exclude_categories=["C"]), min_size=1)))
def test_text_is_heard_as_it_was_written(texts: list[str]) -> None:
    assert hear("\n".join(texts).encode()) == texts


def test_a_line_at_the_limit_is_whole_and_one_beyond_is_cut() -> None:
    whole = b"x" * LINE_BYTES

    assert hear(whole + b"\nnext") == [whole.decode(), "next"]
    assert hear(whole + b"yz\nnext") == [f"{whole.decode()} … (2 bytes of this line were left out)", "next"]


def test_a_secret_at_the_cut_is_hidden_as_a_whole() -> None:
    redactor = Redactor.of({"#key": "very-secret-value"})
    line = b"x" * (LINE_BYTES - 6) + b"very-secret-value" + b"y" * 1_000_000

    (heard,) = hear(line, partial(redactor.clean_start, errors="replace"))
    assert "very" not in heard
    assert "[hidden]" in heard


def test_the_tail_keeps_the_last_lines_and_is_bounded() -> None:
    tail = Tail()
    for number in range(1000):
        tail.add(f"{number} " + "x" * 100_000)

    assert tail.text.startswith("950 ")
    assert len(tail.text.splitlines()) == TAIL_LINES
    assert len(tail.text) < 250_000
