from __future__ import annotations

from typing import Annotated, Any

import msgspec
import pytest

from penstock.extractor.base.errors import UserError
from penstock.extractor.base.section import Section
from penstock.extractor.base.settings import Setting, read_settings
from penstock.extractor.config.schema.structs import build_section

MISSING = "Missing 'box.{}'"


class Box(msgspec.Struct, frozen=True, kw_only=True):
    label_text: Annotated[str, Setting("What is written on it.", "a text such as fragile")]
    width: Annotated[int, Setting("Its width, cut to a whole number.")] = 3
    items: Annotated[int, Setting("How many things are in it.", is_exact=True)] = 0
    is_open: Annotated[bool, Setting("Whether it is open.")] = True
    owner: Annotated[str, Setting("Whose it is.")] = "nobody"
    contents: dict[str, Any] = {}


def box(**raw: Any) -> Box:
    return read_settings(Box, Section(raw, "p.box"), MISSING)


def test_settings_that_are_absent_have_the_defaults_of_their_fields():
    assert box(labelText="a") == Box(label_text="a")
    assert box(labelText="a", width=None, items=None, isOpen=None, owner="") == Box(label_text="a")


def test_settings_are_read_by_the_types_of_their_fields():
    found = box(labelText=7, width="2.5", items="4", isOpen="0", owner=1.5)

    assert found == Box(label_text="7", width=2, items=4, is_open=False, owner="1.5")


def test_a_required_text_that_is_missing_is_named_with_what_to_set():
    with pytest.raises(UserError) as caught:
        box(width=1)

    assert str(caught.value) == "Missing 'box.labelText'. Set `p.box.labelText` to a text such as fragile."


@pytest.mark.parametrize(("name", "value"), [("items", 1.5), ("width", "x"), ("isOpen", "maybe"), ("owner", ["x"])])
def test_a_value_of_another_type_is_an_error_with_its_path(name: str, value: Any):
    with pytest.raises(UserError, match=rf"- at `p\.box\.{name}`"):
        box(labelText="a", **{name: value})


def test_fields_that_the_caller_has_read_are_taken_as_they_are():
    found = read_settings(Box, Section({"owner": "me"}, "p.box"), MISSING, label_text="own", contents={"a": 1})

    assert found == Box(label_text="own", owner="me", contents={"a": 1})


def test_a_field_without_a_declaration_is_not_a_setting():
    assert box(labelText="a", contents={"a": 1}).contents == {}
    assert "contents" not in build_section(Box)["properties"]


def test_the_schema_has_the_name_the_meaning_and_the_default_of_every_setting():
    schema = build_section(Box)

    assert schema["required"] == ["labelText"]
    described = {name: (each["description"], each.get("default")) for name, each in schema["properties"].items()}
    assert described == {
        "labelText": ("What is written on it.", None),
        "width": ("Its width, cut to a whole number.", 3),
        "items": ("How many things are in it.", 0),
        "isOpen": ("Whether it is open.", True),
        "owner": ("Whose it is.", "nobody"),
    }
