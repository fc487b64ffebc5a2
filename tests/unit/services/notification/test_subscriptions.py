"""Subscriptions over HTTP."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from penstock.foundation import clock
from penstock.services.notification import service
from tests.support.http import Http
from tests.support.stacks import ServicesOnly
from tests.unit.services.fill import add_project, first_project
from tests.unit.services.notification.deliveries import happen, subscribe, wait_until

FAILED = {"event": "job-failed", "recipient": {"channel": "email", "address": "ops@example.com"}}


@pytest.fixture
def http(shared: ServicesOnly) -> Http:
    """Without subscriptions."""
    http = shared.service("notification")
    for each in http.get("/project-subscriptions").json:
        assert http.delete(f"/project-subscriptions/{each['id']}").status == 204
    return http


def test_a_subscription_is_kept_shown_and_deleted(http: Http, shared: ServicesOnly) -> None:
    caller = first_project(shared).caller
    given = {"field": "job.component.id", "value": "ex-generic-v2", "operator": "=="}
    response = http.post("/project-subscriptions", {**FAILED, "filters": [given], "expiresAt": None})
    made = response.json

    assert response.status == 201
    assert made == {
        "id": made["id"],
        "event": "job-failed",
        "projectId": str(caller.project_id),
        "filters": [given, {"field": "branch.id", "value": str(caller.main_branch_id), "operator": "=="}],
        "recipient": FAILED["recipient"],
        "expiresAt": None,
        "createdAt": made["createdAt"],
    }
    assert made["id"].isdecimal()
    assert datetime.fromisoformat(made["createdAt"]).tzinfo == UTC
    assert http.get("/project-subscriptions").json == [made]
    assert http.get(f"/project-subscriptions/{made['id']}").json == made
    gone = http.delete(f"/project-subscriptions/{made['id']}")
    assert (gone.status, gone.body) == (204, b"")
    assert http.get(f"/project-subscriptions/{made['id']}").status == 404
    assert http.delete(f"/project-subscriptions/{made['id']}").status == 404
    assert http.get("/project-subscriptions").json == []


def test_a_filter_on_the_branch_stays_alone(http: Http) -> None:
    mine = {"field": "branch.id", "value": "7", "operator": "!="}

    assert subscribe(http, "email", "ops@example.com", filters=[mine])["filters"] == [mine]


@pytest.mark.parametrize("value", ["0.2", 0.2, 3, True])
def test_the_value_of_a_filter_is_returned_as_it_was_given(http: Http, value: Any) -> None:
    made = subscribe(
        http, "email", "ops@example.com", filters=[{"field": "durationOvertimePercentage", "value": value}]
    )

    assert made["filters"][0] == {"field": "durationOvertimePercentage", "value": value, "operator": "=="}


@pytest.mark.parametrize("key", ["address", "url"])
def test_the_address_of_a_webhook_has_two_names(http: Http, key: str) -> None:
    recipient = {"channel": "webhook", key: "https://hooks.example.com/a?b=c"}
    made = http.post("/project-subscriptions", {"event": "job-failed", "recipient": recipient}).json

    address = "https://hooks.example.com/a?b=c"
    assert made["recipient"] == {"channel": "webhook", "address": address, "url": address}


def test_the_list_is_filtered_by_event(http: Http) -> None:
    failed = subscribe(http, "email", "ops@example.com")
    succeeded = subscribe(http, "email", "ops@example.com", "job-succeeded")

    assert http.get("/project-subscriptions?event=job-succeeded").json == [succeeded]
    assert http.get("/project-subscriptions?event=").json == [failed, succeeded]


@pytest.mark.parametrize("text", ["+24 hours", "2036-01-07 14:00:00+01:00", "2036-01-07T13:00:00Z"])
def test_the_expiration_is_a_time_or_an_interval(http: Http, text: str) -> None:
    made = subscribe(http, "email", "ops@example.com", expiresAt=text)
    expires = datetime.fromisoformat(made["expiresAt"])

    expected = datetime(2036, 1, 7, 13, tzinfo=UTC) if text.startswith("2") else clock.now() + timedelta(days=1)
    assert abs(expires - expected) < timedelta(seconds=10)


def test_an_expired_subscription_is_gone(http: Http, shared: ServicesOnly, monkeypatch: pytest.MonkeyPatch) -> None:
    made = subscribe(http, "email", "ops@example.com", expiresAt="+1 hour")
    stays = subscribe(http, "email", "ops@example.com")
    assert happen(shared) == 2
    wait_until(monkeypatch, hours=1)

    assert http.get(f"/project-subscriptions/{made['id']}").status == 404
    assert http.get("/project-subscriptions").json == [stays]
    assert happen(shared) == 1
    wait_until(monkeypatch, days=2)
    service.maintain(shared.stack)
    monkeypatch.undo()
    assert http.get(f"/project-subscriptions/{made['id']}").status == 404


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ({"event": ""}, "event"),
        ({"event": "job failed"}, "event"),
        ({"event": None}, "event"),
        (
            {"event": "job failed"},
            "This must be a name of letters, digits, dots, dashes and underscores, such as `job-",
        ),
        ({"event": "job-exploded"}, '"job-exploded" is not an event of jobs. Use one of job-failed, job-succeeded'),
        ({"event": "phase-job-exploded"}, '"phase-job-exploded" is not an event of jobs. Use one of job-failed'),
        ({"recipient": None}, "recipient"),
        ({"recipient": {"channel": "email"}}, "recipient.address"),
        ({"recipient": {"channel": "fax", "address": "1"}}, "recipient.channel"),
        ({"recipient": {"channel": "email", "address": "ops"}}, "not a valid e-mail address"),
        ({"recipient": {"channel": "email", "address": "a@b.c\nBcc: d@e.f"}}, "not a valid e-mail address"),
        ({"recipient": {"channel": "email", "address": "a@b.c,d@e.f"}}, "not a valid e-mail address"),
        ({"recipient": {"channel": "email", "address": "<a@b.c>"}}, "not a valid e-mail address"),
        ({"recipient": {"channel": "email", "address": "=?utf-8?q?a=0d=0ab?=@x.cz"}}, "not a valid e-mail address"),
        ({"recipient": {"channel": "email", "address": "a@b.c "}}, "not a valid e-mail address"),
        ({"recipient": {"channel": "webhook", "url": "ftp://a"}}, "The address of the webhook is not valid"),
        ({"recipient": {"channel": "webhook", "url": "https://a:b@c/"}}, "The address of the webhook is not valid"),
        ({"recipient": {"channel": "webhook", "url": f"https://a/{'b' * 2000}"}}, "2,000 characters"),
        ({"filters": [{"field": "job.id", "value": [], "operator": "=="}]}, "filters[0].value"),
        ({"filters": [{"field": "job.id", "value": "1", "operator": "~"}]}, "filters[0].operator"),
        ({"filters": [{"field": "job..id", "value": "1"}]}, "filters[0].field"),
        ({"expiresAt": "some day"}, "not a valid time"),
        ({"expiresAt": "-1 hour"}, "in the past"),
    ],
)
def test_a_wrong_subscription_is_refused(http: Http, change: dict[str, Any], problem: str) -> None:
    response = http.post("/project-subscriptions", {**FAILED, **change})

    assert response.status == 400
    assert problem in response.json["error"]
    assert (response.json["code"], response.json["status"]) == (400, "error")
    assert http.get("/project-subscriptions").json == []


def test_subscriptions_of_another_project_are_not_found(http: Http, shared: ServicesOnly) -> None:
    other = shared.service("notification", add_project(shared).token)
    made = subscribe(http, "email", "ops@example.com")

    assert other.get("/project-subscriptions").json == []
    for response in (
        other.get(f"/project-subscriptions/{made['id']}"),
        other.get(f"/project-subscriptions/{made['id']}/deliveries"),
        other.delete(f"/project-subscriptions/{made['id']}"),
    ):
        assert response.status == 404
    assert http.get(f"/project-subscriptions/{made['id']}").status == 200


def test_a_project_has_a_limited_number(http: Http, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("penstock.services.notification.operations.subscriptions.MAX_SUBSCRIPTIONS", 1)
    subscribe(http, "email", "ops@example.com")
    response = http.post("/project-subscriptions", FAILED)

    assert response.status == 400
    assert "Delete some" in response.json["error"]
