"""Which steps there are: chains of files, each with its own numbers."""

from __future__ import annotations

from pathlib import Path

import msgspec


class Chain(msgspec.Struct, frozen=True):
    """The steps of one service, in their order."""

    name: str
    folder: Path

    @property
    def steps(self) -> list[Path]:
        found = sorted(self.folder.glob("[0-9]*.py"))
        if [path.name[:5] for path in found] != [f"{number:04}_" for number in range(1, len(found) + 1)]:
            raise ValueError(f"The steps in {self.folder} must be numbered 0001_, 0002_, … without a gap.")
        return found


COMMON = Chain("common", Path(__file__).parent / "versions")


class Schema(msgspec.Struct, frozen=True):
    """What a program needs of its database: the common steps, then those of its services, lowest first."""

    services: tuple[Chain, ...] = ()

    @property
    def chains(self) -> tuple[Chain, ...]:
        return COMMON, *self.services

    @property
    def format(self) -> int:
        """The number of all steps."""
        return sum(len(chain.steps) for chain in self.chains)
