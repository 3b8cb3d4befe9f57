"""Files that submissions name by addresses: fetched, checked, charged; and nothing that is not public is reached."""

import gzip
import hashlib
import json
import os
import re
import socket
import threading

from origin import FORMS, PDF, Origin, answer, endless, file, redirect, silent
from platen import DEADLINE, Server, done, multipart, ok, pdf, same, until, without_office

without_office()


def submit(server, key, fields, tool="rotate", files=(), headers=None):
    pairs = list(fields.items()) if isinstance(fields, dict) else fields
    if tool == "rotate":
        pairs = [("degrees", "90"), *pairs]
    body, kind = multipart(files, pairs)
    return server.request("POST", f"/api/v1/tools/pdf/{tool}", key, {"Content-Type": kind, **(headers or {})}, body)


def run(server, key, fields, **more):
    accepted = submit(server, key, fields, **more)
    return server.wait(accepted.json["jobId"], key).json if accepted.status == 202 else accepted.json


def used(server, key):
    usage = server.request("GET", "/api/v1/usage", key).json
    return usage["requests"]["used"], usage["data"]["used"]


def without_id(result):
    """The identifier of a file depends on the second in which it was made."""
    return re.sub(rb"/ID ?\[[^]]*\]", b"", result)


def test_fetched(server, key, origin):
    url = origin.serve("/a%20report.pdf", file())
    before = used(server, key)
    job = run(server, key, {"fileUrl": url + "?token=secret"})
    same("a file is fetched from its address", job["status"], "completed")
    same("the result has the name at the address", job["outputFile"], "a report-rotate.pdf")
    same("the job's inputBytes are those of the file", job["inputBytes"], len(PDF))
    same("the result is that of the same file sent", without_id(server.download(job["downloadUrl"]).body),
         without_id(server.download(run(server, key, {}, files=[("a report.pdf", PDF)])["downloadUrl"]).body))
    same("it is charged as if it had been sent", used(server, key), (before[0] + 2, before[1] + 2 * len(PDF)))
    ok("neither address nor token is in the log", "a%20report" not in server.logs() and "token=secret" not in server.logs())
    same("the address may stand in the field file", run(server, key, {"file": url})["status"], "completed")
    other = origin.serve("/b.pdf", file(pdf(3)))
    job = run(server, key, [("fileUrl", other), ("files", f"job:{job['jobId']}"), ("fileUrl", url)], tool="merge")
    same("files that are fetched stand in their order among others", job["outputs"][0]["pages"], 7)
    same("a pipeline takes them, too",
         run(server, key, {"fileUrl": url, "steps": '[{"tool":"rotate","params":{"degrees":90}}]'}, tool="pipeline")["status"],
         "completed")
    digest = hashlib.sha256(PDF).hexdigest()
    same("a file with its fileDigest is taken", run(server, key, {"fileUrl": url, "fileDigest": f"sha256:{digest.upper()}"})["status"],
         "completed")
    job = run(server, key, {"fileUrl": url, "fileDigest": "0" * 64})
    same("a file with another digest fails the job", (job["error"], job["field"]), ("fetch_failed", "fileDigest"))
    origin.calls.clear()
    run(server, key, {"fileUrl": url, "fileHeaders": json.dumps({"Authorization": "Bearer x y", "X-Tenant": "7"})})
    sent = {name.lower(): value for name, value in origin.calls[0][1].items()}
    same("fileHeaders are sent", (sent.get("authorization"), sent.get("x-tenant")), ("Bearer x y", "7"))
    ok("no coding is asked for", "accept-encoding" not in sent, sent)
    ok("fileHeaders are not in the log", "Bearer x y" not in server.logs())
    with open(os.path.join(server.data, "d", "platen.db"), "rb") as database:
        content = database.read()
    ok("neither the address nor the headers are in the database", b"token=secret" not in content and b"Bearer x y" not in content)
    again = {"Idempotency-Key": "fetch-1"}
    first = submit(server, key, {"fileUrl": url}, headers=again)
    second = submit(server, key, {"fileUrl": url}, headers=again)
    same("a replay is recognised by the address", (first.json["jobId"], second.headers["Idempotent-Replayed"]),
         (second.json["jobId"], "true"))
    server.wait(first.json["jobId"], key)
    same("another address is a conflict", submit(server, key, {"fileUrl": other}, headers=again).status, 409)


def test_small(server, key, origin):
    """A test key has 5 MB for all files of a job, also for those that are fetched."""
    test = server.request("POST", "/api/v1/account/keys", key, {"Content-Type": "application/json"}, '{"name":"t","test":true}').json["key"]
    urls = [("fileUrl", origin.serve(f"/{n}.pdf", file(pdf(1, pad=3000000)))) for n in range(2)]
    same("6 MB are fetched for an ordinary key", run(server, key, urls, tool="merge")["status"], "completed")
    job = run(server, test, urls, tool="merge")
    same("and not for a test key", (job["status"], job.get("error"), job.get("field")), ("failed", "fetch_failed", "fileUrl"))
    same("3 MB are", run(server, test, urls[:1])["status"], "completed")
    sent = run(server, test, urls[1:], tool="merge", files=[("a.pdf", pdf(1, pad=3000000))])
    same("files that are sent count together with them", sent.get("error"), "fetch_failed")


def test_refused(server, key, origin):
    url = origin.url("/a.pdf")
    for what, fields, code, field in (
            ("more digests than files", [("fileUrl", url), ("fileDigest", "0" * 64), ("fileDigest", "0" * 64)], "invalid_file_digest", "fileDigest"),
            ("a digest that is none", {"fileUrl": url, "fileDigest": "abc"}, "invalid_file_digest", "fileDigest"),
            ("headers without a file", {"file": "job:x", "fileHeaders": "{}"}, None, None),
            ("headers that are no object", {"fileUrl": url, "fileHeaders": "[]"}, "invalid_file_headers", "fileHeaders"),
            ("a header with a line break", {"fileUrl": url, "fileHeaders": json.dumps({"A": "b\r\nHost: x"})}, "invalid_file_headers", "fileHeaders"),
            ("a header's name with a colon", {"fileUrl": url, "fileHeaders": json.dumps({"A: b": "c"})}, "invalid_file_headers", "fileHeaders"),
            ("the header Host", {"fileUrl": url, "fileHeaders": json.dumps({"host": "x"})}, "invalid_file_headers", "fileHeaders"),
            ("a header twice", {"fileUrl": url, "fileHeaders": '{"A":"1","A":"2"}'}, "invalid_file_headers", "fileHeaders"),
            ("two files where one is taken", [("fileUrl", url), ("fileUrl", url)], "too_many_files", None)):
        answered = submit(server, key, fields).json
        if code:
            same(f"{what} is refused", (answered.get("error"), answered.get("field", field) if field else None), (code, field))
        else:
            ok(f"{what} is refused", "error" in answered, answered)
    body, kind = multipart((), [("degrees", "90"), ("fileUrl", url)])
    dry = server.request("POST", "/api/v1/tools/pdf/rotate/dry-run", key, {"Content-Type": kind}, body)
    same("a dry run fetches nothing, and says so", (dry.status, dry.json["field"]), (400, "fileUrl"))


def test_upload(server, key, origin):
    """An upload is made of a file at an address."""
    def begin(**form):
        return server.request("POST", "/api/v1/uploads", key, {"Content-Type": "application/json"}, json.dumps(form))
    origin.calls.clear()
    made = begin(fileUrl=origin.serve("/c%20d.pdf", file()), fileHeaders={"Authorization": "Bearer z"}, fileDigest=hashlib.sha256(PDF).hexdigest())
    same("a file at an address becomes an upload", (made.status, made.json["name"], made.json["size"], made.json["complete"], made.json["kind"]),
         (201, "c d.pdf", len(PDF), True, "pdf"))
    same("its host got the headers", origin.calls[0][1].get("Authorization"), "Bearer z")
    same("jobs use it", run(server, key, {"file": f"upload:{made.json['uploadId']}"})["status"], "completed")
    same("it may have another name", begin(fileUrl=origin.url("/c%20d.pdf"), name="x.pdf").json["name"], "x.pdf")
    origin.serve("/none", file(status=404))
    for what, form, code, field in (
            ("a file that is not there", {"fileUrl": origin.url("/none")}, "invalid_file_url", "fileUrl"),
            ("nothing at all", {"fileUrl": origin.serve("/nothing", file(b"", status=404))}, "invalid_file_url", "fileUrl"),
            ("an empty file", {"fileUrl": origin.serve("/empty", file(b""))}, "invalid_file_url", "fileUrl"),
            ("a host that may not be reached", {"fileUrl": "http://127.0.0.1/"}, "invalid_file_url", "fileUrl"),
            ("another digest", {"fileUrl": origin.url("/c%20d.pdf"), "fileDigest": "0" * 64}, "invalid_file_digest", "fileDigest"),
            ("headers that are none", {"fileUrl": origin.url("/c%20d.pdf"), "fileHeaders": []}, "invalid_file_headers", "fileHeaders"),
            ("an address that is a number", {"fileUrl": 1}, "invalid_file_url", "fileUrl"),
            ("a size besides", {"fileUrl": origin.url("/c%20d.pdf"), "size": 1}, "invalid_request", None)):
        said = begin(**form)
        same(f"{what} is refused", (said.status, said.error, said.json.get("field")), (400, code, field))
        ok("the status of its host is said", what != "a file that is not there" or "status 404" in said.json["message"], said)
    waiting = [threading.Thread(target=begin, kwargs={"fileUrl": origin.serve("/hangs", silent)}) for _ in range(4)]
    origin.calls.clear()
    for one in waiting:
        one.start()
    ok("four are fetched at a time", until(lambda: len(origin.calls) == 4))
    same("an account may have no more", begin(fileUrl=origin.url("/c%20d.pdf")).error, "too_many_uploads")
    for one in waiting:
        one.join()
    same("until one has ended", begin(fileUrl=origin.url("/c%20d.pdf")).status, 201)


def test_trouble(server, key, origin):
    before = used(server, key)
    bomb = gzip.compress(b"%PDF-1.4\n" + bytes(8 << 20))
    busy = []

    def recovers(handler):
        busy.append(1)
        answer(handler, 503 if len(busy) == 1 else 200, PDF)
    for what, say, message in (
            ("a file that is not there", file(status=404), "status 404"),
            ("an address that wants a password", file(status=401), "status 401"),
            ("an answer without a file", file(b"", status=204), "status 204"),
            ("an empty file", file(b""), "is empty"),
            ("a part of a file", file(PDF, status=206), "status 206"),
            ("a file that breaks off", file(PDF, length=len(PDF) + 100), "broke off"),
            ("a coded file", file(bomb, headers=[("Content-Encoding", "gzip")]), "Content-Encoding"),
            ("an endless file", endless, "larger"),
            ("a file that says it is very large", file(PDF, length=1 << 40), "larger"),
            ("a silent host", silent, "in time"),
            ("six redirects", redirect(lambda: origin.url("/case")), "redirected"),
            ("a redirect without a place", lambda handler: answer(handler, 302, b""), "redirected")):
        job = run(server, key, {"fileUrl": origin.serve("/case", say)})
        ok(f"{what} fails the job with fetch_failed", job.get("error") == "fetch_failed" and message in job["message"], job)
    listener = socket.create_server((origin.address, 0))
    closed = listener.getsockname()[1]
    listener.close()
    job = run(server, key, {"fileUrl": f"http://{origin.address}:{closed}/a.pdf"})
    ok("a host that takes no connection fails the job", job["error"] == "fetch_failed" and "no connection" in job["message"], job)
    same("what could not be had is not charged", used(server, key), before)
    job = run(server, key, {"fileUrl": origin.serve("/case", file(b"hello"))})
    same("a file of another kind is said to be that", job["error"], "unsupported_file_type")
    same("a host that is busy is asked again", run(server, key, {"fileUrl": origin.serve("/busy", recovers)})["status"], "completed")
    slow = origin.serve("/slow", silent)
    waits = submit(server, key, {"fileUrl": slow}).json["jobId"]
    same("meanwhile other jobs run", run(server, key, {"fileUrl": origin.serve("/ok", file())})["status"], "completed")
    same("a job that waits for its file is pending", server.request("GET", f"/api/v1/jobs/{waits}", key).json["status"], "pending")
    server.request("DELETE", f"/api/v1/jobs/{waits}", key)
    same("it can be deleted", server.request("GET", f"/api/v1/jobs/{waits}", key).status, 404)


def test_attacks(server, key, origin):
    """Each as the address itself, and as what the address of an allowed host redirects to."""
    internal = Origin("127.0.0.1")
    internal.serve("/", file())
    direct = [form for form in FORMS if "error" not in submit(server, key, {"fileUrl": form.format(port=internal.port)}).json]
    same(f"{len(FORMS)} addresses of no public host, or of another scheme, are refused", direct, [])
    wrong = []
    for form in FORMS:
        target = form.format(port=internal.port).encode("utf-8", "replace").decode("latin-1").replace("\n", "%0a")
        job = run(server, key, {"fileUrl": origin.serve("/hop", redirect(target))})
        if job.get("error") not in ("fetch_failed", "unsupported_file_type"):
            wrong.append((form, job))
    same(f"so are {len(FORMS)} redirects to them", wrong, [])
    ok("none has reached the host that is not allowed", not internal.calls, internal.calls)
    origin.calls.clear()
    other = Origin("127.0.0.2")
    target = other.serve("/target.pdf", file())
    job = run(server, key, {"fileUrl": origin.serve("/hop", redirect(target, 307)), "fileHeaders": '{"Authorization":"secret"}'})
    same("a redirect to an allowed host is followed", job["status"], "completed")
    ok("which gets no headers that were for another host",
       all(name.lower() != "authorization" for name in other.calls[0][1]), other.calls)
    near = origin.serve("/near.pdf", file())
    run(server, key, {"fileUrl": origin.serve("/hop", redirect(near)), "fileHeaders": '{"Authorization":"secret"}'})
    ok("the same host gets them", any(path == "/near.pdf" and "Authorization" in headers for path, headers in origin.calls))
    said = submit(server, key, {"fileUrl": "http://169.254.169.254/"}).json
    same("the address of a cloud's metadata service is refused in words", (said["error"], said["field"]), ("invalid_file_url", "fileUrl"))


def test_survives(origin):
    """A server that is killed while it fetches does so again."""
    server = Server("--allow-fetch", "127.0.0.2", "--fetch-http", "true", "--lease", "2s")
    key = server.key()
    held = threading.Event()
    seen = []

    def waits(handler):
        seen.append(1)
        if len(seen) == 1:
            held.wait(DEADLINE)
            handler.close_connection = True
            return
        answer(handler, 200, PDF)
    job = submit(server, key, {"fileUrl": origin.serve("/again", waits)}).json["jobId"]
    ok("the server fetches", until(lambda: len(seen) == 1))
    server.kill()
    server.start()
    same("a job whose file was being fetched when the server died is done", server.wait(job, key).json["status"], "completed")
    same("it was charged once", used(server, key), (1, len(PDF)))
    held.set()
    same("no file is left of it but its result", [name for name in server.blobs() if "in." in name or "secret" in name], [])
    server.close()


def main():
    origin = Origin("127.0.0.2")
    server = Server("--allow-fetch", "127.0.0.2", "--fetch-http", "true", "--fetch-timeout", "3s", "--max-file-size", "4M")
    key = server.key()
    for test in (test_fetched, test_upload, test_small, test_refused, test_trouble, test_attacks):
        test(server, key, origin)
    server.close()
    test_survives(origin)
    closed = Server("--fetch", "false")
    said = submit(closed, closed.key(), {"fileUrl": "https://example.com/a.pdf"}).json
    same("a server that does not fetch says so", (said["error"], said["field"]), ("addresses_refused", "fileUrl"))
    closed.close()
    done()


main()
