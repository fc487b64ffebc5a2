from __future__ import annotations

import base64
import hashlib
import json
import time
from collections.abc import Callable
from urllib.parse import quote, quote_plus

import pytest
from hypothesis import given
from hypothesis import strategies as st

from penstock.foundation.redaction import HIDDEN, Redactor


def html_slashes(text: str) -> str:
    """As templates write it that escape slashes, but no line breaks."""
    return text.replace("/", "&#x2F;").replace("=", "&#x3D;")


SECRET = 'pa/ss "wörd"+~1'


@pytest.mark.parametrize(
    "spelling",
    [
        SECRET,
        quote(SECRET),
        quote(SECRET, safe=""),
        quote_plus(SECRET),
        json.dumps(SECRET)[1:-1],
        json.dumps(SECRET, ensure_ascii=False)[1:-1],
        json.dumps(SECRET)[1:-1].replace("/", "\\/"),
        base64.b64encode(SECRET.encode()).decode().rstrip("="),
        base64.urlsafe_b64encode(SECRET.encode()).decode().rstrip("="),
    ],
)
def test_a_secret_is_hidden_in_every_spelling(spelling: str):
    cleaned = Redactor([SECRET]).clean(f"before {spelling} after")

    assert cleaned.startswith(f"before {HIDDEN}")
    assert cleaned.endswith(" after")


@pytest.mark.parametrize("user", ["a", "ab", "abc", "abcd"])
def test_a_secret_is_hidden_within_a_basic_authorization(user: str):
    header = base64.b64encode(f"{user}:{SECRET}".encode()).decode()
    cleaned = Redactor([SECRET]).clean(header)

    assert HIDDEN in cleaned
    assert len(cleaned.replace(HIDDEN, "")) < 12


LONG = "k3y-" + "01234?>?>?" * 9


@pytest.mark.parametrize("line_break", ["\n", "\r\n", "\n    "])
@pytest.mark.parametrize("wrap", [str, json.dumps, lambda text: json.dumps(json.dumps(text)), quote, html_slashes])
def test_a_secret_is_hidden_in_base64_that_is_broken_into_lines(wrap: Callable[[str], str], line_break: str):
    encoded = base64.encodebytes(f"user:{LONG}".encode()).decode().replace("\n", line_break)
    cleaned = Redactor([LONG]).clean(f"a line\nbody: {wrap(encoded)}\nmore")

    assert cleaned.startswith("a line\nbody: ")
    assert cleaned.endswith("\nmore")
    assert HIDDEN in cleaned
    assert len(cleaned) < 70


def test_a_secret_is_hidden_in_each_of_several_encodings_that_follow_one_another():
    secret = "correct-horse"
    encoded = [base64.b64encode(f"{'u' * size}{secret}".encode()).decode().rstrip("=") for size in range(4)]

    assert Redactor([secret]).clean("\n".join(encoded)).count(HIDDEN) == len(encoded)


def test_values_under_marked_keys_are_secret_at_any_depth():
    document = {
        "api": {"#token": "t0ken-1", "list": [{"#pin": 12345}]},
        "#group": {"inner": ["t0ken-2"]},
        "name": "open",
    }
    redactor = Redactor.of(document)

    assert redactor.clean("t0ken-1 12345 t0ken-2 open") == f"{HIDDEN} {HIDDEN} {HIDDEN} open"


def test_a_secret_that_is_a_document_hides_its_parts():
    redactor = Redactor.of({"#data": '{"access_token":"abc-123","n":[98765]}'})

    assert redactor.clean("abc-123 98765") == f"{HIDDEN} {HIDDEN}"


def test_a_short_secret_is_hidden_where_it_stands_alone():
    assert Redactor(["ab"]).clean("ab cab ab. token=ab&x=1") == f"{HIDDEN} cab {HIDDEN}. token={HIDDEN}&x=1"


@pytest.mark.parametrize("document", [{}, {"#a": None, "#b": "", "#c": True}, [], None, 1])
def test_nothing_secret_changes_nothing(document: object):
    assert Redactor.of(document).clean("true null a") == "true null a"


def test_the_longer_of_two_secrets_is_hidden_whole():
    assert Redactor(["abcd", "abcdef"]).clean("abcdef") == HIDDEN


@given(st.text(st.characters(exclude_categories=["Cs"]), min_size=4), st.text(max_size=20), st.text(max_size=20))
def test_no_secret_survives(secret: str, before: str, after: str):
    redactor = Redactor([secret])
    for spelling in (secret, quote(secret), quote_plus(secret), quote_plus(secret).replace("~", "%7E")):
        marked = f"<{before}>{spelling}<{after}>"
        assert f">{spelling}<" not in redactor.clean(marked)


def test_a_secret_is_hidden_in_base64_within_an_address():
    for secret in ("Sekr3t?>~x", "??>>~~??>>"):
        address = f"https://h/?q={quote(base64.b64encode(secret.encode()), safe='')}"
        assert Redactor([secret]).clean(address).startswith(f"https://h/?q={HIDDEN}")


@given(st.integers(0, 40), st.integers(0, 40))
def test_of_a_secret_at_a_cut_nothing_is_left(before: int, size: int):
    start = Redactor(["correct-horse"]).clean_start(b"x" * before + b"correct-horse" * 2 + b"yz", size)
    assert "c" not in start
    assert start.startswith("x" * min(before, size))


def test_a_secret_of_several_lines_is_hidden_line_by_line():
    redactor = Redactor.of({"#key": "-----BEGIN KEY-----\nMIIEvQIBADAN\r\nab\n-----END KEY-----\n"})

    assert redactor.clean("it says MIIEvQIBADAN and ab") == "it says [hidden] and ab"


@given(st.text(), st.lists(st.text(min_size=1, max_size=8), max_size=3), st.integers(0, 20))
def test_any_text_can_be_cleaned(text: str, secrets: list[str], size: int):
    redactor = Redactor(secrets)

    assert not any(secret in redactor.clean(text).replace(HIDDEN, "") for secret in secrets if len(secret) >= 4)
    assert redactor.clean_start(text.encode("utf-8", "surrogatepass"), size, "replace") is not None


@pytest.mark.parametrize("size", range(4))
def test_a_character_at_the_cut_is_whole_or_left_out(size: int):
    redactor = Redactor(["secret"])

    assert redactor.clean_start("é€".encode(), size) == "é€"[: (0, 0, 1, 1)[size]]
    assert redactor.clean_start("é€".encode(), size, "replace") == "é€"[: (0, 1, 1, 2)[size]]


def test_a_short_secret_is_not_found_in_what_words_decode_to():
    words = " ".join(f"word{number}" for number in range(20_000))

    assert Redactor(["1", "ab", "x/y"]).clean(words) == words
    assert Redactor(["x/y"]).clean(r"pin=x\/y x%2Fy eC95 ax\/y") == rf"pin={HIDDEN} {HIDDEN} {HIDDEN} ax\/y"


def test_a_long_secret_in_many_lines_is_hidden_as_a_whole():
    secret = "first line/\nsecond line"

    assert Redactor([secret]).clean("a first line\\/\nsecond line b") == f"a {HIDDEN} b"
    assert Redactor([secret]).clean(json.dumps(f"a {secret} b")) == f'"a {HIDDEN} b"'


@pytest.mark.parametrize(
    "text",
    [
        "\\" * 200_000,
        "%25" * 80_000,
        "&amp;" * 80_000,
        "\\u0025%5c&#38;amp;" * 3_000,
        "&#" + "0" * 200_000,
        "QUJD" * 80_000,
        "QUJD\n" * 20_000,
        "QUJD\\r\\n " * 20_000,
        "\r" * 50_000 + "\n" * 50_000,
        ("\n" + " " * 1_000) * 100,
        "x" * 400_000 + "\n",
    ],
)
def test_a_text_made_of_escapes_takes_no_time_to_speak_of(text: str):
    started = time.process_time()
    assert Redactor(["s3cr3t/1"]).clean(f"{text} s3cr3t\\/1").endswith(f" {HIDDEN}")
    # Some tenths of a second; going through the rest at every escape would take minutes.
    assert time.process_time() - started < 60


def test_a_line_with_a_plain_secret_takes_little_longer_than_one_without():
    secrets = [hashlib.sha256(bytes([number])).hexdigest() for number in range(20)]
    redactor = Redactor(secrets)
    line = json.dumps(json.dumps({"message": "GET /items?token=TOKEN&q=a%20b&amp;c", "path": 'a "b"'}))

    with_secret, without = line.replace("TOKEN", secrets[7]), line.replace("TOKEN", "nothing")
    assert redactor.clean(with_secret) == line.replace("TOKEN", HIDDEN)
    assert _fastest(redactor, with_secret) < 3 * _fastest(redactor, without)


def _fastest(redactor: Redactor, text: str) -> float:
    """Seconds for a hundred times, the best of ten."""
    times: list[float] = []
    for _ in range(10):
        started = time.process_time()
        for _ in range(100):
            redactor.clean(text)
        times.append(time.process_time() - started)
    return min(times)
