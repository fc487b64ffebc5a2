from __future__ import annotations

from typing import Any

import pytest

from penstock.extractor.base.errors import UserError
from penstock.extractor.config.policies import Policies, read_policies


@pytest.mark.parametrize("raw", [None, {}, [], {"mismatch": None, "runs": None}])
def test_without_settings_only_a_mismatch_is_told(raw: Any):
    assert read_policies(raw) == Policies(
        mismatch="warning", zero="ignore", drop="ignore", drop_percent=50, runs=5, bad_rows="error"
    )


def test_every_setting_is_read():
    raw = {"mismatch": "error", "zero": "warning", "drop": "error", "dropPercent": "20", "runs": 3, "badRows": "reject"}

    assert read_policies(raw) == Policies("error", "warning", "error", 20, 3, "reject")


@pytest.mark.parametrize(
    ("raw", "message"),
    [
        ("error", 'Expected an object, got "error" - at `parameters.config.proof`.'),
        (
            {"zero": "fail"},
            'Expected "ignore" or "warning" or "error", got "fail" - at `parameters.config.proof.zero`.',
        ),
        ({"mismatch": True}, "got true - at `parameters.config.proof.mismatch`."),
        ({"drop": ["error"]}, "got an array - at `parameters.config.proof.drop`."),
        ({"badRows": "warning"}, 'Expected "error" or "reject", got "warning" - at `parameters.config.proof.badRows`.'),
        ({"dropPercent": 100}, "a whole number from 0 to 99, got 100 - at `parameters.config.proof.dropPercent`."),
        ({"dropPercent": "half"}, 'a whole number, got "half" - at `parameters.config.proof.dropPercent`.'),
        ({"runs": 0}, "a whole number from 1 to 100, got 0 - at `parameters.config.proof.runs`."),
    ],
)
def test_a_wrong_setting_is_told_with_its_place(raw: Any, message: str):
    with pytest.raises(UserError) as refused:
        read_policies(raw)

    assert str(refused.value).startswith("Invalid configuration: ")
    assert message in str(refused.value)


@pytest.mark.parametrize(
    ("policies", "is_needed"),
    [
        (Policies(), False),
        (Policies(mismatch="error"), False),
        (Policies(zero="warning"), True),
        (Policies(drop="error"), True),
        (Policies(zero="error", drop="error"), True),
    ],
)
def test_only_zero_and_drop_need_a_history(policies: Policies, is_needed: bool):
    assert policies.needs_history is is_needed
