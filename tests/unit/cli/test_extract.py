"""`penstock extract`, as it describes itself."""

from __future__ import annotations

from tests.unit.cli.conftest import Penstock


def test_help_says_that_it_reaches_private_addresses(penstock: Penstock) -> None:
    shown = " ".join(penstock("extract", "--help").stdout.split())

    assert "may request every address that this machine reaches, private ones too" in shown
