"""Maintainers and organizations: who sees them, who changes them, and what they hold."""

from __future__ import annotations

from tests.support.stacks import ServicesOnly
from tests.unit.services.management.people import add_person, add_place, made, new_name, patch, program


def test_a_maintainer_is_created_changed_and_deleted(shared: ServicesOnly) -> None:
    boss = program(shared, "super")
    made_one = made(boss.post("/manage/maintainers", {"name": "First", "defaultConnectionSnowflakeId": 1}))
    path = f"/manage/maintainers/{made_one['id']}"

    changed = made(patch(boss, path, {"name": "Second", "zendeskUrl": "https://help.example.com"}), 200)

    assert changed == {**made_one, "name": "Second", "zendeskUrl": "https://help.example.com"}
    assert boss.get(path).json == changed
    assert boss.delete(path).status == 204
    assert boss.get(path).status == 404


def test_a_maintainer_with_organizations_and_an_organization_with_projects_stay(shared: ServicesOnly) -> None:
    boss = program(shared, "super")
    place = add_place(boss)

    for path in (f"/manage/maintainers/{place.maintainer}", f"/manage/organizations/{place.organization}"):
        response = boss.delete(path)
        assert response.status == 400
        assert "still has" in response.json["error"]
    assert boss.delete("/manage/organizations/1").status == 400


def test_an_organization_shows_its_projects_and_its_maintainer(shared: ServicesOnly) -> None:
    boss = program(shared, "super")
    place = add_place(boss)
    shown = made(boss.get(f"/manage/organizations/{place.organization}"), 200)

    assert [each["id"] for each in shown["projects"]] == [place.project]
    assert shown["maintainer"]["id"] == place.maintainer
    listed = made(boss.get(f"/manage/organizations/{place.organization}/projects"), 200)
    assert [each["id"] for each in listed] == [place.project]
    assert place.organization in [each["id"] for each in boss.get("/manage/organizations").json]


def test_an_organization_is_changed_field_by_field(shared: ServicesOnly) -> None:
    boss = program(shared, "super")
    place, other = add_place(boss), add_place(boss)
    path = f"/manage/organizations/{place.organization}"
    wanted = {"name": "New", "crmId": "crm-1", "allowAutoJoin": False, "activityCenterProjectId": place.project}

    changed = made(patch(boss, path, {**wanted, "maintainerId": other.maintainer}), 200)

    assert {name: changed[name] for name in wanted} == wanted
    assert changed["maintainer"]["id"] == other.maintainer
    assert made(boss.post(f"{path}/force-mfa", {}), 200)["mfaRequired"] is True
    assert made(patch(boss, f"{path}/force-mfa", {"mfaRequired": False}), 200)["mfaRequired"] is False
    assert patch(boss, path, {"activityCenterProjectId": other.project}).status == 404
    assert patch(boss, path, {"maintainerId": 999_999}).status == 404


def test_members_of_a_maintainer_and_an_organization_are_added_and_removed(shared: ServicesOnly) -> None:
    boss, person = program(shared, "super"), add_person(shared)
    place = add_place(boss)
    for path in (f"/manage/maintainers/{place.maintainer}", f"/manage/organizations/{place.organization}"):
        assert person.http.get(path).status == 404

        assert made(boss.post(f"{path}/users", {"id": person.id}))["email"] == person.email

        assert person.http.get(path).status == 200
        assert person.id in [each["id"] for each in person.http.get(f"{path}/users").json]
        assert "already a member" in boss.post(f"{path}/users", {"email": person.email}).json["error"]
        assert boss.delete(f"{path}/users/{person.id}").status == 204
        assert person.http.get(path).status == 404
        assert boss.delete(f"{path}/users/{person.id}").status == 404


def test_a_member_of_a_maintainer_joins_what_is_below_only_if_the_organization_allows_it(shared: ServicesOnly) -> None:
    boss, person = program(shared, "super"), add_person(shared)
    place = add_place(boss)
    boss.post(f"/manage/maintainers/{place.maintainer}/users", {"id": person.id})
    organization, project = f"/manage/organizations/{place.organization}", f"/manage/projects/{place.project}"
    made(patch(boss, organization, {"allowAutoJoin": False}), 200)

    assert person.http.get(organization).status == 200
    assert person.http.post(f"{organization}/join-organization").status == 403
    assert patch(person.http, organization, {"allowAutoJoin": True}).status == 403
    assert person.http.post(f"{project}/join-project").status == 403

    made(patch(boss, organization, {"allowAutoJoin": True}), 200)
    assert person.http.post(f"{organization}/join-organization").status == 204
    assert person.http.post(f"{project}/join-project").status == 204
    assert person.id in [each["id"] for each in boss.get(f"{project}/users").json]
    assert [each["id"] for each in person.http.get(f"/manage/users/{person.id}/projects").json] == [place.project]
    assert [each["id"] for each in person.http.get(f"{organization}/projects-users").json] == [person.id]


def test_a_program_cannot_join_anything(shared: ServicesOnly) -> None:
    boss = program(shared, "super")
    place = add_place(boss)

    assert boss.post(f"/manage/organizations/{place.organization}/join-organization").status == 403
    assert boss.post(f"/manage/projects/{place.project}/join-project").status == 403
    assert boss.post(f"/manage/projects/{place.project}/request-access", {}).status == 403


def test_lists_show_only_what_one_is_a_member_of(shared: ServicesOnly) -> None:
    boss, person = program(shared, "super"), add_person(shared)
    mine, _theirs = add_place(boss), add_place(boss)
    boss.post(f"/manage/maintainers/{mine.maintainer}/users", {"id": person.id})
    boss.post(f"/manage/organizations/{mine.organization}/users", {"id": person.id})

    assert [each["id"] for each in person.http.get("/manage/maintainers").json] == [mine.maintainer]
    assert [each["id"] for each in person.http.get("/manage/organizations").json] == [mine.organization]
    assert len(boss.get("/manage/maintainers").json) > 1


def test_metadata_is_set_replaced_and_deleted_everywhere(shared: ServicesOnly) -> None:
    boss, person = program(shared, "super"), add_person(shared)
    place = add_place(boss)
    owners = {
        f"/manage/maintainers/{place.maintainer}": "system",
        f"/manage/organizations/{place.organization}": "maintainer",
        f"/manage/projects/{place.project}": "user",
        f"/manage/users/{person.id}": "user",
    }
    for owner, provider in owners.items():
        items = [{"key": "a.b", "value": "1"}, {"key": "c", "value": "2"}]
        path = f"{owner}/metadata"
        made(boss.post(path, {"provider": provider, "metadata": items}))
        found = made(boss.post(path, {"provider": provider, "metadata": [{"key": "c", "value": "3"}]}))

        assert [(each["key"], each["value"], each["provider"]) for each in found] == [
            ("a.b", "1", provider),
            ("c", "3", provider),
        ]
        assert boss.delete(f"{path}/{found[0]['id']}").status == 204
        assert [each["key"] for each in boss.get(path).json] == ["c"]
        assert boss.delete(f"{path}/{found[0]['id']}").status == 404


def test_metadata_of_the_system_is_for_super_administrators(shared: ServicesOnly) -> None:
    boss, person = program(shared, "super"), add_person(shared)
    path, item = f"/manage/users/{person.id}/metadata", [{"key": new_name("key"), "value": "1"}]
    [entry] = made(boss.post(path, {"provider": "system", "metadata": item}))

    assert person.http.post(path, {"provider": "system", "metadata": item}).status == 403
    assert person.http.delete(f"{path}/{entry['id']}").status == 403
    assert person.http.post(path, {"provider": "maintainer", "metadata": item}).status == 400
    assert person.http.post(path, {"metadata": item}).status == 201


def test_a_member_is_added_by_number_only_by_whoever_can_see_that_user(shared: ServicesOnly) -> None:
    boss, person, known, unknown = program(shared, "super"), *(add_person(shared) for _ in range(3))
    place = add_place(boss)
    path = f"/manage/organizations/{place.organization}/users"
    made(boss.post(f"/manage/maintainers/{place.maintainer}/users", {"email": person.email}))
    boss.post(f"/manage/projects/{place.project}/users", {"email": known.email, "role": "guest"})

    refused = person.http.post(path, {"id": unknown.id})
    assert (refused.status, unknown.email in refused.text) == (404, False)
    assert refused.json["error"] == person.http.post(path, {"id": 10**9}).json["error"].replace(
        str(10**9), str(unknown.id)
    )
    assert made(person.http.post(path, {"id": known.id}))["email"] == known.email
    assert made(person.http.post(path, {"email": unknown.email}))["id"] == unknown.id
