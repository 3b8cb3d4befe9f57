"""redact_read_pages: documents whose texts are typed, in pictures or both, into the folder of the first argument."""
import os
import sys
import zlib

from PIL import Image, ImageDraw, ImageFont
from pdf_builder import Objects, save

FOLDER = sys.argv[1]
FONT = "/usr/share/fonts/truetype/dejavu/DejaVuSerif.ttf"
WIDE, HIGH, DPI = 420, 300, 200  # of a page in points, and of pictures


def picture(*lines, size=16, turn=0.0):
    """A scan of a page: lines are (x, y of the baseline from the bottom, text) in points."""
    scale = DPI / 72
    image = Image.new("L", (round(WIDE * scale), round(HIGH * scale)), 255)
    font = ImageFont.truetype(FONT, round(size * scale))
    for x, y, text in lines:
        ImageDraw.Draw(image).text((x * scale, (HIGH - y) * scale), text, font=font, fill=0, anchor="ls")
    return image.rotate(turn, fillcolor=255, resample=Image.BICUBIC) if turn else image


def write(name, *pages, rotate=0, size=(WIDE, HIGH)):
    """Pages are (content of text in Helvetica, picture or None)."""
    pdf = Objects()
    tree, kids = pdf.reserve(), []
    font = pdf.add("<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>")
    for text, image in pages:
        shown, names = text, ""
        if image:
            number = pdf.add("/Type/XObject/Subtype/Image/Width %d/Height %d/ColorSpace/DeviceGray/BitsPerComponent 8"
                             "/Filter/FlateDecode" % image.size, zlib.compress(image.tobytes()))
            names = f"/XObject<</I {number} 0 R>>"
            shown = f"q {WIDE} 0 0 {HIGH} 0 0 cm /I Do Q {text}"
        content = pdf.add("", shown)
        kids.append(pdf.add(f"<</Type/Page/Parent {tree} 0 R/MediaBox[0 0 {size[0]} {size[1]}]/Rotate {rotate}/Contents {content} 0 R"
                            f"/Resources<</Font<</F {font} 0 R>>{names}>>>>"))
    pdf.put(tree, f"<</Type/Pages/Count {len(kids)}/Kids[{' '.join(f'{kid} 0 R' for kid in kids)}]>>")
    save(os.path.join(FOLDER, name), pdf, pdf.add(f"<</Type/Catalog/Pages {tree} 0 R>>"))


def typed(*lines, mode=0, size=16):
    return " ".join(f"BT {mode} Tr /F {size} Tf {x} {y} Td ({text}) Tj ET" for x, y, text in lines)


HARBOUR = [(40, 250, "The harbour master wrote down the name"), (40, 220, "of each vessel that was there, and"),
           (40, 190, "Captain Meier kept this list of boats"), (40, 160, "with the accounts of the town until")]
OTHER = [(40, 250, "Nothing is written here that anyone"), (40, 220, "would want to remove from this page")]

write("typed.pdf", (typed(*HARBOUR), None), (typed(*OTHER), None))
write("both.pdf", (typed(*HARBOUR), None), (typed(*HARBOUR), None))
# The name is typed on the first page, and in a picture on the second.
write("pictured.pdf", (typed(*HARBOUR), None), (typed((40, 80, "typed below")), picture(*HARBOUR[:3])))
# A scan whose text layer is misplaced by two lines.
write("misplaced.pdf", (typed(*[(x, y - 60, text) for x, y, text in HARBOUR], mode=3), picture(*HARBOUR)))
write("layered.pdf", (typed(*HARBOUR, mode=3), picture(*HARBOUR)))
# Names that are read as the removed one if they are read carelessly, and the name twice.
write("similar.pdf", (typed(*HARBOUR, (40, 120, "Mr Meler and Mrs Maier, and the Meters")), None))
write("twice.pdf", (typed(*HARBOUR, (40, 120, "and Captain Meier signed it again")), None))
write("scan.pdf", ("", picture(*HARBOUR)), ("", picture(*OTHER)))
write("skewed.pdf", ("", picture(*HARBOUR, turn=2.0)))
write("sideways.pdf", ("", picture(*HARBOUR)), rotate=90)
write("many.pdf", *[(typed((5, 10, "Mr Meier")), None)] * 101, size=(90, 30))
