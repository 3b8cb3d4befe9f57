"""What redacts: platen, and what people use instead, each as it is meant to be used. A peer gets the document, the secret or its area,
and a path for the result; it returns whether it made one, or says why not."""

import os
import subprocess

HERE = os.path.dirname(os.path.abspath(__file__))
PLATEN = os.environ.get("PLATEN", os.path.join(HERE, "..", "..", "build", "platen"))
OCR = "auto"  # or "off": platen does not read its result as pictures

# Redaction annotations over what MuPDF finds, applied, and saved without unused objects.
MUPDF = """
var doc = new PDFDocument(scriptArgs[0])
var box = scriptArgs[3] ? scriptArgs[3].split(",").map(Number) : null
for (var i = 0; i < doc.countPages(); i++) {
    var page = doc.loadPage(i)
    if (box && i == 0) {
        var one = page.createAnnotation("Redact")
        one.setRect([box[0], 792 - box[3], box[2], 792 - box[1]])
    }
    if (!box) {
        var found = page.search(scriptArgs[2])
        for (var k = 0; k < found.length; k++) {
            var mark = page.createAnnotation("Redact")
            mark.setQuadPoints(found[k])
        }
    }
    page.applyRedactions()
}
doc.save(scriptArgs[1], "garbage=4,compress")
"""


def made(command, out, data=None):
    try:
        done = subprocess.run(command, capture_output=True, timeout=120, input=data)
    except subprocess.TimeoutExpired:
        return "took longer than two minutes"
    if done.returncode == 0 and os.path.exists(out):
        return None
    lines = (done.stderr + done.stdout).decode("utf-8", "replace").strip().splitlines()
    return lines[-1] if lines else f"status {done.returncode}"


def platen(source, out, secret, area, work):
    wish = ["--hits", '[{"page": 1, "box": [%g, %g, %g, %g]}]' % tuple(area)] if area else ["--text", secret]
    return made([PLATEN, "run", "redact", source, *wish, "--ocr", OCR, "-o", out, "--force"], out)


def mupdf(source, out, secret, area, work):
    script = os.path.join(work, "mupdf.js")
    with open(script, "w", encoding="utf-8") as file:
        file.write(MUPDF)
    return made(["mutool", "run", script, source, out, secret, *([",".join(map(str, area))] if area else [])], out)


def pikepdf(source, out, secret, area, work):
    """The script that answers on the Web give: the operands of text in the content of pages, and the metadata."""
    if area:
        return "knows no areas"
    return made(["/usr/bin/python3", os.path.join(HERE, "with_pikepdf.py"), source, out, secret], out)


def box_only(source, out, secret, area, work):
    """A black box over the text, which is what people without a tool do."""
    return made(["/usr/bin/python3", os.path.join(HERE, "with_pikepdf.py"), source, out, secret, "box"], out)


PEERS = {"platen": platen, "MuPDF": mupdf, "pikepdf script": pikepdf, "black box": box_only}
