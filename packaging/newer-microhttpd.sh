#!/bin/sh
# newer-microhttpd.sh COMMAND...: runs a command with the libmicrohttpd of Debian 13 in place of the
# system's, as after an update of the library alone. It is built from Debian's source in
# build-microhttpd, because the package needs the C library of Debian 13. The lists and settings of
# the system's apt stay as they are.
set -eu
here=$(dirname "$(readlink -f "$0")")
folder=$(dirname "$here")/build-microhttpd
keyring=/usr/share/keyrings/debian-archive-keyring.gpg
mirror=$(sed -n 's/^URIs: //p; s/^deb [^h]*\(http[^ ]*\) .*/\1/p' /etc/apt/sources.list.d/debian.sources \
    /etc/apt/sources.list 2>/dev/null | head -n 1)

log() { "$@" >>"$folder/log" 2>&1; }

apt() { # VERB...: with lists of its own
    log apt-get -q -o Dir::Etc::sourcelist="$folder/sources.list" -o Dir::Etc::sourceparts=- \
        -o Dir::State::lists="$folder/lists" -o Dir::Cache="$folder/cache" -o APT::Sandbox::User=root "$@"
}

build() {
    "$here/install.sh" run build
    mkdir -p "$folder/lists/partial" "$folder/cache/archives/partial" "$folder/source"
    echo "deb-src [signed-by=$keyring] $mirror trixie main" >"$folder/sources.list"
    apt update
    (cd "$folder" && apt source --download-only libmicrohttpd)
    tar -x -f "$folder"/libmicrohttpd_*.orig.tar.gz -C "$folder/source" --strip-components=1
    (
        cd "$folder/source"
        log ./configure --prefix="$folder" --disable-static --disable-doc --disable-examples --disable-curl
        log make -j "$(nproc)" install
    )
}

[ -e "$folder/lib/libmicrohttpd.so.12" ] || build || {
    tail -n 20 "$folder/log" >&2
    exit 1
}
LD_LIBRARY_PATH="$folder/lib" exec "$@"
