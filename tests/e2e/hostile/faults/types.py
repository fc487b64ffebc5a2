"""H15: one key twice, and values that change their type from record to record."""

from __future__ import annotations

from tests.e2e.hostile.faults.odd import odd, odd_of, shown, with_columns
from tests.e2e.hostile.scenario import Judge, Outcome, Scenario, Variant, fails
from tests.e2e.hostile.server import HostileApi
from tests.support.extraction import Extraction

REFUSED = fails("Unhandled nodeType change|contains incompatible types")


def _of(name: str, amount: str, outcome: Judge) -> Variant:
    """In place of a number."""
    return Variant(name, None, 1, outcome, data=odd(amount=amount), is_of_records=True)


def _twice(name: str, members: str, outcome: Judge) -> Variant:
    return Variant(name, None, 1, outcome, data=odd(members=members), is_of_records=True)


def _lists(*items: str) -> Judge:
    """All values are lists now, in a table of their own, in the order of the records."""

    def judge(scenario: Scenario) -> Outcome:
        record = odd_of(scenario.data, scenario.position)
        amounts = [items if each is record else (each.amount,) for each in scenario.records]

        def check(run: Extraction, _api: HostileApi) -> None:
            parents = run.column("hostile.items", "amount")
            expected = [(parent, item) for parent, each in zip(parents, amounts, strict=True) for item in each]
            rows = run.rows("hostile.items_amount")
            assert [(row["JSON_parentId"], row["data"]) for row in rows] == expected
            assert run.column("hostile.items", "id") == [str(each.id) for each in scenario.records]

        return Outcome(check=check)

    return judge


VARIANTS = (
    _twice("a key twice", ',"name":"the last"', shown(name="the last")),
    _twice("a key three times", ',"amount":"1","amount":7.5', shown(amount="7.5")),
    _twice("a key twice, another type first", ',"active":{"a":1},"active":true', shown(active=True)),
    _twice("an id in another case", ',"ID":"x"', with_columns("x", names=("ID",))),
    _of("a text", '"many"', shown(amount="many")),
    _of("an empty text", '""', shown(amount="")),
    _of("null", "null", shown(amount="")),
    _of("true", "true", shown(amount="1")),
    _of("false", "false", shown(amount="")),
    _of("a list", "[1,2.5]", _lists("1", "2.5")),
    _of("an empty list", "[]", _lists()),
    _of("an object", '{"a":1}', REFUSED),
    _of("an empty object", "{}", REFUSED),
    _of("a list of objects", '[{"a":1}]', REFUSED),
)
