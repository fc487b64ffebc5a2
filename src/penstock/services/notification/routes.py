"""Notification over HTTP."""

from __future__ import annotations

from penstock.foundation.callers import Right, of_scope
from penstock.services.login.interface import authenticate_manager
from penstock.services.notification.messages import NewNotification, NotificationId, PushedEvent
from penstock.services.notification.models import (
    DeliveriesQuery,
    Delivery,
    NewSubscription,
    Subscription,
    SubscriptionsQuery,
    WebhookSecret,
    delivery_view,
    subscription_view,
)
from penstock.services.notification.operations import pushing, secrets, subscriptions
from penstock.web.auth.manage_token import manage_token
from penstock.web.health import description, description_of, health_check
from penstock.web.requests import Request, Text
from penstock.web.routing import Route, delete, get, post

PUSH_EVENTS = of_scope("PUSH_EVENTS", "notifications:push-event")
SEND_NOTIFICATIONS = of_scope("SEND_NOTIFICATIONS", "notifications:send-notification")
MANAGERS = manage_token(authenticate_manager)


def routes() -> list[Route]:
    """Notifications tell about all jobs of the project, and addresses of webhooks may hold secrets: a token that may
    only see a part of the project reads and changes none of them."""
    every, one = "/project-subscriptions", "/project-subscriptions/{subscription_id}"
    return [
        get(every, list_subscriptions, needs=Right.MANAGE_BUCKETS, is_confidential=True),
        post(every, create_subscription, needs=Right.MANAGE_BUCKETS, status=201),
        get(one, get_subscription, needs=Right.MANAGE_BUCKETS, is_confidential=True),
        delete(one, remove_subscription, needs=Right.MANAGE_BUCKETS, status=204),
        get(
            f"{one}/deliveries",
            list_deliveries_of,
            needs=Right.MANAGE_BUCKETS,
            is_confidential=True,
            title="List deliveries of a subscription",
        ),
        get(
            "/deliveries",
            list_deliveries,
            needs=Right.MANAGE_BUCKETS,
            is_confidential=True,
            title="List deliveries of the project",
        ),
        post(
            "/webhook-secret",
            create_secret,
            needs=Right.MANAGE_TOKENS,
            status=201,
            title="Create a secret that signs webhooks",
        ),
        post("/events/{event}", push_event, needs=PUSH_EVENTS, auth=MANAGERS, status=202),
        post("/notifications", send_notification, needs=SEND_NOTIFICATIONS, auth=MANAGERS, status=202),
        health_check(description_of("notification")),
        description("notification"),
    ]


def list_subscriptions(request: Request, query: SubscriptionsQuery) -> list[Subscription]:
    """List subscriptions in the order of their creation, without those that have expired."""
    with request.reading() as tx:
        return [subscription_view(row) for row in subscriptions.list_subscriptions(tx, request.caller, query.event)]


def create_subscription(request: Request, body: NewSubscription) -> Subscription:
    """Create a subscription. Without a filter on `branch.id`, one for the default branch is added."""
    with request.writing() as tx:
        return subscription_view(subscriptions.create_subscription(tx, request.caller, body))


def get_subscription(request: Request, subscription_id: str) -> Subscription:
    with request.reading() as tx:
        return subscription_view(subscriptions.get_subscription(tx, request.caller, subscription_id))


def remove_subscription(request: Request, subscription_id: str) -> None:
    """What waits to be sent for it is not sent any more."""
    with request.writing() as tx:
        subscriptions.remove_subscription(tx, request.caller, subscription_id)


def list_deliveries_of(request: Request, subscription_id: str, query: DeliveriesQuery) -> list[Delivery]:
    """What was sent for a subscription, and what was not: newest first."""
    return _list_deliveries(request, subscription_id, query)


def list_deliveries(request: Request, query: DeliveriesQuery) -> list[Delivery]:
    """What was sent in the whole project, with notifications of flows."""
    return _list_deliveries(request, None, query)


def create_secret(request: Request) -> WebhookSecret:
    """A new secret, with which webhooks of the project are signed from now on. It is shown only here."""
    with request.writing() as tx:
        return WebhookSecret(secrets.replace_secret(tx, request.stack.cipher, request.caller))


def push_event(request: Request, event: str, body: PushedEvent) -> Text:
    """Notify the subscriptions of a project of an event that happened elsewhere; the response is empty."""
    with request.writing(project_id=pushing.get_project_id(body.project)) as tx:
        pushing.push_event(tx, event, body)
    return Text("", "text/plain; charset=utf-8")


def send_notification(request: Request, body: NewNotification) -> NotificationId:
    """Send a message to one recipient, without a subscription."""
    with request.writing(project_id=pushing.get_project_id(body.data.project)) as tx:
        return NotificationId(str(pushing.send_notification(tx, body)))


def _list_deliveries(request: Request, subscription_id: str | None, query: DeliveriesQuery) -> list[Delivery]:
    with request.reading() as tx:
        found = subscriptions.list_deliveries(tx, request.caller, subscription_id, query)
        return [delivery_view(row) for row in found]
