"""A document in the user's editor: $VISUAL, $EDITOR, or vi. A mistake can be fixed without losing the text."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from penstock.cli.configs.documents import parse_document
from penstock.cli.configs.listing import pretty
from penstock.cli.output import print_error
from penstock.foundation.errors import Invalid

Check = Callable[[dict[str, Any]], None]


def edit_document(document: Any, name: str, check: Check) -> dict[str, Any]:
    """The document as the user left it, valid. Otherwise the file stays, and the error names it."""
    # Only its owner may read it: the user may type a secret.
    handle, path = tempfile.mkstemp(prefix=f"{re.sub(r'[^A-Za-z0-9._-]', '-', name)}-", suffix=".json")
    with os.fdopen(handle, "w", encoding="utf-8") as file:
        file.write(pretty(document) + "\n")
    while True:
        _open_editor(path)
        try:
            edited = parse_document(Path(path).read_bytes(), path)
            check(edited)
        except Invalid as error:
            _offer_another_try(error, path)
        else:
            Path(path).unlink()
            return edited


def _open_editor(path: str) -> None:
    command = os.environ.get("VISUAL") or os.environ.get("EDITOR") or "vi"
    try:
        done = subprocess.run([*shlex.split(command), path], check=False)
    except FileNotFoundError:
        raise Invalid(f"The editor {command} was not found. Set EDITOR, or give the document with --file.") from None
    if done.returncode:
        raise Invalid(f"The editor {command} ended with {done.returncode}. Nothing was sent; your text is in {path}.")


def _offer_another_try(error: Invalid, path: str) -> None:
    print_error(str(error))
    if not sys.stdin.isatty() or input("Edit it again? [Y/n] ").strip().lower().startswith("n"):
        raise Invalid(f"Nothing was sent. Your text is in {path}.") from error
