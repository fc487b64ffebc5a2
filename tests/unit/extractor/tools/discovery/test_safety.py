"""Which commands are sent."""

from __future__ import annotations

import json
import shlex

import pytest
from hypothesis import given
from hypothesis import strategies as st

from penstock.extractor.base.errors import UserError
from penstock.extractor.tools.curl.command import Command, read_command
from penstock.extractor.tools.discovery.safety import check_reads


@pytest.mark.parametrize(
    "command",
    [
        "curl http://a.example/customers",
        "curl http://a.example/v1/search --json '{}'",
        "curl http://a.example/index/_search --json '{}'",
        "curl http://a.example/databases/1/query --json '{}'",
        """curl http://a.example/api --json '{"query": "{ users { id } }"}'""",
        "curl http://a.example/graphql -d 'query=%7B+mutation+%7D'",
    ],
)
def test_reads_are_sent(command: str) -> None:
    check_reads(read_command(command))


@pytest.mark.parametrize(
    "command",
    [
        "curl http://a.example/customers -d name=x",
        "curl -X DELETE http://a.example/search",
        """curl http://a.example/graphql --json '{"query": "mutation { drop { id } }"}'""",
        """curl http://a.example/graphql --json '[{"query": "{ a }"}, {"query": "mutation { drop { id } }"}]'""",
        "curl http://a.example/graphql -d 'query=%23+note%0Amutation%7Bdrop%7D'",
        "curl http://a.example/graphql -H 'Content-Type: application/graphql' --data-binary 'mutation { drop }'",
    ],
)
def test_what_may_change_data_is_refused(command: str) -> None:
    with pytest.raises(UserError, match=r"may change data|not a query"):
        check_reads(read_command(command))


FRAGMENT = "fragment F on User { id }"


def post_graphql(document: str) -> Command:
    return read_command(f"curl http://a.example/graphql --json {shlex.quote(json.dumps({'query': document}))}")


@pytest.mark.parametrize(
    "document",
    [
        "# note\nmutation { drop }",
        "#mutation\r\n mutation M { drop }",
        f"{FRAGMENT} mutation {{ drop }}",
        "query A { a } mutation B { drop }",
        'query A { a(text: "}") } mutation B { drop }',
        'query A { a(text: "\\"{") } mutation B { drop }',
        'query A { a(text: """ { " \\""" { """) } mutation B { drop }',
        "query A { a # {\n } mutation B { drop }",
        "query A($a: In = {b: [1]}) { a } subscription S { news }",
        "{ a }mutation{ drop }",
    ],
)
def test_an_operation_that_is_no_query_is_found_wherever_it_is(document: str) -> None:
    with pytest.raises(UserError, match="not a query"):
        check_reads(post_graphql(document))


@pytest.mark.parametrize(
    "document",
    [
        "query A($mutation: String) @mutation { mutation subscription { id } }",
        '# mutation\n{ a(text: "mutation { drop }") }',
        '{ a(text: """\nmutation { drop }\n""") { ...F } } fragment F on User { mutation }',
        "query mutations { a }",
        "query Q($a: [In!] = [{mutation: 1}]) { a }",
    ],
)
def test_queries_may_have_the_word_in_other_places(document: str) -> None:
    check_reads(post_graphql(document))


IGNORED = st.sampled_from(["", " ", "\n", ",", "# mutation {\n", "# }\n"])
QUERIES = st.sampled_from(["{ a }", "query Q { a { b } }", 'query R { a(t: "{ mutation") }', '{ a(t: """ " } """) }'])


@given(st.lists(st.tuples(IGNORED, QUERIES), max_size=5), st.integers(0, 5), st.booleans())
def test_a_mutation_between_queries_is_found(parts: list[tuple[str, str]], at: int, changes: bool) -> None:
    texts = ["".join(part) for part in parts]
    texts[at:at] = ["mutation M { drop }"] * changes
    try:
        check_reads(post_graphql("\n".join([*texts, FRAGMENT])))
        is_refused = False
    except UserError:
        is_refused = True

    assert is_refused is changes


def test_the_user_may_say_that_a_post_reads() -> None:
    check_reads(read_command("curl http://a.example/customers -d name=x"), is_post_allowed=True)
