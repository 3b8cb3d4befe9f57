"""What can be sent as a file, and how its bytes are read."""

from __future__ import annotations

import io
import os
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Tuple, Union

from ._errors import PlatenError

# A path; bytes; an open binary file; a name with one of these; the text of a reference to an earlier
# result (job:...) or an upload (upload:...); an address (https://...) from which the server fetches it.
FileData = Union[bytes, bytearray, memoryview, IO[bytes]]
FileInput = Union[str, "os.PathLike[str]", FileData, Tuple[str, FileData]]


def reference_of(file: FileInput) -> str | None:
    """The text by which the server finds a file itself: a reference to one that it has, or an address."""
    return file if isinstance(file, str) and file.startswith(("job:", "upload:", "https://", "http://")) else None


@dataclass
class Source:
    """A file whose bytes can be read from any offset on."""

    name: str
    size: int
    stream: IO[bytes]
    begin: int
    own: bool

    def read(self, offset: int, length: int) -> bytes:
        self.stream.seek(self.begin + offset)
        data = b""
        while len(data) < length:
            piece = self.stream.read(length - len(data))
            if not piece:
                raise PlatenError("file_changed", f"The file {self.name} became shorter while it was sent.")
            data += piece
        return data

    def close(self) -> None:
        if self.own:
            self.stream.close()


def open_file(file: FileInput) -> Source:
    """Opens a file that is not a reference. The caller closes it."""
    name: str | None = None
    data: object = file
    if isinstance(file, tuple):
        name, data = file
    if isinstance(data, (str, os.PathLike)):
        path = Path(data)
        stream: IO[bytes] = path.open("rb")
        return Source(name or path.name, os.fstat(stream.fileno()).st_size, stream, 0, True)
    if isinstance(data, (bytes, bytearray, memoryview)):
        return Source(name or "file", len(memoryview(data).cast("B")), io.BytesIO(data), 0, True)
    stream = data  # type: ignore[assignment]
    if not stream.seekable():
        raise PlatenError("invalid_file", "A stream that cannot be read again must be read into bytes or a file first.")
    begin = stream.tell()
    size = stream.seek(0, os.SEEK_END) - begin
    of = getattr(stream, "name", "")
    return Source(name or (os.path.basename(of) if isinstance(of, str) and of else "file"), size, stream, begin, False)
