"""Scores a repaired document from 0 to 100 by comparing how other programs read it and the undamaged file.

A page's score is half the share of its words that are found (poppler) and half the similarity of its ink
(the mean of poppler and MuPDF), or the ink alone if it has no words. A page is compared with the page of
the same number, or else with the most similar page that is left. Additional pages count like lost pages.
The mean of the pages is reduced by up to a fifth for warnings: a tenth for those of qpdf --check, a tenth
for those of the two readers."""

import collections
import os
import re
import statistics
import subprocess
import tempfile

import numpy

PAGES = 12  # number of pages that are compared by default
FEW = 200   # less ink than this counts as none


def run(words, limit=60):
    """Exit code, standard output and standard error, of at most `limit` seconds of CPU time."""
    try:
        done = subprocess.run(["sh", "-c", f"ulimit -t {limit}; ulimit -v 4000000; exec \"$@\"", "sh", *words],
                              stdin=subprocess.DEVNULL, capture_output=True, timeout=20 * limit,
                              check=False)
    except subprocess.TimeoutExpired:
        return 124, b"", b"took too long"
    return done.returncode, done.stdout, done.stderr


def read_pgm(path):
    """Ink: 255 less the gray, as a matrix."""
    with open(path, "rb") as file:
        data = file.read()
    head = re.match(rb"P5\s+(\d+)\s+(\d+)\s+255\s", data)
    if not head:
        return numpy.zeros((1, 1), numpy.int32)
    width, height = int(head[1]), int(head[2])
    gray = numpy.frombuffer(data, numpy.uint8, width * height, head.end())
    return 255 - gray.reshape(height, width).astype(numpy.int32)


class View:
    """What other programs see of a file."""
    def __init__(self, path, most=PAGES):
        self.pages, self.words, self.sound = {"poppler": [], "mupdf": []}, [], 0
        if not os.path.exists(path) or not os.path.getsize(path):
            return
        with tempfile.TemporaryDirectory(prefix="platen-bench-") as folder:
            silent = self.draw(folder, "poppler", ["pdftoppm", "-r", "40", "-gray", "-l", str(most),
                                                   path, f"{folder}/poppler"])
            silent += self.draw(folder, "mupdf", ["mutool", "draw", "-q", "-r", "40", "-c", "gray", "-o",
                                                  f"{folder}/mupdf%03d.pgm", path, f"1-{most}"])
        text = run(["pdftotext", "-l", str(most), path, "-"])[1].decode("utf-8", "replace")
        self.words = [collections.Counter(page.split()) for page in text.split("\f")[:-1]]
        checked = run(["qpdf", "--check", path])[0]
        self.sound = .8 + {0: .1, 3: .05}.get(checked, 0) + .05 * silent

    def draw(self, folder, reader, words):
        code, _, said = run(words)
        said = [text for text in said.splitlines() if text.strip() and b"ICC support" not in text]
        for name in sorted(os.listdir(folder)):
            if name.startswith(reader):
                self.pages[reader].append(read_pgm(os.path.join(folder, name)))
        return 0 if code else .5 if said else 1

    def __len__(self):
        return max(map(len, self.pages.values()))

    def ink(self, reader, number):
        pages = self.pages[reader]
        return pages[number] if number < len(pages) else numpy.zeros((1, 1), numpy.int32)

    def shows(self, number):
        return any(self.ink(reader, number).sum() >= FEW for reader in self.pages)


def share(page, seen):
    """Of the ink of `page`, how much `seen` has at its place, less what it has elsewhere."""
    if page.sum() < FEW:
        return 1.0 if seen.sum() < FEW else 0.0
    laid = numpy.zeros_like(page)
    height, width = (min(a, b) for a, b in zip(page.shape, seen.shape))
    laid[:height, :width] = seen[:height, :width]
    return max(0.0, 1 - float(numpy.abs(page - laid).sum()) / float(page.sum()))


def of_page(before, number, after, other):
    ink = statistics.mean(share(before.ink(reader, number), after.ink(reader, other))
                          for reader in before.pages)
    want = before.words[number] if number < len(before.words) else collections.Counter()
    if want.total() < 3:
        return ink
    have = after.words[other] if other < len(after.words) else collections.Counter()
    return .5 * ink + .5 * (want & have).total() / want.total()


def score(before, after):
    left = {number for number in range(len(after)) if after.shows(number)}
    shown = [number for number in range(len(before)) if before.shows(number)]
    points = 0.0
    wait = []
    for number in shown:
        here = of_page(before, number, after, number) if number in left else 0
        if here > .5:
            left.discard(number)
            points += here
        else:
            wait.append(number)
    for number in wait:
        best = max(left, key=lambda other, number=number: of_page(before, number, after, other),
                   default=None)
        here = of_page(before, number, after, best) if best is not None else 0
        if here > 0:
            left.discard(best)
        points += here
    return 100 * after.sound * points / max(1, len(shown), len(shown) - len(wait) + len(left))
