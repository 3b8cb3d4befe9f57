"""pictures.py make FOLDER: the pictures that jpg_to_pdf.sh converts, by Pillow and by hand.
pictures.py shows PDF PICTURE RENDERER [TOLERANCE]: whether the first page, drawn by mutool or
    pdftoppm, shows the picture as Pillow decodes it, at most so different on average.
pictures.py holds PDF PICTURE: whether pdfimages takes the picture out of it sample by sample.
"""

import os
import struct
import subprocess
import sys
import tempfile
import zlib

from PIL import Image, ImageChops, ImageDraw, ImageStat

W, H = 64, 48


def scene(size=(W, H)):
    """No symmetry of any kind, smooth parts and sharp ones, every primary colour."""
    w, h = size
    im = Image.new("RGB", size)
    im.putdata([(x * 255 // (w - 1), y * 255 // (h - 1), 128) for y in range(h) for x in range(w)])
    draw = ImageDraw.Draw(im)
    draw.rectangle((0, 0, w // 4, h // 4), (255, 0, 0))
    draw.rectangle((w - w // 4, 0, w, h // 6), (0, 255, 0))
    draw.rectangle((0, h - h // 4, w // 8, h), (0, 0, 255))
    draw.rectangle((w // 2, h // 2, w // 2 + w // 8, h // 2 + h // 4), (255, 255, 255))
    return im


def chunk(kind, data):
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def png(width, height, bits, kind, rows, extra=b"", interlace=0):
    data = zlib.compress(b"".join(b"\0" + row for row in rows))
    return (b"\x89PNG\r\n\x1a\n"
            + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, bits, kind, 0, 0, interlace))
            + extra + chunk(b"IDAT", data[:20]) + chunk(b"IDAT", data[20:]) + chunk(b"IEND", b""))


def adam7(im):
    """The rows of an interlaced picture of RGB."""
    rows = []
    for x0, y0, dx, dy in ((0, 0, 8, 8), (4, 0, 8, 8), (0, 4, 4, 8), (2, 0, 4, 4), (0, 2, 2, 4),
                           (1, 0, 2, 2), (0, 1, 1, 2)):
        for y in range(y0, im.height, dy):
            row = b"".join(bytes(im.getpixel((x, y))) for x in range(x0, im.width, dx))
            if row:
                rows.append(row)
    return rows


def exif(orientation, dpi=None):
    entries = [(0x112, 3, 1, struct.pack("<HH", orientation, 0))]
    tail = b""
    if dpi:
        at = 8 + 2 + 12 * 4 + 4
        entries += [(0x11a, 5, 1, struct.pack("<I", at)), (0x11b, 5, 1, struct.pack("<I", at)),
                    (0x128, 3, 1, struct.pack("<HH", 2, 0))]
        tail = struct.pack("<II", dpi * 10, 10)
    body = b"".join(struct.pack("<HHI", *entry[:3]) + entry[3] for entry in entries)
    return b"Exif\0\0II*\0\x08\0\0\0" + struct.pack("<H", len(entries)) + body + b"\0\0\0\0" + tail


def with_segment(jpeg, marker, data):
    return jpeg[:2] + bytes((0xff, marker)) + struct.pack(">H", len(data) + 2) + data + jpeg[2:]


def make_jpegs(put, save):
    im = scene()
    save("rgb.jpg", im, quality=90, dpi=(72, 72))
    save("gray.jpg", im.convert("L"), quality=90, dpi=(300, 300))
    save("progressive.jpg", im, quality=90, progressive=True, dpi=(10, 10))
    save("cmyk.jpg", im.convert("CMYK"), quality=95)
    plain = open("rgb.jpg", "rb").read()
    cmyk = open("cmyk.jpg", "rb").read()
    at = cmyk.index(b"Adobe") - 4
    put("ycck.jpg", cmyk[:at + 15] + b"\2" + cmyk[at + 16:])
    # Without the marker nothing is inverted, whatever Pillow thinks of it.
    save("cmyk_plain.jpg", ImageChops.invert(im.convert("CMYK")), quality=95)
    cmyk = open("cmyk_plain.jpg", "rb").read()
    at = cmyk.index(b"Adobe") - 4
    put("cmyk_plain.jpg", cmyk[:at] + cmyk[at + 16:])
    for i in range(1, 9):
        data = with_segment(open("rgb.jpg", "rb").read(), 0xe1, exif(i))
        put(f"exif{i}.jpg", data)
    no_jfif = plain[:2] + plain[20:]
    put("exif_density.jpg", with_segment(no_jfif, 0xe1, exif(1, 144)))
    put("no_density.jpg", no_jfif)
    profile = srgb_profile()
    half = len(profile) // 2
    put("icc.jpg", with_segment(with_segment(plain, 0xe2, b"ICC_PROFILE\0\2\2" + profile[half:]),
                                0xe2, b"ICC_PROFILE\0\1\2" + profile[:half]))
    put("icc_broken.jpg", with_segment(plain, 0xe2, b"ICC_PROFILE\0\1\1" + profile[:100]))
    put("trailer.jpg", plain + b"and here begins another one" + plain)
    put("cut.jpg", plain[:len(plain) * 2 // 3])
    put("endless.jpg", plain[:-2])
    put("endless_cut.jpg", plain[:-8])
    whole = open("progressive.jpg", "rb").read()
    put("endless_progressive.jpg", whole[:-2])
    put("scan_lost.jpg", whole[:whole.rfind(b"\xff\xc4", 0, whole.rfind(b"\xff\xda"))])
    sof = plain.index(b"\xff\xc0")
    put("lying.jpg", plain[:sof + 5] + struct.pack(">HH", 16000, 16000) + plain[sof + 9:])
    put("arithmetic.jpg", plain[:sof] + b"\xff\xc9" + plain[sof + 2:])
    put("twelve.jpg", plain[:sof + 4] + b"\x0c" + plain[sof + 5:])
    put("lossless.jpg", plain[:sof] + b"\xff\xc3" + plain[sof + 2:])
    renamed = bytearray(no_jfif)
    sof, sos = renamed.index(b"\xff\xc0"), renamed.index(b"\xff\xda")
    for i, letter in enumerate(b"RGB"):
        renamed[sof + 10 + 3 * i] = letter
        renamed[sos + 5 + 2 * i] = letter
    put("rgb_ids.jpg", bytes(renamed))


def srgb_profile():
    from PIL import ImageCms
    profile = ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes()
    return profile[:24] + bytes(12) + profile[36:]  # without the second it was made in


def make_pngs(put, save):
    im = scene()
    save("rgb.png", im, dpi=(300, 300))
    save("gray.png", im.convert("L"))
    save("bits.png", im.convert("1"))
    save("palette.png", im.quantize(13), bits=4)
    save("icc.png", im, icc_profile=srgb_profile())
    alpha = im.copy()
    alpha.putalpha(Image.linear_gradient("L").resize((W, H)))
    save("alpha.png", alpha)
    opaque = im.copy()
    opaque.putalpha(255)
    save("opaque.png", opaque)
    save("key.png", im.quantize(13), transparency=0)
    put("interlaced.png", png(W, H, 8, 2, adam7(im), interlace=1))
    deep = [b"".join(struct.pack(">HHH", x * 1000, y * 1000 + 7, 30000 + x) for x in range(W))
            for y in range(H)]
    put("deep.png", png(W, H, 16, 2, deep))
    put("gamma.png", png(W, H, 8, 2, [im.crop((0, y, W, y + 1)).tobytes() for y in range(H)],
                         chunk(b"gAMA", struct.pack(">I", 100000))))
    rows = [b"\x55" * W for _ in range(H)]
    put("wrong_crc.png", png(W, H, 8, 0, rows)[:-17] + b"\0" * 17)
    put("short.png", png(W, H, 8, 0, rows[:-1]))
    put("long.png", png(W, H, 8, 0, rows + rows))
    put("bomb.png", png(60000, 60000, 8, 2, [b"\0" * 1000]))
    put("tall.png", png(16000, 16000, 8, 0, [b"\0" * 1000]))
    data = open("rgb.png", "rb").read()
    put("cut.png", data[:len(data) // 2])
    put("endless.png", data[:-12])
    put("endless_cut.png", data[:-24])
    put("endless_alpha.png", open("alpha.png", "rb").read()[:-7])
    put("filter.png", png(W, H, 8, 0, rows).replace(
        zlib.compress(b"".join(b"\0" + r for r in rows))[:4], b"zzzz"))


def g4(size=(200, 100)):
    im = Image.new("1", size, 1)
    draw = ImageDraw.Draw(im)
    draw.ellipse((20, 10, 90, 80), fill=0)
    draw.line((0, 99, 199, 0), fill=0, width=3)
    return im


def make_tiffs(put, save):
    im = scene()
    save("rgb.tif", im, dpi=(150, 150))
    save("lzw.tif", im, compression="tiff_lzw")
    save("gray.tif", im.convert("L"))
    save("cmyk.tif", im.convert("CMYK"))
    save("palette.tif", im.quantize(13))
    save("jpeg.tif", im, compression="jpeg", quality=90)
    save("jpeg_strips.tif", im, compression="jpeg", quality=90, strip_size=16 * W * 3)
    save("deep.tif", Image.frombytes("I;16", (W, H), struct.pack(
        f"<{W * H}H", *(i * 21 for i in range(W * H)))))
    for name, coding in (("g4", "group4"), ("g3", "group3"), ("rle", "tiff_ccitt")):
        save(f"{name}.tif", g4(), compression=coding, dpi=(100, 100), strip_size=1 << 20)
        save(f"{name}_strips.tif", g4(), compression=coding, strip_size=500)
    dots = Image.effect_noise((W, H), 120).convert("1")
    save("dots.tif", dots, compression="group4", dpi=(100, 100), strip_size=1 << 20)
    save("dots_strips.tif", dots, compression="group4", dpi=(100, 100), strip_size=100)
    put("white.tif", patched(open("g4.tif", "rb").read(), 262, lambda v: 1 - v))
    alpha = im.copy()
    alpha.putalpha(Image.linear_gradient("L").resize((W, H)))
    save("alpha.tif", alpha)
    save("pages.tif", im, save_all=True, append_images=[im.convert("L"), g4()])
    save("floats.tif", Image.new("F", (W, H), 0.5))
    for i in range(1, 9):
        save(f"orient{i}.tif", im, tiffinfo={274: i}, dpi=(72, 72))
    data = open("rgb.tif", "rb").read()
    put("cut.tif", data[:len(data) // 2])
    data = open("g4.tif", "rb").read()
    put("cut_g4.tif", patched(data, 279, lambda v: v // 2))
    put("lying.tif", patched(open("lzw.tif", "rb").read(), 257, lambda v: v * 100))
    put("planar.tif", tiff(im, planar=True))
    put("tiles.tif", tiff(im, tile=16))
    put("big_end.tif", tiff(im, order=">"))
    put("twelve.tif", tiff(im, bits=12))
    put("ten_planar.tif", tiff(im, bits=10, planar=True, order=">"))
    put("fourteen_tiles.tif", tiff(im, bits=14, tile=16))
    put("four.tif", tiff(im, bits=4))
    put("one.tif", tiff(im.point(lambda v: v // 128 * 255), bits=1))
    save("one.png", im.point(lambda v: v // 128 * 255))


def patched(data, tag, change):
    """With another value of a tag that has one."""
    ifd = struct.unpack("<I", data[4:8])[0]
    for i in range(struct.unpack("<H", data[ifd:ifd + 2])[0]):
        at = ifd + 2 + 12 * i
        found, kind = struct.unpack("<HH", data[at:at + 4])
        form, end = ("<H", at + 10) if kind == 3 else ("<I", at + 12)
        if found == tag:
            value = struct.unpack(form, data[at + 8:end])[0]
            return data[:at + 8] + struct.pack(form, change(value)) + data[end:]
    raise KeyError(tag)


def squeezed(data, row, bits):
    """Samples of 8 bits, so many a row, as samples of other bits."""
    out = b""
    for at in range(0, len(data), row):
        text = "".join(f"{(v * (2 ** bits - 1) + 127) // 255:0{bits}b}" for v in data[at:at + row])
        out += bytes(int(text[i:i + 8].ljust(8, "0"), 2) for i in range(0, len(text), 8))
    return out


def tiff(im, planar=False, tile=0, order="<", bits=8):
    """RGB without compression."""
    if tile:
        pieces = [im.crop((x, y, x + tile, y + tile)).tobytes()
                  for y in range(0, H, tile) for x in range(0, W, tile)]
    elif planar:
        pieces = [band.tobytes() for band in im.split()]
    else:
        pieces = [im.tobytes()]
    if bits != 8:
        pieces = [squeezed(p, (tile or W) * (1 if planar else 3), bits) for p in pieces]
    place, sizes = (324, 325) if tile else (273, 279)
    tags = [(256, [W]), (257, [H]), (258, [bits] * 3), (259, [1]), (262, [2]), (place, None),
            (277, [3]), (278, [H]), (sizes, [len(p) for p in pieces]), (284, [2 if planar else 1])]
    if tile:
        tags = [t for t in tags if t[0] != 278] + [(322, [tile]), (323, [tile])]
    tags.sort()
    head = 8 + 2 + 12 * len(tags) + 4
    extra = head + sum(4 * len(v or pieces) for _, v in tags)
    at, offsets = extra, []
    for piece in pieces:
        offsets.append(at)
        at += len(piece)
    body, more = b"", b""
    for tag, values in tags:
        values = offsets if values is None else values
        packed = struct.pack(f"{order}{len(values)}I", *values)
        if len(values) == 1:
            body += struct.pack(order + "HHI", tag, 4, 1) + packed
        else:
            kind = 3 if tag == 258 else 4
            packed = struct.pack(f"{order}{len(values)}{'H' if kind == 3 else 'I'}", *values)
            body += struct.pack(order + "HHII", tag, kind, len(values), head + len(more))
            more += packed
    more = more.ljust(extra - head, b"\0")
    mark = b"II*\0" if order == "<" else b"MM\0*"
    return (mark + struct.pack(order + "IH", 8, len(tags)) + body + struct.pack(order + "I", 0)
            + more + b"".join(pieces))


def bmp(bits, rows, palette=b"", masks=b"", compression=0, width=W, height=H):
    at = 14 + 40 + len(masks) + len(palette)
    data = b"".join(rows)
    return (b"BM" + struct.pack("<IHHI", at + len(data), 0, 0, at)
            + struct.pack("<IiiHHIIiiII", 40, width, height, 1, bits, compression, len(data),
                          11811, 11811, len(palette) // 4, 0) + masks + palette + data)


def make_bitmaps(put, im):
    """BMPs of the other headers; all but the last, of 5 bits, hold the scene as it is."""
    lines = [[im.getpixel((x, y))[::-1] for x in range(W)] for y in range(H)]
    pixels = b"".join(bytes(v for p in line for v in p) for line in lines[::-1])

    def file(header, data, tip=0):
        at = 14 + len(header)
        return b"BM" + struct.pack("<IHHI", at + len(data), tip, tip, at) + header + data

    put("pointer.bmp", file(struct.pack("<IHHHH", 12, W, H, 1, 24), pixels, 7))
    put("short.bmp", file(struct.pack("<IIIHH", 16, W, H, 1, 24), pixels))
    masks = struct.pack("<IIII", 0xff0000, 0xff00, 0xff, 0xff000000)
    put("unset.bmp", file(struct.pack("<IiiHHIIiiII", 56, W, H, 1, 32, 3, 0, 0, 0, 0, 0) + masks,
                          b"".join(bytes(p) + b"\0" for line in lines[::-1] for p in line)))
    small = im.quantize(16)
    palette = b"".join(bytes(small.getpalette()[3 * i:3 * i + 3][::-1]) + b"\0" for i in range(16))
    put("runs_down.bmp", bmp(8, [b"".join(b"\1" + bytes((small.getpixel((x, y)),))
                                          for x in range(W)) + b"\0\0" for y in range(H)]
                             + [b"\0\1"], palette, compression=1, height=-H))
    masks = struct.pack("<IIII", 0x7c00, 0x3e0, 0x1f, 0x8000)
    put("five.bmp", file(struct.pack("<IiiHHIIiiII", 56, W, H, 1, 16, 3, 0, 0, 0, 0, 0) + masks,
                         b"".join(struct.pack("<H", 0x8000 | p[2] >> 3 << 10 | p[1] >> 3 << 5
                                              | p[0] >> 3) for line in lines[::-1] for p in line)))


def make_others(put, save):
    im = scene()
    small = im.quantize(16)
    save("rgb.bmp", im)
    save("palette.bmp", small)
    save("bits.bmp", im.convert("1"))
    palette = b"".join(bytes(small.getpalette()[3 * i:3 * i + 3][::-1]) + b"\0" for i in range(16))
    index = list(small.getdata())
    rows = [index[y * W:(y + 1) * W] for y in range(H)][::-1]
    put("nibbles.bmp", bmp(4, [bytes(r[x] << 4 | r[x + 1] for x in range(0, W, 2)) for r in rows],
                           palette))
    put("rle8.bmp", bmp(8, [b"".join(b"\1" + bytes((v,)) for v in r[:40])
                            + b"\0\x18" + bytes(r[40:]) + b"\0\0" for r in rows] + [b"\0\1"],
                        palette, compression=1))
    put("rle4.bmp", bmp(4, [b"".join(b"\2" + bytes((r[x] << 4 | r[x + 1],))
                                     for x in range(0, W, 2)) + b"\0\0" for r in rows] + [b"\0\1"],
                        palette, compression=2))
    pixels = list(im.getdata())
    put("top_down.bmp", bmp(24, [bytes(v for p in pixels for v in p[::-1])], height=-H))
    five = [(r >> 3) << 11 | (g >> 2) << 5 | b >> 3 for r, g, b in pixels]
    put("fields.bmp", bmp(16, [struct.pack(f"<{W}H", *five[y * W:(y + 1) * W])
                               for y in range(H - 1, -1, -1)],
                          masks=struct.pack("<III", 0xf800, 0x7e0, 0x1f), compression=3))
    make_bitmaps(put, im)
    put("cut.bmp", open("rgb.bmp", "rb").read()[:4000])
    save("rgb.gif", im.quantize(200))
    save("interlaced.gif", im.quantize(13), interlace=1)
    save("key.gif", im.quantize(13), transparency=0)
    key = open("key.gif", "rb").read()[:-1]
    frame = key[key.index(b",\0\0\0\0"):]
    put("key_moving.gif", key + b"!\xf9\4\0\n\0\0\0" + frame + b";") # nothing of the second is transparent
    save("moving.gif", im.quantize(13), save_all=True, append_images=[im.rotate(180).quantize(13)])
    put("cut.gif", open("rgb.gif", "rb").read()[:1500])
    save("lossless.webp", im, lossless=True)
    save("lossy.webp", im, quality=80)
    alpha = im.copy()
    alpha.putalpha(Image.linear_gradient("L").resize((W, H)))
    save("alpha.webp", alpha, lossless=True, exact=True)
    save("moving.webp", im, save_all=True, append_images=[im.rotate(180)], lossless=True)
    put("cut.webp", open("lossless.webp", "rb").read()[:-40])


def make(folder):
    os.chdir(folder)

    def put(name, data):
        with open(name, "wb") as file:
            file.write(data)

    def save(name, im, **options):
        im.save(name, **options)

    for part in (make_jpegs, make_pngs, make_tiffs, make_others):
        part(put, save)


def load(name):
    from PIL import ImageOps
    im = ImageOps.exif_transpose(Image.open(name))
    if im.mode in ("RGBA", "LA", "PA") or "transparency" in im.info:
        im = im.convert("RGBA")
        return Image.alpha_composite(Image.new("RGBA", im.size, "white"), im).convert("RGB")
    return im.convert("RGB")


def shows(pdf, picture, renderer, tolerance=0.0):
    want = load(picture)
    w, h = map(str, want.size)
    with tempfile.TemporaryDirectory() as folder:
        out = os.path.join(folder, "page")
        if renderer == "mutool":
            command = ["mutool", "draw", "-q", "-w", w, "-h", h, "-o", out + ".png", pdf, "1"]
        else:
            command = ["pdftoppm", "-scale-to-x", w, "-scale-to-y", h, "-singlefile", "-png", pdf,
                       out]
        subprocess.run(command, check=True, capture_output=True)
        got = load(out + ".png")
    if got.size != want.size:
        sys.exit(f"the page is {got.size}, {picture} is {want.size}")
    mean = max(ImageStat.Stat(ImageChops.difference(got, want)).mean)
    if mean > tolerance:
        sys.exit(f"the page and {picture} differ by {mean:.2f} on average")


def holds(pdf, picture):
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run(["pdfimages", "-png", pdf, os.path.join(folder, "p")], check=True)
        got = Image.open(os.path.join(folder, "p-000.png"))
        want = Image.open(picture)
        if got.size != want.size or list(got.convert("RGB").getdata()) != list(
                want.convert("RGB").getdata()):
            sys.exit(f"{picture} came out changed")


if __name__ == "__main__":
    if sys.argv[1] == "make":
        make(sys.argv[2])
    elif sys.argv[1] == "holds":
        holds(*sys.argv[2:])
    else:
        shows(*sys.argv[2:5], float(sys.argv[5]) if len(sys.argv) > 5 else 0.0)
