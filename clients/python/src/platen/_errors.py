"""Errors of this client. Each has a code that programs may rely on, and a sentence for people."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ._job import Job


class PlatenError(Exception):
    """The base of all errors of this client."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code
        self.message = message


class ConnectionFailed(PlatenError):
    """The server could not be reached, or the connection broke more often than the client tries again."""

    def __init__(self, message: str) -> None:
        super().__init__("connection_failed", message)


class TimedOut(PlatenError):
    """The `timeout` of a job has passed."""

    def __init__(self, message: str) -> None:
        super().__init__("timeout", message)


class Cancelled(PlatenError):
    """The job was cancelled by this program."""

    def __init__(self) -> None:
        super().__init__("cancelled", "The job was cancelled.")


class ChecksumError(PlatenError):
    """What was downloaded is not what the server has said that it is."""

    def __init__(self, message: str) -> None:
        super().__init__("checksum_mismatch", message)


class WebhookError(PlatenError):
    """A webhook is not signed with the secret, or is too old."""

    def __init__(self, message: str) -> None:
        super().__init__("invalid_webhook", message)


class ApiError(PlatenError):
    """The server has refused a request."""

    def __init__(self, code: str, message: str, status: int, body: dict[str, Any], retry_after: float | None) -> None:
        super().__init__(code, message)
        self.status = status
        """The HTTP status."""
        self.field: str | None = body.get("field")
        """The field or parameter at fault, where there is one."""
        self.request_id: str | None = body.get("requestId")
        """Identifies the request in the server's log."""
        self.retry_after = retry_after
        """After how many seconds the request can be repeated, if the server says so."""


class AuthenticationError(ApiError):
    """The key is missing, unknown or ended, or may not do this."""


class NotFoundError(ApiError):
    """What was asked for does not exist, or no longer."""


class RateLimitError(ApiError):
    """Too many requests, jobs, uploads or streams at this moment."""


class QuotaError(ApiError):
    """The plan's requests or bytes of this month are used up."""

    def __init__(self, code: str, message: str, status: int, body: dict[str, Any], retry_after: float | None) -> None:
        super().__init__(code, message, status, body, retry_after)
        self.upgrade_url: str | None = body.get("upgradeUrl")
        """Where a larger plan can be had."""
        self.limit: str | None = body.get("limit")
        """Which of the plan's two limits the request would exceed: requests or data."""


class JobError(PlatenError):
    """The job was accepted, and has failed."""

    def __init__(self, job: Job) -> None:
        super().__init__(job.error or "internal_error", job.message or "The job failed.")
        self.job = job

    @property
    def field(self) -> str | None:
        """The parameter or form field at fault, where one is known."""
        return self.job.field


def error_of(status: int, body: dict[str, Any], retry_after: float | None) -> ApiError:
    """The error that a refusal is."""
    code = str(body.get("error", f"http_{status}"))
    message = str(body.get("message", f"The server answered {status}."))
    if status == 401 or code in ("forbidden", "outside_scope", "outside_addresses"):
        kind: type[ApiError] = AuthenticationError
    elif status in (404, 410):
        kind = NotFoundError
    elif code == "quota_exceeded":
        kind = QuotaError
    else:
        kind = RateLimitError if status == 429 else ApiError
    return kind(code, message, status, body, retry_after)
