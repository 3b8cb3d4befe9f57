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
# Debian's LibreOffice without a user interface leaves out two files of it that loading needs: one
# for every spreadsheet, one for texts with comments. The packages with a user interface have them.
ui=/usr/lib/libreoffice/share/config/soffice.cfg/modules
bring=
case " $* " in
*" run "*)
    [ -e "$ui/scalc/ui/inputbar.ui" ] || bring="$bring calc:scalc/ui/inputbar.ui"
    [ -e "$ui/swriter/ui/annotation.ui" ] || bring="$bring writer:swriter/ui/annotation.ui"
    ;;
esac
[ "$missing$bring" ] || exit 0

if [ "$(id -u)" = 0 ]; then
    root=
elif command -v sudo >/dev/null; then
    root=sudo
else
    echo "Packages are missing, and installing them needs root or sudo:${missing:- parts of LibreOffice}" >&2
    echo "As root, run:" >&2
    echo "    $here/install.sh $*" >&2
    # Without the two files of LibreOffice all but three tools work.
    [ "$missing" ] || exit 0
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
[ "$bring" ] || exit 0

# Of the very version that is installed: the files belong to it.
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
take() { # PACKAGE FILE
    version=$(dpkg-query -W -f '${Version}' "libreoffice-$1-nogui") &&
        (cd "$folder" && apt-get -q download "libreoffice-$1=$version" >&2 &&
            dpkg-deb -x "libreoffice-$1"_*.deb .) &&
        $root install -D -m 644 "$folder$ui/$2" "$ui/$2"
}
for one in $bring; do
    echo "Taking ${one#*:} from libreoffice-${one%%:*}" >&2
    take "${one%%:*}" "${one#*:}" || {
        echo "It could not be had: word-to-pdf, excel-to-pdf and ppt-to-pdf will be missing." >&2
        break
    }
done
