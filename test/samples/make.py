#!/usr/bin/env python3
"""Writes the sample PDFs beside this file. They are our own; README.md says what each holds."""
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.append(os.path.join(HERE, "../tools"))
from pdf_builder import BINARY, Objects, save, stream


class Pdf(Objects):
    """The objects of a sample, numbered as they come."""

    def stream(self, data, entries="", number=None):
        number = number or self.reserve()
        self.put(number, stream(data, entries))
        return number

    def write(self, name, root, info=None, shift=0, version="1.7"):
        info = f"/Info {info} 0 R" if info else ""
        save(os.path.join(HERE, name), self, root, version=version.encode(), comment=BINARY, moved=shift,
             keys=f"{info}/ID[<00112233445566778899aabbccddeeff><00112233445566778899aabbccddeeff>]")


FONT = "<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>"


def noise(n, seed):
    """Bytes that do not compress, the same every time."""
    out = bytearray()
    state = seed * 2654435761 % 2**32 or 1
    while len(out) < n:
        state ^= state << 13 & 0xffffffff
        state ^= state >> 17
        state ^= state << 5 & 0xffffffff
        out += state.to_bytes(4, "little")
    return bytes(out[:n])


def plain(name="plain.pdf", pages=3, shift=0, extra=""):
    """Pages of text that say which they are."""
    pdf = Pdf()
    root, tree, font = pdf.reserve(), pdf.reserve(), pdf.add(FONT)
    kids = []
    for n in range(1, pages + 1):
        content = pdf.stream(f"BT /F1 40 Tf 60 300 Td (Page {n}) Tj ET")
        kids.append(pdf.add(f"<</Type/Page/Parent {tree} 0 R/Contents {content} 0 R>>"))
    pdf.put(root, f"<</Type/Catalog/Pages {tree} 0 R{extra}>>")
    pdf.put(tree, f"<</Type/Pages/Kids[{' '.join(f'{k} 0 R' for k in kids)}]/Count {pages}"
                  f"/MediaBox[0 0 300 400]/Resources<</Font<</F1 {font} 0 R>>>>>>")
    pdf.write(name, root, shift=shift)


def rotations():
    """Each page has its /Rotate in another way; the text says what a reader should make of it."""
    pdf = Pdf()
    root, tree, inner, font = pdf.reserve(), pdf.reserve(), pdf.reserve(), pdf.add(FONT)
    indirect = pdf.add("270")

    def page(parent, rotate, means):
        content = pdf.stream(f"BT /F1 30 Tf 30 200 Td (turned {means}) Tj ET")
        return pdf.add(f"<</Type/Page/Parent {parent} 0 R/Contents {content} 0 R{rotate}>>")

    outer_kids = [page(tree, "", 0), page(tree, "/Rotate 90", 90), page(tree, "/Rotate -90", 270),
                  page(tree, "/Rotate 450", 90), page(tree, "/Rotate 45", 0),
                  page(tree, "/Rotate/Junk", 0), page(tree, f"/Rotate {indirect} 0 R", 270), inner]
    inner_kids = [page(inner, "", 180), page(inner, "/Rotate 0", 0)]
    pdf.put(inner, f"<</Type/Pages/Parent {tree} 0 R/Rotate 180/Count 2"
                   f"/Kids[{' '.join(f'{k} 0 R' for k in inner_kids)}]>>")
    pdf.put(tree, f"<</Type/Pages/Count 9/MediaBox[0 0 300 400]/Resources<</Font<</F1 {font} 0 R>>"
                  f">>/Kids[{' '.join(f'{k} 0 R' for k in outer_kids)}]>>")
    pdf.put(root, f"<</Type/Catalog/Pages {tree} 0 R>>")
    pdf.write("rotations.pdf", root)


def shared():
    """Ten pages that share one /Resources with a picture of 8 kB for each of them."""
    pdf = Pdf()
    root, tree, font = pdf.reserve(), pdf.reserve(), pdf.add(FONT)
    unused = pdf.add("<</Type/Font/Subtype/Type1/BaseFont/Courier>>")
    images = [pdf.stream(noise(8192, n + 1), "/Type/XObject/Subtype/Image/Width 64/Height 128"
                         "/BitsPerComponent 8/ColorSpace/DeviceGray") for n in range(10)]
    names = " ".join(f"/I{n + 1} {i} 0 R" for n, i in enumerate(images))
    form = pdf.stream("q 64 0 0 64 0 0 cm /I10 Do Q", "/Type/XObject/Subtype/Form/BBox[0 0 64 64]"
                      f"/Resources<</XObject<<{names}>>>>")
    kids = []
    for n in range(1, 11):
        draw = "/Fm Do" if n == 10 else f"q 200 0 0 200 50 100 cm /I{n} Do Q"
        content = pdf.stream(f"{draw} BT /F1 20 Tf 50 50 Td (Picture {n}) Tj ET")
        kids.append(pdf.add(f"<</Type/Page/Parent {tree} 0 R/Contents {content} 0 R>>"))
    resources = pdf.add(f"<</Font<</F1 {font} 0 R/F2 {unused} 0 R>>"
                        f"/XObject<<{names}/Fm {form} 0 R>>>>")
    pdf.put(root, f"<</Type/Catalog/Pages {tree} 0 R>>")
    pdf.put(tree, f"<</Type/Pages/Kids[{' '.join(f'{k} 0 R' for k in kids)}]/Count 10"
                  f"/MediaBox[0 0 300 400]/Resources {resources} 0 R>>")
    pdf.write("shared.pdf", root)


class Features:
    """
    Six pages with one of everything. Whatever belongs to page N holds the word ZuluN, so that a
    part can be searched for what belongs to other pages.
    """

    def __init__(self):
        self.pdf = pdf = Pdf()
        self.root, self.tree, self.turned = pdf.reserve(), pdf.reserve(), pdf.reserve()
        self.pages = [pdf.reserve() for _ in range(6)]
        self.font = pdf.add(FONT)
        self.struct = pdf.reserve()
        self.form = pdf.reserve()
        self.visible = pdf.add("<</Type/OCG/Name(Layer Zulu1 visible)>>")
        self.hidden = pdf.add("<</Type/OCG/Name(Layer Zulu2 hidden)>>")
        self.group = pdf.add("<</Type/OCG/Name(Layer group)>>")
        self.annots = {n: [] for n in range(1, 7)}
        self.figures = {}

    def ref(self, n):
        return f"{self.pages[n - 1]} 0 R"

    def link(self, n, target):
        number = self.pdf.add(f"<</Type/Annot/Subtype/Link/Rect[10 10 100 30]/Border[0 0 1]{target}"
                              f"/P {self.ref(n)}>>")
        self.annots[n].append(number)

    def links(self):
        self.link(1, f"/Dest[{self.ref(2)}/XYZ 0 400 null]")
        self.link(1, "/Dest(dest-Zulu4)")
        self.link(1, "/A<</S/URI/URI(https://example.com/Zulu1)>>")
        self.link(2, f"/A<</S/GoTo/D[{self.ref(1)}/Fit]>>")
        self.link(2, "/A<</S/GoTo/D/old-Zulu3>>")
        self.link(3, "/A<</S/GoTo/D(dest-Zulu2)>>")
        self.link(4, "/Dest/old-Zulu1")
        self.link(5, f"/Dest[{self.ref(6)}/FitH 200]")
        self.link(6, "/A<</S/GoTo/D(dest-Zulu5)>>")

    def field(self, n, entries, parent=None, rect="20 340 150 360"):
        look = self.pdf.stream(f"/Tx BMC BT /F1 10 Tf (look-Zulu{n}) Tj ET EMC",
                               "/Type/XObject/Subtype/Form/BBox[0 0 130 20]"
                               f"/Resources<</Font<</F1 {self.font} 0 R>>>>")
        up = f"/Parent {parent} 0 R" if parent else ""
        number = self.pdf.add(f"<</Type/Annot/Subtype/Widget/Rect[{rect}]/AP<</N {look} 0 R>>/F 4"
                              f"/P {self.ref(n)}{entries}{up}>>")
        self.annots[n].append(number)
        return number

    def fields(self):
        pdf = self.pdf
        name = self.field(1, "/FT/Tx/T(name-Zulu1)/V(value-Zulu1)/DA(/Helv 10 Tf 0 g)")
        address, both, choice = pdf.reserve(), pdf.reserve(), pdf.reserve()
        city = self.field(2, "/FT/Tx/T(city-Zulu2)/V(value-Zulu2)", address)
        street = self.field(3, "/FT/Tx/T(street-Zulu3)/V(value-Zulu3)", address)
        pdf.put(address, f"<</T(address)/Kids[{city} 0 R {street} 0 R]>>")
        kids = [self.field(n, "", both, "160 340 290 360") for n in (1, 4)]
        pdf.put(both, f"<</FT/Tx/T(shared)/V(both)/Kids[{kids[0]} 0 R {kids[1]} 0 R]>>")
        states = [self.field(5, f"/AS/{'a' if n == 0 else 'Off'}", choice,
                             f"20 {300 - 30 * n} 40 {320 - 30 * n}") for n in range(2)]
        pdf.put(choice, f"<</FT/Btn/Ff 32768/T(choice-Zulu5)/V/a"
                        f"/Kids[{states[0]} 0 R {states[1]} 0 R]>>")
        pdf.put(self.form, f"<</Fields[{name} 0 R {address} 0 R {both} 0 R {choice} 0 R]"
                           f"/DR<</Font<</Helv {self.font} 0 R>>>>/DA(/Helv 0 Tf 0 g)"
                           f"/CO[{city} 0 R {name} 0 R]>>")

    def outline(self):
        pdf = self.pdf
        top = pdf.reserve()
        tree = [("Chapter Zulu1", f"/Dest[{self.ref(1)}/XYZ 0 400 null]",
                 [("Section Zulu2", "/Dest(dest-Zulu2)",
                   [("Deep Zulu3", "/A<</S/GoTo/D/old-Zulu3>>", [])]),
                  ("Section Zulu1b", f"/Dest[{self.ref(1)}/Fit]", [])]),
                ("Group", "", [("Chapter Zulu4", f"/A<</S/GoTo/D[{self.ref(4)}/Fit]>>",
                                [("Section Zulu5", f"/Dest[{self.ref(5)}/FitH 300]", []),
                                 ("Web Zulu5", "/A<</S/URI/URI(https://example.com/Zulu5)>>", [])]),
                               ("Section Zulu6", "/Dest(dest-Zulu6)/C[1 0 0]/F 2", [])])]

        def level(items, parent):
            numbers = [pdf.reserve() for _ in items]
            for i, (title, dest, below) in enumerate(items):
                around = f"/Prev {numbers[i - 1]} 0 R" if i else ""
                if i + 1 < len(items):
                    around += f"/Next {numbers[i + 1]} 0 R"
                if below:
                    inner = level(below, numbers[i])
                    around += f"/First {inner[0]} 0 R/Last {inner[-1]} 0 R/Count {len(below)}"
                pdf.put(numbers[i], f"<</Title({title})/Parent {parent} 0 R{dest}{around}>>")
            return numbers

        numbers = level(tree, top)
        pdf.put(top, f"<</Type/Outlines/First {numbers[0]} 0 R/Last {numbers[-1]} 0 R/Count 2>>")
        return top

    def tags(self):
        """Document > Sect > (P, Figure with Alt), a table row with an empty cell, links' tags."""
        pdf = self.pdf
        document = pdf.reserve()
        sections, parents = [], []
        for n in range(1, 7):
            section, paragraph, figure = pdf.reserve(), pdf.reserve(), pdf.reserve()
            kids = f"{paragraph} 0 R {figure} 0 R"
            pdf.put(paragraph, f"<</Type/StructElem/S/P/P {section} 0 R/Pg {self.ref(n)}/K 0"
                               f"/ActualText(actual-Zulu{n})/ID(id-Zulu{n})>>")
            pdf.put(figure, f"<</Type/StructElem/S/Figure/P {section} 0 R/Pg {self.ref(n)}"
                            f"/K<</Type/MCR/Pg {self.ref(n)}/MCID 1>>/Alt(alt-Zulu{n})>>")
            if n == 6:
                row, full, empty = pdf.reserve(), pdf.reserve(), pdf.reserve()
                pdf.put(empty, f"<</Type/StructElem/S/TD/P {row} 0 R>>")
                pdf.put(full, f"<</Type/StructElem/S/TD/P {row} 0 R/Pg {self.ref(6)}/K 2>>")
                pdf.put(row, f"<</Type/StructElem/S/TR/P {section} 0 R"
                             f"/K[{empty} 0 R {full} 0 R]>>")
                kids += f" {row} 0 R"
            marked = f"{paragraph} 0 R {figure} 0 R" + (f" {full} 0 R" if n == 6 else "")
            parents.append(f"{n - 1} [{marked}]")
            pdf.put(section, f"<</Type/StructElem/S/Sect/P {document} 0 R/T(title-Zulu{n})"
                             f"/K[{kids}]>>")
            sections.append(section)
        pdf.put(document, f"<</Type/StructElem/S/Document/P {self.struct} 0 R/Alt(whole-Zulu2)"
                          f"/K[{' '.join(f'{s} 0 R' for s in sections)}]>>")
        tree = pdf.add(f"<</Nums[{' '.join(parents)}]>>")
        pdf.put(self.struct, f"<</Type/StructTreeRoot/K {document} 0 R/ParentTree {tree} 0 R"
                             f"/ParentTreeNextKey 6/RoleMap<</Absatz/P>>>>")

    def page(self, n):
        marks = ""
        if n == 6:
            marks = "/TD <</MCID 2>> BDC BT /F1 12 Tf 30 90 Td (cell) Tj ET EMC\n"
        layer = {1: "V", 2: "H"}.get(n)
        if layer:
            marks += f"/OC /{layer} BDC BT /F1 12 Tf 30 60 Td (layer-Zulu{n}) Tj ET EMC\n"
        content = self.pdf.stream(f"/P <</MCID 0>> BDC BT /F1 24 Tf 30 200 Td (text-Zulu{n}) Tj ET"
                                  f" EMC\n/Figure <</MCID 1>> BDC 0.5 g 30 100 60 60 re f EMC\n"
                                  + marks)
        turned = n <= 3
        self.pdf.put(self.pages[n - 1],
                     f"<</Type/Page/Parent {self.turned if turned else self.tree} 0 R"
                     f"/Contents {content} 0 R/StructParents {n - 1}/Tabs/S"
                     f"/Annots[{' '.join(f'{a} 0 R' for a in self.annots[n])}]>>")

    def names(self):
        pdf = self.pdf
        pairs = "".join(f"(dest-Zulu{n}){'[' if n % 2 else '<</D['}{self.ref(n)}/XYZ 0 {n}00 null]"
                        f"{'' if n % 2 else '>>'}" for n in range(1, 7))
        dests = pdf.add(f"<</Names[{pairs}]>>")
        attached = pdf.stream("attached-Zulu2", "/Type/EmbeddedFile")
        spec = pdf.add(f"<</Type/Filespec/F(attached-Zulu2.txt)/EF<</F {attached} 0 R>>>>")
        script = pdf.add("<</S/JavaScript/JS(app.alert\\('script-Zulu2'\\))>>")
        return pdf.add(f"<</Dests {dests} 0 R/EmbeddedFiles<</Names[(attached-Zulu2.txt){spec} 0 R]"
                       f">>/JavaScript<</Names[(script-Zulu2){script} 0 R]>>>>")

    def write(self):
        pdf = self.pdf
        self.links()
        self.fields()
        self.tags()
        for n in range(1, 7):
            self.page(n)
        outline, names = self.outline(), self.names()
        old = pdf.add("<<" + "".join(f"/old-Zulu{n}[{self.ref(n)}/Fit]" for n in range(1, 7)) +
                      ">>")
        xmp = pdf.stream("<?xpacket begin='' id='W5M0MpCehiHzreSzNTczkc9d'?><x:xmpmeta "
                         "xmlns:x='adobe:ns:meta/'><rdf:RDF xmlns:rdf='http://www.w3.org/1999/02/"
                         "22-rdf-syntax-ns#'><rdf:Description rdf:about='' xmlns:dc='http://purl."
                         "org/dc/elements/1.1/'><dc:title><rdf:Alt><rdf:li xml:lang='x-default'>"
                         "Sample</rdf:li></rdf:Alt></dc:title></rdf:Description></rdf:RDF>"
                         "</x:xmpmeta><?xpacket end='w'?>", "/Type/Metadata/Subtype/XML")
        layers = (f"/OCProperties<</OCGs[{self.visible} 0 R {self.hidden} 0 R {self.group} 0 R]/D<<"
                  f"/Order[{self.visible} 0 R {self.group} 0 R[{self.hidden} 0 R]]"
                  f"/OFF[{self.hidden} 0 R]/ListMode/VisiblePages>>>>")
        bead = pdf.reserve()
        thread = pdf.add(f"<</Type/Thread/I<</Title(thread-Zulu2)>>/F {bead} 0 R>>")
        pdf.put(bead, f"<</Type/Bead/T {thread} 0 R/N {bead} 0 R/V {bead} 0 R/P {self.ref(2)}"
                      "/R[0 0 9 9]>>")
        pdf.put(self.turned, f"<</Type/Pages/Parent {self.tree} 0 R/Count 3/Rotate 90"
                             f"/Kids[{' '.join(self.ref(n) for n in (1, 2, 3))}]>>")
        pdf.put(self.tree, f"<</Type/Pages/Count 6/MediaBox[0 0 300 400]/Resources<</Font<<"
                           f"/F1 {self.font} 0 R>>/Properties<</V {self.visible} 0 R"
                           f"/H {self.hidden} 0 R>>>>"
                           f"/Kids[{self.turned} 0 R {' '.join(self.ref(n) for n in (4, 5, 6))}]>>")
        pdf.put(self.root, f"<</Type/Catalog/Pages {self.tree} 0 R/Outlines {outline} 0 R"
                           f"/Names {names} 0 R/Dests {old} 0 R/AcroForm {self.form} 0 R"
                           f"/StructTreeRoot {self.struct} 0 R/MarkInfo<</Marked true>>/Lang(en)"
                           f"/Metadata {xmp} 0 R/Threads[{thread} 0 R]/PageMode/UseOutlines"
                           f"/OpenAction[{self.ref(2)}/Fit]/ViewerPreferences<</DisplayDocTitle "
                           f"true>>{layers}/PageLabels<</Nums[0<</S/r>>3<</S/D/P(A-)/St 7>>]>>>>")
        info = pdf.add("<</Title(Sample)/Author(platen)>>")
        pdf.write("features.pdf", self.root, info)


def loops():
    """Every tree of the document runs in circles; its pages are sound."""
    pdf = Pdf()
    root, tree, font = pdf.reserve(), pdf.reserve(), pdf.add(FONT)
    pages = [pdf.reserve(), pdf.reserve()]
    outline, first, second = pdf.reserve(), pdf.reserve(), pdf.reserve()
    pdf.put(outline, f"<</First {first} 0 R/Last {second} 0 R/Count 2>>")
    pdf.put(first, f"<</Title(a)/Parent {outline} 0 R/Next {second} 0 R/First {first} 0 R"
                   f"/Dest[{pages[0]} 0 R/Fit]>>")
    pdf.put(second, f"<</Title(b)/Parent {outline} 0 R/Next {first} 0 R/First {outline} 0 R"
                    f"/Dest(a)>>")
    names = pdf.reserve()
    pdf.put(names, f"<</Kids[{names} 0 R {names} 0 R]>>")
    labels = pdf.reserve()
    pdf.put(labels, f"<</Kids[{labels} 0 R]/Nums[0<</S/D>>]>>")
    elem = pdf.reserve()
    struct = pdf.add(f"<</Type/StructTreeRoot/K {elem} 0 R/ParentTree {names} 0 R>>")
    pdf.put(elem, f"<</S/P/P {elem} 0 R/Pg {pages[0]} 0 R/K[0 {elem} 0 R]>>")
    field = pdf.reserve()
    pdf.put(field, f"<</Type/Annot/Subtype/Widget/Rect[0 0 9 9]/FT/Tx/T(f)/Parent {field} 0 R"
                   f"/Kids[{field} 0 R]>>")
    action = pdf.reserve()
    pdf.put(action, f"<</S/GoTo/D/nowhere/Next {action} 0 R>>")
    link = pdf.add(f"<</Type/Annot/Subtype/Link/Rect[0 0 9 9]/A {action} 0 R>>")
    note, popup = pdf.reserve(), pdf.reserve()
    pdf.put(note, f"<</Type/Annot/Subtype/Text/Rect[0 0 9 9]/Popup {popup} 0 R/IRT {note} 0 R>>")
    pdf.put(popup, f"<</Type/Annot/Subtype/Popup/Rect[0 0 9 9]/Parent {note} 0 R>>")
    form = pdf.reserve()
    pdf.stream("/Fm Do /Fm Do", f"/Type/XObject/Subtype/Form/BBox[0 0 9 9]/Resources<</XObject<<"
               f"/Fm {form} 0 R>>>>", form)
    ocg = pdf.add("<</Type/OCG/Name(layer)>>")
    order = pdf.reserve()
    pdf.put(order, f"[{ocg} 0 R {order} 0 R]")
    for n, page in enumerate(pages):
        content = pdf.stream(f"/P <</MCID 0>> BDC BT /F1 40 Tf 60 300 Td (Page {n + 1}) Tj ET EMC"
                             " /Fm Do")
        annots = f"/Annots[{field} 0 R {link} 0 R {note} 0 R {popup} 0 R]" if n == 0 else ""
        pdf.put(page, f"<</Type/Page/Parent {tree} 0 R/Contents {content} 0 R{annots}"
                      f"/StructParents {n}>>")
    pdf.put(tree, f"<</Type/Pages/Kids[{pages[0]} 0 R {pages[1]} 0 R]/Count 2"
                  f"/MediaBox[0 0 300 400]/Resources<</Font<</F1 {font} 0 R>>"
                  f"/XObject<</Fm {form} 0 R>>>>>>")
    pdf.put(root, f"<</Type/Catalog/Pages {tree} 0 R/Outlines {outline} 0 R/Names<</Dests "
                  f"{names} 0 R/EmbeddedFiles {names} 0 R>>/PageLabels {labels} 0 R"
                  f"/StructTreeRoot {struct} 0 R/AcroForm<</Fields[{field} 0 R]>>"
                  f"/OCProperties<</OCGs[{ocg} 0 R]/D<</Order {order} 0 R>>>>>>")
    pdf.write("loops.pdf", root)


def pdfa1():
    """Two pages, of a document that says it is PDF/A-1."""
    pdf = Pdf()
    root, tree = pdf.reserve(), pdf.reserve()
    content = pdf.stream("0 0 1 rg 50 50 100 100 re f " * 40)
    pages = [pdf.add(f"<</Type/Page/Parent {tree} 0 R/Contents {content} 0 R/Resources<<>>>>")
             for _ in range(2)]
    metadata = pdf.stream(
        '<?xpacket begin="" id="W5M0MpCehiHzreSzNTczkc9d"?><x:xmpmeta xmlns:x="adobe:ns:meta/">'
        '<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">'
        '<rdf:Description rdf:about="" xmlns:pdfaid="http://www.aiim.org/pdfa/ns/id/">'
        "<pdfaid:part>1</pdfaid:part><pdfaid:conformance>B</pdfaid:conformance>"
        "</rdf:Description></rdf:RDF></x:xmpmeta><?xpacket end='w'?>",
        "/Type/Metadata/Subtype/XML")
    kids = " ".join(f"{page} 0 R" for page in pages)
    pdf.put(tree, f"<</Type/Pages/Kids[{kids}]/Count 2/MediaBox[0 0 300 400]>>")
    pdf.put(root, f"<</Type/Catalog/Pages {tree} 0 R/Metadata {metadata} 0 R>>")
    pdf.write("pdfa1.pdf", root, version="1.4")


def deep():
    """A page whose resources lead on and on."""
    pdf = Pdf()
    root, tree, page = pdf.reserve(), pdf.reserve(), pdf.reserve()
    content = pdf.stream("/G gs")
    first = len(pdf) + 1
    for n in range(1100):
        pdf.add(f"<</A {first + n + 1} 0 R>>")
    pdf.add("<</CA 1>>")
    pdf.put(page, f"<</Type/Page/Parent {tree} 0 R/Contents {content} 0 R"
                  f"/Resources<</ExtGState<</G {first} 0 R>>>>>>")
    pdf.put(tree, f"<</Type/Pages/Kids[{page} 0 R]/Count 1/MediaBox[0 0 300 400]>>")
    pdf.put(root, f"<</Type/Catalog/Pages {tree} 0 R>>")
    pdf.write("deep.pdf", root)


if __name__ == "__main__":
    deep()
    pdfa1()
    plain()
    plain("damaged.pdf", shift=7)
    plain("no-pages.pdf", pages=0)
    rotations()
    shared()
    Features().write()
    loops()
