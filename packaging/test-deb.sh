#!/bin/sh
# test-deb.sh DEBS [ROOT]: boots a bare Debian 12 in a container (systemd-nspawn), and there installs
# the packages of the folder DEBS, runs them under their systemd unit, upgrades, removes and purges
# them (installed.sh). ROOT: the folder of that Debian, made if missing and kept. For root; needs
# debootstrap and systemd-container. WITH_OFFICE=1: also platen-office, and with it LibreOffice.
set -eu
here=$(dirname "$(readlink -f "$0")")
debs=$(readlink -f "$1")
root=${2:-/var/tmp/platen-test-root}

if [ ! -e "$root/etc/debian_version" ]; then
    debootstrap --variant=minbase --include=systemd,systemd-sysv,dbus,curl,ca-certificates bookworm \
        "$root" >&2
fi
run=$(mktemp -d)
trap 'rm -rf "$run"' EXIT
cp "$debs"/platen*.deb "$here/installed.sh" "$here/../test/samples/plain.pdf" "$run/"
rm -f "$run"/*dbgsym*.deb
# A snapshot of ROOT, so that each run begins bare; what it installs comes from apt's cache.
mkdir -p "$root/var/cache/apt/archives" "$run/archives"
cat >"$run/platen-test.service" <<UNIT
[Unit]
After=multi-user.target
[Service]
Type=oneshot
Environment=DEBIAN_FRONTEND=noninteractive WITH_OFFICE=${WITH_OFFICE-}
StandardOutput=file:/platen-test/tap
StandardError=file:/platen-test/log
ExecStart=/bin/sh /platen-test/installed.sh /platen-test
ExecStopPost=/bin/systemctl --no-block poweroff
UNIT
printf '[Unit]\nWants=platen-test.service\n' >"$run/wants.conf"
timeout 500 systemd-nspawn -q -D "$root" --volatile=overlay --keep-unit --register=no \
    --resolv-conf=copy-host \
    --system-call-filter='landlock_create_ruleset landlock_add_rule landlock_restrict_self' --bind="$run:/platen-test" \
    --bind="$root/var/cache/apt/archives:/var/cache/apt/archives" \
    --bind-ro="$run/platen-test.service:/etc/systemd/system/platen-test.service" \
    --bind-ro="$run/wants.conf:/etc/systemd/system/multi-user.target.d/platen-test.conf" \
    -b </dev/null >"$run/console" 2>&1 || true
cat "$run/tap" || tail -n 40 "$run/console"
grep -q '^1\.\.' "$run/tap" && ! grep -q '^not ok' "$run/tap" && exit 0
tail -n 60 "$run/log"
exit 1
