"""Writes documents with text layers that do not fit their pictures, made of one with a layer that does (the first
argument, a result of ocr), into the folder of the second argument: of Latin letters that were read as other ones
(odd.pdf), with the first line alone (short.pdf), and beside its picture (misplaced.pdf); of nonsense.pdf the picture
has no text, either. near.pdf is off by what does not matter."""
import os
import sys

import pikepdf

SOURCE, FOLDER = sys.argv[1:]
ODD = ("T6e qu1cK haRb0ur mast3r wr0te d0wN tHe naM3 oF eaCh veSs3l t4at w4s th3re iN tHe m0rN1ng aNd thi$ l1sT oF b0aTs w4s "
       "k3pT wiTh tHe acC0unTs oF tHe t0wN f0R m0Re tHan s3vEnty y3aRs").split()


def layer_of(page):
    """The key and the form of the layer."""
    return next((key, form) for key, form in page.Resources.XObject.items() if "/PLTN_TextLayer" in form)


def shift(pdf, x, y):
    for page in pdf.pages:
        layer_of(page)[1].Matrix = [1, 0, 0, 1, x, y]


def write_words(pdf, words):
    """Instead of the layer, words not seen, eight in a line, from the top of the text down."""
    for page in pdf.pages:
        key, form = layer_of(page)
        font = pikepdf.Dictionary(Type=pikepdf.Name.Font, Subtype=pikepdf.Name.Type1, BaseFont=pikepdf.Name.Helvetica)
        lines = [" ".join(words[i:i + 8]) for i in range(0, len(words), 8)]
        shown = "".join(f"1 0 0 1 29 {235 - 24 * i} Tm ({line}) Tj\n" for i, line in enumerate(lines))
        form.write(f"BT 3 Tr /F 11 Tf\n{shown}ET".encode())
        form.Resources = pikepdf.Dictionary(Font=pikepdf.Dictionary(F=pdf.make_indirect(font)))


def blacken(pdf):
    """The picture becomes an even grey."""
    for page in pdf.pages:
        for picture in page.images.values():
            picture.write(bytes([200]) * (int(picture.Width) * int(picture.Height)))


def save(name, *changes):
    with pikepdf.open(SOURCE) as pdf:
        for change in changes:
            change(pdf)
        pdf.save(os.path.join(FOLDER, name))


save("odd.pdf", lambda pdf: write_words(pdf, ODD))
save("short.pdf", lambda pdf: write_words(pdf, "The quick harbour master wrote down the name of".split()))
save("misplaced.pdf", lambda pdf: shift(pdf, 40, -18))
save("near.pdf", lambda pdf: shift(pdf, 1, -1))
save("nonsense.pdf", lambda pdf: write_words(pdf, ODD), blacken)
