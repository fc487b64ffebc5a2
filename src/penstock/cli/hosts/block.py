"""One marked block in the text of a hosts file. Every other line stays unchanged, to the byte."""

from __future__ import annotations

import io

import msgspec

from penstock.foundation.errors import Invalid

BEGIN = "# penstock: begin. `penstock hosts remove` takes this block out again."
END = "# penstock: end."
_BEGIN_MARK, _END_MARK = "# penstock: begin", "# penstock: end"


class BrokenBlock(Invalid):
    def __init__(self) -> None:
        super().__init__(
            f"The lines {_BEGIN_MARK!r} and {_END_MARK!r} in the hosts file do not come as one pair, "
            "so it is not clear what is between them. Remove them by hand, with what belongs to them."
        )


class Block(msgspec.Struct, frozen=True):
    """The names, and their address; one per line, since some systems do not read long lines."""

    address: str
    names: tuple[str, ...]

    @property
    def lines(self) -> list[str]:
        return [BEGIN, *(f"{self.address} {name}" for name in self.names), END]


def find_lines(text: str) -> list[str]:
    """The lines of the existing block, without line ends; none if there is no block."""
    lines = _split(text)
    block = _find(lines)
    return [line.rstrip("\r\n") for line in lines[block]] if block else []


def with_block(text: str, block: Block) -> str:
    """Replace the block in place, or append it."""
    lines, end = _split(text), "\r\n" if "\r\n" in f"{text}\n" else "\n"
    if lines and not lines[-1].endswith("\n"):
        lines[-1] += end
    position = _find(lines) or slice(len(lines), len(lines))
    lines[position] = [f"{line}{end}" for line in block.lines]
    return "".join(lines)


def without_block(text: str) -> str:
    lines = _split(text)
    block = _find(lines)
    if block:
        del lines[block]
    return "".join(lines)


def _split(text: str) -> list[str]:
    """Split by line feeds only, as the system does: Python would split at rarer characters too."""
    return list(io.StringIO(text, newline="\n"))


def _find(lines: list[str]) -> slice | None:
    begins = [number for number, line in enumerate(lines) if line.startswith(_BEGIN_MARK)]
    ends = [number for number, line in enumerate(lines) if line.startswith(_END_MARK)]
    if not begins and not ends:
        return None
    if len(begins) != 1 or len(ends) != 1 or begins[0] > ends[0]:
        raise BrokenBlock
    return slice(begins[0], ends[0] + 1)
