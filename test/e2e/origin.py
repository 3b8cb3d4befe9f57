"""A host with files, for tests of what is fetched from addresses and sent to them, and addresses that are not public."""

import http.server
import threading

from platen import DEADLINE, pdf

PDF = pdf(2)


class Origin:
    """A host with files; what a path answers is a function of the handler."""

    def __init__(self, address):
        origin = self
        self.calls, self.paths, self.bodies = [], {}, {}

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self):
                origin.calls.append((self.path, dict(self.headers.items())))
                self.say()

            def do_PUT(self):
                length = int(self.headers["Content-Length"])
                self.body = self.rfile.read(length)
                origin.calls.append((self.path, dict(self.headers.items())))
                origin.bodies[self.path.split("?")[0]] = self.body
                self.say()

            def say(self):
                say = origin.paths.get(self.path.split("?")[0])
                if say is None:
                    answer(self, 404, b"no")
                else:
                    say(self)

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer((address, 0), Handler)
        self.server.daemon_threads = True
        self.address, self.port = address, self.server.server_port
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def url(self, path):
        return f"http://{self.address}:{self.port}{path}"

    def serve(self, path, say):
        self.paths[path] = say
        return self.url(path)


def answer(handler, status, body, headers=(), length=None):
    handler.send_response(status)
    for name, value in headers:
        handler.send_header(name, value)
    handler.send_header("Content-Length", str(len(body) if length is None else length))
    handler.end_headers()
    try:
        handler.wfile.write(body)
    except OSError:
        pass
    if length is not None:
        handler.close_connection = True


def file(body=PDF, status=200, headers=(), length=None):
    return lambda handler: answer(handler, status, body, headers, length)


def redirect(to, status=302):
    return lambda handler: answer(handler, status, b"", [("Location", to() if callable(to) else to)])


def endless(handler):
    handler.send_response(200)
    handler.end_headers()
    handler.close_connection = True
    try:
        while True:
            handler.wfile.write(b"%PDF-1.4\n" * 8192)
    except OSError:
        pass


def silent(handler):
    handler.connection.settimeout(DEADLINE)
    handler.close_connection = True
    try:
        handler.connection.recv(1)
    except OSError:
        pass


FORMS = ("http://127.0.0.1:{port}/", "http://localhost:{port}/", "http://LOCALHOST.:{port}/", "http://a.localhost:{port}/",
         "http://2130706433:{port}/", "http://0x7f000001:{port}/", "http://0x7f.1:{port}/", "http://0177.0.0.1:{port}/",
         "http://127.1:{port}/", "http://127.0.1:{port}/", "http://0:{port}/", "http://0.0.0.0:{port}/", "http://[::1]:{port}/",
         "http://[::]:{port}/", "http://[::ffff:127.0.0.1]:{port}/", "http://[::ffff:7f00:1]:{port}/", "http://[::127.0.0.1]:{port}/",
         "http://[64:ff9b::7f00:1]:{port}/", "http://[2002:7f00:1::]:{port}/", "http://[fe80::1]:{port}/", "http://[fc00::1]:{port}/",
         "http://[::1%25lo]:{port}/", "http://10.0.0.1:{port}/", "http://172.16.0.1:{port}/", "http://192.168.0.1:{port}/",
         "http://169.254.169.254/latest/", "http://100.64.0.1:{port}/", "http://224.0.0.1:{port}/", "http://255.255.255.255:{port}/",
         "http://user:pass@127.0.0.1:{port}/", "http://127.0.0.2@127.0.0.1:{port}/", "http://127.0.0.1\\@127.0.0.2:{port}/",
         "http://127.0.0.1:{port}#@127.0.0.2/", "http://127.0.0.1 .2:{port}/", "http:///127.0.0.1:{port}/", "http:127.0.0.1:{port}/",
         "http://127.0.0.1%2e:{port}/", "http://%31%32%37.0.0.1:{port}/", "http://①②⑦.0.0.1:{port}/", "http://127。0。0。1:{port}/",
         "file:///etc/passwd", "ftp://127.0.0.1:{port}/", "gopher://127.0.0.1:{port}/_x", "dict://127.0.0.1:{port}/x",
         "data:application/pdf,x", "view-source:http://127.0.0.1:{port}/", "jar:http://127.0.0.1:{port}/", "//127.0.0.1:{port}/",
         "unix:///run/x", "ldap://127.0.0.1:{port}/", "smb://127.0.0.1:{port}/", "http://127.0.0.1:22/", "http://127.0.0.2:25/",
         "http://127.0.0.2:0/", "http://127.0.0.2:99999/", "http://127.0.0.2:-1/", "http://[127.0.0.1]:{port}/", "http://[]:{port}/",
         "http://:{port}/", "http://.:{port}/", "http://127.0.0.1\t:{port}/", "http://127.0.0.1\n:{port}/")
