"""How the program of a component is started: its command, environment and limits. The same for jobs and for actions."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from penstock.components.command import build_command
from penstock.components.component import Component
from penstock.foundation.stack import Stack
from penstock.foundation.stacks import STORAGE, service_host
from penstock.runtime.environment import RunContext, to_environment
from penstock.runtime.launch import Launch, Limits
from penstock.services.queue.execution.gates import find_gate, find_reaches
from penstock.services.storage import interface as storage


def make_launch(
    stack: Stack, component: Component, folder: Path, context: RunContext, limits: Limits, tag: str = ""
) -> Launch:
    """`folder` is the data folder of the program; without a tag, its image is the published one."""
    # One for each project: programs of one project would run what those of another left there.
    cache = stack.folder / "cache" / context.project_id
    cache.mkdir(parents=True, exist_ok=True, mode=0o700)
    inherited = {name: os.environ[name] for name in component.inherits if name in os.environ}
    own = {"PENSTOCK_CACHE": str(cache), "PENSTOCK_MEMORY_MEGABYTES": str(limits.memory_megabytes)}
    outbound = stack.outbound.to_environment() if component.network != "none" else {}
    operators = {**inherited, **outbound}
    return Launch(
        command=tuple(build_command(component)),
        folder=folder,
        environment={**({} if component.runs_user_code else operators), **to_environment(context), **own},
        # A component of the user's own has no part in them at all.
        private=operators if component.runs_scripts else {},
        limits=limits,
        network=component.network,
        gate=find_gate(stack.outbound, component, context) if component.runs_user_code else None,
        reaches=find_reaches(component, context),
        image=find_image(component, tag),
        readable=tuple(Path(path) for path in (component.folder, stack.outbound.ca_bundle) if path),
        writable=(cache,),
        hidden=(stack.folder,),
        project_id=int(context.project_id),
    )


def find_image(component: Component, tag: str = "") -> str:
    """Return the image by its digest, if that is known: someone may have pushed another image with the same tag."""
    if not component.image:
        return ""
    return f"{component.image}@{component.digest}" if component.digest else f"{component.image}:{tag or component.tag}"


def make_limits(stack: Stack, component: Component, timeout_seconds: int, size: float = 1.0) -> Limits:
    """`size` is how much of the component's memory it gets."""
    return Limits(
        memory_megabytes=int(component.memory_megabytes * size),
        timeout_seconds=timeout_seconds,
        disk_megabytes=stack.settings.job_disk_megabytes,
        reserve_megabytes=stack.settings.disk_reserve_megabytes,
        niceness=stack.settings.component_niceness,
    )


def find_image_parameters(stack: Stack, component: Component) -> dict[str, Any]:
    """What the operator has set for the component, on this stack."""
    host = service_host(STORAGE, stack.domain)
    return storage.overlay(component.image_parameters, component.stack_parameters.get(host) or {})
