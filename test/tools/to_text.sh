#!/bin/sh
# to-text: compared with what is known to be in the documents, and with pdftotext.
. "$(dirname "$0")/tap.sh"
here=$(dirname "$0")
runner=$1
out=$work/out.txt
python3 "$here/model_pages.py" "$work"
python3 "$here/word_pages.py" "$work"

to_text() { "$runner" run to-text "$@" -o "$out" >"$work/said" 2>&1; }
words() { tr -cs '[:alnum:]' '\n' <"$1" | sort; }

ok 'to-text works' to_text "$work/report.pdf"
is 'a paragraph is a line, a list has its bullets, a table is columns' "$(cat "$out")" "A report

These are the lines of a paragraph that is long enough to go over several of them, and there are more words in it than in most paragraphs of this kind, until the last of its lines ends early.

• first
• second

Item   Amount  Price
Ink    12      1,234.50
Paper  7       (12.25)
Pens   1,000   99.00"
to_text "$work/sheet.pdf"
cp "$out" "$work/sheet.txt"
to_text "$work/poster.pdf"
is 'a page larger than 22 inches is read like a smaller one' "$(cat "$out")" "$(cat "$work/sheet.txt")"
is 'column by column' "$(grep -n 'Where\|When\|Why\|line 8' "$out" | sed 's/.*\(W[a-z]*\)$/\1/; s/.*line 8.*/end/' | tr '\n' ' ')" \
    'Where end When end Why end '
to_text "$work/furniture.pdf"
is 'headers and footers are left out' "$(grep -c 'Page\|The report' "$out")" 0
to_text "$work/over.pdf"
is 'a paragraph that continues on the next page is one line' "$(grep -c . "$out")" 8
to_text "$work/actual.pdf"
is 'replacement text is read in place of what is drawn' "$(sed -n '1p;3p' "$out" | tr '\n' '|')" \
    'Rebate (10%) -239.09|The office of two kept all Dr end|'
is 'but not that of a hyphen where a word is divided' "$(grep -c 'it is divided in a word' "$out")" 1
python3 "$here/list_boxes.py" "$work/lists.pdf" "$work/doubled.pdf" "$work/kids.pdf"
to_text "$work/lists.pdf"
is 'values of list boxes that are scrolled out of view are text, and what is shown is not repeated' \
    "$(words "$out" | grep -c 'Quinces\|Dates')|$(words "$out" | grep -c 'Cherries\|Berries')" '1|4'
is 'so is the caption of a button that has no appearance, next to a check box' "$(grep -c 'Send now\|☒' "$out")" 2
python3 "$here/captions.py" "$work/captions.pdf"
to_text "$work/captions.pdf"
is 'what is written in a check box is text after its sign, and what ticks it is not' \
    "$(grep . "$out" | tail -n +2 | tr '\n' '|')" '☒ Milk|☐ Milk|☐ B|☒|'
/usr/bin/python3 "$here/pdf_builder.py" "$work/circle.pdf" <<'END'
<</Type/Catalog/Pages 2 0 R/AcroForm<</DA(/F 12 Tf)/DR<</Font<</F 5 0 R>>>>/Fields[6 0 R 7 0 R]>>>>
<</Type/Pages/Kids[3 0 R]/Count 1>>
<</Type/Page/Parent 2 0 R/MediaBox[0 0 400 400]/Contents 4 0 R/Annots[6 0 R 7 0 R]/Resources<</Font<</F 5 0 R>>>>>>
<<>> stream BT /F 12 Tf 20 350 Td (A circle of fields.) Tj ET
<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>
<</Type/Annot/Subtype/Widget/F 4/FT/Tx/T(own)/V(Alone)/Rect[20 250 200 270]/P 3 0 R/Parent 6 0 R>>
<</Type/Annot/Subtype/Widget/F 4/Rect[20 200 200 220]/P 3 0 R/Parent 8 0 R>>
<</T(b)/Kids[7 0 R]/Parent 9 0 R/FT/Tx/V(Together)>>
<</T(c)/Kids[8 0 R]/Parent 8 0 R>>
END
to_text "$work/circle.pdf"
is 'fields that lead in a circle do not cost the page its text, nor themselves' \
    "$(words "$out" | tr '\n' ' ')" 'A Alone Together circle fields of '
to_text "$work/hebrew.pdf"
is 'lines from right to left are read so, with their numbers, signs and Latin words, each on its own' \
    "$(grep . "$out" | tr '\n' '|')" \
    'אבג: 050-123|הוז 12 (דהו 3), אבגד|טיך: 28/01/93|לםמ: AUTOCAD ך-OFFICE.|-90.50 ןנ 17%.|'
to_text "$work/drawn_first.pdf"
is 'short lines keep the space that is drawn before what it stands between' "$(grep . "$out" | tr '\n' '|')" 'א 1|ב -|ג (2) הד 7 ו8|'
ok 'and also where they keep their places' "$runner" run to-text --layout kept "$work/hebrew.pdf" -o "$out"
is 'where the direction is the same' "$(grep -c '28/01/93\|דהו 3)\|ך-OFFICE' "$out")" 3
to_text "$work/spaces.pdf"
is 'Korean and Thai lines go on after a space if the file has one at their end' "$(grep . "$out" | tr '\n' '|')" \
    '가각갂 갃간갅 갆갇갈 갉갊갋 갌갍갎 갏감갑 값갓갔 강갖갗 가각갂 갃간 갅가각 갂갃간 갅갆갇 갈갉갊 갋갌갍 갎갏감 갑값갓 갔강갖 갗가각 갂갃간갅 갆갇|กขฃ คฅฆ งจฉ ชซฌ ญฎฏ ฐฑฒ ณดต ถทธ กขฃ คฅ ฆกข ฃคฅ ฆงจ ฉชซ ฌญฎ ฏฐฑ ฒณด ตถท ธกข ฃคฅฆ งจ|'
to_text "$work/vertical.pdf"
is 'columns of vertical writing are lines from right to left' "$(grep . "$out" | tr '\n' '|')" \
    '一丁丂七丄丅丆万丈三上下丌不与丏丐丑丒专且丕世丗丘丙一丁丂七丄丅丆万丈三上下丌不与丏丐丑丒专且丕世丗丘丙一丁丂七丄丅丆万丈三上下丌不与丏丐丑丒专且丕|丙丘丗世丕且|'
to_text "$work/elements.pdf"
is 'so is that of elements of the structure tree' "$(grep . "$out")" 'The sum is -5,00 or six and ten Dr'
to_text "$work/divided_element.pdf"
is 'also of one in two parts' "$(grep . "$out")" 'a word more'
to_text "$work/notes.pdf"
is 'footnotes come at the end, each with its mark' "$(sed -n 's/^\(\[1\] .*\)/\1/p' "$out")" '[1] The first note.'
to_text "$work/raised.pdf"
is 'raised marks, exponents and units are raised characters, and no digits of numbers; notes are no row of a table' \
    "$(cat "$out")" "Region  2021     2022    2023
North   24,912¹  25,100  26,004
South   7,350    7,420²  7,511
East    12,000   11,980  12,306¹,²
West    45ᵃ      48      51

1 Estimate. 2 Corrected later. a In part.

It is 12 m² or 10⁻³ km² on the 4th of May."
ok 'also where words keep their places' to_text "$work/raised.pdf" --layout kept
is 'where raised characters are next to their numbers' "$(grep -o '24,912¹\|7,420²\|12,306¹,²\|45ᵃ\|m² or 10⁻³ km²' "$out" | tr '\n' ' ')" \
    '24,912¹ 7,420² 12,306¹,² 45ᵃ m² or 10⁻³ km² '
to_text "$work/listed.pdf"
is 'the lines of a document that is a program stay lines, with their indents' "$(cat "$out")" '# sort.py, printed on 3 March
def sort(xs):
    for i in range(len(xs)):
        if xs[i] < xs[0]:
            swap(xs, i)
    return xs

print(sort([3, 1, 2]))'
to_text "$work/typed.pdf"
is 'those of a typewritten letter are paragraphs' "$(grep -c . "$out") $(grep -c 'leaves.*and it comes.*soft soles' "$out")" '2 2'
receipt() {
    to_text "$work/$1.pdf"
    grep -cx -e '--*' -e '==*' -e 'TOTAL 401.51' -e 'Vouchers -25.00' -e 'PAID BY' "$out"
    grep -x -e 'TOTAL.*' -e 'Till.*' -e '.*Sum.*' -e 'Bread.*' "$out"
}
is 'the lines of a receipt are lines' "$(receipt till | tr '\n' '|')" '6|Till 3 - North door|TOTAL 401.51|'
is 'also in a font that is not monospaced' "$(receipt sums | tr '\n' '|')" \
    '6|Till 3 - North door|TOTAL 401.51|Bread and butter 13.10 EUR|Sum 15.60|'
to_text "$work/form.pdf"
is 'check boxes say whether they are ticked, and fields have their values' "$(grep -v 'These' "$out" | tr -s '\n\t' '|')" \
    'Name:|Alice|City:|Oslo|☒ I agree|☐ but not to this|'
to_text "$work/boxes.pdf"
is 'also several in a line, and radio buttons without states of their own' "$(grep 'Adult\|up' "$out" | tr '\n\t' '| ')" \
    '☐ Adult ☒ Child|○ up ◉ down|'
to_text "$work/boxes.pdf" --layout kept
is 'also where words keep their places' "$(grep 'Adult\|up' "$out" | tr -s '\n ' '| ')" '☐ Adult ☒ Child|○ up ◉ down|'
to_text "$work/magic.pdf"
is 'a text that begins as files of another kind do is a text' "$(cat "$out")" '%PDF-1.7 is how files of the kind begin'
ok 'a page without text gives a text' to_text "$work/blank.pdf"
is 'which is a blank line' "$(wc -c <"$out" | tr -d ' ')" 1
to_text "$work/scan.pdf"
ok 'a scan without text is warned of' grep -q no_text_layer "$work/said"
to_text "$work/furniture.pdf" --pages 2-3 --pageBreaks formFeed
is 'pages can be chosen, and divided by form feeds' "$(tr -cd '\f' <"$out" | wc -c | tr -d ' ')" 1

to_text "$work/bars.pdf"
is 'the words of a chart are text' "$(grep -c '^Oslo Rome Bonn$' "$out")" 1
to_text "$work/filled.pdf"
is 'the values of a form are next to their names, whatever its frames look like' "$(tr -s '\n' <"$out" | tr '\t\n' ':/')" \
    'Personal data/First name:Ada/Last name:Lovelace:◉ ◉ ◉ ◉ ◉/Country  England/Planet   Earth/Work     Engines/'

mkdir "$work/layers"
python3 "$here/optional_content.py" "$work/layers"
for file in "$work/layers"/*_shown.pdf; do
    name=$(basename "$file" _shown.pdf)
    patched optional_content || continue
    to_text "$file" && mv "$out" "$work/shown.txt"
    to_text "$work/layers/$name.pdf"
    is "optional content, $name: what is visible is read" "$(words "$out")" "$(words "$work/shown.txt")"
done

ok 'words can keep their places' to_text "$work/report.pdf" --layout kept
pdftotext -layout "$work/report.pdf" "$work/peer.txt"
is 'with the words that pdftotext finds' "$(words "$out")" "$(words "$work/peer.txt")"
is 'columns stand below each other' "$(awk '/Item|Ink|Pens/ { print match($0, /Price|1,234|99/) }' "$out" | sort -u | wc -l | tr -d ' ')" 1
to_text "$work/furniture.pdf" --layout kept
is 'headers and footers are kept then' "$(grep -c 'Page . of 3' "$out")" 3

edges() { to_text "$work/$1.pdf" --headers "${2:-drop}" && grep -v 'These are\|^$' "$out" | tr '\n' '/'; }
is 'lines at the edges of the only page are text' "$(edges edges)" 'DRAFT - not signed/Account GB29, due in 14 days/'
is 'also one that is all there is' "$(edges one_line)" 'Ticket 4711 is valid until May./'
is 'its number alone is left out' "$(edges lone_number)" ''
is 'another number is not' "$(edges other_number)" '4711/'
is 'and the number is kept if asked for' "$(edges lone_number keep)" '1/'
is 'what only one of many pages has is text, too' "$(edges handbook)" 'DRAFT - not signed/Account GB29, due in 14 days/'
is 'and so is a line with another number on each page' "$(edges numbered)" \
    'Statement 4711/Statement 3820/Statement 9154/Statement 1208/Statement 6633/'
to_text "$work/handbook.pdf" --pages 2
is 'one chosen page of many repeats nothing' "$(grep -c 'The handbook\|Page 2' "$out")" 2
is 'a page that has nothing else is empty' "$(edges only_header)" ''
is 'which is a warning with its number' "$(grep -o 'headers_only: page [0-9]*' "$work/said")" 'headers_only: page 2'
is 'what is alone on all pages is their text' "$(edges alone)" 'Ticket 1/Ticket 2/Ticket 3/Ticket 4/Ticket 5/'
is 'of which nothing is left out' "$(grep -c headers_only "$work/said")" 0
is 'a page that has its number alone is empty, with a warning' \
    "$(edges only_number; grep -o 'headers_only: page [0-9]*' "$work/said")" 'headers_only: page 2'
is 'but the only page keeps it' "$(edges sole_number; grep -c headers_only "$work/said")" '1/0'
is 'headers and footers can be kept, around the text of their pages' "$(edges only_header keep)" \
    'The handbook/Page 1/The handbook/Page 2/The handbook/Page 3/'
is 'then nothing is left out' "$(grep -c headers_only "$work/said")" 0
to_text "$work/over.pdf" --headers keep
is 'without any, the text is the same' "$(grep -c . "$out")" 8
for second in font cut; do
    for tool in to-text to-png compress repair; do
        "$runner" run "$tool" "$work/listed_$second.pdf" -o "$work/listed" >"$work/said" 2>&1
        is "a page that is listed and cannot be read is a warning of $tool ($second)" "$(grep -c 'pages_lost' "$work/said")" 1
    done
done
to_text "$work/own_parent.pdf"
is 'a page that is its own parent has its text' "$(grep -c 'These are the lines' "$out")" 3

# A page shows what the nodes that list it have, whatever its /Parent says.
seen() { pdfinfo -l 2 "$1" | grep -E '^Page .*(size|rot)'; }
for parent in none own other; do
    file=$work/parent_$parent.pdf
    for tool in repair compress; do
        "$runner" run "$tool" "$file" -o "$work/parent.pdf" >"$work/said" 2>&1
        is "a page without a right parent stays as it is shown: $parent, $tool" \
            "$(pdftotext "$work/parent.pdf" - | grep -c 'These are the lines')$(seen "$work/parent.pdf")" "2$(seen "$file")"
    done
    is 'which is a warning' "$(grep -c '^warning: repaired' "$work/said")" 1
    to_text "$file"
    is "its text is read ($parent)" "$(grep -c 'These are the lines' "$out"; grep -c '^warning: page_damaged' "$work/said")" '2
0'
    rm -rf "$work/drawn"
    "$runner" run to-png "$file" --dpi 72 -o "$work/drawn/" >"$work/said" 2>&1
    is "and drawn as it lies ($parent)" "$(file "$work"/drawn/*.png | grep -o '[0-9]* x [0-9]*' | tr '\n' ,)" '500 x 400,500 x 500,'
done

# Glyphs that are known by their look alone: threads read the pages in any order.
python3 "$here/subsets.py" "$work/nameless.pdf" "$(fc-match -f '%{file}' 'DejaVu Serif:style=Book')" \
    "$(printf 'The quick brown fox jumps over a lazy dog\f1\fI\fl\f1')" nameless
to_text "$work/nameless.pdf"
cp "$out" "$work/together.txt"
is 'a digit that is the only one of its page is told from a letter by the letters of the font' "$(tail -n 1 "$out")" 1
for page in 2 3 4 5; do
    to_text "$work/nameless.pdf" --pages "$page"
    cat "$out"
done >"$work/apart.txt"
is 'a page says the same alone and in its document' "$(grep . "$work/apart.txt")" "$(grep . "$work/together.txt" | tail -n 4)"
# Fonts of Type 3, whose glyphs have names of the program that wrote them.
for kind in index wrong; do
    python3 "$here/cipher_fonts.py" "$work/cipher.pdf" $kind
    to_text "$work/cipher.pdf"
    is "text of a Type 3 font that does not read as text gives a warning with its page ($kind)" \
        "$(grep -o '^warning.*pages 1 show' "$work/said" | sed 's/:.*pages/ pages/')" 'warning pages 1 show'
done
for kind in character map; do
    python3 "$here/cipher_fonts.py" "$work/cipher.pdf" $kind
    to_text "$work/cipher.pdf"
    is "readable text of a Type 3 font gives no warning ($kind)" "$(grep -c warning "$work/said")$(cut -c1-23 "$out")" '0the morning was bright '
done

done_testing
