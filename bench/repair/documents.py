"""The documents that are damaged: made here, by programs that write PDF in different ways."""

import glob
import os
import random
import re
import subprocess
import sys
import zlib

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../test/tools"))
import pdf_builder  # noqa: E402

WORDS = ("the party of this agreement shall be given notice in writing when it has been sent by post to "
         "either address and payment is due within thirty days from the date of the invoice such sums as "
         "are owed bear interest at the rate of each month until paid in full measured values lie between "
         "these figures because water rises when pressure falls under load while every sample was taken "
         "twice with an error below two per cent Berlin Madrid Oslo river harbour station engine light "
         "summer winter table chapter result method theory number system growth example question answer "
         "people history language country government school children family money market house").split()


def word(chance):
    """Of the language, a name nobody knows, or a number."""
    kind = chance.random()
    if kind < .65:
        return chance.choice(WORDS)
    if kind < .85:
        return "".join(chance.choices("etaoinshrdlucmfgpb", k=chance.randint(3, 10))).capitalize()
    return str(chance.randrange(100000))


def line(chance, words=9):
    return " ".join(word(chance) for _ in range(words))


def text_page(chance):
    rows = "".join(f"1 0 0 1 {50 + chance.random():.2f} {780 - 13.2 * row:.1f} Tm\n({line(chance)}) Tj\n"
                   for row in range(52))
    return f"BT\n/F 11 Tf\n{rows}ET\n"


def table_page(chance):
    out = ["0.5 w"]
    for row in range(30):
        y = 760 - 22 * row
        out.append(f"50 {y} m 545 {y} l S")
        for column in range(5):
            out.append(f"BT /F 9 Tf {54 + 99 * column} {y + 7} Td ({chance.choice(WORDS)} "
                       f"{chance.uniform(0, 5000):.2f}) Tj ET")
    return "\n".join(out) + "\n"


def drawing_page(chance):
    out = []
    for _ in range(350):
        x, y = chance.uniform(50, 545), chance.uniform(50, 790)
        out.append(f"{chance.random():.2f} {chance.random():.2f} {chance.random():.2f} RG "
                   f"{chance.uniform(.4, 2):.1f} w {x:.1f} {y:.1f} m")
        for _ in range(12):
            x, y = x + chance.uniform(-20, 20), y + chance.uniform(-20, 20)
            out.append(f"{x:.1f} {y:.1f} l")
        out.append("S")
    return "\n".join(out) + "\n"


def pixels(chance, side):
    """Rows of RGB that are smooth, with some noise, as a photograph's are."""
    rows, row = [], [chance.randrange(256) for _ in range(side * 3)]
    for _ in range(side):
        row = [(a * 7 + row[i - 3] * 7 + chance.randrange(256) * 2) >> 4 for i, a in enumerate(row)]
        rows.append(bytes(row))
    return b"".join(rows)


def flate_image(data, side):
    packed = zlib.compress(data, 6)
    return (b"<</Type/XObject/Subtype/Image/BitsPerComponent 8/ColorSpace/DeviceRGB/Width %d/Height %d"
            b"/Filter/FlateDecode/Length %d>>\nstream\n" % (side, side, len(packed)) + packed +
            b"\nendstream")


def jpeg_of(folder, data, side):
    """By way of pdftoppm, which writes JPEG."""
    source = os.path.join(folder, "photo.tmp")
    with open(source, "wb") as file:
        file.write(document(["q %d 0 0 %d 0 0 cm /P Do Q" % (side, side)], [flate_image(data, side)],
                            (side, side)))
    subprocess.run(["pdftoppm", "-jpeg", "-r", "72", "-singlefile", source, source], check=True)
    with open(source + ".jpg", "rb") as file:
        jpeg = file.read()
    os.unlink(source)
    os.unlink(source + ".jpg")
    return (b"<</Type/XObject/Subtype/Image/BitsPerComponent 8/ColorSpace/DeviceRGB/Width %d/Height %d"
            b"/Filter/DCTDecode/Length %d>>\nstream\n" % (side, side, len(jpeg)) + jpeg + b"\nendstream")


def document(pages, images=(), box=(595, 842)):
    """A document as bytes: content streams as text, images as objects from number 10 on."""
    bodies = {1: b"<</Type/Catalog/Pages 2 0 R>>",
              3: b"<</Type/Font/Subtype/Type1/BaseFont/Times-Roman/Encoding/WinAnsiEncoding>>"}
    first = 10 + len(images)
    bodies.update(enumerate(images, 10))
    names = " ".join(f"/{name} {number} 0 R" for name, number in zip("PQRS", range(10, first)))
    for number, content in enumerate(pages):
        packed = zlib.compress(content.encode(), 6)
        bodies[first + 2 * number] = (
            f"<</Type/Page/Parent 2 0 R/MediaBox[0 0 {box[0]} {box[1]}]/Contents {first + 2 * number + 1} "
            f"0 R/Resources<</Font<</F 3 0 R>>/XObject<<{names}>>>>>>").encode()
        bodies[first + 2 * number + 1] = (b"<</Filter/FlateDecode/Length %d>>\nstream\n" % len(packed) +
                                          packed + b"\nendstream")
    kids = " ".join(f"{first + 2 * number} 0 R" for number in range(len(pages)))
    bodies[2] = f"<</Type/Pages/Count {len(pages)}/Kids[{kids}]>>".encode()
    return pdf_builder.document(bodies, comment=pdf_builder.BINARY)


def updated(data, chance):
    """A second revision, in which every second page has other content."""
    objects = [(int(m[1]), m[0]) for m in re.finditer(rb"(\d+) 0 obj\n<</Filter/FlateDecode", data)]
    table, before = [], int(re.findall(rb"startxref\s+(\d+)", data)[-1])
    for number, _ in objects[::2]:
        packed = zlib.compress(text_page(chance).encode())
        table.append((number, len(data)))
        data += (b"%d 0 obj\n<</Filter/FlateDecode/Length %d>>\nstream\n" % (number, len(packed)) +
                 packed + b"\nendstream\nendobj\n")
    xref = len(data)
    return (data + b"xref\n" + b"".join(b"%d 1\n%010d 00000 n \n" % entry for entry in table) +
            b"trailer\n<</Root 1 0 R/Size %d/Prev %d>>\nstartxref\n%d\n%%%%EOF\n" %
            (int(re.findall(rb"/Size (\d+)", data)[-1]), before, xref))


def write(folder):
    """Writes them; returns their paths. Needs qpdf, pdftocairo, pdftoppm, mutool and gs."""
    chance = random.Random(26)
    same = ["--static-id", "--static-aes-iv"]

    def path(name):
        return os.path.join(folder, name + ".pdf")

    def put(name, data):
        with open(path(name), "wb") as file:
            file.write(data)

    def made(words):
        subprocess.run(words, check=True, stdout=subprocess.DEVNULL,
                       env={**os.environ, "SOURCE_DATE_EPOCH": "0"})

    photo = pixels(chance, 96)
    jpeg = jpeg_of(folder, pixels(chance, 200), 200)
    put("text", document([text_page(chance) for _ in range(6)]))
    put("mixed", document([text_page(chance), table_page(chance), drawing_page(chance),
                           table_page(chance) + "q 300 0 0 300 150 60 cm /P Do Q\n"],
                          [flate_image(photo, 96)]))
    put("pictures", document([f"q 460 0 0 460 60 300 cm /{name} Do Q\nBT /F 11 Tf 60 250 Td "
                              f"({line(chance)}) Tj ET\n" for name in "PQPQ"],
                             [flate_image(pixels(chance, 120), 120), jpeg]))
    with open(path("text"), "rb") as file:
        put("updated", updated(file.read(), chance))
    made(["qpdf", path("mixed"), "--object-streams=generate", *same, path("object-streams")])
    made(["qpdf", path("text"), "--linearize", *same, path("linearized")])
    made(["qpdf", path("text"), "--encrypt", "", "owner", "128", "--use-aes=y", "--", *same,
          path("encrypted")])
    made(["qpdf", path("mixed"), "--stream-data=uncompress", *same, path("unpacked")])
    made(["pdftocairo", "-pdf", path("mixed"), path("cairo")])
    made(["gs", "-q", "-dSAFER", "-dNOPAUSE", "-dBATCH", "-sDEVICE=pdfwrite", "-o", path("pdfwrite"),
          path("text")])
    return sorted(glob.glob(os.path.join(folder, "*.pdf")))
