#!/usr/bin/python3
"""Writes a small corpus for bench/compress.py: a file for each kind of thing that makes PDF files large.

    bench/compress_corpus.py FOLDER

All of it is made by this program, the same bytes for the same versions of its libraries, and free to use.
"""

import os
import random
import sys
import zlib

import numpy
import pikepdf
from pikepdf import Array, Dictionary, Name

PAGE = [0, 0, 595, 842]


def new(contents, resources=None):
    """A document with a page for each content, which is a list of streams."""
    pdf = pikepdf.new()
    for parts in contents:
        streams = Array(pdf.make_stream(p if isinstance(p, bytes) else p.encode("latin-1")) for p in parts)
        page = Dictionary(Type=Name.Page, MediaBox=PAGE, Contents=streams, Resources=resources(pdf) if resources else Dictionary())
        pdf.pages.append(pikepdf.Page(pdf.make_indirect(page)))
    return pdf


def helvetica(pdf):
    font = Dictionary(Type=Name.Font, Subtype=Name.Type1, BaseFont=Name.Helvetica, Encoding=Name.WinAnsiEncoding)
    return Dictionary(Font=Dictionary(F=pdf.make_indirect(font)))


def image(pdf, pixels, space, **more):
    """An image of an array of bytes: height, width and channels."""
    stream = pdf.make_stream(zlib.compress(pixels.tobytes(), 6))
    for key, value in {"Type": Name.XObject, "Subtype": Name.Image, "Width": pixels.shape[1], "Height": pixels.shape[0],
                       "BitsPerComponent": 8, "ColorSpace": space, "Filter": Name.FlateDecode, **more}.items():
        stream[Name("/" + key)] = value
    return stream


def photograph(width, height, channels, seed):
    """Smooth shapes of several sizes with some noise, as a camera sees them."""
    rng = numpy.random.default_rng(seed)
    y, x = numpy.mgrid[0:height, 0:width]
    planes = []
    for _ in range(channels):
        plane = numpy.full((height, width), 128.0)
        for size in (width / 2, width / 7, width / 23):
            a, b, c, d = rng.uniform(0.5, 1.5, 4)
            plane += 30 * numpy.sin(a * x / size + c) * numpy.cos(b * y / size + d)
        planes.append(plane + rng.normal(0, 3, plane.shape))
    return numpy.clip(numpy.dstack(planes), 0, 255).astype(numpy.uint8)


def words(rng, n):
    return " ".join("".join(rng.choice("etaoinshrdlu") for _ in range(rng.randint(2, 9))) for _ in range(n))


def text_page(rng):
    lines = [f"BT /F 10.0000 Tf 0 g\n1.00000 0.00000 0.00000 1.00000 {rng.uniform(50, 60):.6f} {780 - 14 * i:.6f} Tm\n"
             f"({words(rng, 12)}) Tj\nET\n" for i in range(50)]
    return ["".join(lines[:25]), "".join(lines[25:])]


def drawings(rng):
    out = []
    for _ in range(400):
        x, y = rng.uniform(0, 595), rng.uniform(0, 842)
        out.append(f"q {rng.random():.6f} {rng.random():.6f} {rng.random():.6f} RG 0.500000 w\n{x:.6f} {y:.6f} m\n")
        for _ in range(40):
            x, y = x + rng.uniform(-6, 6), y + rng.uniform(-6, 6)
            out.append(f"{x:.6f} {y:.6f} l\n")
        out.append("S Q\n")
    return ["".join(out)]


def cells(rng):
    out = []
    for row in range(60):
        for column in range(12):
            x, y = 40 + 43.2 * column, 800 - 12.6 * row
            out.append(f"q\n{x:.3f} {y:.3f} m\n{x + 43.2:.3f} {y:.3f} l\n{x + 43.2:.3f} {y - 12.6:.3f} l\n{x:.3f} {y - 12.6:.3f} l\n"
                       f"h\nW n\n0 g\n1 0 0 1 0 0 cm BT\n/F 8.0 Tf\n{x + 2:.4f} {y - 9:.4f} Td\n({rng.randint(0, 99999)})Tj\nET\nQ\n")
    return ["".join(out)]


def pictures(kind):
    def resources(pdf):
        if kind == "mask":
            mask = image(pdf, photograph(900, 700, 1, 2), Name.DeviceGray)
            picture = image(pdf, photograph(900, 700, 3, 1), Name.DeviceRGB, SMask=mask)
        elif kind == "inks":
            picture = image(pdf, photograph(800, 600, 4, 3), Name.DeviceCMYK)
        elif kind == "scan":
            rows = numpy.packbits(photograph(1600, 2200, 1, 4)[..., 0] > 150, axis=1)
            picture = image(pdf, rows[..., None], Name.DeviceGray, Width=1600, BitsPerComponent=1)
        else:
            picture = image(pdf, photograph(1400, 1000, 3, 5), Name.DeviceRGB)
        return Dictionary(XObject=Dictionary(I=picture, Unused=image(pdf, photograph(200, 200, 3, 6), Name.DeviceRGB)))

    return new([["q 400 0 0 300 90 400 cm /I Do Q"]], resources)


def form(rng):
    pdf = new([["q Q"]], helvetica)
    fields = Array()
    for i in range(400):
        x, y = 30 + 110 * (i % 5), 800 - 9.5 * (i // 5)
        look = pdf.make_stream(f"/Tx BMC q BT 0 g /F 7 Tf 2 2 Td ({words(rng, 2)}) Tj ET Q EMC".encode())
        look.Type, look.Subtype, look.BBox, look.Resources = Name.XObject, Name.Form, [0, 0, 100, 9], helvetica(pdf)
        fields.append(pdf.make_indirect(Dictionary(
            Type=Name.Annot, Subtype=Name.Widget, FT=Name.Tx, T=f"field{i}", V=words(rng, 2), F=4, DA="/F 7 Tf 0 g",
            Rect=[x, y, x + 100, y + 9], AP=Dictionary(N=look))))
    pdf.pages[0].obj.Annots = fields
    pdf.Root.AcroForm = Dictionary(Fields=fields, DR=helvetica(pdf), DA="/F 7 Tf 0 g")
    return pdf


def tagged(rng):
    pdf = new([text_page(rng) for _ in range(6)], helvetica)
    root = pdf.make_indirect(Dictionary(Type=Name.StructTreeRoot))
    kids = Array()
    for i in range(1500):
        kids.append(pdf.make_indirect(Dictionary(S=rng.choice([Name.P, Name.Span, Name.H1]), P=root, K=i,
                                                 Pg=pdf.pages[i % 6].obj)))
    root.K = kids
    pdf.Root.StructTreeRoot, pdf.Root.Lang = root, "en"
    names = []
    for i in range(1500):
        names += [f"place{i:05}", pdf.make_indirect(Array([pdf.pages[i % 6].obj, Name.XYZ, 0, rng.randint(0, 842), 0]))]
    pdf.Root.Names = Dictionary(Dests=Dictionary(Names=Array(names)))
    return pdf


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    rng = random.Random(1)
    files = {
        "text": new([text_page(rng) for _ in range(8)], helvetica),
        "drawings": new([drawings(rng)]),
        "cells": new([cells(rng) for _ in range(3)], helvetica),
        "form": form(rng),
        "tagged": tagged(rng),
    } | {name: pictures(name) for name in ("photograph", "mask", "inks", "scan")}
    os.makedirs(sys.argv[1], exist_ok=True)
    for name, pdf in files.items():
        pdf.save(os.path.join(sys.argv[1], name + ".pdf"), static_id=True)


if __name__ == "__main__":
    main()
