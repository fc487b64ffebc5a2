"""Runs discovery in a test."""

from __future__ import annotations

import asyncio
import io

from penstock.extractor.base.log import Log
from penstock.extractor.tools.curl.command import read_command
from penstock.extractor.tools.discovery import Discovery, Target, discover
from penstock.foundation.redaction import Redactor


def discover_command(text: str, requests: int = 20) -> Discovery:
    return discover_target(Target(read_command(text)), requests)


def discover_target(target: Target, requests: int = 20) -> Discovery:
    return asyncio.run(discover(target, Log(io.StringIO(), Redactor()), requests))
