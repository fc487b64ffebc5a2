"""Which price holds for what, and how amounts are rounded."""

from __future__ import annotations

import pytest

from penstock.foundation.prices import Prices, to_micro
from penstock.services.billing.models import HOUR, Kind, Used
from penstock.services.billing.prices import Rate, compute_amount, find_rate


def used(component: str, component_type: str, size: str = "", kind: Kind = Kind.JOB) -> Used:
    return Used(
        project_id=1,
        kind=kind,
        reference="1",
        duration=1,
        component=component,
        component_type=component_type,
        size=size,
    )


@pytest.mark.parametrize(
    ("component", "component_type", "size", "hour"),
    [
        ("ex-generic-v2", "extractor", "large", 2),
        ("any.app", "application", "", 1),
        ("keboola.snowflake-transformation", "transformation", "", 6),
        ("keboola.snowflake-transformation", "transformation", "xsmall", 6),
        ("keboola.duckdb-transformation", "transformation", "medium", 12),
        ("keboola.duckdb-transformation", "transformation", "large", 26),
        ("keboola.python-transformation-v2", "transformation", "xsmall", 0.2),
        ("keboola.python-transformation-v2", "transformation", "", 0.4),
        ("keboola.r-transformation-v2", "transformation", "large", 2),
        ("keboola.dbt-transformation", "transformation", "", 6),
        ("keboola.dbt-transformation-remote-snowflake", "transformation", "", 2),
        ("keboola.flow", "other", "", 0),
    ],
)
def test_the_hour_of_a_job_costs_what_its_component_does(
    component: str, component_type: str, size: str, hour: float
) -> None:
    assert find_rate(Prices(), used(component, component_type, size)) == Rate(hour=to_micro(hour))


def test_writers_pay_for_what_they_take_out() -> None:
    rate = find_rate(Prices(writer_gigabyte=0.3), used("wr-generic", "writer"))

    assert rate == Rate(gigabyte=300_000)
    assert compute_amount(rate, HOUR, 2_500_000_000) == 750_000


@pytest.mark.parametrize(("duration", "amount"), [(0, 0), (899, 0), (900, 1), (2_700, 2), (HOUR, 2_000_000)])
def test_amounts_are_rounded_to_the_nearest_micro_credit(duration: int, amount: int) -> None:
    assert compute_amount(Rate(hour=2_000_000), duration, 0) == amount


def test_a_price_is_what_was_written_and_not_its_float() -> None:
    assert [to_micro(each) for each in (0.1, 0.2, 0.3, 1.005, 0.0000005)] == [100_000, 200_000, 300_000, 1_005_000, 1]
