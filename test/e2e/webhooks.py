"""Webhooks: receivers that work, fail, are slow or gone; signatures; retries over restarts."""

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
    ok("a webhook is sent when a job ends", receiver.wait())
    path, headers, body = receiver.calls[0]
    shown = server.wait(job, key)
    same("the webhook goes to the path and query of callbackUrl", path, "/hook?a=b")
    same("the webhook's body is what GET of the job answers", json.loads(body), shown.json)
    same("the webhook's body has the job's clientRef", shown.json["clientRef"], "order 7 \u00e4")
    same("the downloadUrl in the webhook's body works",
         server.download(json.loads(body)["downloadUrl"]).status,
         200)
    same("the header Platen-Event names the event", headers["Platen-Event"], "job.completed")
    same("the webhook's Content-Type is application/json",
         headers["Content-Type"], "application/json")
    ok("the webhook is signed with the account's secret", is_signed(secret, headers, body))
    ok("the webhook's signature does not match another secret",
       not is_signed("whsec_" + "A" * 43 + "=", headers, body))
    ok("the webhook's timestamp is the current time",
       abs(int(headers["webhook-timestamp"]) - time.time()) < 30)
    seen = ends(server, key, job, "delivered")
    same("the delivery is listed as delivered",
         {k: seen.get(k) for k in ("deliveryId", "event", "url",
                                                           "attempts", "responseStatus",
                                                           "responseExcerpt")},
         {"deliveryId": headers["webhook-id"], "event": "job.completed",
          "url": receiver.url("/hook?a=b"), "attempts": 1, "responseStatus": 200,
          "responseExcerpt": "thanks"})
    ok("a finished delivery has no nextAttemptAt and no message",
       "nextAttemptAt" not in seen and "message" not in seen)
    answer = again(server, key, job, seen["deliveryId"])
    same("a delivery can be repeated on request",
         (answer.status, answer.json["status"]), (202, "pending"))
    ok("the repeated delivery is sent", receiver.wait(2))
    same("the repeated delivery has the same webhook-id",
         receiver.calls[1][1]["webhook-id"], headers["webhook-id"])
    same("the repeated delivery has the same body", receiver.calls[1][2], body)
    until(lambda: deliveries(server, key, job)[0]["attempts"] == 2)
    same("the repeated delivery counts as an attempt",
         deliveries(server, key, job)[0]["attempts"], 2)
    same("repeating an unknown delivery is answered not_found",
         again(server, key, job, "x").error, "not_found")
    stranger = server.key()
    same("another account cannot repeat the delivery",
         again(server, stranger, job, seen["deliveryId"]).error,
         "job_not_found")
    same("another account cannot list the job's deliveries",
         server.request("GET", f"/api/v1/jobs/{job}/deliveries", stranger).error,
         "job_not_found")
    named = server.request("GET", "/api/v1/jobs?clientRef=order%207%20%C3%A4", key).json["jobs"]
    same("the list filtered by clientRef has the job", [j["jobId"] for j in named], [job])
    same("the list filtered by the beginning of a clientRef is empty",
         server.request("GET", "/api/v1/jobs?clientRef=order", key).json["jobs"],
         [])
    failed = submit(server, key, receiver.url("/failed"), BROKEN)
    ok("a webhook is sent when a job fails", receiver.wait(3))
    path, headers, body = receiver.calls[2]
    same("the webhook of a failed job has the event job.failed and the error code",
         (headers["Platen-Event"], json.loads(body)["error"]),
         ("job.failed", "corrupt_file"))
    same("the webhook's body of a failed job is what GET of the job answers",
         json.loads(body), server.wait(failed, key).json)
    page = server.request("GET", "/api/v1/deliveries", key).json
    same("the list of deliveries has the newest first",
         [d["jobId"] for d in page["deliveries"]], [failed, job])
    same("the last page of the list of deliveries has no nextCursor", page["nextCursor"], None)
    first = server.request("GET", "/api/v1/deliveries?limit=1", key).json
    rest = server.request("GET", f"/api/v1/deliveries?limit=1&cursor={first['nextCursor']}", key).json
    same("the list of deliveries continues at nextCursor",
         [d["jobId"] for d in first["deliveries"] + rest["deliveries"]], [failed, job])
    ends(server, key, failed, "delivered")
    same("the list of deliveries can be filtered by status",
         [len(server.request("GET", f"/api/v1/deliveries?status={s}", key).json["deliveries"])
                       for s in ("delivered", "failed", "pending")], [2, 0, 0])
    same("the list of deliveries of another account is empty",
         server.request("GET", "/api/v1/deliveries", stranger).json["deliveries"], [])
    same("the list of deliveries without a key is refused",
         server.request("GET", "/api/v1/deliveries").error, "missing_api_key")
    for wrong in ("status=sent", "limit=0", "limit=101", "cursor=x", "state=failed"):
        same(f"the list of deliveries with {wrong} is refused",
             server.request("GET", f"/api/v1/deliveries?{wrong}", key).status, 400)
    same("a job without callbackUrl has no deliveries", deliveries(
        server, key, server.run("rotate", [("a.pdf", pdf())], key, {"degrees": "90"})["jobId"]),
        [])
    server.request("DELETE", f"/api/v1/jobs/{job}", key)
    same("the deliveries of a deleted job are answered job_not_found",
         server.request("GET", f"/api/v1/jobs/{job}/deliveries", key).error, "job_not_found")
    receiver.close()


def test_trouble(server, key, secret):
    receiver = Receiver(500, 503)
    job = submit(server, key, receiver.url())
    ok("a delivery that failed is tried again", receiver.wait(3))
    same("a delivery is tried until it succeeds",
         ends(server, key, job, "delivered").get("attempts"), 3)
    same("all attempts of a delivery have the same webhook-id",
         len({c[1]["webhook-id"] for c in receiver.calls}), 1)
    ok("each attempt has its own valid signature",
       all(is_signed(secret, h, b) for _, h, b in receiver.calls))
    receiver.script[:] = [410]
    seen = ends(server, key, submit(server, key, receiver.url("/gone")), "failed")
    same("a delivery ends after an answer of 410",
         (seen["attempts"], seen["responseStatus"]), (1, 410))
    ok("the message of a delivery that ended by 410 says so", "410" in seen["message"])
    receiver.script[:] = [302, 302, 307]
    seen = ends(server, key, submit(server, key, receiver.url("/moved")), "delivered")
    same("a redirect counts as a failed attempt", seen["attempts"], 4)
    ok("a redirect is not followed", all(c[0] != "/elsewhere" for c in receiver.calls))
    receiver.script[:] = [endless]
    seen = ends(server, key, submit(server, key, receiver.url("/endless")), "delivered")
    same("of an endless answer only the first 200 bytes are kept",
         (seen["attempts"], len(seen["responseExcerpt"])),
         (1, 200))
    receiver.close()
    silent = socket.create_server(("", 0), backlog=256)  # takes calls, never answers
    url = f"http://127.0.0.1:{silent.getsockname()[1]}/"
    stuck = [submit(server, key, url) for _ in range(40)]
    well = Receiver()
    seen = ends(server, key, submit(server, key, well.url()), "delivered")
    same("a receiver that hangs does not delay deliveries to another host", seen["attempts"], 1)
    ok("an attempt at a receiver that hangs ends with a message about the time",
       until(lambda: any("in time" in d.get("message", "")
                         for d in deliveries(server, key, stuck[0]))))
    same("further deliveries to a receiver that hangs stay pending",
         {deliveries(server, key, j)[0]["status"] for j in stuck},
         {"pending"})
    check_shares(server, well, url)
    silent.close()
    text = server.request("GET", "/metrics").body.decode()
    ok("metrics count the attempts by result",
       all(f'platen_webhook_attempts_total{{result="{r}"}}' in text
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
    with open(f"/proc/{webhook_program_of(server)}/status") as file:
        status = dict(line.split(":\t", 1) for line in file.read().splitlines() if ":\t" in line)
    same("platen-webhook has no capabilities, and a filter of system calls",
         (int(status["CapEff"], 16), int(status["CapPrm"], 16), status["Seccomp"]), (0, 0, "2"))
    ok("platen-webhook is not root", status["Uid"].split()[0] != "0", status["Uid"])
    os.kill(webhook_program_of(server), signal.SIGKILL)
    ok("a killed platen-webhook is replaced, and the delivery sent again", hanging.wait(2))
    ok("an attempt during which platen-webhook was killed counts as failed", until(
        lambda: deliveries(server, key, job)[0]["attempts"] >= 1))
    server.kill()  # while the second attempt is under way
    server.start()
    same("a delivery in flight at kill -9 of the server is delivered after the restart",
         ends(server, key, job, "delivered")["status"],
         "delivered")
    hanging.close()
    port = hanging.port  # nobody listens there any more
    job = submit(server, key, f"http://127.0.0.1:{port}/later")
    server.wait(job, key)
    server.kill()
    receiver = Receiver(port=port)
    server.start()
    ok("a delivery pending at kill -9 is sent after the restart", receiver.wait())
    same("the delivery sent after the restart is of the right job",
         json.loads(receiver.calls[0][2])["jobId"], job)
    ends(server, key, job, "delivered")
    same("the server stops cleanly", server.stop(), 0)
    server.start()
    same("after an orderly stop and start no delivery is sent twice", (len(receiver.calls),
                                     deliveries(server, key, job)[0]["status"]), (1, "delivered"))
    receiver.close()


def test_rotation(server, key, secret):
    prefix = key[:11]
    new = webhook(server, "rotate", prefix)
    ok("platen webhook rotate makes a new secret", new.startswith("whsec_") and new != secret)
    same("platen webhook show prints the new secret", webhook(server, "show", prefix), new)
    receiver = Receiver()
    submit(server, key, receiver.url())
    receiver.wait()
    _, headers, body = receiver.calls[0]
    ok("after a rotation webhooks are signed with both secrets for a time",
       is_signed(new, headers, body, 0) and
       is_signed(secret, headers, body, 1), headers["webhook-signature"])
    same("platen webhook show of an unknown prefix has status 2",
         webhook(server, "show", "pk_nothing").returncode, 2)
    other = webhook(server, "show", server.key()[:11])
    ok("two accounts have different secrets", other not in (new, secret))
    receiver.close()


def test_by_customer(server, key):
    """The customer sees and replaces the secret."""
    path = "/api/v1/account/webhook-secret"
    shown = server.request("GET", path, key)
    same("a customer sees the secret that the operator sees", shown.json["secret"], webhook(server, "show", key[:11]))
    ok("no browser or proxy keeps it", shown.headers["Cache-Control"] == "no-store")
    rolled = server.request("POST", path + "/roll", key).json
    ok("a customer replaces the secret, and is told until when the old one is used", rolled["secret"] != shown.json["secret"] and
       all(old["validUntil"] > old["createdAt"] for old in rolled["replaced"]) and rolled["replaced"], rolled)
    receiver = Receiver()
    submit(server, key, receiver.url())
    receiver.wait()
    _, headers, body = receiver.calls[0]
    ok("then webhooks are signed with both", is_signed(rolled["secret"], headers, body, 0) and
       is_signed(shown.json["secret"], headers, body, 1), headers["webhook-signature"])
    receiver.close()
    answers = [server.request("POST", path + "/roll", key) for _ in range(8)]
    same("it cannot be replaced without end", (answers[-1].status, answers[-1].error), (400, "invalid_request"))
    fresh = server.key()
    one = server.request("GET", path, fresh).json
    same("an account without a secret gets one", (one["secret"], one["replaced"]), (webhook(server, "show", fresh[:11]), []))
    for body in ({"scope": "read"}, {"scope": "submit"}, {"tools": ["rotate"]}, {"addresses": ["127.0.0.0/8"]}):
        limited = server.request("POST", "/api/v1/account/keys", fresh, {"Content-Type": "application/json"},
                                 json.dumps({"name": "a", **body})).json["key"]
        same(f"a key with {body} neither sees nor replaces it", [server.request("GET", path, limited).error, server.request(
            "POST", path + "/roll", limited).error], ["outside_scope"] * 2)
    test = server.request("POST", "/api/v1/account/keys", fresh, {"Content-Type": "application/json"}, '{"name":"t","test":true}').json["key"]
    ok("test keys have a secret of their own", server.request("GET", path, test).json["secret"] not in (one["secret"], None))


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
    ok("clientRef is stored while the job exists", files_with_mark())
    server.request("DELETE", f"/api/v1/jobs/{job}", key)
    same("the server with stored clientRefs stops cleanly", server.stop(), 0)
    same("after the deletion no file contains the job's clientRef", files_with_mark(), [])
    server.close()
    receiver.close()


def test_refusals():
    server = Server()
    key = server.key()
    for url in ("http://example.com/", "https://127.0.0.1/", "https://localhost:8443/",
                "https://[::ffff:169.254.169.254]/", "https://u:p@example.com/", "ftp://a.b/",
                "https://example.com:22/", "https://0x7f.1/", "nonsense"):
        answer = submit(server, key, url)
        same(f"callbackUrl {url} is refused", (answer.status, answer.error, answer.json["field"]),
             (400, "invalid_parameter", "callbackUrl"))
    usage = server.request("GET", "/api/v1/usage", key).json
    same("refused requests are not counted", usage["requests"]["used"], 0)
    fields = {"degrees": "90"}
    same("a clientRef of 201 characters is refused",
         server.submit("rotate", [("a.pdf", pdf())], key, {**fields, "clientRef": "x" * 201}).error,
         "invalid_parameter")
    for name in ("a\r\nb", "a\nb", "a\tb", "a\u2028b", "a\u2029b"):
        same(f"a clientRef with control characters is refused: {name!r}", server.submit(
            "rotate", [("a.pdf", pdf())], key, {**fields, "clientRef": name}).error,
            "invalid_parameter")
    same("clientRef given twice is refused",
         server.submit("rotate", [("a.pdf", pdf())], key,
                       [*fields.items(), ("clientRef", "a"), ("clientRef", "b")]).error,
         "invalid_parameter")
    once = {"Idempotency-Key": "k"}
    submitted = [server.submit("rotate", [("a.pdf", pdf())], key, {**fields, "clientRef": name},
                               headers=once) for name in ("a", "a", "b")]
    same("clientRef and callbackUrl are part of the content that an Idempotency-Key covers",
         [a.json.get("jobId", a.error) for a in submitted],
         [submitted[0].json["jobId"]] * 2 + ["idempotency_conflict"])
    same("the server that refuses callback addresses stops cleanly", server.close(), 0)


def check_shares(server, well, silent):
    """Four accounts whose receivers never answer, and more of them than webhooks are sent at a time."""
    port = silent.rpartition(":")[2]
    for _ in range(4):
        key = server.key()
        for number in range(36):
            submit(server, key, f"http://127.0.0.{2 + number % 3}:{port}")
    other = server.key()
    job = submit(server, other, well.url())
    server.wait(job, other)
    began = time.monotonic()
    ends(server, other, job, "delivered")
    ok("the webhook of another account is sent within two seconds", time.monotonic() - began < 2,
       time.monotonic() - began)


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
        same("a callbackUrl with a name of this machine is refused", job.status, 400)
    else:
        until(lambda: deliveries(server, key, job) and
              deliveries(server, key, job)[0]["attempts"] == 1)
        seen = deliveries(server, key, job)[0]
        same(f"a callbackUrl whose name resolves to {inside} is not called",
             (seen["status"], "responseStatus" in seen),
             ("pending", False))
        ok("the message about a forbidden address does not name the address",
           "may not reach" in seen["message"] and
           inside not in json.dumps(seen), seen)
    listener.settimeout(0)
    try:
        listener.accept()
        ok("no connection reached the forbidden receiver", False)
    except BlockingIOError:
        ok("no connection reached the forbidden receiver", True)
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
        ok("a receiver with an untrusted certificate is not called",
           "certificate" in seen["message"], seen)
        server.close()
        server = Server(*options, "--callback-ca", pem)
        key = server.key()
        job = submit(server, key, receiver.url(scheme="https"))
        same("a receiver with a certificate of webhook_ca is called",
             ends(server, key, job, "delivered").get("responseStatus"),
             200)
        server.close()
        receiver.close()


def main():
    # Nothing listens at the proxy: who asked it would get nowhere.
    server = Server("--callback-http", "true", "--callback-allow", "127.0.0.0/8",
                    "--callback-backoff", "40ms", "--callback-timeout", "4s",
                    env={"http_proxy": "http://127.0.0.1:9", "HTTP_PROXY": "http://127.0.0.1:9"})
    key = server.key()
    secret = webhook(server, "show", key[:11])
    ok("platen webhook show prints a secret", secret.startswith("whsec_"), secret)
    same("platen webhook show prints the same secret each time",
         webhook(server, "show", key[:11]), secret)
    test_told(server, key, secret)
    test_trouble(server, key, secret)
    test_crashes(server, key)
    test_rotation(server, key, secret)
    test_by_customer(server, server.key())
    test_nothing_left(server, key)
    test_refusals()
    test_names()
    test_tls()


main()
done()
