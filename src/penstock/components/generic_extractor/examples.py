"""Example configurations of the extractor. They use the sample API, so tests can run each of them."""

from __future__ import annotations

from typing import Any

BASE_URL = "https://api.example.com/"


def _configuration(api: dict[str, Any], **config: Any) -> dict[str, Any]:
    return {"parameters": {"api": {"baseUrl": BASE_URL, **api}, "config": config}}


BY_OFFSET = _configuration(
    {"pagination": {"method": "offset", "limit": 100}},
    outputBucket="shop",
    jobs=[{"endpoint": "customers", "dataField": "customers"}],
)
"""Pages of a known size."""

ONLY_NEW = _configuration(
    {"pagination": {"method": "cursor", "idKey": "id", "param": "since", "increment": 1}},
    outputBucket="shop",
    incrementalOutput=True,
    jobs=[{"endpoint": "orders", "dataField": "orders", "dataType": "orders", "params": {"limit": 200}}],
    mappings={
        "orders": {
            "id": {"mapping": {"destination": "id", "primaryKey": True}},
            "customer.id": "customer_id",
            "placedAt": "placed_at",
            "status": "status",
            "lines": {
                "type": "table",
                "destination": "order_lines",
                "tableMapping": {"product": "product", "price": "price", "pieces": "pieces"},
            },
        }
    },
)
"""After the highest id seen, into tables as drawn by hand, added by primary key."""

CHILDREN = _configuration(
    {},
    outputBucket="shop",
    jobs=[
        {
            "endpoint": "customers",
            "dataField": "customers",
            "params": {"limit": 5},
            "children": [
                {
                    "endpoint": "customers/{customer-id}/orders",
                    "dataField": "orders",
                    "dataType": "orders_of_customers",
                    "placeholders": {"customer-id": "id"},
                    "responseFilter": "lines",
                }
            ],
        }
    ],
)
"""Requests for each record of another one."""

WITH_TOKENS = _configuration(
    {
        "authentication": {"type": "basic"},
        "pagination": {"method": "response.param", "responseParam": "nextToken", "queryParam": "token"},
        "http": {"headers": {"X-Client": {"function": "concat", "args": ["shop-", {"attr": "client"}]}}},
        "retryConfig": {"maxRetries": 5},
        "rateLimit": {"requests": 50, "interval": "second"},
    },
    **{"#username": "reader", "#password": "secret", "client": "reports"},
    outputBucket="shop",
    jobs=[{"endpoint": "products", "dataField": "products", "expectedCount": "total", "userData": {"source": "api"}}],
)
"""A user and a password, a computed header, and a token in each response that leads to the next page."""

IN_CSV = _configuration(
    {},
    outputBucket="shop",
    jobs=[
        {
            "endpoint": "products.csv",
            "dataType": "products",
            "responseFormat": {"format": "csv", "delimiter": ";"},
        },
        {
            "endpoint": "products/search",
            "method": "POST",
            "dataType": "found",
            "dataField": "found",
            "params": {"text": "1", "limit": 10},
        },
    ],
)
"""A response in CSV, and a query sent by POST."""

EXAMPLES = (BY_OFFSET, ONLY_NEW, CHILDREN, WITH_TOKENS, IN_CSV)
