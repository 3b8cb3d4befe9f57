"""redact_pictures: pictures whose pixels are random, each as large in points as in pixels on a page of its own, and what became of them.

    redact_pictures.py make PDF BEFORE        writes the document, and the samples of the pictures as a file
    redact_pictures.py check PDF BEFORE AREA  prints a line for each page: its name, how it is packed, whether the area (x,y,width,height) is
                                              all black, and whether all else is as it was"""

import io
import pickle
import random
import re
import struct
import subprocess
import sys

import jbig2_writer
from PIL import Image, ImageCms
from pdf_builder import Objects, save

WIDE, HIGH = 96, 64


def packed(mode, samples, kind, **how):
    out = io.BytesIO()
    Image.frombytes(mode, (WIDE, HIGH), samples).save(out, kind, **how)
    return out.getvalue()


def with_profile(jp2, profile):
    """The JP2 file with an ICC profile in place of the number of its colour space (ISO/IEC 15444-1, I.5.3.3)."""
    at = jp2.index(b"colr") - 4
    head = jp2.index(b"jp2h") - 4
    old = int.from_bytes(jp2[at:at + 4], "big")
    box = struct.pack(">I", 11 + len(profile)) + b"colr\2\0\0" + profile
    long = int.from_bytes(jp2[head:head + 4], "big") + len(box) - old
    return jp2[:head] + struct.pack(">I", long) + jp2[head + 4:at] + box + jp2[at + old:]


def bits_of(rows):
    return b"".join(int("".join(map(str, row)), 2).to_bytes(WIDE // 8, "big") for row in rows)


def fax(rows):
    out = io.BytesIO()
    Image.frombytes("1", (WIDE, HIGH), bits_of(rows)).save(out, "TIFF", compression="group4")
    tags = Image.open(out).tag_v2
    return out.getvalue()[tags[273][0]:tags[273][0] + tags[279][0]]


def symbols(rows):
    cut = [[row[x:x + 8] for row in rows[y:y + 8]] for y in range(0, HIGH, 8) for x in range(0, WIDE, 8)]
    lines = [(y, [(x, y // 8 * (WIDE // 8) + x // 8) for x in range(0, WIDE, 8)]) for y in range(0, HIGH, 8)]
    return jbig2_writer.dictionary(cut), jbig2_writer.text(rows, cut, lines)


def make(path, before):
    rng = random.Random(5)
    noise = {n: bytes(rng.randrange(20, 236) for _ in range(WIDE * HIGH * n)) for n in (1, 3, 4)}
    rows = [[rng.randrange(2) for _ in range(WIDE)] for _ in range(HIGH)]
    pdf = Objects()
    shared, own = symbols(rows)
    dictionary = pdf.add("", shared)
    profile = ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes()
    inks = Image.frombytes("CMYK", (WIDE // 8, HIGH // 8), noise[4][:WIDE * HIGH // 16]).resize((WIDE, HIGH), Image.BICUBIC).tobytes()
    gray = "/ColorSpace/DeviceGray/BitsPerComponent 1"
    pictures = [
        ("wavelets", noise[3], packed("RGB", noise[3], "JPEG2000"), "/Filter/JPXDecode/ColorSpace/DeviceRGB"),
        ("gray-wavelets", noise[1], packed("L", noise[1], "JPEG2000", no_jp2=True), "/Filter/JPXDecode/ColorSpace/DeviceGray"),
        ("own-colours", noise[3], with_profile(packed("RGB", noise[3], "JPEG2000"), profile), "/Filter/JPXDecode"),
        ("scan", rows, jbig2_writer.generic(rows), gray + "/Filter/JBIG2Decode"),
        ("symbols", rows, own, gray + f"/Filter/JBIG2Decode/DecodeParms<</JBIG2Globals {dictionary} 0 R>>"),
        ("fax", rows, fax(rows), gray + f"/Filter/CCITTFaxDecode/DecodeParms<</K -1/Columns {WIDE}/Rows {HIGH}>>"),
        ("inks", inks, packed("CMYK", inks, "JPEG", quality=90),
         "/Filter/DCTDecode/ColorSpace/DeviceCMYK/BitsPerComponent 8/Decode[1 0 1 0 1 0 1 0]"),
    ]
    tree = pdf.reserve()
    pages = []
    for _, _, data, keys in pictures:
        image = pdf.add(f"/Type/XObject/Subtype/Image/Width {WIDE}/Height {HIGH}{keys}", data)
        content = pdf.add("", f"q {WIDE} 0 0 {HIGH} 0 0 cm /I Do Q")
        pages.append(pdf.add(f"<</Type/Page/Parent {tree} 0 R/MediaBox[0 0 {WIDE} {HIGH}]/Contents {content} 0 R"
                             f"/Resources<</XObject<</I {image} 0 R>>>>>>"))
    pdf.put(tree, f"<</Type/Pages/Count {len(pages)}/Kids[{' '.join(f'{n} 0 R' for n in pages)}]>>")
    save(path, pdf, pdf.add(f"<</Type/Catalog/Pages {tree} 0 R>>"))
    with open(before, "wb") as file:
        pickle.dump([(name, data if isinstance(data, bytes) else rows, source) for name, data, source, _ in pictures], file)


def page_of(path, number, *how):
    run = subprocess.run(["pdfimages", *how, "-f", str(number), "-l", str(number), path, path + ".i"], check=True)
    return run and subprocess.run(["sh", "-c", f"cat '{path}'.i-000.* && rm '{path}'.i-*"], check=True, capture_output=True).stdout


def samples_of(path, number):
    """Rows of 0 and 1, in which black is 1, or bytes."""
    data = page_of(path, number)
    if data[:2] == b"P4":
        body = data[re.match(rb"P4\s+\d+\s+\d+\s", data).end():]
        return [[body[(y * WIDE + x) // 8] >> 7 - x % 8 & 1 for x in range(WIDE)] for y in range(HIGH)]
    return data[re.match(rb"P[56]\s+\d+\s+\d+\s+\d+\s", data).end():]


def is_black(name, sample):
    return sample == 1 if isinstance(sample, int) else min(sample) > 250 if name == "inks" else max(sample) < 5


def check(path, before, area):
    with open(before, "rb") as file:
        pictures = pickle.load(file)
    left, top, width, height = area
    listed = subprocess.run(["pdfimages", "-list", path], check=True, capture_output=True, text=True).stdout.splitlines()[2:]
    for number, (name, old, source) in enumerate(pictures, 1):
        fields = next(line.split() for line in listed if int(line.split()[0]) == number)
        kind = fields[8]
        edge = 0
        if name == "inks":
            jpeg = page_of(path, number, "-j")
            new, old = (Image.open(io.BytesIO(one)).tobytes() for one in (jpeg, source))
            kind, edge = f"{kind}-{b'Adobe' in jpeg}", 8
        elif name == "own-colours" and kind == "image":
            # pdfimages would convert the colours.
            new = subprocess.run(["qpdf", f"--show-object={fields[10]}", "--filtered-stream-data", path], check=True, capture_output=True).stdout
        else:
            new = samples_of(path, number)
        if name == "gray-wavelets" and len(new) > len(old):
            new = new[::3]
        step = len(new) // (WIDE * HIGH) if isinstance(new, bytes) else 1
        dark, same = True, True
        for y in range(HIGH):
            for x in range(WIDE):
                at = (y * WIDE + x) * step
                one, was = (new[at:at + step], old[at:at + step]) if isinstance(new, bytes) else (new[y][x], old[y][x])
                if left <= x < left + width and top <= y < top + height:
                    dark &= is_black(name, one)
                elif not (left - edge <= x < left + width + edge and top - edge <= y < top + height + edge):
                    same &= one == was
        print(name, kind, dark, same)


if sys.argv[1] == "make":
    make(sys.argv[2], sys.argv[3])
else:
    check(sys.argv[2], sys.argv[3], [int(part) for part in sys.argv[4].split(",")])
