"""Parameters that select records by the time of their last change."""

from __future__ import annotations

from typing import Any

import pytest

from penstock.extractor.tools.curl.command import read_command
from penstock.extractor.tools.discovery import Target
from tests.support.api import Api, Response, Seen
from tests.unit.extractor.tools.discovery.finding import discover_target


def _run(param: str, value: Any, declared: tuple[str, ...] = ()) -> tuple[str, str, set[str]]:
    """The choice, its evidence, and the names of the parameters that were sent."""

    def respond(seen: Seen) -> Response:
        records = [{"id": n, "updated_at": value} for n in range(7)]
        return Response.json({"items": [] if param in seen.params else records})

    with Api() as api:
        api.on("/list", respond)
        found = discover_target(Target(read_command(f"curl {api.url}/list"), declared))
    finding = next(finding for finding in found.findings if finding.subject == "incremental loading")
    return finding.choice, finding.evidence, {name for seen in api.seen for name in seen.params}


@pytest.mark.parametrize(
    ("value", "setting"),
    [
        ("2024-01-01T00:00:00Z", '{"function":"date","args":["Y-m-d\\\\TH:i:s\\\\Z",{"time":"previousStart"}]}'),
        (1_700_000_000, '{"time":"previousStart"}'),
    ],
)
def test_a_parameter_is_found_by_a_time_in_the_future(value: Any, setting: str) -> None:
    choice, evidence, _sent = _run("updated_since", value)

    assert choice == "possible by `updated_at` with the parameter `updated_since`"
    assert f"`params.updated_since` set to {setting}" in evidence


def test_a_click_can_set_what_reads_only_changes() -> None:
    with Api() as api:
        records = [{"id": n, "updated_at": 1_700_000_000} for n in range(7)]
        api.on("/list", lambda seen: Response.json({"items": [] if "since" in seen.params else records}))
        found = discover_target(Target(read_command(f"curl {api.url}/list"), ()))
    jobs = {finding.subject: finding.job for finding in found.findings if finding.job}

    assert jobs == {
        "primary key": {"primaryKey": ["id"]},
        "incremental loading": {
            "params": {"since": {"time": "previousStart"}},
            "primaryKey": ["id"],
            "incremental": True,
        },
    }


def test_declared_parameters_are_tried_instead_of_usual_ones() -> None:
    choice, _evidence, sent = _run("updated_at_min", "2024-01-01T00:00:00Z", ("updated_at_min", "q"))

    assert choice.endswith("with the parameter `updated_at_min`")
    assert sent == {"updated_at_min"}


def test_without_a_parameter_every_run_reads_all_records() -> None:
    choice, evidence, _sent = _run("nothing", "2024-01-01T00:00:00Z")

    assert choice == "`updated_at` is the time of the last change"
    assert "every run reads all records" in evidence
