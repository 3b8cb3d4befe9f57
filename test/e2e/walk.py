"""The commands of "Three servers in ten minutes" in docs/operating.md, as they stand there but for ports
and the address of the database. To be run by test/store/postgres.sh."""

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile

from database import free_port
from platen import PLATEN, done, ok, pdf, same

STORE = os.environ["PLATEN_POSTGRES"]


def commands():
    with open(sys.argv[2], encoding="utf-8") as file:
        text = file.read()
    section = text[text.index("### Three servers in ten minutes"):]
    section = section[:section.index("\n#", 5)]
    return "\n".join(re.findall(r"```sh\n(.*?)```", section, re.DOTALL))


def main():
    folder = tempfile.mkdtemp(prefix="platen-walk-")
    with open(os.path.join(folder, "report.pdf"), "wb") as file:
        file.write(pdf(3, pad=300000))
    script = commands()
    socket = STORE.partition("host=")[2]
    for port in ("8081", "8082", "8083"):
        script = script.replace(port, str(free_port()))
    script = script.replace("createuser platen; createdb --owner platen platen", "createdb -U platen platen")
    script = script.replace("platen@localhost/platen", f"platen@/platen?host={socket}")
    ok("docs/operating.md has the commands",
       "platen move" in script and socket in script and "createdb -U" in script)
    process = subprocess.Popen(["sh", "-eu"], cwd=folder, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                               stderr=subprocess.STDOUT, text=True, start_new_session=True, env={
                                   **os.environ, "PATH": f"{os.path.dirname(PLATEN)}:{os.environ['PATH']}",
                                   "PGHOST": socket, "PLATEN_MIN_FREE_SPACE": "1M"})
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
