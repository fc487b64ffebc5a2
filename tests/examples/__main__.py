"""`make examples`: writes the examples again."""

from __future__ import annotations

import tempfile
from pathlib import Path

from tests.examples.recording import record, write
from tests.support.stacks import ServicesOnly


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        services = ServicesOnly(Path(folder) / "data")
        try:
            write(record(services))
        finally:
            services.close()


if __name__ == "__main__":
    main()
