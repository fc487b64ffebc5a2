"""A newcomer's first jobs: start a stack, run both samples through the public API, read the rows back."""

from __future__ import annotations

from tests.support.stacks import RunningStack


def test_both_samples_run_and_their_rows_stand_in_tables(stack: RunningStack) -> None:
    customers = stack.run_job("sample-customers")
    orders = stack.run_job("sample-orders")

    assert customers["status"] == orders["status"] == "success"
    assert stack.rows_count("in.c-sample.customers") == 250
    assert stack.rows_count("in.c-sample.orders") == 430
    assert [row[0] for row in stack.rows("in.c-sample.customers")] == [str(n) for n in range(1, 251)]
    assert [row[0] for row in stack.rows("in.c-sample.orders")] == [str(10_000 + 3 * n) for n in range(1, 431)]
