from __future__ import annotations

from penstock.foundation.text.configurations import is_without_parameters, with_parameters

API = {"baseUrl": "https://h/"}


def test_parameters_at_the_top_are_put_below_parameters() -> None:
    document = {"api": API, "config": {"jobs": []}, "authorization": {"a": 1}, "storage": {}}

    assert is_without_parameters(document)
    assert with_parameters(document) == {
        "parameters": {"api": API, "config": {"jobs": []}},
        "authorization": {"a": 1},
        "storage": {},
    }


def test_other_documents_are_left_alone() -> None:
    for document in ({"parameters": {"api": API}}, {}, {"phases": [], "tasks": []}, {"parameters": {}, "x": 1}):
        assert with_parameters(document) is document
