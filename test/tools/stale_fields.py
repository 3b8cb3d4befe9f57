"""stale_fields.py FOLDER: writes Word documents with fields (ECMA-376-1, 17.16) whose stored results are not what they would
be now."""

import os
import sys
import zipfile
from html import escape

WORD = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
PACKAGE = "http://schemas.openxmlformats.org/package/2006"
MAIN = "application/vnd.openxmlformats-officedocument.wordprocessingml"
NAMES = f'xmlns:w="{WORD}" xmlns:r="{OFFICE}"'


def run(inner):
    return f"<w:r>{inner}</w:r>"


def text(words):
    return run(f'<w:t xml:space="preserve">{words}</w:t>')


def mark(kind):
    return run(f'<w:fldChar w:fldCharType="{kind}"/>')


def code(words):
    return run(f'<w:instrText xml:space="preserve">{escape(words)}</w:instrText>')


def field(instruction, result):
    """The instruction: words, or what stands in its place. The result: None for no mark."""
    inner = instruction if "<" in instruction and "w:r" in instruction else code(f" {instruction} ")
    return mark("begin") + inner + ("" if result is None else mark("separate") + result) + mark("end")


def simple(instruction, result):
    return f'<w:fldSimple w:instr=" {escape(instruction)} ">{result}</w:fldSimple>'


def paragraph(*inner):
    return f'<w:p>{"".join(inner)}</w:p>'


def picture(attributes):
    drawing = "http://schemas.openxmlformats.org/drawingml/2006/main"
    return run(f'<w:drawing><a:blip xmlns:a="{drawing}" {attributes}/></w:drawing>')


def write(path, body, header="", note=""):
    kinds = {"document": "document.main", "header1": "header", "footnotes": "footnotes"}
    types = "".join(
        f'<Override PartName="/word/{name}.xml" ContentType="{MAIN}.{kind}+xml"/>' for name, kind in kinds.items()
    )
    with zipfile.ZipFile(path, "w") as package:
        package.writestr(
            "[Content_Types].xml",
            f'<Types xmlns="{PACKAGE}/content-types"><Default Extension="rels" ContentType='
            f'"application/vnd.openxmlformats-package.relationships+xml"/>{types}</Types>',
        )
        package.writestr(
            "_rels/.rels",
            f'<Relationships xmlns="{PACKAGE}/relationships"><Relationship Id="r1" Type="{OFFICE}/officeDocument" '
            f'Target="word/document.xml"/></Relationships>',
        )
        package.writestr(
            "word/_rels/document.xml.rels",
            f'<Relationships xmlns="{PACKAGE}/relationships"><Relationship Id="r1" Type="{OFFICE}/header" Target="header1.xml"/>'
            f'<Relationship Id="r2" Type="{OFFICE}/footnotes" Target="footnotes.xml"/>'
            f'<Relationship Id="r3" Type="{OFFICE}/image" Target="http://127.0.0.1:9/a.png" TargetMode="External"/>'
            f'</Relationships>',
        )
        package.writestr("word/header1.xml", f"<w:hdr {NAMES}>{paragraph(header)}</w:hdr>")
        package.writestr(
            "word/footnotes.xml", f'<w:footnotes {NAMES}><w:footnote w:id="2">{paragraph(note)}</w:footnote></w:footnotes>'
        )
        package.writestr(
            "word/document.xml",
            f'<w:document {NAMES}><w:body>{body}<w:sectPr><w:headerReference w:type="default" r:id="r1"/></w:sectPr>'
            f"</w:body></w:document>",
        )


def main():
    nested = field(code(" IF ") + field("MERGEFIELD sex", text("f")) + code(' = "f" "Mrs" "Mr" '), text("Mrs"))
    inside = field("HYPERLINK \\l here", text("see ") + field("PAGEREF gone \\h", text("12")))
    box = (
        '<w:pict xmlns:v="urn:schemas-microsoft-com:vml"><v:shape style="width:200pt;height:30pt"><v:textbox><w:txbxContent>'
        + paragraph(text("Box "), field("IF 1 = 1 a b", text("boxed")))
        + "</w:txbxContent></v:textbox></v:shape></w:pict>"
    )
    body = "".join(
        (
            paragraph('<w:bookmarkStart w:id="1" w:name="here"/>', text("Start"), '<w:bookmarkEnd w:id="1"/>'),
            paragraph(text("Missing: "), field("REF gone \\h", text("Chapter 7")), text(", "), simple("PAGEREF gone", text("9"))),
            paragraph(text("There: "), field("REF here \\h", text("old")), text(", "), field("PAGEREF here", text("99"))),
            paragraph(text("Choice: "), nested, text(", "), inside),
            paragraph(text("Day: "), field('DATE \\@ "d MMMM yyyy"', text("3 January 2020"))),
            paragraph(text("Figure "), simple("SEQ Figure", text("7")), text(" of "), simple("NUMPAGES", text("77"))),
            paragraph(text("Empty: "), field("SEQ Table", None), text(", "), simple("SEQ Table", "")),
            paragraph(text("Note"), run('<w:footnoteReference w:id="2"/>')),
            paragraph(run(box)),
            paragraph(text("Open: "), mark("begin"), code(" IF 1 = 1 a b "), mark("separate"), text("open")),
        )
    )
    header = text("Head ") + field("SAVEDATE \\@ yyyy", text("1999")) + text(" page ") + field("PAGE", text("55"))
    write(os.path.join(sys.argv[1], "stale.docx"), body, header, text("Foot ") + simple("REF gone", text("noted")))
    write(os.path.join(sys.argv[1], "linked.docx"), paragraph(text("Two"), picture('r:link="r3"'), picture('r:embed="r3"')))
    write(os.path.join(sys.argv[1], "held.docx"), paragraph(text("Held"), picture('r:embed="r9" r:link="r3"')))


main()
