#!/bin/sh
# fill-form: its values as qpdf reads them, its pages as poppler and MuPDF draw them, signatures as pdfsig
# judges them. $1 runs a tool, as `platen run` does.
. "$(dirname "$0")/tap.sh"
. "$(dirname "$0")/signed.sh"
here=$(dirname "$0")
runner=$1
out=$work/out.pdf
LC_ALL=C.UTF-8
export LC_ALL
python3 "$here/filled.py" make "$work"

fill() { "$runner" run fill-form "$@" -o "$out" >"$work/said" 2>&1; }
refuses() { ! fill "$@" && grep -q "$code" "$work/said"; }
says() { grep -q "$1" "$work/said"; }
value() { python3 "$here/filled.py" values "$out" | python3 -c 'import json, sys; print(json.load(sys.stdin)[sys.argv[1]])' "$1"; }
words() { pdftotext -layout "$out" - 2>"$work/poppler" | grep -qF "$1"; }
sound() { qpdf --check "$out"; }
form=$work/form.pdf

ok 'fill-form works' fill "$form" --data '{"given": "Ada", "price": {"net": 100.5}, "fruit": "Apples", "several": ["x", "z"], "agree": true}'
ok 'and its result is sound' sound
is 'a text is set' "$(value given)" 'u:Ada'
ok 'and drawn' words Ada
is 'a name in several parts is found' "$(value price.net)" 'u:100.5'
is 'a choice is set by what it shows' "$(value fruit)" 'u:a'
ok 'and drawn so' words Apples
is 'a list has several' "$(value several)" "['u:x', 'u:z']"
is 'a check box is on in its own state' "$(value agree)" /Accepted
is 'a sum is calculated' "$(value total)" 'u:119.5'
ok 'and drawn in its format' words '119.50'
ok 'a script that is not run is told, with its field' says 'script_not_run.*odd'
ok 'poppler finds nothing wrong' test ! -s "$work/poppler"

ok 'more values' fill "$form" --data '{"birth": "2026-11-28", "code": "AB12", "free": "typed", "colour": "green", "bare": "yes", "twice": "both", "odd": "3"}'
is 'a date becomes what a person types' "$(value birth)" 'u:28.11.2026'
is 'a value that is not listed can be typed where the form allows it' "$(value free)" 'u:typed'
is 'a radio button is chosen by its label' "$(value colour)" /1
is 'a check box without appearances is given them' "$(value bare)" /Yes
is 'a field in two places shows its value twice' "$(pdftotext "$out" - | grep -c both)" 2
ok 'a field that is given needs no script' test "$(grep -c script_not_run "$work/said")" = 0
"$runner" run form-fields "$out" -o "$work/list.json" 2>"$work/said"
ok 'what form-fields lists can be given back' fill "$form" --data "$work/list.json"
is 'with the same values' "$(value birth) $(value colour) $(value twice)" 'u:28.11.2026 /1 u:both'
cp "$out" "$work/filled.pdf"
fill "$work/filled.pdf" --data '{"twice": null, "colour": null, "several": []}'
is 'null empties a field' "$(value twice) $(value colour) $(value several)" 'u: /Off None'

cat >"$work/data.xfdf" <<'END'
<?xml version="1.0" encoding="UTF-8"?>
<xfdf xmlns="http://ns.adobe.com/xfdf/"><fields>
<field name="given"><value>A &amp; &#x42;</value></field>
<field name="price"><field name="net"><value>1</value></field></field>
<field name="several"><value>x</value><value>y</value></field>
</fields></xfdf>
END
ok 'XFDF is read' fill "$form" --data "$work/data.xfdf"
is 'with names, entities and several values' "$(value given) $(value price.net) $(value several)" "u:A & B u:1 ['u:x', 'u:y']"
printf '%%FDF-1.2\n1 0 obj\n<</FDF<</Fields[<</T(given)/V 2 0 R>><</T(price)/Kids[<</T(net)/V(7)>>]>><</T(agree)/V/Accepted>>]>>>>\nendobj\n2 0 obj\n(F\\050\\051)\nendobj\ntrailer\n<</Root 1 0 R>>\n%%%%EOF\n' >"$work/data.fdf"
ok 'FDF is read' fill "$form" --data "$work/data.fdf"
is 'with references, kids and names' "$(value given) $(value price.net) $(value agree)" 'u:F() u:7 /Accepted'

printf 'given;agree;price.net\r\n"A ""q""";yes;1\r\nBea;no;2\r\n' >"$work/rows.csv"
"$runner" run fill-form "$form" --data "$work/rows.csv" -o "$work/rows.zip" 2>"$work/said"
is 'each row of CSV makes a document' "$(unzip -Z1 "$work/rows.zip" | tr '\n' ' ')" 'form_1.pdf form_2.pdf '
unzip -qo "$work/rows.zip" -d "$work/rows"
cp "$work/rows/form_1.pdf" "$out"
is 'with the values of the row' "$(value given) $(value agree)" 'u:A "q" /Accepted'
cp "$work/rows/form_2.pdf" "$out"
is 'and no others' "$(value given) $(value agree) $(value total)" 'u:Bea /Off u:21'

long=$(printf '%0700d' 0)
ok 'a long text can be given in place of a file' fill "$form" --data "{\"given\": \"$long\"}"
is 'and is set whole' "$(value given)" "u:$long"
ok 'every script is drawn' fill "$form" --data '{"given": "שלום עולם", "twice": "مرحبا", "free": "中文", "odd": "สวัสดี"}'
ok 'with letters that can be copied' words 中文
ok 'flatten=all leaves no field' fill "$form" --data '{"given": "Ada"}' --flatten all
is 'none' "$("$runner" run form-fields "$out" -o "$work/list.json" 2>"$work/said"; python3 "$here/filled.py" ask "$work/list.json" 'len(f)')" 0
ok 'but what it shows' words Ada
ok 'flatten=filled leaves the others' fill "$form" --data '{"given": "Ada", "colour": "red"}' --flatten filled
"$runner" run form-fields "$out" -o "$work/list.json" 2>"$work/said"
is 'as fields, but what was calculated of them' "$(python3 "$here/filled.py" ask "$work/list.json" '("given" in f, "colour" in f, "fruit" in f, len(f))')" '(False, False, True, 13)'
ok 'and the result is sound' sound
fill "$form" --data '{"given": "Ada"}' --readOnly
"$runner" run form-fields "$out" -o "$work/list.json" 2>"$work/said"
is 'readOnly closes all fields' "$(python3 "$here/filled.py" ask "$work/list.json" 'all(one["readOnly"] for one in d["fields"])')" True

code=invalid_parameter
ok 'a name that the form does not have is refused' refuses "$form" --data '{"givn": "x"}'
ok 'with the one that was meant' says '"given"'
ok 'or ignored if asked' fill "$form" --data '{"givn": "x", "given": "y"}' --unknown ignore
ok 'with a warning' says unknown_fields
ok 'a text that is too long is refused' refuses "$form" --data '{"code": "1234567"}'
ok 'with the length' says 'more than the 6'
ok 'an option that is not there is refused' refuses "$form" --data '{"fruit": "Cherries"}'
ok 'several where one can be chosen are refused' refuses "$form" --data '{"fruit": ["a", "b"]}'
ok 'a state that is not there is refused' refuses "$form" --data '{"colour": "blue"}'
ok 'a push button takes no value' refuses "$form" --data '{"push": "x"}'
ok 'a signature takes no value' refuses "$form" --data '{"signature": "x"}'
ok 'broken JSON is refused' refuses "$form" --data '{"given": }'
ok 'with its place' says 'line 1, column'
printf '<xfdf><fields>' >"$work/broken.xfdf"
ok 'broken XFDF is refused' refuses "$form" --data "$work/broken.xfdf"
printf '<!DOCTYPE x [<!ENTITY a "b">]><xfdf><fields><field name="given"><value>&a;</value></field></fields></xfdf>' >"$work/entity.xfdf"
ok 'XFDF with entities of its own is refused' refuses "$form" --data "$work/entity.xfdf"
printf 'given\n"x\n' >"$work/broken.csv"
ok 'CSV with open quotes is refused' refuses "$form" --data "$work/broken.csv"
printf 'given\n\344\n' >"$work/latin.csv"
ok 'data that is not UTF-8 is refused' refuses "$form" --data "$work/latin.csv"
ok 'and says what to do' says UTF-8
code=unsupported_content
ok 'an XFA form is refused' refuses "$work/xfa.pdf" --data '{"given": "x"}'
ok 'a document without a form is refused' refuses "$SAMPLES/plain.pdf" --data '{"given": "x"}'
ok 'a form that is also XFA is filled in' fill "$work/hybrid.pdf" --data '{"given": "x"}'
ok 'and told what it lost' says xfa_removed

sign() { "$runner" run sign "$form" --signerName Ada --certificate "$work/signer.p12" --certificatePassword word "$@" >"$work/said" 2>&1; }
openssl req -x509 -newkey rsa:2048 -nodes -subj /CN=Ada -days 30 -keyout "$work/key.pem" -out "$work/certificate.pem" 2>"$work/said"
openssl pkcs12 -export -inkey "$work/key.pem" -in "$work/certificate.pem" -out "$work/signer.p12" -passout pass:word
valid() { pdfsig -nocert "$out" 2>"$work/poppler" | grep -q 'Signature is Valid'; }
sign -o "$work/signed.pdf"
ok 'a signed form is filled in' fill "$work/signed.pdf" --data '{"given": "Łódź", "agree": true, "colour": "red", "price.net": 5}'
ok 'its signature stays valid' valid
ok 'nothing of the signed document is changed' cmp -n "$(wc -c <"$work/signed.pdf")" "$work/signed.pdf" "$out"
is 'its values are new' "$(value given) $(value agree) $(value colour) $(value total)" 'u:Łódź /Accepted /0 u:24'
ok 'and it is sound' sound
"$runner" run sign "$SAMPLES/plain.pdf" --signerName Ada --certificate "$work/signer.p12" --certificatePassword word -o "$work/only.pdf" \
    >"$work/said" 2>&1
ok 'a form of a signature alone, for which there are no values' fill "$work/only.pdf" --data '{}'
ok 'stays as it is' cmp "$work/only.pdf" "$out"
sign --certify forms -o "$work/forms.pdf"
ok 'so is one that is certified for filling in' fill "$work/forms.pdf" --data '{"given": "x"}'
ok 'and its signature stays valid' valid
sign --certify no-changes -o "$work/closed.pdf"
ok 'one that must not change is refused' refuses "$work/closed.pdf" --data '{"given": "x"}'
ok 'flattening a signed form warns' fill "$work/signed.pdf" --data '{"given": "x"}' --flatten all
ok 'of its signature' says signature_invalidated
qpdf --encrypt '' owner 256 -- "$form" "$work/locked.pdf"
ok 'an encrypted form is filled in' fill "$work/locked.pdf" --data '{"given": "geheim"}'
is 'and stays encrypted' "$(qpdf --show-encryption "$out" | grep -c 'R = 6') $(value given)" '1 u:geheim'

# Rows that become one document.
rows='[{"given": "Ada", "several": ["x"]}, {"given": "Grace"}, {"given": "Katherine"}]'
ok 'rows become one document' fill "$form" --data "$rows" --rows merged
ok 'which is sound' sound
is 'with the pages of all' "$(pdfinfo "$out" | sed -n 's/^Pages: *//p')" 3
is 'in the order of the rows' "$(pdftotext "$out" - | grep -o 'Ada\|Grace\|Katherine' | tr '\n' ' ')" 'Ada Grace Katherine '
is 'fields have names and values of their own' "$(python3 "$here/filled.py" values "$out" | python3 -c 'import json, sys; d = json.load(sys.stdin); print(sorted((n, v) for n, v in d.items() if n.startswith("given")))')" \
    "[('given', 'u:Ada'), ('given_2', 'u:Grace'), ('given_3', 'u:Katherine')]"
fill "$form" --data "$rows" --rows merged --flatten all
is 'or become part of the pages' "$(qpdf --json --json-key=acroform "$out" | grep -c '"fullname"')" 0
is 'with their values' "$(pdftotext "$out" - | grep -o 'Ada\|Grace\|Katherine' | tr '\n' ' ')" 'Ada Grace Katherine '
code=invalid_parameter
ok 'a row that does not fit is refused' refuses "$form" --data '[{"given": "Ada"}, {"fruit": "none"}]' --rows merged
ok 'by its number' says 'row 2'
# A widget belongs to the field that lists it, whatever its /Parent says.
for parent in none own other page; do
    ok "a field is filled in whose widget has no right parent ($parent)" fill "$work/parent_$parent.pdf" --data '{"first": "shown"}'
    is "and its page shows the value ($parent)" "$(pdftotext -layout "$out" - | tr -s ' \n\f' ,)" 'else,shown,'
    "$runner" run flatten "$work/parent_$parent.pdf" -o "$out" >"$work/said" 2>&1
    is "flatten draws its value ($parent)" "$(pdftotext -layout "$out" - | tr -s ' \n\f' ,)" 'else,old,'
done
done_testing
