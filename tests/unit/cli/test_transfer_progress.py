"""Progress of a transfer."""

from __future__ import annotations

import io
import sys

import pytest

from penstock.cli.transfer_progress import TransferProgress, show_size


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(
    ("size", "text"), [(0, "0 B"), (999, "999 B"), (1000, "1.0 kB"), (2_500_000, "2.5 MB"), (10**16, "10000.0 TB")]
)
def test_sizes_are_short(size: int, text: str) -> None:
    assert show_size(size) == text


def test_a_terminal_sees_how_much_is_done_and_the_line_is_removed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stderr", Terminal())
    with TransferProgress("Uploading a.csv", 4000) as progress:
        progress.add(1000)
        shown = sys.stderr.getvalue()  # pyright: ignore[reportAttributeAccessIssue]

    assert "Uploading a.csv: 1.0 kB of 4.0 kB (25%), " in shown
    assert sys.stderr.getvalue().endswith("\r\x1b[K")  # pyright: ignore[reportAttributeAccessIssue]


def test_a_file_or_a_pipe_sees_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stderr", io.StringIO())
    with TransferProgress("Uploading") as progress:
        progress.add(1000)

    assert sys.stderr.getvalue() == ""  # pyright: ignore[reportAttributeAccessIssue]
