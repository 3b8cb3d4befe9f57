"""masks.py FILE: a PDF of pictures whose /Decode or /Mask says what the samples mean.

One picture a page, 72 points wide, so that the qualities of compress reduce the large ones.
"""

import random
import sys
import zlib

from pdf_builder import Objects, save

SIDE = 400
objects = Objects()


def add(text, data=None):
    """Adds an object, or with `data` a stream of it, compressed."""
    if data is None:
        return objects.add(text)
    return objects.add(text + b"/Filter/FlateDecode", zlib.compress(data, 1))


def picture(side, space, bits, data, more=b""):
    return add(b"/Type/XObject/Subtype/Image/Width %d/Height %d/ColorSpace%s/BitsPerComponent %d%s"
               % (side, side, space, bits, more), data)


def squares(side, colours, step):
    """Squares of the colours, one row of bytes after another."""
    return b"".join(colours[(x // step + y // step) % len(colours)]
                    for y in range(side) for x in range(side))


def bars():
    """Numbers of colours that stand in the palette many times: few colours, hard to pack."""
    chance = random.Random(1)
    return bytes(chance.randrange(128) * 2 + x // 48 % 2 for y in range(288) for x in range(288))


def packed(side, step):
    """Numbers of colours, two to a byte."""
    return bytes((x // step * 5 + y // step * 3) % 16 * 17 for y in range(side)
                 for x in range(0, side, 2))


def bits(side):
    """Squares, eight samples to a byte."""
    return bytes(255 if (x // 80 + y // 80) % 2 else 0 for y in range(side)
                 for x in range(0, side, 8))


numbers = [bytes([n]) for n in range(16)]
ramp = b"".join(b"%02x%02x%02x" % (15 * n, 240 - 15 * n, 8 * n) for n in range(256 // 16))
indexed = b"[/Indexed/DeviceRGB 15<%s>]" % ramp
colours = [b"\xff\xff\xff", b"\x10\x20\x80", b"\0\0\0", b"\xc0\x40\x20"]
soft = picture(SIDE, b"/DeviceGray", 8,
               bytes(255 if (x // 100 + y // 100) % 2 else 90 for y in range(SIDE)
                     for x in range(SIDE)))
checks = bytes(255 if (x // 100 + y // 100) % 2 else 90 for y in range(SIDE) for x in range(SIDE))
turned = picture(SIDE, b"/DeviceGray", 8, checks, b"/Decode[1 0]")
matte = picture(SIDE, b"/DeviceGray", 8, bytes(255 if b == 90 else 200 for b in checks),
                b"/Matte[0 0 0]")
stencil = add(b"/Type/XObject/Subtype/Image/ImageMask true/Width %d/Height %d/BitsPerComponent 1"
              b"/Decode[1 0]" % (SIDE, SIDE), bits(SIDE))
pages = [
    # The default of /Decode, spelled out, of samples that are packed into fewer bits.
    picture(288, b"[/Indexed/DeviceRGB 255<%s>]" % (b"2040c0f0e0d0" * 128), 8, bars(),
            b"/Decode[0 255]"),
    picture(SIDE, b"/DeviceRGB", 8, squares(SIDE, colours, 100), b"/Decode[0 1 0 1 0 1]"),
    picture(SIDE, b"/DeviceRGB", 8, squares(SIDE, [b"\x50\x50\x50", b"\xf0\xf0\xf0"], 100),
            b"/Decode[0 1 0 1 0 1]"),
    # Another mapping, of few colours.
    picture(SIDE, b"/DeviceRGB", 8, squares(SIDE, colours, 100), b"/Decode[1 0 0 1 1 0]"),
    # A colour key that a soft mask replaces, and one that counts.
    picture(SIDE, b"/DeviceRGB", 8, squares(SIDE, colours, 100),
            b"/Mask[255 255 255 255 255 255]/SMask %d 0 R" % soft),
    picture(SIDE, b"/DeviceRGB", 8, squares(SIDE, colours, 100),
            b"/Mask[255 255 255 255 255 255]"),
    picture(SIDE, indexed, 8, squares(SIDE, numbers, 100), b"/Decode[0 255]/Mask[3 4]"),
    # Equal but for nothing: written once.
    picture(SIDE, indexed, 8, squares(SIDE, numbers, 100), b"/Decode[0 255]"),
    # Numbers of colours from the other end, in four bits; under a soft mask; under a colour key and a
    # soft mask that replaces it.
    picture(SIDE, indexed, 4, packed(SIDE, 100), b"/Decode[15 0]"),
    picture(SIDE, indexed, 8, squares(SIDE, numbers, 100), b"/Decode[0 255]/SMask %d 0 R" % soft),
    picture(SIDE, indexed, 4, packed(SIDE, 100), b"/Decode[15 0]/Mask[3 4]/SMask %d 0 R" % soft),
    # Masks whose own samples are mapped: a soft one, one of colours that were multiplied by it, and
    # a stencil.
    picture(SIDE, b"/DeviceRGB", 8, squares(SIDE, colours, 100), b"/SMask %d 0 R" % turned),
    picture(SIDE, b"/DeviceRGB", 8, squares(SIDE, colours[1:], 100), b"/SMask %d 0 R" % matte),
    picture(SIDE, b"/DeviceRGB", 8, squares(SIDE, colours, 100), b"/Mask %d 0 R" % stencil),
    # Gray in one bit, and in sixteen.
    picture(SIDE, b"/DeviceGray", 1, bits(SIDE), b"/Decode[1 0]"),
    picture(SIDE, b"/DeviceGray", 16, squares(SIDE, [b"\x20\x10", b"\xd0\xff"], 100),
            b"/Decode[1 0]/SMask %d 0 R" % soft),
    # A picture of few pixels.
    picture(16, b"/DeviceRGB", 8, squares(16, colours, 1)),
]
kids = []
root = len(objects) + 3 * len(pages) + 1
for image in pages:
    side = 4 if image == pages[-1] else 72
    content = add(b"", b"0.9 1 0.8 rg 0 0 80 80 re f q %d 0 0 %d 4 4 cm /I Do Q" % (side, side))
    add(b"<</XObject<</I %d 0 R>>>>" % image)
    kids.append(add(b"<</Type/Page/Parent %d 0 R/MediaBox[0 0 80 80]/Contents %d 0 R"
                    b"/Resources %d 0 R>>" % (root, content, len(objects))))
assert len(objects) + 1 == root
add(b"<</Type/Pages/Count %d/Kids[%s]>>" % (len(kids), b" ".join(b"%d 0 R" % k for k in kids)))
add(b"<</Type/Catalog/Pages %d 0 R>>" % root)

save(sys.argv[1], objects, root + 1)
