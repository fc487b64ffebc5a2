"""Generic HTTP writer: rows of tables become requests to an API. Run as a module in a data folder."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlsplit

from penstock.components.component import Component
from penstock.extractor.values import as_map

_MAP = {"type": "object", "additionalProperties": True}


def hosts_of(configuration: dict[str, Any]) -> str:
    """All requests go to the host of the base address."""
    base = as_map(as_map(configuration.get("parameters")).get("api")).get("base_url")
    try:
        return urlsplit(base).netloc.lower() if isinstance(base, str) else ""
    except ValueError:
        return str(base)


GENERIC_WRITER = Component(
    id="kds-team.wr-generic",
    name="Generic writer",
    type="writer",
    description="Sends rows of tables to any HTTP API, as its configuration says.",
    module="penstock.components.generic_writer",
    hosts_of=hosts_of,
    configuration_schema={
        "type": "object",
        "title": "Parameters",
        "properties": {
            "api": {"type": "object", "properties": {"base_url": {"type": "string"}}, "required": ["base_url"]},
            "user_parameters": _MAP,
            "request_parameters": {
                "type": "object",
                "properties": {
                    "method": {"type": "string", "enum": ["GET", "POST", "PUT", "PATCH", "DELETE"]},
                    "endpoint_path": {"type": "string"},
                    "headers": _MAP,
                    "query_parameters": _MAP,
                },
            },
            "request_content": {
                "type": "object",
                "properties": {
                    "content_type": {
                        "type": "string",
                        "enum": ["JSON", "JSON_URL_ENCODED", "BINARY", "BINARY_GZ", "EMPTY_REQUEST"],
                    },
                    "json_mapping": _MAP,
                    "iterate_by_columns": {"type": "array", "items": {"type": "string"}},
                },
            },
        },
        "required": ["api"],
    },
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
