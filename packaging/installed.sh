#!/bin/sh
# installed.sh FOLDER: what an operator does with the packages in FOLDER, on a Debian of their own;
# run by test-deb.sh. Prints TAP.
set -u
folder=$1
n=0

ok() { # SENTENCE COMMAND...
    n=$((n + 1))
    what=$1
    shift
    if "$@" >&2; then echo "ok $n - $what"; else echo "not ok $n - $what"; fi
}
no() { ! "$@"; }
soon() { # COMMAND...: within half a minute
    for _ in $(seq 300); do
        "$@" >/dev/null 2>&1 && return 0
        sleep 0.1
    done
    "$@"
}

url=http://127.0.0.1:8080
answers() { curl -s -f -m 5 -o /dev/null "$url/readyz"; }
field() { sed -n "s/.*\"$1\": *\"\\([^\"]*\\)\".*/\\1/p"; }
submit() { # TOOL FIELD...: the job's id
    tool=$1
    shift
    curl -s -m 20 -H "X-API-Key: $key" -F "file=@$folder/plain.pdf" "$@" "$url/api/v1/tools/pdf/$tool" | field jobId
}
result() { # JOB: its bytes
    address=$(curl -s -m 70 -H "X-API-Key: $key" "$url/api/v1/jobs/$1?wait=60" | field downloadUrl)
    curl -s -m 20 "$address"
}
begins() { # TEXT JOB
    result "$2" | head -c 8 | grep -aq "$1"
}

install_packages() {
    apt-get -q update &&
        apt-get -q install -y --no-install-recommends "$folder"/platen_*.deb "$folder"/platen-render_*.deb "$folder"/platen-ocr_*.deb \
            ${WITH_OFFICE:+"$folder"/platen-office_*.deb}
}

find / -xdev \( -path /proc -o -path /sys -o -path /platen-test -o -path /tmp -o -path /run \) -prune -o -print |
    sort >/tmp/before
ok 'the packages are installed' install_packages
ok 'the program is there' platen --version
doc=/usr/share/doc/platen
broken() { # prints each document that another one refers to, and that is not there
    cd "$doc" || return
    for page in README.md docs/operating.md docs/api.md docs/guide.md; do
        grep -o '](\(docs\|packaging\|\.\./packaging\|[a-z-]*\.md\)[^)#]*' $page | sed 's/](//' | while read -r link; do
            test -e "$(dirname $page)/$link" || echo "$page: $link"
        done
    done
}
ok "the documents are there: $(broken | tr '\n' ' ')" test -z "$(broken)"
ok 'nothing runs yet' no systemctl -q is-active platen.service
ok 'the data folder is closed to others' test "$(stat -c '%U %a' /var/lib/platen)" = 'platen 700'
ok 'so are the settings' test "$(stat -c '%U %G %a' /etc/platen/platen.conf)" = 'root platen 640'

ok 'the service starts' systemctl enable --now platen.socket platen.service
ok 'and is ready' soon answers
ok 'as a user of its own' test "$(ps -o user= -C platen 2>/dev/null || stat -c %U "/proc/$(systemctl show -P MainPID platen.service)")" = platen
key=$(platen key create --plan business --name test | tail -n 1)
ok 'root makes a key' test -n "$key"
ok 'which leaves nothing of root in the data' no sh -c 'find /var/lib/platen -user root | grep .'
ok 'a job is done' begins %PDF "$(submit rotate -F degrees=90)"
ok 'also by platen-render' begins PNG "$(submit to-png -F dpi=72 -F pages=1)"
ok 'also by platen-ocr' begins %PDF "$(submit ocr -F language=eng)"
ok 'also one that is sealed' begins %PDF "$(submit sign -F signerName=Ann)"
layers=$(journalctl -u platen -o cat | grep -o 'sandbox[=:][^ ]*' | sort -u)
echo "layers: $layers" >&2
for layer in no_new_privs rlimits landlock seccomp; do
    ok "the unit leaves jobs their layer $layer" sh -c "journalctl -u platen -o cat | grep -q $layer"
done
if [ "${WITH_OFFICE-}" ]; then
    echo 'Hello' >"$folder/hello.txt"
    job=$(curl -s -H "X-API-Key: $key" -F "file=@$folder/hello.txt" "$url/api/v1/tools/pdf/word-to-pdf" | field jobId)
    ok 'also by platen-office' begins %PDF "$job"
fi

kept=$(submit rotate -F degrees=180)
result "$kept" >/dev/null
before=$(systemctl show -P MainPID platen.service)
kill -9 "$before"
restarted() { [ "$(systemctl show -P MainPID platen.service)" != "$before" ] && answers; }
ok 'a server that is killed comes back' soon restarted
ok 'with what was done' begins %PDF "$kept"
sed -i 's/^#*retention = .*/retention = 25h/' /etc/platen/platen.conf
changed() { journalctl -u platen -o cat | grep 'config.changed' | grep -q retention; }
ok 'a reload' systemctl reload platen.service
ok 'applies what was changed in the settings' soon changed
backup() { platen backup /root/backup --config /etc/platen/platen.conf; }
ok 'a backup is made while it runs' backup

# The next version: the same files, as 0.1.1.
dpkg-deb -R "$folder"/platen_*.deb /tmp/next
sed -i 's/^Version: .*/Version: 99.1/' /tmp/next/DEBIAN/control
dpkg-deb -R "$folder"/platen-render_*.deb /tmp/next-render
sed -i 's/^Version: .*/Version: 99.1/; s/platen (= [^)]*)/platen (= 99.1)/' /tmp/next-render/DEBIAN/control
dpkg-deb -Znone -b /tmp/next /tmp/next.deb >&2
dpkg-deb -Znone -b /tmp/next-render /tmp/next-render.deb >&2
echo '# changed here' >>/etc/platen/platen.conf
before=$(systemctl show -P MainPID platen.service)
upgrade() { dpkg -i --force-confdef --force-depends /tmp/next.deb /tmp/next-render.deb; }
ok 'an upgrade' upgrade
ok 'restarts the server' soon restarted
ok 'keeps the settings' grep -q '^# changed here' /etc/platen/platen.conf
ok 'and closed to others' test "$(stat -c '%U %G %a' /etc/platen/platen.conf)" = 'root platen 640'
ok 'and the jobs' begins %PDF "$kept"

journalctl -u platen.service -u platen.socket -o cat >&2
ok 'it stops' systemctl stop platen.service platen.socket
ok 'without a fault' test "$(systemctl show -P Result platen.service)" = success
ok 'the packages are removed' dpkg -r --force-depends platen-render platen-ocr platen-office platen
ok 'the data stay' test -e /var/lib/platen/platen.db
ok 'and the settings' test -e /etc/platen/platen.conf
ok 'and are purged' dpkg -P platen platen-render platen-ocr platen-office
rm -rf /root/backup
for gone in /var/lib/platen /etc/platen /usr/libexec/platen /usr/share/doc/platen /lib/systemd/system/platen.service; do
    ok "$gone is gone" test ! -e "$gone"
done
find / -xdev \( -path /proc -o -path /sys -o -path /platen-test -o -path /tmp -o -path /run \) -prune -o -print |
    sort >/tmp/after
left=$(comm -13 /tmp/before /tmp/after | grep -i platen)
ok "nothing is left: $left" test -z "$left"
ok 'nor the user' no getent passwd platen
echo "1..$n"
