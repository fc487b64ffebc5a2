"""Two configurations that read the sample API: one by offset, one by cursor."""

from __future__ import annotations

from typing import Any

from penstock.foundation.stacks import service_host
from penstock.services.storage.interface import NewConfiguration

BUCKET = "sample"


def sample_configurations(domain: str) -> list[NewConfiguration]:
    """The address has no port: jobs find the hosts of their own stack on any port."""
    by_offset = {"method": "offset", "limit": 100}
    by_cursor = {"method": "cursor", "idKey": "id", "param": "since", "increment": 1}
    return [
        NewConfiguration(
            configuration_id="sample-customers",
            name="Sample: customers",
            description="Reads the customers of the sample API, page by page by offset.",
            configuration=_configuration(domain, by_offset, {"endpoint": "customers", "dataField": "customers"}),
        ),
        NewConfiguration(
            configuration_id="sample-orders",
            name="Sample: orders",
            description="Reads the orders of the sample API, each page after the highest id seen.",
            configuration=_configuration(domain, by_cursor, {"endpoint": "orders", "params": {"limit": 100}}),
        ),
    ]


def _configuration(domain: str, pagination: dict[str, Any], job: dict[str, Any]) -> dict[str, Any]:
    api = {"baseUrl": f"http://{service_host('sample', domain)}/", "pagination": pagination}
    return {"parameters": {"api": api, "config": {"debug": False, "outputBucket": BUCKET, "jobs": [job]}}}
