"""What a browser shows if an authorization was not completed."""

from __future__ import annotations

import pytest

from tests.support.api import Response as Reply
from tests.support.http import Response
from tests.support.providers import Browser, Provider
from tests.unit.services.oauth.broker import COMPONENT, RETURN, Broker

HTML = "text/html,application/xhtml+xml,*/*;q=0.8"


def check_page(response: Response) -> None:
    assert response.status == 400, response.text
    assert response.headers["content-type"] == "text/html; charset=utf-8"
    assert response.headers["cache-control"] == "no-store"
    assert "default-src 'none'" in response.headers["content-security-policy"]
    assert "frame-ancestors 'none'" in response.headers["content-security-policy"]
    assert "<script" not in response.text


def test_a_user_who_refuses_sees_a_page_that_leads_back(broker: Broker, provider: Provider) -> None:
    broker.register(provider.consumer())
    provider.refuses, provider.explains = "access_denied", "The user <b>denied</b> the request"
    refused = broker.authorize(broker.form(), accept=HTML)

    check_page(refused)
    assert "The authorization was not granted: access_denied." in refused.text
    assert f"<strong>{COMPONENT}</strong>" in refused.text
    assert "<q>The user &lt;b&gt;denied&lt;/b&gt; the request</q>" in refused.text
    assert f'href="{RETURN}"' in refused.text
    assert "Max-Age=0" in refused.headers["set-cookie"]


def test_the_words_of_a_provider_cannot_leave_their_place(broker: Broker, provider: Provider) -> None:
    broker.register(provider.consumer())
    provider.refuses, provider.explains = "access_denied", "</q><script>alert(1)</script>" + "x" * 3000
    refused = broker.authorize(broker.form(returnUrl="https://ui.example.com/?a=%22%3E&b='x'"), accept=HTML)

    check_page(refused)
    assert len(refused.text) < 4000
    assert "b=&#x27;x&#x27;" in refused.text


def test_a_provider_that_fails_is_shown_as_a_page(broker: Broker, provider: Provider) -> None:
    broker.register(provider.consumer())
    provider.failing = [Reply.json({"error": "invalid_client"}, 401)]
    failed = broker.authorize(broker.form(), accept=HTML)

    check_page(failed)
    assert "status 401, invalid_client" in failed.text
    assert f'href="{RETURN}"' in failed.text


@pytest.mark.parametrize("query", ["state=unknown", "error=access_denied", ""])
def test_an_unknown_authorization_leads_to_the_console_and_repeats_nothing(broker: Broker, query: str) -> None:
    url = f"{broker.http.base}/authorize/{COMPONENT}/callback?{query}&error_description=CANARY"
    lost = Browser().visit(url, HTML)

    check_page(lost)
    assert "was not started in this browser" in lost.text
    assert '/_svc/storage/admin"' in lost.text
    assert "CANARY" not in lost.text


@pytest.mark.parametrize("accept", ["*/*", "application/json"])
def test_a_program_gets_json(broker: Broker, provider: Provider, accept: str) -> None:
    broker.register(provider.consumer())
    provider.refuses = "access_denied"
    refused = broker.authorize(broker.form(), accept=accept)

    assert (refused.status, refused.headers["content-type"]) == (400, "application/json")
    assert refused.json["error"].startswith("The authorization was not granted")
