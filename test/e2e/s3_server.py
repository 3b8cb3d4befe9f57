"""An S3 server in memory, for tests: path style, signatures judged by code of its own, faults on
demand."""

import calendar
import hashlib
import hmac
import http.server
import json
import re
import threading
import time
import urllib.parse
from xml.sax.saxutils import escape

ID, SECRET, REGION, BUCKET = "AKIDTEST", "wJalrXUtnFEMI/K7MDENG+secret", "test-1", "files"
DIGEST = "x-amz-meta-sha256"


def mac(key, text):
    return hmac.new(key, text.encode(), hashlib.sha256).digest()


def signature(method, path, query, headers, names, payload, date):
    canonical = "\n".join([method, path, query,
                           *(f"{name}:{' '.join(headers[name].split())}" for name in names), "",
                           ";".join(names), payload])
    day = date[:8]
    text = "\n".join(["AWS4-HMAC-SHA256", date, f"{day}/{REGION}/s3/aws4_request",
                      hashlib.sha256(canonical.encode()).hexdigest()])
    key = ("AWS4" + SECRET).encode()
    for word in (day, REGION, "s3", "aws4_request"):
        key = mac(key, word)
    return hmac.new(key, text.encode(), hashlib.sha256).hexdigest()


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def answer(self, status, body=b"", headers=()):
        self.send_response(status)
        for name, value in headers:
            self.send_header(name, value)
        if status != 204:
            self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        try:
            for at in range(0, len(body), 1 << 16):
                self.wfile.write(body[at:at + (1 << 16)])
                self.server.s3.sent += len(body[at:at + (1 << 16)])
        except ConnectionError:  # who asked has left
            self.close_connection = True

    def fail(self, status, code):
        self.answer(status, f"<Error><Code>{code}</Code><Message>{code} it is</Message></Error>"
                    .encode())

    def cut_request(self, length):
        self.rfile.read(length // 2)
        self.close_connection = True
        self.connection.close()

    def cut_answer(self, data):
        self.send_response(200)
        self.send_header("Content-Length", str(len(data) + 1))
        self.end_headers()
        self.wfile.write(data[:len(data) // 2])
        self.close_connection = True

    def is_signed(self, path, query, body):
        found = re.fullmatch(r"AWS4-HMAC-SHA256 Credential=([^/]+)/\d{8}/([^/]+)/s3/aws4_request,"
                             r"\s*SignedHeaders=([^,]+),\s*Signature=(\w{64})",
                             self.headers.get("Authorization", ""))
        payload = self.headers.get("x-amz-content-sha256", "")
        if not found or found[1] != ID or found[2] != REGION:
            return False
        if payload != hashlib.sha256(body).hexdigest():
            return False
        query = "&".join(sorted(query.split("&"))) if query else ""
        return found[4] == signature(self.command, path, query, self.headers, found[3].split(";"),
                                     payload, self.headers["x-amz-date"])

    def is_presigned(self, path, query):
        fields = dict(urllib.parse.parse_qsl(query))
        signed, _, given = query.partition("&X-Amz-Signature=")
        return self.command == "GET" and fields.get("X-Amz-Expires") == "60" and given == signature(
            "GET", path, "&".join(sorted(signed.split("&"))), self.headers, ["host"],
            "UNSIGNED-PAYLOAD", fields["X-Amz-Date"])

    def signed_at(self):
        text = self.headers.get("x-amz-date") or dict(urllib.parse.parse_qsl(
            self.path.partition("?")[2]))["X-Amz-Date"]
        return calendar.timegm(time.strptime(text, "%Y%m%dT%H%M%SZ"))

    def date_time_string(self, timestamp=None):
        return super().date_time_string((timestamp or time.time()) + self.server.s3.ahead)

    def do(self):
        s3 = self.server.s3
        path, _, query = self.path.partition("?")
        length = int(self.headers.get("Content-Length", 0))
        fault = s3.fault(self.command, query)
        time.sleep(s3.delay)
        if self.command == "GET" and "list-type" not in query:
            s3.wait_at_gate()
        if self.command == "PUT" and s3.most is not None and len(s3.objects) >= s3.most:
            s3.room.wait()
        if fault == "cut" and length:
            self.cut_request(length)
            return
        body = self.rfile.read(length)
        if f"/{REGION}/s3/" not in self.headers.get("Authorization", f"/{REGION}/s3/"):
            self.fail(400, "AuthorizationHeaderMalformed")
            return
        if not self.is_signed(path, query, body) and not self.is_presigned(path, query):
            self.fail(403, "SignatureDoesNotMatch")
            return
        self.server.s3.tokens.add(self.headers.get("x-amz-security-token"))
        if abs(self.signed_at() - time.time() - s3.ahead) > 900:
            self.fail(403, "RequestTimeTooSkewed")
            return
        bucket, _, key = urllib.parse.unquote(path[1:]).partition("/")
        fields = dict(urllib.parse.parse_qsl(query, keep_blank_values=True))
        if bucket != BUCKET:
            self.fail(404, "NoSuchBucket")
        elif fault == "busy":
            self.fail(503, "SlowDown")
        elif fault == "hidden":
            self.fail(200, "InternalError")
        elif fault == "cut":
            self.cut_answer(s3.objects.get(key, b""))
        else:
            getattr(self, "do_" + self.command.lower())(s3, key, fields, body)

    do_GET = do_PUT = do_POST = do_DELETE = do

    def do_get(self, s3, key, fields, _):
        if "list-type" in fields:
            self.list(s3, fields)
        elif key in s3.objects:
            wanted = fields.get("response-content-disposition")
            headers = [("Content-Disposition", wanted)] if wanted else []
            if s3.digests.get(key):
                headers.append((DIGEST, s3.digests[key]))
            self.answer(200, s3.objects[key], headers)
        else:
            self.fail(404, "NoSuchKey")

    def list(self, s3, fields):
        keys = sorted(key for key in s3.objects if key.startswith(fields["prefix"]))
        begin = int(fields.get("continuation-token", 0))
        end = begin + int(fields["max-keys"])
        more = end < len(keys)
        text = "".join(f"<Contents><Key>{escape(key)}</Key></Contents>" for key in keys[begin:end])
        self.answer(200, f"<ListBucketResult><IsTruncated>{str(more).lower()}</IsTruncated>{text}"
                    f"<NextContinuationToken>{end}</NextContinuationToken></ListBucketResult>"
                    .encode())

    def do_put(self, s3, key, fields, body):
        if s3.readonly:
            self.fail(403, "AccessDenied")
            return
        with s3.lock:
            if "uploadId" in fields:
                s3.uploads[fields["uploadId"]][int(fields["partNumber"])] = body
            else:
                s3.objects[key], s3.digests[key] = body, self.headers.get(DIGEST)
        self.answer(200, headers=[("ETag", f'"{hashlib.md5(body).hexdigest()}"')])

    def do_post(self, s3, key, fields, body):
        if "uploads" in fields:
            with s3.lock:
                name = f"upload+{len(s3.uploads)}/="
                s3.uploads[name] = {}
                s3.digests[key] = self.headers.get(DIGEST)
            self.answer(200, f"<R><UploadId>{name}</UploadId></R>".encode())
            return
        parts = s3.uploads.pop(fields["uploadId"], None)
        if parts is None:
            self.fail(404, "NoSuchUpload")
            return
        listed = [(int(number), tag) for number, tag in re.findall(
            rb"<PartNumber>(\d+)</PartNumber><ETag>\"(\w+)\"</ETag>", body)]
        right = [(number, hashlib.md5(parts[number]).hexdigest().encode()) for number in sorted(parts)]
        if listed != right or any(len(parts[n]) < 5 << 20 for n, _ in listed[:-1]):
            self.fail(400, "InvalidPart")
            return
        s3.objects[key] = b"".join(parts[number] for number, _ in listed)
        s3.joined += 1
        if s3.loses_joins:  # the answer is lost, and nobody knows that it was done
            s3.loses_joins -= 1
            self.close_connection = True
            self.connection.close()
            return
        self.answer(200, b"<R/>")

    def do_delete(self, s3, key, fields, _):
        if "uploadId" in fields:
            s3.uploads.pop(fields["uploadId"], None)
        s3.objects.pop(key, None)
        self.answer(204)


class Metadata(http.server.BaseHTTPRequestHandler):
    """The metadata service of a machine, version 2, and of a container."""

    def log_message(self, *_):
        pass

    def answer(self, text, status=200):
        self.send_response(status)
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        self.wfile.write(text.encode())

    def credentials(self):
        service = self.server.service
        service.given += 1
        ends = time.gmtime(time.time() + service.seconds)
        self.answer(json.dumps({"Code": "Success", "AccessKeyId": ID, "SecretAccessKey": SECRET,
                                "Token": f"session{service.given}",
                                "Expiration": time.strftime("%Y-%m-%dT%H:%M:%SZ", ends)}))

    def do_PUT(self):
        good = self.path == "/latest/api/token" and self.headers.get("X-aws-ec2-metadata-token-ttl-seconds")
        self.answer("t0ken", 200 if good and not self.server.service.silent else 403)

    def do_GET(self):
        roles = "/latest/meta-data/iam/security-credentials/"
        if self.server.service.silent:
            self.answer("", 503)
        elif self.path == "/container" and self.headers.get("Authorization") == "Bearer of container":
            self.credentials()
        elif self.headers.get("X-aws-ec2-metadata-token") != "t0ken":
            self.answer("", 401)
        elif self.path == roles:
            self.answer("platen-role\n")
        elif self.path == roles + "platen-role":
            self.credentials()
        else:
            self.answer("", 404)


class MetadataService:
    """Gives credentials that end after `seconds`; `given` counts how often."""

    def __init__(self, seconds):
        self.seconds, self.given, self.silent = seconds, 0, False
        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Metadata)
        server.daemon_threads = True
        server.service = self
        self.url = f"http://127.0.0.1:{server.server_address[1]}"
        threading.Thread(target=server.serve_forever, daemon=True).start()


class S3:
    id = ID

    def __init__(self, handler=Handler):
        self.delay = 0  # seconds before each answer
        self.gate, self.held = threading.Event(), 0  # cleared, it holds up whoever fetches an object
        self.gate.set()
        self.most, self.room = None, threading.Event()  # with `most` objects, a further one waits for room
        self.ahead, self.tokens = 0, set()  # seconds that its clock is ahead; of sessions, seen
        self.objects, self.uploads, self.joined = {}, {}, 0
        self.digests, self.sent = {}, 0  # metadata of objects; bytes of bodies of answers
        self.faults, self.requests, self.lock = {}, 0, threading.Lock()
        self.readonly, self.loses_joins = False, 0
        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
        self.server.daemon_threads = True
        self.server.s3 = self
        self.port = self.server.server_address[1]
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def wait_at_gate(self):
        if self.gate.is_set():
            return
        with self.lock:
            self.held += 1
        self.gate.wait()
        with self.lock:
            self.held -= 1

    def fault(self, method, query):
        """Which fault this request meets: `faults` is {name: every}, {"all": name}, or
        {"unread": True}, which refuses to give objects."""
        with self.lock:
            self.requests += 1
            if "all" in self.faults:
                return self.faults["all"]
            if self.faults.get("unread") and method == "GET" and "list-type" not in query:
                return "busy"
            for name, every in self.faults.items():
                if self.requests % every == 0 and (name != "hidden" or method == "POST" and
                                                   "uploadId" in query) and (
                        name != "cut" or method in ("GET", "PUT") and "list-type" not in query):
                    return name
        return None

    def keys(self):
        return list(self.objects)

    def put(self, key):
        self.objects[key] = b""

    def address(self, more=""):
        return f"s3://{BUCKET}/jobs?endpoint=http://127.0.0.1:{self.port}&region={REGION}{more}"
