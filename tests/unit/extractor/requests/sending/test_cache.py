from __future__ import annotations

import os
import time
from pathlib import Path
from typing import Any

import pytest

from penstock.extractor.base.errors import UserError
from penstock.extractor.requests.sending.cache import WEEK, Cache, CachedResponse, read_cache

PAGE = CachedResponse(
    404, "Not Found", [("Content-Type", "text/plain"), ("Set-Cookie", "a"), ("Set-Cookie", "b")], b"\xff\x00"
)
URL = "https://h/users?a=1"


def test_an_answer_is_found_by_method_and_address_whatever_its_status(tmp_path: Path):
    cache = Cache(tmp_path / "cache", WEEK)
    cache.store("GET", URL, PAGE)

    assert cache.find("GET", URL) == PAGE
    assert cache.find("GET", f"{URL}&b=2") is None
    (file,) = (tmp_path / "cache").iterdir()
    assert len(file.name) == 64
    assert file.stat().st_mode & 0o777 == 0o600


def test_only_get_requests_are_kept(tmp_path: Path):
    cache = Cache(tmp_path / "cache", WEEK)
    cache.store("POST", URL, PAGE)

    assert cache.find("POST", URL) is None
    assert not (tmp_path / "cache").exists()


def test_an_answer_grows_old(tmp_path: Path):
    cache = Cache(tmp_path, 100)
    cache.store("GET", URL, PAGE)
    (file,) = tmp_path.iterdir()

    os.utime(file, (time.time() - 90, time.time() - 90))
    assert cache.find("GET", URL) == PAGE
    os.utime(file, (time.time() - 110, time.time() - 110))
    assert cache.find("GET", URL) is None


def test_a_file_that_cannot_be_read_is_as_if_there_were_none(tmp_path: Path):
    cache = Cache(tmp_path, WEEK)
    cache.store("GET", URL, PAGE)
    (file,) = tmp_path.iterdir()
    file.write_bytes(b"half")

    assert cache.find("GET", URL) is None


def test_an_address_of_any_bytes_has_a_name(tmp_path: Path):
    assert Cache(tmp_path, WEEK).find("GET", "https://h/\udcff") is None


@pytest.mark.parametrize("raw", [None, False, 0, "", "0", [], {}])
def test_nothing_is_kept_unless_asked_for(raw: Any, tmp_path: Path):
    assert read_cache(raw, tmp_path) is None


@pytest.mark.parametrize("raw", [True, 1, {"ttl": 604800}, {"ttl": "5.5"}, {"ttl": None}, {"x": 1}])
def test_whatever_is_not_empty_turns_it_on(raw: Any, tmp_path: Path):
    assert read_cache(raw, tmp_path) is not None


@pytest.mark.parametrize("ttl", ["long", -1, True, [1]])
def test_a_time_to_live_is_a_number(ttl: Any, tmp_path: Path):
    with pytest.raises(UserError, match=r"Expected a number of seconds, got .* - at `parameters.cache.ttl`"):
        read_cache({"ttl": ttl}, tmp_path)
