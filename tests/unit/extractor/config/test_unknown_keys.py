from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from penstock.extractor.base.errors import UserError
from penstock.extractor.config.unknown_keys import check_keys, find_unknown
from tests.support.api import Api, Response
from tests.support.extraction import parameters, run_extraction, try_extraction
from tests.unit.extractor.config.schema.configurations import SHOWN_CONFIGURATIONS, Given

URL = "https://h/"
USERS = {"endpoint": "users"}


def unknown(document: dict[str, Any]) -> list[str]:
    return list(find_unknown(document))


def with_api(**settings: Any) -> dict[str, Any]:
    return {"api": {"baseUrl": URL, **settings}, "config": {"jobs": [USERS]}}


def with_job(**settings: Any) -> dict[str, Any]:
    return parameters(URL, {**USERS, **settings})


@pytest.mark.parametrize(
    ("document", "path", "meant"),
    [
        (with_api(paginaton={"method": "offset"}), "parameters.api.paginaton", "pagination"),
        (
            with_api(pagination={"method": "response.param", "responseParm": "next", "queryParam": "p"}),
            "parameters.api.pagination.responseParm",
            "responseParam",
        ),
        (with_api(pagination={"method": "offset", "limit": 1, "forceStop": {"page": 1}}), "forceStop.page", "pages"),
        (with_api(http={"defaultOptions": {"param": {"a": 1}}}), "defaultOptions.param", "params"),
        (with_api(retryConfig={"maxretries": 1}), "parameters.api.retryConfig.maxretries", "maxRetries"),
        (with_job(datafield="data"), "parameters.config.jobs[0].datafield", "dataField"),
        (with_job(children=[{"endpoint": "a", "placeholder": {}}]), "jobs[0].children[0].placeholder", "placeholders"),
        ({**with_job(), "iteration": []}, "parameters.iteration", "iterations"),
        ({**with_job(), "iterations": [{"outputBuket": "a"}]}, "parameters.iterations[0].outputBuket", "outputBucket"),
        (
            with_api(
                pagination={
                    "method": "multiple",
                    "scrollers": {"a": {"method": "pagenum", "pageParm": "p"}},
                }
            ),
            "parameters.api.pagination.scrollers.a.pageParm",
            "pageParam",
        ),
    ],
)
def test_an_unknown_key_is_named_with_its_path_and_the_nearest_known_one(
    document: dict[str, Any], path: str, meant: str
) -> None:
    (sentence,) = unknown(document)

    assert f"{path}` is not a setting" in sentence.replace("scrollers[a]", "scrollers.a")
    assert sentence.endswith(f"Did you mean `{meant}`?")


def test_a_setting_of_another_pagination_method_is_named() -> None:
    (sentence,) = unknown(with_api(pagination={"method": "pagenum", "offsetParam": "start"}))

    assert sentence == (
        "`parameters.api.pagination.offsetParam` has no effect, because it is a setting of the method `offset`."
    )


def test_settings_without_a_method_are_named() -> None:
    (sentence,) = unknown(with_api(pagination={"limit": 100}))

    assert "it is a setting of the method `" in sentence


def test_what_is_most_unlike_all_settings_is_said_to_have_no_effect() -> None:
    assert unknown(with_job(colour="red")) == [
        "`parameters.config.jobs[0].colour` is not a setting and has no effect. Remove it."
    ]


def test_keys_that_functions_refer_to_comments_and_free_maps_are_not_unknown() -> None:
    document = with_job(params={"anything": {"attr": "since.day"}}, headers={"X-Any": "1"}, userData={"any": "1"})
    document["config"] |= {"since": {"day": 1}, "_comment": "x", "mappings": {"users": {"any.path": "column"}}}
    document["$schema"] = "https://h/schema.json"

    assert unknown(document) == []


def test_a_value_of_config_that_nothing_refers_to_is_unknown() -> None:
    document = with_job()
    document["config"]["incrementalOuput"] = True

    assert unknown(document)[0].endswith("Did you mean `incrementalOutput`?")


def test_plain_names_of_secrets_are_known() -> None:
    document = with_api(authentication={"type": "basic"})
    document["config"] |= {"username": "a", "#password": "b"}

    assert unknown(document) == []


@pytest.mark.parametrize(
    "given", [each for each in SHOWN_CONFIGURATIONS if "strict" not in each.parameters], ids=lambda c: c.name
)
def test_what_the_pages_show_is_known(given: Given) -> None:
    assert unknown(given.parameters) == []


def test_strict_makes_unknown_keys_an_error() -> None:
    document = {**with_job(datafield="a", colour="b"), "strict": True}

    with pytest.raises(UserError, match=r"datafield` .* Did you mean `dataField`\? `.*colour` .*remove `\"strict"):
        check_keys(document, pytest.fail)


def test_a_run_warns_once_and_writes_it_to_the_report(tmp_path: Path) -> None:
    with Api() as api:
        api.on("/users", Response.json([{"id": 1}]))
        result = run_extraction(parameters(api.url, {"endpoint": "users", "dataFeild": "x"}), tmp_path)

    report = json.loads((tmp_path / "report.json").read_text())
    assert len(result.warnings) == 1
    assert report["status"] == "warning"
    assert report["warnings"] == result.warnings


def test_a_strict_run_sends_nothing(tmp_path: Path) -> None:
    with Api() as api:
        document = {**parameters(api.url, {"endpoint": "users", "dataFeild": "x"}), "strict": True}
        result = try_extraction(document, tmp_path)

    assert result.error
    assert "dataFeild" in result.error
    assert api.seen == []
