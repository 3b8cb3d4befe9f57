# office: what the tests of the three office tools share; sourced after tap.sh.
runner=$1
out=$work/out.pdf
docs=$SAMPLES/office
tool=$(basename "$0" .sh | tr _ -)

convert() { "$runner" run "$tool" "$@" -o "$out" >"$work/said" 2>&1 || { cat "$work/said"; false; }; }
says() { ! convert "$@" >/dev/null && grep -q "$code" "$work/said"; }
words() { pdftotext "${1:-$out}" - | tr -d '\f' | grep .; }
info() { pdfinfo "$out" | grep -q "$1"; }
pages() { pdfinfo "$out" | awk '/^Pages:/{print $2}'; }
titles() { qpdf --json --json-key=outlines "$out" | jq -r '[.outlines[].title] | join(",")'; }
holds() { qpdf --qdf --object-streams=disable "$out" - | grep -aq "$1"; }
xmp() { qpdf --qdf --object-streams=disable "$out" - | grep -ao "<$1>[^<]*" | cut -d'>' -f2; }

if ! "$runner" tools 2>&1 | grep -q "^$tool "; then
    echo '1..0 # SKIP LibreOffice is not here'
    exit 0
fi
