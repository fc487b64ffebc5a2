"""The names of columns that a query does not name: those that PostgreSQL gives them."""

from __future__ import annotations

from sqlglot import exp

from penstock.sql.postgresql.functions import VECTORS

CURRENT: dict[type[exp.Expr], str] = {
    exp.CurrentUser: "current_user",
    exp.SessionUser: "session_user",
    exp.CurrentVersion: "version",
    exp.CurrentSchemas: "current_schemas",
}
"""Functions of the session that become something else."""
_NO_NAME = "?column?"
_OBJECTS = ("oid", "regclass", "regtype", "regproc", "regnamespace", "regrole")
_NAMES: dict[type[exp.Expr], str] = {
    **CURRENT,
    exp.CurrentSchema: "current_schema",
    exp.TimeToStr: "to_char",
    exp.StrToDate: "to_date",
    exp.StrToTime: "to_timestamp",
    exp.JSONArrayAgg: "json_agg",
    exp.Format: "format",
    exp.ExplodingGenerateSeries: "generate_series",
    exp.Count: "count",
    exp.Max: "max",
    exp.Min: "min",
    exp.Sum: "sum",
    exp.Avg: "avg",
    exp.Case: "case",
    exp.RegexpILike: _NO_NAME,
}


def find_names(tree: exp.Expr) -> list[str]:
    """Empty for columns that have a name, or keep that of the database."""
    return [_find_name(each) for each in tree.selects] if isinstance(tree, exp.Select) else []


def set_names(tree: exp.Expr, names: list[str]) -> None:
    selects = tree.selects if isinstance(tree, exp.Select) else []
    if len(selects) == len(names):
        new = [exp.alias_(each, name) if name else each for each, name in zip(selects, names, strict=True)]
        tree.set("expressions", new)


def fold_aliases(tree: exp.Expr) -> None:
    """Names that are given without quotes are lower-case in PostgreSQL; and a NULL is a text there."""
    for each in tree.find_all(exp.Alias):
        name = each.args["alias"]
        if isinstance(name, exp.Identifier) and not name.quoted:
            name.set("this", name.name.lower())
    for select in tree.find_all(exp.Select):
        for each in [] if isinstance(select.parent, exp.SetOperation) else select.selects:
            if isinstance(each.unalias(), exp.Null):
                each.unalias().replace(exp.cast(exp.null(), "text"))


def join_vectors(tree: exp.Expr) -> None:
    """Numbers of columns are lists for queries, and `1 2` for clients, as PostgreSQL shows them."""
    for each in tree.selects if isinstance(tree, exp.Select) else []:
        column = each.this if isinstance(each, exp.Alias) else each
        if isinstance(column, exp.Column) and column.name.lower() in VECTORS:
            joined = exp.Anonymous(this="array_to_string", expressions=[column.copy(), exp.Literal.string(" ")])
            each.replace(exp.alias_(joined, each.alias_or_name))


def _find_name(node: exp.Expr) -> str:
    node = node.expression if isinstance(node, exp.Dot) else node
    if isinstance(node, exp.Cast):
        name = _find_name(node.this)
        kind = node.to.sql("postgres").rpartition(".")[2].lower()
        return kind if name in (_NO_NAME, *_OBJECTS) and kind in _OBJECTS else name
    if isinstance(node, exp.Boolean | exp.Null):
        return _NO_NAME
    if isinstance(node, exp.Literal):
        return _NO_NAME if isinstance(node.parent, exp.Select | exp.Cast) else ""
    if isinstance(node, exp.Anonymous):
        return node.name.lower()
    return _NAMES.get(type(node), "")
