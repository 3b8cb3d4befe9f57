#!/bin/sh
# release.sh [--no-tests] [FOLDER]: makes a release of the commit that is checked out, into FOLDER (default: build-release):
#
#     platen-VERSION.tar.gz   the source, with the reference of the API as docs/api-reference.md
#     platen*.deb             the Debian packages, built from that archive
#     SHA256SUMS
#
# It refuses a tree with changes, a version that the changelogs do not have with a date, and a tag that is there
# already; it runs ./test.sh --fast; and it prints the command that makes the tag. Before: the version in meson.build,
# check/version.sh --write, an entry in CHANGELOG.md and in packaging/debian/changelog, a commit.
set -eu
tests=yes
[ "${1-}" != --no-tests ] || { tests= && shift; }
cd "$(dirname "$0")/.."
out=${1:-build-release}
say() { printf '\n== %s\n' "$*"; }
refuse() {
    echo "release: $*" >&2
    exit 1
}

version=$(sed -n "s/^project('platen'.* version: '\([^']*\)'.*/\1/p" meson.build)
say "platen $version"
check/version.sh || refuse 'the versions differ'
[ -z "$(git status --porcelain)" ] || refuse 'the tree has changes: commit them first'
date=$(sed -n "s/^## \[$version\] - \(20[0-9][0-9]-[01][0-9]-[0-3][0-9]\)$/\1/p" CHANGELOG.md)
[ -n "$date" ] || refuse "CHANGELOG.md has no date for $version"
! grep -q '^## \[Unreleased\]' CHANGELOG.md || refuse 'CHANGELOG.md has unreleased changes'
built=$(date -u -d "$(sed -n '/^ -- /{s/.*>  //p;q}' packaging/debian/changelog)" +%F)
[ "$built" = "$date" ] || refuse "CHANGELOG.md is of $date, and packaging/debian/changelog of $built"
! git rev-parse -q --verify "refs/tags/v$version" >/dev/null || refuse "there is a tag v$version"

if [ -n "$tests" ]; then
    say tests
    ./test.sh --fast || refuse 'tests fail'
fi

say source
[ -f build/build.ninja ] || meson setup build >/dev/null
ninja -C build server api-reference.md >/dev/null
grep -q word-to-pdf build/api-reference.md || refuse 'the reference lacks tools: LibreOffice is not installed'
rm -rf "$out" && mkdir -p "$out"
out=$(readlink -f "$out")
name=platen-$version
git archive --format=tar --prefix="$name/docs/" --add-file=build/api-reference.md --prefix="$name/" HEAD |
    gzip -9n >"$out/$name.tar.gz"

say Debian packages
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
tar -xzf "$out/$name.tar.gz" -C "$work"
"$work/$name/packaging/build-deb.sh" "$out"
(cd "$out" && sha256sum "$name.tar.gz" ./*.deb ./debug/*.deb | sed 's/  \.\//  /' >SHA256SUMS)

say "ready in $out"
cat "$out/SHA256SUMS"
echo "packaging/test-deb.sh $out installs the packages and tries them."
echo "To finish: git tag -a v$version -m 'platen $version' $(git rev-parse --short HEAD) && git push origin v$version"
