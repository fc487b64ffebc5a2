"""What the pages say about the program, held against the program: names, links, settings, routes, examples."""

from __future__ import annotations

import configparser
import json
import re
import shlex
import subprocess
import sys
import tomllib
from argparse import ArgumentParser
from pathlib import Path
from typing import Any, cast

import msgspec
import pytest

from penstock import __version__, client
from penstock.app import SERVICES, list_services
from penstock.cli import COMMANDS, build_parser
from penstock.client.components import Components
from penstock.client.files import Files
from penstock.client.jobs import Jobs, Schedules
from penstock.client.storage_jobs import StorageJobs
from penstock.client.tables import Tables
from penstock.client.tokens import Tokens
from penstock.client.usage import Billing
from penstock.settings import Settings
from penstock.web.routing import Route
from tests.docs.pages import LANGUAGES, ROOT, Page, all_pages, headings, read_page
from tests.docs.shell import NOT_RUN, matches
from tests.support.stacks import ONE_WORKER, ServicesOnly
from tests.support.terminal import read_before, start_on_terminal

PAGES = all_pages()
README, OPERATING = read_page(ROOT / "README.md"), read_page(ROOT / "docs/operating.md")
UNIT_SETTINGS = {
    "Unit": {"Description", "Wants", "After"},
    "Service": {
        *("User", "StateDirectory", "StateDirectoryMode", "WorkingDirectory", "ExecStart", "Restart", "KillMode"),
        *("TimeoutStopSec", "NoNewPrivileges", "PrivateTmp", "ProtectSystem"),
    },
    "Install": {"WantedBy"},
}


def check_languages(page: Page) -> None:
    assert {block.language for block in page.blocks} <= set(LANGUAGES)


def check_json(page: Page) -> None:
    for block in page.of("json"):
        json.loads(block.text)


def check_links(page: Page) -> None:
    for link in page.links:
        if "://" not in link:
            path, _, anchor = link.partition("#")
            target = (page.path.parent / path).resolve() if path else page.path
            assert target.exists(), f"{page.name}: {link}"
            assert not anchor or anchor in headings(read_page(target)), f"{page.name}: {link}"


def check_files(page: Page) -> None:
    for name in page.code_spans:
        if re.fullmatch(r"(src|docs|tests|\.ci)/[\w./-]+", name):
            assert (ROOT / name).exists(), f"{page.name}: {name}"


def check_make_targets(page: Page) -> None:
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))
    named = {word for text in _code(page) for word in re.findall(r"\bmake (?!-)([a-z-]+)", text)}
    assert named <= targets


def check_commands(page: Page) -> None:
    named = {word for text in _code(page) for word in re.findall(r"\bpenstock ([a-z]+(?:-[a-z]+)*)\b", text)}
    assert named <= set(COMMANDS)


def check_settings(page: Page) -> None:
    for block in page.of("toml"):
        msgspec.convert(tomllib.loads(block.text), Settings, strict=False)
    settings = {f"PENSTOCK_{name.upper()}" for name in Settings.__struct_fields__}
    for variable in set(re.findall(r"\bPENSTOCK_[A-Z_]+\b", page.text)) - settings:
        assert any(variable in path.read_text() for path in (ROOT / "src").rglob("*.py")), variable


CHECKS = (check_languages, check_json, check_links, check_files, check_make_targets, check_commands, check_settings)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_what_a_page_shows_and_names_is_there(page: Page) -> None:
    for check in CHECKS:
        check(page)


def test_every_page_is_reached_from_the_readme() -> None:
    pages = {page.path: page for page in PAGES}
    reached: set[Path] = set()
    waiting = {README.path}
    while waiting:
        page = pages[waiting.pop()]
        reached.add(page.path)
        linked = {(page.path.parent / link.partition("#")[0]).resolve() for link in page.links}
        waiting |= (linked & set(pages)) - reached

    assert sorted(page.name for path, page in pages.items() if path not in reached) == []


def test_the_table_of_settings_is_that_of_the_program() -> None:
    rows = OPERATING.table_below("## Settings")
    flags = {flag for command in COMMANDS for flag in _flags(command)}

    assert [_unquoted(row[0]) for row in rows] == list(Settings.__struct_fields__)
    for name, flag, variable, default, _meaning in rows:
        assert not flag or _unquoted(flag) in flags
        assert name == "`stacks`" or _unquoted(variable) == f"PENSTOCK_{_unquoted(name).upper()}"
        assert "`" not in default or _unquoted(default) == str(getattr(Settings(), _unquoted(name)))
    assert _flags("up") - {"--help", "--json", "--version"} <= {_unquoted(row[1]) for row in rows}


def test_the_tables_of_routes_are_those_of_the_services() -> None:
    for service in (service for service in list_services() if service.routes):
        page = read_page(ROOT / f"docs/services/{service.id}.md")
        shown = {_unquoted(row[0]): row[1] for row in page.table_below("## Routes")}
        routes = {f"{row.method} {row.template}": row for row in service.routes if "/branch/{branch}" not in row.path}

        assert set(shown) == set(routes)
        assert {name for name, needs in shown.items() if needs == "nothing"} == set(filter(_is_public(routes), routes))


def test_the_client_has_what_its_page_shows() -> None:
    page = read_page(ROOT / "docs/client.md")
    calls = [call for row in page.table_below("## What it can do") for call in re.findall(r"`([a-z_.]+)\(", row[0])]
    errors = [name for row in page.table_below("## Errors") for name in re.findall(r"`(\w+)`", row[0])]

    assert len(calls) > 10
    for call in calls:
        owner, _, name = call.rpartition(".")
        places = {
            "tokens": Tokens,
            "jobs": Jobs,
            "storage_jobs": StorageJobs,
            "schedules": Schedules,
            "billing": Billing,
            "components": Components,
            "tables": Tables,
            "files": Files,
            "": client if name == "connect" else client.Client,
        }
        assert hasattr(places[owner], name), call
    assert set(errors) <= set(client.__all__)


def test_the_page_about_components_names_every_variable_of_theirs() -> None:
    source = (ROOT / "src/penstock/runtime/environment.py").read_text()
    named = set(re.findall(r"`(KBC_[A-Z_]+)`", (ROOT / "docs/components/own.md").read_text()))
    assert set(re.findall(r'"(KBC_[A-Z_]+)"', source)) <= named


def test_no_service_that_is_there_is_said_to_be_missing() -> None:
    """To official programs, on the page about them."""
    services = {service.id for service in list_services()}
    for sentence in re.split(r"[.:]\s", (ROOT / "docs/programs.md").read_text()):
        if re.search(r"\bmissing\b|\bneeds? the service\b", sentence):
            assert not services & set(re.findall(r"[\w-]+", sentence.lower())), sentence


def test_every_service_has_a_page() -> None:
    pages = {path.stem for path in (ROOT / "docs/services").glob("*.md")}

    assert pages == {service.id for service in list_services() if service.routes}


def test_the_map_names_every_service_in_its_order() -> None:
    page = read_page(ROOT / "docs/architecture.md")
    start = page.text.index("\n  services/ ")
    folders = re.findall(r"^    (\w+)/ ", page.text[start : page.text.index("\n  web/ ")], re.MULTILINE)
    names = [make.__module__.split(".")[2] for make in SERVICES]

    assert folders == names
    assert f"Lowest first: {', '.join(names)}." in page.text


def test_where_is_points_at_files_that_are_there() -> None:
    rows = README.table_below("## Where is…?")

    assert len(rows) >= 8
    for _question, response in rows:
        for name in re.findall(r"`([^`]+)`", response):
            assert (ROOT / "src/penstock" / name).exists() or (ROOT / name).exists(), name


def test_the_maps_show_what_is_there() -> None:
    for page, heading in ((README, "## What is inside"), (read_page(ROOT / "docs/architecture.md"), "## 2. The map")):
        start = page.text[: page.text.index(f"\n{heading}\n")].count("\n")
        block = next(block for block in page.of("text") if block.line > start)
        for path in _paths_of(block.lines):
            assert (ROOT / path).exists(), f"{page.name}: {path}"


def test_decisions_have_one_shape() -> None:
    decisions = sorted((ROOT / "docs/decisions").glob("*.md"))

    assert [int(path.name[:4]) for path in decisions] == list(range(1, len(decisions) + 1))
    for number, path in enumerate(decisions, 1):
        page = read_page(path)
        assert page.text.startswith(f"# {number}. ")
        assert re.findall(r"^## (.+)$", page.prose, re.MULTILINE) == [
            *("Context", "Decision", "Consequences", "Alternatives"),
        ]
        assert page.text.count("\n") <= 60, f"{page.name} is more than a page"


def test_the_list_of_decisions_has_their_titles() -> None:
    text = read_page(ROOT / "docs/architecture.md").text
    listed = dict(re.findall(r"^\| \d+ \| \[(.+?)\]\(decisions/(.+?)\) \|$", text, re.MULTILINE))
    titles = {path.name: read_page(path).text.splitlines()[0] for path in (ROOT / "docs/decisions").glob("*.md")}

    assert {name: title for title, name in listed.items()} == {
        name: title.partition(". ")[2] for name, title in titles.items()
    }


def test_this_version_is_the_newest_of_the_changelog() -> None:
    newest = re.search(r"^## \[(.+?)\]", (ROOT / "CHANGELOG.md").read_text(), re.MULTILINE)
    assert newest
    assert newest[1] == __version__


def test_the_service_unit_is_read_and_starts_a_stack() -> None:
    for block in OPERATING.of("ini"):
        unit = configparser.ConfigParser(interpolation=None)
        unit.optionxform = str  # pyright: ignore[reportAttributeAccessIssue]
        unit.read_string(block.text)

        assert set(unit.sections()) == set(UNIT_SETTINGS)
        assert all(set(unit[name]) <= known for name, known in UNIT_SETTINGS.items())
        command = shlex.split(unit["Service"]["ExecStart"])
        assert command[0].endswith("/bin/penstock")
        assert build_parser(command[1:]).parse_args(command[1:]).command == "up"


def test_behind_the_shown_proxy_a_stack_shows_public_addresses(tmp_path: Path) -> None:
    (config,) = OPERATING.of("nginx")
    settings = tomllib.loads(OPERATING.of("toml")[-1].text)
    stack = ServicesOnly(tmp_path / "data", **settings)
    try:
        by_host = _services_behind(config.text, stack, "connection.data.example.com", "/v2/storage")
        by_path = _services_behind(config.text, stack, "data.example.com", "/_svc/storage/v2/storage")
    finally:
        stack.close()

    listed = [service.id for service in list_services() if service.listing.is_listed]
    assert by_host == {name: f"https://{name}.data.example.com" for name in listed}
    assert by_path == {name: f"https://data.example.com/_svc/{name}" for name in listed}


def test_what_is_not_run_is_shown_somewhere_and_could_be_read() -> None:
    shown = "\n".join(block.text for page in PAGES for block in page.of("console"))

    for command in NOT_RUN:
        assert f"$ {command}" in shown, f"{command} is on no page any more"
        if command.startswith("penstock "):
            words = shlex.split(command)[1:]
            assert build_parser(words).parse_args(words).command == words[0]


def test_make_up_starts_a_stack() -> None:
    # Without -n it would stay; the stack that it starts is what every other test here runs on.
    printed = subprocess.run(
        ["make", "--no-print-directory", "-n", "up"], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout

    assert printed.rstrip().endswith(".venv/bin/penstock up")


def test_a_started_stack_says_what_the_readme_shows(tmp_path: Path) -> None:
    shown = README.of("text")[0].text.partition("  .venv/bin/penstock run ex-generic-v2 sample-customers")[0]
    command = [str(Path(sys.executable).parent / "penstock"), "up", "--port", "0", *ONE_WORKER]
    stack, printed = start_on_terminal(command, tmp_path)
    with printed:
        lines = read_before(printed, "sample-customers")
        stack.kill()
    stack.wait()

    assert matches(re.sub(r"http://\S+", "…", shown), lines)


def _code(page: Page) -> list[str]:
    return [*page.code_spans, *(block.text for block in page.of("console"))]


def _unquoted(cell: str) -> str:
    return cell.strip("`")


def _is_public(routes: dict[str, Route]) -> Any:
    return lambda name: routes[name].needs.name == "PUBLIC"


def _flags(command: str) -> set[str]:
    """The long flags of a command, those of its actions included."""
    return set(re.findall(r"--[a-z-]+", "".join(_help_texts(build_parser([command])))))


def _help_texts(parser: ArgumentParser) -> list[str]:
    texts = [parser.format_help()]
    for action in parser._actions:
        choices = cast(Any, action.choices)
        if isinstance(choices, dict):
            for sub in cast(dict[str, ArgumentParser], choices).values():
                texts += _help_texts(sub)
    return texts


def _paths_of(lines: tuple[str, ...]) -> list[str]:
    """The paths of a drawn tree: two spaces per level, a name, spaces, and what it is for."""
    found: list[str] = []
    above: list[str] = []
    for line in lines:
        name = line.split()[0] if line.strip() else ""
        depth = (len(line) - len(line.lstrip())) // 2
        if not name or depth > len(above):
            continue  # the description goes on
        above = [*above[:depth], name.rstrip("/")]
        found.append("/".join(above))
    return found


def _services_behind(config: str, stack: ServicesOnly, host: str, path: str) -> dict[str, str]:
    """What the index says to a request as nginx would pass it on."""
    assert config.count("{") == config.count("}")
    assert all(re.search(r"[;{}]$", line) for line in config.splitlines() if line.strip())
    known = {"$host": host, "$scheme": "https", "$proxy_add_x_forwarded_for": "192.0.2.7"}
    headers = {name: known[value] for name, value in re.findall(r"proxy_set_header (\S+) (\S+);", config)}
    named = stack.by_host(headers.pop("Host"))
    named.headers = headers
    index = named.get(path).json
    return {service["id"]: service["url"] for service in index["services"]}
