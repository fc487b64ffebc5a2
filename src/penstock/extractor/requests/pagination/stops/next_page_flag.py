"""Stops according to a field of the response, such as `has_more` or `isLast`."""

from __future__ import annotations

from typing import Annotated, Any, Self, cast

from penstock.extractor.base.errors import UserError
from penstock.extractor.base.path import look_up
from penstock.extractor.base.section import Section
from penstock.extractor.base.settings import Setting
from penstock.extractor.base.values import TYPE_NAMES, is_empty_value
from penstock.extractor.records.page import Page
from penstock.extractor.requests.pagination.method import Stop
from penstock.extractor.requests.pagination.stops.around import Around


class NextPageFlag(Around, frozen=True, kw_only=True, tag="nextPageFlag"):
    stop_on: Annotated[bool, Setting("The value at which there is no further page.")]
    if_not_set: Annotated[bool, Setting("What a missing value counts as; the same as stopOn unless set.")]
    field: Annotated[str, Setting("A key of the response.")] = ""
    """Dots in it are part of the key."""
    path: Annotated[str, Setting("A path in the response, instead of field.")] = ""

    @classmethod
    def read(cls, section: Section) -> Self:
        section.only_one_of("field", "path")
        if not section.has("field") and not section.has("path"):
            raise UserError(
                f"'field' has to be specified for 'nextPageFlag'. Set `{section.path}.field` to a key of the response, "
                "or `path` to a path in it."
            )
        stop_on = _stop_on(section)
        return cls(
            field=section.text("field"),
            path=section.text("path"),
            stop_on=stop_on,
            if_not_set=_if_not_set(section, stop_on),
        )

    def count(self, counted: None, page: Page) -> Stop | None:
        value = self._value(page.document)
        is_set = self.if_not_set if value is None else not is_empty_value(value)
        if is_set != self.stop_on:
            return None
        return Stop(f"Stopping scrolling because '{self.field or self.path}' is '{str(is_set).lower()}'")

    def _value(self, document: Any) -> Any:
        if self.path:
            return look_up(self.path, document)
        return cast(dict[str, Any], document).get(self.field) if isinstance(document, dict) else None


def _stop_on(section: Section) -> bool:
    value = section.get("stopOn")
    if not isinstance(value, bool):
        type_note = "" if value is None else f", given '{TYPE_NAMES[type(value)]}' type"
        raise UserError(
            f"'stopOn' value must be set to a boolean value for 'nextPageFlag'{type_note}. "
            f"Set `{section.path}.stopOn` to true or false."
        )
    return value


def _if_not_set(section: Section, default: bool) -> bool:
    value = section.get("ifNotSet")
    if value is None or isinstance(value, bool):
        return default if value is None else value
    raise UserError(
        f"'ifNotSet' value must be boolean, given '{TYPE_NAMES[type(value)]}' type. "
        f"Set `{section.path}.ifNotSet` to true or false."
    )
