"""An S3 server that is not of the tests' own, behind a proxy for faults on demand."""

import atexit
import hashlib
import http.client
import os
import re
import shutil
import subprocess
import tempfile
import time
import urllib.parse

from platen import until
from s3_server import BUCKET, REGION, Handler, S3, signature

EMPTY = hashlib.sha256().hexdigest()
START = 180  # seconds that it may take to start on a busy machine


class Forward(Handler):
    """Passes requests on as they are, but for those that meet a fault."""

    def do(self):
        s3 = self.server.s3
        length = int(self.headers.get("Content-Length", 0))
        fault = s3.fault(self.command, self.path.partition("?")[2])
        time.sleep(s3.delay)
        if fault == "cut" and length:
            self.cut_request(length)
            return
        body = self.rfile.read(length)
        if fault == "busy":
            self.fail(503, "SlowDown")
            return
        status, headers, data = s3.ask(self.command, self.path, self.headers.items(), body)
        if fault == "cut":
            self.cut_answer(data)
        else:
            self.answer(status, data, [(name, value) for name, value in headers if name.lower() in (
                "etag", "content-type", "content-disposition", "last-modified")])

    do_GET = do_PUT = do_POST = do_DELETE = do


class RemoteS3(S3):
    """Its programs end with the test, which removes the folder. Listens at `port_there`."""

    def __init__(self, port_there):
        super().__init__(Forward)
        self.folder, self.port_there, self.processes = tempfile.mkdtemp(prefix="platen-s3-"), port_there, []
        atexit.register(self.stop)

    def path(self, name):
        return os.path.join(self.folder, name)

    def write(self, name, text):
        with open(self.path(name), "w", encoding="ascii") as file:
            file.write(text)

    def start(self, *words):
        with open(self.path("log"), "ab") as log:
            self.processes.append(subprocess.Popen(words, stdin=subprocess.DEVNULL, stdout=log, stderr=log))

    def await_bucket(self):
        """Makes the bucket, as soon as the server answers."""
        def made():
            try:
                return self.ask_signed("PUT", f"/{BUCKET}")[0] == 200
            except OSError:
                return False

        if not until(made, START):
            with open(self.path("log"), encoding="utf-8", errors="replace") as log:
                raise RuntimeError("the S3 server does not start: " + log.read()[-2000:])

    def ask(self, method, path, headers, body=b""):
        there = http.client.HTTPConnection("127.0.0.1", self.port_there, timeout=60)
        try:
            there.putrequest(method, path, skip_host=True, skip_accept_encoding=True)
            for name, value in headers:
                there.putheader(name, value)
            there.endheaders(body)
            response = there.getresponse()
            return response.status, response.getheaders(), response.read()
        finally:
            there.close()

    def ask_signed(self, method, path, query=""):
        date = time.strftime("%Y%m%dT%H%M%SZ", time.gmtime())
        headers = {"host": f"127.0.0.1:{self.port_there}", "x-amz-content-sha256": EMPTY, "x-amz-date": date}
        names = sorted(headers)
        headers["Authorization"] = (
            f"AWS4-HMAC-SHA256 Credential={self.id}/{date[:8]}/{REGION}/s3/aws4_request, SignedHeaders="
            f"{';'.join(names)}, Signature={signature(method, path, query, headers, names, EMPTY, date)}")
        return self.ask(method, path + ("?" + query if query else ""), [*headers.items(), ("Content-Length", "0")])

    def keys(self):
        found, marker = [], ""
        while True:
            status, _, data = self.ask_signed("GET", f"/{BUCKET}", f"marker={urllib.parse.quote(marker, '')}&max-keys=1000")
            if status != 200:
                raise RuntimeError(data)
            more = re.findall(r"<Key>(.*?)</Key>", data.decode())
            found += more
            if not more or b"<IsTruncated>true" not in data:
                return found
            marker = more[-1]

    def put(self, key):
        if self.ask_signed("PUT", f"/{BUCKET}/{key}")[0] != 200:
            raise RuntimeError("nothing can be stored")

    def stop(self):
        for process in self.processes:
            process.kill()
            process.wait()
        shutil.rmtree(self.folder, ignore_errors=True)
