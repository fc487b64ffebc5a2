"""AI over HTTP."""

from __future__ import annotations

from typing import Any, Unpack

import msgspec

from penstock.foundation import ids
from penstock.foundation.callers import Right
from penstock.services.ai import model
from penstock.services.ai.errors import EmptyQuestion
from penstock.services.ai.models import (
    ComponentDocumentation,
    ComponentQuery,
    ConfigurationQuestion,
    Description,
    DocumentationAnswer,
    DocumentationQuestion,
    Explanation,
    JobQuestion,
    MergeQuestion,
    NewFeedback,
    PromptQuestion,
    PromptResponse,
    Sources,
    Stored,
    SuggestedComponents,
    VersionQuestion,
)
from penstock.services.ai.operations import (
    asking,
    comparing,
    describing,
    documentation,
    explaining,
    feedback,
    retrieval,
)
from penstock.services.ai.operations.retrieval import Quote
from penstock.services.ai.operations.templates import get_template
from penstock.web.health import description, description_of, health_check
from penstock.web.requests import Request
from penstock.web.routing import Options, Route, get, post
from penstock.web.signatures import Handler


def routes() -> list[Route]:
    """Components and the documentation are for everybody. Jobs and configurations are checked one by one: a token gets
    answers about those that it may see."""
    return [
        get(
            "/docs/components/{component_id}",
            get_component,
            needs=Right.TOKEN,
            title="Get the documentation of a component",
        ),
        _question("/suggest/component", suggest_component, status=200, title="Suggest components for a task"),
        _question("/docs/question", answer_question, title="Answer a question about the documentation"),
        _question("/explain", explain_job, title="Explain why a job failed"),
        _question("/describe/configuration", describe_configuration),
        _question("/describe/configuration-version", describe_version, title="Describe what a version changed"),
        _question("/describe/configuration-merge", describe_merge, title="Describe what a merge would change"),
        _question(
            "/prompt/{template_id}",
            prompt,
            describes={"template_id": "Id of the template of the prompt."},
            title="Answer a prompt from a template",
        ),
        post(
            "/feedback",
            add_feedback,
            needs=Right.TOKEN,
            status=202,
            refuses_body_with=422,
            title="Send feedback about an answer",
        ),
        health_check(description_of("ai")),
        description("ai"),
    ]


def _question(path: str, handler: Handler, **options: Unpack[Options]) -> Route:
    common: Options = {"status": 201, "refuses_body_with": 422, "only_reads": True}
    return post(path, handler, needs=Right.TOKEN, **{**common, **options})


def get_component(request: Request, component_id: str) -> ComponentDocumentation:
    """Everything to write a configuration of a component: texts, schemas and examples."""
    with request.reading() as tx:
        return documentation.get_documentation(tx, component_id)


def suggest_component(request: Request, body: ComponentQuery) -> SuggestedComponents:
    """Components that fit a wish, best first."""
    wish = _asked(body.prompt, "prompt")
    with request.reading() as tx:
        index = retrieval.find_components(tx)
    components = asking.suggest_components(request.stack, request.token, index, wish)
    return SuggestedComponents(components=components, correlation_id=ids.new_uuid())


def answer_question(request: Request, body: DocumentationQuestion) -> DocumentationAnswer:
    """An answer from the documentation and the texts of components, with its sources."""
    question = _asked(body.query, "query")
    quotes = _find_quotes(request, question, asking.MAX_PASSAGES)
    text, urls = asking.answer_question(request.stack, request.token, question, quotes)
    return DocumentationAnswer(
        text=text, source_urls=urls, response=text, metadata=Sources(sources=urls), correlation_id=ids.new_uuid()
    )


def explain_job(request: Request, body: JobQuestion) -> Explanation:
    """How a job ended: the cause, the setting and the fix."""
    with request.reading() as tx:
        ended = explaining.read_ended(tx, request.caller, str(body.job_id))
    diagnosis = explaining.find_diagnosis(ended)
    quotes = _find_quotes_about(request, ended.message, diagnosis.page if diagnosis else "")
    facts = {
        "job": msgspec.to_builtins(ended.report),
        "log": [f"{event.type}: {event.message}" for event in ended.events],
        "configuration": ended.snapshot.document if ended.snapshot else None,
        "diagnosis": msgspec.to_builtins(diagnosis),
        "passages": [{"title": each.title, "text": each.text} for each in quotes],
    }
    task = (
        "Explain how this job ended. If it failed, name the cause, the path of the setting in the configuration that "
        "has to be changed, such as `parameters.api.baseUrl`, and the fix, step by step. `diagnosis` is what is known "
        "of the message; correct it if the log or the configuration say otherwise."
    )
    answer = _improve(request, task, facts, explaining.explain(ended, diagnosis, quotes))
    return Explanation(answer=answer, correlation_id=ids.new_uuid())


def describe_configuration(request: Request, body: ConfigurationQuestion) -> Description:
    """What a configuration, or a row of it, reads, runs and writes."""
    with request.reading() as tx:
        found = describing.read_configured(tx, request.caller, body)
    facts = {"component": found.component.name, "configuration": msgspec.to_builtins(found.row or found.snapshot)}
    task = "Describe in a few sentences what this configuration does, for its colleagues who did not write it."
    return _description(_improve(request, task, facts, describing.describe(found)))


def describe_version(request: Request, body: VersionQuestion) -> Description:
    """What has changed from one version of a configuration to another."""
    with request.reading() as tx:
        text = comparing.compare_versions(tx, request.caller, body)
    task = "Summarize what has changed in this version of a configuration, and what that means for its runs."
    return _description(_improve(request, task, {}, text))


def describe_merge(request: Request, body: MergeQuestion) -> Description:
    """What merging a configuration of one branch into another changes."""
    with request.reading() as tx:
        text = comparing.compare_branches(tx, request.caller, body)
    task = "Summarize what merging this configuration changes, and what that means for its runs."
    return _description(_improve(request, task, {}, text))


def prompt(request: Request, template_id: str, body: PromptQuestion) -> PromptResponse:
    """Ask by a prompt that has a name; without a model, the passages that it would be given."""
    template = get_template(template_id)
    question = _asked(body.query, "query")
    quotes = _find_quotes(request, f"{question} {template.words}")
    facts = {"query": question, "passages": [msgspec.to_builtins(each) for each in quotes]}
    response = _improve(request, template.task, facts, retrieval.answer(quotes))
    return PromptResponse(response=response, correlation_id=ids.new_uuid())


def add_feedback(request: Request, body: NewFeedback) -> Stored:
    """What a user thought of an answer."""
    with request.writing() as tx:
        feedback.add_feedback(tx, request.caller, body)
    return Stored()


def _find_quotes(request: Request, question: str, most: int = retrieval.MAX_PASSAGES) -> list[Quote]:
    with request.reading() as tx:
        found = retrieval.find_components(tx)
    return retrieval.find_quotes(found, question, request.addresses, most)


def _find_quotes_about(request: Request, message: str, page: str) -> list[Quote]:
    """The page about a failure if it is known, and what else is about such a message."""
    known = retrieval.quote_page(page, request.addresses)
    others = _find_quotes(request, message, 2) if message else []
    return [*known, *(each for each in others if each not in known)][:2]


def _improve(request: Request, task: str, facts: dict[str, Any], answer: str) -> str:
    """No transaction is open meanwhile."""
    return model.improve(request.stack, request.token, task, facts, answer)


def _description(text: str) -> Description:
    return Description(description=text, correlation_id=ids.new_uuid())


def _asked(question: str, field: str) -> str:
    if not question.strip():
        raise EmptyQuestion(field)
    return question
