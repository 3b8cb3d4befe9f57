"""optional_content.py FOLDER: documents with optional content (ISO 32000-1, 8.11), NAME.pdf, and NAME_shown.pdf, which
has only what is to be shown. Each has lines of text; those to be shown begin with SHOW, the others with HIDE.
"""
import sys

from pdf_builder import Objects, document

# The groups are on (1), off (2), of the intent Design (3), and twins of 1 and 2 in all but the number (4, 5).
GROUPS = ["/Name(1)", "/Name(2)", "/Name(3)/Intent/Design", "/Name(1)", "/Name(2)"]
STATES = {
    "policies": ("/OFF[2 0 R 3 0 R 5 0 R]", [
        ("SHOW", "1 0 R"), ("HIDE", "2 0 R"), ("SHOW", "3 0 R"), ("SHOW", "4 0 R"), ("HIDE", "5 0 R"),
        ("SHOW", "{/OCGs[1 0 R 2 0 R]}"), ("HIDE", "{/OCGs[2 0 R 5 0 R]/P/AnyOn}"),
        ("HIDE", "{/OCGs[1 0 R 2 0 R]/P/AllOn}"), ("SHOW", "{/OCGs[1 0 R 4 0 R]/P/AllOn}"),
        ("SHOW", "{/OCGs[1 0 R 2 0 R]/P/AnyOff}"), ("HIDE", "{/OCGs[1 0 R 4 0 R]/P/AnyOff}"),
        ("HIDE", "{/OCGs[1 0 R 2 0 R]/P/AllOff}"), ("SHOW", "{/OCGs[2 0 R 5 0 R]/P/AllOff}"),
        ("SHOW", "{/OCGs 1 0 R/P/AllOn}"), ("HIDE", "{/OCGs 2 0 R/P/AllOn}"), ("HIDE", "{/OCGs 2 0 R}"),
        ("SHOW", "{/OCGs 2 0 R/P/AnyOff}"), ("HIDE", "{/OCGs 1 0 R/P/AllOff}"), ("HIDE", "{/OCGs 2 0 R/P/Odd}"),
        ("SHOW", "{/OCGs[]/P/AllOn}"), ("SHOW", "{/OCGs[]/P/AnyOff}"), ("SHOW", "{/P/AllOff}"),
        ("SHOW", "{/OCGs[null 99 0 R]/P/AllOff}"), ("HIDE", "{/OCGs[null 99 0 R 1 0 R]/P/AllOff}"),
        ("HIDE", "{/OCGs[6 0 R 2 0 R]/P/AnyOn}"), ("SHOW", "{/OCGs[6 0 R 2 0 R]/P/AllOff}"),
        ("SHOW", "6 0 R"), ("SHOW", "{/OCGs[3 0 R]}"), ("HIDE", "{/OCGs[3 0 R 2 0 R]}"),
        ("HIDE", "{/OCGs[3 0 R 1 0 R]/P/AllOff}"), ("SHOW", "99 0 R")]),
    "expressions": ("/OFF[2 0 R]", [
        ("SHOW", "{/VE[/And 1 0 R 4 0 R]}"), ("HIDE", "{/VE[/And 1 0 R 2 0 R]}"), ("SHOW", "{/VE[/Or 2 0 R 1 0 R]}"),
        ("HIDE", "{/VE[/Or 2 0 R 2 0 R]}"), ("SHOW", "{/VE[/Not 2 0 R]}"), ("HIDE", "{/VE[/Not 1 0 R]}"),
        ("SHOW", "{/VE[/And 1 0 R[/Or 2 0 R[/Not[/And 1 0 R 2 0 R]]]]}"),
        ("HIDE", "{/VE[/And[/Not 2 0 R][/Not 1 0 R]]}"),
        ("HIDE", "{/OCGs 1 0 R/VE[/Not 1 0 R]}"), ("SHOW", "{/OCGs 2 0 R/P/AllOn/VE[/Not 2 0 R]}"),
        ("SHOW", "{/VE[/And null 99 0 R]}"), ("HIDE", "{/VE[/Or null 2 0 R]}"), ("SHOW", "{/VE[/Not 3 0 R]}"),
        ("HIDE", "{/OCGs 2 0 R/VE[/Xor 1 0 R 2 0 R]}"), ("SHOW", "{/OCGs 1 0 R/VE[]}"),
        ("HIDE", "{/OCGs 2 0 R/VE 7 0 R}"), ("SHOW", "{/VE 7 0 R}"), ("HIDE", "{/OCGs 2 0 R/VE %s}" % (
            "[/Not" * 100 + " 1 0 R" + "]" * 100)),
        ("HIDE", "{/OCGs 2 0 R/VE[/And%s]}" % (" 1 0 R" * 20000))]),
    "other": ("/Name(D)/OFF[1 0 R]>>/Configs[<</Name(C)/OFF[2 0 R]>>]/Odd<<", [("HIDE", "1 0 R"), ("SHOW", "2 0 R")]),
    "base_off": ("/BaseState/OFF/ON[1 0 R]", [
        ("SHOW", "1 0 R"), ("HIDE", "2 0 R"), ("HIDE", "{/OCGs[2 0 R 4 0 R]}"), ("SHOW", "{/OCGs[2 0 R 1 0 R]}")]),
    "unchanged": ("/BaseState/Unchanged/OFF[1 0 R]", [("HIDE", "1 0 R"), ("SHOW", "2 0 R")]),
    "design": ("/Intent[/Design/View]/OFF[2 0 R 3 0 R]", [("SHOW", "1 0 R"), ("HIDE", "2 0 R"), ("HIDE", "3 0 R")]),
    "all": ("/Intent/All/OFF[2 0 R 3 0 R]", [("SHOW", "1 0 R"), ("HIDE", "2 0 R"), ("HIDE", "3 0 R")]),
    "no_intent": ("/Intent[]/OFF[2 0 R 3 0 R]", [("SHOW", "1 0 R"), ("SHOW", "2 0 R"), ("SHOW", "3 0 R")]),
    "events": ("/OFF[2 0 R]/AS[<</Event/View/Category[/View/Print]/OCGs[1 0 R 2 0 R 8 0 R 9 0 R]>>"
               "<</Event/Print/Category[/Print]/OCGs[4 0 R 10 0 R]>><</Event/View/Category[/Zoom/Language]/OCGs[10 0 R]>>]", [
        ("SHOW", "1 0 R"), ("HIDE", "2 0 R"), ("HIDE", "8 0 R"), ("HIDE", "9 0 R"), ("SHOW", "10 0 R")]),
    "events_on": ("/BaseState/OFF/AS[<</Event/View/Category[/View]/OCGs[8 0 R 10 0 R]>>]", [
        ("HIDE", "1 0 R"), ("HIDE", "8 0 R"), ("SHOW", "10 0 R")]),
}


def line(number, word, y):
    return "BT /F 8 Tf 20 %d Td (%s %d) Tj ET" % (y, word, number)


def make(name, shown):
    configuration, cases = STATES[name]
    objects = Objects(["<</Type/OCG%s>>" % keys for keys in GROUPS])
    objects.add("<</Type/Other>>")
    objects.add("[/And 1 0 R 7 0 R]")
    objects.add("<</Type/OCG/Name(hidden in views)/Usage<</View<</ViewState/OFF>>/Print<</PrintState/ON>>>>>>")
    objects.add("<</Type/OCG/Name(not printed)/Usage<</View<</ViewState/ON>>/Print<</PrintState/OFF>>>>>>")
    objects.add("<</Type/OCG/Name(usage)/Usage<</View<</ViewState/ON>>/Print<</PrintState/OFF>>/Zoom<</min 9>>>>>>")
    font = objects.add("<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>")
    properties, forms, annotations, content = [], [], [], []
    for i, (word, group) in enumerate(cases):
        if shown and word == "HIDE":
            continue
        if group[0] == "{":
            group = "%d 0 R" % objects.add("<</Type/OCMD%s>>" % group[1:-1])
        key = "" if shown else "/OC %s" % group
        box = "/Subtype/Form/BBox[0 0 400 800]/Resources<</Font<</F %d 0 R>>>>" % font
        properties.append("/P%d %s" % (i, group))
        forms.append("/X%d %d 0 R" % (i, objects.add("/Type/XObject%s%s" % (box, key), line(i, word, 780 - 12 * i))))
        look = objects.add("/Type/XObject" + box, line(i, word, 780 - 12 * i))
        annotations.append("<</Type/Annot/Subtype/Stamp/F 4/Rect[300 0 700 800]/AP<</N %d 0 R>>%s>>" % (look, key))
        text = line(i, word, 780 - 12 * i)
        content.append(text if shown else "/OC/P%d BDC /Span BMC %s EMC EMC" % (i, text))
        content.append("q 1 0 0 1 150 0 cm /X%d Do Q" % i)
    page = objects.add("<</Type/Page/MediaBox[0 0 500 800]/Parent %d 0 R/Contents %d 0 R/Annots[%s]/Resources<</Font<</F %d 0 R>>"
                       "/XObject<<%s>>/Properties<<%s>>>>>>" % (
                           len(objects) + 3, len(objects) + 2, "".join(annotations), font,
                           " ".join(forms), " ".join(properties)))
    objects.add("", "\n".join(content))
    pages = objects.add("<</Type/Pages/Kids[%d 0 R]/Count 1>>" % page)
    groups = " ".join("%d 0 R" % n for n in (1, 2, 3, 4, 5, 8, 9, 10))
    root = "<</Type/Catalog/Pages %d 0 R%s>>" % (
        pages, "" if shown else "/OCProperties<</OCGs[%s]/D<<%s>>>>" % (groups, configuration))
    return document(objects, objects.add(root))


for name in STATES:
    for shown in (False, True):
        with open("%s/%s%s.pdf" % (sys.argv[1], name, "_shown" if shown else ""), "wb") as file:
            file.write(make(name, shown))
