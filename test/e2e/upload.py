"""A parameter that is a file: it reaches the tool, is kept like a secret, and is no document.

Run as: upload.py PLATEN WITNESS, the path of the worker program that says what it got."""

import glob
import hashlib
import json
import os
import subprocess
import tempfile

from platen import PLATEN, Server, done, ok, pdf, same, until
from witness import DOCUMENT, programs

PROGRAMS = programs()
SECRET = b"0\x82 a private key, nobody's business " * 40
DIGEST = hashlib.sha256(SECRET).hexdigest()
CERTIFICATE = ("certificate", "my own name.p12", SECRET)


def text(server, job):
    if "downloadUrl" not in job:
        return job
    return server.download(job["downloadUrl"]).body.decode().splitlines()[1:]


def stored(server, needle):
    """The files under the data folder that hold these bytes, but for results: the tool says all."""
    found = []
    for folder, _, names in os.walk(os.path.join(server.data, "d")):
        for name in (name for name in names if ".out." not in name):
            with open(os.path.join(folder, name), "rb") as file:
                if needle in file.read():
                    found.append(name)
    return found


def check_arrival(server, key):
    job = server.run("witness", DOCUMENT, key, {"certificatePassword": "pw-4711"},
                     attachments=[CERTIFICATE])
    same("the file reaches the tool, beside the document", text(server, job),
         ["documents 1", f"certificate {DIGEST} pw-4711"])
    same("it counts towards the bytes", job["inputBytes"], len(DOCUMENT[0][1]) + len(SECRET))
    same("the result is named after the document", job["outputFile"], "report-witness.pdf")
    unused = [("certificate", "", b""), ("file", "", b""), ("files", "", b"")]
    same("file inputs of a form that nobody used are not sent", text(server, server.run(
        "witness", DOCUMENT, key, attachments=unused)), ["documents 1", "certificate none"])
    same("a file without a name is one", text(server, server.run(
        "witness", DOCUMENT, key, attachments=[("certificate", "", SECRET)])),
         ["documents 1", f"certificate {DIGEST} -"])
    same("it need not be given", text(server, server.run("witness", DOCUMENT, key)),
         ["documents 1", "certificate none"])
    ok("its bytes are gone when the job ended", until(lambda: not stored(server, SECRET[:64])),
       stored(server, SECRET[:64]))
    same("its name and password were never written down",
         stored(server, b"my own name") + stored(server, b"pw-4711"), [])
    ok("and are not in the log",
       not any(word in server.logs() for word in ("my own name", "pw-4711", "nobody's business")))
    shown = server.request("GET", f"/api/v1/jobs/{job['jobId']}", key).body
    ok("nor in the job's answer", b"my own name" not in shown and b"certificate" not in shown, shown)


def check_refusals(server, key):
    def refused(what, code, field, files=(), fields=(), attachments=(), **more):
        answer = server.submit("witness", files, key, fields, attachments=attachments, **more)
        ok(what, answer.error == code and answer.json.get("field") == field, answer)

    before = server.request("GET", "/api/v1/usage", key).json
    refused("a value in its place is refused", "invalid_parameter", "certificate", DOCUMENT,
            {"certificate": "-----BEGIN"})
    refused("twice is refused", "invalid_parameter", "certificate", DOCUMENT, (),
            [CERTIFICATE] * 2)
    refused("an empty one is refused", "invalid_parameter", "certificate", DOCUMENT, (),
            [("certificate", "a.p12", b"")])
    refused("one byte over its bound is refused", "file_too_large", "certificate", DOCUMENT, (),
            [("certificate", "a.p12", b"x" * 1000001)])
    refused("it is not the document", "too_few_files", "file", (), (), [CERTIFICATE])
    refused("a file for a parameter that is a value is refused", "unknown_field",
            "certificatePassword", DOCUMENT, (), [("certificatePassword", "a.txt", b"pw")])
    refused("a file for no parameter at all too", "unknown_field", "key", DOCUMENT, (),
            [("key", "a.p12", b"pw")])
    same("nothing refused counts", server.request("GET", "/api/v1/usage", key).json, before)
    same("and nothing of it stays", server.blobs(),
         [name for name in server.blobs() if ".out." in name])
    same("as large as its bound it is taken", server.submit(
        "witness", DOCUMENT, key, attachments=[("certificate", "a", b"x" * 1000000)]).status, 202)


def check_idempotency(server):
    key = server.key()

    def submit(*attachments):
        return server.submit("witness", DOCUMENT, key, headers={"Idempotency-Key": "k"},
                             attachments=attachments)

    first = submit(CERTIFICATE)
    same("the same content again is the same job", submit(CERTIFICATE).json, first.json)
    same("under another name too", submit(("certificate", "other", SECRET)).json, first.json)
    same("another certificate is other content",
         submit(("certificate", "my own name.p12", SECRET + b"!")).error, "idempotency_conflict")
    same("so is none", submit().error, "idempotency_conflict")


def check_earlier_results(server):
    """Any file part may be job:{jobId}: the file of a parameter, and one that a step names."""
    key, stranger = server.key(), server.key()
    made = server.run("witness", DOCUMENT, key)
    bytes_ = server.download(made["downloadUrl"]).body
    digest, earlier = hashlib.sha256(bytes_).hexdigest(), f"job:{made['jobId']}"
    steps = json.dumps([{"tool": "witness", "params": {"certificate": "mine"}}])

    def used():
        return server.request("GET", "/api/v1/usage", key).json["data"]["used"]

    before = used()
    job = server.run("witness", DOCUMENT, key, {"certificate": earlier})
    same("the file of a parameter may be an earlier result", text(server, job),
         ["documents 1", f"certificate {digest} -"])
    same("whose bytes are not counted again", used() - before, len(DOCUMENT[0][1]))
    job = server.run("witness", DOCUMENT, key, {"certificate": earlier + "/1"})
    same("or one output of it", text(server, job)[1:], [f"certificate {digest} -"])
    job = server.run("pipeline", DOCUMENT, key, {"steps": steps, "mine": earlier})
    same("so may one that a step names", text(server, job)[1:], [f"certificate {digest} -"])

    def refusal(what, want, fields, who=key, tool="witness"):
        answer = server.submit(tool, DOCUMENT, who, fields)
        same(what, (answer.status, answer.error, answer.json.get("field")), want)
    refusal("a stranger's result is not found", (404, "job_not_found", "certificate"),
            {"certificate": earlier}, stranger)
    refusal("nor for a step", (404, "job_not_found", "mine"), {"steps": steps, "mine": earlier},
            stranger, "pipeline")
    refusal("what is no job is refused", (400, "invalid_parameter", "certificate"),
            {"certificate": "job:x"})
    refusal("and an output it has not", (404, "not_found", "certificate"),
            {"certificate": earlier + "/7"})
    refusal("twice is refused", (400, "invalid_parameter", "certificate"),
            [("certificate", earlier)] * 2)
    refusal("one that no step names too", (400, "unknown_field", "other"),
            {"steps": '[{"tool":"witness"}]', "other": earlier}, tool="pipeline")
    refusal("so is a value where a value is wanted", (400, "unknown_field", "other"),
            {"other": earlier})
    once = {"headers": {"Idempotency-Key": "earlier"}}
    first = server.submit("witness", DOCUMENT, key, {"certificate": earlier}, **once)
    server.wait(first.json["jobId"], key)
    server.request("DELETE", f"/api/v1/jobs/{made['jobId']}", key)
    again = server.submit("witness", DOCUMENT, key, {"certificate": earlier}, **once)
    same("a replay is one though the earlier job is gone", (again.status, again.json),
         (202, first.json))
    refusal("which else is not found", (404, "job_not_found", "certificate"),
            {"certificate": earlier})
    ok("nothing else is left", until(lambda: not [b for b in server.blobs() if ".in." in b]),
       server.blobs())


def check_durability():
    """202 is a promise for this file too."""
    server = Server("--programs", PROGRAMS)
    key = server.key()
    jobs = [server.submit("witness", DOCUMENT, key, {"certificatePassword": str(i)},
                          attachments=[CERTIFICATE]).json["jobId"] for i in range(20)]
    server.kill()
    server.start()
    same("after kill -9 every job has its file",
         [text(server, server.wait(job, key).json) for job in jobs],
         [["documents 1", f"certificate {DIGEST} {i}"] for i in range(20)])
    server.close()


def check_documents(server):
    schema = server.request("GET", "/openapi.json").json["paths"]["/api/v1/tools/pdf/witness"][
        "post"]["requestBody"]["content"]["multipart/form-data"]["schema"]
    shown = schema["properties"]["certificate"]
    same("openapi.json describes it as a file, or the name of an earlier result",
         [(one["type"], one.get("format"), one.get("pattern")) for one in shown["anyOf"]],
         [("string", "binary", None), ("string", None, "^(job|upload):")])


def check_run():
    with tempfile.TemporaryDirectory() as folder:
        def put(name, data):
            path = os.path.join(folder, name)
            with open(path, "wb") as file:
                file.write(data)
            return path

        def run(*words):
            return subprocess.run([PLATEN, "run", "witness", put("a.pdf", pdf()), "--programs",
                                   PROGRAMS, "-o", os.path.join(folder, "out.pdf"), *words],
                                  capture_output=True, text=True, timeout=60)

        certificate = put("c.p12", SECRET)
        answer = run("--certificate", certificate)
        same("platen run takes it as a path", answer.returncode, 0)
        with open(os.path.join(folder, "out.pdf")) as out:
            same("and hands it on", out.read().splitlines()[1:],
                 ["documents 1", f"certificate {DIGEST} -"])
        for what, path in (("a missing one", folder + "/none"), ("an empty one", put("e", b"")),
                           ("a folder", folder), ("a large one", put("l", b"x" * 1000001))):
            answer = run("--certificate", path)
            ok(f"{what} is wrong use", answer.returncode == 2 and answer.stderr, answer)
        same("twice is too", run("--certificate", certificate, "--certificate",
                                 certificate).returncode, 2)
        ok("platen tools shows it", "1000000 bytes" in subprocess.run(
            [PLATEN, "tools", "witness", "--programs", PROGRAMS], capture_output=True,
            text=True).stdout)
        same("nothing temporary is left", glob.glob(folder + "/*.tmp"), [])


def main():
    server = Server("--programs", PROGRAMS)
    key = server.key()
    check_arrival(server, key)
    check_refusals(server, key)
    check_idempotency(server)
    check_earlier_results(server)
    check_documents(server)
    same("SIGTERM ends it cleanly", server.close(), 0)
    check_durability()
    check_run()
    done()


main()
