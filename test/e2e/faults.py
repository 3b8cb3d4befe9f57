"""A job that was answered 202 is run exactly once, whatever fails: kill -9, a full disk, a stop, a crash."""

import contextlib
import http.client
import json
import os
import random
import re
import resource
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time

from platen import Server, done, halted, jobs_of, multipart, ok, pdf, same, until, without_office

without_office()

TURN = {"degrees": "90"}


class Load:
    """Clients that submit until they are told to stop, and remember every 202."""

    def __init__(self, server, key, clients=6):
        self.server, self.key = server, key
        self.accepted, self.lock, self.stopping = [], threading.Lock(), False
        self.body, self.kind = multipart([("a.pdf", pdf(3))], TURN)
        self.threads = [threading.Thread(target=self.work, daemon=True) for _ in range(clients)]
        for thread in self.threads:
            thread.start()

    def work(self):
        while not self.stopping:
            try:
                answer = self.server.request("POST", "/api/v1/tools/pdf/rotate", self.key,
                                             {"Content-Type": self.kind}, self.body)
            except (OSError, http.client.HTTPException):
                time.sleep(0.02)  # the server is down: that is the test
                continue
            if answer.status == 202:
                with self.lock:
                    self.accepted.append(answer.json["jobId"])

    def stop(self):
        self.stopping = True
        for thread in self.threads:
            thread.join()
        return self.accepted


def is_busy_again(server, load):
    """Waits until more was accepted, and done, than could be under way when this began: no job is then
    struck twice in a row, and three times at the end."""
    n, log = len(load.accepted), len(server.logs())
    return until(lambda: len(load.accepted) > n + 20 and server.logs().count("event=job.done", log) > 20)


def states(server, key, ids):
    jobs = [server.wait(job_id, key).json for job_id in ids]
    return jobs, sorted({job.get("status", job.get("error")) for job in jobs})


def check_server_killed():
    server = Server()
    key = server.key()
    load = Load(server, key)
    for _ in range(4):
        is_busy_again(server, load)
        time.sleep(random.random() / 10)  # anywhere in the way of a job
        server.kill()
        server.start()
    accepted = load.stop()
    jobs, ends = states(server, key, accepted)
    ok(f"all {len(accepted)} jobs accepted before four kill -9 are completed",
       ends == ["completed"], ends, [job for job in jobs if job.get("status") != "completed"][:3])
    same("no two accepted jobs have the same id", len(set(accepted)), len(accepted))
    used = server.request("GET", "/api/v1/usage", key).json["requests"]["used"]
    ok("quota counts every accepted job, and beyond them at most those killed while being answered",
       len(accepted) <= used <= len(accepted) + 4 * 6, used, len(accepted))
    # Also of jobs whose 202 was cut off: they are done all the same.
    ok("each result is published once, and no other file is left", until(lambda: [
        name.split(".")[1] for name in server.blobs()] == ["out"] * used), server.blobs()[:5])
    sample = jobs[len(jobs) // 2]
    same("a result made before the kill can be downloaded",
         server.download(sample["downloadUrl"]).body[:5], b"%PDF-")
    server.close()


def check_zygote_killed():
    server = Server()
    key = server.key()
    load = Load(server, key)
    for _ in range(3):
        is_busy_again(server, load)
        for pid in server.children():
            with contextlib.suppress(ProcessLookupError):  # one may have ended meanwhile
                os.kill(pid, signal.SIGKILL)
    accepted = load.stop()
    jobs, ends = states(server, key, accepted)
    ok(f"all {len(accepted)} jobs accepted while the zygote was killed three times are completed",
       ends == ["completed"], ends, [job for job in jobs if job.get("status") != "completed"][:3])
    server.close()


def check_stop():
    server = Server("--shutdown-grace", "20s")
    key = server.key()
    load = Load(server, key)
    until(lambda: len(load.accepted) > 50)
    same("the server under load stops cleanly after SIGTERM", server.stop(), 0)
    accepted = load.stop()
    server.start()
    _, ends = states(server, key, accepted)
    same("jobs accepted before the stop are completed after the restart", ends, ["completed"])
    server.close()


SLOW = ("split", [("a.pdf", pdf(9000))])
EACH = {"pages": "all", "mode": "each"}


def submit_slow(server, key):
    return server.submit(*SLOW, key, EACH).json["jobId"]


def check_draining():
    server = Server("--shutdown-grace", "60s")
    key = server.key()
    slow, process = halted(server, key, lambda: submit_slow(server, key))
    poll = server.connect()
    poll.request("GET", f"/api/v1/jobs/{slow}?wait=60", headers={"X-API-Key": key})
    server.process.send_signal(signal.SIGTERM)
    ok("/readyz answers shutting_down while the server stops",
       until(lambda: server.request("GET", "/readyz").error == "shutting_down"))
    refusal = server.submit("rotate", [("a.pdf", pdf())], key, TURN)
    ok("submissions while the server stops are answered 503 shutting_down with Retry-After",
       refusal.status == 503 and refusal.error == "shutting_down" and
       int(refusal.headers["Retry-After"]) > 0, refusal)
    os.kill(process, signal.SIGCONT)
    same("the running job is finished before the stop, and a waiting poll is answered",
         json.loads(poll.getresponse().read())["status"], "completed")
    same("the server stops cleanly after the running job", server.close(), 0)


def check_put_back():
    server = Server("--shutdown-grace", "0s")
    key = server.key()
    slow, _ = halted(server, key, lambda: submit_slow(server, key))
    same("the server without a grace period stops cleanly", server.stop(), 0)
    server.start()
    same("a job that the stop interrupted is completed after the restart",
         server.wait(slow, key).json["status"],
         "completed")
    server.close()


def check_crashing():
    server = Server()
    key = server.key()
    killed = set()

    def kill_next():
        for pid in set(jobs_of(server)) - killed:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
                killed.add(pid)
        return len(killed) == 3 or server.request("GET", f"/api/v1/jobs/{slow}", key).json["status"] != "pending"

    for _ in range(5):  # on a busy machine a job may be over before its second process is found
        slow, _ = halted(server, key, lambda: submit_slow(server, key))
        killed.clear()
        if until(kill_next) and len(killed) == 3:
            break
        server.request("DELETE", f"/api/v1/jobs/{slow}", key)
    same("a job whose process is killed is started again", len(killed), 3)
    job = server.wait(slow, key).json
    ok("a job that crashes three times fails with internal_error", job.get("error") ==
       "internal_error" and "counted" in job["message"], job)
    same("a job that failed by crashes gives its quota back",
         server.request("GET", "/api/v1/usage", key).json["requests"][
        "used"], 0)
    same("a job of another account is completed after the crashes",
         server.run("rotate", [("a.pdf", pdf())], key, TURN)["status"],
         "completed")
    server.close()


@contextlib.contextmanager
def small_disk():
    """A file system of 12 MB of our own, for root only; None if it cannot be had."""
    folder = tempfile.mkdtemp(prefix="platen-e2e-")
    mounted = os.geteuid() == 0 and subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=12m", "platen", folder],
        capture_output=True).returncode == 0
    try:
        yield folder if mounted else None
    finally:
        if mounted:
            subprocess.run(["umount", folder])
        os.rmdir(folder)


def check_full_disk(folder):
    server = Server("--min-free-space", "0", data=folder)
    key = server.key()
    first = server.submit("rotate", [("a.pdf", pdf())], key, TURN)
    answers = [server.submit("rotate", [("a.pdf", pdf(pad=5_000_000))], key, TURN)
               for _ in range(6)]
    full = [answer for answer in answers if answer.status != 202]
    ok("an upload to a full disk is answered 507 storage_full", full and all(
        answer.status == 507 and answer.error == "storage_full" for answer in full), full)
    same("a job accepted before the disk was full is completed",
         server.wait(first.json["jobId"], key).json["status"],
         "completed")
    for answer in answers:
        if answer.status == 202:
            server.request("DELETE", f"/api/v1/jobs/{answer.json['jobId']}", key)
    # The deleted jobs' processes may still hold their files for a moment.
    ok("jobs are completed again once the disk has room", until(lambda: server.run(
        "rotate", [("a.pdf", pdf())], key, TURN).get("status") == "completed"))
    accepted = 2 + len([a for a in answers if a.status == 202])
    used = server.request("GET", "/api/v1/usage", key).json["requests"]["used"]
    ok("uploads refused for a full disk are not counted", used <= accepted, used, accepted)
    server.close()


def fill(folder, left):
    """A file that leaves so many bytes of the disk."""
    other = os.path.join(folder, "other")
    with open(other, "wb") as file:
        os.posix_fallocate(file.fileno(), 0, os.statvfs(folder).f_bavail * 4096 - left)
    return other


def jobs_without_room(server, folder, key):
    """Three slow jobs that are accepted, and whose results find no room then."""
    zygotes = server.children()
    for zygote in zygotes:
        os.kill(zygote, signal.SIGSTOP)
    jobs = [server.submit("split", [("a.pdf", pdf(1000))], key, EACH).json["jobId"] for _ in range(3)]
    other = fill(folder, 700_000)
    for zygote in zygotes:
        os.kill(zygote, signal.SIGCONT)
    return jobs, other


def check_no_room(folder):
    """There is room for an upload, and not for its result."""
    server = Server("--min-free-space", "0", "--job-attempts", "1", "--workers", "3", data=folder)
    key = server.key()
    other = fill(folder, 4_500_000)
    answer = server.submit("rotate", [("a.pdf", pdf(pad=3_000_000))], key, TURN)
    same("an upload that leaves no room for its result is answered 507",
         (answer.status, answer.error), (507, "storage_full"))
    os.unlink(other)
    jobs, other = jobs_without_room(server, folder, key)
    ok("a job that lacks room is logged", until(lambda: "event=jobs.lack_room" in server.logs()))
    until(lambda: len(jobs_of(server)) == 0)
    most = 0

    def tried_again():
        nonlocal most
        most = max(most, len(jobs_of(server)))
        return all(server.logs().count("job.put_back job=" + job) >= 2 for job in jobs)

    ok("jobs without room for their results are put back repeatedly", until(tried_again), server.logs()[-2000:])
    same("jobs run one at a time while they lack room", most, 1)
    ready = server.request("GET", "/readyz")
    ok("/readyz is 503 while jobs lack room, and says why", ready.status == 503 and
       "wait for room (3)" in ready.json["message"], ready.status, ready.json)
    answer = server.submit("rotate", [("a.pdf", pdf())], key, TURN)
    same("a submission is answered 507 with Retry-After while jobs lack room",
         (answer.status, answer.error, answer.headers.get("Retry-After")),
         (507, "storage_full", "10"))
    os.unlink(other)
    same("jobs that were put back are completed once there is room",
         [server.wait(job, key).json["status"] for job in jobs], ["completed"] * 3)
    ok("/readyz is 200 after jobs had room",
       until(lambda: server.request("GET", "/readyz").status == 200))
    same("a submission is accepted after jobs had room",
         server.run("rotate", [("a.pdf", pdf())], key, TURN)["status"], "completed")
    same("the log has one event when jobs begin to lack room, and one when none does",
         (server.logs().count("event=jobs.lack_room"), server.logs().count("event=jobs.have_room")),
         (1, 1))
    check_room_after_delete(server, folder, key)
    server.close()


def check_room_after_delete(server, folder, key):
    for job in server.request("GET", "/api/v1/jobs", key).json["jobs"]:
        server.request("DELETE", f"/api/v1/jobs/{job['jobId']}", key)
    jobs, other = jobs_without_room(server, folder, key)
    until(lambda: server.request("GET", "/readyz").status == 503)
    # While a job fills the last of the disk, the database has no room for the deletion.
    ok("jobs that lack room can be deleted", until(lambda: all(
        server.request("DELETE", f"/api/v1/jobs/{job}", key).status in (204, 404) for job in jobs)))
    ok("no job lacks room after those that did were deleted", until(
        lambda: server.request("GET", "/readyz").status == 200))
    os.unlink(other)


def check_descriptors():
    """A server that runs out of descriptors loses nothing that it accepted."""
    server = Server("--job-attempts", "1", "--workers", "1")
    key, pid = server.key(), server.process.pid
    server.run("rotate", [("a.pdf", pdf())], key, TURN)
    most = resource.prlimit(pid, resource.RLIMIT_NOFILE)
    accepted = []
    for more in range(2, 14):
        there = len(os.listdir(f"/proc/{pid}/fd"))
        resource.prlimit(pid, resource.RLIMIT_NOFILE, (there + more, most[1]))
        body, kind = multipart([("a.pdf", pdf())], TURN)
        client = http.client.HTTPConnection("127.0.0.1", server.port, timeout=2)
        try:
            client.request("POST", "/api/v1/tools/pdf/rotate", body,
                           {"Content-Type": kind, "X-API-Key": key})
            answer = client.getresponse()
            if answer.status == 202:
                accepted.append(json.loads(answer.read())["jobId"])
                until(lambda: re.search(rf"event=job\.(done|troubled|failed) job={accepted[-1]}",
                                        server.logs()))
        except OSError:
            pass  # no descriptor for the connection
        finally:
            client.close()
            resource.prlimit(pid, resource.RLIMIT_NOFILE, most)
    met = len({job for job in accepted if f"event=job.troubled job={job}" in server.logs()})
    ok("some jobs met a lack of descriptors", met, len(accepted))
    same("all jobs accepted during a lack of descriptors are completed",
         states(server, key, accepted)[1], ["completed"])
    same("a lack of descriptors is not logged as a crash",
         "event=job.crashed" in server.logs(), False)
    server.close()


def check_few_descriptors():
    """Connections are given no more than the limit of open files carries."""
    script = ("import os, resource, sys\n"
              "resource.setrlimit(resource.RLIMIT_NOFILE, (700, 700))\n"
              "os.execv(sys.argv[1], sys.argv[1:])")
    server = Server(wrapper=[sys.executable, "-c", script])
    found = re.search(r"event=http.connections_lowered max_connections=10000 to=(\d+)", server.logs())
    ok("a low limit of open files lowers max_connections", found and int(found[1]) == 62,
       server.logs())
    many = server.submit("merge", [("a.pdf", pdf())] * 500, server.key())
    same("a merge of more files than the limit of descriptors allows is answered 503", (many.status, many.error), (503, "overloaded"))
    same("a merge of few files is completed under a low limit of descriptors", server.run("merge", [("a.pdf", pdf())] * 20, server.key())["status"], "completed")
    idle = [socket.create_connection(("127.0.0.1", server.port)) for _ in range(650)]
    same("the server works while clients hold as many connections as they can",
         server.run("rotate", [("a.pdf", pdf())], server.key(), TURN)["status"], "completed")
    for connection in idle:
        connection.close()
    server.close()


def upload_slowly(server, key, socks, chunked):
    """Uploads of 3.5 MB on these sockets, a piece of each in turn; what the server answers."""
    body, kind = multipart([("a.pdf", pdf(pad=3_500_000))], TURN)
    for sock in socks:
        length = "Transfer-Encoding: chunked" if chunked else f"Content-Length: {len(body)}"
        sock.sendall(f"POST /api/v1/tools/pdf/rotate HTTP/1.1\r\nHost: x\r\nX-API-Key: {key}\r\n"
                     f"Content-Type: {kind}\r\n{length}\r\nExpect: 100-continue\r\n\r\n".encode())
    go_on = b"HTTP/1.1 100 Continue\r\n\r\n"
    for sock in socks:  # all are accepted by their headers alone, or have their answer
        if sock.recv(len(go_on), socket.MSG_PEEK) == go_on:
            sock.recv(len(go_on))
    for at in range(0, len(body), 50_000):
        piece = body[at:at + 50_000]
        for sock in socks:
            try:
                sock.sendall(b"%x\r\n%s\r\n" % (len(piece), piece) if chunked else piece)
            except OSError:
                pass  # it has its answer
    for sock in socks:
        try:
            sock.sendall(b"0\r\n\r\n" if chunked else b"")
        except OSError:
            pass
    return sorted(sock.recv(12)[-3:] for sock in socks)


def check_uploads_at_once(folder):
    """Each has room for itself, and not both of them."""
    server = Server("--min-free-space", "7M", data=folder)
    key = server.key()
    for chunked in (False, True):
        socks = [socket.create_connection(("127.0.0.1", server.port), timeout=30)
                 for _ in range(2)]
        answers = upload_slowly(server, key, socks, chunked)
        same("concurrent uploads that fill the disk are answered 507, "
             f"{'chunked' if chunked else 'plain'}",
             answers[-1], b"507")
        for sock in socks:
            sock.close()
        for job in server.request("GET", "/api/v1/jobs", key).json["jobs"]:
            server.request("DELETE", f"/api/v1/jobs/{job['jobId']}", key)
        ok("the room of refused uploads is freed", until(
            lambda: os.statvfs(folder).f_bavail * os.statvfs(folder).f_frsize > 9_000_000))
    server.close()


def check_disk():
    for check in (check_full_disk, check_no_room, check_uploads_at_once):
        with small_disk() as folder:
            if folder:
                check(folder)
            else:
                ok("a full disk # SKIP needs to mount a tmpfs", True)


def check_second_server():
    server = Server()
    try:
        Server(data=server.data)
        ok("a second server on the same data is refused", False)
    except RuntimeError as error:
        ok("a second server on the same data is refused", "a server runs on" in str(error), error)
    same("the first server still answers after a second was refused",
         server.request("GET", "/healthz").status, 200)
    server.close()


def check_delete_running():
    """A job that takes long: ten thousand parts."""
    server = Server("--workers", "1")
    key = server.key()
    job_id, _ = halted(server, key, lambda: submit_slow(server, key))
    behind = server.submit("rotate", [("a.pdf", pdf())], key, TURN).json["jobId"]
    same("DELETE of a running job answers 204", server.request(
        "DELETE", f"/api/v1/jobs/{job_id}", key).status, 204)
    same("the next job runs after the running one was deleted",
         server.wait(behind, key).json["status"], "completed")
    ok("the deleted job is not logged as done", "event=job.done job=" + job_id not in server.logs(),
       server.logs()[-1500:])
    ok("no file of the deleted job is left", until(lambda: not any(
        name.startswith(job_id) for name in server.blobs())))
    server.close()


def check_limits():
    server = Server("--job-timeout", "20ms")
    key = server.key()
    job = server.run(*SLOW, key, EACH)
    ok("a job that exceeds the time limit fails with limit_exceeded",
       job.get("error") == "limit_exceeded",
       job)
    same("a job that exceeded the time limit gives its quota back",
         server.request("GET", "/api/v1/usage", key).json["requests"][
        "used"], 0)
    server.close()
    server = Server("--job-output", "20k")
    key = server.key()
    job = server.run("rotate", [("a.pdf", pdf(pad=100_000))], key, TURN)
    ok("a job whose result is too large fails with limit_exceeded",
       job.get("error") == "limit_exceeded", job)
    server.close()


def main():
    seed = int(os.environ.get("SEED", time.time_ns() % 100000))
    random.seed(seed)
    print(f"# SEED={seed}", flush=True)
    check_server_killed()
    check_zygote_killed()
    check_stop()
    check_draining()
    check_put_back()
    check_crashing()
    check_disk()
    check_descriptors()
    check_few_descriptors()
    check_second_server()
    check_delete_running()
    check_limits()
    done()


main()
