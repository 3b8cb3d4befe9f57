"""Requests to the server: the key, waiting before a repetition, and what may be repeated."""

from __future__ import annotations

import http.client
import json
import random
import threading
import urllib.error
import urllib.parse
import urllib.request
from email.utils import parsedate_to_datetime
from datetime import datetime, timezone
from typing import Any

from ._errors import ApiError, Cancelled, ConnectionFailed, error_of

REPEATED = frozenset((408, 425, 429, 500, 502, 503, 504, 507))
FIRST_PAUSE, LONGEST_PAUSE, LONGEST_ASKED = 0.25, 20.0, 60.0


class _NoRedirects(urllib.request.HTTPRedirectHandler):
    """The API never redirects: what does is a proxy, and the key must not follow it."""

    def redirect_request(self, *args: Any, **kwargs: Any) -> None:
        return None


class Stop:
    """Says to a job that runs in a thread that nobody waits for it any more."""

    def __init__(self) -> None:
        self._event = threading.Event()

    def set(self) -> None:
        self._event.set()

    def check(self) -> None:
        if self._event.is_set():
            raise Cancelled()

    def pause(self, seconds: float) -> None:
        self._event.wait(seconds)
        self.check()


class Http:
    def __init__(self, url: str, key: str, retries: int, request_timeout: float) -> None:
        self.url = url.rstrip("/") + "/"
        self.key = key
        self.retries = retries
        self.request_timeout = request_timeout
        self._opener = urllib.request.build_opener(_NoRedirects())

    def send(self, path: str, *, method: str = "GET", headers: dict[str, str] | None = None, body: bytes | None = None,
             patience: float = 0.0, signed: bool = False, accept: tuple[int, ...] = (), stop: Stop | None = None,
             ) -> http.client.HTTPResponse:
        """Sends a request, repeats it as often as is sensible, and gives the response, which the caller closes. Each request
        must be harmless to repeat. `patience`: seconds that the server may wait before it answers. `signed`: the address is
        signed, and needs no key. `accept`: statuses besides 2xx that the caller handles."""
        stop = stop or Stop()
        attempt = 0
        while True:
            stop.check()
            try:
                return self._once(path, method, headers or {}, body, patience, signed, accept)
            except (ApiError, ConnectionFailed) as error:
                asked = error.retry_after if isinstance(error, ApiError) else None
                own = min(LONGEST_PAUSE, FIRST_PAUSE * 2 ** attempt) * random.uniform(0.75, 1.25)
                wait = own if asked is None else asked
                # A limit that lasts longer than a minute is for the caller to decide about.
                if attempt >= self.retries or not _may_repeat(error) or wait > LONGEST_ASKED:
                    raise
            stop.pause(wait)
            attempt += 1

    def json(self, path: str, **call: Any) -> Any:
        """The same for an answer in JSON."""
        with self.send(path, **call) as response:
            try:
                return json.loads(response.read())
            except (OSError, http.client.HTTPException, ValueError) as error:
                raise ConnectionFailed(f"The answer of {self.url} cannot be read: {error}") from error

    def _once(self, path: str, method: str, headers: dict[str, str], body: bytes | None, patience: float, signed: bool,
              accept: tuple[int, ...]) -> http.client.HTTPResponse:
        url = urllib.parse.urljoin(self.url, path)
        if urllib.parse.urlsplit(url).scheme not in ("http", "https"):
            raise ConnectionFailed(f"{url} is not an address of http or https.")
        request = urllib.request.Request(url, data=body, method=method, headers=headers)
        if not signed:
            request.add_unredirected_header("X-API-Key", self.key)
        try:
            answer: http.client.HTTPResponse = self._opener.open(request, timeout=self.request_timeout + patience)
            return answer
        except urllib.error.HTTPError as refused:
            if refused.code in accept:
                return refused  # type: ignore[return-value]
            with refused:
                raise error_of(refused.code, _body_of(refused), _seconds(refused.headers.get("Retry-After"))) from None
        except (OSError, http.client.HTTPException) as error:
            why = getattr(error, "reason", None) or error
            raise ConnectionFailed(f"The server at {self.url} cannot be reached: {why}") from error


def _may_repeat(error: ApiError | ConnectionFailed) -> bool:
    if isinstance(error, ApiError):
        return error.status in REPEATED and error.code != "quota_exceeded"
    return True


def _body_of(refused: urllib.error.HTTPError) -> dict[str, Any]:
    try:
        body = json.loads(refused.read())
    except (OSError, http.client.HTTPException, ValueError):
        return {}  # a proxy has answered with a page of its own
    return body if isinstance(body, dict) else {}


def _seconds(text: str | None) -> float | None:
    if not text:
        return None
    if text.isdigit():
        return float(text)
    try:
        at = parsedate_to_datetime(text)
    except ValueError:
        return None
    if at.tzinfo is None:
        at = at.replace(tzinfo=timezone.utc)
    return max(0.0, (at - datetime.now(timezone.utc)).total_seconds())
