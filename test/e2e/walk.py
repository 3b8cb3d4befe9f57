"""The commands of "Three servers in ten minutes" in docs/operating.md, as they stand there but for ports
and the way to become PostgreSQL's administrator. The database asks for what Debian's does: the system's
user on its socket, a password on TCP."""

import atexit
import json
import os
import pwd
import re
import shutil
import signal
import subprocess
import sys
import tempfile

from database import AS_NOBODY, BIN, free_port
from platen import PLATEN, done, ok, pdf, same


def start_database(folder):
    """A PostgreSQL server like that of Debian's package: its port, and the command of its administrator."""
    port = free_port()
    if AS_NOBODY:
        shutil.chown(folder, "nobody")
    data, log = os.path.join(folder, "data"), os.path.join(folder, "log")
    control = [*AS_NOBODY, os.path.join(BIN, "pg_ctl"), "-D", data]
    administrator = "nobody" if AS_NOBODY else pwd.getpwuid(os.geteuid()).pw_name
    for words in ([*AS_NOBODY, os.path.join(BIN, "initdb"), "-D", data, "-U", administrator, "--auth-local=peer",
                   "--auth-host=scram-sha-256", "-E", "UTF8", "--locale=C.UTF-8"],
                  [*control, "-w", "-l", log, "-o",
                   f"-c port={port} -c listen_addresses=localhost -c unix_socket_directories={folder}", "start"]):
        subprocess.run(words, check=True, cwd=folder, stdout=subprocess.DEVNULL)
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    atexit.register(subprocess.run, [*control, "-m", "immediate", "stop"], cwd=folder, stdout=subprocess.DEVNULL)
    return port, " ".join([*AS_NOBODY, "psql", "-q", "-v", "ON_ERROR_STOP=1", "-h", folder, "-p", str(port), "postgres"])


def commands():
    with open(sys.argv[2], encoding="utf-8") as file:
        text = file.read()
    section = text[text.index("### Three servers in ten minutes"):]
    section = section[:section.index("\n#", 5)]
    return "\n".join(re.findall(r"```sh\n(.*?)```", section, re.DOTALL))


def main():
    if not BIN:
        print("1..0 # SKIP PostgreSQL is not installed (package postgresql)")
        return
    folder = tempfile.mkdtemp(prefix="platen-walk-")
    with open(os.path.join(folder, "report.pdf"), "wb") as file:
        file.write(pdf(3, pad=300000))
    script = commands()
    database = tempfile.mkdtemp(prefix="platen-walk-pg-")
    port, administrator = start_database(database)
    for there in ("8081", "8082", "8083"):
        script = script.replace(there, str(free_port()))
    script = script.replace("5432", str(port)).replace("su postgres -c psql", administrator)
    ok("docs/operating.md has the commands",
       "platen move" in script and f"localhost:{port}" in script and administrator in script)
    process = subprocess.Popen(["sh", "-eu"], cwd=folder, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                               stderr=subprocess.STDOUT, text=True, start_new_session=True, env={
                                   **os.environ, "PATH": f"{os.path.dirname(PLATEN)}:{os.environ['PATH']}",
                                   "PLATEN_MIN_FREE_SPACE": "1M"})
    try:
        said, _ = process.communicate(script, timeout=240)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        said = process.communicate()[0]
    same("all commands of docs/operating.md succeed", process.returncode, 0)
    if process.returncode:
        print("# " + "\n# ".join(said.splitlines()[-30:]))

    def read(name):
        try:
            with open(os.path.join(folder, name), encoding="utf-8") as file:
                return json.load(file)
        except (OSError, ValueError):
            return {}
    ok("platen status shows three servers", said.count(" running, up for ") == 3, said[-1500:])
    first, second = read("first.json"), read("second.json")
    same("the jobs before and after the move are completed",
         [first.get("status"), second.get("status")], ["completed"] * 2)
    ok("the job from before the move is listed after it", first.get("jobId") in [
        job["jobId"] for job in read("list.json").get("jobs", [])], read("list.json"))
    shutil.rmtree(folder, ignore_errors=True)
    done()


main()
