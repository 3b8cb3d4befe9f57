#!/bin/sh
# From a bare Debian 12 to a running server: installs what is missing, builds, makes a first API key
# and serves on 127.0.0.1:8080 with its data in ./data.
#
#     ./run.sh [--build-only | settings of `platen serve`]
#
# It stops before anything is installed if another program uses the address.
# The first time takes about ten minutes on two cores and 1.9 GB of disk, besides the downloads that
# apt keeps; later it takes seconds.
set -eu
root=$(dirname "$(readlink -f "$0")")
platen=$root/build/platen
sample=$root/test/samples/plain.pdf
log=$root/build/run.log

case ${1-} in
-h | --help)
    sed -n '2,/^set/s/^# \{0,1\}//p' "$0"
    exit 0
    ;;
esac

fail() { # WHAT: and the end of the log
    tail -n 20 "$log" >&2
    echo "$1 failed; all of its output is in $log" >&2
    exit 1
}

# One line for each step; on a terminal the build's line counts up.
build() {
    steps=$(ninja -C "$root/build" -n server | sed -n 's/^\[1\/\([0-9]*\)\].*/\1/p')
    [ "$steps" ] || return 0
    echo "2/3 build: $steps steps" >&2
    if ! { ninja -C "$root/build" server || echo "ninja failed"; } 2>&1 | tee -a "$log" | count; then
        fail "The build"
    fi
}
count() { # ninja's output; false if the build failed
    failed=
    while IFS= read -r line; do
        case $line in
        "ninja failed") failed=1 ;;
        "["*/*"]"*) [ ! -t 2 ] || printf '\r    %s' "${line%%]*}]" >&2 ;;
        esac
    done
    [ ! -t 2 ] || printf '\r\033[K' >&2
    [ -z "$failed" ]
}

# The settings that the key and the printed lines depend on; `platen serve` reads all of them itself.
data=${PLATEN_DATA:-$root/data}
listen=${PLATEN_LISTEN:-127.0.0.1:8080}
name=
for word; do
    case $name in
    --data) data=$word ;;
    --listen) listen=$word ;;
    esac
    name=$word
    case $word in
    --data=*) data=${word#*=} ;;
    --listen=*) listen=${word#*=} ;;
    esac
done
case $listen in
0.0.0.0:*) url=http://127.0.0.1:${listen##*:} ;;
"[::]":*) url="http://[::1]:${listen##*:}" ;;
*) url=http://$listen ;;
esac

# Whether a program listens at the address, or at all addresses with its port: read from /proc/net,
# since a bare system has neither ss nor curl.
listens() {
    cat /proc/net/tcp /proc/net/tcp6 2>/dev/null | awk -v listen="$listen" '
        BEGIN {
            port = listen
            sub(/.*:/, "", port)
            port = sprintf("%04X", port)
            if (split(listen, part, /[.:]/) == 5)
                wanted = sprintf("%02X%02X%02X%02X", part[4], part[3], part[2], part[1])
            every = wanted == "00000000" || listen ~ /^\[::\]:/
        }
        $4 == "0A" && split($2, local, ":") == 2 && local[2] == port {
            found = found || every || local[1] ~ /^0+$/ || local[1] == wanted ||
                (wanted ? local[1] == "0000000000000000FFFF0000" wanted : length(local[1]) == 32)
        }
        END { exit !found }'
}
answers() { # a container or a proxy may answer at an address where no socket of this machine listens
    command -v curl >/dev/null && curl -s -g -o /dev/null --max-time 5 "$url/healthz"
}
# A server cannot start there, and the key below would be told for one that does not know it.
check_address() {
    if listens || answers; then
        echo "Another program uses $url: stop it, or choose another address with --listen." >&2
        exit 1
    fi
}

[ "${1-}" = --build-only ] || check_address
mkdir -p "$root/build"
: >"$log"
echo "1/3 packages" >&2
INSTALL_LOG=$log "$root/packaging/install.sh" run build || fail "The installation of packages"
[ -f "$root/build/build.ninja" ] || meson setup "$root/build" "$root" >>"$log" 2>&1 ||
    fail "The configuration of the build"
build
[ "${1-}" != --build-only ] || exit 0
echo "3/3 start" >&2

check_address

# A server that root starts becomes the owner of its data folder.
"$root/packaging/own-data.sh" "$data"

# The store keeps only a digest of a key. The first one also stays in a file that only its owner can
# read, so that it can be shown again.
keys=$("$platen" key list --data "$data" 2>/dev/null) || keys=
if [ "$(echo "$keys" | wc -l)" = 1 ]; then # only its heading, or no database yet
    made=$("$platen" key create --plan business --name first --data "$data" 2>&1) || {
        echo "$made" >&2
        exit 1
    }
    (umask 077 && echo "$made" | tail -n 1 >"$data/first-key")
    keys=$("$platen" key list --data "$data")
fi
key=$(cat "$data/first-key" 2>/dev/null) || key=
# Not if it was revoked since, or belongs to another database.
echo "$keys" | awk -v key="$key" 'index(key, $1 "_") == 1 && / active( |$)/ { found = 1 }
    END { exit !found }' || key=

how_to_use() {
    cat <<EOF

platen serves on $url

API key: ${key:-one of yours; \`$platen key create\` makes another}
EOF
    [ -z "$key" ] || cat <<EOF
(plan business; kept in $data/first-key)

Rotate the pages of a PDF: paste this into another terminal.

    curl -sS -H 'X-API-Key: $key' -H 'Prefer: wait=30' -F 'file=@$sample' -F degrees=90 \\
        $url/api/v1/tools/pdf/rotate -o job.json
    curl -sSOJ "\$(sed 's/.*"downloadUrl":"\\([^"]*\\)".*/\\1/' job.json)" && ls -l plain-*.pdf

EOF
}

# Shown once the server is ready, by a process that is not a child of it and ends with it at the
# latest. A server that is not ready after a minute is shown with its own reason.
show_when_ready() {
    waited=0
    until curl -s -f -g -o /dev/null --max-time 5 "$url/readyz"; do
        kill -0 $$ 2>/dev/null || return 0
        waited=$((waited + 1))
        if [ $waited = 300 ]; then
            echo
            echo "platen is not ready yet: $(curl -s -g --max-time 5 "$url/readyz" |
                sed 's/.*"message":"\([^"]*\)".*/\1/')"
            break
        fi
        sleep 0.2
    done
    kill -0 $$ 2>/dev/null && how_to_use
}
(show_when_ready &)
exec "$platen" serve --listen "$listen" --data "$data" "$@"
