"""chunks.py FOLDER: writes Word documents with parts in other formats (altChunk)."""

import io
import os
import sys
import zipfile

OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
PACKAGE = "http://schemas.openxmlformats.org/package/2006"
WORD = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
MAIN = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
TYPES = (
    f'<Types xmlns="{PACKAGE}/content-types"><Default Extension="rels" ContentType='
    f'"application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="html" ContentType="text/html"/>'
    f'<Default Extension="rtf" ContentType="application/rtf"/><Default Extension="docx" ContentType="{MAIN}"/>'
    f'<Override PartName="/word/document.xml" ContentType="{MAIN}.main+xml"/></Types>'
)


def relationships(kind, targets):
    items = "".join(f'<Relationship Id="c{i}" Type="{OFFICE}/{kind}" Target="{target}"/>' for i, target in enumerate(targets))
    return f'<Relationships xmlns="{PACKAGE}/relationships">{items}</Relationships>'


def paragraph(text):
    return f"<w:p><w:r><w:t>{text}</w:t></w:r></w:p>"


def chunk(n):
    return f'<w:altChunk r:id="c{n}"/>'


def document(body, parts=None):
    """The bytes of a docx. parts: the chunks' contents by the targets of their relationships."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as package:
        package.writestr("[Content_Types].xml", TYPES)
        package.writestr("_rels/.rels", relationships("officeDocument", ["word/document.xml"]))
        package.writestr(
            "word/document.xml", f'<w:document xmlns:w="{WORD}" xmlns:r="{OFFICE}"><w:body>{body}</w:body></w:document>'
        )
        package.writestr("word/_rels/document.xml.rels", relationships("aFChunk", list(parts or {})))
        for target, data in (parts or {}).items():
            package.writestr(os.path.normpath(os.path.join("/word", target))[1:], data)
    return out.getvalue()


def main():
    html, inner = b"<html><body>Lost.</body></html>", document(paragraph("Inner."))
    around = paragraph("Before.") + chunk(0) + paragraph("After.")
    made = {
        "chunks": document(
            around + chunk(1) + chunk(2), {"../inner.docx": inner, "a.html": html, "/b.rtf": b"{\\rtf1 Lost.}"}
        ),
        "inner": document(around, {"inner.docx": inner}),
        "unused": document(paragraph("All."), {"a.html": html}),
        "only": document(chunk(0), {"a.html": html}),
    }
    for name, data in made.items():
        with open(os.path.join(sys.argv[1], f"{name}.docx"), "wb") as file:
            file.write(data)


if __name__ == "__main__":
    main()
