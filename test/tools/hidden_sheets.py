"""hidden_sheets.py FOLDER: writes workbooks with hidden sheets, rows and columns, as xlsx and as flat OpenDocument, and one with a
shape in the last rows."""

import os
import sys
import zipfile

SHEETS = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
PACKAGE = "http://schemas.openxmlformats.org/package/2006"
TYPE = "application/vnd.openxmlformats-officedocument.spreadsheetml"
ODF = "urn:oasis:names:tc:opendocument:xmlns"


def rows(word, hidden=()):
    """Four rows of three cells: a1 a2 a3, b1 ..."""
    out = ""
    for number, letter in enumerate("abcd", 1):
        cells = "".join(f'<c r="{"ABC"[i]}{number}" t="inlineStr"><is><t>{word}{letter}{i + 1}</t></is></c>' for i in range(3))
        out += f'<row r="{number}"{" hidden=" + chr(34) + "1" + chr(34) if number in hidden else ""}>{cells}</row>'
    return out


def workbook(path, sheets):
    """`sheets`: name, state, what comes before the rows, rows."""
    def relations(kind, targets):
        return f'<Relationships xmlns="{PACKAGE}/relationships">' + "".join(
            f'<Relationship Id="r{i}" Type="{OFFICE}/{kind}" Target="{target}"/>' for i, target in enumerate(targets, 1)
        ) + "</Relationships>"

    numbers = range(1, len(sheets) + 1)
    parts = {
        "[Content_Types].xml": f'<Types xmlns="{PACKAGE}/content-types"><Default Extension="rels" '
        'ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
        f'<Override PartName="/xl/workbook.xml" ContentType="{TYPE}.sheet.main+xml"/>'
        + "".join(f'<Override PartName="/xl/worksheets/sheet{i}.xml" ContentType="{TYPE}.worksheet+xml"/>' for i in numbers)
        + "</Types>",
        "_rels/.rels": relations("officeDocument", ["xl/workbook.xml"]),
        "xl/_rels/workbook.xml.rels": relations("worksheet", [f"worksheets/sheet{i}.xml" for i in numbers]),
        "xl/workbook.xml": f'<workbook xmlns="{SHEETS}" xmlns:r="{OFFICE}"><sheets>'
        + "".join(f'<sheet name="{name}" sheetId="{i}" r:id="r{i}" state="{state}"/>' for i, (name, state, *_) in enumerate(sheets, 1))
        + "</sheets></workbook>",
    }
    for i, (_, _, before, data) in enumerate(sheets, 1):
        parts[f"xl/worksheets/sheet{i}.xml"] = f'<worksheet xmlns="{SHEETS}">{before}<sheetData>{data}</sheetData></worksheet>'
    with zipfile.ZipFile(path, "w") as package:
        for name, text in parts.items():
            package.writestr(name, text)


def flat(path, sheets, shapes=""):
    """`sheets`: name, whether it is shown, text."""
    spaces = " ".join(f'xmlns:{name}="{ODF}:{name}:1.0"' for name in ("office", "style", "table", "text"))
    styles = "".join(
        f'<style:style style:name="{name}" style:family="table"><style:table-properties table:display="{shown}"/></style:style>'
        for name, shown in (("s-true", "true"), ("s-false", "false"))
    )
    tables = "".join(
        f'<table:table table:name="{name}" table:style-name="s-{shown}">{shapes}<table:table-row><table:table-cell office:value-type="string">'
        f"<text:p>{text}</text:p></table:table-cell></table:table-row></table:table>"
        for name, shown, text in sheets
    )
    with open(path, "w", encoding="utf-8") as file:
        file.write(
            f'<?xml version="1.0" encoding="UTF-8"?><office:document {spaces} office:version="1.2" '
            'office:mimetype="application/vnd.oasis.opendocument.spreadsheet">'
            f"<office:automatic-styles>{styles}</office:automatic-styles><office:body><office:spreadsheet>{tables}"
            "</office:spreadsheet></office:body></office:document>"
        )


def drawing(path, x, y):
    """A flat OpenDocument workbook with a cell and a shape that is so many centimetres from it."""
    more = f'xmlns:draw="{ODF}:drawing:1.0" xmlns:svg="{ODF}:svg-compatible:1.0"'
    shape = f'<draw:rect {more} svg:width="4cm" svg:height="1cm" svg:x="{x}cm" svg:y="{y}cm"><text:p>drawn</text:p></draw:rect>'
    flat(path, [("Seen", "true", "seen")], f"<table:shapes>{shape}</table:shapes>")


def main():
    def path(name):
        return os.path.join(sys.argv[1], name)

    # Columns that are hidden up to the last one show only where the sheet ends.
    columns = '<cols><col min="2" max="2" width="9" hidden="1"/><col min="5" max="16384" width="9" hidden="1"/></cols>'
    seen = ("Seen", "visible", "", rows("seen"))
    workbook(path("hidden.xlsx"), [
        seen, ("Costs &amp; more", "hidden", "", rows("costs")), ("Old", "veryHidden", "", rows("old")),
        ("Cells", "visible", columns, rows("cells", (2, 3))),
    ])
    workbook(path("many.xlsx"), [seen] + [(f"Sheet with a long name {i:05}", "hidden", "", rows("x")) for i in range(13)])
    workbook(path("shown.xlsx"), [seen, ("End", "visible", columns[:6] + columns[columns.index('<col min="5"'):], rows("end"))])
    far = '<row r="1048576"><c r="XFD1048576" t="inlineStr"><is><t>far</t></is></c></row>'
    workbook(path("apart.xlsx"), [seen, ("Far", "hidden", "", rows("far") + far)])
    drawing(path("drawn.fods"), 1000, 470000)
    flat(path("hidden.fods"), [("Seen", "true", "seen"), ("Costs", "false", "costs")])


if __name__ == "__main__":
    main()
