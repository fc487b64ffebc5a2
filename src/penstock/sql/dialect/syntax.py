"""The syntax that is known to mean the same, or is translated. Anything else is an error that names it."""

from __future__ import annotations

from sqlglot import exp

from penstock.sql.dialect.parsing import refuse

_QUERIES = (
    "Select Subquery Union Except Intersect With CTE From Join Where Group Having Qualify Order Ordered Limit "
    "Offset Fetch LimitOptions Distinct Window WindowSpec Table TableAlias Alias Column Identifier Star Lateral "
    "TableFromRows Values TableSample Rollup Cube GroupingSets Kwarg Var Parameter RecursiveWithSearch"
)
_EXPRESSIONS = (
    "Literal RawString Null Boolean Paren Tuple Anonymous And Or Not EQ NEQ LT LTE GT GTE Is NullSafeEQ "
    "NullSafeNEQ Between In Like ILike Escape Any All Exists RegexpLike Add Sub Mul Div Mod Neg DPipe Case If "
    "Cast TryCast DataType DataTypeParam Extract StrPosition Interval JSONExtract JSONPath JSONPathRoot "
    "JSONPathKey JSONPathSubscript Bracket Struct PropertyEQ Array WithinGroup IgnoreNulls RespectNulls "
    "CurrentDate CurrentTimestamp CurrentTime Localtime CurrentUser CurrentRole HexString Lambda Filter "
    "IntervalSpan"
)
_STATEMENTS = (
    "Create Schema ColumnDef ColumnConstraint NotNullColumnConstraint DefaultColumnConstraint "
    "PrimaryKeyColumnConstraint PrimaryKey UniqueColumnConstraint CommentColumnConstraint Properties "
    "TemporaryProperty TransientProperty LikeProperty Clone SchemaCommentProperty Insert Update Delete Merge "
    "Whens When Drop Alter AlterRename RenameColumn AlterColumn TruncateTable Transaction Commit Rollback Set "
    "SetItem Comment Use Show Describe Command AlterSession ClusterProperty Constraint"
)
KNOWN = frozenset(f"{_QUERIES} {_EXPRESSIONS} {_STATEMENTS}".split())
_WORDS = {
    "HistoricalData": "Time travel (AT and BEFORE)",
    "MatchRecognize": "MATCH_RECOGNIZE",
    "Pivot": "PIVOT",
    "Copy": "COPY INTO",
    "Put": "PUT",
    "Get": "GET",
    "ListStage": "LIST",
    "RemoveStage": "REMOVE",
    "AutoIncrementColumnConstraint": "AUTOINCREMENT",
    "GeneratedAsIdentityColumnConstraint": "IDENTITY",
    "SwapTable": "ALTER TABLE … SWAP WITH",
    "MultitableInserts": "INSERT ALL",
    "Connect": "CONNECT BY",
    "Placeholder": "A placeholder for a bind variable",
    "Concat": "A text beside a text, without an operator,",
    "Grant": "GRANT",
    "Revoke": "REVOKE",
    "Undrop": "UNDROP",
    "Dot": "A function of a schema",
    "JoinHint": "A hint",
    "UserDefinedFunction": "A function of a user",
    "ForeignKey": "FOREIGN KEY",
}


def check_syntax(tree: exp.Expr) -> None:
    """Raises NotTranslated."""
    for node in tree.walk():
        name = type(node).__name__
        if name not in KNOWN:
            raise refuse(_WORDS.get(name, _words_of(name)))
        if isinstance(node, exp.Table) and isinstance(node.this, exp.Var):
            raise refuse(f"The stage {node.this.name}", "Load the file into a table first.")
        if isinstance(node, exp.Join):
            _check_join(node)


def _check_join(join: exp.Join) -> None:
    if join.args.get("match_condition") or str(join.args.get("method") or "").upper() == "ASOF":
        raise refuse("ASOF JOIN")


def _words_of(name: str) -> str:
    return "".join(f" {letter}" if letter.isupper() else letter.upper() for letter in name).upper().strip()
