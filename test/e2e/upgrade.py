"""A data folder of platen 0.1.0 is used by this server with nothing lost, by the commands of "From 0.1.0" in docs/backup.md.

    upgrade.py PLATEN CLOCK_SHIM DOCS FOLDER          the test, on a copy of the data folder in FOLDER
    upgrade.py PLATEN CLOCK_SHIM --make FOLDER        makes FOLDER; PLATEN is then one of 0.1.0

The server's clock says the time at which FOLDER was made, so that nothing has expired."""

import base64
import json
import os
import re
import shutil
import sqlite3
import struct
import subprocess
import sys
import tempfile
import time

from platen import DEADLINE, PLATEN, Server, done, hold, multipart, ok, pdf, same, until, without_office

without_office()

SHIM = sys.argv[2]
OPTIONS = ("--callback-allow", "127.0.0.1")
PIECE = {"Content-Type": "application/offset+octet-stream"}
HALF = 300
REPEATED = {"Idempotency-Key": "order 7"}
FIELDS = {"degrees": "90", "clientRef": "order 7", "callbackUrl": "https://127.0.0.1:1099/done"}


def begin(server, key, name, data, upto):
    upload = server.request("POST", "/api/v1/uploads", key, {"Content-Type": "application/json"},
                            json.dumps({"name": name, "size": len(data)})).json["uploadId"]
    server.request("PATCH", f"/api/v1/uploads/{upload}", key, {**PIECE, "Upload-Offset": "0"}, data[:upto])
    return upload


def what(server, key, jobs):
    """What a client sees. Addresses are signed, and a waiting job's JSON changes."""
    def get(path):
        return server.request("GET", path, key).json
    seen = {"usage": get("/api/v1/usage"), "keys": get("/api/v1/account/keys"), "jobs": {}}
    for one in seen["keys"]["keys"]:  # Keys had no scope in 0.1.0, and might do everything.
        same("a key may do everything", one.pop("scope", "manage"), "manage")
        same("and is no test key", one.pop("test", False), False)
    for job in jobs:
        seen["jobs"][job] = {name: value for name, value in get(f"/api/v1/jobs/{job}").items()
                             if name not in ("downloadUrl", "outputs", "deliveries")}
    return seen


def make(folder):
    server = Server(*OPTIONS)
    key = server.key("pro", "old")
    sound = pdf(2, "kept by the upgrade")
    completed = server.run("rotate", [("report.pdf", sound)], key, FIELDS, headers=REPEATED)
    if "jobId" not in completed:
        raise RuntimeError(completed)
    failed = server.run("rotate", [("bad.pdf", b"%PDF-1.4 nothing")], key, {"degrees": "90"})
    whole, half = begin(server, key, "whole.pdf", sound, len(sound)), begin(server, key, "half.pdf", sound, HALF)
    until(lambda: server.request("GET", f"/api/v1/jobs/{completed['jobId']}/deliveries", key).json["deliveries"][0]["attempts"])
    hold(server)
    waiting = server.submit("add-password", [("secret.pdf", sound)], key, {"password": "orange"}).json
    told = {
        "origin": f"Made by test/e2e/upgrade.py --make with {subprocess.check_output([PLATEN, '--version'], text=True).strip()}",
        "key": key, "completed": completed["jobId"], "failed": failed["jobId"], "waiting": waiting["jobId"],
        "whole": whole, "half": half, "document": base64.b64encode(sound).decode(), "seen": what(server, key, [completed["jobId"], failed["jobId"]]),
        "result": base64.b64encode(server.download(completed["downloadUrl"]).body).decode(),
        "downloadUrl": completed["downloadUrl"], "madeAt": int(time.time() * 1000), "files": {}}
    server.kill()  # with a job that waits
    data = os.path.join(server.data, "d")
    with sqlite3.connect(os.path.join(data, "platen.db")) as db:
        version = db.execute("PRAGMA user_version").fetchone()[0]
        lines = [*db.iterdump(), f"PRAGMA user_version = {version};"]
    db.close()
    for root, _, names in os.walk(data):
        for name in names:
            path = os.path.join(root, name)
            if not name.startswith("platen.db"):
                with open(path, "rb") as file:
                    told["files"][os.path.relpath(path, data)] = base64.b64encode(file.read()).decode()
    os.makedirs(folder, exist_ok=True)
    with open(os.path.join(folder, "platen.sql"), "w", encoding="utf-8") as file:
        file.write("-- " + told["origin"] + "\n" + "\n".join(lines) + "\n")
    with open(os.path.join(folder, "data.json"), "w", encoding="utf-8") as file:
        json.dump(told, file, indent=1)
        file.write("\n")


def unpack(folder, told, data):
    os.mkdir(data, 0o700)
    for name, text in told["files"].items():
        path = os.path.join(data, name)
        os.makedirs(os.path.dirname(path), 0o700, exist_ok=True)
        with open(os.open(path, os.O_WRONLY | os.O_CREAT, 0o600), "wb") as file:
            file.write(base64.b64decode(text))
    os.close(os.open(os.path.join(data, "platen.db"), os.O_CREAT, 0o600))
    db = sqlite3.connect(os.path.join(data, "platen.db"), isolation_level=None)
    with open(os.path.join(folder, "platen.sql"), encoding="utf-8") as file:
        db.executescript(file.read())
    db.close()


def commands(path):
    with open(path, encoding="utf-8") as file:
        text = file.read()
    section = text[text.index("### From 0.1.0"):]
    return "\n".join(re.findall(r"(?m)^    (.*)$", section[:section.find("\n#", 5)]))


def check_commands(path, folder, data):
    """Those of the documentation, with the package manager and systemd left out."""
    os.mkdir(os.path.join(folder, "bin"))
    for name in ("systemctl", "apt-get"):
        stub = os.path.join(folder, "bin", name)
        with open(os.open(stub, os.O_WRONLY | os.O_CREAT, 0o755), "w", encoding="ascii") as file:
            file.write(f'#!/bin/sh\necho {name} "$@"\n')
    with open(os.path.join(folder, "platen.conf"), "w", encoding="utf-8") as file:
        file.write(f"data = {data}\nlisten = 127.0.0.1:0\nmin_free_space = 1M\n")
    script = commands(path).replace("/var/backups", folder).replace("/etc/platen/platen.conf", f"{folder}/platen.conf")
    run = subprocess.run(["sh", "-eu"], input=script, capture_output=True, text=True, timeout=DEADLINE,
                         env={**os.environ, "PATH": f"{folder}/bin:{os.path.dirname(PLATEN)}:{os.environ['PATH']}"})
    same("the commands of docs/backup.md succeed", run.returncode, 0)
    print("# " + "\n# ".join((run.stdout + run.stderr).splitlines()))
    ok("platen doctor reports a sound database", "sound, of version 11" in run.stdout, run.stdout)
    ok("the commands install the packages and start the server",
       "apt-get install" in run.stdout and "systemctl start" in run.stdout)
    ok("the commands make a backup", os.path.exists(os.path.join(folder, "platen-0.1.0", "platen.db")))


def check_older(source, told, folder):
    """A version before the first that was released, after a crash too."""
    data = os.path.join(folder, "older")
    unpack(source, told, data)
    db = sqlite3.connect(os.path.join(data, "platen.db"))
    db.executescript("PRAGMA journal_mode = WAL; PRAGMA user_version = 10")
    for command in ("doctor", "serve"):
        run = subprocess.run([PLATEN, command, "--data", data, "--listen", "127.0.0.1:0"], capture_output=True, text=True,
                             timeout=DEADLINE)
        said = run.stdout + run.stderr
        ok(f"platen {command} says which platen upgrades an older database, and advises no restore",
           run.returncode and "of version 10" in said and "start the last platen 0.1.0" in said and "recover" not in said, said)
    db.close()


def check_server(server, told):
    key = told["key"]
    same("the jobs, keys and usage of 0.1.0 are the same", what(server, key, told["seen"]["jobs"]), told["seen"])
    result = server.download(told["downloadUrl"])
    ok("an address of 0.1.0 still gives the same result", result.body == base64.b64decode(told["result"]), result)
    sound = base64.b64decode(told["document"])
    body, kind = multipart([("report.pdf", sound)], FIELDS)
    again = server.request("POST", "/api/v1/tools/pdf/rotate", key, {"Content-Type": kind, **REPEATED}, body)
    same("an idempotency key of 0.1.0 is recognised", (again.status, again.json.get("jobId")), (202, told["completed"]))
    hooks = server.request("GET", f"/api/v1/jobs/{told['completed']}/deliveries", key).json["deliveries"]
    same("the webhook of 0.1.0 is still to be delivered", [hook["status"] for hook in hooks], ["pending"])
    same("a job that waited in 0.1.0 is completed, with its password",
         server.wait(told["waiting"], key).json["status"], "completed")
    rest = server.request("PATCH", f"/api/v1/uploads/{told['half']}", key, {**PIECE, "Upload-Offset": str(HALF)}, sound[HALF:])
    same("an upload that 0.1.0 began is completed", (rest.status, rest.json.get("complete")), (200, True))
    for upload in ("whole", "half"):
        body, kind = multipart((), {"file": f"upload:{told[upload]}", "degrees": "90"})
        job = server.request("POST", "/api/v1/tools/pdf/rotate", key, {"Content-Type": kind}, body).json
        same(f"the {upload} upload of 0.1.0 can be used", server.wait(job["jobId"], key).json["status"], "completed")


def main():
    docs, source = sys.argv[3:5]
    if docs == "--make":
        make(source)
        return
    with open(os.path.join(source, "data.json"), encoding="utf-8") as file:
        told = json.load(file)
    folder = tempfile.mkdtemp(prefix="platen-e2e-")
    data = os.path.join(folder, "d")
    unpack(source, told, data)
    check_commands(docs, folder, data)
    check_older(source, told, folder)
    with open(os.path.join(folder, "clock"), "wb") as file:
        file.write(struct.pack("q", told["madeAt"] - int(time.time() * 1000)))
    clock = {"LD_PRELOAD": SHIM, "CLOCK_SHIM": os.path.join(folder, "clock")}
    server = Server(*OPTIONS, data=folder, env=clock)
    check_server(server, told)
    same("the server stops in order", server.stop(), 0)
    shutil.rmtree(data)
    os.mkdir(data)
    restored = subprocess.run([PLATEN, "restore", os.path.join(folder, "platen-0.1.0"), "--data", data],
                              capture_output=True, text=True, timeout=DEADLINE)
    same("the backup of 0.1.0 is restored", restored.returncode, 0)
    server.start()
    same("the restored jobs, keys and usage of 0.1.0 are the same",
         what(server, told["key"], told["seen"]["jobs"]), told["seen"])
    server.stop()
    shutil.rmtree(folder)
    os.unlink(server.log_path)
    done()


main()
