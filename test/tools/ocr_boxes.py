"""Compares the words of `pdftotext -bbox` with the places that ocr_scans.py wrote: "all" if each is there, and no
edge of it is more than two points away."""
import html
import re
import sys

NEAR = 2
wanted = [(line.split()[0], *map(float, line.split()[1:])) for line in open(sys.argv[1], encoding="utf-8")]
found = [(html.unescape(word), float(left), float(top), float(right), float(bottom)) for left, top, right, bottom, word in
         re.findall(r'xMin="([^"]+)" yMin="([^"]+)" xMax="([^"]+)" yMax="([^"]+)">([^<]*)<', open(sys.argv[2], encoding="utf-8").read())]
wrong = [place for place in wanted
         if not any(word == place[0] and abs(left - place[1]) <= NEAR and abs(right - place[2]) <= NEAR
                    and top < place[3] - 4 and place[3] < bottom < place[3] + 5
                    for word, left, top, right, bottom in found)]
print(wrong or "all")
