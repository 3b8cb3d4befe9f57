#!/usr/bin/python3
"""repair beside other programs that open damaged documents.

    bench/repair.py [--platen build/platen] [--seed N] [--each] [FILE.pdf...]

Documents (without any named: those it makes itself, which needs qpdf and pdftocairo) are damaged in
ways that happen: cut short, holes, bytes lost, taken for text, objects lost. Each program writes what
it can of them, and two readers, poppler and MuPDF, show that and the undamaged document. Recovered is
the share of what was to be seen that is seen again where it was, mean of all pages and both readers:
100 is all of it, 0 a refusal or blank pages. --each says every figure. Programs that are not
installed are left out. Needs PIL.
"""
import argparse
import concurrent.futures
import glob
import os
import random
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import zlib

from PIL import Image, ImageChops, ImageStat

sys.dont_write_bytecode = True
from pictures import map_page, photo, text_page, write_pdf  # noqa: E402

PAGES = 12       # looked at, of a document
FEW = 200        # so little ink is none
PROGRAMS = {
    "platen": ["{platen}", "run", "repair", "{in}", "-o", "{out}"],
    "qpdf": ["qpdf", "{in}", "{out}"],
    "mutool clean": ["mutool", "clean", "{in}", "{out}"],
    "gs": ["gs", "-q", "-dNOPAUSE", "-dBATCH", "-dSAFER", "-sDEVICE=pdfwrite", "-o", "{out}",
           "{in}"],
    "pdftocairo": ["pdftocairo", "-pdf", "{in}", "{out}"],
}
READERS = {
    "poppler": ["pdftoppm", "-r", "40", "-gray", "-l", str(PAGES), "{in}", "{out}/p"],
    "MuPDF": ["mutool", "draw", "-q", "-r", "40", "-c", "gray", "-o", "{out}/p%03d.pgm", "{in}",
              f"1-{PAGES}"],
}


# ---- The documents

def write_update(path, base, chance):
    """A revision behind the first, in which every page's content is another."""
    with open(base, "rb") as file:
        data = file.read()
    offsets = []
    for number in (1001, 1003, 1005):
        content = zlib.compress(text_page(chance).encode())
        offsets.append((number, len(data)))
        data += (b"%d 0 obj\n<</Filter/FlateDecode/Length %d>>stream\n" % (number, len(content)) +
                 content + b"\nendstream\nendobj\n")
    xref = len(data)
    before = int(re.findall(rb"startxref\s+(\d+)", data)[-1])
    data += b"xref\n" + b"".join(b"%d 1\n%010d 00000 n \n" % of for of in offsets)
    data += (b"trailer<</Root 1 0 R/Size 2000/Prev %d>>\nstartxref\n%d\n%%%%EOF\n" %
             (before, xref))
    with open(path, "wb") as file:
        file.write(data)


def part_of(content):
    """The first lines of a map."""
    return content[:content.index("\nS", 60000) + 2]


def write_documents(folder):
    chance = random.Random(11)
    font = "/F<</Type/Font/Subtype/Type1/BaseFont/Times-Roman>>"
    small, picture = [photo(chance, 8)], [photo(chance, 100)]

    def path(name):
        return os.path.join(folder, name + ".pdf")

    def made(name, *words):
        """The same bytes each time, as far as the program can."""
        subprocess.run([*words, path(name)], check=True,
                       env={**os.environ, "SOURCE_DATE_EPOCH": "0"})

    write_pdf(path("text"), [text_page(chance) for _ in range(6)], font, small)
    write_pdf(path("map"), [part_of(map_page(chance)) for _ in range(4)], font, small)
    write_pdf(path("pictures"), ["q 400 0 0 400 90 90 cm /P Do Q\n" + text_page(chance)[:1500] +
                                 ") Tj ET" for _ in range(3)], font, picture)
    write_update(path("updated"), path("text"), chance)
    same = ["--static-id", "--static-aes-iv"]
    made("object-streams", "qpdf", path("text"), "--object-streams=generate", *same)
    made("linearized", "qpdf", path("pictures"), "--linearize", *same)
    made("encrypted", "qpdf", path("text"), "--encrypt", "", "owner", "128", "--use-aes=y", "--",
         *same)
    made("embedded-fonts", "pdftocairo", "-pdf", path("text"))
    return sorted(glob.glob(os.path.join(folder, "*.pdf")))


# ---- The damage: each takes bytes and chance, and gives bytes, or None where it does not apply

OBJECT = re.compile(rb"(?<!\d)(\d+) 0 obj\b.*?\bendobj", re.S)


def cut(part):
    return lambda data, chance: data[:int(len(data) * part)]


def hole(data, chance, fill):
    n = max(64, len(data) // 40)
    at = chance.randrange(len(data) - n)
    return data[:at] + fill(n) + data[at + n:]


def lose_bytes(data, chance):
    for _ in range(6):
        at = chance.randrange(len(data))
        data = data[:at] + data[at + chance.randint(1, 9):]
    return data


def swap_blocks(data, chance):
    n = 512
    if len(data) < 6 * n:
        return None
    a, b = sorted(chance.sample(range(len(data) // n), 2))
    blocks = [data[i:i + n] for i in range(0, len(data), n)]
    blocks[a], blocks[b] = blocks[b], blocks[a]
    return b"".join(blocks)


def flip_bits(data, chance):
    out = bytearray(data)
    for _ in range(max(4, len(out) // 6000)):
        out[chance.randrange(len(out))] ^= 1 << chance.randrange(8)
    return bytes(out)


def without(pattern, some=False):
    """All that match are gone, or half of them."""
    def damage(data, chance):
        changed = re.sub(pattern, lambda m: m[0] if some and chance.random() < .5 else b"", data,
                         flags=re.S)
        return changed if changed != data else None
    return damage


def without_object(kind):
    def damage(data, chance):
        found = [m for m in OBJECT.finditer(data) if re.search(kind, m[0][:4000])]
        if not found:
            return None
        for m in found:
            data = data[:m.start()] + b" " * len(m[0]) + data[m.end():]
        return data
    return damage


def wrong_lengths(data, chance):
    changed = re.sub(rb"/Length (\d+)(?! \d+ R)",
                     lambda m: b"/Length %d" % (int(m[1]) * chance.choice((0, 2)) + 7), data)
    return changed if changed != data else None


def spoil_streams(data, chance):
    """Six bytes in the middle of every second stream."""
    out = bytearray(data)
    for m in re.finditer(rb"\bstream\r?\n(.{200,}?)endstream", data, re.S):
        if chance.random() < .5:
            at = chance.randrange(m.start(1) + 50, m.end(1) - 50)
            out[at:at + 6] = chance.randbytes(6)
    return bytes(out)


DAMAGE = {
    "cut at 90 %": cut(.9),
    "cut at 50 %": cut(.5),
    "first 10 % lost": lambda data, chance: data[len(data) // 10:],
    "hole of zeros": lambda data, chance: hole(data, chance, bytes),
    "hole of noise": lambda data, chance: hole(data, chance, chance.randbytes),
    "some bytes lost": lose_bytes,
    "blocks swapped": swap_blocks,
    "bits flipped": flip_bits,
    "LF to CRLF": lambda data, chance: re.sub(rb"\r?\n", b"\r\n", data),
    "CR to LF": lambda data, chance: data.replace(b"\r", b"\n"),
    "Latin-1 to UTF-8": lambda data, chance: data.decode("latin-1").encode(),
    "cross-reference lost": without(rb"\bxref\s.*?%%EOF|\bstartxref\s.*?%%EOF"),
    "page tree lost": without_object(rb"/Type ?/Pages\b"),
    "catalog lost": without_object(rb"/Type ?/Catalog\b"),
    "ends of objects lost": without(rb"\bend(obj|stream)\b", some=True),
    "lengths wrong": wrong_lengths,
    "streams spoilt": spoil_streams,
}


# ---- The judgement

def run(words, limit=60, **places):
    try:
        subprocess.run([word.format(**places) for word in words], stdin=subprocess.DEVNULL,
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=limit,
                       check=False)
    except subprocess.TimeoutExpired:
        pass


def shown(reader, path):
    """The pages as a reader shows them, dark is high."""
    if not os.path.exists(path) or not os.path.getsize(path):
        return []
    with tempfile.TemporaryDirectory(prefix="platen-bench-") as folder:
        run(READERS[reader], **{"in": path, "out": folder})
        pages = []
        for name in sorted(os.listdir(folder)):
            try:
                with Image.open(os.path.join(folder, name)) as page:
                    pages.append(ImageChops.invert(page.convert("L")))
            except OSError:
                pass
        return pages


def ink(page):
    return ImageStat.Stat(page).sum[0]


def share(page, seen):
    """Of the ink of `page`, how much `seen` has at its place; what it has elsewhere is taken off."""
    if page.size != seen.size:
        seen = seen.crop((0, 0, *page.size))
    return max(0, 1 - ink(ImageChops.difference(page, seen)) / ink(page))


def recovered(pages, seen):
    """Each page against the one in its place, or the one that suits it best of those left."""
    left, shares = dict(enumerate(seen)), []
    for i, page in enumerate(pages):
        if ink(page) < FEW:
            continue
        best = i if i in left and share(page, left[i]) > .5 else max(
            left, key=lambda k, page=page: share(page, left[k]), default=None)
        shares.append(share(page, left[best]) if best is not None else 0)
        if shares[-1] > 0:
            left.pop(best)
    return statistics.mean(shares) if shares else 0


class Trial:
    """One document with one damage, through every program."""
    def __init__(self, document, kind, data, folder):
        self.document, self.kind, self.score = document, kind, {}
        self.path = os.path.join(folder, f"{document} {kind}.pdf".replace("%", "percent"))
        with open(self.path, "wb") as file:
            file.write(data)

    def judge(self, name, words, undamaged, platen):
        out = f"{self.path}.{name}.pdf"
        run(words, platen=platen, **{"in": self.path, "out": out})
        self.score[name] = 100 * statistics.mean(
            recovered(undamaged[reader], shown(reader, out)) for reader in READERS)
        if os.path.exists(out):
            os.unlink(out)


def trials_of(paths, seed, folder):
    for path in paths:
        with open(path, "rb") as file:
            data = file.read()
        document = os.path.splitext(os.path.basename(path))[0]
        for kind, damage in DAMAGE.items():
            damaged = damage(data, random.Random(f"{seed} {document} {kind}"))
            if damaged is not None and damaged != data:
                yield path, Trial(document, kind, damaged, folder)


def table(trials, names):
    def row(title, of):
        means = [statistics.mean(trial.score[name] for trial in of) for name in names]
        best = statistics.mean(max(trial.score[name] for name in names[1:]) for trial in of)
        print(f"| {title} | {len(of)} | " + " | ".join(f"{mean:.0f}" for mean in means) +
              f" | {best:.0f} |")

    print(f"| | files | {' | '.join(names)} | best of the others |")
    print("|---|--:|" + "--:|" * (len(names) + 1))
    for attribute in "kind", "document":
        for value in dict.fromkeys(getattr(trial, attribute) for trial in trials):
            row(value, [trial for trial in trials if getattr(trial, attribute) == value])
    row("**all**", trials)


def main():
    args = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    args.add_argument("--platen", default="build/platen")
    args.add_argument("--seed", type=int, default=1)
    args.add_argument("--each", action="store_true")
    args.add_argument("files", nargs="*")
    args = args.parse_args()
    names = {name: words for name, words in PROGRAMS.items()
             if shutil.which(words[0].format(platen=args.platen))}
    with tempfile.TemporaryDirectory(prefix="platen-bench-") as folder, \
            tempfile.TemporaryDirectory(prefix="platen-bench-") as work:
        paths = args.files or write_documents(folder)
        undamaged = {path: {reader: shown(reader, path) for reader in READERS} for path in paths}
        trials = list(trials_of(paths, args.seed, work))
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            jobs = [pool.submit(trial.judge, name, words, undamaged[path], args.platen)
                    for path, trial in trials for name, words in names.items()]
            for job in jobs:
                job.result()
    trials = [trial for _, trial in trials]
    if args.each:
        for trial in trials:
            print(f"{trial.document:16} {trial.kind:22} " +
                  "  ".join(f"{name} {score:.0f}" for name, score in trial.score.items()))
    table(trials, list(names))


if __name__ == "__main__":
    main()
