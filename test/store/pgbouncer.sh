#!/bin/sh
# Runs a command with a pgbouncer in transaction mode, of four connections, before the server that
# PLATEN_POSTGRES names. Run by postgres.sh: postgres.sh pgbouncer.sh COMMAND...
set -eu

if ! command -v pgbouncer >/dev/null; then
    echo "1..0 # SKIP pgbouncer is not installed"
    exit 0
fi
folder=$(mktemp -d "${TMPDIR:-/tmp}/platen-pool.XXXXXX")
cat >"$folder/pgbouncer.ini" <<EOF
[databases]
* = host=${PLATEN_POSTGRES#*host=} user=platen
[pgbouncer]
unix_socket_dir = $folder
listen_port = 6432
auth_type = any
pool_mode = transaction
default_pool_size = 4
max_client_conn = 500
logfile = $folder/log
pidfile = $folder/pid
EOF
as=
if [ "$(id -u)" = 0 ]; then
    as="setpriv --reuid=nobody --regid=nogroup --clear-groups"
    chown -R nobody "$folder"
fi
trap 'kill "$(cat "$folder/pid")" 2>/dev/null || true; rm -rf "$folder"' EXIT
$as pgbouncer -q -d "$folder/pgbouncer.ini"
tries=0
while [ ! -S "$folder/.s.PGSQL.6432" ] && [ "$tries" -lt 100 ]; do
    tries=$((tries + 1))
    sleep 0.1
done
PLATEN_POSTGRES="postgresql://platen@/postgres?host=$folder&port=6432" "$@"
