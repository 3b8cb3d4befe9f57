#!/usr/bin/python3
"""What a file from an address costs more than a file that is sent: whole jobs, one at a time, on loopback.

    BUILD=build [chrt -r 5] bench/fetch.py [JOBS]

With chrt other programs of the machine count less. The two kinds of jobs take turns, so that other load of the machine
meets both. A job counts from the first byte of its submission to the answer that it has ended (a long poll). The origin
is one thread of its own process with the whole answer in memory."""

import os
import socket
import statistics
import sys
import time

import bench

JOBS = int(sys.argv[1]) if len(sys.argv) > 1 else bench.sized(400)
FILE = bench.pdf(2, pad=20000)
BOUNDARY = "bench-boundary"
HOST = "127.0.0.2"  # loopback, but not the server's own address


def origin():
    """The address of the file, and the process that serves it until it is killed."""
    listener = socket.create_server((HOST, 0))
    address = f"http://{HOST}:{listener.getsockname()[1]}/a.pdf"
    pid = os.fork()
    if pid:
        listener.close()
        return address, pid
    head = f"HTTP/1.1 200 OK\r\nContent-Length: {len(FILE)}\r\nConnection: close\r\n\r\n".encode()
    while True:
        connection, _ = listener.accept()
        with connection:
            asked = b""
            while b"\r\n\r\n" not in asked and (data := connection.recv(65536)):
                asked += data
            connection.sendall(head + FILE)


def form(name, value, filename=None):
    parts = [("degrees", b"90", None), (name, value, filename)]
    body = b"".join(
        f'--{BOUNDARY}\r\nContent-Disposition: form-data; name="{field}"'.encode() +
        (f'; filename="{file}"'.encode() if file else b"") + b"\r\n\r\n" + data + b"\r\n" for field, data, file in parts)
    return body + f"--{BOUNDARY}--\r\n".encode()


def job(server, key, body):
    """Milliseconds of one job."""
    began = time.monotonic()
    answer = server.request("POST", "/api/v1/tools/pdf/rotate", key,
                            {"Content-Type": f"multipart/form-data; boundary={BOUNDARY}", "Prefer": "wait=30"}, body)
    took = (time.monotonic() - began) * 1e3
    if answer.json.get("status") != "completed":
        sys.exit(f"a job did not complete: {answer}")
    return took


def at(values, share):
    return sorted(values)[min(len(values) - 1, int(len(values) * share))]


def main():
    address, pid = origin()
    server = bench.Server("--allow-fetch", HOST, "--fetch-http", "true")
    try:
        key = server.key()
        ways = {"sent": form("file", FILE, "a.pdf"), "from an address": form("fileUrl", address.encode())}
        times = {way: [] for way in ways}
        for body in ways.values():
            job(server, key, body)  # starts what is kept running
        for _ in range(JOBS):
            for way, body in ways.items():
                times[way].append(job(server, key, body))
    finally:
        server.close()
        os.kill(pid, 9)
        os.waitpid(pid, 0)
    bench.table(f"{JOBS} jobs of {len(FILE)} bytes each way, ms", ["file", "p50", "p95", "max"],
                [[way, *(f"{value:.1f}" for value in (statistics.median(all_), at(all_, .95), max(all_)))]
                 for way, all_ in times.items()])
    more = [at(times["from an address"], share) - at(times["sent"], share) for share in (.5, .95)]
    print(f"an address adds {more[0]:.1f} ms (p50), {more[1]:.1f} ms (p95); the goal is 30 ms at p95")


main()
