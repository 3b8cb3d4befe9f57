"""Files that are sent in pieces and kept for several jobs."""

import select
import json
import os

from platen import Server, done, multipart, ok, pdf, same, until, without_office
from uploads_client import PIECE, begin, patch, send

without_office()

def files(server):
    return sorted(name for _, _, names in os.walk(os.path.join(server.data, "d", "blobs")) for name in names)


def named(server, key, tool, fields):
    """A job of fields alone; a list is several of them."""
    body, kind = multipart((), [(k, v) for k, vs in fields.items() for v in (vs if isinstance(vs, list) else [vs])])
    answer = server.request("POST", f"/api/v1/tools/pdf/{tool}", key, {"Content-Type": kind}, body)
    return server.wait(answer.json["jobId"], key).json if answer.status == 202 else answer.json


def check_pieces(server, key):
    data = pdf(3, pad=300000)
    answer = begin(server, key, "../../etc/../a \u00fc.pdf", len(data))
    upload = answer.json
    same("POST /uploads begins an upload at offset 0",
         (answer.status, upload["offset"], upload["complete"], upload["name"]),
         (201, 0, False, "a \u00fc.pdf"))
    same("the answer to POST /uploads has the upload's Location",
         answer.headers["Location"], f"/api/v1/uploads/{upload['uploadId']}")
    answer = patch(server, key, upload["uploadId"], 0, data[:100000])
    same("a piece is answered with the next offset",
         (answer.status, answer.json["offset"], answer.headers["Upload-Offset"]), (200, 100000, "100000"))
    answer = patch(server, key, upload["uploadId"], 0, data[:100000])
    same("a piece at another offset is refused with the right offset",
         (answer.status, answer.error, answer.json["offset"]), (409, "upload_offset_mismatch", 100000))
    answer = patch(server, key, upload["uploadId"], 100001, data[100001:])
    same("a piece at an offset beyond the received bytes is refused",
         (answer.status, answer.json["offset"]), (409, 100000))
    answer = patch(server, key, upload["uploadId"], 100000, data[100000:] + b"x")
    same("a piece that ends beyond the declared size is refused",
         (answer.status, answer.error), (400, "invalid_request"))
    answer = named(server, key, "rotate", {"file": f"upload:{upload['uploadId']}", "degrees": "90"})
    same("an incomplete upload cannot be used as a file",
         (answer["error"], answer["field"]), ("upload_not_complete", "file"))
    answer = patch(server, key, upload["uploadId"], 100000, data[100000:200000])
    answer = patch(server, key, upload["uploadId"], 200000, data[200000:])
    same("the last piece completes the upload",
         (answer.json["offset"], answer.json["complete"], answer.json["kind"]),
         (len(data), True, "pdf"))
    same("a completed upload is stored as one file",
         files(server), [upload["uploadId"] + ".up.file"])
    same("GET of the upload has the same JSON as the last answer",
         server.request("GET", f"/api/v1/uploads/{upload['uploadId']}", key).json, answer.json)
    return upload["uploadId"], data


def check_use(server, key, upload, data):
    before = server.request("GET", "/api/v1/usage", key).json
    job = named(server, key, "rotate", {"file": f"upload:{upload}", "degrees": "90"})
    same("a job can use the upload",
         (job["status"], job["outputFile"]), ("completed", "a \u00fc-rotate.pdf"))
    after = server.request("GET", "/api/v1/usage", key).json
    same("a job counts the bytes of the upload",
         after["data"]["used"] - before["data"]["used"], len(data))
    job = named(server, key, "merge", {"files": [f"upload:{upload}"], "arrange": "1:3,1:1"})
    same("another tool can use the same upload", job["status"], "completed")
    steps = json.dumps([{"tool": "rotate", "params": {"degrees": 90}}, {"tool": "split", "params": {"every": 1}}])
    job = named(server, key, "pipeline", {"file": f"upload:{upload}", "steps": steps})
    same("a pipeline can use the upload", (job["status"], len(job["outputs"])), ("completed", 3))
    job = named(server, key, "merge", {"files": [f"upload:{upload}", f"job:{job['jobId']}"]})
    same("a job can use the upload together with earlier results", job["status"], "completed")
    report = named(server, key, "rotate/dry-run", {"file": f"upload:{upload}", "degrees": "90"})
    same("a dry run inspects the upload", (report["ok"], report["files"][0]["pages"]), (True, 3))
    text = send(server, key, "notes.xyz", b"\0\1\2 nothing known")
    answer = server.request("GET", f"/api/v1/uploads/{text}", key).json
    same("an upload of an unknown type is stored with kind null",
         (answer["complete"], answer["kind"]), (True, None))
    answer = named(server, key, "rotate", {"file": f"upload:{text}", "degrees": "90"})
    same("an upload of an unknown type is refused by the tool",
         answer["error"], "unsupported_file_type")
    picture = bytes.fromhex("89504e470d0a1a0a0000000d4948445200000001000000010806000000"
                            "1f15c4890000000d49444154789c6360606060000000050001a5f645400000000049454e44ae426082")
    job = named(server, key, "jpg-to-pdf", {"files": [f"upload:{send(server, key, 'p.png', picture, 7)}"]})
    same("an upload in pieces of seven bytes is complete and usable", job["status"], "completed")


def check_others(server, key, upload):
    other = server.key(name="other")
    for what, answer in (
            ("read", server.request("GET", f"/api/v1/uploads/{upload}", other)),
            ("delete", server.request("DELETE", f"/api/v1/uploads/{upload}", other)),
            ("continue", patch(server, other, upload, 0, b"x"))):
        same(f"another account cannot {what} the upload",
             (answer.status, answer.error), (404, "upload_not_found"))
    answer = named(server, other, "rotate", {"file": f"upload:{upload}", "degrees": "90"})
    same("another account's job cannot use the upload",
         (answer["error"], answer["field"]), ("upload_not_found", "file"))
    same("GET of the upload without a key is refused",
         server.request("GET", f"/api/v1/uploads/{upload}").status, 401)
    answer = server.request("DELETE", f"/api/v1/uploads/{upload}", key)
    same("the owner can delete the upload", answer.status, 204)
    same("a deleted upload is answered 404",
         server.request("GET", f"/api/v1/uploads/{upload}", key).status, 404)
    ok("the file of a deleted upload is deleted",
       not [name for name in files(server) if name.startswith(upload)], files(server))


def check_refusals(server, key):
    for what, size, code in (("nothing", 0, "invalid_parameter"), ("less", -5, "invalid_parameter"),
                             ("too much", 10**15, "file_too_large"), ("a text", "9", "invalid_request")):
        same(f"an upload with a size of {what} is refused",
             begin(server, key, "a.pdf", size).error, code)
    for body in ("", "[]", "{", '{"size":1,"more":2}', '{"name":"a"}', "{" + " " * 5000 + "}"):
        answer = server.request("POST", "/api/v1/uploads", key, {"Content-Type": "application/json"}, body)
        same(f"an upload with the body {body[:12]!r} is refused",
             (answer.status, answer.error), (400, "invalid_request"))
    upload = begin(server, key, "a.pdf", 10).json["uploadId"]
    for headers in ({"Content-Type": PIECE}, {"Content-Type": PIECE, "Upload-Offset": "-1"},
                    {"Content-Type": PIECE, "Upload-Offset": "0x0"}):
        answer = server.request("PATCH", f"/api/v1/uploads/{upload}", key, headers, b"x")
        same("a piece without Upload-Offset is refused",
             (answer.status, answer.error), (400, "invalid_request"))
    answer = server.request("PATCH", f"/api/v1/uploads/{upload}", key, {"Upload-Offset": "0"}, b"x")
    same("a piece of another media type is refused", answer.status, 415)
    same("an empty piece leaves the offset unchanged",
         patch(server, key, upload, 0, b"").json["offset"], 0)
    same("a malformed upload id is answered 404",
         server.request("GET", "/api/v1/uploads/..%2Fx", key).status, 404)
    body, kind = multipart([("a.pdf", pdf(1))], [("degrees", "90")])
    same("upload:ID in a part with a file name is an ordinary file",
         server.request("POST", "/api/v1/tools/pdf/rotate", key, {"Content-Type": kind}, body).status, 202)


def check_crash(server, key):
    data = pdf(2, pad=500000)
    upload = begin(server, key, "crash.pdf", len(data)).json["uploadId"]
    patch(server, key, upload, 0, data[:200000])
    # A piece that breaks off with the server. If one that asks whether it is there came first, it is refused: once more.
    for _ in range(20):
        connection = server.connect()
        connection.putrequest("PATCH", f"/api/v1/uploads/{upload}")
        for name, value in (("X-API-Key", key), ("Content-Type", PIECE), ("Upload-Offset", "200000"),
                            ("Content-Length", str(len(data) - 200000))):
            connection.putheader(name, value)
        connection.endheaders()
        connection.send(data[200000:300000])
        is_answered = lambda at=connection: bool(select.select([at.sock], [], [], 0)[0])
        busy = until(lambda: is_answered() or patch(server, key, upload, 200000, b"").error == "upload_busy")
        if not is_answered():
            break
        connection.close()
    ok("a second piece at the same time is refused", busy and not is_answered())
    server.kill()
    connection.close()
    server.start()
    answer = server.request("GET", f"/api/v1/uploads/{upload}", key)
    same("after kill -9 the offset is that of the last answered piece",
         answer.json["offset"], 200000)
    answer = patch(server, key, upload, 200000, data[200000:])
    same("the upload can be continued after kill -9", answer.json["complete"], True)
    job = named(server, key, "rotate", {"file": f"upload:{upload}", "degrees": "90"})
    same("a job of the continued upload is completed", job["status"], "completed")
    orphan = [name for name in files(server) if name.startswith(upload)]
    same("the continued upload is one file", orphan, [upload + ".up.file"])
    server.stop()
    shelf = next(root for root, _, names in os.walk(os.path.join(server.data, "d", "blobs"))
                 if upload + ".up.file" in names)
    for name in ("up.0.200000", "up.200000.300000"):
        with open(os.path.join(shelf, f"{upload}.{name}"), "wb") as file:
            file.write(b"left by a crash")
    stranger = upload[:25] + ("0" if upload[25] != "0" else "1") + upload[26:]
    with open(os.path.join(shelf, f"{stranger}.up.file"), "wb") as file:
        file.write(b"of no upload")
    server.start()
    ok("pieces that a crash left are removed",
       until(lambda: [n for n in files(server) if n.startswith(upload[:25])] == [upload + ".up.file"]), files(server))


def begin_piece(server, key, upload, offset, size):
    """A piece of which nothing was sent yet."""
    connection = server.connect()
    connection.putrequest("PATCH", f"/api/v1/uploads/{upload}")
    for name, value in (("X-API-Key", key), ("Content-Type", PIECE), ("Upload-Offset", str(offset)), ("Content-Length", str(size))):
        connection.putheader(name, value)
    connection.endheaders()
    return connection


def check_deleted(server, key):
    """What arrives for an upload that was deleted meanwhile is not kept: it would count for nobody."""
    for what, size in (("a piece", 100000), ("the last piece", 200000)):
        upload = begin(server, key, "gone.pdf", 200000).json["uploadId"]
        for _ in range(20):  # a piece that comes while the other is looked at is refused as well
            connection = begin_piece(server, key, upload, 0, size)
            if until(lambda: patch(server, key, upload, 0, b"").error == "upload_busy", 3):
                break
            connection.close()
        same(f"an upload can be deleted while {what} arrives", server.request("DELETE", f"/api/v1/uploads/{upload}", key).status, 204)
        connection.send(bytes(size))
        answer = connection.getresponse()
        same(f"{what} of a deleted upload is answered 404 upload_not_found", (answer.status, json.loads(answer.read())["error"]), (404, "upload_not_found"))
        connection.close()
        same(f"{what} of a deleted upload leaves no file", [name for name in files(server) if name.startswith(upload)], [])


def check_limits():
    for seconds in (2, 8, 32):  # on a busy machine the first may be over before the last is begun
        server = Server("--kept-uploads", "3", "--kept-upload-bytes", "1000", "--retention", f"{seconds}s")
        key = server.key()
        too_large = begin(server, key, "a", 1001)
        ids = [begin(server, key, "a", 10).json["uploadId"] for _ in range(3)]
        answer = begin(server, key, "a", 10)
        if answer.status != 201:
            break
        server.close()
    same("an upload that exceeds the limit of bytes is refused", too_large.error, "too_many_uploads")
    same("an upload that exceeds the limit of uploads is refused", (answer.status, answer.error), (429, "too_many_uploads"))
    same("the limit of uploads is separate for each account", begin(server, server.key(name="other"), "a", 10).status, 201)
    patch(server, key, ids[0], 0, b"0123456789")
    ok("uploads are deleted when they expire", until(lambda: not files(server)), files(server))
    same("an expired upload is answered 404",
         server.request("GET", f"/api/v1/uploads/{ids[0]}", key).status, 404)
    same("an upload is accepted after others expired", begin(server, key, "a", 10).status, 201)
    server.close()


def main():
    server = Server()
    key = server.key()
    upload, data = check_pieces(server, key)
    check_use(server, key, upload, data)
    check_others(server, key, upload)
    check_refusals(server, key)
    check_crash(server, key)
    check_deleted(server, key)
    server.close()
    check_limits()
    done()


main()
