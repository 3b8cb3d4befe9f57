"""The part `pictures`: to-png and to-jpg beside mutool draw, pdftoppm and Ghostscript, on documents of
several kinds. Whole commands, files read and written; what is compared takes turns."""

import glob
import os
import random
import shutil
import statistics
import sys
import time
import zlib

from bench import BUILD, PLATEN, ROOT, _busy, sized, table
from pdf_builder import save

CORPUS = os.environ.get("BENCH_CORPUS", os.path.join(ROOT, "..", "shared", "corpus"))
FOUND = ("compress/tracemonkey", "compress/freeculture", "compress/BuildingWebappsWithGo",
         "compress/scan-color-300", "compress/scan-g4-600", "compress/HL1396",
         "compress/photos-hidpi", "compress/photo-smask", "compress/bug1721218_reduced",
         "toword/pymupdf--chinese-tables")


def write_pdf(path, pages, fonts="", objects=()):
    """pages: content streams. objects: bytes, from number 10 on."""
    bodies = {1: b"<</Type/Catalog/Pages 2 0 R>>"}
    kids = []
    for number, content in enumerate(pages):
        page = 1000 + 2 * number
        content = zlib.compress(content.encode())
        bodies[page] = (f"<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Contents {page + 1} 0 R"
                        f"/Resources<</Font<<{fonts}>>/XObject<</P 10 0 R>>"
                        "/ExtGState<</T<</ca .3/BM/Multiply>>>>>>>>").encode()
        bodies[page + 1] = (b"<</Filter/FlateDecode/Length %d>>stream\n" % len(content) + content +
                            b"\nendstream")
        kids.append(f"{page} 0 R")
    bodies[2] = f"<</Type/Pages/Count {len(kids)}/Kids[{' '.join(kids)}]>>".encode()
    bodies.update(enumerate(objects, 10))
    save(path, bodies)


def text_page(chance, words=8):
    lines = "".join(
        "(" + " ".join("".join(chance.choices("etaoinshrdlu", k=chance.randint(2, 9)))
                       for _ in range(words)) + ") Tj T*\n" for _ in range(55))
    return f"BT /F 11 Tf 13 TL 50 790 Td\n{lines}ET\n"


def map_page(chance):
    out = []
    for _ in range(1500):
        x, y = chance.uniform(0, 595), chance.uniform(0, 842)
        out.append(f"{chance.random():.2f} {chance.random():.2f} {chance.random():.2f} RG "
                   f"{chance.uniform(.2, 2):.1f} w {x:.1f} {y:.1f} m")
        for _ in range(20):
            x, y = x + chance.uniform(-9, 9), y + chance.uniform(-9, 9)
            out.append(f"{x:.1f} {y:.1f} l")
        out.append("S")
    return "\n".join(out)


def photo(chance, side):
    """Noise that is smooth, as a photograph's is not quite."""
    rows, row = [], [chance.randrange(256) for _ in range(side * 3)]
    for _ in range(side):
        row = [(a * 7 + row[i - 3] * 7 + chance.randrange(256) * 2) >> 4
               for i, a in enumerate(row)]
        rows.append(bytes(row))
    data = zlib.compress(b"".join(rows), 1)
    return (b"<</Type/XObject/Subtype/Image/BitsPerComponent 8/ColorSpace/DeviceRGB/Width %d/Height %d"
            b"/Filter/FlateDecode/Length %d>>stream\n" % (side, side, len(data)) + data +
            b"\nendstream")


def write_documents(folder):
    chance = random.Random(7)
    latin = "/F<</Type/Font/Subtype/Type1/BaseFont/Times-Roman>>"
    cjk = ("/F<</Type/Font/Subtype/Type0/BaseFont/Ryumin-Light/Encoding/UniJIS-UCS2-H"
           "/DescendantFonts[<</Type/Font/Subtype/CIDFontType0/BaseFont/Ryumin-Light"
           "/CIDSystemInfo<</Registry(Adobe)/Ordering(Japan1)/Supplement 2>>/FontDescriptor 11 0 R>>]>>")
    descriptor = (b"<</Type/FontDescriptor/FontName/Ryumin-Light/Flags 6/ItalicAngle 0/Ascent 880"
                  b"/Descent -120/CapHeight 700/StemV 80/FontBBox[-170 -330 1020 900]>>")
    pages = {
        "text": ([text_page(chance) for _ in range(sized(40))], latin),
        "map": ([map_page(chance) for _ in range(sized(4))], latin),
        "picture": (["q 500 0 0 500 40 200 cm /P Do Q"] * sized(4), latin),
        "cjk": (["BT /F 12 Tf 16 TL 50 790 Td\n" + "".join(
            "<" + "".join(f"{chance.randint(0x4e00, 0x6fff):04x}" for _ in range(38)) + "> Tj T*\n"
            for _ in range(45)) + "ET" for _ in range(sized(10))], cjk),
        "transparency": (["/T gs " + "".join(
            f"{chance.random():.2f} {chance.random():.2f} {chance.random():.2f} rg "
            f"{chance.randint(0, 400)} {chance.randint(0, 600)} 200 200 re f\n" for _ in range(150)) +
            text_page(chance) for _ in range(sized(6))], latin),
    }
    picture = photo(chance, 600)
    for name, (contents, fonts) in pages.items():
        write_pdf(os.path.join(folder, name + ".pdf"), contents, fonts,
                  [picture, descriptor])
    return [os.path.join(folder, name + ".pdf") for name in pages]


def timed(words, folder):
    """Wall seconds, CPU seconds, peak MB, bytes written, cores that others took."""
    out = os.path.join(folder, "pictures")
    shutil.rmtree(out, ignore_errors=True)
    os.mkdir(out)
    busy, began = _busy(), time.monotonic()
    null = os.open(os.devnull, os.O_RDWR)
    actions = [(os.POSIX_SPAWN_DUP2, null, fd) for fd in (0, 1, 2)]
    pid = os.posix_spawnp(words[0], [word.replace("OUT", out) for word in words], os.environ,
                          file_actions=actions)
    _, status, used = os.wait4(pid, 0)
    wall = time.monotonic() - began
    os.close(null)
    if status:
        return None
    cpu = used.ru_utime + used.ru_stime
    return {"wall": wall, "cpu": cpu, "peak": used.ru_maxrss / 1e3,
            "bytes": sum(map(os.path.getsize, glob.glob(os.path.join(out, "*")))),
            "others": max(0, (_busy() - busy) / 1e3 - cpu) / wall}


def commands(path):
    gs = ["gs", "-q", "-dSAFER", "-dNOPAUSE", "-dBATCH", "-r150", "-dTextAlphaBits=4",
          "-dGraphicsAlphaBits=4"]
    return {
        "png": {"platen": [PLATEN, "run", "to-png", path, "--dpi", "150", "-o", "OUT/x"],
                "mutool": ["mutool", "draw", "-q", "-r", "150", "-o", "OUT/x%d.png", path],
                "pdftoppm": ["pdftoppm", "-r", "150", "-png", path, "OUT/x"],
                "gs": [*gs, "-sDEVICE=png16m", "-o", "OUT/x%d.png", path]},
        "jpg": {"platen": [PLATEN, "run", "to-jpg", path, "--dpi", "150", "-o", "OUT/x"],
                "pdftoppm": ["pdftoppm", "-r", "150", "-jpeg", "-jpegopt", "quality=85", path,
                             "OUT/x"],
                "gs": [*gs, "-sDEVICE=jpeg", "-dJPEGQ=85", "-o", "OUT/x%d.jpg", path]}}


def measure_all(path, folder, rounds):
    """For each kind of picture and program the round in which it took the least time."""
    seen = {}
    slow = set()
    for turn in range(rounds):
        for kind, programs in commands(path).items():
            for name, words in programs.items():
                if (kind, name) in slow or not shutil.which(words[0]):
                    continue
                run = timed(words, folder)
                if not run:
                    slow.add((kind, name))
                    continue
                if run["wall"] > 8:
                    slow.add((kind, name))  # once is enough
                seen.setdefault((kind, name), []).append(run)
    return {key: min(runs, key=lambda run: run["wall"]) for key, runs in seen.items()}


def row_of(document, kind, name, run, ours):
    def ratio(figure):
        return f"{run[figure] / ours[figure]:.1f} x" if run is not ours else ""

    return [document, kind, name, f"{run['wall']:.2f}", f"{run['cpu']:.2f}", f"{run['peak']:.0f}",
            f"{run['bytes'] / 1e6:.2f}", ratio("wall"), ratio("cpu"), ratio("bytes"),
            f"{run['others']:.1f}"]


def pictures(folder, rounds):
    if not os.path.exists(os.path.join(BUILD, "platen-render")):
        sys.exit("pictures: this build has no platen-render")
    paths = write_documents(folder)
    paths += [path for path in (os.path.join(CORPUS, name + ".pdf") for name in FOUND)
              if os.path.exists(path)]
    rows, ratios = [], {}
    for path in paths:
        document = os.path.splitext(os.path.basename(path))[0]
        seen = measure_all(path, folder, rounds)
        for (kind, name), run in sorted(seen.items()):
            ours = seen.get((kind, "platen"))
            if not ours:
                continue
            rows.append(row_of(document, kind, name, run, ours))
            if run is not ours:
                ratios.setdefault((kind, name), []).append(
                    [run[figure] / ours[figure] for figure in ("wall", "cpu", "bytes")])
    table("Pictures of all pages at 150 dpi: whole commands, the quickest of their rounds; how much "
          "more the others take than platen; others: cores that the rest of the machine took.",
          ["document", "as", "by", "s", "CPU s", "peak MB", "MB", "time", "CPU", "size", "others"],
          rows)
    table("The same over all documents: median (least to most).", ["", "time", "CPU", "size"],
          [[f"{kind} by {name}", *(f"{statistics.median(of):.1f} x ({min(of):.1f} to {max(of):.1f})"
                                   for of in zip(*runs))]
           for (kind, name), runs in ratios.items()])
