"""`make audit`: a vulnerability is never taken for a database that cannot be reached, nor the other way round."""

from __future__ import annotations

import json

import pytest

from tests.support.audit import Output, Report, read_npm_audit, read_pip_audit, tell

SOUND = {"name": "duckdb", "version": "1.5.5", "vulns": []}
FLAW = {"id": "GHSA-1234", "fix_versions": ["3.15.0"], "aliases": [], "description": ""}
BROKEN = {"name": "aiohttp", "version": "3.14.5", "vulns": [FLAW]}
UNKNOWN = {"name": "uvloop", "skip_reason": "Dependency not found on PyPI and could not be audited: uvloop (0.22)"}


def pip_audit(*packages: object, code: int = 0) -> Report:
    return read_pip_audit(Output(code, json.dumps({"dependencies": packages, "fixes": []})))


def npm_audit(document: object, code: int = 1) -> Report:
    return read_npm_audit(Output(code, json.dumps(document)))


def test_a_vulnerability_of_a_python_package_is_a_finding() -> None:
    report = pip_audit(SOUND, BROKEN, code=1)

    assert report == Report(findings=["aiohttp 3.14.5: GHSA-1234, fixed in 3.15.0"])
    assert tell("lock", report) == 1


def test_packages_without_one_are_sound() -> None:
    assert tell("lock", pip_audit(SOUND)) == 0


def test_an_index_that_knows_no_package_has_no_database(capsys: pytest.CaptureFixture[str]) -> None:
    report = pip_audit(UNKNOWN, UNKNOWN)

    assert tell("lock", report) == 0
    assert capsys.readouterr().out.startswith("lock: SKIPPED, nothing was checked: ")


def test_a_package_that_could_not_be_checked_beside_others_is_a_failure() -> None:
    assert tell("lock", pip_audit(SOUND, UNKNOWN)) == 2
    assert tell("lock", pip_audit(BROKEN, UNKNOWN)) == 1


def test_no_connection_is_skipped_and_any_other_end_of_pip_audit_is_a_failure() -> None:
    refused = "requests.exceptions.ConnectionError: Max retries exceeded with url: /pypi/duckdb/json"

    assert read_pip_audit(Output(1, "", refused)).skipped
    assert tell("lock", read_pip_audit(Output(2, "", "pip-audit: error: unrecognized arguments"))) == 2


def test_a_vulnerability_of_the_console_is_a_finding() -> None:
    report = npm_audit({"auditReportVersion": 2, "vulnerabilities": {"vite": {"range": "<9", "severity": "high"}}})

    assert report == Report(findings=["vite <9: high"])
    assert tell("console", report) == 1
    assert tell("console", npm_audit({"auditReportVersion": 2, "vulnerabilities": {}}, code=0)) == 0


@pytest.mark.parametrize(
    "document",
    [
        {"message": "405 Method Not Allowed", "statusCode": 405, "error": {"summary": "", "detail": ""}},
        {"message": "request to the registry failed, reason: getaddrinfo ENOTFOUND", "error": {"summary": ""}},
        {"error": {"code": "ECONNREFUSED", "summary": "connect ECONNREFUSED 127.0.0.1:9"}},
    ],
)
def test_a_registry_without_advisories_is_skipped(document: object) -> None:
    assert npm_audit(document).skipped


def test_any_other_error_of_npm_is_a_failure() -> None:
    assert tell("console", npm_audit({"error": {"code": "EUSAGE", "summary": "no lock file"}})) == 2
    assert tell("console", npm_audit({"message": "500 Internal Server Error", "statusCode": 500})) == 2
    assert tell("console", read_npm_audit(Output(1, "not JSON"))) == 2
