"""What a PDF has besides what it shows, as qpdf reads it: how many links, widgets, destinations on pages,
structure elements and pieces of tagged content. Usage: page_places.py FILE [annots]"""

import json
import subprocess
import sys

objects = json.loads(subprocess.run(["qpdf", "--json=2", sys.argv[1]], stdout=subprocess.PIPE).stdout)["qpdf"][1]


def deref(value):
    while isinstance(value, str) and f"obj:{value}" in objects:
        value = objects[f"obj:{value}"]
        value = value["value"] if "value" in value else value["stream"]["dict"]
    return value


def pages(node, found):
    for kid in deref(deref(node).get("/Kids", [])):
        if deref(kid).get("/Type") == "/Pages":
            pages(kid, found)
        else:
            found.append(kid)
    return found


root = deref(deref(objects["trailer"]["value"])["/Root"])
listed = pages(root["/Pages"], [])
annots = [(deref(a), a, page) for page in listed for a in deref(deref(page).get("/Annots", []))]
counts = {"pages": len(listed), "links": 0, "widgets": 0, "destinations": 0, "elements": 0, "content": 0, "objects": 0, "lost": 0}
for annot, _, _ in annots:
    counts["links"] += annot.get("/Subtype") == "/Link"
    counts["widgets"] += annot.get("/Subtype") == "/Widget"


def destinations(value):
    if isinstance(value, dict):
        for one in value.values():
            destinations(one)
    elif isinstance(value, list):
        if len(value) > 1 and isinstance(value[1], str) and (value[1] == "/XYZ" or value[1].startswith("/Fit")):
            counts["destinations"] += 1
            counts["lost"] += isinstance(value[0], str) and value[0] not in listed
        for one in value:
            destinations(one)


for name, one in objects.items():
    destinations(one.get("value"))


def tags(value, page, depth):
    value = deref(value) if not isinstance(value, int) else value
    if isinstance(value, list):
        for one in value:
            tags(one, page, depth)
    elif isinstance(value, int):
        counts["content"] += 1
        counts["lost"] += page not in listed or "/StructParents" not in deref(page)
    elif isinstance(value, dict) and depth < 100:
        own = value.get("/Pg", page)
        if "/MCID" in value:
            counts["content"] += 1
            counts["lost"] += own not in listed or "/StructParents" not in deref(value.get("/Stm", own))
        elif "/Obj" in value:
            counts["objects"] += 1
            counts["lost"] += not any(value["/Obj"] == ref and own == at for _, ref, at in annots)
        else:
            counts["elements"] += 1
            tags(value.get("/K", []), own, depth + 1)


tags(deref(root.get("/StructTreeRoot", {})).get("/K", []), None, 0)
if sys.argv[2:] == ["annots"]:
    for annot, _, page in annots:
        print(listed.index(page) + 1, annot["/Subtype"][1:], *(round(n) for n in annot["/Rect"]))
else:
    print(*(f"{name} {n}" for name, n in counts.items()))
