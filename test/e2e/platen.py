"""A real server in a folder of its own, a client that speaks plain HTTP, and TAP.

Run as: NAME.py PLATEN, the path of the program. Python's standard library, and jsonschema: every
answer is judged by the API's own description."""

import atexit
import contextlib
import http.client
import json
import os
import re
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
import urllib.parse
import uuid
import zlib

from contract import Contract

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "../tools"))
from pdf_builder import BINARY, Objects, document

PLATEN = os.path.abspath(sys.argv[1])
# The seal of `platen run sign` is not made in the home of whoever runs the tests.
os.environ["XDG_DATA_HOME"] = tempfile.mkdtemp(prefix="platen-share-")
atexit.register(shutil.rmtree, os.environ["XDG_DATA_HOME"], ignore_errors=True)
with open(PLATEN, "rb") as _program:
    SANITIZED = b"__asan_init" in _program.read()
DEADLINE = 240 if SANITIZED else 120  # seconds anything here may take; a busy machine takes long
# Whether this build has the tools that draw: it may be one without MuPDF.
DRAWS = os.path.exists(os.path.join(os.path.dirname(PLATEN), "platen-render"))


def without_office():
    """For tests of the server that convert no office document: its programs from now on are all but
    platen-office. LibreOffice takes half a second of processor time to start, and a server that
    stops meanwhile waits for another second."""
    here, folder = os.path.dirname(PLATEN), tempfile.mkdtemp(prefix="platen-programs-")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    os.chmod(folder, 0o755)
    for name in os.listdir(here):
        path = os.path.join(here, name)
        if name.startswith("platen-") and name != "platen-office" and os.path.isfile(path):
            os.symlink(path, os.path.join(folder, name))
    os.environ["PLATEN_PROGRAMS"] = folder


_count = 0
_failed = 0
_judged = 0


def ok(what, passed, *details):
    """One assertion; the sentence is the specification's."""
    global _count, _failed
    _count += 1
    print(f"{'ok' if passed else 'not ok'} {_count} - {what}", flush=True)
    if not passed:
        _failed += 1
        frame = sys._getframe(1)
        while frame.f_back and frame.f_code.co_filename == __file__:
            frame = frame.f_back
        print(f"# {frame.f_code.co_filename}:{frame.f_lineno}", flush=True)
        for detail in details:
            print(f"#   {detail!r}"[:2000], flush=True)
    return passed


def same(what, got, want):
    return ok(what, got == want, {"got": got}, {"want": want})


def judge(contract, method, path, answer):
    """Says only what is wrong: there are many answers."""
    global _judged
    _judged += 1
    faults = contract.faults(method, path, answer.status, answer.headers, answer.body)
    if faults:
        ok(f"{method} {path.split('?')[0]} is answered as /openapi.json says", False, *faults,
           answer)


def done():
    if _judged:
        ok(f"{_judged} answers were judged by /openapi.json", True)
    print(f"1..{_count}")
    sys.exit(1 if _failed else 0)


def pdf(pages=1, text="Hello", rotate=None, pad=0, note=""):
    """A small sound PDF: one line of text a page. note: can be read in the file, and in results."""
    objects = Objects()
    kids = b" ".join(b"%d 0 R" % (4 + 2 * i) for i in range(pages))
    # The padding is reachable: a tool that drops what nobody uses must keep it.
    extra = b" /Padding %d 0 R" % (4 + 2 * pages) if pad else b""
    extra += b" /Note %d 0 R" % (4 + 2 * pages + bool(pad)) if note else b""
    objects.add(b"<< /Type /Catalog /Pages 2 0 R%s >>" % extra)
    objects.add(b"<< /Type /Pages /Kids [%s] /Count %d >>" % (kids, pages))
    objects.add(b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>")
    turn = b"" if rotate is None else b" /Rotate %d" % rotate
    for i in range(pages):
        content = b"BT /F1 24 Tf 72 700 Td (%s %d) Tj ET" % (text.encode("latin-1"), i + 1)
        objects.add(b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792]%s /Contents %d 0 R"
                    b" /Resources << /Font << /F1 3 0 R >> >> >>" % (turn, 5 + 2 * i))
        objects.add("", content)
    if pad:
        objects.add("", os.urandom(pad))
    if note:  # "compressed" already, so that nobody does it: a stored block (RFC 1951, 3.2.4)
        objects.add("/Filter/FlateDecode", zlib.compress(note.encode("latin-1"), 0))
    return document(objects, version=b"1.4", comment=BINARY)


def slow_job(pages, dpi=150):
    """A job that runs for a while, the longer the more pages: its tool, its file and its fields."""
    if DRAWS:
        return "to-png", pdf(pages), {"dpi": str(dpi)}
    return "split", pdf(min(9000, 60 * pages * dpi // 150)), {"pages": "all", "mode": "each"}


def multipart(files=(), fields=(), boundary="platen-test-boundary", file_field=None,
              attachments=()):
    """The body and its content type. files: [(name, bytes)]; fields: dict or pairs;
    attachments: [(field, name, bytes)]."""
    out = bytearray()
    for name, value in fields.items() if isinstance(fields, dict) else fields:
        out += (f'--{boundary}\r\nContent-Disposition: form-data; name="{name}"\r\n\r\n'
                f"{value}\r\n").encode()
    field = file_field or ("file" if len(files) == 1 else "files")
    for field, name, data in [*attachments, *((field, name, data) for name, data in files)]:
        out += (f'--{boundary}\r\nContent-Disposition: form-data; name="{field}"; '
                f'filename="{name}"\r\nContent-Type: application/pdf\r\n\r\n').encode()
        out += data + b"\r\n"
    out += f"--{boundary}--\r\n".encode()
    return bytes(out), f"multipart/form-data; boundary={boundary}"


class Answer:
    def __init__(self, status, headers, body):
        self.status, self.headers, self.body = status, headers, body

    @property
    def json(self):
        return json.loads(self.body)

    @property
    def error(self):
        try:
            return self.json.get("error")
        except ValueError:
            return None

    def __repr__(self):
        return f"{self.status} {dict(self.headers.items())} {self.body[:600]!r}"


class Server:
    def __init__(self, *options, data=None, env=None, wrapper=(), pass_fds=(),
                 listen="127.0.0.1:0", command="serve"):
        self.own = data is None
        self.data = data or tempfile.mkdtemp(prefix="platen-e2e-")
        self.options, self.env, self.wrapper = options, env, wrapper
        self.pass_fds, self.listen, self.command = pass_fds, listen, command
        self.process = None
        self.contract = None
        self.log_path = os.path.abspath(self.data) + ".log"
        self.start()

    def start(self):
        self.log = open(self.log_path, "ab")
        begin = self.log.tell()
        command = [*self.wrapper, PLATEN, self.command, "--data", os.path.join(self.data, "d"),
                   "--listen", self.listen, "--min-free-space", "1M", *self.options]
        self.process = subprocess.Popen(command, stderr=self.log, stdin=subprocess.DEVNULL,
                                        stdout=subprocess.DEVNULL, pass_fds=self.pass_fds,
                                        env={**os.environ, **(self.env or {})})
        atexit.register(self.process.kill)  # whatever happens to the test
        until = time.time() + DEADLINE
        while time.time() < until:
            with open(self.log_path, "rb") as log:
                log.seek(begin)
                found = re.search(rb"event=server.ready .*port=(\d+)", log.read())
            if found:
                self.port = int(found[1])
                return
            if self.process.poll() is not None:
                break
            time.sleep(0.01)
        raise RuntimeError("the server did not start: " + self.logs()[-2000:])

    def logs(self):
        with open(self.log_path, "rb") as log:
            return log.read().decode("utf-8", "replace")

    def knows_library(self):
        """Whether libmicrohttpd's internals are known to the server (src/server/http/internals.h)."""
        return "event=http.library_unknown " not in self.logs()

    def keeps_connections(self):
        return self.knows_library() or "connections=kept" in self.logs()

    def key(self, plan="business", name="test"):
        made = subprocess.run([PLATEN, "key", "create", "--plan", plan, "--name", name, "--data",
                               os.path.join(self.data, "d"), *self.options],
                              capture_output=True, text=True, timeout=DEADLINE)
        if made.returncode:
            raise RuntimeError(made.stderr)
        return made.stdout.strip().splitlines()[-1]

    def connect(self, timeout=DEADLINE):
        return http.client.HTTPConnection("127.0.0.1", self.port, timeout=timeout)

    def ask(self, method, path, headers, body):
        connection = self.connect()
        try:
            connection.request(method, path, body, headers)
            response = connection.getresponse()
            return Answer(response.status, response.headers, response.read())
        finally:
            connection.close()

    def request(self, method, path, key=None, headers=None, body=None):
        headers = dict(headers or {})
        if key:
            headers["X-API-Key"] = key
        answer = self.ask(method, path, headers, body)
        if not self.contract:
            self.contract = Contract(self.ask("GET", "/openapi.json", {}, None).json)
        judge(self.contract, method, path, answer)
        return answer

    def submit(self, tool, files, key, fields=(), headers=None, **more):
        body, kind = multipart(files, fields, **more)
        return self.request("POST", f"/api/v1/tools/pdf/{tool}", key,
                            {"Content-Type": kind, **(headers or {})}, body)

    def wait(self, job_id, key):
        """The answer that tells of the job's end; a job that gets on may take as long as it likes."""
        progress, limit = None, time.monotonic() + DEADLINE
        while time.monotonic() < limit:
            answer = self.request("GET", f"/api/v1/jobs/{job_id}?wait=20", key)
            if answer.status != 200 or answer.json["status"] != "pending":
                return answer
            if answer.json.get("progress") != progress:
                progress, limit = answer.json.get("progress"), time.monotonic() + DEADLINE
        raise RuntimeError("a job stayed pending")

    def run(self, tool, files, key, fields=(), **more):
        """Submits, waits; the job's JSON, or the refusal's."""
        answer = self.submit(tool, files, key, fields, **more)
        if answer.status != 202:
            return answer.json
        return self.wait(answer.json["jobId"], key).json

    def download(self, url, headers=None, method="GET"):
        parts = urllib.parse.urlsplit(url)
        return self.request(method, f"{parts.path}?{parts.query}", headers=headers)

    def blobs(self):
        """Every file of a job: those in the folder, and those that are kept in the database."""
        found = [name for _, _, names in os.walk(os.path.join(self.data, "d", "blobs"))
                 for name in names]
        database = os.path.join(self.data, "d", "platen.db")
        with contextlib.closing(sqlite3.connect(f"file:{database}?mode=ro", uri=True)) as db:
            for (job,) in db.execute("SELECT id FROM jobs JOIN job_inputs USING(row)"):
                found.append(job + ".in")
            for job, attempt in db.execute("SELECT id, attempt FROM jobs JOIN job_results USING(row)"):
                found.append(f"{job}.out.{attempt}")
        return sorted(found)

    def stop(self, patience=DEADLINE):
        """SIGTERM; the exit status."""
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
        try:
            return self.process.wait(patience)
        finally:
            self.log.close()

    def kill(self):
        """kill -9, as a power cut would."""
        self.process.kill()
        self.process.wait()
        self.log.close()

    def children(self):
        """The worker programs' process ids. One that replaces another is the child of a thread."""
        found = []
        for task in os.listdir(f"/proc/{self.process.pid}/task"):
            with contextlib.suppress(OSError):  # it has just ended
                for pid in children_of(self.process.pid, task):
                    with open(f"/proc/{pid}/comm", encoding="ascii") as comm:
                        if comm.read().strip() in ("platen-worker", "platen-pages", "platen-render", "platen-ocr", "platen-office", "platen-browser"):
                            found.append(pid)
        return found

    def close(self):
        status = self.stop()
        if self.own:
            shutil.rmtree(self.data)
            os.unlink(self.log_path)
        return status


def children_of(process, task):
    with open(f"/proc/{process}/task/{task}/children", encoding="ascii") as children:
        return [int(pid) for pid in children.read().split()]


def until(condition, patience=DEADLINE):
    """Waits for an event: true when it came."""
    end = time.monotonic() + patience
    while time.monotonic() < end:
        if condition():
            return True
        time.sleep(0.02)
    return False


def hold(server):
    """Jobs that begin now wait until go() and take no time meanwhile; for half a minute at most, then
    the server takes its worker programs for stuck."""
    for pid in server.children():
        os.kill(pid, signal.SIGSTOP)


def go(server):
    for pid in server.children():
        os.kill(pid, signal.SIGCONT)


def name_of(process):
    """The name of the program, also of a process that is another user's."""
    with open(f"/proc/{process}/comm", encoding="utf-8", errors="replace") as name:
        return name.read()


def jobs_of(server):
    """The processes of the jobs that run: the children of the worker programs. The browser that platen-browser starts ahead
    is another program."""
    found = []
    for zygote in server.children():
        with contextlib.suppress(OSError):  # it has just ended
            found += [child for child in children_of(zygote, zygote) if name_of(child) == name_of(zygote)]
    return found


def stop(process):
    """Stops a process; whether it now stands still, and is not at its end."""
    with contextlib.suppress(OSError):
        os.kill(process, signal.SIGSTOP)
        while True:
            with open(f"/proc/{process}/stat", encoding="ascii", errors="replace") as stat:
                state = stat.read().rpartition(")")[2].split()[0]
            if state in "TZX":
                return state == "T"
            time.sleep(0.001)
    return False


def halted(server, key, submit, progress=0.0, hand=None):
    """A job that has come as far as `progress` and stands still until its process gets SIGCONT: its id
    and the process. `submit` gives the id of a job that takes a while, on a server that does nothing
    else; on a machine that is busy or fast it may be over before it is found: then another. `hand`
    is the server that runs it, if it is not the one that is asked."""
    while True:
        before = set(jobs_of(hand or server))
        job_id = submit()
        path = f"/api/v1/jobs/{job_id}"
        while server.request("GET", path, key).json["status"] == "pending":
            for process in set(jobs_of(hand or server)) - before:
                if not stop(process):
                    continue
                job = server.request("GET", path, key).json
                # One that is nearly done may have handed its result over.
                if job["status"] == "pending" and progress <= job.get("progress", 0) < 0.95:
                    return job_id, process
                os.kill(process, signal.SIGCONT)
        server.request("DELETE", path, key)


def new_id():
    return str(uuid.uuid4())
