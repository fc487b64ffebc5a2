"""Projects as requested and returned."""

from __future__ import annotations

from typing import Annotated

import msgspec
from msgspec import UNSET, UnsetType

from penstock.foundation.constraints import matching
from penstock.foundation.limits import Names
from penstock.foundation.structs import Wire
from penstock.services.management.models.backends import BACKEND, OWNER, REGION
from penstock.services.management.models.limits import Limit
from penstock.services.management.models.wire import Name, Number, ShortText

Days = Annotated[int, msgspec.Meta(ge=0, le=36_500)]
Price = Annotated[float, msgspec.Meta(ge=0, le=10**12)]


class NewProject(Wire, frozen=True, kw_only=True):
    name: Name
    """Name of the project."""
    type: str = "production"
    """Kind of the project: `production`, `poc` or `demo`."""
    default_backend: str = BACKEND
    """Backend of the project. There is one: `snowflake`."""
    data_retention_time_in_days: Days = 7
    """For how many days earlier states of tables can be restored."""


class ProjectChange(Wire, frozen=True, kw_only=True):
    """Fields that are not set stay unchanged."""

    name: Name | UnsetType = UNSET
    """New name."""
    default_backend: str | UnsetType = UNSET
    """Backend of the project. There is one: `snowflake`."""
    has_try_mode_on: bool | UnsetType = UNSET
    """Whether the project is marked as a trial."""
    type: str | UnsetType = UNSET
    """New kind of the project: `production`, `poc` or `demo`."""
    expiration_days: Days | UnsetType | None = UNSET
    """Days from now until the project expires. Null: it never does."""
    billed_monthly_price: Price | UnsetType | None = UNSET
    """Price of the project for a month. It is stored and returned."""
    data_retention_time_in_days: Days | UnsetType = UNSET
    """For how many days earlier states of tables can be restored."""
    timezone: str | UnsetType | None = UNSET
    """Time zone of the project, such as `Europe/Prague`."""


LIMIT_NAME = "a letter, then up to 127 letters, digits, dots, dashes and underscores"


class NewLimit(Wire, frozen=True, kw_only=True):
    name: Annotated[str, matching(r"^[A-Za-z][A-Za-z0-9._-]{0,127}$(?!\n)", LIMIT_NAME, "storage.jobsParallelism")]
    """Name of the limit, such as `storage.jobsParallelism`."""
    value: Annotated[float, msgspec.Meta(ge=0, le=2.0**53)]
    """Value of the limit."""


class NewLimits(Wire, frozen=True, kw_only=True):
    limits: Names[NewLimit]
    """The limits to set. The others stay."""


class Disabling(Wire, frozen=True, kw_only=True):
    is_disabled: bool
    """Whether the project is disabled: its tokens then stop working."""
    disable_reason: ShortText | None = None
    """Why it is disabled, as its users are told."""
    estimated_end_time: str | None = None
    """When it will work again, as its users are told."""


class Move(Wire, frozen=True, kw_only=True):
    organization_id: Number
    """Id of the organization that the project is moved to."""


class NewCredits(Wire, frozen=True, kw_only=True):
    amount: Annotated[float, msgspec.Meta(gt=-(10.0**12), lt=10.0**12)]
    """How many credits are added. A negative number takes some back."""
    description: Name
    """What the credits are for."""


class CreditsView(Wire, frozen=True, kw_only=True):
    id: int
    credits_amount: float
    money_amount: None = None
    id_stripe_invoice: None = None
    description: str
    created: str


class Disabled(Wire, frozen=True, kw_only=True):
    reason: str | None
    estimated_end_time: str | None


class PayAsYouGo(Wire, frozen=True, kw_only=True):
    purchased_credits: float


class OrganizationRef(Wire, frozen=True, kw_only=True):
    id: int
    name: str
    created: str
    allow_auto_join: bool


class ProjectOrganizationRef(OrganizationRef, frozen=True, kw_only=True):
    crm_id: str | None
    activity_center_project_id: str | None
    """As text, which clients expect here; the organization itself has it as a number."""


class BackendRef(Wire, frozen=True, kw_only=True):
    id: int
    host: str
    region: str = REGION
    owner: str = OWNER


class FileStorageRef(Wire, frozen=True, kw_only=True):
    id: int
    region: str = REGION
    provider: str = "azure"
    owner: str = OWNER
    is_default: bool = True


class ProjectFacts(Wire, frozen=True, kw_only=True):
    """What is said of every project, deleted or not."""

    id: int
    name: str
    type: str
    region: str = REGION
    created: str
    expires: str | None
    features: list[str]
    data_size_bytes: int
    rows_count: int
    has_mysql: bool = False
    has_redshift: bool = False
    has_snowflake: bool = True
    has_synapse: bool = False
    has_teradata: bool = False
    has_exasol: bool = False
    default_backend: str
    has_try_mode_on: str
    limits: dict[str, Limit]
    metrics: dict[str, Limit]
    is_disabled: bool
    billed_monthly_price: float | None
    data_retention_time_in_days: int


class ProjectView(ProjectFacts, frozen=True, kw_only=True):
    organization: ProjectOrganizationRef
    has_bigquery: bool = False
    is_byodb: bool = msgspec.field(default=False, name="isBYODB")
    assigned_backends: tuple[str, ...] = (BACKEND,)
    file_storage_provider: str = "azure"
    file_storage: FileStorageRef
    backends: dict[str, BackendRef]
    timezone: str | None
    disabled: Disabled | UnsetType = UNSET
    pay_as_you_go: PayAsYouGo | UnsetType = UNSET


class DeletedProjectView(ProjectFacts, frozen=True, kw_only=True):
    organization: OrganizationRef
    is_purged: bool
    is_deleted: bool
    deleted_time: str | None
    purged_time: str | None


class DeletedQuery(Wire, frozen=True, kw_only=True):
    name: str = ""
    """Only projects with this text in their name."""
    organization_id: Number | None = None
    """Only projects of this organization."""
    offset: Annotated[int, msgspec.Meta(ge=0, le=2**53)] = 0
    """How many projects are skipped before the first one that is returned."""
    limit: Annotated[int, msgspec.Meta(ge=1, le=1000)] = 100
    """The highest number of projects to return."""


class ProjectTemplate(Wire, frozen=True, kw_only=True):
    id: str
    name: str
    description: str
    expiration_days: int | None
    billed_monthly_price: float | None = None
    has_try_mode_on: bool = False
    default_backend: str = BACKEND


TEMPLATES = (
    ProjectTemplate(id="production", name="Production", description="A project without an end.", expiration_days=None),
    ProjectTemplate(
        id="poc", name="Proof of concept", description="A project that ends after 90 days.", expiration_days=90
    ),
    ProjectTemplate(id="demo", name="Demo", description="A project that ends after 30 days.", expiration_days=30),
)
"""The kinds of projects. What a template has besides are the features that it gives to new projects."""
