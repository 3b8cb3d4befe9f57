#!/bin/sh
# to-html: Python's HTML parser reads what it writes.
. "$(dirname "$0")/tap.sh"
here=$(dirname "$0")
runner=$1
out=$work/out.html
python3 "$here/model_pages.py" "$work"
python3 "$here/word_pages.py" "$work"

to_html() { rm -f "$out" && "$runner" run to-html "$@" -o "$out" >"$work/said" 2>&1; }
look() { python3 "$here/html_look.py" "$out" "$1"; }

ok 'to-html works' to_html "$work/report.pdf"
is 'headings, paragraphs, lists and tables are elements' "$(look outline)" \
    'h1(A report) p ul(li(first) li(second)) table(thead(tr(th(Item) th(Amount) th(Price))) tbody(tr(td(Ink) td(12) td(1,234.50)) tr(td(Paper) td(7) td((12.25))) tr(td(Pens) td(1,000) td(99.00))))'
is 'the page has the document'\''s title and language' "$(look title)|$(look lang)" 'About <ink> & paper|en-GB'
to_html "$work/long.pdf"
is 'a table over two pages is one, with its header once' \
    "$(look outline | grep -o 'table(' | wc -l) $(look outline | grep -o 'th(Name)' | wc -l) $(look outline | grep -o 'tr(' | wc -l)" '1 1 31'
to_html "$work/address.pdf"
is 'links lead where they led' "$(look links)" 'https://example.org/a?b=1&c=(2)'
to_html "$work/script.pdf"
is 'markup in the text is text' "$(look scripts)$(look text)" '0click <script>alert(1)</script> here'
is 'a script is no link, and no language' "$(look links)|$(look lang)" '|'
is 'and the title is a text' "$(look title)" '<script>alert(2)</script>'
to_html "$work/blank.pdf"
is 'a document without a title has the name of its result' "$(look title | grep -cx 'blank\|result')" 1
to_html "$work/picture.pdf"
is 'pictures are in the page' "$(look images)" png
is 'with a text of their own' "$(look alts)" 'Image 1'
for headers in drop keep; do
    to_html "$work/only_header.pdf" --headers $headers
    grep -c 'The handbook\|Page [123]' "$out"
done >"$work/counts"
is 'headers and footers are left out, or kept' "$(tr '\n' ' ' <"$work/counts")" '0 6 '
to_html "$work/edges.pdf"
is 'lines at the edges of the only page are kept' "$(grep -c 'DRAFT\|GB29' "$out")" 2
to_html "$work/picture.pdf" --images false
is 'or are left out' "$(look images)" ''
to_html "$work/program.pdf"
# shellcheck disable=SC2016 # the backticks are the program's
is 'the lines of a program are a code block' \
    "$(tr '\n' '~' <"$out" | grep -o '<pre>.*</pre>')" \
    '<pre><code>int next(int a)~{~    int b = 1;      /* `*` */~~    return a + b;~}~</code></pre>'
is 'and its words are code' "$(grep -o '<code>next</code>' "$out")" '<code>next</code>'
to_html "$work/notes.pdf"
is 'footnotes lead there and back' "$(look broken)" 0
to_html "$work/formula.pdf"
is 'formulas are MathML' "$(look math)" '1'
is 'nothing is fetched from elsewhere' "$(grep -c 'src="http\|<link\|@import' "$out")" 0
to_html "$work/bars.pdf" --images false
is 'the words of a chart that is left out are text' "$(grep -c '<p>Oslo Rome Bonn</p>' "$out")" 1
done_testing
