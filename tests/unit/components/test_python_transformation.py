"""The Python transformation, as a process on a data folder."""

from __future__ import annotations

import zipfile
from pathlib import Path
from typing import Any

import pytest

from penstock.components.python_transformation import PYTHON_TRANSFORMATION
from penstock.components.python_transformation.environments import CACHE_VARIABLE
from tests.support.components import Finished, Trial

COPY = """
import csv
with open('in/tables/source.csv') as source, open('out/tables/target.csv', 'w') as target:
    rows = csv.reader(source)
    csv.writer(target).writerows(row[::-1] for row in rows)
print('done', flush=True)
"""


def transform(trial: Trial, *codes: str, environment: dict[str, str] | None = None, **parameters: Any) -> Finished:
    listed = [{"name": f"Code {number}", "script": [code]} for number, code in enumerate(codes)]
    blocks = [{"name": "Block", "codes": listed}]
    return trial.run(PYTHON_TRANSFORMATION, {"parameters": {"blocks": blocks, **parameters}}, environment or {})


def test_a_script_reads_and_writes_the_data_folder(trial: Trial) -> None:
    trial.add_table("source.csv", "a,b\n1,2\n")

    done = transform(trial, COPY)

    assert (done.code, done.errors, done.lines) == (0, "", ["done"])
    assert done.rows("target.csv") == [["b", "a"], ["2", "1"]]


DIALECT = """
import csv
with open('in/tables/source.csv') as source, open('out/tables/target.csv', 'w') as target:
    rows = csv.DictReader(source, dialect='kbc')
    writer = csv.DictWriter(target, ['b', 'a'], dialect='kbc')
    writer.writeheader()
    writer.writerows(rows)
"""


def test_the_csv_dialect_of_components_is_known(trial: Trial) -> None:
    trial.add_table("source.csv", 'a,b\n"1,""2""\n",3\n')

    done = transform(trial, "from __future__ import annotations", DIALECT)

    assert (done.code, done.errors) == (0, "")
    assert (done.folder / "out/tables/target.csv").read_bytes() == b'b,a\n3,"1,""2""\n"\n'


@pytest.mark.parametrize(
    ("code", "hint"),
    [
        ("open('/data/in/tables/source.csv')", "relative path in/tables/source.csv, or the folder that the variable"),
        ("open('/data/out/tables/new.csv', 'w')", "relative path out/tables/new.csv, or the folder that the variable"),
        ("raise RuntimeError('IO Error: No files found: \"/data/in/x.csv\"')", "relative path in/x.csv,"),
    ],
)
def test_a_path_that_needs_a_sandbox_is_explained(trial: Trial, code: str, hint: str) -> None:
    done = transform(trial, code)

    assert done.code == 1
    assert done.errors.startswith("Traceback (most recent call last):\n  File ")
    assert hint in done.errors.splitlines()[-1]


def test_other_errors_are_shown_as_they_are(trial: Trial) -> None:
    done = transform(trial, "open('/nowhere/data/in/x.csv')")

    assert done.errors.splitlines()[-2].startswith("FileNotFoundError: ")


@pytest.mark.parametrize(
    ("code", "line"),
    [
        ("1 / 0", 1),
        ("def fail():\n    raise ValueError('no')\n\nfail()", 2),
        ("x = 1\ny = (\n", 2),
        ("import json\n\njson.loads('{')", 3),
        ("raise ExceptionGroup('several', [ValueError('no')])", 1),
    ],
)
def test_an_error_names_the_code_and_the_line_in_it(trial: Trial, code: str, line: int) -> None:
    done = transform(trial, "x = 1\n# In no code\n", code, "print('not reached')")

    assert done.code == 1
    assert done.errors.splitlines()[-1] == f'In block "Block", code "Code 1", line {line}.'


def test_an_error_outside_of_all_codes_is_shown_as_it_is(trial: Trial) -> None:
    done = transform(trial, "import sys; sys.excepthook(ValueError, ValueError('mine'), None)")

    assert done.errors == "ValueError: mine"


def test_a_startup_module_of_the_operator_still_runs(trial: Trial, tmp_path: Path) -> None:
    (tmp_path / "sitecustomize.py").write_text("print('prepared')")

    done = transform(trial, "import csv; csv.get_dialect('kbc')", environment={"PYTHONPATH": str(tmp_path)})

    assert "prepared" in done.lines
    assert (done.code, done.errors) == (0, "")


def test_all_codes_are_one_program(trial: Trial) -> None:
    done = transform(trial, "word = 'shared'", "def say():\n    print(word)", "say()")

    assert done.lines == ["shared"]


@pytest.mark.parametrize(
    ("code", "exit_code", "said"),
    [
        ("raise ValueError('no such customer')", 1, "ValueError: no such customer"),
        ("this is no python", 1, "SyntaxError"),
        ("import sys; sys.exit(3)", 3, ""),
        ("import nothing_of_that_name", 1, "No module named"),
    ],
)
def test_it_ends_as_the_script_ends(trial: Trial, code: str, exit_code: int, said: str) -> None:
    done = transform(trial, "x = 1", code)

    assert done.code == exit_code
    assert said in done.errors


def test_packages_are_installed_once_and_kept(trial: Trial, tmp_path: Path) -> None:
    wheel, cache = make_wheel(tmp_path), {CACHE_VARIABLE: str(tmp_path / "cache")}

    first = transform(trial, "import greeting; print(greeting.WORD)", packages=[str(wheel)], environment=cache)
    wheel.unlink()
    again = transform(trial, "import greeting; print(greeting.WORD)", packages=[str(wheel)], environment=cache)

    assert (first.code, again.code) == (0, 0), first.all_output + again.all_output
    assert first.lines[-1] == "hello"
    assert again.lines == ["hello"]


def test_an_environment_that_was_cut_off_is_made_again(trial: Trial, tmp_path: Path) -> None:
    wheel, cache = make_wheel(tmp_path), {CACHE_VARIABLE: str(tmp_path / "cache")}
    transform(trial, "pass", packages=[str(wheel)], environment=cache)
    ready = next((tmp_path / "cache").rglob("ready"))
    ready.unlink()
    next(ready.parent.rglob("greeting.py")).unlink()

    done = transform(trial, "import greeting; print(greeting.WORD)", packages=[str(wheel)], environment=cache)

    assert done.lines[-1] == "hello"


def test_another_project_has_environments_of_its_own(trial: Trial, tmp_path: Path) -> None:
    wheel, cache = make_wheel(tmp_path), {CACHE_VARIABLE: str(tmp_path / "cache")}
    for project in ("1", "2"):
        environment = {**cache, "KBC_PROJECTID": project}
        assert transform(trial, "pass", packages=[str(wheel)], environment=environment).code == 0

    assert len(list((tmp_path / "cache").rglob("ready"))) == 2


def test_packages_come_from_the_operators_index_and_scripts_do_not_see_it(trial: Trial, tmp_path: Path) -> None:
    make_wheel(tmp_path)
    places = {"PIP_FIND_LINKS": str(tmp_path), "PIP_NO_INDEX": "1", CACHE_VARIABLE: str(tmp_path / "cache")}
    code = "import greeting, os; print(greeting.WORD, sorted(name for name in os.environ if name.startswith('PIP_')))"

    done = transform(trial, code, packages=["greeting==1.0"], environment=places)

    assert done.code == 0, done.all_output
    assert done.lines[-1] == "hello []"


def test_an_unavailable_package_is_reported(trial: Trial, tmp_path: Path) -> None:
    done = transform(trial, "pass", packages=[str(tmp_path / "nothing-1.0-py3-none-any.whl")])

    assert done.code == 1
    assert done.errors.startswith("The packages could not be installed.")


@pytest.mark.parametrize("package", ["--no-deps", " -e .", "a\nb"])
def test_an_option_is_not_a_package(trial: Trial, package: str) -> None:
    done = transform(trial, "pass", packages=[package])

    assert done.code == 1
    assert "is not a valid package" in done.errors


def test_the_newest_file_of_a_tag_is_found_under_its_name(trial: Trial) -> None:
    trial.add_file("9_model.bin", b"old", id=9, tags=["model"])
    trial.add_file("10_model.bin", b"new", id=10, tags=["x", "model"])

    done = transform(trial, "print(open('in/user/model').read())", tags=["model"])

    assert done.lines == ["new"]
    assert 'No input file has the tag "other"' in transform(trial, "pass", tags=["other"]).errors
    assert "cannot be the name of a file" in transform(trial, "pass", tags=["../../x"]).errors


def make_wheel(folder: Path) -> Path:
    """A package without an index to get it from."""
    wheel, about = folder / "greeting-1.0-py3-none-any.whl", "greeting-1.0.dist-info"
    with zipfile.ZipFile(wheel, "w") as archive:
        archive.writestr("greeting.py", "WORD = 'hello'\n")
        archive.writestr(f"{about}/METADATA", "Metadata-Version: 2.1\nName: greeting\nVersion: 1.0\n")
        archive.writestr(f"{about}/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
        archive.writestr(f"{about}/RECORD", "")
    return wheel
