"""What stands in FROM beside tables: FLATTEN, GENERATOR, SPLIT_TO_TABLE, VALUES, samples."""

from __future__ import annotations

from sqlglot import exp

from penstock.sql.dialect.context import Context
from penstock.sql.dialect.errors import SqlError
from penstock.sql.dialect.lexing import MARK
from penstock.sql.dialect.names import column
from penstock.sql.dialect.parsing import refuse
from penstock.sql.dialect.templates import parse_duckdb

_IS_OBJECT = "json_type(i) = 'OBJECT'"
_FLATTEN = f"""SELECT 1::BIGINT AS "SEQ", CASE WHEN {_IS_OBJECT} THEN key END AS "KEY",
    CASE WHEN {_IS_OBJECT} THEN substring(fullkey, 3) ELSE substring(fullkey, 2) END AS "PATH",
    CASE WHEN {_IS_OBJECT} THEN NULL ELSE TRY_CAST(key AS BIGINT) END AS "INDEX", value AS "VALUE", i::JSON AS "THIS"
    FROM json_each(i)"""
_SPLIT = """SELECT 1::BIGINT AS "SEQ", generate_subscripts(string_split(i, d), 1) AS "INDEX",
    unnest(string_split(i, d)) AS "VALUE" """


def translate_sources(tree: exp.Expr) -> None:
    for node in list(tree.find_all(exp.Lateral, exp.TableFromRows, exp.Table, exp.Values)):
        function = node.this
        if isinstance(node, exp.Values):
            _name_columns(node)
        elif isinstance(function, exp.Anonymous):
            node.replace(_translate_function(node, function))


def note_flattened(tree: exp.Expr, context: Context) -> None:
    for node in tree.find_all(exp.Lateral, exp.TableFromRows, exp.Table):
        if isinstance(node.this, exp.Anonymous) and _name(node.this) == "FLATTEN":
            context.flattened.add(node.alias or "FLATTEN")


def _name(function: exp.Anonymous) -> str:
    return str(function.this).removeprefix(MARK).upper()


def _translate_function(node: exp.Expr, function: exp.Anonymous) -> exp.Expr:
    name, arguments = _name(function), _by_name(function)
    if name == "FLATTEN":
        return _flatten(node, arguments)
    if name == "SPLIT_TO_TABLE" and len(arguments) == 2:
        return _subquery(node, _SPLIT, {"i": arguments["0"], "d": arguments["1"]}, name)
    if name == "GENERATOR" and "ROWCOUNT" in arguments:
        return _generator(node, arguments["ROWCOUNT"])
    raise refuse(f"The table function {name}")


def _by_name(function: exp.Anonymous) -> dict[str, exp.Expr]:
    """Arguments without a name are numbered."""
    found: dict[str, exp.Expr] = {}
    for index, each in enumerate(function.expressions):
        is_named = isinstance(each, exp.Kwarg)
        found[each.this.name.upper() if is_named else str(index)] = each.expression if is_named else each
    return found


def _flatten(node: exp.Expr, arguments: dict[str, exp.Expr]) -> exp.Expr:
    given = arguments.pop("INPUT", None) or arguments.pop("0", None)
    if given is None:
        raise SqlError("FLATTEN needs INPUT.")
    is_outer = _flag(arguments.pop("OUTER", None))
    path = arguments.pop("PATH", None)
    if (
        _flag(arguments.pop("RECURSIVE", None))
        or arguments.pop("MODE", exp.Literal.string("BOTH")).name.upper() != "BOTH"
    ):
        raise refuse("FLATTEN with RECURSIVE or MODE")
    if arguments:
        raise SqlError(f"FLATTEN has an argument that is not known: {', '.join(arguments)}.")
    if path is not None:
        given = exp.Anonymous(this="JSON_EXTRACT", expressions=[given, exp.Literal.string("$." + path.name)])
    source = _subquery(node, _FLATTEN, {"i": given}, "FLATTEN")
    if is_outer:
        _make_outer(node)
    return source


def _flag(value: exp.Expr | None) -> bool:
    if value is not None and not isinstance(value, exp.Boolean):
        raise SqlError(f"{value.sql()} must be TRUE or FALSE.")
    return bool(value and value.this)


def _make_outer(node: exp.Expr) -> None:
    """A row stays, with NULLs, if its array is empty."""
    join = node.parent
    if not isinstance(join, exp.Join):
        raise refuse("FLATTEN with OUTER as the first table")
    join.set("side", "LEFT")
    join.set("kind", None)
    if not join.args.get("on"):
        join.set("on", exp.Boolean(this=True))


def _subquery(node: exp.Expr, template: str, arguments: dict[str, exp.Expr], alias: str) -> exp.Expr:
    tree = parse_duckdb(template)
    for each in list(tree.find_all(exp.Column)):
        if each.name in arguments and not each.table:
            each.replace(exp.Paren(this=arguments[each.name].copy()))
    return exp.Lateral(this=exp.Subquery(this=tree), alias=_alias(node, alias))


def _generator(node: exp.Expr, count: exp.Expr) -> exp.Expr:
    rows = exp.Anonymous(this="RANGE", expressions=[count])
    return exp.Table(this=rows, alias=_alias(node, "GENERATOR"))


def _alias(node: exp.Expr, otherwise: str) -> exp.Expr:
    alias = node.args.get("alias")
    return alias if alias else exp.TableAlias(this=exp.to_identifier(otherwise, quoted=True))


def _name_columns(node: exp.Values) -> None:
    """Columns without a name are COLUMN1, COLUMN2, …"""
    alias = node.args.get("alias")
    if (alias and alias.args.get("columns")) or not isinstance(node.parent, exp.From | exp.Join | exp.Subquery):
        return
    first = node.expressions[0]
    count = len(first.expressions) if isinstance(first, exp.Tuple) else 1
    names = [exp.to_identifier(f"COLUMN{number}", quoted=True) for number in range(1, count + 1)]
    this = alias.this if alias else exp.to_identifier("VALUES", quoted=True)
    node.set("alias", exp.TableAlias(this=this, columns=names))


def translate_sample(node: exp.TableSample) -> exp.Expr | None:
    if node.args.get("size") is not None:
        node.set("method", exp.var("RESERVOIR"))
    elif node.args.get("method") and node.args["method"].name.upper() in ("BLOCK", "SYSTEM"):
        node.set("method", exp.var("SYSTEM"))
    elif node.args.get("method") and node.args["method"].name.upper() == "ROW":
        node.set("method", exp.var("BERNOULLI"))
    return None


def translate_positional(node: exp.Column) -> exp.Expr | None:
    """`$1` of a VALUES list."""
    if isinstance(node.this, exp.Parameter) and isinstance(node.this.this, exp.Literal):
        return column(f"COLUMN{node.this.this.name}", node.table)
    return None
