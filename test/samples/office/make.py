"""Writes the office documents of the tests: the ZIP ones by hand, from them the old and the
encrypted ones by LibreOffice (soffice must be there). The password is "secret"; odd.docx has
"pass wörd"."""

import gzip
import os
import shutil
import subprocess
import sys
import tempfile
import zipfile

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "..", "..", "src", "engine", "office", "trial"))
import make as opc  # noqa: E402

W, S, P, A, R = opc.WORD, opc.SHEET, opc.SLIDE, opc.DRAW, opc.DOC
SOFFICE = "/usr/lib/libreoffice/program/soffice"
MACRO = """<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE script:module PUBLIC "-//OpenOffice.org//DTD OfficeDocument 1.0//EN" "module.dtd">
<script:module xmlns:script="http://openoffice.org/2000/script" script:name="Module1"
 script:language="StarBasic">
Sub Store(from As String, target As String, filter As String, password As String)
  Dim hidden(0) As New com.sun.star.beans.PropertyValue
  hidden(0).Name = "Hidden" : hidden(0).Value = True
  Dim doc As Object
  doc = StarDesktop.loadComponentFromURL("file://" &amp; from, "_blank", 0, hidden())
  If password = "" Then
    Dim plain(0) As New com.sun.star.beans.PropertyValue
    plain(0).Name = "FilterName" : plain(0).Value = filter
    doc.storeToURL("file://" &amp; target, plain())
  ElseIf InStr(filter, "2007") > 0 Then
    Dim keys(1) As New com.sun.star.beans.NamedValue
    keys(0).Name = "CryptoType" : keys(0).Value = "Standard"
    keys(1).Name = "OOXPassword" : keys(1).Value = password
    Dim sealed(1) As New com.sun.star.beans.PropertyValue
    sealed(0).Name = "FilterName" : sealed(0).Value = filter
    sealed(1).Name = "EncryptionData" : sealed(1).Value = keys()
    doc.storeToURL("file://" &amp; target, sealed())
  Else
    Dim locked(1) As New com.sun.star.beans.PropertyValue
    locked(0).Name = "FilterName" : locked(0).Value = filter
    locked(1).Name = "Password" : locked(1).Value = password
    doc.storeToURL("file://" &amp; target, locked())
  End If
  doc.close(True)
End Sub
</script:module>
"""


def text(words, props=""):
    return f'<w:r>{props}<w:t xml:space="preserve">{words}</w:t></w:r>'


def word():
    """Two pages, two headings, a tracked insertion and deletion."""
    heading = '<w:pPr><w:pStyle w:val="Heading1"/></w:pPr>'
    mark = 'w:id="{}" w:author="A" w:date="2024-01-01T00:00:00Z"'
    body = (f'<w:p>{heading}{text("First chapter")}</w:p>'
            f'<w:p>{text("Alpha ")}<w:ins {mark.format(1)}>{text("inserted ")}</w:ins>'
            f'<w:del {mark.format(2)}><w:r><w:delText xml:space="preserve">deleted </w:delText></w:r>'
            f'</w:del>{text("omega.")}</w:p>'
            f'<w:p>{heading}<w:r><w:br w:type="page"/></w:r>{text("Second chapter")}</w:p>'
            '<w:p><w:r><w:rPr><w:rFonts w:ascii="Nonesuch Sans" w:hAnsi="Nonesuch Sans"/></w:rPr>'
            '<w:t>In a font nobody has.</w:t></w:r></w:p>')
    styles = (f'<w:styles xmlns:w="{W}"><w:style w:type="paragraph" w:styleId="Heading1">'
              '<w:name w:val="heading 1"/><w:pPr><w:outlineLvl w:val="0"/></w:pPr></w:style>'
              '</w:styles>')
    opc.package(os.path.join(HERE, "plain.docx"), "word/document.xml",
                {"word/document.xml": f'<w:document xmlns:w="{W}"><w:body>{body}</w:body></w:document>',
                 "word/_rels/document.xml.rels": opc.relationships(("styles", "styles.xml")),
                 "word/styles.xml": styles},
                {"word/document.xml": "wordprocessingml.document.main",
                 "word/styles.xml": "wordprocessingml.styles"})


def formula():
    """A fraction and a root in a line of text."""
    math = "http://schemas.openxmlformats.org/officeDocument/2006/math"

    def part(name, words):
        return f"<m:{name}><m:r><m:t>{words}</m:t></m:r></m:{name}>"

    body = (f"<w:p>{text('Take ')}<m:oMath><m:f>{part('num', 'alpha')}{part('den', 'beta')}</m:f>"
            f'<m:rad><m:radPr><m:degHide m:val="1"/></m:radPr><m:deg/>{part("e", "gamma")}</m:rad>'
            f"</m:oMath>{text(' as it is.')}</w:p>")
    opc.package(os.path.join(HERE, "formula.docx"), "word/document.xml",
                {"word/document.xml": f'<w:document xmlns:w="{W}" xmlns:m="{math}"><w:body>{body}'
                                      "</w:body></w:document>"},
                {"word/document.xml": "wordprocessingml.document.main"})


def hyphens():
    """A narrow column that asks for hyphens."""
    body = ('<w:p><w:pPr><w:jc w:val="both"/></w:pPr><w:r><w:rPr><w:lang w:val="en-US"/></w:rPr><w:t>'
            "The internationalization of telecommunications infrastructure considerations "
            "notwithstanding, institutional responsibilities characterize organizations.</w:t></w:r>"
            '</w:p><w:sectPr><w:pgSz w:w="5000" w:h="9000"/><w:pgMar w:top="600" w:left="600" '
            'w:right="600" w:bottom="600"/></w:sectPr>')
    opc.package(os.path.join(HERE, "hyphens.docx"), "word/document.xml",
                {"word/document.xml": f'<w:document xmlns:w="{W}"><w:body>{body}</w:body></w:document>',
                 "word/_rels/document.xml.rels": opc.relationships(("settings", "settings.xml")),
                 "word/settings.xml": f'<w:settings xmlns:w="{W}"><w:autoHyphenation/></w:settings>'},
                {"word/document.xml": "wordprocessingml.document.main",
                 "word/settings.xml": "wordprocessingml.settings"})


def column(i):
    return (chr(64 + i // 26) if i >= 26 else "") + chr(65 + i % 26)


def sheet(cells):
    rows = {}
    for row, col, value in cells:
        rows.setdefault(row, []).append(
            f'<c r="{column(col)}{row}" t="inlineStr"><is><t>{value}</t></is></c>')
    return (f'<worksheet xmlns="{S}"><sheetData>' + "".join(
        f'<row r="{row}">{"".join(made)}</row>' for row, made in rows.items())
        + "</sheetData></worksheet>")


def excel():
    """Wide (30 columns), "Costs, net", Empty, Long (120 rows)."""
    names = ["Wide", "Costs, net", "Empty", "Long"]
    cells = [[(1, i, f"wide{i}") for i in range(30)], [(1, 0, "costs")], [],
             [(i, 0, f"long{i}") for i in range(1, 121)]]
    listed = "".join(f'<sheet name="{name}" sheetId="{i}" r:id="rId{i}"/>'
                     for i, name in enumerate(names, 1))
    parts = {"xl/workbook.xml": f'<workbook xmlns="{S}" xmlns:r="{R}"><sheets>{listed}</sheets>'
                                "</workbook>",
             "xl/_rels/workbook.xml.rels": opc.relationships(
                 *(("worksheet", f"worksheets/sheet{i}.xml") for i in range(1, 5)))}
    types = {"xl/workbook.xml": "spreadsheetml.sheet.main"}
    for i, of in enumerate(cells, 1):
        parts[f"xl/worksheets/sheet{i}.xml"] = sheet(of)
        types[f"xl/worksheets/sheet{i}.xml"] = "spreadsheetml.worksheet"
    opc.package(os.path.join(HERE, "plain.xlsx"), "xl/workbook.xml", parts, types)


def flat_slides():
    """Three slides in flat ODF: Slide one with notes, Slide two hidden, Slide three."""
    names = {name: f"urn:oasis:names:tc:opendocument:xmlns:{name}:1.0"
             for name in ("office", "style", "text", "drawing", "presentation")}
    spaces = " ".join(f'xmlns:{"draw" if name == "drawing" else name}="{url}"'
                      for name, url in names.items())
    spaces += ' xmlns:svg="urn:oasis:names:tc:opendocument:xmlns:svg-compatible:1.0"'
    spaces += ' xmlns:fo="urn:oasis:names:tc:opendocument:xmlns:xsl-fo-compatible:1.0"'

    def frame(words, where="", y=2):
        return (f'<draw:frame svg:width="20cm" svg:height="3cm" svg:x="2cm" svg:y="{y}cm"{where}>'
                f'<draw:text-box><text:p>{words}</text:p></draw:text-box></draw:frame>')

    def slide(i, words, style="", notes=""):
        return (f'<draw:page draw:name="s{i}" draw:master-page-name="M"{style}>{frame(words)}'
                f'{notes}</draw:page>')

    notes = ('<presentation:notes>'
             + frame("Say this aloud", ' presentation:class="notes"', 15) + '</presentation:notes>')
    return (f'<?xml version="1.0" encoding="UTF-8"?><office:document {spaces} office:version="1.2" '
            'office:mimetype="application/vnd.oasis.opendocument.presentation">'
            '<office:automatic-styles><style:style style:name="H" style:family="drawing-page">'
            '<style:drawing-page-properties presentation:visibility="hidden"/></style:style>'
            '<style:page-layout style:name="L"><style:page-layout-properties fo:page-width="28cm" '
            'fo:page-height="21cm"/></style:page-layout></office:automatic-styles>'
            '<office:master-styles><style:master-page style:name="M" style:page-layout-name="L"/>'
            '</office:master-styles><office:body><office:presentation>'
            + slide(1, "Slide one", notes=notes)
            + slide(2, "Slide two", ' draw:style-name="H"') + slide(3, "Slide three")
            + '</office:presentation></office:body></office:document>')


def store(profile, source, target, kind, password=""):
    name = os.path.join(HERE, target)
    subprocess.run([SOFFICE, "--headless", f"-env:UserInstallation=file://{profile}",
                    f'macro:///Standard.Module1.Store("{os.path.join(HERE, source)}","{name}",'
                    f'"{kind}","{password}")'], check=True, timeout=120, capture_output=True)
    if not os.path.exists(name):
        sys.exit(f"{target} was not written")


word()
formula()
hyphens()
excel()
for name in os.listdir(HERE):
    if not name.endswith(".py") and name not in ("plain.docx", "formula.docx", "hyphens.docx",
                                              "plain.xlsx"):
        os.remove(os.path.join(HERE, name))
home = tempfile.mkdtemp()
with open(os.path.join(HERE, "slides.fodp"), "w", encoding="utf-8") as out:
    out.write(flat_slides())
subprocess.run([SOFFICE, "--headless", f"-env:UserInstallation=file://{home}", "--convert-to", "pdf",
                "--outdir", home, os.path.join(HERE, "plain.docx")], check=True, capture_output=True)
with open(os.path.join(home, "user", "basic", "Standard", "Module1.xba"), "w",
          encoding="utf-8") as out:
    out.write(MACRO)
for old, kinds in {
        "plain.docx": [("plain.doc", "MS Word 97", ""), ("plain.odt", "writer8", ""),
                       ("plain.rtf", "Rich Text Format", ""),
                       ("locked.docx", "MS Word 2007 XML", "secret"),
                       ("odd.docx", "MS Word 2007 XML", "pass wörd"),
                       ("locked.doc", "MS Word 97", "secret"), ("locked.odt", "writer8", "secret")],
        "plain.xlsx": [("plain.xls", "MS Excel 97", ""), ("plain.ods", "calc8", ""),
                       ("locked.xlsx", "Calc MS Excel 2007 XML", "secret"),
                       ("locked.xls", "MS Excel 97", "secret"), ("locked.ods", "calc8", "secret")],
        "slides.fodp": [("plain.odp", "impress8", ""), ("plain.ppt", "MS PowerPoint 97", ""),
                        ("plain.pptx", "Impress MS PowerPoint 2007 XML", ""),
                        ("locked.odp", "impress8", "secret"),
                        ("locked.pptx", "Impress MS PowerPoint 2007 XML", "secret")]}.items():
    for new, kind, password in kinds:
        store(home, old, new, kind, password)
with open(os.path.join(HERE, "plain.ppt"), "rb") as data, \
        open(os.path.join(HERE, "plain.ppt.gz"), "wb") as out:
    out.write(gzip.compress(data.read(), 9, mtime=0))
os.remove(os.path.join(HERE, "plain.ppt"))
shutil.rmtree(home)
