#!/usr/bin/python3
"""What polls and event streams cost: the server on core 0, the load on core 1.

    [FIFO=1] bench/events.py [BUILD [STREAMS [CLIENTS [SECONDS]]]]

With FIFO, server and load have real-time priority: what other programs of the machine do counts
less then.

The job that is polled and listened to waits: its worker program is stopped, so that it takes no
time from the server. Then it goes on, and the streams hear of its end."""

import json
import os
import re
import signal
import subprocess
import sys
import time

BUILD = os.path.abspath(sys.argv[1] if len(sys.argv) > 1 else "build")
GIVEN = list(map(int, sys.argv[2:5]))
STREAMS, CLIENTS, SECONDS = GIVEN + [2000, 32, 10][len(GIVEN):]
os.environ["BUILD"] = BUILD
from bench import Server, pdf  # noqa: E402

FIFO = ["chrt", "-f", "10"] if os.environ.get("FIFO") else []
SERVER = [*FIFO, "taskset", "-c", "0"]
LOAD = [*FIFO, "taskset", "-c", "1"]


def status(server, name):
    with open(f"/proc/{server.process.pid}/status") as text:
        return int(re.search(rf"{name}:\s+(\d+)", text.read())[1]) / 1024


def cpu_ms(server):
    with open(f"/proc/{server.process.pid}/stat") as stat:
        fields = stat.read().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) * 1000 / os.sysconf("SC_CLK_TCK")


def stop_workers(server, how):
    for pid in server.children():
        os.kill(pid, how)


def spread(values, unit):
    values = sorted(int(value) / unit for value in values)
    return {"p50": round(values[len(values) // 2], 2),
            "p95": round(values[len(values) * 95 // 100], 2), "max": round(values[-1], 2)}


def starts(n=300):
    """From accepted to started, ms, one job at a time: from the moment a job is durable and its 202
    can be sent to the moment its process is there, as the server's log has it. And from the end of
    its upload to its claim, most of which is what makes it durable."""
    server = Server("--log-level", "debug", wrapper=SERVER)
    key = server.key()
    for _ in range(n):
        server.submit("rotate", [("a.pdf", pdf())], key, {"degrees": "90"},
                      {"Prefer": "wait=20"})
    logs = server.logs()
    server.close()
    return {"jobs": n, "accepted to started": spread(
                re.findall(r"event=job.started .*us=(\d+)", logs), 1000),
            "uploaded to claimed": spread(
                re.findall(r"event=job.done .*wait_ms=(\d+)", logs), 1)}


def listen(server, key, streams, clients, seconds):
    before = status(server, "VmRSS")
    stop_workers(server, signal.SIGSTOP)
    job = server.submit("rotate", [("a.pdf", pdf())], key, {"degrees": "90"}).json["jobId"]
    client = subprocess.Popen([*LOAD, os.path.join(BUILD, "bench", "listen"),
                               f"127.0.0.1:{server.port}", str(streams), str(clients),
                               str(seconds), job, key], stdout=subprocess.PIPE, text=True)
    assert client.stdout.readline() == "ready\n"
    idle, cpu = status(server, "VmRSS"), cpu_ms(server)
    polls = json.loads(client.stdout.readline())
    cpu = cpu_ms(server) - cpu
    rss = status(server, "VmRSS")
    quiet = cpu_ms(server)
    time.sleep(5)
    quiet = (cpu_ms(server) - quiet) / 5
    stop_workers(server, signal.SIGCONT)
    ended = json.loads(client.stdout.readline())
    client.wait()
    return {"streams": streams, "clients": clients, "polls/s": polls["polls"],
            "CPU us a poll": round(cpu * 1000 / max(polls["all"], 1), 1), "p50 ms": polls["p50"],
            "p95 ms": polls["p95"], "p99 ms": polls["p99"], "MB before": round(before, 1),
            "MB with streams": round(idle, 1), "MB under polls": round(rss, 1),
            "MB peak": round(status(server, "VmHWM"), 1),
            "streams alone, CPU ms a second": round(quiet, 1), "told of the end": ended["told"],
            "first to last ms": ended["firstToLastMs"]}


def main():
    print(json.dumps({"ms": starts()}), flush=True)
    server = Server("--event-streams-per-key", "100000", wrapper=SERVER)
    key = server.key()
    print(json.dumps(listen(server, key, 0, CLIENTS, SECONDS), indent=1), flush=True)
    print(json.dumps(listen(server, key, STREAMS, CLIENTS, SECONDS), indent=1), flush=True)
    with open("/proc/loadavg") as load:
        print("load of the machine:", load.read().split()[0])
    sys.exit(server.close())


main()
