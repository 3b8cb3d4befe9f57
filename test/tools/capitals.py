"""capitals.py FILE: text whose ToUnicode says of the capitals H and N that they are small letters."""

import sys

from pdf_builder import save, stream

CMAP = b"""/CIDInit /ProcSet findresource begin 12 dict begin begincmap /CMapName /C def /CMapType 2 def
1 begincodespacerange <00> <FF> endcodespacerange
2 beginbfchar <48> <0068> <4E> <006E> endbfchar
1 beginbfrange <61> <7A> <0061> endbfrange
endcmap end end"""
TEXT = b"BT /F 12 Tf 50 700 Td (Hungary) Tj 0 -20 Td (Netherlands) Tj ET"
OBJECTS = [
    b"<</Type/Catalog/Pages 2 0 R>>",
    b"<</Type/Pages/Count 1/Kids[3 0 R]>>",
    b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 400 740]/Contents 4 0 R/Resources<</Font<</F 5 0 R>>>>>>",
    stream(TEXT),
    b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding/ToUnicode 6 0 R>>",
    stream(CMAP),
]
save(sys.argv[1], OBJECTS)
