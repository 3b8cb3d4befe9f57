"""A server that root starts: it becomes the owner of its data folder, and jobs still have a user of their own."""

import os
import pwd
import re
import shutil
import subprocess
import sys
import tempfile

from platen import DEADLINE, PLATEN, Server, done, ok, pdf, same, slow_job, until
from receiver import Receiver

OWNER = 31234  # nobody's
KILL, NET_BIND_SERVICE = 5, 10
SETUID, SYS_ADMIN, NET_RAW = 7, 21, 13


def status(pid):
    with open(f"/proc/{pid}/status", encoding="ascii") as lines:
        return dict(line.rstrip("\n").split(":\t", 1) for line in lines if ":\t" in line)


def uids(pid):
    return {int(uid) for uid in status(pid)["Uid"].split()}


def capabilities(pid, which="CapEff"):
    bits = int(status(pid)[which], 16)
    return {n for n in range(64) if bits >> n & 1}


def starter(server):
    for name in os.listdir(f"/proc/{server.process.pid}/task"):
        with open(f"/proc/{server.process.pid}/task/{name}/children", encoding="ascii") as children:
            for pid in children.read().split():
                if status(pid)["Name"] == "platen-starter":
                    return int(pid)
    return None


def folder(owner):
    data = tempfile.mkdtemp(prefix="platen-e2e-")
    os.chmod(data, 0o755)
    os.mkdir(os.path.join(data, "d"), 0o700)
    os.chown(os.path.join(data, "d"), owner, owner)
    return data


def forbidden(server):
    """What is in the folder and does not belong to its owner."""
    return [name for name in os.listdir(os.path.join(server.data, "d"))
            if os.lstat(os.path.join(server.data, "d", name)).st_uid != OWNER]


def owned(receiver):
    server = Server("--callback-http", "true", "--callback-allow", "127.0.0.1", "--web", "off",
                    data=folder(OWNER))
    pid, key = server.process.pid, server.key()
    same("the server becomes the owner of its data folder", uids(pid), {OWNER})
    same("it may end processes and bind low ports, and nothing else as root",
         capabilities(pid), {KILL, NET_BIND_SERVICE})
    same("nor does a program that it executes get more", capabilities(pid, "CapBnd"), {KILL, NET_BIND_SERVICE})
    ok("the starter of programs may change users, and not load modules or see packets",
       SETUID in capabilities(starter(server)) and not {SYS_ADMIN, NET_RAW} & capabilities(starter(server), "CapBnd"))
    ok("worker programs have neither root nor the server's user",
       all(not uids(child) & {0, OWNER} for child in server.children()), server.children())
    ok("every layer of the sandbox works", "layers=user,capabilities,no_new_privs,rlimits,landlock" in server.logs())

    job = server.run("rotate", [("a.pdf", pdf(3))], key, {"degrees": "90", "callbackUrl": receiver.url()})
    same("a job is done", job["status"], "completed")
    same("its result can be downloaded", server.download(job["downloadUrl"]).status, 200)
    large = server.run("rotate", [("a.pdf", pdf(3, pad=3_000_000))], key, {"degrees": "90"})
    same("so is one whose files are in the folder", large["status"], "completed")
    with open(os.path.join(os.environ["SAMPLES"], "office/plain.docx"), "rb") as document:
        office = server.run("word-to-pdf", [("a.docx", document.read())], key)
    ok("so is an office document, if this server has LibreOffice",
       office.get("status") == "completed" or office.get("error") == "tool_unavailable", office)
    ok("webhooks are delivered", receiver.wait())
    sealed = server.run("sign", [("a.pdf", pdf())], key, {"signerName": "Ann"})
    same("a document is signed", sealed["status"], "completed")
    same("no file of the folder is root's", forbidden(server), [])

    tool, document, fields = slow_job(40, 300)
    slow = server.submit(tool, [("a.pdf", document)], key, fields).json["jobId"]
    until(lambda: server.request("GET", f"/api/v1/jobs/{slow}", key).json.get("progress"))
    same("a running job is stopped", server.request("DELETE", f"/api/v1/jobs/{slow}", key).status, 204)
    for child in server.children():
        os.kill(child, 9)
    same("worker programs that ended are started again",
         server.run("rotate", [("a.pdf", pdf())], key, {"degrees": "90"})["status"], "completed")
    ok("as another user", all(not uids(child) & {0, OWNER} for child in server.children()))
    was = starter(server)
    same("the server stops", server.stop(), 0)
    until(lambda: not os.path.exists(f"/proc/{was}"))
    ok("and the starter with it", not os.path.exists(f"/proc/{was}"))
    return server.data


def mixed(data):
    os.chown(os.path.join(data, "d", "platen.db"), 0, 0)
    run = subprocess.run([PLATEN, "serve", "--data", os.path.join(data, "d"), "--listen", "127.0.0.1:0"],
                         capture_output=True, text=True, timeout=DEADLINE)
    ok("a database of root in another user's folder is reported, and how to give it away",
       run.returncode == 1 and f"chown -R {OWNER}" in run.stderr, run)


def of_root():
    server = Server(data=folder(0))
    pid, key = server.process.pid, server.key()
    same("a data folder of root has a server of root", uids(pid), {0})
    ok("which the log warns of", re.search(r"level=warn event=server.root .*belongs to root", server.logs()))
    ok("it has given up what no server needs", not {SETUID, SYS_ADMIN, NET_RAW} & capabilities(pid, "CapPrm"),
       capabilities(pid, "CapPrm"))
    ok("for good", not {SETUID, SYS_ADMIN, NET_RAW} & capabilities(pid, "CapBnd"))
    ok("worker programs have another user", all(0 not in uids(child) for child in server.children()))
    same("a job is done", server.run("rotate", [("a.pdf", pdf())], key, {"degrees": "90"})["status"], "completed")
    same("the server stops", server.stop(), 0)
    shutil.rmtree(server.data)


def unreachable():
    data = folder(OWNER)
    os.chmod(data, 0o700)
    server = Server(data=data)
    same("a folder that its owner cannot reach has a server of root", uids(server.process.pid), {0})
    ok("which the log explains", "cannot reach the data folder" in server.logs(), server.logs())
    server.stop()
    shutil.rmtree(data)


def given():
    """What run.sh does with the data folder before it starts a server. The user here is one that every system has."""
    own = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "packaging", "own-data.sh")
    user = pwd.getpwnam("daemon")

    def give(path):
        return subprocess.run([own, path, "daemon"], capture_output=True, text=True, timeout=DEADLINE, check=True).stderr

    def owner(path):
        return os.lstat(path).st_uid

    server = Server(data=folder(0))
    key = server.key()
    job = server.run("rotate", [("a.pdf", pdf(3, pad=3_000_000))], key, {"degrees": "90"})
    server.stop()
    ours = os.path.join(server.data, "d")
    outside = os.path.join(server.data, "outside")
    with open(outside, "w", encoding="ascii"):
        os.symlink(outside, os.path.join(ours, "link"))
    ok("a data folder that root's server used is given to the user", "which the server becomes" in give(ours))
    same("with its files", {owner(os.path.join(ours, name)) for name in os.listdir(ours)}, {user.pw_uid})
    same("and not what a link in it leads to", owner(outside), 0)
    server.start()
    same("the server becomes that user", uids(server.process.pid), {user.pw_uid})
    same("its keys and results are there", server.request("GET", f"/api/v1/jobs/{job['jobId']}", key).json["status"], "completed")
    same("a job is done", server.run("rotate", [("a.pdf", pdf())], key, {"degrees": "90"})["status"], "completed")
    server.stop()
    shutil.rmtree(server.data)

    top = folder(OWNER)
    new, strange = os.path.join(top, "new"), os.path.join(top, "strange")
    os.mkdir(strange)
    with open(os.path.join(strange, "mine"), "w", encoding="ascii"):
        give(new)
    same("a folder that is not there is made for the user", (owner(new), os.stat(new).st_mode & 0o777), (user.pw_uid, 0o700))
    ok("a folder with other things is kept, and that is said", "not a data folder" in give(strange) and owner(strange) == 0)
    same("another user's folder is kept", (give(os.path.join(top, "d")), owner(os.path.join(top, "d"))), ("", OWNER))
    os.chmod(top, 0o700)
    os.chown(strange, 0, 0)
    os.unlink(os.path.join(strange, "mine"))
    ok("one that the user cannot reach is kept, and that is said", "cannot be reached" in give(strange) and owner(strange) == 0)
    shutil.rmtree(top)


if os.geteuid() != 0:
    print("1..0 # SKIP only root can start a server as root")
    sys.exit(0)
receiver = Receiver()
data = owned(receiver)
receiver.close()
mixed(data)
shutil.rmtree(data)
of_root()
unreachable()
given()
done()
