#!/usr/bin/env python3
"""Writes the samples merge_*.pdf beside this file: small PDFs with all that merging has to keep.

Run it again after a change; the files are committed so that tests need no Python.
"""
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.append(os.path.join(HERE, "../tools"))
from pdf_builder import save, stream


def write(name, objects, version="1.7"):
    """objects: number to text, or to (dictionary text, stream bytes)."""
    made = {number: stream(body[1], body[0]) if isinstance(body, tuple) else body
            for number, body in objects.items()}
    save(os.path.join(HERE, name), made, keys="/Info 2 0 R", version=version.encode())


def rich(tag, font, lang, base_state, labels, role, person, seed):
    """Two pages. Structure, layers, a form, links of every kind, a picture both files have."""
    off = "/BaseState /OFF /ON [ 40 0 R ]" if base_state == "OFF" else "/OFF [ 41 0 R ]"
    o = {
        1: "<< /Type /Catalog /Pages 3 0 R /Outlines 10 0 R /PageMode /UseOutlines"
        " /Names << /Dests 20 0 R /EmbeddedFiles 21 0 R /JavaScript << /Names [ (init) 27 0 R ] >> >>"
        f" /Dests << /old [ 6 0 R /Fit ] >> {labels} /AcroForm 30 0 R /Lang ({lang})"
        f" /OCProperties << /OCGs [ 40 0 R 41 0 R ] /D << {off} /Order [ 40 0 R 41 0 R ] >> >>"
        " /StructTreeRoot 50 0 R /MarkInfo << /Marked true >> >>",
        2: f"<< /Title (Title of {tag}) >>",
        3: "<< /Type /Pages /Count 2 /Kids [ 5 0 R 6 0 R ] /MediaBox [ 0 0 300 200 ]"
        " /Resources 4 0 R >>",
        4: "<< /Font << /F1 7 0 R >> /XObject << /Im 8 0 R /Fm 9 0 R >>"
        " /Properties << /shown 40 0 R /hidden 41 0 R >> >>",
        7: "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
        # The same in both files: a picture that does not compress.
        8: ("/Type /XObject /Subtype /Image /Width 64 /Height 64 /ColorSpace /DeviceGray"
            " /BitsPerComponent 8", noise(64 * 64)),
        9: ("/Type /XObject /Subtype /Form /BBox [ 0 0 10 10 ] /StructParents 7",
            b"/P << /MCID 0 >> BDC 0 0 5 5 re f EMC"),
        10: "<< /Type /Outlines /First 11 0 R /Last 12 0 R /Count 2 >>",
        11: f"<< /Title ({tag} one) /Parent 10 0 R /Next 12 0 R /First 13 0 R /Last 13 0 R"
        " /Count -1 /Dest [ 5 0 R /XYZ 0 200 0 ] >>",
        12: f"<< /Title ({tag} two) /Parent 10 0 R /Prev 11 0 R /A << /S /GoTo /D (chapter) >> >>",
        13: f"<< /Title ({tag} one.one) /Parent 11 0 R /Dest /old >>",
        20: "<< /Names [ (chapter) [ 6 0 R /Fit ] (number) << /D [ 1 /Fit ] >> ] >>",
        21: "<< /Names [ (data.txt) 22 0 R ] >>",
        22: "<< /Type /Filespec /F (data.txt) /UF (data.txt) /EF << /F 23 0 R >> >>",
        23: ("/Type /EmbeddedFile", f"data of {tag}".encode()),
        27: "<< /S /JavaScript /JS (app.beep\\(0\\);) >>",
        30: "<< /Fields [ 31 0 R 32 0 R 35 0 R 36 0 R ] /CO [ 31 0 R ] /DA (/F 10 Tf 0 g)"
        " /DR << /Font << /F 38 0 R >> >> /SigFlags 3 /XFA (<xdp/>) >>",
        31: f"<< /Type /Annot /Subtype /Widget /FT /Tx /T (name) /V (name of {tag})"
        " /Rect [ 10 10 110 30 ] /P 5 0 R /AP << /N 39 0 R >> /StructParent 3 >>",
        32: f"<< /T (person) /Kids [ 33 0 R 34 0 R ] >>",
        33: f"<< /FT /Tx /T ({person}) /V ({person} of {tag}) /Parent 32 0 R /Type /Annot"
        " /Subtype /Widget /Rect [ 10 40 110 60 ] /P 5 0 R /DA (/F 12 Tf 0 g) >>",
        34: f"<< /FT /Tx /T (city) /V (city of {tag}) /Parent 32 0 R /Kids [ 43 0 R 44 0 R ] >>",
        35: f"<< /FT /Sig /T (seal) /V << /Type /Sig /Filter /Adobe.PPKLite /ByteRange [ 0 1 2 3 ]"
        " /Contents <00> >> /Type /Annot /Subtype /Widget /Rect [ 120 10 220 30 ] /P 5 0 R"
        " /AP << /N 39 0 R >> >>",
        36: "<< /FT /Tx /T (secret) /V (unseen) /F 2 /Type /Annot /Subtype /Widget"
        " /Rect [ 120 40 220 60 ] /P 5 0 R /AP << /N 37 0 R >> >>",
        37: ("/Type /XObject /Subtype /Form /BBox [ 0 0 100 20 ] /Resources << /Font << /F 38 0 R >>"
             " >>", b"BT /F 12 Tf 2 5 Td (unseen) Tj ET"),
        38: f"<< /Type /Font /Subtype /Type1 /BaseFont /{font} >>",
        39: ("/Type /XObject /Subtype /Form /BBox [ 0 0 100 20 ] /Resources << /Font << /F 38 0 R >>"
             " >>", f"BT /F 12 Tf 2 5 Td (look of {tag}) Tj ET".encode()),
        40: f"<< /Type /OCG /Name (shown) >>",
        41: f"<< /Type /OCG /Name (hidden) >>",
        43: "<< /Type /Annot /Subtype /Widget /Parent 34 0 R /Rect [ 10 70 110 90 ] /P 5 0 R >>",
        44: "<< /Type /Annot /Subtype /Widget /Parent 34 0 R /Rect [ 10 70 110 90 ] /P 6 0 R >>",
        50: "<< /Type /StructTreeRoot /K [ 51 0 R 52 0 R ] /ParentTree << /Nums [ 0 [ 53 0 R ]"
        " 1 [ 54 0 R ] 3 55 0 R 7 [ 56 0 R ] ] >> /ParentTreeNextKey 8"
        f" /RoleMap << /Body /{role} /P /Span >> /IDTree << /Names [ (id1) 53 0 R ] >>"
        f" /ClassMap << /Wide << /O /Layout /Width {seed} >> >> >>",
        51: "<< /Type /StructElem /S /Document /P 50 0 R /K [ 53 0 R 55 0 R ] >>",
        52: "<< /Type /StructElem /S /Document /P 50 0 R /K [ 54 0 R 56 0 R ] >>",
        53: f"<< /Type /StructElem /S /Body /P 51 0 R /Pg 5 0 R /K 0 /ID (id1) /C /Wide"
        f" /Alt ({tag} alternative) >>",
        54: "<< /Type /StructElem /S /P /P 52 0 R /Pg 6 0 R /K 0"
        " /A << /O /Table /Headers [ (id1) ] >> >>",
        55: "<< /Type /StructElem /S /Form /P 51 0 R /Pg 5 0 R"
        " /K << /Type /OBJR /Obj 31 0 R >> >>",
        56: "<< /Type /StructElem /S /Figure /P 52 0 R /Pg 6 0 R"
        " /K << /Type /MCR /Stm 9 0 R /MCID 0 >> >>",
        60: "<< /Type /Annot /Subtype /Link /Rect [ 10 100 60 120 ] /Dest [ 6 0 R /Fit ] >>",
        61: "<< /Type /Annot /Subtype /Link /Rect [ 70 100 120 120 ] /Dest (chapter) >>",
        62: "<< /Type /Annot /Subtype /Link /Rect [ 130 100 180 120 ] /A << /S /URI /URI (http://e/)"
        " /Next << /S /GoTo /D /old >> >> >>",
        63: "<< /Type /Annot /Subtype /Link /Rect [ 190 100 240 120 ] /Dest (nowhere) >>",
        64: "<< /Type /Annot /Subtype /Link /Rect [ 250 100 290 120 ] /A << /S /GoToE"
        " /T << /R /C /N (data.txt) >> >> >>",
        65: "<< /Type /Annot /Subtype /Link /Rect [ 250 10 290 30 ] /A << /S /Hide /T (name) >> >>",
    }
    for i, page in enumerate((5, 6)):
        annots = "60 0 R 61 0 R 62 0 R 63 0 R 64 0 R 65 0 R 31 0 R 33 0 R 35 0 R 36 0 R 43 0 R"
        o[page] = (f"<< /Type /Page /Parent 3 0 R /Contents {70 + i} 0 R /StructParents {i}"
                   f" /Annots [ {annots if i == 0 else '44 0 R'} ] >>")
        o[70 + i] = ("", f"/P << /MCID 0 >> BDC BT /F1 18 Tf 10 160 Td ({tag} page {i + 1}) Tj ET EMC"
                     " q 40 0 0 40 240 140 cm /Im Do Q /Fm Do"
                     " /OC /hidden BDC BT /F1 18 Tf 150 160 Td (hidden) Tj ET EMC Q q".encode())
    return o


def noise(n):
    out = bytearray()
    x = 1
    for _ in range(n):
        x = (x * 1103515245 + 12345) & 0x7FFFFFFF
        out.append(x >> 16 & 0xFF)
    return bytes(out)


write("merge_one.pdf", rich("one", "Courier", "en", "ON", "", "Sect", "first", 10))
write("merge_two.pdf", rich("two", "Times-Roman", "de", "OFF",
                            "/PageLabels << /Nums [ 1 << /S /r >> ] >>", "Div", "last", 20))

# Everything that goes round in circles: outline, name tree, fields, structure, annotations.
write("merge_loops.pdf", {
    1: "<< /Type /Catalog /Pages 3 0 R /Outlines 4 0 R /Names << /Dests 8 0 R >> /AcroForm <<"
    " /Fields [ 9 0 R ] >> /StructTreeRoot 12 0 R >>",
    2: "<< >>",
    3: "<< /Type /Pages /Count 1 /Kids [ 14 0 R ] >>",
    4: "<< /First 5 0 R /Last 6 0 R >>",
    5: "<< /Title (a) /Next 6 0 R /First 5 0 R /Last 5 0 R /Parent 4 0 R >>",
    6: "<< /Title (b) /Next 5 0 R /Prev 5 0 R /Parent 4 0 R /First 4 0 R >>",
    8: "<< /Kids [ 8 0 R 8 0 R ] /Names [ (x) [ 14 0 R /Fit ] ] >>",
    9: "<< /T (f) /Kids [ 10 0 R 9 0 R ] >>",
    10: "<< /T (g) /Parent 9 0 R /Kids [ 9 0 R 10 0 R ] >>",
    12: "<< /Type /StructTreeRoot /K 13 0 R /ParentTree << /Kids [ 12 0 R ] /Nums [ 0 13 0 R ] >>"
    " /RoleMap << /A /B /B /A >> >>",
    13: "<< /S /A /P 12 0 R /K [ 13 0 R 12 0 R ] >>",
    14: "<< /Type /Page /Parent 3 0 R /MediaBox [ 0 0 100 100 ] /Annots [ 15 0 R 15 0 R ]"
    " /StructParents 0 >>",
    15: "<< /Type /Annot /Subtype /Link /Rect [ 0 0 9 9 ] /A 16 0 R /Popup 15 0 R >>",
    16: "<< /S /GoTo /D (x) /Next [ 16 0 R 17 0 R ] >>",
    17: "<< /S /GoTo /D [ 0 /Fit ] /Next 16 0 R >>",
})
