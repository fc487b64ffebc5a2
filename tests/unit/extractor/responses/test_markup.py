from __future__ import annotations

import pytest

from penstock.extractor.responses.contents import WEB_PAGE, XML, markup_hint


@pytest.mark.parametrize(
    "body",
    [
        b"<html><body>Sign in</body></html>",
        b"\n <!DOCTYPE HTML>\n<title>x</title>",
        b'<?xml version="1.0"?>\n<!DOCTYPE html PUBLIC "x">\n<html xmlns="x">',
        b"<br />\n<b>Fatal error</b>: x in y.php",
        b"<h1>502 Bad Gateway</h1>",
        b"\xef\xbb\xbf<HTML>",
    ],
)
def test_a_web_page_is_called_one(body: bytes):
    assert markup_hint(body) == WEB_PAGE


@pytest.mark.parametrize(
    "body",
    [
        b'<?xml version="1.0" encoding="UTF-8"?>\n<users><user id="1"/></users>',
        b"<Error><Code>AccessDenied</Code></Error>",
        b"  <soap:Envelope xmlns:soap='x'>",
        b'<?xml version="1.0"?><a><b>1</b></a>',
        b"\xef\xbb\xbf<rss>",
        b"<!-- made by hand --><feed/>",
    ],
)
def test_xml_is_called_xml(body: bytes):
    assert markup_hint(body) == XML


@pytest.mark.parametrize("body", [b"", b"oops", b"{'a': 1}", b"a < b"])
def test_what_is_not_markup_is_called_nothing(body: bytes):
    assert markup_hint(body) == ""
