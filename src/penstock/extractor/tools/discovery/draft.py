"""The configuration while it is being built; each part is added when it is known, with a finding: the choice, and the
evidence for it."""

from __future__ import annotations

import re
from typing import Any, cast

import msgspec
from msgspec import UNSET, UnsetType

from penstock.foundation.redaction import Redactor

_LONG = re.compile(r"(\S{97})\S{4,}")
"""A word of more than 100 characters."""


class Draft(msgspec.Struct, frozen=True):
    base_url: str
    job: dict[str, Any]
    authentication: dict[str, Any] = {}
    headers: dict[str, Any] = {}
    attributes: dict[str, Any] = {}
    """Values of `config` that functions refer to, secrets among them."""
    pagination: dict[str, Any] = {}

    def with_job(self, **settings: Any) -> Draft:
        return msgspec.structs.replace(self, job={**self.job, **settings})

    def with_params(self, params: dict[str, Any]) -> Draft:
        return self.with_job(params={**self.params, **params}) if params else self

    def with_pagination(self, pagination: dict[str, Any]) -> Draft:
        return msgspec.structs.replace(self, pagination=pagination)

    @property
    def params(self) -> dict[str, Any]:
        return cast(dict[str, Any], self.job.get("params") or {})

    def document(self) -> dict[str, Any]:
        """Returns the document as `penstock extract` and a configuration in a stack take it."""
        http = {"http": {"headers": self.headers}} if self.headers else {}
        optional = {"authentication": self.authentication, "pagination": self.pagination}
        api = {"baseUrl": self.base_url, **{key: value for key, value in optional.items() if value}, **http}
        job = {key: value for key, value in self.job.items() if value not in ({}, [], "") or self._is_body(key)}
        return {"parameters": {"api": api, "config": {**self.attributes, "jobs": [job]}}}

    def _is_body(self, setting: str) -> bool:
        """Some APIs want a body although it is empty."""
        return setting == "params" and self.job[setting] == {} and self.job.get("method") == "POST"


class Finding(msgspec.Struct, frozen=True, rename="camel"):
    subject: str
    """Such as `records` or `pagination`."""
    choice: str
    evidence: str
    """What was seen: a field, its value, the request."""
    is_proven: bool = True
    job: dict[str, Any] | UnsetType = UNSET
    """Settings of the job that make use of the finding, if the configuration does not have them."""

    def cleaned(self, redactor: Redactor) -> Finding:
        """Returns the finding without secrets, and with long values cut afterwards, because a part of a secret would
        not be recognized."""
        evidence = _LONG.sub(r"\1...", redactor.clean(self.evidence))
        return msgspec.structs.replace(self, choice=redactor.clean(self.choice), evidence=evidence)
