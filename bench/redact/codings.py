"""Pictures for the hiding places as JPEG 2000, JPEG of CMYK, fax and JBIG2 data. Samples are bytes, rows of bits are lists; black is 1."""

import io
import os
import sys

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "test", "tools"))
import jbig2_writer  # noqa: E402


def saved(mode, size, samples, kind, **how):
    from PIL import Image
    out = io.BytesIO()
    Image.frombytes(mode, size, samples).save(out, kind, **how)
    return out.getvalue()


def jpx(mode, size, samples, **how):
    """A JP2 file. `how`: what Pillow offers, such as irreversible and no_jp2 (a bare code stream)."""
    return saved(mode, size, samples, "JPEG2000", **how)


def cmyk_jpeg(size, samples):
    """With Adobe's marker, and as PDF reads it: Pillow writes all samples inverted, which /Decode says."""
    return saved("CMYK", size, samples, "JPEG", quality=98)


def without_adobe(jpeg):
    at = jpeg.index(b"\xff\xee")
    return jpeg[:at] + jpeg[at + 2 + int.from_bytes(jpeg[at + 2:at + 4], "big"):]


def fax_codes(rows):
    """ITU-T T.6."""
    from PIL import Image
    out = io.BytesIO()
    bits = b"".join(int("".join(map(str, row)), 2).to_bytes(len(row) // 8, "big") for row in rows)
    Image.frombytes("1", (len(rows[0]), len(rows)), bits).save(out, "TIFF", compression="group4")
    tags = Image.open(out).tag_v2
    return out.getvalue()[tags[273][0]:tags[273][0] + tags[279][0]]


def jbig2(rows):
    return jbig2_writer.generic(rows)


def jbig2_fax(rows):
    return jbig2_writer.fax(rows, fax_codes(rows))


def jbig2_symbols(rows, side):
    """The globals, and the page: the picture is put together from symbols of this side."""
    tiles = {(x, y): tuple(tuple(row[x:x + side]) for row in rows[y:y + side])
             for y in range(0, len(rows), side) for x in range(0, len(rows[0]), side)}
    symbols = sorted(set(tiles.values()))
    lines = [(y, [(x, symbols.index(tiles[x, y])) for x in range(0, len(rows[0]), side)]) for y in range(0, len(rows), side)]
    return jbig2_writer.dictionary(symbols), jbig2_writer.text(rows, symbols, lines)
