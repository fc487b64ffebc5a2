"""The price of what was used, by the table in the settings."""

from __future__ import annotations

import msgspec

from penstock.foundation.prices import Prices, to_micro
from penstock.services.billing.models import HOUR, Kind, Used

GIGABYTE = 1_000_000_000
SMALL, LARGE = "small", "large"
_SIZES = {
    "sql": (SMALL, "medium", LARGE),
    "data_science": ("xsmall", SMALL, "medium", LARGE),
    "data_app": ("xsmall", SMALL, "medium", LARGE),
}
_LANGUAGES = ("python", "r-transformation", "julia")
_DATA_APPS = ("streamlit", "data-app", "python-js", "app")


class Rate(msgspec.Struct, frozen=True):
    """In micro-credits."""

    hour: int = 0
    gigabyte: int = 0


def find_rate(prices: Prices, used: Used) -> Rate:
    if used.kind in (Kind.QUERY, Kind.WORKSPACE):
        return _by_size(prices, "sql", used.size)
    if used.kind is Kind.SANDBOX:
        kind = "data_app" if used.component_type in _DATA_APPS else "data_science"
        return _by_size(prices, kind, used.size)
    return _rate_of_job(prices, used)


def compute_amount(rate: Rate, duration: int, size: int) -> int:
    """Micro-credits, each of the two rounded to the nearest. `duration` is what is charged, in microseconds."""
    return _divide(rate.hour * duration, HOUR) + _divide(rate.gigabyte * size, GIGABYTE)


def _rate_of_job(prices: Prices, used: Used) -> Rate:
    match used.component_type:
        case "extractor":
            return Rate(hour=to_micro(prices.extractor_hour))
        case "writer":
            return Rate(gigabyte=to_micro(prices.writer_gigabyte))
        case "application":
            return Rate(hour=to_micro(prices.application_hour))
        case "transformation":
            return _rate_of_transformation(prices, used)
        case _:
            return Rate(hour=to_micro(prices.other_hour))


def _rate_of_transformation(prices: Prices, used: Used) -> Rate:
    """Return the rate. Transformations that are neither dbt nor of a language run SQL."""
    if "dbt" in used.component:
        price = prices.dbt_remote_hour if "remote" in used.component else prices.dbt_small_hour
        return Rate(hour=to_micro(price))
    is_program = any(language in used.component for language in _LANGUAGES)
    return _by_size(prices, "data_science" if is_program else "sql", used.size)


def _by_size(prices: Prices, kind: str, size: str) -> Rate:
    """Larger ones than are listed cost what the largest does, and the smallest of SQL is `small`."""
    known, wanted = _SIZES[kind], size.lower().replace("-", "")
    if wanted not in known:
        wanted = LARGE if wanted.endswith("large") else known[0] if wanted == "xsmall" else SMALL
    return Rate(hour=to_micro(getattr(prices, f"{kind}_{wanted}_hour")))


def _divide(value: int, by: int) -> int:
    """Divide, and round to the nearest, a half upwards."""
    return (2 * value + by) // (2 * by)
