"""Between the fields of an app, a component as jobs run it, and the manifest of an archive."""

from __future__ import annotations

from typing import Any

import msgspec

from penstock.components.component import Archive, Component, Definition, Runs
from penstock.components.manifest import Manifest
from penstock.services.developer.models.apps import ARCHIVE, ArchiveRow, Document, Versioned, VersionRow

_SAME = {
    "name": "name",
    "type": "type",
    "shortDescription": "description",
    "longDescription": "long_description",
    "documentationUrl": "documentation_url",
    "configurationDescription": "configuration_description",
    "processTimeout": "timeout_seconds",
    "forwardToken": "forward_token",
    "forwardTokenDetails": "forward_token_details",
    "features": "features",
    "categories": "categories",
    "uiOptions": "flags",
    "actions": "synchronous_actions",
    "defaultBucket": "default_bucket",
    "defaultBucketStage": "default_bucket_stage",
    "configurationSchema": "configuration_schema",
    "configurationRowSchema": "configuration_row_schema",
    "emptyConfiguration": "empty_configuration",
    "emptyConfigurationRow": "empty_configuration_row",
    "imageParameters": "image_parameters",
    "stackParameters": "stack_parameters",
    "dataTypeSupport": "data_type_support",
    "noApplicationErrors": "no_application_errors",
    "documentation": "documentation",
    "configurationExamples": "configuration_examples",
    "configurationRowExamples": "configuration_row_examples",
}
"""Fields of an app that a component has under another name."""
_KEPT = {"processTimeout", "forwardToken", "forwardTokenDetails", "features", "categories"}
OF_MANIFEST = frozenset(_SAME) - _KEPT - {"imageParameters", "stackParameters"}
"""What an archive says anew, also by leaving it out; the rest stays as it was set."""
_DEFAULTS = Definition(id="", name="", type="")


def to_component(versioned: Versioned) -> Component:
    """The app in this version, as Storage shows it and jobs run it."""
    fields, version = versioned.version.fields, versioned.version
    image = "" if versioned.archive else str(read_repository(version, None).get("uri") or "")
    known = {
        **{ours: fields[theirs] for theirs, ours in _SAME.items() if theirs in fields},
        "id": versioned.app.id,
        "tag": version.tag,
        "image": image,
        "memory_megabytes": _read_memory(str(fields.get("requiredMemory", ""))),
        "network": "bridge" if fields.get("network", "bridge") == "bridge" else "none",
        "logging": {"type": fields.get("logger", "standard"), **fields.get("loggerConfiguration", {})},
    }
    has_program = bool(image or versioned.archive)
    return Component(
        **msgspec.structs.asdict(msgspec.convert(known, Definition)),
        command=tuple(version.command),
        archive=_to_archive(versioned.archive),
        digest=find_digest(version, versioned.archive) or "",
        version=version.version,
        icons=(str(fields.get("icon32", "")), str(fields.get("icon64", ""))),
        runs=Runs.PROGRAM if has_program else Runs.NOTHING,
        why_not_runnable="" if has_program else "It has no program: neither an archive nor an image.",
    )


def to_fields(manifest: Manifest) -> Document:
    """What a manifest says, as fields of an app; only what is not the default."""
    known: Document = msgspec.to_builtins(manifest)
    fields = {theirs: known[ours] for theirs, ours in _SAME.items() if known[ours] != _default(ours)}
    if manifest.memory_megabytes != _DEFAULTS.memory_megabytes:
        fields["requiredMemory"] = f"{manifest.memory_megabytes}m"
    if manifest.network != _DEFAULTS.network:
        fields["network"] = manifest.network
    if manifest.logging != _DEFAULTS.logging:
        fields["logger"] = manifest.logging.type
        of_logger = {"verbosity": manifest.logging.verbosity, "gelf_server_type": manifest.logging.gelf_server_type}
        fields["loggerConfiguration"] = of_logger
    return fields


def read_repository(version: VersionRow, archive: ArchiveRow | None) -> Document:
    """Return where the program of a version is."""
    kept: Document = {"options": {}, **version.fields.get("repository", {}), "tag": version.tag}
    if not archive:
        return kept
    return {**kept, "type": ARCHIVE, "uri": f"sha256:{archive.sha256}", "name": version.app_id}


def find_digest(version: VersionRow, archive: ArchiveRow | None) -> str | None:
    """What makes sure that a program is the one that was looked at; None of an image that is known by its tag only."""
    if archive:
        return f"sha256:{archive.sha256}"
    return str(version.fields.get("repository", {}).get("digest") or "") or None


def _default(field: str) -> Any:
    return msgspec.to_builtins(getattr(_DEFAULTS, field))


def _read_memory(text: str) -> int:
    if not text:
        return _DEFAULTS.memory_megabytes
    return int(text[:-1]) * (1024 if text.endswith("g") else 1)


def _to_archive(row: ArchiveRow | None) -> Archive | None:
    return Archive(row.id, row.content, row.sha256) if row else None
