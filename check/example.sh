#!/bin/sh
# example.sh [PAGE]: the tool that CONTRIBUTING.md (or another PAGE) adds is built and passes its test
# when one does what stands there and nothing else. What build/ has is not compiled again.
set -eu
root=$(dirname "$(dirname "$(readlink -f "$0")")")
page=$(readlink -f "${1:-$root/CONTRIBUTING.md}")
copy=$(mktemp -d)
trap 'rm -rf "$copy"' EXIT

cd "$root"
# With the times of the files, by which ninja knows what is up to date.
cp -Rp meson.build meson_options.txt src test docs man packaging check bench "$copy"
# The three blocks, each the first after the line that names its file.
awk -v copy="$copy" '
    /^\*\*[123]\.\*\*/ { split($0, part, "`"); file = copy "/" part[2]; next }
    /^```/ && open { close(file); open = 0; file = ""; next }
    /^```/ && file { open = 1; next }
    open { print >>file }
' "$page"

objects() { # ninja compares commands and times, not where the folder is
    [ -f build/.ninja_log ] || return 0
    cp -p build/.ninja_log build/.ninja_deps "$copy/build"
    (cd build && cp -Rp --parents src ./*.p platen* "$copy/build")
}
{
    meson setup "$copy/build" "$copy" -Dtests=false && objects && cd "$copy" &&
        ninja -C build platen platen-pages platen-worker &&
        SAMPLES=$copy/test/samples sh test/tools/reverse.sh "$copy/build/platen" >"$copy/tap"
} >"$copy/log" 2>&1 || {
    cat "$copy/log" "$copy/tap" 2>/dev/null
    exit 1
}
grep -q '^1\.\.[1-9]' "$copy/tap"
echo "example: the tool of CONTRIBUTING.md works: $(grep -c '^ok' "$copy/tap") tests"
