"""Route tables → OpenAPI 3.1."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from inspect import cleandoc
from types import MappingProxyType, UnionType
from typing import Any, Union, get_args, get_origin

import msgspec

from penstock.foundation.callers import STORAGE_TOKEN, AnyRight, Right
from penstock.web.auth.scheme import Scheme
from penstock.web.errors import Reply, Shape, with_text_code
from penstock.web.field_texts import add_texts, find_structs
from penstock.web.glossary import PARAMETERS
from penstock.web.openapi_errors import NOT_IMPLEMENTED, SCHEMA, error_references, error_responses, error_schema
from penstock.web.resources import find_resource
from penstock.web.routing import Route
from penstock.web.titles import make_title

PLACES = ("returns", "accepted", "body", "form", "query")
_JSON, _FORM = "application/json", "multipart/form-data"
NOTHING_BELOW: Mapping[str, Reply] = MappingProxyType({})
_TEMPLATE = "#/components/schemas/{name}"


def make_document(
    title: str,
    version: str,
    server: str,
    routes: Sequence[Route],
    auth: Scheme,
    errors: Shape = with_text_code,
    errors_below: Mapping[str, Reply] = NOTHING_BELOW,
) -> dict[str, Any]:
    routes = [route for route in routes if route.is_documented]
    of, components = _schemas(_models(routes))
    paths: dict[str, Any] = {}
    names = _operation_ids(routes)
    for index, route in enumerate(routes):
        operation = {"operationId": names[index], **_operation(route, index, of, components, auth)}
        paths.setdefault(route.template, {})[route.method.lower()] = operation
    return {
        "openapi": "3.1.0",
        "info": {"title": title, "version": version},
        "servers": [{"url": server}],
        "paths": paths,
        "components": {
            "schemas": {SCHEMA: error_schema(routes, errors, errors_below), **components},
            "responses": error_responses(routes),
            "securitySchemes": _security_schemes(routes, auth),
        },
    }


def _operation_ids(routes: Sequence[Route]) -> list[str]:
    """The names of the handlers; where several have the same one, those of the rows."""
    counts = Counter(route.handler.__name__ for route in routes)
    return [name if counts[name := route.handler.__name__] == 1 else _name_of(route) for route in routes]


def _name_of(route: Route) -> str:
    return "_".join([route.method.lower(), *re.findall(r"\w+", route.template)])


def _models(routes: Sequence[Route]) -> list[tuple[tuple[int, str], Any]]:
    """Everything that needs a schema, by the row and the place it is used in."""
    models: list[tuple[tuple[int, str], Any]] = []
    for index, route in enumerate(routes):
        for place in PLACES:
            models += [((index, place), model) for model in _members(getattr(route, place))]
    return models


def _schemas(models: Sequence[tuple[tuple[int, str], Any]]) -> tuple[dict[tuple[int, str], Any], dict[str, Any]]:
    """Return the schemas by row and place, and the components that they refer to, with descriptions of their fields."""
    structs = find_structs([model for _, model in models])
    schemas, components = msgspec.json.schema_components(
        [*(model for _, model in models), *structs], ref_template=_TEMPLATE
    )
    for struct, reference in zip(structs, schemas[len(models) :], strict=True):
        add_texts(components[_name_in(reference)], struct)
    return _by_place([key for key, _ in models], schemas[: len(models)]), components


def _name_in(reference: dict[str, Any]) -> str:
    return reference["$ref"].rpartition("/")[2]


def _members(model: Any) -> tuple[Any, ...]:
    """A union of structs is described struct by struct: those without a tag have no common schema."""
    members = get_args(model) if get_origin(model) in (Union, UnionType) else ()
    if all(isinstance(each, type) and issubclass(each, msgspec.Struct) for each in members) and members:
        return members
    return (model,) if model else ()


def _by_place(keys: list[tuple[int, str]], schemas: Sequence[Any]) -> dict[tuple[int, str], Any]:
    grouped: dict[tuple[int, str], list[Any]] = {}
    for key, schema in zip(keys, schemas, strict=True):
        grouped.setdefault(key, []).append(schema)
    return {key: choices[0] if len(choices) == 1 else {"anyOf": choices} for key, choices in grouped.items()}


def _operation(
    route: Route,
    index: int,
    of: dict[tuple[int, str], Any],
    components: dict[str, Any],
    auth: Scheme,
) -> dict[str, Any]:
    operation: dict[str, Any] = {
        **_texts(route, auth),
        "tags": [find_resource(route.template)],
        "x-right": {"id": _right_id(route.needs), "needs": _needs(route, auth)},
        "parameters": _parameters(route, index, of, components),
        "responses": _responses(route, index, of),
        "security": _security(route, auth),
    }
    if route.body:
        content = {_JSON: {"schema": of[index, "body"]}}
        operation["requestBody"] = {"required": True, "content": content}
    elif route.form:
        operation["requestBody"] = {"required": True, "content": {_FORM: {"schema": of[index, "form"]}}}
    elif route.takes:
        content = {each: {"schema": {} if each == _JSON else {"type": "string"}} for each in route.takes}
        operation["requestBody"] = {"required": True, "content": content}
    return operation


def _security_schemes(routes: Sequence[Route], auth: Scheme) -> dict[str, Any]:
    """The service's own is called `token`, those of single rows as they are called here."""
    others = {
        _scheme_name(route): dict(route.auth.security) for route in routes if route.auth and _security(route, auth)
    }
    return {**({"token": dict(auth.security)} if auth.security else {}), **others}


def _security(route: Route, auth: Scheme) -> list[dict[str, list[str]]]:
    is_open = route.needs is Right.PUBLIC or not (route.auth or auth).security
    return [] if is_open else [{_scheme_name(route): [_right_id(route.needs)]}]


def _right_id(right: AnyRight) -> str:
    return right.name.lower().replace("_", "-")


def _needs(route: Route, auth: Scheme) -> str:
    name = (route.auth or auth).name
    if route.needs is not Right.TOKEN or name == STORAGE_TOKEN:
        return route.needs.value
    return f"any valid {name}" if name.endswith("token") else f"a caller by the scheme `{name}`"


def _texts(route: Route, auth: Scheme) -> dict[str, str]:
    """The title; then the handler's documentation, and the right."""
    text = re.sub(r"(?<!\n)\n(?!\n)", " ", cleandoc(route.handler.__doc__ or ""))
    needs = f"Needs {_needs(route, auth)}." if route.needs is not Right.PUBLIC else "Needs no token."
    twin = {"x-twin": route.twin} if route.twin else {}
    return {"summary": make_title(route), "description": f"{text}\n\n{needs}".strip(), **twin}


def _scheme_name(route: Route) -> str:
    first, *rest = route.auth.name.split() if route.auth else ["token"]
    return first + "".join(word.capitalize() for word in rest)


def _parameters(
    route: Route, index: int, of: dict[tuple[int, str], Any], components: dict[str, Any]
) -> list[dict[str, Any]]:
    in_path = [
        {"name": name, "in": "path", "required": True, **_description(route, name), "schema": {"type": "string"}}
        for name in route.parameters
    ]
    if not route.query:
        return in_path
    schema = components[_name_in(of[index, "query"])]
    needed: list[str] = schema.get("required", [])
    return in_path + [_in_query(route, name, each, name in needed) for name, each in schema["properties"].items()]


def _in_query(route: Route, name: str, schema: dict[str, Any], is_needed: bool) -> dict[str, Any]:
    # The members of an object stand in brackets: `attributes[branchId]=5`.
    style = {"style": "deepObject", "explode": True} if schema.get("type") == "object" else {}
    required = {"required": True} if is_needed else {}
    without_text = {key: value for key, value in schema.items() if key != "description"}
    return {
        "name": name,
        "in": "query",
        **required,
        **_description(route, name, schema.get("description", "")),
        "schema": without_text,
        **style,
    }


def _description(route: Route, name: str, of_field: str = "") -> dict[str, str]:
    text = route.describes.get(name) or of_field or PARAMETERS.get(name)
    return {"description": text} if text else {}


def _responses(route: Route, index: int, of: dict[tuple[int, str], Any]) -> dict[str, Any]:
    response: dict[str, Any] = {"description": "Done."}
    schema, accepted = of.get((index, "returns")), of.get((index, "accepted"))
    content = {} if route.media_type == _JSON else {route.media_type: {"schema": {"type": "string"}}}
    if schema is not None:
        content[_JSON] = {"schema": schema}
    if content:
        response["content"] = content
    later = {"description": "It is done by a job.", "content": {_JSON: {"schema": accepted}}}
    also: dict[str, Any] = {"202": later} if accepted is not None else {}
    also |= {"204": {"description": "Done."}} if route.may_be_empty else {}
    done = {} if route.status == NOT_IMPLEMENTED else {str(route.status): response, **also}
    return {**done, **error_references(route)}
