#!/usr/bin/python3
"""The part `toword`: to-word beside LibreOffice's import of PDFs and `mutool convert -F docx`. Whole commands, on 100
and 20 pages of text made here and on the files of the corpus; and what the judge of Word documents
says of the results, where ../shared has it. LibreOffice gets the 20 pages alone: it puts every line
into a box of its own, and 100 pages take it more than 400 s.

Started alone it measures no time: it writes documents of known texts (office_texts.py), converts them, and fails if a part of a
document is read worse than bench/toword.json says.

toword.py [--documents N] [--update]
"""

import argparse
import glob
import json
import os
import random
import shutil
import statistics
import subprocess
import sys
import tempfile

import office_texts
from bench import PLATEN, ROOT, sized, table
from pictures import CORPUS, text_page, timed, write_pdf

JUDGE = os.path.join(ROOT, "..", "shared", "judge", "toword", "score.py")
FIGURES = ("total", "recall", "order", "page", "pagecount", "flow", "para", "tables", "headings",
           "lists", "links")


def commands(path, folder):
    profile = "-env:UserInstallation=file://" + os.path.join(folder, "office")
    stem = os.path.splitext(os.path.basename(path))[0]
    return {"platen": [PLATEN, "run", "to-word", path, "-o", f"OUT/{stem}.docx"],
            "mutool": ["mutool", "convert", "-F", "docx", "-o", f"OUT/{stem}.docx", path],
            "LibreOffice": ["soffice", profile, "--headless", "--norestore",
                            "--infilter=writer_pdf_import", "--convert-to", "docx", "--outdir",
                            "OUT", path]}


LONG, SHORT = sized(100), sized(20)


def write_text(folder, pages):
    path = os.path.join(folder, f"text{pages}.pdf")
    chance = random.Random(7)
    write_pdf(path, [text_page(chance) for _ in range(pages)],
              "/F<</Type/Font/Subtype/Type1/BaseFont/Times-Roman>>",
              [b"<</Length 0>>stream\n\nendstream"])
    return path


def time_all(path, folder, rounds, without=()):
    seen, slow = {}, set(without)
    for _ in range(rounds):
        for name, words in commands(path, folder).items():
            if name in slow or not shutil.which(words[0]):
                continue
            run = timed(words, folder)
            if not run or run["wall"] > 3:
                slow.add(name)  # once is enough
            if run:
                seen.setdefault(name, []).append(run)
    return {name: min(runs, key=lambda run: run["wall"]) for name, runs in seen.items()}


def judge(folder, corpus):
    """Rows of the judge's table. The others' are in its own notes: it takes minutes for theirs."""
    results = os.path.join(folder, "judged")
    os.mkdir(results)
    for path in glob.glob(os.path.join(corpus, "*.pdf")):
        stem = os.path.splitext(os.path.basename(path))[0]
        subprocess.run([PLATEN, "run", "to-word", path, "-o", os.path.join(results, stem + ".docx")],
                       capture_output=True)
    scores = os.path.join(folder, "scores.json")
    subprocess.run(["/usr/bin/python3", JUDGE, "--batch", os.path.join(corpus, "batch.tsv"),
                    "--pdfdir", corpus, "--docxdir", results, "--gtdir",
                    os.path.join(corpus, "originals"), "--json", scores],
                   capture_output=True, env={**os.environ, "SCORE_CACHE": os.path.join(folder, "seen")})
    if not os.path.exists(scores):
        return []
    with open(scores) as file:
        files = json.load(file)

    def show(value):
        return "" if value is None else f"{float(value):.2f}"

    rows = [[name, f"{float(of['total']):.1f}", *(show(of.get(figure)) for figure in FIGURES[1:])]
            for name, of in files.items()]
    mean = [[float(of[figure]) for of in files.values() if of.get(figure) is not None]
            for figure in FIGURES]
    return rows + [["mean", f"{statistics.mean(mean[0]):.1f}",
                    *(f"{statistics.mean(of):.2f}" if of else "" for of in mean[1:])]]


def row(document, name, run):
    return [document, name, f"{run['cpu']:.2f}", f"{run['wall']:.2f}", f"{run['peak']:.0f}",
            f"{run['others']:.1f}"]


def toword(folder, rounds):
    corpus = os.path.join(CORPUS, "toword")
    rows, sums = [], {}
    for pages in (LONG, SHORT):
        seen = time_all(write_text(folder, pages), folder, rounds,
                        {"LibreOffice"} if pages == LONG else ())
        rows += [row(f"{pages} pages of text", name, run) for name, run in seen.items()]
    paths = sorted(glob.glob(os.path.join(corpus, "*.pdf")))
    for path in paths:
        for name, run in time_all(path, folder, 1).items():
            sums.setdefault(name, []).append(run)
    rows += [[f"{len(of)} of the {len(paths)} files of the corpus", name,
              f"{sum(run['cpu'] for run in of):.2f}", f"{sum(run['wall'] for run in of):.2f}",
              f"{max(run['peak'] for run in of):.0f}", ""] for name, of in sums.items()]
    table("PDF to Word: whole commands, the quickest of their rounds (the corpus once).",
          ["document", "by", "CPU s", "s", "peak MB", "others"], rows)
    if os.path.exists(JUDGE) and os.path.exists(os.path.join(corpus, "batch.tsv")):
        table("What the judge says of platen's results (total of 100; the others parts of 1).",
              ["file", *FIGURES], judge(folder, corpus))


LEAST = os.path.join(ROOT, "bench", "toword.json")
SLACK = 0.01  # of F1: versions of LibreOffice break some lines elsewhere


def check():
    parser = argparse.ArgumentParser()
    parser.add_argument("--documents", type=int, default=3, help="of each kind")
    parser.add_argument("--update", action="store_true", help="writes what is measured to bench/toword.json")
    options = parser.parse_args()
    with open(LEAST) as file:
        least = json.load(file)
    seen, worse = {}, []
    with tempfile.TemporaryDirectory() as folder:
        for kind in office_texts.KINDS:
            seen[kind] = office_texts.score(kind, range(options.documents), folder, [PLATEN, "run", "to-word"])
            for part, figure in seen[kind].items():
                wanted = least.get(kind, {}).get(part, 0)
                print(f"{kind:14} {part:12} {figure:.3f}, at least {wanted:.3f}")
                if figure < wanted - SLACK:
                    worse.append(f"{part} of {kind}")
    if options.update:
        with open(LEAST, "w") as file:
            json.dump(seen, file, indent=1)
            file.write("\n")
    elif worse:
        sys.exit("read worse than before: " + ", ".join(worse))


if __name__ == "__main__":
    check()
