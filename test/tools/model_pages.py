"""Writes PDFs for the tests of to-text, to-markdown, to-html and to-excel: model_pages.py FOLDER.
Texts are in WinAnsi (a character is a byte)."""

import os
import sys

from pdf_builder import save, stream

folder = sys.argv[1]
FONTS = {"F": "Times-Roman", "B": "Times-Bold", "I": "Times-Italic", "C": "Courier"}


def text(x, y, words, size=10, font="F"):
    words = words.replace("\\", "\\\\").replace("(", "\\(").replace(")", "\\)")
    return f"BT /{font} {size} Tf {x} {y} Td ({words}) Tj ET\n"


def write(name, pages, info="", catalog="", annots="", more="", resources="", box="0 0 400 500"):
    fonts = "".join(f"/{k}<</Type/Font/Subtype/Type1/BaseFont/{v}/Encoding/WinAnsiEncoding>>"
                    for k, v in FONTS.items()) + more
    objects = [f"<</Type/Catalog/Pages 2 0 R{catalog}>>", "", f"<<{info}>>"]
    kids = []
    for content in pages:
        number = len(objects) + 1
        kids.append(f"{number} 0 R")
        objects.append(f"<</Type/Page/Parent 2 0 R/MediaBox[{box}]/Contents {number + 1} 0 R"
                       f"{annots}/Resources<</Font<<{fonts}>>{resources}>>>>")
        objects.append(stream(content))
    objects[1] = f"<</Type/Pages/Count {len(kids)}/Kids[{' '.join(kids)}]>>"
    save(os.path.join(folder, name + ".pdf"), objects, keys="/Info 3 0 R")


LINES = ["These are the lines of a paragraph that is long enough to go over",
         "several of them, and there are more words in it than in most para-",
         "graphs of this kind, until the last of its lines ends early."]


def body(y):
    return "".join(text(50, y - 12 * i, line) for i, line in enumerate(LINES))


def table(rows, x=50, y=300, widths=(100, 80, 80), height=20, bold=1):
    """A ruled table; its first `bold` rows are bold."""
    out = ""
    for i in range(len(rows) + 1):
        out += f"{x} {y - i * height} m {x + sum(widths)} {y - i * height} l S\n"
    for i in range(len(widths) + 1):
        out += f"{x + sum(widths[:i])} {y} m {x + sum(widths[:i])} {y - len(rows) * height} l S\n"
    for r, row in enumerate(rows):
        for c, cell in enumerate(row):
            out += text(x + sum(widths[:c]) + 4, y - r * height - 14, cell, 10, "B" if r < bold else "F")
    return out


PRICES = [["Item", "Amount", "Price"], ["Ink", "12", "1,234.50"], ["Paper", "7", "(12.25)"],
          ["Pens", "1,000", "99.00"]]
write("report", [text(50, 450, "A report", 20, "B") + body(410)
                 + text(50, 340, "\x95 first") + text(50, 326, "\x95 second") + table(PRICES)],
      info="/Title(About <ink> & paper)", catalog="/Lang(en-GB)")
write("styled", [text(50, 400, "Some ") + text(76, 400, "bold", 10, "B") + text(98, 400, "words and")
                 + text(145, 400, "slanted", 10, "I") + text(180, 400, "ones, 5 * 3 < 16 & a_b [c] `d`")
                 + text(50, 360, "1986. A great year.") + text(50, 320, "# no heading")])
write("address", [text(50, 400, "see the project")], annots="/Annots[<</Type/Annot/Subtype/Link"
      "/Rect[66 396 120 412]/A<</S/URI/URI(https://example.org/a?b=1&c=\\(2\\))>>>>]")
write("script", [text(50, 400, "click <script>alert(1)</script> here")],
      info="/Title(<script>alert\\(2\\)</script>)", catalog="/Lang(en\"><script>)",
      annots="/Annots[<</Type/Annot/Subtype/Link/Rect[50 396 120 412]"
      "/A<</S/URI/URI(javascript:alert\\(3\\))>>>>]")
write("magic", [text(50, 400, "%PDF-1.7 is how files of the kind begin")])
write("blank", [""])
VALUES = [["Kind", "Value", "Other"], ["percent", "12.5%", "-3%"], ["money", "\x80 1,250.00", "$99"],
          ["date", "2024-02-29", "31.12.2023"], ["year", "2023", "1999"], ["name", "007", "3/4/2024"],
          ["negative", "\x961.5", "(1,500)"], ["text", "12 pieces", "n/a"]]
write("values", [table(VALUES, y=400)], catalog="/Lang(en)")
MARKS = [["Place", "Yield", "Paid"], ["Hill", "99", "US$ 1,200"], ["Dale", "1.5", "1.400 EUR"], ["Moor", "10", "2,5"]]
write("marks", [table(MARKS, y=400) + text(166, 370, "1", 6) + text(168, 350, "12", 6) + text(165, 330, "6", 6)],
      catalog="/Lang(de)")
# A table by its white space alone, with marks of notes, whose texts are in a line below it.
RAISED = [["Region", "2021", "2022", "2023"], ["North", "24,912", "25,100", "26,004"], ["South", "7,350", "7,420", "7,511"],
          ["East", "12,000", "11,980", "12,306"], ["West", "45", "48", "51"]]
write("raised", ["".join(text((50, 210, 270, 330)[c], 400 - 16 * r, cell) for r, row in enumerate(RAISED) for c, cell in enumerate(row))
                 + text(237.5, 388, "1", 6) + text(292.5, 372, "2", 6) + text(357.5, 356, "1,2", 6) + text(220, 340, "a", 6)
                 + text(50, 314, "1 Estimate.", 8) + text(93, 314, "2 Corrected later.", 8) + text(155, 314, "a In part.", 8)
                 + text(50, 200, "It is 12 m") + text(88, 204, "2", 6) + text(93.5, 200, "or 10") + text(114.4, 204, "-3", 6)
                 + text(122, 200, "km") + text(134.8, 204, "2", 6) + text(140.3, 200, "on the 4") + text(172.5, 204, "th", 6)
                 + text(179.7, 200, "of May.")])
COMMAS = [["Posten", "Betrag", "Anteil"], ["Tinte", "1.234,50", "12,5 %"], ["Papier", "1.234", "7 %"],
          ["Stifte", "99,00", "80,5 %"]]
write("commas", [table(COMMAS, y=400)], catalog="/Lang(de)")
ROWS = [[f"row {i}", str(i), str(i * i)] for i in range(1, 31)]
HEAD = [["Name", "Number", "Square"]]
write("long", [table(HEAD + ROWS[:20], y=470), table(HEAD + ROWS[20:], y=470)])

# Lines of a program between text, with an indent, a gap and a blank line; and a word of one.
write("program", [text(50, 460, "This is the text before a program, which is longer than it is, and it")
                  + text(50, 448, "says what the program does: the name of the function is")
                  + text(275, 448, "next", font="C") + text(50, 436, "in it.")
                  + text(60, 412, "int next(int a)", font="C") + text(60, 400, "{", font="C")
                  + text(84, 388, "int b = 1;", font="C") + text(180, 388, "/* `*` */", font="C")
                  + text(84, 364, "return a + b;", font="C") + text(60, 352, "}", font="C")
                  + text(50, 328, "And this is the text after it, which goes on in one more line than")
                  + text(50, 316, "there is before.")])
# Only a program, mostly a program, a typewritten letter, and receipts in both kinds of fonts.
CODE = [(0, "# sort.py, printed on 3 March"), (0, "def sort(xs):"), (4, "for i in range(len(xs)):"), (8, "if xs[i] < xs[0]:"),
        (12, "swap(xs, i)"), (4, "return xs"), None, (0, "print(sort([3, 1, 2]))")]
CODE_LINES = "".join(text(50 + 6 * line[0], 460 - 12 * i, line[1], font="C") for i, line in enumerate(CODE) if line)
write("listed", [CODE_LINES])
write("mostly", [CODE_LINES + text(50, 340, "This is how it is sorted.")])
LETTER = ["Dear Sir, the boat leaves the harbour at nine in", "the morning, and it comes back before it is dark.",
          "There is room for twelve, so please write to us", "as soon as you can. Bring shoes with soft soles."]
write("typed", ["".join(text(50, 460 - 12 * i - 24 * k, line, font="C") for k in range(2) for i, line in
                        enumerate(LETTER if k == 0 else ["", "", ""] + LETTER))])
TILL = ["CORNER SHOP", "-" * 38, "Till 3 - North door", "Vouchers -25.00", "=" * 38, "TOTAL 401.51", "=" * 38, "PAID BY", "Card ending in 4782"]
SUMS = ["Tea 2.50", "Bread and butter 13.10 EUR", "Sum 15.60", "Thank you"]
write("till", ["".join(text(12, 460 - 10 * i, line, 8, "C") for i, line in enumerate(TILL))])
write("sums", ["".join(text(12, 460 - 12 * i, line) for i, line in enumerate(TILL[1:] + SUMS))])
# An item of the second level before those of the first.
write("deep", [text(50, 460, "1. one") + text(70, 448, "a) inner") + text(70, 436, "b) next")
               + text(50, 412, "Text of the page between its items, which is as long as a line of it can be.")
               + text(70, 388, "c) again") + text(70, 376, "d) more")])
write("emphasis", [text(50, 400, "Note:", font="B") + text(80, 400, "take (five)")
                + text(132, 400, "(or six).", font="I") + text(50, 380, "a") + text(54.44, 380, "-b-", font="B")
                + text(63, 380, "c")])
# A link whose address is divided.
write("divided", [text(50, 400, "The project is explained by its authors in the text that is at https://example.")
                  + text(50, 388, "org/project/page. That is where it is, and where it will be for some more.")],
      annots="".join("/Annots[" * (i == 0) + f"<</Type/Annot/Subtype/Link/Rect[{at}]/A<</S/URI"
                     "/URI(https://example.org/project/page)>>>>" for i, at in
                     enumerate(["295 397 380 410", "50 385 114 396"])) + "]")
# Replacement text: of a letter, of several ones, in two encodings, of nothing, within another one, of a hyphen where a
# word is divided, of a named list, and an expansion, which explains and replaces nothing.
def span(words, shown):
    return f"/Span<<{words}>> BDC ({shown}) Tj EMC "


write("actual", ["BT /F 10 Tf 50 400 Td (Rebate ) Tj " + span("/ActualText(\\050)", "x") + "(10%) Tj "
                 + span("/ActualText<FEFF0029>", "x") + "( ) Tj " + span("/ActualText(-)", "x") + "(239.09) Tj ET\n"
                 "BT /F 10 Tf 50 370 Td (The o) Tj " + span("/ActualText(ffi)", "x") + "(ce of ) Tj "
                 + span("/ActualText(two)", "three") + span("/ActualText()", " kept") + "( ) Tj "
                 + "/Span<</ActualText(all)>> BDC " + span("/ActualText(none)", "some") + "EMC ( ) Tj "
                 + span("/E(Doctor)", "Dr") + "/Span /N BDC ( xx) Tj EMC ET\n"
                 "BT /F 10 Tf 50 340 Td (" + "These are the lines of a paragraph that is long enough to go over the edge, and it is di"
                 + ") Tj " + span("/ActualText<FEFF00AD>", "-") + "0 -12 Td (vided in a word, of which the "
                 "rest is in this line, and then there is one more of them) Tj 0 -12 Td (that ends early.) Tj ET"],
      resources="/Properties<</N<</ActualText( end)>>>>")
# Lines from right to left as they are drawn, each a line of its own, the third in parts from right to left; small letters
# are Hebrew ones, and the brackets in their lines have the shapes that are seen.
HEBREW = "".join(f"/uni{0x5d0 + i:04X}" for i in range(26))


def aligned(y, shown, right=350):
    return text(right - 7.2 * len(shown), y, shown, 12, "H")


write("hebrew", [aligned(450, "050-123 :cba") + aligned(420, "dcba ,(3 fed) 12 gfe")
                 + aligned(390, ":kji") + aligned(390, "93", 314) + aligned(390, "/", 299.6) + aligned(390, "01", 292.4)
                 + aligned(390, "/", 278) + aligned(390, "28", 270.8) + aligned(360, ".OFFICE-k AUTOCAD :onm")
                 + aligned(330, ".17% qp -90.50")],
      more="/H<</Type/Font/Subtype/Type1/BaseFont/Courier/Encoding<</Type/Encoding/BaseEncoding/WinAnsiEncoding"
           f"/Differences[97{HEBREW}]>>>>")
# Short lines from right to left, whose narrow space is drawn before what it stands between, and one that has none.
DRAWN_FIRST = [[(" ", 7.2), ("1", 0), ("a", 9.4)], [(" ", 7.2), ("-", 0), ("b", 9.4)],
               [("(", 14.4), (" ", 21.6), ("c", 23.8), ("2", 7.2), (")", 0)], [(" ", 7.2), ("7", 0), ("de", 9.4)], [("8", 0), ("f", 7.2)]]
write("drawn_first", ["".join(("30 Tz " if sign == " " else "100 Tz ") + text(200 + at, 450 - 30 * i, sign, 12, "H")
                              for i, line in enumerate(DRAWN_FIRST) for sign, at in line)],
      more="/H<</Type/Font/Subtype/Type1/BaseFont/Courier/Encoding<</Type/Encoding/BaseEncoding/WinAnsiEncoding"
           f"/Differences[97{HEBREW}]>>>>")
# Paragraphs of Korean and of Thai letters, in place of small ones: a line ends with a space, the next without one.
def in_script(first):
    names = "".join(f"/uni{first + i:04X}" for i in range(26))
    return ("<</Type/Font/Subtype/Type1/BaseFont/Courier/Encoding<</Type/Encoding/BaseEncoding/WinAnsiEncoding"
            f"/Differences[97{names}]>>>>")


SPACED = ["abc def ghi jkl mno pqr stu vwx abc de ", "fab cde fgh ijk lmn opq rst uvw xab cd", "ef gh"]
write("spaces", ["".join(text(50, y - 14 * i, line, 12, font) for font, y in (("K", 450), ("T", 350)) for i, line in
                         enumerate(SPACED))],
      more=f"/K{in_script(0xac00)}/T{in_script(0xe01)}")
# Vertical writing, letter by letter, in columns from right to left: two paragraphs.
COLUMNS = ["abcdefghijklmnopqrstuvwxyzabcdefgh", "ijklmnopqrstuvwxyzabcdefghijklmnop", "qrstuv", "zyxwvu"]
write("vertical", ["".join(text(340 - 18 * i - 12 * (i > 2), 450 - 12 * k, letter, 12, "V") for i, column in enumerate(COLUMNS)
                           for k, letter in enumerate(column))], more=f"/V{in_script(0x4e00)}")
# Replacement text of elements of the structure tree: of one marked content, of two, of two with something else between
# them, which stays as it is, and an expansion of what can be read.
def marked(mcid, shown):
    return f"/Span<</MCID {mcid}>> BDC ({shown}) Tj EMC "


def element(keys, mcids):
    return f"<</S/Span/Pg 4 0 R/{keys}/K[{mcids}]>>"


write("elements", ["BT /F 10 Tf 50 400 Td " + marked(0, "Sum") + "( is ) Tj " + marked(1, "x") + marked(2, "5") + marked(3, "y")
                   + "( or ) Tj " + marked(4, "six") + marked(5, " and ") + marked(6, "ten ") + marked(7, "Dr") + "ET"],
      catalog="/MarkInfo<</Marked true>>/StructTreeRoot<</Type/StructTreeRoot/K[<</S/P/Pg 4 0 R/K["
              + element("ActualText(The sum)", "0") + element("ActualText(\\055)", "1") + " 2 "
              + element("ActualText(,00)", "3") + element("ActualText(none)", "4 6") + " 5 " + element("E(Doctor)", "7")
              + "]>>]>>")
write("divided_element", ["BT /F 10 Tf 50 400 Td (a ) Tj " + marked(0, "wo") + marked(1, "rt") + "( more) Tj ET"],
      catalog="/StructTreeRoot<</Type/StructTreeRoot/K[" + element("ActualText(word)", "0 1") + "]>>")
# An icon, which is the private character U+E001.
write("icon", [text(50, 400, "\x01", font="U") + text(64, 400, "+44 20 7946 0000")],
      more="/U<</Type/Font/Subtype/Type1/BaseFont/Times-Roman/Encoding<</Differences[1/uniE001]>>>>")
SOLD = [["Sold", "Each", "Total"], ["1", "20.50", "20.50"], ["", "", ""], ["2", "4.00", "8.00"], ["3", "", "28.50"]]


def bevelled(rows, x=150, y=400, width=60, height=16):
    """A table whose lines are polygons with bevelled ends, as LibreOffice draws the borders of cells."""
    out = ""
    x1, y1 = x + width * len(rows[0]), y - height * len(rows)
    for at in (y - height * i for i in range(len(rows) + 1)):
        out += (f"{x + .4} {at + .4} m {x} {at} l {x + .4} {at - .4} l {x1 - .4} {at - .4} l {x1} {at} l "
                f"{x1 - .4} {at + .4} l h f\n")
    for at in (x + width * i for i in range(len(rows[0]) + 1)):
        out += (f"{at - .4} {y - .4} m {at} {y} l {at + .4} {y - .4} l {at + .4} {y1 + .4} l {at} {y1} l "
                f"{at - .4} {y1 + .4} l h f\n")
    return out + "".join(text(x + width * c + 4, y - height * r - 12, cell)
                         for r, row in enumerate(rows) for c, cell in enumerate(row) if cell)


write("bevelled", [bevelled(SOLD)], catalog="/Lang(en)")
write("labels", [table(SOLD, x=150, y=400, widths=(60, 60, 60), height=16, bold=0)
                 + "".join(text(60, 388 - 16 * i, label) for i, label in
                           enumerate(["Costs", "Ink", "Paper", "Pens", "All costs"]))], catalog="/Lang(en)")
# A line of a program in a box with round corners.
write("terminal", [text(50, 440, "Type this in a terminal:")
                 + "0.9 g 56 424 m 344 424 l 350 424 350 418 350 418 c 350 394 l 350 388 344 388 344 388 c "
                   "56 388 l 50 388 50 394 50 394 c 50 418 l 50 424 56 424 56 424 c h f 0 g\n"
                 + text(60, 403, "make install", font="C")
                 + text(50, 360, "Then wait until the program says that it is there, which takes a while.")])

# Lines at the edges that no other page repeats, and lines that all pages have.
TOP, BOTTOM = text(50, 470, "DRAFT - not signed"), text(50, 25, "Account GB29, due in 14 days")
TEXT = body(380) + body(280) + body(180)
write("edges", [TOP + TEXT + BOTTOM])
write("one_line", [text(50, 470, "Ticket 4711 is valid until May.")])
write("lone_number", [TEXT + text(200, 25, "1")])
write("other_number", [TEXT + text(200, 25, "4711")])
HEADER = text(50, 470, "The handbook")
write("handbook", [(TOP if i == 3 else HEADER) + TEXT + (BOTTOM if i == 3 else text(190, 25, f"Page {i}"))
                   for i in range(1, 8)])
write("numbered", [text(50, 470, f"Statement {number}") + TEXT + text(190, 25, f"Page {i} of 5")
                   for i, number in enumerate((4711, 3820, 9154, 1208, 6633), 1)])
write("only_header", [HEADER + ("" if i == 2 else TEXT) + text(190, 25, f"Page {i}") for i in (1, 2, 3)])
write("alone", [text(50, 470, f"Ticket {i}", 14) for i in range(1, 6)])
write("only_number", [HEADER * (i != 2) + TEXT * (i != 2) + text(190, 25, f"{i}") for i in range(1, 7)])
write("sole_number", [text(190, 25, "1")])
write("bordered", ["20 20 360 460 re S\n" + text(50, 450, "A notice", 20, "B") + body(410)])

# Three columns, and the same in eight times the size, on a page larger than Word's largest.
COLUMNS = text(150, 470, "Salt in the North", 14, "B") + "".join(
    text(30 + 125 * c, 440, head, 11, "B") + "".join(
        text(30 + 125 * c, 425 - 10 * i, f"{word} goes on here in line {i}, and", 8) for i in range(9))
    for c, (head, word) in enumerate((("Where", "The salt"), ("When", "The year"), ("Why", "The meat"))))
write("sheet", [COLUMNS])
write("poster", ["8 0 0 8 0 0 cm " + COLUMNS], box="0 0 3200 4000")
