#!/bin/sh
# compress: fonts, checked with qpdf, poppler and MuPDF. $1 runs a tool, as `platen run` does.
. "$(dirname "$0")/compress_look.sh"

# Instructions of fonts, which show at few pixels only.
font=$(fc-match -f '%{file}' 'DejaVu Sans:style=Book')
tables() {
    qpdf --show-object="$(qpdf --json "$out" | sed -n 's/.*"\/FontFile2": "\([0-9]*\) 0 R".*/\1/p')" \
        --filtered-stream-data "$out" | head -c 400 | grep -aoE 'fpgm|prep|glyf' | sort | xargs
}
python3 "$here/hinted.py" "$work/hinted.pdf" "$font"
ok 'a font with instructions' compress "$work/hinted.pdf"
is 'has none at ebook' "$(tables)" glyf
is 'and looks as before' "$(unlike "$work/hinted.pdf" "$out" 0.1)" ''
ok 'at printer' compress "$work/hinted.pdf" --quality printer
is 'it keeps them' "$(tables)" 'fpgm glyf prep'
python3 "$here/hinted.py" "$work/tricky.pdf" "$font" tricky
ok 'one whose glyphs may be put together by them' compress "$work/tricky.pdf"
is 'keeps them at ebook' "$(tables)" 'fpgm glyf prep'
python3 "$here/hinted.py" "$work/numbered.pdf" "$font" numbered
ok 'one whose codes have names of numbers' compress "$work/numbered.pdf"
is 'is cut' "$(tables)" glyf
is 'and looks as before' "$(unlike "$work/numbered.pdf" "$out" 0.1)" ''
python3 "$here/hinted.py" "$work/named.pdf" "$font" named
ok 'one whose codes have names that say nothing' compress "$work/named.pdf"
is 'stays whole' "$(tables)" 'fpgm glyf prep'

# Merged documents, each with its own subset of one font.
programs() { qpdf --json "$out" | grep -o '"/FontFile2": "[0-9]* 0 R"' | sort -u | wc -l; }
merged() { # the kinds of the three
    n=0
    for text in ABCDEFGHIJKL GHIJKLMNOPQR MNOPQRSTUVWX; do
        n=$((n + 1))
        python3 "$here/subsets.py" "$work/subset$n.pdf" "$font" $text "$1"
        shift
    done
    qpdf --empty --pages "$work"/subset[123].pdf -- "$work/subsets.pdf"
}
merged plain moved composite
ok 'subsets of one font in merged documents' compress "$work/subsets.pdf" --quality printer
cp "$out" "$work/moved.pdf"
is 'stay apart where the numbers of glyphs mean others' "$(programs)" 2
is 'and look as before' "$(unlike "$work/subsets.pdf" "$out" 0)" ''
for kind in plain composite; do
    merged plain $kind composite
    ok "subsets that agree, $kind" compress "$work/subsets.pdf" --quality printer
    is 'become one' "$(programs)" 1
    is 'which looks as before' "$(unlike "$work/subsets.pdf" "$out" 0)" ''
    is 'with the same text' "$(pdftotext "$out" -)" "$(pdftotext "$work/subsets.pdf" -)"
    ok 'and takes less' [ "$(size)" -lt $(($(size "$work/moved.pdf") * 3 / 4)) ]
    ok 'soundly' sound
done

# The first is one document, the second three with a map each.
map_document() { python3 "$here/subsets.py" "$work/subsets.pdf" "$font" WORD mapped; }
for made in map_document 'merged mapped mapped mapped'; do
    $made
    ok "codes that a map leads to glyphs, by $made" compress "$work/subsets.pdf"
    ok 'lose the map of those that are never shown' [ "$(size)" -lt $(($(size "$work/subsets.pdf") / 5)) ]
    is 'and look as before' "$(unlike "$work/subsets.pdf" "$out" 0.1)" ''
    is 'with the same text' "$(pdftotext "$out" -)" "$(pdftotext "$work/subsets.pdf" -)"
done

# Embedded fonts of a form, by name.
embedded() { pdffonts "$out" | awk 'NR > 2 && / yes / { sub(/^[A-Z]*[+]/, "", $1); print $1 }' | sort | xargs; }
default_fonts() {
    qpdf --qdf --object-streams=disable "$out" - | grep -aoE '^ +/(Used|Shown|Idle) ' | sort -u | tr -d '/' | xargs
}
for kind in plain rich; do
    python3 "$here/form_fonts.py" "$work/$kind.pdf" "$font" $kind
    ok "$kind: a form whose fields are set in one font of three" compress "$work/$kind.pdf"
    cp "$out" "$work/$kind.out.pdf"
    is 'looks as before' "$(unlike "$work/$kind.pdf" "$out" 0.1)" ''
    [ $kind = plain ] && is 'has those that are named' "$(default_fonts)" 'Shown Used'
done
is 'with rich text it has all' "$(default_fonts)" 'Idle Shown Used'
ok 'the font that only the page shows is cut to what it shows' \
    [ "$(size "$work/plain.out.pdf")" -lt $(($(size "$work/rich.out.pdf") / 2)) ]

python3 "$here/opentype.py" "$work/rough.pdf"
qpdf "$work/rough.pdf" "$work/opentype.pdf"
ok 'an OpenType font with CFF outlines' compress "$work/opentype.pdf"
ok 'loses the glyphs that are not shown, and their names' [ "$(size)" -lt $(($(size "$work/opentype.pdf") / 3)) ]
ok 'but stays OpenType' sh -c "pdffonts '$out' | grep -q 'Type 0C (OT)'"
is 'and looks as before' "$(unlike "$work/opentype.pdf" "$out" 0)" ''

"$MAKE_TYPE1" "$work/type1.pdf"
ok 'a Type 1 font' compress "$work/type1.pdf"
ok 'becomes CFF, which its descriptor says' sh -c "pdffonts '$out' | grep -q 'Type 1C'"
ok 'as the file does' sound
ok 'of the glyphs that are shown' [ "$(size)" -lt 1500 ]
is 'its name has the tag of a subset, once in the font and once in its descriptor' \
    "$(qpdf --qdf --object-streams=disable "$out" - | grep -aEc '/(BaseFont|FontName) /[A-Z]{6}[+]Test$')" 2
is 'a list of glyphs that are gone is gone' "$(qpdf --qdf --object-streams=disable "$out" - | grep -ac CharSet)" 0
is 'its text is found as before' "$(pdftotext "$out" -)" "$(pdftotext "$work/type1.pdf" -)"
is 'and looks as before' "$(unlike "$work/type1.pdf" "$out" 0)" ''
done_testing
