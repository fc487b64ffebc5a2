"""`penstock components`."""

from __future__ import annotations

import json
import tempfile
from pathlib import Path

from tests.support.postgresql import PostgresServer
from tests.support.stacks import RunningStack, ServicesOnly
from tests.unit.cli.conftest import Penstock

OWN = Path(__file__).parents[1] / "components" / "own"


def test_a_component_of_ones_own_is_added_run_and_removed(
    penstock: Penstock, penstock_process: Penstock, stack: RunningStack
) -> None:
    where = ("--data-dir", stack.folder)

    added = penstock_process("components", "add", OWN, *where)
    try:
        listed = penstock("components", "list", *where).stdout.splitlines()
        shown = json.loads(penstock("components", "show", "tests.ex-doubles", "--json", *where).stdout)
        document = {"parameters": {"factor": 2, "#key": "swordfish"}}
        job = stack.run_job("", component="tests.ex-doubles", configData=document)
        said = [event["message"] for event in stack.events(job["id"])]
    finally:
        removed = penstock("components", "remove", "tests.ex-doubles", *where)

    assert (added.returncode, added.stdout) == (0, f"Added tests.ex-doubles (Doubles) from {OWN}.\n")
    assert any(line.startswith("tests.ex-doubles") and line.endswith(str(OWN)) for line in listed)
    assert any(line.startswith("ex-generic-v2") and line.endswith("ships with Penstock") for line in listed)
    assert (shown["command"], shown["memoryMegabytes"]) == (["python", "main.py"], 256)
    assert job["status"] == "success", job["result"]
    assert any("Ran 1 times, with [hidden]." in message for message in said)
    assert removed.stdout == "Removed tests.ex-doubles.\n"
    assert "tests.ex-doubles" not in penstock("components", "list", *where).stdout


def test_what_cannot_run_is_listed_as_such_with_the_reason(penstock: Penstock, stack: RunningStack) -> None:
    where = ("--data-dir", stack.folder)

    listed = penstock("components", "list", *where).stdout.splitlines()
    shown = json.loads(penstock("components", "show", "keboola.ex-aws-s3", "--json", *where).stdout)
    ran = penstock("run", "keboola.ex-aws-s3", "mine", *where)

    runs = {line.split()[0]: line for line in listed}
    assert "not yet, configurations only" in runs["keboola.ex-aws-s3"]
    assert "no, configurations only" in runs["keboola.variables"]
    assert " yes " in runs["ex-generic-v2"]
    assert (shown["runs"], shown["whyNotRunnable"][:20]) == ("not yet", "Files of AWS S3 cann")
    assert ran.returncode == 1
    assert f'The component "keboola.ex-aws-s3" is not runnable. {shown["whyNotRunnable"]}' in ran.stderr


def test_one_in_place_of_one_that_ships_is_listed_as_such(penstock: Penstock, tmp_path: Path) -> None:
    data, own = tmp_path / "data", tmp_path / "own"
    ServicesOnly(data).close()
    own.mkdir()
    document = {"id": "keboola.ex-aws-s3", "name": "Mine", "type": "extractor", "command": ["python"]}
    (own / "component.json").write_text(json.dumps(document))

    added = penstock("components", "add", own, "--data-dir", data)
    listed = penstock("components", "list", "--data-dir", data).stdout.splitlines()

    place = "It replaces the keboola.ex-aws-s3 that ships with Penstock, until you remove it."
    assert added.stdout.splitlines() == [f"Added keboola.ex-aws-s3 (Mine) from {own}.", place]
    [line] = [line for line in listed if line.startswith("keboola.ex-aws-s3")]
    assert line.endswith(f"{own} (in place of the one that ships)")


def test_mistakes_are_sentences(penstock: Penstock, stack: RunningStack, tmp_path: Path) -> None:
    where = ("--data-dir", stack.folder)
    (tmp_path / "component.json").write_text(
        '{"id": "ex-generic-v2", "name": "X", "type": "other", "command": ["python"]}'
    )

    nothing = penstock("components", "add", tmp_path / "nowhere", *where)
    taken = penstock("components", "add", tmp_path, *where)
    unknown = penstock("components", "show", "me.nothing", *where)
    shipped = penstock("components", "remove", "keboola.variables", *where)

    assert {done.returncode for done in (nothing, taken, unknown, shipped)} == {1}
    assert "there is no such file" in nothing.stderr
    assert "cannot be replaced" in taken.stderr
    assert 'There is no component "me.nothing"' in unknown.stderr
    assert "cannot be removed" in shipped.stderr
    assert "Traceback" not in nothing.stderr + taken.stderr + unknown.stderr + shipped.stderr


def test_a_folder_without_a_stack_is_reported_and_left_unchanged(penstock_process: Penstock, tmp_path: Path) -> None:
    done = penstock_process("components", "add", OWN, "--data-dir", tmp_path / "empty")

    assert (done.returncode, (tmp_path / "empty").exists()) == (1, False)
    assert "There is no stack in" in done.stderr


def test_the_metadata_of_the_stack_may_be_in_postgresql(penstock: Penstock, postgresql: PostgresServer) -> None:
    address = postgresql.make_database()
    with tempfile.TemporaryDirectory() as folder:
        ServicesOnly(Path(folder), database=address).close()
        where = ("--data-dir", folder)

        added = penstock("components", "add", OWN, *where, "--database", address)
        listed = penstock("components", "list", *where, PENSTOCK_DATABASE=address)
        without = penstock("components", "list", *where)

    assert added.returncode == 0, added.stderr
    assert "tests.ex-doubles" in listed.stdout
    assert (without.returncode, without.stdout) == (1, "")
    assert "Give its address: --database URL" in without.stderr
