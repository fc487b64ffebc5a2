"""Code of transformations as files: each code block of a document is replaced by the name of its file.

A file holds the statements of one code block. Statements are separated by a comment line, because only the backend
could split them otherwise.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any, cast

FILE = "file"
_LANGUAGES = {"python": ("py", "#"), "r-transformation": ("r", "#"), "julia": ("jl", "#")}
_SQL = ("sql", "--")


def take_scripts(document: Any, component: str) -> tuple[Any, dict[str, str]]:
    """The document with names of files in place of code, and the texts of these files."""
    suffix, comment = _language(component)
    texts: dict[str, str] = {}

    def take(code: dict[str, Any], path: str) -> dict[str, Any]:
        text = _join(code.get("script"), comment)
        if text is None:
            return code
        texts[f"{path}.{suffix}"] = text
        return {**code, "script": {FILE: f"{path}.{suffix}"}}

    return _replace_codes(document, take), texts


def put_scripts(document: Any, component: str, read: Callable[[str], str]) -> Any:
    """The document with its code; `read` returns the text of a file."""
    _suffix, comment = _language(component)

    def put(code: dict[str, Any], _path: str) -> dict[str, Any]:
        script = _map(code.get("script"))
        return {**code, "script": _split(read(str(script[FILE])), comment)} if list(script) == [FILE] else code

    return _replace_codes(document, put)


def _language(component: str) -> tuple[str, str]:
    return next((language for word, language in _LANGUAGES.items() if word in component), _SQL)


def _separator(comment: str) -> str:
    return f"\n\n{comment} next statement\n\n"


def _join(script: Any, comment: str) -> str | None:
    """Return None if the code has to stay in the document, because it could not be read back."""
    if not isinstance(script, list) or not script:
        return None
    parts = cast(list[Any], script)
    if not all(isinstance(part, str) for part in parts):
        return None
    text = _separator(comment).join(parts) + "\n"
    return text if _split(text, comment) == parts else None


def _split(text: str, comment: str) -> list[str]:
    return text.removesuffix("\n").split(_separator(comment))


Replace = Callable[[dict[str, Any], str], dict[str, Any]]


def _replace_codes(document: Any, replace: Replace) -> Any:
    """The document with other code blocks; everything else is the same."""
    parameters = _map(_map(document).get("parameters"))
    blocks = parameters.get("blocks")
    if not isinstance(blocks, list):
        return document
    changed = [_replace_in_block(block, number, replace) for number, block in _numbered(cast(list[Any], blocks))]
    return {**_map(document), "parameters": {**parameters, "blocks": changed}}


def _replace_in_block(block: Any, number: str, replace: Replace) -> Any:
    codes = _map(block).get("codes")
    if not isinstance(codes, list):
        return block
    changed = [
        replace(_map(code), f"scripts/{number}/{inner}") if isinstance(code, dict) else code
        for inner, code in _numbered(cast(list[Any], codes))
    ]
    return {**_map(block), "codes": changed}


def _map(value: Any) -> dict[str, Any]:
    return cast(dict[str, Any], value) if isinstance(value, dict) else {}


def _numbered(parts: list[Any]) -> Iterator[tuple[str, Any]]:
    """Each with a name for its file, such as `01-load-orders`."""
    for number, part in enumerate(parts, 1):
        name = str(_map(part).get("name", ""))
        words = re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")[:60]
        yield f"{number:02}-{words}".rstrip("-"), part
