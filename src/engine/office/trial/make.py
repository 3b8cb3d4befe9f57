"""Writes the three documents platen-office tries itself out with: as small as they can be. Python's
standard library only, the same bytes every time."""

import os
import zipfile

OPC = "http://schemas.openxmlformats.org/package/2006"
DOC = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
WORD = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
SHEET = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
SLIDE = "http://schemas.openxmlformats.org/presentationml/2006/main"
DRAW = "http://schemas.openxmlformats.org/drawingml/2006/main"
TYPES = "application/vnd.openxmlformats-officedocument."
HEAD = '<?xml version="1.0" encoding="UTF-8"?>\n'


def relationships(*targets):
    return (f'<Relationships xmlns="{OPC}/relationships">' + "".join(
        f'<Relationship Id="rId{i}" Type="{DOC}/{kind}" Target="{target}"/>'
        for i, (kind, target) in enumerate(targets, 1)) + "</Relationships>")


def package(path, main, parts, overrides):
    """parts: {name: XML}; overrides: {name: content type}."""
    types = (f'<Types xmlns="{OPC}/content-types"><Default Extension="rels" '
             'ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
             '<Default Extension="xml" ContentType="application/xml"/>' + "".join(
                 f'<Override PartName="/{name}" ContentType="{TYPES}{kind}+xml"/>'
                 for name, kind in overrides.items()) + "</Types>")
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as out:
        for name, xml in {"[Content_Types].xml": types,
                          "_rels/.rels": relationships(("officeDocument", main)), **parts}.items():
            entry = zipfile.ZipInfo(name)
            entry.compress_type = zipfile.ZIP_DEFLATED
            out.writestr(entry, HEAD + xml)


def docx(path, body):
    package(path, "word/document.xml",
            {"word/document.xml": f'<w:document xmlns:w="{WORD}"><w:body>{body}</w:body></w:document>'},
            {"word/document.xml": "wordprocessingml.document.main"})


def xlsx(path, rows):
    package(path, "xl/workbook.xml",
            {"xl/workbook.xml": f'<workbook xmlns="{SHEET}" xmlns:r="{DOC}"><sheets>'
                                '<sheet name="Trial" sheetId="1" r:id="rId1"/></sheets></workbook>',
             "xl/_rels/workbook.xml.rels": relationships(("worksheet", "worksheets/sheet1.xml")),
             "xl/worksheets/sheet1.xml": f'<worksheet xmlns="{SHEET}"><sheetData>{rows}</sheetData>'
                                         '</worksheet>'},
            {"xl/workbook.xml": "spreadsheetml.sheet.main",
             "xl/worksheets/sheet1.xml": "spreadsheetml.worksheet"})


def pptx(path, text):
    shape = ('<p:cSld><p:spTree><p:nvGrpSpPr><p:cNvPr id="1" name=""/><p:cNvGrpSpPr/><p:nvPr/>'
             '</p:nvGrpSpPr><p:grpSpPr/><p:sp><p:nvSpPr><p:cNvPr id="2" name="Text"/><p:cNvSpPr/>'
             '<p:nvPr/></p:nvSpPr><p:spPr><a:xfrm><a:off x="900000" y="900000"/>'
             '<a:ext cx="7000000" cy="2000000"/></a:xfrm><a:prstGeom prst="rect"><a:avLst/>'
             '</a:prstGeom></p:spPr><p:txBody><a:bodyPr/><a:p><a:r><a:rPr lang="en-US" sz="2400"/>'
             f'<a:t>{text}</a:t></a:r></a:p></p:txBody></p:sp></p:spTree></p:cSld>')
    package(path, "ppt/presentation.xml",
            {"ppt/presentation.xml": f'<p:presentation xmlns:p="{SLIDE}" xmlns:r="{DOC}"><p:sldIdLst>'
                                     '<p:sldId id="256" r:id="rId1"/></p:sldIdLst>'
                                     '<p:sldSz cx="9144000" cy="6858000"/>'
                                     '<p:notesSz cx="6858000" cy="9144000"/></p:presentation>',
             "ppt/_rels/presentation.xml.rels": relationships(("slide", "slides/slide1.xml")),
             "ppt/slides/slide1.xml": f'<p:sld xmlns:p="{SLIDE}" xmlns:a="{DRAW}">{shape}</p:sld>'},
            {"ppt/presentation.xml": "presentationml.presentation.main",
             "ppt/slides/slide1.xml": "presentationml.slide"})


if __name__ == "__main__":
    folder = os.path.dirname(os.path.abspath(__file__))
    docx(os.path.join(folder, "trial.docx"), "<w:p><w:r><w:t>Trial</w:t></w:r></w:p>")
    xlsx(os.path.join(folder, "trial.xlsx"),
         '<row r="1"><c r="A1" t="inlineStr"><is><t>Trial</t></is></c><c r="B1"><v>1</v></c></row>')
    pptx(os.path.join(folder, "trial.pptx"), "Trial")
