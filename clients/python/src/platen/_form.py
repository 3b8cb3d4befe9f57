"""multipart/form-data (RFC 7578)."""

from __future__ import annotations

import secrets


def _quoted(name: str) -> str:
    """As browsers write names (HTML, multipart/form-data encoding algorithm)."""
    return name.replace("\r", "%0D").replace("\n", "%0A").replace('"', "%22")


class Form:
    """Fields and files in their order."""

    def __init__(self) -> None:
        self.boundary = "platen-" + secrets.token_hex(16)
        self._parts: list[bytes] = []

    def field(self, name: str, value: str) -> None:
        self._add(f'name="{_quoted(name)}"', value.encode())

    def file(self, name: str, file_name: str, data: bytes) -> None:
        self._add(f'name="{_quoted(name)}"; filename="{_quoted(file_name)}"', data, "\r\nContent-Type: application/octet-stream")

    def _add(self, disposition: str, data: bytes, more: str = "") -> None:
        head = f"--{self.boundary}\r\nContent-Disposition: form-data; {disposition}{more}\r\n\r\n"
        self._parts += [head.encode(), data, b"\r\n"]

    @property
    def content_type(self) -> str:
        return f"multipart/form-data; boundary={self.boundary}"

    def body(self) -> bytes:
        return b"".join([*self._parts, f"--{self.boundary}--\r\n".encode()])
