"""conformance.py FOLDER URL: runs all server scenarios of the protocol's conformance suite against a
server: of the release (revision 2025-11-25) and of the one that knows 2026-07-28. FOLDER is where npm
installed them. What may fail is in absent.txt, with the reason; that must fail, too."""

import glob
import json
import os
import re
import subprocess
import sys
import tempfile

FOLDER, URL = sys.argv[1:]
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


def checks(revision, suite, scenario):
    with tempfile.TemporaryDirectory() as out:
        words = ["server", "--url", URL, "--scenario", scenario, "--output-dir", out]
        said = run(suite, *words, *(["--spec-version", revision] if revision == "2026-07-28" else []))
        found = glob.glob(os.path.join(out, "**/checks.json"), recursive=True)
        if not found:
            sys.exit(f"mcp: {scenario} wrote no result: {said[-500:]}")
        with open(found[0], encoding="utf-8") as file:
            return json.load(file)


def absent():
    path = os.path.join(os.path.dirname(os.path.abspath(__file__)), "absent.txt")
    with open(path, encoding="utf-8") as file:
        return {tuple(line.partition(":")[0].split()): line.partition(": ")[2].strip()
                for line in file if not line.startswith("#")}


def main():
    expected, seen, faults, passed, whole, n = absent(), set(), [], 0, 0, 0
    for revision, suite in SUITES.items():
        for scenario in scenarios(revision, suite):
            failed = 0
            for check in checks(revision, suite, scenario):
                name = (revision, scenario, check["id"])
                if check["status"] == "FAILURE":
                    failed += 1
                    seen.add(name)
                    if name not in expected:
                        faults.append(f"{' '.join(name)} fails: {check.get('errorMessage')}")
                passed += check["status"] == "SUCCESS"
            whole += failed == 0
            n += 1
    faults += [f"{' '.join(name)} passes: take it out of absent.txt" for name in expected if name not in seen]
    for fault in faults:
        print("mcp:", fault)
    print(f"mcp: {passed} checks pass, {whole} of {n} scenarios whole; {len(expected)} checks are of what the server does not have")
    return 1 if faults else 0


sys.exit(main())
