"""From the address of an API to a configuration that was run."""

from __future__ import annotations

from typing import Annotated, Any

import msgspec

from penstock.client import Client, ClientError
from penstock.mcp.tool import Arguments, InvalidArguments, Output

COMPONENT = "ex-generic-v2"


class Api(Arguments, frozen=True):
    url: Annotated[
        str,
        msgspec.Meta(
            max_length=8000, description="The address of a list.", examples=["https://api.example.com/orders"]
        ),
    ] = ""
    curl: Annotated[
        str,
        msgspec.Meta(
            max_length=50_000,
            description="Instead of `url`: a curl command, for requests with headers or credentials.",
            examples=["curl https://api.example.com/orders -H 'Authorization: Bearer TOKEN'"],
        ),
    ] = ""


class ProposalView(Output, frozen=True):
    component_id: str
    configuration: dict[str, Any]
    proven: list[str]
    not_proven: list[str]
    tables: list[dict[str, Any]]
    """With their first rows."""
    requests: int
    hint: str


class NotDiscovered(ClientError):
    status = 400


def discover_api(client: Client, arguments: Api) -> ProposalView:
    """Propose a configuration that reads an HTTP API: finds records, pagination, keys, and proves it by running it.

    Sends at most 20 requests that only read, from the stack. Nothing is stored: give the result to
    create_configuration. Example: {"url": "https://api.example.com/orders"}"""
    if bool(arguments.url) == bool(arguments.curl):
        raise InvalidArguments("Give either `url` or `curl`.")
    discovery = client.components.run_action(
        COMPONENT, "discover", {"__URL": arguments.url, "__CURL_COMMAND": arguments.curl}
    )
    if discovery.get("status") == "exception":
        raise NotDiscovered(" ".join(discovery["traceback"]))
    return ProposalView(
        component_id=COMPONENT,
        configuration=discovery["configuration"],
        proven=[_sentence(each) for each in discovery["findings"] if each["isProven"]],
        not_proven=[_sentence(each) for each in discovery["findings"] if not each["isProven"]],
        tables=discovery["tables"],
        requests=discovery["requests"],
        hint="Secrets under # keys are hidden: put them in. Then create_configuration with this component_id.",
    )


def _sentence(finding: dict[str, Any]) -> str:
    return f"{finding['subject']}: {finding['choice']}. {finding['evidence']}"
