"""Warns about placeholders in endpoints without a value: they are sent literally, which is rarely intended."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from penstock.extractor.config.jobs import Job, Warn

_NAMES = re.compile(r"\{([\w:.@-]+)\}").findall
"""Matches placeholders, but not JSON in a URL, which contains quotes and commas."""


def warn_of_unfilled(jobs: tuple[Job, ...], warn: Warn) -> None:
    """For jobs at the root and their child jobs."""
    for job in jobs:
        for name in unfilled(job, ()):
            warn(f"{_sentence(job, name)} Only child jobs have placeholders: write the value there instead.")
        _warn_below(job, frozenset(), warn)


def unfilled(job: Job, known: Iterable[str]) -> Iterator[str]:
    """The names without a value in the endpoint, each once."""
    return (name for name in dict.fromkeys(_NAMES(job.endpoint)) if name not in known)


def _warn_below(job: Job, inherited: frozenset[str], warn: Warn) -> None:
    for child in job.children:
        known = inherited | child.placeholders.keys()
        # A child job without placeholders never runs; another warning reports that.
        for name in unfilled(child, known) if known else ():
            names = ", ".join(f"{{{each}}}" for each in sorted(known))
            warn(f"{_sentence(child, name)} Add it to the job's `placeholders`, or use one of {names}.")
        _warn_below(child, known, warn)


def _sentence(job: Job, name: str) -> str:
    return (
        f"The endpoint '{job.endpoint}' at `{job.path}` holds {{{name}}}, which no placeholder fills: it is sent as it "
        "is."
    )
