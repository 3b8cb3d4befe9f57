#!/bin/sh
# install.sh LIST...: installs the Debian packages of packages.txt that are missing, and only those:
# with nothing to do it is quick and needs neither the network nor root.
#
# It says what it will install, and its size. What apt-get and dpkg print goes to the file that
# INSTALL_LOG names, if it is set, else to standard error.
set -eu
here=$(dirname "$(readlink -f "$0")")

wanted=$(for list; do awk -v list="$list" '$1 == list { print $2 }' "$here/packages.txt"; done)
if ! command -v dpkg-query >/dev/null; then
    echo "This is not Debian: install these packages, or what they contain, yourself:" >&2
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

log() {
    if [ "${INSTALL_LOG-}" ]; then "$@" >>"$INSTALL_LOG" 2>&1; else "$@" >&2; fi
}
# Downloads run as the user _apt, unless root may not become it, as in some containers.
downloads=_apt
$root setpriv --reuid=_apt --regid=nogroup --clear-groups true 2>/dev/null || downloads=root
apt() {
    log $root env DEBIAN_FRONTEND=noninteractive apt-get -q -o DPkg::Lock::Timeout=300 \
        -o APT::Sandbox::User=$downloads "$@"
}
# The lists may be missing (a new container) or old; what they say now may be enough even so.
apt update || echo "The package lists could not be updated: trying with those that are here." >&2
if [ "$missing" ]; then
    # shellcheck disable=SC2086 # a list of words
    size=$(LC_ALL=C apt-get install --assume-no --no-install-recommends $missing 2>/dev/null |
        sed -n 's/^Need to get \(.*\) of archives.*/\1 to fetch/p
            s/^After this operation, \(.*\) of additional.*/\1 on the disk/p' | paste -sd , | sed 's/,/, /')
    # shellcheck disable=SC2086
    set -- $missing
    echo "Installing $# packages${size:+ and what they need ($size)}." >&2
    apt install -y --no-install-recommends "$@"
fi
[ "$bring" ] || exit 0

# Of the very version that is installed: the files belong to it.
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
take() { # PACKAGE FILE
    version=$(dpkg-query -W -f '${Version}' "libreoffice-$1-nogui") &&
        (cd "$folder" && log apt-get -q -o APT::Sandbox::User=root download "libreoffice-$1=$version" &&
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
