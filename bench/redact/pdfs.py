"""A small writer of PDF files for the hiding places of places.py: objects as bytes, a page, its fonts and content."""

import zlib


def text(value):
    """A string of a document outside of content."""
    return b"<feff" + value.encode("utf-16-be").hex().encode() + b">"


def literal(value):
    return b"(" + value.encode("latin-1").replace(b"\\", b"\\\\").replace(b"(", b"\\(").replace(b")", b"\\)") + b")"


class Pdf:
    """Object 1 is the catalog, 2 the pages, 3 the page, 4 a font; more are added."""

    def __init__(self):
        self.objects = {1: b"", 2: b"", 3: b"", 4: b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>"}
        self.root, self.page, self.resources, self.trailer = {}, {}, {}, b""
        self.fonts = {"F": 4}
        self.content = [b"BT /F 12 Tf 72 720 Td (The report begins here and has more text.) Tj ET"]
        self.more_pages, self.tail, self.head = [], b"", b""

    def add(self, body):
        number = max(self.objects) + 1
        self.objects[number] = body
        return number

    def stream(self, data, entries=b"", packed=False):
        if packed:
            data, entries = zlib.compress(data), entries + b"/Filter/FlateDecode"
        return self.add(b"<<" + entries + b"/Length %d>>\nstream\n" % len(data) + data + b"\nendstream")

    def draw(self, data):
        self.content.append(data)

    def show(self, operand, at=b"72 600", font=b"F", size=b"12", before=b""):
        self.draw(b"BT " + before + b" /" + font + b" " + size + b" Tf 1 0 0 1 " + at + b" Tm " + operand + b" ET")

    def resource(self, kind, name, number):
        self.resources.setdefault(kind, {})[name] = number

    def annotation(self, entries, listed=True):
        number = self.add(b"<</Type/Annot" + entries + b">>")
        if listed:
            self.page.setdefault("Annots", []).append(number)
        return number

    def form(self, data, entries=b"", fonts=True):
        resources = b"/Resources<</Font<</F 4 0 R>>>>" if fonts else b""
        return self.stream(data, b"/Type/XObject/Subtype/Form/BBox[0 0 612 792]" + resources + entries)

    def dictionary(self, entries):
        parts = []
        for name, value in entries.items():
            if isinstance(value, int):
                value = b"%d 0 R" % value
            elif isinstance(value, list):
                value = b"[" + b" ".join(b"%d 0 R" % one for one in value) + b"]"
            elif isinstance(value, dict):
                value = self.dictionary(value)
            parts.append(b"/" + name.encode() + b" " + value)
        return b"<<" + b" ".join(parts) + b">>"

    def finish(self):
        streams = self.page.pop("Contents", None) or [self.stream(b"\n".join(self.content))]
        resources = {"Font": self.fonts, **self.resources}
        kids = [3] + self.more_pages
        self.objects[3] = self.dictionary({"Type": b"/Page", "Parent": 2, "MediaBox": b"[0 0 612 792]",
                                           "Resources": resources, "Contents": streams, **self.page})
        self.objects[2] = self.dictionary({"Type": b"/Pages", "Kids": kids, "Count": b"%d" % len(kids)})
        self.objects[1] = self.dictionary({"Type": b"/Catalog", "Pages": 2, **self.root})

    def bytes(self):
        self.finish()
        out, offsets = b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n" + self.head, {}
        for number in sorted(self.objects):
            offsets[number] = len(out)
            out += b"%d 0 obj\n" % number + self.objects[number] + b"\nendobj\n"
        start = len(out)
        out += b"xref\n0 %d\n0000000000 65535 f \n" % (len(offsets) + 1)
        out += b"".join(b"%010d 00000 n \n" % offsets[number] for number in sorted(offsets))
        out += b"trailer\n<</Size %d/Root 1 0 R" % (len(offsets) + 1) + self.trailer + b">>\nstartxref\n%d\n%%%%EOF\n" % start
        return out + self.tail


def update(data, objects):
    """Appends an incremental update that replaces objects."""
    previous = int(data[data.rindex(b"startxref") + 9:].split()[0])
    trailer = data[data.rindex(b"trailer\n<<") + 10:data.rindex(b">>\nstartxref")]
    table = b""
    for number, body in objects.items():
        table += b"%d 1\n%010d 00000 n \n" % (number, len(data))
        data += b"%d 0 obj\n" % number + body + b"\nendobj\n"
    start = len(data)
    return data + b"xref\n" + table + b"trailer\n<<" + trailer + b"/Prev %d>>\nstartxref\n%d\n%%%%EOF\n" % (previous, start)
