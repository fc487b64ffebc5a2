"""Checks that a run is complete: its counts are compared with the totals of the API and with earlier runs.

tally.py       what every job requested and received
run_signs.py   signs in the pages of a run that it ended too early
duplicates.py  rows that share a primary key, and whether a full load loses them
rejected.py    which records of a page cannot be in the table, written to files with the reasons
history.py     the numbers of earlier runs, in the state
policies.py    `proof` in the configuration: what is a warning, what is an error
findings.py    what violates the policies
conclusion.py  the end of a run: its report, and whether its results may be published
lines.py       the report as it is printed
"""

from __future__ import annotations

from penstock.extractor.config.policies import Policies, read_policies
from penstock.extractor.responses.tally import JobTally, Tally
from penstock.extractor.results.proof.conclusion import Conclusion, Facts, conclude
from penstock.extractor.results.proof.duplicates import Keys, explain_collapse
from penstock.extractor.results.proof.history import STATE_KEY, History, read_history
from penstock.extractor.results.proof.rejected import Rejected

__all__ = [
    "STATE_KEY",
    "Conclusion",
    "Facts",
    "History",
    "JobTally",
    "Keys",
    "Policies",
    "Rejected",
    "Tally",
    "conclude",
    "explain_collapse",
    "read_history",
    "read_policies",
]
