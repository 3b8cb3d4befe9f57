"""The server's own seal, and an operator's: made once, readable by nobody else, verified by openssl.

Run as: seal.py PLATEN WITNESS."""

import os
import stat
import subprocess
import tempfile

from platen import PLATEN, Server, done, ok, pdf, same
from witness import DOCUMENT, programs, told, told_by

PROGRAMS = programs()
folder = tempfile.mkdtemp(prefix="platen-seal-e2e-")


def put(name, data):
    path = os.path.join(folder, name)
    with open(path, "wb") as file:
        file.write(data)
    return path


def openssl(*words):
    return subprocess.run(["openssl", *words], cwd=folder, capture_output=True, text=True)


def fits(said):
    """Whether openssl finds the signature of nothing right, by the chain's first certificate."""
    public = openssl("x509", "-inform", "der", "-in", put("chain", said["chain"]), "-noout",
                     "-pubkey")
    put("public", public.stdout.encode())
    put("nothing", b"")
    put("signature", said["signature"])
    return openssl("dgst", "-sha256", "-verify", "public", "-signature", "signature",
                   "nothing").stdout.strip() == "Verified OK"


def subject(said):
    return openssl("x509", "-inform", "der", "-in", put("chain", said["chain"]), "-noout",
                   "-subject", "-nameopt", "multiline").stdout.split("=")[-1].strip()


def check_own():
    server = Server("--programs", PROGRAMS)
    key = server.key()
    path = os.path.join(server.data, "d", "seal.pem")
    server.run("witness", DOCUMENT, key)
    ok("a server that has sealed nothing has made no seal", not os.path.exists(path))
    jobs = [server.submit("witness", DOCUMENT, key, {"seal": "true"}).json["jobId"]
            for _ in range(8)]
    said = [told_by(server, server.wait(job, key).json) for job in jobs]
    ok("a signature by the server's seal is valid", fits(said[0]), said[0])
    same("the seal's certificate has the name of the setting seal_name",
         subject(said[0]), "Platen server seal")
    same("concurrent jobs are sealed with the same certificate", len({s["chain"] for s in said}), 1)
    ok("concurrent jobs have distinct valid signatures",
       len({s["signature"] for s in said}) == 8 and
       all(fits(s) for s in said))
    mode = os.stat(path)
    same("the seal's file has mode 0600", stat.S_IMODE(mode.st_mode), 0o600)
    with open(path, "rb") as file:
        kept = file.read()
    ok("the seal's private key is not in the log", "PRIVATE" not in server.logs())
    server.kill()
    server.start()
    same("the seal is the same after kill -9",
         told_by(server, server.run("witness", DOCUMENT, key, {"seal": "true"}))["chain"],
         said[0]["chain"])
    put("damaged", b"")
    with open(path, "wb") as file:
        file.write(kept[:100])
    job = server.run("witness", DOCUMENT, key, {"seal": "true"})
    ok("a damaged seal fails the job with internal_error",
       job.get("error") == "internal_error" and "seal.pem" not in job["message"], job)
    ok("a damaged seal is reported in the log", "seal.pem" in server.logs())
    with open(path, "rb") as file:
        same("a damaged seal is not replaced", file.read(), kept[:100])
    same("the server stops cleanly after SIGTERM", server.close(), 0)


def make_operators():
    for words in (("req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes",
                   "-keyout", "root.key", "-out", "root.crt", "-subj", "/CN=Root", "-days", "9"),
                  ("req", "-new", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes",
                   "-keyout", "leaf.key", "-out", "leaf.csr", "-subj", "/CN=Acme GmbH"),
                  ("x509", "-req", "-in", "leaf.csr", "-CA", "root.crt", "-CAkey", "root.key",
                   "-CAcreateserial", "-out", "leaf.crt", "-days", "9"),
                  ("pkcs12", "-export", "-in", "leaf.crt", "-inkey", "leaf.key", "-certfile",
                   "root.crt", "-passout", "pass:hush hush", "-out", "seal.p12")):
        made = openssl(*words)
        if made.returncode:
            raise RuntimeError(made.stderr)


def check_operators():
    make_operators()
    server = Server("--programs", PROGRAMS, "--seal-certificate", folder + "/seal.p12",
                    env={"PLATEN_SEAL_PASSWORD": "hush hush"})
    key = server.key()
    said = told_by(server, server.run("witness", DOCUMENT, key, {"seal": "true"}))
    ok("an operator's seal signs", fits(said), said)
    same("the operator's certificate is used", subject(said), "Acme GmbH")
    with open(folder + "/leaf.crt", "rb") as leaf, open(folder + "/root.crt", "rb") as root:
        chain = b"".join(subprocess.run(["openssl", "x509", "-outform", "der"], input=pem,
                                        capture_output=True).stdout
                         for pem in (leaf.read(), root.read()))
    same("the signature has the operator's certificate chain", said["chain"], chain)
    ok("the server makes no seal of its own if the operator has one",
       not os.path.exists(server.data + "/d/seal.pem"))
    server.close()
    for what, setting in (("a wrong password", {"PLATEN_SEAL_PASSWORD": "no"}),
                          ("a missing file", {"PLATEN_SEAL_CERTIFICATE": "/nonexistent"})):
        data = tempfile.mkdtemp(dir=folder)
        answer = subprocess.run([PLATEN, "serve", "--data", data, "--listen", "127.0.0.1:0",
                                 "--programs", PROGRAMS], capture_output=True, text=True,
                                timeout=60, env={**os.environ, "PLATEN_SEAL_CERTIFICATE":
                                                 folder + "/seal.p12", **setting})
        ok(f"the start fails with {what}", answer.returncode == 1 and "platen: the seal" in
           answer.stderr, answer)


def check_run():
    def run(*words, env=None):
        return subprocess.run([PLATEN, "run", "witness", put("a.pdf", pdf()), "--programs", PROGRAMS,
                               "-o", folder + "/out.pdf", *words], capture_output=True, text=True,
                              timeout=60, cwd=folder, env={
                                  **os.environ, "XDG_DATA_HOME": folder + "/share", **(env or {})})

    def said():
        with open(folder + "/out.pdf", "rb") as out:
            return told(out.read())

    run()
    ok("platen run without the seal makes no seal", not os.path.exists(folder + "/data") and
       not os.path.exists(folder + "/share/platen"))
    same("platen run with the seal has status 0", run("--seal", "true").returncode, 0)
    first = said()
    ok("platen run uses the user's own seal without a data folder",
       fits(first) and os.path.exists(folder + "/share/platen/seal.pem") and
       not os.path.exists(folder + "/data"))
    run("--seal", "true")
    same("platen run uses the user's seal again", said()["chain"], first["chain"])
    run("--seal", "true", "--data", folder + "/other", "--seal-name", "Другой")
    ok("platen run --data uses the seal of that data folder",
       fits(said()) and said()["chain"] != first["chain"])
    refused = run("--seal", "true", "--data", "/proc/none")
    ok("platen run reports a folder for the seal that cannot be made", refused.returncode == 1 and
       "/proc/none" in refused.stderr, refused)
    refused = run("--seal", "true", "--data", folder + "/third", "--seal-name", "x" * 65)
    ok("platen run reports a seal_name that is too long",
       refused.returncode == 1 and "seal_name" in refused.stderr, refused)


def check_missing():
    """Without the program nothing is sealed, all else works."""
    os.unlink(PROGRAMS + "/platen-signer")
    server = Server("--programs", PROGRAMS)
    key = server.key()
    ok("a missing platen-signer is reported at the start",
       "program=platen-signer" in server.logs(), server.logs())
    same("a job with a seal fails without platen-signer", server.run(
        "witness", DOCUMENT, key, {"seal": "true"}).get("error"), "internal_error")
    same("a job without a seal is completed without platen-signer",
         server.run("witness", DOCUMENT, key)["status"], "completed")
    server.close()


check_own()
check_operators()
check_run()
check_missing()
subprocess.run(["rm", "-rf", folder], check=True)
done()
