"""Behind a real nginx with the example of packaging/nginx.conf: uploads and answers stream, and the
client's address is believed from a trusted proxy only."""

import atexit
import gzip
import http.client
import json
import os
import re
import shutil
import socket
import ssl
import subprocess
import tempfile
import threading

from platen import DEADLINE, Server, done, multipart, ok, pdf, same, until, without_office

without_office()

SOURCE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
FOLDER = tempfile.TemporaryDirectory(prefix="platen-nginx-")
CLIENT = "127.0.0.5"  # another address of the loopback than nginx's own


def free_port():
    with socket.socket() as sock:
        sock.bind(("127.0.0.1", 0))
        return sock.getsockname()[1]


def path(name):
    return os.path.join(FOLDER.name, name)


class Nginx:
    """The example as it stands, with ports and a certificate of ours."""

    def __init__(self, port):
        self.plain, self.port = free_port(), free_port()
        subprocess.run(["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-subj",
                        "/CN=localhost", "-addext", "subjectAltName=DNS:localhost", "-keyout",
                        path("key.pem"), "-out", path("cert.pem")], check=True,
                       capture_output=True, timeout=DEADLINE)
        with open(os.path.join(SOURCE, "packaging", "nginx.conf"), encoding="utf-8") as file:
            example = file.read()
        for old, new in (("server 127.0.0.1:8080;", f"server 127.0.0.1:{port};"),
                         ("listen 80;", f"listen 127.0.0.1:{self.plain};"),
                         ("    listen [::]:80;\n", ""),
                         ("    listen [::]:443 ssl http2;\n", ""),
                         ("    listen 443 ssl", f"    listen 127.0.0.1:{self.port} ssl"),
                         ("/etc/letsencrypt/live/pdf.example.org/fullchain.pem", path("cert.pem")),
                         ("/etc/letsencrypt/live/pdf.example.org/privkey.pem", path("key.pem"))):
            assert example.count(old) >= 1, old
            example = example.replace(old, new)
        temp = "".join(f"{what}_temp_path {path(what)};\n"
                       for what in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi"))
        with open(path("nginx.conf"), "w", encoding="utf-8") as file:
            file.write(f"daemon off;\nmaster_process off;\npid {path('pid')};\n"
                       f"error_log {path('error.log')};\nevents {{}}\n"
                       f"http {{\naccess_log off;\n{temp}{example}}}\n")
        self.process = subprocess.Popen([nginx, "-p", FOLDER.name, "-c", path("nginx.conf")],
                                        stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                                        stderr=subprocess.DEVNULL)
        atexit.register(self.process.kill)
        assert until(self.listens), self.errors()

    def listens(self):
        with socket.socket() as sock:
            return sock.connect_ex(("127.0.0.1", self.port)) == 0

    def errors(self):
        with open(path("error.log"), encoding="utf-8") as log:
            return log.read()

    def connect(self):
        context = ssl.create_default_context(cafile=path("cert.pem"))
        return http.client.HTTPSConnection("localhost", self.port, timeout=DEADLINE,
                                           context=context, source_address=(CLIENT, 0))

    def close(self):
        self.process.terminate()
        self.process.wait(DEADLINE)


class Proxied(Server):
    """Requests go through nginx once there is one."""
    through = None

    def connect(self, timeout=DEADLINE):
        return self.through.connect() if self.through else super().connect(timeout)

    def ask(self, *words):
        answer = super().ask(*words)
        del answer.headers["Server"]  # nginx's own: /openapi.json knows nothing of it
        return answer


def client_of(server, job_id):
    found = re.search(rf"event=job.accepted job={job_id} .*client=(\S+)", server.logs())
    return found and found[1]


def check_way(server, key):
    liar = {"X-Forwarded-For": "6.6.6.6", "Forwarded": "for=6.6.6.6;host=evil.example;proto=http",
            "X-Forwarded-Proto": "http", "X-Forwarded-Host": "evil.example"}
    sent = server.submit("rotate", [("a.pdf", pdf(2, pad=5000000))], key, {"degrees": "90"}, liar)
    same("through nginx: an upload of 5 MB is accepted", sent.status, 202)
    job_id = sent.json["jobId"]
    same("through nginx: the client is the one that connected, and not the one in its own header",
         client_of(server, job_id), CLIENT)
    job = server.wait(job_id, key).json
    same("through nginx: a long poll is answered at the job's end", job["status"], "completed")
    ok("through nginx: the download address is nginx's", job["downloadUrl"].startswith(
        f"https://localhost:{server.through.port}/api/v1/files/"), job["downloadUrl"])
    got = server.download(job["downloadUrl"])
    ok("through nginx: a download works", got.status == 200 and got.body.startswith(b"%PDF-")
       and len(got.body) == int(got.headers["Content-Length"]), got.status)
    part = server.download(job["downloadUrl"], {"Range": "bytes=5-9"})
    same("through nginx: a download of a range works",
         (part.status, part.body), (206, got.body[5:10]))


def check_streaming(server, key):
    """The answer to a wrong upload comes while it is still being sent: nginx holds nothing back."""
    body, kind = multipart([("a.pdf", pdf(pad=8000000))], {"degrees": "90"})
    connection = server.connect()
    connection.putrequest("POST", "/api/v1/tools/pdf/rotate")
    for name, value in (("X-API-Key", "ptk_wrong"), ("Content-Type", kind),
                        ("Content-Length", str(len(body)))):
        connection.putheader(name, value)
    connection.endheaders()
    connection.send(body[:20000])
    answer = connection.getresponse()
    same("through nginx: a wrong key is answered before the upload is complete", answer.status, 401)
    same("through nginx: the answer to a wrong key is platen's",
         json.loads(answer.read())["error"], "invalid_api_key")
    connection.close()
    answer = server.submit("rotate", [("a.pdf", pdf(pad=8000000))], key, {"nonsense": "1"})
    same("through nginx: an unknown field is answered before the upload is complete",
         (answer.status, answer.error), (400, "unknown_field"))
    same("through nginx: no part of an upload is stored on nginx's disk",
         [name for _, _, names in os.walk(path("client_body")) for name in names], [])


def check_poll(server, key):
    """Nothing of a poll's answer waits for more: it is there when the job is."""
    job = server.submit("rotate", [("a.pdf", pdf(pages=300))], key, {"degrees": "90"}).json["jobId"]
    answers = []
    polls = [threading.Thread(target=lambda: answers.append(server.wait(job, key)))
             for _ in range(20)]
    for poll in polls:
        poll.start()
    for poll in polls:
        poll.join()
    same("through nginx: twenty concurrent long polls are answered",
         [answer.json["status"] for answer in answers],
         ["completed"] * 20)


def check_events(server, key):
    """Events come one by one, not when a buffer is full. (A server without them answers 404.)"""
    job = server.submit("rotate", [("a.pdf", pdf(pages=300))], key, {"degrees": "90"}).json["jobId"]
    connection = server.connect()
    connection.request("GET", f"/api/v1/jobs/{job}/events", headers={"X-API-Key": key})
    answer = connection.getresponse()
    if answer.status != 404:
        same("through nginx: an event stream has Content-Type text/event-stream",
             answer.getheader("Content-Type").split(";")[0],
             "text/event-stream")
        seen = b""
        while b"event: completed" not in seen and (got := answer.read1(4096)):
            seen += got
        ok("through nginx: an event stream ends with the event completed",
           b"event: completed" in seen, seen)
    connection.close()


def check_description(server):
    packed = server.ask("GET", "/openapi.json", {"Accept-Encoding": "gzip"}, None)
    same("nginx compresses /openapi.json", packed.headers.get("Content-Encoding"), "gzip")
    ok("/openapi.json compressed by nginx has the same content",
       json.loads(gzip.decompress(packed.body)) ==
       server.request("GET", "/openapi.json").json)
    same("nginx does not compress other answers", server.request(
        "GET", "/healthz", headers={"Accept-Encoding": "gzip"}).headers.get("Content-Encoding"), None)


def check_figures(server):
    for what in ("/metrics", "/status"):
        same(f"through nginx: {what} is answered 404",
             server.ask("GET", what, {}, None).status, 404)
    plain = http.client.HTTPConnection("127.0.0.1", server.through.plain, timeout=DEADLINE)
    plain.request("GET", "/api/v1/usage")
    answer = plain.getresponse()
    same("nginx redirects plain HTTP to https", (answer.status, answer.getheader("Location")),
         (308, "https://127.0.0.1/api/v1/usage"))
    plain.close()


def submit_as(server, key, source, headers):
    """Directly, from an address of the loopback; the client that the log names, and the job."""
    body, kind = multipart([("a.pdf", pdf())], {"degrees": "90"})
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=DEADLINE,
                                            source_address=(source, 0))
    connection.request("POST", "/api/v1/tools/pdf/rotate", body,
                       {"X-API-Key": key, "Content-Type": kind, **headers})
    job = json.loads(connection.getresponse().read())["jobId"]
    connection.request("GET", f"/api/v1/jobs/{job}?wait=20", headers={"X-API-Key": key, **headers})
    shown = json.loads(connection.getresponse().read())
    connection.close()
    return client_of(server, job), shown.get("downloadUrl", "")


def check_trust(server, key):
    claim = {"X-Forwarded-For": "192.0.2.1", "X-Forwarded-Proto": "https",
             "X-Forwarded-Host": "pdf.example.org"}
    client, url = submit_as(server, key, "127.0.0.1", claim)
    same("a trusted proxy's X-Forwarded headers are used",
         (client, url[:24]), ("192.0.2.1", "https://pdf.example.org/"))
    client, url = submit_as(server, key, "127.0.0.9", claim)
    same("X-Forwarded headers of other clients are ignored",
         (client, url[:17]), ("127.0.0.9", "http://127.0.0.1:"))
    client, _ = submit_as(server, key, "127.0.0.1",
                          {"X-Forwarded-For": "192.0.2.9", "Forwarded": "for=6.6.6.6"})
    same("a forwarding header that is not configured is ignored", client, "192.0.2.9")
    bare = Server("--trusted-proxies", "127.0.0.1")
    for said, want in (("6.6.6.6", 403), ("unknown", 403), ('"', 403), ('", 192.0.2.9', 403),
                       ("", 403), ("127.0.0.1", 200)):
        same(f"/metrics for a client that the trusted proxy reports as {said}",
             bare.request("GET", "/metrics", headers={"X-Forwarded-For": said}).status, want)
    same("the server without nginx stops cleanly", bare.close(), 0)
    rfc = Server("--trusted-proxies", "127.0.0.1", "--forwarded-header", "forwarded")
    rfc_key = rfc.key()
    client, url = submit_as(rfc, rfc_key, "127.0.0.1",
                            {"Forwarded": 'for="[2001:db8::7]:99";proto=https;host=pdf.example.org',
                             "X-Forwarded-For": "6.6.6.6"})
    same("a trusted proxy's Forwarded header (RFC 7239) is used if configured", (client, url[:24]),
         ("2001:db8::7", "https://pdf.example.org/"))
    same("an unterminated quote of the client in Forwarded does not open /metrics",
         rfc.request("GET", "/metrics",
                     headers={"Forwarded": 'for=127.0.0.1;x=", for=192.0.2.7'}).status, 403)
    same("the server with Forwarded stops cleanly", rfc.close(), 0)


nginx = shutil.which("nginx") or "/usr/sbin/nginx"
main = Proxied("--trusted-proxies", "127.0.0.1")
main_key = main.key()
main.through = Nginx(main.port)
check_way(main, main_key)
check_streaming(main, main_key)
check_poll(main, main_key)
check_events(main, main_key)
check_description(main)
check_figures(main)
check_trust(main, main_key)
main.through.close()
same("nginx logged no error",
     [line for line in main.through.errors().splitlines() if "[error]" in line or "[crit]" in line],
     [])
same("the server stops cleanly", main.close(), 0)
done()
