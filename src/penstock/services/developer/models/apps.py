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
    """What is done with messages, by their level: `none`, `camouflage`, `normal` or `verbose`."""
    gelf_server_type: Literal["tcp", "udp", "http"] = "tcp"
    """How the app sends its log: `tcp`, `udp` or `http`."""


class Repository(msgspec.Struct, frozen=True, kw_only=True):
    """Where the program is. Missing keys keep their value."""

    type: ImageType | UnsetType = UNSET
    """Kind of the registry."""
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
    """Address of the image without its tag, such as `acme/tool`."""
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
    """Tag of the image."""
    digest: Digest | UnsetType = UNSET
    """Digest of the manifest of the image: it is what runs, whatever the tag names later. That of an image in the
    registry of this stack is filled in."""
    name: Line | UnsetType = UNSET
    """Name of the repository in the registry."""
    region: Line | UnsetType = UNSET
    """Region of the registry."""
    options: Document | UnsetType = UNSET
    """More that the registry needs."""


class AppFields(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """What can be set. A version keeps what was set of them."""

    name: Annotated[str, msgspec.Meta(min_length=1, max_length=128)] | UnsetType = UNSET
    """Name that people see, at most 128 characters."""
    type: AppType | UnsetType = UNSET
    """Kind of the component."""
    short_description: Annotated[str, msgspec.Meta(max_length=1_000)] | UnsetType = UNSET
    """What the component does, in one sentence."""
    long_description: Prose | UnsetType = UNSET
    """What the component does, in Markdown."""
    license_url: Line | UnsetType = UNSET
    """Address of the license."""
    documentation_url: Line | UnsetType = UNSET
    """Address of the documentation."""
    configuration_description: Prose | UnsetType = UNSET
    """How to configure the component, in Markdown."""
    icon32: Line | UnsetType = UNSET
    """Address of an icon of 32 × 32 pixels."""
    icon64: Line | UnsetType = UNSET
    """Address of an icon of 64 × 64 pixels."""
    required_memory: (
        Annotated[str, matching(r"^[1-9][0-9]{0,6}[mg]$(?!\n)", "a number of megabytes or gigabytes", "512m")]
        | UnsetType
    ) = UNSET
    """How much memory the program gets, such as `512m` or `4g`. Only administrators set it."""
    process_timeout: Annotated[int, msgspec.Meta(ge=1, le=365 * 24 * 3600)] | UnsetType = UNSET
    """Seconds after which the program is stopped. Only administrators set it."""
    encryption: bool | UnsetType = UNSET
    """Whether values under keys that begin with `#` are encrypted."""
    network: Literal["bridge", "none", "no-internet"] | UnsetType = UNSET
    """What network the program has: `bridge`, `none` or `no-internet`."""
    cpu_shares: Annotated[int, msgspec.Meta(ge=2, le=262_144)] | UnsetType = UNSET
    """Weight of the program when processors are shared. The usual one is 1024."""
    forward_token: bool | UnsetType = UNSET
    """Whether the program gets a Storage token. Only administrators set it."""
    forward_token_details: bool | UnsetType = UNSET
    """Whether the program gets the description and the id of the token. Only administrators set it."""
    inject_environment: bool | UnsetType = UNSET
    """Whether the program gets environment variables about the project and the run. Only administrators set it."""
    logger: Literal["standard", "gelf"] | UnsetType = UNSET
    """`standard` reads the output of the program, `gelf` messages that it sends."""
    logger_configuration: LoggerConfiguration | UnsetType = UNSET
    """How messages of the logger `gelf` are read."""
    staging_storage_input: Line | UnsetType = UNSET
    """Where the program finds its input: `local`, or the name of a staging storage."""
    staging_storage_output: Line | UnsetType = UNSET
    """Where the program leaves its output: `local`, or the name of a staging storage."""
    features: Names[Line] | UnsetType = UNSET
    """Features that the component is run with. Only administrators set them."""
    legacy_uri: Line | UnsetType = UNSET
    """Address of a component of an earlier kind."""
    default_bucket: bool | UnsetType = UNSET
    """Whether tables without a destination are written to a bucket of the configuration."""
    default_bucket_stage: Literal["in", "out"] | UnsetType = UNSET
    """Stage of that bucket."""
    configuration_schema: Document | UnsetType = UNSET
    """JSON Schema of the parameters of a configuration."""
    configuration_row_schema: Document | UnsetType = UNSET
    """JSON Schema of the parameters of a row."""
    configuration_format: Literal["json", "yaml"] | UnsetType = UNSET
    """Format of the configuration in the data folder."""
    empty_configuration: Document | UnsetType = UNSET
    """What a new configuration begins with."""
    empty_configuration_row: Document | UnsetType = UNSET
    """What a new row begins with."""
    actions: Names[Line] | UnsetType = UNSET
    """Names of the actions that the component responds to at once."""
    image_parameters: Document | UnsetType = UNSET
    """Parameters that every run gets beside the configuration."""
    stack_parameters: Annotated[dict[str, Document], msgspec.Meta(max_length=STACKS)] | UnsetType = UNSET
    """The same for single stacks, by the host of their Storage."""
    test_configuration: Document | UnsetType = UNSET
    """A configuration to test the component with."""
    ui_options: Names[Line] | UnsetType = UNSET
    """What forms and editors of user interfaces the component has."""
    fees: bool | UnsetType = UNSET
    """Whether using the component costs something."""
    limits: Prose | UnsetType = UNSET
    """What the component cannot do."""
    permissions: Prose | UnsetType = UNSET
    """What permissions the component needs."""
    categories: Names[Line] | UnsetType = UNSET
    """Categories of the component in the catalogue. Only administrators set them."""
    category: Line | UnsetType = UNSET
    """Category of the component in the catalogue. Only administrators set it."""
    complexity: Line | UnsetType = UNSET
    """How hard the component is to configure. Only administrators set it."""
    data_type_support: Literal["authoritative", "hints", "none"] | UnsetType = UNSET
    """How the types of output columns are used: `authoritative`, `hints` or `none`."""


class AppChange(AppFields, frozen=True, kw_only=True, rename="camel"):
    """Fields that are not set stay unchanged."""

    repository: Repository | UnsetType = UNSET
    """Where the program is. Keys that are left out keep their value."""


class NewApp(AppChange, frozen=True, kw_only=True, rename="camel"):
    id: Annotated[
        str,
        matching(
            r"^[a-z0-9][a-z0-9-]{2,63}$(?!\n)",
            "3 to 64 small letters, digits and dashes, the first not a dash",
            "ex-shop",
        ),
    ]
    """Id of the app without its vendor, which is put before it: 3 to 64 lower-case letters, digits and dashes, the
    first not a dash."""
    name: Annotated[str, msgspec.Meta(min_length=1, max_length=128)]  # pyright: ignore[reportGeneralTypeIssues]
    """Name that people see."""
    type: AppType  # pyright: ignore[reportGeneralTypeIssues]
    """Kind of the component."""


class Deprecation(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    expired_on: datetime | None = None
    """When the app stops working, as people are told."""
    replacement_app: Annotated[str, msgspec.Meta(max_length=200)] | None = None
    """Id of the app that replaces it."""


class Rejection(msgspec.Struct, frozen=True, kw_only=True):
    reason: Annotated[str, msgspec.Meta(min_length=1, max_length=1_000)]
    """Why it is rejected, for the vendor."""


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
