"""Members of projects, invitations and join requests: each works once, and only for the user that it is for."""

from __future__ import annotations

from datetime import timedelta

import msgspec
import pytest
from sqlalchemy import select

from penstock.foundation import clock
from penstock.foundation.events.outbox import outbox
from penstock.services.management import interface as management
from penstock.services.management.models.events import SEALED_FOR
from tests.support.http import Http
from tests.support.stacks import ServicesOnly
from tests.unit.services.management.people import (
    Person,
    Place,
    add_person,
    add_place,
    made,
    new_name,
    patch,
    program,
    sign_in,
)


@pytest.fixture
def boss(shared: ServicesOnly) -> Http:
    return program(shared, "super")


@pytest.fixture
def place(boss: Http) -> Place:
    return add_place(boss)


def find_code(services: ServicesOnly, email: str) -> str:
    """The code of the link, as the notification service reads it."""
    with services.stack.database.reading() as tx:
        rows = tx.connection.execute(
            select(outbox.c.content).where(outbox.c.event == management.InvitationCreated.name)
        ).scalars()
        found = [msgspec.json.decode(row, type=management.InvitationCreated) for row in rows]
    sealed = next(each.sealed_code for each in reversed(found) if each.email == email)
    code = services.stack.cipher.unseal(bytes.fromhex(sealed), SEALED_FOR)
    assert code
    return code.decode()


def test_the_last_administrator_does_not_leave_a_project(shared: ServicesOnly, boss: Http, place: Place) -> None:
    ann, bob = add_person(shared, "ann"), add_person(shared, "bob")
    path = f"/manage/projects/{place.project}/users"
    for person, role in ((ann, "admin"), (bob, "guest")):
        assert boss.post(path, {"email": person.email, "role": role}).status == 204
    left, lowered = ann.http.delete(f"{path}/{ann.id}"), patch(ann.http, f"{path}/{ann.id}", {"role": "guest"})

    assert (left.status, lowered.status) == (400, 400)
    assert left.json["error"].startswith("You are the last administrator of this project")
    assert made(patch(boss, f"{path}/{bob.id}", {"role": "admin"}), 200)["role"] == "admin"
    assert ann.http.delete(f"{path}/{ann.id}").status == 204
    assert boss.delete(f"{path}/{bob.id}").status == 204, "whoever is above may remove anybody"


def test_an_address_is_not_flooded_with_invitations(shared: ServicesOnly, boss: Http, place: Place) -> None:
    path, wanted = f"/manage/projects/{place.project}/invitations", {"email": f"{new_name('ann')}@example.com"}
    for _ in range(20):
        assert boss.delete(f"{path}/{made(boss.post(path, wanted))['id']}").status == 204

    for again in (path, f"/manage/organizations/{place.organization}/invitations"):
        refused = boss.post(again, {"email": wanted["email"].upper()})
        assert (refused.status, refused.json["error"]) == (
            429,
            "This address was invited too often. Invite it again in 15 minutes.",
        )
    made(boss.post(path, {"email": f"{new_name('ann')}@example.com"}))


def test_a_member_is_added_changed_and_removed(shared: ServicesOnly, boss: Http, place: Place) -> None:
    person, path = add_person(shared), f"/manage/projects/{place.project}"
    wanted = {"email": person.email, "role": "guest", "reason": "to look", "expirationSeconds": 3600}

    assert boss.post(f"{path}/users", wanted).status == 204

    [member] = boss.get(f"{path}/users").json
    assert (member["role"], member["reason"], member["status"]) == ("guest", "to look", "active")
    assert member["expires"]
    assert made(patch(boss, f"{path}/users/{person.email}", {"role": "readOnly"}), 200)["role"] == "readOnly"
    assert patch(boss, f"{path}/users/{person.id}", {"role": "owner"}).status == 400
    assert patch(boss, f"{path}/users/{person.id}", {"canApproveMergeRequests": True}).status == 400
    assert "already a member" in boss.post(f"{path}/users", wanted).json["error"]
    assert boss.delete(f"{path}/users/{person.email}").status == 204
    assert boss.get(f"{path}/users").json == []


def test_a_membership_ends_when_it_expires(
    shared: ServicesOnly, boss: Http, place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    person, path = add_person(shared), f"/manage/projects/{place.project}"
    boss.post(f"{path}/users", {"email": person.email, "expirationSeconds": 60})
    assert person.http.get(path).status == 200

    now = clock.now()
    monkeypatch.setattr(clock, "source", lambda: now + timedelta(seconds=61))

    assert person.http.get(path).status == 404
    assert boss.get(f"{path}/users").json == []
    assert boss.post(f"{path}/users", {"email": person.email}).status == 204


def test_an_invitation_says_nothing_of_people_of_other_organizations(
    shared: ServicesOnly, boss: Http, place: Place
) -> None:
    stranger, colleague, inviter = add_person(shared), add_person(shared), add_person(shared)
    path, beside = f"/manage/projects/{place.project}", add_place(boss)
    for person in (stranger, colleague):
        assert boss.put(f"/manage/users/{person.email}", {"name": "A real name"}).status == 200
    boss.post(f"/manage/projects/{beside.project}/users", {"email": stranger.email})
    boss.post(f"/manage/organizations/{place.organization}/users", {"email": colleague.email})
    boss.post(f"{path}/users", {"email": inviter.email, "role": "admin"})
    nobody = f"{new_name('nobody')}@example.com"
    sent = {
        email: made(inviter.http.post(f"{path}/invitations", {"email": email}))["user"]
        for email in (stranger.email, nobody, colleague.email)
    }

    for email in (stranger.email, nobody):
        assert sent[email] == {"id": 0, "name": email.partition("@")[0], "email": email}
    assert sent[colleague.email] == {"id": colleague.id, "name": "A real name", "email": colleague.email}
    listed = {each["user"]["email"]: each["user"] for each in inviter.http.get(f"{path}/invitations").json}
    assert listed == sent


def test_an_invited_address_becomes_a_user_who_can_accept_once(shared: ServicesOnly, boss: Http, place: Place) -> None:
    email, path = f"{new_name('New.Person')}@Example.com", f"/manage/projects/{place.project}"
    invitation = made(boss.post(f"{path}/invitations", {"email": email, "role": "readOnly", "reason": "audit"}))
    assert invitation["user"]["email"] == email.lower()
    person = sign_in(shared, email)
    own = f"/manage/current-user/projects-invitations/{invitation['id']}"

    shown = person.http.get("/manage/current-user/projects-invitations").json
    assert [(each["id"], each["project"]["id"], each["role"]) for each in shown] == [
        (invitation["id"], place.project, "readOnly")
    ]
    assert person.http.get(own).json == shown[0]
    assert person.http.get(path).status == 404

    assert person.http.put(own).status == 202

    assert person.http.put(own).status == 404
    [member] = person.http.get(f"{path}/users").json
    assert (member["email"], member["role"], member["reason"]) == (email.lower(), "readOnly", "audit")
    assert boss.get(f"{path}/invitations").json == []
    assert "already a member" in boss.post(f"{path}/invitations", {"email": email}).json["error"]


def test_nobody_is_invited_twice_until_the_invitation_is_canceled(boss: Http, place: Place) -> None:
    path, body = f"/manage/projects/{place.project}/invitations", {"email": f"{new_name('twice')}@example.com"}
    first = made(boss.post(path, body))

    response = boss.post(path, body)

    assert (response.status, response.json["error"][:39]) == (400, "This user has already been invited to t")
    assert boss.get(f"{path}/{first['id']}").json == first
    assert boss.delete(f"{path}/{first['id']}").status == 204
    assert boss.get(f"{path}/{first['id']}").status == 404
    assert boss.post(path, body).status == 201


@pytest.mark.parametrize(
    "email", ["", "nobody", "a@b@c", "a@example.com\nBcc: x@y", "a b@example.com", "=?utf-8?q?x?=@y"]
)
def test_what_is_not_an_address_cannot_be_invited(boss: Http, place: Place, email: str) -> None:
    response = boss.post(f"/manage/projects/{place.project}/invitations", {"email": email})

    assert (response.status, "is not a valid e-mail address" in response.json["error"]) == (400, True)


def _invite(shared: ServicesOnly, boss: Http, path: str) -> tuple[Person, str]:
    email = f"{new_name('invited')}@example.com"
    made(boss.post(f"{path}/invitations", {"email": email}))
    return sign_in(shared, email), find_code(shared, email)


ACCEPT, DECLINE = "/manage/current-user/accept-invitation", "/manage/current-user/decline-invitation"


def test_the_link_works_once_and_only_for_the_invited_user(shared: ServicesOnly, boss: Http, place: Place) -> None:
    path, other = f"/manage/projects/{place.project}", add_person(shared)
    person, code = _invite(shared, boss, path)

    assert other.http.post(ACCEPT, {"code": code}).status == 400
    assert other.http.post(DECLINE, {"code": code}).status == 400
    assert person.http.post(ACCEPT, {"code": f"{code}0"}).status == 400
    assert made(person.http.post(ACCEPT, {"code": code}), 202)["id"] == place.project
    assert person.http.get(path).status == 200
    again = person.http.post(ACCEPT, {"code": code})
    assert (again.status, "used already" in again.json["error"]) == (400, True)


def test_the_link_does_not_work_late(
    shared: ServicesOnly, boss: Http, place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    person, code = _invite(shared, boss, f"/manage/projects/{place.project}")
    now = clock.now()
    monkeypatch.setattr(clock, "source", lambda: now + timedelta(days=8))

    assert person.http.post(ACCEPT, {"code": code}).status == 400


def test_an_invitation_that_is_declined_is_gone(shared: ServicesOnly, boss: Http, place: Place) -> None:
    path = f"/manage/projects/{place.project}"
    (first, code), (second, _) = _invite(shared, boss, path), _invite(shared, boss, path)
    [own] = second.http.get("/manage/current-user/projects-invitations").json

    assert first.http.post(DECLINE, {"code": code}).status == 204
    assert second.http.delete(f"/manage/current-user/projects-invitations/{own['id']}").status == 204

    assert first.http.post(ACCEPT, {"code": code}).status == 400
    assert boss.get(f"{path}/invitations").json == []


def test_the_code_is_nowhere_in_the_database(shared: ServicesOnly, boss: Http, place: Place) -> None:
    _, code = _invite(shared, boss, f"/manage/projects/{place.project}")
    secret = code.partition("-")[2].encode()
    with shared.stack.database.reading() as tx:
        rows = tx.connection.execute(select(outbox.c.content)).scalars().all()

    assert secret not in b"".join(rows)


def test_invitations_to_organizations_and_maintainers_work_alike(
    shared: ServicesOnly, boss: Http, place: Place
) -> None:
    for word, number in (("organization", place.organization), ("maintainer", place.maintainer)):
        path, own = f"/manage/{word}s/{number}", f"/manage/current-user/{word}s-invitations"
        (person, _), (other, code) = _invite(shared, boss, path), _invite(shared, boss, path)
        assert len(boss.get(f"{path}/invitations").json) == 2
        [shown] = person.http.get(own).json
        assert shown[word]["id"] == number
        assert other.http.get(f"{own}/{shown['id']}").status == 404

        assert person.http.put(f"{own}/{shown['id']}").status == 202
        assert made(other.http.post(ACCEPT, {"code": code}), 202)["level"] == word

        assert person.http.get(path).status == 200
        assert {person.id, other.id} <= {each["id"] for each in boss.get(f"{path}/users").json}


def test_a_join_request_is_approved_or_rejected_by_an_administrator(
    shared: ServicesOnly, boss: Http, place: Place
) -> None:
    path, admin = f"/manage/projects/{place.project}", add_person(shared)
    boss.post(f"{path}/users", {"email": admin.email})
    patch(boss, f"/manage/organizations/{place.organization}", {"allowAutoJoin": False})
    people = [add_person(shared) for _ in range(3)]
    for person in people:
        boss.post(f"/manage/organizations/{place.organization}/users", {"id": person.id})
        made(person.http.post(f"{path}/request-access", {"reason": "please", "expirationSeconds": 900}))
        assert person.http.post(f"{path}/request-access", {}).status == 400
        assert person.http.get(f"{path}/join-requests").status == 403
    first, second, third = admin.http.get(f"{path}/join-requests").json

    assert admin.http.put(f"{path}/join-requests/{first['id']}").status == 202
    assert admin.http.delete(f"{path}/join-requests/{second['id']}").status == 204
    [own] = people[2].http.get("/manage/current-user/projects-join-requests").json
    assert own["project"]["id"] == place.project
    assert people[0].http.get(f"/manage/current-user/projects-join-requests/{third['id']}").status == 404
    assert people[2].http.delete(f"/manage/current-user/projects-join-requests/{third['id']}").status == 204

    assert admin.http.get(f"{path}/join-requests").json == []
    joined = {each["id"]: each for each in admin.http.get(f"{path}/users").json}
    assert joined.keys() == {admin.id, people[0].id}
    assert joined[people[0].id]["approver"]["id"] == admin.id
    assert joined[people[0].id]["expires"]


def test_a_guest_of_one_project_sees_nothing_of_another(shared: ServicesOnly, boss: Http, place: Place) -> None:
    guest, other = add_person(shared), add_place(boss)
    boss.post(f"/manage/projects/{place.project}/users", {"email": guest.email, "role": "guest"})

    mine, theirs = f"/manage/projects/{place.project}", f"/manage/projects/{other.project}"

    assert guest.http.get(mine).status == 200
    assert guest.http.post(f"{mine}/invitations", {"email": "friend@example.com"}).status == 403
    assert guest.http.post(f"{mine}/tokens", {"description": "mine"}).status == 403
    assert guest.http.get(theirs).json["error"] == f"Project {other.project} not found"
    absent = guest.http.get("/manage/projects/999999").json["error"]
    assert absent == "Project 999999 not found"


def test_the_role_share_is_given_by_members_of_the_organization_only(shared: ServicesOnly) -> None:
    boss = add_person(shared, "boss", is_super=True)
    place, admin, member, other = add_place(boss.http), add_person(shared), add_person(shared), add_person(shared)
    users, invitations = (f"/manage/projects/{place.project}/{each}" for each in ("users", "invitations"))
    for person in (admin, member):
        assert boss.http.post(users, {"email": person.email}).status == 204
    made(boss.http.post(f"/manage/organizations/{place.organization}/users", {"email": member.email}))

    wanted = {"email": other.email, "role": "share"}
    refused = [
        admin.http.post(users, wanted),
        admin.http.post(invitations, wanted),
        patch(admin.http, f"{users}/{admin.id}", {"role": "share"}),
    ]
    assert [each.status for each in refused] == [403] * 3
    assert all('The role "share" is given by members of the organization' in each.json["error"] for each in refused)
    assert member.http.post(users, wanted).status == 204
    assert patch(admin.http, f"{users}/{other.id}", {"role": "guest"}).status == 200


def test_a_member_with_the_role_share_administers_the_project(shared: ServicesOnly) -> None:
    boss, person, other = add_person(shared, "boss", is_super=True), add_person(shared), add_person(shared)
    users = f"/manage/projects/{add_place(boss.http).project}/users"
    assert boss.http.post(users, {"email": person.email, "role": "share"}).status == 204

    assert person.http.post(users, {"email": other.email}).status == 204
    roles = {each["email"]: each["canApproveMergeRequests"] for each in person.http.get(users).json}
    assert roles[person.email] is True


@pytest.mark.parametrize("role", [None, "guest"])
def test_nobody_comes_back_by_an_invitation_that_was_made_before(
    shared: ServicesOnly, boss: Http, place: Place, role: str | None
) -> None:
    ann, second = add_person(shared, "ann"), add_person(shared, "second")
    path = f"/manage/projects/{place.project}"
    assert boss.post(f"{path}/users", {"email": ann.email, "role": "admin"}).status == 204
    made(ann.http.post(f"{path}/invitations", {"email": second.email, "role": "admin"}))
    code = find_code(shared, second.email)
    own = f"{path}/users/{ann.id}"
    assert (patch(boss, own, {"role": role}) if role else boss.delete(own)).status in (200, 204)

    here = "/manage/current-user"
    [waiting] = second.http.get(f"{here}/projects-invitations").json
    for refused in (
        second.http.put(f"{here}/projects-invitations/{waiting['id']}"),
        second.http.post(f"{here}/accept-invitation", {"code": code}),
    ):
        assert (refused.status, "has left" in refused.json["error"]) == (400, True), refused.text
    assert second.http.get(path).status == 404
