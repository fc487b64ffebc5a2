"""When a line of the log says what a message says."""

from __future__ import annotations

import pytest

from penstock.foundation.text.repeated_messages import repeats


@pytest.mark.parametrize(
    ("message", "line", "is_repeated"),
    [
        ("The table is gone.", "The table is gone.", True),
        ("The table is", "The table is gone.", True),
        ("The table\n  is gone.", "The table is gone.", True),
        ("The table is gone. Create it.", "The table is gone.", False),
        ("", "The table is gone.", False),
        (None, "The table is gone.", False),
        ("The table is gone.", "", False),
    ],
)
def test_a_line_repeats_a_message_that_it_begins_with(message: str | None, line: str, is_repeated: bool) -> None:
    assert repeats(message, line) == is_repeated
