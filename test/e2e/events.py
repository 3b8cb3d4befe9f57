"""Event streams, Prefer: wait, and whose turn it is."""

import json
import os
import re
import signal
import socket
import threading
import time

from platen import DEADLINE, Server, done, go, halted, hold, ok, pdf, same, slow_job, until, without_office

without_office()

UNKNOWN = "0193a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5b"


class Stream:
    """One event stream, read as an EventSource reads it."""

    def __init__(self, server, job_id, key, last=None, headers=None):
        self.connection = server.connect()
        headers = {"X-API-Key": key, **(headers or {})} if key else dict(headers or {})
        if last is not None:
            headers["Last-Event-ID"] = str(last)
        self.connection.request("GET", f"/api/v1/jobs/{job_id}/events", headers=headers)
        # The socket is the response's alone, so that closing it is felt.
        self.socket = self.connection.sock
        self.response = self.connection.getresponse()
        self.comments, self.retry, self.last_id = 0, None, None

    def next(self):
        """(name, data) of the next event; None at the stream's end."""
        name, data = "message", None
        while True:
            line = self.response.readline().decode()
            if line == "":
                return None
            line = line.rstrip("\n")
            if line == "":
                if data is not None:
                    return name, json.loads(data)
            elif line.startswith(":"):
                self.comments += 1
            else:
                field, _, value = line.partition(": ")
                if field == "event":
                    name = value
                elif field == "data":
                    data = value
                elif field == "id":
                    self.last_id = int(value)
                elif field == "retry":
                    self.retry = int(value)

    def comment(self):
        while self.response.readline() not in (b":\n", b""):
            pass
        return True

    def rest(self):
        events = []
        while (event := self.next()) is not None:
            events.append(event)
        return events

    def close(self):
        self.response.close()
        self.connection.close()


def submit(server, key, tool="rotate", data=None, fields=None, headers=None):
    return server.submit(tool, [("a.pdf", data or pdf())], key, fields or {"degrees": "90"}, headers)


def follow(server, key, pages):
    """A slow job's stream, opened before the job can begin, and what it says: events and ids."""
    hold(server)
    job_id = submit(server, key, *slow_job(pages)).json["jobId"]
    stream = Stream(server, job_id, key)
    go(server)
    events, ids = [], []
    while (event := stream.next()) is not None:
        events.append(event)
        ids.append(stream.last_id)
    return job_id, stream, events, ids


def check_whole_way(server, key):
    # A busy machine may wake the server only at the end of a short job, which then has no steps.
    for pages in (150, 600, 2400):
        job_id, stream, events, ids = follow(server, key, pages)
        steps = [data["progress"] for name, data in events[:-1]]
        if any(0 < step < 1 for step in steps):
            break
    same("an event stream is text/event-stream", stream.response.headers["Content-Type"],
         "text/event-stream")
    same("which nobody keeps", stream.response.headers["Cache-Control"], "no-store")
    same("nor holds back", stream.response.headers["X-Accel-Buffering"], "no")
    same("it says when to come again", stream.retry, 2000)
    same("it begins with how far the job is", events[0][0], "progress")
    same("in the words of GET", sorted(events[0][1]), ["jobId", "progress", "status"])
    ok("progress is told while the job runs", any(0 < step < 1 for step in steps), steps)
    same("and only grows", steps, sorted(steps))
    same("the last event is its end", events[-1][0], "completed")
    job = server.request("GET", f"/api/v1/jobs/{job_id}", key).json
    same("with what GET answers", events[-1][1], job)
    ok("ids grow", ids == sorted(set(ids)), ids)
    end = ids[-1]
    again = Stream(server, job_id, key, last=ids[0])
    same("Last-Event-ID leaves out what was seen", [name for name, _ in again.rest()], ["completed"])
    same("the end has the same id", again.last_id, end)
    seen = Stream(server, job_id, key, last=end)
    same("who has seen the end need not come again", seen.response.status, 204)
    for last in ("x", "-3", "9" * 30, "", str(end + 1)):
        same(f"Last-Event-ID {last!r} is no reason to say nothing",
             [name for name, _ in Stream(server, job_id, key, last=last).rest()], ["completed"])
    same("Authorization: Bearer is taken too", Stream(
        server, job_id, None, headers={"Authorization": f"Bearer {key}"}).response.status, 200)


def check_failure(server, key):
    job_id = submit(server, key, "remove-password", b"%PDF-1.4\nnothing",
                    {"password": "x"}).json["jobId"]
    name, data = Stream(server, job_id, key).rest()[-1]
    same("a failure is an event too", name, "failed")
    same("with its code", data.get("error"), "corrupt_file")


def check_refusals(server, key):
    job_id = submit(server, key).json["jobId"]
    path = f"/api/v1/jobs/{job_id}/events"
    same("without a key there are no events", server.request("GET", path).error, "missing_api_key")
    same("nor of another key's job", server.request("GET", path, server.key()).error,
         "job_not_found")
    same("nor of a job that never was", server.request(
        "GET", f"/api/v1/jobs/{UNKNOWN}/events", key).error, "job_not_found")
    same("nor of what is no id", server.request("GET", "/api/v1/jobs/x/events", key).error,
         "job_not_found")
    same("HEAD is answered", server.request("HEAD", path, key).status, 200)
    same("POST is not", server.request("POST", path, key).status, 405)


def check_heartbeat_and_delete(server, key):
    hold(server)
    job_id = submit(server, key).json["jobId"]
    stream = Stream(server, job_id, key)
    ok("while nothing happens there are comments", stream.comment() and stream.comment())
    # Those of before that were just read to their ends are counted for a moment more.
    ok("the streams are counted", until(lambda: b"\nplaten_event_streams 1\n" in
       server.request("GET", "/metrics").body))
    server.request("DELETE", f"/api/v1/jobs/{job_id}", key)
    go(server)
    events = stream.rest()
    same("a job that is deleted ends its stream", events[-1][0], "deleted")
    same("with the reason", (events[-1][1]["error"], events[-1][1]["message"]),
         ("job_not_found", "this job was deleted"))


def check_limits(server):
    key, other = server.key(), server.key()
    hold(server)
    job_id, others = submit(server, key).json["jobId"], submit(server, other).json["jobId"]
    streams = [Stream(server, job_id, key) for _ in range(20)]
    same("a key has only so many streams", server.request(
        "GET", f"/api/v1/jobs/{job_id}/events", key).error, "too_many_streams")
    same("as many polls as it likes", server.request(
        "GET", f"/api/v1/jobs/{job_id}", key).status, 200)
    more = [Stream(server, others, other) for _ in range(10)]
    ok("another key has its own", all(s.response.status == 200 for s in more))
    answer = server.request("GET", f"/api/v1/jobs/{others}/events", other)
    same("all together have only so many", (answer.status, answer.error), (503, "overloaded"))
    same("and are told when to come again", answer.headers["Retry-After"], "10")
    for stream in streams[:15]:
        stream.close()
    ok("streams that were left make room", until(lambda: server.request(
        "HEAD", f"/api/v1/jobs/{job_id}", key).status == 200 and
        Stream(server, job_id, key).response.status == 200))
    go(server)
    for stream in [*streams[15:], *more]:
        stream.rest()


def threads(server):
    return len(os.listdir(f"/proc/{server.process.pid}/task"))


def check_many(server, key):
    """And one of them that never reads."""
    job_id, process = halted(server, key, lambda: submit(server, key, *slow_job(60)).json["jobId"])
    deaf = socket.create_connection(("127.0.0.1", server.port))
    deaf.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1024)
    deaf.sendall(f"GET /api/v1/jobs/{job_id}/events HTTP/1.1\r\nHost: h\r\nX-API-Key: {key}\r\n\r\n"
                 .encode())
    before = threads(server)
    streams = [Stream(server, job_id, key) for _ in range(300)]
    same("hundreds of streams take no thread", threads(server), before)
    os.kill(process, signal.SIGCONT)
    same("and all hear of the end", {stream.rest()[-1][0] for stream in streams}, {"completed"})
    deaf.close()


def check_stop(server, key):
    """While a job runs that a second is not enough for."""
    job_id, _ = halted(server, key, lambda: submit(server, key, *slow_job(60)).json["jobId"])
    raw = socket.create_connection(("127.0.0.1", server.port), DEADLINE)
    raw.sendall(f"GET /api/v1/jobs/{job_id}/events HTTP/1.1\r\nHost: h\r\nX-API-Key: {key}\r\n\r\n"
                .encode())
    data = b""
    while b"event: progress" not in data:
        data += raw.recv(4096)
    server.process.send_signal(signal.SIGTERM)
    while more := raw.recv(4096):
        data += more
    ok("a server that stops ends its streams as it should", data.endswith(b"\r\n0\r\n\r\n"), data)
    same("and itself, cleanly", server.process.wait(DEADLINE), 0)
    server.start()
    events = Stream(server, job_id, key, last=int(re.search(rb"id: (\d+)", data)[1])).rest()
    same("after its restart a stream goes on", events[-1][0], "completed")


def check_prefer(server, key):
    answer = submit(server, key, headers={"Prefer": "respond-async, wait=30"})
    job = answer.json
    same("Prefer: wait answers 200", answer.status, 200)
    same("with the finished job", job, server.request("GET", f"/api/v1/jobs/{job['jobId']}",
                                                      key).json)
    same("and says so", answer.headers["Preference-Applied"], "wait=30")
    same("Location is the job's", answer.headers["Location"], f"/api/v1/jobs/{job['jobId']}")
    same("and so is Content-Location", answer.headers["Content-Location"],
         f"/api/v1/jobs/{job['jobId']}")
    answer = submit(server, key, "remove-password", b"%PDF-1.4\nnothing", {"password": "x"},
                    {"Prefer": "wait=99"})
    same("a job that failed is finished too", (answer.status, answer.json["status"]),
         (200, "failed"))
    same("nobody waits for more than a minute", answer.headers["Preference-Applied"], "wait=60")
    same("what failed is not counted", answer.headers["X-RateLimit-Remaining"], server.request(
        "GET", "/api/v1/usage", key).headers["X-RateLimit-Remaining"])
    for prefer in ("wait=0", "wait=x", "return=minimal"):
        answer = submit(server, key, headers={"Prefer": prefer})
        same(f"Prefer: {prefer} is answered as always",
             (answer.status, answer.headers["Preference-Applied"]), (202, None))
    replay = {"Prefer": "wait=30", "Idempotency-Key": "once"}
    first = submit(server, key, headers=replay)
    second = submit(server, key, headers=replay)
    same("a replay waits as well", (second.status, second.json), (200, first.json))
    same("and is told from the first", second.headers["Idempotent-Replayed"], "true")
    same("a refusal is a refusal", submit(server, key, fields={"degrees": "45"},
                                          headers={"Prefer": "wait=30"}).status, 400)


def check_prefer_in_vain(server, key):
    hold(server)
    begin = time.monotonic()
    answer = submit(server, key, headers={"Prefer": "wait=1", "Idempotency-Key": "held"})
    waited = time.monotonic() - begin
    ok("a job that takes longer is answered as always", answer.status == 202 and
       sorted(answer.json) == ["jobId", "status"] and waited >= 1, answer, waited)
    replay = {}

    def wait():
        replay["answer"] = submit(server, key,
                                  headers={"Prefer": "wait=50", "Idempotency-Key": "held"})
    waiting = threading.Thread(target=wait)
    waiting.start()
    go(server)
    waiting.join()
    same("a replay of a job that still runs waits for it",
         (replay["answer"].status, replay["answer"].json["jobId"]), (200, answer.json["jobId"]))


def started(server, key, job_id):
    return server.wait(job_id, key).json["startedAt"]


def check_turns(server):
    """One place for jobs, which one key's jobs would fill for long."""
    many, one = server.key(), server.key()
    first, process = halted(server, many, lambda: submit(server, many, *slow_job(60)).json["jobId"])
    crowd = [first, *(submit(server, many).json["jobId"] for _ in range(11))]
    job = submit(server, one).json["jobId"]
    os.kill(process, signal.SIGCONT)
    job = server.wait(job, one).json
    for job_id in crowd:
        server.wait(job_id, many)
    left = [server.request("GET", f"/api/v1/jobs/{job_id}", many).json for job_id in crowd]
    between = [other["startedAt"] for other in left
               if job["createdAt"] < other["startedAt"] < job["startedAt"]]
    ok("another key's job waits for one or two of them, and not for all", len(between) <= 2, job, between)


def check_lengths(server):
    """The server has not seen a rotation yet and takes one of 4 MB for a long job."""
    key = server.key()
    first, process = halted(server, key, lambda: submit(server, key, *slow_job(60)).json["jobId"])
    long = [submit(server, key, data=pdf(pad=4000000)).json["jobId"] for _ in range(8)]
    short = submit(server, key).json["jobId"]
    os.kill(process, signal.SIGCONT)
    begin = started(server, key, short)
    before = sum(started(server, key, job_id) < begin for job_id in [first, *long])
    ok("a short job passes the long ones of its own key", before <= 2, before)


def main():
    server = Server("--event-heartbeat", "200ms", "--event-streams-per-key", "400",
                    "--shutdown-grace", "1s")
    key = server.key()
    check_whole_way(server, key)
    check_failure(server, key)
    check_refusals(server, key)
    check_heartbeat_and_delete(server, key)
    check_many(server, key)
    check_prefer(server, key)
    check_prefer_in_vain(server, key)
    check_stop(server, key)
    same("SIGTERM ends it cleanly", server.close(), 0)
    server = Server("--workers", "1", "--event-streams", "30", "--event-streams-per-key", "20",
                    "--event-heartbeat", "200ms")
    check_lengths(server)
    check_turns(server)
    check_limits(server)
    log = server.logs()
    ok("nothing went wrong on the way", not re.search(r"level=error", log),
       re.findall(r".*level=error.*", log)[:5])
    same("it ends cleanly too", server.close(), 0)
    done()


main()
