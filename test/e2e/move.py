"""platen move: an installation with SQLite and a folder goes to PostgreSQL and S3 and back, whole, also
if it is killed in the middle. To be run by test/store/postgres.sh."""

import json
import os
import signal
import subprocess

from platen import PLATEN, Server, done, ok, pdf, same, until, without_office
from s3_server import ID, S3, SECRET

without_office()

STORE = os.environ["PLATEN_POSTGRES"]
KEYS = {"AWS_ACCESS_KEY_ID": ID, "AWS_SECRET_ACCESS_KEY": SECRET}
LARGE = 300000  # more than is kept in the database
JOBS = 24
CALLBACKS = ("--callback-allow", "127.0.0.1")


def platen(*words):
    return subprocess.run([PLATEN, *words], capture_output=True, text=True, timeout=120,
                          env={**os.environ, **KEYS})


def sql(text):
    return subprocess.run(["psql", "-XAtq", STORE, "-c", text], capture_output=True, text=True,
                          check=True).stdout.strip()


def check_wrong_store(data):
    """The start and platen doctor say in a sentence what is wrong with `store`."""
    sql("UPDATE platen.version SET version = 99")
    for what, store, words in (
            ("a database of a newer platen", STORE, "of version 99, and this platen knows versions up to"),
            ("a database that does not exist", STORE.replace("/postgres?", "/other?"), '"other" does not exist'),
            ("a database server that is not running", "postgresql://platen@127.0.0.1:9/x", "cannot be reached"),
            ("an address that cannot be parsed", STORE + "&colour=red", "colour"),
            ("an address of another kind", "mysql://x", "postgresql://")):
        told = platen("serve", "--data", data, "--listen", "127.0.0.1:0", "--store", store)
        ok(f"{what} is reported when the server starts",
           told.returncode in (1, 2) and words in told.stderr, told)
        told = platen("doctor", "--data", data, "--listen", "127.0.0.1:0", "--programs", data, "--store", store)
        ok(f"{what} is reported by doctor",
           told.returncode != 0 and words in told.stdout + told.stderr, told)
    sql("UPDATE platen.version SET version = 6")
    told = platen("serve", "--data", data, "--listen", "127.0.0.1:0", "--store", STORE)
    ok("a database of an older platen is reported when the server starts",
       told.returncode in (1, 2) and "of version 6, and this platen knows versions from 7 on" in told.stderr, told)


def fill(server, key):
    """Jobs of every kind: small and large, completed, failed, waiting, with a webhook not sent."""
    jobs = {}
    for i in range(JOBS):
        job = server.run("rotate", [("\u65e5 a.pdf", pdf(1 + i % 5, pad=LARGE if i % 2 else 0))], key, {
            "degrees": "90", "clientRef": f"ref {i}", "callbackUrl": "https://127.0.0.1:1099/x"},
            headers={"Idempotency-Key": f"k{i}"})
        if "jobId" not in job:
            raise RuntimeError(job)
        jobs[job["jobId"]] = job
    bad = server.run("rotate", [("a.pdf", b"%PDF-1.4 nothing")], key, {"degrees": "90"})
    jobs[bad["jobId"]] = bad
    return jobs


def shown(job):
    """What must stay. Addresses have another time in them, deliveries go on."""
    if "outputs" in job:
        job = {**job, "outputs": [shown(output) for output in job["outputs"]]}
    return {name: value for name, value in job.items() if name != "downloadUrl"}


def signing(data, key, *store):
    return platen("webhook", "show", key[:11], "--data", data, *store).stdout


def workflows(server, key):
    return server.request("GET", "/api/v1/workflows", key).json


def check_same(server, key, jobs, used, cookie):
    same("after the move a browser's session goes on",
         server.request("GET", "/api/v1/usage", headers={"Cookie": cookie}).status, 200)
    found = {job_id: server.request("GET", f"/api/v1/jobs/{job_id}", key).json for job_id in jobs}
    same("after the move every job is unchanged", {i: shown(job) for i, job in found.items()},
         {i: shown(job) for i, job in jobs.items()})
    whole = [len(server.download(job["downloadUrl"]).body) == sum(o["bytes"] for o in job["outputs"])
             for job in found.values() if job["status"] == "completed"]
    ok("after the move every job's result is complete", len(whole) == JOBS and all(whole), whole)
    same("after the move earlier download addresses work",
         {server.download(job["downloadUrl"]).status
                                                     for job in jobs.values() if "downloadUrl" in job}, {200})
    same("after the move usage is unchanged",
         server.request("GET", "/api/v1/usage", key).json["requests"]["used"], used)
    again = server.submit("rotate", [("\u65e5 a.pdf", pdf(1))], key, {
        "degrees": "180"}, headers={"Idempotency-Key": "k0"})
    same("after the move an Idempotency-Key is still known", again.error, "idempotency_conflict")


def kill_in_the_middle(command, s3):
    """Kills a move once some of its files have been copied; how many there were."""
    before = len(s3.objects)
    s3.most = before + 4
    process = subprocess.Popen([PLATEN, *command], env={**os.environ, **KEYS}, stdout=subprocess.DEVNULL,
                               stderr=subprocess.DEVNULL)
    until(lambda: len(s3.objects) >= before + 4 or process.poll() is not None)
    copied = len(s3.objects) - before
    process.send_signal(signal.SIGKILL)
    process.wait()
    s3.most = None
    s3.room.set()
    return copied


def kill_while_rows_are_written(command):
    """Kills a move that has written its jobs, and waits for a table that somebody holds."""
    holder = subprocess.Popen(["psql", "-XAtq", STORE, "-c", "BEGIN", "-c",
                               "LOCK TABLE platen.deliveries IN ACCESS EXCLUSIVE MODE", "-c",
                               "SELECT pg_sleep(100)"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    until(lambda: sql("SELECT count(*) FROM pg_stat_activity WHERE query LIKE '%pg_sleep(100)'"
                      " AND pid <> pg_backend_pid()") == "1")
    process = subprocess.Popen([PLATEN, *command], env={**os.environ, **KEYS}, stdout=subprocess.DEVNULL,
                               stderr=subprocess.DEVNULL)
    waits = until(lambda: sql("SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock'"
                              " AND application_name = 'platen'") == "1")
    process.send_signal(signal.SIGKILL)
    process.wait()
    sql("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query LIKE '%pg_sleep(100)'"
        " AND pid <> pg_backend_pid()")
    holder.wait()
    return waits


def main():
    s3 = S3()
    server = Server(*CALLBACKS)
    key = server.key()
    jobs = fill(server, key)
    used = server.request("GET", "/api/v1/usage", key).json["requests"]["used"]
    for name in ("Turn", "\u65e5"):
        server.request("POST", "/api/v1/workflows", key, {"Content-Type": "application/json"}, json.dumps(
            {"name": name, "steps": [{"tool": "rotate", "params": {"degrees": 90}}]}))
    flows = workflows(server, key)
    cookie = server.request("POST", "/api/v1/session", key).headers["Set-Cookie"].split(";")[0]
    data = os.path.join(server.data, "d")
    secret = signing(data, key)
    there = ("move", "--data", data, "--to-store", STORE, "--to-blobs", s3.address())
    told = platen(*there)
    ok("a move while a server runs is refused",
       told.returncode == 1 and "a server runs" in told.stderr, told)
    server.stop()

    ok("the move is killed while it copies files", kill_in_the_middle(there, s3) >= 4)
    same("the killed move left nothing in the database", sql(
        "SELECT count(*) FROM pg_class WHERE oid = to_regclass('platen.jobs')"), "0")
    platen("key", "list", "--data", data, "--store", STORE)  # makes the tables
    ok("the move is killed while it writes rows", kill_while_rows_are_written(there))
    same("the move killed while writing rows left no row",
         until(lambda: sql("SELECT count(*) FROM pg_stat_activity WHERE application_name"
                                                " = 'platen'") == "0") and
         sql("SELECT (SELECT count(*) FROM platen.jobs), (SELECT count(*) FROM platen.keys)"), "0|0")
    told = platen(*there)
    ok("the same command finishes the move", told.returncode == 0, told)
    ok("the repeated move copies no file twice", " 0 copied" in told.stdout, told.stdout)
    ok("the move prints how many jobs it moved", f"jobs: {len(jobs)}\n" in told.stdout, told.stdout)
    told = platen(*there)
    ok("a second move into the same database is refused", told.returncode == 1 and
       "already" in told.stderr, told)
    ok("and is refused before any file is looked at", "files:" not in told.stdout and
       "to continue" not in told.stderr, told)

    server.options, server.env = (*CALLBACKS, "--store", STORE, "--blobs", s3.address()), KEYS
    server.start()
    check_same(server, key, jobs, used, cookie)
    same("after the move the workflows are unchanged", (len(flows["workflows"]), workflows(server, key)), (2, flows))
    same("after the move webhooks are signed with the same secret", signing(data, key, "--store", STORE), secret)
    more = server.run("rotate", [("a.pdf", pdf(2, pad=LARGE))], key, {"degrees": "90"})
    same("jobs are completed after the move", more["status"], "completed")
    jobs[more["jobId"]] = more
    server.stop()

    os.rename(os.path.join(data, "platen.db"), os.path.join(data, "old.db"))
    os.rename(os.path.join(data, "blobs"), os.path.join(data, "old"))
    os.unlink(os.path.join(data, "url.key"))
    told = platen("move", "--data", data, "--store", STORE, "--blobs", s3.address(), "--to-store", "sqlite",
                  "--to-blobs", os.path.join(data, "blobs"))
    ok("a move back to SQLite and a folder works",
       told.returncode == 0 and f"jobs: {len(jobs)}\n" in told.stdout, told)
    server.options, server.env = CALLBACKS, None
    server.start()
    jobs.pop(more["jobId"])
    check_same(server, key, jobs, used + 1, cookie)
    same("after the move back they are, too", signing(data, key), secret)
    same("a job made after the first move is there after the move back",
         server.request("GET", f"/api/v1/jobs/{more['jobId']}", key)
         .json["status"], "completed")
    server.stop()

    check_wrong_store(data)
    for words, fault in (((), "no target"), (("--to-store", "mysql://x"), "postgresql://"),
                         (("--to-store", "sqlite"), "already"), (("--to-store",), "needs a value")):
        told = platen("move", "--data", data, *words)
        ok(f"move {' '.join(words)} is refused", told.returncode == 2 and fault in told.stderr, told)
    done()


main()
