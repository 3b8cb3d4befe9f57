"""XMP packets: what a document's says, and documents with odd ones.

    xmp.py FILE.pdf NAME    the texts of the properties with this local name, divided by blanks
    xmp.py make FOLDER      differs.pdf, broken.pdf, parts.pdf, and hostile ones
"""
import os
import subprocess
import sys
import xml.etree.ElementTree

RDF = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
HEAD = f'<x:xmpmeta xmlns:x="adobe:ns:meta/"><r:RDF xmlns:r="{RDF}">'
TAIL = "</r:RDF></x:xmpmeta>"
DIFFERS = (HEAD + '<r:Description r:about="" xmlns:p="http://ns.adobe.com/pdf/1.3/" p:Producer="Only XMP" xmlns:o="urn:o" o:other="kept"/>'
           '<r:Description xmlns:d="http://purl.org/dc/elements/1.1/" xmlns:o="urn:o"><d:title><r:Alt><r:li xml:lang="x-default">In XMP</r:li>'
           "<r:li xml:lang=\"de\">Anders</r:li></r:Alt></d:title><o:list><r:Bag><r:li>kept</r:li></r:Bag></o:list></r:Description>" + TAIL)
HOSTILE = {
    "billion": '<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;">]>' + HEAD + "&b;" + TAIL,
    "deep": HEAD + "<a>" * 100000 + "</a>" * 100000 + TAIL,
    "doctype": '<!DOCTYPE x SYSTEM "file:///etc/passwd">' + HEAD + TAIL,
    "huge": HEAD + '<r:Description xmlns:d="urn:d" d:a="' + "&#x10FFFF;" * 100000 + '"/>' + TAIL,
}


def build(path, packet, info="", page="", more=""):
    text = ["<</Type/Catalog/Pages 2 0 R/Metadata 4 0 R>>", "<</Type/Pages/Count 1/Kids[3 0 R]>>",
            f"<</Type/Page/Parent 2 0 R/MediaBox[0 0 99 99]{page}>>", f"<</Type/Metadata/Subtype/XML>> stream {packet}", f"<<{info}>>"]
    subprocess.run([sys.executable, os.path.join(os.path.dirname(__file__), "pdf_builder.py"), path],
                   input="\n".join(text + ([more] if more else [])).encode(), check=True)
    with open(path, "rb") as file:
        data = file.read()
    with open(path, "wb") as file:
        file.write(data.replace(b"/Root 1 0 R", b"/Root 1 0 R/Info 5 0 R"))


if sys.argv[1] == "make":
    folder = sys.argv[2]
    build(f"{folder}/differs.pdf", DIFFERS, "/Title(In Info)")
    build(f"{folder}/broken.pdf", HEAD + "<a></b>" + TAIL)
    build(f"{folder}/parts.pdf", HEAD + TAIL, page="/PieceInfo<</A<</Private(SECRET)>>>>/Metadata 6 0 R",
          more="<</Type/Metadata/Subtype/XML>> stream <a>SECRET</a>")
    for name, packet in HOSTILE.items():
        build(f"{folder}/{name}.pdf", packet)
else:
    out = subprocess.run(["qpdf", "--json=2", "--json-key=qpdf", "--json-stream-data=inline", "--decode-level=all", sys.argv[1]], stdout=subprocess.PIPE).stdout
    import base64
    import json
    objects = json.loads(out)["qpdf"][1]
    root = objects["obj:" + objects["trailer"]["value"]["/Root"]]["value"]
    if "/Metadata" in root:
        tree = xml.etree.ElementTree.fromstring(base64.b64decode(objects["obj:" + root["/Metadata"]]["stream"]["data"]))
        found = []
        for element in tree.iter():
            if element.tag.rpartition("}")[2] == sys.argv[2]:
                found.append("".join(element.itertext()).strip())
            found += [value for name, value in element.attrib.items() if name.rpartition("}")[2] == sys.argv[2]]
        print(*found)
