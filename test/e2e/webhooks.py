"""Webhooks: receivers that are well, failing, slow, gone; signatures; retries over restarts."""

import base64
import hashlib
import hmac
import json
import os
import signal
import socket
import ssl
import subprocess
import tempfile
import time

from platen import DEADLINE, PLATEN, Server, done, ok, pdf, same, until, without_office
from receiver import Receiver, again, deliveries, ends, never, submit

without_office()

BROKEN = b"%PDF-1.4\nnothing else\n"


def endless(handler):
    handler.send_response(200)
    handler.end_headers()
    try:
        while True:
            handler.wfile.write(b"x" * 65536)
    except OSError:
        pass


def is_signed(secret, headers, body, at=0):
    """By the rules of Standard Webhooks, read anew here."""
    key = base64.b64decode(secret.removeprefix("whsec_"))
    signed = f"{headers['webhook-id']}.{headers['webhook-timestamp']}.".encode() + body
    right = "v1," + base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()).decode()
    given = headers["webhook-signature"].split(" ")
    return len(given) > at and hmac.compare_digest(given[at], right)


def webhook(server, *words):
    made = subprocess.run([PLATEN, "webhook", *words, "--data", os.path.join(server.data, "d")],
                          capture_output=True, text=True, timeout=DEADLINE)
    return made.stdout.strip().splitlines()[-1] if made.returncode == 0 else made


def test_told(server, key, secret):
    receiver = Receiver()
    job = submit(server, key, receiver.url("/hook?a=b"), clientRef="order 7 \u00e4")
    ok("the end of a job is told", receiver.wait())
    path, headers, body = receiver.calls[0]
    shown = server.wait(job, key)
    same("at the address that was given", path, "/hook?a=b")
    same("the body is the job as GET gives it", json.loads(body), shown.json)
    same("with its client's name for it", shown.json["clientRef"], "order 7 \u00e4")
    same("the download address is whole", server.download(json.loads(body)["downloadUrl"]).status,
         200)
    same("the event is named", headers["Platen-Event"], "job.completed")
    same("it is JSON", headers["Content-Type"], "application/json")
    ok("it is signed with the account's secret", is_signed(secret, headers, body))
    ok("and no other would do", not is_signed("whsec_" + "A" * 43 + "=", headers, body))
    ok("just now", abs(int(headers["webhook-timestamp"]) - time.time()) < 30)
    seen = ends(server, key, job, "delivered")
    same("the delivery is listed", {k: seen.get(k) for k in ("deliveryId", "event", "url",
                                                           "attempts", "responseStatus",
                                                           "responseExcerpt")},
         {"deliveryId": headers["webhook-id"], "event": "job.completed",
          "url": receiver.url("/hook?a=b"), "attempts": 1, "responseStatus": 200,
          "responseExcerpt": "thanks"})
    ok("and waits for nothing more", "nextAttemptAt" not in seen and "message" not in seen)
    answer = again(server, key, job, seen["deliveryId"])
    same("it can be had again", (answer.status, answer.json["status"]), (202, "pending"))
    ok("and is sent again", receiver.wait(2))
    same("under the same id", receiver.calls[1][1]["webhook-id"], headers["webhook-id"])
    same("with the same body", receiver.calls[1][2], body)
    until(lambda: deliveries(server, key, job)[0]["attempts"] == 2)
    same("which is counted", deliveries(server, key, job)[0]["attempts"], 2)
    same("an unknown delivery is not found", again(server, key, job, "x").error, "not_found")
    stranger = server.key()
    same("another key's job has none", again(server, stranger, job, seen["deliveryId"]).error,
         "job_not_found")
    same("and shows none", server.request("GET", f"/api/v1/jobs/{job}/deliveries", stranger).error,
         "job_not_found")
    named = server.request("GET", "/api/v1/jobs?clientRef=order%207%20%C3%A4", key).json["jobs"]
    same("jobs are listed by their client's name", [j["jobId"] for j in named], [job])
    same("and only those", server.request("GET", "/api/v1/jobs?clientRef=order", key).json["jobs"],
         [])
    failed = submit(server, key, receiver.url("/failed"), BROKEN)
    ok("the failure of a job is told too", receiver.wait(3))
    path, headers, body = receiver.calls[2]
    same("as what it is", (headers["Platen-Event"], json.loads(body)["error"]),
         ("job.failed", "corrupt_file"))
    same("the same as GET gives it", json.loads(body), server.wait(failed, key).json)
    page = server.request("GET", "/api/v1/deliveries", key).json
    same("all deliveries of an account are listed, the newest first", [d["jobId"] for d in page["deliveries"]], [failed, job])
    same("and no more pages than there are", page["nextCursor"], None)
    first = server.request("GET", "/api/v1/deliveries?limit=1", key).json
    rest = server.request("GET", f"/api/v1/deliveries?limit=1&cursor={first['nextCursor']}", key).json
    same("page by page", [d["jobId"] for d in first["deliveries"] + rest["deliveries"]], [failed, job])
    ends(server, key, failed, "delivered")
    same("by status", [len(server.request("GET", f"/api/v1/deliveries?status={s}", key).json["deliveries"])
                       for s in ("delivered", "failed", "pending")], [2, 0, 0])
    same("another account sees none of them", server.request("GET", "/api/v1/deliveries", stranger).json["deliveries"], [])
    same("nobody sees any without a key", server.request("GET", "/api/v1/deliveries").error, "missing_api_key")
    for wrong in ("status=sent", "limit=0", "limit=101", "cursor=x", "state=failed"):
        same(f"{wrong} is refused", server.request("GET", f"/api/v1/deliveries?{wrong}", key).status, 400)
    same("a job without a callback has no deliveries", deliveries(
        server, key, server.run("rotate", [("a.pdf", pdf())], key, {"degrees": "90"})["jobId"]),
        [])
    server.request("DELETE", f"/api/v1/jobs/{job}", key)
    same("a deleted job has none any more",
         server.request("GET", f"/api/v1/jobs/{job}/deliveries", key).error, "job_not_found")
    receiver.close()


def test_trouble(server, key, secret):
    receiver = Receiver(500, 503)
    job = submit(server, key, receiver.url())
    ok("what fails is tried again", receiver.wait(3))
    same("until it is taken", ends(server, key, job, "delivered").get("attempts"), 3)
    same("under one id", len({c[1]["webhook-id"] for c in receiver.calls}), 1)
    ok("each signed for itself", all(is_signed(secret, h, b) for _, h, b in receiver.calls))
    receiver.script[:] = [410]
    seen = ends(server, key, submit(server, key, receiver.url("/gone")), "failed")
    same("410 is the end", (seen["attempts"], seen["responseStatus"]), (1, 410))
    ok("and says so", "410" in seen["message"])
    receiver.script[:] = [302, 302, 307]
    seen = ends(server, key, submit(server, key, receiver.url("/moved")), "delivered")
    same("a redirect is a failure like others", seen["attempts"], 4)
    ok("and is not followed", all(c[0] != "/elsewhere" for c in receiver.calls))
    receiver.script[:] = [endless]
    seen = ends(server, key, submit(server, key, receiver.url("/endless")), "delivered")
    same("an endless answer does no harm", (seen["attempts"], len(seen["responseExcerpt"])),
         (1, 200))
    receiver.close()
    silent = socket.create_server(("127.0.0.1", 0), backlog=64)  # takes calls, never answers
    url = f"http://127.0.0.1:{silent.getsockname()[1]}/"
    stuck = [submit(server, key, url) for _ in range(40)]
    well = Receiver()
    seen = ends(server, key, submit(server, key, well.url()), "delivered")
    same("a host that does not answer holds up no other", seen["attempts"], 1)
    ok("it is left after a time",
       until(lambda: any("in time" in d.get("message", "")
                         for d in deliveries(server, key, stuck[0]))))
    same("while its deliveries wait", {deliveries(server, key, j)[0]["status"] for j in stuck},
         {"pending"})
    silent.close()
    text = server.request("GET", "/metrics").body.decode()
    ok("figures are kept", all(f'platen_webhook_attempts_total{{result="{r}"}}' in text
                              for r in ("delivered", "rejected", "gone", "redirected", "timeout")),
       [line for line in text.splitlines() if "webhook" in line])
    well.close()


def webhook_program_of(server):
    tasks = f"/proc/{server.process.pid}/task"  # a thread's child is the thread's
    for task in os.listdir(tasks):
        with open(f"{tasks}/{task}/children") as children:
            for pid in children.read().split():
                with open(f"/proc/{pid}/comm") as comm:
                    if comm.read().startswith("platen-webhook"):
                        return int(pid)
    return None


def test_crashes(server, key):
    hanging = Receiver(never, never)
    job = submit(server, key, hanging.url())
    hanging.wait()
    os.kill(webhook_program_of(server), signal.SIGKILL)
    ok("a platen-webhook that dies is replaced", hanging.wait(2))
    ok("and its attempt counts as failed", until(
        lambda: deliveries(server, key, job)[0]["attempts"] >= 1))
    server.kill()  # while the second attempt is under way
    server.start()
    same("after kill -9 what was being sent is sent", ends(server, key, job, "delivered")["status"],
         "delivered")
    hanging.close()
    port = hanging.port  # nobody listens there any more
    job = submit(server, key, f"http://127.0.0.1:{port}/later")
    server.wait(job, key)
    server.kill()
    receiver = Receiver(port=port)
    server.start()
    ok("after kill -9 what ended is told", receiver.wait())
    same("of the right job", json.loads(receiver.calls[0][2])["jobId"], job)
    ends(server, key, job, "delivered")
    same("an orderly stop ends", server.stop(), 0)
    server.start()
    same("and sends nothing twice", (len(receiver.calls),
                                     deliveries(server, key, job)[0]["status"]), (1, "delivered"))
    receiver.close()


def test_rotation(server, key, secret):
    prefix = key[:11]
    new = webhook(server, "rotate", prefix)
    ok("a secret can be replaced", new.startswith("whsec_") and new != secret)
    same("and is shown", webhook(server, "show", prefix), new)
    receiver = Receiver()
    submit(server, key, receiver.url())
    receiver.wait()
    _, headers, body = receiver.calls[0]
    ok("for a time there are two signatures", is_signed(new, headers, body, 0) and
       is_signed(secret, headers, body, 1), headers["webhook-signature"])
    same("a wrong prefix is refused", webhook(server, "show", "pk_nothing").returncode, 2)
    other = webhook(server, "show", server.key()[:11])
    ok("another account has another secret", other not in (new, secret))
    receiver.close()


def test_nothing_left(server, key):
    mark = "MARK" + os.urandom(8).hex()

    def say(handler):
        handler.send_response(410)
        handler.end_headers()
        handler.wfile.write(mark.encode())

    def files_with_mark():
        return [name for folder, _, names in os.walk(server.data) for name in names
                if mark.encode() in open(os.path.join(folder, name), "rb").read()]

    receiver = Receiver(say)
    job = submit(server, key, receiver.url("/" + mark), clientRef=mark)
    ends(server, key, job, "failed")
    ok("what a client calls things is kept", files_with_mark())
    server.request("DELETE", f"/api/v1/jobs/{job}", key)
    same("it stops as it should", server.stop(), 0)
    same("of a deleted job nothing is left", files_with_mark(), [])
    server.close()
    receiver.close()


def test_refusals():
    server = Server()
    key = server.key()
    for url in ("http://example.com/", "https://127.0.0.1/", "https://localhost:8443/",
                "https://[::ffff:169.254.169.254]/", "https://u:p@example.com/", "ftp://a.b/",
                "https://example.com:22/", "https://0x7f.1/", "nonsense"):
        answer = submit(server, key, url)
        same(f"{url} is refused", (answer.status, answer.error, answer.json["field"]),
             (400, "invalid_parameter", "callbackUrl"))
    usage = server.request("GET", "/api/v1/usage", key).json
    same("for nothing", usage["requests"]["used"], 0)
    fields = {"degrees": "90"}
    same("a name of 201 characters is too long",
         server.submit("rotate", [("a.pdf", pdf())], key, {**fields, "clientRef": "x" * 201}).error,
         "invalid_parameter")
    for name in ("a\r\nb", "a\nb", "a\tb", "a\u2028b", "a\u2029b"):
        same(f"a name is one line: {name!r}", server.submit(
            "rotate", [("a.pdf", pdf())], key, {**fields, "clientRef": name}).error,
            "invalid_parameter")
    same("two names are one too many",
         server.submit("rotate", [("a.pdf", pdf())], key,
                       [*fields.items(), ("clientRef", "a"), ("clientRef", "b")]).error,
         "invalid_parameter")
    once = {"Idempotency-Key": "k"}
    submitted = [server.submit("rotate", [("a.pdf", pdf())], key, {**fields, "clientRef": name},
                               headers=once) for name in ("a", "a", "b")]
    same("they are part of what makes a request the same",
         [a.json.get("jobId", a.error) for a in submitted],
         [submitted[0].json["jobId"]] * 2 + ["idempotency_conflict"])
    same("it stops as it should", server.close(), 0)


def test_names():
    """A name that stands for an address of this machine: taken when submitted, judged when called.
    """
    name = socket.gethostname()
    try:
        inside = socket.gethostbyname(name)
    except OSError:
        name, inside = "localhost", "127.0.0.1"
    listener = socket.create_server(("", 0))
    server = Server("--callback-http", "true", "--callback-backoff", "1h")
    key = server.key()
    job = submit(server, key, f"http://{name}:{listener.getsockname()[1]}/")
    if name == "localhost":
        same("a name of this machine is refused", job.status, 400)
    else:
        until(lambda: deliveries(server, key, job) and
              deliveries(server, key, job)[0]["attempts"] == 1)
        seen = deliveries(server, key, job)[0]
        same(f"a name of {inside} is not called", (seen["status"], "responseStatus" in seen),
             ("pending", False))
        ok("and nothing is said of its address", "may not reach" in seen["message"] and
           inside not in json.dumps(seen), seen)
    listener.settimeout(0)
    try:
        listener.accept()
        ok("nobody came", False)
    except BlockingIOError:
        ok("nobody came", True)
    listener.close()
    server.close()


def test_tls():
    with tempfile.TemporaryDirectory() as folder:
        pem, key_file = f"{folder}/cert.pem", f"{folder}/key.pem"
        subprocess.run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt",
                        "ec_paramgen_curve:P-256", "-nodes", "-keyout", key_file, "-out", pem,
                        "-days", "2", "-subj", "/CN=test", "-addext",
                        "subjectAltName=IP:127.0.0.1"], check=True, capture_output=True)
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(pem, key_file)
        receiver = Receiver(context=context)
        options = ("--callback-allow", "127.0.0.1", "--callback-backoff", "1h")
        server = Server(*options)
        key = server.key()
        job = submit(server, key, receiver.url(scheme="https"))
        until(lambda: (deliveries(server, key, job) or [{"attempts": 0}])[0]["attempts"] == 1)
        seen = deliveries(server, key, job)[0]
        ok("a certificate nobody vouches for is not trusted", "certificate" in seen["message"], seen)
        server.close()
        server = Server(*options, "--callback-ca", pem)
        key = server.key()
        job = submit(server, key, receiver.url(scheme="https"))
        same("with its authority it is", ends(server, key, job, "delivered").get("responseStatus"),
             200)
        server.close()
        receiver.close()


def main():
    # Nothing listens at the proxy: who asked it would get nowhere.
    server = Server("--callback-http", "true", "--callback-allow", "127.0.0.1",
                    "--callback-backoff", "40ms", "--callback-timeout", "4s",
                    env={"http_proxy": "http://127.0.0.1:9", "HTTP_PROXY": "http://127.0.0.1:9"})
    key = server.key()
    secret = webhook(server, "show", key[:11])
    ok("a secret is shown", secret.startswith("whsec_"), secret)
    same("the same each time", webhook(server, "show", key[:11]), secret)
    test_told(server, key, secret)
    test_trouble(server, key, secret)
    test_crashes(server, key)
    test_rotation(server, key, secret)
    test_nothing_left(server, key)
    test_refusals()
    test_names()
    test_tls()


main()
done()
