"""run.sh says before it installs and builds that its address is in use. Its packages are installed by
a program that only says that it was called."""

import os
import shutil
import socket
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "e2e"))
from platen import done, ok  # noqa: E402

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
folder = tempfile.mkdtemp(prefix="platen-run-")


def run(*words, env=None):
    return subprocess.run([os.path.join(folder, "run.sh"), *words], capture_output=True, text=True,
                          timeout=60, check=False, env={**os.environ, **(env or {})})


def listener(family, address):
    out = socket.socket(family)
    out.bind((address, 0))
    out.listen()
    return out, out.getsockname()[1]


def check_listener(family, address, asked):
    out, port = listener(family, address)
    with out:
        answer = run("--listen", f"{asked}:{port}")
        ok(f"a program at {address} stops run.sh --listen {asked}:PORT before it installs packages",
           answer.returncode == 1 and "choose another address" in answer.stderr and
           "packages" not in answer.stderr, answer)
    answer = run("--listen", f"{asked}:{port}")
    ok(f"run.sh --listen {asked}:PORT goes on when the program has ended",
       "1/3 packages" in answer.stderr and "only a test" in answer.stderr, answer)


def main():
    shutil.copy(os.path.join(ROOT, "run.sh"), folder)
    os.mkdir(os.path.join(folder, "packaging"))
    install = os.path.join(folder, "packaging", "install.sh")
    with open(install, "w", encoding="ascii") as file:
        file.write('#!/bin/sh\necho "only a test" >"$INSTALL_LOG"\nexit 1\n')
    os.chmod(install, 0o700)
    check_listener(socket.AF_INET, "127.0.0.1", "127.0.0.1")
    check_listener(socket.AF_INET, "0.0.0.0", "127.0.0.1")
    check_listener(socket.AF_INET, "127.0.0.1", "0.0.0.0")
    check_listener(socket.AF_INET6, "::1", "[::1]")
    check_listener(socket.AF_INET6, "::", "127.0.0.1")
    out, port = listener(socket.AF_INET, "127.0.0.1")
    with out:
        answer = run("--listen", f"127.0.0.2:{port}")
        ok("a program at another address does not matter", "1/3 packages" in answer.stderr, answer)
        answer = run(env={"PLATEN_LISTEN": f"127.0.0.1:{port}"})
        ok("the address of PLATEN_LISTEN counts", answer.returncode == 1 and
           "packages" not in answer.stderr, answer)
        answer = run("--build-only", env={"PLATEN_LISTEN": f"127.0.0.1:{port}"})
        ok("--build-only needs no address", "1/3 packages" in answer.stderr, answer)
    shutil.rmtree(folder)
    done()


main()
