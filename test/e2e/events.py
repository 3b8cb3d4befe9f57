"""Event streams, Prefer: wait, and fair scheduling."""

import json
import os
import re
import signal
import socket
import threading
import time

from event_stream import Stream
from platen import DEADLINE, Server, done, go, halted, hold, ok, pdf, same, slow_job, until, without_office

without_office()

UNKNOWN = "0193a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5b"


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
    same("an event stream has Content-Type text/event-stream",
         stream.response.headers["Content-Type"],
         "text/event-stream")
    same("an event stream is answered with Cache-Control: no-store",
         stream.response.headers["Cache-Control"], "no-store")
    same("an event stream is answered with X-Accel-Buffering: no",
         stream.response.headers["X-Accel-Buffering"], "no")
    same("an event stream sends the retry time", stream.retry, 2000)
    same("the first event is the job's progress", events[0][0], "progress")
    same("a progress event has the fields that GET of the job answers",
         sorted(events[0][1]), ["jobId", "progress", "status"])
    ok("progress events are sent while the job runs", any(0 < step < 1 for step in steps), steps)
    same("the progress in events never decreases", steps, sorted(steps))
    same("the last event is the job's end", events[-1][0], "completed")
    job = server.request("GET", f"/api/v1/jobs/{job_id}", key).json
    same("the last event has the same JSON as GET of the job", events[-1][1], job)
    ok("the ids of events increase", ids == sorted(set(ids)), ids)
    end = ids[-1]
    again = Stream(server, job_id, key, last=ids[0])
    same("a stream with Last-Event-ID omits the events up to that id",
         [name for name, _ in again.rest()], ["completed"])
    same("the last event has the same id in a resumed stream", again.last_id, end)
    seen = Stream(server, job_id, key, last=end)
    same("a stream with the last event's id is answered 204", seen.response.status, 204)
    for last in ("x", "-3", "9" * 30, "", str(end + 1)):
        same(f"Last-Event-ID {last!r} does not suppress the last event",
             [name for name, _ in Stream(server, job_id, key, last=last).rest()], ["completed"])
    same("an event stream accepts Authorization: Bearer", Stream(
        server, job_id, None, headers={"Authorization": f"Bearer {key}"}).response.status, 200)


def check_failure(server, key):
    job_id = submit(server, key, "remove-password", b"%PDF-1.4\nnothing",
                    {"password": "x"}).json["jobId"]
    name, data = Stream(server, job_id, key).rest()[-1]
    same("the last event of a failed job is named failed", name, "failed")
    same("the event of a failed job has the error code", data.get("error"), "corrupt_file")


def check_refusals(server, key):
    job_id = submit(server, key).json["jobId"]
    path = f"/api/v1/jobs/{job_id}/events"
    same("an event stream without a key is refused",
         server.request("GET", path).error, "missing_api_key")
    same("an event stream of another account's job is answered job_not_found",
         server.request("GET", path, server.key()).error,
         "job_not_found")
    same("an event stream of an unknown job is answered job_not_found", server.request(
        "GET", f"/api/v1/jobs/{UNKNOWN}/events", key).error, "job_not_found")
    same("an event stream of a malformed job id is answered job_not_found",
         server.request("GET", "/api/v1/jobs/x/events", key).error,
         "job_not_found")
    same("HEAD of an event stream is answered 200", server.request("HEAD", path, key).status, 200)
    same("POST to an event stream is answered 405", server.request("POST", path, key).status, 405)


def check_heartbeat_and_delete(server, key):
    hold(server)
    job_id = submit(server, key).json["jobId"]
    stream = Stream(server, job_id, key)
    ok("comments are sent while there is no event", stream.comment() and stream.comment())
    # Those of before that were just read to their ends are counted for a moment more.
    ok("metrics count the open event streams", until(lambda: b"\nplaten_event_streams 1\n" in
       server.request("GET", "/metrics").body))
    server.request("DELETE", f"/api/v1/jobs/{job_id}", key)
    go(server)
    events = stream.rest()
    same("deleting a job ends its stream with the event deleted", events[-1][0], "deleted")
    same("the event deleted has an error code and a message",
         (events[-1][1]["error"], events[-1][1]["message"]),
         ("job_not_found", "this job was deleted"))


def check_limits(server):
    key, other = server.key(), server.key()
    hold(server)
    job_id, others = submit(server, key).json["jobId"], submit(server, other).json["jobId"]
    streams = [Stream(server, job_id, key) for _ in range(20)]
    same("an event stream beyond the account's limit is refused", server.request(
        "GET", f"/api/v1/jobs/{job_id}/events", key).error, "too_many_streams")
    same("polling is possible at the account's limit of streams", server.request(
        "GET", f"/api/v1/jobs/{job_id}", key).status, 200)
    more = [Stream(server, others, other) for _ in range(10)]
    ok("the limit of streams of another account is separate",
       all(s.response.status == 200 for s in more))
    answer = server.request("GET", f"/api/v1/jobs/{others}/events", other)
    same("an event stream beyond the server's limit is answered 503 overloaded",
         (answer.status, answer.error), (503, "overloaded"))
    same("the answer to too many event streams has Retry-After",
         answer.headers["Retry-After"], "10")
    for stream in streams[:15]:
        stream.close()
    ok("closed event streams make room for others", until(lambda: server.request(
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
    same("hundreds of event streams need no further thread", threads(server), before)
    os.kill(process, signal.SIGCONT)
    same("hundreds of event streams all receive the end", {stream.rest()[-1][0] for stream in streams}, {"completed"})
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
    ok("a server that stops ends its event streams with a complete chunked body",
       data.endswith(b"\r\n0\r\n\r\n"), data)
    same("a server with open event streams stops cleanly", server.process.wait(DEADLINE), 0)
    server.start()
    events = Stream(server, job_id, key, last=int(re.search(rb"id: (\d+)", data)[1])).rest()
    same("a stream resumes after a restart of the server", events[-1][0], "completed")


def check_prefer(server, key):
    answer = submit(server, key, headers={"Prefer": "respond-async, wait=30"})
    job = answer.json
    same("a submission with Prefer: wait is answered 200", answer.status, 200)
    same("Prefer: wait answers the finished job",
         job, server.request("GET", f"/api/v1/jobs/{job['jobId']}",
                                                      key).json)
    same("Prefer: wait is confirmed in Preference-Applied",
         answer.headers["Preference-Applied"], "wait=30")
    same("the answer to Prefer: wait has the job's Location",
         answer.headers["Location"], f"/api/v1/jobs/{job['jobId']}")
    same("the answer to Prefer: wait has the job's Content-Location",
         answer.headers["Content-Location"],
         f"/api/v1/jobs/{job['jobId']}")
    answer = submit(server, key, "remove-password", b"%PDF-1.4\nnothing", {"password": "x"},
                    {"Prefer": "wait=99"})
    same("Prefer: wait answers a failed job with 200", (answer.status, answer.json["status"]),
         (200, "failed"))
    same("Prefer: wait is limited to 60 seconds", answer.headers["Preference-Applied"], "wait=60")
    same("X-RateLimit-Remaining after a failed job is that of usage",
         answer.headers["X-RateLimit-Remaining"], server.request(
        "GET", "/api/v1/usage", key).headers["X-RateLimit-Remaining"])
    for prefer in ("wait=0", "wait=x", "return=minimal"):
        answer = submit(server, key, headers={"Prefer": prefer})
        same(f"Prefer: {prefer} is ignored",
             (answer.status, answer.headers["Preference-Applied"]), (202, None))
    replay = {"Prefer": "wait=30", "Idempotency-Key": "once"}
    first = submit(server, key, headers=replay)
    second = submit(server, key, headers=replay)
    same("a replay with Prefer: wait answers the finished job",
         (second.status, second.json), (200, first.json))
    same("a replay with Prefer: wait has Idempotent-Replayed",
         second.headers["Idempotent-Replayed"], "true")
    same("a submission with Prefer: wait and an invalid parameter is answered 400",
         submit(server, key, fields={"degrees": "45"},
                                          headers={"Prefer": "wait=30"}).status, 400)


def check_prefer_in_vain(server, key):
    hold(server)
    begin = time.monotonic()
    answer = submit(server, key, headers={"Prefer": "wait=1", "Idempotency-Key": "held"})
    waited = time.monotonic() - begin
    ok("a job that takes longer than Prefer: wait is answered 202", answer.status == 202 and
       sorted(answer.json) == ["jobId", "status"] and waited >= 1, answer, waited)
    replay = {}

    def wait():
        replay["answer"] = submit(server, key,
                                  headers={"Prefer": "wait=50", "Idempotency-Key": "held"})
    waiting = threading.Thread(target=wait)
    waiting.start()
    go(server)
    waiting.join()
    same("a replay with Prefer: wait waits for a job that still runs",
         (replay["answer"].status, replay["answer"].json["jobId"]), (200, answer.json["jobId"]))


def connections(server):
    text = server.request("GET", "/metrics").body.decode()
    return float(re.search(r"^platen_http_connections (\S+)", text, re.M)[1])


def steady(server):
    """The connections of the server, when those of earlier requests are closed there, too."""
    counts = [connections(server)]
    ok("the connections of earlier requests are closed",
       until(lambda: counts.append(connections(server)) or len(set(counts[-10:])) == 1 and len(counts) > 10), counts)
    return counts[-1]


def check_left(server, key):
    """Clients that wait for a job, and leave."""
    open_before, polls = steady(server), []
    hold(server)
    job_id = submit(server, key).json["jobId"]
    for head in (f"GET /api/v1/jobs/{job_id}?wait=60 HTTP/1.1\r\nHost: h\r\nX-API-Key: {key}\r\n\r\n",) * 8:
        polls.append(socket.create_connection(("127.0.0.1", server.port), DEADLINE))
        polls[-1].sendall(head.encode())
    ok("clients that wait for a job have their places", until(lambda: connections(server) >= open_before + 8))
    for poll in polls[1:]:
        poll.close()
    ok("the places of clients that left are free soon",
       until(lambda: connections(server) <= open_before + 1, 15), connections(server))
    polls[0].shutdown(socket.SHUT_WR)
    polls[0].settimeout(15)
    ok("a client that ended only its side is answered at once, with the job as it is",
       b'"pending"' in polls[0].recv(8192))
    go(server)
    server.wait(job_id, key)


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
    ok("at most two of the many jobs begin before the other account's job", len(between) <= 2, job, between)


def check_lengths(server):
    """The server has not seen a rotation yet and takes one of 4 MB for a long job."""
    key = server.key()
    first, process = halted(server, key, lambda: submit(server, key, *slow_job(60)).json["jobId"])
    long = [submit(server, key, data=pdf(pad=4000000)).json["jobId"] for _ in range(8)]
    short = submit(server, key).json["jobId"]
    os.kill(process, signal.SIGCONT)
    begin = started(server, key, short)
    before = sum(started(server, key, job_id) < begin for job_id in [first, *long])
    ok("at most two long jobs of the same account begin before a short one", before <= 2, before)


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
    check_left(server, key)
    check_stop(server, key)
    same("the server stops cleanly after SIGTERM", server.close(), 0)
    server = Server("--workers", "1", "--event-streams", "30", "--event-streams-per-key", "20",
                    "--event-heartbeat", "200ms")
    check_lengths(server)
    check_turns(server)
    check_limits(server)
    log = server.logs()
    ok("the log has no line of level error", not re.search(r"level=error", log),
       re.findall(r".*level=error.*", log)[:5])
    same("the second server stops cleanly", server.close(), 0)
    done()


main()
