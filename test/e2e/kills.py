"""kill -9 of every kind of process, at random moments and all at once: what was accepted is done, and
done once, and its client is told."""

import json
import os
import random
import re
import signal
import subprocess
import tempfile
import threading
import time
from http.client import HTTPException

from platen import DEADLINE, Server, done, multipart, ok, pdf, same, until
from receiver import Receiver

KINDS = ("job", "signer", "webhook", "zygote", "office", "server")
ROUNDS = 2
ORDERS = [("rotate", {"degrees": "90"}), ("split", {"pages": "all", "mode": "each"}),
          ("sign", {"signerName": "Ann"}), ("add-password", {"password": "word"}),
          ("word-to-pdf", {})]


def text(pages):
    return rb"{\rtf1\ansi " + rb"\page ".join(b"page %d" % page for page in range(pages)) + b"}"


class Load:
    """Clients that submit and remember every 202."""

    def __init__(self, server, key, orders, callback):
        self.server, self.key, self.stopping = server, key, False
        self.orders, self.callback = orders, callback
        self.accepted, self.lock = {}, threading.Lock()
        self.threads = [threading.Thread(target=self.work, args=(i,)) for i in range(6)]
        for thread in self.threads:
            thread.start()

    def work(self, number):
        turn = number
        while not self.stopping:
            turn += 1
            tool, fields = self.orders[turn % len(self.orders)]
            pages = 1 + turn % 20
            document = ("a.rtf", text(pages)) if tool == "word-to-pdf" else ("a.pdf", pdf(pages))
            body, kind = multipart([document], {**fields, "callbackUrl": self.callback})
            try:
                answer = self.server.request("POST", f"/api/v1/tools/pdf/{tool}", self.key, {
                    "Content-Type": kind, "Idempotency-Key": f"{number}-{turn}"}, body)
            except (OSError, HTTPException):
                turn -= 1  # the server is down: the same again
                time.sleep(0.02)
                continue
            if answer.status == 202:
                with self.lock:
                    self.accepted[answer.json["jobId"]] = (tool, pages)

    def stop(self):
        self.stopping = True
        for thread in self.threads:
            thread.join()
        return self.accepted


def offspring(pid):
    try:
        with open(f"/proc/{pid}/comm") as comm, open(f"/proc/{pid}/task/{pid}/children") as file:
            return comm.read().strip(), [int(child) for child in file.read().split()]
    except OSError:
        return "", []


def processes(server):
    """Worker programs (LibreOffice's by itself), running jobs, signers, platen-webhook. Threads of the
    server start some of them."""
    kinds = {"platen-signer": "signer", "platen-webhook": "webhook", "platen-office": "office"}
    found = {kind: [] for kind in KINDS}
    for task in os.listdir(f"/proc/{server.process.pid}/task"):
        try:
            with open(f"/proc/{server.process.pid}/task/{task}/children") as children:
                pids = [int(pid) for pid in children.read().split()]
        except OSError:
            continue
        for pid in pids:
            name, below = offspring(pid)
            found[kinds.get(name[:14], "zygote")].append(pid)
            found["job"] += below
    return found


def strike(server, what):
    """Kills one of a kind as soon as there is one; whether it did."""
    end = time.monotonic() + DEADLINE
    while time.monotonic() < end:
        pids = processes(server)[what]
        if pids:
            try:
                os.kill(random.choice(pids), signal.SIGKILL)
                return True
            except OSError:
                pass
    return False


def crashed_thrice(server):
    """Jobs that were so unlucky: they fail, by design, and are not counted."""
    log = server.logs()
    return {job for job in re.findall(r"event=job.failed job=(\S+)", log)
            if len(re.findall(f"event=job.crashed job={job}", log)) >= 2}


def check_result(folder, server, job, tool, pages):
    path = os.path.join(folder, "result")
    with open(path, "wb") as file:
        file.write(server.download(job["downloadUrl"]).body)
    if tool == "split":
        # One part is a PDF of its own.
        return len(job["outputs"]) == pages
    words = ["--password=word"] if tool == "add-password" else []
    told = subprocess.run(["qpdf", *words, "--show-npages", path], capture_output=True, text=True)
    return told.stdout.strip() == str(pages)


def main():
    seed = int(os.environ.get("SEED", time.time_ns() % 100000))
    random.seed(seed)
    print(f"# SEED={seed}", flush=True)
    receiver = Receiver()
    server = Server("--callback-http", "true", "--callback-allow", "127.0.0.1",
                    "--callback-backoff", "100ms")
    key = server.key()
    has_office = "/api/v1/tools/pdf/word-to-pdf" in server.request("GET", "/openapi.json").json["paths"]
    if not has_office:
        ok("platen-office # SKIP is not here", True)
    kinds = [kind for kind in KINDS if has_office or kind != "office"]
    load = Load(server, key, ORDERS if has_office else ORDERS[:-1], receiver.url())
    until(lambda: len(load.accepted) > 20)
    struck = {}
    for what in kinds * ROUNDS:
        time.sleep(random.random() / 5)
        if what == "server":
            server.kill()
            server.start()
            struck[what] = struck.get(what, 0) + 1
        else:
            struck[what] = struck.get(what, 0) + strike(server, what)
    n = len(load.accepted)
    ok("jobs are accepted again after all kills", until(lambda: len(load.accepted) > n + 10))
    accepted = load.stop()
    ok("each kind of process was killed",
       min(struck.values()) >= ROUNDS, struck)
    jobs = {job_id: server.wait(job_id, key).json for job_id in accepted}
    unlucky = crashed_thrice(server)
    lost = [job for job_id, job in jobs.items() if job.get("status") != "completed" and
            job_id not in unlucky]
    ok(f"all {len(accepted)} accepted jobs are completed", not lost and len(unlucky) < 3,
       lost[:3], unlucky)
    with tempfile.TemporaryDirectory() as folder:
        wrong = [job_id for job_id, (tool, pages) in accepted.items() if job_id not in unlucky and
                 not check_result(folder, server, jobs[job_id], tool, pages)]
    same("each result has all of its pages, as qpdf counts them", wrong, [])
    listed, cursor = [], ""
    while cursor is not None:
        page = server.request("GET", f"/api/v1/jobs?limit=100{cursor}", key).json
        listed += [job["jobId"] for job in page["jobs"]]
        cursor = f"&cursor={page['nextCursor']}" if page["nextCursor"] else None
    # A submission whose answer was cut off was repeated under its idempotency key.
    ok("no job was made twice",
       len(listed) == len(set(listed)) and len(set(listed) - set(accepted)) <= 6,
       len(listed), len(accepted))
    ok("a webhook was delivered for each job", until(lambda: set(jobs) <= {
        json.loads(body)["jobId"] for _, _, body in receiver.calls}),
       len(jobs), len(receiver.calls))
    used = server.request("GET", "/api/v1/usage", key).json["requests"]["used"]
    same("usage counts each job once", used, len(listed) - len(unlucky))
    ok("the disk has one result of each job and no other file", until(lambda: sorted(
        name.split(".")[0] for name in server.blobs()) == sorted(set(listed) - unlucky)),
       len(server.blobs()), len(listed))
    done_once = re.findall(r"event=job.done job=(\S+)", server.logs())
    same("the log has one end of each job", len(done_once), len(set(done_once)))
    same("the server stops cleanly after the kills", server.close(), 0)
    done()


main()
