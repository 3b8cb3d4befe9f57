#!/usr/bin/python3
"""unchanged.py BEFORE AFTER FILE...: whether two builds give the same results.

BEFORE and AFTER are folders with the programs of a build. Every tool that takes one PDF is run on
every file by both, and the bytes of the results are compared; of a ZIP, those of its parts. Random
identifiers and dates of PDF and Word files are left out. Prints each difference, then the counts
and the CPU time of both builds for each tool; the status is 1 if anything differs.

    OPTIONS="to-png to-jpg" bench/unchanged.py OLD/build build corpus/*.pdf
"""

import hashlib
import os
import re
import shutil
import sys
import tempfile
import zipfile

TOOLS = {
    "compress": [], "compress-gray": ["--grayscale"], "compress-screen": ["--quality", "screen"],
    "compress-linear": ["--quality", "printer", "--linearize"],
    "compress-size": ["--targetSize", "150000"],
    "split": ["--mode", "each"], "to-png": [], "to-jpg": [],
    "to-word": [], "to-excel": [], "to-text": [], "to-markdown": [], "to-html": [],
    "rotate": ["--degrees", "90"], "watermark": ["--text", "Draft"],
    "page-numbers": [], "repair": [], "add-password": ["--password", "open"], "merge": [],
}
VARIES = [rb"/ID ?\[ ?<[0-9a-fA-F]*> ?<[0-9a-fA-F]*> ?\]", rb"D:\d{14}[^)>]*",
          rb"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d[Z0-9:+-]*", rb"uuid:[0-9a-f-]{36}"]


def digest(path):
    """A hash of the files below `path`, without what differs from run to run."""
    total = hashlib.sha256()
    for folder, _, names in sorted(os.walk(path)):
        for name in sorted(names):
            file = os.path.join(folder, name)
            parts = [open(file, "rb").read()]
            if zipfile.is_zipfile(file):
                with zipfile.ZipFile(file) as archive:
                    parts = [archive.read(item) for item in archive.namelist()]
            for part in parts:
                for pattern in VARIES:
                    part = re.sub(pattern, b"", part)
                total.update(part)
    return total.hexdigest()


def run(programs, tool, options, path, out):
    """(digest of the result or the error, CPU seconds)"""
    shutil.rmtree(out, ignore_errors=True)
    os.mkdir(out)
    null = os.open(os.devnull, os.O_RDWR)
    words = [os.path.join(programs, "platen"), "run", tool, path, *options, "-o", out + "/"]
    pid = os.posix_spawn(words[0], words, os.environ,
                         file_actions=[(os.POSIX_SPAWN_DUP2, null, fd) for fd in (0, 1, 2)])
    _, status, used = os.wait4(pid, 0)
    os.close(null)
    return (f"status {status >> 8}" if status else digest(out)), used.ru_utime + used.ru_stime


def main():
    before, after, *paths = sys.argv[1:]
    wanted = os.environ.get("OPTIONS", " ".join(TOOLS)).split()
    differ = 0
    print(f"{'tool':14} {'files':>6} {'differ':>7} {'CPU before':>11} {'after':>8}")
    with tempfile.TemporaryDirectory() as work:
        for name in wanted:
            tool = "compress" if name.startswith("compress") else name
            count, other, cpu = 0, 0, [0.0, 0.0]
            for path in paths:
                results = [run(folder, tool, TOOLS[name], path, os.path.join(work, "out"))
                           for folder in (before, after)]
                count += 1
                for i in range(2):
                    cpu[i] += results[i][1]
                if results[0][0] != results[1][0]:
                    other += 1
                    print(f"  {name}: {path} differs")
            differ += other
            print(f"{name:14} {count:6} {other:7} {cpu[0]:11.2f} {cpu[1]:8.2f}", flush=True)
    sys.exit(1 if differ else 0)


if __name__ == "__main__":
    if len(sys.argv) < 4:
        sys.exit(__doc__)
    main()
