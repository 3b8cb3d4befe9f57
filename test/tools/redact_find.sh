#!/bin/sh
# redact-find, on a document that is made with one word in many places. $1 runs a tool, as `platen run` does.
. "$(dirname "$0")/tap.sh"
here=$(dirname "$0")
runner=$1
out=$work/out.json
file=$work/words.pdf
python3 "$here/hidden_words.py" make "$file"
qpdf --check "$file" >/dev/null

find_in() { "$runner" run redact-find "$@" -o "$out" >"$work/said" 2>&1; }
ask() { python3 "$here/hidden_words.py" ask "$out" "$1"; }
refused() { # FIELDS: what the tool says of them
    find_in "$file" "$@"
    tail -n 1 "$work/said"
}

ok 'redact-find works' find_in "$file" --text smith
is 'a word is found wherever a page draws it, once for each place' "$(ask 'sorted(t("text"))')" \
    "['SMITH', 'SMITH', 'Smith', 'Smith', 'Smith', 'Smith', 'Smith', 'Smith', 'Smith', 'Smith', 'Smith', 'Smith']"
is 'and what says it elsewhere' "$(ask 'sorted(x["kind"] for x in h if not x["quads"])')" \
    "['annotation', 'attachment', 'attachment', 'field', 'layer', 'link', 'metadata', 'metadata', 'outline', 'page-label', 'script']"
is 'an annotation has its page' "$(ask '[x["page"] for x in h if x["kind"] == "annotation"]')" '[1]'
is 'a place has its quads before the rotation of the page, from the top left' \
    "$(ask '[[round(v) for v in q] for q in h[0]["quads"]]')" '[[119, 733, 149, 733, 119, 716, 149, 716]]'
is 'rotated text has a rotated quad' "$(ask '[[round(v) for v in x["quads"][0]] for x in h if "rotated" in x["context"][30:52]][0]')" \
    '[287, 441, 287, 471, 304, 441, 304, 471]'
is 'and its context' "$(ask 'h[0]["context"]')" 'Mr John Smith lives here, IBAN DE89 3704 0044 0532 01'
cp "$out" "$work/first.json"
find_in "$file" --text 'jackson
smith'
is 'ids are the same in every search' "$(ask 'set(x["id"] for x in __import__("json").load(open("'"$work/first.json"'"))["hits"]) <= set(x["id"] for x in h)')" True
is 'letters that are drawn in another order are found' "$(ask '[x for x in t("text") if "JACK" in x]')" "['JACKSON']"
find_in "$file" --text 'Smith' --matchCase true
is 'matchCase distinguishes capital letters' "$(ask '"SMITH" in t("text")')" False
find_in "$file" --text 'smit' --wholeWords true
is 'wholeWords finds no parts of words' "$(ask 'h')" '[]'
find_in "$file" --text 'important
office
יד'
is 'hyphens, ligatures and text from right to left are found' "$(ask '[ascii(x) for x in t("text")]')" \
    "[\"'impor- tant'\", \"'Office'\", \"'\\\\u05d9\\\\u05d3'\"]"
is 'a word on two lines has two quads' "$(ask 'len(h[0]["quads"])')" 2
find_in "$file" --preset email,iban,us-ssn,date
is 'presets find what their checks allow' "$(ask 't("email"), t("iban"), t("us-ssn"), t("date")')" \
    "(['jo.doe@ example.com'], ['DE89 3704 0044 0532 0130 00'], ['123-45-6789'], ['31/12/2024'])"
find_in "$file" --pattern '^Mr \w+|S[a-z]{4},'
is 'a pattern is found' "$(ask 't("pattern")')" "['Mr John']"
# Words whose shadows are drawn word by word, letter by letter and all at once, and one line over another.
python3 - >"$work/shadows.txt" <<'END'
def show(text, x, y): return f"1 0 0 1 {x:g} {y} Tm ({text}) Tj "
words = "BT /F 12 Tf "
for x, word in ((20, "The"), (50, "woman"), (96, "went"), (130, "after")):
    words += show(word, x, 270) + show(word, x + 3, 270)
    words += "".join(show(one, x + i * 7.2, 240) + show(one, x + i * 7.2 + 3, 240) for i, one in enumerate(word))
words += "".join(show("The woman went after", x, 210) for x in (20, 21.6, 23.2))
words += show("The woman went after", 20, 180) + show("Some men came here", 23, 181)
print("<</Type/Catalog/Pages 2 0 R>>\n<</Type/Pages/Count 1/Kids[3 0 R]>>\n<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 300]/Contents 4 0 R"
      f"/Resources<</Font<</F 5 0 R>>>>>>\n<<>> stream {words} ET\n<</Type/Font/Subtype/Type1/BaseFont/Courier>>")
END
python3 "$here/pdf_builder.py" "$work/shadows.pdf" <"$work/shadows.txt"
find_in "$work/shadows.pdf" --pattern 'wom[a-z]*'
is 'letters that are drawn over each other stay in their words' "$(ask 'sorted(set(t("pattern")))')" "['woman']"
is 'which are found in each of the copies that are drawn apart' "$(ask 'len(t("pattern"))')" 7
# The data of an XFA form are text of the document, too.
python3 "$here/pdf_builder.py" "$work/xfa.pdf" <<'END'
<</Type/Catalog/Pages 2 0 R/AcroForm<</Fields[]/XFA[(template) 4 0 R(datasets) 5 0 R]>>>>
<</Type/Pages/Count 1/Kids[3 0 R]>>
<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 300]>>
<<>> stream <template/>
<<>> stream <xfa:data><a>the Ze&#x62;ra</a></xfa:data>
END
find_in "$work/xfa.pdf" --text zebra
is 'a text in an XFA form is found' "$(ask '[(x["kind"], x["text"]) for x in h]')" "[('field', 'Zebra')]"
# Words that are joined as in names of files and addresses, or written in parts and escapes, as redact removes them.
python3 - >"$work/joined.txt" <<'END'
strings = ("Letter_John_Smith.docx and Johnathan Smithson", "Mr John  Smith, JohnSmith", "john.smith@example.org")
print("<</Type/Catalog/Pages 2 0 R/Names<</JavaScript<</Names[(a)<</S/JavaScript/JS(var a = '\\\\u004aohn Smith')>>]>>>>>>")
print("<</Type/Pages/Count 1/Kids[3 0 R]>>")
print("<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 300]/Annots[4 0 R 5 0 R 6 0 R]>>")
for address in ("john-smith", "John%20Smith", "%4aohn+Smith"):
    print(f"<</Type/Annot/Subtype/Link/Rect[0 0 9 9]/A<</S/URI/URI(http://example.com/{address})>>>>")
print("<<" + "".join(f"/Own{i}({one})" for i, one in enumerate(strings)) + ">>")
END
python3 "$here/pdf_builder.py" "$work/joined.pdf" <"$work/joined.txt"
sed -i 's/\/Root 1 0 R/\/Root 1 0 R\/Info 7 0 R/' "$work/joined.pdf"
find_in "$work/joined.pdf" --text 'John Smith'
is 'joined and escaped words are found in strings, each once' "$(ask 'sorted((x["kind"], x["text"]) for x in h)')" \
    "[('link', 'John Smith'), ('link', 'John+Smith'), ('link', 'john-smith'), ('metadata', 'John Smith'), ('metadata', 'JohnSmith'), ('metadata', 'John_Smith'), ('metadata', 'john.smith'), ('script', 'John Smith')]"
"$runner" run redact "$work/joined.pdf" --hits "$(cat "$out")" -o "$work/joined_out.pdf" >"$work/said" 2>&1
is 'and what was found is what redact removes' "$(qpdf --json "$work/joined_out.pdf" --json-key=qpdf | grep -ic -e 'john.\{0,3\}smith["@._ ]' -e 4aohn)" 0
find_in "$work/joined.pdf" --text 'smith' --wholeWords true
is 'an underscore ends a word there' "$(ask 'len(h), "John_Smith" in str(t("metadata") + [x["context"] for x in h])')" '(7, True)'
# Names and keys that the document made up, which redact changes; and some that are the format's.
python3 "$here/pdf_builder.py" "$work/names.pdf" <<'END'
<</Type/Catalog/Pages 2 0 R/Dests<</Old_Zebra[3 0 R/Fit]>>/Names<</Dests<</Names[(New Zebra)[3 0 R/Fit]]>>>>/OCProperties<</OCGs[5 0 R]/D<<>>>>/ZebraData<</By/MadeByZebra/Of[null<</InZebra true>>]>>>>
<</Type/Pages/Count 1/Kids[3 0 R]>>
<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 300]/Contents 4 0 R/Annots[8 0 R]/Resources<</ColorSpace<</C[/Separation/Zebra#20Ink/DeviceGray 7 0 R]>>/XObject<</ZebraForm 6 0 R/ZebraUnused 6 0 R>>/Properties<</L 5 0 R>>>>>>
<<>> stream /OC/L BDC /C cs 1 scn 9 9 40 40 re f EMC /ZebraForm Do
<</Type/OCG/Name(Layer of Zebra)>>
<</Type/XObject/Subtype/Form/BBox[0 0 9 9]/ZebraData/Caf#e9Zebra>> stream 0 0 9 9 re f
<</FunctionType 2/Domain[0 1]/N 1>>
<</Type/Annot/Subtype/Widget/FT/Btn/T(box)/Rect[9 9 20 20]/AS/Off/AP<</N<</Zebra#20on 6 0 R/Off 6 0 R>>>>>>
END
find_in "$work/names.pdf" --text zebra
is 'a text is found in names and keys, once in the same name, in name trees and names of layers' "$(ask 'sorted(x["kind"] + " " + ascii(x["context"])[1:-1] for x in h)')" \
    "['layer Layer of Zebra', 'name Caf\\\\xe9Zebra', 'name InZebra', 'name MadeByZebra', 'name New Zebra', 'name Old_Zebra', 'name Zebra Ink', 'name Zebra on', 'name ZebraData', 'name ZebraForm', 'name ZebraUnused']"
is 'and is said as it is there' "$(ask 'set(t("name"))')" "{'Zebra'}"
"$runner" run redact "$work/names.pdf" --text zebra --ocr off --expect "$(ask 'len(h)')" -o "$work/names_out.pdf" >"$work/said" 2>&1
is 'redact counts as many hits, and removes them' "$(qpdf --qdf --object-streams=disable "$work/names_out.pdf" - | grep -aic zebra) $(sed -n 's/^report: hits //p' "$work/said")" '0 11'
find_in "$work/names.pdf" --text 'zebra on
form
type'
is 'names of the format are not listed' "$(ask 'sorted((x["kind"], x["context"]) for x in h)')" "[('name', 'Zebra on'), ('name', 'ZebraForm')]"
# Content that no page shows.
python3 "$here/pdf_builder.py" "$work/undrawn.pdf" <<'END'
<</Type/Catalog/Pages 2 0 R/Dests<</x[9 0 R/Fit]>>>>
<</Type/Pages/Count 1/Kids[3 0 R]>>
<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 300]/Contents 4 0 R/Annots[7 0 R]/Resources<</Font<</F 5 0 R>>/XObject<</X 6 0 R/Y 12 0 R>>>>>>
<<>> stream BT /F 12 Tf 20 270 Td (Nothing is here) Tj ET /Y Do
<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>
<</Type/XObject/Subtype/Form/BBox[0 0 300 300]/Resources<</Font<</F 5 0 R>>>>>> stream BT /F 12 Tf 20 120 Td (an unused Zebra) Tj ET
<</Type/Annot/Subtype/Widget/FT/Btn/T(b)/Rect[150 30 290 50]/P 3 0 R/AP<</N 8 0 R/D 10 0 R>>>>
<</Type/XObject/Subtype/Form/BBox[0 0 140 20]/Resources<</Font<</F 5 0 R>>>>>> stream BT /F 9 Tf 2 5 Td (Press) Tj ET
<</Type/Page/MediaBox[0 0 300 300]/Contents 11 0 R/Resources<</Font<</F 5 0 R>>>>>>
<</Type/XObject/Subtype/Form/BBox[0 0 140 20]/Resources<</Font<</F 5 0 R>>>>>> stream BT /F 9 Tf 2 5 Td (Pressed Tiger) Tj ET
<<>> stream BT /F 12 Tf 20 270 Td (A Lion outside) Tj ET
<</Type/XObject/Subtype/Form/BBox[0 0 300 300]/Resources<</Font<</F 5 0 R>>>>>> stream BT /F 12 Tf 20 90 Td (a drawn Horse) Tj ET
END
for word in Zebra Tiger Lion; do
    find_in "$work/undrawn.pdf" --text "$word"
    is "a text that no page shows is found ($word)" "$(ask '[(x["kind"], x["page"] if "page" in x else 0, x["text"]) for x in h]')" "[('undrawn', 0, '$word')]"
done
find_in "$work/undrawn.pdf" --text Horse
is 'one that is drawn is found where it is' "$(ask '[(x["kind"], x["page"]) for x in h]')" "[('text', 1)]"
find_in "$file" --regions '1:10,20,30,40'
is 'an area is one of the page as it is shown' "$(ask '[[round(v) for v in q] for q in h[0]["quads"]]')" '[[20, 10, 20, 40, 60, 10, 60, 40]]'
is 'an area outside the page fails' "$(refused --regions '1:800,10,30,30')" \
    'platen: invalid_parameter: the area 800,10,30,30 is outside page 1'
is 'a page that is not there fails' "$(refused --regions '2:8,10,30,30' | cut -d: -f2)" ' page_out_of_range'
is 'a pattern that cannot be used is refused with its place' "$(refused --pattern 'abc(?=d)')" \
    'platen: invalid_parameter: pattern: lookaround cannot be used: at character 4'
is 'also on a later line' "$(refused --pattern 'abc
a(b')" 'platen: invalid_parameter: line 2: pattern: ) is missing for the ( at character 2'
is 'something must be looked for' "$(refused --pages 1)" \
    'platen: missing_field: text, pattern, preset or regions must say what is looked for'
done_testing
