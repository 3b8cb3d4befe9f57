"""Writes PDFs for the test of to-word: word_pages.py FOLDER."""

import base64
import os
import struct
import sys
import zlib

from pdf_builder import save, stream

folder = sys.argv[1]
FONTS = ("/Font<</F<</Type/Font/Subtype/Type1/BaseFont/Times-Roman/Encoding/WinAnsiEncoding>>"
         "/B<</Type/Font/Subtype/Type1/BaseFont/Times-Bold/Encoding/WinAnsiEncoding>>>>")


def write(name, pages, objects=(), resources="", page_words="", catalog="", fonts=""):
    """pages: their content. objects: from number 10 on."""
    bodies = {1: f"<</Type/Catalog/Pages 2 0 R{catalog}>>", **dict(enumerate(objects, 10))}
    kids = range(100, 100 + 2 * len(pages), 2)
    for number, content in zip(kids, pages):
        bodies[number] = (f"<</Type/Page/Parent 2 0 R/Contents {number + 1} 0 R"
                          f"/MediaBox[0 0 400 500]{page_words}"
                          f"/Resources<<{FONTS[:-2]}{fonts}>>{resources}>>>>")
        bodies[number + 1] = stream(content)
    bodies[2] = f"<</Type/Pages/Count {len(kids)}/Kids[{' '.join(f'{kid} 0 R' for kid in kids)}]>>"
    save(os.path.join(folder, name + ".pdf"), bodies)


def text(x, y, words, size=10, font="F", color=""):
    words = words.replace("\\", "\\\\").replace("(", "\\(").replace(")", "\\)")
    return f"BT {color} /{font} {size} Tf {x} {y} Td ({words}) Tj ET\n"


BODY = ["These are the lines of a paragraph that is long enough to go over", "several of them, and there are more words in it than in most para-",
        "graphs of this kind, until the last of its lines ends early."]


def body(x, y):
    return "".join(text(x, y - 12 * i, line) for i, line in enumerate(BODY))


def page(number):
    return (text(50, 470, "The report of the year") + body(50, 400) + body(50, 300)
            + text(180, 30, f"Page {number} of 3"))


write("flow", [text(50, 440, "A heading", 20, "B") + body(50, 400)
               + text(50, 340, "red", 10, "B", "1 0 0 rg") + "0 g\n"])
# The line of the fraction is a stencil of one sample, as Ghostscript writes what TeX drew.
# Pages that are not rotated with text that is.
SIDEWAYS = ["BT /F 10 Tf 0 1 -1 0 %d 50 Tm (%s) Tj ET\n", "BT /F 10 Tf 0 -1 1 0 %d 450 Tm (%s) Tj ET\n"]
write("sideways", ["".join(SIDEWAYS[0] % (100 + 12 * i, line) for i, line in enumerate(BODY)),
                   "".join(SIDEWAYS[1] % (300 - 12 * i, line) for i, line in enumerate(BODY)) + text(50, 480, "upright")])
write("label", [SIDEWAYS[0] % (60, "of an axis") + body(80, 400)])
AXES = "110 230 m 110 380 l S 110 230 m 310 230 l S 110 240 m 180 350 l 260 280 l 310 370 l S\n"
write("axis", [body(50, 460) + AXES + "BT /F 8 Tf 0 1 -1 0 86 260 Tm (Number of events) Tj ET\n" + body(50, 180)])
write("formula", [text(50, 400, "Take x =") + text(95, 406.8, "a + b") + text(102, 393, "cd")
                  + text(124, 400, "and no more of it.") +
                  "q 26 0 0 .4 94 402.3 cm BI /IM true /W 1 /H 1 /BPC 1 /D [1 0] ID \x80 EI Q\n"])
write("furniture", [page(1), page(2), page(3)])
write("zero", [text(50, 400, f"Sheet {i}") for i in range(4)])
write("framed", ["50 455 300 25 re S 200 455 m 200 480 l S\n" + text(58, 464, "Of the year") + text(230, 464, f"Page {i} of 3")
                 + body(50, 400) + body(50, 300) for i in (1, 2, 3)])
write("accounts", [text(50, 470, f"Account {number}") + body(50, 400) + body(50, 300) for number in (3549, 3222)])
GRID = "".join(f"50 {y} m 250 {y} l S\n" for y in (300, 320, 340)) + "".join(
    f"{x} 300 m {x} 340 l S\n" for x in (50, 150, 250))
write("table", [GRID + text(60, 326, "one") + text(160, 326, "two") + text(60, 306, "three")
                + text(160, 306, "four")])
SIGN = "0.9 g 160 305 m 190 318 l 200 304 l f 0 g\n"
write("signed", ["0 0 0.5 rg 150 300 100 20 re f 0 g\n" + GRID + SIGN + text(60, 326, "one") + text(160, 326, "two")
                 + text(60, 306, "three"), GRID + SIGN.replace("0.9 g", "0.5 g") + text(60, 306, "four")])
write("hollow", [text(50, 400, "outlines", font="H") + text(50, 370, "as it is")],
      fonts="/H<</Type/Font/Subtype/Type1/BaseFont/ArialHollow/Encoding/WinAnsiEncoding>>")
LIST = "".join(text(50, 400 - 14 * i, "\x95") + text(64, 400 - 14 * i, words)
               for i, words in enumerate(["first of all", "and second", "third"]))
write("list", [LIST])
write("link", [text(50, 400, "see the pages of the project")],
      [b"<</Type/Annot/Subtype/Link/Rect[50 395 300 412]/Border[0 0 0]"
       b"/A<</S/URI/URI(https://example.org/a?b=1&c=2)>>>>"], page_words="/Annots[10 0 R]")
PIXELS = zlib.compress(bytes(range(192)))
IMAGE = stream(PIXELS, "/Type/XObject/Subtype/Image/Width 8/Height 8/ColorSpace/DeviceRGB/BitsPerComponent 8"
               "/Filter/FlateDecode")
write("picture", ["q 200 0 0 100 100 300 cm /I Do Q\n" + body(50, 200)], [IMAGE],
      "/XObject<</I 10 0 R>>")
# A picture that nobody can read, and text behind it.
write("unreadable", ["q 200 0 0 100 100 300 cm /I Do Q\n" + body(50, 200)],
      [stream("no pixels", "/Type/XObject/Subtype/Image/Width 8/Height 8/Filter/JPXDecode")],
      "/XObject<</I 10 0 R>>")
# JPEGs of 8 by 8 pixels, in gray and in four colours.
GRAY = base64.b64decode(
    "/9j/4AAQSkZJRgABAQAAAQABAAD/2wBDABALDA4MChAODQ4SERATGCgaGBYWGDEjJR0oOjM9PDkzODdASFxOQERX"
    "RTc4UG1RV19iZ2hnPk1xeXBkeFxlZ2P/wAALCAAIAAgBAREA/8QAFAABAAAAAAAAAAAAAAAAAAAAA//EABQQAQAA"
    "AAAAAAAAAAAAAAAAAAD/2gAIAQEAAD8AN//Z")
CMYK = base64.b64decode(
    "/9j/7gAOQWRvYmUAZAAAAAAA/9sAQwAQCwwODAoQDg0OEhEQExgoGhgWFhgxIyUdKDozPTw5Mzg3QEhcTkBEV0U3"
    "OFBtUVdfYmdoZz5NcXlwZHhcZWdj/8AAFAgACAAIBEMRAE0RAFkRAEsRAP/EABUAAQEAAAAAAAAAAAAAAAAAAAYH"
    "/8QAFBABAAAAAAAAAAAAAAAAAAAAAP/aAA4EQwBNAFkASwAAPwB2NGKgP//Z")


def jpeg(data, space, more=""):
    return stream(data, f"/Type/XObject/Subtype/Image/Width 8/Height 8/ColorSpace/{space}/BitsPerComponent 8"
                  f"/Filter/DCTDecode{more}")


write("jpegs", ["".join(f"q 50 0 0 50 {50 + 80 * i} 300 cm /I{i} Do Q\n" for i in range(4)) + body(50, 200)],
      [jpeg(GRAY, "DeviceGray"), jpeg(CMYK, "DeviceCMYK"), jpeg(GRAY, "DeviceGray", "/SMask 14 0 R"),
       jpeg(GRAY, "DeviceGray", "/Decode[1 0]"), jpeg(GRAY, "DeviceGray")],
      "/XObject<<" + "".join(f"/I{i} {10 + i} 0 R" for i in range(4)) + ">>")
CIRCLE = "250 300 m 250 350 l 300 375 l 350 350 l 350 300 l h"
STENCIL = stream(b"\xaa\x55" * 4, "/Type/XObject/Subtype/Image/ImageMask true/Width 8/Height 8")
# A photo over a drawing, with a line far from it drawn last; a stencil over a photo; one in a mode that blends, within a
# clip, turned; and one with a drawing half below and half above it.
write("stacked", [
    "0.8 1 0.8 rg 50 250 m 350 260 l 360 400 l 40 390 l f q 50 0 0 50 100 300 cm /I Do Q\n"
    "0 0 0 RG 340 262 m 352 390 l S\n" + body(50, 200),
    "q 400 0 0 500 0 0 cm /I Do Q 0 g q 300 0 0 400 50 50 cm /S Do Q\n",
    "/G gs q 50 0 0 50 100 330 cm /I Do Q\n" + body(50, 200),
    f"q {CIRCLE} W n 100 0 0 100 250 290 cm /I Do Q\n" + body(50, 200),
    "q 40 10 -10 40 100 330 cm /I Do Q\n" + body(50, 200),
    "1 0 0 rg 90 290 m 160 295 l 150 360 l f q 50 0 0 50 100 300 cm /I Do Q 0 0 1 rg 120 310 m 160 312 l 140 340 l f\n"
    + body(50, 200)],
      [jpeg(GRAY, "DeviceGray"), STENCIL, b"<</Type/ExtGState/BM/Multiply>>"],
      "/XObject<</I 10 0 R/S 11 0 R>>/ExtGState<</G 12 0 R>>")
# What a soft mask is made of is not seen.
MASK = stream("1 g 0 0 400 500 re f BT /F 9 Tf 50 450 Td (no) Tj ET",
              "/Type/XObject/Subtype/Form/BBox[0 0 400 500]/Group<</S/Transparency/CS/DeviceGray>>"
              "/Resources<</Font<</F<</Type/Font/Subtype/Type1/BaseFont/Times-Roman>>>>>>")
write("masked", ["/G gs\n" + body(50, 200)], [MASK, b"<</Type/ExtGState/SMask<</S/Luminosity/G 10 0 R>>>>"],
      "/ExtGState<</G 11 0 R>>")
def headed(y, number):
    return text(50, y, "The report of the whole year") + body(50, 400) + text(180, 30, f"{number}")


write("higher", [headed(478, 1), headed(471, 2), headed(471, 3)])
write("gains", [text(180, 30, "Page 1 of 3") + body(50, 400), page(2), page(3)])
write("marked", [text(50, 400, "some words that matter")],
      [b"<</Type/Annot/Subtype/Highlight/Rect[50 396 200 412]/C[1 1 0]/F 4/QuadPoints[50 411 200 411 50 397 200 397]>>"],
      page_words="/Annots[10 0 R]")
# Every other row has a white fill behind all of its cells; a mark lies over a word.
STRIPED = [("one", "two", "three"), ("four", "five", "six"), ("seven", "eight", "nine"), ("ten", "eleven", "twelve")]
write("striped", ["".join(f"1 g 50 {380 - 20 * i} 300 20 re f 0 g\n" for i in (1, 3))
                  + "".join(f"50 {400 - 20 * i} m 350 {400 - 20 * i} l S\n" for i in range(5))
                  + "".join(f"{50 + 100 * i} 320 m {50 + 100 * i} 400 l S\n" for i in range(4))
                  + "".join(text(55 + 100 * k, 386 - 20 * i, word) for i, row in enumerate(STRIPED) for k, word in enumerate(row))
                  + text(75, 430, "5", 5) + text(50, 426, "Electroencephalography")])
write("lines", [body(50, 450) + "".join(text(50, 380 - 11 * i, line) for i, line in enumerate(BODY))
                + "BT 0.2 Tc /F 10 Tf 50 330 Td (a bit apart) Tj ET\nBT 1.2 Tc /F 10 Tf 50 300 Td (far apart) Tj ET\n"])
write("euro", [text(50, 400, "it costs") + text(90, 400, "e", font="E") + text(96, 400, "100")],
      fonts="/E<</Type/Font/Subtype/Type1/BaseFont/ABCDEF+TeX-feymr10/Encoding/WinAnsiEncoding>>")
write("apart", ["BT /F 20 Tf 8 Tc 50 450 Td (Spaced out) Tj 0 Tc ET\n" + body(50, 400)
                + "".join(text(50 + 14 * i, 300, letter) for i, letter in enumerate("ABC"))])
def widget(name, rest, rect, appearance=""):
    return (f"<</Type/Annot/Subtype/Widget/F 4/T({name})/Rect[{rect}]/DA(/F 10 Tf 0 g){rest}{appearance}>>").encode()


STATES = "/AP<</N<</Yes 15 0 R/Off 16 0 R>>>>"
FORM = "/Type/XObject/Subtype/Form/BBox[0 0 12 12]/Resources<<>>"
write("form", [text(50, 400, "Name:") + text(50, 370, "City:") + text(70, 340, "I agree") + text(70, 310, "but not to this")
               + body(50, 200)],
      [widget("who", "/FT/Tx/V(Alice)", "90 395 200 412"),
       widget("where", "/FT/Ch/Ff 131072/Opt[(Rome)(Oslo)]/V(Oslo)", "90 365 200 382"),
       widget("yes", "/FT/Btn/V/Yes/AS/Yes", "50 338 62 350", STATES), widget("no", "/FT/Btn/AS/Off", "50 308 62 320", STATES),
       widget("more", "/FT/Tx", "230 395 330 412"), stream("2 2 m 10 10 l 2 5 l", FORM), stream(" ", FORM)],
      page_words="/Annots[10 0 R 11 0 R 12 0 R 13 0 R 14 0 R]", catalog="/AcroForm<</NeedAppearances true/Fields[10 0 R 11 0 R "
      "12 0 R 13 0 R 14 0 R]/DR<</Font<</F<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>>>>>>>")
# Boxes in a line and in a table, and radio buttons without states of their own; on the same page ticks as bullets.
BUTTONS = [("a", 50, 400, "/FT/Btn/V/Off/AS/Off"), ("b", 150, 400, "/FT/Btn/V/Yes/AS/Yes"),
           ("c", 50, 370, "/FT/Btn/Ff 32768/V/Up"), ("d", 150, 370, "/FT/Btn/Ff 32768/V/Yes")]
write("boxes", [text(70, 400, "Adult") + text(170, 400, "Child") + text(70, 370, "up") + text(170, 370, "down") + body(50, 300)
                + "".join(f"BT /Z 10 Tf 50 {220 - 14 * i} Td ({c}) Tj ET " + text(66, 220 - 14 * i, words)
                          for i, (c, words) in enumerate([("4", "bread"), ("8", "butter"), ("4", "cheese")]))],
      [widget(name, rest, f"{x} {y - 2} {x + 12} {y + 10}", STATES) for name, x, y, rest in BUTTONS] + [b"<<>>"]
      + [stream("2 2 m 10 10 l 2 5 l", FORM), stream(" ", FORM)],
      page_words="/Annots[10 0 R 11 0 R 12 0 R 13 0 R]", fonts="/Z<</Type/Font/Subtype/Type1/BaseFont/ZapfDingbats>>",
      catalog="/AcroForm<</Fields[10 0 R 11 0 R 12 0 R 13 0 R]>>")
write("scan", ["q 400 0 0 500 0 0 cm /I Do Q\n"], [IMAGE], "/XObject<</I 10 0 R>>")
write("ocr", ["q 400 0 0 500 0 0 cm /I Do Q\nBT 3 Tr /F 10 Tf 50 400 Td (text over a scan) Tj ET\n"],
      [IMAGE], "/XObject<</I 10 0 R>>")
write("empty", [""])
COLUMNS = "".join(
    text(40, 400 - 12 * i, "the left column has its own text") + text(220, 400 - 12 * i, "and the right one goes on here")
    for i in range(8))
write("columns", [text(100, 450, "A title over both", 20) + COLUMNS])
POURED = ["".join(
    text(40 + 180 * column, 440 - 12 * i, f"in column {chr(97 + 2 * number + column)} line {chr(97 + i)} goes on as it")
    for column in range(2) for i in range(26 if number < 2 else 4)) for number in range(3)]
write("poured", POURED)
# Another text below the columns.
write("even", [COLUMNS + text(40, 250, "and a line below them, across both, from the left of the page to the right")])
write("special", [text(50, 400, "5 < 6 & \"7\" > 2")])
NOTE = (b"<</Type/Annot/Subtype/Highlight/Rect[118 396 166 412]/QuadPoints[118 412 166 412 118 396 166 396]"
        b"/C[1 1 0]/T(A. Reader)/Contents(is this so?\\rI doubt it)>>")
write("note", [text(50, 400, "there is a word that somebody noted something at")], [NOTE],
      page_words="/Annots[10 0 R]")
write("header_link", [page(1), page(2), page(3), page(4)],
      [b"<</Type/Annot/Subtype/Link/Rect[50 465 300 482]/Border[0 0 0]"
       b"/A<</S/URI/URI(https://example.org/report)>>>>"], page_words="/Annots[10 0 R]")
UP = "".join(f"BT /F 10 Tf 0 1 -1 0 {x} 305 Tm ({word}) Tj ET\n" for x, word in ((105, "upwards"), (205, "also up")))
write("turned", [GRID.replace("320", "300") + UP + "BT /F 10 Tf 0.9 0.4 -0.4 0.9 60 100 Tm (aslant it goes) Tj ET\n"])
BOX = "50 300 250 40 re S\n" + text(60, 325, "something that matters") + text(60, 311, "and its second line")
write("box", [body(50, 400) + BOX + body(50, 250)])


def tagged(name, marks, tree, objects):
    """marks: what each piece of marked content shows. tree: objects from number 11 on, for a root with kids 11 R."""
    content = "".join(f"/{tag} <</MCID {number}>> BDC {shown} EMC\n" for number, (tag, shown) in enumerate(marks))
    write(name, [content], [f"<</Type/StructTreeRoot/K [{tree}]>>".encode()] + [o.encode() for o in objects],
          catalog="/StructTreeRoot 10 0 R/MarkInfo<</Marked true>>")


tagged("tagged", [("H1", text(50, 450, "no larger than text")), ("P", text(50, 420, BODY[0]) + text(50, 395, BODY[1]) + text(50, 370, BODY[2])),
                  ("P", text(50, 340, "and one that is another")), ("Lbl", text(50, 300, "\x95")), ("LBody", text(80, 300, "an item")),
                  ("TD", text(50, 250, "one")), ("TD", text(150, 250, "two")), ("TD", text(50, 235, "three")), ("TD", text(150, 235, "four"))],
       "11 0 R 12 0 R 13 0 R 14 0 R 18 0 R",
       ["<</S/H1/Pg 100 0 R/K 0>>", "<</S/P/Pg 100 0 R/K 1>>", "<</S/P/Pg 100 0 R/K 2>>", "<</S/L/K 15 0 R>>", "<</S/LI/K[16 0 R 17 0 R]>>",
        "<</S/Lbl/Pg 100 0 R/K 3>>", "<</S/LBody/Pg 100 0 R/K 4>>", "<</S/Table/K[19 0 R 22 0 R]>>", "<</S/TR/K[20 0 R 21 0 R]>>",
        "<</S/TD/Pg 100 0 R/K 5>>", "<</S/TD/Pg 100 0 R/K 6>>", "<</S/TR/K[23 0 R 24 0 R]>>", "<</S/TD/Pg 100 0 R/K 7>>", "<</S/TD/Pg 100 0 R/K 8>>"])

# Enough pages for several readers, more and more fonts, and a list that goes on over the pages.
write("many", [text(50, 440, f"{number}.", 10, f"G{number}") + text(70, 440, f"what is number {number} of the list")
               + body(50, 400) + text(50, 340, f"in a font of the page {number}", 10, f"G{number}")
               for number in range(1, 41)],
      fonts="".join(f"/G{n}<</Type/Font/Subtype/Type1/BaseFont/{name}{n}/Encoding/WinAnsiEncoding>>"
                                    for n in range(1, 41) for name in [("Georgia", "Verdana", "Tahoma")[n % 3]]))


# Paragraphs of nine lines on pages of 33: the first page ends in a word of one, the second with one.
LINES = (BODY[:2] + ["graphs of this kind, so that they go over the ends of their pages;"]) * 3
LINES[-1] = "graphs of its kind."
OVER = (LINES * 9)[:33 + 30 + 7]


def lines(some):
    return "".join(text(50, 440 - 12 * i, line) for i, line in enumerate(some))


write("over", [lines(OVER[:32]), lines(OVER[32:63]), lines(OVER[63:70])])
write("stamped", [lines(OVER[:32]), lines(OVER[32:63]) + "BT /F 10 Tf 0 1 -1 0 20 200 Tm (A stamp) Tj ET\n", lines(OVER[63:70])])
write("short", [lines(OVER[:20]), lines(OVER[20:51])])


def sided(number):
    return (text(50, 470, "The left page" if number % 2 == 0 else "On the right") + body(50, 400)
            + body(50, 300) + text(50 if number % 2 == 0 else 330, 30, f"{number}"))


write("sided", [sided(number) for number in range(1, 9)])
write("late", [body(50, 400) + body(50, 300) + text(50, 30, "" if n < 2 else f"Part {n - 1}") for n in range(8)])


def noted(heading, *notes):
    """A page of lines, the first ones of which have marks, and the notes these are of."""
    out = text(50, 450, heading, 20) if heading else ""
    for i, line in enumerate(OVER[:20]):
        mark = f"/F 6 Tf 4 Ts ({notes[i][0]}) Tj 0 Ts" if i < len(notes) else ""
        out += f"BT /F 10 Tf 50 {420 - 12 * i} Td ({line}) Tj {mark} ET\n"
    for i, (mark, words) in enumerate(notes):
        out += f"BT /F 5 Tf 50 {163 - 10 * i} Td ({mark}) Tj ET\n" + text(54, 160 - 10 * i, words, 8)
    return out + "50 180 60 0.5 re f\n"


write("notes", [noted("Of the first", ("1", "The first note."), ("2", "The second one.")),
                noted("", ("3", "The third.")),
                noted("Of the second", ("1", "One that begins anew."), ("*", "One with a star."))])
# A cell cuts its text at its edge, as spreadsheets are printed; in the second line the text is filled and stroked.
write("cut", [f"q 50 390 48 24 re W n {text(50, 400, 'seen and hidden in it')}Q q 50 360 48 24 re W n "
              + text(50, 370, "bold and hidden", color="2 Tr 0.4 w") + "Q"])
write("tiled", ["".join(f"q {x} 390 {width} 24 re W n {text(50, 400, 'all of it is seen')}Q " for x, width in ((40, 40), (80, 200)))])
write("stroked", [text(50, 400, "made bold", color="2 Tr 0.4 w") + text(50, 370, "as it is", color="0 Tr")])
write("pale", [text(50, 400, "a watermark", color="/Half gs") + text(50, 370, "text", color="/Full gs")],
      resources="/ExtGState<</Half<</ca 0.5>>/Full<</ca 1>>>>")
write("ticked", [text(50, 400, "4", font="Z") + text(80, 400, "yes")],
      fonts="/Z<</Type/Font/Subtype/Type1/BaseFont/ZapfDingbats>>")


def contour(points):
    """A glyph of one contour of straight lines, as the table glyf has it."""
    xs, ys = zip(*points)
    data = struct.pack(">hhhhh", 1, min(xs), min(ys), max(xs), max(ys)) + struct.pack(">HH", len(points) - 1, 0)
    data += b"\1" * len(points)
    for axis in (xs, ys):
        data += b"".join(struct.pack(">h", b - a) for a, b in zip((0, *axis), axis))
    return data + bytes(-len(data) % 4)


def truetype(advance=650):
    """A font program that does not say what its two glyphs are: it has neither cmap nor names."""
    glyphs = [b"", contour([(0, 0), (0, 700), (600, 700), (600, 0)]), contour([(0, 0), (300, 700), (600, 0)])]
    places = [sum(map(len, glyphs[:i])) for i in range(len(glyphs) + 1)]
    tables = {
        b"head": struct.pack(">IIIIHHQQhhhhHHhhh", 0x10000, 0, 0, 0x5F0F3CF5, 0, 1000, 0, 0, 0, 0, 600, 700, 0, 8, 2, 1, 0),
        b"hhea": struct.pack(">IhhhHhhhhhhhhhhhH", 0x10000, 700, 0, 0, 650, 0, 0, 600, 1, 0, 0, 0, 0, 0, 0, 0, 3),
        b"maxp": struct.pack(">IH13H", 0x10000, 3, 4, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0),
        b"hmtx": struct.pack(">HhHhHh", *[advance, 0] * 3),
        b"loca": struct.pack(">4I", *places), b"glyf": b"".join(glyphs)}
    out, at = struct.pack(">IHHHH", 0x10000, len(tables), 64, 2, 32), 12 + 16 * len(tables)
    for name, data in sorted(tables.items()):
        out += name + struct.pack(">III", 0, at, len(data))
        at += len(data) + -len(data) % 4
    return out + b"".join(data + bytes(-len(data) % 4) for _, data in sorted(tables.items()))


PROGRAM = truetype()
UNICODE = (b"/CIDInit /ProcSet findresource begin begincmap 1 begincodespacerange <0000> <ffff> endcodespacerange "
           b"2 beginbfchar <0001> <0048> <0002> <0069> endbfchar endcmap")
KIN = "/Type/Font/Subtype/Type0/Encoding/Identity-H"
DESCENDANT = (b"<</Type/Font/Subtype/CIDFontType2/BaseFont/%s+Kin/CIDSystemInfo<</Registry(Adobe)/Ordering(Identity)/Supplement 0>>"
              b"/CIDToGIDMap/Identity/DW 650/FontDescriptor<</Type/FontDescriptor/FontName/%s+Kin/Flags 4/FontBBox[0 0 600 700]"
              b"/ItalicAngle 0/Ascent 700/Descent 0/CapHeight 700/StemV 80/FontFile2 10 0 R>>>>")
write("kin", ["BT /K 10 Tf 50 400 Td <00010002> Tj ET BT /L 10 Tf 50 370 Td <000100020002> Tj ET"],
      [stream(PROGRAM), stream(UNICODE),
       DESCENDANT % (b"ABCDEF", b"ABCDEF"), DESCENDANT % (b"GHIJKL", b"GHIJKL")],
      fonts=f"/K<<{KIN}/BaseFont/ABCDEF+Kin/DescendantFonts[12 0 R]/ToUnicode 11 0 R>>/L<<{KIN}/BaseFont/GHIJKL+Kin/DescendantFonts[13 0 R]>>")
# The program says that its glyphs have no width, the file says that they have one.
write("narrow", ["BT /K 10 Tf 50 400 Td <000100020002> Tj ( ) Tj ET"], [stream(truetype(0)), stream(UNICODE), DESCENDANT % (b"ABCDEF", b"ABCDEF")],
      fonts=f"/K<<{KIN}/BaseFont/ABCDEF+Kin/DescendantFonts[12 0 R]/ToUnicode 11 0 R>>")
write("nameless", ["BT /L 10 Tf 50 400 Td <000100020002> Tj ET " + text(50, 370, "words")],
      [stream(PROGRAM), DESCENDANT % (b"GHIJKL", b"GHIJKL")],
      fonts=f"/L<<{KIN}/BaseFont/GHIJKL+Kin/DescendantFonts[11 0 R]>>")


def cff(glyphs):
    """A CFF program. glyphs: their names, and how high a box each is (0: blank); encoded as 1, 2, ..."""
    def index(items):
        offsets = [1]
        for item in items:
            offsets.append(offsets[-1] + len(item))
        return struct.pack(">HB", len(items), 1) + bytes(offsets) + b"".join(items) if items else bytes(2)

    def number(value):
        return struct.pack(">Bi", 29, value)

    # 50 0 rmoveto, 400 hlineto, HEIGHT vlineto, -400 hlineto, endchar
    shapes = index([b"\x0e"] + [(b"\xbd\x8b\x15\x1c\x01\x90\x06\x1c" + struct.pack(">h", height) +
                                b"\x07\x1c\xfe\x70\x06" if height else b"") + b"\x0e"
                                for _, height in glyphs])
    private = b"\x1c\x02\x58\x14" # defaultWidthX 600
    start = b"\x01\x00\x04\x01" + index([b"Coded"])
    names = index([name.encode() for name, _ in glyphs]) + index([])
    charset = b"\x00" + b"".join(struct.pack(">H", 391 + i) for i in range(len(glyphs)))
    codes = bytes([0, len(glyphs)]) + bytes(range(1, len(glyphs) + 1))

    def top(at):
        return index([number(at) + b"\x0f" + number(at + len(charset)) + b"\x10" +
                      number(at + len(charset + codes)) + b"\x11" + number(len(private)) +
                      number(at + len(charset + codes + shapes)) + b"\x12"])
    at = len(start + top(0) + names)
    return start + top(at) + names + charset + codes + shapes + private


# Names that say where a glyph stood in the whole font. Only the first is a character's.
CODED = cff([("H", 700), ("g3", 0), ("g18", 500)])
write("coded", ["BT /C 10 Tf 50 400 Td <010201> Tj ET BT /C 10 Tf 50 370 Td <03> Tj ET"],
      [stream(CODED, "/Subtype/Type1C")],
      fonts="/C<</Type/Font/Subtype/Type1/BaseFont/ABCDEF+Coded/FirstChar 1/LastChar 3/Widths[600 600 600]"
            "/Encoding<</Type/Encoding/Differences[1/H/g3/g18]>>/FontDescriptor<</Type/FontDescriptor"
            "/FontName/ABCDEF+Coded/Flags 4/FontBBox[0 0 600 700]/ItalicAngle 0/Ascent 700/Descent 0"
            "/CapHeight 700/StemV 80/FontFile3 10 0 R>>>>")

# The same with a private character, which says nothing.
CODES = ("/CIDInit /ProcSet findresource begin begincmap 1 begincodespacerange <00> <FF> endcodespacerange "
         "1 beginbfchar <%02X> <%04X> endbfchar endcmap end")
write("private", ["BT /C 10 Tf 50 400 Td <03> Tj /F 10 Tf ( and words) Tj ET"],
      [stream(CODED, "/Subtype/Type1C"), stream(CODES % (3, 0xe123))],
      fonts="/C<</Type/Font/Subtype/Type1/BaseFont/ABCDEF+Coded/FirstChar 1/LastChar 3/Widths[600 600 600]"
            "/ToUnicode 11 0 R/FontDescriptor<</Type/FontDescriptor"
            "/FontName/ABCDEF+Coded/Flags 4/FontBBox[0 0 600 700]/ItalicAngle 0/Ascent 700/Descent 0"
            "/CapHeight 700/StemV 80/FontFile3 10 0 R>>>>")
# Bullets by codes of ZapfDingbats, and as LibreOffice names those of OpenSymbol.
for name, family, code, unicode in (("dingbats", "ZapfDingbats", ord("n"), 0), ("discs", "ZapfDingbats", ord("l"), 0),
                                    ("boxes", "ZapfDingbats", ord("o"), 0), ("open", "ABCDEF+OpenSymbol", 1, 0xf095),
                                    ("diamonds", "ABCDEF+OpenSymbol", 1, 0xe00c), ("squares", "Wingdings", ord("n"), 0)):
    write("symbols_" + name, ["".join(text(50, 400 - 14 * i, chr(code), font="S") + text(64, 400 - 14 * i, words)
                                      for i, words in enumerate(["first of all", "and second", "third"]))],
          [stream(CODES % (code, unicode))],
          fonts=f"/S<</Type/Font/Subtype/Type1/BaseFont/{family}{'/ToUnicode 10 0 R' if unicode else ''}>>")

# A table in a cell of another one.
INNER = [(x, y) for y in (300, 315, 330) for x in (165, 240, 320)]
write("nested_table", [
    "".join(f"40 {y} m 360 {y} l S\n" for y in (420, 400, 290, 250)) + "".join(f"{x} 420 m {x} 250 l S\n" for x in (40, 80, 150, 360))
    + "".join(f"160 {y} m 350 {y} l S\n" for y in (295, 310, 325, 340)) + "".join(f"{x} 295 m {x} 340 l S\n" for x in (160, 235, 315, 350))
    + "".join(text(x, 406, words, 8) for x, words in ((44, "No."), (84, "Town"), (154, "Remarks")))
    + text(44, 390, "1", 8) + text(84, 390, "Whitby", 8) + text(154, 390, "The wells were tested in the first week,", 8)
    + text(154, 380, "and are now closed and will be cleaned.", 8)
    + text(44, 275, "2", 8) + text(84, 275, "Harrow", 8) + text(154, 275, "No bad wells were found there.", 8)
    + "".join(text(x + 2, y, words, 8) for (x, y), words in zip(INNER, ["Quay", "60.0", "65.0", "Mill", "61.1", "77.7", "Street", "High", "Low"]))])

# Three pages of the tree of which the second one is something else, cannot be read, or is its own parent.
for name, second in (("listed_font", "<</Type/Font/Subtype/Type1/BaseFont/Courier>>"), ("listed_cut", "<<<<<<<<</Type/Page 9 0 R>>"),
                     ("own_parent", f"<</Type/Page/Parent 10 0 R/Contents 11 0 R/MediaBox[0 0 400 500]/Resources<<{FONTS}>>>>")):
    sides = {number: f"<</Type/Page/Parent 2 0 R/Contents 11 0 R/MediaBox[0 0 400 500]/Resources<<{FONTS}>>>>" for number in (3, 4)}
    save(os.path.join(folder, name + ".pdf"), {
        1: "<</Type/Catalog/Pages 2 0 R>>", 2: "<</Type/Pages/Count 3/Kids[3 0 R 10 0 R 4 0 R]>>",
        10: second, 11: stream(body(50, 400)), **sides})

# Pages that inherit all that they have, whose parent is not the node that lists them: it is missing, the page, another node.
for name, parent in (("parent_none", ""), ("parent_own", "/Parent 3 0 R"), ("parent_other", "/Parent 5 0 R")):
    save(os.path.join(folder, name + ".pdf"), {
        1: "<</Type/Catalog/Pages 2 0 R>>", 2: "<</Type/Pages/Count 2/Kids[4 0 R 5 0 R]>>",
        3: f"<</Type/Page{parent}/Contents 11 0 R>>", 11: stream(body(50, 400)), 6: f"<</Type/Page/Parent 5 0 R/Contents 11 0 R/Resources<<{FONTS}>>>>",
        4: f"<</Type/Pages/Parent 2 0 R/Count 1/Kids[3 0 R]/MediaBox[0 0 400 500]/Rotate 90/Resources<<{FONTS}>>>>",
        5: "<</Type/Pages/Parent 2 0 R/Count 1/Kids[6 0 R]/MediaBox[0 0 500 500]/Resources<<>>>>"})

# Signs that differ from item to item, and one sort of items after another.
for name, codes in (("signs", "ounqlu"), ("sorts", "llluuu")):
    write(name, ["".join(text(50, 400 - 14 * i, code, font="S") + text(64, 400 - 14 * i, words)
                         for i, (code, words) in enumerate(zip(codes, ["boat", "chairs", "key", "lamps", "rope", "tent"])))
                 + text(50, 300, "This line is no item of the list.") + text(50, 270, "n", font="S") + text(64, 270, "one more")],
          fonts="/S<</Type/Font/Subtype/Type1/BaseFont/ZapfDingbats>>")


def rounded(x0, y0, x1, y1, r):
    """A box with round corners, filled and stroked as browsers do."""
    k = 0.45 * r
    path = (f"{x0} {y0 + r} m {x0} {y1 - r} l {x0} {y1 - k} {x0 + k} {y1} {x0 + r} {y1} c {x1 - r} {y1} l "
            f"{x1 - k} {y1} {x1} {y1 - k} {x1} {y1 - r} c {x1} {y0 + r} l {x1} {y0 + k} {x1 - k} {y0} {x1 - r} {y0} c "
            f"{x0 + r} {y0} l {x0 + k} {y0} {x0} {y0 + k} {x0} {y0 + r} c h")
    return f"0.95 g {path} f 0.8 G {path} S 0 g 0 G\n"


for name, radius in (("rounded", 3), ("round", 20)):
    write(name, [body(50, 420) + rounded(50, 310, 350, 360, radius) + text(60, 340, "let t = ticks")
                 + text(60, 328, "print t") + body(50, 250)])

# A hyphen that ToUnicode gives three characters, as macOS did.
HYPHEN = (b"/CIDInit /ProcSet findresource begin begincmap 1 begincodespacerange <00> <FF> endcodespacerange "
          b"1 beginbfrange <20> <7E> <0020> endbfrange 1 beginbfchar <2D> <002D00AD2010> endbfchar endcmap end")
write("hyphen", [text(50, 400, "an X-Large one", font="M")], [b"<</Length %d>>stream\n%s\nendstream" % (len(HYPHEN), HYPHEN)],
      fonts="/M<</Type/Font/Subtype/Type1/BaseFont/Times-Roman/Encoding/WinAnsiEncoding/ToUnicode 10 0 R>>")

# Bars with labels next to the text; and fields of a form, whose frames and circles do not make a chart.
BARS = "".join(f"0.2 0.4 0.8 rg {180 + 16 * i} 300 12 {10 + 9 * i} re f\n" for i in range(9)) + "0 g\n"
SIDE = "".join(text(30, 410 - 14 * i, f"Line {i} of the text") for i in range(9))
write("bars", [body(30, 470) + SIDE + BARS + text(180, 288, "Oslo", 8) + text(240, 288, "Rome", 8) + text(300, 288, "Bonn", 8)])
CIRCLE = "6 0 m 9.3 0 12 2.7 12 6 c 12 9.3 9.3 12 6 12 c 2.7 12 0 9.3 0 6 c 0 2.7 2.7 0 6 0 c S\n"
ROWS = [("First name", "Ada"), ("Last name", "Lovelace"), ("Country", "England"), ("Planet", "Earth"), ("Work", "Engines")]
VALUE = "/Type/XObject/Subtype/Form/BBox[0 0 100 16]/Resources<</Font<</F<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>>>>>"
filled = [stream("0.5 G .5 .5 99 15 re S BT /F 10 Tf 2 4 Td (%s) Tj ET" % value, VALUE) for _, value in ROWS]
filled += [stream(CIRCLE, "/Type/XObject/Subtype/Form/BBox[0 0 12 12]")]
filled += ["<</Type/Annot/Subtype/Widget/FT/Tx/T(t%d)/F 4/Rect[140 %d 240 %d]/AP<</N %d 0 R>>>>" % (i, 400 - 20 * i, 416 - 20 * i, 10 + i)
           for i in range(len(ROWS))]
filled += ["<</Type/Annot/Subtype/Widget/FT/Btn/Ff 32768/T(r%d)/F 4/AS/On/Rect[%d 385 %d 397]/AP<</N<</On 15 0 R>>>>>>"
           % (i, 246 + 14 * i, 258 + 14 * i) for i in range(5)]
write("filled", [text(50, 460, "Personal data") + "".join(text(50, 404 - 20 * i, name) for i, (name, _) in enumerate(ROWS))],
      filled, page_words="/Annots[%s]" % " ".join(f"{16 + i} 0 R" for i in range(10)),
      catalog="/AcroForm<</Fields[%s]>>" % " ".join(f"{16 + i} 0 R" for i in range(10)))
