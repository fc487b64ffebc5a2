"""Flags of commands that work on a data folder of this machine, whether its stack runs or not."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from penstock.settings import Settings


def add_data_folder(parser: ArgumentParser) -> None:
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.add_argument("--data-dir", metavar="DIR", help="the data folder (.penstock, PENSTOCK_DATA_DIR)")
    parser.add_argument("--database", metavar="URL", help="the stack's PostgreSQL, if it has one")


def read_data_folder(options: Namespace) -> Settings:
    from penstock.settings import read_settings

    return read_settings({"data_dir": options.data_dir, "database": options.database})
