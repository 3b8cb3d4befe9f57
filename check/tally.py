#!/usr/bin/env python3
"""tally.py: counts what tests said.

    tally.py meson LOG... STAGE from meson's testlog.json; a test of a later log replaces that of an
                                earlier one
    tally.py failed LOG         the names of the tests that failed, on standard output
    tally.py slowest LOG        the ten tests that took longest, on standard output
    tally.py tap STAGE          from TAP on standard input

Prints the failures as "STAGE: TEST: SENTENCE" on standard error, each with the comments that the
test printed after it (file and line, what it got and wanted) and at the end the path of the log,
and "PASSED FAILED SKIPPED" on standard output. A test that ended badly without a failed line (a
crash, a time limit, no plan) counts as one failure, and so does a log without tests.
"""
import json
import os
import re
import sys

LINE = re.compile(r"^(not )?ok\b[ ]*\d*[ ]*-?[ ]*(.*)$")
PLAN = re.compile(r"^1\.\.(\d+)(.*# *SKIP)?", re.IGNORECASE)
SKIP = re.compile(r"# *SKIP", re.IGNORECASE)
SHOWN = 20  # lines about one failure
ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__))) + "/"


class Tally:
    def __init__(self, stage):
        self.stage = stage
        self.passed = self.failed = self.skipped = 0

    def fail(self, test, what):
        self.failed += 1
        stage = "" if test.startswith(self.stage) else f"{self.stage}: "
        print(f"{stage}{test}: {what}", file=sys.stderr)

    def add(self, test, text, ended_well, how, errors=""):
        seen, failed, plan, shown = 0, 0, None, SHOWN
        for line in text.splitlines():
            if line.startswith("#"):
                if shown < SHOWN:
                    show(line[2:].rstrip().removeprefix("../").replace(ROOT, ""))
                shown += 1
                continue
            shown = SHOWN
            if m := PLAN.match(line):
                plan = int(m[1])
                self.skipped += bool(m[2])
            elif line.startswith("Bail out!"):
                ended_well, how = False, line.strip()
            elif m := LINE.match(line):
                seen += 1
                if SKIP.search(m[2]):
                    self.skipped += 1
                elif m[1]:
                    failed += 1
                    shown = 0
                    self.fail(test, m[2])
                else:
                    self.passed += 1
        if plan != seen and ended_well:
            ended_well, how = False, f"{seen} of {plan} tests were run"
        if not ended_well and not failed:
            self.fail(test, how)
            for line in errors.splitlines()[-SHOWN:]:
                show(line)


def show(line):
    print(f"    {line}", file=sys.stderr)


def read_log(path):
    with open(path, encoding="utf-8", errors="replace") as log:
        return [json.loads(line) for line in log if line.strip()]


def name_of(test):
    return test["name"].split(" / ")[-1]


def slowest(path):
    for test in sorted(read_log(path), key=lambda test: -test["duration"])[:10]:
        print(f"{test['duration']:8.1f} s  {name_of(test)}")


def failed(path):
    try:
        tests = read_log(path)
    except (OSError, ValueError):
        return  # "meson" says so
    for test in tests:
        if test["result"] not in ("OK", "SKIP"):
            print(name_of(test))


def main(kind, *args):
    if kind == "slowest":
        return slowest(*args)
    if kind == "failed":
        return failed(*args)
    tally = Tally(args[-1])
    tests = {}
    if kind == "meson":
        try:
            for path in args[:-1]:
                tests.update((test["name"], test) for test in read_log(path))
        except (OSError, ValueError) as problem:
            tally.fail("meson", f"no log: {problem}")
        for test in tests.values():
            result = test["result"]
            tally.add(name_of(test), test.get("stdout", ""), result in ("OK", "SKIP"),
                      f"{result}, status {test['returncode']}", test.get("stderr", ""))
        if not tests:
            tally.fail("meson", "no test was run")
    else:
        tally.add("tap", sys.stdin.read(), True, "")
    if tally.failed and kind == "meson":
        print(f"The log: {os.path.splitext(args[0])[0]}.txt", file=sys.stderr)
    print(tally.passed, tally.failed, tally.skipped)


main(*sys.argv[1:])
