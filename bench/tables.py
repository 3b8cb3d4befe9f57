#!/usr/bin/python3
"""Tables in Word files: a small typesetter, or LibreOffice, writes documents of many kinds of tables whose cells are known, to-word
reads them, and what neighbours what in the Word files is compared with what should (adjacency relations, as in the ICDAR 2013
competition: each cell with text and its nearest neighbours to the right and below). Of tables by LibreOffice, which can continue on
further pages, the number is compared as well.

tables.py [--office] [--documents N] [--kind KIND] [--least SHARE] [--keep FOLDER] [-c 'platen run to-word {in} -o {out}']
"""

import argparse
import collections
import os
import random
import re
import shlex
import subprocess
import sys
import tempfile
import unicodedata
import xml.etree.ElementTree as ET
import zipfile

import office_tables

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path.append(os.path.join(ROOT, "test", "tools"))
from pdf_builder import save, stream  # noqa: E402
WORD = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
# Helvetica's widths from the space on, in 1/1000 of the size.
WIDTHS = [278, 278, 355, 556, 556, 889, 667, 191, 333, 333, 389, 584, 278, 333, 278, 278] + [556] * 10 + [
    278, 278, 584, 584, 584, 556, 1015, 667, 667, 722, 722, 667, 611, 778, 722, 278, 500, 667, 556, 833, 722, 778, 667, 778, 722,
    667, 611, 722, 667, 944, 667, 667, 611, 278, 278, 278, 469, 556, 333, 556, 556, 500, 556, 556, 278, 556, 556, 222, 222, 500,
    222, 833, 556, 556, 556, 556, 333, 500, 278, 556, 500, 722, 500, 500, 500, 334, 260, 334, 584]
NOUNS = """river bridge harbour market valley school forest tower garden mill station castle island meadow orchard quarry chapel
library museum theatre factory workshop bakery laundry stable granary cellar attic kitchen pantry""".split()
PLACES = """Alder Birch Cedar Dorn Elmsford Farrow Glen Hollin Ivory Juniper Kestrel Linden Marsh Norwood Oakham Penrose Quill Rowan
Sorrel Thorne Umber Vale Willow Yarrow Ashby Benton Carrow Dunmere Easton Fenwick""".split()
HEADS = """Region Area People Births Deaths Output Income Cost Share Growth Index Rate Total Change Volume Weight Price Stock""".split()


def width(text, size):
    return sum(WIDTHS[ord(c) - 32] if 32 <= ord(c) < 127 else 556 for c in text) * size / 1000


class Page:
    """Operators of a page; y is from its top."""

    def __init__(self):
        self.out = []

    def text(self, x, y, text, size, bold=False):
        text = text.replace("\\", r"\\").replace("(", r"\(").replace(")", r"\)")
        self.out.append(f"BT /{'B' if bold else 'F'} {size} Tf {x:.2f} {842 - y:.2f} Td ({text}) Tj ET")

    def line(self, x0, y0, x1, y1, width=0.7):
        self.out.append(f"{width} w {x0:.2f} {842 - y0:.2f} m {x1:.2f} {842 - y1:.2f} l S")

    def fill(self, x0, y0, x1, y1, gray):
        self.out.append(f"{gray} g {x0:.2f} {842 - y1:.2f} {x1 - x0:.2f} {y1 - y0:.2f} re f 0 g")

    def prose(self, chance, x0, x1, y, lines, size=10):
        for _ in range(lines):
            text = ""
            while width(text, size) < x1 - x0 - 45:
                text += chance.choice(NOUNS) + " "
            self.text(x0, y, text.strip(), size)
            y += 1.25 * size
        return y


def write_pdf(path, page):
    objects = [b"<</Type/Catalog/Pages 2 0 R>>", b"<</Type/Pages/Kids[3 0 R]/Count 1>>",
               b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Contents 4 0 R/Resources<</Font<</F 5 0 R/B 6 0 R>>>>>>",
               stream("\n".join(page.out))]
    objects += [b"<</Type/Font/Subtype/Type1/BaseFont/%s/Encoding/WinAnsiEncoding>>" % name
                for name in (b"Helvetica", b"Helvetica-Bold")]
    save(path, objects, version=b"1.4")


class Cell:
    def __init__(self, text, columns=1, rows=1, align=None):
        self.lines = text.split("\n") if isinstance(text, str) else text
        self.columns, self.rows, self.align = columns, rows, align


class Table:
    """Rows of cells; a cell that another one covers is None."""

    def __init__(self, rows, aligns, heads=1):
        self.rows, self.aligns, self.heads = rows, aligns, heads
        self.rules = []  # (kind, row) of rules drawn: see draw

    def grid(self):
        grid = {}
        for r, row in enumerate(self.rows):
            for c, cell in enumerate(row):
                if cell:
                    for y in range(r, r + cell.rows):
                        for x in range(c, c + cell.columns):
                            grid[y, x] = (id(cell), "".join(cell.lines))
        return grid

    def widths(self, size, gap):
        out = [0.0] * len(self.aligns)
        for wide in (False, True):
            for row in self.rows:
                for c, cell in enumerate(row):
                    if cell and (cell.columns > 1) == wide:
                        need = max(width(line, size) * 1.08 for line in cell.lines) + gap
                        have = sum(out[c:c + cell.columns])
                        for x in range(c, c + cell.columns):
                            out[x] += max(0, need - have) / cell.columns
        return out

    def draw(self, page, x, y, size=9, gap=14, leading=1.2, skip=6, full=None, ruled="", middle=False):
        """`ruled` of: g grid; h lines between rows; v lines between columns; f frame; t top, head and bottom; z stripes; c lines
        between the columns of heads; s lines below heads that span."""
        widths = self.widths(size, gap)
        if full:
            widths = [w + (full - sum(widths)) / len(widths) for w in widths]
        xs = [x + sum(widths[:i]) for i in range(len(widths) + 1)]
        heights = []
        for r, row in enumerate(self.rows):
            lines = max([len(cell.lines) for cell in row if cell and cell.rows == 1] or [1])
            heights.append(((lines - 1) * leading + 1) * size + skip)
        ys = [y + sum(heights[:i]) for i in range(len(heights) + 1)]
        last = len(self.rows)
        if "z" in ruled:
            for r in range(self.heads, last, 2):
                page.fill(xs[0], ys[r], xs[-1], ys[r + 1], 0.9)
        for r, row in enumerate(self.rows):
            for c, cell in enumerate(row):
                if not cell:
                    continue
                x0, x1, top, bottom = xs[c], xs[c + cell.columns], ys[r], ys[r + cell.rows]
                if "g" in ruled or ("c" in ruled and r < self.heads):
                    page.line(x0, top, x1, top)
                    page.line(x0, bottom, x1, bottom)
                    page.line(x0, top, x0, bottom)
                    page.line(x1, top, x1, bottom)
                if "s" in ruled and r < self.heads and cell.columns > 1 and cell.lines != [""]:
                    page.line(x0 + gap / 2, bottom, x1 - gap / 2, bottom, 0.4)
                high = ((len(cell.lines) - 1) * leading + 1) * size
                base = top + skip / 2 + 0.8 * size
                if middle or (r < self.heads and cell.rows == 1):
                    base += (bottom - top - skip - high) / (2 if middle else 1)
                align = cell.align or self.aligns[c]
                for line in cell.lines:
                    wide = width(line, size) * (1.06 if r < self.heads else 1)
                    at = {"l": x0 + gap / 2, "r": x1 - gap / 2 - wide, "c": (x0 + x1 - wide) / 2}.get(align)
                    if align == "d":  # on the point
                        at = (x0 + x1) / 2 + 6 - width(line.split(".")[0], size)
                    page.text(at, base, line, size, r < self.heads)
                    base += leading * size
        for r in range(last + 1):
            if "h" in ruled or ("t" in ruled and r in (0, self.heads, last)) or ("f" in ruled and r in (0, last)):
                page.line(xs[0], ys[r], xs[-1], ys[r])
        if "v" in ruled or "f" in ruled:
            for at in xs if "v" in ruled else (xs[0], xs[-1]):
                page.line(at, ys[0], at, ys[-1])
        return xs[-1], ys[-1]


def number(chance, places=None):
    places = chance.choice((0, 1, 2)) if places is None else places
    return f"{chance.uniform(0, chance.choice((10, 100, 1000, 90000))):,.{places}f}"


def simple(chance, rows=None, columns=None, empty=0.0, places=None, align="r", values=number):
    rows, columns = rows or chance.randint(4, 14), columns or chance.randint(3, 6)
    places = chance.choice((0, 1, 2)) if places is None else places
    names = chance.sample(PLACES, rows)
    table = [[Cell(head) for head in chance.sample(HEADS, columns)]]
    for r in range(rows):
        table.append([Cell(names[r] + (" " + chance.choice(NOUNS) if chance.random() < 0.5 else ""))] +
                     [Cell("" if chance.random() < empty else values(chance, places)) for _ in range(columns - 1)])
    return Table(table, "l" + align * (columns - 1))


def wrapped(chance, columns=3):
    rows = [[Cell(head) for head in chance.sample(HEADS, columns)]]
    for name in chance.sample(PLACES, chance.randint(4, 8)):
        text = [" ".join(chance.choices(NOUNS, k=4)) for _ in range(chance.randint(1, 3))]
        text[-1] = chance.choice(NOUNS)
        rows.append([Cell(name), Cell(text)] + [Cell(number(chance, 1)) for _ in range(columns - 2)])
    return Table(rows, "ll" + "r" * (columns - 2))


def spanned(chance, groups=2):
    table = simple(chance, columns=1 + 2 * groups)
    years = [str(chance.randint(1990, 2010) + i) for i in range(groups)]
    top = [Cell("")]
    for year in years:
        top += [Cell(year, columns=2, align="c"), None]
    table.rows.insert(0, top)
    table.heads = 2
    return table


def sections(chance):
    """Names of sections are cells of the first column if they fit there, and go across all columns if they do not."""
    table = simple(chance, rows=chance.randint(8, 12))
    columns, across = len(table.aligns), chance.random() < 0.5
    names = ("Northern districts of the county", "Southern districts of the county") if across else ("North", "South")
    for at, name in ((1, names[0]), (len(table.rows) // 2 + 1, names[1])):
        rest = [None] if across else [Cell("")]
        table.rows.insert(at, [Cell(name, columns=columns if across else 1)] + rest * (columns - 1))
    return table


def heads(chance):
    table = simple(chance)
    for cell in table.rows[0][1:]:
        cell.lines = chance.sample(HEADS, chance.randint(1, 3))
    return table


def words(chance):
    return simple(chance, columns=chance.randint(3, 5), align="l", values=lambda chance, _: " ".join(chance.sample(NOUNS, chance.randint(1, 2))))


def stubs(chance):
    table = simple(chance, rows=8, columns=4)
    table.aligns = "llrr"
    for r in range(1, 9):
        table.rows[r][1] = Cell("Count" if r % 2 else "Share")
        if r % 2:
            table.rows[r][0].rows = 2
        else:
            table.rows[r][0] = None
    return table


# Of each kind: what makes the table, and how it is drawn.
KINDS = {
    "grid": (simple, {"ruled": "g"}),
    "grid-spans": (spanned, {"ruled": "g"}),
    "grid-wrapped": (wrapped, {"ruled": "g"}),
    "grid-stubs": (stubs, {"ruled": "g"}),
    "head-ruled": (simple, {"ruled": "cfh", "gap": 20}),
    "rows-ruled": (simple, {"ruled": "h", "gap": 20}),
    "columns-ruled": (simple, {"ruled": "vt", "skip": 3}),
    "framed": (simple, {"ruled": "ft", "gap": 24}),
    "book": (simple, {"ruled": "t", "gap": 16}),
    "book-spans": (spanned, {"ruled": "ts", "gap": 18}),
    "book-wrapped": (wrapped, {"ruled": "t", "gap": 20, "skip": 8}),
    "rows-wrapped": (wrapped, {"ruled": "h", "gap": 20}),
    "plain": (simple, {"gap": 22, "skip": 4}),
    "plain-words": (words, {"gap": 26, "skip": 4}),
    "plain-heads": (heads, {"gap": 22, "skip": 4}),
    "plain-sections": (sections, {"gap": 22, "skip": 4}),
    "book-sections": (sections, {"ruled": "t", "gap": 20, "skip": 4}),
    "decimal": (lambda chance: simple(chance, align="d"), {"ruled": "t", "gap": 26}),
    "stripes": (simple, {"ruled": "z", "gap": 22}),
    "sparse": (lambda chance: simple(chance, empty=0.35), {"ruled": "t", "gap": 20}),
    "beside": (lambda chance: simple(chance, columns=3, rows=6), {"gap": 12, "ruled": "t"}),
    "below": (lambda chance: simple(chance, rows=5), {"gap": 20, "ruled": "t"}),
}


def document(kind, seed, path):
    """Writes it; the relations of its tables."""
    chance = random.Random(f"{kind} {seed}")
    make, style = KINDS[kind]
    page, want = Page(), collections.Counter()
    y = page.prose(chance, 72, 523, 80, chance.randint(2, 5)) + 14
    full = 451 if chance.random() < 0.4 and kind != "beside" else None
    for i in range(2 if kind in ("beside", "below") else 1):
        table = make(chance)
        if kind == "below":
            page.text(72, y + 10, f"Table {i + 1}: {chance.choice(NOUNS)} and {chance.choice(NOUNS)}", 9, True)
            y += 22
        right, bottom = table.draw(page, 310 if kind == "beside" and i else 72, y, full=full, **style)
        want += relations(table.grid())
        if kind != "beside" or i:
            y = bottom + 22
    page.prose(chance, 72, 523, y + 4, chance.randint(2, 5))
    write_pdf(path, page)
    return want


def plain(text):
    return re.sub(r"[^0-9a-z%]", "", unicodedata.normalize("NFKC", text).lower())


def relations(grid):
    """Of (row, column) -> (cell, text): how often one text has another to its right, or below."""
    found = set()
    rows, columns = max((k[0] for k in grid), default=-1), max((k[1] for k in grid), default=-1)
    for (r, c), (cell, text) in grid.items():
        for name, down, right in (("right", 0, 1), ("below", 1, 0)):
            y, x = r + down, c + right
            while plain(text) and y <= rows and x <= columns:
                other = grid.get((y, x))
                if other and plain(other[1]) and other[0] != cell:
                    found.add((cell, other[0], plain(text), plain(other[1]), name))
                    break
                y, x = y + down, x + right
    return collections.Counter(relation[2:] for relation in found)


def read_table(table):
    grid, above = {}, {}
    for r, row in enumerate(table.findall(WORD + "tr")):
        c = 0
        for cell in row.findall(WORD + "tc"):
            span = cell.find(f"{WORD}tcPr/{WORD}gridSpan")
            merge = cell.find(f"{WORD}tcPr/{WORD}vMerge")
            columns = int(span.get(WORD + "val")) if span is not None else 1
            value = (id(cell), "".join(t.text or "" for t in cell.iter(WORD + "t")))
            if merge is not None and merge.get(WORD + "val") != "restart" and c in above:
                value = above[c]
            for x in range(c, c + columns):
                grid[r, x] = above[x] = value
            c += columns
    return grid


def read_word(path):
    """The relations of all tables, how many tables there are, and in how many of them Word repeats a header and no row is empty."""
    found, n, good = collections.Counter(), 0, 0
    if os.path.exists(path):
        with zipfile.ZipFile(path) as file:
            for table in ET.fromstring(file.read("word/document.xml")).iter(WORD + "tbl"):
                found += relations(read_table(table))
                n += 1
                good += (table.find(f"{WORD}tr/{WORD}trPr/{WORD}tblHeader") is not None and
                         all(any(t.text for t in row.iter(WORD + "t")) for row in table.findall(WORD + "tr")))
    return found, n, good


def documents(kind, seeds, folder):
    """Of each document its path, the relations of its tables, and how many tables must be found; None: any number."""
    if kind in office_tables.KINDS:
        for path, grids in office_tables.documents(kind, seeds, folder, (NOUNS, PLACES, HEADS)):
            yield path, sum((relations(grid) for grid in grids), collections.Counter()), len(grids)
        return
    for seed in seeds:
        path = os.path.join(folder, f"{kind}-{seed}.pdf")
        yield path, document(kind, seed, path), None


def score(kind, seeds, folder, command):
    """Means of recall and precision, the worst document, and the share of documents with as many tables as they should have, whose
    headers are repeated by Word if they are repeated on the pages."""
    seen, right = [], []
    for path, want, tables in documents(kind, seeds, folder):
        words = [word.replace("{in}", path).replace("{out}", path[:-3] + "docx") for word in shlex.split(command)]
        subprocess.run(words, capture_output=True, timeout=120, check=False)
        got, n, good = read_word(path[:-3] + "docx")
        hit = sum((want & got).values())
        seen.append((hit / max(1, sum(want.values())), hit / max(1, sum(got.values())), os.path.basename(path)))
        right.append(tables is None or (n == tables and (good == n or "pages" not in kind or "once" in kind)))
    return sum(s[0] for s in seen) / len(seen), sum(s[1] for s in seen) / len(seen), min(seen), sum(right) / len(right)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--documents", type=int, default=5, help="of each kind")
    parser.add_argument("--office", action="store_true", help="the kinds that LibreOffice sets; it must be installed")
    parser.add_argument("--kind", choices=list(KINDS) + list(office_tables.KINDS))
    parser.add_argument("--least", type=float, default=0, help="fails if the mean recall, precision or share of documents with the "
                        "right number of tables is lower")
    parser.add_argument("--keep", metavar="FOLDER", help="where the documents are to stay")
    parser.add_argument("-c", metavar="COMMAND", default=os.path.join(ROOT, "build", "platen") + " run to-word {in} -o {out} --force")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        if options.keep:
            os.makedirs(options.keep, exist_ok=True)
            folder = options.keep
        sums = []
        for kind in [options.kind] if options.kind else office_tables.KINDS if options.office else KINDS:
            recall, precision, worst, right = score(kind, range(options.documents), folder, options.c)
            sums.append((recall, precision, right))
            print(f"{kind:25} recall {recall:.3f} precision {precision:.3f} number {right:.2f} "
                  f"worst: {worst[2]} with {worst[0]:.3f} {worst[1]:.3f}")
        means = [sum(s[k] for s in sums) / len(sums) for k in (0, 1, 2)]
        print(f"mean of {len(sums)} kinds: recall {means[0]:.3f} precision {means[1]:.3f} number {means[2]:.3f}")
        if min(means) < options.least:
            sys.exit(f"tables are read worse than {options.least}")


if __name__ == "__main__":
    main()
