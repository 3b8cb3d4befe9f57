#!/usr/bin/python3
"""nodes: what servers that share a PostgreSQL server cost it.

    test/store/postgres.sh bench/nodes.py [claims] [wal] [backlog] [snapshot] [idle]

claims: jobs that are put, claimed and ended by 1, 8 and 64 processes, each a server of its own. wal:
bytes of the write-ahead log and statements a job. backlog: the same with many jobs that wait and that
have ended (BENCH_WAITING, BENCH_ENDED). snapshot: the rate while a transaction keeps vacuum from its
work (BENCH_MINUTES). idle: statements a second of servers that have nothing to do (BENCH_NODES: how
many, for instance "1 10"). CPU is that of the database alone. BUILD and BENCH_SECONDS are those of bench/run."""

import json
import os
import re
import shlex
import subprocess
import sys
import tempfile
import time

sys.dont_write_bytecode = True
ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
BUILD = os.path.abspath(os.environ.get("BUILD", os.path.join(ROOT, "build")))
CYCLE = os.path.join(BUILD, "bench", "cycle")
SECONDS = float(os.environ.get("BENCH_SECONDS", 5))
WAITING = int(os.environ.get("BENCH_WAITING", 100000))
ENDED = int(os.environ.get("BENCH_ENDED", 1000000))
MINUTES = float(os.environ.get("BENCH_MINUTES", 10))
TICK = os.sysconf("SC_CLK_TCK")
STORE = os.environ.get("PLATEN_POSTGRES")


def sql(text):
    return subprocess.run(["psql", "-XAtq", STORE, "-c", text], capture_output=True, text=True,
                          check=True).stdout.strip()


def postmaster():
    words = shlex.split(os.environ["PLATEN_POSTGRES_CTL"])
    with open(os.path.join(words[words.index("-D") + 1], "postmaster.pid"), encoding="ascii") as file:
        return int(file.readline())


def database_cpu():
    """CPU milliseconds of this PostgreSQL server so far, with those of its processes that ended."""
    main, total = postmaster(), 0
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{pid}/stat", encoding="ascii", errors="replace") as stat:
                fields = stat.read().rpartition(")")[2].split()
        except OSError:
            continue
        if int(pid) == main:
            total += sum(map(int, fields[11:15]))
        elif int(fields[1]) == main:
            total += sum(map(int, fields[11:13]))
    return total * 1e3 / TICK


def cycles(processes, seconds=SECONDS, threads=1, accounts=1, hosts=0):
    """Jobs a second of all processes, and the database's milliseconds for each. With `hosts` as a server does
    it, with webhooks."""
    running = [subprocess.Popen([CYCLE, STORE, str(threads), str(seconds), str(accounts), *([str(hosts)] if hosts else [])],
                                stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
               for _ in range(processes)]
    for process in running:
        process.stdout.readline()  # it is warm
    before = database_cpu()
    rate = sum(json.loads(process.stdout.readline())["rate"] for process in running)
    cpu = database_cpu() - before
    for process in running:
        process.communicate()
    return rate, cpu / (rate * seconds)


def claims():
    print(f"{'servers':>8} {'jobs/s':>8} {'database ms a job':>18}")
    for processes in (1, 8, 64):
        rate, cpu = cycles(processes)
        print(f"{processes:8} {rate:8.0f} {cpu:18.3f}", flush=True)


def wal():
    lsn, committed = sql("SELECT pg_current_wal_lsn()"), statements()
    rate, _ = cycles(1, threads=8, accounts=8)
    jobs = rate * SECONDS * 1.25  # with those that warmed up
    grown = float(sql(f"SELECT pg_wal_lsn_diff(pg_current_wal_lsn(), '{lsn}')"))
    print(f"write-ahead log: {grown / jobs:.0f} bytes a job; {(statements() - committed) / jobs:.2f} statements a job")


def statements():
    sql("SELECT pg_stat_force_next_flush()")
    time.sleep(1.2)  # the statistics of other sessions come in once a second
    return int(sql("SELECT xact_commit FROM pg_stat_database WHERE datname = current_database()"))


def fill(state, n):
    """Jobs as platen.put and platen.finish leave them, of the account that the last run made."""
    sql("ALTER TABLE platen.jobs DISABLE TRIGGER ALL;"
        "INSERT INTO platen.jobs(id, account, month, tool, state, n_inputs, has_secret, in_store, input_bytes,"
        " reused_bytes, retention_ms, cost, created_at, run_at, expires_at, attempt, last_call, stem, params, inputs)"
        f" SELECT lpad(to_hex(i), 8, '0') || '-{state}-filled', (SELECT max(id) FROM platen.accounts), 0, 'rotate',"
        f" {state}, 1, false, 0, 81234, 0, 0, 7, 1, 1, 9e15::bigint, {state // 2}, '', 'report', '{{}}', '[]'"
        f" FROM generate_series(1, {n}) i")
    if state == 0:
        sql("INSERT INTO platen.queue(row, id, account, tool, long, cost, created_at, run_at)"
            " SELECT row, id, account, tool, 0, 7, 1, platen.now_ms() FROM platen.jobs WHERE id LIKE '%-0-filled';"
            f"UPDATE platen.accounts SET pending = pending + {n} WHERE id = (SELECT max(id) FROM platen.accounts)")
    sql("VACUUM ANALYZE")


def backlog():
    rate, cpu = cycles(1, threads=8, accounts=8)
    print(f"nothing waits: {rate:.0f} jobs/s, {cpu:.3f} ms a job", flush=True)
    fill(2, ENDED)
    rate, cpu = cycles(1, threads=8, accounts=8)
    print(f"{ENDED} have ended: {rate:.0f} jobs/s, {cpu:.3f} ms a job", flush=True)
    fill(0, WAITING)
    rate, cpu = cycles(1, threads=8, accounts=8)
    print(f"{WAITING} wait as well: {rate:.0f} jobs/s, {cpu:.3f} ms a job", flush=True)


FUNCTIONS = "SELECT funcname || ' ' || round(total_time) || ' ms/' || calls FROM pg_stat_user_functions ORDER BY self_time DESC LIMIT 8"


def snapshot():
    """Webhooks too, and what a server does each second."""
    cycles(1, 2, threads=8, accounts=8, hosts=4)
    holder = subprocess.Popen(["psql", "-XAtq", STORE, "-c", "BEGIN ISOLATION LEVEL REPEATABLE READ", "-c",
                               "SELECT count(*) FROM platen.queue", "-c", "SELECT pg_sleep(86400)"],
                              stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    time.sleep(1)
    step = max(MINUTES * 60 / 10, 5)
    for i in range(10):
        sql("SELECT pg_stat_reset()")
        rate, cpu = cycles(1, step, threads=8, accounts=8, hosts=4)
        print(f"a snapshot held for {(i + 1) * step:.0f} s: {rate:.0f} jobs/s, {cpu:.3f} ms a job", flush=True)
        if os.environ.get("BENCH_FUNCTIONS"):  # with POSTGRES_OPTIONS="-c track_functions=pl"
            print("    " + ", ".join(sql(FUNCTIONS).splitlines()), flush=True)
    holder.kill()
    holder.wait()


def idle():
    for n in map(int, os.environ.get("BENCH_NODES", "1 3").split()):
        servers, folders = [], []
        for _ in range(n):
            folder = tempfile.TemporaryDirectory()
            folders.append(folder)
            servers.append(subprocess.Popen(
                [os.path.join(BUILD, "platen"), "serve", "--store", STORE, "--blobs", folder.name + "/blobs", "--data",
                 folder.name + "/d", "--listen", "127.0.0.1:0"], stderr=subprocess.PIPE, text=True))
        for server in servers:
            while not re.search("event=server.ready", server.stderr.readline()):
                pass
        time.sleep(5)
        before, cpu = statements(), database_cpu()
        time.sleep(20)
        count = statements() - before - 4  # those of this program
        print(f"{n} idle servers: {count / 22.4 / n:.2f} statements a second each, "
              f"{(database_cpu() - cpu) / 22.4 / n:.2f} ms of the database a second each", flush=True)
        for server in servers:
            server.terminate()
            server.communicate()
        for folder in folders:
            folder.cleanup()


def main():
    if not STORE:
        sys.exit(__doc__)
    cycles(1, 1)  # makes the tables
    for name in sys.argv[1:] or ["claims", "wal", "backlog", "idle"]:
        {"claims": claims, "wal": wal, "backlog": backlog, "snapshot": snapshot, "idle": idle}[name]()


if __name__ == "__main__":
    main()
