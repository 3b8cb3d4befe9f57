"""A plan's jobs a minute, counted by several servers that share a PostgreSQL server."""

import os
import tempfile
import threading
import time

from platen import Server, done, ok, pdf, same, without_office

without_office()

STORE = os.environ["PLATEN_POSTGRES"]
LIMIT = 400
SERVERS = 3


def main():
    shared = tempfile.mkdtemp(prefix="platen-shared-")
    settings = os.path.join(shared, "settings.conf")
    with open(settings, "w", encoding="ascii") as file:
        file.write(f"[plan quick]\nrequests_per_month = 100000\nbytes_per_month = 1G\nmax_unfinished = 100000\njobs_per_minute = {LIMIT}\n")
    servers = [Server("--config", settings, "--store", STORE, "--blobs", os.path.join(shared, "blobs"), "--work", "false")
               for _ in range(SERVERS)]
    key = servers[0].key(plan="quick")
    counts, lock = {}, threading.Lock()
    began = time.monotonic()

    def send(server):
        for _ in range(20):
            answer = server.submit("rotate", [("a.pdf", pdf())], key, {"degrees": "90"})
            with lock:
                counts[answer.status, answer.error if answer.status != 202 else ""] = \
                    counts.get((answer.status, answer.error if answer.status != 202 else ""), 0) + 1
                last.append(answer)

    last = []
    # The first server gets half of the requests, the others share the rest.
    threads = [threading.Thread(target=send, args=(servers[0 if i % 2 else i % SERVERS],)) for i in range(24)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    took = time.monotonic() - began
    accepted = counts.get((202, ""), 0)
    print(f"# {accepted} of {len(last)} in {took:.1f} s: {counts}")
    same("every request is accepted or refused as too many", set(counts) - {(202, ""), (429, "rate_limited")}, set())
    if took < 60:
        ok("all servers together accept no more than the plan allows", accepted <= LIMIT, counts)
        ok("and at most 2 % less", accepted >= LIMIT * 0.98, counts)
    else:
        ok("a machine this slow does not reach the limit # SKIP", True)
    refused = [answer for answer in last if answer.status == 429]
    ok("who is refused is told when to come again", all(1 <= int(a.headers["Retry-After"]) <= 61 for a in refused))
    for server in servers:
        server.close()
    done()


main()
