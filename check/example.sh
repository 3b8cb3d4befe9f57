#!/bin/sh
# example.sh [ROOT]: the tool that CONTRIBUTING.md adds is built and passes its test when one does
# what stands there and nothing else.
set -eu
root=$(readlink -f "${1:-$(dirname "$0")/..}")
copy=$(mktemp -d)
trap 'rm -rf "$copy"' EXIT

cd "$root"
cp -r meson.build meson_options.txt src test docs man packaging check "$copy"
[ ! -d bench ] || cp -r bench "$copy"
# The three blocks, each the first after the line that names its file.
awk -v copy="$copy" '
    /^\*\*[123]\.\*\*/ { split($0, part, "`"); file = copy "/" part[2]; next }
    /^```/ && open { close(file); open = 0; file = ""; next }
    /^```/ && file { open = 1; next }
    open { print >>file }
' CONTRIBUTING.md

cd "$copy"
{
    meson setup build -Dtests=false -Drender=disabled && ninja -C build platen platen-pages platen-worker &&
        SAMPLES=$copy/test/samples sh test/tools/reverse.sh "$copy/build/platen" >tap
} >log 2>&1 || {
    cat log tap 2>/dev/null
    exit 1
}
grep -q '^1\.\.[1-9]' tap
echo "example: the tool of CONTRIBUTING.md works: $(grep -c '^ok' tap) tests"
