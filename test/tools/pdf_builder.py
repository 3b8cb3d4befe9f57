"""pdf_builder: the PDF files that tests need, made from the texts of their objects.

    pdf_builder.py OUT    from standard input: a line for each object, from 1 on, which is the catalog.
                          A line "<<KEYS>> stream DATA" is a stream.

A text is bytes, or a str whose characters are bytes (Latin-1).
"""
import re
import sys

BINARY = b"%\xe2\xe3\xcf\xd3\n"  # the comment that says that a file is not text (ISO 32000-1, 7.5.2)


def as_bytes(text):
    return text if isinstance(text, bytes) else text.encode("latin-1")


def stream(data, keys=""):
    """A stream of this data; `keys`: entries of its dictionary besides /Length."""
    data = as_bytes(data)
    return b"<<%s/Length %d>>\nstream\n%s\nendstream" % (as_bytes(keys), len(data), data)


def an_object(number, text):
    return b"%d 0 obj\n%s\nendobj\n" % (number, as_bytes(text))


def ending(offsets, start, root=1, keys="", size=None):
    """What follows the objects in a file: the cross-reference table, which begins at `start`, and the
    trailer. `offsets`: of the objects by number; `root`: the number of the catalog, or its text;
    `keys`: entries of the trailer besides /Size and /Root; `size`: another /Size than the right one."""
    count = max(offsets) + 1
    out = b"xref\n0 %d\n0000000000 65535 f \n" % count
    out += b"".join(b"%010d 00000 n \n" % offsets[number] if number in offsets else
                    b"0000000000 65535 f \n" for number in range(1, count))
    root = b"%d 0 R" % root if isinstance(root, int) else as_bytes(root)
    return out + b"trailer\n<</Size %d/Root %s%s>>\nstartxref\n%d\n%%%%EOF\n" % (
        size or count, root, as_bytes(keys), start)


class Objects(list):
    """Objects that refer to earlier ones by the numbers that add returns."""

    def add(self, text, data=None):
        """Adds an object, or with `data` a stream whose dictionary has the entries `text`."""
        self.append(text if data is None else stream(data, text))
        return len(self)

    def reserve(self):
        """The number of an object that put gives a text."""
        return self.add(None)

    def put(self, number, text):
        self[number - 1] = text


def document(objects, root=1, keys="", version=b"1.7", comment=b"", size=None, moved=0):
    """The bytes of a file. `objects`: a list, numbered from 1, or a dictionary by number; `root`, `keys`,
    `size`: as for ending; `moved`: how far the offsets are from the right ones."""
    if not isinstance(objects, dict):
        objects = dict(enumerate(objects, 1))
    out, offsets = bytearray(b"%%PDF-%s\n%s" % (version, comment)), {}
    for number, text in sorted(objects.items()):
        offsets[number] = len(out) + moved
        out += an_object(number, text)
    return bytes(out + ending(offsets, len(out), root, keys, size))


def save(path, objects, root=1, **how):
    """Writes the file that document returns."""
    with open(path, "wb") as file:
        file.write(document(objects, root, **how))


def main(path):
    objects = []
    for line in sys.stdin.buffer.read().splitlines():
        head, found, data = line.partition(b">> stream ")
        objects.append(stream(data, head[2:]) if found else line)
    save(path, objects)


if __name__ == "__main__":
    main(*sys.argv[1:])
