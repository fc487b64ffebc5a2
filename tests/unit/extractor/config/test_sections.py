from __future__ import annotations

from typing import Any

import pytest

from penstock.extractor.base.errors import UserError
from penstock.extractor.base.http import Request
from tests.unit.extractor.config.reading import FOLDER, UNSET, complaint, read, read_all, read_configs

NO_CONFIG = "The 'config' section is required in the configuration."
NO_API = "The 'api' section is required in configuration."
NO_JOBS = "The 'jobs' section is required in the configuration."


@pytest.mark.parametrize("document", [{}, {"parameters": None}, {"parameters": []}, {"parameters": "x"}])
def test_without_parameters_the_config_section_is_the_first_to_be_missed(document: dict[str, Any]):
    with pytest.raises(UserError, match=NO_CONFIG):
        read_configs(document, FOLDER, print)


@pytest.mark.parametrize(
    ("path", "value", "message"),
    [
        ("config", UNSET, NO_CONFIG),
        ("config", {}, NO_CONFIG),
        ("config", [], NO_CONFIG),
        ("config", "text", NO_CONFIG),
        ("api", UNSET, NO_API),
        ("api", None, NO_API),
        ("api", "https://h", NO_API),
        ("config.jobs", UNSET, NO_JOBS),
        ("config.jobs", [], NO_JOBS),
        ("config.jobs", {}, NO_JOBS),
        ("config.jobs", "users", NO_JOBS),
        ("config.jobs", 5, NO_JOBS),
        ("config.jobs", ["a'b"], "Job configuration must be an array: 'a\\'b'"),
        ("config.jobs", [5], "Job configuration must be an array: 5"),
        ("config.jobs", [None], "Job configuration must be an array: NULL"),
        ("config.jobs", [True], "Job configuration must be an array: true"),
        ("config.jobs", [[]], "The 'endpoint' property must be set in job."),
        ("config.jobs", [["users"]], "The 'endpoint' property must be set in job."),
        ("api.pagination", {"pages": 1.5}, 'Value "pages" in "api.pagination" has to be int, double given.'),
        ("api.caCertificate", 5, "The 'caCertificate' must be string."),
        ("api.caCertificate", "", 'Key "api.caCertificate" is not configured.'),
        ("api.clientCertificate", ["x"], "The 'clientCertificate' must be string."),
        ("api.#clientCertificate", 5, "The 'clientCertificate' must be string."),
        ("api.authentication", {"type": "magic"}, "Unknown authorization type 'magic'."),
        ("config.mappings", {"users": {}}, "Empty mapping for 'users' data type in 'mappings' config."),
        (
            "aws",
            {"signature": {"credentials": {"accessKeyId": "k"}}},
            'Option "#secretKey" under "parameters.aws.signature.credentials" cannot be empty.',
        ),
    ],
)
def test_what_is_missing_or_wrong_is_said_as_users_know_it(path: str, value: Any, message: str):
    assert complaint({f"parameters.{path}": value}).startswith(message)


@pytest.mark.parametrize(
    ("path", "value", "message"),
    [
        ("config.incrementalOutput", "maybe", 'Expected true or false, got "maybe"'),
        ("config.incrementalOutput", {"a": 1}, "Expected true or false"),
        ("config.compatLevel", "latest", 'Expected 1, 2 or 3, got "latest"'),
        ("config.compatLevel", "--1", "Expected 1, 2 or 3"),
        ("config.compatLevel", True, "Expected 1, 2 or 3"),
        ("config.compatLevel", [2], "Expected 1, 2 or 3"),
        ("config.outputBucket", "a/b", "Not a valid name"),
        ("config.outputBucket", ["a"], "Expected a text, got an array"),
        ("config.userData", ["a"], "Expected an object of columns, got an array"),
        ("iterations", "twice", "Expected an array of objects"),
        ("api.trustedHosts", [["h"]], "Expected a list of texts, got an array"),
        ("api.retryConfig.maxRetries", "many", 'Expected a number, got "many"'),
        ("api.rateLimit", {"requests": 0}, "Expected a whole number of at least 1, got 0"),
        ("cache", {"ttl": "long"}, 'Expected a number of seconds, got "long"'),
    ],
)
def test_a_value_of_a_wrong_type_is_a_sentence_with_its_place(path: str, value: Any, message: str):
    said = complaint({f"parameters.{path}": value})

    assert said.startswith(f"Invalid configuration: {message}")
    assert f"`parameters.{path}" in said


def test_a_table_needs_a_name():
    assert "Set the job's `dataType`" in complaint({"parameters.config.jobs": [{"endpoint": "ř"}]})
    assert read({"parameters.config.jobs": [{"endpoint": "ř", "dataType": "r"}]}).jobs[0].data_type == "r"


@pytest.mark.parametrize(
    ("value", "is_incremental"),
    [(True, True), (False, False), (None, False), ("true", True), (1, True), (0, False), ("", False)],
)
def test_a_flag_may_be_written_loosely(value: Any, is_incremental: bool):
    assert read({"parameters.config.incrementalOutput": value}).is_incremental is is_incremental


@pytest.mark.parametrize(
    ("value", "level"), [(UNSET, 3), (0, 3), (None, 3), (3, 3), ("2", 2), (1, 1), (-1, -1), ("-2", -2), (7, 7)]
)
def test_the_level_of_compatibility_is_the_latest_unless_said_otherwise(value: Any, level: int):
    changes = {} if value is UNSET else {"parameters.config.compatLevel": value}

    assert read(changes).compat_level == level


@pytest.mark.parametrize("value", [True, 1, "1", "yes", [0]])
def test_whatever_is_not_empty_turns_debug_mode_on(value: Any):
    assert read({"parameters.config.debug": value}).is_debug
    assert not read({"parameters.config.debug": "0"}).is_debug


@pytest.mark.parametrize(
    ("changes", "bucket"),
    [
        ({}, "b"),
        ({"config.outputBucket": 5}, "5"),
        ({"config.outputBucket": "", "config.id": 12}, "ex-api-generic-12"),
        ({"config.outputBucket": None, "config.id": "x", "api.name": "crm"}, "ex-api-crm-x"),
        ({"config.id": 12}, "b"),
        ({"config.outputBucket": None}, ""),
    ],
)
def test_the_bucket_is_named_or_made_of_the_name_and_the_id(changes: dict[str, Any], bucket: str):
    assert read({f"parameters.{path}": value for path, value in changes.items()}).bucket == bucket


@pytest.mark.parametrize(
    ("raw", "data"),
    [
        ({"a": 1, "b": {"attr": "x"}}, {"a": 1, "b": {"attr": "x"}}),
        ("x", {"userData": "x"}),
        (5, {"userData": 5}),
        (True, {"userData": True}),
        (None, {}),
        ([], {}),
        ({}, {}),
        ("", {}),
        (0, {}),
    ],
)
def test_user_data_of_a_single_value_gets_a_name(raw: Any, data: dict[str, Any]):
    assert read({"parameters.config.userData": raw}).user_data == data


def test_functions_may_ask_for_everything_but_the_jobs():
    attr = read({"parameters.config.server": {"name": "s1", "ports": [80, 81]}}).contexts["attr"]

    assert attr == {"outputBucket": "b", "server.name": "s1", "server.ports.0": 80, "server.ports.1": 81}


def test_unknown_keys_are_ignored():
    unknown = {"parameters.api.colour": "red", "parameters.config.jobs.0.note": [1], "parameters.x": 1, "image": {}}

    assert read(unknown).jobs[0].endpoint == read({}).jobs[0].endpoint


def test_an_iteration_replaces_whole_keys_of_the_configuration():
    changes = {
        "parameters.config.userData": {"a": 1, "b": 2},
        "parameters.iterations": [{"userData": {"c": 3}}, {"outputBucket": "other", "extra": "x"}],
    }
    first, second = read_all(changes)

    assert (first.user_data, first.bucket) == ({"c": 3}, "b")
    assert (second.user_data, second.bucket) == ({"a": 1, "b": 2}, "other")
    assert second.contexts["attr"]["extra"] == "x"
    assert [job.endpoint for config in (first, second) for job in config.jobs] == ["users", "users"]


def test_iterations_may_be_an_object_and_none_is_as_if_there_were_no_key():
    assert [config.bucket for config in read_all({"parameters.iterations": {"x": {"outputBucket": "c"}}})] == ["c"]
    assert [config.bucket for config in read_all({"parameters.iterations": []})] == ["b"]
    assert [config.bucket for config in read_all({"parameters.iterations": [[]]})] == ["b"]


def test_an_iteration_is_checked_before_anything_is_sent():
    iterations = [{}, {"jobs": [{"endpoint": "a", "method": "PUT"}]}]

    assert complaint({"parameters.iterations": iterations}).startswith('The "method" property must be on of')
    assert "`parameters.iterations[1]`" in complaint({"parameters.iterations": [{}, "x"]})


def test_every_iteration_has_an_address_and_headers_of_its_own():
    changes = {
        "parameters.api.baseUrl": {"function": "concat", "args": ["https://", {"attr": "host"}, "/"]},
        "parameters.api.http.headers": {"X-Host": {"attr": "host"}},
        "parameters.iterations": [{"host": "a.example"}, {"host": "b.example"}],
    }
    messages = [config.sending.builder.build(Request("u")) for config in read_all(changes)]

    assert [message.url for message in messages] == ["https://a.example/u", "https://b.example/u"]
    assert [message.headers for message in messages] == [{"X-Host": "a.example"}, {"X-Host": "b.example"}]
