"""The options of a curl command: their long names and values; options that do not change the request are ignored."""

from __future__ import annotations

import re
from collections.abc import Iterator

from penstock.extractor.base.errors import UserError
from penstock.extractor.tools.curl.shell_words import split_words

Options = list[tuple[str, str]]
"""Long names and values, in order; a URL has the name `url`."""
NO_COMMAND = "Not a valid cURL command"
SHORT = (
    {"X": "request", "H": "header", "d": "data", "F": "form", "u": "user", "b": "cookie", "A": "user-agent"}
    | {"e": "referer", "T": "upload-file", "o": "output", "m": "max-time", "w": "write-out", "x": "proxy"}
    | {"c": "cookie-jar", "E": "cert", "K": "config", "r": "range", "y": "speed-time", "Y": "speed-limit"}
    | {"C": "continue-at", "D": "dump-header", "U": "proxy-user", "z": "time-cond", "t": "telnet-option"}
    | {"Q": "quote", "P": "ftp-port", "h": "help", "G": "get", "I": "head", ":": "next"}
)
FLAGS = ("get", "head", "next")
"""Those of the options above that take no value, like all options that are not listed here."""
IGNORED = frozenset(
    {
        *("output", "max-time", "connect-timeout", "write-out", "proxy", "proxy-user", "proxy-header"),
        *("noproxy", "preproxy", "cookie-jar", "cert", "cert-type", "key", "key-type", "pass", "cacert"),
        *("capath", "ciphers", "tls13-ciphers", "tls-max", "curves", "pinnedpubkey", "crlfile", "retry"),
        *("retry-delay", "retry-max-time", "limit-rate", "rate", "speed-time", "speed-limit", "continue-at"),
        *("dump-header", "time-cond", "resolve", "connect-to", "interface", "local-port", "dns-servers"),
        *("doh-url", "keepalive-time", "max-redirs", "max-filesize", "proto", "proto-redir", "proto-default"),
        *("socks4", "socks4a", "socks5", "socks5-hostname", "stderr", "trace", "trace-ascii", "unix-socket"),
        *("expect100-timeout", "happy-eyeballs-timeout-ms", "delegation", "service-name", "create-file-mode"),
        *("output-dir", "parallel-max", "hsts", "alt-svc", "etag-save", "etag-compare", "libcurl"),
    }
)
DATA = ("data", "data-ascii", "data-binary", "data-raw", "data-urlencode", "json")
REFUSED = {
    "form": "sends a form in parts (multipart)",
    "form-string": "sends a form in parts (multipart)",
    "upload-file": "uploads a file",
    "config": "reads options from a file",
    "range": "asks for a part of the response",
    "aws-sigv4": "signs the request; set `parameters.aws.signature.credentials` instead",
    "next": "starts a second request; give one at a time",
    "variable": "sets a variable",
    "url-query": "adds to the query; write it into the address instead",
    "quote": "is for FTP",
    "ftp-port": "is for FTP",
    "telnet-option": "is for Telnet",
}
VALUED = IGNORED | REFUSED.keys() - {"next"} | {*DATA, *SHORT.values()} - {*FLAGS, "help"} | {"url", "oauth2-bearer"}
_IS_SHORT = re.compile(r"-[A-Za-z0-9#:]").match


def read_options(text: str) -> Options:
    """Raises UserError for a text that is not a curl command, and for options that a job cannot express."""
    options = list(_options(_words(text)))
    for name, _value in options:
        if name in REFUSED:
            raise UserError(f"A job cannot do what the option --{name} asks for: it {REFUSED[name]}.")
    return options


def _words(text: str) -> list[str]:
    try:
        words = split_words(text.strip().removeprefix("$ "))
    except ValueError as error:
        raise UserError(f"{NO_COMMAND}: {error}.") from None
    if not words or words[0] not in ("curl", "curl.exe"):
        raise UserError(f"{NO_COMMAND}. It starts with `curl`.")
    return words[1:]


def _options(words: list[str]) -> Iterator[tuple[str, str]]:
    rest = iter(words)
    for word in rest:
        if word.startswith("--"):
            name, _equals, value = word[2:].partition("=")
            yield name, value or _next(rest, word) if name in VALUED else ""
        elif _IS_SHORT(word):
            yield from _short_options(word[1:], rest)
        else:
            yield "url", word


def _short_options(letters: str, rest: Iterator[str]) -> Iterator[tuple[str, str]]:
    """Yields the options in `-sXPOST`: flags, and possibly an option with its value at the end."""
    for at, letter in enumerate(letters):
        name = SHORT.get(letter, letter)
        if name in VALUED:
            yield name, letters[at + 1 :] or _next(rest, f"-{letter}")
            return
        yield name, ""


def _next(rest: Iterator[str], option: str) -> str:
    value = next(rest, None)
    if value is None:
        raise UserError(f"{NO_COMMAND}: the option {option} has no value.")
    return value
