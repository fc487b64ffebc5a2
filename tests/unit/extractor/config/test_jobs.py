from __future__ import annotations

from typing import Any

import pytest

from penstock.extractor.base.http import Request
from penstock.extractor.records.filter import Filter
from penstock.extractor.records.find import DataField
from tests.unit.extractor.config.reading import UNSET, complaint, read, read_job

JOBS = "parameters.config.jobs"
METHOD = 'The "method" property must be on of "GET", "POST", "FORM".'
HEADERS = 'The "headers" property must be an array.'


def test_a_job_without_anything_else_has_the_defaults():
    job = read_job({})

    assert job.request({}, "users") == Request("users")
    assert (job.data_type, job.field, job.filter, job.children) == ("users", DataField(""), Filter(), ())
    assert (job.user_data, job.placeholders, job.conditions) == ({}, {}, None)


def test_every_key_of_a_job_is_read():
    job = read_job(
        {
            "id": 7,
            "method": "post",
            "params": {"a": {"time": "currentStart"}},
            "headers": {"X": "y"},
            "dataType": "people",
            "dataField": {"path": "a/b", "delimiter": "/"},
            "responseFilter": ["x", "y[].z"],
            "responseFilterDelimiter": "/",
            "userData": "u",
            "placeholders": {"1:id": "id"},
            "recursionFilter": "type==user",
        }
    )

    assert (job.id, job.data_type, job.field) == ("7", "people", DataField("a/b", "/"))
    assert job.request({}, "users") == Request("users", {}, "post", {"X": "y"})
    assert job.params == {"a": {"time": "currentStart"}}
    assert (job.filter, job.user_data) == (Filter(("x", "y[].z"), "/"), {"job_parent_id": "u"})
    assert job.placeholders == {"1:id": "id"}
    assert job.conditions is not None


def test_loose_spellings_mean_the_defaults():
    loose = {"params": [], "headers": None, "dataField": {}, "children": "", "dataType": "", "placeholders": []}

    assert read_job(loose).field == DataField("")
    assert read_job(loose).data_type == "users"
    assert read_job({"params": 0, "dataField": "0", "responseFilter": ""}).params == {}


@pytest.mark.parametrize(
    ("key", "value", "message"),
    [
        ("endpoint", UNSET, "The 'endpoint' property must be set in job."),
        ("endpoint", "", "The 'endpoint' property must be set in job."),
        ("endpoint", None, "The 'endpoint' property must be set in job."),
        ("endpoint", 5, 'The "endpoint" property must be specified in request as a string.'),
        ("endpoint", {"attr": "x"}, 'The "endpoint" property must be specified in request as a string.'),
        ("endpoint", "https://h:x/", "Unable to parse URI: https://h:x/"),
        ("method", "PUT", METHOD),
        ("method", 5, METHOD),
        ("params", "x", "The 'params' property must be an array."),
        ("params", 5, "The 'params' property must be an array."),
        ("headers", "x", HEADERS),
        ("headers", "", HEADERS),
        ("headers", False, HEADERS),
        ("dataField", {"delimiter": "/"}, "'dataField.path' must be set!"),
        ("dataField", ["a"], "'dataField.path' must be set!"),
        ("children", "x", "The 'children' property must an array of jobs."),
        ("children", 1, "The 'children' property must an array of jobs."),
        ("children", ["x"], "Job configuration must be an array: 'x'"),
        ("children", [{"endpoint": ""}], "The 'endpoint' property must be set in job."),
        ("children", [{"endpoint": "x", "method": "PUT"}], METHOD),
        ("recursionFilter", "a", "Error creating a filter from a: Operator couldn't be determined."),
        ("placeholders", ["id"], "Invalid configuration: Expected an object of names and paths"),
        ("dataType", ["x"], "Invalid configuration: Expected a text, got an array"),
        ("responseFilter", [["x"]], "Invalid configuration: Expected a list of texts, got an array"),
        ("userData", ["x"], "Invalid configuration: Expected an object of columns, got an array"),
        ("responseFormat", "xml", 'Invalid configuration: Expected one of json, ndjson, csv, got "xml"'),
    ],
)
def test_what_is_wrong_with_a_job_is_said_as_users_know_it(key: str, value: Any, message: str):
    assert complaint({f"{JOBS}.0.{key}": value}).startswith(message)


@pytest.mark.parametrize("endpoint", ["0", "users?x=1", "https://other.example/x", "/{id}/x", "a:b"])
def test_nearly_every_text_is_an_endpoint(endpoint: str):
    assert read_job({"endpoint": endpoint}).endpoint == endpoint


@pytest.mark.parametrize("method", ["GET", "get", "Post", "FORM", "form", "", None])
def test_a_method_is_written_in_any_case(method: Any):
    assert read_job({"method": method}).method == (method or "")


@pytest.mark.parametrize(("job", "is_object"), [({"params": {}}, True), ({"params": []}, False), ({}, False)])
def test_parameters_that_are_an_empty_object_are_one(job: dict[str, Any], is_object: bool):
    assert read_job(job).request({}, "users").is_object is is_object


@pytest.mark.parametrize(
    ("raw", "field"),
    [
        ("a.b", DataField("a.b")),
        (".", DataField(".")),
        (5, DataField("5")),
        ({"path": "a"}, DataField("a")),
        ({"path": "a", "delimiter": ""}, DataField("a")),
        ({"path": 0.5}, DataField("0.5")),
    ],
)
def test_a_data_field_is_a_path_or_a_path_with_its_delimiter(raw: Any, field: DataField):
    assert read_job({"dataField": raw}).field == field


@pytest.mark.parametrize(("level", "is_lenient"), [(3, False), (2, True), (1, True), (-1, True), (4, False)])
def test_filters_are_lenient_up_to_the_second_level_of_compatibility(level: int, is_lenient: bool):
    assert read_job({"responseFilter": "a"}, level).filter == Filter(("a",), ".", is_lenient)


@pytest.mark.parametrize(
    ("raw", "data"),
    [({"a": 1}, {"a": 1}), ("x", {"job_parent_id": "x"}), (5, {"job_parent_id": 5}), (None, {}), ("", {}), ([], {})],
)
def test_user_data_of_a_single_value_gets_a_name(raw: Any, data: dict[str, Any]):
    assert read_job({"userData": raw}).user_data == data


def test_children_have_children():
    job = read_job({"children": [{"endpoint": "a", "children": [{"endpoint": "b"}]}]})

    assert job.children[0].children[0].endpoint == "b"


def test_jobs_of_one_id_are_one_job_in_the_place_of_the_first_as_the_last_says():
    warnings: list[str] = []
    jobs = [{"id": 1, "endpoint": "a"}, {"endpoint": "b"}, {"id": "1", "endpoint": "c"}]

    assert [job.endpoint for job in read({JOBS: jobs}, warnings).jobs] == ["c", "b"]
    assert len(warnings) == 1


def test_jobs_of_one_definition_are_one_job():
    jobs = [{"endpoint": "a", "params": {}}, {"endpoint": "a"}, {"endpoint": "a", "params": []}]

    assert len(read({JOBS: jobs}).jobs) == 2
    assert len(read_job({"children": [{"endpoint": "a"}, {"endpoint": "a"}]}).children) == 1


def test_jobs_may_be_an_object():
    assert [job.endpoint for job in read({JOBS: {"x": {"endpoint": "a"}, "y": {"endpoint": "b"}}}).jobs] == ["a", "b"]


def test_the_scroller_of_every_job_must_exist():
    pagination = {"method": "multiple", "scrollers": {"pages": {"method": "pagenum"}}}
    jobs = [{"endpoint": "a", "scroller": "pages", "children": [{"endpoint": "b", "scroller": "gone"}]}]

    assert "gone" in complaint({"parameters.api.pagination": pagination, JOBS: jobs})
