#!/usr/bin/python3
"""stores: whole jobs through HTTP (submit, wait, download), with the jobs in SQLite and in PostgreSQL, which take
turns.

    test/store/postgres.sh bench/stores.py

CPU is in milliseconds a job: of the server, of its other programs, of the database. The goal is that the first two
together are at most 1.2 times those with SQLite. BUILD, BENCH_SECONDS and BENCH_ROUNDS are those of bench/run."""

import os
import sys
import tempfile

sys.dont_write_bytecode = True
from bench import Platen, table, write_scan  # noqa: E402
from nodes import STORE, database_cpu  # noqa: E402

SECONDS = float(os.environ.get("BENCH_SECONDS", 4))
ROUNDS = int(os.environ.get("BENCH_ROUNDS", 3))
CLIENTS = (1, 16, 64)


def load(server, clients, file):
    before = database_cpu()
    seen = server.load("jobs", clients, SECONDS, file)
    seen["database"] = (database_cpu() - before) / seen["all"]
    seen["platen"] = seen["server_cpu"] + seen["jobs_cpu"]
    return seen


def main():
    if not STORE:
        sys.exit(__doc__)
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        small = os.path.join(folder, "small.pdf")
        write_scan(small, 1, 19_000)
        servers = {"SQLite": Platen(folder), "PostgreSQL": Platen(folder, "--store", STORE)}
        for server in servers.values():
            load(server, 16, small)
        for clients in CLIENTS:
            runs = {name: [] for name in servers}
            for _ in range(ROUNDS):
                for name, server in servers.items():
                    runs[name].append(load(server, clients, small))
            least = {name: min(of, key=lambda run: run["platen"]) for name, of in runs.items()}
            for name, run in least.items():
                rows.append([name, clients, f"{run['rate']:.0f}", f"{run['server_cpu']:.2f}", f"{run['jobs_cpu']:.2f}",
                             f"{run['database']:.2f}" if name == "PostgreSQL" else "",
                             f"{run['platen'] / least['SQLite']['platen']:.2f}"])
        for server in servers.values():
            server.close()
    table("Whole jobs through HTTP: rotate a page of 20 kB.",
          ["", "at a time", "jobs/s", "CPU server", "CPU programs", "CPU database", "platen, SQLite = 1"], rows)


if __name__ == "__main__":
    main()
