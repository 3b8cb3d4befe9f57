#!/usr/bin/python3
"""Hostile files through every tool that takes them, one line each. Run by hand:

    test/hostile/run.py [--tap] build/platen FOLDER [TOOL]...
    test/hostile/bombs.py FOLDER    # makes files for it

Every job must end with a result or a clear code, within the limits it is given. What does not is
marked: `internal_error`, a program that died, a run beyond its time, more output on standard error
than a person reads. A run of more than SLOW seconds of processor time is marked slow (of
processor time, because the machine may be busy with other things), one of more than LARGE MB of
memory is marked large. At the end: sums a tool, and status 1 if there was a fault.

With --tap each run is one line of TAP (the caller prints the plan), and large is a fault, and so is
twice SLOW: the slowest file takes 6 to 11 s, depending on the machine, and a new bomb minutes."""

import concurrent.futures
import os
import re
import resource
import subprocess
import sys
import tempfile
import time

JOB_SECONDS, SLOW, LARGE, SAID = 60, 10, 512, 10000
SETTINGS = {"PLATEN_JOB_TIMEOUT": f"{JOB_SECONDS}s", "PLATEN_JOB_MEMORY": "2G"}
GIVEN = {
    "rotate": ["--degrees", "90"],
    "add-password": ["--password", "secret"],
    "remove-password": ["--password", "secret"],
    "watermark": ["--text", "DRAFT"],
    "split": ["--every", "1"],
    "merge": ["--forms", "flatten"],
    "sign": ["--signerName", "Ada"],
    "ocr": ["--pageTimeout", "5", "--language", "eng"],
}
TWICE = {"merge"}  # takes two files: the hostile one, twice


class Ended:
    def __init__(self, tool, path, status, said, seconds, cpu, peak, leaked):
        self.tool, self.name = tool, os.path.basename(path)
        self.seconds, self.cpu, self.peak = seconds, cpu, peak
        found = re.search(r"^platen: ([a-z_]+):", said, re.M)
        self.how = "result" if status == 0 else found[1] if found else f"status {status}"
        self.refused = status == 2  # before any job
        self.faults = [fault for fault, there in {
            "internal_error": self.how == "internal_error",
            "no code": status not in (0, 1, 2) or (status and not found),
            "over time": seconds > JOB_SECONDS + 10,
            "talks": len(said) > SAID,
            "leak": leaked,
        }.items() if there]

    def exceeds(self):
        return ["slow"] * (self.cpu > SLOW) + ["large"] * (self.peak > LARGE)

    def tap(self):
        bounds = f"within {2 * SLOW} s of processor time and {LARGE} MB, with a result or a clear code"
        failed = self.faults or self.refused or self.cpu > 2 * SLOW or self.peak > LARGE
        return (f"{'not ' * bool(failed)}ok - {self.tool} ends {self.name} within its bounds" +
                f"\n#   got: {self}\n#  want: an end {bounds}" * bool(failed))

    def __str__(self):
        marks = self.faults + self.exceeds()
        return (f"{self.tool:16} {self.name:34} {self.how:24} {self.seconds:6.1f} s {self.cpu:6.1f} s "
                f"{self.peak:5} MB  {' '.join(marks)}").rstrip()


def leaks(folder):
    """Whether a result holds what only /etc/passwd has."""
    for name in os.listdir(folder):
        with open(os.path.join(folder, name), "rb") as file:
            if b"root:x:0:0" in file.read():
                return True
    return False


def run(platen, tool, path):
    with tempfile.TemporaryDirectory() as folder:
        start = time.monotonic()
        child = subprocess.Popen(
            [platen, "run", tool, path] + [path] * (tool in TWICE) + GIVEN.get(tool, []) +
            ["-o", folder], env={**os.environ, **SETTINGS}, stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        said = child.stderr.read().decode(errors="replace")
        # Of the command and of all it waited for; subprocess does not tell that of one child.
        _, status, used = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
        return Ended(tool, path, child.returncode, said, time.monotonic() - start,
                     used.ru_utime + used.ru_stime, used.ru_maxrss // 1024, leaks(folder))


def tools_of(platen):
    said = subprocess.run([platen, "tools"], capture_output=True, text=True, check=True).stdout
    return [line.split()[0] for line in said.splitlines() if line[:1].isalpha()]


def table(ends):
    print(f"\n{'tool':16} {'result':>7} {'code':>7} {'refused':>7} {'faults':>7} {'slow':>5} "
          f"{'slowest':>9} {'CPU':>9} {'peak':>8}")
    for tool in dict.fromkeys(end.tool for end in ends):
        mine = [end for end in ends if end.tool == tool]
        done = sum(end.how == "result" for end in mine)
        refused = sum(end.refused for end in mine)
        print(f"{tool:16} {done:7} {len(mine) - done - refused:7} {refused:7} "
              f"{sum(bool(end.faults) for end in mine):7} {sum(end.cpu > SLOW for end in mine):5} "
              f"{max(end.seconds for end in mine):7.1f} s {max(end.cpu for end in mine):7.1f} s {max(end.peak for end in mine):5} MB")


def main():
    tap = sys.argv[1:2] == ["--tap"]
    if tap:
        del sys.argv[1]
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    platen, folder = sys.argv[1:3]
    paths = [os.path.join(folder, name) for name in sorted(os.listdir(folder))]
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        jobs = [pool.submit(run, platen, tool, path)
                for tool in sys.argv[3:] or tools_of(platen) for path in paths]
        ends = []
        for job in jobs:
            ends.append(job.result())
            if tap:
                print(ends[-1].tap(), flush=True)
            elif not ends[-1].refused or ends[-1].faults:
                print(ends[-1], flush=True)
    if not tap:
        table(ends)
        sys.exit(any(end.faults for end in ends))


if __name__ == "__main__":
    main()
