#!/bin/sh
# remove-password, judged by qpdf and poppler. $1 runs a tool, as `platen run` does.
. "$(dirname "$0")/tap.sh"
. "$(dirname "$0")/signed.sh"
runner=$1
out=$work/out.pdf
LC_ALL=C.UTF-8
export LC_ALL

undo() { "$runner" run remove-password "$@" -o "$out" 2>&1; }
says() { ! undo "$@" >"$work/said" && grep -q "$code" "$work/said"; }
free() { pdfinfo "$out" | grep -q '^Encrypted: *no' && qpdf --check "$out"; }
# encrypt NAME USER OWNER BITS [OPTIONS]
encrypt() {
    name=$work/$1.pdf
    shift
    qpdf --allow-weak-crypto --encrypt "$@" -- "$SAMPLES/plain.pdf" "$name"
}

encrypt aes256 user owner 256 --modify=none
encrypt aes128 user owner 128 --use-aes=y
encrypt rc4 user owner 128 --use-aes=n
encrypt rc40 user owner 40
encrypt r5 user owner 256 --force-R5
for kind in aes256 aes128 rc4 rc40 r5; do
    ok "the user's password frees $kind" undo "$work/$kind.pdf" --password user
    ok 'and the result is free' free
    ok "the owner's password frees $kind" undo "$work/$kind.pdf" --password owner
    ok 'and the result is free' free
    code=wrong_password
    ok "a wrong one does not free $kind" says "$work/$kind.pdf" --password wrong
done
is 'the pages are there' "$(undo "$work/aes256.pdf" --password user >/dev/null
    pdftotext "$out" - | grep -c 'Page [123]')" 3

code=wrong_password
ok 'an empty password does not open what has one' says "$work/aes256.pdf" --password ''
code=missing_field
ok 'the password must be given' says "$work/aes256.pdf"

ok 'it may be called as with other tools' undo "$work/aes256.pdf" --inputPassword user
ok 'and the result is free' free
code=wrong_password
ok 'also a wrong one' says "$work/aes256.pdf" --inputPassword wrong
code=invalid_parameter
ok 'but not both' says "$work/aes256.pdf" --password user --inputPassword owner
ok 'in either order' says "$work/aes256.pdf" --inputPassword owner --password user

encrypt open '' owner 256 --modify=none
ok 'a document that opens without is freed by the empty password' undo "$work/open.pdf" --password ''
ok 'and is free' free
ok 'and by its owner'\''s' undo "$work/open.pdf" --password owner
code=wrong_password
ok 'but not by one that is neither' says "$work/open.pdf" --password other

# What other programs wrote: é as one byte (PDFDocEncoding, Latin-1), € by the Windows code page.
qpdf --password-mode=bytes --encrypt "$(printf 'us\351r')" o 128 --use-aes=y -- \
    "$SAMPLES/plain.pdf" "$work/latin.pdf"
qpdf --password-mode=bytes --encrypt "$(printf 'a\200')" o 128 --use-aes=y -- \
    "$SAMPLES/plain.pdf" "$work/windows.pdf"
qpdf --password-mode=bytes --encrypt "$(printf 'us\303\251r')" o 128 --use-aes=y -- \
    "$SAMPLES/plain.pdf" "$work/utf8.pdf"
encrypt r6 "$(printf 'us\303\251r')" o 256
ok 'Latin-1 passwords of old documents are found' undo "$work/latin.pdf" --password 'usér'
ok 'those of the Windows code page too' undo "$work/windows.pdf" --password 'a€'
ok 'and UTF-8 in old documents' undo "$work/utf8.pdf" --password 'usér'
ok 'a password typed decomposed is normalized' undo "$work/r6.pdf" \
    --password "$(printf 'use\314\201r')"

cp "$SAMPLES/features.pdf" "$work/never.pdf"
ok 'a document that is not encrypted is no failure' undo "$work/never.pdf" --password x
ok 'and comes back as it was' cmp "$work/never.pdf" "$out"
qpdf --encrypt u o 256 -- "$SAMPLES/features.pdf" "$work/full.pdf"
undo "$work/full.pdf" --password u >/dev/null
is 'the document keeps all it had' \
    "$(qpdf --stream-data=uncompress --object-streams=disable "$out" - | grep -ac Zulu)" \
    "$(qpdf --stream-data=uncompress --object-streams=disable "$SAMPLES/features.pdf" - | grep -ac Zulu)"

# Encrypted by qpdf, which keeps the signature's value where it is.
of_signed() {
    qpdf --encrypt secret owner 256 -- "$1" "$work/signed.pdf"
    undo "$work/signed.pdf" --password secret
}
warns_of_signatures of_signed
undo "$SAMPLES/signed.pdf" --password secret >"$work/said"
ok 'a copy of one that was not encrypted is byte for byte the same' cmp "$SAMPLES/signed.pdf" "$out"
is 'and its signature holds' "$(grep -c signature_invalidated "$work/said")" 0
# Streams with other crypt filters than the rest: attachments (/EFF), metadata, streams that name one.
kinds=$(dirname "$0")/crypt_kinds.py
words() { python3 "$kinds" look "$1" | sort | tr '\n' ' '; }
every='ATTACHED CONTENT DOCUMENT IDENTITY NAMED PAGE PLAIN RELATED '
for cipher in V2 AESV2 AESV3; do
    for filters in '/StmF/Identity/StrF/Identity/EFF/StdCF' '/StmF/StdCF/StrF/StdCF/EFF/Identity' \
        '/StmF/StdCF/StrF/StdCF/EncryptMetadata false' '/StmF/StdCF/StrF/Identity' '/StmF/StdCF/StrF/StdCF'; do
        python3 "$kinds" make $cipher "$work/filters.pdf" "$filters"
        is "the input holds what it should: $cipher $filters" "$(words "$work/filters.pdf")" "$every"
        ok "all streams are freed: $cipher $filters" undo "$work/filters.pdf" --password user
        ok 'and the result is free' free
        qpdf --stream-data=uncompress --object-streams=disable "$out" "$work/looked.pdf"
        is 'and each stream is readable' "$(words "$work/looked.pdf")" "$every"
    done
done
python3 "$kinds" make AESV2 "$work/filters.pdf" /StmF/Identity/StrF/Identity/EFF/StdCF
undo "$work/filters.pdf" --password user >/dev/null
mkdir "$work/attached"
pdfdetach -saveall -o "$work/attached" "$out" >/dev/null
is 'and poppler reads the attachment' "$(cat "$work/attached"/*)" 'ATTACHED text'
python3 "$kinds" make AESV2 "$work/filters.pdf" /StmF/StdCF/StrF/StdCF/EFF/Unknown
code=unsupported_content
ok 'a filter that is not known is refused' says "$work/filters.pdf" --password user

done_testing
