"""pdf_builder: the PDF files that tests need, made from the texts of their objects.

A text is bytes, or a str whose characters are bytes (Latin-1).
"""


def as_bytes(text):
    return text if isinstance(text, bytes) else text.encode("latin-1")


def stream(data, keys=""):
    """A stream of this data; `keys`: entries of its dictionary besides /Length."""
    data = as_bytes(data)
    return b"<<%s/Length %d>>\nstream\n%s\nendstream" % (as_bytes(keys), len(data), data)


class Objects(list):
    """Objects that refer to earlier ones by the numbers that add returns."""

    def add(self, text, data=None):
        """Adds an object, or with `data` a stream whose dictionary has the entries `text`."""
        self.append(text if data is None else stream(data, text))
        return len(self)


def document(objects, root=1, keys="", version=b"1.7"):
    """The bytes of a file. `objects`: a list, numbered from 1, or a dictionary by number;
    `root`: the number of the catalog; `keys`: entries of the trailer besides /Size and /Root."""
    if not isinstance(objects, dict):
        objects = dict(enumerate(objects, 1))
    out, offsets = bytearray(b"%%PDF-%s\n" % version), {}
    for number, text in sorted(objects.items()):
        offsets[number] = len(out)
        out += b"%d 0 obj\n%s\nendobj\n" % (number, as_bytes(text))
    start, size = len(out), max(objects) + 1
    out += b"xref\n0 %d\n0000000000 65535 f \n" % size
    for number in range(1, size):
        state = b"00000 n" if number in offsets else b"65535 f"
        out += b"%010d %s \n" % (offsets.get(number, 0), state)
    out += b"trailer\n<</Size %d/Root %d 0 R%s>>\n" % (size, root, as_bytes(keys))
    return bytes(out + b"startxref\n%d\n%%%%EOF\n" % start)


def save(path, objects, root=1, keys="", version=b"1.7"):
    """Writes the file that document returns."""
    with open(path, "wb") as file:
        file.write(document(objects, root, keys, version))
