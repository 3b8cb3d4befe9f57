"""A backup taken under load is a data folder of one moment: restored, its completed jobs can be had
and the others run."""

import os
import resource
import shutil
import sqlite3
import subprocess
import tempfile
import threading

from platen import DEADLINE, PLATEN, Server, done, go, hold, multipart, ok, pdf, same, until, without_office

without_office()

TURN = {"degrees": "90"}


class Clients:
    """Submit, delete some, and remember what each completed job's result was."""

    def __init__(self, server, key, n=4):
        self.server, self.key, self.stopping = server, key, False
        self.results, self.deleted, self.lock = {}, set(), threading.Lock()
        self.threads = [threading.Thread(target=self.work, args=(i,)) for i in range(n)]
        for thread in self.threads:
            thread.start()

    def work(self, number):
        turn = 0
        while not self.stopping:
            turn += 1
            body, kind = multipart([("a.pdf", pdf(
                1 + turn % 7, text=f"{number} {turn}", pad=turn % 2 * 100_000))], TURN)
            answer = self.server.request("POST", "/api/v1/tools/pdf/rotate", self.key,
                                         {"Content-Type": kind}, body)
            if answer.status != 202:
                continue
            job = self.server.wait(answer.json["jobId"], self.key).json
            data = self.server.download(job["downloadUrl"]).body
            with self.lock:
                self.results[job["jobId"]] = data
            if turn % 5 == 0:
                self.server.request("DELETE", f"/api/v1/jobs/{job['jobId']}", self.key)
                with self.lock:
                    self.deleted.add(job["jobId"])

    def stop(self):
        self.stopping = True
        for thread in self.threads:
            thread.join()


def command(*words):
    return subprocess.run([PLATEN, *words], capture_output=True, text=True, timeout=DEADLINE)


def all_jobs(server, key):
    jobs, cursor = [], ""
    while cursor is not None:
        page = server.request("GET", f"/api/v1/jobs?limit=100{cursor}", key).json
        jobs += page["jobs"]
        cursor = f"&cursor={page['nextCursor']}" if page["nextCursor"] else None
    return jobs


def check_restored(folder, backup, clients, key, number):
    """What the backup holds is whole, by the bytes."""
    data = os.path.join(folder, f"restored-{number}")
    os.mkdir(data)
    made = command("restore", backup, "--data", os.path.join(data, "d"))
    same(f"backup {number} is restored", made.returncode, 0)
    with sqlite3.connect(os.path.join(data, "d/platen.db")) as db:
        completed = {row[0] for row in db.execute("SELECT id FROM jobs WHERE state = 2")}
    server = Server(data=data)
    jobs = all_jobs(server, key)
    ends = [server.wait(job["jobId"], key).json for job in jobs]
    ok(f"all of its {len(jobs)} jobs are completed, or run", jobs and
       {job["status"] for job in ends} == {"completed"},
       [job for job in ends if job["status"] != "completed"][:2], server.logs()[-1500:])
    # One that was in flight in the backup ran again here, and has a new /ID.
    kept = [job for job in ends if job["jobId"] in completed and job["jobId"] in clients.results]
    wrong = [job["jobId"] for job in kept if
             server.download(job["downloadUrl"]).body != clients.results[job["jobId"]]]
    ok(f"each of {len(kept)} results is, to the byte, what the first server gave",
       kept and not wrong, wrong)
    ok("nothing else lies there", until(lambda: {name.split(".")[0] for name in server.blobs()} ==
                                        {job["jobId"] for job in jobs}))
    same("the keys work", server.run("rotate", [("a.pdf", pdf())], key, TURN)["status"],
         "completed")
    first = ends[0]["downloadUrl"].split("/api/")[1]
    same("a download address of before still does", server.request(
        "GET", "/api/" + first.replace(f":{server.port}", "")).status, 200)
    server.close()


def check_under_load(folder):
    server = Server(data=os.path.join(folder, "live"))
    key = server.key()
    clients = Clients(server, key)
    backups = []
    for number in range(3):
        n = len(clients.results)
        until(lambda: len(clients.results) > n + 25)
        backups.append(os.path.join(folder, f"backup-{number}"))
        made = command("backup", backups[-1], "--data", os.path.join(server.data, "d"))
        same("a backup under load", made.returncode, 0)
        ok("says what it holds", "jobs with files" in made.stdout, made.stdout, made.stderr)
    clients.stop()
    same("it is closed to others", os.stat(backups[0]).st_mode & 0o777, 0o700)
    linked = [os.stat(os.path.join(path, name)).st_nlink for path, _, names in os.walk(backups[2])
              for name in names if ".out." in name]
    ok("on the same file system files are linked", linked and max(linked) > 1)
    server.close()
    for number, backup in enumerate(backups):
        check_restored(folder, backup, clients, key, number)


def check_pending(folder):
    """Jobs that wait, with a password that waits with them."""
    server = Server("--workers", "1", data=os.path.join(folder, "waiting"))
    key = server.key()
    hold(server)
    slow = server.submit("split", [("a.pdf", pdf(900))], key, {"pages": "all", "mode": "each"})
    waiting = [server.submit("add-password", [("a.pdf", pdf())], key, {"password": "secret word"})
               .json["jobId"] for _ in range(5)]
    backup = os.path.join(folder, "backup-waiting")
    same("a backup with jobs that wait", command(
        "backup", backup, "--data", os.path.join(server.data, "d")).returncode, 0)
    server.request("DELETE", f"/api/v1/jobs/{slow.json['jobId']}", key)
    go(server)
    server.close()
    os.mkdir(os.path.join(folder, "again"))
    command("restore", backup, "--data", os.path.join(folder, "again/d"))
    # What is copied from another file system is not linked and has a mode of its own.
    for at, _, names in os.walk(os.path.join(folder, "again/d/blobs")):
        for name in names:
            os.chmod(os.path.join(at, name), 0o600)
    server = Server(data=os.path.join(folder, "again"))
    same("they run after the restore", {server.wait(job, key).json["status"] for job in waiting},
         {"completed"})
    same("also the one that ran", server.wait(slow.json["jobId"], key).json["status"], "completed")
    server.close()


def check_broken_off(folder):
    """On another file system, where all is copied: nothing half copied is ever taken for whole."""
    backup = os.path.join(folder, "backup-waiting")
    sizes = {name: os.path.getsize(os.path.join(path, name))
             for path, _, names in os.walk(os.path.join(backup, "blobs")) for name in names}
    largest = max(sizes.values())
    elsewhere = tempfile.mkdtemp(prefix="platen-e2e-", dir="/dev/shm")
    words = [PLATEN, "restore", backup, "--data", os.path.join(elsewhere, "d")]

    def short():
        resource.setrlimit(resource.RLIMIT_FSIZE, (largest // 2, largest // 2))

    made = subprocess.run(words, preexec_fn=short, capture_output=True, text=True, timeout=DEADLINE)
    ok("a restore that runs out of room fails", made.returncode not in (0, 2), made.stderr)
    torn = [name for path, _, names in os.walk(elsewhere) for name in names
            if name in sizes and os.path.getsize(os.path.join(path, name)) != sizes[name]]
    same("what has its name is whole", torn, [])
    made = command(*words[1:])
    ok("the next finds the folder not empty", made.returncode == 2 and "not empty" in made.stderr,
       made.stderr)
    shutil.rmtree(os.path.join(elsewhere, "d"))
    os.makedirs(os.path.join(elsewhere, "d", "lost+found"))
    same("in an empty one it is done, be it a file system's root", command(*words[1:]).returncode, 0)
    shutil.rmtree(elsewhere)
    broken = os.path.join(folder, "broken-inputs")
    shutil.copytree(backup, broken)
    for path, _, names in os.walk(broken):
        for name in names:
            if sizes.get(name) == largest:
                os.truncate(os.path.join(path, name), 3)
    made = command("restore", broken, "--data", os.path.join(folder, "from-broken-inputs"))
    ok("a backup that lost bytes of an input is not taken for whole", made.returncode == 1 and
       "has 3 bytes instead of" in made.stderr, made.stderr)


def check_copies(folder):
    """Another file system: nothing can be linked there."""
    server = Server(data=os.path.join(folder, "far"))
    key = server.key()
    job = server.run("rotate", [("a.pdf", pdf(pad=300_000))], key, TURN)
    elsewhere = tempfile.mkdtemp(prefix="platen-e2e-", dir="/dev/shm")
    backup = os.path.join(elsewhere, "backup")
    made = command("backup", backup, "--data", os.path.join(server.data, "d"))
    ok("on another file system files are copied", made.returncode == 0 and
       " 1 copied" in made.stdout, made.stdout, made.stderr)
    data = server.download(job["downloadUrl"]).body
    found = [open(os.path.join(path, name), "rb").read() for path, _, names in os.walk(backup)
             for name in names if name.startswith(job["jobId"])]
    same("with their bytes", found, [data])
    server.close()
    shutil.rmtree(elsewhere)


def check_refusals(folder):
    live = os.path.join(folder, "live/d")
    made = command("backup", os.path.join(folder, "backup-0"), "--data", live)
    ok("a target that is there is refused", made.returncode == 2 and "already" in made.stderr)
    made = command("backup", os.path.join(folder, "x"), "--data", os.path.join(folder, "none"))
    ok("a data folder that is not there too", made.returncode == 1, made.stderr)
    made = command("restore", os.path.join(folder, "backup-0"), "--data", live)
    ok("a data folder that holds something is not overwritten", made.returncode == 2 and
       "move the folder away" in made.stderr, made.stderr)
    made = command("backup", "--data", live)
    ok("a folder must be named", made.returncode == 2, made.stderr)
    broken = os.path.join(folder, "broken")
    shutil.copytree(os.path.join(folder, "backup-1"), broken)
    for path, _, names in os.walk(broken):
        # All of them: one may be of a job that had not ended yet, which begins anew anyway.
        for name in names:
            if ".out." in name:
                os.truncate(os.path.join(path, name), 3)
    made = command("restore", broken, "--data", os.path.join(folder, "from-broken"))
    ok("a backup that lost bytes is not taken for whole", made.returncode == 1 and
       "bytes instead of" in made.stderr, made.stderr)


def main():
    folder = tempfile.mkdtemp(prefix="platen-e2e-")
    for name in ("live", "waiting", "far"):
        os.mkdir(os.path.join(folder, name))
    check_under_load(folder)
    check_pending(folder)
    check_broken_off(folder)
    check_copies(folder)
    check_refusals(folder)
    shutil.rmtree(folder)
    done()


main()
