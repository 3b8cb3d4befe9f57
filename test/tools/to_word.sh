#!/bin/sh
# to-word: Python's zipfile and XML parser open what it writes, and LibreOffice where it is there.
. "$(dirname "$0")/tap.sh"
here=$(dirname "$0")
runner=$1
out=$work/out.docx
python3 "$here/word_pages.py" "$work"

to_word() { "$runner" run to-word "$@" -o "$out" 2>&1; }
look() { python3 "$here/word_look.py" "$out" "$1"; }
says() { ! to_word "$@" >"$work/said" && grep -q "$code" "$work/said"; }
warns() { to_word "$@" >"$work/said" && grep -q "$code" "$work/said"; }

ok 'to-word works' to_word "$work/flow.pdf"
is 'lines are paragraphs, hyphens at their ends are undone' "$(look text)" \
    'A heading|These are the lines of a paragraph that is long enough to go over several of them, and there are more words in it than in most paragraphs of this kind, until the last of its lines ends early.|red'
is 'large type is a heading' "$(look styles)" 'Heading1|None|None'
is 'and what it is like is its style, for those to come' "$(look 'heading style')" 'True 40'
is 'colours are kept' "$(look colors)" 'FF0000'
is 'bold type too' "$(look bold)" 'A heading|red'
is 'the page has its size' "$(look size)" '8000 10000'

to_word "$work/formula.pdf" >/dev/null
is 'a fraction is an equation, in a line that is as high as it needs' "$(look formulas)" 'a + b/cd
atLeast'
is 'in its place in the text' "$(look text)" 'Take x =  and no more of it.'

to_word "$work/furniture.pdf" >/dev/null
is 'every page begins a page' "$(look pages)" 3
is 'what all pages have above is a header' "$(look header)" 'The report of the year'
is 'and below a footer' "$(look footer)" 'Page 1 of 3'
is 'with the number of the page and that of all as fields' "$(look fields)" 'PAGE|NUMPAGES'
to_word "$work/zero.pdf" >/dev/null
is 'pages that are counted from 0 keep their numbers' "$(unzip -p "$out" word/document.xml | grep -o '<w:pgNumType[^>]*>')" \
    '<w:pgNumType w:start="0"/>'
to_word "$work/framed.pdf" >/dev/null
is 'a header in a frame is one, and its frame is not an empty table' "$(look header)|$(look table)|$(look pictures | head -c 4)" \
    'Of the yearPage 1 of 3||.png'
to_word "$work/accounts.pdf" >/dev/null
is 'a number that changes and does not count pages is on each page as it was' \
    "$(look text | tr '|' '\n' | grep Account | tr '\n' ',')" 'Account 3549,Account 3222,'
mkdir "$work/model" && python3 "$(dirname "$0")/model_pages.py" "$work/model"
to_word "$work/model/numbered.pdf" >/dev/null
is 'also on many pages' "$(look text | tr '|' '\n' | grep Statement | tr '\n' ',')" \
    'Statement 4711,Statement 3820,Statement 9154,Statement 1208,Statement 6633,'
to_word "$work/model/poster.pdf" >/dev/null
is 'a page larger than 22 inches becomes smaller, and its type with it' \
    "$(unzip -p "$out" word/document.xml | grep -o '<w:pgSz[^>]*>' | tail -n 1) $(
        unzip -p "$out" word/document.xml word/styles.xml | grep -c 'w:sz w:val="\(128\|176\|224\)"')" \
    '<w:pgSz w:w="25344" w:h="31680"/> 0'
to_word "$work/furniture.pdf" --pages 2 >/dev/null
is 'pages can be chosen' "$(look pages)" 1

to_word "$work/over.pdf" >/dev/null
is 'a paragraph goes on over the end of a page, and its word too' "$(look lengths)" \
    '546|546|546|546|546|546|546|461'
is 'there is a break where a page ends early' "$(look pages)" 2
ok 'the bottom margin is that of the pages' sh -c "python3 '$here/word_look.py' '$out' bottom | grep -qx '12[23].'"
to_word "$work/stamped.pdf" >/dev/null
is 'what has its place on a page hangs on the first paragraph that begins there' "$(look hung)" '0 A stampThese a|'
to_word "$work/short.pdf" >/dev/null
is 'where a page ends early nothing goes over' "$(look pages)$(look lengths | cut -c1-16)" '2546|546|132|415|'
to_word "$work/sided.pdf" >/dev/null
is 'left and right pages have headers and footers of their own' "$(look sides)" \
    'default On the right;even The left page;default 1;even 2;'
is 'which are not in the text' "$(look text | grep -c page)" 0
to_word "$work/sided.pdf" --pages 2-8 >/dev/null
is 'also where the first page is a left one' "$(look sides)" \
    'default On the right;even The left page;default 3;even 2;'

to_word "$work/notes.pdf" >/dev/null
is 'notes at the end of pages are footnotes, which Word counts, anew with a chapter' "$(look footnotes)" \
    '# The first note.|# The second one.|# The third.|# One that begins anew.|* One with a star.|1'
is 'and the text goes on past them' "$(look text | grep -c note)" 0
to_word "$work/late.pdf" >/dev/null
is 'numbers begin where they begin' "$(look starts)" 1
to_word "$work/stroked.pdf" >/dev/null
is 'letters that are stroked are bold' "$(look bold)" 'made bold'
to_word "$work/cut.pdf" >/dev/null
is 'what a clip hides of a text is left out, once' "$(look text)" 'seen and hid|bold and hid'
code='text_clipped: 10 characters .*pages 1$'
ok 'which a warning says' warns "$work/cut.pdf"
to_word "$work/tiled.pdf" >"$work/said"
is 'what is drawn again, and seen then, is not missing' "$(look text)$(grep -c text_clipped "$work/said")" 'all of it is seen0'
to_word "$work/pale.pdf" >/dev/null
is 'what shows through is as pale' "$(look colors)" 808080
to_word "$work/ticked.pdf" >/dev/null
is 'ticks are the labels they look like' "$(look text)$(look lists)" yes1
to_word "$work/kin.pdf" >/dev/null
is 'a glyph without a character is what the same one of its kin is' "$(look text)" 'Hi|Hii'
to_word "$work/narrow.pdf" >/dev/null
is 'glyphs that have no width in their font are as wide as the file says' "$(look text)" 'Hii'
code=unreadable_text
ok 'where nothing says what glyphs are, a warning does' warns "$work/nameless.pdf"
is 'and they are to be seen' "$(look pictures)$(look text)" '.pngwords'
ok 'the codes of a font of its own are not taken for characters' warns "$work/coded.pdf"
is 'but a blank for a space' "$(look pictures)$(look text)" '.pngH H'
ok 'nor private characters of a font that is not known' warns "$work/private.pdf"
is 'which are to be seen, too' "$(look pictures)$(look text)" '.pngand words'
for bullets in dingbats:■ discs:● boxes:❏ open:• diamonds:◆; do
    to_word "$work/symbols_${bullets%:*}.pdf" >/dev/null
    is "bullets of symbol fonts are those of a list (${bullets%:*})" "$(look text)" 'first of all|and second|third'
done
ok 'where all can be read, there is none' sh -c "! '$runner' run to-word '$work/kin.pdf' -o '$out' 2>&1 | grep $code"

to_word "$work/sideways.pdf" --pages 1 >/dev/null
is 'a page whose text goes up is read upright, and is as wide as it was high' "$(look text)|$(look size)" \
    'These are the lines of a paragraph that is long enough to go over several of them, and there are more words in it than in most paragraphs of this kind, until the last of its lines ends early.|10000 8000'
to_word "$work/sideways.pdf" --pages 2 >/dev/null
is 'and so is one whose text goes down, but for a word' "$(look text | grep -c 'of a paragraph that is long enough')|$(look size)" '1|10000 8000'
to_word "$work/label.pdf" >/dev/null
is 'a label that goes up does not turn its page' "$(look text | grep -c 'of a paragraph that is long enough')|$(look size)" '1|8000 10000'
to_word "$work/table.pdf" >/dev/null
is 'ruled lines are tables' "$(look table)" 'one,two|three,four'
python3 "$here/model_pages.py" "$work"
to_word "$work/long.pdf" >/dev/null
is 'a table over two pages is one, and Word repeats its header' "$(look 'table rows')" '31 1'
to_word "$work/signed.pdf" >/dev/null
is 'what is drawn on the colour of a cell is before it' "$(look behind)" '0|1'
to_word "$work/hollow.pdf" >/dev/null
is 'letters that are outlines stay so' "$(look hollow)" outlines
to_word "$work/list.pdf" >/dev/null
is 'bullets are lists' "$(look lists)" '1|1|1'
is 'without the bullets in the text' "$(look text)" 'first of all|and second|third'
to_word "$work/link.pdf" >/dev/null
is 'links are links' "$(look links)" 'https://example.org/a?b=1&c=2 see the pages of the project'
to_word "$work/columns.pdf" >/dev/null
is 'columns are sections' "$(look columns)" '1|2'
is 'which fill the page' "$(look balance)" no
to_word "$work/even.pdf" >/dev/null
is 'or end at one height above other text' "$(look balance) $(look columns)" 'yes 1|2|1'
to_word "$work/poured.pdf" >/dev/null
is 'and text goes on from column to column, over all pages, in one' "$(look columns) $(look lengths)" '2|1 3695'
to_word "$work/special.pdf" >/dev/null
is 'characters that mean something in XML are text' "$(look text)" '5 < 6 & "7" > 2'
to_word "$work/picture.pdf" >/dev/null
is 'pictures are pictures' "$(look pictures)" '.png'
to_word "$work/jpegs.pdf" >/dev/null
is 'JPEGs stay what they are, but for colours and masks that programs do not agree on' \
    "$(look pictures)" '.jpg|.png|.png|.png'
look_at() { to_word "$work/stacked.pdf" --pages "$1" >/dev/null; look pictures; }
to_word "$work/higher.pdf" >/dev/null
is 'a header that is higher on a page is one' "$(look header) $(look text | grep -c report)" 'The report of the whole year 0'
to_word "$work/gains.pdf" >/dev/null
is 'a header that begins on the second page is not lost' \
    "$(unzip -p "$out" word/header3.xml | grep -c 'The report of the year')" 1
to_word "$work/marked.pdf" >/dev/null
is 'a highlight is one of the text' "$(look highlights)$(look anchors)" 'FFFF00 some words that matter0'
to_word "$work/form.pdf" >/dev/null
is 'fields of a form are content controls' "$(look controls)" \
    'who:text::Alice|more:text::.....|where:choice:Rome,Oslo:Oslo|yes:box:1:☒|no:box:0:☐|'
to_word "$work/euro.pdf" >/dev/null
is 'a sign that is typed as a letter is the sign' "$(look text)" 'it costs € 100'
font=$(fc-match -f '%{file}' 'DejaVu Sans:style=Book')
python3 "$here/subsets.py" "$work/nameless.pdf" "$font" 'Quiz of 1058 Ill' nameless
to_word "$work/nameless.pdf" >"$work/said"
is 'glyphs that nothing names are read by what they look like' "$(look text | tr -d ' ')" 'Quizof1058Ill'
is 'without a warning' "$(grep -c unreadable_text "$work/said")" 0
to_word "$work/apart.pdf" >/dev/null
is 'letters that are apart are words' "$(look text | sed 's/|These.*|/|/')" 'Spaced out|A B C'
to_word "$work/lines.pdf" >/dev/null
is 'lines that have room grow with what is written' "$(look 'line rules')" 'atLeast|exact|atLeast|atLeast'
is 'characters are apart where they were meant to be' "$(look spaced)" 'far apart'
to_word "$work/striped.pdf" >/dev/null
is 'a fill behind a row of a table does not indent its cells' "$(look table)/$(look indents)" \
    'one,two,three|four,five,six|seven,eight,nine|ten,eleven,twelve/'
is 'a mark that lies over a word is in its line' "$(look text | cut -d'|' -f1)" 'Electroencephalography5'
# Of each page alone: pictures that a person can move are as many as were drawn, or one where they cannot be told apart.
stack() { to_word "$work/stacked.pdf" --pages "$1" >/dev/null; look stack; }
is 'a photo is on top of the drawing it was drawn on, whatever was drawn later' "$(stack 1)" 'png 320 150|jpg 50 50|'
is 'what is drawn over a picture shows it with what is below' "$(stack 2)" 'jpg 400 500|png 301 400|'
is 'blended' "$(look_at 3)" '.png'
is 'clipped' "$(look_at 4)" '.png'
is 'and turned pictures are taken as they are drawn' "$(look_at 5)" '.png'
is 'a photo that is between two drawings is shown with them' "$(stack 6)" 'png 71 71|'
to_word "$work/masked.pdf" >/dev/null
is 'what a mask is made of is not text' "$(look text | cut -c1-9)" 'These are'
code=page_damaged
ok 'of a picture that cannot be read there is a warning' warns "$work/unreadable.pdf"
! patched load_image || is 'and the text behind it is there' "$(look text | wc -w)" "$(to_word "$work/picture.pdf" >/dev/null && look text | wc -w)"
mkdir "$work/unreadable"
/usr/bin/python3 "$here/unreadable.py" "$work/unreadable" "$(fc-match -f '%{file}' 'DejaVu Sans:style=Book')"
code='page 1 is damaged (the .* in object 5)'
for kind in jpeg_cut flate_short fax_spoiled jbig2 jpx_cut soft_mask font glyphs_content form; do
    ok "of what can be read in part, too ($kind)" warns "$work/unreadable/bad_$kind.pdf"
done
is 'there is none of what only breaks a rule' "$(for file in "$work"/unreadable/good_*.pdf; do to_word "$file"; done | grep damaged)" ''
to_word "$work/empty.pdf" >/dev/null
is 'an empty page is a page' "$(look pages)$(look text)" 1

to_word "$work/note.pdf" >/dev/null
is 'what somebody noted is a comment' "$(look comments)" 'A. Reader: is this so?|I doubt it'
to_word "$work/header_link.pdf" >/dev/null
is 'links in headers are links' "$(look 'header links')" 'https://example.org/report'
to_word "$work/turned.pdf" >/dev/null
is 'cells have the direction of their text' "$(look directions)" 'btLr|btLr'
is 'other text that is turned flows' "$(look text)$(look boxes)" 'upwards|also up|aslant it goes0'
to_word "$work/turned.pdf" --layout exact >/dev/null
is 'and stands in a box with layout=exact' "$(look boxes)" 1
to_word "$work/axis.pdf" >/dev/null
is 'the title of an axis stands in a box next to the drawing' "$(look boxes)" 1
to_word "$work/box.pdf" >/dev/null
is 'a line around text is its border' "$(look bordered)" 'something that matters|and its second line'
to_word "$work/tagged.pdf" >/dev/null
is 'tags say what a heading is' "$(look styles)" 'Heading1|None|None|ListParagraph|None|None|None|None'
is 'and what goes on in the next line' "$(look text)" \
    'no larger than text|These are the lines of a paragraph that is long enough to go over several of them, and there are more words in it than in most paragraphs of this kind, until the last of its lines ends early.|and one that is another|an item|one|two|three|four'
is 'and what a table is' "$(look table)" 'one,two|three,four'

# The first core this may run on, and all; `direct` is told how many.
first=$(taskset -pc $$ | sed 's/.*: //; s/[-,].*//')
CORES=1 taskset -c "$first" "$runner" run to-word "$work/many.pdf" -o "$work/one.docx" >/dev/null
CORES=3 to_word "$work/many.pdf" >/dev/null
ok 'on several cores it becomes the same, byte for byte' cmp "$work/one.docx" "$out"
is 'all pages of it' "$(look pages)" 40
is 'and its main font is that of most of its text' "$(look 'main font')" 'Times New Roman'

code=no_text_layer
ok 'of a scan the warning is that there is no text' warns "$work/scan.pdf"
is 'and the page is a picture' "$(look pictures)" '.png'
to_word "$work/ocr.pdf" >"$work/ocr.said"
ok 'of a scan with text there is no such warning' sh -c "! grep -q $code '$work/ocr.said'"
is 'its text is text' "$(look text)" 'text over a scan'
is 'and the scan is a picture' "$(look pictures)" '.png'

to_word "$work/flow.pdf" --layout exact >/dev/null
is 'layout=exact puts paragraphs into frames' "$(look frames)" 3
to_word "$work/picture.pdf" --layout exact >/dev/null
is 'and pictures to their places' "$(look anchors)" 1
to_word "$SAMPLES/features.pdf" >/dev/null
ok 'a document with all features becomes a sound one' look text
for file in deep loops merge_loops damaged; do
    to_word "$SAMPLES/$file.pdf" >"$work/said"
    ok "$file.pdf ends well or with a plain error" sh -c "! grep internal_error '$work/said'"
done
if command -v soffice >/dev/null; then
    to_word "$work/furniture.pdf" >/dev/null
    HOME=$work timeout 100 soffice --headless --convert-to pdf --outdir "$work/office" "$out" >/dev/null 2>&1
    is 'LibreOffice makes the same pages of it' \
        "$(pdfinfo "$work/office/out.pdf" | sed -n 's/^Pages: *//p')" 3
    ok 'with their own numbers' sh -c "pdftotext '$work/office/out.pdf' - | grep -q 'Page 2 of 3'"
    to_word "$work/poured.pdf" >/dev/null
    HOME=$work timeout 100 soffice --headless --convert-to pdf --outdir "$work/office" "$out" >/dev/null 2>&1
    is 'and of columns' "$(pdfinfo "$work/office/out.pdf" | sed -n 's/^Pages: *//p')" 3
    to_word "$work/over.pdf" >/dev/null
    HOME=$work timeout 100 soffice --headless --convert-to pdf --outdir "$work/office" "$out" >/dev/null 2>&1
    is 'and of text that goes over their ends' \
        "$(pdftotext -f 2 -l 2 "$work/office/out.pdf" - | head -n 1 | cut -c1-19)" 'graphs of this kind'
fi

code=page_out_of_range
ok 'a page that is not there fails' says "$work/flow.pdf" --pages 2
code=invalid_parameter
ok 'layout is one of two' says "$work/flow.pdf" --layout boxes
code=corrupt_file
echo '%PDF-1.7 and nothing else' >"$work/junk.pdf"
ok 'what no reader can open is refused' says "$work/junk.pdf"
qpdf --encrypt secret owner 256 -- "$work/flow.pdf" "$work/locked.pdf"
code=password_required
ok 'an encrypted document needs inputPassword' says "$work/locked.pdf"
ok 'which opens it' to_word "$work/locked.pdf" --inputPassword secret
python3 "$here/excess.py" "$work"
code=limit_exceeded
ok 'forms that draw forms that draw forms are given up' says "$work/forms.pdf"

python3 "$(dirname "$0")/fields.py" "$work/fields.pdf" empty
ok 'a form whose appearances draw nothing is converted' to_word "$work/fields.pdf"
is 'values of its fields are text; a password is not' \
    "$(unzip -p "$out" word/document.xml | grep -o 'To the right\|Ünicöde€\|Berries\|Drawn anew\|hidden' | LC_ALL=C sort -u | tr '\n' ',')" \
    'Berries,Drawn anew,To the right,Ünicöde€,'
python3 "$(dirname "$0")/fields.py" "$work/scripts.pdf" scripts
ok 'so is one whose values are in other scripts' to_word "$work/scripts.pdf"
is 'with their text' \
    "$(unzip -p "$out" 'word/*.xml' | sed 's/<[^>]*>//g' | grep -o 'שלום עולם\|مرحبا\|Zażółć gęślą jaźń\|สวัสดี\|中文\|Ěščřžý\|Přehled\|Выбор' | LC_ALL=C sort | tr '\n' ',')" \
    'Přehled,Zażółć gęślą jaźń,Ěščřžý,Выбор,שלום עולם,مرحبا,สวัสดี,中文,'
python3 "$here/capitals.py" "$work/capitals.pdf"
to_word "$work/capitals.pdf" >"$work/said"
is 'capitals of which the file says that they are small letters are read as they are drawn' \
    "$(unzip -p "$out" word/document.xml | grep -o 'Hungary\|Netherlands' | tr '\n' ',')" 'Hungary,Netherlands,'
to_word "$work/rounded.pdf" >/dev/null
is 'a box with slightly rounded corners is a frame around its text, and no drawing' \
    "$(look bordered)|$(look anchors)" 'let t = ticks print t|0'
to_word "$work/round.pdf" >/dev/null
is 'and one that is as round as a button is a drawing' "$(look bordered)|$(look anchors)" '|1'
to_word "$work/hyphen.pdf" >/dev/null
is 'a hyphen is one, however many characters the file says it is' "$(look text | sed 's/‑/-/g')" 'an X-Large one'
done_testing
