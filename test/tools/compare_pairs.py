"""Writes pairs of PDFs with known differences for the tests of compare: compare_pairs.py FOLDER.

Each pair is NAME_old.pdf and NAME_new.pdf. All text is made of the words w0, w1, ... so that what was changed is known by its
words."""
import random
import sys
import zlib

WIDTH, HEIGHT, MARGIN, SIZE, LEAD = 400, 500, 40, 11, 15
LETTERS = "abcdefghijklmnoprstuvz"


def word(n):
    """A word that no other number has, of 3 to 6 letters."""
    text = ""
    n += 22 * 22
    while n:
        text += LETTERS[n % 22]
        n //= 22
    return text


def paragraph(seed, n):
    """n words, many of which are in other paragraphs, too."""
    chosen = random.Random(seed)
    return [chosen.choice(["the", "of", "and", "in", "to"]) if chosen.random() < .3 else word(chosen.randrange(400)) + ("," if chosen.random() < .05 else "")
            for _ in range(n)]


def lines(words, width):
    line = []
    for one in words:
        if len(" ".join(line + [one])) * SIZE * .5 > width and line:
            yield line
            line = []
        line.append(one)
    yield line


class Document:
    """Pages of paragraphs, each broken into lines; None begins a new page."""

    def __init__(self, width=WIDTH - 2 * MARGIN, header=None, font="Helvetica"):
        self.pages, self.width, self.header, self.font = [], width, header, font
        self.page()

    def page(self, size=(WIDTH, HEIGHT)):
        self.pages.append(([], size))
        self.y = HEIGHT - MARGIN - LEAD
        if self.header:
            self.put(MARGIN, HEIGHT - 25, self.header)
            self.put(WIDTH / 2, 20, str(len(self.pages)))
        return self

    def put(self, x, y, text):
        self.pages[-1][0].append(f"BT /F1 {SIZE} Tf {x:.2f} {y:.2f} Td ({text}) Tj ET")

    def text(self, *paragraphs):
        for words in paragraphs:
            for line in lines(words, self.width):
                if self.y < MARGIN:
                    self.page()
                self.put(MARGIN, self.y, " ".join(line))
                self.y -= LEAD
            self.y -= LEAD
        return self

    def box(self, x, y, w, h, color):
        self.pages[-1][0].append(f"q {color} rg {x} {y} {w} {h} re f Q")
        return self

    def save(self, path):
        objects = [b"<</Type/Catalog/Pages 2 0 R>>", b"", f"<</Type/Font/Subtype/Type1/BaseFont/{self.font}>>".encode()]
        kids = []
        for content, (width, height) in self.pages:
            stream = zlib.compress("\n".join(content).encode())
            objects.append(f"<</Type/Page/Parent 2 0 R/MediaBox[0 0 {width} {height}]/Resources<</Font<</F1 3 0 R>>>>"
                           f"/Contents {len(objects) + 2} 0 R>>".encode())
            kids.append(f"{len(objects)} 0 R")
            objects.append(f"<</Length {len(stream)}/Filter/FlateDecode>>stream\n".encode() + stream + b"\nendstream")
        objects[1] = f"<</Type/Pages/Count {len(kids)}/Kids[{' '.join(kids)}]>>".encode()
        out, places = b"%PDF-1.4\n", []
        for n, one in enumerate(objects, 1):
            places.append(len(out))
            out += f"{n} 0 obj\n".encode() + one + b"\nendobj\n"
        table = len(out)
        out += f"xref\n0 {len(objects) + 1}\n0000000000 65535 f \n".encode()
        out += b"".join(f"{place:010d} 00000 n \n".encode() for place in places)
        out += f"trailer<</Size {len(objects) + 1}/Root 1 0 R>>\nstartxref\n{table}\n%%EOF\n".encode()
        with open(path, "wb") as file:
            file.write(out)


def main(folder):
    def pair(name, old, new):
        old.save(f"{folder}/{name}_old.pdf")
        new.save(f"{folder}/{name}_new.pdf")

    base = [paragraph(seed, 60) for seed in range(8)]
    pair("same", Document().text(*base), Document().text(*base))
    # The same text in narrower lines, on more pages.
    pair("layout", Document().text(*base), Document(width=220).text(*base))
    changed = [list(one) for one in base]
    changed[1][30] = "CHANGED"
    changed[4][10:12] = ["TWO", "OTHERS", "MORE"]
    changed[5][20:20] = ["INSERTED"]
    del changed[6][40:44]
    pair("words", Document().text(*base), Document().text(*changed))
    pair("case", Document().text(base[0]), Document().text([base[0][0].upper(), *base[0][1:]]))
    pair("moved", Document().text(*base), Document().text(*base[:1], *base[2:6], base[1], *base[6:]))

    def broken(*lines):
        document = Document()
        for n, line in enumerate(lines):
            document.put(MARGIN, HEIGHT - 60 - n * LEAD, line)
        return document
    pair("hyphens", broken("These are some lines of a text that is well-", "known to all who have read an example of it", "and that goes on for one more line of words"),
         broken("These are some lines of a text that is", "well-known to all who have read an exam-", "ple of it and that goes on for one more line", "of words"))

    def paged(numbers, header=None):
        document = Document(header=header)
        for n in numbers:
            if n != numbers[0] or document.pages[-1][0][2:]:
                document.page()
            document.text(paragraph(100 + n, 50))
        return document
    pair("inserted", paged([0, 1, 2, 3, 4, 5], "Report of this year"), paged([0, 1, 2, 9, 3, 4, 5], "Report of this year"))
    pair("removed", paged([0, 1, 2, 3, 4, 5]), paged([0, 1, 4, 5]))
    pair("shuffled", paged([0, 1, 2, 3, 4, 5]), paged([0, 1, 4, 2, 3, 5]))
    pair("header", paged([0, 1, 2, 3, 4, 5], "Report of this year"), paged([0, 1, 2, 3, 4, 5], "Report of next year"))
    red, blue = "1 0 0", "0 0 1"
    pair("picture", Document().text(base[0]).box(50, 60, 80, 60, red), Document().text(base[0]).box(50, 60, 80, 60, blue))
    pair("font", Document().text(base[0]), Document(font="Helvetica-Bold").text(base[0]))

    def scans(colors):
        document = Document()
        for n, color in enumerate(colors):
            if n:
                document.page()
            document.box(30 + 20 * color, 100, 100 + 30 * color, 250, f"0 {color / 10} 0")
        return document
    pair("scans", scans([1, 2, 3, 4, 5]), scans([1, 2, 8, 3, 4, 5]))
    pair("size", Document().text(base[0]), Document().text(base[0]))
    ordered = ["aaa", "bbb"]
    chosen = random.Random(5)
    pair("hostile", Document().text([chosen.choice(ordered) for _ in range(30000)]), Document().text([chosen.choice(ordered) for _ in range(30000)]))


if __name__ == "__main__":
    main(sys.argv[1])
