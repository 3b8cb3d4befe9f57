"""Webhooks delivered a second: those of jobs that ended while the server was not there to tell."""

import json
import os
import shutil
import socket
import sqlite3
import subprocess
import time
import uuid

from bench import BUILD, PLAN, Server, _busy, _stat, memory, pdf, sized, table

MANY = sized(10_000)
DEAD = sized(20_000)


def account_with_a_job(folder):
    """The options of a server that ran one job, and its data folder."""
    config, data = (os.path.join(folder, name) for name in ("hooks.conf", "hooks"))
    with open(config, "w") as file:
        file.write("callback_http = true\ncallback_allow = 127.0.0.1\ncallback_backoff = 1h\n"
                   + PLAN)
    os.makedirs(data)
    server = Server("--config", config, "--log-level", "info", data=data)
    key = server.key("bench")
    answer = server.submit("rotate", [("a.pdf", pdf())], key, {
        "degrees": "90", "callbackUrl": "http://127.0.0.1:9999/hook"})
    server.wait(answer.json["jobId"], key)
    server.stop()
    return config, data


def multiply(data, urls):
    """Makes of the one job as many as there are addresses, each with its delivery due now."""
    db = sqlite3.connect(os.path.join(data, "d", "platen.db"))
    names = [row[1] for row in db.execute("PRAGMA table_info(jobs)") if row[1] != "row"]
    job = dict(zip(names, db.execute(f"SELECT {', '.join(names)} FROM jobs LIMIT 1").fetchone()))
    db.execute("DELETE FROM deliveries")
    db.execute("DELETE FROM callback_hosts")
    db.execute("DELETE FROM callback_accounts")
    now = int(time.time() * 1000)
    for url in urls:
        job["id"], job["callback_url"] = str(uuid.uuid4()), url
        host = url.rsplit("/", 1)[0]
        db.execute(f"INSERT INTO jobs({', '.join(names)}) VALUES({', '.join('?' * len(names))})",
                   [job[name] for name in names])
        db.execute("INSERT INTO deliveries(id, job, account, host, url, created_at, since, next_at)"
                   " VALUES(?, ?, ?, ?, ?, ?, ?, ?)",
                   (str(uuid.uuid4()), job["id"], job["account"], host, url, now, now, now))
        db.execute("INSERT INTO callback_hosts(account, host, next_at) VALUES(?, ?, ?) ON CONFLICT DO NOTHING",
                   (job["account"], host, now))
    db.execute("INSERT INTO callback_accounts(account, next_at) VALUES(?, ?)", (job["account"], now))
    db.commit()
    db.close()


def webhook_program_of(pid):
    for name in os.listdir("/proc"):
        try:
            if name.isdigit() and _stat(int(name))[0] == pid:
                with open(f"/proc/{name}/comm") as comm:
                    if comm.read().startswith("platen-webhook"):
                        return int(name)
        except OSError:
            pass  # it ended meanwhile
    return None


def deliver(config, data, hosts, dead):
    """One run: MANY to `hosts` ports, beside `dead` of them to one that never answers."""
    silent = socket.create_server(("127.0.0.1", 0), backlog=1)
    receiver = subprocess.Popen([os.path.join(BUILD, "bench", "receive"), str(hosts), str(MANY)],
                                stdout=subprocess.PIPE, text=True)
    ports = receiver.stdout.readline().split()
    multiply(data, [f"http://127.0.0.1:{silent.getsockname()[1]}/hook"] * dead +
             [f"http://127.0.0.1:{ports[i % hosts]}/hook" for i in range(MANY)])
    # Its log says info, or nobody would know when it is ready.
    server = Server("--config", config, "--log-level", "info", data=data)
    began, busy, own = time.monotonic(), _busy(), _stat(server.process.pid)[1]
    seen = json.loads(receiver.stdout.readline())
    elapsed, busy = (time.monotonic() - began) * 1e3, _busy() - busy
    receiver.wait()
    program = webhook_program_of(server.process.pid)
    seen["server_cpu"] = (_stat(server.process.pid)[1] - own) / MANY
    seen["program_cpu"] = _stat(program)[1] / MANY
    seen["server_mb"], seen["program_mb"] = memory(server.process.pid)[1], memory(program)[1]
    ours = (seen["server_cpu"] + seen["program_cpu"] + seen["cpu"]) * MANY
    seen["others"] = max(0, (busy - ours) / elapsed)
    server.kill()
    silent.close()
    return seen


def webhooks(folder, rounds):
    config, data = account_with_a_job(folder)
    cases = (("one host", 1, 0), ("16 hosts", 16, 0), (f"16 hosts, {DEAD:,} for a dead one", 16,
                                                       DEAD))
    rows = []
    for title, hosts, dead in cases:
        runs = [deliver(config, data, hosts, dead) for _ in range(min(rounds, 3))]
        best = min(runs, key=lambda run: run["others"])
        rows.append([title, f"{best['rate']:.0f}", best["connections"],
                     f"{best['server_cpu']:.2f}", f"{best['program_cpu']:.2f}",
                     f"{best['cpu']:.2f}", f"{best['server_mb']:.1f}", f"{best['program_mb']:.1f}",
                     f"{best['others']:.1f}"])
    shutil.rmtree(data)
    table(f"Webhooks: {MANY:,} that are due, to a receiver that answers at once. CPU in ms each; "
          "memory at its peak, in MB.",
          ["", "a second", "connections", "CPU server", "CPU platen-webhook", "CPU receiver", "MB server",
           "MB platen-webhook", "others"], rows)
