from __future__ import annotations

import base64
from typing import Any

import pytest

from penstock.extractor.base.http import Request
from penstock.extractor.requests.sending.retry import Retry
from tests.unit.extractor.config.reading import complaint, read

API = "parameters.api"
NO_URL = "The 'baseUrl' attribute must be set in API configuration"
NOT_A_URL = "The 'baseUrl' attribute in API configuration is not a valid URL"


def base_url(value: Any, warnings: list[str] | None = None) -> str:
    return read({f"{API}.baseUrl": value}, warnings).sending.builder.base_url


def headers(changes: dict[str, Any]) -> dict[str, Any]:
    changes = {f"parameters.{path}": value for path, value in changes.items()}
    return dict(read(changes).sending.builder.build(Request("u")).headers)


@pytest.mark.parametrize(
    "url",
    [
        "https://h",
        "http://mock-server/",
        "HTTPS://API.example.com:8443/v1/?x=1",
        "http://under_score.example/a",
        "http://127.0.0.1:80",
        "http://[::1]:8080/",
        "https://h?x",
    ],
)
def test_an_address_of_the_web_is_a_base_address(url: str):
    assert base_url(url) == url


@pytest.mark.parametrize("value", [None, "", "0", 0, False, [], {}])
def test_a_base_address_is_required(value: Any):
    assert complaint({f"{API}.baseUrl": value}).startswith(NO_URL)


@pytest.mark.parametrize(
    "value", ["api.example.com", "ftp://h", "https://", "https://a b/", "http://h:99999/", "{not json", "5", '["a"]']
)
def test_another_text_is_no_base_address(value: str):
    assert complaint({f"{API}.baseUrl": value}) == NOT_A_URL


def test_a_function_makes_the_base_address_of_attributes():
    call = {"function": "concat", "args": ["https://", {"attr": "outputBucket"}, ".example/"]}

    assert base_url(call) == "https://b.example/"


def test_a_function_may_stand_in_a_text_but_should_not():
    warnings: list[str] = []

    assert base_url('{"function":"concat","args":["https://h/",{"attr":"outputBucket"}]}', warnings) == "https://h/b"
    assert warnings == ["Passing json-encoded baseUrl is deprecated."]


@pytest.mark.parametrize(
    ("value", "result"),
    [({"attr": "outputBucket"}, "b"), (["https://h"], "['https://h']"), (5, "5"), ({"function": "time"}, None)],
)
def test_a_function_that_makes_no_address_is_told_what_it_made(value: Any, result: str | None):
    said = complaint({f"{API}.baseUrl": value})

    assert said.startswith('The "baseUrl" attribute in API configuration resulted in an invalid URL (')
    assert result is None or said.endswith(f"({result})")


def test_a_function_that_fails_is_a_user_script_error():
    said = complaint({f"{API}.baseUrl": {"attr": "gone"}})

    assert said.startswith("User script error: Error evaluating user function - attr 'gone' not found!")


def test_user_and_password_of_the_base_address_become_a_header():
    config = read({f"{API}.baseUrl": "https://ada:p%40ss@h/v1/"})
    message = config.sending.builder.build(Request("u"))

    assert message.url == "https://h/v1/u"
    assert message.headers == {"Authorization": f"Basic {base64.b64encode(b'ada:p@ss').decode()}"}


def test_a_configured_header_wins_over_the_login_of_the_base_address_whatever_its_case():
    changes = {"api.baseUrl": "https://ada:pw@h/", "api.http.headers": {"authorization": "Token x"}}

    assert headers(changes) == {"authorization": "Token x"}


def test_headers_of_the_config_section_win_over_those_of_the_api():
    changes = {
        "api.http.headers": {"X-A": "api", "X-B": {"attr": "outputBucket"}, "X-C": ["1", 2]},
        "config.http.headers": {"x-a": {"function": "md5", "args": ["k"]}},
    }

    assert headers(changes) == {"X-B": "b", "X-C": ["1", "2"], "x-a": "8ce4b16b22b58894aa86c421e8759df3"}


def test_an_object_is_no_header():
    said = complaint({f"{API}.http.headers": {"X-A": {"time": "currentStart"}}})

    assert said.startswith('Invalid configuration: invalid type "object" in headers at path: X-A')


@pytest.mark.parametrize("own", [{}, {"x-app": "1"}, {"X-App": ""}, {"X-App": "0"}, {"X-App": None}])
def test_a_required_header_must_have_a_value_in_the_config_section(own: dict[str, Any]):
    changes = {f"{API}.http": {"headers": {"X-App": "x"}, "requiredHeaders": ["X-App"]}}

    said = complaint({**changes, "parameters.config.http": {"headers": own}})
    assert said.startswith("Missing required header X-App in 'config.http.headers'.")
    assert read({**changes, "parameters.config.http": {"headers": {"X-App": "1"}}})


@pytest.mark.parametrize(
    ("raw", "codes"),
    [
        ([404, "405", " 406", 500.0, "501.0", 0], {404, 405, 406, 500, 501, 0}),
        ({"a": 404}, {404}),
        (["x", None, [404], True, -1], set()),
        (404, set()),
        (None, set()),
    ],
)
def test_errors_to_ignore_are_a_list_of_codes(raw: Any, codes: set[int]):
    assert read({f"{API}.http.ignoreErrors": raw}).sending.ignored == codes


@pytest.mark.parametrize("raw", [None, 0, "", "soon", -1, [], {"a": 1}, True, "nan", 1e12])
def test_a_timeout_that_is_no_number_is_the_default(raw: Any):
    sending = read({f"{API}.http.connectTimeout": raw, f"{API}.http.requestTimeout": raw}).sending

    assert (sending.connect_timeout, sending.timeout) == (30.0, 300.0)


def test_timeouts_are_numbers_or_their_text():
    sending = read({f"{API}.http.connectTimeout": "2.5", f"{API}.http.requestTimeout": 7}).sending

    assert (sending.connect_timeout, sending.timeout) == (2.5, 7.0)


def test_the_rest_of_the_api_section_finds_its_reader():
    changes = {
        f"{API}.retryConfig": {"maxRetries": "3"},
        f"{API}.http.defaultOptions": {"params": {"a": 1}},
        f"{API}.rateLimit": {"requests": 5, "interval": "minute"},
        f"{API}.authentication": {"type": "basic"},
        "parameters.config.username": "ada",
        "parameters.config.#password": "pw",
        "parameters.cache": True,
    }
    config = read(changes)

    assert config.sending.retry == Retry(most=3)
    assert config.sending.builder.build(Request("u")).url == "https://api.example.com/v1/u?a=1"
    assert config.rate_limit is not None
    assert (config.rate_limit.requests, config.rate_limit.interval) == (5, 60.0)
    assert config.sending.auth.name == "basic"
    assert config.sending.cache is not None


def test_credentials_go_to_every_server_that_the_configuration_names():
    job = {"endpoint": "https://files.example/x", "children": [{"endpoint": "https://deep.example:8443/{id}"}]}
    trusted = read(
        {
            "parameters.config.jobs": [job],
            f"{API}.authentication": {"type": "login", "loginRequest": {"endpoint": "https://login.example/"}},
            f"{API}.trustedHosts": ["cdn.example", "http://old.example", "alt.example:444"],
        }
    ).sending.trusted

    for url in (
        "https://api.example.com/x",
        "https://API.example.com:443/x",
        "https://files.example/y",
        "https://deep.example:8443/1",
        "https://login.example/",
        "https://cdn.example/",
        "http://old.example/",
        "https://old.example/",
        "https://alt.example:444/",
    ):
        assert trusted.covers(url), url
    for url in ("http://api.example.com/", "https://api.example.com:444/", "https://deep.example/", "https://evil/"):
        assert not trusted.covers(url), url


def test_one_trusted_host_needs_no_list():
    assert read({f"{API}.trustedHosts": "cdn.example"}).sending.trusted.covers("https://cdn.example/x")


def test_a_host_that_a_placeholder_names_is_not_trusted():
    job = {"endpoint": "users", "children": [{"endpoint": "https://{1:host}/x", "placeholders": {"1:host": "host"}}]}

    assert not read({"parameters.config.jobs": [job]}).sending.trusted.covers("https://anything/x")


def test_the_jobs_at_the_root_are_checked_against_the_allowed_hosts_before_anything_is_sent():
    allowed = {"image_parameters.allowed_hosts": [{"host": "api.example.com", "endpoint": "v2"}]}
    job = {"endpoint": "/users", "params": {"a": "x y"}}

    said = complaint({**allowed, "parameters.config.jobs": [job]})
    assert said == 'URL "https://api.example.com/v1/users?a=x+y" is not in the allowed hosts whitelist.'
    assert read({**allowed, f"{API}.baseUrl": "https://api.example.com/v2"})
