"""Signatures over REST: a client's certificate, the server's seal, and a time stamp.

Run as: sign.py PLATEN."""

import json
import os
import struct
import subprocess
import tempfile
import zlib

from authority import Authority
from platen import Server, done, ok, pdf, same, without_office

without_office()

folder = tempfile.mkdtemp(prefix="platen-sign-e2e-")
DOCUMENT = [("contract.pdf", pdf(2))]


def certificate():
    """A PKCS #12 file whose password is "secret"."""
    for words in (
            ["req", "-x509", "-nodes", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256",
             "-keyout", "key.pem", "-out", "certificate.pem", "-subj", "/CN=A client", "-days", "9",
             "-addext", "keyUsage=digitalSignature"],
            ["pkcs12", "-export", "-inkey", "key.pem", "-in", "certificate.pem", "-out",
             "client.p12", "-passout", "pass:secret"]):
        subprocess.run(["openssl", *words], cwd=folder, capture_output=True, check=True)
    with open(folder + "/client.p12", "rb") as file:
        return "certificate", "client.p12", file.read()


def judged(server, job):
    """What pdfsig says of a job's result: (the signer, what it covers and whether it holds)."""
    data = server.download(job["downloadUrl"]).body
    path = os.path.join(folder, "signed.pdf")
    with open(path, "wb") as file:
        file.write(data)
    ok("the signed file begins with every byte of the document", data.startswith(DOCUMENT[0][1]))
    said = subprocess.run(["pdfsig", "-nocert", path], capture_output=True, text=True).stdout
    return (said.split("Common Name: ")[1].split("\n")[0],
            "Total document signed" in said and "Signature is Valid" in said)


def codes(job):
    return [warning["code"] for warning in job["warnings"]]


def check_certificate(server, key):
    job = server.run("sign", DOCUMENT, key,
                     {"signerName": "A Client", "certificatePassword": "secret"},
                     attachments=[certificate()])
    same("a client's certificate signs the document", judged(server, job), ("A client", True))
    same("signing with a client's certificate gives no warning", codes(job), [])
    same("the result has as many pages as the document", job["outputs"][0]["pages"], 2)
    same("the result is named STEM-sign", job["outputFile"], "contract-sign.pdf")
    job = server.run("sign", DOCUMENT, key,
                     {"signerName": "A Client", "certificatePassword": "other"},
                     attachments=[certificate()])
    same("a wrong certificatePassword fails the job with wrong_password",
         job["error"], "wrong_password")
    same("the failed job names the field certificatePassword", job["field"], "certificatePassword")
    ok("the certificate's password is not in the log", "secret" not in server.logs())


def check_seal(server, key):
    job = server.run("sign", DOCUMENT, key, {"signerName": "The Server", "level": "B-T"})
    same("without a certificate the server's seal signs",
         judged(server, job), ("Platen server seal", True))
    same("signing with the server's seal warns self_signed_seal", codes(job), ["self_signed_seal"])


def picture():
    """A PNG file of 2 by 1 pixels."""
    def chunk(kind, data):
        return (struct.pack(">I", len(data)) + kind + data +
                struct.pack(">I", zlib.crc32(kind + data)))
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", 2, 1, 8, 0, 0, 0, 0)) +
            chunk(b"IDAT", zlib.compress(b"\0\0\0")) + chunk(b"IEND", b""))


def check_marks(server, key):
    marks = [{"type": "image", "page": 1, "x": 20, "y": 20, "width": 60},
             {"type": "initials", "page": 2, "x": 20, "y": 20, "width": 30},
             {"type": "text", "page": 2, "x": 20, "y": 60, "width": 60, "text": "1 May 2026"}]
    pictures = [("image", "ink.png", picture()), ("initials", "initials.png", picture())]
    job = server.run("sign", DOCUMENT, key, {"seal": "false", "placements": json.dumps(marks)},
                     attachments=pictures)
    same("marks are put on pages without a signature", job["status"], "completed")
    same("marks alone give no warning", codes(job), [])
    data = server.download(job["downloadUrl"]).body
    ok("the marked file begins with every byte of the document", data.startswith(DOCUMENT[0][1]))
    ok("the marked file has no signature", b"/ByteRange" not in data)
    steps = [{"tool": "sign", "params": {"seal": False, "image": "image", "placements":
                                         json.dumps(marks[:1])}}, {"tool": "compress"}]
    job = server.run("pipeline", DOCUMENT, key, {"steps": json.dumps(steps)},
                     attachments=pictures[:1])
    same("a step of a pipeline puts marks on pages", job["status"], "completed")
    answer = server.submit("sign", DOCUMENT, key, {"seal": "false", "placements": "[{}]"})
    same("a mark that is wrong is refused when it is sent", (answer.status, answer.json["field"]),
         (400, "placements[0].type"))
    answer = server.submit("sign", DOCUMENT, key, {})
    same("a signature needs signerName", (answer.status, answer.json["error"],
                                          answer.json["field"]),
         (400, "missing_field", "signerName"))


authority = Authority()
server = Server("--timestamp-url", authority.url + "/good")
client = server.key()
check_certificate(server, client)
check_seal(server, client)
check_marks(server, client)
same("the time stamp authority got one request", len(authority.seen), 1)
server.close()
authority.close()
done()
