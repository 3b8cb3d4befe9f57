"""A PostgreSQL server with a synchronous replica, a pgbouncer in transaction mode before the one that
can be written to, and ways through which single servers reach it, for tests of faults. All from
Debian's packages, on the loopback; as root they run as `nobody`."""

import atexit
import glob
import os
import shutil
import signal
import socket
import subprocess
import tempfile
import threading

from platen import until

BIN = (sorted(glob.glob("/usr/lib/postgresql/*/bin")) or [""])[-1]
AS_NOBODY = ["setpriv", "--reuid=nobody", "--regid=nogroup", "--clear-groups"] if os.geteuid() == 0 else []


def is_installed():
    return os.path.exists(os.path.join(BIN, "postgres")) and shutil.which("pgbouncer")


def free_port():
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return s.getsockname()[1]


class Way:
    """A TCP proxy that can hold what goes up, or down, or refuse all. What was held arrives later, as
    after a partition."""

    def __init__(self, port):
        self.port_there = port
        self.up, self.down = threading.Event(), threading.Event()
        self.up.set()
        self.down.set()
        self.open, self.lock, self.refusing = set(), threading.Lock(), False
        self.listener = socket.create_server(("127.0.0.1", 0), backlog=200)
        self.port = self.listener.getsockname()[1]
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        while True:
            here, _ = self.listener.accept()
            threading.Thread(target=self.join, args=(here,), daemon=True).start()

    def join(self, here):
        try:
            if self.refusing:
                raise OSError
            there = socket.create_connection(("127.0.0.1", self.port_there), 5)
            there.settimeout(None)
        except OSError:
            here.close()
            return
        with self.lock:
            self.open |= {here, there}
        for gate, source, sink in ((self.up, here, there), (self.down, there, here)):
            threading.Thread(target=self.copy, args=(gate, source, sink), daemon=True).start()

    def copy(self, gate, source, sink):
        try:
            while data := source.recv(65536):
                gate.wait()
                sink.sendall(data)
        except OSError:
            pass
        self.end(source)
        self.end(sink)

    def end(self, end):
        with self.lock:
            if end not in self.open:
                return
            self.open.remove(end)
        try:
            end.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass
        end.close()

    def cut(self):
        for end in list(self.open):
            self.end(end)


class Database:
    def __init__(self):
        self.folder = tempfile.mkdtemp(prefix="platen-db-")
        os.chmod(self.folder, 0o755)
        self.ports = [free_port(), free_port()]
        self.primary = 0
        self.bouncer_port = free_port()
        self.bouncer = None
        if AS_NOBODY:
            shutil.chown(self.folder, "nobody")
        atexit.register(self.stop)
        self.call("initdb", "-D", self.data(0), "-U", "platen", "-A", "trust", "-E", "UTF8", "--locale=C.UTF-8",
                  "-N")
        self.start(0)
        self.make_replica()
        self.start_bouncer()

    def data(self, which):
        return os.path.join(self.folder, f"data{which}")

    def call(self, program, *words):
        return subprocess.run([*AS_NOBODY, os.path.join(BIN, program), *words], cwd="/", check=True,
                              stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=120)

    def start(self, which):
        self.call("pg_ctl", "-D", self.data(which), "-w", "-l", os.path.join(self.folder, f"log{which}"), "-o",
                  f"-c listen_addresses=127.0.0.1 -c port={self.ports[which]} -c fsync=off"
                  f" -c unix_socket_directories={self.folder} -c max_connections=200 -c wal_level=replica"
                  " -c max_wal_senders=5", "start")

    def sql(self, text, which=None):
        port = self.ports[self.primary if which is None else which]
        return subprocess.run(["psql", "-XAtq", f"postgresql://platen@127.0.0.1:{port}/postgres", "-c", text],
                              capture_output=True, text=True, check=True, timeout=60).stdout.strip()

    def make_replica(self):
        """The other server becomes a replica, and commits wait for it."""
        other = 1 - self.primary
        shutil.rmtree(self.data(other), ignore_errors=True)
        self.sql("ALTER SYSTEM SET synchronous_standby_names = ''")
        self.sql("SELECT pg_reload_conf()")
        self.call("pg_basebackup", "-D", self.data(other), "-R", "-c", "fast", "-N", "-d",
                  f"postgresql://platen@127.0.0.1:{self.ports[self.primary]}/postgres")
        self.start(other)
        if not until(lambda: self.sql("SELECT count(*) FROM pg_stat_replication WHERE state = 'streaming'") == "1"):
            raise RuntimeError("the replica does not follow")
        self.sql("ALTER SYSTEM SET synchronous_standby_names = '*'")
        self.sql("SELECT pg_reload_conf()")

    def crash(self):
        """The primary ends without a word, and comes back."""
        self.call("pg_ctl", "-D", self.data(self.primary), "-m", "immediate", "-w", "stop")
        self.start(self.primary)

    def fail_over(self):
        """The primary ends in the middle of what it does, and its replica takes over."""
        self.call("pg_ctl", "-D", self.data(self.primary), "-m", "immediate", "-w", "stop")
        self.primary = 1 - self.primary
        self.call("pg_ctl", "-D", self.data(self.primary), "-w", "promote")
        self.write_bouncer()
        self.bouncer.send_signal(signal.SIGHUP)
        self.make_replica()

    def write_bouncer(self):
        with open(os.path.join(self.folder, "pgbouncer.ini"), "w", encoding="ascii") as file:
            file.write(f"""[databases]
* = host=127.0.0.1 port={self.ports[self.primary]} user=platen
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = {self.bouncer_port}
unix_socket_dir =
auth_type = any
pool_mode = transaction
default_pool_size = 20
max_client_conn = 500
server_login_retry = 1
logfile = {self.folder}/bouncer.log
""")
        os.chmod(file.name, 0o644)

    def start_bouncer(self):
        self.write_bouncer()
        self.bouncer = subprocess.Popen([*AS_NOBODY, shutil.which("pgbouncer"), "-q",
                                         os.path.join(self.folder, "pgbouncer.ini")], cwd="/",
                                        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

        def answers():
            with socket.socket() as s:
                return s.connect_ex(("127.0.0.1", self.bouncer_port)) == 0
        if not until(answers):
            raise RuntimeError("pgbouncer does not start")

    def restart_bouncer(self):
        self.bouncer.kill()
        self.bouncer.wait()
        self.start_bouncer()

    def stop(self):
        if self.bouncer:
            self.bouncer.kill()
            self.bouncer.wait()
        for which in (0, 1):
            try:
                self.call("pg_ctl", "-D", self.data(which), "-m", "immediate", "-w", "stop")
            except (subprocess.SubprocessError, OSError):
                pass
        shutil.rmtree(self.folder, ignore_errors=True)
