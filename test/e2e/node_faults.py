"""Faults by seed on three servers that share a PostgreSQL server with a synchronous replica behind
pgbouncer, and an S3 server: nothing that was accepted is lost, nothing is done twice, whatever is
killed, stopped, cut off or replaced. The clocks of the servers stand ten minutes apart, and a
snapshot is held all the time, which keeps vacuum from its work.

    SEED=... FAULTS=... SECONDS=... STORAGE=... test/e2e/node_faults.py PLATEN CLOCK_SHIM

60 faults if none is said. STORAGE is the S3 server: swift (OpenStack Swift) or ceph (Ceph's radosgw),
each behind a proxy for faults, else the one of s3_server.py."""

import collections
import json
import os
import random
import re
import signal
import subprocess
import sys
import tempfile
import threading
import time
from http.client import HTTPException

import ceph_server
import database
import swift_server
from platen import PLATEN, Server, done, ok, pdf, same, until, without_office
from receiver import Receiver
from s3_server import REGION, S3, SECRET

without_office()

SHIM = os.path.abspath(sys.argv[2])
FAULTS = int(os.environ.get("FAULTS", 60))
SECONDS = int(os.environ.get("SECONDS", 10**9))  # no further fault after this time
STORAGES = {"swift": (swift_server.is_installed, swift_server.Swift), "ceph": (ceph_server.is_installed, ceph_server.Ceph)}
LEASE = 3  # seconds
LARGE = 300000  # more than is kept in the database
CLIENTS = 4
ORPHAN = "01900000-0000-7000-8000-0000000000ff"  # no job
seed = int(os.environ.get("SEED", time.time_ns() % 100000))


class Node:
    """A server with ways of its own to the database and to the storage, and a clock of its own."""

    def __init__(self, db, s3, ahead_ms, *options, command="serve"):
        self.to_db, self.to_s3 = database.Way(db.bouncer_port), database.Way(s3.port)
        with tempfile.NamedTemporaryFile(delete=False) as clock:
            clock.write(ahead_ms.to_bytes(8, "little", signed=True))
        store = f"postgresql://platen@127.0.0.1:{self.to_db.port}/postgres"
        blobs = f"s3://files/jobs?endpoint=http://127.0.0.1:{self.to_s3.port}&region={REGION}"
        self.server = Server("--store", store, "--blobs", blobs, "--lease", f"{LEASE}s", "--callback-http", "true",
                             "--callback-allow", "127.0.0.1", "--callback-backoff", "100ms", *options,
                             command=command, env={"AWS_ACCESS_KEY_ID": s3.id, "AWS_SECRET_ACCESS_KEY": SECRET,
                                                   "CLOCK_SHIM": clock.name, "LD_PRELOAD": SHIM})


class Load:
    """Clients that submit everywhere and remember every 202; one that got no answer repeats itself."""

    def __init__(self, servers, key, callback):
        self.servers, self.key, self.callback = servers, key, callback
        self.accepted, self.lock, self.stopping = {}, threading.Lock(), False
        self.threads = [threading.Thread(target=self.work, args=(i,)) for i in range(CLIENTS)]
        for thread in self.threads:
            thread.start()

    def work(self, number):
        chance, turn = random.Random(seed + number), 0
        while not self.stopping:
            turn += 1
            pages = 1 + turn % 5
            document = pdf(pages, pad=LARGE if turn % 5 == 0 else 0)
            while not self.stopping:
                try:
                    answer = chance.choice(self.servers).submit(
                        "rotate", [("a.pdf", document)], self.key,
                        {"degrees": "90", "callbackUrl": self.callback},
                        headers={"Idempotency-Key": f"{number}-{turn}"})
                except (OSError, HTTPException):
                    answer = None
                if answer and answer.status == 202:
                    with self.lock:
                        self.accepted[answer.json["jobId"]] = pages
                    break
                time.sleep(0.05)
            time.sleep(0.05)

    def stop(self):
        self.stopping = True
        for thread in self.threads:
            thread.join()
        return self.accepted


class Faults:
    def __init__(self, db, s3, nodes, chance):
        self.db, self.s3, self.nodes, self.chance = db, s3, nodes, chance
        self.snapshot = None
        self.hold_snapshot()

    def hold_snapshot(self):
        if self.snapshot:
            self.snapshot.kill()
            self.snapshot.wait()
        port = self.db.ports[self.db.primary]
        self.snapshot = subprocess.Popen(
            ["psql", "-XAtq", f"postgresql://platen@127.0.0.1:{port}/postgres", "-c",
             "BEGIN ISOLATION LEVEL REPEATABLE READ", "-c", "SELECT count(*) FROM pg_class", "-c",
             "SELECT pg_sleep(86400)"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def pause(self, longer=False):
        time.sleep(self.chance.uniform(LEASE, LEASE * 1.4) if longer else self.chance.uniform(0.1, 1))

    def node(self):
        return self.chance.choice(self.nodes)

    def kill(self):
        server = self.node().server
        server.kill()
        server.start()

    def stop_a_moment(self, longer=False):
        process = self.node().server.process
        process.send_signal(signal.SIGSTOP)
        self.pause(longer)
        process.send_signal(signal.SIGCONT)

    def stop_beyond_its_lease(self):
        self.stop_a_moment(longer=True)

    def kill_worker(self):
        children = self.node().server.children()
        if children:
            os.kill(self.chance.choice(children), signal.SIGKILL)

    def drain(self):
        server = self.node().server
        if server.stop() != 0:
            ok("a server that gets SIGTERM stops cleanly", False)
        server.start()

    def hold(self, way, ups, longer):
        gates = [gate for gate, wanted in ((way.up, ups != "down"), (way.down, ups != "up")) if wanted]
        for gate in gates:
            gate.clear()
        self.pause(longer)
        for gate in gates:
            gate.set()

    def partition_from_database(self):
        self.hold(self.node().to_db, self.chance.choice(["up", "down", "both"]), self.chance.random() < 0.3)

    def partition_from_storage(self):
        self.hold(self.node().to_s3, self.chance.choice(["up", "down", "both"]), self.chance.random() < 0.3)

    def refuse_database(self):
        way = self.node().to_db
        way.refusing = True
        way.cut()
        self.pause(self.chance.random() < 0.3)
        way.refusing = False

    def storage_is_busy(self):
        self.s3.faults = {"busy": 2}
        self.pause()
        self.s3.faults = {}

    def storage_cuts(self):
        self.s3.faults = {"cut": 2}
        self.pause()
        self.s3.faults = {}

    def storage_is_slow(self):
        self.s3.delay = 0.5
        self.pause()
        self.s3.delay = 0

    def end_connections(self):
        self.db.sql("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'platen'"
                    " AND pid <> pg_backend_pid() AND backend_type = 'client backend'"
                    " AND query NOT LIKE '%pg_sleep%'")

    def crash_database(self):
        self.db.crash()
        self.hold_snapshot()

    def fail_over(self):
        self.db.fail_over()
        self.hold_snapshot()

    def restart_pooler(self):
        self.db.restart_bouncer()

    def strike(self, number):
        names = ["kill", "stop_a_moment", "stop_beyond_its_lease", "kill_worker", "drain",
                 "partition_from_database", "partition_from_storage", "refuse_database", "storage_is_busy",
                 "storage_cuts", "storage_is_slow", "end_connections", "restart_pooler"]
        name = self.chance.choice(names)
        if number % 20 == 10:
            name = "fail_over"
        elif number % 20 == 0:
            name = "crash_database"
        getattr(self, name)()
        return name


def go_on(db, hours):
    """The clock that all servers follow goes on by some hours, to a moment before an hour begins."""
    now, hour = int(db.sql("SELECT platen.now_ms()")), 3600000
    real = int(db.sql("SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint"))
    ahead = now + hours * hour + hour - now % hour - 3000 - real
    db.sql("CREATE OR REPLACE FUNCTION platen.now_ms() RETURNS bigint LANGUAGE sql AS"
           f" $$ SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint + {ahead} $$")


def check_orphans(db, s3):
    """What faults left, and what no job is known of."""
    s3.put(f"jobs/ff/{ORPHAN}.in.0")
    needed = db.sql("SELECT id || '.out.' || attempt FROM platen.jobs WHERE state = 2 AND in_store = 0").split()
    orphans = {key for key in s3.keys() if key.rpartition("/")[2] not in needed}
    go_on(db, 25)
    # A server searches for them as an hour begins. On a busy machine it may be late, and waits for the next one.
    for _ in range(3):
        if until(lambda: not orphans & set(s3.keys()), 30):
            break
        go_on(db, 0)
    ok(f"all {len(orphans)} orphaned files are removed", not orphans & set(s3.keys()), orphans & set(s3.keys()))


def judge(db, s3, servers, key, load, receiver, used, files):
    accepted = load.stop()
    jobs = {}
    for job_id in accepted:
        try:
            jobs[job_id] = random.choice(servers).wait(job_id, key).json
        except RuntimeError as stuck:
            jobs[job_id] = {"status": str(stuck)}
    wrong = [job for job in jobs.values() if job.get("status") != "completed"]
    ok(f"all {len(accepted)} accepted jobs are completed", not wrong, len(wrong), wrong[:3])
    same("each result has all of its pages", [job_id for job_id, job in jobs.items()
                                     if job.get("outputs", [{}])[0].get("pages") != accepted[job_id]], [])
    ok("no job is pending or running at the end",
       until(lambda: db.sql("SELECT count(*) FROM platen.queue") == "0"),
       db.sql("SELECT * FROM platen.queue"))
    same("the counts of pending and running jobs are 0",
         db.sql("SELECT sum(pending), sum(running) FROM platen.accounts"), "0|0")
    made = int(db.sql("SELECT count(*) FROM platen.jobs WHERE callback_url IS NOT NULL"))
    # The last submission of each client may have had no answer.
    ok("no job was made twice",
       len(accepted) <= made <= len(accepted) + CLIENTS, made, len(accepted))
    same("each job is counted once in usage",
         servers[0].request("GET", "/api/v1/usage", key).json["requests"]["used"] - used,
         made)
    def is_told():
        return set(jobs) <= {json.loads(body)["jobId"] for _, _, body in receiver.calls}

    # A delivery whose claim was answered on a connection that was lost waits for the end of the claim, which
    # is brought forward here.
    until(is_told, 20)
    db.sql("UPDATE platen.deliveries SET next_at = 0 WHERE state = 1")
    def is_settled():
        """What was not told waits for its next attempt, which comes later after each that failed."""
        told = {json.loads(body)["jobId"] for _, _, body in receiver.calls}
        return set(jobs) - told <= set(db.sql("SELECT job FROM platen.deliveries WHERE state = 0").split())

    ok("the webhook of each job was delivered, or waits for another attempt",
       until(is_settled), len(receiver.calls))
    same("no delivery stays claimed", until(
        lambda: db.sql("SELECT count(*) FROM platen.deliveries WHERE state = 1") == "0"), True)
    large = int(db.sql("SELECT count(*) FROM platen.jobs WHERE state = 2 AND in_store = 0"))
    ok("the bucket holds the results and at most one further file for each fault",
       large <= len(s3.keys()) <= large + FAULTS, large, len(s3.keys()))
    check_orphans(db, s3)
    broken = [line for server in servers for line in server.logs().splitlines()
              if "level=error" in line and "job.failed" in line]
    same("no job failed because of the server", broken, [])
    connections = int(db.sql("SELECT count(*) FROM pg_stat_activity WHERE usename = 'platen'"))
    ok("no connection to the database is leaked", connections <= 20 + 6, connections)
    after = [len(os.listdir(f"/proc/{server.process.pid}/fd")) for server in servers]
    ok("no descriptor is leaked", max(after) < files + 60, after, files)


def check_doctor(node):
    server = node.server
    said = subprocess.run([PLATEN, "doctor", *server.options, "--data", server.data, "--listen", "127.0.0.1:0",
                           "--programs", server.data], capture_output=True, text=True, timeout=60,
                          env={**os.environ, **server.env}, check=False).stdout
    for whose in ("database", "S3 server"):
        ok(f"doctor reports how far the clock of the {whose} is off",
           re.search(rf"^warn  clock of {whose} +(59\d|60\d) s late by", said, re.M), said)


def main():
    if not database.is_installed():
        print("1..0 # SKIP PostgreSQL or pgbouncer is not installed")
        return
    may_store, make_storage = STORAGES.get(os.environ.get("STORAGE"), (lambda: True, S3))
    if not may_store():
        print(f"1..0 # SKIP {os.environ['STORAGE']} is not installed, or this is not root")
        return
    print(f"# SEED={seed} FAULTS={FAULTS}", flush=True)
    random.seed(seed)
    db, s3, receiver = database.Database(), make_storage(), Receiver()
    nodes = [Node(db, s3, 0), Node(db, s3, 600000), Node(db, s3, -600000)]
    servers = [node.server for node in nodes]
    check_doctor(nodes[1])
    key = servers[0].key()
    used = servers[0].request("GET", "/api/v1/usage", key).json["requests"]["used"]
    files = len(os.listdir(f"/proc/{servers[0].process.pid}/fd"))  # at rest
    faults = Faults(db, s3, nodes, random.Random(seed))
    load, counts = Load(servers, key, receiver.url()), collections.Counter()
    stop_at = time.monotonic() + SECONDS
    for number in range(1, FAULTS + 1):
        n = len(load.accepted)
        if time.monotonic() > stop_at:
            break
        if not until(lambda n=n: len(load.accepted) > n + 2):
            ok(f"jobs are accepted again after fault {number}", False, counts)
            break
        name = faults.strike(number)
        counts[name] += 1
        if FAULTS > 100 and number % 20 == 0:
            print(f"# {number} faults, {len(load.accepted)} jobs", flush=True)
    print(f"# {sum(counts.values())} faults: " + " ".join(f"{name}={n}" for name, n in sorted(counts.items())), flush=True)
    n = len(load.accepted)
    ok("jobs are accepted again after all faults", until(lambda: len(load.accepted) > n + 10))
    judge(db, s3, servers, key, load, receiver, used, files)
    for server in servers:
        same("the server stops cleanly", server.stop(), 0)
    faults.snapshot.kill()
    faults.snapshot.wait()
    done()


main()
