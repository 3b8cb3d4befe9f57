"""Verifies webhooks, which are signed as Standard Webhooks 1.0 says."""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import json
import time
from typing import Any, Mapping, Sequence

from ._errors import WebhookError
from ._job import Job, job_of


def verify_webhook(body: bytes | str, headers: Mapping[str, str], secret: str | Sequence[str], *,
                   tolerance: float = 300, now: float | None = None) -> Job:
    """Gives the job that a webhook is about, or raises `WebhookError`. `body` is the body as it was received, not parsed;
    `secret` is the account's (`whsec_...`), or several while one is being replaced; `tolerance` is in seconds."""
    given = {name.lower(): value for name, value in headers.items()}
    message_id, at = given.get("webhook-id", ""), given.get("webhook-timestamp", "")
    signatures = [one[3:] for one in given.get("webhook-signature", "").split(" ") if one.startswith("v1,")]
    if not message_id or not (at.isascii() and at.isdigit()) or not signatures:
        raise WebhookError("The request has no webhook-id, webhook-timestamp or webhook-signature.")
    age = abs((time.time() if now is None else now) - int(at))
    if age > tolerance:
        raise WebhookError(f"The webhook is {age:.0f} seconds away from this machine's time.")
    data = body.encode() if isinstance(body, str) else bytes(body)
    signed = f"{message_id}.{at}.".encode() + data
    for one in [secret] if isinstance(secret, str) else secret:
        try:
            key = base64.b64decode(one.removeprefix("whsec_"), validate=True)
        except binascii.Error:
            raise WebhookError("The secret is not whsec_ and base64.") from None
        expected = base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()).decode()
        if any(hmac.compare_digest(expected.encode(), signature.encode()) for signature in signatures):
            parsed: dict[str, Any] = json.loads(data)
            return job_of(parsed)
    raise WebhookError("The webhook is not signed with this secret, or its body was changed.")
