from __future__ import annotations

import logging
from datetime import UTC, datetime
from typing import Any, cast
from urllib.parse import quote

import botocore.auth
import pytest
from botocore.awsrequest import AWSRequest
from botocore.credentials import Credentials
from hypothesis import given
from hypothesis import strategies as st

from penstock.extractor.base.errors import UserError
from penstock.extractor.base.http import Message
from penstock.extractor.requests.auth import AwsSignature, read_aws
from penstock.extractor.requests.sending.query import build_query

NOW = datetime(2024, 5, 6, 7, 8, 9, tzinfo=UTC)
STAMP = "20240506T070809Z"
OPTIONS = {"accessKeyId": "AKID", "#secretKey": "s3cret/+key", "serviceName": "execute-api", "regionName": "eu-west-1"}
AWS = AwsSignature("AKID", "s3cret/+key", "execute-api", "eu-west-1")
HOST = "https://api.example"
TEXTS = st.text("aZ0[]~ é&=+/%-_.:", max_size=5)
PARAMS = st.dictionaries(TEXTS.filter(bool), TEXTS | st.lists(TEXTS, min_size=2, max_size=3), max_size=4)
PATHS = st.lists(st.text("aZ ~é:@!$&'()*+,;=%", max_size=4), max_size=4)
VALUES = st.text("aZ0 é,;=", max_size=8).map(str.strip)

logging.getLogger("botocore").setLevel(logging.WARNING)


def signed_by_botocore(message: Message) -> str:
    """The signature of a message that has its date and its query as we send them."""
    request = cast(Any, AWSRequest(message.method, message.url, data=message.body or b""))
    for name, value in message.headers.items():
        for item in [value] if isinstance(value, str) else value:
            request.headers.add_header(name, item)
    signer = cast(Any, botocore.auth.SigV4Auth(Credentials("AKID", "s3cret/+key"), "execute-api", "eu-west-1"))
    request.context["timestamp"] = STAMP
    text = signer.string_to_sign(request, signer.canonical_request(request))
    signer._inject_signature_to_request(request, signer.signature(text, request))
    return request.headers["Authorization"]


def check(message: Message) -> Message:
    signed = AWS.sign(message, NOW)
    headers = {name: value for name, value in signed.headers.items() if name != "Authorization"}
    assert signed.headers["Authorization"] == signed_by_botocore(
        Message(signed.method, signed.url, headers, signed.body)
    )
    return signed


@pytest.mark.parametrize(
    "message",
    [
        Message("GET", HOST),
        Message("GET", f"{HOST}:443/a//b/?b=2&a=1&a=0&flag"),
        Message("GET", "http://api.example:8080/a%20b?q=x+y&z=%7e&a[0]=1"),
        Message("GET", f"{HOST}/a:b/~c?time=12:46", {"Host": "other.example", "X-Many": ["b", "a"]}),
        Message("POST", f"{HOST}/a", {"X-Spaces": "a   b"}, b'{"a":1}'),
        Message("POST", f"{HOST}/a", {"X-Amz-Content-SHA256": "UNSIGNED-PAYLOAD"}, b"a=1"),
    ],
)
def test_the_signature_is_that_of_botocore(message: Message):
    check(message)


@given(
    PATHS, PARAMS, st.dictionaries(st.sampled_from(["X-A", "x-b", "Accept-Language"]), VALUES), st.binary(max_size=8)
)
def test_any_message_is_signed_as_botocore_does(path: list[str], params: Any, headers: Any, body: bytes):
    url = f"{HOST}/{'/'.join(quote(part, safe=':@') for part in path)}?{build_query(params)}"

    check(Message("POST" if body else "GET", url, headers, body or None))


def test_the_query_is_re_encoded_in_its_order():
    assert AWS.sign(Message("GET", f"{HOST}/a?b=x+y&flag&a=~"), NOW).url == f"{HOST}/a?b=x%20y&flag&a=~"


def test_headers_that_change_on_the_way_are_sent_but_not_signed():
    headers = {"User-Agent": "u", "Content-Type": "t", "Accept": "a", "X-Mine": "m"}

    signed = AWS.sign(Message("GET", HOST, dict(headers)), NOW)

    assert signed.headers.items() >= headers.items()
    assert signed.headers["X-Amz-Date"] == STAMP
    assert "SignedHeaders=host;x-amz-date;x-mine, " in signed.headers["Authorization"]


def test_the_signature_takes_the_place_of_dates_and_of_another_authorization():
    headers: Any = {"authorization": "Basic x", "Date": "today", "x-amz-date": "yesterday", "A": "b"}

    signed = AWS.sign(Message("GET", HOST, headers), NOW)

    assert list(signed.headers) == ["A", "X-Amz-Date", "Authorization"]


def test_signing_twice_is_signing_anew():
    once = AWS.sign(Message("GET", f"{HOST}/a?b=1"), NOW)

    assert AWS.sign(once, NOW) == once


def test_credentials_are_read():
    assert read_aws({"aws": {"signature": {"credentials": OPTIONS}}}) == AWS


@pytest.mark.parametrize(
    "parameters", [{}, {"aws": None}, {"aws": {"signature": []}}, {"aws": {"signature": {"credentials": {}}}}]
)
def test_without_credentials_nothing_is_signed(parameters: Any):
    assert read_aws(parameters) is None


@pytest.mark.parametrize("option", list(OPTIONS))
def test_every_option_is_required(option: str):
    with pytest.raises(UserError) as error:
        read_aws({"aws": {"signature": {"credentials": {**OPTIONS, option: ""}}}})

    assert str(error.value) == f'Option "{option}" under "parameters.aws.signature.credentials" cannot be empty.'
