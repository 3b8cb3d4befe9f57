"""damage.py make OUT: a document of four pages. damage.py KIND IN OUT: the same with damage."""

import base64
import random
import re
import sys
import zlib

import pdf_builder
from pdf_builder import an_object as obj
from pdf_builder import ending


def stream(number, data, words=b""):
    return obj(number, pdf_builder.stream(data, words))


def table(body, root=b"1 0 R"):
    """The body with its cross-reference table and trailer."""
    return body + ending({int(m[1]): m.start() for m in re.finditer(rb"(?m)^(\d+) 0 obj", body)},
                         len(body), root)


def make():
    pick = random.Random(5)
    words = (b"the party of agreement shall be in writing and any notice to other under this contract "
             b"is given when it has been sent by post or with reasonable care neither may assign rights "
             b"without consent which will not unreasonably withheld payment due within thirty days from "
             b"date invoice such sums as are owed interest at rate each month until paid full").split()
    body = b"%PDF-1.5\n" + pdf_builder.BINARY
    body += obj(1, b"<</Type/Catalog/Lang(en-\\(GB\\))/Pages 2 0 R>>")
    body += obj(2, b"<</Type/Pages/Count 4/Kids[4 0 R 6 0 R 8 0 R 10 0 R]>>")
    body += obj(3, b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>")
    for page in range(4):
        text = b"BT\n/F 10 Tf\n"
        for line in range(60):
            text += b"1 0 0 1 50.%d %d Tm\n(%s) Tj\n" % (
                line, 780 - 12 * line, b" ".join(pick.choice(words) for _ in range(9)))
        body += obj(4 + 2 * page, b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Contents %d 0 R"
                    b"/Resources<</Font<</F 3 0 R>>>>>>" % (5 + 2 * page))
        body += stream(5 + 2 * page, zlib.compress(text + b"ET\n"), b"/Filter/FlateDecode")
    return table(body)


def flate(data, pages=4):
    out = bytearray(data)
    for at in [m.end() for m in re.finditer(rb"stream\n", data)][::2][:pages]:
        out[at + 900:at + 906] = b"\x13\x77\xa5\x5a\x99\x01"
    return bytes(out)


def flateone(data):
    return flate(data, 1)


def packed(data):
    """Pages, catalog and font in an object stream, the cross-reference stream cut off."""
    objects = {int(m[1]): m[2] for m in re.finditer(rb"(\d+) 0 obj\n(<<(?:(?!endobj).)*>>)\nendobj",
                                                    data, re.S) if b"stream" not in m[2]}
    index, inner = b"", b""
    for number, text in objects.items():
        index += b"%d %d " % (number, len(inner))
        inner += text + b" "
    rest = b"".join(m[0] for m in re.finditer(
        rb"\d+ 0 obj\n<<[^>]*>>\nstream\n.*?endstream\nendobj\n", data, re.S))
    return b"%PDF-1.5\n" + rest + stream(
        90, zlib.compress(index + inner), b"/Type/ObjStm/N %d/First %d/Filter/FlateDecode" % (
            len(objects), len(index)))


def stale(data):
    """The content of the first page has an older, empty version behind it, which only the
    cross-reference table tells from it; that of the third is damaged in its middle."""
    body = bytearray(data[:data.index(b"xref\n0")])
    third = body.index(b"\n9 0 obj") + 300
    body[third:third + 6] = b"\x13\x77\xa5\x5a\x99\x01"
    rest = data[data.index(b"xref\n0"):]
    older = stream(5, b"q Q")
    return bytes(body) + older + re.sub(
        rb"startxref\n\d+", b"startxref\n%d" % (len(body) + len(older)), rest)


def apart(data):
    """The second page, its content and the list of pages have other objects behind them, and the content
    of the last page has an empty one in front: which of two is the right one stands in the
    cross-reference table alone. A scan takes the last ones. The content of the first page is damaged in its middle."""
    start = data.index(b"1 0 obj")
    body = bytearray(data[:data.index(b"xref\n0")])
    first = body.index(b"\n5 0 obj") + 300
    body[first:first + 6] = b"\x13\x77\xa5\x5a\x99\x01"
    body = (bytes(body[:start]) + stream(11, b"q Q") + bytes(body[start:]) +
            obj(2, b"<</Type/Pages/Count 3/Kids[4 0 R 8 0 R 10 0 R]>>") +
            obj(6, b"<</Type/Sound>>") + obj(7, b"<</Type/Sound>>"))
    return body + ending({number: re.search(rb"(?m)^%d 0 obj" % number, body).start()
                          for number in range(1, 12)}, len(body))


def blank(data, pattern):
    return re.sub(pattern, lambda m: b" " * len(m[0]), data, flags=re.S)


def body(data, number):
    return re.search(rb"(?m)^%d 0 obj\n(.*?)\nendobj\n" % number, data, re.S)[1]


def direct(data):
    """Everything down to the pages stands in the trailer."""
    pages = b"<</Type/Pages/Count 2/Kids[%s 6 0 R]>> <</Type/Pages/Count 2/Kids[8 0 R %s]>>" % (
        body(data, 4), body(data, 10))
    tree = re.sub(rb"Kids\[.*\]", lambda _: b"Kids[%s]" % pages, body(data, 2))
    root = body(data, 1).replace(b"2 0 R", tree)
    data = re.sub(rb"(?m)^(1|2|4|10) 0 obj\n.*?\nendobj\n", b"", data, flags=re.S)
    return table(data[:data.index(b"xref\n0")], root)


def deep(data):
    """A tree of many levels, of which the first turns all pages."""
    kids = re.search(rb"Kids(\[.*?\])", data)[1]
    data = data.replace(b"Kids" + kids, b"Rotate 90/Kids[20 0 R]")
    for i in range(20, 140):
        data = data.replace(b"xref\n0", obj(i, b"<</Type/Pages/Parent %d 0 R/Count 4/Kids%s>>" % (
            i - 1 if i > 20 else 2, b"[%d 0 R]" % (i + 1) if i < 139 else kids)) + b"xref\n0", 1)
    return table(data[:data.index(b"xref\n0")].replace(b"/Parent 2 0 R/Media", b"/Parent 139 0 R/Media"))


def flushed(data, unmarked):
    """The contents of the pages have no checksum, and perhaps no mark of the last block."""
    for number in range(5, 12, 2):
        old = body(data, number)
        packer = zlib.compressobj()
        plain = zlib.decompress(old[old.index(b"stream\n") + 7:])
        packed = packer.compress(plain) + packer.flush(zlib.Z_SYNC_FLUSH) if unmarked else zlib.compress(plain)[:-4]
        data = data.replace(obj(number, old), stream(number, packed, b"/Filter/FlateDecode"))
    return table(data[:data.index(b"xref\n0")])


def streamed(data, numbers=(2, 6)):
    """The list of pages and the second page are streams."""
    for number in numbers:
        words = body(data, number)
        data = data.replace(obj(number, words), stream(number, b"", words[2:-2]))
    return table(data[:data.index(b"xref\n0")])


KINDS = {
    "apart": apart,
    "deep": deep,
    "xref": lambda d: re.sub(rb"\d{10} \d{5} n", b"0000000000 00000 n", d),
    "startxref": lambda d: re.sub(rb"startxref\n\d+", b"startxref\n7", d),
    "trailer": lambda d: d[:d.index(b"xref\n0")],
    "header": lambda d: d.replace(b"%PDF-1.5", b"%???-?.?", 1),
    "pages": lambda d: blank(d, rb"2 0 obj.*?endobj"),
    "catalog": lambda d: blank(d, rb"1 0 obj\n<</Type/Catalog.*?endobj"),
    "loop": lambda d: d.replace(b"/Kids[", b"/Kids[2 0 R "),
    "count": lambda d: d.replace(b"/Count 4", b"/Count 1"),
    "dangling": lambda d: d.replace(b"6 0 R 8", b"99999 0 R null 6 0 R 8"),
    "endobj": lambda d: d.replace(b"endobj\n", b""),
    "endstream": lambda d: d.replace(b"\nendstream", b"\n", 2),
    "length": lambda d: re.sub(rb"/Length \d+", b"/Length 17", d),
    "junk": lambda d: b"HTTP/1.1 200 OK\r\n\r\n" * 80 + d + b"\0" * 2000,
    "generation": lambda d: d.replace(b"4 0 obj", b"4 7 obj").replace(b"5 0 obj", b"5 1 obj"),
    "utf8": lambda d: d.decode("latin-1").encode(),
    "crlf": lambda d: d.replace(b"\n", b"\r\n"),
    "cr": lambda d: d.replace(b"\r", b"\n"),
    "flate": flate,
    "flateone": flateone,
    "half": lambda d: d[:len(d) // 2],
    "packed": packed,
    "orphan": lambda d: blank(blank(d, rb"xref\n0.*"), rb"\d+ 0 obj\n<</Type/Page/.*?endobj"),
    "unindexed": lambda d: d[:d.rindex(b"startxref")],
    "direct": direct,
    "directroot": lambda d: table(blank(d, rb"1 0 obj.*?endobj")[:d.index(b"xref\n0")], body(d, 1)),
    "directnode": lambda d: table(d[:d.index(b"xref\n0")].replace(
        b"6 0 R 8 0 R 10 0 R", b"<</Type/Pages/Count 3/Kids[6 0 R 8 0 R %s]>>" % body(d, 10))),
    "removed": lambda d: d[:d.index(b"xref\n0")].replace(b"/Count 4", b"/Count 3").replace(
        b"6 0 R 8", b"8").replace(b"/Parent 2 0 R", b"/Parent 1 0 R", 1),
    "digit": lambda d: d[:d.index(b"xref\n0")] + stream(6, b"q Q"),
    "stale": stale,
    "streamed": streamed,
    "flushed": lambda d: flushed(d, True),
    "unsummed": lambda d: flushed(d, False),
    "nostream": lambda d: table(d[:d.index(b"xref\n0")].replace(b"/Contents 7 0 R", b"/Contents 3 0 R")),
    "mail": lambda d: b"Content-Transfer-Encoding: base64\r\n\r\n" + base64.encodebytes(d),
    "twice": lambda d: b"HTTP/1.1 200 OK\r\n\r\n" + d.replace(b"\n", b"\r\n").decode("cp437").encode(),
    "added": lambda d: d[:2500] + b"\x5a" + d[2500:],
    "bomb": lambda d: table(d[:d.index(b"xref\n0")] + stream(
        12, zlib.compress(b" " * 300_000_000, 1), b"/Filter/FlateDecode")),
    "lostpage": lambda d: blank(blank(d, rb"\n6 0 obj.*?endobj"), rb"\n7 0 obj.*?endobj"),
}

if sys.argv[1] == "make":
    result = make()
    place = sys.argv[2]
else:
    with open(sys.argv[2], "rb") as file:
        result = KINDS[sys.argv[1]](file.read())
    place = sys.argv[3]
with open(place, "wb") as file:
    file.write(result)
