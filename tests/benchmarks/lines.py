"""What was measured beside what, what the ratio may be, and the table of it."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec


class Line(msgspec.Struct, frozen=True):
    """Without anything beside it, the figure itself is held to the limit."""

    name: str
    ours: float
    limit: float
    beside: float | None = None
    unit: str = "s"

    @property
    def ratio(self) -> float:
        return self.ours if self.beside is None else self.ours / self.beside

    @property
    def holds(self) -> bool:
        return self.ratio <= self.limit

    @property
    def cells(self) -> list[str]:
        beside = "" if self.beside is None else f"{self.beside:.3g} {self.unit}"
        sign = f" {self.unit}" if self.beside is None else " ×"
        ratio = "" if self.beside is None else f"{self.ratio:.2f} ×"
        verdict = "holds" if self.holds else "falls short"
        return [self.name, f"{self.ours:.3g} {self.unit}", beside, ratio, f"≤ {self.limit:g}{sign}", verdict]


def make_table(lines: Iterable[Line]) -> str:
    head = [["", "ours", "beside it", "ratio", "target", ""], ["---", "--:", "--:", "--:", "--:", "---"]]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in [*head, *(line.cells for line in lines)])
