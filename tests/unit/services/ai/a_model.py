"""A model for tests: a server on loopback that speaks as OpenAI's API of chat completions does."""

from __future__ import annotations

import json
from typing import Any

from tests.support.api import Api, Seen

PATH = "/v1/chat/completions"
KEY = "model-key-canary"


def completion(text: Any) -> dict[str, Any]:
    return {"id": "1", "object": "chat.completion", "choices": [{"index": 0, "message": {"content": text}}]}


def last(api: Api) -> Seen:
    assert api.seen
    return api.seen[-1]


def sent(api: Api) -> dict[str, Any]:
    """The document in the message of the user."""
    return json.loads(json.loads(last(api).body)["messages"][1]["content"])
