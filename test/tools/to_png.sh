#!/bin/sh
# to-png, judged by mutool draw and pdftoppm; pictures are compared by $COMPARE (test/render).
. "$(dirname "$0")/tap.sh"
here=$(dirname "$0")
runner=$1
out=$work/out # no suffix: some results are a picture, some a ZIP
python3 "$here/pages.py" "$work"

to_png() { "$runner" run to-png "$@" -o "$out" 2>&1; }
head_of() { python3 "$here/png_head.py" "${1:-$out}"; }
says() { ! to_png "$@" >"$work/said" && grep -q "$code" "$work/said"; }
warns() { to_png "$@" >"$work/said" && grep -q "$code" "$work/said"; }
names() { unzip -Z1 "$out" | tr '\n' ' '; }
# near LIMIT A B: the mean difference of two pictures is at most LIMIT levels.
near() { "$COMPARE" "$2" "$3" | awk -v most="$1" '{ print; exit !(NF == 2 && $1 <= most) }'; }
# alike LIMIT FILE DPI PAGE WORD...: as mutool draws the page.
alike() {
    limit=$1 file=$2 dpi=$3 page=$4
    shift 4
    to_png "$file" --dpi "$dpi" --pages "$page" "$@" >/dev/null &&
        mutool draw -q -r "$dpi" -o "$work/judge.png" "$file" "$page" 2>/dev/null &&
        near "$limit" "$out" "$work/judge.png"
}

ok 'to-png works' to_png "$work/gray.pdf"
is '150 dpi are the default; a gray page is gray of as many bits as it needs, with its resolution' \
    "$(head_of)" '417 209 8 0 5906'
to_png "$work/gray.pdf" --dpi 72 >/dev/null
is 'dpi is the size' "$(head_of)" '200 100 8 0 2835'
to_png "$work/shade.pdf" --dpi 72 >/dev/null
is 'a page of many colours is RGB' "$(head_of)" '200 100 8 2 2835'
to_png "$work/flat.pdf" --dpi 72 >/dev/null
is 'a page of few colours has a palette' "$(head_of | cut -d' ' -f4)" 3
for file in gray flat shade boxes note large; do
    ok "$file is what mutool draws" alike 0.01 "$work/$file.pdf" 96 1
done
ok 'boxes, offsets and turns of another page too' alike 0.01 "$work/boxes.pdf" 50 2
for page in 1 2 3; do
    ok "page $page of a document with all features too" alike 0.01 "$SAMPLES/features.pdf" 100 $page
done
for page in 1 2 3 4 5 6 7; do
    ok "page $page of transparency groups too" alike 0.3 "$work/groups.pdf" 96 $page
done
to_png "$work/groups.pdf" --dpi 96 --outputName groups >/dev/null &&
    mkdir "$work/groups" && unzip -q "$out" -d "$work/groups"
for page in 2 5; do
    to_png "$work/groups.pdf" --dpi 96 --pages $page >/dev/null
    ok "page $page is the same by itself and among others" cmp -s "$out" "$work/groups/groups_00$page.png"
done
ok 'a page that is drawn in bands is the same picture' alike 0.01 "$work/large.pdf" 300 1
is 'and as large' "$(head_of)" '4167 4167 8 2 11811'
to_png "$work/shade.pdf" --dpi 72 >/dev/null
pdftoppm -r 72 -png -singlefile "$work/shade.pdf" "$work/poppler"
ok 'poppler draws nearly the same' near 3 "$out" "$work/poppler.png"

to_png "$work/inks.pdf" --dpi 72 >/dev/null
pdftoppm -r 72 -png -singlefile "$work/inks.pdf" "$work/poppler"
! patched color || ok 'inks have the colours poppler gives them, not those of light' near 9 "$out" "$work/poppler.png"
ok 'black ink is gray and black, as mutool draws it' alike 0.01 "$work/black.pdf" 72 1
is 'so that such a page is gray' "$(head_of | cut -d' ' -f4)" 0

to_png "$work/shade.pdf" --dpi 72 --color gray >/dev/null
mutool draw -q -r 72 -c gray -o "$work/judge.png" "$work/shade.pdf" 1 2>/dev/null
is 'color=gray is gray' "$(head_of)" '200 100 8 0 2835'
ok 'as mutool draws it' near 0.6 "$out" "$work/judge.png"
to_png "$work/shade.pdf" --dpi 72 --color mono >/dev/null
is 'color=mono has one bit' "$(head_of)" '200 100 1 0 2835'
to_png "$work/gray.pdf" --dpi 72 --color mono >/dev/null
pdftoppm -r 72 -mono -png -singlefile "$work/gray.pdf" "$work/poppler"
ok 'mono text is close to that of poppler' near 6 "$out" "$work/poppler.png"
to_png "$work/flat.pdf" --dpi 72 --background transparent >/dev/null
mutool draw -q -r 72 -c rgba -o "$work/judge.png" "$work/flat.pdf" 1 2>/dev/null
ok 'background=transparent is what mutool makes of it' near 0.1 "$out" "$work/judge.png"
ok 'there is a transparent gray too' to_png "$work/gray.pdf" --color gray \
    --background transparent
code=invalid_parameter
ok 'but no transparent mono' says "$work/gray.pdf" --color mono --background transparent
to_png "$work/note.pdf" --dpi 72 --annotations false >/dev/null
is 'without annotations the page is blank' "$(head_of)" '200 100 1 0 2835'

to_png "$work/three.pdf" --dpi 30 --outputName report >/dev/null
is 'several pages are a ZIP, named by page' "$(names)" \
    'report_001.png report_002.png report_003.png '
to_png "$work/three.pdf" --dpi 30 --pages 3,1,3 --outputName report >/dev/null
is 'pages come in the order of the list, repetitions too' "$(names)" \
    'report_003.png report_001.png report_003 (2).png '
mkdir "$work/parts"
ok 'the ZIP is sound' unzip -q "$out" -d "$work/parts"
mutool draw -q -r 30 -o "$work/judge.png" "$work/three.pdf" 1 2>/dev/null
ok 'and a name stands for its page' near 0.01 "$work/parts/report_001.png" "$work/judge.png"

to_png "$work/lab_drawn.pdf" --dpi 36 >/dev/null
cp "$out" "$work/drawn.png"
to_png "$work/lab_picture.pdf" --dpi 36 >/dev/null
! patched color || ok 'a picture in Lab has the colours it would be drawn in' near 2 "$out" "$work/drawn.png"
to_png "$work/lab_drawn.pdf" --dpi 36 --color gray >/dev/null
cp "$out" "$work/drawn.png"
to_png "$work/lab_picture.pdf" --dpi 36 --color gray >/dev/null
! patched color || ok 'in gray too' near 2 "$out" "$work/drawn.png"

code=limit_exceeded
ok 'a page with too many pixels is refused' says "$work/huge.pdf" --dpi 300
ok 'with the resolution that fits' grep -q 'at most 100 dpi fit' "$work/said"
sed 's/14400 14400/99999 99999/' "$work/huge.pdf" >"$work/absurd.pdf"
ok 'so is one too large for any that may be asked for' says "$work/absurd.pdf" --dpi 18
ok 'with the size it has' grep -q '35.28 x 35.28 metres' "$work/said"
code=page_out_of_range
ok 'a page that is not there fails' says "$work/gray.pdf" --pages 2
code=page_range_clamped
ok 'a range beyond the end is clamped' warns "$work/three.pdf" --dpi 18 --pages 2-9
code=invalid_parameter
ok 'dpi has a lower bound' says "$work/gray.pdf" --dpi 17
ok 'and an upper one' says "$work/gray.pdf" --dpi 1201
ok 'color is one of three' says "$work/gray.pdf" --color cmyk
code=corrupt_file
echo '%PDF-1.7 and nothing else' >"$work/junk.pdf"
ok 'what no reader can open is refused' says "$work/junk.pdf"
ok 'a document without pages is refused' says "$SAMPLES/no-pages.pdf"
code=repaired
ok 'a damaged document is repaired, with a warning' warns "$SAMPLES/damaged.pdf" --dpi 30
is 'with all its pages' "$(names | wc -w)" 3
# COUNT: what the page tree says it has instead of its three pages.
counts() {
    sed "s/Count 3/Count $1/" "$work/three.pdf" >"$work/lies.pdf"
    warns "$work/lies.pdf" --dpi 30 --outputName report
}
code=repaired
for count in 2 9 99999 2147483647 -1; do
    ok "of $count pages that a document says it has" counts $count
    is 'those are drawn that are there' "$(names)" \
        'report_001.png report_002.png report_003.png '
done
sed 's/Kids\[/Kids[null 7 /' "$work/three.pdf" >"$work/lies.pdf"
ok 'nor is anything drawn' to_png "$work/lies.pdf" --dpi 30 --outputName report
is 'that is no page' "$(names)" 'report_001.png report_002.png report_003.png '
python3 "$here/damage.py" make "$work/sound.pdf"
python3 "$here/damage.py" deep "$work/sound.pdf" "$work/levels.pdf"
pdftoppm -r 30 -png -singlefile "$work/levels.pdf" "$work/judge"
to_png "$work/levels.pdf" --dpi 30 --pages 1 >/dev/null
ok 'pages many levels down are drawn' near 8 "$out" "$work/judge.png"
code=page_damaged
ok 'a page with broken content is drawn as far as it goes' warns "$work/broken.pdf" --dpi 30
ok 'one with a cut picture too' to_png "$work/cut.pdf" --dpi 30
# What of each page cannot be read: objects are named as in unreadable.py.
mkdir "$work/unreadable"
/usr/bin/python3 "$here/unreadable.py" "$work/unreadable" "$(fc-match -f '%{file}' 'DejaVu Sans:style=Book')"
silent=''
loud=''
for file in "$work"/unreadable/*.pdf; do
    case "$(to_png "$file" --dpi 30)" in
    *'page 1 is damaged (the '*' in object 5'* | *'page 1 is damaged (the content in object 4)'* | \
        *'page 1 is damaged ('*'inline image)'* | *'page 1 is damaged (a font)'* | *'(its content)'*)
        loud="$loud $(basename "$file" .pdf)" ;;
    *) silent="$silent $(basename "$file" .pdf)" ;;
    esac
done
is 'all kinds are tried' "$(echo "$silent$loud" | wc -w)" "$(grep -c '^    put(\|^    yield' "$here/unreadable.py")"
is 'of what cannot be read there is a warning with its object' "$(echo "$silent" | tr ' ' '\n' | grep '^bad')" ''
is 'there is none of what only breaks a rule' "$(echo "$loud" | tr ' ' '\n' | grep '^good')" ''
/usr/bin/python3 "$here/unreadable.py" pages "$work/unreadable.pdf"
code='page 2 is damaged (the image in object 5); page 3 is damaged (the image in object 6); '
ok 'with its number, and a picture that is on several pages for each' warns "$work/unreadable.pdf" --dpi 30
code=', and 1 more page: what can be read of it is shown'
ok 'as far as there is room in the warning' warns "$work/unreadable.pdf" --dpi 30
for file in deep loops merge_loops; do
    to_png "$SAMPLES/$file.pdf" --dpi 30 >"$work/said"
    ok "$file.pdf ends well or with a plain error" sh -c "! grep internal_error '$work/said'"
done

python3 "$here/excess.py" "$work"
code=limit_exceeded
ok 'forms that draw forms that draw forms are given up' says "$work/forms.pdf" --dpi 30
ok 'a picture of more pixels than can be decoded is refused' says "$work/picture.pdf" --dpi 30
! patched run_length || ok 'so is content that unpacks to half a gigabyte' says "$work/runs.pdf" --dpi 30
code='million pixels'
ok 'and the reason is told' says "$work/picture.pdf" --dpi 30
to_png "$work/filled.pdf" --dpi 30 >/dev/null && cp "$out" "$work/filled.png"
to_png "$work/cells.pdf" --dpi 30 >/dev/null
ok 'a pattern of cells without end shows what it covers' near 1 "$out" "$work/filled.png"
code=repaired
ok 'fields of a cross-reference stream that are far too wide are damage' warns "$work/widths.pdf" \
    --dpi 30

qpdf --encrypt secret owner 256 -- "$work/gray.pdf" "$work/locked.pdf"
code=password_required
ok 'an encrypted document needs inputPassword' says "$work/locked.pdf"
code=wrong_password
ok 'a wrong one is told from none' says "$work/locked.pdf" --inputPassword bad
ok 'the right one opens it' to_png "$work/locked.pdf" --inputPassword secret
ok 'the owner'\''s password opens it too' to_png "$work/locked.pdf" --inputPassword owner
qpdf --allow-weak-crypto --encrypt "$(printf 'g\344r')" x 128 --use-aes=n -- "$work/gray.pdf" \
    "$work/latin.pdf"
ok 'a password an old program wrote in Latin-1 opens it' to_png "$work/latin.pdf" \
    --inputPassword 'gär'
qpdf --allow-weak-crypto --encrypt 'gär' x 128 --use-aes=n --password-mode=bytes \
    -- "$work/gray.pdf" "$work/bytes.pdf" 2>/dev/null ||
    qpdf --allow-weak-crypto --password-mode=bytes --encrypt 'gär' x 128 --use-aes=n -- \
        "$work/gray.pdf" "$work/bytes.pdf"
ok 'and one it wrote in UTF-8' to_png "$work/bytes.pdf" --inputPassword 'gär'

if patched soft_mask; then
    python3 "$here/soft_masks.py" "$work"
    to_png "$work/transfer_plain.pdf" --dpi 72 >/dev/null && mv "$out" "$work/plain.png"
    ok 'the transfer functions of soft masks are applied' to_png "$work/transfer.pdf" --dpi 72
    ok 'as masks of the right levels are' near 0.3 "$out" "$work/plain.png"
    ok 'also at a high resolution' to_png "$work/transfer.pdf" --dpi 300
    mv "$out" "$work/large.png"
    to_png "$work/transfer_plain.pdf" --dpi 300 >/dev/null
    ok 'with the same levels' near 0.6 "$out" "$work/large.png"
    code=page_damaged
    ok 'a function that cannot be read is warned of' warns "$work/transfer_bad.pdf" --dpi 72
fi
mkdir "$work/layers"
python3 "$here/optional_content.py" "$work/layers"
for file in "$work/layers"/*_shown.pdf; do
    name=$(basename "$file" _shown.pdf)
    patched optional_content || continue
    to_png "$file" --dpi 50 >/dev/null && mv "$out" "$work/shown.png"
    ok "optional content, $name: what is hidden is not drawn" to_png "$work/layers/$name.pdf" --dpi 50
    ok "optional content, $name: what is visible is drawn" cmp "$out" "$work/shown.png"
done

python3 "$here/fields.py" "$work/fields.pdf"
python3 "$here/fields.py" "$work/empty.pdf" empty
to_png "$work/fields.pdf" --dpi 72 >/dev/null && mv "$out" "$work/fields.png"
ok 'fields whose appearances draw nothing are drawn' to_png "$work/empty.pdf" --dpi 72
ok 'as those that have none' near 0.1 "$out" "$work/fields.png"
python3 "$here/fields.py" "$work/scripts.pdf" scripts
sed 's/NeedAppearances true/NeedAppearances null/' "$work/scripts.pdf" >"$work/unasked.pdf"
is 'values in other scripts are drawn without a warning' "$(to_png "$work/scripts.pdf" --dpi 72 2>&1 | grep -c warning)" 0
mv "$out" "$work/scripts.png"
ok 'and where the form does not ask for it, too' \
    to_png "$work/unasked.pdf" --dpi 72
ok 'in the same way' near 0.1 "$out" "$work/scripts.png"
mutool draw -q -r 72 -o "$work/dots.png" "$work/unasked.pdf" 2>/dev/null
not_near() { ! near "$@"; }
ok 'and not as the dots that MuPDF draws in their place' not_near 1 "$out" "$work/dots.png"
python3 "$here/fields.py" "$work/fonts.pdf" fonts
ok 'values in fonts of the form are drawn' to_png "$work/fonts.pdf" --dpi 72
mv "$out" "$work/fonts.png"
case $runner in
*direct*) ;; # it has the tools of one program, and merge is of another
*)
    for file in fields fonts; do
        "$runner" run merge "$work/$file.pdf" "$SAMPLES/plain.pdf" --forms flatten -o "$work/flat.pdf" >/dev/null
        "$runner" run to-png "$work/flat.pdf" --pages 1 --dpi 72 -o "$work/flat.png" >/dev/null
        ok "$file: values are drawn as flattening draws them" near 0.2 "$work/$file.png" "$work/flat.png"
    done
    ;;
esac
done_testing
