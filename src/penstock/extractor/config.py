"""The configuration, typed. Reading it is validating it, and builds the pagination method."""

from __future__ import annotations

from typing import Annotated, Any

import msgspec
from msgspec import Meta

from penstock.extractor.complaints import invalid, sentence
from penstock.extractor.errors import UserError, WrongParam
from penstock.extractor.http import Request
from penstock.extractor.pagination import Method, OnePage, Pagination
from penstock.extractor.records.find import DataField
from penstock.extractor.records.names import table_name
from penstock.extractor.regular import regular
from penstock.extractor.unsupported import refuse_unsupported
from penstock.extractor.url import page_url

# No user or password: those belong under `#` keys, which are kept secret.
WEB_ADDRESS = r"^(?i:https?)://[^\s/?#@\\]+([/?#]\S*)?$"
NonEmpty = Annotated[str, Meta(min_length=1)]


class Section(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """A part of the configuration; keys it does not know are ignored."""


class Api(Section, frozen=True):
    base_url: Annotated[str, Meta(pattern=WEB_ADDRESS)]
    name: str = "generic"
    pagination: Pagination | None = None


class Job(Section, frozen=True):
    """One endpoint."""

    endpoint: NonEmpty
    id: str | int | None = None
    data_type: str = ""
    data_field: str | DataField = ""
    params: dict[str, Any] = msgspec.field(default_factory=dict[str, Any])
    method: str = "GET"

    @property
    def request(self) -> Request:
        return Request(self.endpoint, self.params)

    @property
    def field(self) -> DataField:
        return DataField(self.data_field) if isinstance(self.data_field, str) else self.data_field

    @property
    def table(self) -> str:
        """The data type, which names the table."""
        return self.data_type or self.endpoint


class Settings(Section, frozen=True):
    """The `config` section."""

    jobs: Annotated[list[Job], Meta(min_length=1)]
    output_bucket: Annotated[str, Meta(pattern="^[^/\\x00]*$")] = ""
    id: str | int = ""
    debug: bool = False
    incremental_output: bool = False


class Config(Section, frozen=True):
    api: Api
    config: Settings

    @property
    def method(self) -> Method:
        return self.api.pagination or OnePage()

    @property
    def bucket(self) -> str:
        """Where the tables go; empty for the default bucket."""
        fallback = f"ex-api-{self.api.name}-{self.config.id}" if self.config.id else ""
        return self.config.output_bucket or fallback


def read_config(document: dict[str, Any]) -> Config:
    """Raises UserError with the path of the first wrong key; nothing has been sent by then."""
    whole = regular(document)
    refuse_unsupported(whole)
    try:
        # strict=False: configurations in the wild write numbers as strings ("limit": "100").
        config = msgspec.convert(whole.get("parameters", {}), type=Config, strict=False)
    except msgspec.ValidationError as error:
        raise UserError(sentence(str(error))) from error
    for index, job in enumerate(config.config.jobs):
        _check_job(config, job, f"parameters.config.jobs[{index}]")
    return config


def _check_job(config: Config, job: Job, path: str) -> None:
    if job.method.upper() != "GET":
        raise invalid(f"Expected `GET`, `POST` or `FORM`, got {job.method!r}", f"{path}.method")
    if not table_name(job.table):
        raise invalid(f"{job.table!r} holds no letter or digit to name a table by", f"{path}.dataType")
    try:
        page_url(config.api.base_url, config.method.first(job.request).request)
    except WrongParam as error:
        raise invalid(str(error), f"{path}.params.{error.name}") from error
    except ValueError as error:
        where = f"`parameters.api.baseUrl` with `{path}.endpoint`"
        raise UserError(f"Invalid configuration: {where} makes no address: {error}.") from error
