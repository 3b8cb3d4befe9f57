"""The files of jobs in an S3 server: whole jobs, large files, faults of the server, and how wrong
settings are told."""

import os
import re
import subprocess
import tempfile
import threading
import urllib.request

from platen import PLATEN, Server, done, multipart, ok, pdf, same, until, without_office
from s3_server import ID, REGION, S3, SECRET, MetadataService
from uploads_client import PIECE, begin, patch

without_office()

LARGE = 300000           # more than is kept in the database
PARTS = 70 * 1000 * 1000  # more than one part
KEYS = {"AWS_ACCESS_KEY_ID": ID, "AWS_SECRET_ACCESS_KEY": SECRET}


def check_jobs(server, s3, key):
    job = server.run("rotate", [("a.pdf", pdf(3, pad=LARGE))], key, {"degrees": "90"})
    same("a job whose files are in S3 is completed", job.get("status"), "completed")
    only = [f"jobs/{job['jobId'][-2:]}/{job['jobId']}.out.1"]
    # The input is deleted once the result is kept: a client may hear of the result before that.
    ok("the S3 bucket has only the job's result", until(lambda: list(s3.objects) == only), list(s3.objects))
    whole = server.download(job["downloadUrl"])
    same("a result in S3 is downloaded", len(whole.body), job["outputs"][0]["bytes"])
    part = server.download(job["downloadUrl"], {"Range": "bytes=10-19"})
    same("a range of a result in S3 is downloaded",
         (part.status, part.body), (206, whole.body[10:20]))
    same("a result in S3 with a matching If-None-Match is answered 304",
         server.download(job["downloadUrl"], {
        "If-None-Match": whole.headers["ETag"]}).status, 304)
    again = server.run("page-numbers", [], key, {"file": f"job:{job['jobId']}"})
    same("a result in S3 is used as the file of another job", again.get("status"), "completed")
    locked = server.run("add-password", [("a.pdf", pdf())], key, {"password": "word"})
    same("a job with a secret is completed with S3", locked.get("status"), "completed")
    for one in (job, again, locked):
        server.request("DELETE", f"/api/v1/jobs/{one['jobId']}", key)
    ok("the bucket is empty after the jobs are deleted", until(lambda: not s3.objects), list(s3.objects))


def check_parts(server, s3, key):
    job = server.run("rotate", [("a.pdf", pdf(1, pad=PARTS))], key, {"degrees": "90"})
    same("a large file is sent as a multipart upload",
         (job.get("status"), s3.joined), ("completed", 2))
    same("no unfinished multipart upload is left", s3.uploads, {})
    same("a result sent in parts is downloaded whole",
         len(server.download(job["downloadUrl"]).body),
         job["outputs"][0]["bytes"])
    server.request("DELETE", f"/api/v1/jobs/{job['jobId']}", key)


def check_upload(server, s3, key):
    """A file that comes in pieces: broken off in a piece, and gone on with after the server was killed."""
    data = pdf(3, pad=2 * LARGE)
    upload = begin(server, key, "a.pdf", len(data)).json["uploadId"]
    same("a piece of an upload is in S3 when it is answered",
         (patch(server, key, upload, 0, data[:LARGE]).json["offset"],
         any(upload in name for name in s3.objects)), (LARGE, True))
    connection = server.connect()
    connection.putrequest("PATCH", f"/api/v1/uploads/{upload}")
    for name, value in (("X-API-Key", key), ("Content-Type", PIECE), ("Upload-Offset", str(LARGE)),
                        ("Content-Length", str(len(data) - LARGE))):
        connection.putheader(name, value)
    connection.endheaders()
    connection.send(data[LARGE:LARGE + 100000])
    server.kill()
    connection.close()
    server.start()
    same("after a piece that the server's end interrupted, the offset is that of the last "
         "answered piece",
         server.request("GET", f"/api/v1/uploads/{upload}", key).json["offset"], LARGE)
    same("a piece at an offset that is already received is refused",
         patch(server, key, upload, 0, data).json["offset"], LARGE)
    s3.faults = {"busy": 3, "cut": 4}
    same("the upload is completed in spite of faults of S3",
         patch(server, key, upload, LARGE, data[LARGE:]).json["complete"], True)
    s3.faults = {}
    same("a completed upload is one object",
         [name.split("/")[-1] for name in s3.objects], [f"{upload}.up.file"])
    job = server.run("rotate", [], key, {"file": f"upload:{upload}", "degrees": "90"})
    same("a job of an upload in S3 is completed", job.get("status"), "completed")
    made = server.request("POST", "/api/v1/uploads/tickets", key, {"Content-Type": "application/json"}, "{}").json
    answer = server.request("PUT", made["url"][made["url"].index("/api/"):], None, None, data)
    same("the file of a ticket is in S3 when it is answered",
         (answer.status, len([name for name in s3.objects if made["uploadId"] in name])), (201, 1))
    server.kill()
    server.start()
    ticket = server.run("rotate", [], key, {"file": f"upload:{made['uploadId']}", "degrees": "90"})
    same("a job of a ticket's file in S3 is completed", ticket.get("status"), "completed")
    server.request("DELETE", f"/api/v1/uploads/{made['uploadId']}", key)
    server.request("DELETE", f"/api/v1/jobs/{ticket['jobId']}", key)
    server.request("DELETE", f"/api/v1/uploads/{upload}", key)
    server.request("DELETE", f"/api/v1/jobs/{job['jobId']}", key)
    same("the bucket is empty after the upload is deleted", s3.objects, {})


def check_slow_references(server, s3, key):
    """Files that a request names are fetched while other requests are answered."""
    first = server.run("rotate", [("a.pdf", pdf(3, pad=LARGE))], key, {"degrees": "90"})
    named = f"job:{first['jobId']}"
    steps = '[{"tool": "rotate", "params": {"degrees": "90"}}]'
    requests = [("rotate", {"file": named, "degrees": "90"}, {}, (202, "completed")),
                ("page-numbers", {"file": named + "/1"}, {"Idempotency-Key": "slow"}, (202, "completed")),
                ("pipeline", {"file": named, "steps": steps}, {}, (202, "completed")),
                ("sign", {"file": named, "signerName": "A", "certificate": named}, {}, (202, "failed")),  # it is none
                ("jpg-to-pdf", {"file": named}, {}, (415, "unsupported_file_type"))] * 2
    ended = []

    def ask(tool, fields, headers, expected):
        answer = server.submit(tool, [], key, fields, headers)
        said = answer.error if answer.status != 202 else server.wait(answer.json["jobId"], key).json.get("status")
        ended.append((tool, (answer.status, said), expected))

    s3.gate.clear()
    waiting = [threading.Thread(target=ask, args=request) for request in requests]
    for thread in waiting:
        thread.start()
    ok("the requests wait for slow storage", until(lambda: s3.held == len(waiting)), s3.held)
    same("other requests are answered while storage is slow",
         [server.request("GET", f"/api/v1/jobs/{first['jobId']}", key).status
                                           for _ in range(8)], [200] * 8)
    same("no request that waits for slow storage is answered yet", ended, [])
    s3.gate.set()
    for thread in waiting:
        thread.join()
    same("all requests are answered once storage answers",
         [(tool, said) for tool, said, _ in ended],
         [(tool, expected) for tool, _, expected in ended])
    body, kind = multipart([], {"file": named, "degrees": "90"})
    dry = server.request("POST", "/api/v1/tools/pdf/rotate?dryRun=true", key, {"Content-Type": kind}, body)
    same("a dry run reads files in S3", (dry.status, dry.json.get("pages")), (200, 3))
    del s3.objects[next(name for name in s3.objects if first["jobId"] in name)]
    lost = server.submit("rotate", [], key, {"file": named, "degrees": "90"})
    same("a reference to a result that S3 lost is answered job_not_found",
         (lost.status, lost.error, lost.json.get("field")),
         (404, "job_not_found", "file"))
    again = server.submit("page-numbers", [], key, {"file": named + "/1"}, {"Idempotency-Key": "slow"})
    same("a replay is answered although S3 lost the referenced result",
         (again.status, again.headers.get("Idempotent-Replayed")), (202, "true"))


def check_faults(server, s3, key):
    s3.faults = {"busy": 4, "cut": 5}
    jobs = [server.run("rotate", [("a.pdf", pdf(3, pad=LARGE))], key, {"degrees": "90"})
            for _ in range(12)]
    same("all jobs are completed although S3 is busy or closes connections",
         [job.get("status") for job in jobs], ["completed"] * 12)
    same("all downloads work although S3 is busy or closes connections",
         [len(server.download(job["downloadUrl"]).body) for job in jobs],
         [job["outputs"][0]["bytes"] for job in jobs])
    s3.faults = {"unread": True}
    job_id = server.submit("rotate", [("a.pdf", pdf(1, pad=LARGE))], key, {"degrees": "90"}).json["jobId"]
    ok("a job whose files cannot be read now is put back", until(
        lambda: f"event=job.put_back job={job_id}" in server.logs()))
    s3.faults = {}
    same("a job that was put back is completed once its files can be read",
         server.wait(job_id, key).json["status"], "completed")
    s3.faults = {"hidden": 2}
    job = server.run("rotate", [("a.pdf", pdf(1, pad=PARTS))], key, {"degrees": "90"})
    same("an error in an S3 answer with status 200 is noticed and the request repeated",
         job.get("status"), "completed")
    s3.loses_joins = 2
    job = server.run("rotate", [("a.pdf", pdf(1, pad=PARTS))], key, {"degrees": "90"})
    same("a job is completed although S3's last answer to a multipart upload is lost",
         (job.get("status"), s3.loses_joins, server.logs().count("event=job.put_back")), ("completed", 0, 1))
    s3.faults = {"all": "busy"}
    refused = server.submit("rotate", [("a.pdf", pdf(1, pad=LARGE))], key, {"degrees": "90"})
    ok("large submissions are answered 503 unavailable while S3 refuses to store",
       refused.status == 503 and refused.error == "unavailable", refused.status, refused.body[:200])
    same("small submissions are completed while S3 refuses to store",
         server.run("rotate", [("a.pdf", pdf())], key, {
        "degrees": "90"}).get("status"), "completed")
    lost = server.download(jobs[0]["downloadUrl"])
    ok("downloads are answered 503 while S3 fails", lost.status == 503, lost.status)
    s3.faults = {}
    same("jobs are completed once S3 works again",
         server.run("rotate", [("a.pdf", pdf(1, pad=LARGE))], key, {
        "degrees": "90"}).get("status"), "completed")
    del s3.objects[next(name for name in s3.objects if jobs[0]["jobId"] in name)]
    same("a download of a result that S3 lost is answered 404",
         server.download(jobs[0]["downloadUrl"]).status, 404)


def check_damaged(server, s3, key):
    """Objects that are longer than they were, or have other bytes."""
    job = server.run("rotate", [("a.pdf", pdf(3, pad=LARGE))], key, {"degrees": "90"})
    name = next(name for name in s3.objects if job["jobId"] in name)
    whole = s3.objects[name]
    s3.objects[name], s3.sent = whole + bytes(64 << 20), 0
    same("a result that became longer in S3 is answered 500", server.download(job["downloadUrl"]).status, 500)
    ok("an object that is longer than it was is not fetched to its end", s3.sent < 32 << 20, s3.sent)
    s3.objects[name] = whole
    same("a result is downloaded once S3 gives it as it was", server.download(job["downloadUrl"]).status, 200)
    data = pdf(3, pad=LARGE)
    upload = begin(server, key, "a.pdf", len(data)).json["uploadId"]
    patch(server, key, upload, 0, data)
    name = next(name for name in s3.objects if upload in name)
    turn = {"file": f"upload:{upload}", "degrees": "90"}
    s3.objects[name] = data[:-9] + bytes(3) + data[-6:]
    changed = server.run("rotate", [], key, turn)
    ok("no job reads a file whose bytes changed in S3", changed.get("status") != "completed", changed)
    ok("an object that differs from its digest is logged",
       until(lambda: f"event=blob.damaged blob={name.partition('/')[2]}" in server.logs()))
    s3.objects[name] = data
    same("a job reads the file once S3 gives it as it was",
         server.run("rotate", [], key, turn).get("status"), "completed")


def check_orphans(server, s3):
    orphan = "jobs/ff/01900000-0000-7000-8000-0000000000ff.in.0"
    s3.objects[orphan] = b"x"
    s3.objects["jobs/readme.txt"] = b"of somebody else"
    server.stop()
    server.start()
    ok("objects that no job needs are removed from the bucket",
       until(lambda: orphan not in s3.objects))
    ok("objects that are not the server's stay in the bucket", "jobs/readme.txt" in s3.objects)


def check_redirect(s3):
    """Clients are sent to the bucket, with the file's name."""
    server = Server("--blobs", s3.address(), "--redirect-downloads", "true", env=KEYS)
    job = server.run("rotate", [("\u65e5 b.pdf", pdf(1, pad=LARGE))], server.key(), {"degrees": "90"})
    sent = server.download(job["downloadUrl"])
    same("a download is redirected with 302", sent.status, 302)
    with urllib.request.urlopen(sent.headers["Location"]) as answer:
        ok("the redirected download has the whole file under its name",
           len(answer.read()) == job["outputs"][0]["bytes"] and
           "%E6%97%A5%20b-rotate.pdf" in answer.headers["Content-Disposition"],
           answer.headers["Content-Disposition"])
    small = server.run("rotate", [("b.pdf", pdf())], server.key(name="other"), {"degrees": "90"})
    same("a small result, which is in the database, is not redirected",
         server.download(small["downloadUrl"]).status, 200)
    server.stop()


def check_refusals(s3):
    def told(blobs, env):
        with tempfile.TemporaryDirectory() as folder:
            clean = {name: value for name, value in os.environ.items() if not name.startswith("AWS_")}
            ended = subprocess.run([PLATEN, "serve", "--data", folder, "--listen", "127.0.0.1:0",
                                    "--blobs", blobs], capture_output=True, text=True, timeout=60,
                                   env={**clean, "HOME": folder, "AWS_EC2_METADATA_DISABLED": "true",
                                        **env})
            return ended.returncode, ended.stderr

    for what, blobs, env, words in [
            ("a wrong secret", s3.address(), {**KEYS, "AWS_SECRET_ACCESS_KEY": "no"},
             "SignatureDoesNotMatch"),
            ("no credentials", s3.address(), {}, "AWS_ACCESS_KEY_ID"),
            ("a bucket that does not exist", s3.address().replace("files", "other"), KEYS,
             "NoSuchBucket"),
            ("an S3 server that is not running", "s3://files?endpoint=http://127.0.0.1:9", KEYS,
             "127.0.0.1:9"),
            ("a wrong address", "s3://x", KEYS, "bucket")]:
        status, text = told(blobs, env)
        ok(f"{what} is reported when the server starts",
           status in (1, 2) and words in text, status, text[-300:])


def check_doctor(s3):
    """One sentence says what is wrong, the next what to do."""
    def lines(blobs, env):
        with tempfile.TemporaryDirectory() as folder:
            clean = {name: value for name, value in os.environ.items() if not name.startswith("AWS_")}
            return subprocess.run([PLATEN, "doctor", "--data", folder, "--listen", "127.0.0.1:0", "--blobs",
                                   blobs, "--programs", folder], capture_output=True, text=True, timeout=60,
                                  env={**clean, "HOME": folder, "AWS_EC2_METADATA_DISABLED": "true",
                                       **env}, check=False).stdout

    before = dict(s3.objects)
    said = lines(s3.address(), KEYS)
    ok("doctor reports a working bucket as sound",
       "\nok    bucket " in said and "S3 server" not in said, said)
    same("doctor leaves no object in the bucket", s3.objects, before)
    for what, blobs, env, words in [
            ("a wrong secret", s3.address(), {**KEYS, "AWS_SECRET_ACCESS_KEY": "no"}, "secret key is wrong"),
            ("no credentials", s3.address(), {}, "AWS_ACCESS_KEY_ID"),
            ("a wrong region", s3.address().replace(REGION, "test-2"), KEYS, "another region"),
            ("a bucket that does not exist", s3.address().replace("files", "other"), KEYS, "no bucket of this name"),
            ("an S3 server that is not running", "s3://files?endpoint=http://127.0.0.1:9", KEYS, "127.0.0.1:9")]:
        said = lines(blobs, env)
        ok(f"doctor reports {what}", any(line.startswith("FAIL  bucket") and words in line
                                  for line in said.splitlines()), said)
    s3.readonly = True
    said = lines(s3.address(), KEYS)
    ok("doctor reports a bucket that is read-only",
       "rights to list, read, write and delete" in said, said)
    s3.readonly = False
    for ahead, words in ((3600, "FAIL  clock of S3 server +3[56]\\d\\d s ahead of"),
                         (-300, "warn  clock of S3 server +[23]\\d\\d s late by")):
        s3.ahead = ahead
        said = lines(s3.address(), KEYS)
        ok(f"doctor reports a clock that is {ahead} s off", re.search(words, said), said)
    s3.ahead = 0


def check_file(s3):
    """Credentials from a file, which another program may renew."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "credentials")
        with open(path, "w", encoding="ascii") as file:
            file.write(f"[default]\naws_access_key_id = {ID}\naws_secret_access_key = {SECRET}\n"
                       "aws_session_token = word\n")
        server = Server("--blobs", s3.address(), env={"AWS_SHARED_CREDENTIALS_FILE": path})
        same("credentials are read from a file", server.run(
            "rotate", [("a.pdf", pdf(1, pad=LARGE))], server.key(), {"degrees": "90"}).get("status"),
            "completed")
        server.stop()


def rotated(server, key):
    return server.run("rotate", [("a.pdf", pdf(1, pad=LARGE))], key, {"degrees": "90"}).get("status")


def check_metadata(s3):
    """Credentials of the machine, which end, and of a container."""
    service = MetadataService(304)  # asked for again five minutes before their end
    quiet = {name: "" for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY")}
    server = Server("--blobs", s3.address(), env={**quiet, "HOME": "/nonexistent",
                                                  "AWS_EC2_METADATA_SERVICE_ENDPOINT": service.url})
    key = server.key()
    same("credentials are read from the machine's metadata service",
         rotated(server, key), "completed")
    ok("requests carry the session token of the metadata service",
       "session1" in s3.tokens, s3.tokens)
    ok("credentials are renewed before they expire", until(
        lambda: rotated(server, key) == "completed" and service.given > 1), service.given)
    ok("the renewed credentials are used", until(
        lambda: rotated(server, key) == "completed" and "session2" in s3.tokens), s3.tokens)
    service.silent = True
    same("jobs are completed while the metadata service does not answer",
         [rotated(server, key) for _ in range(3)],
         ["completed"] * 3)
    server.stop()
    with tempfile.NamedTemporaryFile("w") as token:
        token.write("Bearer of container\n")
        token.flush()
        service = MetadataService(3600)
        server = Server("--blobs", s3.address(), env={
            **quiet, "HOME": "/nonexistent", "AWS_CONTAINER_CREDENTIALS_FULL_URI": service.url + "/container",
            "AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE": token.name})
        same("credentials are read from a container's credentials service",
             rotated(server, server.key()), "completed")
        same("credentials that are still valid are not requested again", service.given, 1)
        server.stop()


def check_clock(s3):
    """A machine whose clock is wrong by hours."""
    s3.ahead = 7200
    server = Server("--blobs", s3.address(), "--redirect-downloads", "true", env=KEYS)
    key = server.key()
    job = server.run("rotate", [("a.pdf", pdf(1, pad=LARGE))], key, {"degrees": "90"})
    same("a job is completed although the server's clock is two hours late",
         job.get("status"), "completed")
    same("a clock that differs from S3's is logged once",
         server.logs().count("event=s3.clock_differs"), 1)
    with urllib.request.urlopen(server.download(job["downloadUrl"]).headers["Location"]) as answer:
        same("a redirected download works although the server's clock is late", answer.status, 200)
    s3.ahead = -7200
    same("a job is completed after the clock was corrected", rotated(server, key), "completed")
    s3.ahead = 0
    server.stop()


def main():
    s3 = S3()
    server = Server("--blobs", s3.address(), env=KEYS)
    key = server.key()
    check_jobs(server, s3, key)
    check_parts(server, s3, key)
    check_upload(server, s3, key)
    check_slow_references(server, s3, key)
    check_faults(server, s3, key)
    check_damaged(server, s3, key)
    check_orphans(server, s3)
    same("the server stops cleanly", server.stop(), 0)
    ok("the secret key of S3 is not in the log", SECRET not in server.logs() and REGION)
    check_file(s3)
    check_metadata(s3)
    check_clock(s3)
    check_redirect(s3)
    check_refusals(s3)
    check_doctor(s3)
    done()


main()
