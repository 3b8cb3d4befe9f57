#!/usr/bin/python3
"""run.py PLATEN [--minutes N] [--clients N] [--rate N] [--kills SECONDS] [--report FILE]: hours of
mixed load on a real server: every tool that is installed, random sizes, listeners of events,
webhooks, pipelines, deletes, kill -9 of jobs, programs and the server; every result is downloaded
and its bytes judged by the digest in the job. Prints a line a minute (memory, descriptors, disk,
latency) and at the end a verdict: no leak, no lost job, latency flat. The exit status is 1 if it is
not so. Python's standard library only; not run by the tests."""

import argparse
import contextlib
import hashlib
import http.client
import http.server
import io
import json
import os
import random
import signal
import sqlite3
import statistics
import sys
import threading
import time
import zipfile

sys.argv, WORDS = [sys.argv[0], *sys.argv[1:2]], sys.argv[2:]
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../e2e"))
import platen  # noqa: E402
from orders import HEAVY, orders  # noqa: E402


def replay_keys(path):
    """MB of the database that are idempotency keys: those of a day stay, so for a day they grow."""
    with contextlib.closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as database:
        return database.execute("SELECT total(pgsize) / 1e6 FROM dbstat"
                                " WHERE name LIKE 'idempotency%'").fetchone()[0]


class Tally:
    """What happened, for the minute and in all."""

    def __init__(self):
        self.lock = threading.Lock()
        self.accepted, self.ended, self.faults = {}, {}, []
        self.minute = {"jobs": 0, "down": 0, "submit": [], "poll": [], "refused": 0}
        self.tools, self.webhooks = {}, 0

    def take_minute(self):
        with self.lock:
            minute = self.minute
            self.minute = {"jobs": 0, "down": 0, "submit": [], "poll": [], "refused": 0}
            return minute

    def fault(self, *what):
        with self.lock:
            self.faults.append(what)
        print("FAULT", *what, flush=True)


class Receiver(http.server.BaseHTTPRequestHandler):
    """Takes the webhooks; one in ten it answers with a fault first, to be told again."""
    told, lock = {}, threading.Lock() # job id -> times

    def do_POST(self):
        job_id = json.loads(self.rfile.read(int(self.headers["Content-Length"])))["jobId"]
        well = random.random() > 0.1
        with self.lock:
            self.told[job_id] = self.told.get(job_id, 0) + well
        self.send_response(200 if well else 500)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *_):
        pass


class Client(threading.Thread):
    def __init__(self, soak, number):
        super().__init__(daemon=True)
        self.soak, self.number, self.turn = soak, number, 0

    def ask(self, method, path, headers=None, body=None):
        """Through restarts of the server: the answer, and how long the last try took."""
        while True:
            begin = time.perf_counter()
            try:
                answer = self.soak.server.request(method, path, self.soak.key, headers, body)
                return answer, time.perf_counter() - begin
            except (OSError, http.client.HTTPException):
                with self.soak.tally.lock:
                    self.soak.tally.minute["down"] += 1
                if self.soak.over.wait(0.1) and not self.soak.server_alive():
                    raise

    def submit(self):
        tool = random.choices(list(self.soak.orders), self.soak.weights)[0]
        files, fields = self.soak.orders[tool]()
        field = "files" if tool in ("merge", "jpg-to-pdf") else "file"
        self.calls_back = random.random() < 0.15
        if self.calls_back:
            fields = {**fields, "callbackUrl": self.soak.callback}
        body, kind = platen.multipart(files, fields, file_field=field)
        self.turn += 1
        answer, took = self.ask("POST", f"/api/v1/tools/pdf/{tool}", {
            "Content-Type": kind, "Idempotency-Key": f"soak-{self.number}-{self.turn}"}, body)
        if answer.status in (429, 503, 507):
            with self.soak.tally.lock:
                self.soak.tally.minute["refused"] += 1
            time.sleep(0.2)
            return None, tool
        if answer.status != 202:
            self.soak.tally.fault("submit", tool, answer)
            return None, tool
        job_id = answer.json["jobId"]
        with self.soak.tally.lock:
            self.soak.tally.minute["submit"].append(took)
            self.soak.tally.accepted[job_id] = tool
        return job_id, tool

    def listen(self, job_id):
        """To its events, until they end: with the job, or with the server."""
        connection = self.soak.server.connect()
        with contextlib.suppress(OSError, http.client.HTTPException):
            connection.request("GET", f"/api/v1/jobs/{job_id}/events",
                               headers={"X-API-Key": self.soak.key})
            answer = connection.getresponse()
            if answer.status not in (200, 429):
                self.soak.tally.fault("events", job_id, answer.status)
            answer.read()
        connection.close()

    def called_back(self, job_id, tool):
        if not platen.until(lambda: Receiver.told.get(job_id), 60):
            self.soak.tally.fault("no webhook", tool, job_id)
        with self.soak.tally.lock:
            self.soak.tally.webhooks += 1

    def follow(self, job_id, tool):
        until = time.time() + 300
        if random.random() < 0.3:
            self.listen(job_id)
        while time.time() < until:
            job, took = self.ask("GET", f"/api/v1/jobs/{job_id}")
            with self.soak.tally.lock:
                self.soak.tally.minute["poll"].append(took)
            if job.status == 200 and job.json["status"] in ("completed", "failed"):
                return job.json
            if job.status != 200:
                self.soak.tally.fault("poll", job_id, tool, job)
                return None
            self.ask("GET", f"/api/v1/jobs/{job_id}?wait=20")
        self.soak.tally.fault("never ended", job_id, tool)
        return None

    def check(self, job, tool):
        if job["status"] == "failed":
            if not self.soak.is_excused(job["jobId"]):
                self.soak.tally.fault("failed", tool, job["jobId"], job.get("error"),
                                      job.get("message"))
            return
        for output in [random.choice(job["outputs"])] if job["outputs"] else []:
            path = "/api/" + output["downloadUrl"].split("/api/", 1)[1]
            data, _ = self.ask("GET", path)
            if data.status != 200 or hashlib.sha256(data.body).hexdigest() != output["sha256"]:
                self.soak.tally.fault("wrong bytes", tool, job["jobId"], data.status)
        if job["outputFile"].endswith(".zip"):
            data, _ = self.ask("GET", "/api/" + job["downloadUrl"].split("/api/", 1)[1])
            if zipfile.ZipFile(io.BytesIO(data.body)).testzip():
                self.soak.tally.fault("broken zip", tool, job["jobId"])

    def run(self):
        while not self.soak.over.is_set():
            job_id, tool = self.submit()
            if not job_id:
                continue
            if random.random() < 0.05: # at any moment of its life
                time.sleep(random.random() / 5)
                self.drop(job_id, tool)
                continue
            job = self.follow(job_id, tool)
            if not job:
                continue
            self.check(job, tool)
            if self.calls_back:
                self.called_back(job_id, tool)
            if self.soak.args.rate: # each client has its share of the jobs of a second
                time.sleep(random.uniform(0, 2) * self.soak.args.clients / self.soak.args.rate)
            with self.soak.tally.lock:
                self.soak.tally.ended[job_id] = job["status"]
                self.soak.tally.minute["jobs"] += 1
                self.soak.tally.tools[tool] = self.soak.tally.tools.get(tool, 0) + 1
            # Most are deleted by their clients, the rest by their retention.
            if random.random() < 0.7:
                self.drop(job_id, tool)

    def drop(self, job_id, tool):
        answer, _ = self.ask("DELETE", f"/api/v1/jobs/{job_id}")
        # 404: a server that was killed had done it, and could not say so.
        if answer.status not in (204, 404):
            self.soak.tally.fault("delete", job_id, tool, answer)
        with self.soak.tally.lock:
            self.soak.tally.ended[job_id] = "deleted"


class Soak:
    def __init__(self, args):
        self.args, self.tally, self.over = args, Tally(), threading.Event()
        self.server = platen.Server("--retention", "60s", "--tombstone", "120s", "--log-level",
                                    "info", "--max-queue", "5000", "--callback-http", "true",
                                    "--callback-allow", "127.0.0.1", "--callback-backoff", "200ms")
        receiver = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Receiver)
        receiver.daemon_threads = True
        threading.Thread(target=receiver.serve_forever, daemon=True).start()
        self.callback = f"http://127.0.0.1:{receiver.server_port}/"
        self.key = self.server.key()
        self.orders = {tool: make for tool, make in orders().items()
                       if self.works(tool, make)}
        self.weights = [HEAVY.get(tool, 1) for tool in self.orders]
        self.killed, self.samples, self.started = {}, [], time.time()
        self.killing = threading.Lock()
        self.quiet = len(os.listdir(f"/proc/{self.server.process.pid}/fd"))

    def works(self, tool, make):
        files, fields = make()
        if not files:
            return False
        job = self.server.run(tool, files, self.key, fields,
                              file_field="files" if tool in ("merge", "jpg-to-pdf") else "file")
        if job.get("status") != "completed":
            print(f"# without {tool}: {str(job)[:200]}", flush=True)
        return job.get("status") == "completed"

    def server_alive(self):
        return self.server.process.poll() is None

    def is_excused(self, job_id):
        """One whose process was killed three times over fails, by design."""
        log = self.server.logs()
        return log.count(f"event=job.crashed job={job_id}") >= 2

    def children(self):
        """Worker programs: any thread of the server may have started one."""
        found = []
        for task in os.listdir(f"/proc/{self.server.process.pid}/task"):
            try:
                with open(f"/proc/{self.server.process.pid}/task/{task}/children") as children:
                    found += [int(pid) for pid in children.read().split()]
            except OSError:
                pass
        return found

    def strike(self):
        """kill -9 of something."""
        what = random.choices(["job", "program", "server"], [6, 3, 1])[0]
        pids = self.children()
        if what == "server":
            with self.killing:
                self.server.kill()
                self.server.start()
        else:
            if what == "job":
                below = []
                for pid in pids:
                    try:
                        with open(f"/proc/{pid}/task/{pid}/children") as children:
                            below += [int(child) for child in children.read().split()]
                    except OSError:
                        pass
                pids = below
            if not pids:
                return
            try:
                os.kill(random.choice(pids), signal.SIGKILL)
            except OSError:
                return
        self.killed[what] = self.killed.get(what, 0) + 1

    def sample(self, minute):
        with self.killing:
            pid = self.server.process.pid
            with open(f"/proc/{pid}/smaps_rollup") as file:
                memory = sum(int(line.split()[1]) for line in file
                             if line.startswith("Private")) / 1024
            programs = 0
            for child in self.children():
                try:
                    with open(f"/proc/{child}/smaps_rollup") as file:
                        programs += sum(int(line.split()[1]) for line in file
                                        if line.startswith("Private")) / 1024
                except OSError:
                    pass
            files = len(os.listdir(f"/proc/{pid}/fd"))
        data = os.path.join(self.server.data, "d")
        blobs = self.server.blobs()
        disk = sum(os.path.getsize(os.path.join(path, name))
                   for path, _, names in os.walk(data) for name in names
                   if os.path.exists(os.path.join(path, name))) / 1e6
        keys = replay_keys(os.path.join(data, "platen.db"))
        quantile = lambda list_, q: sorted(list_)[int(len(list_) * q)] * 1000 if list_ else 0  # noqa
        row = {"minute": minute["number"], "jobs": minute["jobs"], "refused": minute["refused"],
               "memory": round(memory, 1), "programs": round(programs, 1), "fds": files,
               "blobs": len(blobs), "disk": round(disk, 1),
               "database": round(os.path.getsize(os.path.join(data, "platen.db")) / 1e6 - keys, 2),
               "keys": round(keys, 2),
               "submit50": round(quantile(minute["submit"], 0.5), 1),
               "submit99": round(quantile(minute["submit"], 0.99), 1),
               "poll50": round(quantile(minute["poll"], 0.5), 1),
               "poll99": round(quantile(minute["poll"], 0.99), 1),
               "cut": minute["down"], "load": round(os.getloadavg()[0], 1)}
        self.samples.append(row)
        print(" ".join(f"{name}={value}" for name, value in row.items()), flush=True)

    def run(self):
        clients = [Client(self, number) for number in range(self.args.clients)]
        for client in clients:
            client.start()
        end, number = time.time() + self.args.minutes * 60, 0
        next_minute, next_kill = time.time() + 60, time.time() + self.args.kills
        while time.time() < end:
            time.sleep(0.2)
            if self.args.kills and time.time() > next_kill:
                self.strike()
                next_kill = time.time() + self.args.kills * random.uniform(0.5, 1.5)
            if time.time() > next_minute:
                number += 1
                self.sample({**self.tally.take_minute(), "number": number})
                next_minute += 60
        self.over.set()
        for client in clients:
            client.join(330)
        return self.verdict()

    def verdict(self):
        """What must be true in the end, and what the minutes say."""
        says, tally = [], self.tally
        lost = [job_id for job_id in tally.accepted if job_id not in tally.ended]
        says.append((f"no job of {len(tally.accepted)} is lost", not lost, lost[:5]))
        says.append(("nothing went wrong", not tally.faults, tally.faults[:3]))
        rows = self.samples[1:] or self.samples # the first minute warms up
        third = max(1, len(rows) // 3)
        first, last = rows[:third], rows[-third:]
        mean = lambda part, name: statistics.mean(row[name] for row in part)  # noqa: E731
        for name, factor, slack in (("memory", 1.25, 5), ("programs", 1.5, 60), ("fds", 1.3, 40),
                                    ("database", 1.5, 5), ("submit50", 2, 20), ("poll50", 2, 20)):
            a, b = mean(first, name), mean(last, name)
            says.append((f"{name} stays: {a:.1f} in the first third, {b:.1f} in the last",
                         b <= a * factor + slack, rows))
        # All retentions over: nothing may be left.
        gone = platen.until(lambda: not self.server.blobs(), 200)
        says.append(("when all retentions are over no file is left", gone,
                     self.server.blobs()[:5]))
        quiet = len(os.listdir(f"/proc/{self.server.process.pid}/fd"))
        says.append((f"and as few descriptors as at first ({self.quiet}, {quiet})",
                     quiet < self.quiet + 30, quiet))
        status = self.server.close()
        says.append(("it stops cleanly", status == 0, status))
        return says


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--minutes", type=float, default=60)
    parser.add_argument("--clients", type=int, default=8)
    parser.add_argument("--rate", type=float, default=0, help="jobs a second at most; 0: any")
    parser.add_argument("--kills", type=float, default=5, help="seconds between two; 0: none")
    parser.add_argument("--report")
    args = parser.parse_args(WORDS)
    soak = Soak(args)
    says = soak.run()
    print(f"\nkilled: {soak.killed}; jobs by tool: {soak.tally.tools}; "
          f"webhooks: {soak.tally.webhooks}")
    for sentence, true, detail in says:
        print(f"{'ok    ' if true else 'NOT OK'} {sentence}" + ("" if true else f"  {detail}"[:600]))
    good = all(true for _, true, _ in says)
    print("verdict:", "sound" if good else "NOT sound")
    if args.report:
        with open(args.report, "w") as file:
            json.dump({"minutes": soak.samples, "killed": soak.killed, "tools": soak.tally.tools,
                       "verdict": [(s, t) for s, t, _ in says]}, file, indent=1)
    sys.exit(0 if good else 1)


main()
