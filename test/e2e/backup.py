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
    ok(f"after the restore all of its {len(jobs)} jobs are completed", jobs and
       {job["status"] for job in ends} == {"completed"},
       [job for job in ends if job["status"] != "completed"][:2], server.logs()[-1500:])
    # One that was in flight in the backup ran again here, and has a new /ID.
    kept = [job for job in ends if job["jobId"] in completed and job["jobId"] in clients.results]
    wrong = [job["jobId"] for job in kept if
             server.download(job["downloadUrl"]).body != clients.results[job["jobId"]]]
    ok(f"after the restore each of {len(kept)} results has the same bytes as on the first server",
       kept and not wrong, wrong)
    ok("after the restore there are no files but those of jobs",
       until(lambda: {name.split(".")[0] for name in server.blobs()} ==
                                        {job["jobId"] for job in jobs}))
    same("after the restore the API keys work",
         server.run("rotate", [("a.pdf", pdf())], key, TURN)["status"],
         "completed")
    first = ends[0]["downloadUrl"].split("/api/")[1]
    same("after the restore an earlier download address works", server.request(
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
        same("a backup of a busy server has status 0", made.returncode, 0)
        ok("backup prints how many jobs with files it holds",
           "jobs with files" in made.stdout, made.stdout, made.stderr)
    clients.stop()
    same("the backup's folder has mode 0700", os.stat(backups[0]).st_mode & 0o777, 0o700)
    linked = [os.stat(os.path.join(path, name)).st_nlink for path, _, names in os.walk(backups[2])
              for name in names if ".out." in name]
    ok("a backup on the same file system links the files", linked and max(linked) > 1)
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
    same("a backup with waiting jobs has status 0", command(
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
    same("jobs that waited at the backup run after the restore",
         {server.wait(job, key).json["status"] for job in waiting},
         {"completed"})
    same("the job that ran at the backup runs after the restore",
         server.wait(slow.json["jobId"], key).json["status"], "completed")
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
    ok("a restore onto a full disk fails", made.returncode not in (0, 2), made.stderr)
    torn = [name for path, _, names in os.walk(elsewhere) for name in names
            if name in sizes and os.path.getsize(os.path.join(path, name)) != sizes[name]]
    same("each file of a restore that failed is either complete or a .part file", torn, [])
    made = command(*words[1:])
    ok("a second restore into the same folder is refused: not empty",
       made.returncode == 2 and "not empty" in made.stderr,
       made.stderr)
    shutil.rmtree(os.path.join(elsewhere, "d"))
    os.makedirs(os.path.join(elsewhere, "d", "lost+found"))
    same("a restore into an empty folder works, even if it is the root of a file system",
         command(*words[1:]).returncode, 0)
    shutil.rmtree(elsewhere)
    broken = os.path.join(folder, "broken-inputs")
    shutil.copytree(backup, broken)
    for path, _, names in os.walk(broken):
        for name in names:
            if sizes.get(name) == largest:
                os.truncate(os.path.join(path, name), 3)
    made = command("restore", broken, "--data", os.path.join(folder, "from-broken-inputs"))
    ok("a backup lacking bytes of an input is reported as incomplete", made.returncode == 1 and
       "has 3 bytes instead of" in made.stderr, made.stderr)


def check_copies(folder):
    """Another file system: nothing can be linked there."""
    server = Server(data=os.path.join(folder, "far"))
    key = server.key()
    job = server.run("rotate", [("a.pdf", pdf(pad=300_000))], key, TURN)
    elsewhere = tempfile.mkdtemp(prefix="platen-e2e-", dir="/dev/shm")
    backup = os.path.join(elsewhere, "backup")
    made = command("backup", backup, "--data", os.path.join(server.data, "d"))
    ok("a backup on another file system copies the files", made.returncode == 0 and
       " 1 copied" in made.stdout, made.stdout, made.stderr)
    data = server.download(job["downloadUrl"]).body
    found = [open(os.path.join(path, name), "rb").read() for path, _, names in os.walk(backup)
             for name in names if name.startswith(job["jobId"])]
    same("a copied file has the original bytes", found, [data])
    server.close()
    shutil.rmtree(elsewhere)


def check_refusals(folder):
    live = os.path.join(folder, "live/d")
    made = command("backup", os.path.join(folder, "backup-0"), "--data", live)
    ok("a backup into an existing folder is refused",
       made.returncode == 2 and "already" in made.stderr)
    made = command("backup", os.path.join(folder, "x"), "--data", os.path.join(folder, "none"))
    ok("a backup of a data folder that does not exist fails", made.returncode == 1, made.stderr)
    made = command("restore", os.path.join(folder, "backup-0"), "--data", live)
    ok("a restore into a data folder that is not empty is refused", made.returncode == 2 and
       "move the folder away" in made.stderr, made.stderr)
    made = command("backup", "--data", live)
    ok("a backup without a folder is refused", made.returncode == 2, made.stderr)
    broken = os.path.join(folder, "broken")
    shutil.copytree(os.path.join(folder, "backup-1"), broken)
    for path, _, names in os.walk(broken):
        # All of them: one may be of a job that had not ended yet, which begins anew anyway.
        for name in names:
            if ".out." in name:
                os.truncate(os.path.join(path, name), 3)
    made = command("restore", broken, "--data", os.path.join(folder, "from-broken"))
    ok("a backup lacking bytes of a result is reported as incomplete", made.returncode == 1 and
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
