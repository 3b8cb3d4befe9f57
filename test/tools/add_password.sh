#!/bin/sh
# add-password, judged by qpdf, poppler and MuPDF. $1 runs a tool, as `platen run` does.
. "$(dirname "$0")/tap.sh"
. "$(dirname "$0")/signed.sh"
runner=$1
out=$work/out.pdf
# Debian's qpdf takes passwords in the locale's encoding.
LC_ALL=C.UTF-8
export LC_ALL

add() { "$runner" run add-password "$@" -o "$out" 2>&1; }
says() { ! add "$@" >"$work/said" && grep -q "$code" "$work/said"; }
shows() { qpdf --show-encryption --password="$1" "$out" | grep -q "$2"; }
refuses() { ! "$@"; }

ok 'add-password works' add "$SAMPLES/plain.pdf" --password secret
ok 'the result is encrypted with AES-256, revision 6' shows secret '^R = 6'
ok 'qpdf opens it with the password' qpdf --check --password=secret "$out"
ok 'poppler too' pdfinfo -upw secret "$out"
ok 'MuPDF too' mutool info -p secret "$out"
ok 'none opens it without' refuses pdfinfo "$out"
ok 'nor with another' refuses qpdf --check --password=Secret "$out"
ok 'the password is not the owner'\''s' shows secret 'Supplied password is user password'
is 'all is allowed' "$(qpdf --show-encryption --password=secret "$out" | grep -c 'not allowed')" 0

add "$SAMPLES/plain.pdf" --password secret --ownerPassword boss --allowPrint low --allowCopy no \
    --allowModify no --allowAnnotate no --allowForms no --allowAssemble no >/dev/null
is 'restrictions are written' \
    "$(pdfinfo -upw secret "$out" | sed -n 's/^Encrypted: *//p')" \
    'yes (print:yes copy:no change:no addNotes:no algorithm:AES-256)'
ok 'low printing is not full printing' shows secret 'print high resolution: not allowed'
ok 'filling in forms is forbidden' shows secret 'modify forms: not allowed'
ok 'assembling too' shows secret 'modify document assembly: not allowed'
ok 'reading aloud is not' shows secret 'extract for accessibility: allowed'
ok 'the owner'\''s password is one' shows boss 'Supplied password is owner password'
add "$SAMPLES/plain.pdf" --password secret --allowPrint none >/dev/null
ok 'printing can be forbidden' shows secret 'print low resolution: not allowed'
ok 'the rest stays allowed' shows secret 'modify forms: allowed'

ok 'other scripts work' add "$SAMPLES/plain.pdf" --password 'пароль-密码-كلمة'
ok 'and open in qpdf' qpdf --check --password='пароль-密码-كلمة' "$out"
ok 'and in poppler' pdfinfo -upw 'пароль-密码-كلمة' "$out"
# U+0065 U+0301 becomes U+00E9, a no-break space a space.
add "$SAMPLES/plain.pdf" --password "$(printf 'use\314\201r\302\240x')" >/dev/null
ok 'passwords are normalized (RFC 4013)' qpdf --check \
    --password="$(printf 'us\303\251r x')" "$out"
long=$(printf '%0127d' 7)
ok '127 bytes are taken' add "$SAMPLES/plain.pdf" --password "$long"
ok 'and open the result' qpdf --check --password="$long" "$out"
code=invalid_parameter
ok '128 are not' says "$SAMPLES/plain.pdf" --password "0$long"
ok 'an empty password is refused' says "$SAMPLES/plain.pdf" --password ''

ok 'aes128 works' add "$SAMPLES/plain.pdf" --password 'Grüße €' --encryption aes128
ok 'it is revision 4' shows 'Grüße €' '^R = 4'
ok 'with AES' shows 'Grüße €' 'stream encryption method: AESv2'
ok 'MuPDF opens it' mutool info -p 'Grüße €' "$out"
long=$(printf '%033d' 7)
ok 'aes128 refuses more than 32 characters' says "$SAMPLES/plain.pdf" --password "$long" \
    --encryption aes128
ok 'and characters it cannot hold' says "$SAMPLES/plain.pdf" --password 'пароль' \
    --encryption aes128
ok 'in the owner'\''s password too' says "$SAMPLES/plain.pdf" --password a \
    --ownerPassword '密码' --encryption aes128

qpdf --encrypt old boss 256 -- "$SAMPLES/plain.pdf" "$work/old.pdf"
qpdf --encrypt '' boss 256 --modify=none -- "$SAMPLES/plain.pdf" "$work/open.pdf"
code=password_required
ok 'an encrypted document needs its password' says "$work/old.pdf" --password new
ok 'even one that opens without' says "$work/open.pdf" --password new
ok 'which says that an empty one will do' grep -q 'or an empty one' "$work/said"
ok 'and so it does' add "$work/open.pdf" --password new --inputPassword ''
ok 'or the owner'\''s' add "$work/open.pdf" --password new --inputPassword boss
code=wrong_password
ok 'a wrong one is refused' says "$work/old.pdf" --password new --inputPassword no
ok 'for one that opens without, too' says "$work/open.pdf" --password new --inputPassword no
ok 'the right one is replaced' add "$work/old.pdf" --password new --inputPassword boss
ok 'by the new one' qpdf --check --password=new "$out"
ok 'and opens no more' refuses qpdf --check --password=old "$out"
ok 'nor does the old owner'\''s' refuses qpdf --check --password=boss "$out"
add "$SAMPLES/features.pdf" --password x >/dev/null
qpdf --decrypt --password=x --qdf --object-streams=disable "$out" "$work/plain.pdf"
is 'the document keeps all it had' "$(grep -ac Zulu "$work/plain.pdf")" \
    "$(qpdf --qdf --object-streams=disable "$SAMPLES/features.pdf" - | grep -ac Zulu)"

of_signed() { add "$1" --password secret; }
warns_of_signatures of_signed
done_testing
