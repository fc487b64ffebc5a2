"""`proof` and `emptyResponse` in the configuration: whether a run that looks incomplete, or a response without a body
where records were expected, is a warning or an error."""

from __future__ import annotations

from typing import Annotated, Any, Literal, cast, get_args

import msgspec

from penstock.extractor.base.formats import Format
from penstock.extractor.base.section import Section
from penstock.extractor.base.settings import Setting

Action = Literal["ignore", "warning", "error"]
BadRows = Literal["error", "reject"]
MAX_RUNS = 100


EmptyResponse = Literal["ignore", "warning", "error"]
NAME = "emptyResponse"


class Policies(msgspec.Struct, frozen=True):
    mismatch: Annotated[Action, Setting("A job received another number of records than its expectedCount says.")] = (
        "warning"
    )
    zero: Annotated[Action, Setting("A job brought nothing, although it did before.")] = "ignore"
    drop: Annotated[Action, Setting("A job brought far less than it usually does.")] = "ignore"
    drop_percent: Annotated[int, Setting("How much less that is, 0 to 99.", is_exact=True)] = 50
    runs: Annotated[int, Setting(f"How many runs are remembered, 1 to {MAX_RUNS}.", is_exact=True)] = 5
    bad_rows: Annotated[BadRows, Setting("What becomes of records that cannot be in their table.")] = "error"
    incomplete: Annotated[Action, Setting("A job ended although the API says that there is more.")] = "warning"

    @property
    def needs_history(self) -> bool:
        """Returns whether the numbers of earlier runs must be stored in the state."""
        return (self.zero, self.drop) != ("ignore", "ignore")

    @property
    def is_rejecting(self) -> bool:
        return self.bad_rows == "reject"


def read_policies(raw: Any) -> Policies:
    """Reads `parameters.config.proof`; raises UserError."""
    proof = Section({"proof": raw}, "parameters.config").map("proof")
    return Policies(
        mismatch=_read_action(proof, "mismatch", "warning"),
        incomplete=_read_action(proof, "incomplete", "warning"),
        zero=_read_action(proof, "zero"),
        drop=_read_action(proof, "drop"),
        drop_percent=_read_number(proof, "dropPercent", 50, range(100)),
        runs=_read_number(proof, "runs", 5, range(1, MAX_RUNS + 1)),
        bad_rows=cast(BadRows, _read_word(proof, "badRows", "error", get_args(BadRows))),
    )


def _read_action(proof: Section, name: str, default: Action = "ignore") -> Action:
    return cast(Action, _read_word(proof, name, default, get_args(Action)))


def _read_word(proof: Section, name: str, default: str, words: tuple[str, ...]) -> str:
    if not proof.has(name):
        return default
    word = proof.get(name)
    if word not in words:
        raise proof.wrong(name, " or ".join(f'"{choice}"' for choice in words))
    return word


def _read_number(proof: Section, name: str, default: int, allowed: range) -> int:
    number = proof.exact(name)
    if number is None:
        return default
    if number not in allowed:
        raise proof.wrong(name, f"a whole number from {allowed[0]} to {allowed[-1]}")
    return number


def read_empty_response(section: Section) -> EmptyResponse | None:
    """Returns the setting of a job, or of `config` for all jobs; None if it is not set. Raises UserError."""
    if not section.has(NAME):
        return None
    word = section.get(NAME)
    if word not in get_args(EmptyResponse):
        raise section.wrong(NAME, '"ignore", "warning" or "error"')
    return cast(EmptyResponse, word)


def usual(form: Format) -> EmptyResponse:
    """Returns the default: newline-delimited JSON is complete even without a line."""
    return "ignore" if form.name == "ndjson" else "warning"
