import pytest

from penstock.foundation.outbound import Refused
from penstock.foundation.outbound.urls import read_redirect, read_target


@pytest.mark.parametrize(
    "url",
    [
        "http://example.com\\@127.0.0.1/",
        "http://exa\tmple.com/",
        "http://example.com/a\nb",
        "http://example.com/\x00",
        "\x01http://example.com/",
        "http://user@example.com/",
        "http://user:password@example.com/",
        "http://:@example.com/",
        "http://example.com@127.0.0.1/",
        "ftp://example.com/",
        "file:///etc/passwd",
        "gopher://example.com/",
        "javascript:alert(1)",
        "ws://example.com/",
        "unix:///run/docker.sock",
        "//example.com/",
        "/users",
        "example.com",
        "http:example.com",
        "http:/example.com",
        "http:///users",
        "http://",
        "",
        "http://example.com:0/",
        "http://example.com:65536/",
        "http://example.com:99999999999/",
        "http://example.com:80x/",
        "http://example.com:-1/",
        "http://example.com:٣/",
        "http://exa mple.com/",
        "http://" + "a." * 130 + "com/",
        " http://example.com/",
    ],
)
def test_a_url_that_is_not_plainly_one_hosts_is_refused(url: str):
    with pytest.raises(Refused):
        read_target(url)


def test_a_password_in_a_url_is_not_repeated():
    with pytest.raises(Refused, match="authentication settings") as caught:
        read_target("http://admin:hunter2@example.com/")

    assert "hunter2" not in str(caught.value)


@pytest.mark.parametrize(
    ("url", "sent"),
    [
        ("http://example.com", "http://example.com/"),
        ("HTTP://Example.COM:80/A", "http://example.com/A"),
        ("https://example.com:443?a=1", "https://example.com/?a=1"),
        ("https://example.com:8443/#part", "https://example.com:8443/"),
        ("http://example.com:/", "http://example.com/"),
        ("http://example.com/a%2Fb%2fc?d=%7e&e=f+g%20h", "http://example.com/a%2Fb%2fc?d=%7e&e=f+g%20h"),
        ("http://example.com/a b?c={d}|e", "http://example.com/a%20b?c=%7Bd%7D%7Ce"),
        ("http://example.com/ü?q=日", "http://example.com/%C3%BC?q=%E6%97%A5"),
        ("http://example.com/a/../b//c/./", "http://example.com/a/../b//c/./"),
        ("http://example.com/?a=http://b@c", "http://example.com/?a=http://b@c"),
        ("http://bücher.example/", "http://xn--bcher-kva.example/"),
        ("http://1.1.1.1.:81/", "http://1.1.1.1:81/"),
        ("http://1.257/", "http://1.0.1.1/"),
        ("http://[2606:4700:0::1111]:8080/", "http://[2606:4700::1111]:8080/"),
    ],
)
def test_a_url_is_sent_as_it_was_written(url: str, sent: str):
    assert str(read_target(url).url) == sent


@pytest.mark.parametrize(
    ("location", "next_url"),
    [
        ("/b", "https://example.com/b"),
        ("b?c=d", "https://example.com/a/b?c=d"),
        ("?page=2", "https://example.com/a/?page=2"),
        ("//other.example/x", "https://other.example/x"),
        ("http://other.example:81/%7e", "http://other.example:81/%7e"),
        (" /trimmed ", "https://example.com/trimmed"),
        ("/\udcc3\udcbc", "https://example.com/%C3%BC"),
    ],
)
def test_a_location_is_read_from_where_it_was_found(location: str, next_url: str):
    assert str(read_redirect(read_target("https://example.com/a/?token=1"), location).url) == next_url


@pytest.mark.parametrize("location", ["ftp://x/", "file:///etc/passwd", "http://a\\b/", "http://u:p@x/", "http://[x/"])
def test_a_location_that_cannot_be_called_is_refused(location: str):
    with pytest.raises(Refused, match=r"example\.com redirects to a URL"):
        read_redirect(read_target("https://example.com/"), location)
