"""Results on their way: read as pieces that go on after a broken connection, checked, and written to files."""

from __future__ import annotations

import hashlib
import http.client
import os
import secrets
from pathlib import Path
from typing import Iterator

from ._errors import ChecksumError, ConnectionFailed, PlatenError
from ._http import Http, Stop
from ._job import Output

PIECE = 1 << 20


def pieces(connection: Http, output: Output, stop: Stop) -> Iterator[bytes]:
    """The bytes of a result. After a broken connection the rest is asked for."""
    offset = lost = 0
    while True:
        before = offset
        headers = {"Range": f"bytes={offset}-"} if offset else {}
        with connection.send(output.download_url, signed=True, headers=headers, stop=stop) as answer:
            if offset and answer.status != 206:
                raise PlatenError("range_ignored", "The connection broke, and what lies between ignores ranges: download it again.")
            try:
                while piece := answer.read(PIECE):
                    offset += len(piece)
                    yield piece
                    stop.check()
            except http.client.IncompleteRead as short:
                offset += len(short.partial)
                yield short.partial
            except (OSError, http.client.HTTPException):
                pass
        if offset >= output.bytes:
            return
        lost = 0 if offset > before else lost + 1
        if lost > connection.retries:
            raise ConnectionFailed(f"The download ended after {offset} of {output.bytes} bytes.")
        stop.pause(0.25 * 2 ** lost)


def read_all(connection: Http, output: Output, stop: Stop) -> bytes:
    data = b"".join(pieces(connection, output, stop))
    _check(output, hashlib.sha256(data).hexdigest())
    return data


def _check(output: Output, digest: str) -> None:
    if output.sha256 is not None and digest != output.sha256:
        raise ChecksumError(f"{output.name} came with another SHA-256 than the server said: download it again.")


def save_to(path: str | os.PathLike[str], connection: Http, output: Output, stop: Stop) -> Path:
    """Writes a result to a file, which exists only once it is whole, or into a folder under its own name."""
    target = Path(path)
    if target.is_dir() or os.fspath(path).endswith(("/", os.sep)):
        target.mkdir(parents=True, exist_ok=True)
        target = target / (Path(output.name.replace("\\", "/")).name or "file")
    part = target.with_name(f"{target.name}.{secrets.token_hex(4)}.part")
    digest = hashlib.sha256()
    try:
        with part.open("xb") as file:
            for piece in pieces(connection, output, stop):
                digest.update(piece)
                file.write(piece)
            _check(output, digest.hexdigest())
            file.flush()
            os.fsync(file.fileno())
        part.replace(target)
    except BaseException:
        part.unlink(missing_ok=True)
        raise
    return target
