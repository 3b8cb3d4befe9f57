#!/bin/sh
# What sign puts on pages besides a signature, and without one: judged by qpdf, poppler and MuPDF.
# $1 runs a tool, as `platen run` does.
. "$(dirname "$0")/tap.sh"
runner=$1
here=$(dirname "$0")
out=$work/out.pdf
LC_ALL=C.UTF-8
export LC_ALL
export XDG_DATA_HOME="$work/share" # the seal is not made at home

raw() { "$runner" run sign "$@" -o "$out" 2>&1; }
plain() { raw "$@" --seal false; }
# says FILE OPTION...: whether it fails with $code, and what it said is in $work/said.
says() { ! plain "$@" >"$work/said" && grep -q "^[^ ]* *$code" "$work/said"; }
sound() { qpdf --check "$@" "$out" 2>&1 | grep 'No syntax or stream'; }
keeps() { cmp -n "$(stat -c %s "$1")" "$1" "$out"; }
holds() {
    pdfsig -nocert "${1:-$out}" >"$work/pdfsig" 2>/dev/null
    echo "$(grep -c 'Signature is Valid' "$work/pdfsig") $(grep -c 'Total document signed' "$work/pdfsig")"
}
seen() { # FILE PAGE DPI: where red is on a page as poppler shows it, in pixels
    pdftoppm -r "$3" -cropbox -f "$2" -l "$2" "$1" "$work/seen" && python3 "$here/sign_ink.py" --seen "$work"/seen-*.ppm
    rm -f "$work"/seen-*.ppm
}
drawn() { # FILE PAGE DPI: the same by MuPDF
    mutool draw -q -r "$3" -o "$work/drawn.ppm" "$1" "$2" 2>/dev/null
    python3 "$here/sign_ink.py" --seen "$work/drawn.ppm"
}
# near LEFT TOP RIGHT BOTTOM SEEN...: whether what was seen is there, but for two pixels
near() {
    echo "$@" | awk '{ for (i = 1; i <= 4; i++) if ($i - $(i + 4) > 2 || $(i + 4) - $i > 2 || $(i + 4) == "") { print "not near: " $0; exit }; print "near" }'
}
python3 "$here/sign_ink.py" "$work/ink.png"
python3 "$here/sign_inputs.py" "$work"
python3 "$here/sign_marks.py" "$work"

# A picture alone.
ok 'a picture is put on a page without a signature' plain "$SAMPLES/plain.pdf" --image "$work/ink.png" --page 2 --box 60,100,240,80
ok 'no signature is made' sh -c "pdfsig '$out' | grep -q 'does not contain any signatures'"
is 'nor a field for one' "$(mutool show "$out" trailer/Root/AcroForm)" null
ok 'every byte of the document is kept' keeps "$SAMPLES/plain.pdf"
ok 'the result is sound' sound
# shellcheck disable=SC2046 # four numbers
is 'it is where it was said' "$(near 60 100 300 180 $(seen "$out" 2 72))" near
is 'and nowhere else' "$(seen "$out" 1 72) $(seen "$out" 3 72)" 'nowhere nowhere'
is 'the picture is in the file once, with what is transparent' \
    "$(pdfimages -list "$out" | awk 'NR > 2 { print $3, $4, $5 }' | tr '\n' ' ')" 'image 240 80 smask 240 80 '
ok 'a picture has a place without a box' plain "$SAMPLES/plain.pdf" --image "$work/ink.png" --position top-left
# shellcheck disable=SC2046
is 'in the corner that was said' "$(near 28 28 118 58 $(seen "$out" 3 72))" near

# Several marks, on pages that are turned, cropped and in units of two points, which poppler ignores.
mark='"width":120,"type":"image"'
plain "$work/crop.pdf" --image "$work/ink.png" --placements "[{\"page\":1,\"x\":60,\"y\":40,$mark},{\"page\":2,\"x\":60,\"y\":40,$mark},
    {\"page\":\"3\",\"x\":60,\"y\":40,$mark},{\"page\":\"last\",\"x\":60,\"y\":40,$mark}]" >/dev/null
for page in 1 2 3 4; do
    # shellcheck disable=SC2046
    is "a mark is where it was said, upright (page $page)" "$(near 60 40 180 80 $(seen "$out" $page 144))" near
    # shellcheck disable=SC2046
    is "and MuPDF agrees (page $page)" "$(near 60 40 180 80 $(drawn "$out" $page 72))" near
done
is 'the picture is in the file once' "$(pdfimages -list "$out" | awk '$3 == "image" { print $11 }' | sort -u | wc -l)" 1
plain "$SAMPLES/plain.pdf" --placements '[{"type":"tick","page":1,"x":100,"y":100,"width":100,"color":"#f00","rotation":90}]' >/dev/null
# The tick without its line's width is 84 by 70, its lowest point left of the middle.
# shellcheck disable=SC2046
is 'a turned mark turns counterclockwise around its middle' "$(near 107 101 191 200 $(seen "$out" 1 72))" near
plain "$SAMPLES/plain.pdf" --initials "$work/ink.png" --placements '[{"type":"initials","page":1,"x":30,"y":30,"width":60},
    {"type":"text","page":2,"x":30,"y":30,"width":120,"text":"1. Mai 2026 Łukasz"},{"type":"text","page":3,"x":30,"y":30,"width":120,"text":"Ελένη"},
    {"type":"cross","page":3,"x":200,"y":200,"width":20,"color":"#ff0000"}]' >/dev/null
# shellcheck disable=SC2046
is 'initials have a picture of their own' "$(near 30 30 90 50 $(seen "$out" 1 72))" near
is 'a text is written' "$(pdftotext -f 2 -l 2 "$out" - | grep -c 'Łukasz') $(pdftotext -f 3 -l 3 "$out" - | grep -c 'Ελένη')" '1 1'
is 'as wide as was said' "$(pdftotext -f 2 -l 2 -bbox "$out" - | sed -n 's/.*xMin="\([0-9.]*\)".*>1\.<.*/\1/p; s/.*xMax="\([0-9.]*\)".*>Łukasz<.*/\1/p' |
    awk '{ printf "%.0f ", $1 }')" '30 150 '
# shellcheck disable=SC2046
is 'a cross is drawn' "$(near 201 201 219 219 $(seen "$out" 3 72))" near
ok 'the result with all of them is sound' sound
plain "$SAMPLES/plain.pdf" --placements "[$(for i in $(seq 50); do echo "{\"type\":\"text\",\"x\":20,\"y\":$((7 * i)),\"width\":30,\"text\":\"Word $i\"},"; done) {\"type\":\"tick\",\"x\":9,\"y\":9,\"width\":9}]" >/dev/null
is 'many texts share their font' "$(pdffonts "$out" | grep -c 'Noto\|DejaVu') $(pdftotext -f 3 "$out" - | grep -c Word)" '1 50'

# Content and resources that make it hard.
for file in scaled restored open none inherited strange; do
    ok "$file: a mark is put" plain "$work/$file.pdf" --placements '[{"type":"tick","page":1,"x":100,"y":100,"width":100,"color":"#f00"}]'
    # shellcheck disable=SC2046
    is "$file: where it was said" "$(near 101 107 200 191 $(seen "$out" 1 72))" near
    # shellcheck disable=SC2046
    is "$file: MuPDF agrees" "$(near 101 107 200 191 $(drawn "$out" 1 72))" near
    is "$file: as sound as it was" "$(sound | wc -l)" "$(qpdf --check "$work/$file.pdf" 2>&1 | grep -c 'No syntax or stream')"
    is "$file: the page has its text" "$(pdftotext -l 1 "$out" - 2>/dev/null | grep -c Zulu)" "$(pdftotext -l 1 "$work/$file.pdf" - 2>/dev/null | grep -c Zulu)"
done
plain "$work/inherited.pdf" --placements '[{"type":"tick","page":1,"x":100,"y":100,"width":100,"color":"#f00"}]' >/dev/null
is 'a page that shares resources is as it was' "$(seen "$out" 2 72) $(pdftotext -f 2 "$out" - | grep -c Zulu)" 'nowhere 1'
for file in streams linear hybrid shared-annots; do
    [ -f "$work/$file.pdf" ] || qpdf --object-streams=generate "$SAMPLES/features.pdf" "$work/$file.pdf"
    plain "$work/$file.pdf" --placements '[{"type":"tick","page":1,"x":100,"y":100,"width":100,"color":"#f00"}]' >/dev/null
    # shellcheck disable=SC2046
    is "$file: marked, sound, kept" "$(near 101 107 200 191 $(seen "$out" 1 72)) $(sound | wc -l) $(keeps "$work/$file.pdf" && echo kept)" 'near 1 kept'
done
qpdf --encrypt user owner 256 -- "$SAMPLES/features.pdf" "$work/locked.pdf"
plain "$work/locked.pdf" --inputPassword user --image "$work/ink.png" --placements '[{"type":"image","page":1,"x":60,"y":100,"width":240},{"type":"text","page":1,"x":60,"y":40,"width":90,"text":"Wörld"}]' >/dev/null
is 'in an encrypted document marks are encrypted' "$(sound --password=user | wc -l) $(pdftotext -upw user -l 1 "$out" - | grep -c Wörld) $(pdfimages -upw user -list "$out" | grep -c 'smask *240')" '1 1 1'
code=corrupt_file
ok 'what needs repair is told so' says "$work/damaged.pdf" --image "$work/ink.png"

# With a signature, and in signed documents.
two='[{"type":"text","page":1,"x":30,"y":30,"width":90,"text":"Before"},{"type":"tick","page":"last","x":100,"y":100,"width":100,"color":"#f00"}]'
ok 'marks are put before the document is sealed' raw "$SAMPLES/plain.pdf" --signerName Ada --placements "$two"
is 'one signature holds, for all of it' "$(holds)" '1 1'
# shellcheck disable=SC2046
is 'with the marks' "$(pdftotext -l 1 "$out" - | grep -c Before) $(near 101 107 200 191 $(seen "$out" 3 72))" '1 near'
ok 'sealed, the result is sound' sound
raw "$SAMPLES/plain.pdf" --signerName Ada --visible false --image "$work/ink.png" --placements '[{"type":"image","page":1,"x":60,"y":100,"width":200}]' >/dev/null
# shellcheck disable=SC2046
is 'an invisible signature leaves the picture alone' "$(holds) $(pdftotext "$out" - | grep -c Ada) $(near 60 100 260 167 $(seen "$out" 1 72))" '1 1 0 near'
raw "$SAMPLES/plain.pdf" --signerName Ada --page 1 --image "$work/ink.png" --placements '[{"type":"image","page":2,"x":60,"y":100,"width":200}]' >/dev/null
is 'a picture that a mark shows is not in the box, too' "$(holds) $(pdftotext -l 1 "$out" - | grep -c Ada) $(seen "$out" 1 72)" '1 1 1 nowhere'
raw "$SAMPLES/plain.pdf" --signerName Ada --visible false --image "$work/ink.png" --placements '[{"type":"image","page":1,"x":60,"y":100,"width":200}]' >/dev/null
cp "$out" "$work/signed.pdf"
plain "$work/signed.pdf" --placements "$two" >"$work/said"
is 'in a signed document the earlier signature holds' "$(holds)" '1 0'
ok 'as marks are annotations there, which is said' grep -q marks_annotated "$work/said"
is 'that readers do not let people move' "$(mutool show "$out" pages/3/Annots/2/F)" 708
ok 'that nothing in it was touched' keeps "$work/signed.pdf"
ok 'a second signature comes with marks of its own' raw "$work/signed.pdf" --signerName Bob --placements "$two"
is 'and both hold' "$(holds)" '2 1'
# shellcheck disable=SC2046
is 'with what was marked' "$(pdftotext -l 1 "$out" - | grep -c Before) $(near 101 107 200 191 $(seen "$out" 3 72))" '1 near'
code=unsupported_content
for kind in no-changes forms; do
    raw "$SAMPLES/plain.pdf" --signerName Ada --certify "$kind" --placements "$two" >/dev/null
    is "a certification covers the marks it came with ($kind)" "$(holds)" '1 1'
    cp "$out" "$work/certified.pdf"
    ok "and allows no others ($kind)" says "$work/certified.pdf" --placements "$two"
    ok "in words ($kind)" grep -q 'certifies that' "$work/said"
done

# What is refused, with the mark that is wrong.
code=invalid_parameter
while IFS='|' read -r what list; do
    ok "$what is refused" says "$SAMPLES/plain.pdf" --placements "$list"
    ok "by its place ($what)" grep -q 'placements' "$work/said"
done <<'LIST'
no list|{"type":"tick"}
an empty list|[]
what is no JSON|[{"type":"tick",]
a mark that is no object|[1]
an unknown type|[{"type":"stamp","x":1,"y":1,"width":9}]
an unknown key|[{"type":"tick","x":1,"y":1,"width":9,"height":9}]
a mark without a place|[{"type":"tick","y":1,"width":9}]
a place that is a text|[{"type":"tick","x":"1","y":1,"width":9}]
a place beyond the page|[{"type":"tick","page":1,"x":290,"y":1,"width":90}]
one below it|[{"type":"tick","page":1,"x":10,"y":395,"width":20}]
a negative place|[{"type":"tick","x":-5,"y":1,"width":9}]
a width of nothing|[{"type":"tick","x":1,"y":1,"width":0}]
an endless width|[{"type":"tick","x":1,"y":1,"width":1e308}]
several pages|[{"type":"tick","page":"1-2","x":1,"y":1,"width":9}]
a page of another type|[{"type":"tick","page":[1],"x":1,"y":1,"width":9}]
a text without words|[{"type":"text","x":1,"y":1,"width":9,"text":"  "}]
a control character|[{"type":"text","x":1,"y":1,"width":9,"text":"a\u0007"}]
words of a tick|[{"type":"tick","x":1,"y":1,"width":9,"text":"a"}]
a colour that is none|[{"type":"tick","x":1,"y":1,"width":9,"color":"blue"}]
two of one key|[{"type":"tick","x":1,"x":2,"y":1,"width":9}]
LIST
ok 'more than 500 marks are refused' says "$SAMPLES/plain.pdf" --placements "[$(for i in $(seq 500); do printf '{"type":"tick","x":9,"y":9,"width":9},'; done)1]"
ok 'so is JSON that is nested deep' says "$SAMPLES/plain.pdf" --placements "$(head -c 40000 /dev/zero | tr '\0' '[')"
ok 'and a text of 501 characters' says "$SAMPLES/plain.pdf" --placements "[{\"type\":\"text\",\"x\":1,\"y\":1,\"width\":9,\"text\":\"$(head -c 501 /dev/zero | tr '\0' a)\"}]"
code=page_out_of_range
ok 'a page that is not there is named' says "$SAMPLES/plain.pdf" --placements '[{"type":"tick","page":1,"x":1,"y":1,"width":9},{"type":"tick","page":7,"x":1,"y":1,"width":9}]'
ok 'with its mark' grep -q 'placements\[1\]' "$work/said"
code=text_not_encodable
ok 'a character without a glyph is said' says "$SAMPLES/plain.pdf" --placements "[{\"type\":\"text\",\"x\":1,\"y\":1,\"width\":90,\"text\":\"$(printf '\363\260\200\200')\"}]"
code=missing_field
ok 'a picture that is placed must be there' says "$SAMPLES/plain.pdf" --placements '[{"type":"image","x":1,"y":1,"width":9}]'
ok 'so must initials' says "$SAMPLES/plain.pdf" --placements '[{"type":"initials","x":1,"y":1,"width":9}]'
ok 'nothing to put is nothing to do' says "$SAMPLES/plain.pdf"
code=invalid_parameter
ok 'initials that nothing shows are refused' says "$SAMPLES/plain.pdf" --initials "$work/ink.png" --placements "$two"
for option in signerName=A reason=A visible=false level=B-B certify=none fieldName=A; do
    ok "what belongs to a signature is refused without one ($option)" says "$SAMPLES/plain.pdf" --image "$work/ink.png" "--${option%=*}" "${option#*=}"
done
ok 'a box and placements are refused together' says "$SAMPLES/plain.pdf" --image "$work/ink.png" --box 10,10,90,90 --placements "$two"
printf 'GIF89a\001\0\001\0\200\0\0\0\0\0\377\377\377,\0\0\0\0\001\0\001\0\0\002\002D\001\0;' >"$work/dot.gif"
ok 'initials of another kind are refused' says "$SAMPLES/plain.pdf" --initials "$work/dot.gif" --placements '[{"type":"initials","x":1,"y":1,"width":9}]'
ok 'by their name' grep -q initials "$work/said"
done_testing
