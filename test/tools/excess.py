"""excess.py FOLDER: small documents that ask for too much."""

import os
import sys
import zlib

from pdf_builder import document, save, stream


def write(name, objects):
    save(os.path.join(folder, name), objects)


def many(n):
    """Pages whose contents are of one length, and no two the same."""
    kids = " ".join(f"{2 * i + 3} 0 R" for i in range(n))
    bodies = ["<</Type/Catalog/Pages 2 0 R>>", f"<</Type/Pages/Count {n}/Kids[{kids}]>>"]
    for i in range(n):
        bodies += [f"<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]/Contents {2 * i + 4} 0 R>>",
                   stream(f"{i:05} w")]
    return bodies


def page(content, resources, *more):
    return ["<</Type/Catalog/Pages 2 0 R>>", "<</Type/Pages/Kids[3 0 R]/Count 1>>",
            "<</Type/Page/Parent 2 0 R/MediaBox[0 0 600 700]/Contents 4 0 R"
            f"/Resources<<{resources}>>>>", stream(content), *more]


folder = sys.argv[1]
FORM = "/Type/XObject/Subtype/Form/BBox[0 0 600 700]"
forms = [stream("/X Do " * 10, f"{FORM}/Resources<</XObject<</X {number} 0 R>>>>")
         for number in range(6, 15)] + [stream("0 0 9 9 re f", FORM)]
write("forms.pdf", page("/X Do", "/XObject<</X 5 0 R>>", *forms))

pixels = zlib.compress(bytes(1000))
write("picture.pdf", page("600 0 0 700 0 0 cm /X Do", "/XObject<</X 5 0 R>>", stream(
    pixels, "/Type/XObject/Subtype/Image/Width 60000/Height 60000/BitsPerComponent 8"
            "/ColorSpace/DeviceGray/Filter/FlateDecode")))



def layered(unit):
    """Data of 400 MB that are deflated three times: some hundred bytes."""
    packer = zlib.compressobj(9)
    data = b"".join(packer.compress(unit * (2 ** 20 // len(unit))) for _ in range(400)) + packer.flush()
    return zlib.compress(zlib.compress(data, 9), 9)


LAYERS = "/Filter[/FlateDecode/FlateDecode/FlateDecode]"
bodies = page("0 0 9 9 re f", "")
bodies[3] = stream(layered(b"q Q "), LAYERS)
write("layers.pdf", bodies)
write("layers_picture.pdf", page("600 0 0 700 0 0 cm /X Do", "/XObject<</X 5 0 R>>", stream(
    layered(b"\0"), "/Type/XObject/Subtype/Image/Width 20480/Height 20480/BitsPerComponent 8/ColorSpace/DeviceGray" + LAYERS)))

write("cells.pdf", page("/Pattern cs /P scn 0 0 600 700 re f", "/Pattern<</P 5 0 R>>", stream(
    "0 0 10 10 re f", "/PatternType 1/PaintType 1/TilingType 1/BBox[0 0 10 10]"
                      "/XStep 0.001/YStep 0.001/Resources<<>>")))
write("filled.pdf", page("0 0 600 700 re f", ""))

write("pages.pdf", ["<</Type/Catalog/Pages 2 0 R>>",
                    f"<</Type/Pages/Count 300000/Kids[{'3 0 R ' * 300000}]>>",
                    "<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]>>"])

write("no_pages.pdf", ["<</Type/Catalog/Pages 2 0 R>>",
                       f"<</Type/Pages/Count 1/Kids[{'0 ' * 50000}3 0 R]>>",
                       "<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]>>"])

# A cross-reference stream with fields of two billion bytes.
body = document(page("0 0 9 9 re f", ""))
body = body[:body.index(b"xref")]
table = stream("0" * 60, "/Type/XRef/Root 1 0 R/Size 10/W[2147483647 2147483647 1]")
with open(os.path.join(folder, "widths.pdf"), "wb") as file:
    file.write(body + b"9 0 obj\n%s\nendobj\nstartxref\n%d\n%%%%EOF\n" % (table, len(body)))

# Content that becomes half a gigabyte of blanks, and an eighth: packed twice, and then runs.
for name, runs in ("runs.pdf", 1 << 22), ("few_runs.pdf", 1 << 20):
    packed = zlib.compress(zlib.compress(b"\x81 " * runs, 9), 9)
    objects = page("", "")
    objects[3] = stream(packed, "/Filter[/FlateDecode/FlateDecode/RunLengthDecode]")
    write(name, objects)

objects = page("0 0 9 9 re f", "")
objects[2] = objects[2].replace("4 0 R", f"[{'4 0 R ' * 200000}]")
write("streams.pdf", objects)
write("many.pdf", many(20000))

fields = " ".join(f"{number} 0 R" for number in range(6, 10006))
objects = page("", "", stream("0 0 9 9 re f", FORM))
objects[0] = f"<</Type/Catalog/Pages 2 0 R/AcroForm<</Fields[{fields}]>>>>"
objects[2] = objects[2].replace("/Contents", f"/Annots[{fields}]/Contents")
write("fields.pdf", objects + [
    f"<</Type/Annot/Subtype/Widget/FT/Tx/T(f{i})/Rect[0 0 9 9]/AP<</N 5 0 R>>>>" for i in range(10000)])
