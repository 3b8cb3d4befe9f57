"""What bench/run measures with: programs, servers, CPU and memory of processes, documents, tables.

Python's standard library only; nothing here is in the way of what is timed."""

import json
import os
import platform
import re
import shutil
import statistics
import subprocess
import sys
import threading
import time
import zlib

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
BUILD = os.environ.get("BUILD", os.path.join(ROOT, "build"))
PLATEN = os.path.join(BUILD, "platen")
TICK = os.sysconf("SC_CLK_TCK")

SIZE = float(os.environ.get("BENCH_SIZE", 1))


def sized(count):
    """What BENCH_SIZE leaves of a number of pages, jobs or connections."""
    return max(1, round(count * SIZE))


# The end-to-end tests know how to start a server; they take the program from the command line. Their folders hold
# modules with names of modules here, so they are on the path only for this import.
_words, sys.argv = sys.argv, [sys.argv[0], PLATEN]
_path = sys.path[:]
sys.path[:0] = [os.path.join(ROOT, "test", "e2e"), os.path.join(ROOT, "test", "tools")]
from pdf_builder import ending  # noqa: E402
from platen import Server, pdf  # noqa: E402, F401

sys.argv, sys.path[:] = _words, _path

# Every setting is the server's default; only the plan has no end.
PLAN = """[plan bench]
requests_per_month = 1000000000
bytes_per_month = 1000000G
max_unfinished = 1000000
"""


def program(name, *words):
    """Runs one of our programs; what it reports."""
    out = subprocess.run([os.path.join(BUILD, "bench", name), *map(str, words)],
                         capture_output=True, text=True)
    if out.returncode:
        sys.exit(f"{name}: {out.stderr.strip() or out.returncode}")
    return json.loads(out.stdout)


def measure(pid, name, *words):
    """The same, with CPU milliseconds for each job: of the server `pid` (None: there is none), of
    what it or the program started, of the client; and the cores that others took meanwhile."""
    before, busy, began = cpu(pid), _busy(), time.monotonic()
    seen = program(name, *words)
    elapsed, busy = (time.monotonic() - began) * 1e3, _busy() - busy
    for what, a, b in zip(("server_cpu", "jobs_cpu"), before, cpu(pid)):
        seen[what] = seen.get(what, 0) + (b - a) / seen["all"]
    ours = seen["server_cpu"] + seen["jobs_cpu"] + seen["client_cpu"]
    seen["others"] = max(0, (busy - ours * seen["all"]) / elapsed)
    return seen


# -- processes ----------------------------------------------------------------------------------

def _stat(pid):
    """Parent, own CPU time and that of the children it has waited for, in milliseconds."""
    with open(f"/proc/{pid}/stat") as stat:
        fields = stat.read().rpartition(")")[2].split()
    own, reaped = (sum(map(int, fields[at:at + 2])) * 1e3 / TICK for at in (11, 13))
    return int(fields[1]), own, reaped


def _busy():
    """CPU milliseconds of the whole machine so far."""
    with open("/proc/stat") as stat:
        user, nice, system, _, _, irq, softirq = map(int, stat.readline().split()[1:8])
    return (user + nice + system + irq + softirq) * 1e3 / TICK


def cpu(pid):
    """CPU milliseconds so far: of the process itself, and of all it started."""
    if pid is None:
        return 0, 0
    stats = {}
    for name in os.listdir("/proc"):
        if name.isdigit():
            try:
                stats[int(name)] = _stat(int(name))
            except OSError:
                pass  # it ended meanwhile
    family, found = {pid}, True
    while found:
        found = {p for p, (parent, _, _) in stats.items() if parent in family} - family
        family |= found
    own = stats[pid][1]
    return own, sum(stats[p][1] + stats[p][2] for p in family) - own


def memory(pid):
    """Resident memory now and at its highest, in MB of a million bytes."""
    with open(f"/proc/{pid}/status") as status:
        text = status.read()
    return tuple(int(re.search(rf"{name}:\s+(\d+) kB", text)[1]) * 1024 / 1e6
                 for name in ("VmRSS", "VmHWM"))


class Watch:
    """Looks at a process's resident memory for as long as it is open."""

    def __init__(self, pid):
        self.pid, self.seen, self.end = pid, [], threading.Event()

    def _look(self):
        while not self.end.wait(0.02):
            self.seen.append(memory(self.pid)[0])

    def __enter__(self):
        self.thread = threading.Thread(target=self._look)
        self.thread.start()
        return self

    def __exit__(self, *_):
        self.end.set()
        self.thread.join()

    @property
    def median(self):
        return statistics.median(self.seen or [0])


# -- servers ------------------------------------------------------------------------------------

class Platen:
    """The server as it comes, or with options, with an account that has no limits."""

    def __init__(self, folder, *options):
        config = os.path.join(folder, "bench.conf")
        with open(config, "w") as file:
            # All clients of a benchmark have one address.
            file.write("max_connections_per_client = 10000\n" + PLAN)
        self.server = Server("--config", config, *options)
        self.pid = self.server.process.pid
        self.key = self.server.key("bench")

    def load(self, mode, clients, seconds, file):
        """One run of bench/load."""
        return measure(self.pid, "load", mode, f"127.0.0.1:{self.server.port}", clients, seconds,
                       file, self.key)

    def idle(self, clients, file):
        """A client that holds idle connections, each of which has had one answer."""
        client = subprocess.Popen([os.path.join(BUILD, "bench", "load"), "idle",
                                   f"127.0.0.1:{self.server.port}", str(clients), "0", file],
                                  stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        if client.stdout.readline() != "ready\n":
            sys.exit("load: idle: not ready")
        return client

    def metric(self, name):
        """A figure of /metrics, all labels together."""
        text = self.server.request("GET", "/metrics").body.decode()
        return sum(float(value) for value in
                   re.findall(rf"^{name}(?:{{[^}}]*}})? (\S+)$", text, re.MULTILINE))

    def wait_until_idle(self):
        while self.metric("platen_queue_pending_jobs") + self.metric("platen_queue_running_jobs"):
            time.sleep(0.05)

    def close(self):
        """No wait for what is queued: its folder goes too."""
        self.server.kill()
        shutil.rmtree(self.server.data)
        os.unlink(self.server.log_path)


class Peer:
    """peer.mjs, in one of its modes, with the pinned packages of bench/peer, installed in the build folder."""

    def __init__(self, folder, *mode):
        self.mode = "jobs" if mode else "direct"
        home = os.path.join(BUILD, "bench", "peer")
        shutil.copytree(os.path.join(ROOT, "bench", "peer"), home, dirs_exist_ok=True)
        shutil.copy(os.path.join(ROOT, "bench", "peer.mjs"), home)
        if not os.path.isdir(os.path.join(home, "node_modules", "express")):
            subprocess.run(["npm", "ci", "--no-audit", "--no-fund", "--ignore-scripts"], cwd=home,
                           check=True, capture_output=True)
        uploads = os.path.join(folder, "peer")
        os.makedirs(uploads, exist_ok=True)
        self.process = subprocess.Popen(["node", os.path.join(home, "peer.mjs"), uploads, *mode],
                                        stdout=subprocess.PIPE, text=True,
                                        env={**os.environ, "NODE_ENV": "production"})
        self.pid = self.process.pid
        self.port = int(self.process.stdout.readline())

    def load(self, clients, seconds, file):
        return measure(self.pid, "load", self.mode, f"127.0.0.1:{self.port}", clients, seconds,
                       file)

    def close(self):
        self.process.kill()
        self.process.wait()


# -- documents ----------------------------------------------------------------------------------

def write_scan(path, pages, page_bytes):
    """A PDF like a scan: each page an image, compressed already, as streams of real files are."""
    image = zlib.compress(os.urandom(page_bytes), 1)
    offsets = []

    with open(path, "wb") as out:
        def add(head, stream=None):
            offsets.append(out.tell())
            out.write(b"%d 0 obj\n%s\n" % (len(offsets), head))
            if stream is not None:
                out.writelines((b"stream\n", stream, b"\nendstream\n"))
            out.write(b"endobj\n")

        out.write(b"%PDF-1.4\n%\xe2\xe3\xcf\xd3\n")
        add(b"<< /Type /Catalog /Pages 2 0 R >>")
        add(b"<< /Type /Pages /Count %d /Kids [%s] >>"
            % (pages, b" ".join(b"%d 0 R" % (3 + 3 * i) for i in range(pages))))
        for draw in range(4, 4 + 3 * pages, 3):
            add(b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents %d 0 R"
                b" /Resources << /XObject << /Im %d 0 R >> >> >>" % (draw, draw + 1))
            add(b"<< /Length 26 >>", b"612 0 0 792 0 0 cm /Im Do\n")
            add(b"<< /Type /XObject /Subtype /Image /Width %d /Height 1 /BitsPerComponent 8"
                b" /ColorSpace /DeviceGray /Filter /FlateDecode /Length %d >>"
                % (page_bytes, len(image)), image)
        start = out.tell()
        out.write(ending(dict(enumerate(offsets, 1)), start))


# -- words --------------------------------------------------------------------------------------

def fsync_ms(folder):
    """What a durable write of 4 kB costs here: the median of many."""
    path, times = os.path.join(folder, "fsync"), []
    with open(path, "wb", buffering=0) as file:
        for _ in range(100):
            began = time.perf_counter()
            file.write(bytes(4096))
            os.fsync(file.fileno())
            times.append((time.perf_counter() - began) * 1e3)
    os.unlink(path)
    return statistics.median(times)


def _said(*words):
    try:
        return subprocess.run(words, capture_output=True, text=True).stdout.strip()
    except OSError:
        return "none"


def disk(folder):
    """File system and what durability costs on it. ext4 without a journal is rare and different:
    it gives no inode away twice within minutes, and looks at every one that it passes over."""
    # Of mounts over each other the last counts.
    device, kind = ["unknown", "unknown", *_said("findmnt", "-n", "-o", "SOURCE,FSTYPE", "-T", folder).split()][-2:]
    if kind == "ext4":
        name = os.path.basename(os.path.realpath(device))
        journals = os.listdir("/proc/fs/jbd2") if os.path.isdir("/proc/fs/jbd2") else []
        kind += ("" if any(journal.startswith(f"{name}-") for journal in journals)
                 else " without a journal")
    return f"{kind} on {device}, write and fsync {fsync_ms(folder):.2f} ms"


def machine(folder):
    with open("/proc/cpuinfo") as cpuinfo:
        model = re.search(r"model name\s*: (.*)", cpuinfo.read())
    return (f"{model[1] if model else platform.machine()}, {len(os.sched_getaffinity(0))} cores, "
            f"{os.sysconf('SC_PHYS_PAGES') * os.sysconf('SC_PAGE_SIZE') / 1e9:.0f} GB; "
            f"Linux {platform.release()}; {disk(folder)}; "
            f"{_said('qpdf', '--version').splitlines()[0]}; Node {_said('node', '--version')}; "
            f"platen at {_said('git', '-C', ROOT, 'describe', '--always', '--dirty')}; "
            f"load of the machine before: {os.getloadavg()[0]:.1f}")


def table(title, heads, rows):
    """Markdown, aligned to be read as it is: words left, figures right."""
    rows = [[str(cell) for cell in row] for row in rows]
    widths = [max(len(row[i]) for row in [heads, *rows]) for i in range(len(heads))]

    def line(cells):
        return "| " + " | ".join(cell.ljust(width) if i == 0 else cell.rjust(width)
                                 for i, (cell, width) in enumerate(zip(cells, widths))) + " |"

    print(f"\n{title}\n\n{line(heads)}")
    print("|" + "|".join("-" * (width + 1) + ("-" if i == 0 else ":")
                         for i, width in enumerate(widths)) + "|")
    print("\n".join(map(line, rows)), flush=True)
