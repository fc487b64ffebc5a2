"""Requests and responses of AI."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any, Literal

import msgspec

from penstock.foundation.structs import Wire

QUESTION_CHARACTERS = 20_000

Id = str | int
Question = Annotated[str, msgspec.Meta(max_length=QUESTION_CHARACTERS)]


class ComponentDocumentation(Wire, frozen=True, kw_only=True):
    """Everything that an agent needs to write a configuration of a component. All keys are always there."""

    component_id: str
    component_type: str
    component_name: str
    component_categories: list[str]
    component_flags: list[str]
    description: str
    long_description: str
    documentation_url: str | None
    documentation: str | None
    """In Markdown."""
    configuration_schema: dict[str, Any] | None
    configuration_row_schema: dict[str, Any] | None
    configuration_description: str | None
    root_configuration_examples: list[dict[str, Any]]
    row_configuration_examples: list[dict[str, Any]]
    synchronous_actions: list[str]


class ComponentQuery(Wire, frozen=True, kw_only=True):
    prompt: Question
    """What the component should do, in plain words."""


class SuggestedComponent(Wire, frozen=True, kw_only=True):
    component_id: str
    score: float
    """From 0 to 1."""
    source: str
    """`bundled` with the platform, or `added` to this stack."""


class SuggestedComponents(Wire, frozen=True, kw_only=True):
    components: list[SuggestedComponent]
    correlation_id: str


class DocumentationQuestion(Wire, frozen=True, kw_only=True):
    query: Question
    """The question, in plain words."""


class Sources(Wire, frozen=True, kw_only=True):
    sources: list[str]


class DocumentationAnswer(Wire, frozen=True, kw_only=True):
    """One answer in two shapes: `text` with `sourceUrls`, and `response` with `metadata`."""

    text: str
    source_urls: list[str]
    response: str
    metadata: Sources
    correlation_id: str


class JobQuestion(Wire, frozen=True, kw_only=True):
    """`error` may be sent and is ignored: the job itself tells."""

    job_id: Id
    """Id of the job to explain."""
    error: str | None = None
    """Accepted and not used: the job itself says why it failed."""


class Explanation(Wire, frozen=True, kw_only=True):
    answer: str
    correlation_id: str


class ConfigurationQuestion(Wire, frozen=True, kw_only=True):
    branch_id: Id
    """Id of the branch."""
    component_id: str
    """Id of the component."""
    config_id: Id
    """Id of the configuration."""
    row_id: Id | None = None
    """Id of the row. Without it, the whole configuration is described."""


class VersionQuestion(ConfigurationQuestion, frozen=True, kw_only=True):
    """Without `previousVersionId` it is the version before."""

    current_version_id: Id
    """Number of the version to describe."""
    previous_version_id: Id | None = None
    """Number of the version that it is compared with. Without it, the version before."""


class MergeQuestion(Wire, frozen=True, kw_only=True):
    component_id: str
    """Id of the component."""
    config_id: Id
    """Id of the configuration."""
    base_branch_id: Id
    """Id of the branch that gets the changes."""
    current_branch_id: Id
    """Id of the branch with the changes."""


class Description(Wire, frozen=True, kw_only=True):
    description: str
    correlation_id: str


class PromptQuestion(Wire, frozen=True, kw_only=True):
    query: Question
    """The question, in plain words."""


class PromptResponse(Wire, frozen=True, kw_only=True):
    response: str
    correlation_id: str


class FailedJob(Wire, frozen=True, kw_only=True, tag_field="type", tag="failed-job"):
    job_id: Id
    """Id of the job."""


class ConfigurationSubject(Wire, frozen=True, kw_only=True, tag_field="type", tag="configuration"):
    branch_id: Id
    """Id of the branch."""
    component_id: str
    """Id of the component."""
    config_id: Id
    """Id of the configuration."""
    row_id: Id | None = None
    """Id of the row, if the answer was about one."""


class ComponentSuggestions(Wire, frozen=True, kw_only=True, tag_field="type", tag="component-suggestions"):
    search_term: str
    """What the user searched for."""


Subject = FailedJob | ConfigurationSubject | ComponentSuggestions


class NewFeedback(Wire, frozen=True, kw_only=True):
    value: Literal["good", "bad", "cancel"]
    """What the user thought of the answer: `good`, `bad`, or `cancel` to take it back."""
    correlation_id: Annotated[str, msgspec.Meta(max_length=100)] = ""
    """Id of the answer, which it was returned with."""
    comment: Annotated[str, msgspec.Meta(max_length=10_000)] = ""
    """What the user says about it."""
    subject: Subject | None = None
    """What the answer was about."""


class FeedbackRow(msgspec.Struct, frozen=True, kw_only=True):
    id: int
    project_id: int
    token_id: int
    value: str
    correlation_id: str
    comment: str
    subject: dict[str, Any]
    created: datetime


class Stored(Wire, frozen=True, kw_only=True):
    """That it was stored."""

    status: str = "ok"
