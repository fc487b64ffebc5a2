"""Generic HTTP writer: sends rows of tables to an API. Run as a module in a data folder."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlsplit

from penstock.components.component import Component
from penstock.components.generic_writer.settings import Settings
from penstock.components.json_schema import build_schema
from penstock.extractor.base.values import as_map

BASE_URL = "https://api.example.com/v1"


def hosts_of(configuration: dict[str, Any]) -> str:
    """Returns all requests go to the host of the base address."""
    base = as_map(as_map(configuration.get("parameters")).get("api")).get("base_url")
    try:
        return urlsplit(base).netloc.lower() if isinstance(base, str) else ""
    except ValueError:
        return str(base)


def _input(*columns: str) -> dict[str, Any]:
    table = {"source": "in.c-sample.orders", "destination": "orders.csv", "columns": list(columns), "limit": 3}
    return {"input": {"tables": [table]}}


ROW_BY_ROW: dict[str, Any] = {
    "parameters": {
        "api": {
            "base_url": BASE_URL,
            "authentication": {"type": "BearerToken", "parameters": {"#token": {"attr": "#token"}}},
        },
        "user_parameters": {"#token": "secret"},
        "request_parameters": {"method": "PUT", "endpoint_path": "/orders/[[id]]"},
        "request_content": {"content_type": "JSON", "iterate_by_columns": ["id"]},
    },
    "storage": _input("id", "status"),
}
IN_CHUNKS: dict[str, Any] = {
    "parameters": {
        "api": {"base_url": BASE_URL},
        "request_parameters": {"method": "POST", "endpoint_path": "/orders"},
        "request_content": {
            "content_type": "JSON",
            "json_mapping": {
                "chunk_size": 100,
                "nesting_delimiter": "_",
                "column_data_types": {"autodetect": True},
                "request_data_wrapper": '{"orders": [[data]]}',
            },
        },
    },
    "storage": _input("id", "customer_id"),
}
EXAMPLES = (ROW_BY_ROW, IN_CHUNKS)

GENERIC_WRITER = Component(
    id="kds-team.wr-generic",
    name="Generic writer",
    type="writer",
    description="Sends rows of tables to any HTTP API.",
    long_description="Rows of the input tables go to the API one by one, in chunks, or as a file. A value of headers, "
    'query and user parameters can be a function of the generic extractor, or `{"attr": "name"}` for a user parameter.',
    module="penstock.components.generic_writer",
    hosts_of=hosts_of,
    flags=("genericDockerUI", "genericDockerUI-tableInput"),
    configuration_schema=build_schema(Settings),
    configuration_description="Set `parameters.api.base_url`, and in `storage.input.tables` which tables are sent. "
    "Each row is one request unless `parameters.request_content.json_mapping.chunk_size` says more.",
    configuration_examples=EXAMPLES,
    empty_configuration={
        "parameters": {
            "api": {"base_url": ""},
            "user_parameters": {},
            "request_parameters": {"method": "POST", "endpoint_path": "", "headers": {}, "query_parameters": {}},
            "request_content": {"content_type": "JSON", "json_mapping": {"chunk_size": 1}, "iterate_by_columns": []},
        },
        "storage": {"input": {"tables": []}},
    },
)
