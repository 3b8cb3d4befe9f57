"""workbooks.py FOLDER: writes workbooks whose formulas are not computed, or whose cursor is far from their cells."""

import os
import sys
import zipfile

SHEETS = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
PACKAGE = "http://schemas.openxmlformats.org/package/2006"
TYPE = "application/vnd.openxmlformats-officedocument.spreadsheetml"
ROOT = f'<Relationships xmlns="{PACKAGE}/relationships"><Relationship Id="r1" Type="%s" Target="%s"/></Relationships>'
# What Excel and the programs that imitate it write: LibreOffice trusts the results of such files.
EXCEL = (
    '<Properties xmlns="http://schemas.openxmlformats.org/officeDocument/2006/extended-properties">'
    "<Application>Microsoft Excel</Application><AppVersion>12.0000</AppVersion></Properties>"
)


def cell(place, value=None, formula=None, kind="n", **more):
    attributes = "".join(f' {key}="{text}"' for key, text in more.items())
    inner = f"<f{attributes}>{formula}</f>" if formula else f"<f{attributes}/>" if more else ""
    return f'<c r="{place}" t="{kind}">{inner}' + (f"<v>{value}</v>" if value is not None else "") + "</c>"


def text(place, words):
    return f'<c r="{place}" t="inlineStr"><is><t>{words}</t></is></c>'


def write(path, rows, calculation="", view="", names=""):
    data = "".join(f'<row r="{number}">{"".join(cells)}</row>' for number, cells in rows.items())
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as package:
        package.writestr(
            "[Content_Types].xml",
            f'<Types xmlns="{PACKAGE}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.'
            f'relationships+xml"/><Default Extension="xml" ContentType="application/xml"/>'
            f'<Override PartName="/xl/workbook.xml" ContentType="{TYPE}.sheet.main+xml"/>'
            f'<Override PartName="/docProps/app.xml" ContentType="application/vnd.openxmlformats-officedocument.extended-properties+xml"/>'
            f'<Override PartName="/xl/worksheets/sheet1.xml" ContentType="{TYPE}.worksheet+xml"/></Types>',
        )
        package.writestr(
            "_rels/.rels",
            (ROOT % (f"{OFFICE}/officeDocument", "xl/workbook.xml")).replace(
                "</Rel", f'<Relationship Id="r2" Type="{OFFICE}/extended-properties" Target="docProps/app.xml"/></Rel'
            ),
        )
        package.writestr("docProps/app.xml", EXCEL)
        package.writestr("xl/_rels/workbook.xml.rels", ROOT % (f"{OFFICE}/worksheet", "worksheets/sheet1.xml"))
        package.writestr(
            "xl/workbook.xml",
            f'<workbook xmlns="{SHEETS}" xmlns:r="{OFFICE}"><fileVersion appName="xl" lastEdited="4" rupBuild="4505"/>'
            f'<sheets><sheet name="It\'s a &amp; b" sheetId="1" r:id="r1"/></sheets>{names}{calculation}</workbook>',
        )
        package.writestr(
            "xl/worksheets/sheet1.xml",
            f'<worksheet xmlns="{SHEETS}"><sheetViews><sheetView workbookViewId="0">{view}</sheetView></sheetViews>'
            f"<sheetData>{data}</sheetData></worksheet>",
        )


def formulas():
    """Right are 6, 7, 8, Lamp!, 40; XLOOKUP stays 5, SORT has no result."""
    return {
        1: [cell("A1", 2), cell("B1", 3), cell("C1", 0, "A1*B1")],
        2: [cell("C2", 0, "C1+1", t="shared", ref="C2:C3", si="0")],
        3: [cell("C3", 0, t="shared", si="0")],
        4: [cell("C4", "", 'IF(A1=2,"Lamp(!","x")', "str")],
        5: [cell("C5", 0, "SUM(C1:C3)+_xlfn.STDEV.P(A1)+19")],
        6: [cell("C6", 5, "_xlfn.XLOOKUP(1,A1:A2,B1:B2)")],
        7: [cell("C7", 0, "_xlfn._xlws.SORT(A1:A2)")],
    }


def main():
    def path(name):
        return os.path.join(sys.argv[1], f"{name}.xlsx")

    write(path("load"), formulas(), '<calcPr calcId="124519" fullCalcOnLoad="1"/>')
    write(path("force"), formulas(), "<calcPr forceFullCalc='true'/>")
    write(path("unfinished"), formulas(), '<calcPr calcCompleted="0"/>')
    write(path("manual"), formulas(), '<calcPr calcMode="manual" calcCompleted="0"/>')
    write(path("stored"), formulas(), '<calcPr calcId="124519"/>')
    few = {1: [text("A1", "Item")], 2: [text("A2", "Lamp")]}
    far = {**few, 1048576: [text("XFD1048576", "far")]}
    names = "<definedNames><definedName name=\"_xlnm.Print_Area\" localSheetId=\"0\">'It''s a &amp; b'!$A$1:%s</definedName></definedNames>"
    write(path("cursor"), few, view='<selection activeCell="XFD1048576" sqref="XFD1048576"/>')
    write(path("down"), {**few, 1048576: [text("A1048576", "deep")]})
    write(path("area"), far, names=names % "$B$2")
    write(path("whole"), far, names=names % "$XFD$1048576")
    write(path("far"), far)


main()
