"""Apps: components as developers define them. Field names are those of the Developer Portal."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any, Literal

import msgspec
from msgspec import UNSET, UnsetType

from penstock.foundation.constraints import matching
from penstock.foundation.limits import Names

AppType = Literal[
    "extractor", "application", "writer", "processor", "code-pattern", "other", "transformation", "data-app"
]
ImageType = Literal["ecr", "dockerhub", "quay", "builder"]
ARCHIVE = "archive"
"""The type of a repository whose program is an archive in this stack."""
LEVELS, STACKS = 20, 100
"""How many levels of a log, and hosts with parameters, an app may name."""
ADMIN_FIELDS = (
    *("complexity", "categories", "category", "features", "forward_token", "forward_token_details"),
    *("inject_environment", "process_timeout", "required_memory"),
)
"""What only administrators set."""
Line = Annotated[str, msgspec.Meta(max_length=255)]
Prose = Annotated[str, msgspec.Meta(max_length=100_000)]
Document = dict[str, Any]
Digest = Annotated[
    str, matching(r"^(sha256:[0-9a-f]{64})?$(?!\n)", "sha256: and 64 digits from 0 to f", f"sha256:{'0' * 64}")
]


class LoggerConfiguration(msgspec.Struct, frozen=True, kw_only=True):
    verbosity: Annotated[
        dict[str, Literal["none", "camouflage", "normal", "verbose"]], msgspec.Meta(max_length=LEVELS)
    ] = {}
    gelf_server_type: Literal["tcp", "udp", "http"] = "tcp"


class Repository(msgspec.Struct, frozen=True, kw_only=True):
    """Where the program is. Missing keys keep their value."""

    type: ImageType | UnsetType = UNSET
    uri: (
        Annotated[
            str,
            matching(
                r"^(?!-)[^\s:@]*(:\d+/[^\s:@]+)?$(?!\n)",
                "the address of an image without its tag",
                "acme/tool",
                max_length=500,
            ),
        ]
        | UnsetType
    ) = UNSET
    """The image without its tag. One that begins with a dash would be an option of the engine that runs it."""
    tag: (
        Annotated[
            str,
            matching(
                r"^([A-Za-z0-9_][A-Za-z0-9._-]{0,127})?$(?!\n)",
                "at most 128 letters, digits, dots, dashes and underscores, the first not a dot or a dash",
                "1.0.0",
            ),
        ]
        | UnsetType
    ) = UNSET
    digest: Digest | UnsetType = UNSET
    """Of the manifest of the image: what runs, whatever the tag names later. That of an image in the registry of this
    stack is filled in."""
    name: Line | UnsetType = UNSET
    region: Line | UnsetType = UNSET
    options: Document | UnsetType = UNSET


class AppFields(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """What can be set. A version keeps what was set of them."""

    name: Annotated[str, msgspec.Meta(min_length=1, max_length=128)] | UnsetType = UNSET
    type: AppType | UnsetType = UNSET
    short_description: Annotated[str, msgspec.Meta(max_length=1_000)] | UnsetType = UNSET
    long_description: Prose | UnsetType = UNSET
    license_url: Line | UnsetType = UNSET
    documentation_url: Line | UnsetType = UNSET
    configuration_description: Prose | UnsetType = UNSET
    icon32: Line | UnsetType = UNSET
    icon64: Line | UnsetType = UNSET
    required_memory: (
        Annotated[str, matching(r"^[1-9][0-9]{0,6}[mg]$(?!\n)", "a number of megabytes or gigabytes", "512m")]
        | UnsetType
    ) = UNSET
    process_timeout: Annotated[int, msgspec.Meta(ge=1, le=365 * 24 * 3600)] | UnsetType = UNSET
    encryption: bool | UnsetType = UNSET
    network: Literal["bridge", "none", "no-internet"] | UnsetType = UNSET
    cpu_shares: Annotated[int, msgspec.Meta(ge=2, le=262_144)] | UnsetType = UNSET
    forward_token: bool | UnsetType = UNSET
    forward_token_details: bool | UnsetType = UNSET
    inject_environment: bool | UnsetType = UNSET
    logger: Literal["standard", "gelf"] | UnsetType = UNSET
    logger_configuration: LoggerConfiguration | UnsetType = UNSET
    staging_storage_input: Line | UnsetType = UNSET
    staging_storage_output: Line | UnsetType = UNSET
    features: Names[Line] | UnsetType = UNSET
    legacy_uri: Line | UnsetType = UNSET
    default_bucket: bool | UnsetType = UNSET
    default_bucket_stage: Literal["in", "out"] | UnsetType = UNSET
    configuration_schema: Document | UnsetType = UNSET
    configuration_row_schema: Document | UnsetType = UNSET
    configuration_format: Literal["json", "yaml"] | UnsetType = UNSET
    empty_configuration: Document | UnsetType = UNSET
    empty_configuration_row: Document | UnsetType = UNSET
    actions: Names[Line] | UnsetType = UNSET
    image_parameters: Document | UnsetType = UNSET
    stack_parameters: Annotated[dict[str, Document], msgspec.Meta(max_length=STACKS)] | UnsetType = UNSET
    test_configuration: Document | UnsetType = UNSET
    ui_options: Names[Line] | UnsetType = UNSET
    fees: bool | UnsetType = UNSET
    limits: Prose | UnsetType = UNSET
    permissions: Prose | UnsetType = UNSET
    categories: Names[Line] | UnsetType = UNSET
    category: Line | UnsetType = UNSET
    complexity: Line | UnsetType = UNSET
    data_type_support: Literal["authoritative", "hints", "none"] | UnsetType = UNSET


class AppChange(AppFields, frozen=True, kw_only=True, rename="camel"):
    """A change: what is not given stays."""

    repository: Repository | UnsetType = UNSET


class NewApp(AppChange, frozen=True, kw_only=True, rename="camel"):
    id: Annotated[
        str,
        matching(
            r"^[a-z0-9][a-z0-9-]{2,63}$(?!\n)",
            "3 to 64 small letters, digits and dashes, the first not a dash",
            "ex-shop",
        ),
    ]
    """Without the vendor, which is put before it."""
    name: Annotated[str, msgspec.Meta(min_length=1, max_length=128)]  # pyright: ignore[reportGeneralTypeIssues]
    type: AppType  # pyright: ignore[reportGeneralTypeIssues]


class Deprecation(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    expired_on: datetime | None = None
    replacement_app: Annotated[str, msgspec.Meta(max_length=200)] | None = None


class Rejection(msgspec.Struct, frozen=True, kw_only=True):
    reason: Annotated[str, msgspec.Meta(min_length=1, max_length=1_000)]


class AppRow(msgspec.Struct, frozen=True, kw_only=True):
    id: str
    vendor_id: str
    version: int
    """The current one."""
    last_version: int
    """The highest number that was given: a removed version leaves a gap."""
    approved_version: int = 0
    """The one that projects run; 0 before the first approval."""
    is_public: bool = False
    is_approved: bool = False
    is_deprecated: bool = False
    created: datetime
    created_by: str
    expired: datetime | None = None
    replacement_app: str | None = None
    requested: datetime | None = None
    requested_by: str | None = None
    rejection: str | None = None


class VersionRow(msgspec.Struct, frozen=True, kw_only=True):
    app_id: str
    version: int
    tag: str
    """By which jobs and configurations name it."""
    fields: Document
    command: list[str]
    """Of an archive; an image has its own."""
    archive_id: int | None
    created: datetime
    created_by: str
    approved: datetime | None = None
    """Since when projects may run it; those of its vendor may before."""
    approved_by: str | None = None


class ArchiveRow(msgspec.Struct, frozen=True, kw_only=True):
    id: int
    app_id: str
    content: str
    sha256: str
    size_bytes: int
    created: datetime


class Versioned(msgspec.Struct, frozen=True, kw_only=True):
    """An app in one of its versions."""

    app: AppRow
    version: VersionRow
    archive: ArchiveRow | None = None
