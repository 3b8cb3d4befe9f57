"""Several servers that share a PostgreSQL server and a folder: a client may submit to one, wait at
another and be served by a third, and nothing is lost or done twice when one of them, or the
database, goes. To be run by test/store/postgres.sh."""

import json
import os
import random
import shlex
import signal
import socket
import subprocess
import tempfile
import threading
import time
from http.client import HTTPException

import uploads_client
from origin import Origin, answer
from platen import PLATEN, Server, done, halted, multipart, ok, pdf, same, slow_job, until, without_office
from receiver import Receiver

without_office()

STORE = os.environ["PLATEN_POSTGRES"]
CONTROL = shlex.split(os.environ["PLATEN_POSTGRES_CTL"])
LEASE = "3s"
LARGE = 300000  # more than is kept in the database

seed = int(os.environ.get("SEED", time.time_ns() % 100000))
shared = tempfile.mkdtemp(prefix="platen-shared-")


def sql(text):
    return subprocess.run(["psql", "-XAtq", STORE, "-c", text], capture_output=True, text=True,
                          check=True).stdout.strip()


def node(*options, data=None, command="serve"):
    return Server("--store", STORE, "--blobs", os.path.join(shared, "blobs"), "--lease", LEASE,
                  *options, data=data, command=command)


def platen(*words):
    return subprocess.run([PLATEN, *words], capture_output=True, text=True, timeout=60)


def check_way(door, hand, key):
    """One server takes, another works, each answers."""
    for name, pad in (("small", 0), ("large", LARGE)):
        job_id = door.submit("rotate", [("a.pdf", pdf(3, pad=pad))], key, {"degrees": "90"}).json["jobId"]
        job = door.wait(job_id, key).json
        same(f"a {name} job accepted by one server and run by another is completed", job["status"],
             "completed")
        same("both servers report the same digest of the result",
             hand.request("GET", f"/api/v1/jobs/{job_id}", key)
             .json["outputs"][0]["sha256"], job["outputs"][0]["sha256"])
        sizes = [len(server.download(job["downloadUrl"]).body) for server in (door, hand)]
        same("both servers serve the result at the same address",
             sizes, [job["outputs"][0]["bytes"]] * 2)
    same("each job was run once", sql("SELECT count(*) FROM platen.jobs WHERE attempt <> 1"), "0")
    same("a job deleted at one server is gone at the other",
         (hand.request("DELETE", f"/api/v1/jobs/{job_id}", key).status,
          door.request("GET", f"/api/v1/jobs/{job_id}", key).status), (204, 404))
    ok("the files of a job deleted at one server are gone", until(lambda: not [
        name for _, _, names in os.walk(os.path.join(shared, "blobs")) for name in names]))


def check_workers(door, key):
    """Machines for some tools, which take no requests."""
    hand = node("--tools", "merge,split", command="work")
    turned = door.submit("rotate", [("a.pdf", pdf(2))], key, {"degrees": "90"}).json["jobId"]
    split = door.run("split", [("a.pdf", pdf(2))], key, {"pages": "1"})
    same("a server of some tools runs jobs of these tools", split["status"], "completed")
    same("a server of some tools leaves other jobs pending",
         door.request("GET", f"/api/v1/jobs/{turned}", key).json["status"], "pending")
    same("a server that only works refuses requests of the API",
         hand.ask("GET", "/api/v1/jobs", {"X-API-Key": key}, None).status, 404)
    same("a server that only works answers /healthz, /readyz and /metrics",
         [hand.ask("GET", path, {}, None).status
                               for path in ("/healthz", "/metrics", "/status")], [200] * 3)
    other = node("--tools", "!merge !split", command="work")
    same("another server runs the jobs that were left pending",
         door.wait(turned, key).json["status"], "completed")
    for server in (hand, other):
        same("a server that only works stops cleanly", server.stop(), 0)
    told = platen("work", "--data", os.path.join(shared, "x"))
    ok("a server that only works is refused without --store",
       told.returncode == 2 and "--store" in told.stderr, told)
    told = platen("work", "--data", os.path.join(shared, "x"), "--store", STORE, "--listen", "127.0.0.1:0",
                  "--tools", "roate")
    ok("a server with an unknown tool is refused, naming it",
       told.returncode == 1 and "roate" in told.stderr, told)


def check_drain(door, key):
    """A server that stops hands its jobs back at once; nobody waits for its lease."""
    hand = node(command="work")
    tool, data, fields = slow_job(60, dpi=600)
    job_id, _ = halted(door, key, lambda: door.submit(tool, [("a.pdf", data)], key, fields).json["jobId"], hand=hand)
    same("a long job runs before its server is stopped", sql(f"SELECT state FROM platen.queue WHERE id = '{job_id}'"), "1")
    same("the server with a running job stops", hand.stop(), 0)
    same("the job is pending after its server stopped, without having used up an attempt", sql(
        f"SELECT state, attempt - spared FROM platen.queue WHERE id = '{job_id}'"), "0|0")
    same("the pending job can be deleted at another server",
         door.request("DELETE", f"/api/v1/jobs/{job_id}", key).status, 204)


def check_events(door, key):
    """A listener at a server that does not do the job hears of its end."""
    job_id = door.submit("split", [("a.pdf", pdf(40))], key, {"pages": "all", "mode": "each"}).json["jobId"]
    answer = door.ask("GET", f"/api/v1/jobs/{job_id}/events", {"X-API-Key": key}, None)
    ok("a stream at one server ends with a job that another server runs",
       b"event: completed" in answer.body, answer.body[-300:])


def check_tickets(door, hand, key):
    """A ticket made at one server takes its file at another, and of two files at the same time one is kept."""
    made = door.request("POST", "/api/v1/uploads/tickets", key, {"Content-Type": "application/json"}, "{}").json
    path = made["url"][made["url"].index("/api/"):]
    file = pdf(3, pad=LARGE)
    held = []
    for server, data in ((door, b"A" * len(file)), (hand, file)):
        connection = server.connect()
        connection.putrequest("PUT", path)
        connection.putheader("Content-Length", str(len(data)))
        connection.endheaders(data[:100000])
        held.append((connection, data[100000:]))
    answers = []
    for connection, rest in reversed(held):
        connection.send(rest)
        answers.append(connection.getresponse())
        answers[-1].read()
    same("of two files for one ticket the second server takes one and the first refuses the other",
         [answer.status for answer in answers], [201, 409])
    body, kind = multipart([], {"file": f"upload:{made['uploadId']}", "degrees": "90"})
    answer = door.request("POST", "/api/v1/tools/pdf/rotate", key, {"Content-Type": kind}, body)
    job = door.wait(answer.json["jobId"], key).json
    same("a job of the file that was taken is completed", (job["status"], job["inputBytes"]), ("completed", len(file)))
    for what in (f"uploads/{made['uploadId']}", f"jobs/{job['jobId']}"):
        door.request("DELETE", f"/api/v1/{what}", key)
    ok("no file of the ticket is left", until(lambda: not [
        name for _, _, names in os.walk(os.path.join(shared, "blobs")) for name in names if name.startswith(made["uploadId"])]))


def check_uploads(door, hand, key):
    """An upload begun at one server is gone on with at another, even while the first still receives a piece
    whose client has turned away; its pages are shown and it is used at either."""
    file = pdf(3, pad=LARGE)
    upload = uploads_client.begin(door, key, "a.pdf", len(file)).json["uploadId"]
    same("the first server receives the first piece of an upload",
         uploads_client.patch(door, key, upload, 0, file[:100000]).json["offset"], 100000)
    same("the second server knows the offset of the upload",
         hand.request("GET", f"/api/v1/uploads/{upload}", key).json["offset"], 100000)
    held = socket.create_connection(("127.0.0.1", door.port))
    held.sendall((f"PATCH /api/v1/uploads/{upload} HTTP/1.1\r\nHost: x\r\nX-API-Key: {key}\r\nUpload-Offset: 100000\r\n"
                  f"Content-Type: {uploads_client.PIECE}\r\nContent-Length: 100000\r\n\r\n").encode() + file[100000:150000])
    same("the second server accepts the next piece while the first waits for the same one",
         uploads_client.patch(hand, key, upload, 100000, file[100000:200000]).json["offset"], 200000)
    held.sendall(file[150000:200000])
    late = held.recv(65536).decode("latin-1")
    held.close()
    ok("the late piece at the first server is answered 409 or 200",
       " 409 " in late[:20] or " 200 " in late[:20], late)
    same("a piece sent to both servers counts once",
         hand.request("GET", f"/api/v1/uploads/{upload}", key).json["offset"], 200000)
    same("the first server completes the upload with the last piece",
         uploads_client.patch(door, key, upload, 200000, file[200000:]).json["complete"], True)
    same("both servers count the pages of the upload",
         [server.request("GET", f"/api/v1/uploads/{upload}/document", key).json["pageCount"]
                                             for server in (door, hand)], [3, 3])
    answer = door.request("POST", "/api/v1/tools/pdf/rotate", key, *[
        ({"Content-Type": kind}, body) for body, kind in [multipart([], {"file": f"upload:{upload}", "degrees": "90"})]][0])
    job = door.wait(answer.json["jobId"], key).json
    same("a job of the upload is completed, with all of its bytes",
         (job["status"], job["inputBytes"]), ("completed", len(file)))
    same("an upload deleted at one server is gone at the other",
         (hand.request("DELETE", f"/api/v1/uploads/{upload}", key).status,
         door.request("GET", f"/api/v1/uploads/{upload}", key).status, door.request(
             "DELETE", f"/api/v1/jobs/{job['jobId']}", key).status), (204, 404, 204))
    ok("the files of an upload deleted at one server are gone", until(lambda: not [
        name for _, _, names in os.walk(os.path.join(shared, "blobs")) for name in names]))


def check_shipments():
    """A server that dies while it sends a result leaves that to the others, when its claim ends."""
    origin, held, seen = Origin("127.0.0.2"), threading.Event(), []

    def first_hangs(handler):
        seen.append(1)
        if len(seen) == 1:
            held.wait(300)
            handler.close_connection = True
        else:
            answer(handler, 200, b"")
    fetching = ("--allow-fetch", "127.0.0.2", "--fetch-http", "true")
    victim = node(*fetching)
    key = victim.key()
    job = victim.submit("rotate", [("a.pdf", pdf(2))], key, {"degrees": "90", "outputUrl": origin.serve("/a.pdf", first_hangs)}).json["jobId"]
    ok("a server sends a result", until(lambda: len(seen) == 1))
    other = node(*fetching)
    victim.kill()
    ok("another one sends it when the server is gone",
       until(lambda: other.request("GET", f"/api/v1/jobs/{job}", key).json.get("delivery") == "done", 200), sql("SELECT * FROM platen.shipments"))
    held.set()
    same("it is the whole result", origin.bodies["/a.pdf"],
         other.download(other.request("GET", f"/api/v1/jobs/{job}", key).json["downloadUrl"]).body)
    same("the addresses are gone", [name for _, _, names in os.walk(os.path.join(shared, "blobs")) for name in names if "send" in name], [])
    other.close()


def check_idempotency(servers, key):
    """The same submission at every server at once is one job."""
    answers = []

    def submit(server):
        answers.append(server.submit("rotate", [("a.pdf", pdf())], key, {"degrees": "90"},
                                     headers={"Idempotency-Key": "once"}).json["jobId"])
    threads = [threading.Thread(target=submit, args=(server,)) for server in servers * 4]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    same("many submissions with one Idempotency-Key to several servers make one job",
         len(set(answers)), 1)
    same("all submissions with one Idempotency-Key were answered", len(answers), len(threads))


class Load:
    """Clients of every server that submit, and remember every 202."""

    def __init__(self, servers, key, callback):
        self.servers, self.key, self.callback = servers, key, callback
        self.accepted, self.lock, self.stopping = {}, threading.Lock(), False
        self.threads = [threading.Thread(target=self.work, args=(i,)) for i in range(6)]
        for thread in self.threads:
            thread.start()

    def work(self, number):
        turn = 0
        while not self.stopping:
            turn += 1
            pages = 1 + turn % 9
            document = pdf(pages, pad=LARGE if turn % 4 == 0 else 0)
            while not self.stopping:
                server = random.choice(self.servers)
                try:
                    answer = server.submit("rotate", [("a.pdf", document)], self.key, {
                        "degrees": "90", "callbackUrl": self.callback},
                        headers={"Idempotency-Key": f"{number}-{turn}"})
                except (OSError, HTTPException):
                    answer = None
                if answer and answer.status == 202:
                    with self.lock:
                        self.accepted[answer.json["jobId"]] = pages
                    break
                time.sleep(0.05)  # the same again, elsewhere

    def stop(self):
        self.stopping = True
        for thread in self.threads:
            thread.join()
        return self.accepted


def pause(victim):
    """Stops a server until its lease has ended and others have taken its jobs."""
    own = next(each for each in victim.ask("GET", "/status", {}, None).json["nodes"] if each["own"])
    node_id = sql("SELECT id FROM platen.nodes ORDER BY"
                  f" abs(platen.now_ms() - began_at - {own['upSeconds'] * 1000}) LIMIT 1")
    victim.process.send_signal(signal.SIGSTOP)
    # Not for long: it may be stopped in a transaction that the others need the end of.
    until(lambda: sql("SELECT 1 FROM platen.nodes n WHERE lease_until < platen.now_ms() AND NOT EXISTS"
                      " (SELECT 1 FROM platen.queue WHERE node = n.id AND state = 1)"
                      f" AND id = '{node_id}'"), 10)
    victim.process.send_signal(signal.SIGCONT)


def strike(servers, what):
    victim = random.choice(servers)
    if what == "kill":
        victim.kill()
        victim.start()
    elif what == "pause":
        pause(victim)
    elif what == "drain":
        same("a server that gets SIGTERM during the faults stops cleanly", victim.stop(), 0)
        victim.start()
    elif what == "connections":
        sql("SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
            " WHERE application_name = 'platen'")
    else:
        mode = "immediate" if what == "crash" else "fast"
        subprocess.run([*CONTROL, "-m", mode, "-w", "restart"], stdout=subprocess.DEVNULL,
                       stderr=subprocess.DEVNULL, check=True, cwd="/")


def check_faults(servers, key, rounds):
    receiver = Receiver()
    used = servers[0].request("GET", "/api/v1/usage", key).json["requests"]["used"]
    load = Load(servers, key, receiver.url())
    for what in ("kill", "pause", "connections", "crash", "drain", "restart") * rounds:
        n = len(load.accepted)
        until(lambda n=n: len(load.accepted) > n + 5)
        time.sleep(random.random() / 3)
        strike(servers, what)
    n = len(load.accepted)
    ok("jobs are accepted again after all faults", until(lambda: len(load.accepted) > n + 10))
    accepted = load.stop()
    jobs = {job_id: random.choice(servers).wait(job_id, key).json for job_id in accepted}
    wrong = [job for job in jobs.values() if job.get("status") != "completed"]
    ok(f"all {len(accepted)} accepted jobs are completed", not wrong, wrong[:3])
    same("each result has all of its pages", [job_id for job_id, job in jobs.items()
                                     if job["outputs"][0]["pages"] != accepted[job_id]], [])
    ok("no job is pending or running at the end",
       until(lambda: sql("SELECT count(*) FROM platen.queue") == "0"))
    same("the counts of pending and running jobs are 0",
         sql("SELECT sum(pending), sum(running) FROM platen.accounts"), "0|0")
    made = int(sql("SELECT count(*) FROM platen.jobs WHERE callback_url IS NOT NULL"))
    # A submission whose answer was cut off was repeated under its Idempotency-Key; the last of each
    # client may not have been.
    ok("no job was made twice", len(accepted) <= made <= len(accepted) + 6, made, len(accepted))
    same("each job is counted once in usage", servers[1].request("GET", "/api/v1/usage", key)
         .json["requests"]["used"] - used, made)
    ok("a webhook was delivered for each job", until(lambda: set(jobs) <= {
        json.loads(body)["jobId"] for _, _, body in receiver.calls}), len(receiver.calls))
    results = [name for _, _, names in os.walk(os.path.join(shared, "blobs")) for name in names]
    large = int(sql("SELECT count(*) FROM platen.jobs WHERE state = 2 AND in_store = 0"))
    ok("the folder holds the results and at most 20 further files",
       large <= len(results) <= large + 20, large,
       len(results))
    for server in servers:
        for line in server.logs().splitlines():
            if "level=error" in line and "job.failed" in line:
                ok("no job failed because of the server", False, line)


def check_down(server, key):
    """While the database is down, clients learn no address of it, and the operator sees the rest."""
    subprocess.run([*CONTROL, "-m", "fast", "-w", "stop"], stdout=subprocess.DEVNULL, check=True, cwd="/")
    for path, sent in (("/readyz", None), ("/api/v1/jobs", key)):
        answer = server.request("GET", path, sent)
        same(f"GET {path} without a database is 503 unavailable",
             (answer.status, answer.error, answer.headers["Retry-After"]), (503, "unavailable", "10"))
        ok(f"GET {path} says nothing of where the database is",
           "socket" not in answer.json["message"] and "connection" not in answer.json["message"], answer)
    ok("the log does", until(lambda: "event=service.unavailable" in server.logs() and
                             "the database cannot be reached: " in server.logs()))
    figures = server.request("GET", "/metrics")
    text = figures.body.decode()
    ok("/metrics has what needs no database, and not what does", figures.status == 200 and
       "\nplaten_store_errors_total{" in text and "\nplaten_workers " in text and
       "\nplaten_queue_pending_jobs " not in text, text[:500])
    told = platen("status", "--data", os.path.join(server.data, "d"), "--listen", f"127.0.0.1:{server.port}")
    ok("platen status says what is wrong", told.returncode == 3 and "the database cannot be reached" in told.stdout and
       "queue        not known" in told.stdout, told)
    told = platen("doctor", "--data", os.path.join(shared, "new"), "--store", STORE)
    ok("platen doctor tests the database before there is a data folder",
       told.returncode == 1 and "FAIL database" in " ".join(told.stdout.split()), told)
    subprocess.run([*CONTROL, "-w", "restart"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=True,
                   cwd="/")
    ok("the server accepts jobs when the database is there again",
       until(lambda: server.request("GET", "/readyz").status == 200))


def check_refusals():
    told = platen("serve", "--data", os.path.join(shared, "x"), "--store", "mysql://here/db")
    ok("another kind of database is refused, naming postgresql://",
       told.returncode == 2 and "postgresql://" in told.stderr,
       told.stderr)
    told = platen("serve", "--data", os.path.join(shared, "x"), "--no-work")
    ok("a server that neither runs jobs nor shares its store is refused", told.returncode == 2 and
       "no job is ever done" in told.stderr, told.stderr)
    told = platen("serve", "--data", os.path.join(shared, "x"), "--listen", "127.0.0.1:0", "--store",
                  "postgresql:///x?host=/nonexistent")
    ok("a database that cannot be reached is reported", told.returncode == 1 and
       "database cannot be reached" in told.stderr, told.stderr)
    told = platen("config", "check", "--store", "postgresql://u:word@h/db", "--blobs", "/x")
    ok("a password in the database's address is warned of",
       "PGPASSFILE" in told.stdout + told.stderr, told)
    told = platen("backup", os.path.join(shared, "copy"), "--store", STORE)
    ok("platen backup with PostgreSQL says to use pg_dump",
       told.returncode == 2 and "pg_dump" in told.stderr, told.stderr)


def main():
    random.seed(seed)
    print(f"# SEED={seed}", flush=True)
    callbacks = ("--callback-http", "true", "--callback-allow", "127.0.0.1", "--callback-backoff",
                 "100ms")
    door = node("--work", "false", *callbacks)
    key = door.key()
    check_workers(door, key)
    check_drain(door, key)
    hand = node(*callbacks)
    check_way(door, hand, key)
    check_tickets(door, hand, key)
    check_uploads(door, hand, key)
    check_events(door, key)
    check_idempotency([door, hand], key)
    other = node(*callbacks)
    told = platen("status", "--data", os.path.join(hand.data, "d"), "--listen", f"127.0.0.1:{hand.port}")
    ok("platen status lists the servers", told.stdout.count(" running, up for ") == 3 and
       told.stdout.count("(this one)") == 1, told.stdout, told.stderr)
    ok("all servers are registered in the database",
       until(lambda: sql("SELECT count(*) FROM platen.nodes") == "3"))
    check_faults([hand, other, door], key, int(os.environ.get("ROUNDS", "1")))
    told = platen("doctor", "--data", os.path.join(door.data, "d"), "--store", STORE)
    ok("platen doctor checks the PostgreSQL database",
       "PostgreSQL, of version" in told.stdout, told.stdout)
    check_down(hand, key)
    check_refusals()
    for server in (door, hand, other):
        same("a server stops cleanly", server.stop(), 0)
    same("a stopped server, and one killed a day ago, are no longer registered",
         sql("SELECT count(*) FROM platen.nodes WHERE seen_at > platen.now_ms() - 1000"), "0")
    check_shipments()
    done()


main()
