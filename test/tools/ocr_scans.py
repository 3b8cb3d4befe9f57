"""Writes scans for the test of ocr into the folder of the first argument: PDF files of pictures of text, and
words.txt with the places of some words."""
import io
import os
import subprocess
import sys

from PIL import Image, ImageChops, ImageDraw, ImageFilter, ImageFont

FOLDER = sys.argv[1]
FONT = "/usr/share/fonts/truetype/dejavu/DejaVuSerif.ttf"
DPI = 300
SIZE = (1654, 1169)  # of a page: A5 across at 200 dpi, drawn at 300

ENGLISH = ["The quick harbour master wrote down the name of",
           "each vessel that was there in the morning, and",
           "this list of boats was kept with the accounts of",
           "the town for more than seventy years, until it",
           "was lost to water in the flood of the year 1953."]
GERMAN = ["Der Hafenmeister schrieb für das Amt die Größe",
          "und den Namen jedes Schiffes auf, das nicht in",
          "der Stadt gebaut war, und die Liste ist mit den",
          "Büchern über die Straßen und Brücken in einem",
          "Schrank geblieben, der nach dem Krieg verkauft war."]


def page(lines, size=50):
    picture = Image.new("L", SIZE, 255)
    font = ImageFont.truetype(FONT, size)
    draw = ImageDraw.Draw(picture)
    for i, line in enumerate(lines):
        draw.text((120, 150 + i * 2 * size), line, font=font, fill=0)
    return picture


def save(name, *pictures):
    pictures[0].save(os.path.join(FOLDER, name), resolution=DPI, quality=90, save_all=True,
                     append_images=pictures[1:])


def places(lines, size=50):
    """The left and right edge of each word in points, by its line."""
    font = ImageFont.truetype(FONT, size)
    with open(os.path.join(FOLDER, "words.txt"), "w", encoding="utf-8") as out:
        for i, line in enumerate(lines):
            baseline = 150 + i * 2 * size + font.getmetrics()[0]
            at = 0
            for word in line.split(" "):
                left = 120 + font.getlength(line[:at])
                right = left + font.getlength(word)
                print(word, left * 72 / DPI, right * 72 / DPI, baseline * 72 / DPI, file=out)
                at += len(word) + 1


english, german = page(ENGLISH), page(GERMAN)
noise = Image.effect_noise((3000, 3000), 120)
save("scan.pdf", english, page(reversed(ENGLISH)))
save("german.pdf", german)
save("upside-down.pdf", english.rotate(180))
save("few-upside-down.pdf", page(ENGLISH[2:4]).rotate(180))
save("on-its-side.pdf", english.rotate(90, expand=True))
save("skewed.pdf", english.rotate(3, expand=True, fillcolor=255, resample=Image.BICUBIC))
grain = Image.effect_noise(SIZE, 12)
paper = Image.merge("RGB", [ImageChops.add(english.point(lambda level: level * tint // 255), grain, offset=-128) for tint in (250, 238, 205)])
for x in range(0, 300, 3):  # a photograph
    ImageDraw.Draw(paper).rectangle((900 + x, 750, 902 + x, 1050), fill=(40 + x // 2, 200 - x // 2, 90))
ImageDraw.Draw(paper).line((120, 1000, 700, 900), fill=(30, 60, 160), width=4)  # a stroke of a pen
save("paper.pdf", paper)
save("skewed-on-its-side.pdf", english.rotate(93, expand=True, fillcolor=255, resample=Image.BICUBIC))
pale = english.point(lambda level: 170 + level * 50 // 255).filter(ImageFilter.GaussianBlur(0.7))
save("faded.pdf", ImageChops.add(pale, Image.effect_noise(SIZE, 18), offset=-128))
save("blank.pdf", Image.new("L", SIZE, 255))
save("noise.pdf", noise)
save("dot.pdf", Image.new("L", (1, 1), 0))
english.save(os.path.join(FOLDER, "photo.jpg"), quality=90)
english.save(os.path.join(FOLDER, "scan.png"), dpi=(DPI, DPI))
english.save(os.path.join(FOLDER, "pages.tif"), dpi=(DPI, DPI), save_all=True, append_images=[page(reversed(ENGLISH))])
places(ENGLISH)
for name, words in (("turned.pdf", ["--rotate=+90:1"]),
                    ("locked.pdf", ["--encrypt", "open", "owner", "256", "--"])):
    subprocess.run(["qpdf", os.path.join(FOLDER, "scan.pdf"), *words, os.path.join(FOLDER, name)], check=True)


def annotate(name, result):
    """Adds a link to the first page."""
    text = subprocess.run(["qpdf", "--qdf", "--object-streams=disable", os.path.join(FOLDER, name), "-"], capture_output=True, check=True).stdout
    link = b"/Annots [ << /Type /Annot /Subtype /Link /Rect [ 9 9 99 99 ] /Border [ 0 0 0 ] /A << /S /URI /URI (https://example.com/) >> >> ] /Type /Page\n"
    with open(os.path.join(FOLDER, "annotated.qdf"), "wb") as out:
        out.write(text.replace(b"/Type /Page\n", link, 1))
    fixed = subprocess.run(["fix-qdf", os.path.join(FOLDER, "annotated.qdf")], capture_output=True, check=True).stdout
    with open(os.path.join(FOLDER, result), "wb") as out:
        out.write(fixed)


annotate("skewed.pdf", "skewed-annotated.pdf")


def pdf(name, content, forms=(), *, size=(397, 281)):
    """A page with a scan as /Im, and form XObjects /Fm0, /Fm1: what other programs write."""
    jpeg = io.BytesIO()
    english.save(jpeg, "JPEG", quality=90)
    font = b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>"
    objects = [b"<</Type/Catalog/Pages 2 0 R>>", b"<</Type/Pages/Kids[3 0 R]/Count 1>>",
               b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 %d %d]/Contents 4 0 R/Resources<</Font<</F 5 0 R>>/XObject<</Im 6 0 R%s>>>>>>"
               % (*size, b"".join(b"/Fm%d %d 0 R" % (i, 7 + i) for i in range(len(forms)))),
               stream(b"", content), font,
               stream(b"/Type/XObject/Subtype/Image/Width %d/Height %d/ColorSpace/DeviceGray/BitsPerComponent 8/Filter/DCTDecode"
                      % english.size, jpeg.getvalue())]
    objects += [stream(b"/Type/XObject/Subtype/Form/BBox[0 0 %d %d]/Resources<</Font<</F 5 0 R>>>>" % size, form)
                for form in forms]
    out, at = io.BytesIO(b"%PDF-1.5\n"), []
    out.seek(0, 2)
    for i, body in enumerate(objects, 1):
        at.append(out.tell())
        out.write(b"%d 0 obj\n%s\nendobj\n" % (i, body))
    start = out.tell()
    out.write(b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1) + b"".join(b"%010d 00000 n \n" % one for one in at))
    out.write(b"trailer<</Size %d/Root 1 0 R>>\nstartxref\n%d\n%%%%EOF\n" % (len(objects) + 1, start))
    with open(os.path.join(FOLDER, name), "wb") as file:
        file.write(out.getvalue())


def stream(entries, data):
    return b"<<%s/Length %d>>stream\n%s\nendstream" % (entries, len(data), data)


SCAN = b"q 397 0 0 281 0 0 cm /Im Do Q\n"
WRONG = b"BT 3 Tr /F 12 Tf 14 TL 40 200 Td (Tbe qvick) Tj T* [(haib) 20 (our)] TJ (mastor) ' 1 0 (wroto) \" ET\n"
SEEN = b"BT 0 Tr /F 9 Tf 150 10 Td (Stamped 42) Tj ET\n"
pdf("layer-in-page.pdf", WRONG + SCAN)
pdf("layer-in-form.pdf", SCAN + b"q /Fm0 Do Q\n", [WRONG])
pdf("layer-and-stamp.pdf", b"3 Tr " + SCAN + b"/Fm0 Do\n/Fm1 Do\n", [WRONG.replace(b"3 Tr", b""), WRONG + SEEN])
pdf("layer-mixed.pdf", SCAN + b"BT /F 9 Tf 150 10 Td (Stamped 42) Tj 3 Tr ( unseen) Tj ET\n")
pdf("picture-and-text.pdf", b"BT /F 12 Tf 40 300 Td (Typed heading) Tj ET\n" + SCAN, size=(397, 330))

# Documents that are not PDF/A, each for a reason of its own.
import pikepdf  # noqa: E402


def spoil(name, change):
    with pikepdf.open(os.path.join(FOLDER, "scan.pdf")) as pdf:
        change(pdf, pdf.pages[0])
        pdf.save(os.path.join(FOLDER, name), compress_streams=False, stream_decode_level=pikepdf.StreamDecodeLevel.none)


def cmyk(pdf, page):
    page.contents_add(pikepdf.Stream(pdf, b"0 0 0 .5 k 20 20 9 9 re f"))


def lzw(pdf, page):
    # A clear code, four bytes and the end, in codes of nine bits.
    bits = "".join(f"{code:09b}" for code in (256, 0, 255, 0, 255, 257))
    data = int(bits.ljust(56, "0"), 2).to_bytes(7, "big")
    small = pikepdf.Stream(pdf, b"", Type=pikepdf.Name.XObject, Subtype=pikepdf.Name.Image, Width=2, Height=2, BitsPerComponent=8,
                           ColorSpace=pikepdf.Name.DeviceGray, Interpolate=True)
    small.write(data, filter=pikepdf.Name.LZWDecode)
    page.Resources.XObject.Small = small
    page.contents_add(pikepdf.Stream(pdf, b"q 9 0 0 9 20 20 cm /Small Do Q"))


def transfer(pdf, page):
    page.Resources.ExtGState = pikepdf.Dictionary(G=pikepdf.Dictionary(Type=pikepdf.Name.ExtGState, TR=pikepdf.Name.Identity))
    page.contents_add(pikepdf.Stream(pdf, b"/G gs"), prepend=True)


def javascript(pdf, page):
    pdf.Root.OpenAction = pikepdf.Dictionary(S=pikepdf.Name.JavaScript, JS="app.alert(1)")
    page.AA = pikepdf.Dictionary(O=pikepdf.Dictionary(S=pikepdf.Name.JavaScript, JS="app.alert(2)"))


def outlined(pdf, page):
    with pdf.open_outline() as outline:
        outline.root.append(pikepdf.OutlineItem("The second page", 1))


def annotated(pdf, page):
    page.Annots = pdf.make_indirect([pikepdf.Dictionary(Type=pikepdf.Name.Annot, Subtype=pikepdf.Name.Square, Rect=[20, 20, 60, 60], C=[1, 0, 0])])


for name, change in (("cmyk", cmyk), ("lzw", lzw), ("transfer", transfer), ("javascript", javascript), ("outlined", outlined), ("annotated", annotated)):
    spoil(name + ".pdf", change)

# A line that Tesseract leaves out, as it is much too blurred, and a photograph under text.
dim = Image.new("L", (1300, 80), 255)
ImageDraw.Draw(dim).text((0, 10), "These words can hardly be read by anyone", font=ImageFont.truetype(FONT, 50), fill=0)
left_out = page(ENGLISH[:4])
left_out.paste(dim.filter(ImageFilter.GaussianBlur(7)), (120, 750))
save("left-out.pdf", left_out)
save("left-out-turned.pdf", left_out.rotate(90, expand=True))
save("left-out-skewed.pdf", left_out.rotate(2, fillcolor=255, resample=Image.BICUBIC))
scenery = page(ENGLISH[:4])
scenery.paste(Image.effect_noise((90, 40), 90).resize((900, 400), Image.BICUBIC), (120, 720))
save("scenery.pdf", scenery)

CJK = "/usr/share/fonts/opentype/noto/NotoSerifCJK-Regular.ttc"
if os.path.exists(CJK):
    upright = Image.new("L", SIZE, 255)
    for column, line in enumerate(("港の長は、朝そこにいたすべての船と、", "荷揚げされた品物の一覧を作っていた。", "それは革の表紙の本にインクで書かれ、", "洪水まで七十年以上も事務所に残っていた。")):
        for row, letter in enumerate(line):
            ImageDraw.Draw(upright).text((1400 - 110 * column, 60 + 52 * row), letter, font=ImageFont.truetype(CJK, 50), fill=0,
                                         direction="ttb" if letter in "、。" else None)
    save("vertical.pdf", upright)
