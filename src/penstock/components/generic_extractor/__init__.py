"""The generic extractor as a component: `penstock extract` in a job's data folder."""

from __future__ import annotations

from penstock.components.component import Component
from penstock.components.generic_extractor.examples import BASE_URL, EXAMPLES
from penstock.components.generic_extractor.hosts import hosts_of
from penstock.extractor.base.functions.library import FUNCTIONS
from penstock.extractor.config.schema import PARAMETERS

GENERIC_EXTRACTOR = Component(
    id="ex-generic-v2",
    name="Generic",
    type="extractor",
    description="Reads any HTTP API into tables, as its configuration says.",
    long_description="Every job asks one endpoint, page after page, and the records of the responses become rows: "
    "objects become columns, lists become tables of their own, or `mappings` say which value goes where. Credentials "
    "are in `config` under keys that begin with `#`, which are encrypted when the configuration is stored.\n\n"
    'A value can be a call, `{"function": "date", "args": ["Y-m-d"]}`, or a reference to a key of `config`, '
    f'`{{"attr": "#token"}}`. The functions are {", ".join(f"`{name}`" for name in FUNCTIONS)}.',
    configuration_description="Set `parameters.api.baseUrl` to the address of the API and give one job for each "
    "endpoint in `parameters.config.jobs`. Choose `parameters.api.pagination.method` as the API pages, and "
    "`parameters.api.authentication.type` as it wants to be logged in to. `parameters.config.outputBucket` names the "
    "tables.",
    aliases=("keboola.ex-generic-v2",),
    module="penstock",
    # However old: the queue has already decided that the job continues.
    arguments=("extract", "--resume"),
    default_bucket=True,
    synchronous_actions=("test_request", "infer_mapping", "load_from_curl", "perform_function", "discover", "try_job"),
    flags=("genericDockerUI",),
    editor_schema=PARAMETERS,
    configuration_examples=EXAMPLES,
    empty_configuration={"parameters": {"api": {"baseUrl": BASE_URL}, "config": {"jobs": [{"endpoint": "items"}]}}},
    hosts_of=hosts_of,
    omits_empty_tables=True,
    work="out/.extracting",
)
