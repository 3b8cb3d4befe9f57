"""The Python client (clients/python) with a real server: what it promises, also when the line breaks."""

import asyncio
import base64
import glob
import hashlib
import json
import os
import re
import shutil
import socket
import subprocess
import sys
import tempfile
import threading
import time
import urllib.request
import zipfile

from origin import Origin, answer, file
from platen import PLATEN, Server, done, go, hold, ok, pdf, same, slow_job, until, without_office
from receiver import Receiver

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
without_office()

FOLDER = tempfile.mkdtemp(prefix="platen-clients-")
subprocess.run([os.path.join(ROOT, "clients/build.sh"), PLATEN, FOLDER], check=True,
               env={**os.environ, "ONLY": "python"})
SOURCE = os.path.join(FOLDER, "python", "src")


def client():
    """The client's module: its name is that of the tests' own module, which is loaded already."""
    own = sys.modules.pop("platen")
    sys.path.insert(0, SOURCE)
    import platen as module
    sys.path.remove(SOURCE)
    sys.modules["platen_tests"] = own
    return module


platen = client()


class BrokenLine:
    """Passes connections on to a server, and breaks those that `breaks` chooses: by the connection's number from 0,
    the bytes that go up and down before it is cut; None: it is not cut."""

    def __init__(self, port, breaks):
        self.port, self.breaks, self.count = port, breaks, 0
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self.listener.getsockname()[1]}"
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        while True:
            near, _ = self.listener.accept()
            far = socket.create_connection(("127.0.0.1", self.port))
            up, down = self.breaks(self.count) or (None, None)
            self.count += 1
            for source, target, limit in ((near, far, up), (far, near, down)):
                threading.Thread(target=self.pass_on, args=(source, target, limit), daemon=True).start()

    @staticmethod
    def pass_on(source, target, limit):
        sent = 0
        try:
            while data := source.recv(16384):
                if limit is not None and sent + len(data) > limit:
                    target.sendall(data[:limit - sent])
                    break
                target.sendall(data)
                sent += len(data)
            else:
                target.shutdown(socket.SHUT_WR)
                return
            # Cut for both sides at once.
            for end in (source, target):
                end.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass


def jobs(server, key):
    return server.request("GET", "/api/v1/jobs?limit=100", key).json["jobs"]


def test_results(server, key):
    local = platen.Platen(f"http://127.0.0.1:{server.port}", key)
    data = pdf(3)
    task = local.rotate(data, degrees=90)
    job = task.wait()
    same("wait gives the completed job", (job.status, job.tool, job.whole.pages), ("completed", "rotate", 3))
    path = task.save(os.path.join(FOLDER, "turned.pdf"))
    same("save writes the result", hashlib.sha256(path.read_bytes()).hexdigest(), job.whole.sha256)
    same("bytes gives the same", task.bytes(), path.read_bytes())
    same("stream gives the same", b"".join(task.stream()), path.read_bytes())
    parts = local.split(data, pages="1,2-3")
    same("save_all writes each file of a result",
         [part.name for part in parts.save_all(os.path.join(FOLDER, "parts"))], [one.name for one in parts.wait().outputs])
    same("the whole of several files is their ZIP", parts.bytes()[:4], b"PK\3\4")
    same("options are sent by the API's names", local.rotate(data, degrees=90, output_name="x y").wait().whole.name, "x y.pdf")
    again = local.rotate(job.ref, degrees=90)
    same("a result is a file of a further job", again.wait().whole.pages, 3)
    same("resume goes on with a job", local.resume(again.id).bytes(), again.bytes())
    ok("jobs lists them", again.id in [one.id for one in local.jobs(tool="rotate")])
    ok("a dry run says what a job would meet", local.dry_run("rotate", data, degrees=90)["ok"])
    ok("usage says what was used", local.usage()["requests"]["used"] > 3)
    ticket = local.ticket(max_bytes=1 << 20, name="from elsewhere.pdf")
    same("a ticket waits for its file", ([one.ref for one in local.tickets()], ticket.max_bytes), ([ticket.ref], 1 << 20))
    urllib.request.urlopen(urllib.request.Request(ticket.url, data, method="PUT")).close()
    same("the file that came to a ticket's address is one for jobs", local.rotate(ticket.ref, degrees=90).wait().whole.name,
         "from elsewhere-rotate.pdf")
    revoked = local.ticket()
    local.delete_upload(revoked.ref)
    same("a ticket that is revoked is not listed", local.tickets(), [])
    local.delete_upload(ticket.ref)
    local.delete_job(again.id)
    try:
        local.job(again.id)
        ok("a deleted job is a NotFoundError", False)
    except platen.NotFoundError as error:
        same("a deleted job is a NotFoundError", error.code, "job_not_found")
    try:
        local.rotate("https://127.0.0.1/a.pdf", degrees=90)
        ok("an address is left to the server, which refuses one that is not public", False)
    except platen.ApiError as error:
        same("an address is left to the server, which refuses one that is not public", error.field, "fileUrl")
    made = local.pipeline(data, [("sign", {"signer_name": "Ann", "image": ("ink.png", png())}), "compress"])
    same("a file in a step of a pipeline is sent", made.wait().status, "completed")
    flow = server.request("POST", "/api/v1/workflows", key, {"Content-Type": "application/json"}, json.dumps({"name": "Mail", "steps": [
        {"tool": "sign", "params": {"signerName": "Ann", "image": "ink"}}, {"tool": "add-password"}]})).json["workflowId"]
    made = local.workflow(data, flow, {"ink": ("ink.png", png()), "steps[1].password": "open sesame"})
    same("a saved workflow is run with what it needs", made.wait().status, "completed")
    try:
        local.workflow(data, flow, {"ink": ("ink.png", png())}).wait()
        ok("without it the error says where it is missing", False)
    except platen.ApiError as error:
        same("without it the error says where it is missing", error.field, "steps[1].password")


def png():
    import struct
    import zlib

    def chunk(kind, body):
        return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", 8, 8, 8, 0, 0, 0, 0)) +
            chunk(b"IDAT", zlib.compress((b"\0" + b"\x40" * 8) * 8)) + chunk(b"IEND", b""))


def test_errors(server, key):
    local = platen.Platen(f"http://127.0.0.1:{server.port}", key)
    for what, call, kind, code in (
            ("a wrong option", lambda: local.rotate(pdf(), degrees=17), platen.ApiError, "invalid_parameter"),
            ("a job that fails", lambda: local.rotate(b"%PDF-1.4\n", degrees=90).wait(), platen.JobError, "corrupt_file"),
            ("an unknown key", lambda: platen.Platen(local._http.url, "pk_unknown").usage(), platen.AuthenticationError, "invalid_api_key"),
            ("two files for one", lambda: local.rotate([pdf(), pdf()], degrees=90), platen.PlatenError, "too_many_files"),
            ("a server that is not there", lambda: platen.Platen("http://127.0.0.1:1", key, retries=1).usage(),
             platen.ConnectionFailed, "connection_failed")):
        try:
            call()
            ok(f"{what} is {kind.__name__} {code}", False)
        except platen.PlatenError as error:
            ok(f"{what} is {kind.__name__} {code}", isinstance(error, kind) and error.code == code, error, error.code)


def test_broken_lines(server, key):
    data = pdf(2, pad=3_000_000)
    before = len(jobs(server, key))
    line = BrokenLine(server.port, lambda n: (1_000_000, None) if n % 3 == 1 else None)
    sender = platen.Platen(line.url, key, piece_size=1 << 20)
    job = sender.rotate(data, degrees=90).wait()
    same("an upload goes on after the line broke in its pieces", job.raw["inputBytes"], len(data))
    ok("the line has broken", line.count > 5, line.count)
    same("one job was made", len(jobs(server, key)), before + 1)

    # The server gets the request, and its answer is lost.
    lost = BrokenLine(server.port, lambda n: (None, 0) if n == 0 else None)
    repeated = platen.Platen(lost.url, key).rotate(pdf(), degrees=90)
    same("a submission whose answer was lost is repeated", repeated.wait().status, "completed")
    same("it made one job", len(jobs(server, key)), before + 2)

    # A download that is cut goes on.
    cut = BrokenLine(server.port, lambda n: (None, 700_000) if n < 3 else None)
    whole = sender.rotate(data, degrees=180)
    result = whole.wait().whole
    moved = platen.Output(result.name, result.bytes, result.sha256,
                          result.download_url.replace(line.url, cut.url))
    from platen._download import read_all
    from platen._http import Stop
    same("a download goes on after the line broke", hashlib.sha256(read_all(sender._http, moved, Stop())).hexdigest(), result.sha256)
    same("it was asked for four times", cut.count, 4)
    false = platen.Output(result.name, result.bytes, "0" * 64, result.download_url)
    try:
        read_all(sender._http, false, Stop())
        ok("a result with another digest is an error", False)
    except platen.ChecksumError as error:
        same("a result with another digest is an error", error.code, "checksum_mismatch")
    uploads = [name for name in server.blobs() if name.endswith("up.file")]
    same("no upload is left", uploads, [])


def test_cancelling(server, key):
    local = platen.Platen(f"http://127.0.0.1:{server.port}", key)
    tool, data, fields = slow_job(4)
    hold(server)  # a quick machine would have done the job
    task = local.run(tool, data, timeout=0.5, **fields)
    try:
        task.wait()
        ok("a job over its timeout is TimedOut", False)
    except platen.TimedOut:
        ok("a job over its timeout is TimedOut", True)
    same("and is deleted", server.request("GET", f"/api/v1/jobs/{task.id}", key).status, 404)
    go(server)

    async def main():
        async with platen.AsyncPlaten(f"http://127.0.0.1:{server.port}", key) as remote:
            ended = await asyncio.gather(*(remote.rotate(pdf(), degrees=90) for _ in range(8)))
            same("eight jobs at once complete", [job.status for job in ended], ["completed"] * 8)
            same("text of a result", "Hello 1" in await remote.to_text(pdf()).text(), True) if tool == "to-png" else None
            hold(server)
            waiting = remote.run(tool, data, **fields)
            number = await waiting.id()
            future = asyncio.ensure_future(waiting._do(lambda one: one.wait()))
            await asyncio.sleep(0.2)
            future.cancel()
            try:
                await future
                ok("a task that is cancelled ends", False)
            except asyncio.CancelledError:
                ok("a task that is cancelled ends", True)
            return number
    number = asyncio.run(main())
    go(server)
    same("and its job is deleted", server.request("GET", f"/api/v1/jobs/{number}", key).status, 404)


def test_webhook(server, key):
    receiver = Receiver()
    local = platen.Platen(f"http://127.0.0.1:{server.port}", key)
    task = local.rotate(pdf(), degrees=90, callback_url=receiver.url())
    ok("a webhook comes", receiver.wait())
    _, headers, body = receiver.calls[0]
    secret = subprocess.run([PLATEN, "webhook", "show", key[:11], "--data",
                             os.path.join(server.data, "d")], capture_output=True, text=True, check=False).stdout.split()
    secret = next((word for word in secret if word.startswith("whsec_")), "")
    same("verify_webhook gives the job", platen.verify_webhook(body, dict(headers.items()), secret).id, task.id)
    for what, altered in (("another body", {"body": body + b" "}), ("another secret", {"secret": "whsec_" + "A" * 43 + "="}),
                          ("an old time", {"now": time.time() + 3600})):
        given = {"body": body, "headers": dict(headers.items()), "secret": secret, **altered}
        try:
            platen.verify_webhook(**given)
            ok(f"{what} is refused", False)
        except platen.WebhookError:
            ok(f"{what} is refused", True)
    receiver.close()


def test_delivered(server, key):
    """The origin answers 503 once: the result is sent by the second attempt."""
    origin, calls = Origin("127.0.0.2"), []

    def say(handler):
        calls.append(1)
        answer(handler, 503 if len(calls) == 1 else 200, b"")
    local = platen.Platen(f"http://127.0.0.1:{server.port}", key)
    task = local.rotate(pdf(), degrees=90, output_url=origin.serve("/a.pdf", say), output_headers={"X-Own": "1"})
    job = task.delivered()
    same("delivered waits until the result was sent", (job.delivery, origin.bodies["/a.pdf"] == task.bytes(), len(calls)), ("done", True, 2))
    same("with the headers", origin.calls[0][1].get("X-Own"), "1")
    job = local.split(pdf(2), every=1, output_urls=[origin.serve(f"/{n}.pdf", file(b"", status=n)) for n in (200, 404)]).delivered()
    same("what could not be sent is said", (job.delivery, job.delivery_message), ("failed", "part 2: its host answered with status 404"))
    same("a job without an address is given at once", local.rotate(pdf(), degrees=90).delivered().delivery, None)


def test_documentation(server, key):
    with open(os.path.join(ROOT, "docs/clients.md"), encoding="utf-8") as page:
        blocks = re.findall(r"^```python\n(.*?)^```", page.read(), re.M | re.S)
    folder = os.path.join(FOLDER, "documentation")
    os.mkdir(folder)
    for name, pages in (("report.pdf", 4), ("appendix.pdf", 2)):
        with open(os.path.join(folder, name), "wb") as file:
            file.write(pdf(pages))
    ok("docs/clients.md has examples in Python", len(blocks) >= 8, len(blocks))
    ran = subprocess.run(["/usr/bin/python3", "-W", "ignore", "-c", "\n".join(blocks)], cwd=folder, capture_output=True, text=True,
                         env={**os.environ, "PYTHONPATH": SOURCE, "PLATEN_URL": f"http://127.0.0.1:{server.port}", "PLATEN_KEY": key},
                         check=False)
    ok("the examples of docs/clients.md run", ran.returncode == 0, ran.stderr[-2000:])
    made = set(os.listdir(folder))
    ok("they make the files that they name",
       {"small.pdf", "both.pdf", "turned.pdf", "parts", "mail.pdf", "pages.zip", "turned"} <= made, made)


def test_words_of_python(server, key):
    """A parameter whose name Python has for itself."""
    local = platen.Platen(f"http://127.0.0.1:{server.port}", key)
    if not hasattr(local, "pages"):
        return
    composed = local.pages(("a.pdf", pdf(2)), operations='[{"op":"compose"}]', with_=("head.pdf", pdf(1, "Head")))
    composed.save(os.path.join(FOLDER, "composed.pdf"))
    text = subprocess.run(["pdftotext", os.path.join(FOLDER, "composed.pdf"), "-"], capture_output=True, text=True, check=False).stdout
    ok("with_ is the parameter with", "Head" in text, text)


def five_commands(server, key):
    """What docs/clients.md says from nothing to a result in Python, as a newcomer pastes it."""
    with open(os.path.join(ROOT, "docs/clients.md"), encoding="utf-8") as page:
        block = next(block for block in re.findall(r"^```sh\n(.*?)^```", page.read(), re.M | re.S) if "venv" in block)
    same("they are five commands", len(block.strip().splitlines()), 5)
    folder = os.path.join(FOLDER, "newcomer")
    os.makedirs(os.path.join(folder, "build"))
    os.makedirs(os.path.join(folder, "data"))
    with open(os.path.join(folder, "data/first-key"), "w", encoding="ascii") as file:
        file.write(key + "\n")
    os.symlink(os.path.join(ROOT, "clients"), os.path.join(folder, "clients"))
    os.symlink(PLATEN, os.path.join(folder, "build/platen"))
    with open(os.path.join(folder, "report.pdf"), "wb") as file:
        file.write(pdf(3))
    block = block.replace("localhost:8080", f"127.0.0.1:{server.port}").replace("python3 -m", "/usr/bin/python3 -m")
    if subprocess.run(["/usr/bin/python3", "-c", "import ensurepip"], capture_output=True, check=False).returncode:
        block = block.replace("/usr/bin/python3 -m venv venv", "mkdir -p venv/bin").replace(
            "venv/bin/pip install build/packages/platen_client-*.whl", "unzip -q build/packages/platen_client-*.whl -d venv").replace(
            "venv/bin/python", "PYTHONPATH=venv /usr/bin/python3")  # Debian without python3-venv
    ran = subprocess.run(["sh", "-ec", block], cwd=folder, capture_output=True, text=True, check=False, timeout=300)
    ok("from nothing to a result in Python", os.path.exists(os.path.join(folder, "small.pdf")), ran)


def test_package(server, key):
    """The wheel holds the client, and says of itself what installers check."""
    wheel = glob.glob(os.path.join(FOLDER, "platen_client-*.whl"))[0]
    with zipfile.ZipFile(wheel) as archive:
        info = next(name for name in archive.namelist() if name.endswith("METADATA")).partition("/")[0]
        rows = [line.split(",") for line in archive.read(f"{info}/RECORD").decode().splitlines()]
        same("RECORD lists every file", sorted(row[0] for row in rows), sorted(archive.namelist()))
        digests = {name: base64.urlsafe_b64encode(hashlib.sha256(archive.read(name)).digest()).rstrip(b"=").decode()
                   for name, digest, _ in rows if digest}
        same("with its digest", {name: "sha256=" + digest for name, digest in digests.items()},
             {name: digest for name, digest, _ in rows if digest})
        version = re.search("^Version: (.*)$", archive.read(f"{info}/METADATA").decode(), re.M)[1]
        ok("and the version in its name", f"-{version}-py3-none-any.whl" in wheel and "platen/py.typed" in archive.namelist(), wheel)
    five_commands(server, key)
    folder = os.path.join(FOLDER, "in-wheel")
    os.mkdir(folder)
    with open(os.path.join(folder, "report.pdf"), "wb") as file:
        file.write(pdf(3))
    ran = subprocess.run(["/usr/bin/python3", "-c", "from platen import Platen; Platen().compress('report.pdf').save('small.pdf')"],
                         cwd=folder, capture_output=True, text=True, check=False, timeout=120,
                         env={**os.environ, "PYTHONPATH": wheel, "PLATEN_URL": f"http://127.0.0.1:{server.port}", "PLATEN_KEY": key})
    ok("the client works as it is in the wheel", os.path.exists(os.path.join(folder, "small.pdf")), ran)


def main():
    server = Server("--callback-allow", "127.0.0.1", "--callback-http", "true", "--allow-fetch", "127.0.0.2", "--fetch-http", "true",
                    "--callback-backoff", "100ms")
    key = server.key()
    for test in (test_results, test_errors, test_broken_lines, test_cancelling, test_webhook, test_delivered, test_documentation, test_words_of_python,
                 test_package):
        test(server, key)
    ok("the server stops", until(lambda: server.close() is not None))
    shutil.rmtree(FOLDER)
    done()


main()
