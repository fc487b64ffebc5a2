"""The documents as data: which blocks, links and tables a page holds.

A fenced block says in its first line what it is: ```console, or ```json config.json, or ```console exit=1.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

ROOT = Path(__file__).parents[2]
LANGUAGES = ("console", "json", "python", "toml", "ini", "nginx", "text")
PROMPT = "$ "

_LINK = re.compile(r"(?<!!)\[[^\]]*\]\(([^)\s]+)\)")
_CODE = re.compile(r"`([^`\n]+)`")
_EXIT = re.compile(r"exit=(\d+)")


class BadPage(Exception):
    """A page does not keep to the conventions of CONTRIBUTING.md."""


@dataclass(frozen=True)
class Command:
    text: str
    output: str
    line: int


@dataclass(frozen=True)
class Block:
    language: str
    info: str
    lines: tuple[str, ...]
    line: int

    @property
    def text(self) -> str:
        return "\n".join(self.lines) + "\n"

    @property
    def file_name(self) -> str | None:
        return self.info if self.info and not _EXIT.fullmatch(self.info) else None

    @property
    def exit_code(self) -> int:
        found = _EXIT.fullmatch(self.info)
        return int(found[1]) if found else 0

    @property
    def commands(self) -> list[Command]:
        """Lines after `$ ` with the lines that a backslash joins to them; what follows is the output."""
        found: list[Command] = []
        command: list[str] = []
        output: list[str] = []
        start = 0
        for number, line in enumerate(self.lines, self.line + 1):
            if command and command[-1].endswith("\\") and not output:
                command.append(line)
            elif line.startswith(PROMPT):
                found += _command(command, output, start)
                command, output, start = [line.removeprefix(PROMPT)], [], number
            elif command:
                output.append(line)
            else:
                raise BadPage(f"line {number}: a console block starts with a command: `$ …`")
        return found + _command(command, output, start)


@dataclass(frozen=True)
class Page:
    path: Path
    text: str = field(repr=False)

    @property
    def name(self) -> str:
        return self.path.relative_to(ROOT).as_posix() if self.path.is_relative_to(ROOT) else self.path.name

    @cached_property
    def blocks(self) -> list[Block]:
        return list(_blocks(self.text.splitlines()))

    @cached_property
    def prose(self) -> str:
        """The page without its blocks."""
        return re.sub(r"^```.*?^```$", "", self.text, flags=re.DOTALL | re.MULTILINE)

    @property
    def links(self) -> list[str]:
        return _LINK.findall(self.prose)

    @property
    def code_spans(self) -> list[str]:
        return _CODE.findall(self.prose)

    def of(self, language: str) -> list[Block]:
        return [block for block in self.blocks if block.language == language]

    def table_below(self, heading: str) -> list[list[str]]:
        """The cells of the first table below a heading, its head and the line under it left out."""
        _, found, rest = self.text.partition(f"\n{heading}\n")
        if not found:
            raise BadPage(f"{self.name} has no heading {heading!r}")
        rows = re.search(r"((?:^\|.*\n)+)", rest, re.MULTILINE)
        lines = rows[1].splitlines()[2:] if rows else []
        return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]


def read_page(path: Path) -> Page:
    return Page(path, path.read_text(encoding="utf-8"))


def all_pages() -> list[Page]:
    paths = [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")]
    return [read_page(path) for path in sorted(paths)]


def headings(page: Page) -> set[str]:
    """The anchors that a link may point at."""
    titles = re.findall(r"^#+ (.+)$", page.prose, re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", title.lower()).strip().replace(" ", "-") for title in titles}


def _command(command: list[str], output: list[str], line: int) -> list[Command]:
    return [Command("\n".join(command), "\n".join(output).strip(), line)] if command else []


def _blocks(lines: list[str]) -> Iterator[Block]:
    opened: tuple[str, int] | None = None
    inside: list[str] = []
    for number, line in enumerate(lines, 1):
        if not line.startswith("```"):
            inside.append(line)
        elif opened is None:
            opened, inside = (line[3:], number), []
        else:
            language, _, info = opened[0].partition(" ")
            yield Block(language, info.strip(), tuple(inside), opened[1])
            opened = None
    if opened:
        raise BadPage(f"line {opened[1]}: this block has no end")
