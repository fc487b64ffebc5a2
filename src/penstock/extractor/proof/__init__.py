"""Proof that a run is complete: what it did, counted, held against what the API claims and what earlier runs brought.

tally.py       what every job asked for and got
duplicates.py  rows that share a primary key
sieve.py       which records of a page cannot be in the table
rejected.py    those, kept in files with the reason
history.py     what earlier runs brought, kept in the state
policies.py    `proof` in the configuration: what is worth a warning, what an error
findings.py    what the policies find
conclusion.py  the end of a run: its report, and whether its results may be published
lines.py       the report as it is printed
"""

from __future__ import annotations

from penstock.extractor.proof.conclusion import Conclusion, Facts, conclude
from penstock.extractor.proof.duplicates import Keys
from penstock.extractor.proof.history import STATE_KEY, History, read_history
from penstock.extractor.proof.policies import Policies, read_policies
from penstock.extractor.proof.rejected import Rejected
from penstock.extractor.proof.tally import JobTally, Tally

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
    "read_history",
    "read_policies",
]
