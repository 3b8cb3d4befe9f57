"""Sends files in pieces, and goes on where a broken connection has ended."""

from __future__ import annotations

import json
from typing import Callable

from ._errors import ApiError, ConnectionFailed, PlatenError, error_of
from ._files import Source
from ._http import Http, Stop


def send_in_pieces(http: Http, source: Source, piece_size: int, stop: Stop, on_sent: Callable[[int], None]) -> str:
    """Sends the whole file; gives the upload's id. `on_sent` gets the number of bytes that are safe on the server."""
    # If the answer is lost, the request is repeated and an empty upload is left, which expires.
    upload: str = http.json("/api/v1/uploads", method="POST", headers={"Content-Type": "application/json"}, stop=stop,
                            body=json.dumps({"name": source.name, "size": source.size}).encode())["uploadId"]
    try:
        offset = lost = 0
        while offset < source.size:
            piece = source.read(offset, min(piece_size, source.size - offset))
            try:
                offset = _send_piece(http, upload, offset, piece, stop)
                lost = 0
            except (ApiError, ConnectionFailed) as error:
                lost += 1
                if not _is_lost(error) or lost > http.retries:
                    raise
                stop.pause(0.25 * 2 ** lost)
                offset = http.json(f"/api/v1/uploads/{upload}", stop=stop)["offset"]
            on_sent(offset)
    except BaseException:
        forget_upload(http, upload)
        raise
    return upload


def _is_lost(error: PlatenError) -> bool:
    """Whether the piece may have arrived in part or whole, so that the server must be asked."""
    return isinstance(error, ConnectionFailed) or (isinstance(error, ApiError) and (error.status >= 500 or error.code == "upload_busy"))


def _send_piece(http: Http, upload: str, offset: int, piece: bytes, stop: Stop) -> int:
    with http.send(f"/api/v1/uploads/{upload}", method="PATCH", body=piece, stop=stop, accept=(409,),
                   headers={"Content-Type": "application/offset+octet-stream", "Upload-Offset": str(offset)}) as answer:
        body = json.loads(answer.read())
    if answer.status == 409 and body.get("error") != "upload_offset_mismatch":
        raise error_of(409, body, None)
    return int(body["offset"])  # after a repeated piece it is the offset that the server has


def forget_upload(http: Http, upload: str) -> None:
    """Removes an upload. That it cannot be removed now is no error: it expires."""
    try:
        http.send(f"/api/v1/uploads/{upload}", method="DELETE").close()
    except (ApiError, ConnectionFailed):
        pass
