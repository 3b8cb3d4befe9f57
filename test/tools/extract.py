"""extract.py make FOLDER: documents whose words are at known places.
extract.py judge JSON PDF: how many words of pdftotext -bbox `extract` has, each edge within 1 point: "N of N"; else
    the first that it has not.
extract.py ask JSON EXPRESSION: an expression about the result, which is called d, its first page p.
"""
import html
import json
import os
import re
import subprocess
import sys

from pdf_builder import save, stream

KEYS = "/Type/Page/Parent 2 0 R/Resources<</Font<</F 3 0 R/B 4 0 R/T 5 0 R/O 7 0 R>>>>"
ODD = "/Type/FontDescriptor/FontName/Odd/Flags 32/Ascent 0/Descent 0/CapHeight 0/ItalicAngle 0/StemV 80/FontBBox[0 0 1 1]"
# Upright, condensed, raised and turned text, in fonts with and without a descriptor.
SHOWN = (
    "BT /F 12 Tf 60 250 Td (Plain words in Helvetica) Tj ET "
    "BT /B 20 Tf 60 220 Td (Large words) Tj ET "
    "BT /T 9 Tf 60 Tz 60 200 Td (Condensed words) Tj ET "
    "BT /T 11 Tf 60 180 Td (raised) Tj 5 Ts /T 7 Tf (2) Tj ET "
    "BT 100 Tz /O 14 Tf 60 150 Td (Odd) Tj ET "
    "BT /F 10 Tf 0 1 -1 0 40 100 Tm (upwards) Tj ET "
    "1 0 0 rg BT /F 10 Tf 220 100 Td (red) Tj ET")
SIDEWAYS = " ".join(f"BT /F 10 Tf 0 1 -1 0 {80 + 14 * n} 60 Tm (Line {n} of a page that is sideways) Tj ET" for n in range(12))


def place(folder):
    """Pages with each rotation, with boxes that do not begin at 0, one with its own unit; one that is a poster."""
    pages = [f"/MediaBox[-20 10 420 330]/CropBox[10 30 400 310]/Rotate {turn}" for turn in (0, 90, 180, 270)]
    pages += ["/MediaBox[0 0 400 300]", "/MediaBox[0 0 3000 2400]"]
    contents = [SHOWN] * 4 + [SIDEWAYS, "BT /F 100 Tf 300 1800 Td (A poster) Tj ET"]
    objects = ["<</Type/Catalog/Pages 2 0 R>>", None, "<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>",
               "<</Type/Font/Subtype/Type1/BaseFont/Times-Bold>>", "<</Type/Font/Subtype/Type1/BaseFont/Courier>>", f"<<{ODD}>>",
               "<</Type/Font/Subtype/TrueType/BaseFont/Odd/FontDescriptor 6 0 R/FirstChar 32/LastChar 126/Widths["
               + "600 " * 95 + "]>>"]
    kids = []
    for page, content in zip(pages, contents):
        objects.append(stream(content))
        objects.append(f"<<{KEYS}{page}/Contents {len(objects)} 0 R>>")
        kids.append(f"{len(objects)} 0 R")
    objects[1] = f"<</Type/Pages/Count {len(kids)}/Kids[{' '.join(kids)}]>>"
    save(os.path.join(folder, "places.pdf"), objects)


def to_unicode(first, text):
    """A map from the codes from `first` on to the characters of the text."""
    ranges = " ".join(f"<{first + n:02x}><{ord(c):04x}>" for n, c in enumerate(text))
    return stream("/CIDInit/ProcSet findresource begin 12 dict begin begincmap/CMapName/M def/CMapType 2 def "
                  f"1 begincodespacerange<00><ff>endcodespacerange {len(text)} beginbfchar {ranges} endbfchar "
                  "endcmap end end")


def languages(folder):
    """Words in languages that the catalogue, elements, marked content and the script state; and hidden ones."""
    scripts = "\uc11c\uc6b8\u041c\u043e\u0441\u043a\u0432\u0430"
    content = ("BT /F 12 Tf 50 250 Td /P<</MCID 0>>BDC (plain) Tj EMC 0 -20 Td /P<</MCID 1>>BDC (Wort) Tj "
               "/Span<</Lang(it-IT)>>BDC ( parola) Tj EMC EMC 0 -20 Td /Span<</Lang(fr_CA)>>BDC (mot) Tj EMC "
               "/Span<</Lang()>>BDC ( xyz) Tj EMC /Span<</Lang(not a tag)>>BDC ( odd) Tj EMC "
               "0 -20 Td /U 12 Tf (AB) Tj 0 -20 Td (CDEFGH) Tj 0 -20 Td /F 12 Tf 3 Tr (unseen) Tj ET")
    objects = ["<</Type/Catalog/Pages 2 0 R/Lang(en_GB)/MarkInfo<</Marked true>>/StructTreeRoot 8 0 R>>",
               "<</Type/Pages/Count 1/Kids[3 0 R]>>",
               "<</Type/Page/Parent 2 0 R/MediaBox[0 0 400 300]/Contents 4 0 R/StructParents 0"
               "/Resources<</Font<</F 5 0 R/U 6 0 R>>>>>>",
               stream(content), "<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>",
               "<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding/ToUnicode 7 0 R>>",
               to_unicode(ord("A"), scripts), "<</Type/StructTreeRoot/K 9 0 R/ParentTree 12 0 R>>",
               "<</Type/StructElem/S/Document/P 8 0 R/K[10 0 R 11 0 R]>>",
               "<</Type/StructElem/S/P/P 9 0 R/Pg 3 0 R/K 0>>",
               "<</Type/StructElem/S/P/P 9 0 R/Pg 3 0 R/Lang(de)/K 1>>", "<</Nums[0[10 0 R 11 0 R]]>>"]
    save(os.path.join(folder, "languages.pdf"), objects)
    objects[0] = "<</Type/Catalog/Pages 2 0 R>>"
    save(os.path.join(folder, "unstated.pdf"), objects)


def loop(folder):
    """An outline that goes in circles."""
    save(os.path.join(folder, "loop.pdf"), [
        "<</Type/Catalog/Pages 2 0 R/Outlines 4 0 R>>", "<</Type/Pages/Count 1/Kids[3 0 R]>>",
        "<</Type/Page/Parent 2 0 R/MediaBox[0 0 100 100]>>", "<</First 5 0 R/Last 6 0 R>>",
        "<</Title(One)/Next 6 0 R/First 5 0 R>>", "<</Title(Two)/Next 5 0 R>>"])


def judge(result, path):
    found = json.load(open(result, encoding="utf-8"))
    shown = subprocess.run(["pdftotext", "-bbox", "-cropbox", path, "-"], capture_output=True, check=True).stdout.decode()
    pages = re.findall(r"<page .*?</page>", shown, re.S)
    good = total = 0
    for page, own in zip(pages, found["pages"]):
        mine = [(word["text"], word["box"]) for word in own["words"]]
        for word in re.findall(r'<word xMin="(\S+)" yMin="(\S+)" xMax="(\S+)" yMax="(\S+)">(.*?)</word>', page):
            total += 1
            box, text = [float(v) for v in word[:4]], html.unescape(word[4])
            if any(t == text and max(abs(a - b) for a, b in zip(box, other)) <= 1 for t, other in mine):
                good += 1
            elif good + 1 == total:
                near = [w for w in mine if w[0] == text]
                print(f"page {own['page']}: {text} at {box}, found {near}")
                return
    print(f"{good} of {total}")


def main():
    if sys.argv[1] == "make":
        place(sys.argv[2])
        loop(sys.argv[2])
        languages(sys.argv[2])
    elif sys.argv[1] == "judge":
        judge(sys.argv[2], sys.argv[3])
    else:
        d = json.load(open(sys.argv[2], encoding="utf-8"))
        p = d["pages"][0] if d.get("pages") else None
        print(eval(sys.argv[3], {"d": d, "p": p}))


main()
