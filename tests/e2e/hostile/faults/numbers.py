"""H11: numbers that binary floats cannot hold, and words that are no numbers."""

from __future__ import annotations

from tests.e2e.hostile.faults.odd import odd, shown
from tests.e2e.hostile.scenario import Variant, fails

LONG_DECIMAL = "3.1415926535897932384626433832795028841971"
SHOWN = {
    "1e400": "1e400",
    "-1e400": "-1e400",
    "1e-400": "1e-400",
    "-0": "0",
    "-0.0": "-0",
    "1.50": "1.5",
    "1E5": "100000",
    "12345678901234567890": "12345678901234567890",
    "123456789012345678901234567890": "123456789012345678901234567890",
    "-123456789012345678901234567890": "-123456789012345678901234567890",
    LONG_DECIMAL: LONG_DECIMAL,
    "0.1234567890123456789": "0.1234567890123456789",
    "9" * 4300: "9" * 4300,
}
"""What is sent, and the cell that it becomes: the same number, digit for digit."""
REFUSED = ("NaN", "Infinity", "-Infinity", "01", ".5", "1.", "+1", "1e", "0x1F", "1_000", "--1")
TOO_LONG = "9" * 5000

VARIANTS = (
    *(
        Variant(f"number {sent[:25]}", None, 1, shown(amount=cell), data=odd(amount=sent), is_of_records=True)
        for sent, cell in SHOWN.items()
    ),
    *(
        Variant(f"no number {sent}", None, 1, fails("Invalid JSON response"), data=odd(amount=sent), is_of_records=True)
        for sent in REFUSED
    ),
    Variant(
        "an integer of 5,000 digits",
        *(None, 1, fails("it holds an integer of more than 4,300 digits")),
        data=odd(amount=TOO_LONG),
        is_of_records=True,
    ),
)
