#!/bin/sh
# to-markdown: cmark-gfm reads what it writes, and says what it means.
. "$(dirname "$0")/tap.sh"
here=$(dirname "$0")
runner=$1
out=$work/out.md
python3 "$here/model_pages.py" "$work"
python3 "$here/word_pages.py" "$work"

to_markdown() { rm -f "$out" && "$runner" run to-markdown "$@" -o "$out" >"$work/said" 2>&1; }
read_back() { cmark-gfm --unsafe -e table -e strikethrough -e footnotes "$out"; }

ok 'to-markdown works' to_markdown "$work/report.pdf"
is 'headings, paragraphs, lists and tables are read as such' "$(read_back | tr -d '\n')" \
    '<h1>A report</h1><p>These are the lines of a paragraph that is long enough to go over several of them, and there are more words in it than in most paragraphs of this kind, until the last of its lines ends early.</p><ul><li>first</li><li>second</li></ul><table><thead><tr><th>Item</th><th>Amount</th><th>Price</th></tr></thead><tbody><tr><td>Ink</td><td>12</td><td>1,234.50</td></tr><tr><td>Paper</td><td>7</td><td>(12.25)</td></tr><tr><td>Pens</td><td>1,000</td><td>99.00</td></tr></tbody></table>'
to_markdown "$work/long.pdf"
is 'a table over two pages is one, with its header once' \
    "$(read_back | grep -c '<table>') $(read_back | grep -c '<th>Name') $(read_back | grep -c '<tr>')" '1 1 31'
to_markdown "$work/styled.pdf"
# shellcheck disable=SC2016 # backticks are Markdown's
is 'bold and italic type is marked, and what would mean something is escaped' "$(read_back | tr '\n' ' ')" \
    '<p>Some <strong>bold</strong> words and <em>slanted</em> ones, 5 * 3 &lt; 16 &amp; a_b [c] `d`</p> <p>1986. A great year.</p> <p># no heading</p> '
for bullets in dingbats discs boxes open diamonds squares; do
    to_markdown "$work/symbols_$bullets.pdf"
    is "bullets that are codes of a symbol font are a list ($bullets)" "$(tr '\n' '|' <"$out")" \
        '- first of all|- and second|- third|'
done
to_markdown "$work/signs.pdf"
is 'signs that differ from item to item say something, and stay; others do not' "$(tr -s '\n' '|' <"$out")" \
    '- ❏ boat|- ◆ chairs|- ■ key|- ❑ lamps|- ● rope|- ◆ tent|This line is no item of the list.|- one more|'
to_markdown "$work/sorts.pdf"
is 'so do those of two sorts of items in one list' "$(tr -s '\n' '|' <"$out")" \
    '- ● boat|- ● chairs|- ● key|- ◆ lamps|- ◆ rope|- ◆ tent|This line is no item of the list.|- one more|'
to_markdown "$work/raised.pdf"
is 'raised marks are raised characters, and a line of notes is no row' \
    "$(grep -c '24,912¹\|7,420²\|12,306¹,²\|45ᵃ' "$out") $(read_back | grep -c '<tr>') $(grep -c '^1 Estimate' "$out")" '4 5 1'
to_markdown "$work/boxes.pdf"
is 'check boxes and ticks are characters, also where items begin with them' \
    "$(grep -v 'These' "$out" | tr -s '\n' '|')" '☐ Adult ☒ Child|○ up ◉ down|- ✔ bread|- ✘ butter|- ✔ cheese|'
to_markdown "$work/address.pdf"
is 'links lead where they led' "$(read_back)" \
    '<p>see <a href="https://example.org/a?b=1&amp;c=%282%29">the project</a></p>'
to_markdown "$work/script.pdf"
is 'markup in the text is text, and a script is no link' "$(read_back)" \
    '<p>click &lt;script&gt;alert(1)&lt;/script&gt; here</p>'
to_markdown "$work/program.pdf"
# shellcheck disable=SC2016 # backticks are Markdown's
is 'the lines of a program are a code block, with their indents, and its words code spans' \
    "$(read_back | tr '\n' '~')" \
    '<p>This is the text before a program, which is longer than it is, and it says what the program does: the name of the function is <code>next</code> in it.</p>~<pre><code>int next(int a)~{~    int b = 1;      /* `*` */~~    return a + b;~}~</code></pre>~<p>And this is the text after it, which goes on in one more line than there is before.</p>~'
to_markdown "$work/listed.pdf"
is 'also where there is nothing else' "$(read_back | head -6 | tr '\n' '~')" \
    '<pre><code># sort.py, printed on 3 March~def sort(xs):~    for i in range(len(xs)):~        if xs[i] &lt; xs[0]:~            swap(xs, i)~    return xs~'
to_markdown "$work/mostly.pdf"
is 'or little else' "$(read_back | sed -n '1p;$p' | tr '\n' '~')" '<pre><code># sort.py, printed on 3 March~<p>This is how it is sorted.</p>~'
to_markdown "$work/typed.pdf"
is 'a typewritten letter is text' "$(read_back | cut -c1-12 | tr '\n' '~')" '<p>Dear Sir,~<p>Dear Sir,~'
to_markdown "$work/deep.pdf"
is 'an item is not indented below a paragraph, where it would be code' \
    "$(read_back | grep -c '<pre>') $(read_back | grep -c '<ul>')" '0 2'
to_markdown "$work/emphasis.pdf"
is 'emphasis next to punctuation is marked by asterisks, unless they would mean nothing' \
    "$(tr '\n' ' ' <"$out")" '**Note:** take (five) *(or six).*  a<b>-b-</b>c '
to_markdown "$work/divided.pdf"
is 'an address that is divided at the end of a line is one' \
    "$(read_back | grep -o '<a.*/a>')" \
    '<a href="https://example.org/project/page">https://example.org/project/page.</a>'
ok 'a page with a framed line works' to_markdown "$work/terminal.pdf"
is 'the frame around a line of a program is no picture' "$(grep -c '!\[' "$out") $(grep -cx 'make install' "$out")" '0 1'
to_markdown "$work/bordered.pdf"
is 'nor is the one around a page' "$(grep -c '!\[' "$out") $(grep -c '^# A notice' "$out")" '0 1'
to_markdown "$work/icon.pdf"
is 'private characters are left out' "$(cat "$out")" '\+44 20 7946 0000'
to_markdown "$work/notes.pdf"
is 'footnotes are read as such' "$(read_back | grep -o 'class="footnote-ref"' | wc -l | tr -d ' ')" \
    "$(grep -c '^\[^[0-9]*\]: ' "$out")"
to_markdown "$work/report.pdf" --tables html
is 'tables can be HTML' "$(read_back | grep -c '<th scope="col">Item</th>')" 1
out=$work/out.zip
ok 'pictures are files beside the text' to_markdown "$work/picture.pdf"
is 'in a ZIP' "$(unzip -Z1 "$out" | sed 's/.*[.]//' | sort | tr '\n' ' ')" 'md png '
is 'and named in it' "$(unzip -p "$out" '*.md' | grep -o '!\[.*](.*)')" '![](image-1.png)'
out=$work/out.md
for headers in drop keep; do
    to_markdown "$work/only_header.pdf" --headers $headers
    grep -c 'The handbook\|Page [123]' "$out"
done >"$work/counts"
is 'headers and footers are left out, or kept' "$(tr '\n' ' ' <"$work/counts")" '0 6 '
to_markdown "$work/edges.pdf"
is 'lines at the edges of the only page are kept' "$(grep -c 'DRAFT\|GB29' "$out")" 2
to_markdown "$work/picture.pdf" --images false
is 'or are left out' "$(grep -c image "$out")" 0
to_markdown "$work/bars.pdf" --images false
is 'the words of a chart that is left out are text' "$(grep -c '^Oslo Rome Bonn$' "$out")" 1
done_testing
