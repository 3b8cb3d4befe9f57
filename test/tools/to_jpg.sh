#!/bin/sh
# to-jpg, judged by mutool draw and pdfimages; pictures are compared by $COMPARE (test/render).
. "$(dirname "$0")/tap.sh"
here=$(dirname "$0")
runner=$1
out=$work/out # no suffix: some results are a picture, some a ZIP
python3 "$here/pages.py" "$work"

to_jpg() { "$runner" run to-jpg "$@" -o "$out" 2>&1; }
# Width, height, channels, bits, and the resolution twice.
head_of() { "$COMPARE" "${1:-$out}"; }
warns() { to_jpg "$@" >"$work/said" && grep -q "$code" "$work/said"; }
says() { ! to_jpg "$@" >"$work/said" && grep -q "$code" "$work/said"; }
names() { unzip -Z1 "$out" | tr '\n' ' '; }
near() { "$COMPARE" "$2" "$3" | awk -v most="$1" '{ print; exit !(NF == 2 && $1 <= most) }'; }
size() { wc -c <"$1" | tr -d ' '; }

ok 'to-jpg works' to_jpg "$work/shade.pdf"
is '150 dpi are the default, and in the file' "$(head_of)" '417 209 3 8 150 150'
mutool draw -q -r 150 -o "$work/judge.png" "$work/shade.pdf" 1 2>/dev/null
ok 'it is near what mutool draws' near 2 "$out" "$work/judge.png"
to_jpg "$work/shade.pdf" --quality 100 >/dev/null
ok 'nearer with quality 100' near 0.7 "$out" "$work/judge.png"
large=$(size "$out")
to_jpg "$work/shade.pdf" --quality 20 >/dev/null
ok 'and larger than with 20' [ "$large" -gt "$(size "$out")" ]
to_jpg "$work/gray.pdf" --dpi 72 >/dev/null
is 'a gray page has one channel' "$(head_of)" '200 100 1 8 72 72'
to_jpg "$work/shade.pdf" --dpi 72 --color gray >/dev/null
is 'color=gray has too' "$(head_of)" '200 100 1 8 72 72'
mutool draw -q -r 72 -c gray -o "$work/judge.png" "$work/shade.pdf" 1 2>/dev/null
ok 'and is near what mutool draws' near 2 "$out" "$work/judge.png"
to_jpg "$work/large.pdf" --dpi 300 >/dev/null
is 'a large page is drawn in bands' "$(head_of)" '4167 4167 3 8 300 300'
mutool draw -q -r 300 -o "$work/judge.png" "$work/large.pdf" 1 2>/dev/null
ok 'that fit together' near 2 "$out" "$work/judge.png"
to_jpg "$work/note.pdf" --dpi 72 --annotations false >/dev/null
is 'without annotations the page is blank' "$(head_of)" '200 100 1 8 72 72'
to_jpg "$work/three.pdf" --dpi 30 --outputName report >/dev/null
is 'several pages are a ZIP, named by page' "$(names)" \
    'report_001.jpg report_002.jpg report_003.jpg '
code=invalid_parameter
ok 'quality has bounds' says "$work/gray.pdf" --quality 101
ok 'color is rgb or gray' says "$work/gray.pdf" --color mono
code=limit_exceeded
ok 'a page with too many pixels is refused' says "$work/huge.pdf" --dpi 300

to_jpg "$work/shade.pdf" --dpi 72 >/dev/null
mv "$out" "$work/photo.jpg"
python3 "$here/pages.py" "$work" "$work/photo.jpg"
extract() { to_jpg "$@" --mode extract --outputName x; }
ok 'mode=extract takes the embedded pictures out' extract "$work/embedded.pdf"
is 'each once, named by page and place, forms included' "$(names)" \
    'x_p001_1.jpg x_p001_2.png x_p002_1.j2k x_p002_2.png x_p004_1.png '
mkdir "$work/parts"
unzip -q "$out" -d "$work/parts"
ok 'a JPEG'\''s bytes are untouched' cmp "$work/photo.jpg" "$work/parts/x_p001_1.jpg"
is 'a JPEG 2000'\''s too' "$(cksum <"$work/parts/x_p002_1.j2k")" '545637895 155'
is 'a picture with a soft mask has alpha' \
    "$(python3 "$here/png_head.py" "$work/parts/x_p002_2.png")" '40 50 8 6 0'
pdfimages -png -f 1 -l 1 "$work/embedded.pdf" "$work/poppler"
ok 'others have the pixels pdfimages finds' near 0 "$work/parts/x_p001_2.png" \
    "$(find "$work" -name 'poppler-*.png' -size -1 -o -name 'poppler-002.png' | head -n 1)"
ok 'one JPEG is given itself' extract "$work/one.pdf"
ok 'with its bytes' cmp "$work/photo.jpg" "$out"
extract "$work/embedded.pdf" --pages 4 >/dev/null
is 'a picture that is no JPEG comes in a ZIP' "$(names)" 'x_p004_1.png '
extract "$work/meant.pdf" >/dev/null
is 'a JPEG that the document shows otherwise than its file says is a PNG' "$(names)" \
    'x_p001_1.png x_p001_2.png x_p002_1.png x_p003_1.jpg '
code=unsupported_content
ok 'where there are none that is said' says "$work/gray.pdf" --mode extract
mkdir "$work/unreadable"
/usr/bin/python3 "$here/unreadable.py" "$work/unreadable" "$(fc-match -f '%{file}' 'DejaVu Sans:style=Book')"
for kind in jbig2 jpx_none jpeg_none; do
    code='corrupt_file.*object 5'
    ok "where none can be read that is said ($kind)" says "$work/unreadable/bad_$kind.pdf" --mode extract
done
for kind in jpeg_cut jpeg_scans flate_short fax_cut; do
    code='page_damaged.*the image in object 5'
    ok "of one that can be read in part there is a warning ($kind)" warns "$work/unreadable/bad_$kind.pdf" --mode extract
done
is 'there is none of a JPEG without its end' "$(extract "$work/unreadable/good_jpeg.pdf")" ''

qpdf --encrypt secret owner 256 -- "$work/one.pdf" "$work/locked.pdf"
code=password_required
ok 'an encrypted document needs inputPassword' says "$work/locked.pdf" --mode extract
ok 'its pictures are decrypted' extract "$work/locked.pdf" --inputPassword secret
ok 'and as they were' cmp "$work/photo.jpg" "$out"
done_testing
