"""What is charged for what a project uses, in credits: the setting `prices`."""

from __future__ import annotations

import math
from decimal import ROUND_HALF_UP, Decimal
from typing import Annotated

import msgspec

MICRO = 1_000_000
"""Micro-credits in a credit. Amounts are whole numbers of them, so that sums are exact on every database."""

Price = Annotated[float, msgspec.Meta(ge=0, le=1_000_000)]


class Prices(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    extractor_hour: Price = 2
    writer_gigabyte: Price = 0.2
    application_hour: Price = 1
    sql_small_hour: Price = 6
    sql_medium_hour: Price = 12
    sql_large_hour: Price = 26
    data_science_xsmall_hour: Price = 0.2
    data_science_small_hour: Price = 0.4
    data_science_medium_hour: Price = 0.6
    data_science_large_hour: Price = 2
    dbt_small_hour: Price = 6
    dbt_remote_hour: Price = 2
    data_app_xsmall_hour: Price = 0.1
    data_app_small_hour: Price = 0.2
    data_app_medium_hour: Price = 0.5
    data_app_large_hour: Price = 1
    other_hour: Price = 0
    """Jobs of components of any other type."""
    free_minutes: Price = 60
    """What a project with the feature `pay-as-you-go` may use in a month for nothing."""

    def __post_init__(self) -> None:
        wrong = [name for name, value in msgspec.structs.asdict(self).items() if math.isnan(value)]
        if wrong:
            raise ValueError(f"`{wrong[0]}` is not a number")


def to_micro(amount: float | Decimal) -> int:
    """Convert the amount as it is written, and not as a float approximates it."""
    return int((Decimal(str(amount)) * MICRO).to_integral_value(ROUND_HALF_UP))
