"""How many examples a property test tries: those that try many try a quarter, and `make soak` all of them."""

from __future__ import annotations

import os
from typing import Any

from hypothesis import settings

IS_SOAK = os.environ.get("PENSTOCK_EXAMPLES") == "explore"


def examples(count: int, **others: Any) -> settings:
    """As `@settings(max_examples=count)`, at length only."""
    return settings(max_examples=count if IS_SOAK else max(count // 4, 5), **others)
