"""Other programs, run within limits of time and memory."""

import os
import resource
import signal
import subprocess

SECONDS = 40
MEMORY = 3 << 30


def _limit():
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 30, 1 << 30))


class Ended:
    """How a program ended: its status (None: ended by us), its output, and what it wrote to standard error."""

    def __init__(self, status, out, said):
        self.status, self.out, self.said = status, out, said.decode(errors="replace")


def run(words, seconds=SECONDS, env=None, limit_memory=True):
    """Runs a program with nothing to read."""
    def prepare():
        _limit()
        if limit_memory:
            resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))

    with subprocess.Popen(words, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=env,
                          preexec_fn=prepare, start_new_session=True) as process:
        try:
            out, said = process.communicate(timeout=seconds)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            out, said = process.communicate()
            return Ended(None, out, said)
        return Ended(process.returncode, out, said)
