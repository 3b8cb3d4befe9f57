"""An address that takes one file without a key."""

from __future__ import annotations

from typing import Any


class Ticket:
    """`raw` has the answer as it was received."""

    def __init__(self, raw: dict[str, Any]) -> None:
        self.raw = raw

    @property
    def url(self) -> str:
        """The address, a secret of whoever may send the file. Empty in a list: it is shown only once."""
        return str(self.raw.get("url", ""))

    @property
    def ref(self) -> str:
        """The file that will come, for jobs."""
        return f"upload:{self.raw['uploadId']}"

    @property
    def name(self) -> str:
        """The file's name, which may be empty until it comes."""
        return str(self.raw["name"])

    @property
    def max_bytes(self) -> int:
        """Bytes of the largest file that the address takes."""
        return int(self.raw["maxBytes"])

    @property
    def expires_at(self) -> str:
        """Until when sending may begin, as 2026-01-31T12:00:00.000Z."""
        return str(self.raw["expiresAt"])

    def __repr__(self) -> str:
        return f"Ticket({self.ref!r}, max_bytes={self.max_bytes})"
