"""A variable that was never set is found before anything runs; what only looks like one is not."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from penstock.sql.dialect import SqlError, UnknownVariable, check_variables, translate
from tests.support.examples import examples

TYPO = "SELECT a\nFROM t WHERE d <= $lmi"


def test_a_variable_that_was_never_set_is_an_error_with_its_place() -> None:
    with pytest.raises(UnknownVariable) as raised:
        check_variables(TYPO)

    assert str(raised.value) == (
        "SQL compilation error: error line 2 at position 18\nSession variable '$LMI' does not exist"
    )
    assert (raised.value.number, raised.value.sql_state) == ("002211", "02000")


@pytest.mark.parametrize(
    "sql",
    [
        "SET lmi = 1; SELECT $lmi, $LMI, $Lmi",
        "SET lmi = (SELECT MAX(d) FROM t); SELECT $lmi",
        "set (lmi, other) = (1, 2); select $lmi + $other",
        "SET lmi = 1; SET other = $lmi + 1; SELECT $other",
        'SET "lmi" = 1; SELECT $lmi',
        "SET date = 1; SELECT $date",
        "SELECT $1, t.$2 FROM VALUES (1, 2) t",
        "SELECT $1 FROM @stage/file.csv",
        "SELECT $$ it costs $lmi $$, '$lmi', \"$lmi\", a$lmi -- $lmi\n, 1 // $lmi\n/* $lmi */ FROM t",
        "IF (x > 1) THEN SET lmi = 1; ELSE SET lmi = 2; END IF; SELECT $lmi",
    ],
)
def test_what_is_set_before_and_what_is_not_a_variable_is_accepted(sql: str) -> None:
    check_variables(sql)


@pytest.mark.parametrize(
    ("sql", "name"),
    [
        ("SET a = 1; UNSET a; SELECT $a", "A"),
        ("SET (a, b) = (1, 2); UNSET (a, b); SELECT $b", "B"),
        ("SELECT $a; SET a = 1", "A"),
        ("SET a = $a + 1", "A"),
        ("SET (a, b) = (1, $a)", "A"),
        ("UPDATE t SET a = 1; SELECT $a", "A"),
        ("MERGE INTO t USING s ON TRUE WHEN MATCHED THEN UPDATE SET a = 1; SELECT $a", "A"),
        ("SELECT $$ $$, $a", "A"),
        ("SELECT '\\'', $a", "A"),
        ("CREATE TABLE x AS SELECT t:path, t[$a]::INT FROM t", "A"),
    ],
)
def test_what_is_not_set_at_that_point_is_unknown(sql: str, name: str) -> None:
    with pytest.raises(UnknownVariable, match=rf"'\${name}'"):
        check_variables(sql)


def test_variables_of_the_session_are_known_and_those_after_the_text_are_returned() -> None:
    assert check_variables("SET b = $a; UNSET a; SET c = 1", frozenset({"A"})) == {"B", "C"}


def test_a_stage_is_not_taken_for_a_variable() -> None:
    with pytest.raises(SqlError, match="The stage @x is not translated"):
        translate("SELECT @x", database="D", schema="S")


NAMES = st.sampled_from(["a", "B", "_c", "d1", "e$f", "date", "end"])
SPACE = st.sampled_from([" ", "\n", "\t ", " /* $x */ ", " -- $x\n", " // $x\n"])
TEXTS = st.text(st.characters(exclude_characters="'\\$\"\0", codec="utf-8"), max_size=6)
LITERALS = TEXTS.flatmap(lambda text: st.sampled_from([f"'${text}'", f"$$ $y {text}$$", f'"${text}"', "'it''s $y'"]))
NOT_VARIABLES = st.one_of(LITERALS, st.sampled_from(["$1", "t.$2", "a$b", "1", "x:y", "f(x)", "[1]"]))
Step = tuple[str, str]


@st.composite
def scripts(draw: Callable[[st.SearchStrategy[str]], str]) -> tuple[str, str | None]:
    """A text, and the first variable in it that is not set; the other side of the comparison keeps its own record."""
    defined, parts, unknown = set[str](), list[str](), None
    for kind in draw(st.lists(st.sampled_from(["set", "unset", "read", "pair", "update"]), max_size=8)):  # type: ignore[arg-type]
        name, space, other = draw(NAMES), draw(SPACE), draw(NOT_VARIABLES)
        if kind == "read":
            parts.append(f"SELECT{space}{other},${name},{other} FROM t")
            unknown = unknown or (None if name.upper() in defined else name.upper())
        elif kind == "update":
            parts.append(f"UPDATE t SET{space}{name} = {other}")
        elif kind == "unset":
            parts.append(f"UNSET{space}{name}")
            defined.discard(name.upper())
        else:
            second = draw(NAMES)
            is_pair = kind == "pair"
            parts.append(f"SET{space}({name},{second}) = (1,2)" if is_pair else f"set{space}{name} = {other}")
            defined |= {name.upper(), second.upper()} if is_pair else {name.upper()}
    return ";\n".join(parts), unknown


@given(scripts())
@examples(200)
def test_the_first_unknown_variable_of_any_script_is_found(script: tuple[str, str | None]) -> None:
    sql, unknown = script

    if unknown is None:
        check_variables(sql)
        return
    with pytest.raises(UnknownVariable) as raised:
        check_variables(sql)
    assert f"'${unknown}'" in str(raised.value)
    line = sql.split("\n")[(raised.value.line or 1) - 1]
    assert line[raised.value.position :].upper().startswith(f"${unknown}")
