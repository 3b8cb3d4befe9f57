"""job:{jobId} as a file: an earlier result is used without being uploaded again."""

import json
import os
import subprocess
import tempfile

from platen import Server, done, new_id, ok, pdf, same, slow_job, until, without_office

without_office()


def text_of(data):
    """Of each page, without blanks."""
    with tempfile.NamedTemporaryFile(suffix=".pdf") as file:
        file.write(data)
        file.flush()
        text = subprocess.run(["pdftotext", file.name, "-"], capture_output=True, text=True).stdout
    return ["".join(page.split()) for page in text.split("\f")[:-1]]


def mixed(parts, fields=()):
    """A body whose files are uploads (name, bytes) and texts, in their order."""
    boundary = "mixed-boundary"
    out = bytearray()
    for name, value in dict(fields).items():
        out += (f'--{boundary}\r\nContent-Disposition: form-data; name="{name}"\r\n\r\n'
                f"{value}\r\n").encode()
    for part in parts:
        out += f'--{boundary}\r\nContent-Disposition: form-data; name="files"'.encode()
        if isinstance(part, str):
            out += b"\r\n\r\n" + part.encode() + b"\r\n"
        else:
            out += f'; filename="{part[0]}"\r\n\r\n'.encode() + part[1] + b"\r\n"
    out += f"--{boundary}--\r\n".encode()
    return bytes(out), f"multipart/form-data; boundary={boundary}"


def submit(server, tool, key, parts, fields=(), headers=None):
    body, kind = mixed(parts, fields)
    return server.request("POST", f"/api/v1/tools/pdf/{tool}", key,
                          {"Content-Type": kind, **(headers or {})}, body)


def finish(server, answer, key):
    return server.wait(answer.json["jobId"], key).json if answer.status == 202 else answer.json


def check_one(server, key):
    first = server.run("rotate", [("report.pdf", pdf(2, text="One"))], key, {"degrees": "360"})
    before = server.request("GET", "/api/v1/usage", key).json
    job = finish(server, server.submit("rotate", [], key,
                                       {"file": f"job:{first['jobId']}", "degrees": "360"}), key)
    same("job:ID as a file uses the result of that job", job.get("status"), "completed")
    same("the output's name continues that of the referenced result",
         job["outputFile"], "report-rotate-rotate.pdf")
    same("inputBytes counts the referenced result", job["inputBytes"], first["outputBytes"])
    after = server.request("GET", "/api/v1/usage", key).json
    same("a job with a reference counts as one request",
         after["requests"]["used"] - before["requests"]["used"], 1)
    same("a referenced result does not count as uploaded data",
         after["data"]["used"], before["data"]["used"])
    failed = server.submit("rotate", [], key, {"file": f"job:{first['jobId']}", "degrees": "90",
                                               "inputPassword": "x", "pages": "9"})
    finish(server, failed, key)
    same("a failed job with a reference gives no data quota back",
         server.request("GET", "/api/v1/usage", key).json["data"]["used"], before["data"]["used"])
    same("the first job's result is still there after a reference",
         server.download(first["downloadUrl"]).status, 200)
    return first


def check_order(server, key, first):
    merged = finish(server, submit(server, "merge", key, [
        ("a.pdf", pdf(1, text="A")), f"job:{first['jobId']}", ("z.pdf", pdf(1, text="Z")),
        f"job:{first['jobId']}\r\n"]), key)
    same("uploads and referenced results keep their order",
         text_of(server.download(merged["downloadUrl"]).body),
         ["A1", "One1", "One2", "Z1", "One1", "One2"])
    split = server.run("split", [("doc.pdf", pdf(3, text="P"))], key, {"pages": "1,2,3"})
    parts = [f"job:{split['jobId']}/{split['outputs'][2]['name']}", f"job:{split['jobId']}/1"]
    merged = finish(server, submit(server, "merge", key, parts), key)
    same("one of several outputs is referenced by name or by number",
         text_of(server.download(merged["downloadUrl"]).body), ["P3", "P1"])
    merged = finish(server, submit(server, "merge", key, [f"job:{split['jobId']}"]), key)
    same("a reference to a job with several outputs is to all of them",
         text_of(server.download(merged["downloadUrl"]).body), ["P1", "P2", "P3"])
    same("a reference to several outputs is refused for a tool that accepts one file",
         submit(server, "rotate", key, [f"job:{split['jobId']}"], {"degrees": "90"}).error,
         "too_many_files")
    return split


def check_refusals(server, key, first, split):
    def refusal(text, tool="rotate", fields=None, who=key):
        answer = submit(server, tool, who, [text], fields or {"degrees": "90"})
        return answer.status, answer.error, answer.json.get("field")

    other = server.key()
    same("a reference to another account's job is answered job_not_found",
         refusal(f"job:{first['jobId']}", who=other),
         (404, "job_not_found", "files"))
    same("a reference with a UUID that is not of version 7 is refused",
         refusal(f"job:{new_id()}")[:2], (400, "invalid_parameter"))
    unknown = first["jobId"][:-1] + ("0" if first["jobId"][-1] != "0" else "1")
    same("a reference to an unknown job is answered job_not_found",
         refusal(f"job:{unknown}"), (404, "job_not_found", "files"))
    for text in ("job:", "job:7", f"job:{first['jobId']}x", "job:" + "a" * 300):
        same(f"a reference with the malformed id {text[:12]}... is refused",
             refusal(text)[:2], (400, "invalid_parameter"))
    same("a reference to an output that the job does not have is answered not_found",
         refusal(f"job:{split['jobId']}/9"),
         (404, "not_found", "files"))
    failed = server.run("rotate", [("a.pdf", pdf())], key, {"degrees": "90", "pages": "5"})
    same("a reference to a failed job is answered job_not_completed",
         refusal(f"job:{failed['jobId']}"),
         (409, "job_not_completed", "files"))
    same("a reference to a result of the wrong type is answered 415",
         refusal(f"job:{first['jobId']}", "jpg-to-pdf", {"fit": "cover"})[:2],
         (415, "unsupported_file_type"))
    tool, data, fields = slow_job(20, dpi=600)
    slow = server.submit(tool, [("a.pdf", data)], key, fields).json["jobId"]
    same("a reference to an unfinished job is answered job_not_completed", refusal(f"job:{slow}"),
         (409, "job_not_completed", "files"))
    server.request("DELETE", f"/api/v1/jobs/{slow}", key)
    short = server.run("rotate", [("a.pdf", pdf())], key, {"degrees": "90", "ttl": "1"})
    until(lambda: server.request("GET", f"/api/v1/jobs/{short['jobId']}", key).status == 410)
    same("a reference to an expired job is answered job_expired", refusal(f"job:{short['jobId']}"),
         (410, "job_expired", "files"))
    text = f"job:{first['jobId']}".encode()
    same("a file with a name whose content is job:ID is an ordinary file",
         server.submit("rotate", [("job.pdf", text)], key, {"degrees": "90"}).error,
         "unsupported_file_type")


def check_deletion(server, key):
    """The result goes while the rest of the request is still on its way."""
    first = server.run("rotate", [("report.pdf", pdf(1, text="Gone", pad=300000))], key,
                       {"degrees": "360"})
    body, kind = mixed([f"job:{first['jobId']}", ("b.pdf", pdf(1, text="Here"))])
    connection = server.connect()
    connection.putrequest("POST", "/api/v1/tools/pdf/merge")
    for name, value in (("X-API-Key", key), ("Content-Type", kind), ("Content-Length", len(body))):
        connection.putheader(name, str(value))
    connection.endheaders()
    half = body.index(b"filename")
    connection.send(body[:half])
    # That it was read shows in the server: it holds the result open.
    held = lambda: any(first["jobId"] in target for target in open_files(server))
    ok("a referenced result is held open while the request is received", until(held))
    same("the referenced job is deleted while the request is received",
         server.request("DELETE", f"/api/v1/jobs/{first['jobId']}", key).status, 204)
    connection.send(body[half:])
    answer = connection.getresponse()
    same("the request is accepted although the referenced job was deleted", answer.status, 202)
    job = server.wait(json.loads(answer.read())["jobId"], key).json
    same("the job has the bytes of the deleted result",
         text_of(server.download(job["downloadUrl"]).body),
         ["Gone1", "Here1"])
    ok("no file of the deleted job is left", not [b for b in server.blobs() if first["jobId"] in b])


def open_files(server):
    folder = f"/proc/{server.process.pid}/fd"
    found = []
    for name in os.listdir(folder):
        try:
            found.append(os.readlink(os.path.join(folder, name)))
        except OSError:
            continue
    return found


def check_idempotency(server, key, first):
    def once(headers):
        return submit(server, "rotate", key, [f"job:{first['jobId']}"], {"degrees": "90"}, headers)

    a, b = once({"Idempotency-Key": "ref"}), once({"Idempotency-Key": "ref"})
    same("a repeated Idempotency-Key with the same reference is a replay", a.json, b.json)
    finish(server, a, key)
    gone = server.run("split", [("a.pdf", pdf(2))], key, {"every": "1"})["jobId"]

    def again(key_, text=gone, tool="merge"):
        return submit(server, tool, key, [f"job:{text}"], {}, {"Idempotency-Key": key_})

    a = again("gone")
    finish(server, a, key)
    server.request("DELETE", f"/api/v1/jobs/{gone}", key)
    b = again("gone")
    same("a replay is answered although the referenced job was deleted",
         (b.status, b.json), (202, a.json))
    same("a replay with a reference counts once",
         server.request("GET", "/api/v1/usage", key).json["requests"]["used"],
         int(b.headers["X-RateLimit-Limit"]) - int(b.headers["X-RateLimit-Remaining"]))
    same("a new Idempotency-Key with a reference to a deleted job is answered job_not_found",
         again("other").error, "job_not_found")
    same("a repeated Idempotency-Key with another reference is a conflict",
         again("gone", a.json["jobId"][:-1] + "0" if
         a.json["jobId"][-1] != "0" else a.json["jobId"][:-1] + "1").error, "idempotency_conflict")


def check_pipeline(server, key, first, split):
    job = finish(server, submit(server, "pipeline", key, [f"job:{split['jobId']}"], {
        "steps": '[{"tool":"rotate","params":{"degrees":360}},{"tool":"merge"}]'}), key)
    same("a pipeline accepts references", text_of(server.download(job["downloadUrl"]).body),
         ["P1", "P2", "P3"])


def main():
    server = Server()
    try:
        key = server.key()
        first = check_one(server, key)
        split = check_order(server, key, first)
        check_refusals(server, key, first, split)
        check_deletion(server, key)
        check_idempotency(server, key, first)
        check_pipeline(server, key, first, split)
    finally:
        server.close()
    done()


main()
