"""Example configurations of the writer; they send the tables that were read from the sample API."""

from __future__ import annotations

from typing import Any

BASE_URL = "https://api.example.com/v1"


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
