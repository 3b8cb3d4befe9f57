#!/bin/sh
# sign, judged by pdfsig, openssl, qpdf, MuPDF and rendered pages. $1 runs a tool, as `platen run`
# does.
. "$(dirname "$0")/tap.sh"
runner=$1
here=$(dirname "$0")
out=$work/out.pdf
# qpdf takes passwords in the locale's encoding.
LC_ALL=C.UTF-8
export LC_ALL

export XDG_DATA_HOME="$work/share" # the seal is not made at home
raw() { "$runner" run sign "$@" -o "$out" 2>&1; }
# With the signer's certificate.
sign() { raw "$@" --certificate "$work/${key:-p256}.p12" --certificatePassword secret; }
says() { ! sign "$@" --signerName A >"$work/said" && grep -q "$code" "$work/said"; }
warns() { sign "$@" --signerName A >"$work/said" && grep -q "$code" "$work/said"; }
refuses() { ! "$@"; }
# How many signatures of the result hold, and how many cover all of it: "2 1".
holds() {
    # shellcheck disable=SC2086 # a list of options
    pdfsig -nocert $opens "${1:-$out}" >"$work/pdfsig" 2>/dev/null
    echo "$(grep -c 'Signature is Valid' "$work/pdfsig") $(grep -c 'Total document signed' "$work/pdfsig")"
}
opens=
sound() { qpdf --check "$@" "$out" 2>&1 | grep 'No syntax or stream'; }
# Whether all bytes of a document are those the result begins with.
keeps() { cmp -n "$(stat -c %s "$1")" "$1" "$out"; }
# The Nth signature as openssl sees it.
verifies() {
    python3 "$here/sign_inputs.py" --extract "$out" "$1" "$work/signed" "$work/cms" &&
        openssl cms -verify -cades -binary -inform DER -in "$work/cms" -content "$work/signed" \
            -CAfile "$work/ca.pem" -purpose any -out /dev/null
}
attributes() { openssl cms -cmsout -print -noout -inform DER -in "$work/cms"; }
value() { mutool show "$out" "trailer/Root/AcroForm/Fields/${2:-1}/V/$1"; }

. "$here/sign_keys.sh"
certificates >/dev/null 2>&1
python3 "$here/sign_inputs.py" "$work"

for key in rsa p256 p384 old; do
    ok "a key of the kind $key signs" sign "$SAMPLES/plain.pdf" --signerName 'Jane Doe'
    is "and the signature holds, for all of the document ($key)" "$(holds)" '1 1'
    ok "openssl verifies its container with the whole chain ($key)" verifies 1
    ok "every byte of the document is kept ($key)" keeps "$SAMPLES/plain.pdf"
done
key=p256
ok 'the result is sound' sound
is 'it is PAdES' "$(value SubFilter)" /ETSI.CAdES.detached
verifies 1 >/dev/null 2>&1
is 'with the three attributes it wants, and no signing time' \
    "$(attributes | sed -n 's/.*object: \(id-smime-aa\|contentType\|messageDigest\|signingTime\|id-smime\|S\/MIME\)\([^ ]*\).*/\1\2/p' | sort | tr '\n' ' ')" \
    'contentType id-smime-aa-signingCertificateV2 messageDigest '
is 'and the chain' "$(attributes | grep -c 'subject: CN=\(Root\|Middle\|Signer old\)')" 3
cp "$out" "$work/changed.pdf"
printf 'X' | dd of="$work/changed.pdf" bs=1 seek=500 conv=notrunc 2>/dev/null
is 'a changed byte breaks it' "$(holds "$work/changed.pdf")" '0 1'

sign "$SAMPLES/plain.pdf" --signerName 'Ελένη (Ω)' --reason '契約' --location 'Linz \ Wien' >/dev/null
is 'the name is kept in any script' "$(qpdf --json=2 --json-key=qpdf "$out" | jq -r \
    '.qpdf[1][].value? | select(."/Type"? == "/Sig") | ."/Name", ."/Reason", ."/Location"')" \
    "$(printf 'u:Ελένη (Ω)\nu:契約\nu:Linz \\ Wien')"
ok 'and shown' sh -c "pdftotext '$out' - | grep 'Ελένη (Ω)'"
ok 'with the reason' sh -c "pdftotext '$out' - | grep 'Reason: 契約'"
ok 'and the place' sh -c "pdftotext '$out' - | grep -F 'Location: Linz \\ Wien'"
ok 'and the time' sh -c "pdftotext '$out' - | grep 'Date: 20.* UTC'"
is 'on the last page' "$(pdftotext -f 3 "$out" - | grep -c Ελένη)" 1
is 'its fonts are embedded' "$(pdffonts "$out" | awk 'NR > 2 && !/yes yes yes/' | grep -c Noto)" 0
for text in 'علي بن محمد' '山田 太郎' 'अनिता शर्मा' 'שרה כהן' '김민수'; do
    ok "$text can sign" sign "$SAMPLES/plain.pdf" --signerName "$text" --page 1
    ok "with a font for it ($text)" [ "$(pdffonts "$out" | grep -c 'yes yes yes')" -ge 2 ]
done
code=text_not_encodable
ok 'a character without a glyph is said, and no box is drawn' says "$SAMPLES/plain.pdf" \
    --reason "$(printf '\363\240\204\200\363\260\200\200')"
sign "$SAMPLES/plain.pdf" --signerName "$(printf 'Jane\nDoe')" >/dev/null
is 'a name is one line' "$(qpdf --json=2 --json-key=qpdf "$out" | jq -r \
    '.qpdf[1][].value? | select(."/Type"? == "/Sig") | ."/Name"')" 'u:Jane Doe'
ok 'invisible works' sign "$SAMPLES/plain.pdf" --signerName Nobody --visible false
is 'and holds' "$(holds)" '1 1'
ok 'and shows nothing' refuses sh -c "pdftotext '$out' - | grep -q Nobody"

# A picture of the signature, and a box at a place of its own.
python3 "$here/sign_ink.py" "$work/ink.png"
seen() { # FILE PAGE DPI: where red is on a page as it is shown, in pixels
    pdftoppm -r "$3" -cropbox -f "$2" -l "$2" "$1" "$work/seen" &&
        python3 "$here/sign_ink.py" --seen "$work"/seen-*.ppm
    rm -f "$work"/seen-*.ppm
}
# within LEFT TOP RIGHT BOTTOM SEEN...: whether what was seen lies in a box, and takes a quarter of its height
within() {
    echo "$@" | awk '{ print ($5 >= $1 && $6 >= $2 && $7 <= $3 && $8 <= $4 && $8 - $6 > ($4 - $2) / 4) ? "in" : "not in: " $0 }'
}
ok 'a picture is shown' sign "$SAMPLES/plain.pdf" --signerName 'Jane Doe' --image "$work/ink.png" --page 1
is 'and the signature holds, for all of the document with it' "$(holds)" '1 1'
ok 'the result with it is sound' sound
ok 'its name is still there' sh -c "pdftotext -l 1 '$out' - | grep -q 'Jane Doe'"
is 'it is in the file once, with what is transparent' \
    "$(pdfimages -list "$out" | awk 'NR > 2 { print $3, $4, $5 }' | tr '\n' ' ')" 'image 240 80 smask 240 80 '
# shellcheck disable=SC2046 # four numbers
set -- $(mutool show "$out" trailer/Root/AcroForm/Fields/1/Rect | tr -d '[]\n')
height=$(pdfinfo "$out" | awk '/Page size/ { print $5 }')
# shellcheck disable=SC2046
is 'where the box is' "$(within "$1" "$(echo "$height $4" | awk '{ print $1 - $2 }')" "$3" \
    "$(echo "$height $2" | awk '{ print $1 - $2 }')" $(seen "$out" 1 72))" in
for want in 1 2 3 4; do # each page is turned otherwise, cropped and in units of two points, which poppler ignores
    sign "$work/crop.pdf" --signerName A --image "$work/ink.png" --page "$want" --box 60,40,240,80 >/dev/null
    # shellcheck disable=SC2046
    is "a box of one's own is where it was said, upright, with its picture (page $want)" \
        "$(within 60 40 300 120 $(seen "$out" "$want" 144)) $(holds)" 'in 1 1'
done
ok 'a box for the text alone works' sign "$SAMPLES/plain.pdf" --signerName A --page 1 --box 10,20,280,90
is 'and is exactly that large, from the top' "$(mutool show "$out" trailer/Root/AcroForm/Fields/1/Rect | tr -d '[]\n' |
    awk -v h="$height" '{ printf "%g %g %g %g", $1, h - $4, $3, h - $2 }')" '10 20 290 110'
ok 'a field that is there shows a picture' sign "$work/fields.pdf" --signerName A --fieldName Seen --image "$work/ink.png"
is 'in it' "$(holds) $(pdfimages -list "$out" | grep -c smask)" '1 1 1'
pdftoppm -r 40 -jpeg -singlefile "$SAMPLES/plain.pdf" "$work/page"
ok 'a JPEG is taken' sign "$SAMPLES/plain.pdf" --signerName A --image "$work/page.jpg" --page 1
pdfimages -all "$out" "$work/held"
ok 'and kept as it is' cmp "$work/held-000.jpg" "$work/page.jpg"
qpdf --encrypt user owner 256 -- "$SAMPLES/features.pdf" "$work/locked.pdf"
sign "$work/locked.pdf" --signerName A --image "$work/ink.png" --inputPassword user >/dev/null
opens='-upw user'
is 'in an encrypted document it is encrypted' "$(holds) $(pdfimages -upw user -list "$out" | grep -c 'smask *240')" '1 1 1'
opens=
code=invalid_parameter
head -c 300 "$work/ink.png" >"$work/cut.png"
printf 'GIF89a\001\0\001\0\200\0\0\0\0\0\377\377\377,\0\0\0\0\001\0\001\0\0\002\002D\001\0;' >"$work/dot.gif"
for file in cut.png dot.gif crop.pdf; do
    ok "$file is refused as a picture" says "$SAMPLES/plain.pdf" --image "$work/$file"
    ok "with the parameter named ($file)" grep -q image "$work/said"
done
ok 'a box beyond the page is refused' says "$SAMPLES/plain.pdf" --box 500,10,300,80
ok 'with how large the page is' grep -q 'points large' "$work/said"
ok 'one of three numbers is' says "$SAMPLES/plain.pdf" --box 10,10,80
ok 'and one with a position' says "$SAMPLES/plain.pdf" --box 10,10,80,40 --position center
ok 'and one with a field' says "$work/fields.pdf" --box 10,10,80,40 --fieldName Seen
ok 'what is invisible has no box' says "$SAMPLES/plain.pdf" --box 10,10,80,40 --visible false
ok 'and no picture' says "$SAMPLES/plain.pdf" --image "$work/ink.png" --visible false

code=page_out_of_range
ok 'a page that is not there fails' says "$SAMPLES/plain.pdf" --page 9
code=invalid_parameter
ok 'so do several pages' says "$SAMPLES/plain.pdf" --page 1-2

# Each page of crop.pdf is turned otherwise, cropped and in units of two points.
n=0
for want in '1' '2' '3' '4'; do
    sign "$work/crop.pdf" --signerName Upright --page "$want" --position top-left >/dev/null
    pdftotext -f "$want" -l "$want" -cropbox -bbox "$out" "$work/bbox" 2>/dev/null
    n=$((n + $(python3 - "$work/bbox" <<'PY'
import re, sys
text = open(sys.argv[1]).read()
w, h = map(float, re.search(r'page width="([\d.]+)" height="([\d.]+)"', text).groups())
x0, y0, x1, y1 = map(float, re.search(
    r'xMin="([\d.]+)" yMin="([\d.]+)" xMax="([\d.]+)" yMax="([\d.]+)">Upright', text).groups())
print(int(x1 - x0 > y1 - y0 and x1 < w / 2 and y1 < h / 2))
PY
    )))
done
is 'it stands upright in the corner asked for, however the page is turned' $n 4

sign "$work/crop.pdf" --signerName Upright >/dev/null
cp "$out" "$work/one.pdf"
ok 'a signed document is signed again' sign "$work/one.pdf" --signerName Second
is 'and both hold' "$(holds)" '2 1'
ok 'openssl agrees for the first' verifies 1
ok 'and for the second' verifies 2
ok 'with every byte kept' keeps "$work/one.pdf"
boxes() { mutool show "$out" "trailer/Root/AcroForm/Fields/$1/Rect" | tr -d '[]\n'; }
# shellcheck disable=SC2046 # eight numbers
set -- $(boxes 1) $(boxes 2)
is 'the second box keeps clear of the first' "$(echo "$@" |
    awk '{ print ($3 <= $5 || $7 <= $1 || $4 <= $6 || $8 <= $2) ? "clear" : "over" }')" clear

ok 'a field that is there is filled' sign "$work/fields.pdf" --signerName 'Seen One' --fieldName Seen
is 'in its place, upright on its page' "$(holds) $(pdftotext "$out" - | grep -c 'Seen One')" '1 1 1'
cp "$out" "$work/filled.pdf"
ok 'so is one below others, with a widget of its own' sign "$work/filled.pdf" \
    --signerName 'Deep One' --fieldName Group.Deep
is 'and both hold' "$(holds) $(pdftotext "$out" - | grep -c 'One')" '2 1 2'
ok 'and one without a size' sign "$work/fields.pdf" --signerName A --fieldName Unseen
is 'which shows nothing' "$(holds) $(pdftotext "$out" - | grep -c 'signed')" '1 1 0'
is 'no field is added' "$(mutool show "$out" trailer/Root/AcroForm/Fields | grep -o '0 R' | wc -l)" 4
code=invalid_parameter
ok 'a field that is not there fails' says "$work/fields.pdf" --fieldName Nowhere
ok 'so does one that is no signature field' says "$work/fields.pdf" --fieldName Text
ok 'and one that is signed' says "$work/filled.pdf" --fieldName Seen

code=unsupported_content
sign "$work/fields.pdf" --signerName A --certify no-changes >/dev/null
is 'a certification holds' "$(holds)" '1 1'
is 'and says what it allows' "$(mutool show "$out" trailer/Root/Perms/DocMDP/Reference/1/TransformParams/P)" 1
cp "$out" "$work/certified.pdf"
ok 'one that allows nothing allows no signature' says "$work/certified.pdf"
sign "$work/fields.pdf" --signerName A --certify forms >/dev/null
is 'the other kind is another number' "$(mutool show "$out" trailer/Root/Perms/DocMDP/Reference/1/TransformParams/P)" 2
cp "$out" "$work/certified.pdf"
ok 'and lets others sign' sign "$work/certified.pdf" --signerName B --fieldName Seen
is 'and still holds' "$(holds)" '2 1'
code=certified_document
ok 'a new visible field in it is warned of' warns "$work/certified.pdf"
code=unsupported_content
ok 'only the first signature certifies' says "$work/filled.pdf" --certify forms
for lock in all some others p; do
    sign "$work/lock-$lock.pdf" --signerName A --fieldName First >/dev/null
    cp "$out" "$work/locked.pdf"
    is "a field's lock is written into its signature ($lock)" \
        "$(mutool show "$out" trailer/Root/AcroForm/Fields/1/V/Reference | grep -c FieldMDP)" 1
    ok "and is honoured ($lock)" says "$work/locked.pdf" --fieldName Second
done
for lock in some others; do
    sign "$work/lock-$lock.pdf" --signerName A --fieldName First >/dev/null
    cp "$out" "$work/locked.pdf"
    ok "what it does not lock is free ($lock)" sign "$work/locked.pdf" --signerName B --fieldName Third
    is "and both hold ($lock)" "$(holds)" '2 1'
done
ok 'a dynamic XFA form is refused' says "$work/xfa-dynamic.pdf"
code=xfa_form
ok 'another is warned of' warns "$work/xfa.pdf"

# What the author of a field wants.
own() { file=$1; shift; sign "$work/seed-$file.pdf" --signerName A --fieldName Own "$@"; }
wants() { ! own "$@" >"$work/said" && grep -q "$code" "$work/said"; }
code=invalid_parameter
ok 'a field that lists reasons takes no other' wants reason --reason 'Because'
ok 'and wants one' wants reason
ok 'of its own' own reason --reason 'Ü'
ok 'one that wants none takes none' wants no-reason --reason 'Because'
ok 'but signs without' own no-reason
ok 'one that wants a certification takes no other' wants certify
ok 'but that' own certify --certify forms
ok 'one that wants a time stamp takes none without' wants stamp
code=unsupported_content
ok 'one of another format is refused' wants format
ok 'one of ours is not' own ours
ok 'nor one that only wishes' own wish
own certificate >"$work/said"
ok 'one that wants certain certificates is warned of' grep -q certificate_wanted "$work/said"
is 'and holds' "$(holds)" '1 1'

qpdf --object-streams=generate "$SAMPLES/features.pdf" "$work/streams.pdf"
qpdf --linearize "$SAMPLES/features.pdf" "$work/linear.pdf"
qpdf --linearize --object-streams=generate "$SAMPLES/features.pdf" "$work/both.pdf"
for file in streams linear both hybrid shared-array shared-annots miscounted no-newline junk-in-front tiny; do
    ok "$file: signed" sign "$work/$file.pdf" --signerName A
    is "$file: holds" "$(holds)" '1 1'
    ok "$file: sound" sound
    ok "$file: every byte kept" keeps "$work/$file.pdf"
    cp "$out" "$work/once.pdf"
    sign "$work/once.pdf" --signerName B >/dev/null
    is "$file: signed again, both hold" "$(holds)" '2 1'
done
sign "$work/shared-annots.pdf" --signerName A >/dev/null
is 'a list of annotations that pages share gets it on one of them' \
    "$(for n in 1 2 3; do mutool show "$out" "pages/$n/Annots" | grep -c ' 0 R'; done | tr '\n' ' ')" \
    '0 0 1 '
section() { tail -c +"$(($(tail -n 2 "$out" | head -n 1) + 1))" "$out" | head -n 2 | grep -ao "$1"; }
sign "$SAMPLES/plain.pdf" --signerName A >/dev/null
is 'a table is followed by a table' "$(section '^xref')" xref
sign "$work/streams.pdf" --signerName A >/dev/null
is 'a stream by a stream' "$(section /XRef)" /XRef
is 'all the document had is still there' "$(qpdf --qdf --object-streams=disable "$out" - | grep -ac Zulu)" \
    "$(qpdf --qdf --object-streams=disable "$SAMPLES/features.pdf" - | grep -ac Zulu)"
code=corrupt_file
ok 'what needs repair is told so' says "$work/damaged.pdf"
ok 'in words' grep -q 'run repair first' "$work/said"
ok 'so is compressed data whose end is lost' says "$work/unended.pdf"
ok 'but data that were only flushed are whole' sign "$work/flushed.pdf" --signerName A
is 'and the signature holds' "$(holds)" '1 1'
ok 'with every byte of the document kept' keeps "$work/flushed.pdf"

lock() { # NAME OPTION...
    name=$1
    shift
    qpdf --allow-weak-crypto --encrypt user owner "$@" -- "$SAMPLES/features.pdf" "$work/$name.pdf"
}
lock r2 40
lock r3 128
lock v4 128 --force-V4
lock r4 128 --use-aes=y
lock r4m 128 --use-aes=y --cleartext-metadata
lock r5 256 --force-R5
lock r6 256
opens='-upw user'
for file in r2 r3 v4 r4 r4m r5 r6; do
    for password in user owner; do
        ok "$file: signed with the $password's password" sign "$work/$file.pdf" \
            --signerName 'Wörld' --inputPassword $password
        is "$file: holds" "$(holds)" '1 1'
    done
    ok "$file: sound" sound --password=user
    ok "$file: every byte kept" keeps "$work/$file.pdf"
    is "$file: its texts are encrypted" "$(pdftotext -upw user "$out" - | grep -c Wörld) $(qpdf --password=user --json=2 \
        --json-key=qpdf "$out" | grep -c '"/Name": "u:Wörld"')" '1 1'
done
opens=
code=wrong_password
ok 'a wrong password does not open it' says "$work/r6.pdf" --inputPassword bad
code=password_required
ok 'nor does none' says "$work/r6.pdf"

fails() { ! raw "$SAMPLES/plain.pdf" --signerName A "$@" >"$work/said" && grep -q "$code" "$work/said"; }
code=wrong_password
ok "a wrong certificatePassword is said" fails --certificate "$work/rsa.p12" --certificatePassword bad
code=password_required
ok 'and a missing one' fails --certificate "$work/rsa.p12"
ok 'but a file that has none needs none' raw "$SAMPLES/plain.pdf" --signerName A --certificate "$work/open.p12"
code=invalid_parameter
ok 'what is no PKCS #12 is refused' fails --certificate "$work/junk.p12" --certificatePassword secret
ok 'and one without a key' fails --certificate "$work/nokey.p12" --certificatePassword secret
ok 'and a key that others cannot verify' fails --certificate "$work/edwards.p12" --certificatePassword secret
code=missing_field
ok 'a certificatePassword needs a certificate' fails --certificatePassword secret
for pair in weak:weak_key late:certificate_expired other:certificate_key_usage; do
    key=${pair%:*} code=${pair#*:}
    ok "a certificate that others doubt is warned of: $code" warns "$SAMPLES/plain.pdf"
done
key=p256
sign "$SAMPLES/plain.pdf" --signerName A >"$work/said"
is 'a good one is not' "$(grep -c '^warning' "$work/said")" 0
code=missing_field
ok 'signerName must be given' refuses sign "$SAMPLES/plain.pdf"

# The seal, and time stamps of an authority of our own.
seal() { raw "$@" --signerName 'Under Seal'; }
PLATEN_DATA=$work/data
export PLATEN_DATA
ok "without a certificate the server's seal signs" seal "$SAMPLES/plain.pdf"
is 'and the signature holds' "$(holds)" '1 1'
seal "$SAMPLES/plain.pdf" >"$work/said"
ok 'which is said' grep -q self_signed_seal "$work/said"
ok 'what it says is shown' sh -c "pdftotext '$out' - | grep 'Under Seal'"
ok 'a certified and encrypted document takes it too' seal "$work/r6.pdf" --inputPassword user \
    --certify forms
opens='-upw user'
is 'and it holds' "$(holds)" '1 1'
opens=
code=invalid_parameter
ok 'without an authority there is no time stamp' says "$SAMPLES/plain.pdf" --level B-T
mkfifo "$work/stop"
python3 "$here/../e2e/authority.py" <"$work/stop" >"$work/address" &
exec 9>"$work/stop"
until [ -s "$work/address" ] || ! kill -0 $!; do :; done
read -r url roots <"$work/address"
PLATEN_TIMESTAMP_URL=$url/good
export PLATEN_TIMESTAMP_URL
at() { openssl asn1parse -inform DER -in "$work/cms" | awk -F: "$1"; } # where, by an awk program
stamped() { # the token in the container is the authority's, and of the signature's value
    # shellcheck disable=SC2016 # programs
    token=$(at 'stamp && /SEQUENCE/ { print $1; exit } /id-smime-aa-timeStampToken/ { stamp = 1 }')
    # shellcheck disable=SC2016
    value=$(at '/OCTET STRING/ { last = $1 } /timeStampToken/ { print last; exit }')
    openssl asn1parse -inform DER -in "$work/cms" -strparse "$token" -noout -out "$work/token" &&
        openssl asn1parse -inform DER -in "$work/cms" -strparse "$value" -noout \
            -out "$work/value" &&
        openssl ts -verify -token_in -in "$work/token" -data "$work/value" \
            -CAfile "$roots/root.crt"
}
ok 'with one there is' sign "$SAMPLES/plain.pdf" --signerName A --level B-T
is 'and the signature holds' "$(holds)" '1 1'
ok 'openssl agrees' verifies 1
ok 'and finds the time stamp to be of the signature' stamped
ok 'the seal has time stamps too' seal "$SAMPLES/plain.pdf" --level B-T
ok 'in the same way' sh -c "python3 '$here/sign_inputs.py' --extract '$out' 1 '$work/signed' '$work/cms'"
ok 'of its signatures' stamped
is 'which hold' "$(holds)" '1 1'
exec 9>&-
wait
python3 "$(dirname "$0")/pdf_builder.py" "$work/circle.pdf" <<'END'
<</Type/Catalog/Pages 2 0 R/AcroForm<</Fields[4 0 R]>>>>
<</Type/Pages/Kids[3 0 R]/Count 1/MediaBox[0 0 200 200]>>
<</Type/Page/Parent 2 0 R>>
<</T(a)/Kids[5 0 R]>>
<</T(b)/Parent 4 0 R/Kids[4 0 R]>>
END
code='corrupt_file.*circle'
ok 'fields that are nested in a circle are named as the reason' says "$work/circle.pdf"
done_testing
