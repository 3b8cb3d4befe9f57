#!/bin/sh
# test.sh [BASE]: builds the container image and runs it as compose.yaml does: read-only, without any
# right, as a user that is not root. Jobs are done over HTTP, and are there after the container was
# killed and made anew. For root, by hand: a run takes 10 to 20 minutes.
#
# BASE: an image of Debian 12 that podman has, or a folder that debootstrap made; without it, one is
# made. TARGET=full: with LibreOffice. NETWORK (default: host) is the network of the build and of the
# container; PORT (default: 18080) must be free. PODMAN, BUILD_OPTIONS and RUN_OPTIONS are for hosts on
# which podman's own choice does not work, such as PODMAN='podman --runtime runc'.
set -eu
here=$(dirname "$(readlink -f "$0")")
root=$(dirname "$(dirname "$here")")
target=${TARGET:-small}
port=${PORT:-18080}
podman=${PODMAN:-podman}
base=${1-}
work=$(mktemp -d)
image=platen-test:$target
name=platen-test-$$
failed=0
number=0

stop() {
    $podman rm -f -t 0 "$name" >/dev/null 2>&1 || true
    $podman volume rm "$name" >/dev/null 2>&1 || true
    rm -rf "$work"
}
trap stop EXIT
trap 'exit 1' INT TERM

# ok TEXT COMMAND...: a line of TAP.
ok() {
    text=$1
    shift
    number=$((number + 1))
    if "$@" >"$work/said" 2>&1; then
        echo "ok $number - $text"
    else
        echo "not ok $number - $text"
        sed 's/^/# /' "$work/said"
        failed=1
    fi
}

if [ ! "$base" ]; then
    debootstrap --variant=minbase --include=ca-certificates bookworm "$work/base" >&2
    base=$work/base
fi
if [ -d "$base" ]; then
    tar -C "$base" -c . | $podman import -q - platen-test-base >&2
    base=localhost/platen-test-base
fi
# A build that has its own mirror or proxy for apt gets it from the host's environment.
# shellcheck disable=SC2086 # lists of words, here and below
$podman build -q --format docker --network "${NETWORK:-host}" ${BUILD_OPTIONS-} --build-arg "BASE=$base" --target "$target" \
    -f "$here/Containerfile" -t "$image" "$root" >&2

run() {
    # shellcheck disable=SC2086
    $podman run -d --name "$name" --network "${NETWORK:-host}" ${RUN_OPTIONS-} \
        --read-only --tmpfs /tmp:size=2g,mode=1777 --cap-drop ALL \
        --security-opt no-new-privileges -v "$name:/var/lib/platen" \
        -e PLATEN_LISTEN="127.0.0.1:$port" "$image" >/dev/null
    for _ in $(seq 100); do
        curl -fs "http://127.0.0.1:$port/readyz" >/dev/null && return 0
        sleep 0.3
    done
    $podman logs "$name" >&2
    return 1
}
inside() { $podman exec "$name" "$@"; }
begins() {
    want=$1
    shift
    "$@" | head -c 16 | grep -aq "$want"
}
# submit TOOL FIELD...: the result's bytes.
submit() {
    tool=$1
    shift
    answer=$(curl -sS -H "X-API-Key: $key" -H 'Prefer: wait=60' "$@" \
        "http://127.0.0.1:$port/api/v1/tools/pdf/$tool")
    result=$(echo "$answer" | sed -n 's/.*"downloadUrl": *"\([^"]*\)".*/\1/p' | sed 's/\\//g')
    [ "$result" ] || {
        echo "$answer" >&2
        return 1
    }
    echo "$result" >"$work/result"
    curl -fsS "$result"
}
plain="file=@$root/test/samples/plain.pdf"

ok 'the container starts, read-only and without capabilities' run
ok 'it runs as a user that is not root' test "$(inside id -u)" = 10001
ok 'no compiler is in the image' inside sh -c '! command -v cc && ! command -v gcc'
ok 'its root cannot be written' inside sh -c '! touch /usr/x 2>/dev/null'
inside platen doctor >"$work/doctor" 2>&1 || true
sed 's/^/# /' "$work/doctor"
ok 'Landlock and seccomp protect every program' \
    sh -c "! grep '^FAIL' '$work/doctor' && grep -q 'landlock-[0-9]*,seccomp' '$work/doctor'"
ok 'the health check is met' inside platen status
key=$(inside platen key create --plan pro --name tester | tail -n 1)
ok 'a job is done' begins %PDF submit rotate -F "$plain" -F degrees=90
ok 'a page is drawn' begins PNG submit to-png -F "$plain" -F dpi=72 -F pages=1
if [ "$target" = full ]; then
    ok 'a Word file is converted' begins %PDF submit word-to-pdf \
        -F "file=@$root/test/samples/office/plain.docx"
fi
last=$(cat "$work/result")
$podman kill -s KILL "$name" >/dev/null
$podman rm -f "$name" >/dev/null
ok 'a new container takes over the volume' run
ok 'and has the result of the one that was killed' curl -fsS -o "$work/again" "$last"
ok 'and its key' begins %PDF submit rotate -F "$plain" -F degrees=180
# shellcheck disable=SC2086
ok 'it stops when it is told to' $podman stop -t 60 "$name"
ok 'with success' test "$($podman inspect -f '{{.State.ExitCode}}' "$name")" = 0
echo "1..$number"
exit $failed
