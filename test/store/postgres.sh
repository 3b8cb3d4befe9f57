#!/bin/sh
# Runs a command with PLATEN_POSTGRES naming a PostgreSQL server that is there for it alone: on a
# Unix socket in a folder of its own, with durable commits. Without PostgreSQL's programs the test is
# skipped. Usage: postgres.sh COMMAND...
set -eu

bin=$(find /usr/lib/postgresql -name bin 2>/dev/null | sort -V | tail -n 1)
if [ -z "$bin" ]; then
    echo "1..0 # SKIP PostgreSQL is not installed (package postgresql)"
    exit 0
fi

# PostgreSQL refuses to run as root.
as=
if [ "$(id -u)" = 0 ]; then
    as="setpriv --reuid=nobody --regid=nogroup --clear-groups"
fi

folder=$(mktemp -d "${TMPDIR:-/tmp}/platen-pg.XXXXXX")
stop() {
    $as "$bin/pg_ctl" -D "$folder/data" -m immediate stop >/dev/null 2>&1 || true
    rm -rf "$folder"
}
trap stop EXIT
trap 'exit 1' INT TERM
if [ -n "$as" ]; then
    chown nobody "$folder"
fi

cd "$folder"
start() {
    $as "$bin/initdb" -D "$folder/data" -U platen -A trust -E UTF8 --locale=C.UTF-8 &&
        $as "$bin/pg_ctl" -D "$folder/data" -w -l "$folder/server.log" -o "$options" start
}
options="-c listen_addresses= -c unix_socket_directories=$folder -c max_connections=200 ${POSTGRES_OPTIONS:-}"
if ! start >"$folder/log" 2>&1; then
    cat "$folder/log" "$folder/server.log" >&2 2>/dev/null || true
    exit 1
fi
cd "$OLDPWD"
export PLATEN_POSTGRES="postgresql://platen@/postgres?host=$folder"
export PLATEN_POSTGRES_CTL="$as $bin/pg_ctl -D $folder/data -l $folder/server.log" # for tests of a restart
"$@"
