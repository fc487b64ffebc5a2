"""The broker, as its users, managers and jobs use it."""

from __future__ import annotations

import itertools
import json
from collections.abc import Mapping
from typing import Any

from penstock.services.management import interface as management
from penstock.services.oauth import interface
from penstock.web.auth.manage_token import HEADER
from tests.support.http import Http, Response
from tests.support.providers import Browser
from tests.support.stacks import ServicesOnly
from tests.unit.services.fill import Project, first_project

COMPONENT = "ex-generic-v2"
RETURN = "https://ui.example.com/done?tab=oauth"
_numbers = itertools.count(1)


class Broker:
    def __init__(self, services: ServicesOnly) -> None:
        self.services = services
        self.stack = services.stack
        self.project: Project = first_project(services)
        self.http = services.service("oauth")
        self.manager = Http(self.http.base, None, headers={HEADER: self._create_manage_token()})
        self.manager.delete(f"/manage/{COMPONENT}")

    def _create_manage_token(self) -> str:
        with self.stack.database.writing() as tx:
            return management.create_manage_token(tx, "tests", ["oauth:manage"])[1]

    def register(self, consumer: dict[str, Any]) -> dict[str, Any]:
        response = self.manager.post("/manage", consumer)
        assert response.status == 201, response.text
        return response.json

    def form(self, **more: str) -> dict[str, str]:
        known = {"id": f"main-{next(_numbers)}", "authorizedFor": "me", "token": self.project.token}
        return {**known, "returnUrl": RETURN, **more}

    def start(self, browser: Browser, form: Mapping[str, str | bytes], component_id: str = COMPONENT) -> Response:
        return browser.submit(f"{self.http.base}/authorize/{component_id}", form)

    def authorize(self, form: dict[str, str], component_id: str = COMPONENT, accept: str = "*/*") -> Response:
        """The whole way of a user: to the provider, and back."""
        browser = Browser()
        started = self.start(browser, form, component_id)
        assert started.status == 302, started.text
        granted = browser.visit(started.headers["location"])
        return browser.visit(granted.headers["location"], accept)

    def credential(self, credential_id: str, component_id: str = COMPONENT) -> dict[str, Any]:
        response = self.http.get(f"/credentials/{component_id}/{credential_id}")
        assert response.status == 200, response.text
        return response.json

    def add(self, data: Any, **more: Any) -> str:
        body = {"id": f"added-{next(_numbers)}", "authorizedFor": "me", "#data": data, **more}
        response = self.http.post(f"/credentials/{COMPONENT}", body)
        assert response.status == 201, response.text
        return body["id"]

    def encrypt(self, text: str, component_id: str = COMPONENT) -> str:
        """A cipher of the encryption service, which is bound to nothing yet."""
        path = f"/encrypt?componentId={component_id}&projectId={self.project.caller.project_id}"
        http = self.services.service("encryption")
        return http.send("POST", path, text.encode(), {"Content-Type": "text/plain"}).text

    def injected(self, credential_id: str, component_id: str = COMPONENT) -> dict[str, Any]:
        """What a component of the project gets."""
        document = {"authorization": {"oauth_api": {"id": credential_id, "version": 3}}}
        caller = self.project.caller
        found = interface.with_credentials(self.stack, caller, component_id, document)
        return found["authorization"]["oauth_api"]["credentials"]

    def data(self, credential_id: str, component_id: str = COMPONENT) -> dict[str, Any]:
        return json.loads(self.injected(credential_id, component_id)["#data"])
