"""unshown.py PRESENTATION FOLDER: writes Word documents and presentations with words that LibreOffice does not show, and with
words that are not meant to be shown."""

import os
import sys
import zipfile

import chunks

A = "http://schemas.openxmlformats.org/drawingml/2006/main"
DIAGRAM = "http://schemas.openxmlformats.org/drawingml/2006/diagram"
SHAPE = "http://schemas.microsoft.com/office/word/2010/wordprocessingShape"
PLACED = "http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing"
PARTS = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"


def box(height, paragraphs):
    """A paragraph with a text box of this height in EMU, which does not grow."""
    inner = "".join(chunks.paragraph(words) for words in paragraphs)
    return (
        f'<w:p><w:r><w:drawing><wp:inline xmlns:wp="{PLACED}"><wp:extent cx="2880000" cy="{height}"/><wp:docPr id="1" name="b"/>'
        f'<a:graphic xmlns:a="{A}"><a:graphicData uri="{SHAPE}"><wps:wsp xmlns:wps="{SHAPE}"><wps:cNvSpPr txBox="1"/><wps:spPr>'
        f'<a:xfrm><a:off x="0" y="0"/><a:ext cx="2880000" cy="{height}"/></a:xfrm><a:prstGeom prst="rect"><a:avLst/></a:prstGeom>'
        f"</wps:spPr><wps:txbx><w:txbxContent>{inner}</w:txbxContent></wps:txbx><wps:bodyPr><a:noAutofit/></wps:bodyPr></wps:wsp>"
        "</a:graphicData></a:graphic></wp:inline></w:drawing></w:r></w:p>"
    )


def run(words, properties=""):
    return f"<w:r><w:rPr>{properties}</w:rPr><w:t>{words}</w:t></w:r>"


SHOWN = '<w:vanish w:val="0"/>'
LINES = ["Upper words", "second", "third", "fourth", "Sinking lines", "drown &amp; vanish"]
UNMEANT = (
    f'<w:p>{run("Caps and ﬁne ", "<w:caps/>")}{run("hidden", "<w:vanish/>")}{run("seen", SHOWN)}'
    f'<w:moveFrom w:id="1" w:author="a">{run("moved")}</w:moveFrom></w:p>'
    f'<w:p><w:pPr><w:rPr><w:vanish/></w:rPr></w:pPr>{run("marked")}</w:p>{chunks.paragraph("שלום עולם")}'
)


def diagram(presentation, texts):
    """The presentation with a diagram on its first slide that has texts and nothing that says how it is drawn."""
    points = "".join(
        f'<dgm:pt modelId="{i}"><dgm:prSet/><dgm:spPr/><dgm:t><a:bodyPr/><a:p><a:r><a:t>{words}</a:t></a:r></a:p></dgm:t></dgm:pt>'
        for i, words in enumerate(texts)
    )
    frame = (
        '<p:graphicFrame><p:nvGraphicFramePr><p:cNvPr id="90" name="d"/><p:cNvGraphicFramePr/><p:nvPr/></p:nvGraphicFramePr>'
        f'<p:xfrm><a:off x="0" y="0"/><a:ext cx="5000000" cy="3000000"/></p:xfrm><a:graphic><a:graphicData uri="{DIAGRAM}">'
        f'<dgm:relIds xmlns:dgm="{DIAGRAM}" r:dm="d1" r:lo="d2" r:qs="d3" r:cs="d4"/></a:graphicData></a:graphic></p:graphicFrame>'
    )
    related = f'<Relationship Id="d1" Type="{PARTS}/diagramData" Target="../diagrams/data1.xml"/>'
    with zipfile.ZipFile(presentation) as package:
        parts = {name: package.read(name) for name in package.namelist()}

    def put(name, text, before):
        parts[name] = parts[name].replace(before.encode(), (text + before).encode(), 1)

    put("ppt/slides/slide1.xml", frame, "</p:spTree>")
    put("ppt/slides/_rels/slide1.xml.rels", related, "</Relationships>")
    put(
        "[Content_Types].xml",
        '<Override PartName="/ppt/diagrams/data1.xml" ContentType='
        '"application/vnd.openxmlformats-officedocument.drawingml.diagramData+xml"/>',
        "</Types>",
    )
    parts["ppt/diagrams/data1.xml"] = (
        f'<dgm:dataModel xmlns:dgm="{DIAGRAM}" xmlns:a="{A}"><dgm:ptLst>{points}</dgm:ptLst><dgm:cxnLst/></dgm:dataModel>'.encode()
    )
    return parts


def main():
    presentation, folder = sys.argv[1:]
    documents = {
        "box": chunks.paragraph("Before.") + box(300000, LINES),
        "room": UNMEANT + box(3000000, LINES),
    }
    for name, body in documents.items():
        with open(os.path.join(folder, f"{name}.docx"), "wb") as file:
            file.write(chunks.document(body))
    with zipfile.ZipFile(os.path.join(folder, "diagram.pptx"), "w") as package:
        for name, data in diagram(presentation, ["Planning", "Building"]).items():
            package.writestr(name, data)


if __name__ == "__main__":
    main()
