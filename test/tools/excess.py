"""excess.py FOLDER: small documents that ask for too much."""

import os
import sys
import zlib


def stream(data, keys=""):
    return f"<<{keys}/Length {len(data)}>>stream\n{data}\nendstream"


def write(name, objects):
    """Objects from number 1 on; the first is the root."""
    text, places = "%PDF-1.7\n", []
    for number, body in enumerate(objects, 1):
        places.append(len(text))
        text += f"{number} 0 obj\n{body}\nendobj\n"
    table = "".join(f"{place:010} 00000 n \n" for place in places)
    text += (f"xref\n0 {len(objects) + 1}\n0000000000 65535 f \n{table}"
             f"trailer<</Root 1 0 R/Size {len(objects) + 1}>>\nstartxref\n{len(text)}\n%%EOF\n")
    with open(os.path.join(folder, name), "wb") as file:
        file.write(text.encode("latin-1"))


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

pixels = zlib.compress(bytes(1000)).decode("latin-1")
write("picture.pdf", page("600 0 0 700 0 0 cm /X Do", "/XObject<</X 5 0 R>>", stream(
    pixels, "/Type/XObject/Subtype/Image/Width 60000/Height 60000/BitsPerComponent 8"
            "/ColorSpace/DeviceGray/Filter/FlateDecode")))

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
plain = page("0 0 9 9 re f", "")
body, places = "%PDF-1.7\n", []
for number, text in enumerate(plain, 1):
    body += f"{number} 0 obj\n{text}\nendobj\n"
end = len(body)
body += "9 0 obj\n" + stream("0" * 60, "/Type/XRef/Root 1 0 R/Size 10/W[2147483647 2147483647 1]")
body += f"\nendobj\nstartxref\n{end}\n%%EOF\n"
with open(os.path.join(folder, "widths.pdf"), "wb") as file:
    file.write(body.encode("latin-1"))

# Content that becomes half a gigabyte of blanks, and an eighth: packed twice, and then runs.
for name, runs in ("runs.pdf", 1 << 22), ("few_runs.pdf", 1 << 20):
    packed = zlib.compress(zlib.compress(b"\x81 " * runs, 9), 9).decode("latin-1")
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
