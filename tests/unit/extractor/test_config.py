from __future__ import annotations

import re
from typing import Any

import pytest

from penstock.extractor.config import Config, read_config
from penstock.extractor.errors import UserError
from penstock.extractor.pagination import Cursor, Offset, OnePage
from penstock.extractor.records.find import DataField

OFFSET = {"method": "offset", "limit": 10}
CURSOR = {"method": "cursor", "idKey": "id", "param": "since"}
UNSET = object()


def read(changes: dict[str, Any] | None = None) -> Config:
    """Read a good configuration with changes by path; UNSET removes a key."""
    document: dict[str, Any] = {
        "parameters": {
            "api": {"baseUrl": "https://api.example.com", "pagination": dict(OFFSET)},
            "config": {"outputBucket": "b", "jobs": [{"endpoint": "users"}]},
        }
    }
    for path, value in (changes or {}).items():
        change(document, path.split("."), value)
    return read_config(document)


def change(document: Any, keys: list[str], value: Any) -> None:
    for key in keys[:-1]:
        document = document[int(key)] if isinstance(document, list) else document.setdefault(key, {})
    last: Any = int(keys[-1]) if isinstance(document, list) else keys[-1]
    if value is UNSET:
        del document[last]
    else:
        document[last] = value


def test_every_key_is_read():
    job = {"endpoint": "users", "id": 7, "dataType": "people", "dataField": "a.b", "params": {"x": 1}}
    config = read({"parameters.config.jobs": [job], "parameters.config.debug": True})

    assert config.api.base_url == "https://api.example.com"
    assert config.method == Offset(limit=10)
    assert config.config.debug
    assert config.bucket == "b"
    (read_job,) = config.config.jobs
    assert (read_job.id, read_job.table, read_job.field, read_job.params) == (7, "people", DataField("a.b"), {"x": 1})


def test_pagination_is_read_with_its_defaults():
    assert read({"parameters.api.pagination": CURSOR}).method == Cursor(id_key="id", param="since")
    assert read({"parameters.api.pagination": {**CURSOR, "increment": "-1", "reverse": "1"}}).method == Cursor(
        id_key="id", param="since", increment=-1, reverse=True
    )


def test_loose_spellings_are_made_regular():
    config = read(
        {
            "parameters.api.pagination.limit": "25",
            "parameters.api.pagination.firstPageParams": 0,
            "parameters.config.debug": None,
            "parameters.config.jobs": [
                {"endpoint": "u", "params": [], "dataField": [], "children": [], "dataType": ""}
            ],
        }
    )

    assert config.method == Offset(limit=25, first_page_params=False)
    assert config.config.jobs[0].params == {}
    assert config.config.jobs[0].table == "u"


@pytest.mark.parametrize("pagination", [None, {}, []])
def test_an_empty_pagination_means_one_request(pagination: Any):
    assert read({"parameters.api.pagination": pagination}).method == OnePage()


def test_without_a_bucket_the_id_of_the_configuration_names_it():
    assert read({"parameters.config.outputBucket": "", "parameters.config.id": 12}).bucket == "ex-api-generic-12"
    assert read({"parameters.config.outputBucket": None}).bucket == ""


def test_a_data_field_may_be_a_path_with_its_delimiter():
    config = read({"parameters.config.jobs.0.dataField": {"path": "a/b", "delimiter": "/"}})

    assert config.config.jobs[0].field == DataField("a/b", "/")


@pytest.mark.parametrize(
    ("path", "value", "what"),
    [
        ("api.pagination.limit", 0, "Expected `int` >= 1"),
        ("api.pagination.limit", "0", "Expected `int` >= 1"),
        ("api.pagination.limit", "abc", "Expected `int`, got `str`"),
        ("api.pagination.limit", UNSET, "Missing required key"),
        ("api.pagination.method", UNSET, "Missing required key"),
        ("api.pagination.method", "scroll", "Invalid value 'scroll'"),
        ("api.baseUrl", UNSET, "Missing required key"),
        ("api.baseUrl", "", "Not an address of the web"),
        ("api.baseUrl", "ftp://h", "Not an address of the web"),
        ("api.baseUrl", "api.example.com", "Not an address of the web"),
        ("api.baseUrl", "https://u:p@h/", "Not an address of the web"),
        ("api", UNSET, "Missing required key"),
        ("config", UNSET, "Missing required key"),
        ("config.jobs", [], "Expected `array` of length >= 1"),
        ("config.jobs", UNSET, "Missing required key"),
        ("config.jobs.0", "users", "Expected `object`, got `str`"),
        ("config.jobs.0.endpoint", UNSET, "Missing required key"),
        ("config.jobs.0.endpoint", "", "Expected `str` of length >= 1"),
        ("config.jobs.0.params", "x", "Expected `object`, got `str`"),
        ("config.jobs.0.params.limit", "x", "Expected a whole number of at least 1, got 'x'"),
        ("config.jobs.0.dataField", 5, "Expected `str | object`, got `int`"),
        ("config.jobs.0.dataType", "é", "'é' holds no letter or digit to name a table by"),
        ("config.jobs.0.method", "PUT", "Expected `GET`, `POST` or `FORM`, got 'PUT'"),
        ("config.outputBucket", "a/b", "Not a valid name"),
        ("config.incrementalOutput", "maybe", "Expected `bool`, got `str`"),
    ],
)
def test_a_wrong_value_is_a_sentence_with_its_place(path: str, value: Any, what: str):
    with pytest.raises(UserError) as caught:
        read({f"parameters.{path}": value})

    place = re.sub(r"\.(\d+)", r"[\1]", f"parameters.{path}")
    assert str(caught.value).startswith(f"Invalid configuration: {what} - at `{place}`.")


def test_a_data_field_needs_a_path():
    with pytest.raises(UserError, match=r"Missing required key - at `parameters.config.jobs\[0\].dataField.path`"):
        read({"parameters.config.jobs.0.dataField": {"delimiter": "/"}})


def test_no_parameters_at_all_miss_the_first_key():
    with pytest.raises(UserError, match=r"Missing required key - at `parameters\.api`"):
        read_config({})


@pytest.mark.parametrize(
    ("key", "value", "message"),
    [
        ("idKey", UNSET, "Missing required key - at `parameters.api.pagination.idKey`"),
        ("param", UNSET, "Missing required key - at `parameters.api.pagination.param`"),
        ("param", "", "Expected `str` of length >= 1 - at `parameters.api.pagination.param`"),
        ("increment", "many", "Expected `int`, got `str` - at `parameters.api.pagination.increment`"),
        ("increment", 1.5, "Expected `int`, got `float` - at `parameters.api.pagination.increment`"),
    ],
)
def test_a_wrong_cursor_is_a_sentence_with_its_place(key: str, value: Any, message: str):
    with pytest.raises(UserError) as caught:
        read({"parameters.api.pagination": dict(CURSOR), f"parameters.api.pagination.{key}": value})

    assert str(caught.value).startswith(f"Invalid configuration: {message}")


def test_an_unknown_method_is_answered_with_the_known_ones():
    with pytest.raises(UserError, match="Known methods: offset, cursor"):
        read({"parameters.api.pagination.method": "scroll"})


@pytest.mark.parametrize(
    ("path", "value", "named"),
    [
        ("parameters.api.authentication", {"type": "basic"}, ""),
        ("parameters.api.http", {"headers": {"a": "b"}}, ""),
        ("parameters.api.retryConfig", {"maxRetries": 2}, ""),
        ("parameters.api.caCertificate", "pem", ""),
        ("parameters.api.baseUrl", {"function": "concat", "args": []}, " (a function)"),
        ("parameters.api.pagination.forceStop", {"pages": 2}, ""),
        ("parameters.api.pagination.method", "pagenum", " (pagenum)"),
        ("parameters.iterations", [{"a": 1}], ""),
        ("parameters.sshProxy", {"host": "h"}, ""),
        ("parameters.aws", {"signature": {}}, ""),
        ("parameters.config.mappings", {"users": {"id": "id"}}, ""),
        ("parameters.config.userData", {"a": 1}, ""),
        ("parameters.config.http", {"headers": {"a": "b"}}, ""),
        ("parameters.config.compatLevel", 1, " (below 2)"),
        ("parameters.config.jobs.0.children", [{"endpoint": "x"}], ""),
        ("parameters.config.jobs.0.method", "post", " (post)"),
        ("parameters.config.jobs.0.responseFilter", "a", ""),
        ("parameters.config.jobs.0.headers", {"a": "b"}, ""),
        ("parameters.config.jobs.0.params.at", {"time": "currentStart"}, " (a function)"),
        ("parameters.config.jobs.0.params.at", {"x": [{"function": "md5"}]}, " (a function)"),
        ("authorization.oauth_api", {"credentials": {}}, ""),
        ("image_parameters.allowed_hosts", [{"host": "h"}], ""),
        ("action", "testConnection", ""),
    ],
)
def test_what_is_not_built_yet_is_refused_by_name(path: str, value: Any, named: str):
    with pytest.raises(UserError) as caught:
        read({path: value})

    name = re.sub(r"\.(\d+)", r"[\1]", path) + named
    assert str(caught.value) == f"Invalid configuration: this version does not support `{name}` yet. Remove it."


def test_unknown_keys_are_ignored():
    read({"parameters.api.colour": "red", "parameters.config.jobs.0.note": [1], "parameters.config.compatLevel": 3})
