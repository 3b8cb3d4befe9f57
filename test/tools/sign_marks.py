#!/usr/bin/env python3
"""Documents for sign_marks.sh, written into a folder: pages whose content, resources or annotations
make it hard to draw after them.

    sign_marks.py FOLDER
"""
import sys

from pdf_builder import document, stream

CATALOG = b"<</Type/Catalog/Pages 2 0 R>>"
FONT = b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>"
TEXT = b"BT /F 20 Tf 40 240 Td (Zulu) Tj ET"


def pages(contents, own=b"/Resources<</Font<</F 5 0 R>>>>", above=b"", **more):
    """A document with a page for each content; `contents`: lists of the streams of a page."""
    objects = {1: CATALOG, 5: FONT}
    kids = []
    number = 20
    for i, streams in enumerate(contents):
        numbers = []
        for data in streams:
            objects[number] = stream(data)
            numbers.append(b"%d 0 R" % number)
            number += 1
        kids.append(b"%d 0 R" % (10 + i))
        objects[10 + i] = (b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 400 300]%s/Contents[%s]>>" %
                           (own, b" ".join(numbers)))
    objects[2] = b"<</Type/Pages/Kids[%s]/Count %d%s>>" % (b" ".join(kids), len(kids), above)
    for name, value in more.items():
        objects[int(name[1:])] = value
    return document(objects, version=b"1.6")


DOCUMENTS = {
    # The graphics state that the content leaves is not the one it began with.
    "scaled": pages([[b"q 2 0 0 2 50 50 cm 0.2 w " + TEXT]]),
    "restored": pages([[b"Q Q 3 0 0 3 0 0 cm " + TEXT, b"Q"]]),
    # What follows would be taken for the rest of a string, or of an inline image.
    "open": pages([[TEXT + b" BT (never ends"]]),
    "none": pages([[]]),
    # Resources of several pages, of which one gets a mark.
    "inherited": pages([[TEXT], [TEXT]], own=b"", above=b"/Resources 6 0 R",
                       o6=b"<</Font<</F 5 0 R>>/XObject 7 0 R>>",
                       o7=b"<</Mark30 8 0 R>>",
                       o8=stream(b"", b"/Type/XObject/Subtype/Form/BBox[0 0 9 9]")),
    "strange": pages([[TEXT]], own=b"/Resources<</Font<</F 5 0 R>>/XObject[1 2]>>"),
}

if __name__ == "__main__":
    for name, data in DOCUMENTS.items():
        with open("%s/%s.pdf" % (sys.argv[1], name), "wb") as out:
            out.write(data)
