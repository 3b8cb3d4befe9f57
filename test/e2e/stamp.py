"""Time stamps: requested from an authority, verified, and refused without one.

Run as: stamp.py PLATEN WITNESS."""

import hashlib
import os
import subprocess
import tempfile

from authority import Authority
from platen import PLATEN, Server, done, ok, pdf, same, until
from witness import DOCUMENT, programs, told_by

PROGRAMS = programs()
STAMPED = {"level": "B-T"}
authority = Authority()
folder = tempfile.mkdtemp(prefix="platen-stamp-e2e-")


def put(name, data):
    path = os.path.join(folder, name)
    with open(path, "wb") as file:
        file.write(data)
    return path


def serve(path, *options, timeout="30s"):
    return Server("--programs", PROGRAMS, "--timestamp-url", authority.url + path,
                  "--timestamp-timeout", timeout, *options)


def check_good():
    server = serve("/good")
    key = server.key()
    said = told_by(server, server.run("witness", DOCUMENT, key, STAMPED))
    token = put("token", said.get("token", b""))
    judged = subprocess.run(
        ["openssl", "ts", "-verify", "-token_in", "-in", token, "-digest",
         hashlib.sha256(b"").hexdigest(), "-CAfile", authority.folder + "/root.crt"],
        capture_output=True, text=True)
    ok("openssl verifies the time stamp token", "Verification: OK" in judged.stdout, judged)
    path, headers = authority.seen[-1]
    ok("the request to the authority is a POST as RFC 3161 says",
       path == "/good" and headers["Content-Type"] ==
       "application/timestamp-query" and headers["User-Agent"].startswith("platen/"), headers)
    count = len(authority.seen)
    server.run("witness", DOCUMENT, key, {"level": "B-B"})
    same("a job without a time stamp sends no request to the authority", len(authority.seen), count)
    jobs = [server.submit("witness", DOCUMENT, key, STAMPED).json["jobId"] for _ in range(4)]
    tokens = {told_by(server, server.wait(job, key).json).get("token") for job in jobs}
    ok("concurrent jobs each get their own token", len(tokens) == 4 and None not in tokens)
    server.close()


def check_bad():
    for what, path, word in (
            ("an authority that is busy", "/busy", "HTTP status 503"),
            ("an authority that redirects", "/redirect", "HTTP status 302"),
            ("an authority that sends a page", "/junk", "not a response of RFC 3161"),
            ("an authority that sends nothing", "/empty", "not a response of RFC 3161"),
            ("an authority that sends too much", "/long", "longer than 65536 bytes"),
            ("an authority that refuses the request", "/picky", "no time stamp token"),
            ("a wrong signature", "/forged", "is refused")):
        server = serve(path)
        job = server.run("witness", DOCUMENT, server.key(), STAMPED)
        ok(f"{what} fails the job with internal_error", job.get("error") == "internal_error" and
           authority.url not in job["message"], job)
        log = [line for line in server.logs().splitlines() if "job.failed" in line]
        ok(f"{what} is reported in the log", word in log[0], log)
        server.close()
    server = serve("/old")
    key = server.key()
    same("a valid reply of the test's authority is accepted",
         server.run("witness", DOCUMENT, key, STAMPED)["status"],
         "completed")
    ok("the same reply is refused a second time",
       server.run("witness", DOCUMENT, key, STAMPED).get("error") ==
       "internal_error" and "nonce" in server.logs(), server.logs()[-400:])
    server.close()
    gone = Server("--programs", PROGRAMS, "--timestamp-url", "http://user:hush@127.0.0.1:1/")
    job = gone.run("witness", DOCUMENT, gone.key(), STAMPED)
    ok("an authority that cannot be reached fails the job",
       job.get("error") == "internal_error", job)
    ok("the password in the authority's address is not in the log",
       "hush" not in gone.logs(), gone.logs()[-400:])
    gone.close()
    for url in ("file:///etc/passwd", "ftp://127.0.0.1/", "nonsense"):
        server = Server("--programs", PROGRAMS, "--timestamp-url", url)
        job = server.run("witness", DOCUMENT, server.key(), STAMPED)
        same(f"the job fails if the authority is at {url}", job.get("error"), "internal_error")
        server.close()


def check_authorities():
    root = authority.folder + "/root.crt"
    server = serve("/good", "--timestamp-ca", root)
    ok("a token that chains to timestamp_ca is accepted", "token" in told_by(
        server, server.run("witness", DOCUMENT, server.key(), STAMPED)))
    server.close()
    subprocess.run(["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout",
                    folder + "/k", "-out", folder + "/other.crt", "-subj", "/CN=Other", "-days",
                    "9"], capture_output=True, check=True)
    for what, ca in (("another certificate", folder + "/other.crt"), ("a missing file", "/nonexistent")):
        server = serve("/good", "--timestamp-ca", ca)
        job = server.run("witness", DOCUMENT, server.key(), STAMPED)
        same(f"timestamp_ca is {what}: the token is refused", job.get("error"), "internal_error")
        server.close()


def check_secure():
    """Over TLS, to one whose certificate nobody knows."""
    subprocess.run(["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout",
                    folder + "/tls.pem", "-out", folder + "/tls.crt", "-subj", "/CN=localhost",
                    "-days", "9"], capture_output=True, check=True)
    with open(folder + "/tls.pem", "ab") as both, open(folder + "/tls.crt", "rb") as certificate:
        both.write(certificate.read())
    secure = Authority(folder + "/tls.pem")
    server = Server("--programs", PROGRAMS, "--timestamp-url", secure.url + "/good")
    job = server.run("witness", DOCUMENT, server.key(), STAMPED)
    ok("an https authority with an untrusted certificate is refused",
       job.get("error") == "internal_error" and "SSL peer certificate" in server.logs() and
       not secure.seen, server.logs()[-400:])
    server.close()
    secure.close()


def check_slow():
    server = serve("/slow", timeout="1s")
    key = server.key()
    job = server.run("witness", DOCUMENT, key, STAMPED)
    ok("an authority that does not answer in time fails the job",
       job.get("error") == "internal_error" and
       "Timeout" in server.logs(), job)
    server.close()
    server = serve("/slow", "--job-timeout", "1s")
    key = server.key()
    job = server.run("witness", DOCUMENT, key, STAMPED)
    same("waiting for the authority counts towards the job's time limit",
         job.get("error"), "limit_exceeded")
    server.close()
    server = serve("/slow")
    key = server.key()
    count = len(authority.seen)
    job = server.submit("witness", DOCUMENT, key, STAMPED).json["jobId"]
    until(lambda: len(authority.seen) > count)
    same("a job that waits for the authority can be deleted",
         server.request("DELETE", f"/api/v1/jobs/{job}", key).status, 204)
    ok("deleting the job ends the request to the authority", until(lambda: not asking(server)))
    same("the server stops without waiting for the authority", server.close(), 0)


def asking(server):
    """The server's children that ask."""
    names = []
    for task in os.listdir(f"/proc/{server.process.pid}/task"):
        try:
            with open(f"/proc/{server.process.pid}/task/{task}/children") as children:
                for pid in children.read().split():
                    with open(f"/proc/{pid}/comm") as comm:
                        names.append(comm.read().strip())
        except OSError:
            pass
    return [name for name in names if name == "platen-signer"]


def check_none():
    server = Server("--programs", PROGRAMS)
    key = server.key()
    answer = server.submit("witness", DOCUMENT, key, STAMPED)
    ok("without an authority level=B-T is refused at submission", answer.status == 400 and
       answer.error == "invalid_parameter" and answer.json["field"] == "level" and
       "no time stamp authority" in answer.json["message"], answer)
    same("without an authority level=B-B is completed",
         server.run("witness", DOCUMENT, key, {"level": "B-B"})["status"],
         "completed")
    same("no input file is left after the refusal", [n for n in server.blobs() if ".in." in n], [])
    server.close()


def check_run():
    def run(*words):
        return subprocess.run([PLATEN, "run", "witness", put("a.pdf", pdf()), "--programs", PROGRAMS,
                               "-o", folder + "/out.pdf", "--level", "B-T", *words],
                              capture_output=True, text=True, timeout=60, cwd=folder)

    same("platen run sign uses --timestamp-url",
         run("--timestamp-url", authority.url + "/good").returncode, 0)
    refused = run()
    ok("platen run sign says that there is no authority", refused.returncode == 2 and
       "no time stamp authority" in refused.stderr, refused)
    refused = run("--timestamp-url", authority.url + "/busy")
    ok("platen run sign says that the authority gave no time stamp",
       refused.returncode == 1 and "the time stamp authority: it answers"
       in refused.stderr, refused)


check_good()
check_bad()
check_authorities()
check_secure()
check_slow()
check_none()
check_run()
authority.close()
subprocess.run(["rm", "-rf", folder], check=True)
done()
