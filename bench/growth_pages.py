"""The large document of bench/growth.py --against: pages with text, a link on each, form fields, an outline,
attachments; what platen does with it, and what qpdf or mutool does for the same."""

import os
import random
import statistics
import subprocess
import sys
import zlib

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path.append(os.path.join(ROOT, "test", "tools"))
from pdf_builder import save  # noqa: E402

NODE = 100     # pages below a node of the page tree
FIELD = 10     # pages for each field
CHAPTER = 10   # pages for each entry of the outline
ATTACHED = 3
FIRST = 1000   # number of the first page's objects: page, content, link, field, entry


def stream(dictionary, data):
    return b"<<%s/Length %d>>stream\n%s\nendstream" % (dictionary.encode(), len(data), data)


def page_objects(chance, pages, index):
    """The objects of one page, by number."""
    page, words = FIRST + 5 * index, chance.choices("etaoin shrdlu", k=400)
    text = "".join(f"({''.join(words[i:i + 40])}) Tj T*\n" for i in range(0, 400, 40))
    target = FIRST + 5 * chance.randrange(pages)
    action = (f"/A<</S/URI/URI(https://example.com/{index})>>" if index % 10 == 9 else
              f"/Dest[{target} 0 R/XYZ 0 800 0]")
    annotations = [page + 2] + ([page + 3] if index % FIELD == 0 else [])
    objects = {
        page: (f"<</Type/Page/Parent {100 + index // NODE} 0 R/MediaBox[0 0 595 842]"
               f"/Contents {page + 1} 0 R/Resources<</Font<</F 3 0 R>>>>"
               f"/Annots[{' '.join(f'{n} 0 R' for n in annotations)}]>>").encode(),
        page + 1: stream("/Filter/FlateDecode", zlib.compress(
            f"BT /F 11 Tf 13 TL 50 790 Td\n{text}ET\n".encode())),
        page + 2: (f"<</Type/Annot/Subtype/Link/Rect[50 {780 - index % 500} 300 {792 - index % 500}]"
                   f"/Border[0 0 0]{action}>>").encode(),
    }
    if index % FIELD == 0:
        objects[page + 3] = (f"<</Type/Annot/Subtype/Widget/FT/Tx/T(field{index})/V(value {index})"
                             f"/DA(/F 10 Tf 0 g)/F 4/Rect[50 50 250 70]/P {page} 0 R"
                             "/AP<</N 5 0 R>>>>").encode()
    if index % CHAPTER == 0:
        around = "".join(f"/{key} {page + 4 + 5 * CHAPTER * step} 0 R"
                         for key, step, there in (("Prev", -1, index > 0),
                                                  ("Next", 1, index + CHAPTER < pages)) if there)
        objects[page + 4] = (f"<</Title(Chapter {index})/Parent 4 0 R{around}"
                             f"/Dest[{page} 0 R/Fit]>>").encode()
    return objects


def write_document(path, pages, seed=1):
    chance, bodies = random.Random(seed), {}
    nodes = range(100, 100 + (pages + NODE - 1) // NODE)
    for index in range(pages):
        bodies.update(page_objects(chance, pages, index))
    numbers = [FIRST + 5 * index for index in range(pages)]
    bodies[2] = (f"<</Type/Pages/Count {pages}/Kids[{' '.join(f'{n} 0 R' for n in nodes)}]>>").encode()
    for i, node in enumerate(nodes):
        kids = numbers[i * NODE:(i + 1) * NODE]
        bodies[node] = (f"<</Type/Pages/Parent 2 0 R/Count {len(kids)}"
                        f"/Kids[{' '.join(f'{n} 0 R' for n in kids)}]>>").encode()
    bodies[3] = b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>"
    entries = numbers[::CHAPTER]
    bodies[4] = (f"<</Type/Outlines/Count {len(entries)}/First {entries[0] + 4} 0 R"
                 f"/Last {entries[-1] + 4} 0 R>>").encode()
    bodies[5] = stream("/Type/XObject/Subtype/Form/BBox[0 0 200 20]/Resources<</Font<</F 3 0 R>>>>",
                       b"/Tx BMC q BT /F 10 Tf 0 g 2 6 Td (value) Tj ET Q EMC")
    fields = " ".join(f"{n + 3} 0 R" for n in numbers[::FIELD])
    bodies[6] = f"<</Fields[{fields}]/DR<</Font<</F 3 0 R>>>>/DA(/F 10 Tf 0 g)>>".encode()
    names = ""
    for i in range(ATTACHED):
        names += f"(file{i}.txt) {10 + 2 * i} 0 R "
        bodies[10 + 2 * i] = (f"<</Type/Filespec/F(file{i}.txt)/UF(file{i}.txt)"
                              f"/EF<</F {11 + 2 * i} 0 R>>>>").encode()
        bodies[11 + 2 * i] = stream("/Type/EmbeddedFile", b"a file\n" * 100)
    bodies[1] = (f"<</Type/Catalog/Pages 2 0 R/Outlines 4 0 R/AcroForm 6 0 R"
                 f"/Names<</EmbeddedFiles<</Names[{names}]>>>>>>").encode()
    save(path, bodies)


def comparisons(platen, path, cut, small, out):
    """By name: our command, and what does the same work. `small`: a document of a tenth of the pages."""
    def run(tool, *words, result=out):
        return [platen, "run", tool, *words, "-o", result, "--force"]

    def shown(key):
        return ["qpdf", "--json", f"--json-key={key}", path]

    packed = ["qpdf", "--object-streams=generate"]
    parts = os.path.join(os.path.dirname(out), "part.pdf")
    rewritten = [*packed, path, out]
    return {
        "rotate": (run("rotate", path, "--degrees", "90"), [*packed, "--rotate=+90", path, out]),
        "metadata": (run("metadata", path, "--action", "set", "--title", "Title"), rewritten),
        "sanitize": (run("sanitize", path), rewritten),
        "flatten": (run("flatten", path),
                    [*packed, "--flatten-annotations=all", path, out]),
        "merge": (run("merge", path, path), [*packed, "--empty", "--pages", path, path, "--", out]),
        "split by 100": (run("split", path, "--every", "100", result=out + ".zip"),
                         [*packed, "--split-pages=100", path, parts]),
        "split a tenth by 1": (run("split", small, "--every", "1", result=out + ".zip"),
                               [*packed, "--split-pages=1", small, parts]),
        "pages, reverse": (run("pages", path, "--operations", '[{"op":"reverse"}]'),
                           [*packed, "--empty", "--pages", path, "z-1", "--", out]),
        "info": (run("info", path, result=out + ".json"), shown("pages")),
        "outline": (run("outline", path, result=out + ".json"), shown("outlines")),
        "form-fields": (run("form-fields", path, result=out + ".json"), shown("acroform")),
        "extract links": (run("extract", path, "--what", "links", result=out + ".json"),
                          shown("qpdf")),
        # qpdf's list has no attachments of annotations, for which all pages must be read
        "attachments": (run("attachments", path, result=out + ".json"),
                        ["qpdf", "--list-attachments", path]),
        "repair, cut": (run("repair", cut), ["mutool", "clean", cut, out]),
    }


def prepare(folder, pages):
    """The document, with its objects in streams as most writers have them, and what is left of it."""
    plain, path, cut = (os.path.join(folder, f"{name}{pages}.pdf") for name in
                        ("plain", "large", "cut"))
    write_document(plain, pages)
    subprocess.run(["qpdf", "--object-streams=generate", plain, path], check=True)
    with open(path, "rb") as whole, open(cut, "wb") as short:
        short.write(whole.read()[:-2000])
    return path, cut


def compare(platen, pages, tools, rounds, folder, cost):
    """Prints medians of CPU and peak memory. The programs take turns."""
    path, cut = prepare(folder, pages)
    small, _ = prepare(folder, max(1, pages // 10))
    chosen = {name: pair for name, pair in
              comparisons(platen, path, cut, small, os.path.join(folder, "out.pdf")).items()
              if not tools or name in tools}
    figures = {name: ([], []) for name in chosen}
    for _ in range(rounds):
        for name, pair in chosen.items():
            for command, seen in zip(pair, figures[name]):
                seen.append(cost(command) or (float("nan"), float("nan")))
    print(f"| {pages} pages | CPU s | the other's | ratio | MB | the other's |")
    print("|---|--:|--:|--:|--:|--:|")
    for name, sides in figures.items():
        (own, mine), (other, theirs) = ([statistics.median(v) for v in zip(*side)] for side in sides)
        print(f"| {name} | {own:.2f} | {other:.2f} | {own / other:.2f} | {mine:.0f} | {theirs:.0f} |",
              flush=True)
