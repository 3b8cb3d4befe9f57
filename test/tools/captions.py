"""captions.py OUT: check boxes with texts in them: a word, ticked and not; a letter, not ticked; and the X that ticks one."""

import sys

from pdf_builder import save, stream

BOX = "<</Type/Annot/Subtype/Widget/F 4/FT/Btn/T(b%d)/Rect[20 %d 50 %d]/P 3 0 R/V/%s/AS/%s/AP<</N<</Yes %d 0 R/Off %d 0 R>>>>>>"
LOOK = "/Type/XObject/Subtype/Form/BBox[0 0 30 14]/Resources<</Font<</F 5 0 R>>>>"


def box(y, state, look):
    return BOX % (y, y, y + 14, state, state, look, look)


save(sys.argv[1], [
    "<</Type/Catalog/Pages 2 0 R/AcroForm<</Fields[6 0 R 7 0 R 8 0 R 9 0 R]>>>>", "<</Type/Pages/Kids[3 0 R]/Count 1>>",
    "<</Type/Page/Parent 2 0 R/MediaBox[0 0 400 400]/Contents 4 0 R/Annots[6 0 R 7 0 R 8 0 R 9 0 R]/Resources<</Font<</F 5 0 R>>>>>>",
    stream("BT /F 12 Tf 20 350 Td (What is wanted is ticked below this line:) Tj ET"),
    "<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>",
    box(300, "Yes", 10), box(260, "Off", 10), box(220, "Off", 11), box(180, "Yes", 12),
    *(stream(f"BT /F 10 Tf 4 4 Td ({text}) Tj ET", LOOK) for text in ("Milk", "B", "X")),
])
