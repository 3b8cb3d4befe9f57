"""Texts that LibreOffice sets: documents of paragraphs, headings, lists and footnotes that are known, made into PDFs by soffice, and
what of them is in the Word files: paragraphs with exactly their text, headings and items as such, as many lists as there are, and footnotes
as footnotes."""

import collections
import os
import random
import re
import subprocess
import xml.etree.ElementTree as ET
import zipfile
from xml.sax.saxutils import escape

from office_tables import NAMESPACES

WORD = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
KINDS = ("report", "lists", "notes", "columns", "column-notes")
WORDS = """the a of to and in that is was for on with as by at from this which were have had not but are or an be their its more when
river bridge harbour market valley school forest tower garden mill station castle island meadow orchard quarry chapel library museum
theatre factory workshop bakery laundry stable granary cellar attic kitchen pantry""".split()


class Text:
    """The body of a document, and what of each kind of part is in it."""

    def __init__(self, chance):
        self.chance, self.body, self.want, self.n = chance, [], collections.defaultdict(list), 0
        self.lists = 0

    def words(self, n):
        return " ".join(self.chance.choices(WORDS, k=n))

    def sentence(self, least, most):
        return self.words(self.chance.randint(least, most)).capitalize() + "."

    def paragraph(self, note=False):
        text = " ".join(self.sentence(6, 20) for _ in range(self.chance.randint(2, 6)))
        inside = escape(text)
        if note:
            self.n += 1
            said = self.sentence(8, 40)
            self.want["notes"].append(said)
            inside += (f'<text:note text:id="n{self.n}" text:note-class="footnote"><text:note-citation>{self.n}</text:note-citation>'
                       f'<text:note-body><text:p text:style-name="Note">{escape(said)}</text:p></text:note-body></text:note>')
        self.want["paragraphs"].append(text)
        self.body.append(f'<text:p text:style-name="Body">{inside}</text:p>')

    def heading(self, level):
        text = self.words(self.chance.randint(2, 5)).capitalize()
        self.want["headings"].append(text)
        self.body.append(f'<text:h text:style-name="H{level}" text:outline-level="{level}">{escape(text)}</text:h>')

    def items(self, n, numbered):
        out = []
        for _ in range(n):
            text = self.sentence(5, 30)
            self.want["items"].append(text)
            out.append(f'<text:list-item><text:p text:style-name="Body">{escape(text)}</text:p></text:list-item>')
        self.lists += 1
        self.want["lists"].append(f"list {self.lists}")
        self.body.append(f'<text:list text:style-name="{"Numbers" if numbered else "Bullets"}">{"".join(out)}</text:list>')

    def write(self, path, columns):
        def style(name, size, more="", after="2mm"):
            return (f'<style:style style:name="{name}" style:family="paragraph"><style:paragraph-properties fo:margin-bottom="{after}"'
                    f' {more}/><style:text-properties fo:font-size="{size}pt" fo:font-family="Liberation Serif"'
                    f'{" fo:font-weight=" + chr(34) + "bold" + chr(34) if name[0] == "H" else ""}/></style:style>')

        def listed(name, level):
            return (f'<text:list-style style:name="{name}">{level}<style:list-level-properties text:space-before="5mm" '
                    f'text:min-label-width="7mm"/></text:list-level-style-{"number" if name == "Numbers" else "bullet"}></text:list-style>')

        column = f'<style:columns fo:column-count="{columns}" fo:column-gap="8mm"/>' if columns > 1 else ""
        with open(path, "w", encoding="utf-8") as file:
            file.write(f'<?xml version="1.0" encoding="UTF-8"?><office:document {NAMESPACES} office:version="1.3" '
                       'office:mimetype="application/vnd.oasis.opendocument.text"><office:styles>' + style("Body", 11) +
                       style("H1", 18, 'fo:margin-top="6mm" fo:keep-with-next="always"') +
                       style("H2", 14, 'fo:margin-top="4mm" fo:keep-with-next="always"') + style("Note", 9, after="0") +
                       style("Foot", 10, 'fo:text-align="center"', "0") +
                       listed("Numbers", '<text:list-level-style-number text:level="1" style:num-format="1" style:num-suffix=".">') +
                       listed("Bullets", '<text:list-level-style-bullet text:level="1" text:bullet-char="•">') +
                       '</office:styles><office:automatic-styles><style:page-layout style:name="L"><style:page-layout-properties '
                       f'fo:page-width="210mm" fo:page-height="297mm" fo:margin="22mm">{column}</style:page-layout-properties>'
                       '<style:footer-style><style:header-footer-properties fo:min-height="9mm" fo:margin-top="4mm"/></style:footer-style>'
                       '</style:page-layout></office:automatic-styles><office:master-styles><style:master-page style:name="Standard" '
                       'style:page-layout-name="L"><style:footer><text:p text:style-name="Foot">Page <text:page-number '
                       'text:select-page="current"/></text:p></style:footer></style:master-page></office:master-styles>'
                       '<office:body><office:text>' + "".join(self.body) + '</office:text></office:body></office:document>')


def document(kind, seed, path):
    text = Text(random.Random(f"text {kind} {seed}"))
    for part in range(3):
        text.heading(1 if part == 0 else 2)
        for i in range(text.chance.randint(6, 10)):
            text.paragraph(note="notes" in kind and i % 2 == 0)
        if kind == "lists":
            text.items(text.chance.randint(15, 40), part != 1)
            text.paragraph()
    text.write(path, 2 if "column" in kind else 1)
    return text.want


def plain(text):
    return re.sub(r"\W", "", text.replace("\u00ad", "")).lower()


def read_word(path):
    found, lists = collections.defaultdict(list), {}
    if not os.path.exists(path):
        return found
    with zipfile.ZipFile(path) as file:
        root = ET.fromstring(file.read("word/document.xml"))
        notes = file.read("word/footnotes.xml") if "word/footnotes.xml" in file.namelist() else None
    for p in root.iter(WORD + "p"):
        text = "".join(t.text or "" for t in p.iter(WORD + "t"))
        style = p.find(f"{WORD}pPr/{WORD}pStyle")
        kind = ("headings" if style is not None and style.get(WORD + "val").startswith("Heading") else
                "items" if p.find(f"{WORD}pPr/{WORD}numPr") is not None else "paragraphs")
        if plain(text):
            found[kind].append(text)
        if kind == "items":
            lists.setdefault(p.find(f"{WORD}pPr/{WORD}numPr/{WORD}numId").get(WORD + "val"), len(lists) + 1)
    found["lists"] = [f"list {n}" for n in lists.values()]
    for note in ET.fromstring(notes) if notes else ():
        text = "".join(t.text or "" for t in note.iter(WORD + "t"))
        if plain(text):
            found["notes"].append(text)
    return found


def score(kind, seeds, folder, command):
    """F1 of each kind of part over all documents: a part is right if its text is all of it."""
    counts = collections.defaultdict(lambda: [0, 0, 0])
    paths = [os.path.join(folder, f"text-{kind}-{seed}.fodt") for seed in seeds]
    wants = [document(kind, seed, path) for seed, path in zip(seeds, paths)]
    subprocess.run(["soffice", "-env:UserInstallation=file://" + os.path.join(folder, "office"), "--headless", "--convert-to", "pdf",
                    "--outdir", folder] + paths, capture_output=True, timeout=600, check=True)
    for path, want in zip(paths, wants):
        subprocess.run(command + [path[:-4] + "pdf", "-o", path[:-4] + "docx", "--force"], capture_output=True, timeout=120, check=False)
        got = read_word(path[:-4] + "docx")
        for part in {part for part in {*want, *got} if want.get(part) or got.get(part)}:
            a, b = (collections.Counter(plain(text) for text in texts.get(part, ())) for texts in (want, got))
            for i, n in enumerate((sum((a & b).values()), sum(a.values()), sum(b.values()))):
                counts[part][i] += n
    return {part: round(2 * hit / max(1, a + b), 3) for part, (hit, a, b) in sorted(counts.items())}
