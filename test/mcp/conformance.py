"""conformance.py FOLDER URL EXAMPLE: runs all server scenarios of the protocol's conformance suite: of the
release (revision 2025-11-25) and of the one that knows 2026-07-28. FOLDER is where npm installed them.

URL is this server's /mcp. Scenarios that fail there, as they call tools, prompts or resources that only the
suite's own example server has, run again with EXAMPLE, a server which has those and is made of the code that
answers /mcp (example.c). absent.txt lists the checks that fail with /mcp, and which of them fail with both:
exactly those must fail."""

import glob
import json
import os
import re
import subprocess
import sys
import tempfile

FOLDER, URL, EXAMPLE = sys.argv[1:]
NODE = os.path.join(FOLDER, "node_modules/.bin/node")
SUITES = {"2025-11-25": "conformance-released", "2026-07-28": "conformance-next"}


def run(suite, *words):
    program = os.path.join(FOLDER, "node_modules", suite, "dist/index.js")
    return subprocess.run([NODE, program, *words], capture_output=True, text=True, timeout=300, check=False).stdout


def scenarios(revision, suite):
    """All for servers that the revision has."""
    part = run(suite, "list", *(["--requirements", revision] if revision == "2026-07-28" else []))
    part = part[part.index("Server scenarios"):part.index("Client scenarios")]
    more = ["http-header-validation"] if revision == "2026-07-28" else []
    return re.findall(r"^  - (\S+)", part, re.M) + more


def checks(revision, scenario, url):
    """The checks that pass, and those that fail with what the suite says."""
    suite = SUITES[revision]
    with tempfile.TemporaryDirectory() as out:
        words = ["server", "--url", url, "--scenario", scenario, "--output-dir", out]
        said = run(suite, *words, *(["--spec-version", revision] if revision == "2026-07-28" else []))
        found = glob.glob(os.path.join(out, "**/checks.json"), recursive=True)
        if not found:
            sys.exit(f"mcp: {scenario} wrote no result: {said[-500:]}")
        with open(found[0], encoding="utf-8") as file:
            all_checks = json.load(file)
    passed = {check["id"] for check in all_checks if check["status"] == "SUCCESS"}
    return passed, {check["id"]: check.get("errorMessage") for check in all_checks if check["status"] == "FAILURE"}


def expected():
    """Those that fail with /mcp, and of them those that fail with the example, too."""
    path = os.path.join(os.path.dirname(os.path.abspath(__file__)), "absent.txt")
    with open(path, encoding="utf-8") as file:
        lines = [line.partition(": ")[0].split() for line in file if line.strip() and not line.startswith("#")]
    return ({tuple(words[:3]) for words in lines},
            {tuple(words[:3]) for words in lines if words[3] == "absent"})


def compare(where, failed, known):
    """The differences between what fails and what is known to."""
    faults = [f"{' '.join(name)} fails with {where}: {failed[name]}" for name in failed if name not in known]
    return faults + [f"{' '.join(name)} passes with {where}: correct absent.txt" for name in known if name not in failed]


def main():
    known, known_absent = expected()
    failed, failed_there, passed, own, there, n = {}, {}, 0, 0, 0, 0
    for revision, suite in SUITES.items():
        for scenario in scenarios(revision, suite):
            n += 1
            good, bad = checks(revision, scenario, URL)
            failed.update({(revision, scenario, name): why for name, why in bad.items()})
            passed += len(good)
            if not bad:
                own += 1
                continue
            bad = checks(revision, scenario, EXAMPLE)[1]
            failed_there.update({(revision, scenario, name): why for name, why in bad.items()})
            there += not bad
    faults = compare("/mcp", failed, known) + compare("the example", failed_there, known_absent)
    for fault in faults:
        print("mcp:", fault)
    print(f"mcp: {own + there} of {n} scenarios pass whole: {own} ({passed} checks) with /mcp, {there} more with the example of "
          f"the same code; {len(known_absent)} checks are about what neither has")
    return 1 if faults else 0


sys.exit(main())
