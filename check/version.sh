#!/bin/sh
# version.sh [--write] [ROOT]: meson.build says the version, and everything else that names it says the same. --write brings
# to date what needs no words; the changelogs are written by hand (packaging/release.sh).
set -eu
write=
[ "${1-}" != --write ] || { write=yes && shift; }
cd "${1:-$(dirname "$0")/..}"
number='[0-9][0-9]*\.[0-9][0-9]*\.[0-9][0-9]*'
version=$(sed -n "s/^project('platen'.* version: '\($number\)'.*/\1/p" meson.build)
[ -n "$version" ] || {
    echo "version: meson.build names none"
    exit 1
}
faults=0
fault() {
    echo "version: $*"
    faults=1
}

place() { # FILE TEXT: lines of the file have the version after the text
    [ -z "$write" ] || sed -i "s/\($2\)$number/\1$version/" "$1"
    found=$(sed -n "s/$2\($number\).*/\n\1/p" "$1" | grep -x "$number" | sort -u)
    [ "$found" = "$version" ] || fault "$1 says ${found:-nothing} after \"$2\", and meson.build $version"
}
place packaging/helm/platen/Chart.yaml '^version: '
place packaging/helm/platen/Chart.yaml '^appVersion: '
place packaging/helm/platen/values.yaml ' platen:'
place "$(find src -name openapi_base.json)" '"version": "'

newest() { # FILE PATTERN: the first heading of a changelog
    found=$(sed -n "s/^$2\($number\).*/\1/p" "$1" | head -n 1)
    [ "$found" = "$version" ] || fault "the newest entry of $1 is of ${found:-no version}, and meson.build says $version"
}
newest CHANGELOG.md '## \['
newest packaging/debian/changelog 'platen ('

[ "$faults" = 0 ] || exit 1
echo "version: everything says $version"
