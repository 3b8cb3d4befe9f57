#!/bin/sh
# own-data.sh DATA [USER]: run by root before it starts a server, gives the data folder DATA to the system user
# USER (platen), which the server then becomes. It makes the user if there is none, and the folder. A folder that
# belongs to another user, and one of root that no platen has used, stay as they are.
set -eu

data=$(readlink -m "$1")
user=${2:-platen}

[ "$(id -u)" = 0 ] || exit 0
keep() {
    echo "own-data: $1: the server stays root, with few capabilities" >&2
    exit 0
}

if [ -e "$data" ]; then
    [ "$(stat -L -c %u "$data")" = 0 ] || exit 0
    # Never a folder that holds something else, such as / or /srv.
    [ -z "$(ls -A "$data")" ] || [ -f "$data/platen.db" ] || keep "$data is not a data folder of platen"
fi
if ! getent passwd "$user" >/dev/null; then
    useradd --system --user-group --no-create-home --home-dir /nonexistent --shell /usr/sbin/nologin \
        --comment "platen, PDF server" "$user" || keep "the user $user cannot be made"
fi
group=$(id -g "$user")
# A folder in /root, for example, cannot be reached by anybody else.
setpriv --reuid "$user" --regid "$group" --clear-groups test -x "$(dirname "$data")" ||
    keep "$data cannot be reached by the user $user: choose another folder with --data, such as /var/lib/platen"
install -d -m 700 "$data"
chown -R -h "$user:$group" "$data"
echo "the data folder $data belongs to the user $user, which the server becomes" >&2
