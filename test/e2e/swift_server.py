"""OpenStack Swift with its S3 interface, from Debian's packages and on the loopback, for tests. For
root, who gives it /etc/swift in a mount namespace of its own."""

import os
import shutil
import subprocess

from database import free_port
from remote_s3 import RemoteS3
from s3_server import REGION, SECRET

BACKENDS = ("account", "container", "object")
SERVERS = (*BACKENDS, "proxy")
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


class Swift(RemoteS3):
    id = "test:tester"

    def __init__(self):
        ports = {kind: free_port() for kind in (*SERVERS, "cache")}
        super().__init__(ports["proxy"])
        os.makedirs(self.path("srv/disk"))
        self.write("swift.conf", HASH)
        for kind in BACKENDS:
            self.write(f"{kind}-server.conf", BACKEND.replace("@PORT@", str(ports[kind])).replace(
                "@KIND@", kind).replace("@FOLDER@", self.folder))
            for words in (["create", "4", "1", "1"], ["add", f"r1z1-127.0.0.1:{ports[kind]}/disk", "1"], ["rebalance"]):
                subprocess.run(["swift-ring-builder", f"{kind}.builder", *words], cwd=self.folder, check=True,
                               stdout=subprocess.DEVNULL)
        self.write("proxy-server.conf", PROXY.replace("@PORT@", str(ports["proxy"])).replace("@CACHE@", str(ports["cache"])))
        self.start("memcached", "-u", "nobody", "-l", "127.0.0.1", "-p", str(ports["cache"]))
        for kind in SERVERS:
            self.start("unshare", "-m", "sh", "-c", "mkdir -p /etc/swift && mount --bind \"$0\" /etc/swift && exec \"$@\"",
                       self.folder, f"swift-{kind}-server", f"/etc/swift/{kind}-server.conf")
        self.await_bucket()
