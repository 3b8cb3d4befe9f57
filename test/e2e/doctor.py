"""platen doctor: it finds what is wrong, says what to do, and changes nothing."""

import json
import os
import re
import shutil
import socket
import subprocess
import tempfile

from platen import DEADLINE, PLATEN, Server, done, ok, same

FOLDER = tempfile.TemporaryDirectory(prefix="platen-doctor-")
DATA = os.path.join(FOLDER.name, "d")


def free_port():
    with socket.socket() as sock:
        sock.bind(("127.0.0.1", 0))
        return sock.getsockname()[1]


def doctor(*words, data=DATA, port=None, wrapper=(), env=None):
    ran = subprocess.run([*wrapper, PLATEN, "doctor", "--data", data, "--listen",
                          f"127.0.0.1:{port or free_port()}", *words], capture_output=True,
                         text=True, timeout=DEADLINE, env={**os.environ, **(env or {})}, check=False)
    return ran.returncode, ran.stdout


def sick(*words, **more):
    """Without the programs, which take their time."""
    return doctor("--programs", FOLDER.name, *words, **more)


def fails(what, said, line, fix):
    ok(f"doctor finds {what}", re.search(rf"^FAIL  {line}", said, re.M), said)
    ok(f"doctor says what to do about {what}",
       re.search(rf"^FAIL  {line}.*\n +-> .*{fix}", said, re.M), said)


def tree(folder):
    return sorted((os.path.join(path, name), os.stat(os.path.join(path, name)).st_mode)
                  for path, _, names in os.walk(folder) for name in names)


def check_sound():
    server = Server("--trusted-proxies", "127.0.0.1")
    server.key()
    data = os.path.join(server.data, "d")
    before = tree(data)
    status, said = doctor("--trusted-proxies", "127.0.0.1", data=data, port=server.port)
    same("doctor: a machine without faults has status 0", status, 0)
    ok("doctor ends with the counts, none of them failed",
       re.search(r"^\d+ ok, \d+ warnings, 0 failed$", said, re.M), said)
    for layer in ("no_new_privs", "seccomp", "rlimits", "landlock"):
        ok(f"doctor tried the sandbox layer {layer}",
           re.search(rf"^ok    {layer} .*it holds", said, re.M), said)
    ok("doctor lists the number of tools and the sandbox of each program", re.search(
        r"^ok    program +platen-worker: \d+ tools, sandbox: .*landlock-\d,seccomp", said, re.M), said)
    ok("doctor ran a job in each program",
       re.search(r"^ok    trial jobs +every program has done one", said, re.M),
       said)
    ok("doctor sees that a server is running on the data folder",
       "one runs on this data folder" in said
       and f"a platen answers at 127.0.0.1:{server.port}" in said, said)
    with tempfile.TemporaryDirectory(prefix="platen-doctor-") as other:
        os.chmod(other, 0o700)
        ok("doctor warns if the server at the address is another one than that of the data folder",
           re.search(r"^warn  listen +a platen answers at .* not one of this data folder",
                     sick(data=other, port=server.port)[1], re.M))
    ok("doctor reports the database as sound, with its version",
       re.search(r"^ok    database +sound, of version \d", said, re.M), said)
    ok("doctor measures a durable write to the disk",
       re.search(r"a durable write takes \d+\.\d\d ms", said), said)
    installed = subprocess.run(["dpkg-query", "-W", "-f", "${Version}", "libreoffice-core-nogui"],
                               capture_output=True, text=True, timeout=DEADLINE, check=False).stdout
    ok("doctor prints the version of LibreOffice that dpkg has",
       f"LibreOffice        {installed}" in said, said)
    same("doctor changes nothing in the data folder",
         [entry for entry in tree(data) if "-wal" not in entry[0]
                                 and "-shm" not in entry[0]],
         [entry for entry in before if "-wal" not in entry[0] and "-shm" not in entry[0]])
    same("the server stops cleanly after doctor", server.close(), 0)


def check_json():
    status, said = sick("--json")
    findings = json.loads(said)
    same("doctor --json: the counts match the list of findings",
         [findings[what] for what in ("ok", "warnings", "failures")],
         [sum(finding["result"] == what for finding in findings["findings"])
          for what in ("ok", "warn", "fail")])
    ok("doctor --json: missing programs fail, with what to do", status == 1 and any(
        f["result"] == "fail" and f["check"] == "program" and "programs" in f["fix"]
        for f in findings["findings"]), findings)


def check_folder():
    os.makedirs(DATA, 0o755)
    os.chmod(DATA, 0o755)
    fails("a data folder that is open to others", sick()[1], "data folder .*mode 755", "chmod 700")
    os.chmod(DATA, 0o700)
    with open(os.path.join(DATA, "url.key"), "w", encoding="ascii") as file:
        file.write("x" * 64)
    os.chmod(os.path.join(DATA, "url.key"), 0o644)
    ok("doctor warns of a file in the data folder that others may read",
       re.search(r"^warn  permissions +url.key may be read", sick()[1], re.M))
    os.unlink(os.path.join(DATA, "url.key"))
    status, said = sick("--min-free-space", "900T")
    fails("a full disk", said, "disk space", "min_free_space")
    check_full_disk()
    check_parent()
    with open(os.path.join(DATA, "platen.db"), "wb") as file:
        file.write(os.urandom(20000))
    fails("a database that is none", sick()[1], "database", "backup")
    os.unlink(os.path.join(DATA, "platen.db"))
    server = Server()
    server.key()
    database = os.path.join(server.data, "d", "platen.db")
    data = server.data
    server.own = False
    server.close()
    size = os.path.getsize(database)
    with open(database, "r+b") as file:
        for page in range(1, size // 4096):
            file.seek(page * 4096)
            file.write(os.urandom(200))
    fails("a damaged database", sick(data=os.path.join(data, "d"))[1], "database", "backup")


def check_full_disk():
    """SQLite cannot even read its database then, which is sound."""
    server = Server()
    server.key()
    data, server.own = os.path.join(server.data, "d"), False
    server.close()
    mounted = os.path.join(FOLDER.name, "full")
    os.mkdir(mounted)
    fill = ('mount -t tmpfs -o size=2m,mode=700 platen "$1" && cp -a "$2"/platen.db* "$1" && '
            'chmod 700 "$1" && { cat /dev/zero >"$1/fill" 2>/dev/null; shift 2; exec "$@"; }')
    wrapper = ("unshare", "-rm", "sh", "-c", fill, "sh", mounted, data)
    if subprocess.run([*wrapper, "true"], capture_output=True, timeout=DEADLINE,
                      check=False).returncode:
        ok("a disk without any room # SKIP needs a mount namespace", True)
        return
    status, said = sick(data=mounted, wrapper=wrapper)
    same("doctor: a disk without any room has status 1", status, 1)
    ok("doctor does not blame the database if the disk is full",
       "restore the last backup" not in said and
       "no sound" not in said, said)
    fails("a disk without any room", said, "disk", "")
    shutil.rmtree(server.data)


def check_parent():
    """The server makes its folder, and none above it."""
    gone = os.path.join(FOLDER.name, "no/such/data")
    status, said = sick(data=gone)
    same("doctor: a data folder that cannot be made has status 1", status, 1)
    fails("a data folder whose parent does not exist", said, "data folder .*cannot be made in .*/no/such: No such",
          "install -d -m 700")
    closed = os.path.join(FOLDER.name, "closed")
    os.mkdir(closed, 0o555)
    wrapper = () if os.geteuid() else ("setpriv", "--reuid=65534", "--regid=65534",
                                       "--clear-groups")
    os.chmod(FOLDER.name, 0o755)
    fails("a data folder whose parent the server may not enter", sick(data=os.path.join(closed, "d"),
                                                         wrapper=wrapper)[1],
          "data folder .*cannot be made in .*/closed: Permission denied", "install -d -m 700")
    os.chmod(FOLDER.name, 0o700)
    ok("doctor warns of a data folder that does not exist and can be made", re.search(
        r"^warn  data folder +\S+/d2 is not there\n +-> the server makes it",
        sick(data=os.path.join(FOLDER.name, "d2"))[1], re.M))


def check_address():
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        other.settimeout(0)
        fails("an address that another program has", sick(port=other.getsockname()[1])[1],
              "listen .*another program", "ss -ltnp")
    ok("doctor fails if `listen` is not an address of this machine", re.search(
        r"^FAIL  listen +192.0.2.1:80: .*\n +-> name an address", doctor(
            "--programs", FOLDER.name, "--listen", "192.0.2.1:80")[1], re.M))


def check_tls():
    key, pem = os.path.join(FOLDER.name, "k"), os.path.join(FOLDER.name, "c")
    subprocess.run(["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "5", "-subj",
                    "/CN=a", "-keyout", key, "-out", pem], check=True, capture_output=True,
                   timeout=DEADLINE)
    os.chmod(key, 0o600)
    words = ("--tls-certificate", pem, "--tls-key", key)
    ok("doctor warns of a certificate that ends soon",
       re.search(r"^warn  TLS +the certificate is good until "
                                                 r".*\n +-> renew it", sick(*words)[1], re.M))
    os.chmod(key, 0o644)
    fails("a key that everybody may read", sick(*words)[1], "TLS +everybody", "chmod 640")
    fails("a key that is none", sick("--tls-certificate", pem, "--tls-key", pem)[1], "TLS", "PEM key")


def check_limits():
    said = sick(wrapper=("prlimit", "--nofile=2000"))[1]
    ok("doctor warns of a low limit of open files, with the number needed", re.search(
        r"^warn  open files +2000 allowed.*\n +-> LimitNOFILE=30512", said, re.M), said)
    said = sick("--allow-unsandboxed", "true", env={"PLATEN_LOG_LEVLE": "x"})[1]
    ok("doctor warns of a server that may run without a sandbox",
       re.search(r"^warn  settings .*without a sandbox", said, re.M)
       and "did you mean PLATEN_LOG_LEVEL?" in said, said)
    same("doctor with an unknown option has status 2", doctor("--nonsense")[0], 2)


check_sound()
check_json()
check_folder()
check_address()
check_tls()
check_limits()
done()
