"""Who is refused after wrong passwords: whoever has sent them, and not the user that they were sent for."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from penstock.foundation.secrets import Cipher
from penstock.services.login import attempts, known_browsers
from penstock.services.management.models.people import User
from tests.support.http import Response
from tests.support.stacks import ServicesOnly
from tests.unit.services.login.people import (
    PASSWORD,
    Browser,
    enable_second_factor,
    log_in,
    management,
    sign_up,
)

HOME, STRANGER = "198.51.100.7", "203.0.113.5"


def log_in_from(stack: ServicesOnly, address: str, user: User, password: str = PASSWORD) -> Response:
    return log_in(stack, user, password, **{"X-Forwarded-For": address})


def test_wrong_passwords_from_one_network_do_not_lock_the_user_elsewhere(services_behind_proxy: ServicesOnly) -> None:
    stack, user = services_behind_proxy, sign_up(services_behind_proxy)
    statuses = [log_in_from(stack, STRANGER, user, "wrong").status for _ in range(attempts.PER_USER + 1)]

    assert statuses == [401] * attempts.PER_USER + [429]
    assert log_in_from(stack, STRANGER, user).status == 429
    assert log_in_from(stack, HOME, user).status == 200


def test_wrong_passwords_from_everywhere_only_slow_the_next_ones_down(
    services_behind_proxy: ServicesOnly, later: Callable[..., None]
) -> None:
    stack, user = services_behind_proxy, sign_up(services_behind_proxy)
    strangers = [f"203.0.113.{number}" for number in range(attempts.PER_USER)]
    assert {log_in_from(stack, each, user, "wrong").status for each in strangers} == {401}
    mistyped, refused = log_in_from(stack, HOME, user, "wrong"), log_in_from(stack, HOME, user)

    assert (mistyped.status, refused.status) == (401, 429)
    assert 0 < int(refused.headers["retry-after"]) <= 30
    assert "seconds" in refused.json["error"]
    later(seconds=31)
    assert log_in_from(stack, HOME, user).status == 200


def test_a_browser_that_signed_in_before_passes_when_its_network_is_refused(shared: ServicesOnly) -> None:
    user, browser = sign_up(shared), Browser(shared)
    assert browser.sign_in(user).status == 303
    del browser.cookies["penstock_session"]
    statuses = [log_in(shared, user, "wrong").status for _ in range(attempts.PER_USER + 1)]

    assert statuses[-1] == 429
    assert Browser(shared).sign_in(user).status == 429
    assert browser.sign_in(user).status == 303


def test_it_has_a_limit_of_its_own(shared: ServicesOnly) -> None:
    user, browser = sign_up(shared), Browser(shared)
    browser.sign_in(user)
    statuses = [browser.sign_in(user, "wrong").status for _ in range(attempts.PER_USER + 1)]

    assert statuses == [401] * attempts.PER_USER + [429]
    assert log_in(shared, user).status == 200


def test_a_browser_of_another_user_or_with_a_forged_cookie_does_not_pass(shared: ServicesOnly) -> None:
    user, other = sign_up(shared), sign_up(shared)
    browser, forged = Browser(shared), Browser(shared, {known_browsers.COOKIE: "1.2.3"})
    browser.sign_in(other)
    for _ in range(attempts.PER_USER):
        log_in(shared, user, "wrong")

    assert [each.sign_in(user).status for each in (browser, forged)] == [429, 429]


def test_the_cookie_is_not_for_pages_and_opens_nothing(shared: ServicesOnly) -> None:
    user, browser = sign_up(shared), Browser(shared)
    header = browser.sign_in(user).cookies[known_browsers.COOKIE]
    del browser.cookies["penstock_session"]

    assert {"HttpOnly", "SameSite=lax"} <= set(header.split("; "))
    assert browser.open("/v1/auth/session").json["isSignedIn"] is False


def test_a_mark_ends_after_ninety_days(shared: ServicesOnly, later: Callable[..., None]) -> None:
    cipher = shared.stack.cipher
    mark = known_browsers.make_mark(cipher, "Ann@example.com ")

    assert known_browsers.find_browser(cipher, "ann@example.com", mark)
    later(days=91)
    assert not known_browsers.find_browser(cipher, "ann@example.com", mark)


@settings(max_examples=200)
@given(st.text() | st.text(alphabet="0123456789.-", max_size=40))
def test_any_other_text_is_not_a_mark(mark: str) -> None:
    assert known_browsers.find_browser(Cipher(b"k" * 32), "ann@example.com", mark) == ""


def test_codes_of_a_second_factor_are_limited_over_all_networks(services_behind_proxy: ServicesOnly) -> None:
    stack, user = services_behind_proxy, sign_up(services_behind_proxy)
    enable_second_factor(stack, user)
    begun = log_in(stack, user).json["mfaToken"]
    client = management(stack)

    def guess(number: int) -> int:
        client.headers = {"X-Forwarded-For": f"203.0.113.{number}"}
        return client.post("/v1/auth/mfa", {"mfaToken": begun, "code": f"{number:06}"}).status

    assert [guess(number) for number in range(attempts.PER_USER + 1)] == [401] * attempts.PER_USER + [429]


@pytest.mark.parametrize("cookie", ["", "..", "a.b.c", "1.1e9.x", "9" * 400])
def test_a_cookie_that_cannot_be_read_is_ignored(shared: ServicesOnly, cookie: str) -> None:
    user = sign_up(shared)

    assert Browser(shared, {known_browsers.COOKIE: cookie}).sign_in(user).status == 303
