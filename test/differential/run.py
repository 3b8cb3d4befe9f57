#!/usr/bin/python3
"""Every tool over a folder of real files, each result compared with what other programs say. A long run, started by hand:

    test/differential/run.py FOLDER [--out FOLDER] [--platen build/platen] [--tools to-text,merge]
                             [--files N] [--minutes N] [--jobs 2] [--nice 19]

Text is compared by its words (pdftotext, mutool), pages by their pixels (pdftoppm, mutool), what a document holds besides by
pikepdf, and for some kinds by another program too, office documents with what soffice makes of them, the cells of tables with a
CSV file of the same name. Where poppler and MuPDF complain and the job says nothing, that is a difference as well.

Each file is tried once by its digest, and in the order of the digests: what a run has done when it is ended is a sample. --out
(differential-out) gets records.jsonl, a line for each job; a run with the same folder goes on where it was ended, and runs what
is missing. report.json and summary.txt group the differences by class: the tool, what differs, and the warnings of the job; each with its smallest file. The status is 1 if there
are differences without a warning. Needs python3-pikepdf, python3-numpy, poppler-utils, mupdf-tools, openssl, for office documents
soffice."""

import argparse
import concurrent.futures
import hashlib
import json
import os
import sys
import tempfile
import time

sys.dont_write_bytecode = True
import report  # noqa: E402
import tools  # noqa: E402
from document import Document  # noqa: E402

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
FILE_SECONDS = 240
work = None  # the folder of this process


def begin(nice, folder):
    global work
    os.nice(nice)
    work = tempfile.mkdtemp(dir=folder)
    tools.prepare(work, os.path.join(ROOT, "test", "samples", "plain.pdf"))


def end_of(platen, tool, document):
    """One job: how it ended, its warnings, its differences."""
    try:
        job, found = tools.attempt(platen, tool, document, work)
    except Exception as fault:  # a fault of the comparison is seen in the report, and ends no run of hours
        return "compared with a fault", [], [(f"fault of the comparison: {type(fault).__name__}", str(fault)[:300])]
    return (job.end, job.warnings, found) if job else ("", [], [])


def try_file(platen, path, digest, names):
    """The records of a file."""
    document, records, began = Document(path), [], time.monotonic()
    for tool in names:
        if time.monotonic() - began > FILE_SECONDS:
            break
        start = time.monotonic()
        end, warnings, found = end_of(platen, tool, document)
        records.append({"digest": digest, "path": path, "bytes": os.path.getsize(path), "tool": tool, "end": end,
                        "warnings": warnings, "differences": found, "seconds": round(time.monotonic() - start, 1)})
    return records


def files_of(folder):
    """Paths and digests, each content once."""
    paths, seen = [], {}
    for parent, folders, names in os.walk(folder):
        folders.sort()
        paths += [os.path.join(parent, name) for name in sorted(names) if tools.names_for(name)]
    for path in paths:
        try:
            with open(path, "rb") as file:
                seen.setdefault(hashlib.sha256(file.read()).hexdigest()[:20], path)
        except OSError as fault:
            print(f"left out: {fault}", file=sys.stderr)
    return sorted(seen.items())


def options_of():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder")
    parser.add_argument("--out", default="differential-out")
    parser.add_argument("--platen", default=os.path.join(ROOT, "build", "platen"))
    parser.add_argument("--tools", default="", help="only these, with commas between them")
    parser.add_argument("--files", type=int, default=0, help="no more than this many")
    parser.add_argument("--minutes", type=float, default=0, help="no file is begun after this time")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--nice", type=int, default=19)
    return parser.parse_args()


def main():
    options = options_of()
    os.makedirs(options.out, exist_ok=True)
    kept = os.path.join(options.out, "records.jsonl")
    done = {(record["digest"], record["tool"]) for record in report.load(kept)}
    files, began = files_of(options.folder), time.monotonic()
    if options.files:
        files = files[:options.files]
    wanted = options.tools.split(",") if options.tools else None
    with open(kept, "a", encoding="utf-8") as out, tempfile.TemporaryDirectory(prefix="platen-differential-") as scratch, \
            concurrent.futures.ProcessPoolExecutor(options.jobs, initializer=begin, initargs=(options.nice, scratch)) as pool:
        waiting = set()
        for digest, path in files:
            names = [name for name in tools.names_for(path) if (not wanted or name in wanted) and (digest, name) not in done]
            if options.minutes and time.monotonic() - began > options.minutes * 60:
                break
            if names:
                waiting.add(pool.submit(try_file, os.path.abspath(options.platen), path, digest, names))
            if len(waiting) >= 2 * options.jobs:
                ready, waiting = concurrent.futures.wait(waiting, return_when=concurrent.futures.FIRST_COMPLETED)
                keep(ready, out)
        keep(concurrent.futures.wait(waiting).done, out)
    found = report.write(options.out)
    with open(os.path.join(options.out, "summary.txt"), encoding="utf-8") as file:
        print(file.read())
    sys.exit(any(not group["warned"] for group in found))


def keep(ready, out):
    for future in ready:
        for record in future.result():
            out.write(json.dumps(record) + "\n")
    out.flush()


if __name__ == "__main__":
    main()
