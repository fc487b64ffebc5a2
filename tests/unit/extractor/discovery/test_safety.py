"""Which commands are sent."""

from __future__ import annotations

import pytest

from penstock.extractor.curl.command import read_command
from penstock.extractor.discovery.safety import check_reads
from penstock.extractor.errors import UserError


@pytest.mark.parametrize(
    "command",
    [
        "curl http://a.example/customers",
        "curl http://a.example/v1/search --json '{}'",
        "curl http://a.example/index/_search --json '{}'",
        "curl http://a.example/databases/1/query --json '{}'",
        """curl http://a.example/api --json '{"query": "{ users { id } }"}'""",
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
    ],
)
def test_what_may_change_data_is_refused(command: str) -> None:
    with pytest.raises(UserError, match=r"may change data|not a query"):
        check_reads(read_command(command))


def test_the_user_may_say_that_a_post_reads() -> None:
    check_reads(read_command("curl http://a.example/customers -d name=x"), is_post_allowed=True)
