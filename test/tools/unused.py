"""unused.py FILE [KIND]: a PDF of two pages whose resources name more than they draw.

KIND "broken": a form on the page cannot be read, so that nothing is known to be unused; "outer":
a form without an image of its own names one of the page's; "form": a field may use the font.
"""

import random
import sys

from pdf_builder import Objects, save

kind = sys.argv[2] if len(sys.argv) > 2 else ""
chance = random.Random(24)
objects = Objects()
add = objects.add


def picture():
    return add(b"/Type/XObject/Subtype/Image/Width 40/Height 40/ColorSpace/DeviceGray"
               b"/BitsPerComponent 8", bytes(chance.randrange(256) for _ in range(1600)))


shown, unused, outer = picture(), picture(), picture()
broken = b"/Filter/FlateDecode" if kind == "broken" else b""
content = b"not deflated at all" if kind == "broken" else b"/O Do"
form = add(b"/Type/XObject/Subtype/Form/BBox[0 0 1 1]/Resources<</ProcSet[/PDF]>>" + broken,
           content)
font = add(b"<</Type/Font/Subtype/Type1/BaseFont/Courier>>")
resources = add(b"<</XObject<</A %d 0 R/U %d 0 R/O %d 0 R/F %d 0 R>>/Font<</T %d 0 R>>>>"
                % (shown, unused, outer, form, font))
draw = b"q 40 0 0 40 9 9 cm /A Do Q"
if kind in ("outer", "broken"):
    draw += b" /F Do"
page = b"<</Type/Page/Parent %d 0 R/MediaBox[0 0 99 99]/Contents %d 0 R/Resources %d 0 R>>"
contents = add(b"", draw)
pages = len(objects) + 3
add(page % (pages, contents, resources))
add(page % (pages, contents, resources))
add(b"<</Type/Pages/Count 2/Kids[%d 0 R %d 0 R]>>" % (pages - 2, pages - 1))
fields = b"/AcroForm<</Fields[]/DR<</Font<</T %d 0 R>>>>>>" % font if kind == "form" else b""
root = add(b"<</Type/Catalog/Pages %d 0 R%s>>" % (pages, fields))

save(sys.argv[1], objects, root, version=b"1.5")
