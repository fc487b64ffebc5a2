"""Webhooks: a POST with the payload as JSON, signed as "Standard Webhooks" specifies.

The signature covers the id of the delivery, the time and the body. An attempt that is repeated has the same id.
Redirects are not followed: what was signed for one receiver is not sent to another one.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
from typing import Any

import msgspec

from penstock.foundation import clock
from penstock.foundation.outbound import OutboundError, Policy, Refused, call, send_once
from penstock.foundation.outbound.errors import RefusedBySettings
from penstock.services.notification.channels.outcome import NotSent
from penstock.services.notification.models import DeliveryRow
from penstock.services.notification.operations.secrets import PREFIX

TIMEOUT_SECONDS = 5.0
MAX_BYTES = 1 << 20


def send_webhook(policy: Policy, row: DeliveryRow, body: bytes, secret: str) -> None:
    """Raises NotSent unless the receiver responds with 2xx."""
    time = int(clock.now().timestamp())
    headers = {
        "Content-Type": "application/json",
        "User-Agent": "Penstock",
        "webhook-id": str(row.id),
        "webhook-timestamp": str(time),
        "webhook-signature": sign(secret, str(row.id), time, body),
    }
    try:
        response = call(
            send_once(
                policy, "POST", row.address, headers=headers, body=body, seconds=TIMEOUT_SECONDS, max_bytes=MAX_BYTES
            )
        )
    except RefusedBySettings as error:
        raise NotSent(str(error), is_refused=True) from error
    except Refused as error:
        raise NotSent(str(error), is_final=True) from error
    except OutboundError as error:
        raise NotSent(str(error)) from error
    if not 200 <= response.status < 300:
        raise NotSent(f"The receiver responded with status {response.status}.")


def make_body(event: str, payload: dict[str, Any]) -> bytes:
    return msgspec.json.encode({**payload, "eventType": event})


def sign(secret: str, delivery_id: str, time: int, body: bytes) -> str:
    key = base64.b64decode(secret.removeprefix(PREFIX))
    digest = hmac.digest(key, f"{delivery_id}.{time}.".encode() + body, hashlib.sha256)
    return f"v1,{base64.b64encode(digest).decode()}"
