"""The hiding places in pictures, of which the left half is the secret: a pattern of dots that the seed chooses."""

import random
import zlib
import codings
from place import place

SIZE = WIDE, HIGH = 64, 32
IMAGE = b"/Type/XObject/Subtype/Image/Width 64/Height 32"


def dots(s):
    rng = random.Random(s)
    return [[rng.random() < 0.5 for _ in range(8)] for _ in range(8)]


def pixels(s):
    """Rows of 0 and 1: the pattern in the left half, each dot 4 pixels wide and high."""
    pattern_of = dots(s)
    return [[1 if x < 32 and pattern_of[y // 4][x // 4] else 0 for x in range(WIDE)] for y in range(HIGH)]


def bits(s):
    return b"".join(int("".join(str(1 - one) for one in row), 2).to_bytes(WIDE // 8, "big") for row in pixels(s))


def image(pdf, s, data, entries):
    pdf.resource("XObject", "I", pdf.stream(data, IMAGE + entries))
    pdf.draw(b"q 256 0 0 128 72 560 cm /I Do Q")


def gray(s):
    return bytes(0 if one else 255 for row in pixels(s) for one in row)


def colours(s, n):
    return b"".join(bytes([v] * n) for v in gray(s))


def ink(s):
    """Cyan, magenta, yellow and black."""
    return b"".join(bytes([0, 0, 0, 255 - v]) for v in gray(s))


@place("pictures", "box")
def gray_picture(pdf, s): image(pdf, s, zlib.compress(gray(s)), b"/ColorSpace/DeviceGray/BitsPerComponent 8/Filter/FlateDecode")


@place("pictures", "box")
def colour_picture(pdf, s): image(pdf, s, colours(s, 3), b"/ColorSpace/DeviceRGB/BitsPerComponent 8")


@place("pictures", "box")
def picture_for_print(pdf, s): image(pdf, s, ink(s), b"/ColorSpace/DeviceCMYK/BitsPerComponent 8")


@place("pictures", "box")
def photo(pdf, s):
    data = codings.saved("RGB", SIZE, colours(s, 3), "JPEG", quality=98)
    image(pdf, s, data, b"/ColorSpace/DeviceRGB/BitsPerComponent 8/Filter/DCTDecode")


@place("pictures", "box")
def photo_for_print(pdf, s):
    image(pdf, s, codings.cmyk_jpeg(SIZE, ink(s)), b"/ColorSpace/DeviceCMYK/BitsPerComponent 8/Filter/DCTDecode/Decode[1 0 1 0 1 0 1 0]")


@place("pictures", "box")
def photo_for_print_without_marker(pdf, s):
    data = codings.without_adobe(codings.cmyk_jpeg(SIZE, bytes(255 - v for v in ink(s))))
    image(pdf, s, data, b"/ColorSpace/DeviceCMYK/BitsPerComponent 8/Filter/DCTDecode")


@place("pictures", "box")
def wavelets(pdf, s): image(pdf, s, codings.jpx("L", SIZE, gray(s)), b"/ColorSpace/DeviceGray/BitsPerComponent 8/Filter/JPXDecode")


@place("pictures", "box")
def wavelets_with_loss(pdf, s):
    data = codings.jpx("RGB", SIZE, colours(s, 3), irreversible=True, quality_mode="dB", quality_layers=[45])
    image(pdf, s, data, b"/Filter/JPXDecode")


@place("pictures", "box")
def wavelets_in_tiles(pdf, s):
    data = codings.jpx("RGB", SIZE, colours(s, 3), no_jp2=True, tile_size=(16, 16))
    image(pdf, s, data, b"/ColorSpace/DeviceRGB/BitsPerComponent 8/Filter/JPXDecode")


@place("pictures", "box")
def opacity_of_wavelets(pdf, s):
    data = codings.jpx("RGBA", SIZE, b"".join(bytes([0, 0, 0, 255 - v]) for v in gray(s)))
    image(pdf, s, data, b"/ColorSpace/DeviceRGB/SMaskInData 1/Filter/JPXDecode")


@place("pictures", "box")
def mask_of_wavelets(pdf, s):
    mask = pdf.stream(codings.jpx("L", SIZE, gray(s)), IMAGE + b"/ColorSpace/DeviceGray/BitsPerComponent 8/Filter/JPXDecode")
    image(pdf, s, bytes(64 * 32), b"/ColorSpace/DeviceGray/BitsPerComponent 8/SMask %d 0 R" % mask)


@place("pictures", "box")
def fax(pdf, s):
    image(pdf, s, codings.fax_codes(pixels(s)), b"/ColorSpace/DeviceGray/BitsPerComponent 1/Filter/CCITTFaxDecode/DecodeParms<</K -1/Columns 64"
          b"/Rows 32/BlackIs1 false>>")


BITMAP = b"/ColorSpace/DeviceGray/BitsPerComponent 1/Filter/JBIG2Decode"


@place("pictures", "box")
def scan(pdf, s): image(pdf, s, codings.jbig2(pixels(s)), BITMAP)


@place("pictures", "box")
def scan_with_fax_codes(pdf, s): image(pdf, s, codings.jbig2_fax(pixels(s)), BITMAP)


@place("pictures", "box")
def scan_of_symbols(pdf, s):
    shared, own = codings.jbig2_symbols(pixels(s), 16)
    image(pdf, s, own, BITMAP + b"/DecodeParms<</JBIG2Globals %d 0 R>>" % pdf.stream(shared))


@place("pictures", "box")
def scanned_stencil(pdf, s):
    image(pdf, s, codings.jbig2(pixels(s)), b"/ImageMask true/BitsPerComponent 1/Filter/JBIG2Decode/Decode[0 1]")


@place("pictures", "box")
def scanned_mask_of_a_picture(pdf, s):
    mask = pdf.stream(codings.jbig2(pixels(s)), IMAGE + b"/ImageMask true/BitsPerComponent 1/Filter/JBIG2Decode")
    image(pdf, s, bytes(64 * 32), b"/ColorSpace/DeviceGray/BitsPerComponent 8/Mask %d 0 R" % mask)


@place("pictures", "box")
def indexed_picture(pdf, s):
    image(pdf, s, bytes(1 if v else 0 for v in gray(s)), b"/ColorSpace[/Indexed/DeviceRGB 1<000000ffffff>]/BitsPerComponent 8")


@place("pictures", "box")
def bitmap(pdf, s): image(pdf, s, bits(s), b"/ColorSpace/DeviceGray/BitsPerComponent 1")


@place("pictures", "box")
def stencil(pdf, s): image(pdf, s, bits(s), b"/ImageMask true/BitsPerComponent 1")


@place("pictures", "box")
def inline_picture(pdf, s):
    pdf.draw(b"q 256 0 0 128 72 560 cm BI /W 64 /H 32 /CS /G /BPC 8 /F /AHx ID " + gray(s).hex().encode() + b"> EI Q")


@place("pictures", "box")
def mask_of_a_picture(pdf, s):
    mask = pdf.stream(gray(s), IMAGE + b"/ColorSpace/DeviceGray/BitsPerComponent 8")
    image(pdf, s, bytes(64 * 32), b"/ColorSpace/DeviceGray/BitsPerComponent 8/SMask %d 0 R" % mask)


@place("pictures", "box")
def stencil_of_a_picture(pdf, s):
    mask = pdf.stream(bits(s), IMAGE + b"/ImageMask true/BitsPerComponent 1")
    image(pdf, s, bytes(64 * 32), b"/ColorSpace/DeviceGray/BitsPerComponent 8/Mask %d 0 R" % mask)


@place("pictures", "box")
def alternate_of_a_picture(pdf, s):
    other = pdf.stream(gray(s), IMAGE + b"/ColorSpace/DeviceGray/BitsPerComponent 8")
    image(pdf, s, gray(s), b"/ColorSpace/DeviceGray/BitsPerComponent 8/Alternates[<</Image %d 0 R>>]" % other)


@place("pictures", "box")
def thumbnail(pdf, s):
    image(pdf, s, gray(s), b"/ColorSpace/DeviceGray/BitsPerComponent 8")
    pdf.page["Thumb"] = pdf.stream(gray(s), b"/Width 64/Height 32/ColorSpace/DeviceGray/BitsPerComponent 8")


@place("pictures", "box")
def picture_in_a_form(pdf, s):
    inner = pdf.stream(gray(s), IMAGE + b"/ColorSpace/DeviceGray/BitsPerComponent 8")
    pdf.resource("XObject", "X", pdf.form(b"q 256 0 0 128 72 560 cm /I Do Q", b"/Resources<</XObject<</I %d 0 R>>>>" % inner, False))
    pdf.draw(b"/X Do")


@place("pictures", "box")
def picture_on_two_pages(pdf, s):
    image(pdf, s, gray(s), b"/ColorSpace/DeviceGray/BitsPerComponent 8")
    number = pdf.resources["XObject"]["I"]
    pdf.more_pages.append(pdf.add(b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Resources<</XObject<</I %d 0 R>>>>/Contents %d 0 R>>" % (
        number, pdf.stream(b"0 g"))))


@place("pictures", "box")
def drawn_paths(pdf, s):
    for y, row in enumerate(dots(s)):
        for x, one in enumerate(row):
            if one:
                pdf.draw(b"%d %d 16 16 re f" % (72 + 16 * x, 672 - 16 * y))
