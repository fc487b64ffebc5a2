"""With a model: it answers questions from passages and chooses components, and what it says is checked."""

from __future__ import annotations

import json
import logging
import threading
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from penstock.services.ai import model
from penstock.services.ai.model import NotAnswered
from penstock.services.ai.operations.asking import (
    ANSWER_TASK,
    CHOICE_TASK,
    MAX_CANDIDATES,
    MAX_PASSAGES,
    link_citations,
    read_choices,
)
from penstock.services.ai.operations.retrieval import Quote
from penstock.services.ai.secrets_in_texts import hide_in_text
from tests.support.api import Api, Response, Seen
from tests.support.stacks import ServicesOnly
from tests.unit.services.ai.a_model import KEY, PATH, completion, sent
from tests.unit.services.ai.test_retrieval import ask, suggest
from tests.unit.services.each_database import on_one_database

QUESTION = "How do I store a secret in the vault?"
WISH = "load data from a REST API"
GENERIC, WRITER = "ex-generic-v2", "kds-team.wr-generic"
QUOTES = [Quote("A", "text", "http://a/1", 0.5), Quote("B", "text", "http://a/2", 0.4)]
BAD_ANSWERS = [
    (Response(500, b"broken"), "status 500"),
    (Response(200, b"no json"), "cannot be read"),
    (Response.json(completion(None)), "cannot be read"),
    (Response.json(completion(" ")), "was empty"),
    (Response(200, b"{}", cut=1), "cannot be reached"),
]


@pytest.fixture(autouse=True)
def forget(api: Api) -> None:
    api.seen.clear()


def say(api: Api, text: Any) -> None:
    api.on(PATH, lambda _seen: Response.json(completion(text)))


def choose(api: Api, *choices: tuple[str, Any]) -> None:
    chosen = [{"componentId": component_id, "score": score} for component_id, score in choices]
    say(api, json.dumps({"components": chosen}))


def reasons(caplog: pytest.LogCaptureFixture) -> list[str]:
    records = [record for record in caplog.records if record.message == "the model did not answer"]
    return [vars(record)["facts"]["reason"] for record in records]


def test_the_model_answers_a_question_from_the_passages_and_names_its_sources(asking: ServicesOnly, api: Api) -> None:
    say(api, "Create a variable [2]. It is encrypted [1, 2].")
    answer = ask(asking, QUESTION)

    assert sent(api)["task"] == ANSWER_TASK
    facts = sent(api)["facts"]
    assert facts["question"] == QUESTION
    assert [each["number"] for each in facts["passages"]] == list(range(1, len(facts["passages"]) + 1))
    assert 4 < len(facts["passages"]) <= MAX_PASSAGES
    assert facts["passages"][0]["title"] == "Vault: Store a secret"
    assert facts["passages"][0].keys() == {"number", "title", "text"}
    second, first = answer["sourceUrls"]
    assert first.endswith("/docs/services/vault.md#store-a-secret")
    assert answer["text"] == f"Create a variable [2]({second}). It is encrypted [1]({first}) [2]({second})."
    assert answer["response"] == answer["text"]
    assert answer["metadata"] == {"sources": answer["sourceUrls"]}


def test_sources_that_the_model_was_not_given_are_removed() -> None:
    text = "See [1], [7] and [2]. ![x](https://evil.example/?q=1) [docs](https://evil.example/) [B](http://a/2)"

    assert link_citations(text, QUOTES) == (
        "See [1](http://a/1),  and [2](http://a/2). x docs [B](http://a/2)",
        ["http://a/1", "http://a/2"],
    )
    assert link_citations("No citation.", QUOTES) == ("No citation.", ["http://a/1", "http://a/2"])


@given(st.text(alphabet="[]()!12, <>ah:/\\x", max_size=60))
def test_links_of_any_answer_lead_to_sources_only(text: str) -> None:
    _, urls = link_citations(text, QUOTES)

    assert set(urls) <= {"http://a/1", "http://a/2"}


def test_a_question_without_passages_is_not_sent(asking: ServicesOnly, api: Api) -> None:
    assert ask(asking, "zzyzx qwertzuiop")["sourceUrls"] == []
    assert api.seen == []


def test_the_model_chooses_among_components_and_orders_them(asking: ServicesOnly, api: Api) -> None:
    choose(api, (WRITER, 0.2), (GENERIC, 0.9), ("nobody.nothing", 1), (GENERIC, 0.1))

    assert suggest(asking, WISH) == [
        {"componentId": GENERIC, "score": 0.9, "source": "bundled"},
        {"componentId": WRITER, "score": 0.2, "source": "bundled"},
    ]
    assert sent(api)["task"] == CHOICE_TASK
    facts = sent(api)["facts"]
    assert facts["question"] == WISH
    assert facts["components"][0] == {
        "componentId": GENERIC,
        "name": "Generic",
        "type": "extractor",
        "description": "Reads any HTTP API into tables, as its configuration says.",
    }
    assert len(facts["components"]) <= MAX_CANDIDATES
    say(api, '```json\n{"components": [{"componentId": "keboola.flow", "score": 1}]}\n```')
    assert [each["componentId"] for each in suggest(asking, WISH)] == ["keboola.flow"], "in a block of Markdown"
    choose(api)
    assert suggest(asking, WISH) == [], "the model may say that nothing fits"
    choose(api, ("keboola.data-apps", 0.7))
    assert suggest(asking, "bake a chocolate cake")[0]["componentId"] == "keboola.data-apps"


@on_one_database
@pytest.mark.parametrize(("script", "reason"), BAD_ANSWERS)
def test_a_model_that_fails_leaves_what_retrieval_has_and_the_log_says_so(
    asking: ServicesOnly,
    shared: ServicesOnly,
    api: Api,
    caplog: pytest.LogCaptureFixture,
    script: Response,
    reason: str,
) -> None:
    caplog.set_level(logging.WARNING)
    api.on(PATH, lambda _seen: script)

    assert suggest(asking, WISH) == suggest(shared, WISH)
    answer, retrieved = ask(asking, QUESTION), ask(shared, QUESTION)
    assert answer["text"].startswith("From [Vault: Store a secret](")
    assert "Note: this answer was made without the model that this stack is set to use." in answer["text"]
    assert len(answer["sourceUrls"]) == len(retrieved["sourceUrls"])
    assert len(reasons(caplog)) == 2
    assert all(reason in each for each in reasons(caplog))


@on_one_database
@pytest.mark.parametrize(
    "text",
    [
        "I recommend the generic extractor.",
        '{"components": "ex-generic-v2"}',
        '{"components": [{"componentId": "ex-generic-v2"}]}',
        '{"components": [{"componentId": "ex-generic-v2", "score": 7}]}',
        '{"components": [{"componentId": 5, "score": 0.5}]}',
        '{"components": [{"componentId": "nobody.nothing", "score": 0.5}]}',
        '{"components": [',
        "} {",
    ],
)
def test_a_choice_that_is_not_valid_is_not_used(
    asking: ServicesOnly, shared: ServicesOnly, api: Api, caplog: pytest.LogCaptureFixture, text: str
) -> None:
    caplog.set_level(logging.WARNING)
    say(api, text)

    assert suggest(asking, WISH) == suggest(shared, WISH)
    assert len(reasons(caplog)) == 1


@given(st.text(alphabet='{}[]":, componentIdscore01.ex-abc', max_size=100))
def test_any_text_of_a_model_is_a_choice_or_a_failure(text: str) -> None:
    try:
        choices = read_choices(text, ["a", "b"])
    except NotAnswered:
        return
    assert {component_id for component_id, _ in choices} <= {"a", "b"}


def test_a_slow_model_is_not_waited_for(asking: ServicesOnly, api: Api, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(model, "TIMEOUT_SECONDS", 0.1)
    release = threading.Event()

    def hang(_seen: Seen) -> Response:
        release.wait(20)
        return Response.json(completion("late"))

    api.on(PATH, hang)
    components, answer = suggest(asking, WISH), ask(asking, QUESTION)
    release.set()
    assert components[0]["componentId"] == GENERIC
    assert "did not answer within" in answer["text"]


def test_secrets_in_questions_and_wishes_are_not_sent(asking: ServicesOnly, api: Api) -> None:
    """The model repeats everything that it was sent, which is the worst that a model can do."""
    api.on(PATH, lambda seen: Response.json(completion(seen.body.decode())))
    token = asking.project.token
    secrets = {
        token: f"my token {token} in the vault",
        KEY: f"the key {KEY}",
        "cipher-canary": "KBC::ProjectSecure::cipher-canary==",
        "hash-canary": 'my configuration {"api": {"#password": "hash-canary \\" more"}}',
        "bearer-canary": "curl -H 'Authorization: Bearer bearer-canary-1'",
        "basic-canary": "Authorization: basic basic-canary=",
        "address-canary": "https://user:address-canary@api.example.com/v1",
        "query-canary": "https://api.example.com/v1?page=1&api_key=query-canary",
        "quoted-canary": 'the password: "quoted-canary" is refused',
        "personal-canary": "kbc_pat_personal-canary",
        "otherprojectcanary": "the token 1234-56789-otherprojectcanary0123456789",
        "pem-canary": "-----BEGIN RSA PRIVATE KEY-----\npem-canary\n-----END RSA PRIVATE KEY-----",
    }
    for secret, text in secrets.items():
        question = f"How is this stored in the vault, a secret of an API: {text}"
        assert secret not in ask(asking, question)["text"], text
        suggest(asking, question)
        assert "[hidden]" in sent(api)["facts"]["question"]
    assert [secret for secret in secrets for seen in api.seen if secret.encode() in seen.body] == []
    assert len(api.seen) == 2 * len(secrets)


def test_a_secret_at_the_place_where_a_text_is_cut_is_hidden_as_a_whole(asking: ServicesOnly, api: Api) -> None:
    say(api, "Yes.")
    token = asking.project.token
    filler = "vault " * ((model.MAX_TEXT_CHARACTERS - 8) // 6)
    ask(asking, f"{filler}{token} secret")

    assert token[:8] not in sent(api)["facts"]["question"][len(filler) :]


def test_texts_without_secrets_stay_as_they_are() -> None:
    for text in (
        "The primary key is `id`, and the token expires.",
        "https://api.example.com:8080/v1?limit=100&page=2 at 2024-01-01",
        'password = the setting "#password" of parameters.api',
        "basic authentication, bearer tokens, secret: a value",
    ):
        assert hide_in_text(text) == text
