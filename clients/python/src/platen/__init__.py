"""The client of platen, a server that works on PDF files.

    from platen import Platen

    platen = Platen("https://pdf.example.com", "pk_...")
    platen.compress("report.pdf", quality="ebook").save("small.pdf")
"""

from ._client import AsyncPlaten, Platen
from ._errors import (ApiError, AuthenticationError, Cancelled, ChecksumError, ConnectionFailed, JobError, NotFoundError,
                      PlatenError, QuotaError, RateLimitError, TimedOut, WebhookError)
from ._files import FileInput
from ._job import Job, Output, Warning
from ._task import AsyncTask, Task
from ._tools import VERSION as __version__
from ._webhook import verify_webhook

__all__ = ["ApiError", "AsyncPlaten", "AsyncTask", "AuthenticationError", "Cancelled", "ChecksumError", "ConnectionFailed",
           "FileInput", "Job", "JobError", "NotFoundError", "Output", "Platen", "PlatenError", "QuotaError", "RateLimitError",
           "Task", "TimedOut", "Warning", "WebhookError", "__version__", "verify_webhook"]
