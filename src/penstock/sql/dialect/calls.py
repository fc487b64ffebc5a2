"""Function calls found in tokens: `NAME(first, second)`."""

from __future__ import annotations

from itertools import pairwise

import msgspec

from penstock.sql.dialect.tokens import Token

_OPENING = ("(", "[", "{")
_CLOSING = (")", "]", "}")


class Call(msgspec.Struct):
    """The positions of its parts; a parenthesis without a name is a call without a name."""

    name: str
    opening: int
    commas: list[int]
    closing: int = -1

    def arguments(self, tokens: list[Token]) -> list[list[Token]]:
        edges = [self.opening, *self.commas, self.closing]
        found = [tokens[start + 1 : end] for start, end in pairwise(edges)]
        return found if any(token.text for token in found[0]) or self.commas else []


def find_calls(tokens: list[Token]) -> list[Call]:
    """In the order in which they end, so the inner ones come first. Unclosed ones are left out."""
    found: list[Call] = []
    opened: list[Call] = []
    for index, token in enumerate(tokens):
        if token.text in _OPENING:
            name = tokens[index - 1].word if index and token.text == "(" else ""
            opened.append(Call(name, index, []))
        elif token.text == "," and opened:
            opened[-1].commas.append(index)
        elif token.text in _CLOSING and opened:
            call = opened.pop()
            call.closing = index
            found.append(call)
    return found
