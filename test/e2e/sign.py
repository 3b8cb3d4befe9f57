"""Signatures over REST: a client's certificate, the server's seal, and a time stamp.

Run as: sign.py PLATEN."""

import os
import subprocess
import tempfile

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


authority = Authority()
server = Server("--timestamp-url", authority.url + "/good")
client = server.key()
check_certificate(server, client)
check_seal(server, client)
same("the time stamp authority got one request", len(authority.seen), 1)
server.close()
authority.close()
done()
