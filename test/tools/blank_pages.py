"""blank_pages OUT KIND...: a PDF with a page for each kind: sheets as a scanner sees them, and drawn pages.
Also makes the scans' noise repeatable: the same kinds make the same file."""
import io
import random
import sys

from PIL import Image, ImageDraw, ImageFilter, ImageFont

sys.path.insert(0, __file__.rpartition("/")[0])
import pdf_builder  # noqa: E402

WIDE, HIGH = 1240, 1754  # A4 at 150 dpi
MM = WIDE / 210


def paper(level=244, noise=5):
    """A sheet that is not quite even, with the noise of a scanner."""
    rng = random.Random(level)
    small = Image.new("L", (WIDE // 4, HIGH // 4))
    small.putdata([level + rng.randint(-noise, noise) for _ in range(small.width * small.height)])
    return small.resize((WIDE, HIGH), Image.BILINEAR)


def box(draw, x, y, w, h, level=30):
    draw.rectangle([x * MM, y * MM, (x + w) * MM, (y + h) * MM], fill=level)


def dusty(sheet, draw):
    rng = random.Random(7)
    for _ in range(40):
        box(draw, rng.uniform(5, 205), rng.uniform(5, 290), 0.5, 0.5, 60)


def holes(sheet, draw):
    for y in (108, 188):
        draw.ellipse([9 * MM, y * MM, 15 * MM, (y + 6) * MM], fill=40)


def shadows(sheet, draw):
    box(draw, 0, 0, 4, 297, 90)
    box(draw, 0, 294, 210, 3, 20)


def uneven(sheet, draw):
    for x in range(WIDE):
        draw.line([x, 0, x, HIGH], fill=250 - x * 90 // WIDE)


def shown_through(sheet, draw):
    text(sheet, draw, level=228)


def text(sheet, draw, level=40):
    font = ImageFont.truetype("/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf", 24)
    for line in range(20):
        draw.text((30 * MM, (40 + 6 * line) * MM), "The quick brown fox jumps over the dog", font=font, fill=level)


def number(sheet, draw):
    font = ImageFont.truetype("/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf", 23)
    draw.text((104 * MM, 280 * MM), "17", font=font, fill=30)


def pencil(sheet, draw):
    draw.line([60 * MM, 120 * MM, 90 * MM, 131 * MM], fill=185, width=4)


def small(sheet, draw):
    font = ImageFont.truetype("/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf", 12)
    draw.text((30 * MM, 280 * MM), "confidential: not to be copied", font=font, fill=30)


def streak(sheet, draw):
    box(draw, 133, 0, 0.3, 297, 120)


def clean(sheet, draw):
    pass


SCANS = {f.__name__: f for f in (clean, dusty, holes, shadows, uneven, shown_through, text, number, pencil, small,
                                 streak)}
DRAWN = {  # content of pages without a picture
    "empty": "",
    "white": "1 g 0 0 595 842 re f 1 1 1 rg BT /F 12 Tf 72 72 Td (white) Tj ET",
    "hidden": "BT 3 Tr /F 12 Tf 72 720 Td (text for a search only) Tj ET",
    "covered": "BT /F 12 Tf 72 720 Td (below) Tj ET 1 g 0 0 595 842 re f",
    "outside": "BT /F 12 Tf 900 720 Td (beyond the edge) Tj ET",
    "tinted": ".9 .95 1 rg 0 0 595 842 re f",
    "dot": "0 g 300 400 1 1 re f",
    "words": "BT /F 10 Tf 300 30 Td (4) Tj ET",
    "black": "0 g 0 0 595 842 re f",
    "on_dark": ".1 .1 .4 rg 0 0 595 842 re f 1 g BT /F 30 Tf 72 400 Td (Part two) Tj ET",
}


def scan(kind):
    sheet = paper()
    SCANS[kind](sheet, ImageDraw.Draw(sheet))
    out = io.BytesIO()
    sheet.filter(ImageFilter.GaussianBlur(0.6)).save(out, "JPEG", quality=70)
    return out.getvalue()


def main(out, kinds):
    objects = pdf_builder.Objects()
    catalog, tree = objects.reserve(), objects.reserve()
    font = objects.add("<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>")
    kids = []
    for kind in kinds:
        scanned, _, stamp = kind.partition("+")  # "clean+words": drawn over a scan
        content = DRAWN.get(scanned, "")
        pictures = ""
        if scanned in SCANS:
            image = objects.add("/Type/XObject/Subtype/Image/Width %d/Height %d/ColorSpace/DeviceGray"
                                "/BitsPerComponent 8/Filter/DCTDecode" % (WIDE, HIGH), scan(scanned))
            pictures = "/XObject<</I %d 0 R>>" % image
            content = "q 595 0 0 842 0 0 cm /I Do Q"
        content = objects.add("", "%s %s" % (content, DRAWN.get(stamp, "")))
        kids.append(objects.add("<</Type/Page/Parent %d 0 R/MediaBox[0 0 595 842]/Contents %d 0 R/Resources<<"
                                "/Font<</F %d 0 R>>%s>>>>" % (tree, content, font, pictures)))
    objects.put(catalog, "<</Type/Catalog/Pages %d 0 R>>" % tree)
    objects.put(tree, "<</Type/Pages/Count %d/Kids[%s]>>" % (len(kids), " ".join("%d 0 R" % k for k in kids)))
    with open(out, "wb") as file:
        file.write(pdf_builder.document(objects))


main(sys.argv[1], sys.argv[2:])
