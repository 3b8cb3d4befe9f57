"""list_boxes.py LISTS DOUBLED PAGES: three documents. LISTS: list boxes that show three options; values are among them, scrolled
out of view, or both; and a push button that no appearance draws, and a
check box. DOUBLED: the catalog has a key twice, and so has each page. PAGES: the page tree has /Kids twice, and the last has
fewer pages."""

import sys

from pdf_builder import save, stream

FONT = b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>"
CATALOG = b"<</Type/Catalog/Pages 2 0 R%s>>"
PAGE = b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 400 400]%s/Contents 4 0 R/Resources<</Font<</F 5 0 R>>>>>>"
BOX = b"<</Type/Annot/Subtype/Widget/F 4/FT/Ch/T(%s)/Rect[20 %d 220 %d]/P 3 0 R%s/AP<</N 6 0 R>>>>"
LINES = stream("BT /F 12 Tf 20 350 Td (The fruit that was chosen from the list:) Tj "
               "0 -150 Td (The signature of the buyer is below.) Tj ET")


def lists(path):
    seen = stream("BT /F 12 Tf 14 TL 4 36 Td (Apples) Tj T* (Berries) Tj T* (Cherries) Tj ET",
                  "/Type/XObject/Subtype/Form/BBox[0 0 200 50]/Resources<</Font<</F 5 0 R>>>>")
    save(path, [
        CATALOG % b"/AcroForm<</DR<</Font<</F 5 0 R>>>>/DA(/F 12 Tf 0 g)/Fields[7 0 R 8 0 R 9 0 R 10 0 R]>>",
        b"<</Type/Pages/Count 1/Kids[3 0 R]>>",
        PAGE % b"/Annots[7 0 R 8 0 R 9 0 R 10 0 R]", LINES, FONT, seen,
        BOX % (b"several", 280, 330, b"/Ff 2097152/V[(q)(b)]/Opt[[(a)(Apples)][(b)(Berries)][(c)(Cherries)][(q)(Quinces)]]"),
        BOX % (b"one", 220, 270, b"/V(Cherries)/Opt[(Apples)(Berries)(Cherries)(Dates)]"),
        b"<</Type/Annot/Subtype/Widget/F 4/FT/Btn/Ff 65536/T(push)/Rect[240 280 320 300]/P 3 0 R/MK<</CA(Send now)>>>>",
        b"<</Type/Annot/Subtype/Widget/F 4/FT/Btn/T(check)/Rect[240 240 256 256]/P 3 0 R/V/Yes/AS/Yes/AP<</N<</Yes 11 0 R/Off 11 0 R>>>>>>",
        stream("BT /F 12 Tf 4 4 Td (X) Tj ET", "/Type/XObject/Subtype/Form/BBox[0 0 16 16]/Resources<</Font<</F 5 0 R>>>>"),
    ])


lists(sys.argv[1])
save(sys.argv[2], [CATALOG % b"/Lang(en)/Lang(de)", b"<</Type/Pages/Count 1/Kids[3 0 R]>>",
                   PAGE % b"/MediaBox[0 0 300 400]", LINES, FONT])
save(sys.argv[3], [CATALOG % b"", b"<</Type/Pages/Count 2/Kids[3 0 R 6 0 R]/Kids[3 0 R]>>", PAGE % b"", LINES, FONT, PAGE % b""])
