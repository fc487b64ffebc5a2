"""Forms from the schema of a component, beside the JSON of the same document; copies, the trash, and components."""

from __future__ import annotations

import json
import re
import subprocess
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.support.browser import Console, find_violations, fits_a_phone, needs_chromium
from tests.support.stacks import PENSTOCK, RunningStack, clean_environment, wait_for

pytestmark = needs_chromium

COMPONENT = "acme.ex-forms"
SCHEMA: dict[str, Any] = {
    "type": "object",
    "required": ["city", "#password"],
    "properties": {
        "city": {"type": "string", "title": "City", "description": "Whose weather is read.", "minLength": 1},
        "#password": {"type": "string", "title": "Password"},
        "days": {"type": "integer", "title": "Days", "minimum": 1, "maximum": 14, "default": 7},
        "units": {"enum": ["metric", "imperial"], "title": "Units"},
        "isDetailed": {"type": "boolean", "title": "Detailed"},
        "stations": {"type": "array", "title": "Stations", "items": {"type": "string"}},
        "server": {
            "type": "object",
            "title": "Server",
            "required": ["host"],
            "properties": {"host": {"type": "string"}, "port": {"type": "integer"}},
        },
    },
}
TREE: dict[str, Any] = {"properties": {"leaf": {"type": "string"}}, "anyOf": [{"$ref": "#/definitions/tree"}]}
LOOP: dict[str, Any] = {
    "type": "object",
    "definitions": {"tree": {"type": "object", **TREE, "allOf": [{"$ref": "#/definitions/tree"}]}},
    "properties": {
        "city": {"anyOf": [{"type": "string", "pattern": "(?i)[a-z"}, {"type": "number"}]},
        "tree": {"$ref": "#/definitions/tree"},
    },
}
ROW = {"type": "object", "properties": {"table": {"type": "string", "title": "Table"}}, "required": ["table"]}
PARAMETERS: dict[str, Any] = {"city": "Brno", "days": 3, "unknown": {"deep": [1, 2]}, "#password": "canary-of-forms"}


@pytest.fixture(scope="session")
def forms(stack: RunningStack, tmp_path_factory: pytest.TempPathFactory) -> str:
    """A component with a schema, and the path of its configurations."""
    folder = tmp_path_factory.mktemp("forms")
    about = {"id": COMPONENT, "name": "Forms", "type": "extractor", "command": ["python", "main.py"], "tag": "1.0.0"}
    schemas = {"configuration_schema": SCHEMA, "configuration_row_schema": ROW}
    (folder / "component.json").write_text(json.dumps({**about, **schemas}))
    (folder / "main.py").write_text("print('done')")
    added = [*PENSTOCK, "components", "add", str(folder), "--data-dir", str(stack.folder)]
    subprocess.run(added, check=True, capture_output=True, env=clean_environment())
    return f"/v2/storage/components/{COMPONENT}/configs"


def configure(stack: RunningStack, forms: str, config: str) -> None:
    document = {"parameters": PARAMETERS, "processors": {"after": []}}
    body = {"name": config, "configurationId": config, "configuration": document}
    assert stack.storage.post(forms, body).status == 201


def read_json(page: Page) -> dict[str, Any]:
    return json.loads(page.get_by_label("Configuration as JSON").inner_text())


def save(page: Page) -> None:
    with page.expect_response(lambda response: response.request.method == "PUT" and response.ok):
        page.get_by_role("button", name="Save", exact=True).click()
    expect(page.get_by_role("button", name="Save", exact=True)).to_be_disabled()


def test_a_form_changes_what_it_knows_and_keeps_the_rest(console: Console, stack: RunningStack, forms: str) -> None:
    configure(stack, forms, "round-trip")
    page = console.open(f"components/{COMPONENT}/round-trip")
    settings = page.get_by_role("group", name="Settings")

    expect(settings).to_contain_text("Only in the JSON, and kept: unknown")
    expect(settings.get_by_role("textbox", name="City")).to_have_value("Brno")
    settings.get_by_role("textbox", name="City").fill("Praha")
    settings.get_by_role("textbox", name="Days").fill("5")
    for name in ("Units", "Detailed", "Stations", "Server"):
        settings.get_by_role("combobox", name="Add a setting to parameters", exact=True).click()
        page.get_by_role("option", name=name).click()
    settings.get_by_role("combobox", name="Units").click()
    page.get_by_role("option", name="imperial").click()
    settings.get_by_role("button", name="Add station").click()
    settings.get_by_role("textbox", name="Station 1").fill("Ruzyně")
    settings.get_by_role("textbox", name="Host").fill("weather.example")
    save(page)

    saved = stack.storage.get(f"{forms}/round-trip").json["configuration"]
    secret = saved["parameters"].pop("#password")
    assert secret.startswith("KBC::")
    assert saved == {
        "parameters": {
            "city": "Praha",
            "days": 5,
            "unknown": {"deep": [1, 2]},
            "units": "imperial",
            "isDetailed": True,
            "stations": ["Ruzyně"],
            "server": {"host": "weather.example"},
        },
        "processors": {"after": []},
    }


def test_the_json_and_the_form_agree_at_every_moment(console: Console, stack: RunningStack, forms: str) -> None:
    configure(stack, forms, "agree")
    page = console.open(f"components/{COMPONENT}/agree")
    settings = page.get_by_role("group", name="Settings")

    document = read_json(page)
    console.write(
        "Configuration as JSON", json.dumps({**document, "parameters": {"city": "Olomouc", "#password": "x"}})
    )
    expect(settings.get_by_role("textbox", name="City")).to_have_value("Olomouc")
    settings.get_by_role("textbox", name="City").fill("Plzeň")
    wait_for(lambda: read_json(page)["parameters"] == {"city": "Plzeň", "#password": "x"})
    console.write("Configuration as JSON", "{oops")
    expect(settings).to_contain_text("The form comes back when the JSON is valid")
    page.get_by_role("button", name="Undo").click()
    expect(settings.get_by_role("textbox", name="City")).to_have_value("Brno")


def test_a_wrong_value_is_named_at_its_field(console: Console, stack: RunningStack, forms: str) -> None:
    configure(stack, forms, "wrong")
    page = console.open(f"components/{COMPONENT}/wrong")
    settings = page.get_by_role("group", name="Settings")

    for value, sentence in [("many", "must be integer"), ("99", "must be at most 14"), ("0", "must be at least 1")]:
        settings.get_by_role("textbox", name="Days").fill(value)
        expect(settings.get_by_role("textbox", name="Days")).to_have_attribute("aria-invalid", "true")
        expect(settings).to_contain_text(f"parameters.days {sentence}.")
    settings.get_by_role("textbox", name="Days").fill("4")
    expect(settings.get_by_role("textbox", name="Days")).not_to_have_attribute("aria-invalid", "true")
    settings.get_by_role("textbox", name="City").fill("")
    expect(settings).to_contain_text("parameters.city must not be empty.")


def test_a_secret_is_a_password_field_and_never_shown(console: Console, stack: RunningStack, forms: str) -> None:
    configure(stack, forms, "secret")
    page = console.open(f"components/{COMPONENT}/secret")
    password = page.get_by_role("group", name="Settings").locator("input[type=password]")

    expect(password).to_have_value("")
    expect(password).to_have_attribute("type", "password")
    assert "canary-of-forms" not in page.content()
    before = read_json(page)["parameters"]["#password"]
    password.fill("another canary")
    save(page)
    expect(password).to_have_value("")
    wait_for(lambda: read_json(page)["parameters"]["#password"] not in (before, "another canary"))
    assert read_json(page)["parameters"]["#password"].startswith("KBC::")


def test_names_of_settings_are_completed_in_the_json(console: Console, stack: RunningStack, forms: str) -> None:
    configure(stack, forms, "complete")
    page = console.open(f"components/{COMPONENT}/complete")

    console.write("Configuration as JSON", '{"parameters": {"city": "Brno", "#password": "x", ')
    page.keyboard.type('"un')
    page.get_by_role("option", name='"units"').click()
    expect(page.get_by_label("Configuration as JSON")).to_contain_text('"units": "metric"')


def test_a_row_has_the_form_of_its_schema(console: Console, stack: RunningStack, forms: str) -> None:
    configure(stack, forms, "rows")
    page = console.open(f"components/{COMPONENT}/rows")

    page.get_by_role("tab", name="Rows").click()
    page.get_by_label("Name of the new row").fill("First")
    page.get_by_role("button", name="Add row").click()
    page.get_by_role("button", name="First").click()
    page.get_by_role("group", name="Settings").get_by_role("textbox", name="Table").fill("orders")
    save(page)

    (row,) = stack.storage.get(f"{forms}/rows/rows").json
    assert row["configuration"]["parameters"] == {"table": "orders"}


def add_component(stack: RunningStack, folder: Path, **about: Any) -> str:
    known = {"name": "Custom", "type": "extractor", "command": ["python", "main.py"], "tag": "1.0.0"}
    (folder / "component.json").write_text(json.dumps({**known, **about}))
    (folder / "main.py").write_text("print('done')")
    added = [*PENSTOCK, "components", "add", str(folder), "--data-dir", str(stack.folder)]
    subprocess.run(added, check=True, capture_output=True, env=clean_environment())
    return f"/v2/storage/components/{about['id']}/configs"


@pytest.mark.parametrize(
    ("name", "fields"),
    [
        ("no-example", {}),
        ("empty-example", {"empty_configuration": {}}),
        ("example", {"empty_configuration": {"parameters": {"days": 3}}}),
    ],
)
def test_a_form_writes_below_parameters_whatever_the_example_of_the_component(
    console: Console, stack: RunningStack, tmp_path: Path, name: str, fields: dict[str, Any]
) -> None:
    path = add_component(stack, tmp_path, id=f"acme.{name}", configuration_schema=SCHEMA, **fields)
    stack.storage.post(path, {"name": "new", "configurationId": "new", "configuration": {}})
    page = console.open(f"components/acme.{name}/new")
    page.get_by_role("group", name="Settings").get_by_role("textbox", name="City").fill("Brno")
    save(page)

    assert stack.storage.get(f"{path}/new").json["configuration"] == {"parameters": {"city": "Brno"}}


WHOLE = {"keboola.flow", "keboola.orchestrator", "keboola.scheduler", "keboola.variables", "keboola.shared-code"}


def test_the_form_of_every_component_that_ships_writes_below_parameters(console: Console, stack: RunningStack) -> None:
    index = stack.storage.get("/v2/storage").json["components"]
    described = [each["id"] for each in index if each.get("editorSchema") or each["configurationSchema"]]
    page = console.open()
    for component in [each for each in described if each not in WHOLE and not each.startswith("acme.")]:
        path = f"/v2/storage/components/{component}/configs"
        stack.storage.post(path, {"name": "new", "configurationId": "form", "configuration": {}})
        console.go(f"components/{component}/form")
        settings = page.get_by_role("group", name="Settings")
        code = page.get_by_role("radiogroup", name="View")
        expect(settings.or_(code)).to_be_visible()
        if code.is_visible():
            code.get_by_text("JSON", exact=True).click()
        expect(settings).to_be_visible()
        expect(settings.get_by_label("Add a setting to the configuration")).to_have_count(0)
        expect(settings.get_by_role("group").or_(settings.get_by_label(re.compile("parameters"))).first).to_be_visible()


def test_a_component_without_a_schema_has_only_the_json(console: Console, stack: RunningStack) -> None:
    path = "/v2/storage/components/keboola.ex-aws-s3/configs"
    stack.storage.post(path, {"name": "plain", "configurationId": "plain", "configuration": {}})
    page = console.open("components/keboola.ex-aws-s3/plain")

    expect(page.get_by_label("Configuration as JSON")).to_be_visible()
    expect(page.get_by_role("group", name="Settings")).to_have_count(0)


def test_a_configuration_is_copied_renamed_deleted_and_restored(
    console: Console, stack: RunningStack, forms: str
) -> None:
    configure(stack, forms, "original")
    page = console.open(f"components/{COMPONENT}/original")

    page.get_by_role("button", name="More").click()
    page.get_by_role("menuitem", name="Copy").click()
    page.get_by_role("textbox", name="Name", exact=True).fill("Twin")
    page.get_by_role("button", name="Copy", exact=True).click()
    expect(page.get_by_role("heading", name="Twin")).to_be_visible()
    page.get_by_role("button", name="More").click()
    page.get_by_role("menuitem", name="Rename").click()
    page.get_by_role("textbox", name="Name", exact=True).fill("Sibling")
    page.get_by_role("button", name="Rename", exact=True).click()
    expect(page.get_by_role("heading", name="Sibling", level=1)).to_be_visible()

    page.get_by_role("button", name="More").click()
    page.get_by_role("menuitem", name="Delete").click()
    page.get_by_role("button", name="Delete", exact=True).click()
    expect(page.get_by_role("heading", name="Configurations", level=1)).to_be_visible()
    expect(page.get_by_role("link", name="Sibling")).to_have_count(0)
    page.get_by_role("button", name="Trash").click()
    expect(page.get_by_role("button", name="Restore Sibling")).to_be_visible()
    assert find_violations(page, "trash") == []
    page.get_by_role("button", name="Restore Sibling").click()
    expect(page.get_by_role("button", name="Restore Sibling")).to_have_count(0)
    page.keyboard.press("Escape")
    expect(page.get_by_role("link", name="Sibling")).to_be_visible()


def test_what_is_deleted_for_good_is_asked_for_first(console: Console, stack: RunningStack, forms: str) -> None:
    configure(stack, forms, "of-no-use")
    stack.storage.delete(f"{forms}/of-no-use")
    page = console.open("components/configurations")
    page.get_by_role("button", name="Trash").click()

    page.get_by_role("button", name="Delete for good: of-no-use").click()
    page.get_by_role("button", name="Cancel").click()
    expect(page.get_by_role("button", name="Restore of-no-use")).to_be_visible()
    page.get_by_role("button", name="Delete for good: of-no-use").click()
    page.get_by_role("button", name="Delete for good", exact=True).click()

    expect(page.get_by_role("button", name="Restore of-no-use")).to_have_count(0)


def test_a_stored_secret_stays_if_what_was_typed_is_deleted_again(
    console: Console, stack: RunningStack, forms: str
) -> None:
    configure(stack, forms, "second-thoughts")
    page = console.open(f"components/{COMPONENT}/second-thoughts")
    before = read_json(page)["parameters"]["#password"]
    secret = page.get_by_role("group", name="Settings").get_by_role("textbox", name="Password")

    secret.fill("something else")
    wait_for(lambda: read_json(page)["parameters"]["#password"] == "something else")
    secret.fill("")

    wait_for(lambda: read_json(page)["parameters"]["#password"] == before)
    assert before.startswith("KBC::")


def test_a_number_that_would_be_rounded_is_kept_as_text(console: Console, stack: RunningStack, forms: str) -> None:
    configure(stack, forms, "long-number")
    page = console.open(f"components/{COMPONENT}/long-number")
    settings = page.get_by_role("group", name="Settings")

    settings.get_by_role("textbox", name="Days").fill("9007199254740993")

    expect(settings).to_contain_text("would be rounded")
    wait_for(lambda: read_json(page)["parameters"]["days"] == "9007199254740993")


def test_a_schema_that_refers_to_itself_or_has_a_wrong_pattern_has_a_form(
    console: Console, stack: RunningStack, tmp_path: Path
) -> None:
    about = {"id": "acme.ex-loop", "name": "Loop", "type": "extractor", "command": ["python", "main.py"], "tag": "1"}
    (tmp_path / "component.json").write_text(json.dumps({**about, "configuration_schema": LOOP}))
    (tmp_path / "main.py").write_text("print('done')")
    added = [*PENSTOCK, "components", "add", str(tmp_path), "--data-dir", str(stack.folder)]
    subprocess.run(added, check=True, capture_output=True, env=clean_environment())
    document = {"parameters": {"city": "Brno", "tree": {"leaf": "green"}}}
    body = {"name": "loop", "configurationId": "loop", "configuration": document}
    assert stack.storage.post("/v2/storage/components/acme.ex-loop/configs", body).status == 201

    page = console.open("components/acme.ex-loop/loop")

    settings = page.get_by_role("group", name="Settings")
    expect(settings.get_by_role("textbox", name="City")).to_have_value("Brno")
    expect(settings.get_by_role("textbox", name="Leaf")).to_have_value("green")


def test_forms_are_accessible_and_fit_a_phone(console: Console, stack: RunningStack, forms: str) -> None:
    configure(stack, forms, "look")
    page = console.open(f"components/{COMPONENT}/look")
    page.get_by_role("group", name="Settings").get_by_role("textbox", name="Days").fill("99")

    assert find_violations(page, "form") == []
    console.go("components/ex-generic-v2/sample-orders")
    expect(page.get_by_role("group", name="Settings")).to_contain_text("Base Url")
    assert find_violations(page, "form-generic") == []
    assert fits_a_phone(page, "form-generic")
