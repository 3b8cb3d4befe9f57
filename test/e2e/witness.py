"""A worker program for tests that writes what reached it, installed next to the real programs."""

import atexit
import os
import shutil
import sys
import tempfile

from platen import PLATEN, pdf

DOCUMENT = [("report.pdf", pdf())]


def programs():
    """A folder with the witness in the place of platen-worker."""
    folder = tempfile.mkdtemp(prefix="platen-programs-")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    os.symlink(os.path.abspath(sys.argv[2]), os.path.join(folder, "platen-worker"))
    os.symlink(os.path.join(os.path.dirname(PLATEN), "platen-signer"),
               os.path.join(folder, "platen-signer"))
    return folder


def told(data):
    """What it told, by the first word of each line; hex as bytes."""
    lines = (line.split(" ", 1) for line in data.decode().splitlines()[1:])
    return {name: bytes.fromhex(value) if name in ("chain", "signature", "token") else value
            for name, value in lines}


def told_by(server, job):
    return told(server.download(job["downloadUrl"]).body) if "downloadUrl" in job else job
