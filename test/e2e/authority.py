"""A time stamp authority on loopback: `openssl ts` behind HTTP, and some that misbehave, by path.

Run as a program it says its address and the folder of its root.crt on one line, and serves until
its standard input ends."""

import atexit
import http.server
import shutil
import ssl
import subprocess
import sys
import tempfile
import threading

CONFIG = """
[ tsa ]
default_tsa = own
[ own ]
serial = {folder}/serial
crypto_device = builtin
signer_cert = {folder}/tsa.crt
certs = {folder}/root.crt
signer_key = {folder}/tsa.key
signer_digest = sha256
default_policy = 1.2.3.4.1
digests = {digests}
accuracy = secs:1
ess_cert_id_alg = sha256
[ stamping ]
extendedKeyUsage = critical,timeStamping
"""


class Authority:
    """folder: its certificates (root.crt). seen: the requests that came, as (path, headers).
    tls: a PEM file with key and certificate, to speak https."""

    def __init__(self, tls=None):
        self.folder = tempfile.mkdtemp(prefix="platen-authority-")
        atexit.register(shutil.rmtree, self.folder, ignore_errors=True)
        self.seen, self.lock, self.first = [], threading.Lock(), None
        self.released = threading.Event()
        for name, digests in (("config", "sha256"), ("picky", "sha512")):
            with open(f"{self.folder}/{name}", "w") as file:
                file.write(CONFIG.format(folder=self.folder, digests=digests))
        self.openssl("req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", "root.key", "-out",
                     "root.crt", "-subj", "/CN=Stamp Root", "-days", "9")
        self.openssl("req", "-new", "-newkey", "rsa:2048", "-nodes", "-keyout", "tsa.key", "-out",
                     "tsa.csr", "-subj", "/CN=Stamps")
        self.openssl("x509", "-req", "-in", "tsa.csr", "-CA", "root.crt", "-CAkey", "root.key",
                     "-CAcreateserial", "-out", "tsa.crt", "-days", "9", "-extfile", "config",
                     "-extensions", "stamping")
        self.http = http.server.ThreadingHTTPServer(("127.0.0.1", 0), self.handler())
        self.http.daemon_threads = True
        self.url = f"http{'s' if tls else ''}://127.0.0.1:{self.http.server_address[1]}"
        if tls:
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(tls)
            self.http.socket = context.wrap_socket(self.http.socket, server_side=True)
            self.http.handle_error = lambda *words: None
        threading.Thread(target=self.http.serve_forever, daemon=True).start()

    def openssl(self, *words):
        made = subprocess.run(["openssl", *words], cwd=self.folder, capture_output=True)
        if made.returncode:
            raise RuntimeError(made.stderr)
        return made.stdout

    def reply(self, request, config="config"):
        with self.lock:
            with open(self.folder + "/request", "wb") as file:
                file.write(request)
            self.openssl("ts", "-reply", "-config", config, "-queryfile", "request", "-out", "reply")
            with open(self.folder + "/reply", "rb") as file:
                return file.read()

    def answer(self, path, request):
        """(status, headers, body) for a path."""
        if path == "/redirect":
            return 302, {"Location": "/good"}, b""
        if path == "/busy":
            return 503, {}, b"later"
        if path == "/junk":
            return 200, {}, b"<html>Sign in to the network</html>"
        if path == "/long":
            return 200, {}, b"0" * 70000
        if path == "/empty":
            return 200, {}, b""
        if path == "/slow":
            self.released.wait(60)
        if path == "/picky":
            return 200, {}, self.reply(request, "picky")
        good = self.reply(request)
        if path == "/old":  # always the first one
            self.first = self.first or good
            return 200, {}, self.first
        if path == "/forged":  # the last byte is of the signature
            return 200, {}, good[:-1] + bytes([good[-1] ^ 1])
        return 200, {}, good

    def handler(self):
        authority = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self):
                request = self.rfile.read(int(self.headers["Content-Length"]))
                authority.seen.append((self.path, dict(self.headers)))
                status, headers, body = authority.answer(self.path, request)
                try:
                    self.send_response(status)
                    for name, value in {"Content-Type": "application/timestamp-reply",
                                        "Content-Length": str(len(body)), **headers}.items():
                        self.send_header(name, value)
                    self.end_headers()
                    self.wfile.write(body)
                except OSError:
                    pass  # nobody waits any more

            def log_message(self, *words):
                pass

        return Handler

    def close(self):
        self.released.set()
        self.http.shutdown()
        self.http.server_close()


if __name__ == "__main__":
    own = Authority()
    print(own.url, own.folder, flush=True)
    sys.stdin.read()
    own.close()
