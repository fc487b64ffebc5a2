"""Signing in with a password and a second factor, and everything that must not work."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

import pytest
from argon2 import Parameters, PasswordHasher, extract_parameters

from penstock.foundation import clock
from penstock.services.login import attempts
from tests.support.stacks import ServicesOnly
from tests.unit.services.login.people import (
    PASSWORD,
    Browser,
    add_person,
    as_person,
    audited,
    enable_second_factor,
    log_in,
    management,
    personal_token,
    set_password,
    sign_in,
    sign_up,
)


@pytest.mark.usefixtures("hashes_of_a_stack")
def test_a_password_gets_tokens_that_say_who_one_is(shared: ServicesOnly) -> None:
    user = sign_up(shared)
    found = sign_in(shared, user)

    assert found["accessToken"].startswith("kbc_at_")
    assert found["refreshToken"].startswith("kbc_rt_")
    assert (found["tokenType"], found["expiresIn"]) == ("Bearer", 3600)
    assert found["user"] == {"id": user.id, "email": user.email, "name": "Ann"}
    me = as_person(shared, found["accessToken"]).get("/v1/auth/me").json
    assert me["projects"] == [{"id": shared.project.id, "name": "My project", "role": "admin"}]
    assert (me["isSuperAdmin"], me["mfaEnabled"]) == (False, False)
    assert f"user {user.id}" in {entry.target for entry in audited(shared, "login.succeeded")}


@pytest.mark.parametrize("email", ["nobody@example.com", "", "x" * 255, "ann@example.com'--"])
def test_an_unknown_user_and_a_wrong_password_get_the_same_answer(shared: ServicesOnly, email: str) -> None:
    user = sign_up(shared)
    unknown, wrong = log_in(shared, email), log_in(shared, user, "wrong")

    assert (unknown.status, wrong.status) == (401, 401)
    assert unknown.json["error"] == wrong.json["error"] == "The e-mail address or the password is wrong."


@pytest.mark.usefixtures("hashes_of_a_stack")
def test_an_unknown_user_takes_as_long_as_a_wrong_password(
    shared: ServicesOnly, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Both compare one hash, and the time that this takes follows from the parameters of the hash."""
    user, compared, verify = sign_up(shared), list[Parameters](), PasswordHasher.verify

    def note(hasher: PasswordHasher, hashed: str, password: str) -> Literal[True]:
        compared.append(extract_parameters(hashed))
        return verify(hasher, hashed, password)

    monkeypatch.setattr(PasswordHasher, "verify", note)
    for email in (user.email, "no@one"):
        assert log_in(shared, email, "wrong").status == 401

    known, unknown = compared
    assert known == unknown
    assert known.memory_cost > 19_000, "and it is long"


def test_a_user_without_a_password_cannot_sign_in_with_one(shared: ServicesOnly) -> None:
    user = add_person(shared)

    assert [log_in(shared, user, password).status for password in ("", "None", PASSWORD)] == [401] * 3


@pytest.mark.parametrize(
    ("password", "problem"),
    [
        ("short", "has fewer than 12 characters"),
        ("x" * 129, "has more than 128 characters"),
        ("abababababab", "has fewer than 5 different characters"),
    ],
)
def test_a_weak_password_is_refused_with_the_rule(shared: ServicesOnly, password: str, problem: str) -> None:
    user = add_person(shared)
    page = set_password(shared, user, password)

    assert page.status == 400
    assert f"This password {problem}. Choose one of 12 to 128 characters" in page.text
    assert log_in(shared, user, password).status == 401


def test_a_password_is_not_the_email_address(shared: ServicesOnly) -> None:
    user = add_person(shared)

    assert "contains your e-mail address" in set_password(shared, user, f"my {user.email.upper()}").text


@pytest.mark.usefixtures("hashes_of_a_stack")
def test_a_changed_password_ends_other_sign_ins_and_not_this_one(shared: ServicesOnly) -> None:
    user = sign_up(shared)
    other, mine = sign_in(shared, user), sign_in(shared, user)
    client, new = as_person(shared, mine["accessToken"]), "another long password"

    assert client.post("/v1/auth/password", {"password": "wrong", "newPassword": new}).status == 401
    assert client.post("/v1/auth/password", {"password": PASSWORD, "newPassword": "short"}).status == 400
    assert client.post("/v1/auth/password", {"password": PASSWORD, "newPassword": new}).status == 204
    assert client.get("/v1/auth/me").status == 200
    assert as_person(shared, other["accessToken"]).get("/v1/auth/me").status == 401
    refreshed = management(shared).post("/v1/auth/token/refresh", {"refreshToken": other["refreshToken"]})
    assert (refreshed.status, refreshed.json["error"]) == (400, "invalid_grant")
    assert log_in(shared, user).status == 401
    assert log_in(shared, user, new).status == 200


def test_too_many_wrong_passwords_lock_the_user_for_a_while(shared: ServicesOnly, later: Callable[..., None]) -> None:
    user, other = sign_up(shared), sign_up(shared)
    statuses = [log_in(shared, user, "wrong").status for _ in range(attempts.PER_USER + 2)]

    assert statuses == [401] * attempts.PER_USER + [429, 429]
    refused = log_in(shared, user)
    assert (refused.status, refused.json["code"]) == (429, "auth.tooManyAttempts")
    assert "Try again in 15 minutes." in refused.json["error"]
    assert 0 < int(refused.headers["retry-after"]) <= 900
    assert log_in(shared, other).status == 200
    assert [entry.target for entry in audited(shared, "login.locked")] == [f"user {user.email}"]
    assert len([each for each in audited(shared, "login.failed") if each.target == f"user {user.email}"]) == 10
    later(minutes=16)
    assert log_in(shared, user).status == 200


def test_an_unknown_address_is_locked_like_a_user(shared: ServicesOnly) -> None:
    statuses = [log_in(shared, "nobody.at.all@example.com").status for _ in range(attempts.PER_USER + 1)]

    assert statuses == [401] * attempts.PER_USER + [429]


def test_a_right_password_before_the_limit_starts_the_count_again(shared: ServicesOnly) -> None:
    user = sign_up(shared)
    for _ in range(2):
        assert {log_in(shared, user, "wrong").status for _ in range(attempts.PER_USER - 1)} == {401}
        assert log_in(shared, user).status == 200


def test_the_second_factor_is_asked_for_after_the_password(shared: ServicesOnly, later: Callable[..., None]) -> None:
    user = sign_up(shared)
    app, _ = enable_second_factor(shared, user)
    later(seconds=30)
    begun = log_in(shared, user).json

    assert (begun["mfaRequired"], begun["mfaType"], begun["expiresIn"]) == (True, "totp", 300)
    assert begun["allowedMethods"] == ["totp", "recovery"]
    assert "accessToken" not in begun
    code = {"mfaToken": begun["mfaToken"], "code": app.at(clock.now())}
    done = management(shared).post("/v1/auth/mfa", code)
    assert done.status == 200
    assert as_person(shared, done.json["accessToken"]).get("/v1/auth/me").json["mfaEnabled"]


def test_a_second_factor_ends_sign_ins_that_were_made_without_it(shared: ServicesOnly) -> None:
    user = sign_up(shared)
    browser, program = Browser(shared), personal_token(shared, user)
    browser.sign_in(user)
    older, mine = sign_in(shared, user), sign_in(shared, user)
    enable_second_factor(shared, user, mine["accessToken"])

    assert as_person(shared, mine["accessToken"]).get("/v1/auth/me").status == 200
    assert as_person(shared, program).get("/v1/auth/me").status == 200
    assert as_person(shared, older["accessToken"]).get("/v1/auth/me").status == 401
    assert browser.open("/v1/auth/session").json["isSignedIn"] is False
    for pair, status in ((older, 400), (mine, 200)):
        body = {"refreshToken": pair["refreshToken"]}
        assert management(shared).post("/v1/auth/token/refresh", body).status == status


def test_a_code_works_once_and_so_does_the_sign_in(shared: ServicesOnly, later: Callable[..., None]) -> None:
    user = sign_up(shared)
    app, _ = enable_second_factor(shared, user)
    later(seconds=30)
    code, client = app.at(clock.now()), management(shared)
    first, second = log_in(shared, user).json["mfaToken"], log_in(shared, user).json["mfaToken"]

    assert client.post("/v1/auth/mfa", {"mfaToken": first, "code": code}).status == 200
    assert client.post("/v1/auth/mfa", {"mfaToken": second, "code": code}).status == 401
    later(seconds=30)
    again = client.post("/v1/auth/mfa", {"mfaToken": first, "code": app.at(clock.now())})
    assert (again.status, "Start again with your password" in again.json["error"]) == (401, True)


def test_the_code_that_confirmed_the_setup_does_not_sign_in(shared: ServicesOnly) -> None:
    user = sign_up(shared)
    app, _ = enable_second_factor(shared, user)
    begun = log_in(shared, user).json["mfaToken"]

    assert management(shared).post("/v1/auth/mfa", {"mfaToken": begun, "code": app.at(clock.now())}).status == 401


def test_a_recovery_code_works_once(shared: ServicesOnly) -> None:
    user = sign_up(shared)
    _, codes = enable_second_factor(shared, user)

    assert len(set(codes)) == 8
    statuses = [
        management(shared)
        .post("/v1/auth/mfa", {"mfaToken": log_in(shared, user).json["mfaToken"], "code": code})
        .status
        for code in (codes[0], codes[0].upper(), codes[1])
    ]
    assert statuses == [200, 401, 200]


def test_a_sign_in_that_waits_for_a_code_expires(shared: ServicesOnly, later: Callable[..., None]) -> None:
    user = sign_up(shared)
    app, _ = enable_second_factor(shared, user)
    begun = log_in(shared, user).json["mfaToken"]
    later(minutes=6)

    assert management(shared).post("/v1/auth/mfa", {"mfaToken": begun, "code": app.at(clock.now())}).status == 401


def test_guessing_codes_is_limited_like_guessing_passwords(shared: ServicesOnly) -> None:
    user = sign_up(shared)
    enable_second_factor(shared, user)
    begun = log_in(shared, user).json["mfaToken"]
    guesses = ({"mfaToken": begun, "code": f"{number:06}"} for number in range(attempts.PER_USER))
    statuses = [management(shared).post("/v1/auth/mfa", guess).status for guess in guesses]

    assert statuses[-1] == 429
    assert set(statuses[:-1]) == {401}


@pytest.mark.parametrize("code", ["", "abc", "１２３４５６", "-1", "0" * 255])
def test_what_is_no_code_is_a_wrong_code(shared: ServicesOnly, code: str) -> None:
    user = sign_up(shared)
    enable_second_factor(shared, user)
    begun = log_in(shared, user).json["mfaToken"]

    assert management(shared).post("/v1/auth/mfa", {"mfaToken": begun, "code": code}).status == 401


def test_a_second_factor_is_removed_with_a_code_of_it(shared: ServicesOnly) -> None:
    user = sign_up(shared)
    access = sign_in(shared, user)["accessToken"]
    client = as_person(shared, access)
    _, codes = enable_second_factor(shared, user, access)

    assert client.post("/v1/auth/second-factor").status == 400
    assert client.post("/v1/auth/second-factor/remove", {"code": "000000"}).status == 401
    assert client.post("/v1/auth/second-factor/remove", {"code": codes[0]}).status == 204
    assert "accessToken" in log_in(shared, user).json


@pytest.mark.usefixtures("hashes_of_a_stack")
def test_neither_passwords_nor_codes_nor_keys_are_stored_as_they_are(shared: ServicesOnly) -> None:
    user = sign_up(shared)
    app, codes = enable_second_factor(shared, user)
    with shared.stack.database.reading() as tx:
        rows = tx.connection.exec_driver_sql("SELECT * FROM management_logins").all()
        stored = str([tuple(row) for row in rows])

    assert "$argon2id$v=19$m=19456,t=2,p=1$" in stored
    assert not [secret for secret in (PASSWORD, app.secret, *codes) if secret in stored]


@pytest.mark.parametrize(
    "body",
    [{}, {"email": "a@b.c"}, {"email": ["a"], "password": "x"}, {"grantType": "none", "email": "a", "password": "b"}],
)
def test_a_sign_in_that_cannot_be_read_says_what_is_missing(shared: ServicesOnly, body: dict[str, object]) -> None:
    response = management(shared).post("/v1/auth/login", body)

    assert response.status == 400
    assert response.json["error"].startswith("Invalid request:")
