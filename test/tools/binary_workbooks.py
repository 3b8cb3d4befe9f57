"""binary_workbooks.py FOLDER: writes workbooks of the binary formats, xls and xlsb, with stored results of formulas.

Their formulas are A1*B1 (stale: the file stores 0), and A1/0 (lost: it stores 42; failed: it stores the error, too)."""

import os
import struct
import sys
import zipfile

from compound_file import compound

ROOT = "http://schemas.openxmlformats.org/package/2006"
OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
TYPE = "application/vnd.openxmlformats-officedocument"
DIV_0 = 7


def record(kind, data=b""):
    return struct.pack("<HH", kind, len(data)) + data


def xls_formula(row, value, tokens):
    stored = struct.pack("<d", value) if value is not None else struct.pack("<BBBBHH", 2, 0, DIV_0, 0, 0, 0xFFFF)
    return record(0x6, struct.pack("<HHH", row, 2, 0) + stored + struct.pack("<HIH", 0, 0, len(tokens)) + tokens)


def xls_stream(formulas, after_begin=b""):
    """[MS-XLS] 2.1.7.20: the substream of the workbook, and that of its sheet."""
    name = record(0x85, struct.pack("<IBBBB", 0, 0, 0, 1, 0) + b"S")
    begin = lambda kind: record(0x809, struct.pack("<HHHHII", 0x600, kind, 0, 0, 0, 0x600))  # noqa: E731
    front = begin(5) + after_begin + record(0x42, struct.pack("<H", 1200)) + name + record(0xA)
    at = front.index(name)
    front = front[:at + 4] + struct.pack("<I", len(front)) + front[at + 8:]
    cells = record(0x200, struct.pack("<IIHHH", 0, len(formulas), 0, 3, 0))
    ref = lambda column: struct.pack("<BHH", 0x44, 0, column | 0xC000)  # noqa: E731
    for column, value in ((0, 6), (1, 7)):
        cells += record(0x203, struct.pack("<HHHd", 0, column, 0, value))
    tokens = {"*": ref(0) + ref(1) + b"\x05", "/": ref(0) + struct.pack("<BH", 0x1E, 0) + b"\x06"}
    for row, (value, kind) in enumerate(formulas):
        cells += xls_formula(row, value, tokens[kind])
    return front + begin(0x10) + cells + record(0xA)


def varying(number):
    out = b""
    while number > 127:
        out += bytes([number & 127 | 128])
        number >>= 7
    return out + bytes([number])


def part(*records):
    return b"".join(varying(kind) + varying(len(data)) + data for kind, data in records)


def wide(text):
    return struct.pack("<I", len(text)) + text.encode("utf-16le")


def xlsb_sheet(formulas):
    """[MS-XLSB] 2.1.7.62: rows (0), numbers (5), formulas with a number (9) or an error (11)."""
    ref = lambda column: struct.pack("<BIH", 0x44, 0, column | 0xC000)  # noqa: E731
    tokens = {"*": ref(0) + ref(1) + b"\x05", "/": ref(0) + struct.pack("<BH", 0x1E, 0) + b"\x06"}
    rows = []
    for number, (value, kind) in enumerate(formulas):
        rows.append((0, struct.pack("<IIH", number, 0, 300) + bytes(7)))
        if number == 0:
            rows += [(5, struct.pack("<IId", column, 0, 6 + column)) for column in (0, 1)]
        stored = struct.pack("<d", value) if value is not None else bytes([DIV_0])
        text = tokens[kind]
        rows.append((9 if value is not None else 11, struct.pack("<II", 2, 0) + stored
                     + struct.pack("<HI", 0, len(text)) + text + struct.pack("<I", 0)))
    return part((129, b""), (145, b""), *rows, (146, b""), (130, b""))


def xlsb(path, formulas):
    relation = f'<Relationships xmlns="{ROOT}/relationships"><Relationship Id="r1" Type="{OFFICE}/%s" Target="%s"/></Relationships>'
    calculation = struct.pack("<IIIdIH", 124519, 1, 100, 0.001, 1, 3)  # fFullCalcOnLoad
    with zipfile.ZipFile(path, "w") as package:
        package.writestr(
            "[Content_Types].xml",
            f'<Types xmlns="{ROOT}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.'
            'relationships+xml"/><Override PartName="/xl/workbook.bin" ContentType="application/vnd.ms-excel.sheet.binary.'
            'macroEnabled.main"/><Override PartName="/xl/worksheets/sheet1.bin" ContentType="application/vnd.ms-excel.worksheet"/></Types>',
        )
        package.writestr("_rels/.rels", relation % ("officeDocument", "xl/workbook.bin"))
        package.writestr("xl/_rels/workbook.bin.rels", relation % ("worksheet", "worksheets/sheet1.bin"))
        package.writestr("xl/workbook.bin", part((131, b""), (143, b""), (156, struct.pack("<II", 0, 1) + wide("r1") + wide("S")),
                                                 (144, b""), (157, calculation), (132, b"")))
        package.writestr("xl/worksheets/sheet1.bin", xlsb_sheet(formulas))


def file_pass():
    """[MS-XLS] 2.4.117: RC4 with a key of the CryptoAPI, without what its header has to have."""
    return record(0x2F, struct.pack("<HHHII", 1, 2, 2, 0, 0) + bytes(20))


def main():
    with open(os.path.join(sys.argv[1], "pass.xls"), "wb") as file:
        file.write(compound({"Workbook": xls_stream([(0, "*")], file_pass())}))
    for name, formulas in (("stale", [(0, "*")]), ("lost", [(0, "*"), (42, "/"), (None, "/")]), ("failed", [(None, "/")])):
        path = os.path.join(sys.argv[1], name)
        with open(f"{path}.xls", "wb") as file:
            file.write(compound({"Workbook": xls_stream(formulas)}))
        xlsb(f"{path}.xlsb", formulas)


main()
