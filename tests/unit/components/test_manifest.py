"""Folders with the manifest of a component."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from penstock.components.command import NothingToRun, ProgramGone, build_command
from penstock.components.config_only import CONFIG_ONLY
from penstock.components.manifest import FILE, BadManifest, Manifest, read_manifest

PLAIN: dict[str, Any] = {"id": "me.ex-x", "name": "X", "type": "extractor", "command": ["python", "main.py"]}


def write(folder: Path, **fields: Any) -> Path:
    (folder / FILE).write_text(json.dumps({**PLAIN, **fields}))
    (folder / "main.py").touch()
    return folder


def test_documents_may_stand_in_files(tmp_path: Path) -> None:
    write(tmp_path, long_description="short", empty_configuration={"a": 1})
    (tmp_path / "README.md").write_text("# Long\n")
    (tmp_path / "configuration_schema.json").write_text('{"type": "object"}')

    found = read_manifest(tmp_path)

    assert (found.long_description, found.configuration_schema) == ("# Long\n", {"type": "object"})
    assert found.empty_configuration == {"a": 1}


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"id": "Me/Ex"}, "`id` must be lower-case letters"),
        ({"id": ".."}, "`id` must be lower-case letters"),
        ({"name": " "}, "`name` must be one line, and not empty"),
        ({"name": "two\nlines"}, "`name` must be one line"),
        ({"name": "\x1b[31mred"}, "`name` must be one line"),
        ({"tag": ""}, "`tag` must be a version"),
        ({"image": "me/weather:2"}, "`image` must be without a version"),
        ({"image": "--volume=/:/host"}, "`image` must not begin with a dash"),
        ({"stack_parameters": {"connection.example.com": 5}}, "`stack_parameters[...]`: "),
        ({"name": 1}, "`name`: This must be a text, and not a whole number."),
        ({"type": "thing"}, "`type` must be one of extractor, writer"),
        ({"network": "host"}, "`network` must be one of bridge, none"),
        ({"data_type_support": "maybe"}, "`data_type_support` must be one of authoritative, hints, none"),
        ({"command": []}, "`command` must be a list of words"),
        ({"command": "python main.py"}, "`command`: This must be a list, and not a text."),
        ({"command": ["no-such-program-anywhere"]}, "which is not a program on the PATH"),
        ({"command": ["./main.sh"]}, "which is not a file in"),
        ({"command": ["python", "gone.py"]}, "`command` runs gone.py, which is not a file in"),
        ({"memory_megabytes": 0}, "`memory_megabytes` must be at least 1"),
        ({"memory_megabytes": 10**30}, "`memory_megabytes` must be at least 1 and at most"),
        ({"timeout_seconds": 10**30}, "`timeout_seconds` must be at least 1 and at most"),
        ({"colour": "red"}, "There is no field `colour` here."),
        ({"hosts_of": "x"}, "There is no field `hosts_of` here."),
        ({"logging": {"type": 1}}, "`logging.type`: "),
        ({"logging": {"type": "pigeon"}}, "`logging.type` must be one of standard, gelf"),
        ({"logging": {"gelf_server_type": "pigeon"}}, "`logging.gelf_server_type` must be one of tcp, udp, http"),
        ({"logging": {"verbosity": {"200": "loud"}}}, "`logging.verbosity.200` must be one of none"),
    ],
)
def test_a_mistake_names_the_file_and_the_field(tmp_path: Path, fields: dict[str, Any], said: str) -> None:
    with pytest.raises(BadManifest) as told:
        read_manifest(write(tmp_path, **fields))

    assert said in str(told.value)
    assert str(tmp_path / FILE) in str(told.value)


def test_a_folder_without_a_manifest_and_a_broken_schema_are_reported(tmp_path: Path) -> None:
    with pytest.raises(BadManifest, match="there is no such file"):
        read_manifest(tmp_path)
    (write(tmp_path) / "configuration_schema.json").write_text("[1]")
    with pytest.raises(BadManifest, match=r"configuration_schema.json: it must hold a JSON object"):
        read_manifest(tmp_path)


@given(
    content=st.binary(max_size=200)
    | st.recursive(st.none() | st.text(), st.lists).map(lambda v: json.dumps(v).encode())
)
def test_whatever_the_file_contains_there_is_no_traceback(
    tmp_path_factory: pytest.TempPathFactory, content: bytes
) -> None:
    folder = tmp_path_factory.mktemp("any")
    (folder / FILE).write_bytes(content)

    with pytest.raises(BadManifest):
        read_manifest(folder)


def test_words_of_the_command_that_are_files_are_those_of_the_folder(tmp_path: Path) -> None:
    component = read_manifest(write(tmp_path, command=["python", "-u", "main.py", "--fast", "x"])).to_component(
        tmp_path
    )

    assert build_command(component) == [sys.executable, "-u", str(tmp_path / "main.py"), "--fast", "x"]


def test_a_folder_may_have_a_python_and_programs_of_its_own(tmp_path: Path) -> None:
    own, script = tmp_path / ".venv/bin/python", tmp_path / "bin/run"
    for file in (own, script):
        file.parent.mkdir(parents=True)
        file.touch(mode=0o755)

    assert _command(write(tmp_path, command=["python"])) == [str(own)]
    assert _command(write(tmp_path, command=["bin/run", "now"])) == [str(script), "now"]


def _command(folder: Path) -> list[str]:
    return build_command(read_manifest(folder).to_component(folder))


def test_what_is_gone_since_it_was_added_is_named(tmp_path: Path) -> None:
    folder, script = tmp_path / "component", tmp_path / "component" / "run"
    folder.mkdir()
    script.touch(mode=0o755)
    component = read_manifest(write(folder, command=["./run"])).to_component(folder)

    script.unlink()
    with pytest.raises(ProgramGone, match=r'"me.ex-x" cannot be started: its program ./run is not there'):
        build_command(component)
    folder.rename(tmp_path / "elsewhere")
    with pytest.raises(ProgramGone, match="its folder is not there"):
        build_command(component)


def test_the_program_of_an_image_is_in_the_image(tmp_path: Path) -> None:
    assert _command(write(tmp_path, command=["/app/run"], image="me/weather")) == ["/app/run"]


def test_a_folder_in_the_place_of_a_document_is_reported(tmp_path: Path) -> None:
    (write(tmp_path) / "README.md").mkdir()

    with pytest.raises(BadManifest, match=r"README.md: it is not a plain file"):
        read_manifest(tmp_path)


def test_a_component_without_a_program_reports_it() -> None:
    with pytest.raises(NothingToRun, match="has no program"):
        build_command(CONFIG_ONLY[0])


def test_every_field_of_a_manifest_is_a_field_of_a_component() -> None:
    made = Manifest(**PLAIN).to_component(Path("/somewhere"))

    assert made.folder == Path("/somewhere")
