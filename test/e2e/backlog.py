"""With 100,000 waiting jobs the server is about as fast and as small as with an empty queue."""

import glob
import os
import statistics
import subprocess
import sys
import time

from platen import SANITIZED, Server, done, multipart, ok, pdf, same, until, without_office

without_office()

N = 100_000
FILL = sys.argv[2]
BODY = multipart([("a.pdf", pdf())], {"degrees": "90"})


class Times:
    """Milliseconds of the server's processors for some requests: the median of each kind."""

    def __init__(self, server, key):
        self.server = server
        job_id = self.submit(server, key)
        self.values = {}
        self.measure("submit", 40, lambda: self.submit(server, key))
        self.measure("poll", 200, lambda: self.get(server, key, f"/api/v1/jobs/{job_id}"))
        self.measure("list", 60, lambda: self.get(server, key, "/api/v1/jobs?limit=20"))
        self.measure("usage", 60, lambda: self.get(server, key, "/api/v1/usage"))
        self.measure("readyz", 60, lambda: server.request("GET", "/healthz"))
        self.measure("metrics", 20, lambda: server.request("GET", "/metrics"))

    def measure(self, name, n, do):
        taken = []
        for _ in range(n):
            begin = cpu_ms(self.server)
            do()
            taken.append(cpu_ms(self.server) - begin)
        self.values[name] = statistics.median(taken)

    @staticmethod
    def submit(server, key):
        answer = server.request("POST", "/api/v1/tools/pdf/rotate", key,
                                {"Content-Type": BODY[1]}, BODY[0])
        assert answer.status == 202, answer
        return answer.json["jobId"]

    @staticmethod
    def get(server, key, path):
        answer = server.request("GET", path, key)
        assert answer.status == 200, answer


def cpu_ms(server):
    """Milliseconds that all threads of the server have run, whatever else the machine is doing."""
    total = 0
    for path in glob.glob(f"/proc/{server.process.pid}/task/*/schedstat"):
        try:
            with open(path) as file:
                total += int(file.read().split()[0])
        except OSError:  # a thread that has just ended
            pass
    return total / 1e6


def memory(server):
    """Of the server itself, its own pages: megabytes."""
    with open(f"/proc/{server.process.pid}/smaps_rollup") as file:
        return sum(int(line.split()[1]) for line in file if line.startswith("Private")) / 1024


def waiting(server):
    for line in server.request("GET", "/metrics").body.decode().splitlines():
        if line.startswith("platen_queue_pending_jobs "):
            return float(line.split()[1])
    return -1


def main():
    server = Server("--workers", "1")
    many, one = server.key(name="many"), server.key(name="one")
    before, small = Times(server, one), memory(server)
    server.stop()
    database = os.path.join(server.data, "d/platen.db")
    begin = time.time()
    filled = subprocess.run([FILL, database, many[:11], str(N)], timeout=250)
    print(f"# {N} jobs put in {time.time() - begin:.1f} s", flush=True)
    same("a hundred thousand jobs are written to the database", filled.returncode, 0)
    begin = time.time()
    server.start()
    print(f"# the server started with them in {time.time() - begin:.1f} s", flush=True)
    begin = waiting(server)
    after = Times(server, one)
    end = waiting(server)
    ok(f"the jobs wait during the measurement ({begin:.0f} to {end:.0f})", min(begin, end) > N / 2)
    for name, was in before.values.items():
        now = after.values[name]
        ok(f"{name}: {was:.2f} ms with an empty queue, {now:.2f} ms with a full one",
           now < 4 * was + 10)
    large = memory(server)
    # A sanitizer has its own for each byte, and keeps what was freed.
    more, most = (200, 300) if SANITIZED else (30, 80)
    ok(f"the server's memory grows little: {small:.1f} MB before, {large:.1f} MB after",
       large < small + more and large < most)
    begin = waiting(server)
    ok("the server works through the full queue", until(lambda: waiting(server) < begin - 100))
    same("the server with a full queue stops cleanly", server.close(), 0)
    done()


main()
