"""Which ids the files of a run get. They are kept on disk before the first file is stored, so that a worker that has to
try again stores none of them twice.

It lies beside the data folder, where the component does not write.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress

import msgspec

from penstock.foundation import durable
from penstock.runtime.data_folder import DataFolder
from penstock.runtime.port import Port


def reserve(port: Port, folder: DataFolder, names: Sequence[str]) -> dict[str, int]:
    """An id for each name; the same ones whenever it is asked."""
    file = folder.path.with_name(f"{folder.path.name}.files")
    known: dict[str, int] = {}
    with suppress(FileNotFoundError):
        known = msgspec.json.decode(file.read_bytes(), type=dict[str, int])
    new = [name for name in names if name not in known]
    if new:
        known |= dict(zip(new, port.reserve_files(len(new)), strict=True))
        durable.write_file(file, msgspec.json.encode(known))
    return {name: known[name] for name in names}
