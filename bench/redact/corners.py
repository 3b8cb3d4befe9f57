"""Hiding places that programs and documents of real life make, and nobody looks into: names, strings that no operator reads, what pictures
and profiles say of themselves, texts that marks of other languages divide. For places.py, which has the others."""

import codings
from pdfs import literal, text
from pictures import IMAGE, SIZE, colours
from place import place


def t(secret):
    return literal(secret) + b" Tj"


def shown(s):
    return b"BT /F 12 Tf 72 600 Td " + t(s) + b" ET"


def name(s):
    return b"/" + s.encode()


# Content.
@place("content")
def tag_of_a_mark(pdf, s): pdf.draw(name(s) + b" BMC BT /F 12 Tf 72 600 Td (drawn) Tj ET EMC")


@place("content")
def name_of_a_font_resource(pdf, s):
    pdf.fonts[s] = 4
    pdf.draw(b"BT " + name(s) + b" 12 Tf 72 600 Td (drawn) Tj ET")


@place("content")
def name_of_a_form_resource(pdf, s):
    pdf.resource("XObject", s, pdf.form(b"0 0 9 9 re f"))
    pdf.draw(name(s) + b" Do")


@place("content")
def name_of_a_mark_list(pdf, s):
    pdf.resource("Properties", s, pdf.add(b"<</Note(x)>>"))
    pdf.draw(b"/Span" + name(s) + b" BDC BT /F 12 Tf 72 600 Td (drawn) Tj ET EMC")


@place("content")
def operand_too_many(pdf, s): pdf.draw(literal(s) + b" 1 w")


@place("content")
def operand_without_operator(pdf, s): pdf.draw(literal(s))


@place("content")
def operand_in_a_form(pdf, s):
    pdf.resource("XObject", "X", pdf.form(b"<" + s.encode().hex().encode() + b"> 1 w 0 0 9 9 re f " + literal(s)))
    pdf.draw(b"/X Do")


@place("content")
def list_in_a_mark(pdf, s):
    pdf.draw(b"/Span<</MCID 3/E(x)/Who[<</A " + text(s) + b">>]>>BDC BT /F 12 Tf 72 600 Td (drawn) Tj ET EMC")


@place("content")
def short_mark_with_many_entries(pdf, s):
    pdf.draw(b"/Span<</MCID 3/O[1/a/b/c/d 2 3]/P<</a/b/c<</d/e/f[1 2 3]>>/g/h/i/j/k/l>>/T(" + s.encode() + b")>>BDC EMC")


@place("content")
def comment_in_a_form(pdf, s):
    pdf.resource("XObject", "X", pdf.form(b"% " + s.encode() + b"\n0 0 9 9 re f"))
    pdf.draw(b"/X Do")


@place("content")
def comment_in_a_glyph(pdf, s):
    procedure = pdf.stream(b"600 0 d0 % " + s.encode() + b"\n0 0 9 9 re f")
    pdf.fonts["T"] = pdf.add(b"<</Type/Font/Subtype/Type3/FontBBox[0 0 700 700]/FontMatrix[0.001 0 0 0.001 0 0]/FirstChar 65/LastChar 65"
                             b"/Widths[600]/Encoding<</Differences[65/A]>>/CharProcs<</A %d 0 R>>/Resources<<>>>>" % procedure)
    pdf.show(b"(A) Tj", font=b"T")


@place("content")
def text_in_a_glyph_of_a_form(pdf, s):
    procedure = pdf.stream(b"600 0 d0 BT /G 500 Tf " + t(s) + b" ET")
    font = pdf.add(b"<</Type/Font/Subtype/Type3/FontBBox[0 0 700 700]/FontMatrix[0.001 0 0 0.001 0 0]/FirstChar 65/LastChar 65"
                   b"/Widths[600]/Encoding<</Differences[65/A]>>/CharProcs<</A %d 0 R>>/Resources<</Font<</G 4 0 R>>>>>>" % procedure)
    pdf.resource("XObject", "X", pdf.form(b"BT /T 12 Tf 72 600 Td (A) Tj ET", b"/Resources<</Font<</T %d 0 R>>>>" % font, False))
    pdf.draw(b"/X Do")


@place("content")
def form_of_a_soft_mask_form(pdf, s):
    inner = pdf.form(b"1 g " + shown(s))
    group = pdf.form(b"/Y Do", b"/Group<</S/Transparency/CS/DeviceGray>>/Resources<</XObject<</Y %d 0 R>>>>" % inner, False)
    pdf.resource("ExtGState", "G", pdf.add(b"<</SMask<</S/Luminosity/G %d 0 R>>>>" % group))
    pdf.draw(b"q /G gs 0 0 612 792 re f Q")


@place("content")
def pattern_of_a_stroke_in_a_pattern(pdf, s):
    head = b"/Type/Pattern/PatternType 1/TilingType 1/BBox[0 0 90 20]/XStep 90/YStep 20"
    inner = pdf.stream(b"BT /F 12 Tf 2 2 Td " + t(s) + b" ET", head + b"/PaintType 2/Resources<</Font<</F 4 0 R>>>>")
    space = pdf.add(b"[/Pattern/DeviceRGB]")
    outer = pdf.stream(b"/S CS 1 0 0 /P SCN 9 w 0 9 m 90 9 l S", head + b"/PaintType 1/Resources<</Pattern<</P %d 0 R>>/ColorSpace<</S %d 0 R>>>>" % (
        inner, space))
    pdf.resource("Pattern", "P", outer)
    pdf.draw(b"/Pattern cs /P scn 72 590 200 60 re f")


@place("content")
def letters_by_td_in_odd_order(pdf, s):
    order = [*range(0, len(s), 3), *range(2, len(s), 3), *range(1, len(s), 3)]
    out, at = b"", 0
    for i in order:
        out += b"%d 0 Td " % (9 * i - at) + t(s[i]) + b" "
        at = 9 * i
    pdf.draw(b"BT /F 12 Tf 1 0 0 1 72 600 Tm " + out + b"ET")


@place("content")
def replacement_of_a_whole_line(pdf, s):
    pdf.draw(b"/Span<</ActualText " + text(f"Mr {s} was here") + b">>BDC BT /F 12 Tf 72 600 Td (Mr ) Tj " + t(s) + b" ( was here) Tj ET EMC")


@place("content")
def two_glyphs_for_the_whole(pdf, s):
    half = len(s) // 2
    lines = b"".join(b"<%02X> <%s>\n" % (i + 1, part.encode("utf-16-be").hex().encode()) for i, part in enumerate((s[:half], s[half:])))
    cmap = pdf.stream(b"begincmap 1 begincodespacerange <00> <ff> endcodespacerange 2 beginbfchar\n" + lines + b"endbfchar endcmap")
    pdf.fonts["L"] = pdf.add(b"<</Type/Font/Subtype/Type1/BaseFont/Courier/ToUnicode %d 0 R>>" % cmap)
    pdf.show(b"<0102> Tj", font=b"L")


@place("content")
def one_glyph_for_more(pdf, s):
    cmap = pdf.stream(b"begincmap 1 begincodespacerange <00> <ff> endcodespacerange 1 beginbfchar <01> <" +
                      f"to {s} now".encode("utf-16-be").hex().encode() + b"> endbfchar endcmap")
    pdf.fonts["L"] = pdf.add(b"<</Type/Font/Subtype/Type1/BaseFont/Courier/ToUnicode %d 0 R>>" % cmap)
    pdf.show(b"<01> Tj", font=b"L")


@place("content")
def range_of_a_map(pdf, s):
    each = b"".join(b"<%04X>" % ord(c) for c in s)
    cmap = pdf.stream(b"begincmap 1 begincodespacerange <00> <ff> endcodespacerange 1 beginbfrange <01> <%02X> [%s] endbfrange endcmap" % (
        len(s), each))
    pdf.fonts["L"] = pdf.add(b"<</Type/Font/Subtype/Type1/BaseFont/Courier/ToUnicode %d 0 R>>" % cmap)
    pdf.show(b"<" + b"".join(b"%02X" % (i + 1) for i in range(len(s))) + b"> Tj", font=b"L")


@place("content")
def font_of_a_graphics_state(pdf, s):
    pdf.resource("ExtGState", "G", pdf.add(b"<</Font[4 0 R 12]>>"))
    pdf.draw(b"BT /G gs 72 600 Td " + t(s) + b" ET")


# Names.
@place("names")
def name_of_an_ink(pdf, s):
    function = b"<</FunctionType 2/Domain[0 1]/C0[0 0 0 0]/C1[0 1 1 0]/N 1>>"
    pdf.resource("ColorSpace", "S", pdf.add(b"[/Separation" + name(s) + b"#20Red/DeviceCMYK" + function + b"]"))
    pdf.draw(b"/S cs 1 scn 72 500 20 20 re f")


@place("names")
def inks_of_a_space(pdf, s):
    function = b"<</FunctionType 2/Domain[0 1]/C0[0 0 0 0]/C1[0 1 1 0]/N 1>>"
    pdf.resource("ColorSpace", "S", pdf.add(
        b"[/DeviceN[" + name(s) + b"]/DeviceCMYK" + function + b"<</Colorants<<" + name(s) + b"[/Separation" + name(s) + b"/DeviceCMYK" +
        function + b"]>>>>]"))
    pdf.draw(b"/S cs 1 scn 72 500 20 20 re f")


@place("names")
def key_of_info(pdf, s): pdf.trailer = b"/Info %d 0 R" % pdf.add(b"<<" + name(s) + b"(x)>>")


@place("names")
def value_of_info_as_name(pdf, s): pdf.trailer = b"/Info %d 0 R" % pdf.add(b"<</Client" + name(s) + b">>")


def structure(pdf, kind, entries, root=b""):
    item, tree = pdf.add(b""), pdf.add(b"")
    pdf.objects[item] = b"<</Type/StructElem/S" + kind + b"/P %d 0 R/Pg 3 0 R/K 0" % tree + entries + b">>"
    pdf.objects[tree] = b"<</Type/StructTreeRoot/K[%d 0 R]/ParentTree<</Nums[0[%d 0 R]]>>" % (item, item) + root + b">>"
    pdf.root["StructTreeRoot"], pdf.root["MarkInfo"], pdf.page["StructParents"] = tree, b"<</Marked true>>", b"0"
    pdf.draw(kind + b"<</MCID 0>>BDC 100 500 20 20 re f EMC")


@place("names")
def type_of_an_element(pdf, s): structure(pdf, name(s + "_Head"), b"", b"/RoleMap<<" + name(s + "_Head") + b"/H1>>")


@place("names")
def class_of_an_element(pdf, s): structure(pdf, b"/P", b"/C" + name(s), b"/ClassMap<<" + name(s) + b"<</O/Layout/SpaceAfter 3>>>>")


@place("names")
def key_of_an_element(pdf, s): structure(pdf, b"/P", b"/ID " + literal(s), b"/IDTree<</Names[" + literal(s) + b" null]>>")


@place("names")
def owner_of_attributes(pdf, s): structure(pdf, b"/P", b"/A<</O/UserProperties/P[<</N " + text(s) + b"/V(x)/F " + text(s) + b">>]>>")


@place("names")
def name_of_a_stamp(pdf, s): pdf.annotation(b"/Subtype/Stamp/Rect[72 590 272 640]/Name" + name(s))


@place("names")
def named_page(pdf, s): pdf.root["Names"] = b"<</Pages<</Names[" + literal(s) + b" 3 0 R]>>>>"


@place("names")
def key_of_the_catalog(pdf, s): pdf.root["XX_" + s] = b"1"


@place("names")
def key_of_the_trailer(pdf, s): pdf.trailer = name(s) + b" 1"


@place("names")
def key_of_an_own_object(pdf, s): pdf.page["XX_Data"] = pdf.add(b"<</List[<</By" + name(s + "_1") + b"/Of[null<<" + name(s) + b" true>>]>>]>>")


@place("names")
def key_of_a_picture(pdf, s):
    pdf.resource("XObject", "I", pdf.stream(bytes(64 * 32), IMAGE + b"/ColorSpace/DeviceGray/BitsPerComponent 8" + name(s) + b" 1"))
    pdf.draw(b"q 64 0 0 32 72 100 cm /I Do Q")


@place("names")
def key_of_a_mark_list(pdf, s):
    pdf.resource("Properties", "P", pdf.add(b"<<" + name(s) + b" 1>>"))
    pdf.draw(b"/Span/P BDC BT /F 12 Tf 72 600 Td (drawn) Tj ET EMC")


@place("names")
def key_in_a_mark(pdf, s): pdf.draw(b"/Span<<" + name(s) + b" 1>>BDC BT /F 12 Tf 72 600 Td (drawn) Tj ET EMC")


@place("names")
def font_that_no_content_names(pdf, s): pdf.fonts[s] = 4


@place("names")
def form_that_no_form_names(pdf, s):
    inner = pdf.form(b"0 0 9 9 re f")
    pdf.resource("XObject", "X", pdf.form(b"0 0 9 9 re f", b"/Resources<</XObject<<" + name(s) + b" %d 0 R>>>>" % inner, False))
    pdf.draw(b"/X Do")


@place("names")
def font_of_fields(pdf, s):
    number = pdf.annotation(b"/Subtype/Widget/FT/Tx/T(a)/V(x)/Rect[72 590 272 640]/DA(" + name(s) + b" 12 Tf 0 g)")
    pdf.root["AcroForm"] = b"<</Fields[%d 0 R]/DR<</Font<<" % number + name(s) + b" 4 0 R>>>>>>"


@place("names")
def glyph_of_an_own_font(pdf, s):
    procedure = pdf.stream(b"600 0 d0 0 0 9 9 re f")
    pdf.fonts["T"] = pdf.add(b"<</Type/Font/Subtype/Type3/FontBBox[0 0 700 700]/FontMatrix[0.001 0 0 0.001 0 0]/FirstChar 65/LastChar 65"
                             b"/Widths[600]/Encoding<</Differences[65" + name(s) + b"]>>/CharProcs<<" + name(s) + b" %d 0 R>>/Resources<<>>>>" %
                             procedure)
    pdf.show(b"(A) Tj", font=b"T")


@place("names")
def dot_gain_of_an_ink(pdf, s):
    function = b"<</FunctionType 2/Domain[0 1]/C0[0 0 0 0]/C1[0 1 1 0]/N 1>>"
    hints = b"<</PrintingOrder[" + name(s) + b"]/Solidities<<" + name(s) + b" 1>>/DotGain<<" + name(s) + b"<</FunctionType 2/Domain[0 1]/N 1>>>>>>"
    pdf.resource("ColorSpace", "S", pdf.add(b"[/DeviceN[" + name(s) + b"]/DeviceCMYK" + function + b"<</MixingHints" + hints + b">>]"))
    pdf.draw(b"/S cs 1 scn 72 500 20 20 re f")


@place("names")
def type_of_an_own_object(pdf, s): pdf.root["XX_Data"] = pdf.add(b"<</Type" + name(s) + b"/Data 1>>")


# Strings.
@place("strings")
def text_after_a_date(pdf, s): pdf.trailer = b"/Info %d 0 R" % pdf.add(b"<</ModDate(D:20240101 by " + s.encode() + b")>>")


@place("strings")
def text_with_a_language(pdf, s):
    both = (s[:4] + "\x1bde\x1b" + s[4:]).encode("utf-16-be").hex().encode()
    pdf.annotation(b"/Subtype/Text/Rect[10 10 30 30]/Contents<feff" + both + b">")


@place("strings")
def little_endian(pdf, s):
    pdf.annotation(b"/Subtype/Text/Rect[10 10 30 30]/Contents<fffe" + s.encode("utf-16-le").hex().encode() + b">")


@place("strings")
def marked_utf8(pdf, s): pdf.annotation(b"/Subtype/Text/Rect[10 10 30 30]/Contents(\xef\xbb\xbf" + s.encode() + b")")


@place("strings")
def digits_with_blanks(pdf, s):
    pdf.annotation(b"/Subtype/Text/Rect[10 10 30 30]/Contents<" + b" \n".join(b"%02x" % c for c in s.encode()) + b" >")


@place("strings")
def rich_text_in_parts(pdf, s):
    pdf.annotation(b"/Subtype/Text/Rect[10 10 30 30]/Contents(x)/RC " + text(f"<body><p>{s[:4]}<span>{s[4:]}</span></p></body>"))


@place("strings")
def rich_text_in_numbers(pdf, s):
    pdf.annotation(b"/Subtype/Text/Rect[10 10 30 30]/Contents(x)/RC " + text("<body><p>" + "".join(f"&#{ord(c)};" for c in s) + "</p></body>"))


@place("strings")
def escapes_of_a_script(pdf, s):
    pdf.annotation(b"/Subtype/Link/Rect[10 10 30 30]/A<</S/JavaScript/JS(var a = '" + "".join(f"\\\\u{ord(c):04x}" for c in s[:3]).encode() +
                   s[3:].encode() + b"')>>")


@place("strings")
def target_of_a_submission(pdf, s):
    address = b"http://example.org/?n=" + b"".join(b"%%%02X" % c for c in s.encode())
    pdf.annotation(b"/Subtype/Link/Rect[10 10 30 30]/A<</S/SubmitForm/F<</FS/URL/F(" + address + b")>>>>")


@place("strings")
def file_of_a_link(pdf, s): pdf.annotation(b"/Subtype/Link/Rect[10 10 30 30]/A<</S/GoToR/F<</UF " + text(f"c:/{s}.pdf") + b"/F(x.pdf)>>/D[0/Fit]>>")


@place("strings")
def percents_of_bytes(pdf, s):
    address = b"".join(b"%%%02x" % c for c in s.encode())
    pdf.annotation(b"/Subtype/Link/Rect[10 10 30 30]/A<</S/URI/URI(https://example.org/" + address + b")>>")


@place("strings")
def schema_of_a_collection(pdf, s):
    pdf.root["Collection"] = b"<</Schema<</A<</Type/CollectionField/Subtype/S/N " + text(s) + b">>>>>>"


@place("strings")
def item_of_a_collection(pdf, s):
    file = pdf.stream(b"x", b"/Type/EmbeddedFile/Params<</XX " + text(s) + b">>")
    spec = pdf.add(b"<</Type/Filespec/F(a.txt)/CI<</A " + text(s) + b">>/EF<</F %d 0 R>>>>" % file)
    pdf.root["Names"] = b"<</EmbeddedFiles<</Names[(a)%d 0 R]>>>>" % spec


@place("strings")
def caption_of_a_button(pdf, s):
    number = pdf.annotation(b"/Subtype/Widget/FT/Btn/Ff 65536/T(a)/Rect[72 590 272 640]/MK<</CA " + text(s) + b">>")
    pdf.root["AcroForm"] = b"<</Fields[%d 0 R]>>" % number


@place("strings")
def state_of_a_button(pdf, s):
    on, off = pdf.form(b"0 0 9 9 re f"), pdf.form(b"")
    number = pdf.annotation(b"/Subtype/Widget/FT/Btn/T(a)/Rect[72 590 92 610]/AS" + name(s) + b"/V" + name(s) + b"/AP<</N<<" + name(s) +
                            b" %d 0 R/Off %d 0 R>>>>" % (on, off))
    pdf.root["AcroForm"] = b"<</Fields[%d 0 R]>>" % number


# Objects that are on no page.
@place("apart")
def widget_on_no_page(pdf, s):
    form = pdf.stream(b"BT /F 12 Tf 2 20 Td " + t(s) + b" ET", b"/Type/XObject/Subtype/Form/BBox[0 0 200 50]/Resources<</Font<</F 4 0 R>>>>")
    number = pdf.annotation(b"/Subtype/Widget/FT/Btn/Ff 65536/T(a)/Rect[72 590 272 640]/AP<</N %d 0 R>>" % form, listed=False)
    pdf.root["AcroForm"] = b"<</Fields[%d 0 R]>>" % number


@place("apart")
def form_of_the_fields_resources(pdf, s):
    pdf.root["AcroForm"] = b"<</Fields[]/DR<</XObject<</X %d 0 R>>>>>>" % pdf.form(shown(s))


@place("apart")
def named_appearance(pdf, s): pdf.root["Names"] = b"<</AP<</Names[(a) %d 0 R]>>>>" % pdf.form(shown(s))


@place("apart")
def file_of_rich_media(pdf, s):
    file = pdf.stream(b"about " + s.encode(), b"/Type/EmbeddedFile", True)
    spec = pdf.add(b"<</Type/Filespec/F(a.txt)/EF<</F %d 0 R>>>>" % file)
    pdf.annotation(b"/Subtype/RichMedia/Rect[72 90 272 140]/RichMediaContent<</Assets<</Names[(a)%d 0 R]>>>>" % spec)


@place("apart")
def file_of_a_launch(pdf, s):
    file = pdf.stream(b"about " + s.encode(), b"/Type/EmbeddedFile", True)
    pdf.annotation(b"/Subtype/Link/Rect[72 90 272 140]/A<</S/Launch/F<</Type/Filespec/F(a.txt)/EF<</F %d 0 R>>>>>>" % file)


@place("apart")
def associated_file(pdf, s):
    file = pdf.stream(b"about " + s.encode(), b"/Type/EmbeddedFile", True)
    pdf.page["AF"] = b"[<</Type/Filespec/F(a.txt)/AFRelationship/Data/EF<</F %d 0 R>>>>]" % file


@place("apart")
def view_of_a_model(pdf, s):
    model = pdf.stream(b"PRC " + s.encode(), b"/Type/3D/Subtype/PRC/VA[<</Type/3DView/XN " + text(s) + b"/IN(x)>>]", True)
    pdf.annotation(b"/Subtype/3D/Rect[72 90 272 140]/3DD %d 0 R" % model)


@place("apart")
def sound(pdf, s):
    pdf.annotation(b"/Subtype/Sound/Rect[72 90 92 110]/Sound %d 0 R" % pdf.stream(b"RIFF INAM" + s.encode(), b"/Type/Sound/R 8000", True))


@place("apart")
def metadata_without_a_type(pdf, s): pdf.root["Metadata"] = pdf.stream(b"<a>by " + s.encode() + b"</a>")


@place("apart")
def metadata_of_a_picture(pdf, s):
    xmp = pdf.stream(b"<a>by " + s.encode() + b"</a>", b"/Type/Metadata/Subtype/XML", True)
    pdf.resource("XObject", "I", pdf.stream(bytes(64 * 32), IMAGE + b"/ColorSpace/DeviceGray/BitsPerComponent 8/Metadata %d 0 R" % xmp))
    pdf.draw(b"q 64 0 0 32 72 100 cm /I Do Q")


@place("apart")
def metadata_in_parts(pdf, s): pdf.root["Metadata"] = pdf.stream(b"<a><b>%s</b>" % s[:4].encode() + b"<b>%s</b></a>" % s[4:].encode(),
                                                                b"/Type/Metadata/Subtype/XML")


@place("apart")
def comment_in_a_function(pdf, s):
    function = pdf.stream(b"{ % " + s.encode() + b"\n pop 0 0 0 0.5 }", b"/FunctionType 4/Domain[0 1]/Range[0 1 0 1 0 1 0 1]", True)
    pdf.resource("ColorSpace", "S", pdf.add(b"[/Separation/Red/DeviceCMYK %d 0 R]" % function))
    pdf.draw(b"/S cs 1 scn 72 500 20 20 re f")


def map_font(pdf, comment, entries):
    cmap = pdf.stream(comment + b"begincmap 1 begincodespacerange <00> <ff> endcodespacerange 1 beginbfchar <01> <0041> endbfchar endcmap", entries)
    pdf.fonts["M"] = pdf.add(b"<</Type/Font/Subtype/Type1/BaseFont/Courier/ToUnicode %d 0 R>>" % cmap)
    pdf.show(b"<01> Tj", font=b"M")


@place("apart")
def comment_in_a_map(pdf, s): map_font(pdf, b"%% made for " + s.encode() + b"\n", b"")


@place("apart")
def name_of_a_map(pdf, s): map_font(pdf, b"/CMapName /" + s.encode() + b" def\n", b"/Type/CMap/CMapName/" + s.encode())


@place("apart")
def name_of_a_font(pdf, s):
    inner = pdf.add(b"<</Type/Font/Subtype/TrueType/BaseFont/AAAAAA+" + s.encode() + b"Type/FirstChar 65/LastChar 65/Widths[600]/FontDescriptor"
                    b"<</Type/FontDescriptor/FontName/AAAAAA+" + s.encode() + b"Type/FontFamily " + literal(s) + b"/Flags 32/ItalicAngle 0"
                    b"/Ascent 700/Descent -200/CapHeight 700/StemV 80/FontBBox[0 0 1000 1000]>>>>")
    pdf.fonts["N"] = inner
    pdf.show(b"(A) Tj", font=b"N")


# What pictures and profiles say of themselves.
def photo(pdf, data):
    pdf.resource("XObject", "I", pdf.stream(data, IMAGE + b"/ColorSpace/DeviceRGB/BitsPerComponent 8/Filter/DCTDecode"))
    pdf.draw(b"q 64 0 0 32 72 100 cm /I Do Q")


def jpeg(**how):
    return codings.saved("RGB", SIZE, colours("x", 3), "JPEG", **how)


@place("said by pictures")
def comment_of_a_photo(pdf, s): photo(pdf, jpeg(comment=b"by " + s.encode()))


@place("said by pictures")
def artist_of_a_photo(pdf, s):
    from PIL import Image
    exif = Image.Exif()
    exif[0x13b] = s
    photo(pdf, jpeg(exif=exif))


@place("said by pictures")
def metadata_in_a_photo(pdf, s):
    data, part = jpeg(), b"http://ns.adobe.com/xap/1.0/\x00<a>by " + s.encode() + b"</a>"
    photo(pdf, data[:2] + b"\xff\xe1" + (len(part) + 2).to_bytes(2, "big") + part + data[2:])


@place("said by pictures")
def after_the_end_of_a_photo(pdf, s): photo(pdf, jpeg() + b"by " + s.encode())


@place("said by pictures")
def box_of_wavelets(pdf, s):
    data, part = codings.jpx("RGB", SIZE, colours("x", 3)), b"<a>by " + s.encode() + b"</a>"
    pdf.resource("XObject", "I", pdf.stream(data + (len(part) + 8).to_bytes(4, "big") + b"xml " + part, IMAGE + b"/Filter/JPXDecode"))
    pdf.draw(b"q 64 0 0 32 72 100 cm /I Do Q")


@place("said by pictures")
def text_of_a_profile(pdf, s):
    from PIL import ImageCms
    profile = bytearray(ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes())
    said = s.encode().ljust(12)
    at = profile.index("sRGB built-in".encode("utf-16-be"))
    profile[at:at + 24] = said[:12].decode().encode("utf-16-be")
    space = pdf.add(b"[/ICCBased %d 0 R]" % pdf.stream(bytes(profile), b"/N 3", True))
    pdf.resource("ColorSpace", "S", space)
    pdf.draw(b"/S cs 1 0 0 scn 72 500 20 20 re f")


# Several words.
def two_words(pdf, s):
    pdf.secret = s[:4] + " " + s[4:].capitalize()
    pdf.anchor = b"BT /F 12 Tf 1 0 0 1 72 680 Tm " + t(pdf.secret) + b" ET"
    pdf.content[-1] = pdf.anchor
    return pdf.secret


@place("joined words")
def title_with_underscores(pdf, s):
    pdf.trailer = b"/Info %d 0 R" % pdf.add(b"<</Title " + text("Microsoft Word - " + two_words(pdf, s).replace(" ", "_") + ".docx") + b">>")


@place("joined words")
def address_with_hyphens(pdf, s):
    pdf.annotation(b"/Subtype/Link/Rect[10 10 30 30]/A<</S/URI/URI(https://example.org/" + two_words(pdf, s).lower().replace(" ", "-").encode() +
                   b")>>")


@place("joined words")
def mail_address(pdf, s):
    pdf.annotation(b"/Subtype/Text/Rect[10 10 30 30]/Contents " + text(two_words(pdf, s).lower().replace(" ", ".") + "@example.org"))


@place("joined words")
def destination_without_blanks(pdf, s):
    pdf.root["Names"] = b"<</Dests<</Names[" + literal(two_words(pdf, s).replace(" ", "")) + b"[3 0 R/Fit]]>>>>"


# The file.
@place("file")
def data_in_many_filters(pdf, s):
    import base64
    data = base64.a85encode(b"% x\n" + shown(s)) + b"~>"
    pdf.page["Contents"] = [pdf.stream(b"\n".join(pdf.content)),
                            pdf.stream(data.hex().encode() + b">", b"/Filter[/AHx/A85]")]
