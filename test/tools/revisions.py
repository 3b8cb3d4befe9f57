"""revisions.py FOLDER: files with updates that are cut, and with a PDF in a stream or after another.

The pages of the documents show "OLD page 1" and so on: OLD and NEW are revisions of one document,
OUTER has a PDF attached whose pages are INNER, or one whose pages are MIDDLE and that has INNER.
"""

import sys


def content(text):
    data = b"BT /F1 24 Tf 30 300 Td (%s) Tj ET" % text
    return b"<</Length %d>>\nstream\n%s\nendstream" % (len(data), data)


def attachment(data, length=None):
    return [(50, b"<</Type/Filespec/F(i.pdf)/EF<</F 51 0 R>>>>"),
            (51, b"<</Type/EmbeddedFile/Length %d>>\nstream\n%s\nendstream" % (len(data) if length is None else length, data))]


def table(file, offsets, more, size=0):
    at = len(file)
    size = max(size, max(offsets) + 1)
    file += b"xref\n0 1\n0000000000 65535 f \n"
    for number in sorted(offsets):
        file += b"%d 1\n%010d 00000 n \n" % (number, offsets[number])
    return file + b"trailer\n<</Size %d/Root 1 0 R%s>>\nstartxref\n%d\n%%%%EOF\n" % (size, more, at)


def append(file, objects, offsets):
    for number, value in objects:
        offsets[number] = len(file)
        file += b"%d 0 obj\n%s\nendobj\n" % (number, value)
    return file


def document(name, pages, attached=()):
    kids = b" ".join(b"%d 0 R" % (10 + i) for i in range(pages))
    objects = [(1, b"<</Type/Catalog/Pages 2 0 R/Names<</EmbeddedFiles<</Names[(i.pdf)50 0 R]>>>>>>"
                if attached else b"<</Type/Catalog/Pages 2 0 R>>"),
               (2, b"<</Type/Pages/Count %d/Kids[%s]/MediaBox[0 0 300 400]"
                   b"/Resources<</Font<</F1 4 0 R>>>>>>" % (pages, kids)),
               (4, b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>")]
    for i in range(pages):
        objects += [(10 + i, b"<</Type/Page/Parent 2 0 R/Contents %d 0 R>>" % (30 + i)),
                    (30 + i, content(b"%s page %d" % (name, i + 1)))]
    offsets = {}
    file = append(b"%PDF-1.7\n", objects + list(attached), offsets)
    return table(file, offsets, b"")


def update(file, objects):
    offsets = {}
    previous = int(file[file.rindex(b"startxref") + 9:].split()[0])
    size = int(file[file.rindex(b"/Size") + 5:].split(b"/")[0])
    return table(append(file, objects, offsets), offsets, b"/Prev %d" % previous, size)


def until(file, text, more=0):
    return file[:file.rindex(text) + more]


def cut_updates(old, new):
    lost = update(old, [(10, b"<</Type/Page/Parent 2 0 R/Contents 77 0 R>>"), (77, content(b"NEW"))])
    long = update(old, [(30, content(b"NEW page 1 " + b"x" * 3000)), (31, content(b"NEW page 2"))])
    return {
        # What the update changes is all there.
        "new_number": until(new, b"startxref", 9), "new_digits": until(new, b"startxref", 12),
        "new_trailer": until(new, b"trailer", 12), "new_xref": until(new, b"xref\n0", 25),
        "new_objects": until(new, b"xref\n0"), "new_long": until(long, b"xref\n0"),
        # Something of it is missing.
        "old_stream": until(new, b"page 2"), "old_first": until(new, b"NEW page 1", 2),
        "old_header": until(new, b"31 0 obj", 6), "old_long": until(long, b"page 2"),
        "old_missing": until(lost, b"77 0 obj"),
        # No update is cut.
        "sound_eof": new[:-6], "sound_half_eof": new[:-3], "sound_lines": new + b"\r\n\r\n  ",
        "sound_junk": new + b"\x93\x11\x05junk\x80\n" * 9, "sound_zero": new + bytes(500),
        "sound_html": new + b"<html>\nxref trailer\ntrailer <p>\n</html>\n",
        "sound_comment": new + b"% signed by server, 12 0 obj\n%x\n",
    }


def attached(inner):
    lost = b"xref\n0 1"  # of the outer document
    middle = document(b"MIDDLE", 3, attachment(inner))
    whole = document(b"OUTER", 2, attachment(inner))
    files = {"outer_xref": until(whole, lost, 20), "outer_cut": until(whole, b"INNER page 3"),
             "outer_cut_eof": until(whole, b"%%EOF\n\nendstream", 3),
             "outer_nested_cut": until(document(b"OUTER", 2, attachment(middle)), b"INNER page 2"),
             "outer_nested": until(document(b"OUTER", 2, attachment(middle, 3)), lost, 20),
             "outer_broken": until(document(b"OUTER", 2, attachment(inner[:-300], 3)), lost, 20),
             "outer_two": until(document(b"OUTER", 2, attachment(inner, 3) + [
                 (52, b"<</Type/EmbeddedFile/Length 4>>\nstream\n%s\nendstream" % middle),
                 (60, content(b"x"))]), lost, 20)}
    for length in (0, 7, 200, 100000):
        files["outer_length_%d" % length] = until(document(b"OUTER", 2, attachment(inner, length)), lost, 20)
    return files


def main(folder):
    old = document(b"OLD", 2)
    new = update(old, [(30, content(b"NEW page 1")), (31, content(b"NEW page 2"))])
    inner = document(b"INNER", 3)
    files = cut_updates(old, new)
    files.update(attached(inner))
    files.update({"joined_two": old + inner, "joined_cut": old + inner[:400]})
    for name, data in files.items():
        with open("%s/%s.pdf" % (folder, name), "wb") as file:
            file.write(data)


main(sys.argv[1])
