"""The parameters of the writer, typed."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated, Any

import msgspec

from penstock.components.json_schema import about
from penstock.extractor.base.errors import UserError
from penstock.extractor.requests.sending.retry import RETRIED_STATUSES

DATA = "[[data]]"
"""Where the rows go in a wrapper."""
MAX_ROWS = 100_000
"""In one request: they are in memory together."""


class ContentType(StrEnum):
    JSON = "JSON"
    FORM = "JSON_URL_ENCODED"
    BINARY = "BINARY"
    GZIPPED = "BINARY_GZ"
    EMPTY = "EMPTY_REQUEST"


class Authentication(msgspec.Struct, frozen=True):
    type: Annotated[str, about("BasicHttp or BearerToken.")] = ""
    parameters: Annotated[dict[str, Any], about("username and #password, or #token.")] = {}


class RetryConfig(msgspec.Struct, frozen=True):
    max_retries: Annotated[int, about("How often a request is sent again.")] = 5
    backoff_factor: Annotated[float, about("The first wait in seconds, doubled each time.")] = 0.3
    codes: Annotated[tuple[int, ...], about("The statuses after which a request is sent again.")] = tuple(
        sorted(RETRIED_STATUSES)
    )


class Api(msgspec.Struct, frozen=True):
    base_url: Annotated[str, about("Where all requests go; it starts with https:// or http://.")]
    authentication: Annotated[Authentication, about("How requests prove who sends them.")] = Authentication()
    retry_config: Annotated[RetryConfig, about("When a request is sent again.")] = RetryConfig()
    default_headers: Annotated[Any, about("Headers of every request.")] = {}
    default_query_parameters: Annotated[Any, about("Query parameters of every request.")] = {}
    ssl_verification: Annotated[bool, about("Cannot be switched off.")] = True
    timeout: Annotated[float | None, about("Seconds for one request; 300 unless set.")] = None


class RequestParameters(msgspec.Struct, frozen=True):
    method: Annotated[str, about("The HTTP method.")] = "POST"
    endpoint_path: Annotated[str, about("What follows the base address; [[column]] becomes the value of a column.")] = (
        ""
    )
    headers: Annotated[Any, about("Laid over the default headers.")] = {}
    query_parameters: Annotated[Any, about("Laid over the default query parameters.")] = {}


class TypeOfColumn(msgspec.Struct, frozen=True):
    column: Annotated[str, about("The column.")]
    type: Annotated[str, about("Its type: string, number, bool or object.")]


class ColumnTypes(msgspec.Struct, frozen=True):
    autodetect: Annotated[bool, about("Whether numbers and booleans are told from texts.")] = False
    datatype_override: Annotated[list[TypeOfColumn], about("Types of single columns.")] = []


class JsonMapping(msgspec.Struct, frozen=True):
    nesting_delimiter: Annotated[
        str | None, about("What separates the keys in the name of a column that becomes nested objects.")
    ] = None
    chunk_size: Annotated[int, about("1 sends an object, more send lists of up to so many.")] = 1
    column_data_types: Annotated[ColumnTypes, about("Values as numbers, booleans and objects instead of texts.")] = (
        ColumnTypes()
    )
    column_names_override: Annotated[dict[str, str], about("Other names of columns in the body.")] = {}
    request_data_wrapper: Annotated[str, about("Text around the body, which replaces [[data]] in it.")] = ""


class RequestContent(msgspec.Struct, frozen=True):
    content_type: Annotated[
        ContentType,
        about("JSON; JSON_URL_ENCODED, a form per row; BINARY or BINARY_GZ, the CSV as it is; EMPTY_REQUEST."),
    ] = ContentType.JSON
    json_mapping: Annotated[JsonMapping, about("How rows become JSON.")] = JsonMapping()
    iterate_by_columns: Annotated[
        list[str], about("Each row is a request; these columns replace [[column]] and leave the body.")
    ] = []


class Settings(msgspec.Struct, frozen=True):
    api: Annotated[Api, about("Where requests go.")]
    user_parameters: Annotated[
        dict[str, Any], about('Values to refer to as {"attr": "name"}; secrets begin with #.')
    ] = {}
    request_parameters: Annotated[RequestParameters, about("What a request looks like.")] = RequestParameters()
    request_content: Annotated[RequestContent, about("What its body holds.")] = RequestContent()

    @property
    def rows_per_request(self) -> int:
        """Returns a row that is iterated over is a separate request, and so is a form."""
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
        if not 1 <= self.request_content.json_mapping.chunk_size <= MAX_ROWS:
            raise UserError(f"Invalid configuration: `chunk_size` must be between 1 and {MAX_ROWS:,}.")
        if (self.api.timeout or 0) < 0:
            raise UserError("Invalid configuration: `parameters.api.timeout` must be a number of seconds, not below 0.")
        wrapper = self.request_content.json_mapping.request_data_wrapper
        if wrapper and DATA not in wrapper:
            raise UserError(f"Invalid configuration: `request_data_wrapper` has no {DATA}, so no row would be sent.")
        is_file = self.request_content.content_type in (ContentType.BINARY, ContentType.GZIPPED)
        if is_file and self.request_content.iterate_by_columns:
            raise UserError("Invalid configuration: a table that is sent as a file cannot be iterated by its columns.")
