"""OpenStack Swift with its S3 interface, from Debian's packages and on the loopback, for tests: an S3
server that is not of the tests' own, behind a proxy for faults on demand. For root, who gives it
/etc/swift in a mount namespace of its own."""

import atexit
import hashlib
import http.client
import os
import re
import shutil
import subprocess
import tempfile
import time

from database import free_port
from platen import until
from s3_server import BUCKET, REGION, SECRET, Handler, S3, signature

EMPTY = hashlib.sha256().hexdigest()
BACKENDS = ("account", "container", "object")
SERVERS = (*BACKENDS, "proxy")
START = 180  # seconds that it may take on a busy machine
PROXY = f"""[DEFAULT]
bind_ip = 127.0.0.1
bind_port = @PORT@
workers = 0
user = root
swift_dir = /etc/swift
[pipeline:main]
pipeline = catch_errors cache listing_formats bulk s3api tempauth slo dlo proxy-server
[app:proxy-server]
use = egg:swift#proxy
account_autocreate = true
[filter:catch_errors]
use = egg:swift#catch_errors
[filter:cache]
use = egg:swift#memcache
memcache_servers = 127.0.0.1:@CACHE@
[filter:listing_formats]
use = egg:swift#listing_formats
[filter:bulk]
use = egg:swift#bulk
[filter:s3api]
use = egg:swift#s3api
location = {REGION}
[filter:tempauth]
use = egg:swift#tempauth
user_test_tester = {SECRET} .admin
[filter:slo]
use = egg:swift#slo
[filter:dlo]
use = egg:swift#dlo
"""
BACKEND = """[DEFAULT]
bind_ip = 127.0.0.1
bind_port = @PORT@
workers = 0
user = root
swift_dir = /etc/swift
devices = @FOLDER@/srv
mount_check = false
[pipeline:main]
pipeline = @KIND@-server
[app:@KIND@-server]
use = egg:swift#@KIND@
"""
HASH = """[swift-hash]
swift_hash_path_suffix = platen
swift_hash_path_prefix = platen
[storage-policy:0]
name = one
default = yes
"""


def is_installed():
    return os.geteuid() == 0 and all(map(shutil.which, ("memcached", *(f"swift-{kind}-server" for kind in SERVERS))))


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


class Swift(S3):
    id = "test:tester"

    def __init__(self):
        super().__init__(Forward)
        self.folder = tempfile.mkdtemp(prefix="platen-swift-")
        ports = {kind: free_port() for kind in (*SERVERS, "cache")}
        self.port_there = ports["proxy"]
        atexit.register(self.stop)
        os.makedirs(os.path.join(self.folder, "srv", "disk"))
        self.write("swift.conf", HASH)
        for kind in BACKENDS:
            self.write(f"{kind}-server.conf", BACKEND.replace("@PORT@", str(ports[kind])).replace("@KIND@", kind))
            for words in (["create", "4", "1", "1"], ["add", f"r1z1-127.0.0.1:{ports[kind]}/disk", "1"], ["rebalance"]):
                subprocess.run(["swift-ring-builder", f"{kind}.builder", *words], cwd=self.folder, check=True,
                               stdout=subprocess.DEVNULL)
        self.write("proxy-server.conf", PROXY.replace("@PORT@", str(ports["proxy"])).replace("@CACHE@", str(ports["cache"])))
        self.processes = [subprocess.Popen(["memcached", "-u", "nobody", "-l", "127.0.0.1", "-p", str(ports["cache"])])]
        for kind in SERVERS:
            self.start(kind)
        if not until(self.makes_bucket, START):
            raise RuntimeError("Swift does not start: " + self.log("proxy")[-2000:])

    def write(self, name, text):
        with open(os.path.join(self.folder, name), "w", encoding="ascii") as file:
            file.write(text.replace("@FOLDER@", self.folder))

    def start(self, kind):
        with open(os.path.join(self.folder, kind + ".log"), "wb") as log:
            self.processes.append(subprocess.Popen(
                ["unshare", "-m", "sh", "-c", "mkdir -p /etc/swift && mount --bind \"$0\" /etc/swift && exec \"$@\"",
                 self.folder, f"swift-{kind}-server", f"/etc/swift/{kind}-server.conf"], stdout=log, stderr=log))

    def log(self, kind):
        with open(os.path.join(self.folder, kind + ".log"), encoding="utf-8", errors="replace") as log:
            return log.read()

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

    def makes_bucket(self):
        try:
            return self.ask_signed("PUT", f"/{BUCKET}")[0] == 200
        except OSError:
            return False

    def keys(self):
        found, marker = [], ""
        while True:
            status, _, data = self.ask_signed("GET", f"/{BUCKET}", f"marker={marker.replace('/', '%2F')}&max-keys=1000")
            if status != 200:
                raise RuntimeError(data)
            more = re.findall(r"<Key>(.*?)</Key>", data.decode())
            found += more
            if not more or b"<IsTruncated>true" not in data:
                return found
            marker = more[-1]

    def stop(self):
        for process in self.processes:
            process.kill()
            process.wait()
        shutil.rmtree(self.folder, ignore_errors=True)
