"""What a component is."""

from __future__ import annotations

from collections.abc import Callable
from enum import StrEnum
from pathlib import Path
from typing import Any

import msgspec

DATA_TYPE_SUPPORT = ("authoritative", "hints", "none")
"""What the data types in a component's manifests are: those of the tables, only metadata, or ignored."""


class Runs(StrEnum):
    """What a job of the component does."""

    PROGRAM = "program"
    """Starts its program in a data folder."""
    FLOW = "flow"
    """Runs other jobs, as the phases of `keboola.flow` say."""
    ORCHESTRATION = "orchestration"
    """Runs other jobs, as the phases of `keboola.orchestrator` say."""
    NOTHING = "nothing"
    """It only has configurations that others read."""
    NOT_YET = "not yet"
    """Clients expect it, so it can be configured; its jobs are refused until this platform can run them."""


def _nowhere(_configuration: dict[str, Any]) -> str:
    return ""


class Logging(msgspec.Struct, frozen=True, kw_only=True):
    type: str = "standard"
    """`standard`: lines on stdout and stderr; `gelf`: records sent to an address that the job is told."""
    gelf_server_type: str = "tcp"
    verbosity: dict[str, str] = {}
    """By level (`100` to `600`): none, camouflage, normal or verbose."""


class Definition(msgspec.Struct, frozen=True, kw_only=True):
    """What every component says of itself, whether it ships or is one's own."""

    id: str
    name: str
    type: str
    description: str = ""
    long_description: str = ""
    image: str = ""
    """What a container launcher runs it in; without one it runs as a process."""
    tag: str = "1.0.0"
    memory_megabytes: int = 2048
    timeout_seconds: int = 4 * 3600
    network: str = "bridge"
    """`bridge`, or `none`."""
    default_bucket: bool = False
    default_bucket_stage: str = "in"
    data_type_support: str = ""
    """One of DATA_TYPE_SUPPORT, for configurations that do not choose one; empty if the component does not say."""
    logging: Logging = Logging()
    forward_token: bool = False
    forward_token_details: bool = False
    no_application_errors: bool = False
    image_parameters: dict[str, Any] = {}
    stack_parameters: dict[str, dict[str, Any]] = {}
    """By the host of Storage: laid over the image parameters."""
    features: tuple[str, ...] = ()
    flags: tuple[str, ...] = ()
    categories: tuple[str, ...] = ()
    synchronous_actions: tuple[str, ...] = ()
    configuration_schema: dict[str, Any] = {}
    configuration_row_schema: dict[str, Any] = {}
    empty_configuration: dict[str, Any] = {}
    empty_configuration_row: dict[str, Any] = {}
    configuration_description: str = ""
    configuration_examples: tuple[dict[str, Any], ...] = ()
    """Whole configurations that work, for people and agents to start from."""
    configuration_row_examples: tuple[dict[str, Any], ...] = ()
    documentation_url: str = ""
    documentation: str = ""
    """In Markdown, for people and agents; of a component that ships it is made from everything above."""


class Component(Definition, frozen=True, kw_only=True):
    """A program that a job runs in a data folder, and how it is shown to those who configure it."""

    aliases: tuple[str, ...] = ()
    runs: Runs = Runs.PROGRAM
    why_not_runnable: str = ""
    """Of one without jobs: the sentence that those who ask for a job read."""
    module: str = ""
    """Of a component that ships with the platform: the Python module that is run, with these arguments."""
    arguments: tuple[str, ...] = ()
    command: tuple[str, ...] = ()
    """Of a component of one's own: what is run. A first word with a slash in it is a file in its folder."""
    folder: Path | None = None
    """Of one's own: where it is."""
    inherits: tuple[str, ...] = ()
    """Of a component that ships: the variables that it gets from its worker's environment, where they are set."""
    runs_scripts: bool = False
    """Of a component that ships: whether its configuration holds code, which is to see nothing of the operator's."""
    hosts_of: Callable[[dict[str, Any]], str] = _nowhere
    """The hosts that a configuration's secrets are meant for: with others in it, they do not open."""
    work: str = ""
    """The folder inside the data folder from which an interrupted run goes on, if it can; while the component runs, it
    holds a lock on the folder around it."""

    @property
    def runs_user_code(self) -> bool:
        """Whether code of its users runs: scripts, or a component of their own."""
        return self.runs_scripts or not self.module

    @property
    def is_runnable(self) -> bool:
        return self.runs not in (Runs.NOTHING, Runs.NOT_YET)
