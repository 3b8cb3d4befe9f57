"""capitals.py FILE: text whose ToUnicode says of the capitals H and N that they are small letters."""

import sys

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
    b"<</Length %d>>stream\n%s\nendstream" % (len(TEXT), TEXT),
    b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding/ToUnicode 6 0 R>>",
    b"<</Length %d>>stream\n%s\nendstream" % (len(CMAP), CMAP),
]
data, places = b"%PDF-1.7\n", []
for number, body in enumerate(OBJECTS, 1):
    places.append(len(data))
    data += b"%d 0 obj\n%s\nendobj\n" % (number, body)
table = b"".join(b"%010d 00000 n \n" % place for place in places)
data += b"xref\n0 %d\n0000000000 65535 f \n%strailer<</Size %d/Root 1 0 R>>\nstartxref\n%d\n%%%%EOF\n" % (
    len(places) + 1, table, len(places) + 1, len(data))
with open(sys.argv[1], "wb") as file:
    file.write(data)
