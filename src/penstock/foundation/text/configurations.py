"""The shape of a configuration: what a component reads is below `parameters`."""

from __future__ import annotations

from typing import Any

TOP_LEVEL_KEYS = frozenset(
    (
        *("parameters", "storage", "image_parameters", "authorization", "runtime", "processors", "action", "artifacts"),
        *("shared_code_id", "shared_code_row_ids", "variables_id", "variables_values_id"),
    )
)
"""The keys at the top of a configuration."""


def is_without_parameters(document: dict[str, Any]) -> bool:
    """Whether the document holds the parameters of the extractor at its top instead of below `parameters`."""
    return "api" in document and not document.get("parameters")


def with_parameters(document: dict[str, Any]) -> dict[str, Any]:
    """The document of a configuration; one with `api` at its top is put below `parameters`, except for the keys that
    stand beside them."""
    if not is_without_parameters(document):
        return document
    around = {key: value for key, value in document.items() if key in TOP_LEVEL_KEYS and key != "parameters"}
    return {**around, "parameters": {key: value for key, value in document.items() if key not in TOP_LEVEL_KEYS}}
