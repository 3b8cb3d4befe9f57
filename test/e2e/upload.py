"""A parameter that is a file: it reaches the tool, is deleted like a secret, and is not a document.

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
    same("the parameter's file and the document reach the tool", text(server, job),
         ["documents 1", f"certificate {DIGEST} pw-4711"])
    same("inputBytes includes the parameter's file",
         job["inputBytes"], len(DOCUMENT[0][1]) + len(SECRET))
    same("the result is named after the document and not after the parameter's file",
         job["outputFile"], "report-witness.pdf")
    unused = [("certificate", "", b""), ("file", "", b""), ("files", "", b"")]
    same("an empty file part without a name counts as not given", text(server, server.run(
        "witness", DOCUMENT, key, attachments=unused)), ["documents 1", "certificate none"])
    same("a parameter's file without a file name is accepted", text(server, server.run(
        "witness", DOCUMENT, key, attachments=[("certificate", "", SECRET)])),
         ["documents 1", f"certificate {DIGEST} -"])
    same("the parameter's file is optional", text(server, server.run("witness", DOCUMENT, key)),
         ["documents 1", "certificate none"])
    ok("the parameter's file is deleted when the job ended",
       until(lambda: not stored(server, SECRET[:64])),
       stored(server, SECRET[:64]))
    same("the parameter's file name and its password are never stored",
         stored(server, b"my own name") + stored(server, b"pw-4711"), [])
    ok("the parameter's file name and its password are not in the log",
       not any(word in server.logs() for word in ("my own name", "pw-4711", "nobody's business")))
    shown = server.request("GET", f"/api/v1/jobs/{job['jobId']}", key).body
    ok("the parameter's file is not in the job's JSON",
       b"my own name" not in shown and b"certificate" not in shown, shown)


def check_refusals(server, key):
    def refused(what, code, field, files=(), fields=(), attachments=(), **more):
        answer = server.submit("witness", files, key, fields, attachments=attachments, **more)
        ok(what, answer.error == code and answer.json.get("field") == field, answer)

    before = server.request("GET", "/api/v1/usage", key).json
    refused("a text as the parameter's file is refused",
            "invalid_parameter", "certificate", DOCUMENT,
            {"certificate": "-----BEGIN"})
    refused("a parameter's file given twice is refused",
            "invalid_parameter", "certificate", DOCUMENT, (),
            [CERTIFICATE] * 2)
    refused("an empty parameter's file is refused",
            "invalid_parameter", "certificate", DOCUMENT, (),
            [("certificate", "a.p12", b"")])
    refused("a parameter's file one byte over its limit is refused",
            "file_too_large", "certificate", DOCUMENT, (),
            [("certificate", "a.p12", b"x" * 1000001)])
    refused("a parameter's file does not count as the document",
            "too_few_files", "file", (), (), [CERTIFICATE])
    refused("a file for a parameter that is a text is refused", "unknown_field",
            "certificatePassword", DOCUMENT, (), [("certificatePassword", "a.txt", b"pw")])
    refused("a file for an unknown parameter is refused", "unknown_field", "key", DOCUMENT, (),
            [("key", "a.p12", b"pw")])
    same("refused requests are not counted",
         server.request("GET", "/api/v1/usage", key).json, before)
    same("refused requests leave no file", server.blobs(),
         [name for name in server.blobs() if ".out." in name])
    same("a parameter's file of exactly its limit is accepted", server.submit(
        "witness", DOCUMENT, key, attachments=[("certificate", "a", b"x" * 1000000)]).status, 202)


def check_idempotency(server):
    key = server.key()

    def submit(*attachments):
        return server.submit("witness", DOCUMENT, key, headers={"Idempotency-Key": "k"},
                             attachments=attachments)

    first = submit(CERTIFICATE)
    same("a repeated Idempotency-Key with the same parameter's file is a replay",
         submit(CERTIFICATE).json, first.json)
    same("a repeated Idempotency-Key with another name of the parameter's file is a replay",
         submit(("certificate", "other", SECRET)).json, first.json)
    same("a repeated Idempotency-Key with another parameter's file is a conflict",
         submit(("certificate", "my own name.p12", SECRET + b"!")).error, "idempotency_conflict")
    same("a repeated Idempotency-Key without the parameter's file is a conflict",
         submit().error, "idempotency_conflict")


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
    same("the parameter's file may be an earlier result", text(server, job),
         ["documents 1", f"certificate {digest} -"])
    same("the bytes of an earlier result as the parameter's file are not counted",
         used() - before, len(DOCUMENT[0][1]))
    job = server.run("witness", DOCUMENT, key, {"certificate": earlier + "/1"})
    same("the parameter's file may be one output of an earlier job",
         text(server, job)[1:], [f"certificate {digest} -"])
    job = server.run("pipeline", DOCUMENT, key, {"steps": steps, "mine": earlier})
    same("a pipeline step's file may be an earlier result",
         text(server, job)[1:], [f"certificate {digest} -"])

    def refusal(what, want, fields, who=key, tool="witness"):
        answer = server.submit(tool, DOCUMENT, who, fields)
        same(what, (answer.status, answer.error, answer.json.get("field")), want)
    refusal("a parameter's file that is another account's result is answered job_not_found", (404, "job_not_found", "certificate"),
            {"certificate": earlier}, stranger)
    refusal("a step's file that is another account's result is answered job_not_found", (404, "job_not_found", "mine"), {"steps": steps, "mine": earlier},
            stranger, "pipeline")
    refusal("a parameter's file with a malformed reference is refused", (400, "invalid_parameter", "certificate"),
            {"certificate": "job:x"})
    refusal("a parameter's file that is an output which the job does not have is refused", (404, "not_found", "certificate"),
            {"certificate": earlier + "/7"})
    refusal("a parameter's file referenced twice is refused", (400, "invalid_parameter", "certificate"),
            [("certificate", earlier)] * 2)
    refusal("a reference in a field that no step names is refused", (400, "unknown_field", "other"),
            {"steps": '[{"tool":"witness"}]', "other": earlier}, tool="pipeline")
    refusal("a reference in an unknown field is refused", (400, "unknown_field", "other"),
            {"other": earlier})
    once = {"headers": {"Idempotency-Key": "earlier"}}
    first = server.submit("witness", DOCUMENT, key, {"certificate": earlier}, **once)
    server.wait(first.json["jobId"], key)
    server.request("DELETE", f"/api/v1/jobs/{made['jobId']}", key)
    again = server.submit("witness", DOCUMENT, key, {"certificate": earlier}, **once)
    same("a replay is answered although the referenced job was deleted", (again.status, again.json),
         (202, first.json))
    refusal("a parameter's file that is the result of a deleted job is answered job_not_found", (404, "job_not_found", "certificate"),
            {"certificate": earlier})
    ok("no input file is left", until(lambda: not [b for b in server.blobs() if ".in." in b]),
       server.blobs())


def check_durability():
    """202 is a promise for this file too."""
    server = Server("--programs", PROGRAMS)
    key = server.key()
    jobs = [server.submit("witness", DOCUMENT, key, {"certificatePassword": str(i)},
                          attachments=[CERTIFICATE]).json["jobId"] for i in range(20)]
    server.kill()
    server.start()
    same("after kill -9 every job still has its parameter's file",
         [text(server, server.wait(job, key).json) for job in jobs],
         [["documents 1", f"certificate {DIGEST} {i}"] for i in range(20)])
    server.close()


def check_documents(server):
    schema = server.request("GET", "/openapi.json").json["paths"]["/api/v1/tools/pdf/witness"][
        "post"]["requestBody"]["content"]["multipart/form-data"]["schema"]
    shown = schema["properties"]["certificate"]
    same("openapi.json describes the parameter as a file or the reference to an earlier result",
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
        same("platen run accepts the parameter's file as a path", answer.returncode, 0)
        with open(os.path.join(folder, "out.pdf")) as out:
            same("platen run passes the parameter's file to the tool", out.read().splitlines()[1:],
                 ["documents 1", f"certificate {DIGEST} -"])
        for what, path in (("a missing file", folder + "/none"), ("an empty file", put("e", b"")),
                           ("a folder", folder), ("a large one", put("l", b"x" * 1000001))):
            answer = run("--certificate", path)
            ok(f"platen run: {what} is refused with status 2",
               answer.returncode == 2 and answer.stderr, answer)
        same("platen run: the parameter's file given twice is refused with status 2",
             run("--certificate", certificate, "--certificate",
                                 certificate).returncode, 2)
        ok("platen tools shows the size limit of the parameter's file",
           "1000000 bytes" in subprocess.run(
            [PLATEN, "tools", "witness", "--programs", PROGRAMS], capture_output=True,
            text=True).stdout)
        same("platen run leaves no temporary file", glob.glob(folder + "/*.tmp"), [])


def main():
    server = Server("--programs", PROGRAMS)
    key = server.key()
    check_arrival(server, key)
    check_refusals(server, key)
    check_idempotency(server)
    check_earlier_results(server)
    check_documents(server)
    same("the server stops cleanly after SIGTERM", server.close(), 0)
    check_durability()
    check_run()
    done()


main()
