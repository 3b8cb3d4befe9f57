#!/usr/bin/python3
"""Every tool over a folder of real files, each result compared with what other programs say. A long run, started by hand:

    test/differential/run.py FOLDER [--out FOLDER] [--platen build/platen] [--tools to-text,merge]
                             [--files N] [--seed N] [--without FOLDER] [--bytes N] [--rotate N]
                             [--minutes N] [--jobs 2] [--nice 19]

Text is compared by its words (pdftotext, mutool), pages by their pixels (pdftoppm, mutool), what a document holds besides by
pikepdf, and for some kinds by another program too, office documents with what soffice makes of them, the cells of tables with a
CSV file of the same name. Where poppler and MuPDF complain and the job says nothing, that is a difference as well.

Each file is tried once by its digest, and in the order of the digests, with a seed in an order of its own: what a run has done
when it is ended is a sample. Of thousands of files, --rotate tries each with the first of its tools and N others, which differ
from file to file. --out (differential-out) gets records.jsonl, a line for each job; a run with the same folder goes on where it
was ended, and runs what is missing; --without leaves out the files that another run has tried. report.json and summary.txt
group the differences by class: the tool, what differs, and the warnings of the job; each with its smallest file. The status is
1 if there are differences without a warning.

Needs python3-pikepdf, python3-numpy, poppler-utils, mupdf-tools, openssl, for office documents soffice."""

import argparse
import concurrent.futures
import hashlib
import json
import os
import random
import sys
import tempfile
import time

sys.dont_write_bytecode = True
import report  # noqa: E402
import soffice  # noqa: E402
import tools  # noqa: E402
from document import Document  # noqa: E402

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
FILE_SECONDS = 240
OFFICE_TOGETHER = 12
work = None  # the folder of this process


def begin(nice, folder):
    global work
    os.nice(nice)
    work = tempfile.mkdtemp(dir=folder)
    tools.prepare(work, os.path.join(ROOT, "test", "samples", "plain.pdf"))


def end_of(platen, tool, document, theirs):
    """One job: how it ended, its warnings, its differences."""
    try:
        job, found = tools.attempt(platen, tool, document, work, theirs)
    except Exception as fault:  # a fault of the comparison is seen in the report, and ends no run of hours
        return "compared with a fault", [], [(f"fault of the comparison: {type(fault).__name__}", str(fault)[:300])]
    return (job.end, job.warnings, found) if job else ("", [], [])


def try_file(platen, path, digest, names, theirs):
    """The records of a file."""
    document, records, began = Document(path), [], time.monotonic()
    for tool in names:
        if time.monotonic() - began > FILE_SECONDS:
            break
        start = time.monotonic()
        end, warnings, found = end_of(platen, tool, document, theirs)
        records.append({"digest": digest, "path": path, "bytes": os.path.getsize(path), "tool": tool, "end": end,
                        "warnings": warnings, "differences": found, "seconds": round(time.monotonic() - start, 1)})
    return records


def try_files(platen, files, kept):
    """The records of files, triples of a path, a digest and names of tools."""
    soffice.convert([(digest, path) for path, digest, _ in files if tools.is_office(path)], kept, work)
    return [record for path, digest, names in files
            for record in try_file(platen, path, digest, names, soffice.result(digest, kept))]


def files_of(folder, seed, most):
    """Digests and paths of the files of at most this many bytes, each content once."""
    paths, seen = [], {}
    for parent, folders, names in os.walk(folder):
        folders.sort()
        paths += [os.path.join(parent, name) for name in sorted(names) if tools.names_for(name)]
    for path in paths:
        try:
            if os.path.getsize(path) > most:
                continue
            with open(path, "rb") as file:
                seen.setdefault(hashlib.sha256(file.read()).hexdigest()[:20], path)
        except OSError as fault:
            print(f"left out: {fault}", file=sys.stderr)
    files = sorted(seen.items())
    if seed is not None:
        random.Random(seed).shuffle(files)
    return files


def names_of(path, digest, options):
    """The tools to try on a file."""
    names, wanted = tools.names_for(path), options.tools.split(",") if options.tools else None
    if wanted:
        names = [name for name in names if name in wanted]
    if options.rotate and len(names) > options.rotate + 1:
        chosen = random.Random(digest).sample(names[1:], options.rotate)
        names = [name for name in names if name in chosen or name == names[0]]
    return names


def to_do(options, done):
    """The files with the tools that are missing; small office documents in groups."""
    left_out = {record["digest"] for folder in options.without for record in report.load(os.path.join(folder, "records.jsonl"))}
    files = [(digest, path) for digest, path in files_of(options.folder, options.seed, options.bytes) if digest not in left_out]
    office = []
    for digest, path in files[:options.files or len(files)]:
        names = [name for name in names_of(path, digest, options) if (digest, name) not in done]
        if names and tools.is_office(path):
            office.append((path, digest, names))
        elif names:
            yield [(path, digest, names)]
        if len(office) == OFFICE_TOGETHER:
            yield office
            office = []
    if office:
        yield office


def options_of():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder")
    parser.add_argument("--out", default="differential-out")
    parser.add_argument("--platen", default=os.path.join(ROOT, "build", "platen"))
    parser.add_argument("--tools", default="", help="only these, with commas between them")
    parser.add_argument("--files", type=int, default=0, help="no more than this many")
    parser.add_argument("--bytes", type=int, default=1 << 62, help="no file that is longer")
    parser.add_argument("--seed", type=int, help="the order of the files: a sample of its own")
    parser.add_argument("--without", action="append", default=[], help="the --out of another run, whose files are left out")
    parser.add_argument("--rotate", type=int, default=0, help="of each file's tools the first and this many others")
    parser.add_argument("--minutes", type=float, default=0, help="no file is begun after this time")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--nice", type=int, default=19)
    return parser.parse_args()


def main():
    options = options_of()
    os.makedirs(options.out, exist_ok=True)
    kept = os.path.join(options.out, "records.jsonl")
    done = {(record["digest"], record["tool"]) for record in report.load(kept)}
    began = time.monotonic()
    with open(kept, "a", encoding="utf-8") as out, tempfile.TemporaryDirectory(prefix="platen-differential-") as scratch, \
            concurrent.futures.ProcessPoolExecutor(options.jobs, initializer=begin, initargs=(options.nice, scratch)) as pool:
        waiting = set()
        for files in to_do(options, done):
            if options.minutes and time.monotonic() - began > options.minutes * 60:
                break
            waiting.add(pool.submit(try_files, os.path.abspath(options.platen), files, os.path.join(options.out, "soffice")))
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
