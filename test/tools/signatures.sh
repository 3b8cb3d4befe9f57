#!/bin/sh
# Signatures that a rewrite breaks: every tool removes them, and keeps what they show. $1 is platen.
. "$(dirname "$0")/tap.sh"
platen=$1
out=$work/out.pdf

# TOOL FILE: the tool's result in $out, without a password.
change() {
    case $1 in
    rotate) set -- "$@" --degrees 360 ;;
    split) set -- "$@" --mode extract --pages all ;;
    merge) set -- "$@" "$SAMPLES/plain.pdf" ;;
    watermark) set -- "$@" --text W ;;
    add-password) set -- "$@" --password open ;;
    compress) set -- "$@" --linearize ;;
    esac
    "$platen" run "$@" -o "$work/changed.pdf" >"$work/said" 2>&1 || return 1
    cat "$work/said"
    qpdf --qdf --object-streams=disable --decrypt --password=open "$work/changed.pdf" "$out"
}
# How many dark pixels the place of the signature has on the page.
ink() { pdftoppm -gray -r 50 -singlefile -f 1 -l 1 "$1" | tail -c +16 | tr -d '\376\377' | wc -c; }
unsigned() {
    change "$1" "$2" && grep -q signature_invalidated "$work/said" &&
        ! grep -a '/ByteRange\|/DocMDP\|/Perms' "$out" && qpdf --check "$out" &&
        ! pdfsig "$out" 2>&1 | grep -i 'illegal\|hash'
}

# Visible, and certifying that only forms change.
"$platen" run sign "$SAMPLES/plain.pdf" --signerName 'A. Signer' --page 1 --certify forms -o "$work/certified.pdf" >/dev/null 2>&1
before=$(ink "$work/certified.pdf")
"$platen" run add-password "$SAMPLES/plain.pdf" --password open -o "$work/locked.pdf" >/dev/null 2>&1
"$platen" run sign "$work/locked.pdf" --inputPassword open --signerName X -o "$work/both.pdf" >/dev/null 2>&1

for tool in merge split rotate compress add-password page-numbers watermark; do
    for file in "$SAMPLES/signed.pdf" "$work/certified.pdf"; do
        ok "$tool empties the signature of $(basename "$file")" unsigned $tool "$file"
    done
    case $tool in
    merge | split | rotate | add-password)
        is "and what the signature shows stays on the page: $tool" "$(ink "$out")" "$before" ;;
    esac
done
ok 'so does remove-password' "$platen" run remove-password "$work/both.pdf" --password open -o "$out"
is 'of an encrypted document' "$(grep -ac '/ByteRange' "$out")" 0
ok 'an emptied field can be signed again' sh -c "
    '$platen' run rotate '$work/certified.pdf' --degrees 360 -o '$work/again.pdf' &&
    '$platen' run sign '$work/again.pdf' --signerName B --fieldName Signature1 -o '$out' &&
    pdfsig '$out' | grep -q 'Signature is Valid'"
done_testing
