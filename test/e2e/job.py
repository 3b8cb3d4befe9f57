"""The whole way of a job, as docs/api.md says."""

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
    same("with exactly jobId and status", sorted(answer.json), ["jobId", "status"])
    same("pending", answer.json["status"], "pending")
    job_id = answer.json["jobId"]
    ok("a job id is a UUID of version 7",
       re.fullmatch(r"[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}", job_id))
    same("Location is the job", answer.headers["Location"], f"/api/v1/jobs/{job_id}")
    same("Retry-After is 1", answer.headers["Retry-After"], "1")
    same("X-RateLimit-Limit is the plan's", answer.headers["X-RateLimit-Limit"], "50000")
    same("X-RateLimit-Remaining counts down", answer.headers["X-RateLimit-Remaining"], "49999")
    reset = int(answer.headers["X-RateLimit-Reset"])
    ok("X-RateLimit-Reset is the first second of the next month, UTC",
       time.gmtime(reset)[2:6] == (1, 0, 0, 0) and 0 < reset - time.time() < 31.1 * 86400, reset)
    ok("every answer has an X-Request-Id", len(answer.headers["X-Request-Id"]) == 36)
    return job_id


def check_job(server, key, job_id):
    answer = server.wait(job_id, key)
    job = answer.json
    same("the job is completed", job["status"], "completed")
    same("its tool is named", job["tool"], "rotate")
    ok("the fields of a completed job are there",
       {"jobId", "createdAt", "startedAt", "progress", "outputFile", "downloadUrl", "outputs",
        "inputBytes", "outputBytes", "warnings", "durationMs", "finishedAt",
        "expiresAt"} <= set(job), sorted(job))
    ok("and those of a failed one are not", "error" not in job and "message" not in job)
    same("outputFile is stem, tool and extension", job["outputFile"], "report-rotate.pdf")
    ok("times are RFC 3339, UTC", all(re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z", job[t])
                                      for t in ("createdAt", "startedAt", "finishedAt")))
    same("progress is whole", job["progress"], 1.0)
    same("a sound file causes no warning", job["warnings"], [])
    same("its one output is the result", [o["name"] for o in job["outputs"]], [job["outputFile"]])
    same("with its pages", job["outputs"][0]["pages"], 2)
    ok("another key's job is unknown",
       server.request("GET", f"/api/v1/jobs/{job_id}", server.key()).error == "job_not_found")
    return job


def check_download(server, job):
    url = job["downloadUrl"]
    ok("downloadUrl is absolute", url.startswith(f"http://127.0.0.1:{server.port}/api/v1/files/"))
    answer = server.download(url)
    same("it needs no key", answer.status, 200)
    same("the bytes are those told", len(answer.body), job["outputBytes"])
    same("their digest too", hashlib.sha256(answer.body).hexdigest(), job["outputs"][0]["sha256"])
    same("the result is a PDF of two pages", pages(answer.body), "2")
    same("Content-Type", answer.headers["Content-Type"], "application/pdf")
    same("Content-Disposition", answer.headers["Content-Disposition"],
         "attachment; filename=\"report-rotate.pdf\"; filename*=UTF-8''report-rotate.pdf")
    head = server.download(url, method="HEAD")
    ok("HEAD answers the same headers", head.status == 200 and head.body == b"" and
       head.headers["Content-Length"] == str(job["outputBytes"]), head)
    etag = answer.headers["ETag"]
    same("If-None-Match answers 304", server.download(url, {"If-None-Match": etag}).status, 304)
    part = server.download(url, {"Range": "bytes=5-14"})
    ok("Range answers 206 and the bytes", part.status == 206 and part.body == answer.body[5:15] and
       part.headers["Content-Range"] == f"bytes 5-14/{len(answer.body)}", part)
    same("a suffix range too", server.download(url, {"Range": "bytes=-6"}).body, answer.body[-6:])
    same("an open range too", server.download(url, {"Range": "bytes=10-"}).body, answer.body[10:])
    same("a range beyond the end answers 416",
         server.download(url, {"Range": "bytes=99999999-"}).status, 416)
    same("If-Range with an old ETag answers the whole",
         server.download(url, {"Range": "bytes=0-1", "If-Range": '"old"'}).status, 200)
    forged = url[:-1] + ("0" if url[-1] != "0" else "1")
    same("a forged signature answers 403", server.download(forged).error, "invalid_signature")
    later = re.sub(r"expires=(\d+)", lambda m: f"expires={int(m[1]) + 1}", url)
    same("so does a longer life", server.download(later).error, "invalid_signature")
    other = url.replace("report-rotate.pdf", "other.pdf")
    same("and another name", server.download(other).error, "invalid_signature")


def check_parts(server, key):
    job = server.run("split", [("doc.pdf", pdf(5))], key, {"pages": "1-2,4,5"})
    same("several parts are one ZIP", job.get("outputFile"), "doc-split.zip")
    archive = zipfile.ZipFile(io.BytesIO(server.download(job["downloadUrl"]).body))
    same("named by their pages", archive.namelist(), ["doc_1-2.pdf", "doc_4.pdf", "doc_5.pdf"])
    ok("stored, not deflated", all(i.compress_type == 0 for i in archive.infolist()))
    same("outputs lists each", [(o["name"], o["pages"]) for o in job["outputs"]],
         [("doc_1-2.pdf", 2), ("doc_4.pdf", 1), ("doc_5.pdf", 1)])
    for output in job["outputs"]:
        answer = server.download(output["downloadUrl"])
        ok(f"{output['name']} can be had alone, and is the one in the ZIP",
           answer.body == archive.read(output["name"]) and
           hashlib.sha256(answer.body).hexdigest() == output["sha256"] and
           answer.headers["Content-Type"] == "application/pdf")
    same("a single part is that file", server.run("split", [("doc.pdf", pdf(5))], key,
                                                  {"pages": "2-3"}).get("outputFile"),
         "doc-split.pdf")


def check_names(server, key):
    def name(upload, **fields):
        job = server.run("rotate", [(upload, pdf())], key, {"degrees": "90", **fields})
        return job.get("outputFile", job)

    same("a path in a file's name is cut off", name("../../etc/passwd.pdf"), "passwd-rotate.pdf")
    same("any script is kept", name("تقرير.pdf"), "تقرير-rotate.pdf")
    same("outputName names the result", name("a.pdf", outputName="Final report"),
         "Final report.pdf")
    same("with an extension or without", name("a.pdf", outputName="x.pdf"), "x.pdf")
    same("and is cleaned", name("a.pdf", outputName="../x/y"), "y.pdf")
    ok("a long name is cut to 200 bytes", len(name("é" * 120 + ".pdf").encode()) <= 200)
    job = server.run("rotate", [("Ünïcode.pdf", pdf())], key, {"degrees": "90"})
    same("an odd name downloads under both forms", server.download(job["downloadUrl"]).headers[
        "Content-Disposition"], "attachment; filename=\"_n_code-rotate.pdf\"; "
        "filename*=UTF-8''%C3%9Cn%C3%AFcode-rotate.pdf")


def check_idempotency(server):
    key, other = server.key(), server.key()
    body = ([("a.pdf", pdf())], key, {"degrees": "90"}, {"Idempotency-Key": "order 7"})
    first = server.submit("rotate", *body)
    again = server.submit("rotate", *body)
    same("an idempotency key answers the first body again", again.json, first.json)
    same("with 202", again.status, 202)
    same("and counts once", again.headers["X-RateLimit-Remaining"], "49999")
    conflict = server.submit("rotate", [("a.pdf", pdf(2))], *body[1:])
    ok("with other content it is a conflict",
       conflict.status == 409 and conflict.error == "idempotency_conflict", conflict)
    same("other fields are other content",
         server.submit("rotate", body[0], key, {"degrees": "180"}, body[3]).status, 409)
    ok("another API key may use the same one", server.submit(
        "rotate", body[0], other, *body[2:]).json["jobId"] != first.json["jobId"])
    server.wait(first.json["jobId"], key)
    with open(os.path.join(server.data, "d", "platen.db"), "rb") as database:
        stored = database.read()
    for name in os.listdir(os.path.join(server.data, "d")):
        if name.startswith("platen.db-"):
            with open(os.path.join(server.data, "d", name), "rb") as log:
                stored += log.read()
    ok("the key's text is not in the database", b"order 7" not in stored)
    guess = hashlib.sha256(b"rotate\0degrees\x0090\0a.pdf\0" + hashlib.sha256(
        body[0][0][1]).hexdigest().encode() + b"\0").hexdigest()
    ok("nor a digest of the request that could be guessed", guess.encode() not in stored)
    same("after the job ended it still does", server.submit("rotate", *body).json, first.json)
    server.request("DELETE", f"/api/v1/jobs/{first.json['jobId']}", key)
    gone = server.submit("rotate", *body)
    ok("after it was deleted the answer says so", (gone.status, gone.error) in (
        (404, "job_not_found"), (410, "job_expired")) and "new key" in gone.json["message"], gone)
    same("an unprintable one is refused", server.submit(
        "rotate", body[0], key, body[2], {"Idempotency-Key": "x" * 256}).status, 400)


def check_list_filters(server, key, newest):
    def listed(query):
        answer = server.request("GET", f"/api/v1/jobs?{query}", key)
        return [job["jobId"] for job in answer.json["jobs"]] if answer.status == 200 else answer.error
    made = newest["createdAt"]
    same("by tool", len(listed("tool=rotate")), 5)
    same("no job of another tool", listed("tool=merge"), [])
    same("a tool that is not there is named", listed("tool=rotat"), "invalid_parameter")
    ok("from a time on", newest["jobId"] in listed(f"createdAfter={made}"))
    ok("before a time, which is not meant itself", newest["jobId"] not in listed(f"createdBefore={made}"))
    same("in another zone", listed("createdAfter=2999-01-01T00:00:00%2B02:00"), [])
    for wrong in ("yesterday", "2026-11-24", "", "2026-11-24T10:00:00 02:00"):
        same(f"{wrong!r} is refused", listed(f"createdAfter={wrong.replace(' ', '+')}"), "invalid_parameter")


def check_list_and_delete(server):
    key = server.key()
    ids = [server.submit("rotate", [("a.pdf", pdf())], key, {"degrees": "90"}).json["jobId"]
           for _ in range(5)]
    for job_id in ids:
        server.wait(job_id, key)
    first = server.request("GET", "/api/v1/jobs?limit=2", key).json
    same("the list is newest first", [j["jobId"] for j in first["jobs"]], ids[:2:-1])
    same("an empty cursor is the first page",
         server.request("GET", "/api/v1/jobs?limit=2&cursor=", key).json, first)
    second = server.request("GET", f"/api/v1/jobs?limit=3&cursor={first['nextCursor']}", key).json
    same("and goes on at the cursor", [j["jobId"] for j in second["jobs"]], ids[2::-1])
    same("to its end", second["nextCursor"], None)
    same("by status", len(server.request("GET", "/api/v1/jobs?status=failed", key).json["jobs"]), 0)
    same("a wrong status is refused", server.request("GET", "/api/v1/jobs?status=x", key).error,
         "invalid_parameter")
    check_list_filters(server, key, first["jobs"][0])
    job = server.request("GET", f"/api/v1/jobs/{ids[0]}", key).json
    same("DELETE answers 204", server.request("DELETE", f"/api/v1/jobs/{ids[0]}", key).status, 204)
    same("the job is gone", server.request("GET", f"/api/v1/jobs/{ids[0]}", key).status, 404)
    ok("its files too", not any(name.startswith(ids[0]) for name in server.blobs()))
    same("its address leads nowhere", server.download(job["downloadUrl"]).status, 404)
    same("another key cannot delete", server.request("DELETE", f"/api/v1/jobs/{ids[1]}",
                                                     server.key()).status, 404)


def check_usage(server):
    key = server.key("pro")
    data = pdf()
    server.run("rotate", [("a.pdf", data)], key, {"degrees": "90"})
    usage = server.request("GET", "/api/v1/usage", key).json
    same("usage: the plan", usage["plan"], "pro")
    same("usage: requests", usage["requests"], {"used": 1, "limit": 1000, "remaining": 999})
    same("usage: data are the bytes of the files", usage["data"],
         {"used": len(data), "limit": 500000000, "remaining": 500000000 - len(data)})
    job = server.run("remove-password", [("a.pdf", data)], key, {"password": "x"})
    same("a copy of an unprotected file", job["warnings"][0]["code"], "not_encrypted")
    if "/api/v1/tools/pdf/repair" in server.request("GET", "/openapi.json").json["paths"]:
        job = server.run("repair", [("a.pdf", data[:-40])], key)
        same("repair reports what it found", job["report"]["pagesRecovered"], 1)
    same("Authorization: Bearer is taken as the same", server.request(
        "GET", "/api/v1/usage", headers={"Authorization": f"Bearer {key}"}).status, 200)
    same("a trailing part of the key is not enough", server.request(
        "GET", "/api/v1/usage", key[:-1]).error, "invalid_api_key")


def check_pictures(server, key):
    """A tool that takes other kinds of files than PDF."""
    gif = b"GIF89a\1\0\1\0\x80\0\0\0\0\0\xff\xff\xff,\0\0\0\0\1\0\1\0\0\2\2D\1\0;"
    job = server.run("jpg-to-pdf", [("dot.gif", gif), ("again.gif", gif)], key,
                     {"pageSize": "100x50mm"})
    same("pictures become a PDF", (job["status"], job["outputs"][0]["pages"]), ("completed", 2))
    same("with its digest", job["outputs"][0]["sha256"], hashlib.sha256(
        server.download(job["downloadUrl"]).body).hexdigest())
    same("a page size is judged at once", server.submit(
        "jpg-to-pdf", [("dot.gif", gif)], key, {"pageSize": "100x50"}).error, "invalid_parameter")
    same("and so is the kind of a file", server.submit(
        "jpg-to-pdf", [("a.pdf", pdf())], key).error, "unsupported_file_type")


def check_wait(server, key):
    begin = time.time()
    answer = server.submit("rotate", [("a.pdf", pdf())], key, {"degrees": "90"})
    job = server.request("GET", f"/api/v1/jobs/{answer.json['jobId']}?wait=60", key).json
    ok("?wait answers as soon as the job ended", job["status"] == "completed" and
       time.time() - begin < 30, job)
    for wait in ("61", "-1", "x"):
        same(f"wait={wait} is refused", server.request(
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
    same("a key works at once, beside the running server", status(key), 200)
    prefix = key[:11]
    ok("key list shows its prefix and name, never the key",
       prefix in command("list").stdout and "Ann" in command("list").stdout and
       key not in command("list").stdout)
    new = command("rotate", prefix).stdout.splitlines()[-1]
    same("a rotated key: the new one works", status(new), 200)
    same("and the old one, for its grace", status(key), 200)
    ok("they are one account", server.request("GET", "/api/v1/usage", new).json["plan"] == "pro")
    command("revoke", prefix)
    same("a revoked key does not", status(key), 401)
    same("the other still does", status(new), 200)
    same("an unknown prefix is said", command("revoke", "pk_nothing").returncode, 2)
    same("an unknown plan too", command("create", "--plan", "gold", "--name", "x").returncode, 2)
    files = b"".join(open(os.path.join(server.data, "d", name), "rb").read()
                     for name in os.listdir(os.path.join(server.data, "d"))
                     if name.startswith("platen.db"))
    ok("the database holds no key", key.encode() not in files and new.encode() not in files)


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
    ok("inputs are gone once their jobs ended", not any(".in." in name for name in server.blobs()))
    body, kind = multipart([("a.pdf", pdf())], {"degrees": "90"}, file_field="files[]")
    same("files[] is taken as files", server.request(
        "POST", "/api/v1/tools/pdf/rotate", key, {"Content-Type": kind}, body).status, 202)
    same("SIGTERM ends it cleanly", server.close(), 0)
    done()


main()
