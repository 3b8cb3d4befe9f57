#!/usr/bin/env python3
"""Writes the documents that sign.sh needs into a folder, and takes signatures out of documents.

    sign_inputs.py FOLDER
    sign_inputs.py --extract IN.pdf N SIGNED.bin CONTAINER.der    the Nth signature, from 1
"""
import re
import sys
import zlib

from pdf_builder import an_object, ending, stream
from pdf_builder import document as made


def pdf(objects, size=None, head=b"", tail=b"\n"):
    """A document after `head`, with `tail` after its last line instead of an end of line."""
    return head + made(objects, version=b"1.6", size=size)[:-1] + tail


def unended(mode, less=0):
    """A document with a cross-reference stream whose data end as this kind of flush leaves them,
    without the last `less` bytes."""
    text = made(document(), version=b"1.6")
    start = text.rindex(b"xref\n0 ")
    places = {int(found[1]): found.start()
              for found in re.finditer(rb"(?m)^(\d+) 0 obj", text[:start])}
    own = max(places) + 1
    places[own] = start
    packer = zlib.compressobj()
    data = packer.compress(b"".join(b"\1%s" % places[n].to_bytes(4, "big") if n in places
                                    else bytes(5) for n in range(own + 1))) + packer.flush(mode)
    data = data[:len(data) - less]
    return text[:start] + (
        b"%d 0 obj\n<</Type/XRef/Size %d/W[1 4 0]/Root 1 0 R/Filter/FlateDecode/Length %d>>stream\n"
        b"%s\nendstream\nendobj\nstartxref\n%d\n%%%%EOF\n" % (own, own + 1, len(data), data, start))


def page(more=b"", contents=4):
    return (b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 400 300]/Resources<</Font<</F 5 0 R>>>>"
            b"/Contents %d 0 R%s>>" % (contents, more))


def document(catalog=b"", pages=(b"",), **objects):
    """Pages are objects 10, 11, ...; objects: o20=b"..." and so on."""
    text = b"BT /F 20 Tf 40 240 Td (Zulu) Tj ET"
    all_objects = {
        1: b"<</Type/Catalog/Pages 2 0 R%s>>" % catalog,
        2: b"<</Type/Pages/Kids[%s]/Count %d>>" % (
            b" ".join(b"%d 0 R" % (10 + i) for i in range(len(pages))), len(pages)),
        4: stream(text),
        5: b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>",
    }
    for i, more in enumerate(pages):
        all_objects[10 + i] = page(more)
    for name, value in objects.items():
        all_objects[int(name[1:])] = value
    return all_objects


FIELD = b"<</Type/Annot/Subtype/Widget/FT/Sig/T(%s)/F 4/P 10 0 R/Rect[%s]%s>>"


def fields():
    """Three empty signature fields on a page turned by 90 degrees: one seen, one not, one whose
    widget is an object of its own below a field with another name above."""
    return pdf(document(
        catalog=b"/AcroForm<</Fields 30 0 R>>", pages=[b"/Rotate 90/Annots 31 0 R"],
        o20=FIELD % (b"Seen", b"200 20 270 200", b""), o21=FIELD % (b"Unseen", b"0 0 0 0", b""),
        o22=b"<</T(Group)/Kids[23 0 R]>>",
        o23=b"<</FT/Sig/T(Deep)/Parent 22 0 R/Kids[24 0 R]>>",
        o24=b"<</Type/Annot/Subtype/Widget/Parent 23 0 R/F 4/Rect[300 100 370 280]>>",
        o25=b"<</Type/Annot/Subtype/Widget/FT/Tx/T(Text)/F 4/P 10 0 R/Rect[20 20 120 40]>>",
        o30=b"[20 0 R 21 0 R 22 0 R 25 0 R]", o31=b"[20 0 R 21 0 R 24 0 R 25 0 R]"))


def locked(lock):
    """A field whose signature locks others, and two more."""
    return pdf(document(
        catalog=b"/AcroForm<</Fields[20 0 R 21 0 R 22 0 R]>>",
        pages=[b"/Annots[20 0 R 21 0 R 22 0 R]"],
        o20=FIELD % (b"First", b"20 20 120 60", b"/Lock<</Type/SigFieldLock%s>>" % lock),
        o21=FIELD % (b"Second", b"140 20 240 60", b""),
        o22=FIELD % (b"Third", b"260 20 360 60", b"")))


def seeded(values):
    """A field whose author wants something of the signature in it."""
    return pdf(document(catalog=b"/AcroForm<</Fields[20 0 R]>>", pages=[b"/Annots[20 0 R]"],
                        o20=FIELD % (b"Own", b"20 20 120 60", b"/SV<</Type/SV%s>>" % values)))


def hybrid():
    """A table that hides the page's annotations, which a stream and an object stream hold
    (ISO 32000-2, 7.5.8.4)."""
    numbers = b"20 0 "
    packed = numbers + b"<</Type/Annot/Subtype/Text/Rect[10 10 30 30]/Contents(Zulu)>>"
    inner = document(pages=[b"/Annots[20 0 R]"])
    out = b"%PDF-1.5\n"
    offsets = {}
    inner[6] = stream(packed, "/Type/ObjStm/N 1/First %d" % len(numbers))
    for number in sorted(inner):
        offsets[number] = len(out)
        out += an_object(number, inner[number])
    offsets[7] = len(out)
    out += an_object(7, stream(b"\x02" + (6).to_bytes(4, "big") + b"\0",
                               "/Type/XRef/W[1 4 1]/Index[20 1]/Size 21/Root 1 0 R"))
    return out + ending(offsets, len(out), keys="/XRefStm %d" % offsets[7], size=21)


def write(folder):
    shared = document(catalog=b"/AcroForm<</Fields 30 0 R>>", pages=[b"/Annots 30 0 R"],
                      o20=FIELD % (b"Own", b"20 20 120 60", b""), o30=b"[20 0 R]")
    xfa = b"/AcroForm<</Fields[]/XFA 20 0 R>>"
    form = b"<</Length 5>>\nstream\n<xdp>\nendstream"
    files = {
        "fields": fields(),
        "hybrid": hybrid(),
        "lock-all": locked(b"/Action/All"),
        "lock-some": locked(b"/Action/Include/Fields[(Second)]"),
        "lock-others": locked(b"/Action/Exclude/Fields[(Third)]"),
        "lock-p": locked(b"/Action/Include/Fields[(None)]/P 1"),
        "seed-reason": seeded(b"/Ff 8/Reasons[(I agree)<feff00dc>]"),
        "seed-no-reason": seeded(b"/Ff 8/Reasons[(.)]"),
        "seed-format": seeded(b"/Ff 2/SubFilter[/adbe.pkcs7.detached]"),
        "seed-ours": seeded(b"/Ff 67/Filter/Adobe.PPKLite/SubFilter[/ETSI.CAdES.detached]"
                            b"/DigestMethod[(SHA384)(SHA256)]"),
        "seed-wish": seeded(b"/Ff 0/SubFilter[/adbe.pkcs7.detached]/Reasons[(I agree)]"),
        "seed-certify": seeded(b"/MDP<</P 2>>"),
        "seed-stamp": seeded(b"/TimeStamp<</URL(http://localhost/)/Ff 1>>"),
        "seed-certificate": seeded(b"/Cert<</Type/SVCert/Ff 2/Issuer[(x)]>>"),
        "shared-array": pdf(shared),
        "shared-annots": pdf(document(pages=[b"/Annots 30 0 R"] * 3, o30=b"[]")),
        "miscounted": pdf(document(), size=3),
        "flushed": unended(zlib.Z_SYNC_FLUSH),
        "unended": unended(zlib.Z_FINISH, 4),
        "no-newline": pdf(document(), tail=b""),
        "junk-in-front": pdf(document(), head=b"From: somebody\n\n"),
        "xfa": pdf(document(catalog=xfa, o20=form)),
        "xfa-dynamic": pdf(document(catalog=xfa + b"/NeedsRendering true", o20=form)),
        "tiny": pdf(document(pages=[b"/CropBox[0 0 12 9]"])),
        "damaged": pdf(document()).replace(b"startxref\n", b"startxref\n1"),
        "crop": pdf(document(pages=[b"/Rotate %d/CropBox[50 30 350 270]/UserUnit 2" % r
                                    for r in (0, 90, 180, 270)])),
    }
    for name, data in files.items():
        with open("%s/%s.pdf" % (folder, name), "wb") as file:
            file.write(data)


def extract(path, n, signed, container):
    data = open(path, "rb").read()
    ranges = re.findall(rb"/ByteRange ?\[ ?(\d+) (\d+) (\d+) (\d+) ?\]", data)
    a, b, c, d = (int(x) for x in ranges[n - 1])
    der = bytes.fromhex(data[a + b + 1:c - 1].decode())
    # The padding is zeros: the container says itself how long it is.
    length, at = der[1], 2
    if length & 0x80:
        at += length & 0x7f
        length = int.from_bytes(der[2:at], "big")
    open(signed, "wb").write(data[a:a + b] + data[c:c + d])
    open(container, "wb").write(der[:at + length])


if sys.argv[1] == "--extract":
    extract(sys.argv[2], int(sys.argv[3]), sys.argv[4], sys.argv[5])
else:
    write(sys.argv[1])
