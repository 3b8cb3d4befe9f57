#!/usr/bin/python3
"""queues: the store alone, put - claim - finish and each of it durable, in PostgreSQL and in SQLite,
compared with the job queues that Node.js programs use on PostgreSQL (graphile-worker, pg-boss).

    test/store/postgres.sh bench/queues.py

Figures are of the client's and the database's CPU together, after a quarter of the time to warm up. BUILD, BENCH_SECONDS and
BENCH_ROUNDS are those of bench/run, BENCH_CLIENTS is for instance "1 8 32"."""

import json
import os
import shutil
import subprocess
import sys
import tempfile

from nodes import database_cpu

sys.dont_write_bytecode = True
ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
BUILD = os.path.abspath(os.environ.get("BUILD", os.path.join(ROOT, "build")))
NODE = os.path.join(BUILD, "node-queues")
PEERS = ["graphile-worker@0.16.6", "pg-boss@10.3.2"]
SECONDS = float(os.environ.get("BENCH_SECONDS", 4))
ROUNDS = int(os.environ.get("BENCH_ROUNDS", 3))
CLIENTS = [int(n) for n in os.environ.get("BENCH_CLIENTS", "1 8 32").split()]


def measure(command, database):
    """Of what comes after the command has warmed up, while its connections are open."""
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
                               env={**os.environ, "NODE_FOLDER": NODE})
    process.stdout.readline()
    before = database_cpu()
    got = json.loads(process.stdout.readline())
    server = (database_cpu() - before) / (got["rate"] * SECONDS) if database else 0
    process.communicate()
    return got["rate"], got["cpu"], server


def main():
    address = os.environ.get("PLATEN_POSTGRES")
    if not address:
        sys.exit(__doc__)
    if not os.path.exists(os.path.join(NODE, "node_modules", "pg-boss")):
        os.makedirs(NODE, exist_ok=True)
        subprocess.run(["npm", "install", "--prefix", NODE, "--no-audit", "--no-fund", "--silent",
                        *PEERS], check=True)
    cycle, folder = os.path.join(BUILD, "bench", "cycle"), tempfile.mkdtemp()
    seconds, n = str(SECONDS), 0
    print(f"{'clients':>7} {'store':24} {'cycles/s':>9} {'client ms':>9} {'database ms':>11}"
          f" {'cycles per CPU s':>16}")
    for clients in CLIENTS:
        runs = {}
        for _ in range(ROUNDS):
            n += 1
            for name, command, database in [
                    ("platen, PostgreSQL", [cycle, address, str(clients), seconds, str(clients)], True),
                    ("the same, one account", [cycle, address, str(clients), seconds, "1"], True),
                    ("platen, SQLite", [cycle, f"{folder}/{n}.db", str(clients), seconds, str(clients)], False),
                    *((peer.partition("@")[0], ["node", os.path.join(ROOT, "bench", "queues.mjs"),
                                                peer.partition("@")[0], address, str(clients), seconds],
                       True) for peer in PEERS)]:
                runs.setdefault(name, []).append(measure(command, database))
        for name, of in runs.items():
            rate, client, server = min(of, key=lambda run: run[1] + run[2])
            print(f"{clients:7} {name:24} {rate:9.0f} {client:9.3f} {server:11.3f}"
                  f" {1000 / (client + server):16.0f}", flush=True)
    shutil.rmtree(folder)


main()
