#!/bin/sh
# markdown-to-pdf: judged with pdftotext, pdfinfo, pdfimages and qpdf. $1 runs a tool:
# `$1 run markdown-to-pdf FILE... -o OUT`.
. "$(dirname "$0")/tap.sh"
runner=$1
out=$work/out.pdf
said=$work/said

# Chromium is optional, and confines its processes by namespaces, which a container may forbid.
"$runner" tools markdown-to-pdf >"$said" 2>&1 || {
    echo "1..0 # SKIP markdown-to-pdf is not offered here: $(head -n 1 "$said")"
    exit 0
}
made() { "$runner" run markdown-to-pdf "$@" -o "$out" >"$said" 2>&1; }
says() { grep -q "$1" "$said"; }
text() { pdftotext "$out" - | tr -s '\n\f ' ' '; }
has() { text | grep -q -- "$1"; }
fails() { ! "$@"; }
write() { cat >"$work/$1"; } # NAME

# A PNG of a red pixel.
printf '\211PNG\r\n\032\n\0\0\0\rIHDR\0\0\0\1\0\0\0\1\10\2\0\0\0\220wS\336\0\0\0\014IDATx\234c\370\317\300\0\0\3\1\1\0\311\376\222\357\0\0\0\0IEND\256B`\202' >"$work/red.png"
write page.md <<'E2'
---
title: A title of its own
---
# Report

Plain *words* with a [link](https://example.org/) and a note[^n].

## Tables

| left | right |
|:-----|------:|
| a    |    12 |

- [x] done
- [ ] to do

## Code

```python
def f(x):
    return "words"  # why
```

![a red square](red.png)

$$
\frac{a}{b} = \sqrt{c}
$$

[^n]: The text of the note.
E2

ok 'Markdown with its picture becomes a PDF' made "$work/page.md" "$work/red.png"
ok 'the result is sound' qpdf --check "$out"
ok 'the words are there' has 'Plain words with a link and a note'
ok 'the table is' has 'left right a 12'
ok 'code is as it was' has 'return "words" # why'
ok 'the note comes at the end' has 'The text of the note'
ok 'pages have numbers' has '1/1'
ok 'the title of the front matter is that of the PDF' sh -c "pdfinfo '$out' | grep -q 'Title: *A title of its own'"
is 'the picture is in it' "$(pdfimages -list "$out" | awk 'NR > 2' | wc -l | tr -d ' ')" 1
ok 'it is tagged' sh -c "pdfinfo '$out' | grep -q 'Tagged: *yes'"
ok 'headings are its outline' sh -c "qpdf --json=2 --json-key=outlines '$out' | grep -q Tables"
ok 'links lead where they did' sh -c "qpdf --qdf '$out' - | grep -qa 'https://example.org/'"
ok 'a font of mathematics draws the formula' sh -c "pdffonts '$out' | grep -qi math"
is 'nothing is said' "$(grep -c warning "$said")" 0
cp "$out" "$work/first.pdf"
made "$work/page.md" "$work/red.png"
ok 'the same text is the same file' cmp "$out" "$work/first.pdf"

ok 'a missing picture fails the job' fails made "$work/page.md"
ok 'and is named' says 'resource_missing.*red.png'
ok 'or is reported' made "$work/page.md" --onMissing report

printf '# One\n\n## Two\n\n### Three\n\ntext\n' >"$work/toc.md"
made "$work/toc.md" --toc true --tocDepth 2
is 'a table of contents comes after the title' "$(text)" 'One Two Two Three text 1/1 '
# Numbers of pages in the table of contents; a name with other letters; one that a long table moves.
python3 -c 'print("# Book\n\n" + "\n\n".join(f"## Part {i} \u00fcber \u4e2d {chr(39)}\n\n" + "word " * 900 for i in range(1, 40)))' >"$work/long.md"
numbered() { # OPTION...: how many entries have a number, and whether all are right
    made "$work/long.md" --toc true "$@"
    pdftotext -layout "$out" - | python3 -c 'import re, sys
pages = sys.stdin.read().split("\f")
said = {int(i): int(n) for page in pages for i, n in re.findall(r"Part (\d+) .* +(\d+)$", page, re.M)}
true = {int(i): at + 1 for at, page in enumerate(pages) for i in re.findall(r"^ *Part (\d+) [^\n0-9]*$", page, re.M)}
print(len(said), said == true)'
}
is 'a table of contents has the pages of the headings' "$(numbered)" '39 True'
echo '.contents a:has(.page:not(:empty)) { margin-bottom: 30mm }' >"$work/moving.css"
is 'also where the numbers themselves move the headings' "$(numbered --css "$work/moving.css")" '39 True'
made "$work/toc.md" --footer '<span></span>'
is 'the footer can be another' "$(text)" 'One Two Three text '
# shellcheck disable=SC2016 # dollars of mathematics
printf 'a $x$ b $\\foo$\n\n<b>bold</b> <script>no</script> [lost](#there)\n' >"$work/odd.md"
made "$work/odd.md"
ok 'what cannot be read as mathematics is shown' has 'foo'
ok 'and named with its line' says 'math_as_source.*line 1.*foo'
# shellcheck disable=SC2016 # dollars of mathematics
printf '$\\word$\n\n$$\n\\newcommand{\\word}{\\text{defined}}\n$$\n\n$\\word^2$\n' >"$work/macros.md"
made "$work/macros.md"
is 'a command that a block defines is read in every formula' "$(text)" 'defined defined2 1/1 '
made "$work/odd.md"
ok 'scripts are text' has '<script>no</script>'
ok 'which is said' says 'html_as_text.*line 3'
ok 'a link that leads nowhere is named' says 'link_target_missing.*line 3'
made "$work/odd.md" --html text --math false
ok 'HTML can be shown' has '<b>bold</b>'
# shellcheck disable=SC2016 # dollars of mathematics
ok 'and mathematics left alone' has 'a $x$ b'
echo 'h1::after { content: " styled" } @page { size: 100mm 100mm }' >"$work/own.css"
made "$work/toc.md" --css "$work/own.css"
ok 'an own style sheet applies' has 'One styled'
printf 'caf\351\n' >"$work/latin.md"
made "$work/latin.md"
ok 'text that is not UTF-8 is named' says 'text_not_utf8.*line 1'
ok 'Markdown becomes PDF/A' made "$work/toc.md" --toc true --pdfa 2u
is 'by the rules' "$(/usr/bin/python3 "$(dirname "$0")/pdfa_rules.py" "$out")" conforms
printf '' >"$work/empty.md"
ok 'an empty text fails, or is an empty page' sh -c "'$runner' run markdown-to-pdf '$work/empty.md' -o '$out' 2>'$said' || grep -q '_' '$said'"
done_testing
