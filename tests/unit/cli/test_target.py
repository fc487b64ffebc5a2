"""Which stack a command talks to."""

from __future__ import annotations

from pathlib import Path

from tests.support.stacks import RunningStack
from tests.unit.cli.conftest import Penstock

CATALOGUE = '[[stacks]]\nname = "mine"\ndomain = "stack.test"\ncustomer = "acme"\n'


def test_without_flags_it_is_the_running_stack_of_the_data_folder(
    penstock_process: Penstock, stack: RunningStack
) -> None:
    assert penstock_process("tokens", "list", PENSTOCK_DATA_DIR=str(stack.folder)).returncode == 0


def test_it_may_be_named_by_address_and_token(penstock: Penstock, stack: RunningStack) -> None:
    url, token = stack.greeting["storageUrl"], stack.greeting["token"]

    assert penstock("tokens", "list", "--url", url, "--token", token).returncode == 0
    assert penstock("tokens", "list", PENSTOCK_URL=url, PENSTOCK_TOKEN=token).returncode == 0


def test_a_flag_beats_variables_of_every_kind(penstock: Penstock, stack: RunningStack) -> None:
    url, token = stack.greeting["storageUrl"], stack.greeting["token"]
    elsewhere = {"PENSTOCK_STACK": "us-virginia-1", "PENSTOCK_TOKEN": "wrong"}

    assert penstock("tokens", "list", "--url", url, "--token", token, **elsewhere).returncode == 0


def test_two_stacks_at_once_are_refused(penstock: Penstock, penstock_process: Penstock) -> None:
    by_flag = penstock_process("tokens", "list", "--url", "http://127.0.0.1:1", "--stack", "us-virginia-1")
    by_variable = penstock("tokens", "list", PENSTOCK_URL="http://127.0.0.1:1", PENSTOCK_STACK="us-virginia-1")

    assert by_flag.returncode == 2
    assert "Keep one" in by_variable.stderr


def test_without_a_stack_the_error_explains_what_to_do(penstock: Penstock, tmp_path: Path) -> None:
    ended = penstock("tokens", "list")

    assert ended.returncode == 1
    assert f"No stack is running on {tmp_path / '.penstock'}. Start one with `penstock up`" in ended.stderr


def test_a_stack_elsewhere_needs_a_token(penstock: Penstock) -> None:
    assert "--token T, or set PENSTOCK_TOKEN" in penstock("tokens", "list", "--url", "http://127.0.0.1:1").stderr


def test_a_token_of_another_stack_is_refused_in_words(penstock: Penstock, stack: RunningStack) -> None:
    ended = penstock("tokens", "list", "--data-dir", stack.folder, "--token", f"1-3-{'0' * 60}")

    assert ended.returncode == 1
    assert "Invalid access token" in ended.stderr
    assert "valid only in the stack that issued it" in ended.stderr


def test_a_named_stack_is_looked_up_in_the_catalogue(penstock: Penstock, tmp_path: Path) -> None:
    (tmp_path / "penstock.toml").write_text(CATALOGUE)

    ended = penstock("tokens", "list", "--stack", "mine", "--token", "t")

    assert "Could not resolve host: connection.acme.stack.test" in ended.stderr


def test_a_placeholder_is_not_called(penstock: Penstock) -> None:
    ended = penstock("tokens", "list", "--stack", "us-virginia-1", "--token", "t")

    assert "only a placeholder for a domain" in ended.stderr
    assert "There is no stack called 'nope'" in penstock("tokens", "list", "--stack", "nope", "--token", "t").stderr
