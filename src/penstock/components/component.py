"""The definition of a component."""

from __future__ import annotations

from collections.abc import Callable
from enum import StrEnum
from pathlib import Path
from typing import Any

import msgspec

DATA_TYPE_SUPPORT = ("authoritative", "hints", "none")
"""How data types in a component's manifests are used: as types of the tables, as metadata, or ignored."""


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
    """`standard`: lines on stdout and stderr; `gelf`: records sent to an address that the job receives."""
    gelf_server_type: str = "tcp"
    verbosity: dict[str, str] = {}
    """By level (`100` to `600`): none, camouflage, normal or verbose."""


class Archive(msgspec.Struct, frozen=True):
    """The program of a published component: a ZIP file in the object store of the stack."""

    id: int
    content: str
    """Its name in the object store."""
    sha256: str


class Definition(msgspec.Struct, frozen=True, kw_only=True):
    """What bundled and custom components define."""

    id: str
    name: str
    type: str
    description: str = ""
    long_description: str = ""
    image: str = ""
    """The image for a container launcher; without one it runs as a process."""
    tag: str = "1.0.0"
    memory_megabytes: int = 2048
    timeout_seconds: int = 4 * 3600
    network: str = "bridge"
    """`bridge`, or `none`."""
    default_bucket: bool = False
    default_bucket_stage: str = "in"
    data_type_support: str = ""
    """One of DATA_TYPE_SUPPORT, the default for configurations; empty if not defined."""
    logging: Logging = Logging()
    forward_token: bool = False
    forward_token_details: bool = False
    no_application_errors: bool = False
    image_parameters: dict[str, Any] = {}
    stack_parameters: dict[str, dict[str, Any]] = {}
    """By the host of Storage: merged over the image parameters."""
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
    """Complete working configurations, for users and agents to start from."""
    configuration_row_examples: tuple[dict[str, Any], ...] = ()
    documentation_url: str = ""
    documentation: str = ""
    """In Markdown, for users and agents; for a bundled component it is generated from the fields above."""


class Component(Definition, frozen=True, kw_only=True):
    """A program that a job runs in a data folder, and its presentation to users."""

    aliases: tuple[str, ...] = ()
    editor_schema: dict[str, Any] = {}
    """Of a bundled component: what forms, editors and agents use if the configuration schema is left empty. Official
    programs refuse configurations that do not match the latter, and expect it to be empty for some components."""
    runs: Runs = Runs.PROGRAM
    why_not_runnable: str = ""
    """Of one without jobs: the error message for requests to run it."""
    module: str = ""
    """Of a bundled component: the Python module to run, with these arguments."""
    arguments: tuple[str, ...] = ()
    command: tuple[str, ...] = ()
    """Of a custom component: the command. A first word with a slash is a file in its folder."""
    folder: Path | None = None
    """Of a custom component: its folder on this machine."""
    archive: Archive | None = None
    """Of a published component: a worker unpacks it, which gives the component its folder."""
    digest: str = ""
    """Of a published component: the checksum of its archive, or the digest of its image, if that is known."""
    version: int = 1
    """Of a published component: counts its changes."""
    icons: tuple[str, str] = ("", "")
    """The addresses of its icons, of 32 and 64 pixels."""
    inherits: tuple[str, ...] = ()
    """Of a bundled component: the variables that it inherits from its worker's environment, if they are set."""
    runs_scripts: bool = False
    """Of a bundled component: whether its configuration contains code, which must not access data of the operator."""
    hosts_of: Callable[[dict[str, Any]], str] = _nowhere
    """The hosts for which a configuration's secrets are encrypted: with other hosts, they cannot be decrypted."""
    omits_empty_tables: bool = False
    """Whether it writes no file for a table without rows; then an output mapping of a missing file is not an error."""
    work: str = ""
    """The folder inside the data folder from which an interrupted run can continue, if any; a running component holds a
    lock on its parent."""

    @property
    def full_schema(self) -> dict[str, Any]:
        """Returns all that is known of its configurations."""
        return self.editor_schema or self.configuration_schema

    @property
    def runs_user_code(self) -> bool:
        """Returns whether it runs code of its users: scripts, or a custom component."""
        return self.runs_scripts or not self.module

    @property
    def has_command(self) -> bool:
        """Returns whether it can run without its image."""
        return bool(self.module or self.command)

    @property
    def is_runnable(self) -> bool:
        return self.runs not in (Runs.NOTHING, Runs.NOT_YET)
