#!/usr/bin/python3
"""Bombs: small files that ask for far more work than anyone would wait for.

    test/hostile/bombs.py FOLDER [NAME]...

Writes one file for each bomb, or for each NAME. test/hostile/run.py measures every tool on them."""

import os
import random
import struct
import sys
import zipfile
import zlib

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "../tools"))
from pdf_builder import Objects, save, stream


class Pdf(Objects):
    """A PDF in the making. Numbers of objects are given before their content."""

    def stream(self, entries, data, number=None, pack=True):
        data = data.encode() if isinstance(data, str) else data
        if pack:
            data = zlib.compress(data, 9)
            entries += " /Filter /FlateDecode"
        number = number or self.reserve()
        self.put(number, stream(data, entries))
        return number

    def write(self, path, pages, resources, size=(612, 792), more="",
              root=""):
        """`pages`: the content of each, as text or the number of a stream."""
        tree = self.reserve()
        kids = []
        for content in pages:
            number = content if isinstance(content, int) else self.stream("", content)
            kids.append(self.add(
                f"<< /Type /Page /Parent {tree} 0 R /MediaBox [0 0 {size[0]} {size[1]}] "
                f"/Contents {number} 0 R /Resources << {resources} >> {more} >>"))
        self.put(tree, f"<< /Type /Pages /Count {len(kids)} /Kids "
                 f"[{' '.join(f'{kid} 0 R' for kid in kids)}] >>")
        root = self.add(f"<< /Type /Catalog /Pages {tree} 0 R {root} >>")
        save(path, self, root)


# JPEG (ITU-T T.81)

def segment(marker, data):
    return struct.pack(">BBH", 0xFF, marker, len(data) + 2) + data


def progressive(width, height, scans, components=3):
    """Blank, in `scans` scans that are all allowed: each is a few runs of blocks without an end in
    sight (G.1.2.2), so that it takes no room."""
    out = b"\xff\xd8" + segment(0xDB, b"\0" + bytes([16] * 64))
    out += segment(0xC2, struct.pack(">BHHB", 8, height, width, components) +
                   b"".join(bytes([i + 1, 0x11, 0]) for i in range(components)))
    out += segment(0xC4, b"\x00" + bytes([1] + [0] * 15) + b"\0")     # DC: no difference
    out += segment(0xC4, b"\x10" + bytes([1] + [0] * 15) + b"\xe0")   # AC: EOB14
    blocks = -(-width // 8) * -(-height // 8)
    dc = b"\0" * (-(-blocks * components // 8))
    runs = -(-blocks // 32767)
    bits = "".join("0" + "1" * 13 + "1" for _ in range(runs))[:15 * runs]
    bits += "1" * (-len(bits) % 8)
    ac = int(bits, 2).to_bytes(len(bits) // 8, "big").replace(b"\xff", b"\xff\0")
    every = b"".join(bytes([i + 1, 0]) for i in range(components))
    out += segment(0xDA, bytes([components]) + every + b"\0\0\0") + dc
    done = 1
    for bit in range(13, -1, -1):
        for band in range(1, 64):
            for component in range(1, components + 1):
                if done >= scans:
                    return out + b"\xff\xd9"
                high = 0 if bit == 13 else bit + 1
                out += segment(0xDA, bytes([1, component, 0, band, band, high << 4 | bit])) + ac
                done += 1
    return out + b"\xff\xd9"


def baseline(width, height, components=3):
    out = b"\xff\xd8" + segment(0xDB, b"\0" + bytes([16] * 64))
    out += segment(0xC0, struct.pack(">BHHB", 8, height, width, components) +
                   b"".join(bytes([i + 1, 0x11, 0]) for i in range(components)))
    out += segment(0xC4, b"\x00" + bytes([1] + [0] * 15) + b"\0")
    out += segment(0xC4, b"\x10" + bytes([1] + [0] * 15) + b"\0")
    blocks = -(-width // 8) * -(-height // 8) * components
    out += segment(0xDA, bytes([components]) +
                   b"".join(bytes([i + 1, 0]) for i in range(components)) + b"\0\x3f\0")
    return out + b"\0" * (-(-blocks * 2 // 8)) + b"\xff\xd9"


def picture(pdf, data, width, height, filters, space="/DeviceRGB", more=""):
    pack = filters.startswith("[/FlateDecode")
    if pack:
        data = zlib.compress(data, 9)
    return pdf.stream(f"/Type /XObject /Subtype /Image /Width {width} /Height {height} "
                      f"/ColorSpace {space} /BitsPerComponent 8 /Filter {filters} {more}",
                      data, pack=False)


SHOW = "q 500 0 0 500 50 50 cm /I Do Q\n"


def jpeg_page(path, width, height, scans, components=3, pages=1):
    pdf = Pdf()
    data = progressive(width, height, scans, components)
    image = picture(pdf, data, width, height, "[/FlateDecode /DCTDecode]",
                    "/DeviceRGB" if components == 3 else "/DeviceGray")
    pdf.write(path, [SHOW] * pages, f"/XObject << /I {image} 0 R >>")


def jpeg_blank(path, width, height):
    pdf = Pdf()
    image = picture(pdf, baseline(width, height), width, height, "[/FlateDecode /DCTDecode]")
    pdf.write(path, [SHOW], f"/XObject << /I {image} 0 R >>")


def jpeg_many(path, n, width, height, scans):
    """Pictures that differ, so that none stands for another."""
    pdf = Pdf()
    names, content = [], ""
    for i in range(n):
        data = progressive(width + i, height, scans)
        names.append(f"/I{i} {picture(pdf, data, width + i, height, '[/FlateDecode /DCTDecode]')} 0 R")
        content += SHOW.replace("/I", f"/I{i}")
    pdf.write(path, [content], f"/XObject << {' '.join(names)} >>")


def jpeg_file(path, width, height, scans):
    with open(path, "wb") as file:
        file.write(progressive(width, height, scans))


# Forms

LEAF = "0 0 m 10 10 l S 20 20 30 30 re f BT /F 9 Tf 40 40 Td (x) Tj ET\n"
FONT = "/Font << /F << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> >>"


def forms(path, levels, calls, leaf=LEAF, group="", resized=False, own=True):
    """Forms of `levels` levels, each calls the next `calls` times."""
    pdf = Pdf()
    below = None
    for level in range(levels):
        entries = "/Type /XObject /Subtype /Form /BBox [0 0 612 792] " + group
        if below:
            scale = "1.011 0 0 1.011 0 0 cm " if resized else "1 0 0 1 0.1 0.1 cm "
            call = f"{scale}/X Do\n"
            below = pdf.stream(entries + (f" /Resources << /XObject << /X {below} 0 R >> {FONT} >>"
                                          if own or level < levels - 1 else ""), call * calls)
        else:
            below = pdf.stream(entries + f" /Resources << {FONT} >>", leaf)
    pdf.write(path, ["/X Do\n"], f"/XObject << /X {below} 0 R >> {FONT}")


def forms_fonts(path, levels, calls):
    """Each call in another font than the one before."""
    pdf = Pdf()
    fonts = [pdf.add("<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>") for _ in range(2)]
    names = f"/Font << /F {fonts[0]} 0 R /G {fonts[1]} 0 R >>"
    below = pdf.stream(f"/Type /XObject /Subtype /Form /BBox [0 0 612 792] /Resources << {names} >>",
                       LEAF)
    for _ in range(levels):
        below = pdf.stream("/Type /XObject /Subtype /Form /BBox [0 0 612 792] /Resources << "
                           f"/XObject << /X {below} 0 R >> {names} >>",
                           "".join(f"/{'FG'[i % 2]} 9 Tf /X Do\n" for i in range(calls)))
    pdf.write(path, ["/X Do\n"], f"/XObject << /X {below} 0 R >> {names}")


def patterns(path, levels, calls):
    """Tiling patterns painted with tiling patterns."""
    pdf = Pdf()
    below = pdf.stream("/Type /Pattern /PatternType 1 /PaintType 1 /TilingType 1 "
                       "/BBox [0 0 9 9] /XStep 9 /YStep 9 /Resources << >>",
                       "1 0 0 rg 1 1 5 5 re f\n")
    for level in range(levels):
        below = pdf.stream("/Type /Pattern /PatternType 1 /PaintType 1 /TilingType 1 "
                           f"/BBox [0 0 {300 + level} 300] /XStep {300 + level} /YStep 300 "
                           f"/Resources << /Pattern << /P {below} 0 R >> >>",
                           "/Pattern cs /P scn\n" + "0 0 300 300 re f\n" * calls)
    pdf.write(path, ["/Pattern cs /P scn 0 0 612 792 re f\n"], f"/Pattern << /P {below} 0 R >>")


def masks(path, levels, calls):
    """Soft masks whose groups have soft masks."""
    pdf = Pdf()
    entries = ("/Type /XObject /Subtype /Form /BBox [0 0 612 792] "
               "/Group << /S /Transparency /CS /DeviceGray >> ")
    below = pdf.stream(entries + "/Resources << >>", "1 g 0 0 612 792 re f\n")
    for _ in range(levels):
        state = pdf.add(f"<< /SMask << /S /Luminosity /G {below} 0 R >> >>")
        below = pdf.stream(entries + f"/Resources << /ExtGState << /G {state} 0 R >> >>",
                           "q /G gs 0.5 g 0 0 612 792 re f Q\n" * calls)
    pdf.write(path, ["/X Do\n"], f"/XObject << /X {below} 0 R >>")


def glyphs3(path, levels, calls):
    """Type 3 glyphs whose text is set in a Type 3 font."""
    pdf = Pdf()
    below = None
    for _ in range(levels):
        content = "1000 0 d0\n"
        content += f"BT /T 1 Tf ({'a' * calls}) Tj ET\n" if below else "0 0 500 500 re f\n"
        proc = pdf.stream("", content)
        names = f"/Font << /T {below} 0 R >>" if below else ""
        below = pdf.add(f"<< /Type /Font /Subtype /Type3 /FontBBox [0 0 1000 1000] /FontMatrix "
                        f"[0.01 0 0 0.01 0 0] /CharProcs << /a {proc} 0 R >> /Encoding << /Type "
                        f"/Encoding /Differences [97 /a] >> /FirstChar 97 /LastChar 97 /Widths "
                        f"[1] /Resources << {names} >> >>")
    pdf.write(path, [f"BT /T 20 Tf 50 50 Td ({'a' * calls}) Tj ET\n"], f"/Font << /T {below} 0 R >>")


# Flat content

def flat(path, content, pages=1, resources=FONT, size=(612, 792)):
    pdf = Pdf()
    stream = pdf.stream("", content)
    pdf.write(path, [stream] * pages, resources, size)


def layers(path, content):
    """Content that is deflated three times."""
    pdf = Pdf()
    packer = zlib.compressobj(9)
    data = b"".join(packer.compress(content * (2 ** 20 // len(content))) for _ in range(800)) + packer.flush()
    data = zlib.compress(zlib.compress(data, 9), 9)
    stream = pdf.stream("/Filter [/FlateDecode /FlateDecode /FlateDecode]", data, pack=False)
    pdf.write(path, [stream], FONT)


def image_often(path, times, width, height):
    pdf = Pdf()
    image = picture(pdf, bytes(range(256)) * (width * height * 3 // 256), width, height,
                    "[/FlateDecode]")
    pdf.write(path, ["q 600 10 -10 600 0 90 cm /I Do Q\n" * times], f"/XObject << /I {image} 0 R >>")


def flate_image(path, width, height, space="/DeviceRGB", channels=3, mask=False):
    pdf = Pdf()
    packer = zlib.compressobj(9)
    data = b"".join(packer.compress(bytes(width * channels)) for _ in range(height)) + packer.flush()
    entries = (f"/Type /XObject /Subtype /Image /Width {width} /Height {height} /BitsPerComponent 8 "
               "/Filter /FlateDecode ")
    image = pdf.stream(entries + f"/ColorSpace {space}", data, pack=False)
    if mask:
        image = pdf.stream(entries + f"/ColorSpace {space} /SMask {image} 0 R", data, pack=False)
    pdf.write(path, [SHOW], f"/XObject << /I {image} 0 R >>")


def inline(path, width, height, times):
    data = bytes(width * height * 3)
    flat(path, (b"q 500 0 0 500 50 50 cm BI /W %d /H %d /BPC 8 /CS /RGB ID " % (width, height)
                + data + b"\nEI Q\n") * times)


def jbig2(path, width, height, regions):
    """Generic regions of the whole page, each composed on the page (ITU-T T.88, 7.4.6)."""
    def part(number, kind, data):
        return struct.pack(">IBBBI", number, kind, 0, 1, len(data)) + data
    data = part(0, 48, struct.pack(">IIIIBH", width, height, 0, 0, 0, 0))
    region = (struct.pack(">IIIIB", width, height, 0, 0, 0) + bytes([0]) +
              struct.pack("bbbbbbbb", 3, -1, -3, -1, 2, -2, -2, -2) + bytes(20) + b"\xff\xac")
    for i in range(regions):
        data += part(i + 1, 38, region)
    pdf = Pdf()
    image = pdf.stream(f"/Type /XObject /Subtype /Image /Width {width} /Height {height} /ColorSpace "
                       "/DeviceGray /BitsPerComponent 1 /Filter [/FlateDecode /JBIG2Decode]",
                       zlib.compress(data, 9), pack=False)
    pdf.write(path, [SHOW], f"/XObject << /I {image} 0 R >>")


def ccitt(path, width, height):
    pdf = Pdf()
    data = zlib.compress(b"\xff" * (height // 8 + 1), 9)
    image = pdf.stream(f"/Type /XObject /Subtype /Image /Width {width} /Height {height} /ColorSpace "
                       "/DeviceGray /BitsPerComponent 1 /Filter [/FlateDecode /CCITTFaxDecode] "
                       f"/DecodeParms [null << /K -1 /Columns {width} /Rows {height} >>]", data,
                       pack=False)
    pdf.write(path, [SHOW], f"/XObject << /I {image} 0 R >>")


def jpx(path, width, height, tile):
    """A code stream without a single packet: decoders fill it with gray (ITU-T T.800, A)."""
    tiles = -(-width // tile) * -(-height // tile)
    out = b"\xff\x4f" + segment(0x51, struct.pack(">HIIIIIIIIH", 0, width, height, 0, 0, tile, tile,
                                                  0, 0, 3) + b"\x07\x01\x01" * 3)
    out += segment(0x52, bytes([0, 0, 0, 1, 0, 5, 4, 4, 0, 1]))
    out += segment(0x5C, bytes([0x40]) + bytes([0x40] * 16))
    for i in range(tiles if tiles < 65535 else 0):
        out += segment(0x90, struct.pack(">HIBB", i, 0 if i == tiles - 1 else 15, 0, 1)) + b"\xff\x93\0"
    out += b"\xff\xd9"
    pdf = Pdf()
    image = picture(pdf, out, width, height, "[/FlateDecode /JPXDecode]")
    pdf.write(path, [SHOW], f"/XObject << /I {image} 0 R >>")


def groups(path, depth, times):
    """Transparency groups of the whole page in each other."""
    forms(path, depth, times, "0.5 g 0 0 612 792 re f\n",
          "/Group << /S /Transparency /I true /K true /CS /DeviceRGB >>")


def shading(path, times):
    pdf = Pdf()
    shade = pdf.add("<< /ShadingType 1 /ColorSpace /DeviceRGB /Function << /FunctionType 2 /Domain "
                    "[0 1] /C0 [0 0 0] /C1 [1 1 1] /N 1 >> >>")
    axial = pdf.add("<< /ShadingType 3 /ColorSpace /DeviceRGB /Coords [300 400 0 300 400 500] /Extend "
                    "[true true] /Function << /FunctionType 2 /Domain [0 1] /C0 [1 0 0] /C1 [0 0 1] "
                    "/N 1.5 >> >>")
    pdf.write(path, ["/S sh\n" * times], f"/Shading << /S {axial} 0 R /T {shade} 0 R >>")


def appearances(path, n):
    """One appearance drawn by many annotations."""
    pdf = Pdf()
    form = pdf.stream("/Type /XObject /Subtype /Form /BBox [0 0 612 792]", LEAF.replace(
        "BT /F 9 Tf 40 40 Td (x) Tj ET", "") * 2000)
    annots = " ".join(f"<< /Type /Annot /Subtype /Stamp /F 4 /Rect [0 0 {500 + i % 100} 700] /AP << /N {form} "
                      f"0 R >> >>" for i in range(n))
    pdf.write(path, ["0 0 m 9 9 l S\n"], FONT, more=f"/Annots [{annots}]")


def fields(path, n, value, kind="/Tx", options=0, more=""):
    """One value, and one list of options, shared by many fields without appearances."""
    pdf = Pdf()
    choices = pdf.add("[" + " ".join(f"[(a{i}) (b{i})]" for i in range(options)) + "]")
    shared = pdf.add(f"({value})")
    widgets = [pdf.add(f"<< /Type /Annot /Subtype /Widget /F 4 /FT {kind} /T (f{i}) /V {shared} 0 R "
                       f"/Opt {choices} 0 R /DA (/Helv 0 Tf 0 g) /Rect [10 {i % 700} 200 {i % 700 + 20}] "
                       f"{more} >>") for i in range(n)]
    names = " ".join(f"{widget} 0 R" for widget in widgets)
    form = f"/AcroForm << /NeedAppearances true /Fields [{names}] /DA (/Helv 0 Tf 0 g) >>"
    pdf.write(path, ["0 0 m 9 9 l S\n"], FONT, more=f"/Annots [{names}]", root=form)


def curve(path, segments, times):
    """A path of many crossing lines, filled again and again."""
    points = " ".join(f"{(i * 7919) % 612} {(i * 104729) % 792} l" for i in range(segments))
    flat(path, f"0 0 m {points} h f\n" * times)


def dashes(path, times):
    flat(path, "[0.001 0.001] 0 d 0.001 w\n" + "0 0 m 612 792 l S\n" * times)


# Office documents

CONTENT_TYPES = "http://schemas.openxmlformats.org/package/2006/content-types"
RELATIONS = "http://schemas.openxmlformats.org/package/2006/relationships"
OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
WORD = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
SHEET = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"


def package(path, main, kind, parts):
    """An OOXML document: its main part, the kind of it, and {name: text} of all parts."""
    types = "".join(f'<Override PartName="/{name}" ContentType="application/vnd.openxmlformats-'
                    f'officedocument.{kind if name == main else "spreadsheetml.worksheet"}+xml"/>'
                    for name in parts if not name.endswith(".rels"))
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as out:
        out.writestr("[Content_Types].xml", f'<Types xmlns="{CONTENT_TYPES}"><Default Extension="rels" '
                     'ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
                     f"{types}</Types>")
        out.writestr("_rels/.rels", f'<Relationships xmlns="{RELATIONS}"><Relationship Id="r1" '
                     f'Type="{OFFICE}/officeDocument" Target="{main}"/></Relationships>')
        for name, text in parts.items():
            out.writestr(name, text)


def docx(path, body):
    package(path, "word/document.xml", "wordprocessingml.document.main",
            {"word/document.xml": f'<w:document xmlns:w="{WORD}"><w:body>{body}</w:body></w:document>'})


def xlsx(path, rest):
    package(path, "xl/workbook.xml", "spreadsheetml.sheet.main", {
        "xl/workbook.xml": f'<workbook xmlns="{SHEET}" xmlns:r="{OFFICE}"><sheets>'
                           '<sheet name="a" sheetId="1" r:id="r1"/></sheets></workbook>',
        "xl/_rels/workbook.xml.rels": f'<Relationships xmlns="{RELATIONS}"><Relationship Id="r1" '
                                      f'Type="{OFFICE}/worksheet" Target="worksheets/a.xml"/></Relationships>',
        "xl/worksheets/a.xml": f'<worksheet xmlns="{SHEET}"><sheetData/>{rest}</worksheet>'})


def merged(path, n):
    cells = "".join(f'<mergeCell ref="A{2 * i + 1}:Z{2 * i + 2}"/>' for i in range(n))
    xlsx(path, f'<mergeCells count="{n}">{cells}</mergeCells>')


def text(path, content):
    with open(path, "w", encoding="ascii") as out:
        out.write(content)


def scan(path, rows, width, height, pages=1):
    """Pages that are a picture of one bit for each pixel: black where it is 0."""
    pdf = Pdf()
    image = pdf.stream(f"/Type /XObject /Subtype /Image /Width {width} /Height {height} /BitsPerComponent 1 "
                       "/ColorSpace /DeviceGray", b"".join(rows))
    size = (max(width * 72 / 300, 3), max(height * 72 / 300, 3))
    pdf.write(path, [f"q {size[0]} 0 0 {size[1]} 0 0 cm /I Do Q"] * pages, f"/XObject << /I {image} 0 R >>", size)


def noise(width, height, black):
    """Pixels of which one of `black` is black, always the same."""
    bits = random.Random(41)
    for _ in range(height):
        row = bits.getrandbits(width)
        for _ in range(black - 1):
            row |= bits.getrandbits(width)
        yield row.to_bytes((width + 7) // 8, "big")


def letters(width, height):
    """Rows of small marks as large as letters, as many as fit."""
    mark = b"\x18\xff\x3c\xff\x7e\xff"
    blank = b"\xff" * (width // 8)
    for y in range(height):
        yield (bytes([mark[y % 12 // 2], 0xff if y % 3 else 0x99]) * (width // 16)).ljust(width // 8, b"\xff") if y % 18 < 12 else blank


BOMBS = {
    "office-binary.rtf": lambda p: text(p, "{\\rtf1\\bin2147483647 x}"),
    "office-paragraphs.docx": lambda p: docx(p, "<w:p/>" * 1000000),
    "office-tables.docx": lambda p: docx(p, "<w:tbl><w:tr><w:tc>" * 500 + "<w:p/>" +
                                         "</w:tc></w:tr></w:tbl><w:p/>" * 500),
    "office-merged.xlsx": lambda p: merged(p, 20000),
    "office-line.txt": lambda p: text(p, "word " * 4000000),
    "jpeg-scans.pdf": lambda p: jpeg_page(p, 8000, 8000, 499),
    "jpeg-scans-large.pdf": lambda p: jpeg_page(p, 20000, 20000, 400),
    "jpeg-scans-more.pdf": lambda p: jpeg_page(p, 4000, 4000, 2600),
    "jpeg-scans-gray.pdf": lambda p: jpeg_page(p, 12000, 12000, 490, 1),
    "jpeg-scans-pages.pdf": lambda p: jpeg_page(p, 3000, 3000, 300, 3, 50),
    "jpeg-scans-many.pdf": lambda p: jpeg_many(p, 40, 3000, 3000, 300),
    "jpeg-large.pdf": lambda p: jpeg_page(p, 65000, 16000, 3),
    "jpeg-blank.pdf": lambda p: jpeg_blank(p, 20000, 20000),
    "jpeg-scans.jpg": lambda p: jpeg_file(p, 8000, 8000, 499),
    "jpeg-large.jpg": lambda p: jpeg_file(p, 30000, 30000, 20),
    "forms.pdf": lambda p: forms(p, 25, 10),
    "forms-small.pdf": lambda p: forms(p, 7, 7),
    "forms-empty.pdf": lambda p: forms(p, 12, 10, ""),
    "forms-resized.pdf": lambda p: forms(p, 14, 4, resized=True),
    "forms-fonts.pdf": lambda p: forms_fonts(p, 24, 4),
    "forms-groups.pdf": lambda p: groups(p, 7, 6),
    "groups-deep.pdf": lambda p: groups(p, 400, 1),
    "patterns.pdf": lambda p: patterns(p, 8, 10),
    "masks.pdf": lambda p: masks(p, 12, 6),
    "glyphs-type3.pdf": lambda p: glyphs3(p, 8, 20),
    "glyphs.pdf": lambda p: flat(p, f"BT /F 9 Tf 50 50 Td ({'platen ' * 1000}) Tj ET\n" * 1500),
    "glyphs-large.pdf": lambda p: flat(p, f"BT /F 900 Tf 50 50 Td ({'p' * 10}) Tj ET\n" * 20000),
    "glyphs-single.pdf": lambda p: flat(p, "BT /F 9 Tf 50 50 Td (p) Tj ET\n" * 3000000),
    "paths.pdf": lambda p: flat(p, "10 10 m 20 20 l S\n" * 4900000),
    "rectangles.pdf": lambda p: flat(p, "0.5 g 0 0 612 792 re f\n" * 2000000),
    "rectangles-pages.pdf": lambda p: flat(p, "0.5 g 0 0 612 792 re f\n" * 20000, 100),
    "rectangles-alpha.pdf": lambda p: flat(
        p, "/A gs 0 0 612 792 re f\n" * 300000,
        resources="/ExtGState << /A << /ca 0.5 /BM /Luminosity >> >>"),
    "curve.pdf": lambda p: curve(p, 3000, 300),
    "curve-long.pdf": lambda p: curve(p, 100000, 1),
    "dashes.pdf": lambda p: dashes(p, 1000),
    "clips.pdf": lambda p: flat(p, "q 0 0 612 792 re W n 1 1 m 600 700 l 3 3 l W n 0 0 612 792 re f Q\n" * 200000),
    "clips-deep.pdf": lambda p: flat(p, "q 1 1 m 600 700 l 30 3 l W n 0 0 612 792 re f\n" * 100000),
    "layers.pdf": lambda p: layers(p, b"q Q "),
    "layers-text.pdf": lambda p: layers(p, b"BT (a) Tj ET\n"),
    "content-idle.pdf": lambda p: flat(p, "q Q\n" * 40000000),
    "shading.pdf": lambda p: shading(p, 50000),
    "image-often.pdf": lambda p: image_often(p, 100000, 256, 256),
    "image-flate.pdf": lambda p: flate_image(p, 30000, 30000),
    "image-cmyk.pdf": lambda p: flate_image(p, 16000, 16000, "/DeviceCMYK", 4),
    "image-mask.pdf": lambda p: flate_image(p, 20000, 20000, "/DeviceGray", 1, True),
    "image-inline.pdf": lambda p: inline(p, 4000, 4000, 6),
    "jbig2.pdf": lambda p: jbig2(p, 30000, 30000, 1),
    "jbig2-regions.pdf": lambda p: jbig2(p, 8000, 8000, 500),
    "ccitt.pdf": lambda p: ccitt(p, 32000, 32000),
    "jpx.pdf": lambda p: jpx(p, 20000, 20000, 20000),
    "jpx-tiles.pdf": lambda p: jpx(p, 20000, 20000, 100),
    "scan-dot.pdf": lambda p: scan(p, [b"\0"], 1, 1, 40),
    "scan-line.pdf": lambda p: scan(p, [b"\x55" * 4000], 32000, 1),
    "scan-column.pdf": lambda p: scan(p, [b"\0", b"\x80"] * 16000, 1, 32000),
    "scan-side.pdf": lambda p: scan(p, [b"\xff" * 3750] * 30000, 30000, 30000),
    "scan-noise.pdf": lambda p: scan(p, noise(2480, 3504, 1), 2480, 3504),
    "scan-specks.pdf": lambda p: scan(p, noise(2480, 3504, 6), 2480, 3504),
    "scan-stripes.pdf": lambda p: scan(p, [b"\xf0" * 310] * 3504, 2480, 3504),
    "scan-rows.pdf": lambda p: scan(p, [b"\xff" * 310] * 5 + ([b"\0" * 310] * 3 + [b"\xff" * 310] * 6) * 388, 2480, 3497),
    "scan-letters.pdf": lambda p: scan(p, letters(4960, 7008), 4960, 7008),
    "fields.pdf": lambda p: fields(p, 8000, "Lorem ipsum " * 5000),
    "fields-lines.pdf": lambda p: fields(p, 8000, "Lorem ipsum " * 5000, more="/Ff 4096"),
    "fields-script.pdf": lambda p: fields(p, 8000, "\\376\\377" + "\\005\\351" * 4000),
    "fields-list.pdf": lambda p: fields(p, 8000, "a1", "/Ch", 500),
    "fields-choice.pdf": lambda p: fields(p, 8000, "b", "/Ch", 20000, "/Ff 131072"),
    "annotations.pdf": lambda p: appearances(p, 20000),
}


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    os.makedirs(sys.argv[1], exist_ok=True)
    for name in sys.argv[2:] or BOMBS:
        BOMBS[name](os.path.join(sys.argv[1], name))


if __name__ == "__main__":
    main()
