"""Placeholders in endpoints that nothing fills: they are sent as they are, which is hardly ever meant."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from penstock.extractor.config.jobs import Job, Warn

_NAMES = re.compile(r"\{([\w:.@-]+)\}").findall
"""What looks like a placeholder; JSON in an address, with its quotes and commas, does not."""


def warn_of_unfilled(jobs: tuple[Job, ...], warn: Warn) -> None:
    """Of jobs at the root, and of those below them."""
    for job in jobs:
        for name in unfilled(job, ()):
            warn(f"{_sentence(job, name)} Only child jobs have placeholders: write the value there instead.")
        _warn_below(job, frozenset(), warn)


def unfilled(job: Job, known: Iterable[str]) -> Iterator[str]:
    """The names that stay in the endpoint, each once."""
    return (name for name in dict.fromkeys(_NAMES(job.endpoint)) if name not in known)


def _warn_below(job: Job, inherited: frozenset[str], warn: Warn) -> None:
    for child in job.children:
        known = inherited | child.placeholders.keys()
        # Without any placeholder a child never runs, which is said when it would.
        for name in unfilled(child, known) if known else ():
            names = ", ".join(f"{{{each}}}" for each in sorted(known))
            warn(f"{_sentence(child, name)} Add it to the job's `placeholders`, or use one of {names}.")
        _warn_below(child, known, warn)


def _sentence(job: Job, name: str) -> str:
    return (
        f"The endpoint '{job.endpoint}' at `{job.path}` holds {{{name}}}, which no placeholder fills: it is sent as it "
        "is."
    )
