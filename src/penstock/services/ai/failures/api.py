"""Requests of the extractor and the writer that an API did not answer as expected."""

from __future__ import annotations

import re

from penstock.services.ai.failures.diagnosis import Known
from penstock.services.ai.failures.places import of_job

_AUTHENTICATION = "parameters.api.authentication"


def _failed(status: str) -> re.Pattern[str]:
    """Make the pattern of a status, in the words of the extractor."""
    return re.compile(rf"The API request failed: \[(?P<status>{status})\].*?`\w+ (?P<url>\S+)`", re.DOTALL)


def _answered(status: str) -> re.Pattern[str]:
    """Make the pattern of a status, in the words of the writer."""
    return re.compile(rf"the API answered (?P<status>{status}) .*?to (?P<method>[A-Z]+)")


API = (
    Known(
        pattern=re.compile(r"No credentials were sent to (?P<host>\S+), because"),
        cause="The API at {host} refused the request, because no credentials were sent to this host.",
        path="parameters.api.trustedHosts",
        fix="Add {host} to the list if it should get the credentials, or correct the address that led there.",
        page="extractor/hosts.md",
    ),
    Known(
        pattern=_failed("401|407"),
        cause="The API did not accept the credentials (status {status}): they are missing, wrong or have expired.",
        path=_AUTHENTICATION,
        fix="Check the method there, and enter its secrets again: the keys of `parameters.config` that begin with `#`. "
        "Without this setting no credentials are sent.",
        page="extractor/index.md#authentication",
    ),
    Known(
        pattern=_failed("403"),
        cause="The API knows who asks, but does not allow this request (status 403).",
        path=_AUTHENTICATION,
        fix="Give the account of these credentials the right to read `{url}`, or use the credentials of another one.",
        page="extractor/index.md#authentication",
    ),
    Known(
        pattern=_failed("404|410"),
        cause="There is nothing at the address `{url}` (status {status}).",
        path="parameters.config.jobs[].endpoint",
        place=of_job("endpoint"),
        fix="Compare the endpoint, and `parameters.api.baseUrl` before it, with the documentation of the API: a "
        "missing version such as `v1`, or a slash too many, is the usual reason. For records that may be missing, set "
        "`parameters.api.http.ignoreErrors` to [404].",
        page="extractor/requests.md#where-it-goes",
    ),
    Known(
        pattern=_failed("405"),
        cause="The API does not accept this HTTP method at `{url}` (status 405).",
        path="parameters.config.jobs[].method",
        place=of_job("method"),
        fix="Set the method that the documentation of the API names: GET, POST or FORM.",
        page="extractor/requests.md",
    ),
    Known(
        pattern=_failed("400|406|409|411|412|413|414|415|422"),
        cause="The API did not accept the parameters of the request (status {status}).",
        path="parameters.config.jobs[].params",
        place=of_job("params"),
        fix="Read what the API says in the message, and correct the parameter that it names. The parameters of "
        "`parameters.api.pagination` and of `parameters.api.http.defaultOptions.params` are sent too.",
        page="extractor/requests.md#parameters",
    ),
    Known(
        pattern=_failed("429"),
        cause="The API allows fewer requests than the job sent (status 429), also after all retries.",
        path="parameters.api.rateLimit",
        fix='Set it to what the API allows, such as {{"requests": 5, "interval": "second"}}.',
        page="extractor/rate-limit.md",
    ),
    Known(
        pattern=_failed(r"5\d\d|408|420"),
        cause="The API itself failed (status {status}), also after all retries.",
        path="parameters.api.retryConfig",
        fix="Run the job again later. If the API fails often, raise `maxRetries` there; if it always fails, ask its "
        "operator, or ask for smaller pages.",
        page="extractor/retries.md",
    ),
    Known(
        pattern=_failed(r"3\d\d"),
        cause="The API redirects the request to an address that cannot be followed (status {status}).",
        path="parameters.api.baseUrl",
        fix="Set it to the address that the API redirects to.",
        page="extractor/retries.md#redirects",
    ),
    Known(
        pattern=re.compile(r"Could not resolve host: (?P<host>[^\s()]+)"),
        cause="There is no host {host}, or this stack's name server does not know it.",
        path="parameters.api.baseUrl",
        fix="Correct the name of the host. If it is a name of a private network, the stack needs a name server that "
        "knows it.",
        page="extractor/requests.md#where-it-goes",
    ),
    Known(
        pattern=re.compile(r"CURL error 7: .*?(?:Failed to connect to )?(?P<host>\S+ port \d+)"),
        cause="Nothing accepts connections at {host}.",
        path="parameters.api.baseUrl",
        fix="Check the host and the port. If they are right, the API is down, or a firewall is in the way: run the job "
        "again later, or use an SSH tunnel (`parameters.sshProxy`).",
        page="extractor/ssh-tunnel.md",
    ),
    Known(
        pattern=re.compile(r"CURL error 28:"),
        cause="The API did not answer in time.",
        path="parameters.api.http.requestTimeout",
        fix="Raise the limit there (seconds), or ask for smaller pages.",
        page="extractor/requests.md#defaults-and-time-limits",
    ),
    Known(
        pattern=re.compile(r"CURL error 35:"),
        cause="The API does not speak TLS at this address, or not a version of it that is safe.",
        path="parameters.api.baseUrl",
        fix="Check the port, and whether the address begins with https:// or http://.",
        page="extractor/tls.md",
    ),
    Known(
        pattern=re.compile(r"CURL error (?:60|77):"),
        cause="The certificate of the API is not trusted.",
        path="parameters.api.caCertificate",
        fix="Set it to the certificate of the authority that signed it. If the certificate has expired or is for "
        "another name, only the operator of the API can fix that.",
        page="extractor/tls.md",
    ),
    Known(
        pattern=re.compile(r"CURL error 58:"),
        cause="The client certificate cannot be used.",
        path="parameters.api.#clientCertificate",
        fix="Set it to a certificate followed by its private key, both in PEM.",
        page="extractor/tls.md",
    ),
    Known(
        pattern=re.compile(r"CURL error (?:18|52|56):"),
        cause="The API closed the connection before the response was complete, also after all retries.",
        path="parameters.api.retryConfig",
        fix="Run the job again later, raise `maxRetries` there, or ask for smaller pages.",
        page="extractor/retries.md",
    ),
    Known(
        pattern=re.compile(
            r"(?P<host>\S+) is (?:at \S+, )?a private address, which this stack does not let jobs reach"
        ),
        cause="{host} is in a private network, which jobs of this stack may not reach.",
        path="parameters.api.baseUrl",
        fix="Use a public address, or ask the operator to allow it: `penstock up --allow-host {host}`.",
        page="operating.md#what-jobs-may-reach",
    ),
    Known(
        pattern=_answered("401|403"),
        cause="The API did not accept the credentials (status {status}).",
        path=_AUTHENTICATION,
        fix="Check the method there, and enter its secrets again in `parameters.user_parameters`.",
        page="components/generic-writer.md",
    ),
    Known(
        pattern=_answered("404|405|410"),
        cause="The API has nothing that accepts {method} at this address (status {status}).",
        path="parameters.request_parameters.endpoint_path",
        fix="Compare it, `method` beside it and `parameters.api.base_url` with the documentation of the API.",
        page="components/generic-writer.md",
    ),
    Known(
        pattern=_answered(r"4\d\d"),
        cause="The API did not accept the rows (status {status}).",
        path="parameters.request_content",
        fix="Read what the API says in the message; correct the columns, their types in `json_mapping` or the rows.",
        page="components/generic-writer.md",
    ),
    Known(
        pattern=_answered(r"5\d\d"),
        cause="The API itself failed (status {status}), also after all retries.",
        path="parameters.api.retry_config",
        fix="Run the job again later, or raise `max_retries` there.",
        page="components/generic-writer.md",
    ),
)
