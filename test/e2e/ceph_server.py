"""Ceph's radosgw with a monitor and one object store in memory, from Debian's packages and on the
loopback, for tests."""

import os
import shutil
import subprocess
import uuid

from database import free_port
from platen import until
from remote_s3 import START, RemoteS3
from s3_server import SECRET

CONF = """[global]
fsid = @FSID@
mon host = v1:127.0.0.1:@MON@
mon initial members = a
mon data avail crit = 1
auth cluster required = none
auth service required = none
auth client required = none
mon allow pool size one = true
osd pool default size = 1
osd pool default min size = 1
osd pool default pg num = 4
osd pool default pgp num = 4
osd pool default pg autoscale mode = off
osd crush chooseleaf type = 0
osd objectstore = memstore
memstore device bytes = 4294967296
run dir = @FOLDER@
admin socket = @FOLDER@/$name.asok
pid file = @FOLDER@/$name.pid
log file = @FOLDER@/$name.log
[mon.a]
mon data = @FOLDER@/mon
[osd.0]
osd data = @FOLDER@/osd
public addr = 127.0.0.1
[client.rgw]
rgw frontends = beast endpoint=127.0.0.1:@RGW@
"""


def is_installed():
    return all(map(shutil.which, ("ceph", "ceph-mon", "ceph-osd", "monmaptool", "radosgw", "radosgw-admin")))


class Ceph(RemoteS3):
    def __init__(self):
        monitor, port, cluster, store = free_port(), free_port(), str(uuid.uuid4()), str(uuid.uuid4())
        super().__init__(port)
        for name in ("mon", "osd"):
            os.mkdir(self.path(name))
        self.write("ceph.conf", CONF.replace("@FSID@", cluster).replace("@MON@", str(monitor)).replace(
            "@RGW@", str(port)).replace("@FOLDER@", self.folder))
        self.call("monmaptool", "--create", "--fsid", cluster, "--addv", "a", f"[v1:127.0.0.1:{monitor}]",
                  self.path("monmap"))
        self.call("ceph-mon", "--mkfs", "-i", "a", "--monmap", self.path("monmap"))
        self.start("ceph-mon", *self.conf(), "-i", "a", "-f")
        self.call("ceph", "osd", "new", store)  # waits for the monitor
        self.call("ceph-osd", "-i", "0", "--mkfs", "--osd-uuid", store)
        until(self.object_store_is_up, START)
        self.call("radosgw-admin", "-n", "client.rgw", "user", "create", "--uid=platen", "--display-name=platen",
                  f"--access-key={self.id}", f"--secret-key={SECRET}")
        self.start("radosgw", *self.conf(), "-n", "client.rgw", "-f")
        self.await_bucket()

    def object_store_is_up(self):
        """Which on a busy machine ends without a word now and then, as it starts."""
        if len(self.processes) == 1 or self.processes[-1].poll() is not None:
            self.start("ceph-osd", *self.conf(), "-i", "0", "-f")
        return b"1 up" in self.call("ceph", "osd", "stat")

    def conf(self):
        return "-c", self.path("ceph.conf")

    def call(self, program, *words):
        return subprocess.run([program, *([] if program == "monmaptool" else self.conf()), *words], check=True,
                              capture_output=True, timeout=START).stdout
