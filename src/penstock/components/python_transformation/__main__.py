"""`python -m penstock.components.python_transformation`: prepares the data folder, then executes the script.

The scripts of all codes are one program, as if concatenated. This process is replaced (exec) by the interpreter that
runs it, so output, exit code and memory are those of the script alone.
"""

from __future__ import annotations

import json
import os
import sys
from itertools import accumulate
from pathlib import Path

import msgspec

from penstock.components.program import MANIFEST, Data, run_program
from penstock.components.python_transformation.environments import find_python
from penstock.components.python_transformation.installer import without_settings
from penstock.components.scripts import Script, Transformation
from penstock.extractor.base.errors import UserError
from penstock.foundation.files.private import take_private

SCRIPT = "script.py"
CODES = f"{SCRIPT}.codes"
"""Says on which line of the script each code begins, so that an error can name the code (startup/sitecustomize.py)."""
STARTUP = Path(__file__).parent / "startup"


class PythonTransformation(Transformation, frozen=True):
    packages: list[str] = []
    tags: list[str] = []


def transform(data: Data) -> None:
    os.environ.update(take_private())
    parameters = data.read_parameters(PythonTransformation)
    place_tagged_files(data.folder, parameters.tags)
    python = find_python(data, parameters.packages)
    file = data.folder / SCRIPT
    file.touch(mode=0o600)
    texts = [_write_out(script) for script in parameters.scripts]
    file.write_text("\n".join(texts), encoding="utf-8")
    (data.folder / CODES).write_text(json.dumps(_locate(parameters.scripts, texts)), encoding="utf-8")
    os.chdir(data.folder)
    sys.stdout.flush()
    os.execve(python, [python, "-u", SCRIPT], _environment())  # noqa: S606 - no shell is wanted


def _environment() -> dict[str, str]:
    """Returns the variables with `startup/` on the module path, from which Python imports sitecustomize before the
    script."""
    variables = without_settings()
    paths = [str(STARTUP), *filter(None, [variables.get("PYTHONPATH")])]
    return {**variables, "PYTHONPATH": os.pathsep.join(paths)}


def _write_out(script: Script) -> str:
    """Writes the name of the script above its text."""
    name = " ".join(script.location.split())
    return "\n".join([f"# {name}", *script.texts, ""])


def _locate(scripts: list[Script], texts: list[str]) -> list[tuple[int, str]]:
    """Returns the line before the first one of each code, and the name of the code."""
    ends = accumulate((text.count("\n") + 1 for text in texts), initial=0)
    return [(end + 1, script.location) for end, script in zip(ends, scripts, strict=False)]


class FileManifest(msgspec.Struct, frozen=True):
    id: int = 0
    tags: list[str] = []


def place_tagged_files(folder: Path, tags: list[str]) -> None:
    if not tags:
        return
    manifests = [(_read(manifest), manifest) for manifest in (folder / "in" / "files").glob(f"*{MANIFEST}")]
    (folder / "in" / "user").mkdir(parents=True, exist_ok=True)
    for tag in tags:
        if not tag or "/" in tag or "\0" in tag or tag in (".", ".."):
            raise UserError(f'Invalid configuration: "{tag}" in `parameters.tags` cannot be the name of a file.')
        matches = [(about.id, file) for about, file in manifests if tag in about.tags]
        if not matches:
            raise UserError(f'No input file has the tag "{tag}". Add one to the input mapping.')
        file = max(matches)[1]
        target = folder / "in" / "user" / tag
        target.unlink(missing_ok=True)
        os.link(file.with_name(file.name.removesuffix(MANIFEST)), target)


def _read(file: Path) -> FileManifest:
    try:
        return msgspec.json.decode(file.read_bytes(), type=FileManifest, strict=False)
    except msgspec.MsgspecError as error:
        raise UserError(f"The manifest {file.name} of an input file cannot be read: {error}") from error


if __name__ == "__main__":
    raise SystemExit(run_program(transform))
