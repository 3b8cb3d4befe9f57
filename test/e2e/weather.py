"""What a machine does to a server: a disk that becomes read-only, a database that another process
holds, a clock that jumps. Nothing accepted is lost, and work goes on when it is over."""

import os
import re
import shutil
import signal
import sqlite3
import struct
import subprocess
import sys
import tempfile
import time

from platen import DEADLINE, Server, done, halted, ok, pdf, same, until, without_office

without_office()

TURN = {"degrees": "90"}
SLOW = ("split", [("a.pdf", pdf(3000))])
EACH = {"pages": "all", "mode": "each"}
SHIM = sys.argv[2]


def rotate(server, key):
    return server.run("rotate", [("a.pdf", pdf())], key, TURN)


class Disk:
    """An ext4 file system in a file, which can be made to fail as a broken disk makes it: read-only,
    whoever has files open. For root only."""

    def __init__(self):
        self.folder = tempfile.mkdtemp(prefix="platen-e2e-")
        self.image = self.folder + ".image"
        with open(self.image, "wb") as file:
            file.truncate(64 << 20)
        self.there = os.geteuid() == 0 and self.do("mkfs.ext4", "-q", self.image) and self.mount()

    def do(self, *words):
        try:
            return subprocess.run(words, capture_output=True, timeout=DEADLINE).returncode == 0
        except FileNotFoundError:
            return False

    def mount(self):
        return self.do("mount", "-o", "loop", self.image, self.folder)

    def fail(self):
        return self.do("mount", "-o", "remount,abort", self.folder)

    def mend(self):
        self.do("umount", self.folder)
        self.do("e2fsck", "-p", self.image)
        return self.mount()

    def close(self):
        self.do("umount", self.folder)
        os.rmdir(self.folder)
        os.unlink(self.image)


def check_read_only():
    disk = Disk()
    if not disk.there:
        ok("a disk that becomes read-only # SKIP needs to mount an image", True)
        disk.close()
        return
    server = Server("--min-free-space", "1M", data=disk.folder)
    key = server.key()
    first = rotate(server, key)
    running, process = halted(server, key, lambda: submit_slow(server, key))
    ok("the disk fails while a job runs", disk.fail())
    os.kill(process, signal.SIGCONT)
    answers = [server.submit("rotate", [("a.pdf", pdf())], key, TURN) for _ in range(3)]
    ok("uploads to a read-only disk are answered 507 storage_full", all(
        answer.status == 507 and answer.error == "storage_full" for answer in answers), answers)
    same("/readyz is 507 while the disk is read-only", server.request("GET", "/readyz").status, 507)
    same("the server answers while the disk is read-only",
         server.request("GET", "/healthz").status, 200)
    data = server.download(first["downloadUrl"])
    same("a result can be downloaded while the disk is read-only",
         (data.status, data.body[:5]), (200, b"%PDF-"))
    server.stop()
    ok("the disk becomes writable again", disk.mend())
    server.start()
    same("the job that ran when the disk failed is completed",
         server.wait(running, key).json["status"], "completed")
    same("a new job is completed after the disk was repaired",
         rotate(server, key)["status"], "completed")
    server.close()
    disk.close()
    os.unlink(disk.folder + ".log")


def check_read_only_start():
    """A data folder that cannot be written is refused with words, not with a crash."""
    folder = tempfile.mkdtemp(prefix="platen-e2e-")
    if os.geteuid() or subprocess.run(["mount", "-t", "tmpfs", "platen", folder],
                                      capture_output=True).returncode:
        ok("a start on a read-only disk # SKIP needs to mount a tmpfs", True)
        os.rmdir(folder)
        return
    try:
        Server(data=folder).close()
        subprocess.run(["mount", "-o", "remount,ro", folder], check=True)
        try:
            Server(data=folder)
            ok("a start on a read-only disk is refused", False)
        except RuntimeError as error:
            ok("a start on a read-only disk is refused with the reason",
               "Read-only" in str(error) or
               "readonly" in str(error), error)
    finally:
        subprocess.run(["umount", folder])
        os.rmdir(folder)
        os.unlink(folder + ".log")


def check_locked():
    server = Server()
    key = server.key()
    before = rotate(server, key)
    running, process = halted(server, key, lambda: submit_slow(server, key))
    spent = server.request("GET", "/api/v1/usage", key).json["requests"]["used"]
    other = sqlite3.connect(os.path.join(server.data, "d/platen.db"), isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    os.kill(process, signal.SIGCONT)
    begin = time.monotonic()
    answer = server.submit("rotate", [("a.pdf", pdf())], key, TURN)
    ok("an upload while another process locks the database waits, then is answered 503",
       answer.status == 503 and answer.error == "overloaded" and time.monotonic() - begin > 5 and
       answer.headers["Retry-After"], answer, time.monotonic() - begin)
    same("polls are answered while the database is locked", server.request(
        "GET", f"/api/v1/jobs/{before['jobId']}", key).json["status"], "completed")
    same("downloads are answered while the database is locked",
         server.download(before["downloadUrl"]).status, 200)
    other.execute("ROLLBACK")
    other.close()
    same("jobs are completed once the database is free", rotate(server, key)["status"], "completed")
    same("the job that ran while the database was locked is completed",
         server.wait(running, key).json["status"], "completed")
    used = server.request("GET", "/api/v1/usage", key).json["requests"]["used"]
    same("the upload refused for a locked database is not counted", used, spent + 1)
    same("the upload refused for a locked database leaves no file", {name.split(".")[1] for name in server.blobs()}, {"out"})
    server.close()


class Clock:
    def __init__(self, folder):
        self.path = os.path.join(folder, "clock")
        self.set(0)

    def set(self, seconds):
        with open(self.path, "r+b" if os.path.exists(self.path) else "wb") as file:
            file.write(struct.pack("q", seconds * 1000))


def submit_slow(server, key):
    return server.submit(*SLOW, key, EACH).json["jobId"]


def check_clock():
    folder = tempfile.mkdtemp(prefix="platen-e2e-")
    clock = Clock(folder)
    server = Server("--workers", "1", data=folder,
                    env={"LD_PRELOAD": SHIM, "CLOCK_SHIM": clock.path})
    key = server.key()
    hour = 3600
    for name, seconds in (("forward by an hour", hour), ("back by two", -hour),
                          ("forward by ten years", 10 * 365 * 24 * hour), ("back to the right time", 0)):
        slow, process = halted(server, key, lambda: submit_slow(server, key))
        waiting = server.submit("rotate", [("a.pdf", pdf())], key, TURN).json["jobId"]
        clock.set(seconds)
        os.kill(process, signal.SIGCONT)
        ends = [server.wait(job, key).json.get("status") for job in (slow, waiting)]
        same(f"the clock jumps {name}: the running and the waiting job are completed",
             ends, ["completed", "completed"])
        job = rotate(server, key)
        same(f"the clock jumps {name}: a new job is completed", job["status"], "completed")
        same(f"the clock jumps {name}: its result can be downloaded",
             server.download(job["downloadUrl"]).status, 200)
    # What came while the clock stood later must not wait for that time to come again.
    clock.set(10 * hour)
    slow = submit_slow(server, key)
    later = server.submit("rotate", [("a.pdf", pdf())], key, TURN).json["jobId"]
    clock.set(0)
    server.kill()
    server.start()
    same("jobs with times in the future are completed after a restart",
         [server.wait(job, key).json["status"] for job in (slow, later)], ["completed", "completed"])
    ended = [line.split(" job=")[1].split()[0] for line in server.logs().splitlines()
             if "event=job.done" in line]
    same("the log has one end of each job", len(ended), len(set(ended)))
    server.close()
    os.unlink(clock.path)
    os.rmdir(folder) if not os.listdir(folder) else None


def check_fsync():
    """A disk that takes bytes and does not keep them: what was not answered 202 was not accepted."""
    folder = tempfile.mkdtemp(prefix="platen-e2e-")
    broken = os.path.join(folder, "broken")
    server = Server(env={"LD_PRELOAD": SHIM, "FSYNC_SHIM": broken})
    key = server.key()

    def is_ready():
        return server.request("GET", "/readyz").status == 200

    rotate(server, key)
    ok("a server with a working disk becomes ready", until(is_ready))
    with open(broken, "w", encoding="ascii"):
        pass
    same("a job that cannot be made durable is answered 500",
         server.submit("rotate", [("a.pdf", pdf())], key, TURN).status, 500)
    same("/readyz is 503 while nothing can be made durable",
         [server.request("GET", "/readyz").status
                                         for _ in range(2)], [503] * 2)
    os.unlink(broken)
    ok("/readyz is 200 once the disk works again", is_ready())
    same("a job is completed once the disk works again", rotate(server, key)["status"], "completed")
    server.close()
    os.rmdir(folder)


def check_damaged():
    """A database with a page of garbage, found after an end that was not clean."""
    server = Server()
    key = server.key()
    for _ in range(30):
        server.submit("rotate", [("a.pdf", pdf())], key, TURN)
    server.stop()
    path = os.path.join(server.data, "d", "platen.db")
    database = sqlite3.connect(path)
    root = database.execute("SELECT rootpage FROM sqlite_schema WHERE name = 'jobs'").fetchone()[0]
    size = database.execute("PRAGMA page_size").fetchone()[0]
    database.close()
    with open(path, "r+b") as file:
        file.seek((root - 1) * size)
        file.write(b"\xaa" * size)
    with open(path + "-wal", "wb") as file:
        file.write(b"\0")
    try:
        server.start()
        said = "it started"
    except RuntimeError as error:
        said = str(error)
    ok("a damaged database is reported with what to do",
       "the database is damaged" in said and "platen restore" in said, said)
    server.close()


def check_truncated():
    server = Server()
    key = server.key()
    job = server.run("rotate", [("a.pdf", pdf(pad=100_000))], key, TURN)  # too large for the store
    folder = os.path.join(server.data, "d", "blobs")
    found = [os.path.join(at, name) for at, _, names in os.walk(folder) for name in names]
    for path in found:
        os.truncate(path, 100)
    same("a download of a truncated result is answered 500",
         server.download(job["downloadUrl"]).status, 500)
    ok("a truncated result is logged as blob.damaged", "event=blob.damaged" in server.logs(), found)
    server.close()


def check_changed():
    """A disk that returns other bytes than were written, in a small and in a large result."""
    server = Server()
    key = server.key()
    folder = os.path.join(server.data, "d", "blobs")
    for pad in (100_000, 3_000_000):
        job = server.run("rotate", [("a.pdf", pdf(pad=pad))], key, TURN)
        same(f"a result of {pad} bytes is downloaded", server.download(job["downloadUrl"]).status, 200)
        for at, _, names in os.walk(folder):
            for name in names:
                with open(os.path.join(at, name), "r+b") as file:
                    file.seek(60)
                    byte = file.read(1)[0]
                    file.seek(60)
                    file.write(bytes([byte ^ 1]))
        same("one bit of it is another one, and the download is answered 500",
             server.download(job["downloadUrl"]).status, 500)
    ok("both are logged as blob.damaged", server.logs().count("event=blob.damaged") == 2)
    server.close()


def check_closed():
    """Whatever folder, umask and limits it is started with, the server keeps others out."""
    folder = tempfile.mkdtemp(prefix="platen-e2e-")
    data = os.path.join(folder, "d")
    os.mkdir(data)
    os.chmod(data, 0o755)
    server = Server(data=folder, wrapper=[
        "sh", "-c", 'umask 0; ulimit -c "$(ulimit -H -c)"; exec "$@"', "sh"])
    same("the server sets an open data folder's mode to 0700",
         os.stat(data).st_mode & 0o777, 0o700)
    ok("the server warns that it changed the data folder's mode",
       re.search(r"level=warn .*event=data.closed", server.logs()),
       server.logs()[-600:])
    same("a job is completed in the closed data folder",
         rotate(server, server.key())["status"], "completed")
    folders = [at for at, _, _ in os.walk(data)]
    same("every folder below the data folder is closed to other users, whatever the umask",
         [path for path in folders if os.stat(path).st_mode & 0o077], [])
    ok("the folders of results are among those checked",
       os.path.join(data, "blobs") in folders and len(folders) > 256)
    # Results themselves are readable, for worker programs under a user of their own; they lie in
    # folders that only the server enters.
    files = [entry for entry in os.scandir(data) if entry.is_file()]
    same("the database and the keys are closed to other users",
         [entry.name for entry in files if entry.stat().st_mode & 0o077], [])
    ok("the database and the keys exist",
       {"platen.db", "platen.db-wal", "url.key"} <= {e.name for e in files},
       files)
    for pid in [server.process.pid, *server.children()]:
        with open(f"/proc/{pid}/limits", encoding="ascii") as limits:
            core = re.search(r"Max core file size +(\S+) +(\S+)", limits.read())
        same("neither the server nor a worker program can write a core file",
             core.groups(), ("0", "0"))
    server.close()
    shutil.rmtree(folder)
    os.unlink(server.log_path)


def main():
    check_closed()
    check_fsync()
    check_damaged()
    check_truncated()
    check_changed()
    check_read_only()
    check_read_only_start()
    check_locked()
    check_clock()
    done()


main()
