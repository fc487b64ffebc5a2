"""The test of the documents can fail: pages with one mistake each, and what is said about it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.docs import test_facts
from tests.docs.pages import BadPage, Page
from tests.docs.shell import PageFailed, Shell, matches, run_page

NO_PORT = 1


def page_of(*lines: str) -> Page:
    return Page(Path("broken.md"), "\n".join(lines))


def console(*lines: str, info: str = "") -> Page:
    return page_of(f"```console {info}".rstrip(), *lines, "```")


def test_a_page_that_is_true_passes(tmp_path: Path) -> None:
    page = page_of(
        *("```json config.json", '{"port": "127.0.0.1:8300"}', "```"),
        *(
            "```console",
            "$ NAME=config.json",
            "$ cat $NAME",
            '{"port": …}',
            "$ printf '%s' \\",
            "  one two",
            "onetwo",
            "```",
        ),
        *("```python", "assert open('config.json').read()", "```"),
        *("```console exit=3", "$ (exit 3)", "```"),
    )

    assert run_page(page, tmp_path, NO_PORT) == 5


@pytest.mark.parametrize(
    ("page", "said"),
    [
        (console("$ false"), "ended with 1 instead of 0"),
        (console("$ true", info="exit=2"), "ended with 0 instead of 2"),
        (console("$ penstock no-such-command"), "ended with 2 instead of 0"),
        (console("$ penstock extract no-such-file.json"), "no-such-file.json"),
        (console("$ echo one", "two"), "printed:\none\ninstead of:\ntwo"),
        (console("$ echo 'one"), "unexpected EOF"),
        (console("output without a command"), "starts with a command"),
        (page_of("```python", "raise SystemExit('no')", "```"), "the program failed:\nno"),
        (page_of("```console", "$ true"), "has no end"),
    ],
)
def test_a_broken_page_is_found(page: Page, said: str, tmp_path: Path) -> None:
    with pytest.raises(PageFailed) as failure:
        run_page(page, tmp_path, NO_PORT)

    assert said in str(failure.value)
    assert str(failure.value).startswith("broken.md: ")


@pytest.mark.parametrize(
    ("check", "page"),
    [
        (test_facts.check_links, page_of("[gone](docs/gone.md)")),
        (test_facts.check_links, page_of("# One", "[two](#two)")),
        (test_facts.check_files, page_of("see `src/penstock/gone.py`")),
        (test_facts.check_make_targets, page_of("`make gone`")),
        (test_facts.check_make_targets, console("$ make gone")),
        (test_facts.check_commands, page_of("`penstock gone`")),
        (test_facts.check_settings, page_of("`PENSTOCK_GONE`")),
        (test_facts.check_settings, page_of("```toml", "gone = 1", "```")),
        (test_facts.check_json, page_of("```json", "{", "```")),
        (test_facts.check_languages, page_of("```sh", "rm -rf x", "```")),
    ],
)
def test_a_page_that_names_what_is_not_there_is_found(check: Callable[[Page], None], page: Page) -> None:
    with pytest.raises((AssertionError, ValueError)):
        check(page)


def test_a_command_that_never_ends_is_ended(tmp_path: Path) -> None:
    shell = Shell(tmp_path, seconds=0.5)

    with pytest.raises(PageFailed, match="did not answer within"):
        shell.run("sleep 30")


@pytest.mark.parametrize(
    ("expected", "output", "is_match"),
    [
        ("one", "one\n", True),
        ("one", "one two", False),
        ("one …", "one two\nthree", True),
        ("one\n…\nthree", "one\n1\n2\nthree", True),
        ("… rows", "250 rows now", False),
        ("a.c", "abc", False),
    ],
)
def test_expected_output_matches_whole_texts(expected: str, output: str, is_match: bool) -> None:
    assert matches(expected, output) is is_match


def test_a_table_that_is_not_there_is_a_mistake() -> None:
    with pytest.raises(BadPage, match="no heading"):
        page_of("# Title").table_below("## Settings")
