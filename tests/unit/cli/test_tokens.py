"""`penstock tokens`."""

from __future__ import annotations

import json

from tests.support.stacks import RunningStack
from tests.unit.cli.conftest import Penstock


def test_a_new_token_is_printed_alone_and_works_until_it_is_revoked(
    penstock: Penstock, penstock_process: Penstock, stack: RunningStack
) -> None:
    made = penstock_process("tokens", "create", "--component", "ex-generic-v2", "--data-dir", stack.folder)
    token = made.stdout.strip()
    flags = ("--data-dir", stack.folder, "--token", token)

    assert made.stdout == f"{token}\n"
    assert penstock("tokens", "list", *flags).stderr.count("answered 403") == 1
    revoked = penstock("tokens", "revoke", token.split("-")[1], "--data-dir", stack.folder)
    assert (revoked.returncode, revoked.stdout) == (0, f"Token {token.split('-')[1]} no longer works.\n")
    assert "answered 401" in penstock_process("tokens", "list", *flags).stderr


def test_tokens_are_listed_with_what_they_may_do(penstock: Penstock, stack: RunningStack) -> None:
    stack.run_job("sample-customers")
    rights = ("--read", "in.c-sample", "--component", "ex-generic-v2", "--expires-in", "3600")
    made = json.loads(
        penstock("tokens", "create", "--description", "reader", *rights, "--json", "--data-dir", stack.folder).stdout
    )

    lines = penstock("tokens", "list", "--data-dir", stack.folder).stdout.splitlines()

    assert lines[0].split() == ["ID", "DESCRIPTION", "CREATED", "EXPIRES", "MAY"]
    assert lines[1].endswith("everything")
    row = next(line for line in lines if line.startswith(f"{made['id']} "))
    assert row.endswith("read in.c-sample, run ex-generic-v2")
    assert made["expires"] in row


def test_a_list_for_programs_holds_no_secrets(penstock: Penstock, stack: RunningStack) -> None:
    listed = json.loads(penstock("tokens", "list", "--json", "--data-dir", stack.folder).stdout)

    assert listed[0]["isMasterToken"] is True
    assert all(token["token"] is None for token in listed)


def test_an_unknown_bucket_or_token_is_a_sentence(penstock: Penstock, stack: RunningStack) -> None:
    create = penstock("tokens", "create", "--read", "in.c-nope", "--data-dir", stack.folder)
    revoke = penstock("tokens", "revoke", "999999", "--data-dir", stack.folder)

    assert (create.returncode, revoke.returncode) == (1, 1)
    assert 'There is no bucket "in.c-nope"' in create.stderr
    assert "answered 404" in revoke.stderr
