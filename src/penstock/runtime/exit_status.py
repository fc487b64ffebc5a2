"""The verdict on a component's run, from its exit code and the reason it was stopped: success, or whose error it was.

0                   it went well
1                   the user can fix it, and the component said how
125 and 137         too long, or too much memory: the user chose what it works on
everything else     the component is broken; what it said about that is for the operator
"""

from __future__ import annotations

from enum import StrEnum

import msgspec

from penstock.runtime.launch import Limits, ProcessExit, Reason
from penstock.runtime.log import find_error

MESSAGE_CHARACTERS = 4000
NO_MESSAGE = "No error message."
_NOT_STARTED, _KILLED = 125, 137
_DISK = {
    Reason.DISK: "Component used too much disk space: {name} may use {limits.disk_megabytes} MB, as the stack's "
    "setting job_disk_megabytes says. Let it write less at a time.",
    Reason.ENTRIES: "Component made too many files: {name} may have {limits.entries:,} files and folders at a time.",
    Reason.NESTING: "Component nested its folders too deeply: {name} made a path that is too long for the system.",
    Reason.RESERVE: "The disk of the stack is nearly full, so {name} was ended: {limits.reserve_megabytes} MB stay "
    "free for the stack, as its setting disk_reserve_megabytes says. Run the job again when there is room.",
}


class Fault(StrEnum):
    NONE = ""
    USER = "user"
    APPLICATION = "application"


class Verdict(msgspec.Struct, frozen=True, kw_only=True):
    fault: Fault = Fault.NONE
    message: str = ""
    """For the user."""
    internal: str = ""
    """For the operator."""


class Facts(msgspec.Struct, frozen=True, kw_only=True):
    """What the verdict depends on in addition to the exit."""

    name: str
    """Of its image, or of the component."""
    limits: Limits
    last_error: str = ""
    """The last error that it sent as a record."""
    no_application_errors: bool = False


def judge(ended: ProcessExit, facts: Facts) -> Verdict:
    if sentence := _find_excess(ended, facts):
        return Verdict(fault=Fault.USER, message=sentence, internal=_said(ended, facts))
    if ended.exit_code == 0:
        return Verdict()
    said = _said(ended, facts)
    if ended.exit_code == 1 or facts.no_application_errors:
        return Verdict(fault=Fault.USER, message=said)
    message = f"Application error: the component {facts.name} ended with {_name_code(ended.exit_code)}."
    return Verdict(fault=Fault.APPLICATION, message=message[:MESSAGE_CHARACTERS], internal=said)


def _find_excess(ended: ProcessExit, facts: Facts) -> str:
    """Return the limit that it exceeded, as a message."""
    limits = facts.limits
    if ended.reason is Reason.TIMEOUT:
        return f"Running {facts.name} container exceeded the timeout of {limits.timeout_seconds} seconds."
    if ended.reason is Reason.PROCESSES:
        return f"Component started too many processes: {facts.name} may have {limits.processes} at a time."
    if ended.reason in _DISK:
        return _DISK[ended.reason].format(name=facts.name, limits=limits)
    if ended.exit_code == _NOT_STARTED and ended.errors:
        return f"Running {facts.name} container failed: {ended.errors}"[:MESSAGE_CHARACTERS]
    # The system kills in the same way when the whole machine has no memory left.
    is_killed = ended.exit_code in (_KILLED, _NOT_STARTED) and not ended.reason
    if ended.reason is Reason.MEMORY or is_killed:
        return f"Component out of memory: {facts.name} may use {limits.memory_megabytes} MB. Give it less at a time."
    return ""


def _said(ended: ProcessExit, facts: Facts) -> str:
    output = find_error(ended.output) or ended.output[-MESSAGE_CHARACTERS:]
    return (ended.errors or output or facts.last_error or NO_MESSAGE)[:MESSAGE_CHARACTERS]


def _name_code(code: int) -> str:
    return f"signal {code - 128}" if 128 < code < 193 else f"exit code {code}"
