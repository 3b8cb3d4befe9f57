#!/usr/bin/env python3
"""Writes boxes.pdf beside this file; README.md says what it holds."""
from make import FONT, Pdf


def boxes():
    """Pages that are shown in ways that are easily got wrong; the text says in which."""
    pdf = Pdf()
    root, tree, turned, font = pdf.reserve(), pdf.reserve(), pdf.reserve(), pdf.add(FONT)
    indirect = pdf.add("[-50 0 350 800.5]")
    form = pdf.stream("0 1 0 rg 0 0 9 9 re f", "/Type/XObject/Subtype/Form/BBox[0 0 9 9]")
    resources = pdf.add(f"<</Font<</F1 {font} 0 R>>/XObject<</Fm {form} 0 R>>>>")
    kids = []

    def page(says, entries, before="", after="", parent=tree, contents=None, x=100, y=200):
        if contents is None:
            contents = pdf.stream(f"{before} BT /F1 20 Tf {x} {y} Td ({says}) Tj ET {after}")
            contents = f"{contents} 0 R"
        number = pdf.add(f"<</Type/Page/Parent {parent} 0 R{entries}"
                         + (f"/Contents {contents}" if contents else "") + ">>")
        if parent == tree:
            kids.append(number)
        return number

    page("offset crop", "/CropBox[60 100 260 380]")
    page("offset crop, turned", "/MediaBox[-100 -200 300 400]/CropBox[0 50 250 350]/Rotate 90",
         x=20, y=100)
    page("two points a unit", "/UserUnit 2/CropBox[50 50 250 350]/Rotate 270")
    page("crop beyond media", "/CropBox[100 -99 310 300]")
    page("corners swapped", "/MediaBox[300 400 0 0]/CropBox[250 300 50 100]/Rotate 180")
    page("media indirect", f"/MediaBox {indirect} 0 R")
    page("q left open", "", before="q 0.5 0 0 0.5 40 90 cm q 0 1 -1 0 0 0 cm", x=300, y=-100)
    page("Q too often", "", before="Q Q q 1 0 0 1 9 9 cm", after="Q Q Q 0 2 -2 0 70 60 cm Q")
    page("clipped", "", after="0 0 1 1 re W n 7 Tr 5 Tz")
    page("", "", contents="")
    same = pdf.stream("BT /F1 20 Tf 20 200 Td (the same) Tj ET /Fm Do")
    for _ in range(2):
        page("", "", contents=f"{same} 0 R")
    parts = [pdf.stream("q BT /F1 20 Tf 30 200 Td (cut in "), pdf.stream("two) Tj ET Q")]
    page("", "", contents=f"[{parts[0]} 0 R {parts[1]} 0 R]")
    page("names taken", f"/Resources<</Font<</F1 {font} 0 R>>/XObject<<"
         + "".join(f"/{name}{n} {form} 0 R" for name in ("Watermark", "PageNumber")
                   for n in range(40)) + ">>>>", after="/Watermark0 Do")
    inner = page("inherited turn", "", parent=turned)
    pdf.put(turned, f"<</Type/Pages/Parent {tree} 0 R/Rotate -90/Count 1/Kids[{inner} 0 R]"
                    f"/CropBox[10 20 210 320]>>")
    kids.append(turned)
    pdf.put(tree, f"<</Type/Pages/Count {len(kids)}/MediaBox[0 0 300 400]/Resources {resources} 0 R"
                  f"/Kids[{' '.join(f'{k} 0 R' for k in kids)}]>>")
    pdf.put(root, f"<</Type/Catalog/Pages {tree} 0 R>>")
    pdf.write("boxes.pdf", root)


if __name__ == "__main__":
    boxes()
