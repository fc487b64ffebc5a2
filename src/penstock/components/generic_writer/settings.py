"""The parameters of the writer, typed."""

from __future__ import annotations

from enum import StrEnum
from typing import Any

import msgspec

from penstock.extractor.errors import UserError
from penstock.extractor.sending.retry import RETRIED_STATUSES

DATA = "[[data]]"
"""Where the rows go in a wrapper."""
MOST_ROWS = 100_000
"""In one request: they are in memory together."""


class ContentType(StrEnum):
    JSON = "JSON"
    FORM = "JSON_URL_ENCODED"
    BINARY = "BINARY"
    GZIPPED = "BINARY_GZ"
    EMPTY = "EMPTY_REQUEST"


class Authentication(msgspec.Struct, frozen=True):
    type: str = ""
    parameters: dict[str, Any] = {}


class RetryConfig(msgspec.Struct, frozen=True):
    max_retries: int = 5
    backoff_factor: float = 0.3
    codes: tuple[int, ...] = tuple(sorted(RETRIED_STATUSES))


class Api(msgspec.Struct, frozen=True):
    base_url: str
    authentication: Authentication = Authentication()
    retry_config: RetryConfig = RetryConfig()
    default_headers: Any = {}
    default_query_parameters: Any = {}
    ssl_verification: bool = True
    timeout: float | None = None


class RequestParameters(msgspec.Struct, frozen=True):
    method: str = "POST"
    endpoint_path: str = ""
    headers: Any = {}
    query_parameters: Any = {}


class TypeOfColumn(msgspec.Struct, frozen=True):
    column: str
    type: str


class ColumnTypes(msgspec.Struct, frozen=True):
    autodetect: bool = False
    datatype_override: list[TypeOfColumn] = []


class JsonMapping(msgspec.Struct, frozen=True):
    nesting_delimiter: str | None = None
    chunk_size: int = 1
    column_data_types: ColumnTypes = ColumnTypes()
    column_names_override: dict[str, str] = {}
    request_data_wrapper: str = ""


class RequestContent(msgspec.Struct, frozen=True):
    content_type: ContentType = ContentType.JSON
    json_mapping: JsonMapping = JsonMapping()
    iterate_by_columns: list[str] = []


class Settings(msgspec.Struct, frozen=True):
    api: Api
    user_parameters: dict[str, Any] = {}
    request_parameters: RequestParameters = RequestParameters()
    request_content: RequestContent = RequestContent()

    @property
    def rows_per_request(self) -> int:
        """A row that is iterated over is a request of its own, and so is a form."""
        content = self.request_content
        is_alone = content.iterate_by_columns or content.content_type is not ContentType.JSON
        return 1 if is_alone else content.json_mapping.chunk_size

    def check(self) -> None:
        if not self.api.base_url.startswith(("http://", "https://")):
            raise UserError("Invalid configuration: `parameters.api.base_url` must start with https:// or http://.")
        if not self.api.ssl_verification:
            raise UserError(
                "`parameters.api.ssl_verification` cannot be switched off here. "
                "To trust a private authority, start the stack with --ca-bundle."
            )
        if not 1 <= self.request_content.json_mapping.chunk_size <= MOST_ROWS:
            raise UserError(f"Invalid configuration: `chunk_size` must be between 1 and {MOST_ROWS:,}.")
        if (self.api.timeout or 0) < 0:
            raise UserError("Invalid configuration: `parameters.api.timeout` must be a number of seconds, not below 0.")
        wrapper = self.request_content.json_mapping.request_data_wrapper
        if wrapper and DATA not in wrapper:
            raise UserError(f"Invalid configuration: `request_data_wrapper` has no {DATA}, so no row would be sent.")
        is_file = self.request_content.content_type in (ContentType.BINARY, ContentType.GZIPPED)
        if is_file and self.request_content.iterate_by_columns:
            raise UserError("Invalid configuration: a table that is sent as a file cannot be iterated by its columns.")
