"""The hiding places: each makes a document that has a secret in one place, in one way. Those of pictures are in pictures.py."""

import random
import zlib
import corners  # noqa: F401
import pictures  # noqa: F401
from pdfs import Pdf, literal, text, update
from place import PLACES, place


def word(rng):
    """A secret of letters that the rest of the documents does not have."""
    return "".join(rng.choice("QXZJKVWY" if i % 2 == 0 else "aouyxqzj") for i in range(9)).capitalize()


def t(secret):
    return literal(secret) + b" Tj"


def letters(secret, each):
    return b"\n".join(each(i, one) for i, one in enumerate(secret))


def each_at(pdf, secret, at, font=b"F"):
    for i in range(len(secret)):
        pdf.show(t(secret[i]), at(i), font)


# Drawn text.
@place("text")
def plain(pdf, s): pdf.show(t("Mr " + s + " was here"))


@place("text")
def kerned(pdf, s): pdf.show(b"[" + b" 20 ".join(literal(c) for c in s) + b"] TJ")


@place("text")
def hexadecimal(pdf, s): pdf.show(b"<" + s.encode().hex().encode() + b"> Tj")


@place("text")
def octal_escapes(pdf, s): pdf.show(b"(" + b"".join(b"\\%03o" % ord(c) for c in s) + b") Tj")


@place("text")
def letter_by_letter(pdf, s): each_at(pdf, s, lambda i: b"%d 600" % (72 + 9 * i))


@place("text")
def letters_backwards(pdf, s):
    for i in reversed(range(len(s))):
        pdf.show(t(s[i]), b"%d 600" % (72 + 9 * i))


@place("text")
def every_second_letter(pdf, s):
    for i in [*range(0, len(s), 2), *range(1, len(s), 2)]:
        pdf.show(t(s[i]), b"%d 600" % (72 + 9 * i))


@place("text")
def two_content_streams(pdf, s):
    pdf.page["Contents"] = [pdf.stream(b"BT /F 12 Tf 72 600 Td " + t(s[:4])), pdf.stream(t(s[4:]) + b" ET")]


@place("text")
def string_over_two_streams(pdf, s):
    pdf.page["Contents"] = [pdf.stream(b"BT /F 12 Tf 72 600 Td [" + literal(s[:4])), pdf.stream(literal(s[4:]) + b"] TJ ET")]


@place("text")
def next_line_operator(pdf, s): pdf.show(literal(s) + b" '", before=b"14 TL")


@place("text")
def spacing_operator(pdf, s): pdf.show(b"1 0.5 " + literal(s) + b' "', before=b"14 TL")


@place("text")
def rotated(pdf, s): pdf.draw(b"BT /F 12 Tf 0 1 -1 0 300 300 Tm " + t(s) + b" ET")


@place("text")
def slanted(pdf, s): pdf.draw(b"BT /F 12 Tf 0.8 0.6 -0.6 0.8 200 300 Tm " + t(s) + b" ET")


@place("text")
def mirrored(pdf, s): pdf.draw(b"BT /F 12 Tf -1 0 0 1 300 300 Tm " + t(s) + b" ET")


@place("text")
def tiny(pdf, s): pdf.show(t(s), size=b"0.4")


@place("text")
def rotated_page(pdf, s):
    pdf.page["Rotate"] = b"90"
    pdf.show(t(s))


@place("text")
def user_unit(pdf, s):
    pdf.page["UserUnit"] = b"2.5"
    pdf.show(t(s))


@place("text")
def invisible(pdf, s): pdf.show(t(s), before=b"3 Tr")


@place("text")
def clipping_mode(pdf, s): pdf.draw(b"q BT 7 Tr /F 12 Tf 72 600 Td " + t(s) + b" ET Q")


@place("text")
def white(pdf, s): pdf.draw(b"q 1 g BT /F 12 Tf 72 600 Td " + t(s) + b" ET Q")


@place("text")
def transparent(pdf, s):
    pdf.resource("ExtGState", "G", pdf.add(b"<</ca 0>>"))
    pdf.draw(b"q /G gs BT /F 12 Tf 72 600 Td " + t(s) + b" ET Q")


@place("text")
def under_a_box(pdf, s):
    pdf.show(t(s))
    pdf.draw(b"0 g 70 595 150 20 re f")


@place("text")
def clipped(pdf, s): pdf.draw(b"q 0 0 10 10 re W n BT /F 12 Tf 72 600 Td " + t(s) + b" ET Q")


@place("text")
def outside_the_page(pdf, s): pdf.show(t(s), b"-400 600")


@place("text")
def outside_the_crop_box(pdf, s):
    pdf.page["CropBox"] = b"[0 650 612 792]"
    pdf.show(t(s))


@place("text")
def two_lines_with_hyphen(pdf, s):
    pdf.show(t(s[:4] + "-"), b"300 600")
    pdf.show(t(s[4:] + " and more"), b"72 586")


@place("text")
def two_words_on_two_lines(pdf, s):
    pdf.show(t("so " + s[:4]), b"300 600")
    pdf.show(t(s[4:] + " and more"), b"72 586")


@place("text")
def soft_hyphen(pdf, s): pdf.show(t(s[:4] + "\xad" + s[4:]))


@place("text")
def drawn_twice(pdf, s):
    pdf.show(t(s))
    pdf.show(t(s), b"72.3 600")


@place("text")
def shadow_of_each_letter(pdf, s):
    for i, one in enumerate(s):
        pdf.show(t(one), b"%d 600" % (72 + 8 * i))
        pdf.show(t(one), b"%d 599" % (75 + 8 * i))


@place("text")
def shadow_of_each_word(pdf, s):
    for i, one in enumerate(["Mr", s, "was", "here"]):
        for by in (0, 4):
            pdf.show(t(one), b"%d 600" % (72 + 80 * i + by))


@place("text")
def written_over_other_words(pdf, s):
    pdf.show(t("Mr " + s + " was here"))
    pdf.show(t("and everybody else was, too"), b"75 601")


@place("text")
def spaced_out(pdf, s): pdf.show(t(s), before=b"6 Tc")


@place("text")
def spaced_with_blanks(pdf, s): pdf.show(t(" ".join(s)))


@place("text")
def narrow(pdf, s): pdf.show(t(s), before=b"40 Tz")


@place("text")
def one_below_the_other(pdf, s): each_at(pdf, s, lambda i: b"72 %d" % (600 - 14 * i))


@place("text")
def upper_case(pdf, s): pdf.show(t(s.upper()))


# Fonts and encodings.
def cid_font(pdf, s, vertical=False, mapped=True):
    codes = {c: i + 1 for i, c in enumerate(sorted(set(s)))}
    lines = b"".join(b"<%04X> <%04X>\n" % (code, ord(c)) for c, code in codes.items())
    cmap = pdf.stream(b"begincmap\n1 begincodespacerange <0000> <ffff> endcodespacerange\n%d beginbfchar\n" % len(codes) + lines +
                      b"endbfchar\nendcmap")
    inner = pdf.add(b"<</Type/Font/Subtype/CIDFontType2/BaseFont/AAAAAA+Sans/CIDSystemInfo<</Registry(Adobe)/Ordering(Identity)"
                    b"/Supplement 0>>/FontDescriptor<</Type/FontDescriptor/FontName/AAAAAA+Sans/Flags 4>>/DW 600>>")
    pdf.fonts["C"] = pdf.add(b"<</Type/Font/Subtype/Type0/BaseFont/AAAAAA+Sans/Encoding/Identity-%s/DescendantFonts[%d 0 R]" % (
        b"V" if vertical else b"H", inner) + (b"/ToUnicode %d 0 R" % cmap if mapped else b"") + b">>")
    return b"<" + b"".join(b"%04X" % codes[c] for c in s) + b"> Tj"


@place("fonts")
def two_byte_codes(pdf, s): pdf.show(cid_font(pdf, s), font=b"C")


@place("fonts")
def vertical_writing(pdf, s): pdf.show(cid_font(pdf, s, True), font=b"C")


@place("fonts")
def map_of_unused_font(pdf, s): cid_font(pdf, s)


def named_font(pdf, s, extra=b""):
    names = b" ".join(b"%d /%s" % (i + 1, c.encode()) for i, c in enumerate(s))
    pdf.fonts["D"] = pdf.add(b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding<</Differences[" + names + b"]>>" + extra + b">>")
    return b"<" + b"".join(b"%02X" % (i + 1) for i in range(len(s))) + b"> Tj"


@place("fonts")
def names_of_glyphs(pdf, s): pdf.show(named_font(pdf, s), font=b"D")


@place("fonts")
def ligature(pdf, s):
    cmap = pdf.stream(b"begincmap 1 begincodespacerange <00> <ff> endcodespacerange 1 beginbfchar <01> <" +
                      s.encode("utf-16-be").hex().encode() + b"> endbfchar endcmap")
    pdf.fonts["L"] = pdf.add(b"<</Type/Font/Subtype/Type1/BaseFont/Courier/ToUnicode %d 0 R>>" % cmap)
    pdf.show(b"<01> Tj", font=b"L")


def type3(pdf, s, inside=b""):
    chars, names = {}, []
    for i, c in enumerate(s):
        chars["g%d" % i] = pdf.stream(b"600 0 d0 " + inside + b" 0 0 %d 700 re f" % (100 + 40 * i))
        names.append(b"/g%d" % i)
    cmap = pdf.stream(b"begincmap 1 begincodespacerange <00> <ff> endcodespacerange %d beginbfchar\n" % len(s) + b"".join(
        b"<%02X> <%04X>\n" % (i + 1, ord(c)) for i, c in enumerate(s)) + b"endbfchar endcmap")
    pdf.fonts["T"] = pdf.add(b"<</Type/Font/Subtype/Type3/FontBBox[0 0 700 700]/FontMatrix[0.001 0 0 0.001 0 0]/FirstChar 1/LastChar %d"
                             b"/Widths[%s]/Encoding<</Differences[1 %s]>>/CharProcs %s/Resources<</Font<</F 4 0 R>>>>/ToUnicode %d 0 R>>" % (
                                 len(s), b"600 " * len(s), b" ".join(names), pdf.dictionary(chars), cmap))
    return b"<" + b"".join(b"%02X" % (i + 1) for i in range(len(s))) + b"> Tj"


@place("fonts")
def glyph_procedures(pdf, s): pdf.show(type3(pdf, s), font=b"T")


@place("fonts")
def text_in_a_glyph(pdf, s):
    type3(pdf, "ab", b"BT /F 500 Tf " + t(s) + b" ET")
    pdf.show(b"<01> Tj", font=b"T")


@place("fonts")
def right_to_left(pdf, s):
    letters_of = [0x5d0 + i for i in range(9)]
    cmap = pdf.stream(b"begincmap 1 begincodespacerange <00> <ff> endcodespacerange 9 beginbfchar\n" + b"".join(
        b"<%02X> <%04X>\n" % (i + 1, c) for i, c in enumerate(letters_of)) + b"endbfchar endcmap")
    pdf.fonts["R"] = pdf.add(b"<</Type/Font/Subtype/Type1/BaseFont/Courier/ToUnicode %d 0 R>>" % cmap)
    pdf.secret, pdf.content = "".join(map(chr, letters_of)), pdf.content[:1]
    pdf.show(b"<090807060504030201> Tj", font=b"R")


@place("fonts")
def replacement_text(pdf, s): pdf.draw(b"/Span<</ActualText " + text(s) + b">>BDC BT /F 12 Tf 72 600 Td (drawn) Tj ET EMC")


@place("fonts")
def replacement_in_resources(pdf, s):
    pdf.resource("Properties", "P", pdf.add(b"<</ActualText " + text(s) + b">>"))
    pdf.draw(b"/Span/P BDC BT /F 12 Tf 72 600 Td (drawn) Tj ET EMC")


@place("fonts")
def replaced_text(pdf, s): pdf.draw(b"/Span<</ActualText(other)>>BDC BT /F 12 Tf 72 600 Td " + t(s) + b" ET EMC")


@place("fonts")
def alternative_of_a_mark(pdf, s): pdf.draw(b"/Figure<</Alt " + text(s) + b">>BDC 100 500 20 20 re f EMC")


@place("fonts")
def expansion_of_a_mark(pdf, s): pdf.draw(b"/Span<</E " + text(s) + b">>BDC BT /F 12 Tf 72 600 Td (abbr) Tj ET EMC")


@place("fonts")
def property_of_a_point(pdf, s): pdf.draw(b"/Note<</Who " + literal(s) + b">>DP")


# Content in other objects.
def shown(s): return b"BT /F 12 Tf 72 600 Td " + t(s) + b" ET"


@place("containers")
def form(pdf, s):
    pdf.resource("XObject", "X", pdf.form(shown(s)))
    pdf.draw(b"/X Do")


@place("containers")
def form_in_a_form(pdf, s):
    inner = pdf.form(shown(s))
    pdf.resource("XObject", "X", pdf.form(b"/Y Do", b"/Resources<</XObject<</Y %d 0 R>>>>" % inner, False))
    pdf.draw(b"/X Do")


@place("containers")
def form_on_two_pages(pdf, s):
    number = pdf.form(shown(s))
    pdf.resource("XObject", "X", number)
    pdf.draw(b"/X Do")
    pdf.more_pages.append(pdf.add(b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Resources<</XObject<</X %d 0 R>>>>/Contents %d 0 R>>" % (
        number, pdf.stream(b"/X Do"))))


@place("containers")
def form_that_is_not_drawn(pdf, s): pdf.resource("XObject", "X", pdf.form(shown(s)))


@place("containers")
def content_of_two_pages(pdf, s):
    both = pdf.stream(shown(s))
    pdf.page["Contents"] = [both]
    pdf.more_pages.append(pdf.add(b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Resources<</Font<</F 4 0 R>>>>/Contents %d 0 R>>" % both))


@place("containers")
def pattern(pdf, s):
    pdf.resource("Pattern", "P", pdf.stream(b"BT /F 12 Tf 2 2 Td " + t(s) + b" ET", b"/Type/Pattern/PatternType 1/PaintType 1/TilingType 1"
                                            b"/BBox[0 0 90 20]/XStep 90/YStep 20/Resources<</Font<</F 4 0 R>>>>"))
    pdf.draw(b"/Pattern cs /P scn 72 590 200 60 re f")


@place("containers")
def soft_mask(pdf, s):
    group = pdf.form(b"1 g " + shown(s), b"/Group<</S/Transparency/CS/DeviceGray>>")
    pdf.resource("ExtGState", "G", pdf.add(b"<</SMask<</S/Luminosity/G %d 0 R>>>>" % group))
    pdf.draw(b"q /G gs 0 0 612 792 re f Q")


@place("containers")
def hidden_layer(pdf, s):
    layer = pdf.add(b"<</Type/OCG/Name(Notes)>>")
    pdf.root["OCProperties"] = b"<</OCGs[%d 0 R]/D<</OFF[%d 0 R]>>>>" % (layer, layer)
    pdf.resource("Properties", "L", layer)
    pdf.draw(b"/OC/L BDC " + shown(s) + b" EMC")


@place("containers")
def comment_in_content(pdf, s): pdf.draw(b"% written for " + s.encode() + b"\n1 w")


@place("containers")
def unknown_operator(pdf, s): pdf.draw(b"BX " + literal(s) + b" Xy EX")


@place("containers")
def after_unbalanced_restores(pdf, s): pdf.draw(b"Q Q " + shown(s))


# Annotations and fields.
@place("annotations")
def appearance_of_free_text(pdf, s):
    pdf.annotation(b"/Subtype/FreeText/Rect[72 590 272 640]/DA(/F 12 Tf)/Contents " + text(s) + b"/AP<</N %d 0 R>>" % pdf.stream(
        b"BT /F 12 Tf 2 20 Td " + t(s) + b" ET", b"/Type/XObject/Subtype/Form/BBox[0 0 200 50]/Resources<</Font<</F 4 0 R>>>>"))


@place("annotations")
def hidden_stamp(pdf, s):
    pdf.annotation(b"/Subtype/Stamp/F 2/Rect[72 590 272 640]/AP<</N %d 0 R>>" % pdf.stream(
        b"BT /F 12 Tf 2 20 Td " + t(s) + b" ET", b"/Type/XObject/Subtype/Form/BBox[0 0 200 50]/Resources<</Font<</F 4 0 R>>>>"))


@place("annotations")
def appearance_when_pressed(pdf, s):
    empty, other = (pdf.stream(data, b"/Type/XObject/Subtype/Form/BBox[0 0 200 50]/Resources<</Font<</F 4 0 R>>>>")
                    for data in (b"", b"BT /F 12 Tf 2 20 Td " + t(s) + b" ET"))
    pdf.annotation(b"/Subtype/Stamp/Rect[72 590 272 640]/AP<</N %d 0 R/D %d 0 R>>" % (empty, other))


@place("annotations")
def comment(pdf, s): pdf.annotation(b"/Subtype/Text/Rect[10 10 30 30]/Contents " + text("ask " + s))


@place("annotations")
def rich_comment(pdf, s): pdf.annotation(b"/Subtype/Text/Rect[10 10 30 30]/Contents(x)/RC " + text(f"<body><p>{s}</p></body>"))


@place("annotations")
def author_of_a_comment(pdf, s): pdf.annotation(b"/Subtype/Text/Rect[10 10 30 30]/Contents(x)/T " + text(s))


@place("annotations")
def subject_of_a_comment(pdf, s): pdf.annotation(b"/Subtype/Text/Rect[10 10 30 30]/Contents(x)/Subj " + text(s))


@place("annotations")
def reply(pdf, s):
    first = pdf.annotation(b"/Subtype/Text/Rect[10 10 30 30]/Contents(x)")
    pdf.annotation(b"/Subtype/Text/Rect[10 10 30 30]/IRT %d 0 R/Contents " % first + text(s))


@place("annotations")
def address_of_a_link(pdf, s): pdf.annotation(b"/Subtype/Link/Rect[10 10 30 30]/A<</S/URI/URI(https://example.org/" + s.encode() + b")>>")


@place("annotations")
def script_of_a_link(pdf, s): pdf.annotation(b"/Subtype/Link/Rect[10 10 30 30]/A<</S/JavaScript/JS(app.alert\\('" + s.encode() + b"'\\))>>")


def field(pdf, entries, rect=b"[72 590 272 640]"):
    kind = b"Ch" if b"/Opt" in entries else b"Tx"
    number = pdf.annotation(b"/Subtype/Widget/FT/" + kind + b"/Rect " + rect + b"/DA(/F 12 Tf 0 g)" + entries)
    pdf.root["AcroForm"] = b"<</Fields[%d 0 R]/DR<</Font<</F 4 0 R>>>>/DA(/F 12 Tf 0 g)>>" % number
    return number


@place("annotations")
def value_of_a_field(pdf, s):
    field(pdf, b"/T(a)/V " + text(s) + b"/AP<</N %d 0 R>>" % pdf.stream(b"BT /F 12 Tf 2 20 Td " + t(s) + b" ET",
          b"/Type/XObject/Subtype/Form/BBox[0 0 200 50]/Resources<</Font<</F 4 0 R>>>>"))


@place("annotations")
def default_of_a_field(pdf, s): field(pdf, b"/T(a)/DV " + text(s))


@place("annotations")
def label_of_a_field(pdf, s): field(pdf, b"/T(a)/TU " + text(s))


@place("annotations")
def name_of_a_field(pdf, s): field(pdf, b"/T " + text(s))


@place("annotations")
def options_of_a_field(pdf, s): field(pdf, b"/T(a)/Ff 131072/V(x)/Opt[(x) " + text(s) + b"]")


@place("annotations")
def rich_value_of_a_field(pdf, s): field(pdf, b"/T(a)/V(x)/Ff 33554432/RV " + text(f"<body>{s}</body>"))


@place("annotations")
def xfa_form(pdf, s):
    field(pdf, b"/T(a)")
    data = pdf.stream(b"<xdp:xdp><xfa:data><a>" + s.encode() + b"</a></xfa:data></xdp:xdp>")
    pdf.root["AcroForm"] = pdf.root["AcroForm"][:-2] + b"/XFA %d 0 R>>" % data


# What a document says besides its pages.
@place("document")
def title_in_info(pdf, s): pdf.trailer = b"/Info %d 0 R" % pdf.add(b"<</Title " + text("On " + s) + b">>")


@place("document")
def own_key_in_info(pdf, s): pdf.trailer = b"/Info %d 0 R" % pdf.add(b"<</Client " + text(s) + b">>")


def xmp(s):
    return (b'<?xpacket begin="" id="W5M0MpCehiHzreSzNTczkc9d"?><x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/'
            b'22-rdf-syntax-ns#"><rdf:Description rdf:about="" xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:creator><rdf:Seq><rdf:li>' +
            s.encode() + b'</rdf:li></rdf:Seq></dc:creator></rdf:Description></rdf:RDF></x:xmpmeta><?xpacket end="w"?>')


@place("document")
def document_xmp(pdf, s): pdf.root["Metadata"] = pdf.stream(xmp(s), b"/Type/Metadata/Subtype/XML")


@place("document")
def page_xmp(pdf, s): pdf.page["Metadata"] = pdf.stream(xmp(s), b"/Type/Metadata/Subtype/XML")


@place("document")
def outline(pdf, s):
    item, top = pdf.add(b""), pdf.add(b"")
    pdf.objects[item] = b"<</Title " + text("About " + s) + b"/Parent %d 0 R/Dest[3 0 R/Fit]>>" % top
    pdf.objects[top] = b"<</First %d 0 R/Last %d 0 R/Count 1>>" % (item, item)
    pdf.root["Outlines"] = top


@place("document")
def label_of_a_page(pdf, s): pdf.root["PageLabels"] = b"<</Nums[0<</P " + text(s) + b">>]>>"


@place("document")
def name_of_a_layer(pdf, s):
    layer = pdf.add(b"<</Type/OCG/Name " + text(s) + b">>")
    pdf.root["OCProperties"] = b"<</OCGs[%d 0 R]/D<</Order[%d 0 R]>>>>" % (layer, layer)


def attach(pdf, name, data, description=b""):
    inner = pdf.stream(data, b"/Type/EmbeddedFile/Subtype/text#2Fplain", True)
    spec = pdf.add(b"<</Type/Filespec/F " + literal(name) + b"/UF " + text(name) + description + b"/EF<</F %d 0 R>>>>" % inner)
    pdf.root["Names"] = b"<</EmbeddedFiles<</Names[(a)%d 0 R]>>>>" % spec


@place("document")
def name_of_an_attachment(pdf, s): attach(pdf, s + ".txt", b"nothing")


@place("document")
def description_of_an_attachment(pdf, s): attach(pdf, "a.txt", b"nothing", b"/Desc " + text(s))


@place("document")
def text_of_an_attachment(pdf, s): attach(pdf, "a.txt", b"Dear " + s.encode())


@place("document")
def attached_document(pdf, s):
    inner = Pdf()
    inner.show(t(s))
    attach(pdf, "a.pdf", inner.bytes())


@place("document")
def script(pdf, s): pdf.root["Names"] = b"<</JavaScript<</Names[(a)<</S/JavaScript/JS %s>>]>>>>" % text(f"var a = '{s}';")


@place("document")
def named_destination(pdf, s): pdf.root["Names"] = b"<</Dests<</Names[" + literal(s) + b"[3 0 R/Fit]]>>>>"


@place("document")
def old_named_destination(pdf, s): pdf.root["Dests"] = b"<</" + s.encode() + b"[3 0 R/Fit]>>"


def element(pdf, entries):
    item, tree = pdf.add(b""), pdf.add(b"")
    pdf.objects[item] = b"<</Type/StructElem/S/Figure/P %d 0 R/Pg 3 0 R/K 0" % tree + entries + b">>"
    pdf.objects[tree] = b"<</Type/StructTreeRoot/K[%d 0 R]/ParentTree<</Nums[0[%d 0 R]]>>>>" % (item, item)
    pdf.root["StructTreeRoot"] = tree
    pdf.root["MarkInfo"] = b"<</Marked true>>"
    pdf.page["StructParents"] = b"0"
    pdf.draw(b"/Figure<</MCID 0>>BDC 100 500 20 20 re f EMC")


@place("document")
def alternative_text(pdf, s): element(pdf, b"/Alt " + text(s))


@place("document")
def replacement_of_an_element(pdf, s): element(pdf, b"/ActualText " + text(s))


@place("document")
def expansion_of_an_element(pdf, s): element(pdf, b"/E " + text(s))


@place("document")
def title_of_an_element(pdf, s): element(pdf, b"/T " + text(s))


@place("document")
def summary_of_a_table(pdf, s): element(pdf, b"/A<</O/Table/Summary " + text(s) + b">>")


@place("document")
def article(pdf, s): pdf.root["Threads"] = b"[<</Type/Thread/I<</Title " + text(s) + b">>>>]"


@place("document")
def private_data(pdf, s): pdf.page["PieceInfo"] = b"<</App<</LastModified(D:2026)/Private<</Text " + text(s) + b">>>>>>"


@place("document")
def output_intent(pdf, s): pdf.root["OutputIntents"] = b"[<</Type/OutputIntent/S/GTS_PDFX/OutputConditionIdentifier(x)/Info " + text(s) + b">>]"


# The file.
@place("file")
def earlier_revision(pdf, s):
    pdf.show(t(s))
    data = pdf.bytes()
    number = pdf.page.get("Contents", [max(pdf.objects)])[0]
    replaced = pdf.anchor
    pdf.made = update(data, {number: b"<</Length %d>>\nstream\n" % len(replaced) + replaced + b"\nendstream"})


@place("file")
def unused_object(pdf, s): pdf.add(b"<</Note " + literal(s) + b">>")


@place("file")
def unused_stream(pdf, s): pdf.stream(b"see " + s.encode(), packed=True)


@place("file")
def removed_page(pdf, s):
    pdf.add(b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Resources<</Font<</F 4 0 R>>>>/Contents %d 0 R>>" % pdf.stream(shown(s)))


@place("file")
def object_stream(pdf, s):
    body = b"9000 0 <</Note " + literal(s) + b">>"
    pdf.stream(body, b"/Type/ObjStm/N 1/First 7", True)


@place("file")
def after_the_end(pdf, s): pdf.tail = b"% " + s.encode() + b"\n"


@place("file")
def comment_of_the_file(pdf, s): pdf.head = b"% " + s.encode() + b"\n"


@place("file")
def own_entry_of_the_catalog(pdf, s): pdf.root["XX_Note"] = literal(s)


@place("file")
def after_the_data_of_a_stream(pdf, s):
    data = zlib.compress(b"1 w") + s.encode()
    pdf.page["Contents"] = [pdf.stream(b"\n".join(pdf.content)), pdf.add(b"<</Filter/FlateDecode/Length %d>>\nstream\n" % len(data) + data +
                                                                        b"\nendstream")]


# In the order of `pixels`: the area of the left half, and a margin for what is cut roughly.
AREAS = {name: [72, 560, 200, 688] for name, (_, by, _) in PLACES.items() if by == "box"}


def build(name, seed):
    """The document of a place, its secret, and the area of that."""
    rng = random.Random(f"{seed} {name}")
    pdf, secret = Pdf(), word(rng)
    pdf.secret, pdf.made = secret, None
    # The secret is also plainly on the page, so that there is something to redact whatever a program finds.
    pdf.anchor = b"" if name in AREAS else b"BT /F 12 Tf 1 0 0 1 72 680 Tm " + t(secret) + b" ET"
    pdf.draw(pdf.anchor)
    PLACES[name][2](pdf, secret)
    if "Contents" in pdf.page and name not in AREAS and name != "content of two pages":
        pdf.page["Contents"].append(pdf.stream(pdf.anchor))
    return pdf.made or pdf.bytes(), pdf.secret, AREAS.get(name)
