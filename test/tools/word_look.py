"""Says what is in a Word document: word_look.py DOCX WHAT. It fails if the document is not sound."""

import os
import re
import sys
import xml.etree.ElementTree as tree
import zipfile

W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
R = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}"
A = "{http://schemas.openxmlformats.org/drawingml/2006/main}"
package = zipfile.ZipFile(sys.argv[1])
names = package.namelist()
assert len(names) == len(set(names)) and package.testzip() is None
parts = {name: tree.fromstring(package.read(name)) for name in names
         if name.endswith((".xml", ".rels"))}
document = parts["word/document.xml"]
relations = {r.get("Id"): r for r in parts["word/_rels/document.xml.rels"]}
for relation in relations.values():
    assert relation.get("TargetMode") == "External" or "word/" + relation.get("Target") in names
for element in document.iter():
    for key in (R + "id", R + "embed"):
        assert element.get(key) is None or element.get(key) in relations
    for key, value in element.attrib.items():
        if key[len(W):] in ("w", "h", "before", "after", "line", "left", "right", "hanging", "firstLine"):
            assert re.fullmatch(r"-?\d+", value), (element.tag, key, value)
ids = [e.get("id") for e in document.iter() if e.tag.endswith("}docPr")]
assert len(ids) == len(set(ids))
for cell in document.iter(W + "tc"):
    assert cell[-1].tag == W + "p"


def text(element):
    return "".join(e.text or "" for e in element.iter(W + "t"))


def paragraphs(root):
    return [p for p in root.iter(W + "p") if text(p)]


def value(element, path):
    found = element.find("/".join(W + name for name in path.split("/")))
    return None if found is None else found.get(W + "val")


what = sys.argv[2]
if what == "text":
    print("|".join(text(p) for p in paragraphs(document)))
elif what == "styles":
    print("|".join(str(value(p, "pPr/pStyle")) for p in paragraphs(document)))
elif what == "table":
    print("|".join(",".join(text(c) for c in row.iter(W + "tc")) for row in document.iter(W + "tr")))
elif what == "table rows":  # of each table, and how many of them are repeated
    print("|".join(f"{len(t.findall(W + 'tr'))} {len(t.findall(f'{W}tr/{W}trPr/{W}tblHeader'))}" for t in document.iter(W + "tbl")))
elif what == "lists":
    print("|".join(str(value(p, "pPr/numPr/numId")) for p in paragraphs(document)))
elif what == "links":
    print("|".join(relations[h.get(R + "id")].get("Target") + " " + text(h)
                   for h in document.iter(W + "hyperlink")))
elif what == "pictures":
    print("|".join(os.path.splitext(relations[b.get(R + "embed")].get("Target"))[1]
                   for b in document.iter(A + "blip")))
elif what == "header":
    print("|".join(text(p) for p in paragraphs(parts["word/header1.xml"])))
elif what == "footer":
    print("|".join(text(p) for p in paragraphs(parts["word/footer1.xml"])))
elif what == "sides":
    assert parts["word/settings.xml"].find(W + "evenAndOddHeaders") is not None
    for name in ("header", "footer"):
        for reference in document.iter(f"{W}{name}Reference"):
            part = parts["word/" + relations[reference.get(R + "id")].get("Target")]
            print(reference.get(W + "type"), "|".join(text(p) for p in paragraphs(part)), end=";")
elif what == "heading style":
    style = next(s for s in parts["word/styles.xml"] if s.get(W + "styleId") == "Heading1")
    print(style.find(f"{W}rPr/{W}b") is not None, style.find(f"{W}rPr/{W}sz").get(W + "val"))
elif what == "fields":
    print("|".join(i.text.strip() for i in parts["word/footer1.xml"].iter(W + "instrText")))
elif what == "comments":
    marked = [c.get(W + "id") for c in document.iter(W + "commentRangeStart")]
    for comment in parts["word/comments.xml"]:
        assert comment.get(W + "id") in marked
        print(comment.get(W + "author") + ": " + "|".join(text(p) for p in comment))
elif what == "footnotes":
    notes = {n.get(W + "id"): n for n in parts["word/footnotes.xml"]}
    for reference in document.iter(W + "footnoteReference"):
        note = notes[reference.get(W + "id")]
        counted = reference.get(W + "customMarkFollows") is None
        assert counted == (note.find(f".//{W}footnoteRef") is not None)
        print("#" if counted else "", text(note), end="|", sep="")
    print(",".join(n.get(W + "val") for n in document.iter(W + "numStart")))
elif what == "header links":
    print("|".join(r.get("Target") for r in parts["word/_rels/header1.xml.rels"]))
elif what == "directions":
    print("|".join(d.get(W + "val") for d in document.iter(W + "textDirection")))
elif what == "boxes":
    print(sum(1 for _ in document.iter(W + "txbxContent")))
elif what == "bordered":
    print("|".join(text(p) for p in paragraphs(document) if p.find(f"{W}pPr/{W}pBdr") is not None))
elif what == "pages":
    print(1 + sum(1 for _ in document.iter(W + "pageBreakBefore")))
elif what == "starts":
    print("|".join(n.get(W + "start") for n in document.iter(W + "pgNumType")))
elif what == "formulas":
    M = "{http://schemas.openxmlformats.org/officeDocument/2006/math}"
    print("|".join("/".join("".join(part.itertext()) for part in (f.find(M + "num"), f.find(M + "den")))
                   for f in document.iter(M + "f")))
    print("|".join(p.find(f"{W}pPr/{W}spacing").get(W + "lineRule") for p in paragraphs(document)))
elif what == "lengths":
    print("|".join(str(len(text(p))) for p in paragraphs(document)))
elif what == "bottom":
    print(next(document.iter(W + "pgMar")).get(W + "bottom"))
elif what == "columns":
    print("|".join(c.get(W + "num", "1") for c in document.iter(W + "cols")))
elif what == "balance":
    print("no" if parts["word/settings.xml"].find(f".//{W}noColumnBalance") is not None else "yes")
elif what == "frames":
    print(sum(1 for _ in document.iter(W + "framePr")))
elif what == "anchors":
    print(sum(1 for e in document.iter() if e.tag.endswith("}anchor")))
elif what == "hung":  # the first words of the paragraphs that something hangs on, and how much of their text is before that
    for p in document.find(W + "body"):
        before = 0
        for e in p.iter():
            if e.tag.endswith("}anchor"):
                print(before, text(p)[:14], end="|")
            before += len(e.text or "") if e.tag == W + "t" else 0
elif what == "behind":
    print("|".join(e.get("behindDoc") for e in document.iter() if e.tag.endswith("}anchor")))
elif what == "stack":
    # From below: what kind each picture is of, and how wide and high it is in points.
    anchors = sorted((int(a.get("relativeHeight")), a) for a in document.iter() if a.tag.endswith("}anchor"))
    for _, anchor in anchors:
        kind = relations[next(anchor.iter(A + "blip")).get(R + "embed")].get("Target").split(".")[1]
        extent = next(e for e in anchor if e.tag.endswith("}extent"))
        print(kind, *(round(int(extent.get(key)) / 12700) for key in ("cx", "cy")), end="|")
elif what == "highlights":
    print("|".join(s.get(W + "fill") + " " + text(r) for r in document.iter(W + "r") for s in r.iter(W + "shd")))
elif what == "line rules":
    print("|".join(p.find(f"{W}pPr/{W}spacing").get(W + "lineRule") for p in paragraphs(document)))
elif what == "indents":  # of paragraphs in tables, in points, if there are any
    print("|".join(f"{text(p)} {int(i.get(W + 'firstLine', 0)) // 20} {int(i.get(W + 'right', 0)) // 20}"
                   for c in document.iter(W + "tc") for p in paragraphs(c)
                   for i in p.iter(W + "ind") if abs(int(i.get(W + "right", 0))) > 200 or int(i.get(W + "firstLine", 0)) > 200))
elif what == "spaced":
    print("|".join(text(r) for r in document.iter(W + "r") if r.find(f"{W}rPr/{W}spacing") is not None))
elif what == "spacers":
    # Heights of empty paragraphs before the first table.
    body = list(document.find(W + "body"))
    table = next(i for i, e in enumerate(body) if e.tag == W + "tbl")
    print(sum(int(e.find(f"{W}pPr/{W}spacing").get(W + "line")) for e in body[:table]
              if e.tag == W + "p" and not text(e) and e.find(f"{W}pPr/{W}sectPr") is None))
elif what == "controls":
    W14 = "{http://schemas.microsoft.com/office/word/2010/wordml}"
    for control in document.iter(W + "sdt"):
        properties = control.find(W + "sdtPr")
        box = properties.find(W14 + "checkbox")
        kind = "text" if properties.find(W + "text") is not None else "choice" if box is None else "box"
        options = ",".join(i.get(W + "value") for i in properties.iter(W + "listItem"))
        on = "" if box is None else box.find(W14 + "checked").get(W14 + "val")
        print(properties.find(W + "alias").get(W + "val"), kind, options + on,
              text(control.find(W + "sdtContent")).replace("\u2002", "."), sep=":", end="|")
elif what == "hollow":
    print("|".join(text(r) for r in document.iter(W + "r") if r.find(f"{W}rPr/{W}outline") is not None))
elif what == "main font":
    print(next(parts["word/styles.xml"].iter(W + "rFonts")).get(W + "ascii"))
elif what == "size":
    size = next(document.iter(W + "pgSz"))
    print(size.get(W + "w"), size.get(W + "h"))
elif what == "colors":
    print("|".join(c.get(W + "val") for c in document.iter(W + "color")))
elif what == "bold":
    print("|".join(text(r) for r in document.iter(W + "r") if r.find(f"{W}rPr/{W}b") is not None))
