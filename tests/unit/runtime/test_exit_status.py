"""Exit codes, and whose fault they are."""

from __future__ import annotations

import pytest

from penstock.runtime.exit_status import MESSAGE_CHARACTERS, NO_MESSAGE, Facts, Fault, Verdict, judge
from penstock.runtime.launch import Limits, ProcessExit, Reason

FACTS = Facts(name="acme.tool", limits=Limits(memory_megabytes=256, timeout_seconds=60))


def test_zero_is_well_whatever_was_said() -> None:
    assert judge(ProcessExit(exit_code=0, errors="a warning"), FACTS) == Verdict()


@pytest.mark.parametrize(
    ("errors", "output", "last_error", "message"),
    [
        ("bad table", "reading", "sent", "bad table"),
        ("", "reading\nno such table", "sent", "reading\nno such table"),
        ("", "[2026] app.INFO: on\n[2026] app.ERROR: no such table [] []\n[2026] app.INFO: off", "", "no such table"),
        ("", "", "sent", "sent"),
        ("", "", "", NO_MESSAGE),
    ],
)
def test_one_is_the_users_error_as_the_component_told_it(
    errors: str, output: str, last_error: str, message: str
) -> None:
    facts = Facts(name="acme.tool", limits=Limits(), last_error=last_error)

    assert judge(ProcessExit(exit_code=1, errors=errors, output=output), facts) == Verdict(
        fault=Fault.USER, message=message
    )


@pytest.mark.parametrize(("code", "name"), [(2, "exit code 2"), (127, "exit code 127"), (139, "signal 11")])
def test_other_codes_are_the_applications_and_their_detail_is_internal(code: int, name: str) -> None:
    verdict = judge(ProcessExit(exit_code=code, errors="Traceback: password=1"), FACTS)

    assert verdict.fault is Fault.APPLICATION
    assert verdict.message == f"Application error: the component acme.tool ended with {name}."
    assert verdict.internal == "Traceback: password=1"


def test_a_component_without_application_errors_has_only_users_errors() -> None:
    facts = Facts(name="acme.tool", limits=Limits(), no_application_errors=True)

    assert judge(ProcessExit(exit_code=2, errors="said"), facts) == Verdict(fault=Fault.USER, message="said")


@pytest.mark.parametrize(
    ("ended", "begin"),
    [
        (
            ProcessExit(exit_code=143, reason=Reason.TIMEOUT),
            "Running acme.tool container exceeded the timeout of 60 seconds.",
        ),
        (
            ProcessExit(exit_code=0, reason=Reason.TIMEOUT),
            "Running acme.tool container exceeded the timeout of 60 seconds.",
        ),
        (ProcessExit(exit_code=137, reason=Reason.MEMORY), "Component out of memory: acme.tool may use 256 MB."),
        (ProcessExit(exit_code=137), "Component out of memory: acme.tool may use 256 MB."),
        (ProcessExit(exit_code=125), "Component out of memory: acme.tool may use 256 MB."),
        (ProcessExit(exit_code=125, errors="no such image"), "Running acme.tool container failed: no such image"),
        (
            ProcessExit(exit_code=137, reason=Reason.PROCESSES),
            "Component started too many processes: acme.tool may have 512",
        ),
        (
            ProcessExit(exit_code=137, reason=Reason.DISK),
            "Component used too much disk space: acme.tool may use 100000 MB",
        ),
        (
            ProcessExit(exit_code=0, reason=Reason.ENTRIES),
            "Component made too many files: acme.tool may have 1,000,000 files",
        ),
        (
            ProcessExit(exit_code=0, reason=Reason.NESTING),
            "Component nested its folders too deeply: acme.tool made a path",
        ),
        (
            ProcessExit(exit_code=137, reason=Reason.RESERVE),
            "The disk of the stack is nearly full, so acme.tool was ended",
        ),
    ],
)
def test_too_much_is_the_users_error(ended: ProcessExit, begin: str) -> None:
    verdict = judge(ended, FACTS)

    assert verdict.fault is Fault.USER
    assert verdict.message.startswith(begin)


def test_a_message_is_cut() -> None:
    assert len(judge(ProcessExit(exit_code=1, errors="x" * 10_000), FACTS).message) == MESSAGE_CHARACTERS
    assert judge(ProcessExit(exit_code=1, output="x" * 10_000 + "end"), FACTS).message.endswith("end")
