#!/bin/sh
# From a bare Debian 12 to a running server: installs what is missing, builds, makes a first API key
# and serves on 127.0.0.1:8080 with its data in ./data.
#
#     ./run.sh [--build-only | settings of `platen serve`]
set -eu
root=$(dirname "$(readlink -f "$0")")
platen=$root/build/platen
sample=$root/test/samples/plain.pdf

"$root/packaging/install.sh" run build
[ -f "$root/build/build.ninja" ] || meson setup "$root/build" "$root" >&2
ninja -C "$root/build" >&2
[ "${1-}" != --build-only ] || exit 0

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

# The store keeps only a digest of a key. The first one also stays in a file that only its owner can
# read, so that it can be shown again.
keys=$("$platen" key list --data "$data")
if [ "$(echo "$keys" | wc -l)" = 1 ]; then # only its heading
    made=$("$platen" key create --plan business --name first --data "$data" 2>&1) || {
        echo "$made" >&2
        exit 1
    }
    (umask 077 && echo "$made" | tail -n 1 >"$data/first-key")
    keys=$("$platen" key list --data "$data")
fi
key=$(cat "$data/first-key" 2>/dev/null) || key=
# Not if it was revoked since, or belongs to another database.
echo "$keys" | awk -v key="$key" 'index(key, $1 "_") == 1 && $5 == "active" { found = 1 }
    END { exit !found }' || key=

case $listen in
0.0.0.0:*) url=http://127.0.0.1:${listen##*:} ;;
"[::]":*) url="http://[::1]:${listen##*:}" ;;
*) url=http://$listen ;;
esac

how_to_use() {
    cat <<EOF

platen serves on $url

API key: ${key:-one of yours; \`$platen key create\` makes another}
EOF
    [ -z "$key" ] || cat <<EOF
(plan business; kept in $data/first-key)

Turn the pages of a PDF: paste this into another terminal.

    job=\$(curl -s -H 'X-API-Key: $key' -F 'file=@$sample' -F degrees=90 \\
        $url/api/v1/tools/pdf/rotate | sed -n 's/.*"jobId": *"\\([^"]*\\)".*/\\1/p')
    url=\$(curl -s -H 'X-API-Key: $key' "$url/api/v1/jobs/\$job?wait=30" |
        sed -n 's/.*"downloadUrl": *"\\([^"]*\\)".*/\\1/p')
    curl -s -o rotated.pdf "\$url" && ls -l rotated.pdf

EOF
}

# Shown once the server answers, by a process that is no child of it and ends with it at the latest.
show_when_ready() {
    until curl -s -f -g -o /dev/null --max-time 5 "$url/readyz"; do
        kill -0 $$ 2>/dev/null || return 0
        sleep 0.1
    done
    kill -0 $$ 2>/dev/null && how_to_use
}
(show_when_ready &)
exec "$platen" serve --listen "$listen" --data "$data" "$@"
