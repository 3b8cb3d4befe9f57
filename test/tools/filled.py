"""filled.py: a form with fields of all kinds, and what other programs read in results.

    filled.py make FOLDER     form.pdf (with scripts, names in several parts, states with names), xfa.pdf, notes.pdf
    filled.py ask JSON EXPRESSION   what an expression gives: d is the JSON, f its fields by name
    filled.py values PDF      the values by name, as qpdf's JSON of the form has them
"""
import json
import os
import subprocess
import sys

from pdf_builder import Objects, save, stream

SUM = "AFSimple_Calculate(\"SUM\", new Array(\"price.net\", \"price.tax\"));"
MONEY = "AFNumber_Format(2, 0, 0, 0, \"$\", true);"
FIELDS = [
    # name, rectangle, entries
    ("given", "20 700 200 720", "/FT/Tx/TU(Your first name)/Ff 2"),
    ("birth", "20 670 200 690", "/FT/Tx/AA<</F<</S/JavaScript/JS(AFDate_FormatEx\\(\"dd.mm.yyyy\"\\);)>>>>"),
    ("total", "20 640 200 660", "/FT/Tx/Ff 1/AA<</C<</S/JavaScript/JS(%s)>>/F<</S/JavaScript/JS(%s)>>>>"),
    ("odd", "20 610 200 630", "/FT/Tx/AA<</C<</S/JavaScript/JS(event.value = 1 + 1;)>>>>"),
    ("code", "20 580 200 600", "/FT/Tx/Ff 16777216/MaxLen 6"),
    ("fruit", "20 550 200 570", "/FT/Ch/Ff 131072/Opt[[(a)(Apples)][(b)(Berries)]]"),
    ("free", "20 520 200 540", "/FT/Ch/Ff 393216/Opt[(one)(two)]"),
    ("several", "20 450 200 510", "/FT/Ch/Ff 2097152/Opt[(x)(y)(z)]"),
    ("push", "220 700 300 720", "/FT/Btn/Ff 65536/MK<</CA(Send)>>"),
    ("signature", "220 670 300 690", "/FT/Sig"),
]


def escaped(script):
    return script.replace("(", "\\(").replace(")", "\\)")


def form(path, more="", catalog=""):
    objects = Objects()
    root, pages, page, font = (objects.reserve() for _ in range(4))
    objects.put(font, "<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>")
    widgets, roots, order = [], [], []
    on = objects.add("/Type/XObject/Subtype/Form/BBox[0 0 12 12]", "q 0 0 12 12 re f Q")
    off = objects.add("/Type/XObject/Subtype/Form/BBox[0 0 12 12]", "q 0 0 12 12 re S Q")

    def widget(rect, rest):
        number = objects.add("<</Type/Annot/Subtype/Widget/F 4/P %d 0 R/Rect[%s]%s>>" % (page, rect, rest))
        widgets.append(number)
        return number

    def states(name):
        return "/AS/Off/AP<</N<</%s %d 0 R/Off %d 0 R>>>>" % (name, on, off)

    for name, rect, rest in FIELDS:
        if "%s" in rest:
            rest = rest % (escaped(SUM), escaped(MONEY))
        roots.append(widget(rect, "/T(%s)%s" % (name, rest)))
        if "/C<<" in rest:
            order.append(roots[-1])
    price = objects.reserve()
    net = widget("320 700 390 720", "/Parent %d 0 R/T(net)/FT/Tx" % price)
    tax = widget("320 670 390 690", "/Parent %d 0 R/T(tax)/FT/Tx/V(19)" % price)
    objects.put(price, "<</T(price)/Kids[%d 0 R %d 0 R]>>" % (net, tax))
    agree = widget("220 640 232 652", "/T(agree)/FT/Btn" + states("Accepted"))
    bare = widget("240 640 252 652", "/T(bare)/FT/Btn/MK<</CA(4)/BC[0]>>")
    radio = objects.reserve()
    kids = [widget("220 %d 232 %d" % (y, y + 12), "/Parent %d 0 R" % radio + states(name))
            for y, name in ((610, "0"), (590, "1"))]
    objects.put(radio, "<</T(colour)/FT/Btn/Ff 49152/Opt[(red)(green)]/Kids[%d 0 R %d 0 R]>>" % tuple(kids))
    twin = objects.reserve()
    both = [widget("320 %d 390 %d" % (y, y + 20), "/Parent %d 0 R" % twin) for y in (610, 580)]
    objects.put(twin, "<</T(twice)/FT/Tx/Kids[%d 0 R %d 0 R]>>" % tuple(both))
    roots += [price, agree, bare, radio, twin]
    numbers = " ".join("%d 0 R" % one for one in roots)
    objects.put(root, "<</Type/Catalog/Pages %d 0 R/AcroForm<</DA(/Helv 12 Tf 0 g)/DR<</Font<</Helv %d 0 R>>>>"
                "/Fields[%s]/CO[%s]%s>>%s>>" % (pages, font, numbers, " ".join("%d 0 R" % one for one in order), more, catalog))
    objects.put(pages, "<</Type/Pages/Count 1/Kids[%d 0 R]>>" % page)
    objects.put(page, "<</Type/Page/Parent %d 0 R/MediaBox[0 0 400 740]/Annots[%s]>>" % (
        pages, " ".join("%d 0 R" % one for one in widgets)))
    save(path, objects)


def notes(path):
    """A page with a note that has an appearance and a window, a marking without one, a link and a field."""
    objects = [
        "<</Type/Catalog/Pages 2 0 R/AcroForm<</DA(/Helv 12 Tf 0 g)/Fields[8 0 R]>>>>",
        "<</Type/Pages/Count 1/Kids[3 0 R]>>",
        "<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 300]/Annots[4 0 R 5 0 R 6 0 R 7 0 R 8 0 R]>>",
        "<</Type/Annot/Subtype/Square/Rect[20 200 120 280]/C[1 0 0]/Contents(Look here)/Popup 5 0 R/AP<</N 9 0 R>>>>",
        "<</Type/Annot/Subtype/Popup/Rect[150 200 250 280]/Parent 4 0 R>>",
        "<</Type/Annot/Subtype/Underline/Rect[20 100 120 120]/QuadPoints[20 120 120 120 20 100 120 100]>>",
        "<</Type/Annot/Subtype/Link/Rect[20 60 120 80]/A<</S/URI/URI(https://example.com/)>>>>",
        "<</Type/Annot/Subtype/Widget/F 4/Rect[20 20 200 40]/T(field)/FT/Tx/V(A value)>>",
        stream("1 0 0 RG 4 w 2 2 96 76 re S", "/Type/XObject/Subtype/Form/BBox[0 0 100 80]"),
    ]
    save(path, objects)


def parents(path, parent):
    """Two fields, of which the first one's widget says that another object is above it, or nothing."""
    widget = "/Type/Annot/Subtype/Widget/P 3 0 R/F 4"
    save(path, {
        1: "<</Type/Catalog/Pages 2 0 R/AcroForm<</Fields[10 0 R 12 0 R]/DA(/Helv 12 Tf 0 g)/DR<</Font<</Helv 9 0 R>>>>>>>>",
        2: "<</Type/Pages/Kids[3 0 R]/Count 1>>", 3: "<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 200]/Annots[11 0 R 13 0 R]>>",
        9: "<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>",
        10: "<</FT/Tx/T(first)/V(old)/Kids[11 0 R]>>", 11: f"<<{widget}/Rect[20 20 200 40]{parent}>>",
        12: "<</FT/Tx/T(second)/V(else)/Kids[13 0 R]>>", 13: f"<<{widget}/Rect[20 60 200 80]/Parent 12 0 R>>"})


def make(folder):
    for name, parent in (("none", ""), ("own", "/Parent 11 0 R"), ("other", "/Parent 12 0 R"), ("page", "/Parent 3 0 R")):
        parents(os.path.join(folder, f"parent_{name}.pdf"), parent)
    form(os.path.join(folder, "form.pdf"))
    form(os.path.join(folder, "xfa.pdf"), "/XFA[(template)(x)]", "/NeedsRendering true")
    form(os.path.join(folder, "hybrid.pdf"), "/XFA[(template)(x)]")
    notes(os.path.join(folder, "notes.pdf"))


def values(path):
    said = subprocess.run(["qpdf", "--json", "--json-key=acroform", path], capture_output=True, check=False).stdout
    fields = json.loads(said)["acroform"]["fields"]
    return {one["fullname"]: one["value"] for one in fields}


if sys.argv[1] == "make":
    make(sys.argv[2])
elif sys.argv[1] == "values":
    print(json.dumps(values(sys.argv[2]), ensure_ascii=False, sort_keys=True))
elif sys.argv[1] == "ask":
    with open(sys.argv[2], encoding="utf-8") as file:
        d = json.load(file)
    print(eval(sys.argv[3], {"d": d, "f": {one["name"]: one for one in d.get("fields", [])}}))
