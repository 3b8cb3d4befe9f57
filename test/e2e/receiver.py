"""A receiver of webhooks, and what a test of them asks the server."""

import http.server
import threading

from platen import DEADLINE, pdf, until


class Receiver:
    """Keeps what it was sent; answers as `script` says: a status, or a function of the handler."""

    def __init__(self, *script, port=0, context=None):
        receiver = self
        self.calls, self.script, self.lock = [], list(script), threading.Lock()

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_POST(self):
                body = self.rfile.read(int(self.headers["Content-Length"]))
                with receiver.lock:
                    receiver.calls.append((self.path, self.headers, body))
                    say = receiver.script.pop(0) if receiver.script else 200
                if callable(say):
                    say(self)
                    return
                self.send_response(say)
                if 300 <= say < 400:
                    self.send_header("Location", f"http://127.0.0.1:{receiver.port}/elsewhere")
                self.send_header("Content-Length", "6")
                self.end_headers()
                self.wfile.write(b"thanks")

            do_GET = do_POST

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", port), Handler)
        self.server.daemon_threads = True
        if context:
            self.server.socket = context.wrap_socket(self.server.socket, server_side=True)
        self.port = self.server.server_port
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def url(self, path="/hook", scheme="http"):
        return f"{scheme}://127.0.0.1:{self.port}{path}"

    def wait(self, n=1):
        return until(lambda: len(self.calls) >= n)

    def close(self):
        self.server.shutdown()
        self.server.server_close()


def never(handler):
    """Takes the request and says nothing until the caller hangs up."""
    handler.connection.settimeout(DEADLINE)
    try:
        handler.connection.recv(1)
    except OSError:
        pass


def submit(server, key, url, data=None, **fields):
    answer = server.submit("rotate", [("a.pdf", data or pdf())], key,
                           {"degrees": "90", "callbackUrl": url, **fields})
    return answer.json["jobId"] if answer.status == 202 else answer


def deliveries(server, key, job):
    return server.request("GET", f"/api/v1/jobs/{job}/deliveries", key).json["deliveries"]


def ends(server, key, job, status):
    """Waits until its delivery has that status; the delivery."""
    until(lambda: deliveries(server, key, job) and
          deliveries(server, key, job)[0]["status"] == status)
    return (deliveries(server, key, job) or [{}])[0]


def again(server, key, job, delivery):
    return server.request("POST", f"/api/v1/jobs/{job}/deliveries/{delivery}/redeliver", key)
