"""Pages drawn by two other programs, and how much two drawings differ."""

import os
import tempfile

import numpy

from commands import run

DPI = 36
NEAR = 24     # levels of gray by which a pixel may differ
MOST = 4_000_000


def load_pgm(data):
    """A grayscale picture of a binary PGM, PPM or PBM file's bytes, or None."""
    fields, at = [], 0
    while len(fields) < 4 and at < len(data):
        end = at
        while end < len(data) and data[end:end + 1] not in b" \n\t\r":
            end += 1
        fields.append(data[at:end])
        at = end + 1
    if len(fields) < 4 or fields[0] not in (b"P5", b"P6"):
        return None
    wide, high = int(fields[1]), int(fields[2])
    deep = 3 if fields[0] == b"P6" else 1
    if wide * high > MOST or len(data) - at < wide * high * deep:
        return None
    picture = numpy.frombuffer(data, numpy.uint8, wide * high * deep, at).reshape(high, wide, deep)
    return picture.mean(axis=2)


def by_mupdf(path, page, password=""):
    ended = run(["mutool", "draw", "-q", "-p", password, "-F", "pnm", "-c", "gray", "-r", str(DPI), "-o", "-", path, str(page)])
    return load_pgm(ended.out) if ended.status == 0 else None


def by_poppler(path, page, password=""):
    ended = run(["pdftoppm", "-upw", password, "-gray", "-cropbox", "-r", str(DPI), "-f", str(page), "-l", str(page), path])
    return load_pgm(ended.out) if ended.status == 0 else None


def by_mupdf_square(path, side=240):
    """The first page of a document or a picture, stretched to a square."""
    ended = run(["mutool", "draw", "-q", "-F", "pnm", "-c", "gray", "-w", str(side), "-h", str(side), "-f", "-o", "-", path, "1"])
    return load_pgm(ended.out) if ended.status == 0 else None


def of_picture(path):
    """The picture in a PNG or JPEG file, by mutool."""
    with tempfile.TemporaryDirectory() as folder:
        out = os.path.join(folder, "page.pnm")
        run(["mutool", "draw", "-q", "-F", "pnm", "-c", "gray", "-r", "72", "-o", out, path, "1"])
        if not os.path.exists(out):
            return None
        with open(out, "rb") as file:
            return load_pgm(file.read())


def _spread(picture):
    """The least and the greatest level within a pixel's neighbours: a line may be drawn a pixel further."""
    padded = numpy.pad(picture, 1, mode="edge")
    high, wide = picture.shape
    around = [padded[y:y + high, x:x + wide] for y in range(3) for x in range(3)]
    return numpy.minimum.reduce(around), numpy.maximum.reduce(around)


def coarse(picture, block=3):
    """The picture in blocks of pixels: two programs draw thin lines and small letters more alike."""
    high, wide = (side // block * block for side in picture.shape)
    return picture[:high, :wide].reshape(high // block, block, wide // block, block).mean(axis=(1, 3))


def differing(one, other):
    """The share of the pixels that differ by more than NEAR from all neighbours of theirs in the other picture; 1 for
    pictures of other sizes."""
    if abs(one.shape[0] - other.shape[0]) > 2 or abs(one.shape[1] - other.shape[1]) > 2:
        return 1.0
    high, wide = min(one.shape[0], other.shape[0]), min(one.shape[1], other.shape[1])
    one, other = one[:high, :wide], other[:high, :wide]
    if not one.size:
        return 0.0
    (least, most), (least_other, most_other) = _spread(one), _spread(other)
    beyond = (other < least - NEAR) | (other > most + NEAR) | (one < least_other - NEAR) | (one > most_other + NEAR)
    return float(beyond.mean())
