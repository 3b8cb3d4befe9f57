#!/bin/sh
# watermark, judged by poppler, MuPDF and qpdf. $1 runs a tool: `$1 run watermark FILE -o OUT`.
. "$(dirname "$0")/tap.sh"
runner=$1
out=$work/out.pdf
here=$(dirname "$0")

mark() { "$runner" run watermark "$@" -o "$out" 2>&1; }
blue() { mark "$@" --color '#00f' --opacity 1; }
ink() { python3 "$here/ink.py" "$out" "${1:-blue}"; }
sound() { qpdf --check "${1:-$out}"; }
says() { ! mark "$@" >"$work/said" && grep -q "$code" "$work/said"; }
warns() { mark "$@" >"$work/said" && grep -q "$code" "$work/said"; }
silent() { mark "$@" >"$work/said" && ! grep -q warning "$work/said"; }
text() { pdftotext -f 1 -l 1 "$out" - | tr -d '\n\f'; }
same() { [ "$1" = "$2" ]; }
size() { stat -c %s "$1"; }
# Each line of ink has these gaps: an expression of l, t, r and b.
but=
each() { ink | sed "$but" | awk '{ l = $2; t = $3; r = $4; b = $5 } NF != 6 || !('"$1"') { print; bad = 1 }
    END { exit bad || NR == 0 }'; }
# What of the page remains the same, pixel by pixel.
looks() { mutool draw -q -r 50 -F ppm -o - "$1" "$2" 2>/dev/null | cksum; }
poppler() { pdftoppm -cropbox -r 50 -f "$2" -l "$2" "$1" | cksum; }

ok 'watermark works' blue "$SAMPLES/rotations.pdf" --text WWW
ok 'the result is sound' sound
but=5d # a turn by 45 degrees: none for poppler, 90 for MuPDF
ok 'it is in the middle of pages turned in any way, and nowhere cut off' \
    each 'l > 4 && t > 4 && (l - r) ^ 2 < 900 && (t - b) ^ 2 < 900'
but=
upwards() { mutool draw -q -F stext "$out" "$1" 2>/dev/null | sed -n 's/.* x="\([^"]*\)" y="\([^"]*\)".*c="W".*/\1 \2/p' |
    awk 'NR == 1 { x = $1; y = $2 } END { exit !(NR == 3 && $1 > x + 50 && $2 < y - 50) }'; }
ok 'and goes from the bottom left to the top right' upwards 1
ok 'on a turned page too' upwards 2
ok 'it is on every page, whatever its boxes and its content' blue "$SAMPLES/boxes.pdf" --text WWW
ok 'in the middle, too' each 'l > 2 && t > 2 && (l - r) ^ 2 < 900 && (t - b) ^ 2 < 900'
ok 'and the result is sound' sound
for position in top-left:l,t top-center:c,t top-right:r,t middle-left:l,m middle-right:r,m \
    bottom-left:l,b bottom-center:c,b bottom-right:r,b; do
    near=$(echo "${position#*:}" | sed 's/,/ < 30 \&\& /; s/$/ < 30/
        s/c < 30/(l - r) ^ 2 < 99/; s/m < 30/(t - b) ^ 2 < 99/')
    blue "$SAMPLES/boxes.pdf" --text MM --rotation 0 --position "${position%:*}" >/dev/null
    ok "${position%:*} is where it says" each "$near && l + r > t * 0 + 50 && t + b > 90"
done
blue "$SAMPLES/boxes.pdf" --text 'a tile' --position tile >/dev/null
ok 'tiles reach from edge to edge' each 'l < 40 && t < 40 && r < 40 && b < 40'
blue "$SAMPLES/plain.pdf" --text X --fontSize 100 --rotation 0 >/dev/null
ok 'a size is what it says: an X of 100 points is 71 high' each '(400 - t - b - 71.4) ^ 2 < 4'
blue "$SAMPLES/plain.pdf" --text LLLL --rotation 90 >/dev/null
ok 'degrees turn the text counterclockwise' each 'l + r > 200 && t + b < 300'

mark "$SAMPLES/plain.pdf" --text strong --color f00 --opacity 1 >/dev/null
is 'opacity 1 hides what is below' \
    "$(mutool draw -q -F ppm -o - "$out" 1 2>/dev/null | tail -c +16 | od -An -v -tx1 -w3 |
        grep -c 'ff 00 00' | sed 's/....*/many/')" many
mark "$SAMPLES/plain.pdf" --text strong --color f00 --opacity 30 >"$work/said"
cp "$out" "$work/percent.pdf"
mark "$SAMPLES/plain.pdf" --text strong --color f00 --opacity 0.3 >/dev/null
is 'above 1 it is per cent' "$(looks "$work/percent.pdf" 1)" "$(looks "$out" 1)"
mark "$SAMPLES/plain.pdf" --text strong --opacity 0 >/dev/null
is 'with 0 nothing is to be seen' "$(poppler "$out" 1)" "$(poppler "$SAMPLES/plain.pdf" 1)"

# The black pixels of page 1; one renderer's, because its font is not embedded.
black() {
    mutool draw -q -r 72 -F ppm -o - "$1" 1 2>/dev/null | tail -c +16 | od -An -v -tx1 -w3 | grep -c '00 00 00'
}
blue "$SAMPLES/plain.pdf" --text 'Page 1' --fontSize 120 --rotation 0 --layer under >/dev/null
is 'under the content it hides nothing' "$(black "$out")" "$(black "$SAMPLES/plain.pdf")"
blue "$SAMPLES/plain.pdf" --text "$(printf 'MMMMM\nMMMMM\nMMMMM\nMMMMM')" --rotation 0 >/dev/null
ok 'over it, it does' [ "$(black "$out")" -lt "$(black "$SAMPLES/plain.pdf")" ]
blue "$SAMPLES/plain.pdf" --text MM --pages 2 >/dev/null
is 'only the pages asked for are marked' "$(ink | awk '{ print ($2 == "none") }' | tr -d '\n')" 101

blue "$SAMPLES/shared.pdf" --text MM --pages 3-4 >/dev/null
for page in 1 2 5 10; do
    is "page $page shares its resources with marked ones, and looks as before" \
        "$(looks "$out" $page) $(poppler "$out" $page)" \
        "$(looks "$SAMPLES/shared.pdf" $page) $(poppler "$SAMPLES/shared.pdf" $page)"
done
blue "$SAMPLES/boxes.pdf" --text MM --pages 11 >/dev/null
is 'of two pages that share their content one is marked' \
    "$(ink | awk '$1 == 11 || $1 == 12 { print ($2 == "none") }' | tr -d '\n')" 01

# Text is text, in every script.
script() { # NAME TEXT
    ok "$1 is written" silent "$SAMPLES/plain.pdf" --text "$2" --rotation 0
    ok 'and can be read out of the result' same "$(text | sed 's/^Page 1//' | tr -d '\342\200\252\253\254' |
        tr -d ' ')" "$(printf %s "$2" | tr -d '\342\200\252\253\254' | tr -d ' ')"
    ok 'its fonts are embedded subsets' sh -c "pdffonts -f 1 -l 1 '$out' | awk 'NR > 2 && !/Helvetica/ &&
        !/yes yes yes/ { print; bad = 1 } END { exit bad || NR < 4 }'"
    ok 'the file grows by less than 60 kB' [ $(($(size "$out") - $(size "$SAMPLES/plain.pdf"))) -lt 60000 ]
}
script Latin 'Ångström Žižek fi'
script Greek 'Απόρρητο'
script Cyrillic 'Конфиденциально'
script Arabic 'سري'
script Hebrew 'סודי'
script Thai 'ลับมาก'
script Chinese '机密文件'
script Japanese '機密のコピー'
script Korean '대외비'
ok 'Devanagari is written' silent "$SAMPLES/plain.pdf" --text 'गोपनीय' --rotation 0
ok 'with its own font' sh -c "pdffonts '$out' | grep -q Devanagari"
ok 'emoji are written' silent "$SAMPLES/plain.pdf" --text '🔒🎉' --rotation 0 --opacity 1
ok 'in colour' sh -c "python3 '$here/ink.py' '$out' red | grep -qv none"
ok 'line breaks are kept' silent "$SAMPLES/plain.pdf" --text "$(printf 'one\r\ntwo')" --rotation 0
is 'as lines' "$(pdftotext -f 1 -l 1 "$out" - | grep -c -e '^one$' -e '^two$')" 2
long=$(printf '%0500d' 0 | sed 's/0000000000/confiden /g')
ok 'a long text is broken into lines that fit' blue "$SAMPLES/boxes.pdf" --text "$long"
ok 'on every page' each 'l >= 2 && t >= 2 && r >= 2 && b >= 2'

code=text_not_encodable
ok 'a character that no font has is refused' says "$SAMPLES/plain.pdf" \
    --text "$(printf 'a\364\217\277\275')"
ok 'and named' grep -q 'U+10FFFD' "$work/said"
code=font_substituted
ok 'a font that is not installed is replaced, with a warning' warns "$SAMPLES/plain.pdf" --text a \
    --font 'No Such Font'
ok 'one that is installed is used' silent "$SAMPLES/plain.pdf" --text a --font 'DejaVu Sans Bold'
ok 'and no other' sh -c "pdffonts '$out' | grep -q DejaVuSans-Bold"
code=signature_invalidated
ok 'a broken signature is told' warns "$SAMPLES/merge_one.pdf" --text a
code=page_range_clamped
ok 'a page list beyond the end is clamped' warns "$SAMPLES/plain.pdf" --text a --pages 2-9
code=text_shrunk
ok 'a size that does not fit is made smaller, with a warning' warns "$SAMPLES/plain.pdf" \
    --text Confidential --fontSize 300
code=invalid_parameter
for wrong in '--text=a --opacity=101' '--text=a --color=red' '--text=a --fontSize=big' \
    '--text=a --position=left' '--text=a --layer=middle'; do
    # shellcheck disable=SC2046 # words
    ok "refused: $wrong" says "$SAMPLES/plain.pdf" $(echo "$wrong" | tr '=' ' ')
done
ok 'an empty text is refused' says "$SAMPLES/plain.pdf" --text ''
ok 'a text of blanks is refused' says "$SAMPLES/plain.pdf" --text '  '
code=missing_field
ok 'text must be given' says "$SAMPLES/plain.pdf"

layers() { qpdf --json "$1" | jq -r '.qpdf[1] as $o | [$o[] | objects | .value? | objects |
    select(.["/Type"] == "/OCG") | .["/Name"]] | sort | join(" ")'; }
config() { qpdf --json "$1" | jq -c '.qpdf[1] as $o | $o["obj:" + ($o.trailer.value["/Root"])].value
    ["/OCProperties"] | if type == "string" then $o["obj:" + .].value else . end |
    [.["/D"]["/Order"], .["/D"]["/ON"], .["/OCGs"]] | map(length)'; }
mark "$SAMPLES/plain.pdf" --text M >/dev/null
is 'it is in a layer named Watermark' "$(layers "$out")" u:Watermark
is 'that is listed and shown' "$(config "$out")" '[1,1,1]'
blue "$SAMPLES/plain.pdf" --text M >/dev/null
qpdf --qdf --object-streams=disable "$out" - | sed 's,/ON \[,/OFF [,' >"$work/off.qdf"
fix-qdf "$work/off.qdf" >"$out"
is 'and can be hidden' "$(ink | sort -u -k 2 | cut -d ' ' -f 2)" none
python3 "$here/optional_content.py" "$work"
sed 's,/D<</BaseState,/Configs[<</BaseState/OFF>>]/D<</BaseState,' "$work/base_off.pdf" >"$work/off.pdf"
blue "$work/off.pdf" --text M >/dev/null
is 'a mark is seen where every configuration has all other layers off' "$(ink | grep -c none)" 0
"$runner" run to-png "$out" -o "$work/off.png" >/dev/null 2>&1
"$runner" run jpg-to-pdf "$work/off.png" -o "$out" >/dev/null 2>&1
is 'by to-png too' "$(ink | grep -c none)" 0
mark "$SAMPLES/features.pdf" --text M >/dev/null
is 'the layers there were stay' "$(layers "$out")" "$(layers "$SAMPLES/features.pdf") u:Watermark"
ok 'the result is sound' sound
is 'outline, destinations, form, tags and labels survive' \
    "$(qpdf --qdf --object-streams=disable "$out" - | grep -ac Zulu)" \
    "$(qpdf --qdf --object-streams=disable "$SAMPLES/features.pdf" - | grep -ac Zulu)"
artifacts() { for page in 1 2 3 4 5 6; do qpdf "$out" --pages . $page -- --qdf - |
    grep -a '^/Artifact<</Type/Pagination/Subtype/Watermark>>BDC'; done; }
is 'the text is no part of the content that is read aloud' "$(artifacts | wc -l)" 6
ok 'a damaged document is repaired on the way in' mark "$SAMPLES/damaged.pdf" --text M
ok 'and the result is sound' sound

python3 "$here/open_content.py" "$work/open.pdf"
whole() { pdftotext "$1" - | grep -c Whole; }
ok 'content that ends inside a token is marked' \
    mark "$work/open.pdf" --text WWW --color '#f00' --opacity 1
is 'and the mark is seen on every page' "$(ink red | awk 'NF == 6 && $2 > 2 && $3 > 2 && ($2 - $4) ^ 2 < 900 &&
    ($3 - $5) ^ 2 < 900' | wc -l)" 29
is 'with what was there before' "$(whole "$out")" "$(whole "$work/open.pdf")"
mark "$work/open.pdf" --text WWW --layer under >/dev/null
is 'under the page the content stays the page'\''s' "$(qpdf --json "$out" | grep -c PageContent)" 0

qpdf --encrypt secret owner 256 -- "$SAMPLES/plain.pdf" "$work/locked.pdf"
code=password_required
ok 'an encrypted document needs inputPassword' says "$work/locked.pdf" --text M
ok 'with it, it is marked' mark "$work/locked.pdf" --text M --inputPassword secret
ok 'and needs the same password' qpdf --check --password=secret "$out"
ok 'and does not open without' sh -c "! qpdf --check '$out'"

# A hundred pages of one size.
# shellcheck disable=SC2046 # words
qpdf --empty --pages $(yes "$SAMPLES/plain.pdf" | head -n 34) -- --object-streams=generate "$work/many.pdf"
mark "$work/many.pdf" --text Confidential >/dev/null
ok 'a file grows by 60 kB and 1 kB a page at most' \
    [ $(($(size "$out") - $(size "$work/many.pdf"))) -lt $((60000 + 102 * 1000)) ]
is 'pages of one size share one form' \
    "$(qpdf --json "$out" | jq '[.qpdf[1][] | .stream? | objects | .dict |
        select(.["/Subtype"] == "/Form" and has("/OC"))] | length')" 1

python3 "$(dirname "$0")/excess.py" "$work"
code=limit_exceeded
ok 'content that unpacks to an eighth of a gigabyte is not unpacked' \
    says "$work/few_runs.pdf" --text M
ok 'nor is content of two hundred thousand streams' says "$work/streams.pdf" --text M

# A picture or a page in place of a text: a blue rectangle, twice as wide as high.
python3 - "$work" <<'END'
import struct, sys, zlib
def chunk(kind, data):
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
rows = b"".join(b"\0" + b"\0\0\xff\xff" * 200 for _ in range(100))
open(sys.argv[1] + "/blue.png", "wb").write(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", 200, 100, 8, 6, 0, 0, 0))
    + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b""))
END
python3 "$here/pdf_builder.py" "$work/pages.pdf" <<'END'
<</Type/Catalog/Pages 2 0 R>>
<</Type/Pages/Count 2/Kids[3 0 R 4 0 R]>>
<</Type/Page/Parent 2 0 R/MediaBox[0 0 99 99]>>
<</Type/Page/Parent 2 0 R/MediaBox[50 50 150 250]/Rotate 90/Contents 5 0 R/Resources<</Font<</F 6 0 R>>>>/Annots[7 0 R]>>
<<>> stream 0 0 1 rg 50 50 100 200 re f 1 g BT /F 12 Tf 0 1 -1 0 100 60 Tm (Letterhead) Tj ET
<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>
<</Type/Annot/Subtype/Link/Rect[0 0 9 9]/A<</S/URI/URI(a)>>>>
END
image() { mark "$@" --opacity 1; }
# Pages are 300 by 400 points.
upright='l > 64 && l < 70 && (l - r) ^ 2 < 9 && (t - b) ^ 2 < 9'
ok 'a picture can be put on pages' image "$SAMPLES/plain.pdf" --image "$work/blue.png"
ok 'and the result is sound' sound
ok 'it stands upright in the middle, over six tenths of the page' each "$upright"
ok 'a page of a PDF can be, too' image "$SAMPLES/plain.pdf" --image "$work/pages.pdf" --imagePage 2
ok 'as it is seen' each "$upright"
is 'its text stays text' "$(pdftotext -f 1 -l 1 "$out" - | grep -c Letterhead)" 1
code=annotations_dropped
ok 'what it has besides content is left out with a warning' warns "$SAMPLES/plain.pdf" --image "$work/pages.pdf" --imagePage 2
ok 'it is as wide as wanted, in a corner' image "$SAMPLES/plain.pdf" --image "$work/blue.png" --imageWidth 100 --position bottom-right
ok 'to the point' each '(300 - l - r - 100) ^ 2 < 9 && (400 - t - b - 50) ^ 2 < 9 && r < 30 && b < 30'
ok 'and turned' image "$SAMPLES/plain.pdf" --image "$work/blue.png" --imageWidth 100 --rotation 90
ok 'counterclockwise' each '(300 - l - r - 50) ^ 2 < 9 && (400 - t - b - 100) ^ 2 < 9'
code=picture_shrunk
ok 'one that is too wide is made smaller, with a warning' warns "$SAMPLES/plain.pdf" --image "$work/blue.png" --imageWidth 2000
ok 'it is repeated all over the page' image "$SAMPLES/plain.pdf" --image "$work/blue.png" --position tile
is 'and stored once' "$(qpdf --qdf --object-streams=disable "$out" - | grep -ac '/Subtype /Image')" 1
ok 'on pages turned in any way, too' image "$SAMPLES/rotations.pdf" --image "$work/blue.png"
but=5d # as above
ok 'in the middle' each '(l - r) ^ 2 < 900 && (t - b) ^ 2 < 900'
code=invalid_parameter
ok 'a font belongs to a text' says "$SAMPLES/plain.pdf" --image "$work/blue.png" --fontSize 9
ok 'and a width to a picture' says "$SAMPLES/plain.pdf" --text A --imageWidth 9
ok 'a page that is not there is refused' says "$SAMPLES/plain.pdf" --image "$work/pages.pdf" --imagePage 3
printf 'no picture' >"$work/text.png"
ok 'so is what is not a picture' says "$SAMPLES/plain.pdf" --image "$work/text.png"
ok 'a text and a picture at once' says "$SAMPLES/plain.pdf" --image "$work/blue.png" --text A
code=missing_field
ok 'and neither of them' says "$SAMPLES/plain.pdf"
done_testing
