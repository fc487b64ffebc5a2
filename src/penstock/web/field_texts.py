"""Descriptions of fields and parameters for OpenAPI documents.

A field is described where it is declared: by the docstring below it. Python keeps no such docstrings, so they are read
from the source of the struct when a document is made, and not at start.
"""

from __future__ import annotations

import ast
import inspect
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from itertools import pairwise
from typing import Any, get_origin

import msgspec
from msgspec import inspect as types

Texts = Mapping[str, str]


@cache
def describe_fields(struct: type[msgspec.Struct]) -> Texts:
    """Return the docstrings of its fields by their names on the wire, those of a subclass before those of its bases."""
    texts = dict[str, str]()
    for cls in reversed(struct.__mro__):
        texts |= _read_module(cls.__module__).get(cls.__qualname__, {})
    wire_names = zip(struct.__struct_fields__, struct.__struct_encode_fields__, strict=True)
    return {wire: texts[name] for name, wire in wire_names if name in texts}


def describe_tag(struct: type[msgspec.Struct]) -> Texts:
    """Return the description of the field that tells the members of a union apart, if it has one."""
    config = struct.__struct_config__
    return {config.tag_field: f"Always `{config.tag}`: it says which kind this is."} if config.tag_field else {}


def find_structs(models: Iterable[Any]) -> Sequence[type[msgspec.Struct]]:
    """Return the structs among the models, and everything that is in them."""
    found = dict[type[msgspec.Struct], None]()
    open_types = list(types.multi_type_info(models))
    while open_types:
        each = open_types.pop()
        if isinstance(each, types.StructType):
            if each.cls in found:
                continue
            found[each.cls] = None
        open_types += _inside(each)
    return list(found)


def _inside(each: types.Type) -> Iterator[types.Type]:
    match each:
        case types.StructType() | types.TypedDictType() | types.DataclassType() | types.NamedTupleType():
            yield from (field.type for field in each.fields)
        case types.Metadata():
            yield each.type
        case types.CollectionType():
            yield each.item_type
        case types.TupleType():
            yield from each.item_types
        case types.DictType():
            yield from (each.key_type, each.value_type)
        case types.UnionType():
            yield from each.types
        case _:
            pass


def add_texts(schema: dict[str, Any], struct: type[msgspec.Struct]) -> None:
    """Describe the fields in the schema of the struct. A field that has its own `Meta` keeps it."""
    struct = get_origin(struct) or struct
    texts = {**describe_tag(struct), **describe_fields(struct)}
    for name, field in schema.get("properties", {}).items():
        if name in texts:
            field.setdefault("description", texts[name])


@cache
def _read_module(name: str) -> Mapping[str, dict[str, str]]:
    """Return the docstrings of fields by the qualified name of the class."""
    module = sys.modules.get(name)
    if module is None or name.partition(".")[0] in ("builtins", "msgspec"):
        return {}
    try:
        tree = ast.parse(inspect.getsource(module))
    except OSError:  # installed without its source: documents are complete but for these descriptions
        return {}
    return {path: texts for path, node in _classes(tree, "") if (texts := dict(_docstrings(node.body)))}


def _classes(node: ast.AST, prefix: str) -> Iterator[tuple[str, ast.ClassDef]]:
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.ClassDef):
            yield f"{prefix}{child.name}", child
            yield from _classes(child, f"{prefix}{child.name}.")


def _docstrings(body: Sequence[ast.stmt]) -> Iterator[tuple[str, str]]:
    for field, text in pairwise(body):
        match field, text:
            case (
                ast.AnnAssign(target=ast.Name(id=name)),
                ast.Expr(value=ast.Constant(value=str(sentence))),
            ):
                yield name, " ".join(sentence.split())
            case _:
                pass
