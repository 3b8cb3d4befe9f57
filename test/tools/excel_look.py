"""Says what is in a workbook: excel_look.py XLSX WHAT [CELL]."""

import datetime
import sys

import openpyxl

book = openpyxl.load_workbook(sys.argv[1])
sheet = book.worksheets[0]


def show(cell):
    value = cell.value
    if isinstance(value, datetime.datetime):
        return value.date().isoformat()
    if value is None:
        return ""
    # A text that could be taken for a number or a date is shown as a text.
    return repr(value) if isinstance(value, str) and not value.isalpha() else str(value)


print({
    "rows": lambda: "; ".join(f"{s.title}: " + " / ".join("|".join(map(show, row)) for row in s.iter_rows())
                              for s in book),
    "size": lambda: ", ".join(f"{s.title} {s.max_row}x{s.max_column}" for s in book),
    "format": lambda: sheet[sys.argv[3]].number_format,
    "frozen": lambda: sheet.freeze_panes,
    "bold": lambda: " ".join(c.coordinate for row in sheet.iter_rows() for c in row if c.font.b),
    "first": lambda: show(sheet["A1"]),
}[sys.argv[2]]())
