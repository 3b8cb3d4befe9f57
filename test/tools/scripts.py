"""scripts.py OUT [computed|function]: a form whose scripts name its fields, in all places and encodings.

With OUT "-": prints the scripts of the document on standard input (what qpdf --json writes), one a line.
"""
import json
import sys

import pdf_builder


def string(script, wide=False):
    data = b"\xfe\xff" + script.encode("utf-16-be") if wide else script.encode("latin-1")
    return "<%s>" % data.hex()


def action(script):
    return "<</S/JavaScript/JS %s>>" % script


def make(kind):
    objects = pdf_builder.Objects()
    catalog, pages, page = objects.reserve(), objects.reserve(), objects.reserve()
    scripts = ['AFSimple_Calculate("SUM", new Array("net", "tax"));',
               "// \"net\" is not 'tax'\nevent.value = this.getField('net').value /* \"net\" */ + 1;",
               'AFSimple_Calculate("PRD", "net, address.caf\\u00e9");',
               r'var re = /"net"/; if (event.target.name == "n\x65t") app.alert("net worth");']
    if kind == "computed":
        scripts.append('for (var i = 0; i < 2; i++) sum += getField("ne" + i).value;')
    if kind == "function":
        scripts[1] = 'function total() { return getField("net").value; }'
    data = objects.add("", "\xfe\xff".encode("latin-1") + scripts[1].encode("utf-16-be"))
    parent = objects.reserve()
    fields = []
    for name, extra in [("net", ""), ("tax", ""), ("SUM", ""),
                        ("total", "/AA<</C %s>>" % action(string(scripts[0])))]:
        fields.append(objects.add("<</Type/Annot/Subtype/Widget/FT/Tx/T(%s)/Rect[9 9 99 29]/P %d 0 R%s>>" % (name, page, extra)))
    kid = objects.add("<</Type/Annot/Subtype/Widget/FT/Tx/T(caf\xe9)/V(1)/Rect[9 9 99 29]/P %d 0 R/Parent %d 0 R>>" % (page, parent))
    objects.put(parent, "<</T(address)/FT/Tx/Kids[%d 0 R]>>" % kid)
    outline = objects.reserve()
    item = objects.add("<</Title(x)/Parent %d 0 R/A %s>>" % (outline, action(string(scripts[3], True))))
    objects.put(outline, "<</Type/Outlines/First %d 0 R/Last %d 0 R>>" % (item, item))
    later = objects.add(action(string(scripts[-1]))) if kind == "computed" else 0
    annots = " ".join("%d 0 R" % n for n in fields + [kid])
    objects.put(catalog, "<</Type/Catalog/Pages %d 0 R/Outlines %d 0 R/AcroForm<</Fields[%s %d 0 R]>>/Names<</JavaScript<</Names[(a)%s]>>>>>>"
                % (pages, outline, " ".join("%d 0 R" % n for n in fields), parent, action("%d 0 R" % data)))
    objects.put(pages, "<</Type/Pages/Kids[%d 0 R]/Count 1/MediaBox[0 0 200 200]>>" % page)
    objects.put(page, "<</Type/Page/Parent %d 0 R/Annots[%s]/AA<</O %s/C %s>>>>"
                % (pages, annots, action(string(scripts[2], True)),
                   "%d 0 R" % later if later else action(string("1"))))
    return pdf_builder.document(objects)


def text(value):
    if value.startswith("u:"):
        return value[2:]
    data = bytes.fromhex(value[2:])
    return data[2:].decode("utf-16-be") if data[:2] == b"\xfe\xff" else data.decode("latin-1")


def found(value):
    if isinstance(value, dict):
        if isinstance(value.get("/JS"), str) and not value["/JS"].endswith(" R"):
            yield text(value["/JS"])
        value = list(value.values())
    for item in value if isinstance(value, list) else []:
        yield from found(item)


if sys.argv[1] == "-":
    for script in sorted(found(json.load(sys.stdin))):
        print(script.replace("\n", " "))
else:
    with open(sys.argv[1], "wb") as file:
        file.write(make(sys.argv[2] if len(sys.argv) > 2 else ""))
