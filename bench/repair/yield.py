#!/usr/bin/python3
"""Which share of what is left of an image comes back after damage in the middle of its data.

    bench/repair/yield.py [--platen build/platen] [--seed N] [--trials N] [--kind NAME]... [PICTURE...]

One image on a page, its data damaged: one byte lost, one bit changed, 100 bytes lost. The share is of the
rows after the damage (by its place in the data) that are as they were, as the better of two other
programs shows the damaged file, and as they show the repaired one. Pictures are PPM or PGM files, as
pdfimages writes them, or one that is made here. JPEG of random images has its own program (jpeg_yield).
Needs numpy, Ghostscript, poppler, MuPDF, cjpeg for progressive JPEG, and opj_compress for JPEG 2000."""
import argparse
import os
import random
import re
import statistics
import struct
import subprocess
import sys
import tempfile
import zlib

import numpy

sys.dont_write_bytecode = True
import score  # noqa: E402

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../test/tools"))
from pdf_builder import document  # noqa: E402

DAMAGE = ("1 byte lost", "1 bit changed", "100 bytes lost")


def read_pnm(path):
    with open(path, "rb") as file:
        data = file.read()
    head = re.match(rb"P([56])\s+(\d+)\s+(\d+)\s+255\s", data)
    return numpy.frombuffer(data, numpy.uint8, offset=head.end()).reshape(
        int(head[3]), int(head[2]), 3 if head[1] == b"6" else 1)


def made(chance):
    """A smooth picture with shapes."""
    y, x = numpy.mgrid[0:360, 0:300]
    out = numpy.stack([128 + 60 * numpy.sin(x / (19 + 7 * c) + y / 41) + 50 * numpy.cos(y / (23 + 5 * c))
                       for c in range(3)], 2)
    for _ in range(25):
        left, top, wide, high = (chance.randrange(n) for n in (260, 320, 80, 60))
        out[top:top + high, left:left + wide] = [chance.randrange(256) for _ in range(3)]
    noise = numpy.random.default_rng(chance.randrange(1 << 30)).normal(0, 3, out.shape)
    return numpy.clip(out + noise, 0, 255).astype(numpy.uint8)


def text_lines(chance):
    """A scanned page of one bit, from this module's own documents."""
    import documents
    return documents.document([documents.text_page(chance)])


def of_fax(folder, device, chance):
    """The data of a page as Ghostscript codes it, and its size."""
    source, out = os.path.join(folder, "text.pdf"), os.path.join(folder, "text.tif")
    with open(source, "wb") as file:
        file.write(text_lines(chance))
    subprocess.run(["gs", "-q", "-dSAFER", "-dNOPAUSE", "-dBATCH", f"-sDEVICE={device}", "-r100",
                    "-dMaxStripSize=0", "-o", out, source], check=True)
    with open(out, "rb") as file:
        data = file.read()
    order = "<" if data[:2] == b"II" else ">"
    at, = struct.unpack_from(order + "I", data, 4)
    count, = struct.unpack_from(order + "H", data, at)
    tags = {}
    for i in range(count):
        tag, kind, n = struct.unpack_from(order + "HHI", data, at + 2 + 12 * i)
        tags[tag], = struct.unpack_from(order + ("H2x" if kind == 3 else "I"), data, at + 10 + 12 * i)
    coded = data[tags[273]:tags[273] + tags[279]]
    if tags.get(266, 1) == 2:
        coded = bytes(int(f"{byte:08b}"[::-1], 2) for byte in coded)
    return coded, tags[256], tags[257]


def rows_of(picture, kind):
    """The bytes that are packed."""
    wide = picture.reshape(picture.shape[0], -1)
    if kind == "raw rows":
        return wide.tobytes()
    step = picture.shape[2]
    left = numpy.zeros_like(wide)
    left[:, step:] = wide[:, :-step]
    if kind == "TIFF predictor":
        return (wide - left).tobytes()
    types = numpy.full((len(wide), 1), 2, numpy.uint8)
    above = numpy.zeros_like(wide)
    above[1:] = wide[:-1]
    return numpy.hstack([types, wide - above]).tobytes()


def of_jbig2(folder, platen, chance):
    """A page of text as compress codes it."""
    coded, wide, high = of_fax(folder, "tiffg4", chance)
    words = (f"/ColorSpace/DeviceGray/BitsPerComponent 1/Filter/CCITTFaxDecode/DecodeParms<</K -1"
             f"/Columns {wide}/Rows {high}>>")
    paths = [os.path.join(folder, name) for name in ("fax.pdf", "jbig2.pdf")]
    with open(paths[0], "wb") as file:
        file.write(pdf_of(coded, words, wide, high, len(coded)))
    subprocess.run([platen, "run", "compress", paths[0], "--quality", "screen", "-o", paths[1]], check=False,
                   capture_output=True)
    plain = subprocess.run(["qpdf", "--object-streams=disable", paths[1], "-"], check=True,
                           capture_output=True).stdout
    found = re.search(rb"JBIG2Decode.*?/Length (\d+).*?>>\s*stream\n", plain, re.S)
    return (plain[found.end():found.end() + int(found[1])],
            "/ColorSpace/DeviceGray/BitsPerComponent 1/Filter/JBIG2Decode", wide, high)


JPX = {"JPEG 2000": [], "JPEG 2000, markers": ["-SOP", "-EPH"],
       "JPEG 2000, tiles": ["-t", "64,64"]}


def image_of(kind, picture, folder, platen, chance):
    """The data, the words of its dictionary, width and height."""
    high, wide, colors = picture.shape
    words = f"/ColorSpace/{'DeviceRGB' if colors == 3 else 'DeviceGray'}/BitsPerComponent 8"
    if kind in ("raw rows", "TIFF predictor", "PNG predictor"):
        predictor = {"raw rows": "", "TIFF predictor": "2", "PNG predictor": "12"}[kind]
        if predictor:
            words += (f"/DecodeParms<</Predictor {predictor}/Columns {wide}/Colors {colors}"
                      "/BitsPerComponent 8>>")
        return zlib.compress(rows_of(picture, kind)), words + "/Filter/FlateDecode", wide, high
    if kind == "progressive JPEG":
        pnm = os.path.join(folder, "in.pnm")
        with open(pnm, "wb") as file:
            file.write(b"P%d %d %d 255\n" % (6 if colors == 3 else 5, wide, high) + picture.tobytes())
        return subprocess.run(["cjpeg", "-progressive", pnm], check=True, capture_output=True
                              ).stdout, words + "/Filter/DCTDecode", wide, high
    if kind.startswith("JPEG 2000"):
        pnm, out = os.path.join(folder, "in.ppm"), os.path.join(folder, "out.j2k")
        with open(pnm, "wb") as file:
            file.write(b"P%d\n%d %d\n255\n" % (6 if colors == 3 else 5, wide, high) + picture.tobytes())
        subprocess.run(["opj_compress", "-i", pnm, "-o", out, "-r", "10", *JPX[kind]], check=True,
                       capture_output=True)
        with open(out, "rb") as file:
            return file.read(), words + "/Filter/JPXDecode", wide, high
    if kind == "JBIG2":
        return of_jbig2(folder, platen, chance)
    device, k = {"Group 4": ("tiffg4", "-1"), "Group 3": ("tiffg3", "0"),
                 "Group 3, two dimensions": ("tiffg32d", "4")}[kind]
    coded, wide, high = of_fax(folder, device, chance)
    return coded, (f"/ColorSpace/DeviceGray/BitsPerComponent 1/Filter/CCITTFaxDecode/DecodeParms<</K {k}"
                   f"/Columns {wide}/Rows {high}>>"), wide, high


KINDS = ("raw rows", "TIFF predictor", "PNG predictor", "Group 4", "Group 3", "Group 3, two dimensions",
         "progressive JPEG", *JPX, "JBIG2")


def pdf_of(data, words, wide, high, length):
    content = b"q %d 0 0 %d 0 0 cm /I Do Q" % (wide, high)
    bodies = [b"<</Type/Catalog/Pages 2 0 R>>", b"<</Type/Pages/Count 1/Kids[3 0 R]>>",
              b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 %d %d]/Contents 4 0 R/Resources<</XObject"
              b"<</I 5 0 R>>>>>>" % (wide, high),
              b"<</Length %d>>\nstream\n" % len(content) + content + b"\nendstream",
              f"<</Type/XObject/Subtype/Image/Width {wide}/Height {high}{words}/Length {length}>>"
              .encode() + b"\nstream\n" + data + b"\nendstream"]
    return document(bodies)


def harm(data, what, chance):
    at = chance.randrange(len(data) // 5, len(data) * 3 // 5)
    if what == 1:
        return data[:at] + bytes([data[at] ^ 1 << chance.randrange(8)]) + data[at + 1:], at / len(data)
    return data[:at] + data[at + (1, 0, 100)[what]:], at / len(data)


def views(path, folder):
    """The page as each of two programs draws it, a pixel a sample."""
    out = []
    for words in (["pdftoppm", "-r", "72", "-gray", "-singlefile", path, f"{folder}/p"],
                  ["mutool", "draw", "-q", "-r", "72", "-c", "gray", "-o", f"{folder}/p.pgm", path, "1"]):
        score.run(words)
        if os.path.exists(f"{folder}/p.pgm"):
            out.append(score.read_pgm(f"{folder}/p.pgm"))
            os.unlink(f"{folder}/p.pgm")
        else:
            out.append(None)
    return out


def share(whole, seen, after):
    """Of the rows after the damage, those that are as they were, in the view that has most of them."""
    best = 0
    for before, now in zip(whole, seen):
        if now is None or now.shape != before.shape:
            continue
        first = int(after * len(before))
        same = numpy.abs(before - now)[first:].mean(1) < 6
        # Rows of one colour are there by chance.
        tells = before[first:].std(1) > 3
        best = max(best, float((same & tells).sum() / max(1, tells.sum())))
    return best


def main():
    args = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    args.add_argument("--platen", default="build/platen")
    args.add_argument("--seed", type=int, default=1)
    args.add_argument("--trials", type=int, default=6)
    args.add_argument("--kind", action="append", choices=KINDS)
    args.add_argument("--keep")
    args.add_argument("pictures", nargs="*")
    args = args.parse_args()
    print("| | " + " | ".join(DAMAGE) + " |\n|---|" + "---|" * len(DAMAGE))
    with tempfile.TemporaryDirectory(prefix="platen-bench-") as folder:
        for kind in args.kind or KINDS:
            cells = []
            for what in range(len(DAMAGE)):
                found = []
                for trial in range(args.trials):
                    chance = random.Random(f"{args.seed} {kind} {what} {trial}")
                    picture = (read_pnm(args.pictures[trial % len(args.pictures)]) if args.pictures
                               else made(chance))
                    data, words, wide, high = image_of(kind, picture, folder, args.platen, chance)
                    bad, after = harm(data, what, chance)
                    paths = [os.path.join(args.keep or folder, f"{kind}-{what}-{trial}-{name}.pdf")
                             for name in ("whole", "bad", "out")]
                    for path, bytes_ in zip(paths, (data, bad)):
                        with open(path, "wb") as file:
                            file.write(pdf_of(bytes_, words, wide, high, len(data)))
                    subprocess.run([args.platen, "run", "repair", paths[1], "-o", paths[2]],
                                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
                    seen = [views(path, folder) for path in paths]
                    found.append([share(seen[0], seen[i], after) for i in (1, 2)])
                cells.append("%.2f to %.2f" % tuple(statistics.mean(column) for column in zip(*found)))
            print(f"| {kind} | " + " | ".join(cells) + " |", flush=True)


if __name__ == "__main__":
    main()
