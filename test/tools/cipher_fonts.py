"""cipher_fonts: a page of text in a Type 3 font whose glyphs have names of their own.

    cipher_fonts.py OUT KIND

KIND says what the names and ToUnicode are:
    index      the glyphs are numbered from 0 on, in another order than characters; no ToUnicode
    character  each is named by the number of its character, as TeX's programs name them; no ToUnicode
    map        as index, and ToUnicode says the characters
    wrong      as index, and ToUnicode says other letters
"""
import sys

from pdf_builder import save, stream

TEXT = ("the morning was bright and the road went down to the river, where some people (from the village) waited "
        "for a boat that had been late on every day of this week since monday")


def main(out, kind):
    characters = sorted(set(TEXT), key=lambda c: (ord(c) * 7) % 31)
    code = {c: ord(c) if kind == "character" else 32 + i for i, c in enumerate(characters)}
    name = {c: "a%d" % (ord(c) if kind == "character" else 32 + i) for i, c in enumerate(characters)}
    shown = bytes(code[c] for c in TEXT).hex()
    differences = "".join("%d/%s " % (code[c], name[c]) for c in sorted(code, key=code.get))
    procedures = "".join("/%s 6 0 R" % name[c] for c in characters)
    objects = ["<</Type/Catalog/Pages 2 0 R>>", "<</Type/Pages/Kids[3 0 R]/Count 1>>",
               "<</Type/Page/Parent 2 0 R/MediaBox[0 0 1000 100]/Contents 4 0 R/Resources<</Font<</F 5 0 R>>>>>>",
               stream("BT /F 10 Tf 20 50 Td <%s> Tj ET" % shown),
               "<</Type/Font/Subtype/Type3/FontBBox[0 0 1 1]/FontMatrix[1 0 0 1 0 0]/FirstChar 0/LastChar 255/Widths[%s]"
               "/Encoding<</Differences[%s]>>/CharProcs<<%s>>%s>>" % (
                   ".5 " * 256, differences, procedures, "/ToUnicode 7 0 R" if kind in ("map", "wrong") else ""),
               stream(".5 0 0 0 .4 .6 d1 0 0 .4 .6 re f")]
    other = dict(zip("abcdefghijklmnopqrstuvwxyz", "defghbjklmcnpqrstzvwxfzbcd")) if kind == "wrong" else {}
    lines = "".join("<%02x> <%04x>\n" % (code[c], ord(other.get(c, c))) for c in characters)
    objects.append(stream("1 begincodespacerange <00> <ff> endcodespacerange %d beginbfchar\n%sendbfchar" % (
        len(characters), lines)))
    save(out, objects)


main(*sys.argv[1:])
