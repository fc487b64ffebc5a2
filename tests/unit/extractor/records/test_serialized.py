from __future__ import annotations

from typing import Any

import pytest

from penstock.extractor.base.numbers import Float
from penstock.extractor.base.values import as_json
from penstock.extractor.records.serialized import serialize_config


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ({"parent_id": 5}, 'a:1:{s:9:"parent_id";i:5;}'),
        ({"é": "ž"}, 'a:1:{s:2:"é";s:2:"ž";}'),
        ({"7": True, "-3": None, "07": False}, 'a:3:{i:7;b:1;i:-3;N;s:2:"07";b:0;}'),
        ({"a": {}, "b": []}, 'a:2:{s:1:"a";a:0:{}s:1:"b";a:0:{}}'),
        ({"a": ["x", {"k": 1}]}, 'a:1:{s:1:"a";a:2:{i:0;s:1:"x";i:1;a:1:{s:1:"k";i:1;}}}'),
        ({"a": 0.1, "b": Float("0.1")}, 'a:2:{s:1:"a";d:0.10000000000000001;s:1:"b";d:0.10000000000000001;}'),
    ],
)
def test_a_map_of_a_configuration_is_an_array(value: Any, text: str):
    assert serialize_config(value) == text


@pytest.mark.parametrize(
    ("value", "same"),
    [({}, []), ({"0": {"0": 1}, "1": {}}, [[1], []]), ({"1": 1}, {"1": 1}), ([{}], [[]]), ("a", "a")],
)
def test_maps_that_number_their_members_are_lists(value: Any, same: Any):
    assert as_json(value) == same
