#!/bin/sh
# install.sh LIST...: installs the Debian packages of packages.txt that are missing, and only those:
# with nothing to do it is quick and needs neither the network nor root.
set -eu
here=$(dirname "$(readlink -f "$0")")

wanted=$(for list; do awk -v list="$list" '$1 == list { print $2 }' "$here/packages.txt"; done)
if ! command -v dpkg-query >/dev/null; then
    echo "This is no Debian: see to it that these packages, or what they hold, are there:" >&2
    echo "$wanted" >&2
    exit 0
fi
missing=
for package in $wanted; do
    state=$(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null) || state=
    [ "$state" = installed ] || missing="$missing $package"
done
# Debian's Calc without a user interface leaves out one file of it that LibreOffice needs to load a
# spreadsheet; the package with a user interface has it.
inputbar=/usr/lib/libreoffice/share/config/soffice.cfg/modules/scalc/ui/inputbar.ui
bring_inputbar=
case " $* " in
*" run "*) [ -e "$inputbar" ] || bring_inputbar=yes ;;
esac
[ "$missing$bring_inputbar" ] || exit 0

if [ "$(id -u)" = 0 ]; then
    root=
elif command -v sudo >/dev/null; then
    root=sudo
else
    echo "Packages are missing and installing them needs root or sudo. As root, run:" >&2
    echo "    apt-get install --no-install-recommends$missing" >&2
    exit 1
fi

apt() {
    $root env DEBIAN_FRONTEND=noninteractive apt-get -q -o DPkg::Lock::Timeout=300 "$@" >&2
}
[ -z "$missing" ] || echo "Installing$missing" >&2
# The lists may be missing (a new container) or old; with what they say now it may work none the less.
apt update || echo "The package lists could not be updated: trying with those that are here." >&2
if [ "$missing" ]; then
    # shellcheck disable=SC2086 # a list of words
    apt install -y --no-install-recommends $missing
fi
[ "$bring_inputbar" ] || exit 0

# Of the very version that is installed: the file belongs to it.
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
version=$(dpkg-query -W -f '${Version}' libreoffice-calc-nogui)
echo "Taking inputbar.ui from libreoffice-calc $version" >&2
(cd "$folder" && apt-get -q download "libreoffice-calc=$version" >&2 &&
    dpkg-deb -x libreoffice-calc_*.deb .) || {
    echo "It could not be had: excel-to-pdf, word-to-pdf and ppt-to-pdf will be missing." >&2
    exit 0
}
$root install -D -m 644 "$folder$inputbar" "$inputbar"
