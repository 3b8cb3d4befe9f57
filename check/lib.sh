#!/bin/sh
# shellcheck disable=SC2034,SC2154 # variables of the check, and for it
# lib.sh: functions of the checks that run a server, read in by them. They use $root, and serve
# uses the folder $data, which the check makes, and sets $server, $port and $key.

# install_packages FOLDER PACKAGE...: brings packages of npm to FOLDER, if they are not there.
# JavaScript in FOLDER is then in modules.
install_packages() {
    into=$1
    shift
    command -v npm >/dev/null || "$root/packaging/install.sh" node
    mkdir -p "$into"
    [ "$(cat "$into/installed" 2>/dev/null)" != "$*" ] || return 0
    echo '{ "type": "module" }' >"$into/package.json"
    npm install --prefix "$into" --no-audit --no-fund --silent "$@" >&2
    echo "$*" >"$into/installed"
}

# await_line FILE PROCESS EXPRESSION: prints what sed finds in FILE, as soon as it is there.
await_line() {
    until found=$(sed -n "$3" "$1") && [ "$found" ]; do
        kill -0 "$2" || {
            cat "$1"
            exit 1
        }
        sleep 0.1
    done
    echo "$found"
}

# serve NAME SETTING...: starts a server with a key called NAME.
serve() {
    name=$1
    shift
    "$root/build/platen" serve --data "$data/d" --listen 127.0.0.1:0 "$@" 2>"$data/log" &
    server=$!
    key=$("$root/build/platen" key create --plan business --name "$name" --data "$data/d" 2>/dev/null | tail -n 1)
    port=$(await_line "$data/log" "$server" 's/.*server.ready.* port=\([0-9]*\).*/\1/p')
}

# quietly WORD...: runs them, and shows what they print only if they fail.
quietly() {
    "$@" >said.txt 2>&1 || {
        cat said.txt
        exit 1
    }
}
