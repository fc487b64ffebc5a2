"""What an orchestration's configuration looks like, as a JSON schema."""

from __future__ import annotations

from typing import Any

ID: dict[str, Any] = {"type": ["integer", "string"]}
TEXT: dict[str, Any] = {"type": "string", "minLength": 1}

PHASE: dict[str, Any] = {
    "type": "object",
    "required": ["id", "name"],
    "properties": {
        "id": ID,
        "name": TEXT,
        "description": {"type": "string"},
        "dependsOn": {"type": "array", "items": ID, "description": "The phases that must have ended before."},
        "behavior": {
            "type": "object",
            "properties": {
                "onError": {
                    "enum": ["stop", "warning", "fail", None],
                    "description": "stop: no other phase begins; warning: the phases after it run all the same.",
                }
            },
        },
    },
}
JOB: dict[str, Any] = {
    "type": "object",
    "required": ["componentId"],
    "properties": {
        "componentId": TEXT,
        "configId": {"type": ["string", "integer"]},
        "configData": {"type": "object"},
        "configRowIds": {"type": "array", "items": {"type": "string"}},
        "mode": {"enum": ["run", "debug"]},
        "tag": {"type": "string"},
        "variableValuesId": {"type": "string"},
        "variableValuesData": {"type": "object"},
    },
}
TASK: dict[str, Any] = {
    "type": "object",
    "required": ["id", "name", "phase", "task"],
    "properties": {
        "id": ID,
        "name": TEXT,
        "phase": ID,
        "enabled": {"type": "boolean", "default": True},
        "continueOnFailure": {"type": "boolean", "default": False},
        "task": JOB,
    },
}
SCHEMA: dict[str, Any] = {
    "$schema": "http://json-schema.org/draft-07/schema#",
    "type": "object",
    "required": ["phases", "tasks"],
    "properties": {"phases": {"type": "array", "items": PHASE}, "tasks": {"type": "array", "items": TASK}},
}
