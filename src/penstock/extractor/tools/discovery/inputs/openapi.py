"""An OpenAPI document: its GET endpoints that return lists, with the parameters that they declare."""

from __future__ import annotations

from typing import Any
from urllib.parse import quote, urlencode, urljoin, urlsplit

from penstock.extractor.base.decode import NotJson, decode
from penstock.extractor.base.errors import UserError
from penstock.extractor.base.values import as_map
from penstock.extractor.tools.discovery.target import Choice, Target, read_url

NOTHING = "The OpenAPI document has no GET endpoint that returns a list and needs no value in its path."
DEEPEST = 8
Values = dict[str, Any]


def read_openapi(content: bytes, url: str = "") -> list[Choice]:
    """Reads JSON or YAML. `url` replaces the server that the document names. Raises UserError for a document that
    cannot be read."""
    document = as_map(_read(content))
    if not as_map(document.get("paths")):
        raise UserError("The file is not an OpenAPI document: it has no `paths`.")
    api = _Api(document, _server(document, url))
    return [choice for path, item in as_map(document["paths"]).items() if (choice := api.choice(path, as_map(item)))]


def _read(content: bytes) -> Any:
    try:
        return decode(content).document
    except NotJson as error:
        if content.lstrip().startswith(b"{"):
            raise UserError(f"The OpenAPI document is not valid JSON: {error}.") from None
    from penstock.foundation.text.yaml_loader import read_yaml  # takes a while to load, and few need it

    try:
        return read_yaml(content)
    except (ValueError, RecursionError) as error:
        raise UserError(f"The OpenAPI document is not valid YAML: {error}.") from error


def _server(document: Values, url: str) -> str:
    servers = [as_map(server) for server in as_map(document.get("servers")).values()]
    named = _filled(servers[0]) if servers else _swagger_server(document)
    server = urljoin(url, named) if url and named.startswith("/") else url or named
    if not urlsplit(server).netloc:
        raise UserError("The OpenAPI document names no server. Give its URL: penstock new URL --openapi FILE.")
    return server.rstrip("/")


def _filled(server: Values) -> str:
    """Returns the address of a server with the defaults of its variables."""
    address = str(server.get("url") or "")
    for name, variable in as_map(server.get("variables")).items():
        address = address.replace(f"{{{name}}}", str(as_map(variable).get("default", "")))
    return address


def _swagger_server(document: Values) -> str:
    schemes = as_map(document.get("schemes"))
    path = str(document.get("basePath") or "")
    return f"{schemes.get('0', 'https')}://{document['host']}{path}" if document.get("host") else path


class _Api:
    def __init__(self, document: Values, server: str) -> None:
        self._document, self._server = document, server

    def choice(self, path: str, item: Values) -> Choice | None:
        get = as_map(item.get("get"))
        if not get or not self._returns_list(get):
            return None
        parameters = self._parameters(item, get)
        missing = [name for name, value in parameters.items() if value.get("in") == "path" and _example(value) is None]
        if missing:
            return None
        target = Target(read_url(self._url(path, parameters)), _declared(parameters), self._needs(get))
        return Choice(path, str(get.get("summary") or get.get("operationId") or ""), target)

    def _url(self, path: str, parameters: Values) -> str:
        """Returns the URL with the required parameters that have an example or a default."""
        for name, value in parameters.items():
            path = path.replace(f"{{{name}}}", quote(str(_example(value)), safe=""))
        required = {
            name: value for name, value in parameters.items() if value.get("in") == "query" and value.get("required")
        }
        query = {name: _example(value) for name, value in required.items() if _example(value) is not None}
        return f"{self._server}{path}{'?' + urlencode(query) if query else ''}"

    def _parameters(self, item: Values, get: Values) -> Values:
        declared = [*as_map(item.get("parameters")).values(), *as_map(get.get("parameters")).values()]
        resolved = [self._resolved(value) for value in declared]
        return {str(value.get("name")): value for value in resolved}

    def _returns_list(self, get: Values) -> bool:
        responses = as_map(get.get("responses"))
        response = self._resolved(responses.get("200") or responses.get("default"))
        kinds = [as_map(kind).get("schema") for kind in as_map(response.get("content")).values()] or [
            response.get("schema")
        ]
        return any(self._holds_list(kind, 0) for kind in kinds)

    def _holds_list(self, schema: Any, depth: int) -> bool:
        """Returns whether a schema is an array, or an object with one, at most a few levels down."""
        values = self._resolved(schema)
        if values.get("type") == "array":
            return True
        parts = [part for key in ("allOf", "anyOf", "oneOf") for part in as_map(values.get(key)).values()]
        below = [*parts, *as_map(values.get("properties")).values()] if depth < 3 else []
        return any(self._holds_list(part, depth + 1) for part in below)

    def _needs(self, get: Values) -> tuple[str, ...]:
        """Returns the credentials of the first alternative."""
        rules = get.get("security", self._document.get("security"))
        first = as_map(as_map(rules).get("0"))
        components = as_map(as_map(self._document.get("components")).get("securitySchemes"))
        schemes = components or as_map(self._document.get("securityDefinitions"))
        return tuple(_credential(as_map(schemes.get(name))) for name in first)

    def _resolved(self, value: Any) -> Values:
        resolved = as_map(value)
        for _ in range(DEEPEST):
            reference = resolved.get("$ref")
            if not isinstance(reference, str) or not reference.startswith("#/"):
                break
            target: Any = self._document
            for key in reference[2:].split("/"):
                target = as_map(target).get(key.replace("~1", "/").replace("~0", "~"))
            resolved = as_map(target)
        return resolved


def _example(parameter: Values) -> Any:
    schema = as_map(parameter.get("schema"))
    values = (parameter.get("example"), schema.get("example"), schema.get("default"), parameter.get("default"))
    return next((value for value in values if isinstance(value, (str, int))), None)


def _declared(parameters: Values) -> tuple[str, ...]:
    return tuple(name for name, value in parameters.items() if value.get("in") == "query")


def _credential(scheme: Values) -> str:
    if scheme.get("type") == "apiKey":
        return f"the {scheme.get('in')} parameter {scheme.get('name')}"
    if scheme.get("type") == "http":
        return f"an Authorization header ({scheme.get('scheme')})"
    return f"{scheme.get('type') or 'credentials'}"
