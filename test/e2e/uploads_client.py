"""A client of uploads that are sent in pieces."""

import json

PIECE = "application/offset+octet-stream"


def begin(server, key, name, size):
    return server.request("POST", "/api/v1/uploads", key, {"Content-Type": "application/json"},
                          json.dumps({"name": name, "size": size}))


def patch(server, key, upload, offset, data):
    return server.request("PATCH", f"/api/v1/uploads/{upload}", key,
                          {"Content-Type": PIECE, "Upload-Offset": str(offset)}, data)


def send(server, key, name, data, size=None):
    """The whole in pieces; its id."""
    upload = begin(server, key, name, len(data)).json["uploadId"]
    for at in range(0, len(data), size or len(data)):
        answer = patch(server, key, upload, at, data[at:at + (size or len(data))])
        if answer.status != 200:
            raise RuntimeError(answer)
    return upload
