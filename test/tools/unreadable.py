"""unreadable.py FOLDER FONT: documents of one page of which something cannot be read, bad_*.pdf with what it is in
object 5, and for most kinds one that breaks a rule only, good_*.pdf.
unreadable.py pages OUT: one of five pages, with the same two pictures on them."""
import io
import os
import random
import sys
import zlib

from PIL import Image

from pdf_builder import Objects, save

W, H = 64, 48
noise = random.Random(7)
photo = Image.effect_noise((W, H), 40).convert("RGB")
samples = photo.tobytes()
flate = zlib.compress(samples, 1)


def jpeg(**how):
    out = io.BytesIO()
    photo.save(out, "JPEG", quality=90, **how)
    return out.getvalue()


def jpx():
    out = io.BytesIO()
    photo.save(out, "JPEG2000", no_jp2=True)
    return out.getvalue()


def fax():
    """The strip of a TIFF file: group 4."""
    out = io.BytesIO()
    photo.convert("1").save(out, "TIFF", compression="group4")
    image = Image.open(io.BytesIO(out.getvalue()))
    at, n = image.tag_v2[273][0], image.tag_v2[279][0]
    black = "true" if image.tag_v2[262] == 0 else "false"
    return out.getvalue()[at:at + n], black


def runs(data):
    return b"".join(bytes((len(data[i:i + 128]) - 1,)) + data[i:i + 128] for i in range(0, len(data), 128))


def lzw(data):
    """As codes of nine bits, with a clear code before they would grow."""
    codes = []
    for i, byte in enumerate(data):
        codes += [256, byte] if i % 200 == 0 else [byte]
    text = "".join(format(code, "09b") for code in codes)
    text += "0" * (-len(text) % 8)
    return int(text, 2).to_bytes(len(text) // 8, "big")


def spoiled(data, at=0.4, n=60):
    """Some bytes of it are others, and none of them the mark of a segment of a JPEG."""
    at = int(len(data) * at)
    return data[:at] + bytes(noise.randrange(0, 255) for _ in range(n)) + data[at + n:]


def flushed(data):
    """Without the mark of the last block, and the checksum."""
    packer = zlib.compressobj()
    return packer.compress(data) + packer.flush(zlib.Z_SYNC_FLUSH)


def image(keys, data, space="/DeviceRGB", bits=8):
    return "/Type/XObject/Subtype/Image/Width %d/Height %d/ColorSpace%s/BitsPerComponent %d%s" % (
        W, H, space, bits, keys), data


def mask(keys, data):
    return "/Type/XObject/Subtype/Image/Width %d/Height %d/ImageMask true%s" % (W, H, keys), data


def page(path, five, content=b"q 200 0 0 150 50 50 cm /X Do Q", resources="/XObject<</X 5 0 R>>", more=(),
         contents=4):
    """`five`, `more`: objects from 5 on, each a text or what Objects.add gets for a stream."""
    objects = Objects()
    objects.add("<</Type/Catalog/Pages 2 0 R>>")
    objects.add("<</Type/Pages/Kids[3 0 R]/Count 1>>")
    objects.add("<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 250]/Contents %d 0 R"
                "/Resources<<%s>>>>" % (contents, resources))
    objects.add("", content)
    for one in (five, *more):
        objects.add(*(one if isinstance(one, tuple) else (one,)))
    save(path, objects)


def images():
    g4, black = fax()
    parms = "/Filter/CCITTFaxDecode/DecodeParms<</K -1/Columns %d/Rows %d/BlackIs1 %s>>" % (W, H, black)
    whole, scans = jpeg(), jpeg(progressive=True)
    scan = whole.index(b"\xff\xda")
    yield "good_jpeg", image("/Filter/DCTDecode", whole[:-2])
    yield "good_jpeg_garbage", image("/Filter/DCTDecode", whole[:-2] + bytes(40) + whole[-2:])
    yield "bad_jpeg_cut", image("/Filter/DCTDecode", whole[:len(whole) * 2 // 3])
    yield "bad_jpeg_ended", image("/Filter/DCTDecode", whole[:1500] + b"\xff\xd9" + whole[1500:])
    yield "bad_jpeg_scans", image("/Filter/DCTDecode", scans[:len(scans) * 2 // 3])
    yield "bad_jpeg_restarts", image("/Filter/DCTDecode", whole[:scan] + b"\xff\xdd\0\4\0\2" + whole[scan:])
    yield "bad_jpeg_none", image("/Filter/DCTDecode", bytes(noise.randrange(256) for _ in range(500)))
    yield "bad_jpeg_flate", image("/Filter[/FlateDecode/DCTDecode]", zlib.compress(whole)[:900])
    yield "good_flate", image("/Filter/FlateDecode", flate[:-4])
    yield "bad_flate_cut", image("/Filter/FlateDecode", flate[:len(flate) // 2])
    yield "bad_flate_short", image("/Filter/FlateDecode", zlib.compress(samples[:-W]))
    yield "bad_flate_spoiled", image("/Filter/FlateDecode", spoiled(flate))
    yield "good_plain", image("", samples + b"\n")
    yield "bad_plain", image("", samples[:-200])
    yield "good_runs", image("/Filter/RunLengthDecode", runs(samples))
    yield "bad_runs", image("/Filter/RunLengthDecode", runs(samples)[:5000])
    yield "good_lzw", image("/Filter/LZWDecode", lzw(samples))
    yield "bad_lzw", image("/Filter/LZWDecode", lzw(samples)[:5000])
    yield "good_fax", image(parms, g4, "/DeviceGray", 1)
    yield "bad_fax_cut", image(parms, g4[:len(g4) // 2], "/DeviceGray", 1)
    yield "bad_fax_spoiled", image(parms, spoiled(g4), "/DeviceGray", 1)
    yield "bad_fax_stencil", mask(parms, g4[:len(g4) // 2])
    yield "good_stencil", mask("/Filter/FlateDecode", zlib.compress(bytes(W // 8 * H)))
    yield "bad_stencil", mask("/Filter/FlateDecode", zlib.compress(bytes(100)))
    yield "bad_jbig2", image("/Filter/JBIG2Decode", bytes(noise.randrange(256) for _ in range(300)), "/DeviceGray", 1)
    yield "bad_jbig2_empty", image("/Filter/JBIG2Decode", b"", "/DeviceGray", 1)
    yield "good_jpx", image("/Filter/JPXDecode", jpx())
    yield "bad_jpx_cut", image("/Filter/JPXDecode", jpx()[:1500])
    yield "bad_jpx_none", image("/Filter/JPXDecode", bytes(500))
    yield "bad_filter", image("/Filter/NoSuchDecode", samples)
    yield "bad_space", image("", samples, "/NoSuchSpace")


def others(folder, program):
    def put(name, *args, **how):
        page(os.path.join(folder, name + ".pdf"), *args, **how)

    draw = b"q 200 0 0 150 50 50 cm /X Do Q"
    masked = image("/SMask 5 0 R/Filter/FlateDecode", flate)
    gray = "/Type/XObject/Subtype/Image/Width %d/Height %d/ColorSpace/DeviceGray/BitsPerComponent 8" % (W, H)
    put("good_soft_mask", (gray, bytes(W * H)), draw, "/XObject<</X 6 0 R>>", [masked])
    put("bad_soft_mask", (gray, bytes(W * H - 500)), draw, "/XObject<</X 6 0 R>>", [masked])
    colors = bytes(noise.randrange(256) for _ in range(768))
    indexed = image("", bytes(range(256)) * (W * H // 256), "[/Indexed/DeviceRGB 255 6 0 R]")
    put("good_colors", indexed, more=[("/Filter/FlateDecode", flushed(colors))])
    put("bad_colors", indexed, more=[("/Filter/FlateDecode", zlib.compress(colors)[:-50])])
    inline = b"q 200 0 0 150 50 50 cm BI/W %d/H %d/CS/RGB/BPC 8/F/Fl ID %s EI Q"
    put("good_inline", "null", inline % (W, H, flate), "")
    put("bad_inline", "null", inline % (W, H, zlib.compress(samples[:900])), "")
    text = b"BT /F 20 Tf 20 100 Td (AB) Tj ET"
    font = ("<</Type/Font/Subtype/TrueType/BaseFont/Own/FirstChar 65/LastChar 66/Widths[600 600]"
            "/FontDescriptor<</Type/FontDescriptor/FontName/Own/Flags 32/FontBBox[0 0 1000 1000]/ItalicAngle 0"
            "/Ascent 800/Descent 0/CapHeight 800/StemV 80/FontFile2 6 0 R>>>>")
    use = "/Font<</F 5 0 R>>"
    put("good_font", font, text, use, [("", program)])
    put("bad_font", font, text, use, [("", bytes(noise.randrange(256) for _ in range(900)))])
    packed = zlib.compress(program)
    put("good_font_flushed", font, text, use, [("/Filter/FlateDecode", flushed(program))])
    put("good_font_unsummed", font, text, use, [("/Filter/FlateDecode", packed[:-4])])
    put("bad_font_cut", font, text, use, [("/Filter/FlateDecode", packed[:-200])])
    named, characters = font[:-2] + "/ToUnicode 7 0 R>>", b"2 beginbfchar <41><0041> <42><0042> endbfchar " * 9
    put("good_font_characters", named, text, use, [("", program), ("/Filter/FlateDecode", flushed(characters))])
    put("bad_font_characters", named, text, use, [("", program), ("/Filter/FlateDecode", zlib.compress(characters)[:-9])])
    put("bad_font_missing", "null", text, "/Font<</G 5 0 R>>")
    put("good_font_missing", "null", b"BT /F 20 Tf 20 100 Td ET", "/Font<</G 5 0 R>>")
    put("bad_font_kind", "<</Type/Font/Subtype/Type0/DescendantFonts[]/Encoding/Identity-H>>", text, use)
    glyphs = ("<</Type/Font/Subtype/Type3/FontBBox[0 0 1000 1000]/FontMatrix[0.001 0 0 0.001 0 0]/FirstChar 65"
              "/LastChar 66/Widths[600 600]/Encoding<</Differences[65/a/b]>>/CharProcs<</a 6 0 R/b 6 0 R>>/Resources<<>>>>")
    put("good_glyphs", glyphs, text, use, [("", b"600 0 0 0 500 500 d1 0 0 500 500 re f")])
    put("bad_glyphs", glyphs, text, use,
        [("/Filter/FlateDecode", zlib.compress(b"600 0 0 0 500 500 d1 0 0 500 500 re f")[:12])])
    put("bad_glyphs_content", glyphs, text, use, [("", b"600 0 0 0 500 500 d1 /X Do 0 0 500 500 re f")])
    drawn = b"0 0 100 100 re f " * 50
    form = "/Type/XObject/Subtype/Form/BBox[0 0 300 250]"
    put("good_form", (form, drawn))
    put("bad_form", (form + "/Filter/FlateDecode", spoiled(zlib.compress(drawn, 0), n=5)))
    put("bad_form_missing", "null")
    put("bad_form_gone", "null", resources="")
    put("bad_form_kind", ("/Type/XObject/Subtype/Postcript", b"0 0 9 9 re f"))
    tile = "/Type/Pattern/PatternType 1/PaintType 1/TilingType 1/BBox[0 0 9 9]/XStep 9/YStep 9/Resources<<>>"
    paint = b"/Pattern cs /P scn 20 20 200 200 re f"
    put("good_pattern", (tile, b"0 0 5 5 re f"), paint, "/Pattern<</P 5 0 R>>")
    put("bad_pattern", (tile + "/Filter/FlateDecode", b"this is not deflated"), paint, "/Pattern<</P 5 0 R>>")
    put("bad_pattern_content", (tile, b"/X Do 0 0 5 5 re f"), paint, "/Pattern<</P 5 0 R>>")
    put("bad_pattern_missing", "null", paint, "/Pattern<</P 5 0 R>>")
    shade = "<</ShadingType 2/ColorSpace/DeviceRGB/Coords[0 0 200 0]/Function %s>>"
    sound = "<</FunctionType 2/Domain[0 1]/C0[1 0 0]/C1[0 0 1]/N 1>>"
    put("good_shading", shade % sound, b"/S sh", "/Shading<</S 5 0 R>>")
    put("bad_shading", shade % "<</FunctionType 9/Domain[0 1]>>", b"/S sh", "/Shading<</S 5 0 R>>")
    put("bad_shading_mesh", ("/ShadingType 4/ColorSpace/DeviceRGB/BitsPerCoordinate 8/BitsPerComponent 8/BitsPerFlag 8"
                             "/Decode[0 200 0 200 0 1 0 1 0 1]/Filter/FlateDecode", b"this is not deflated"),
        b"/S sh", "/Shading<</S 5 0 R>>")
    put("good_profile", ("/N 3", b"no profile"), draw, "/XObject<</X 6 0 R>>",
        [image("/Filter/FlateDecode", flate, "[/ICCBased 5 0 R]")])
    put("good_content", ("/Filter/FlateDecode", zlib.compress(drawn)), contents=5)
    put("bad_content_cut", ("/Filter/FlateDecode", zlib.compress(drawn)[:-9]), contents=5)
    put("bad_content_checksum", ("/Filter/FlateDecode", zlib.compress(drawn)[:-1] + b"?"), contents=5)


def pages(path):
    """Picture 5 is on pages 2 and 4, picture 6 on 3, 4 and 5; page 1 has none."""
    objects = Objects()
    objects.add("<</Type/Catalog/Pages 2 0 R>>")
    objects.add("<</Type/Pages/Count 5/Kids[%s]>>" % "".join("%d 0 R " % (7 + 2 * i) for i in range(5)))
    objects.add("null")
    objects.add("null")
    for _ in range(2):
        objects.add(*image("/Filter/FlateDecode", zlib.compress(samples[:-900])))
    for names in ("", "A", "B", "AB", "B"):
        page = objects.reserve()
        content = objects.add("", b"".join(b"q 50 0 0 50 50 50 cm /%c Do Q " % name for name in names.encode()))
        objects.put(page, "<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 250]/Contents %d 0 R"
                          "/Resources<</XObject<</A 5 0 R/B 6 0 R>>>>>>" % content)
    save(path, objects)


def main(folder, font):
    for name, five in images():
        page(os.path.join(folder, name + ".pdf"), five)
    with open(font, "rb") as file:
        others(folder, file.read())


if __name__ == "__main__":
    if sys.argv[1] == "pages":
        pages(sys.argv[2])
    else:
        main(*sys.argv[1:])
