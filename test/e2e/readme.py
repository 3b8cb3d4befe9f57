"""Every command of README.md, as a newcomer would paste it, in a folder with the files it names."""

import os
import re
import shutil
import subprocess
import tempfile

from platen import PLATEN, Server, done, ok, pdf, same, until

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


def blocks():
    with open(os.path.join(ROOT, "README.md"), encoding="utf-8") as readme:
        return re.findall(r"^```sh\n(.*?)^```", readme.read(), re.M | re.S)


def split(block):
    """A block's commands; one that sets a variable is pasted whole, for the lines that use it."""
    return [block] if re.match(r"\w+=", block) else [line for line in block.splitlines()
                                                    if line.strip()]


class Shell:
    """Pastes commands; only the server's port is not the one of README.md."""

    def __init__(self, folder, server):
        self.folder, self.server = folder, server

    def paste(self, command):
        command = command.replace("localhost:8080", f"127.0.0.1:{self.server.port}")
        return subprocess.run(["sh", "-ec", command], cwd=self.folder, timeout=60,
                              capture_output=True, text=True)


def main():
    server = Server()
    folder = tempfile.mkdtemp(prefix="platen-readme-")
    os.mkdir(os.path.join(folder, "build"))
    for name in ("packaging", "test"):
        os.symlink(os.path.join(ROOT, name), os.path.join(folder, name))
    for name in ("platen", "platen-pages", "platen-worker"):
        os.symlink(os.path.join(os.path.dirname(PLATEN), name), os.path.join(folder, "build", name))
    for name, pages in (("report.pdf", 6), ("a.pdf", 1), ("b.pdf", 2)):
        with open(os.path.join(folder, name), "wb") as file:
            file.write(pdf(pages))
    shell = Shell(folder, server)
    os.mkdir(os.path.join(folder, "data"))
    with open(os.path.join(folder, "data", "first-key"), "w", encoding="ascii") as file:
        file.write(server.key() + "\n")
    commands = [command for block in blocks() for command in split(block)]
    ok("README.md has at least 9 commands", len(commands) >= 9, commands)
    same("the first command of README.md is ./run.sh", commands[0], "./run.sh")
    for command in commands[1:]:
        if "platen serve" in command:  # only its port is not the one of README.md
            command += " --listen 127.0.0.1:0"
            served = subprocess.Popen(["sh", "-c", "exec " + command], cwd=folder,
                                      stderr=subprocess.PIPE, text=True)
            line = ""
            ok(command, until(lambda: "server.ready" in (line := served.stderr.readline())), line)
            served.terminate()
            same("the server of README.md stops cleanly", served.wait(30), 0)
            keys = subprocess.run([PLATEN, "key", "list", "--data", "data"], cwd=folder,
                                  capture_output=True, text=True, check=False).stdout
            ok("the server of README.md serves the data folder in which the key was made",
               "Ann's shop" in keys and
               os.path.exists(os.path.join(folder, "data", "lock")), keys)
            continue
        if re.match(r"build/platen (config|doctor|status|backup) ", command):
            words, _, comment = command.partition("  #")
            command = (f"{words} --data {server.data}/d --listen 127.0.0.1:{server.port}"
                       f"  #{comment}")
        ran = shell.paste(command)
        ok(command.splitlines()[0], ran.returncode == 0, ran)
    made = os.listdir(folder)
    ok("README.md's commands make the files that it names",
       {"plain-rotate.pdf", "turned.pdf", "both.pdf", "parts.zip", "monday"} <= set(made), made)
    shutil.rmtree(folder)
    server.close()
    done()


main()
