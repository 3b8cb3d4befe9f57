#!/usr/bin/env python3
"""words.py PLATEN FOLDER...: compares the words of `extract` with those of pdftotext -bbox.

Draws --files PDF files of the folders by --seed, reads their first --pages pages with both programs, and prints which
part of pdftotext's words `extract` has with all four edges of their boxes within --within points:

  equal     the same word
  divided   the same characters at the same place, divided into words in another way: the joined boxes are compared
  guessed   the same word in a page with Type 3 fonts, whose size pdftotext guesses from the width of a letter: only the
            edges along the text are compared
  otherwise other characters in a box at the same place: pdftotext shows what a font says, which can be wrong
  moved     the same characters, but an edge is farther away
  missing   not found

and the files with most words that are moved or missing, with examples. Points are those of the page as pdftotext sees
it, which does not know /UserUnit: boxes are scaled to its page.
"""
import argparse
import collections
import html
import json
import pathlib
import random
import re
import subprocess
import tempfile
import unicodedata

WORD = re.compile(r'<word xMin="(\S+)" yMin="(\S+)" xMax="(\S+)" yMax="(\S+)">(.*?)</word>', re.S)
PAGE = re.compile(r'<page width="(\S+)" height="(\S+)">(.*?)</page>', re.S)


def plain(text):
    """A word without what programs write differently: ligatures, marks of direction, soft hyphens, composed letters."""
    text = unicodedata.normalize("NFKC", html.unescape(text))
    return "".join(c for c in text if unicodedata.category(c) not in ("Cf", "Cc", "Co", "Zs") and c != "\ufffd")


def has_type3(path, pages):
    done = subprocess.run(["pdffonts", "-l", str(pages), path], capture_output=True, timeout=60)
    return b" Type 3 " in done.stdout


def judged(path, pages):
    """The pages as pdftotext reads them: (width, height, [(text, box)])."""
    done = subprocess.run(["pdftotext", "-bbox", "-cropbox", "-l", str(pages), path, "-"], capture_output=True, timeout=60)
    if done.returncode:
        return None
    out = []
    for width, height, body in PAGE.findall(done.stdout.decode("utf-8", "replace")):
        words = [(plain(w[4]), tuple(float(v) for v in w[:4])) for w in WORD.findall(body)]
        out.append((float(width), float(height), [w for w in words if w[0]]))
    return out


def extracted(platen, path, pages, n):
    with tempfile.TemporaryDirectory() as folder:
        out = pathlib.Path(folder) / "out.json"
        done = subprocess.run([platen, "run", "extract", path, "-o", out, "--pages", f"1-{min(pages, n)}"], capture_output=True, timeout=120)
        if done.returncode:
            return None, done.stderr.decode("utf-8", "replace").strip()[-200:]
        found = json.loads(out.read_text())
    return [(p["width"], p["height"], [(plain(w["text"]), tuple(w["box"]), w) for w in p["words"]]) for p in found["pages"]], ""


def union(boxes):
    return (min(b[0] for b in boxes), min(b[1] for b in boxes), max(b[2] for b in boxes), max(b[3] for b in boxes))


def off(a, b):
    return max(abs(x - y) for x, y in zip(a, b))


def clamp(box):
    """Text can be drawn far outside of its page."""
    return tuple(min(max(v, -400), 8000) for v in box)


class Index:
    """Words of a page by their place."""

    def __init__(self, words):
        self.cells = collections.defaultdict(list)
        for i, word in enumerate(words):
            x0, y0, x1, y1 = clamp(word[1])
            for x in range(int(x0 // 40), int(x1 // 40) + 1):
                for y in range(int(y0 // 40), int(y1 // 40) + 1):
                    self.cells[x, y].append(i)

    def near(self, box, more=3):
        found, box = set(), clamp(box)
        for x in range(int((box[0] - more) // 40), int((box[2] + more) // 40) + 1):
            for y in range(int((box[1] - more) // 40), int((box[3] + more) // 40) + 1):
                found.update(self.cells.get((x, y), ()))
        return found


def touches(a, b, slack=1.5):
    """Whether the middle of the smaller of two boxes is in the other."""
    if (a[2] - a[0]) * (a[3] - a[1]) > (b[2] - b[0]) * (b[3] - b[1]):
        a, b = b, a
    x, y = (a[0] + a[2]) / 2, (a[1] + a[3]) / 2
    return b[0] - slack <= x <= b[2] + slack and b[1] - slack <= y <= b[3] + slack


def is_divided(word, near, others, mine, within):
    """Whether this word and its neighbours have the same characters as some words of `extract`, at the same place."""
    cluster, theirs = {word[0:2]}, set()
    for _ in range(4):
        more = {i for i in near if any(touches(mine[i][1], w[1]) for w in cluster)}
        grown = {w for w in others if any(touches(w[1], mine[i][1]) for i in more)} | cluster
        if more == theirs and grown == cluster:
            break
        theirs, cluster = more, grown
        if len(cluster) > 150 or len(theirs) > 150:
            return False
    if not theirs:
        return False
    a = collections.Counter("".join(w[0] for w in cluster))
    b = collections.Counter("".join(mine[i][0] for i in theirs))
    return a == b and off(union([w[1] for w in cluster]), union([mine[i][1] for i in theirs])) <= within


def compare_page(page, mine_page, type3, within, counts, examples):
    width, height, words = page
    # pdftotext gives the size of the page before /Rotate.
    scale = max(width, height) / (max(mine_page[0:2]) or 1)
    mine = [(w[0], tuple(v * scale for v in w[1])) for w in mine_page[2]]
    index, others, used = Index(mine), Index(words), set()
    for word in words:
        near = index.near(word[1])
        same = [i for i in near if mine[i][0] in (word[0], word[0][::-1])]  # it shows Hebrew and Arabic as drawn
        best = min(same, key=lambda i: off(mine[i][1], word[1]), default=None)
        if best is not None and off(mine[best][1], word[1]) <= within:
            counts["equal"] += 1
            continue
        around = [words[i][0:2] for i in others.near(word[1], 20)]
        if len(around) < 600 and is_divided(word, index.near(word[1], 40), around, mine, within):
            counts["divided"] += 1
        elif any(off(mine[i][1], word[1]) <= within for i in near):
            counts["otherwise"] += 1
        elif best is not None and type3 and min(off(mine[best][1][k::2], word[1][k::2]) for k in (0, 1)) <= within:
            counts["guessed"] += 1
        elif best is not None:
            counts["moved"] += 1
            d = [round(m - w, 1) for m, w in zip(mine[best][1], word[1])]
            examples.append(f"moved {word[0]!r} {[round(v, 1) for v in word[1]]} by {d}")
        else:
            counts["missing"] += 1
            there = [mine[i][0] for i in near if touches(mine[i][1], word[1])][:3]
            examples.append(f"missing {word[0]!r} {[round(v, 1) for v in word[1]]}, there: {there}")


def main():
    ask = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ask.add_argument("platen")
    ask.add_argument("folders", nargs="+")
    ask.add_argument("--files", type=int, default=100)
    ask.add_argument("--seed", type=int, default=1)
    ask.add_argument("--pages", type=int, default=8)
    ask.add_argument("--within", type=float, default=1.0)
    ask.add_argument("--worst", type=int, default=12)
    ask.add_argument("--show", type=int, default=3)
    given = ask.parse_args()
    files = sorted(str(f) for folder in given.folders for f in (pathlib.Path(folder).rglob("*.pdf") if pathlib.Path(folder).is_dir() else [pathlib.Path(folder)]))
    random.Random(given.seed).shuffle(files)
    total, rows, refused = collections.Counter(), [], 0
    for path in files[: given.files]:
        counts, examples = collections.Counter(), []
        try:
            pages = judged(path, given.pages)
            if not pages or not any(p[2] for p in pages):
                continue
            mine, why = extracted(given.platen, path, given.pages, len(pages))
        except subprocess.TimeoutExpired:
            print(f"too slow: {path}")
            continue
        if mine is None:
            refused += 1
            print(f"refused: {path}: {why}")
            continue
        type3 = has_type3(path, given.pages)
        for page, mine_page in zip(pages, mine):
            compare_page(page, mine_page, type3, given.within, counts, examples)
        total += counts
        rows.append((counts["moved"] + counts["missing"], path, counts, examples))
    rows.sort(key=lambda row: -row[0])
    for bad, path, counts, examples in rows[: given.worst]:
        if bad:
            print(f"{bad:6} of {sum(counts.values()):6}  {path}  {dict(counts)}")
            random.Random(given.seed).shuffle(examples)
            for example in examples[: given.show]:
                print(f"         {example}")
    n = sum(total.values()) or 1
    print(f"{len(rows)} files, {n} words, {refused} refused: " + ", ".join(f"{k} {100 * total[k] / n:.2f} %" for k in ("equal", "divided", "guessed", "otherwise", "moved", "missing")))
    print(f"within {given.within:g} point: {100 * (total['equal'] + total['divided'] + total['otherwise'] + total['guessed']) / n:.2f} % of words; median file {sorted(100 - 100 * r[0] / max(1, sum(r[2].values())) for r in rows)[len(rows) // 2] if rows else 0:.2f} %")


if __name__ == "__main__":
    main()
