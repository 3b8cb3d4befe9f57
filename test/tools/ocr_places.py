"""Whether a text as hOCR or ALTO is XML that has its pages, and the words of words.txt within two points of their places."""
import re
import sys
import xml.etree.ElementTree as ElementTree

DPI = 300
HTML, ALTO = "{http://www.w3.org/1999/xhtml}", "{http://www.loc.gov/standards/alto/ns-v4#}"


def hocr(root):
    pages = [one for one in root.iter(HTML + "div") if one.get("class") == "ocr_page"]
    words = []
    for one in pages[0].iter(HTML + "span"):
        if one.get("class") == "ocrx_word":
            box = re.match(r"bbox (\d+) (\d+) (\d+) (\d+); x_wconf (\d+)$", one.get("title"))
            words.append((one.text, int(box[1]), int(box[3]), int(box[5])))
    lines = sum(one.get("class") == "ocr_line" for one in root.iter(HTML + "span"))
    return len(pages), lines, words


def alto(root):
    pages = list(root.iter(ALTO + "Page"))
    words = [(one.get("CONTENT"), int(one.get("HPOS")), int(one.get("HPOS")) + int(one.get("WIDTH")), 100 * float(one.get("WC")))
             for one in pages[0].iter(ALTO + "String")]
    return len(pages), sum(1 for _ in root.iter(ALTO + "TextLine")), words


how, path, truth = sys.argv[1:]
pages, lines, words = {"hocr": hocr, "alto": alto}[how](ElementTree.parse(path).getroot())
wrong = [] if (pages, lines) == (2, 10) else [f"{pages} pages, {lines} lines"]
for line in open(truth, encoding="utf-8"):
    word, left, right = line.split()[0], *map(float, line.split()[1:3])
    if not any(one[0] == word and abs(one[1] * 72 / DPI - left) < 2 and abs(one[2] * 72 / DPI - right) < 2 and one[3] > 50 for one in words):
        wrong.append(word)
print(*wrong or ["all"])
