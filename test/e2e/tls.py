"""TLS: with openssl's and curl's clients, uploads, refusals, and the renewal of a certificate."""

import json
import os
import re
import signal
import socket
import ssl
import subprocess
import tempfile

from platen import DEADLINE, PLATEN, Server, done, multipart, ok, pdf, same, until, without_office

without_office()

FOLDER = tempfile.TemporaryDirectory(prefix="platen-tls-")


def path(name):
    return os.path.join(FOLDER.name, name)


def run(*command, input_=None):
    return subprocess.run(command, capture_output=True, timeout=DEADLINE, input=input_, check=False)


def certificate(name, kind="ec", days="30"):
    """NAME.pem and NAME.key for localhost."""
    new = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256"] if kind == "ec" else \
        ["-newkey", "rsa:2048"]
    made = run("openssl", "req", "-x509", *new, "-nodes", "-days", days, "-subj", f"/CN={name}",
               "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1",
               "-keyout", path(f"{name}.key"), "-out", path(f"{name}.pem"))
    assert made.returncode == 0, made.stderr
    return path(f"{name}.pem"), path(f"{name}.key")


class Tls(Server):
    def connect(self, timeout=DEADLINE):
        import http.client
        context = ssl.create_default_context(cafile=path("trusted.pem"))
        return http.client.HTTPSConnection("localhost", self.port, timeout=timeout, context=context)


def curl(server, *words):
    return run("curl", "-sS", "--cacert", path("trusted.pem"), "-m", "30",
               *[word.replace("BASE", f"https://localhost:{server.port}") for word in words])


def s_client(server, *words):
    ran = run("openssl", "s_client", "-connect", f"127.0.0.1:{server.port}", "-CAfile",
              path("trusted.pem"), *words, input_=b"")
    return ran.returncode, (ran.stdout + ran.stderr).decode("utf-8", "replace")


def check_versions(server):
    for version in ("-tls1_2", "-tls1_3"):
        status, said = s_client(server, version)
        ok(f"openssl s_client connects with {version}",
           status == 0 and "Verify return code: 0 (ok)" in said,
           said)
    for version in ("-tls1", "-tls1_1"):
        status, said = s_client(server, version, "-cipher", "ALL:@SECLEVEL=0")
        ok(f"openssl s_client cannot connect with {version}",
           status != 0 and "no peer certificate available" in said, said)
    status, said = s_client(server, "-tls1_2", "-cipher", "aNULL:eNULL:RC4:3DES:@SECLEVEL=0")
    ok("a connection without a common cipher is refused", status != 0, said)
    with socket.create_connection(("127.0.0.1", server.port), DEADLINE) as plain:
        plain.sendall(b"GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n")
        said = all_of(plain)
    ok("a connection without TLS gets no HTTP answer", not said.startswith(b"HTTP"), said)


def check_way(server, key):
    """A job by curl, from upload to download."""
    with open(path("in.pdf"), "wb") as file:
        file.write(pdf(pages=3, pad=3000000))
    sent = curl(server, "-F", f"file=@{path('in.pdf')}", "-F", "degrees=90", "-H",
                f"X-API-Key: {key}", "BASE/api/v1/tools/pdf/rotate")
    ok("curl uploads 3 MB over TLS", sent.returncode == 0 and b"jobId" in sent.stdout, sent)
    job = server.wait(json.loads(sent.stdout)["jobId"], key).json
    url = job["downloadUrl"]
    ok("the download address begins with https",
       url.startswith(f"https://localhost:{server.port}/"),
       url)
    got = curl(server, "-o", path("out.pdf"), url)
    checked = run("qpdf", "--check", path("out.pdf"))
    ok("curl downloads the result over TLS",
       got.returncode == 0 and checked.returncode == 0, got, checked)
    got = curl(server, "-r", "10-19", "-o", path("part"), url)
    ok("curl downloads a range of the result over TLS", os.path.getsize(path("part")) == 10, got)


def check_events(server, key):
    job = server.submit("rotate", [("a.pdf", pdf(300))], key, {"degrees": "90"}).json["jobId"]
    connection = server.connect()
    connection.request("GET", f"/api/v1/jobs/{job}/events", headers={"X-API-Key": key})
    answer = connection.getresponse()
    seen = b""
    while b"event: completed" not in seen and (got := answer.read1(4096)):
        seen += got
    ok("an event stream works over TLS", b"event: completed" in seen, seen)
    connection.close()


def check_refusals(server, key):
    """Answers that leave while the client still sends go past libmicrohttpd: they are encrypted
    too."""
    body, kind = multipart([("a.pdf", pdf(pad=4000000))], {"nonsense": "1", "degrees": "90"})
    answer = server.request("POST", "/api/v1/tools/pdf/rotate", "ptk_no",
                            {"Content-Type": kind}, body)
    same("over TLS a wrong key is answered before the upload is complete",
         (answer.status, answer.error),
         (401, "invalid_api_key"))
    answer = server.request("POST", "/api/v1/tools/pdf/rotate", key, {"Content-Type": kind}, body)
    same("over TLS an unknown field is answered before the upload is complete",
         (answer.status, answer.error), (400, "unknown_field"))


def secure(server):
    context = ssl.create_default_context(cafile=path("trusted.pem"))
    return context.wrap_socket(socket.create_connection(("127.0.0.1", server.port), DEADLINE),
                               server_hostname="localhost")


def all_of(connection):
    out = b""
    try:
        while got := connection.recv(4096):
            out += got
    except (ssl.SSLError, OSError) as failure:
        out += repr(failure).encode()
    return out


def check_deadlines():
    """The watch's rules hold: nobody keeps a connection by a byte now and then."""
    server = Tls("--tls-certificate", path("trusted.pem"), "--tls-key", path("trusted.key"),
                 "--header-timeout", "4s", "--body-grace", "1s", "--idle-timeout", "1s")
    with socket.create_connection(("127.0.0.1", server.port), DEADLINE) as silent:
        silent.sendall(b"\x16\x03\x01")
        said = all_of(silent)
    ok("a TLS handshake that stalls is disconnected", b"timed out" not in said, said)
    with secure(server) as slow:
        slow.sendall(b"GET /healthz HTTP/1.1\r\nHost: a\r\nX-Slow: ")
        said = all_of(slow)
    late = b"HTTP/1.1 408 " if server.knows_library() else b""
    what = "answered 408" if late else "cut off"
    ok(f"over TLS headers that do not end are {what}", said[:13] == late, said)
    key = server.key()
    with secure(server) as slow:
        slow.sendall(b"POST /api/v1/tools/pdf/rotate HTTP/1.1\r\nHost: a\r\nX-API-Key: "
                     + key.encode() + b"\r\nContent-Type: multipart/form-data; boundary=b\r\n"
                     b"Content-Length: 100000\r\n\r\n--b\r\n")
        said = all_of(slow)
    ok(f"over TLS a body that stalls is {what}", said[:13] == late, said)
    with secure(server) as idle:
        idle.sendall(b"GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n")
        said = all_of(idle)
    ok("over TLS an idle connection is closed", said.startswith(b"HTTP/1.1 200 "), said)
    same("the server with short time limits stops cleanly", server.close(), 0)


def subject(server):
    said = s_client(server)[1]
    found = re.search(r"subject=CN ?= ?(\S+)", said)
    return found[1] if found else said


def reload(server, event):
    begin = len(server.logs())
    server.process.send_signal(signal.SIGHUP)
    until(lambda: f"event={event} " in server.logs()[begin:])
    return server.logs()[begin:]


def copy(name):
    for end in ("pem", "key"):
        with open(path(f"{name}.{end}"), "rb") as source, open(path(f"used.{end}"), "wb") as target:
            target.write(source.read())


def check_renewal():
    certificate("second", "rsa")
    copy("trusted")
    server = Tls("--tls-certificate", path("used.pem"), "--tls-key", path("used.key"))
    connection = server.connect()
    connection.request("GET", "/healthz")
    connection.getresponse().read()
    same("the server shows the configured certificate", subject(server), "trusted")
    copy("second")
    reload(server, "config.reloaded")
    same("after SIGHUP new connections get the renewed certificate", subject(server), "second")
    if server.keeps_connections():
        connection.request("GET", "/healthz")
        same("a connection made before the renewal continues", connection.getresponse().status, 200)
    connection.close()
    with open(path("used.key"), "wb") as file:
        file.write(b"no key")
    said = reload(server, "config.refused")
    ok("a reload with an unreadable key is refused, and the reason logged",
       "event=config.refused" in said and "used.key" in said, said)
    same("after a refused reload the last good certificate is shown", subject(server), "second")
    copy("trusted")
    with open(path("second.key"), "rb") as source, open(path("used.key"), "wb") as target:
        target.write(source.read())
    said = reload(server, "config.refused")
    ok("a reload with another certificate's key is refused, and the reason logged",
       "is not the key of the certificate" in said, said)
    status = run(PLATEN, "status", "--listen", f"127.0.0.1:{server.port}", "--tls-certificate",
                 path("used.pem"), "--tls-key", path("used.key"))
    ok("platen status works over TLS", status.returncode in (0, 3) and b"platen " in status.stdout,
       status)
    same("the server with the renewed certificate stops cleanly", server.close(), 0)
    refused = run(PLATEN, "serve", "--data", path("d"), "--listen", "127.0.0.1:0",
                  "--tls-certificate", path("used.pem"), "--tls-key", path("used.key"))
    ok("a start with another certificate's key is refused", refused.returncode == 1
       and b"is not the key of the certificate" in refused.stderr, refused)


certificate("trusted")
main = Tls("--tls-certificate", path("trusted.pem"), "--tls-key", path("trusted.key"))
main_key = main.key()
check_versions(main)
check_way(main, main_key)
check_events(main, main_key)
check_refusals(main, main_key)
same("the server stops cleanly", main.close(), 0)
check_deadlines()
check_renewal()
done()
