#!/usr/bin/python3
"""How the tools grow with the number of pages, beside qpdf and mutool.

    bench/growth.py [--platen build/platen] [--most 1000] [FILE.pdf...]
    bench/growth.py --against 10000 [--rounds 3] [--tools rotate,merge]

Documents of 10, 100, 1,000 and, with --most 10000, 10,000 pages are merged from the pages of the files
(without any: text and map pages that it makes itself) by platen, which keeps their outlines, names, forms
and tags.
For each tool: CPU time (user and system, of all processes), peak memory of the largest process, the
ratio to what one would use instead, and the exponent of the growth from each size to the next: 1 is
linear. Each figure is the least of three runs.

With --against: a document of so many pages with links, fields, an outline and attachments, and for each tool
what it takes compared with qpdf or mutool for the same work. The programs take turns; medians."""

import argparse
import math
import os
import random
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
import growth_pages  # noqa: E402
from pictures import map_page, text_page, write_pdf  # noqa: E402

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
RUNS = 3


def once(command):
    """CPU seconds and peak MB of one run; None if it fails or is not installed."""
    try:
        process = subprocess.Popen(command, stdin=subprocess.DEVNULL,
                                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    except FileNotFoundError:
        return None
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = status
    return None if status else (used.ru_utime + used.ru_stime, used.ru_maxrss / 1000)


def cost(command):
    """The least of several runs; None if one fails."""
    runs = [once(command) for _ in range(RUNS)]
    return None if None in runs else min(runs)


def own_pages(folder):
    chance, path = random.Random(1), os.path.join(folder, "own.pdf")
    write_pdf(path, [map_page(chance) if i == 4 else text_page(chance) for i in range(10)],
              "/F <</Type/Font/Subtype/Type1/BaseFont/Helvetica>>")
    return path


def make(platen, files, pages, folder):
    """A document of at least so many pages, cut to them."""
    path, all_of_them = (os.path.join(folder, f"{name}{pages}.pdf") for name in ("doc", "all"))
    have, chosen = 0, []
    while have < pages:
        for file in files:
            said = subprocess.run(["qpdf", "--show-npages", file], capture_output=True, text=True,
                                  check=False)
            if said.returncode == 0 and have < pages and len(chosen) < 1000:
                chosen.append(file)
                have += int(said.stdout)
        if len(chosen) >= 1000 or not chosen:
            break
    if have < pages:  # more files than a job takes: the document of the size before, ten times
        smaller = os.path.join(folder, f"doc{pages // 10}.pdf")
        chosen = [smaller] * 10
    if len(chosen) == 1:  # a merge takes two
        chosen *= 2
    subprocess.run([platen, "run", "merge", *chosen, "-o", all_of_them, "--force"], check=True,
                   stderr=subprocess.DEVNULL)
    subprocess.run([platen, "run", "split", all_of_them, "--pages", f"1-{pages}", "-o", path,
                    "--force"], check=True, stderr=subprocess.DEVNULL)
    cut = os.path.join(folder, f"cut{pages}.pdf")
    with open(path, "rb") as whole, open(cut, "wb") as short:
        data = whole.read()
        short.write(data[:-min(2000, 200 + len(data) // 100)])
    return path, cut


def commands(platen, path, cut, out, parts):
    def run(tool, *words):
        return [platen, "run", tool, *words, "--force"]

    packed = ["qpdf", "--object-streams=generate"]
    return {
        "rotate": (run("rotate", path, "--degrees", "90", "-o", out),
                   [*packed, "--rotate=90", path, out]),
        "merge": (run("merge", path, path, "-o", out),
                  [*packed, "--empty", "--pages", path, path, "--", out]),
        "split, each page": (run("split", path, "--pages", "all", "--mode", "each", "-o",
                                 out + ".zip"), [*packed, "--split-pages", path, parts]),
        "repair, cut": (run("repair", cut, "-o", out), ["mutool", "clean", cut, out]),
        "add-password": (run("add-password", path, "--password", "x", "-o", out),
                         [*packed, "--encrypt", "x", "x", "256", "--", path, out]),
        "watermark": (run("watermark", path, "--text", "DRAFT", "--opacity", "0.3", "-o", out), None),
        "page-numbers": (run("page-numbers", path, "--position", "bottom-center", "-o", out), None),
        "compress": (run("compress", path, "--quality", "ebook", "-o", out), None),
        "to-word": (run("to-word", path, "-o", out + ".docx"), None),
        "to-png": (run("to-png", path, "--dpi", "50", "-o", out + ".zip"),
                   ["mutool", "draw", "-q", "-r", "50", "-o", parts + "%d.png", path]),
    }


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--platen", default=os.path.join(ROOT, "build", "platen"))
    parser.add_argument("--most", type=int, default=1000)
    parser.add_argument("--tools", default="", help="only these, with commas between them")
    parser.add_argument("--against", type=int, help="pages of the document of the comparison")
    parser.add_argument("--rounds", type=int, default=RUNS)
    parser.add_argument("files", nargs="*")
    options = parser.parse_args()
    if options.against:
        with tempfile.TemporaryDirectory() as folder:
            growth_pages.compare(options.platen, options.against,
                                 [name for name in options.tools.split(",") if name],
                                 options.rounds, folder, once)
        return
    sizes = [n for n in (10, 100, 1000, 10000) if n <= options.most]
    before = {}
    print("| tool | pages | CPU s | exponent | MB | CPU, of the other's | memory, of the other's |")
    print("|---|---|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as folder:
        usable = []
        for file in options.files or [own_pages(folder)]:  # those that can be merged, alone
            out = os.path.join(folder, "one.pdf")
            if cost([options.platen, "run", "merge", file, file, "-o", out, "--force"]):
                usable.append(file)
        for pages in sizes:
            path, cut = make(options.platen, usable, pages, folder)
            out, parts = os.path.join(folder, "out.pdf"), os.path.join(folder, "part.pdf")
            for name, (own, other) in commands(options.platen, path, cut, out, parts).items():
                if options.tools and name.split(",")[0] not in options.tools.split(","):
                    continue
                mine, theirs = cost(own), cost(other) if other else None
                if not mine:
                    print(f"| {name} | {pages} | failed | | | | |")
                    continue
                grown = "" if name not in before else f"{math.log10(mine[0] / before[name]):.2f}"
                before[name] = mine[0]
                ratio = [f"{m / t:.2f}" for m, t in zip(mine, theirs)] if theirs else ["", ""]
                print(f"| {name} | {pages} | {mine[0]:.2f} | {grown} | {mine[1]:.0f} | {ratio[0]} | "
                      f"{ratio[1]} |", flush=True)


if __name__ == "__main__":
    sys.exit(main())
