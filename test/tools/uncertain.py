"""Checks the comments of a Word document that to-word made with uncertain=comment: uncertain.py DOCX FOLDER. Writes the
pictures of comments into the folder and prints of each comment: the words it stands at, what it says, and its picture.
uncertain.py like PICTURE PICTURE: prints whether they show the same ink, whatever their margins and resolution."""
import os
import sys
import zipfile
from xml.etree import ElementTree

if sys.argv[1] == "like":
    import numpy
    from PIL import Image, ImageOps
    inks = []
    for name in sys.argv[2:]:
        ink = ImageOps.invert(Image.open(name).convert("L")).point(lambda level: max(level - 90, 0))
        inks.append(numpy.asarray(ink.crop(ink.getbbox()).resize((120, 60)), float).ravel())
    alike = numpy.corrcoef(*inks)[0, 1]
    print("alike" if alike > 0.75 else f"not alike: {alike:.2f}")
    sys.exit()

W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
A = "{http://schemas.openxmlformats.org/drawingml/2006/main}"
R = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}"

archive = zipfile.ZipFile(sys.argv[1])
names = archive.namelist()
assert len(names) == len(set(names)), "a part is there twice"
root = ElementTree.fromstring(archive.read("word/document.xml"))
marked, open_ones = {}, set()
for node in root.iter():
    if node.tag == W + "commentRangeStart":
        open_ones.add(node.get(W + "id"))
    elif node.tag == W + "commentRangeEnd":
        open_ones.remove(node.get(W + "id"))
    elif node.tag == W + "t":
        for one in open_ones:
            marked[one] = marked.get(one, "") + node.text
if "word/comments.xml" not in names:
    sys.exit()
targets = {}
if "word/_rels/comments.xml.rels" in names:
    for rel in ElementTree.fromstring(archive.read("word/_rels/comments.xml.rels")):
        assert rel.get("Type").endswith("/image") and "word/" + rel.get("Target") in names, rel.attrib
        targets[rel.get("Id")] = "word/" + rel.get("Target")
for comment in ElementTree.fromstring(archive.read("word/comments.xml")):
    said = "".join(node.text for node in comment.iter(W + "t"))
    pictures = [targets[node.get(R + "embed")] for node in comment.iter(A + "blip")]
    for name in pictures:
        with open(os.path.join(sys.argv[2], os.path.basename(name)), "wb") as out:
            out.write(archive.read(name))
    print(marked[comment.get(W + "id")].strip(), "|", said, "|", " ".join(map(os.path.basename, pictures)))
