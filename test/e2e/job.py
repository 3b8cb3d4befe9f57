"""A job from its submission to the download of its result, as docs/guide.md says."""

import hashlib
import io
import os
import re
import subprocess
import tempfile
import time
import zipfile

from platen import PLATEN, Server, done, multipart, ok, pdf, same, without_office

without_office()


def pages(data):
    with tempfile.NamedTemporaryFile(suffix=".pdf") as file:
        file.write(data)
        file.flush()
        out = subprocess.run(["qpdf", "--show-npages", file.name], capture_output=True, text=True)
    return out.stdout.strip()


def check_submission(server, key):
    answer = server.submit("rotate", [("report.pdf", pdf(2))], key, {"degrees": "90"})
    same("a submission is answered 202", answer.status, 202)
    same("the answer to a submission has exactly jobId and status",
         sorted(answer.json), ["jobId", "status"])
    same("a submitted job is pending", answer.json["status"], "pending")
    job_id = answer.json["jobId"]
    ok("a job id is a UUID of version 7",
       re.fullmatch(r"[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}", job_id))
    same("the answer to a submission has the job's Location",
         answer.headers["Location"], f"/api/v1/jobs/{job_id}")
    same("the answer to a submission has Retry-After: 1", answer.headers["Retry-After"], "1")
    same("X-RateLimit-Limit is that of the plan", answer.headers["X-RateLimit-Limit"], "50000")
    same("X-RateLimit-Remaining is lower by one after a submission",
         answer.headers["X-RateLimit-Remaining"], "49999")
    reset = int(answer.headers["X-RateLimit-Reset"])
    ok("X-RateLimit-Reset is the first second of the next month, UTC",
       time.gmtime(reset)[2:6] == (1, 0, 0, 0) and 0 < reset - time.time() < 31.1 * 86400, reset)
    ok("an answer has an X-Request-Id", len(answer.headers["X-Request-Id"]) == 36)
    return job_id


def check_job(server, key, job_id):
    answer = server.wait(job_id, key)
    job = answer.json
    same("the job is completed", job["status"], "completed")
    same("a completed job names its tool", job["tool"], "rotate")
    ok("a completed job has all fields of a completed job",
       {"jobId", "createdAt", "startedAt", "progress", "outputFile", "downloadUrl", "outputs",
        "inputBytes", "outputBytes", "warnings", "durationMs", "finishedAt",
        "expiresAt"} <= set(job), sorted(job))
    ok("a completed job has no error and no message", "error" not in job and "message" not in job)
    same("outputFile is stem, tool and extension", job["outputFile"], "report-rotate.pdf")
    ok("times are written as RFC 3339 in UTC",
       all(re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z", job[t])
                                      for t in ("createdAt", "startedAt", "finishedAt")))
    same("the progress of a completed job is 1", job["progress"], 1.0)
    same("a job of a sound file has no warning", job["warnings"], [])
    same("the only output has the name outputFile",
         [o["name"] for o in job["outputs"]], [job["outputFile"]])
    same("an output has its number of pages", job["outputs"][0]["pages"], 2)
    ok("another account's request for the job is answered 404",
       server.request("GET", f"/api/v1/jobs/{job_id}", server.key()).error == "job_not_found")
    return job


def check_download(server, job):
    url = job["downloadUrl"]
    ok("downloadUrl is absolute", url.startswith(f"http://127.0.0.1:{server.port}/api/v1/files/"))
    answer = server.download(url)
    same("a download needs no key", answer.status, 200)
    same("a download has outputBytes bytes", len(answer.body), job["outputBytes"])
    same("a download has the sha256 of the output",
         hashlib.sha256(answer.body).hexdigest(), job["outputs"][0]["sha256"])
    same("the result is a PDF of two pages", pages(answer.body), "2")
    same("a downloaded PDF has Content-Type application/pdf",
         answer.headers["Content-Type"], "application/pdf")
    same("a download has Content-Disposition with the output's name",
         answer.headers["Content-Disposition"],
         "attachment; filename=\"report-rotate.pdf\"; filename*=UTF-8''report-rotate.pdf")
    head = server.download(url, method="HEAD")
    ok("HEAD of a download has the headers of GET and no body",
       head.status == 200 and head.body == b"" and
       head.headers["Content-Length"] == str(job["outputBytes"]), head)
    etag = answer.headers["ETag"]
    same("a download with a matching If-None-Match is answered 304",
         server.download(url, {"If-None-Match": etag}).status, 304)
    part = server.download(url, {"Range": "bytes=5-14"})
    ok("a download with Range is answered 206 with these bytes",
       part.status == 206 and part.body == answer.body[5:15] and
       part.headers["Content-Range"] == f"bytes 5-14/{len(answer.body)}", part)
    same("a download with a suffix range has the last bytes",
         server.download(url, {"Range": "bytes=-6"}).body, answer.body[-6:])
    same("a download with an open range has the bytes from there on",
         server.download(url, {"Range": "bytes=10-"}).body, answer.body[10:])
    same("a download with a range beyond the end is answered 416",
         server.download(url, {"Range": "bytes=99999999-"}).status, 416)
    same("a download with Range and an old ETag in If-Range has the whole file",
         server.download(url, {"Range": "bytes=0-1", "If-Range": '"old"'}).status, 200)
    forged = url[:-1] + ("0" if url[-1] != "0" else "1")
    same("a download with a forged signature is answered invalid_signature",
         server.download(forged).error, "invalid_signature")
    later = re.sub(r"expires=(\d+)", lambda m: f"expires={int(m[1]) + 1}", url)
    same("a download with a changed expiry is answered invalid_signature",
         server.download(later).error, "invalid_signature")
    other = url.replace("report-rotate.pdf", "other.pdf")
    same("a download with a changed name is answered invalid_signature",
         server.download(other).error, "invalid_signature")


def check_parts(server, key):
    job = server.run("split", [("doc.pdf", pdf(5))], key, {"pages": "1-2,4,5"})
    same("several results are one ZIP", job.get("outputFile"), "doc-split.zip")
    archive = zipfile.ZipFile(io.BytesIO(server.download(job["downloadUrl"]).body))
    same("files in the ZIP are named after their pages",
         archive.namelist(), ["doc_1-2.pdf", "doc_4.pdf", "doc_5.pdf"])
    ok("files in the ZIP are stored without compression",
       all(i.compress_type == 0 for i in archive.infolist()))
    same("outputs lists each file in the ZIP", [(o["name"], o["pages"]) for o in job["outputs"]],
         [("doc_1-2.pdf", 2), ("doc_4.pdf", 1), ("doc_5.pdf", 1)])
    for output in job["outputs"]:
        answer = server.download(output["downloadUrl"])
        ok(f"{output['name']} can be downloaded alone, and is the same as in the ZIP",
           answer.body == archive.read(output["name"]) and
           hashlib.sha256(answer.body).hexdigest() == output["sha256"] and
           answer.headers["Content-Type"] == "application/pdf")
    same("a single result of split is that file and not a ZIP",
         server.run("split", [("doc.pdf", pdf(5))], key,
                                                  {"pages": "2-3"}).get("outputFile"),
         "doc-split.pdf")


def check_names(server, key):
    def name(upload, **fields):
        job = server.run("rotate", [(upload, pdf())], key, {"degrees": "90", **fields})
        return job.get("outputFile", job)

    same("the path in a file's name is removed from the output's name",
         name("../../etc/passwd.pdf"), "passwd-rotate.pdf")
    same("letters of any script are kept in the output's name",
         name("تقرير.pdf"), "تقرير-rotate.pdf")
    same("outputName names the result", name("a.pdf", outputName="Final report"),
         "Final report.pdf")
    same("outputName may have the extension", name("a.pdf", outputName="x.pdf"), "x.pdf")
    same("a path in outputName is removed", name("a.pdf", outputName="../x/y"), "y.pdf")
    ok("a long output name is shortened to 200 bytes",
       len(name("é" * 120 + ".pdf").encode()) <= 200)
    job = server.run("rotate", [("Ünïcode.pdf", pdf())], key, {"degrees": "90"})
    same("Content-Disposition has an unusual name in ASCII and as UTF-8",
         server.download(job["downloadUrl"]).headers[
        "Content-Disposition"], "attachment; filename=\"_n_code-rotate.pdf\"; "
        "filename*=UTF-8''%C3%9Cn%C3%AFcode-rotate.pdf")


def check_idempotency(server):
    key, other = server.key(), server.key()
    body = ([("a.pdf", pdf())], key, {"degrees": "90"}, {"Idempotency-Key": "order 7"})
    first = server.submit("rotate", *body)
    again = server.submit("rotate", *body)
    same("a repeated Idempotency-Key is answered with the first body", again.json, first.json)
    same("a repeated Idempotency-Key is answered 202", again.status, 202)
    same("a repeated Idempotency-Key is counted once",
         again.headers["X-RateLimit-Remaining"], "49999")
    conflict = server.submit("rotate", [("a.pdf", pdf(2))], *body[1:])
    ok("a repeated Idempotency-Key with another file is answered idempotency_conflict",
       conflict.status == 409 and conflict.error == "idempotency_conflict", conflict)
    same("a repeated Idempotency-Key with other fields is answered 409",
         server.submit("rotate", body[0], key, {"degrees": "180"}, body[3]).status, 409)
    ok("two accounts may use the same Idempotency-Key", server.submit(
        "rotate", body[0], other, *body[2:]).json["jobId"] != first.json["jobId"])
    server.wait(first.json["jobId"], key)
    with open(os.path.join(server.data, "d", "platen.db"), "rb") as database:
        stored = database.read()
    for name in os.listdir(os.path.join(server.data, "d")):
        if name.startswith("platen.db-"):
            with open(os.path.join(server.data, "d", name), "rb") as log:
                stored += log.read()
    ok("the text of an Idempotency-Key is not in the database", b"order 7" not in stored)
    guess = hashlib.sha256(b"rotate\0degrees\x0090\0a.pdf\0" + hashlib.sha256(
        body[0][0][1]).hexdigest().encode() + b"\0").hexdigest()
    ok("no guessable digest of a request is in the database", guess.encode() not in stored)
    same("an Idempotency-Key is still known after the job ended",
         server.submit("rotate", *body).json, first.json)
    server.request("DELETE", f"/api/v1/jobs/{first.json['jobId']}", key)
    gone = server.submit("rotate", *body)
    ok("an Idempotency-Key of a deleted job is answered 404 or 410", (gone.status, gone.error) in (
        (404, "job_not_found"), (410, "job_expired")) and "new key" in gone.json["message"], gone)
    same("an Idempotency-Key with unprintable characters is refused", server.submit(
        "rotate", body[0], key, body[2], {"Idempotency-Key": "x" * 256}).status, 400)


def check_list_filters(server, key, newest):
    def listed(query):
        answer = server.request("GET", f"/api/v1/jobs?{query}", key)
        return [job["jobId"] for job in answer.json["jobs"]] if answer.status == 200 else answer.error
    made = newest["createdAt"]
    same("the list filtered by tool has the jobs of the tool", len(listed("tool=rotate")), 5)
    same("the list filtered by another tool is empty", listed("tool=merge"), [])
    same("the list filtered by an unknown tool is refused",
         listed("tool=rotat"), "invalid_parameter")
    ok("the list with createdAfter includes a job made at that time",
       newest["jobId"] in listed(f"createdAfter={made}"))
    ok("the list with createdBefore excludes a job made at that time",
       newest["jobId"] not in listed(f"createdBefore={made}"))
    same("createdAfter accepts a time with a zone's offset",
         listed("createdAfter=2999-01-01T00:00:00%2B02:00"), [])
    for wrong in ("yesterday", "2026-11-24", "", "2026-11-24T10:00:00 02:00"):
        same(f"createdAfter={wrong!r} is refused",
             listed(f"createdAfter={wrong.replace(' ', '+')}"), "invalid_parameter")


def check_list_and_delete(server):
    key = server.key()
    ids = [server.submit("rotate", [("a.pdf", pdf())], key, {"degrees": "90"}).json["jobId"]
           for _ in range(5)]
    for job_id in ids:
        server.wait(job_id, key)
    first = server.request("GET", "/api/v1/jobs?limit=2", key).json
    same("the list of jobs has the newest first", [j["jobId"] for j in first["jobs"]], ids[:2:-1])
    same("an empty cursor is the first page",
         server.request("GET", "/api/v1/jobs?limit=2&cursor=", key).json, first)
    second = server.request("GET", f"/api/v1/jobs?limit=3&cursor={first['nextCursor']}", key).json
    same("the list continues at nextCursor", [j["jobId"] for j in second["jobs"]], ids[2::-1])
    same("the last page of the list has no nextCursor", second["nextCursor"], None)
    same("the list can be filtered by status",
         len(server.request("GET", "/api/v1/jobs?status=failed", key).json["jobs"]), 0)
    same("the list filtered by an unknown status is refused",
         server.request("GET", "/api/v1/jobs?status=x", key).error,
         "invalid_parameter")
    check_list_filters(server, key, first["jobs"][0])
    job = server.request("GET", f"/api/v1/jobs/{ids[0]}", key).json
    same("DELETE of a job answers 204",
         server.request("DELETE", f"/api/v1/jobs/{ids[0]}", key).status, 204)
    same("a deleted job is answered 404",
         server.request("GET", f"/api/v1/jobs/{ids[0]}", key).status, 404)
    ok("the files of a deleted job are deleted",
       not any(name.startswith(ids[0]) for name in server.blobs()))
    same("the download address of a deleted job is answered 404",
         server.download(job["downloadUrl"]).status, 404)
    same("another account cannot delete a job", server.request("DELETE", f"/api/v1/jobs/{ids[1]}",
                                                     server.key()).status, 404)


def check_usage(server):
    key = server.key("pro")
    data = pdf()
    server.run("rotate", [("a.pdf", data)], key, {"degrees": "90"})
    usage = server.request("GET", "/api/v1/usage", key).json
    same("usage names the plan", usage["plan"], "pro")
    same("usage counts requests, their limit and what remains",
         usage["requests"], {"used": 1, "limit": 1000, "remaining": 999})
    same("usage counts the bytes of uploaded files", usage["data"],
         {"used": len(data), "limit": 500000000, "remaining": 500000000 - len(data)})
    job = server.run("remove-password", [("a.pdf", data)], key, {"password": "x"})
    same("remove-password of an unencrypted file warns not_encrypted",
         job["warnings"][0]["code"], "not_encrypted")
    if "/api/v1/tools/pdf/repair" in server.request("GET", "/openapi.json").json["paths"]:
        job = server.run("repair", [("a.pdf", data[:-40])], key)
        same("the report of repair has pagesRecovered", job["report"]["pagesRecovered"], 1)
    same("Authorization: Bearer is accepted like X-API-Key", server.request(
        "GET", "/api/v1/usage", headers={"Authorization": f"Bearer {key}"}).status, 200)
    same("a key without its last character is refused", server.request(
        "GET", "/api/v1/usage", key[:-1]).error, "invalid_api_key")


def check_pictures(server, key):
    """A tool that takes other kinds of files than PDF."""
    gif = b"GIF89a\1\0\1\0\x80\0\0\0\0\0\xff\xff\xff,\0\0\0\0\1\0\1\0\0\2\2D\1\0;"
    job = server.run("jpg-to-pdf", [("dot.gif", gif), ("again.gif", gif)], key,
                     {"pageSize": "100x50mm"})
    same("jpg-to-pdf makes a PDF with a page for each picture",
         (job["status"], job["outputs"][0]["pages"]), ("completed", 2))
    same("outputs has the sha256 of the PDF of pictures",
         job["outputs"][0]["sha256"], hashlib.sha256(
        server.download(job["downloadUrl"]).body).hexdigest())
    same("jpg-to-pdf with an unknown page size is refused at submission", server.submit(
        "jpg-to-pdf", [("dot.gif", gif)], key, {"pageSize": "100x50"}).error, "invalid_parameter")
    same("jpg-to-pdf with a file of another type is refused at submission", server.submit(
        "jpg-to-pdf", [("a.pdf", pdf())], key).error, "unsupported_file_type")


def check_wait(server, key):
    answer = server.submit("rotate", [("a.pdf", pdf())], key, {"degrees": "90"})
    begin = time.monotonic()
    job = server.request("GET", f"/api/v1/jobs/{answer.json['jobId']}?wait=60", key).json
    ok("GET of a job with ?wait is answered as soon as the job ended",
       job["status"] == "completed" and
       time.monotonic() - begin < 60, job)
    for wait in ("61", "-1", "x"):
        same(f"GET of a job with wait={wait} is refused", server.request(
            "GET", f"/api/v1/jobs/{answer.json['jobId']}?wait={wait}", key).error,
            "invalid_parameter")


def check_keys(server):
    def command(*words):
        return subprocess.run([PLATEN, "key", *words, "--data", os.path.join(server.data, "d")],
                              capture_output=True, text=True, timeout=60)

    def status(key):
        return server.request("GET", "/api/v1/usage", key).status

    made = command("create", "--plan", "pro", "--name", "Ann")
    key = made.stdout.splitlines()[-1]
    same("a new key works at once on the running server", status(key), 200)
    prefix = key[:11]
    ok("key list shows the key's prefix and name, and not the key",
       prefix in command("list").stdout and "Ann" in command("list").stdout and
       key not in command("list").stdout)
    new = command("rotate", prefix).stdout.splitlines()[-1]
    same("after key rotate the new key works", status(new), 200)
    same("after key rotate the old key works during its grace period", status(key), 200)
    ok("after key rotate both keys belong to one account",
       server.request("GET", "/api/v1/usage", new).json["plan"] == "pro")
    command("revoke", prefix)
    same("a revoked key is refused", status(key), 401)
    same("the account's other key works after one was revoked", status(new), 200)
    same("key revoke of an unknown prefix has status 2",
         command("revoke", "pk_nothing").returncode, 2)
    same("key create with an unknown plan has status 2",
         command("create", "--plan", "gold", "--name", "x").returncode, 2)
    files = b"".join(open(os.path.join(server.data, "d", name), "rb").read()
                     for name in os.listdir(os.path.join(server.data, "d"))
                     if name.startswith("platen.db"))
    ok("the database contains no key", key.encode() not in files and new.encode() not in files)


def main():
    server = Server()
    key = server.key()
    job_id = check_submission(server, key)
    job = check_job(server, key, job_id)
    check_download(server, job)
    check_parts(server, key)
    check_names(server, key)
    check_idempotency(server)
    check_list_and_delete(server)
    check_usage(server)
    check_pictures(server, key)
    check_wait(server, key)
    check_keys(server)
    ok("inputs are deleted once their jobs ended",
       not any(".in." in name for name in server.blobs()))
    body, kind = multipart([("a.pdf", pdf())], {"degrees": "90"}, file_field="files[]")
    for name in ("files[0]", "files[17]"):
        indexed = multipart([("a.pdf", pdf())], {"degrees": "90"}, file_field=name)
        same(f"a part named {name} is accepted as files", server.request(
            "POST", "/api/v1/tools/pdf/rotate", key, {"Content-Type": indexed[1]}, indexed[0]).status, 202)
    same("a part named files[x] is not", server.submit("rotate", [("a.pdf", pdf())], key, {
        "degrees": "90", "files[x]": "1"}).error, "unknown_field")
    empty = {"degrees": "90", "pages": "", "clientRef": "", "outputName": "", "callbackUrl": "", "inputPassword": ""}
    same("optional fields without a value count as not given",
         server.run("rotate", [("a.pdf", pdf())], key, empty).get("status"), "completed")
    same("a required one does not", server.submit("rotate", [("a.pdf", pdf())], key, {"degrees": ""}).status, 400)
    same("a part named files[] is accepted as files", server.request(
        "POST", "/api/v1/tools/pdf/rotate", key, {"Content-Type": kind}, body).status, 202)
    same("the server stops cleanly after SIGTERM", server.close(), 0)
    done()


main()
