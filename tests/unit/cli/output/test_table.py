"""Tables that fit the terminal."""

from __future__ import annotations

import io
import re
from collections.abc import Sequence
from contextlib import redirect_stdout

import pytest
from hypothesis import given
from hypothesis import strategies as st

from penstock.cli.output import print_columns, print_table
from penstock.cli.output.table import fit
from penstock.cli.output.text import shown_width, truncate

COLUMNS = ("ID", "STATUS", "NOTE")
ROWS = [("1", "error", "a long text that does not fit"), ("20", "success", "short")]


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.fixture(autouse=True)
def thirty_columns(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "30")
    monkeypatch.setenv("NO_COLOR", "1")


def shown(columns: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """The table as a terminal gets it."""
    with redirect_stdout(Terminal()) as terminal:
        print_table(columns, rows)
    return terminal.getvalue()


def test_cells_are_truncated_to_the_width_of_the_terminal() -> None:
    assert shown(COLUMNS, ROWS) == (
        "ID  STATUS   NOTE\n"
        "1   error    a long text that…\n"
        "20  success  short\n"
    )  # fmt: skip


def test_nothing_is_truncated_into_a_pipe(capsys: pytest.CaptureFixture[str]) -> None:
    print_table(COLUMNS, ROWS)

    assert capsys.readouterr().out.splitlines()[1] == "1   error    a long text that does not fit"


def test_a_status_has_its_colour_and_the_columns_stay_aligned(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("NO_COLOR")
    coloured = shown(COLUMNS, ROWS)

    assert "\x1b[31merror\x1b[0m  " in coloured
    assert "\x1b[32msuccess\x1b[0m" in coloured
    assert re.sub(r"\x1b\[\d+m", "", coloured).splitlines()[2] == "20  success  short"


def test_numbers_are_aligned_to_the_right_and_nothing_is_empty(capsys: pytest.CaptureFixture[str]) -> None:
    print_table(("NAME", "ROWS", "SIZE"), [("a", 7, None), ("b", 1200, "x")])

    assert capsys.readouterr().out == "NAME  ROWS  SIZE\na        7\nb     1200  x\n"


def test_a_value_of_several_lines_stays_in_its_row(capsys: pytest.CaptureFixture[str]) -> None:
    print_columns([("a\nb", "c\td")])

    assert capsys.readouterr().out == "a b  c d\n"


def test_the_first_column_stays_whole_while_the_others_can_shrink() -> None:
    lines = shown(("ID", "NAME"), [("in.c-main.customers", "customers of the shop")]).splitlines()

    assert lines[1] == "in.c-main.customers  customer…"


def test_a_table_without_rows_is_its_header(capsys: pytest.CaptureFixture[str]) -> None:
    print_table(("ID", "NAME"), [])

    assert capsys.readouterr().out == "ID  NAME\n"


def test_wide_and_combining_characters_count_as_they_are_shown() -> None:
    assert (shown_width("日本"), shown_width("e\N{COMBINING ACUTE ACCENT}")) == (4, 1)
    assert truncate("日本語", 5) == "日本…"


@given(st.lists(st.integers(0, 60), min_size=1, max_size=6), st.integers(20, 120))
def test_a_line_fits_and_a_column_is_never_wider_than_it_needs(widths: list[int], total: int) -> None:
    fitted = fit(widths, total)

    assert sum(fitted) + 2 * (len(fitted) - 1) <= total
    assert all(now <= before for now, before in zip(fitted, widths, strict=True))


@given(st.text(), st.integers(1, 40))
def test_truncated_text_is_within_the_width(text: str, width: int) -> None:
    assert shown_width(truncate(text, width)) <= width
