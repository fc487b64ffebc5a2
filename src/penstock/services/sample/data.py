"""The data of the sample API: customers and orders of a shop, always the same."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from functools import cache
from random import Random
from typing import Any

CUSTOMERS, ORDERS, PRODUCTS = 250, 430, 45
_FIRST = ("Ada", "Blaise", "Chiara", "Dušan", "Emmy", "Fatima", "Grace", "Hedy", "Ivo", "Jana", "Katherine", "Luděk")
_LAST = ("Čapek", "Dvořák", "Euler", "Fischer", "Gauss", "Hopper", "Ibarra", "Jansen", "Kovács", "Lovelace", "Müller")
_CITIES = (("Praha", "CZ"), ("Brno", "CZ"), ("Berlin", "DE"), ("Wien", "AT"), ("London", "GB"), ("Łódź", "PL"))
_TAGS = ("early", "loyal", "newsletter", "wholesale", "vip")
_GOODS = (("valve", "129.50"), ("pipe", "18.90"), ("gauge", "74.00"), ("turbine", "2490.00"), ("seal", "0.35"))
_START = datetime(2026, 1, 1, tzinfo=UTC)


@cache
def customers() -> tuple[dict[str, Any], ...]:
    chance = Random(1)  # noqa: S311
    return tuple(_customer(chance, number) for number in range(1, CUSTOMERS + 1))


@cache
def orders() -> tuple[dict[str, Any], ...]:
    chance = Random(2)  # noqa: S311
    return tuple(_order(chance, number) for number in range(1, ORDERS + 1))


@cache
def products() -> tuple[dict[str, Any], ...]:
    names = [name for name, _price in _GOODS]
    return tuple(
        {"id": f"P{number:03}", "name": f"{names[number % len(names)]} {number}", "updated": number % 7}
        for number in range(1, PRODUCTS + 1)
    )


def _customer(chance: Random, number: int) -> dict[str, Any]:
    first, last = chance.choice(_FIRST), chance.choice(_LAST)
    city, country = chance.choice(_CITIES)
    return {
        "id": number,
        "name": f"{first} {last}",
        "email": f"customer{number}@shop.example",
        "active": chance.random() < 0.8,
        "address": {"city": city, "country": country},
        "tags": chance.sample(_TAGS, chance.randrange(4)),
        "note": 'asked for "the big one"' if chance.random() < 0.1 else None,
    }


def _order(chance: Random, number: int) -> dict[str, Any]:
    lines = [_line(chance) for _ in range(chance.randint(1, 4))]
    return {
        "id": 10_000 + 3 * number,
        "customer": {"id": chance.randint(1, CUSTOMERS)},
        "placedAt": (_START + timedelta(hours=number)).isoformat(),
        "status": chance.choice(("new", "paid", "shipped", "returned")),
        "lines": lines,
    }


def _line(chance: Random) -> dict[str, Any]:
    name, price = chance.choice(_GOODS)
    return {"product": name, "price": float(price), "pieces": chance.randint(1, 12)}
