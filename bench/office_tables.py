"""Tables that LibreOffice sets: documents in flat OpenDocument XML whose cells are known, made into PDFs by soffice. tables.py
converts the PDFs and compares. Kinds whose names have "pages" have a table that continues on further pages, "split" with rows that
the end of a page divides, "named" with a caption above each part."""

import os
import random
import subprocess
from xml.sax.saxutils import escape

NAMESPACES = " ".join(f'xmlns:{name}="urn:oasis:names:tc:opendocument:xmlns:{path}:1.0"' for name, path in (
    ("office", "office"), ("text", "text"), ("table", "table"), ("style", "style"), ("fo", "xsl-fo-compatible")))
LINE = "0.5pt solid #000000"
# Borders of a cell by the kind of lines: for its place (first row, header, last row) -> properties.
BORDERS = {
    "grid": lambda first, head, last: f'fo:border="{LINE}"',
    "rows": lambda first, head, last: f'fo:border="none" fo:border-bottom="{LINE}"' + (f' fo:border-top="{LINE}"' if first else ""),
    "book": lambda first, head, last: 'fo:border="none"' + (f' fo:border-top="{LINE}"' if first else "") +
                                      (f' fo:border-bottom="{LINE}"' if head or last else ""),
    "none": lambda first, head, last: 'fo:border="none"',
}


class Writer:
    def __init__(self, heading, footer):
        self.styles, self.body, self.n, self.grids = [], [], 0, []
        self.heading, self.footer = heading, footer

    def paragraph(self, text, style="Body"):
        self.body.append(f'<text:p text:style-name="{style}">{escape(text)}</text:p>')

    def cell(self, cell, look, number, first, head, last, shade):
        lines, columns, rows = cell
        self.n += 1
        back = ' fo:background-color="#e0e0e0"' if shade else ""
        self.styles.append(f'<style:style style:name="C{self.n}" style:family="table-cell"><style:table-cell-properties '
                           f'fo:padding="1.5mm" {BORDERS[look](first, head, last)}{back}/></style:style>')
        spans = f' table:number-columns-spanned="{columns}" table:number-rows-spanned="{rows}"' if columns * rows > 1 else ""
        style = "Head" if head else "Number" if number else "Cell"
        inside = "".join(f'<text:p text:style-name="{style}">{escape(line)}</text:p>' for line in lines)
        return f'<table:table-cell table:style-name="C{self.n}"{spans}>{inside}</table:table-cell>'

    def table(self, rows, widths, heads=1, look="grid", stripes=False, repeat=True, split=False):
        """Rows of (lines, columns, rows); None is a place that another cell covers. Widths are in mm."""
        name = f"T{self.n}"
        self.styles.append(f'<style:style style:name="{name}" style:family="table"><style:table-properties style:width="'
                           f'{sum(widths)}mm" table:align="left" table:border-model="collapsing" fo:margin-bottom="5mm"/>'
                           f'</style:style><style:style style:name="R{name}" style:family="table-row"><style:table-row-properties '
                           f'fo:keep-together="{"auto" if split else "always"}"/></style:style>')
        out = [f'<table:table table:style-name="{name}">']
        for i, width in enumerate(widths):
            self.styles.append(f'<style:style style:name="{name}.{i}" style:family="table-column"><style:table-column-properties '
                               f'style:column-width="{width}mm"/></style:style>')
            out.append(f'<table:table-column table:style-name="{name}.{i}"/>')
        grid = {}
        for r, row in enumerate(rows):
            if repeat and r == 0:
                out.append("<table:table-header-rows>")
            out.append(f'<table:table-row table:style-name="R{name}">')
            for c, cell in enumerate(row):
                if cell is None:
                    out.append("<table:covered-table-cell/>")
                    continue
                digits = sum(ch.isdigit() for ch in "".join(cell[0])) * 2 > len("".join(cell[0]))
                out.append(self.cell(cell, look, digits, r == 0, r < heads, r + cell[2] == len(rows), stripes and r % 2))
                for y in range(r, r + cell[2]):
                    for x in range(c, c + cell[1]):
                        grid[y, x] = (id(cell), "".join(cell[0]))
            out.append("</table:table-row>")
            if repeat and r == heads - 1:
                out.append("</table:table-header-rows>")
        self.body.append("".join(out) + "</table:table>")
        self.grids.append(grid)

    def parts(self, rows, size, widths, look, caption, more):
        """A table whose parts, of a header and `size` rows that fill a page, have a caption each."""
        for at in range(1, len(rows), size):
            self.paragraph(caption + more if at > 1 else caption, "Break" if at > 1 else "Body")
            self.table(rows[:1] + rows[at:at + size], widths, 1, look)
        whole = self.grids[0]
        for i, part in enumerate(self.grids[1:], 1):
            whole.update({(r + i * size, c): value for (r, c), value in part.items() if r > 0})
        self.grids = [whole]

    def write(self, path):
        def text(name, size, more="", after="0"):
            return (f'<style:style style:name="{name}" style:family="paragraph"><style:paragraph-properties fo:margin-bottom="{after}"'
                    f' {more}/><style:text-properties fo:font-size="{size}pt" fo:font-family="Liberation Sans"'
                    f'{" fo:font-weight=" + chr(34) + "bold" + chr(34) if name == "Head" else ""}/></style:style>')

        region = ('<style:{0}-style><style:header-footer-properties fo:min-height="9mm" fo:margin-{1}="4mm"/></style:{0}-style>')
        with open(path, "w", encoding="utf-8") as file:
            file.write(f'<?xml version="1.0" encoding="UTF-8"?><office:document {NAMESPACES} office:version="1.3" '
                       'office:mimetype="application/vnd.oasis.opendocument.text"><office:styles>' + text("Body", 11, after="2mm") +
                       text("Break", 11, 'fo:break-before="page"', "2mm") + text("Cell", 10) + text("Head", 10) +
                       text("Number", 10, 'fo:text-align="end"') +
                       '</office:styles><office:automatic-styles>' + "".join(self.styles) +
                       '<style:page-layout style:name="L"><style:page-layout-properties fo:page-width="210mm" fo:page-height="297mm"'
                       ' fo:margin="20mm"/>' + region.format("header", "bottom") + region.format("footer", "top") +
                       '</style:page-layout></office:automatic-styles><office:master-styles><style:master-page style:name="Standard"'
                       f' style:page-layout-name="L"><style:header><text:p text:style-name="Body">{escape(self.heading)}</text:p>'
                       f'</style:header><style:footer><text:p text:style-name="Body">{escape(self.footer)} <text:page-number '
                       'text:select-page="current"/></text:p></style:footer></style:master-page></office:master-styles>'
                       '<office:body><office:text>' + "".join(self.body) + '</office:text></office:body></office:document>')


def make(kind, seed, words):
    """The document; `words` are three lists: nouns, places, names of columns."""
    nouns, places, names = words
    chance = random.Random(f"office {kind} {seed}")
    pages = "pages" in kind
    columns = chance.randint(3, 5)
    look = next((name for name in BORDERS if name in kind), "grid")
    widths = [45 if "named" in kind else chance.randint(28, 45)] + [chance.randint(22, 32) for _ in range(columns - 1)]

    def number():
        return f"{chance.uniform(0, chance.choice((100, 9000))):,.{chance.choice((0, 1, 2))}f}"

    def prose(n):
        for _ in range(n):
            writer.paragraph(" ".join(chance.choices(nouns, k=40)).capitalize() + ".")

    def rows_of(n):
        rows = [[([head], 1, 1) for head in chance.sample(names, columns)]]
        if "spans" in kind:
            rows.insert(0, [([""], 1, 1), ([chance.choice(nouns)], columns - 1, 1)] + [None] * (columns - 2))
        for _ in range(n):
            first = [chance.choice(places), chance.choice(nouns)] if "wrapped" in kind and chance.random() < 0.4 else [
                f"{chance.choice(places)} {chance.choice(nouns)}"]
            more = [([number()], 1, 1) for _ in range(columns - 1)]
            if "split" in kind:
                more[0] = ([" ".join(chance.choices(nouns, k=chance.randint(4, 40))).capitalize() + "."], 1, 1)
            rows.append([(first, 1, 1)] + more)
        return rows

    writer = Writer(f"The {chance.choice(nouns)} of {chance.choice(places)}", "Page")
    prose(chance.randint(1, 3))
    n = chance.randint(15, 40) if "split" in kind else chance.randint(40, 90) if pages else chance.randint(5, 14)
    heads = 2 if "spans" in kind else 1
    if "split" in kind:
        widths[1] = 60
    if "named" in kind:
        writer.body.clear()
        writer.parts(rows_of(n), 30, widths, look, f"Table {chance.randint(1, 9)}: The {chance.choice(nouns)}",
                     chance.choice((" (continued)", " (cont.)", " - continued", " (Fortsetzung)")))
    else:
        writer.table(rows_of(n), widths, heads, look, "stripes" in kind, "once" not in kind, "split" in kind)
    if "apart" in kind:  # the second table begins a page, with the same columns
        writer.body.append('<text:p text:style-name="Break"/>')
        writer.table(rows_of(n // 4), widths, heads, look)
    prose(chance.randint(1, 2))
    return writer


KINDS = ("office-grid", "office-rows", "office-book", "office-none", "office-grid-stripes", "office-none-stripes", "office-grid-spans",
         "office-grid-wrapped", "office-pages-grid", "office-pages-rows", "office-pages-book", "office-pages-none",
         "office-pages-grid-spans", "office-pages-grid-once", "office-pages-rows-wrapped", "office-grid-apart",
         "office-pages-grid-apart", "office-pages-grid-split", "office-pages-rows-split", "office-pages-grid-named",
         "office-pages-book-named")


def documents(kind, seeds, folder, words):
    """Makes the PDFs by one call of soffice; their paths, and the grids of their tables."""
    made = []
    for seed in seeds:
        writer = make(kind, seed, words)
        path = os.path.join(folder, f"{kind}-{seed}.fodt")
        writer.write(path)
        made.append((path[:-4] + "pdf", writer.grids))
    subprocess.run(["soffice", "-env:UserInstallation=file://" + os.path.join(folder, "office"), "--headless", "--convert-to", "pdf",
                    "--outdir", folder] + [path[:-3] + "fodt" for path, _ in made], capture_output=True, timeout=300, check=True)
    return made
