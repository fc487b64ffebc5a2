"""`make examples`: writes the examples again."""

from __future__ import annotations

import tempfile
from pathlib import Path

from tests.examples.recording import open_stack, record, write


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        services = open_stack(Path(folder) / "data")
        try:
            write(record(services))
        finally:
            services.close()


if __name__ == "__main__":
    main()
