"""The generic extractor as a component: `penstock extract` in a job's data folder."""

from __future__ import annotations

from penstock.components.component import Component
from penstock.components.generic_extractor.hosts import hosts_of

GENERIC_EXTRACTOR = Component(
    id="ex-generic-v2",
    name="Generic",
    type="extractor",
    description="Reads any HTTP API into tables, as its configuration says.",
    aliases=("keboola.ex-generic-v2",),
    module="penstock",
    # However old: the queue has decided already that the job is to go on.
    arguments=("extract", "--resume"),
    default_bucket=True,
    hosts_of=hosts_of,
    work="out/.extracting",
)
