#!/bin/sh
# build-deb.sh [FOLDER]: the Debian packages platen, platen-render, platen-ocr and platen-office of what is in
# this folder, put into FOLDER (default: build-deb), those with debug symbols into FOLDER/debug. The
# build itself happens in a copy, and takes about four minutes of CPU time.
set -eu
root=$(dirname "$(dirname "$(readlink -f "$0")")")
out=${1:-$root/build-deb}
mkdir -p "$out"
out=$(readlink -f "$out")

version=$(sed -n "s/^project('platen'.* version: '\([^']*\)'.*/\1/p" "$root/meson.build")
told=$(sed -n '1s/.*(\([^)]*\)).*/\1/p' "$root/packaging/debian/changelog")
[ "$version" = "$told" ] || {
    echo "meson.build says version $version and packaging/debian/changelog $told" >&2
    exit 1
}
"$root/packaging/install.sh" build package

copy=$(mktemp -d)
trap 'rm -rf "$copy"' EXIT
mkdir "$copy/platen-$version"
(cd "$root" && tar -cf - --exclude='./build*' --exclude=./.git --exclude=./data .) |
    tar -xf - -C "$copy/platen-$version"
cp -a "$root/packaging/debian" "$copy/platen-$version/debian"
(cd "$copy/platen-$version" &&
    DEB_BUILD_OPTIONS="${DEB_BUILD_OPTIONS:-parallel=2} nocheck" dpkg-buildpackage -b -us -uc >&2)
rm -f "$out"/platen*.deb "$out"/debug/platen*.deb
mkdir -p "$out/debug"
mv "$copy"/*-dbgsym_*.deb "$out/debug/"
rm -f "$out"/platen*.changes "$out"/platen*.buildinfo
mv "$copy"/*.deb "$copy"/*.changes "$copy"/*.buildinfo "$out/"
ls "$out"/*.deb
