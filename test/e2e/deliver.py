"""Results that are sent to addresses which submissions name: outputUrl, outputUrls, with their retries and their secrets."""

import base64
import hashlib
import hmac
import json
import os
import threading
import urllib.parse

from event_stream import Stream
from origin import FORMS, PDF, Origin, answer, redirect, silent
from platen import DEADLINE, Server, done, multipart, ok, pdf, same, until, without_office
from receiver import Receiver

without_office()


def submit(server, key, fields, tool="rotate", files=(("a.pdf", PDF),), headers=None):
    pairs = list(fields.items()) if isinstance(fields, dict) else fields
    if tool == "rotate":
        pairs = [("degrees", "90"), *pairs]
    body, kind = multipart(files, pairs)
    return server.request("POST", f"/api/v1/tools/pdf/{tool}", key, {"Content-Type": kind, **(headers or {})}, body)


def job_of(server, key, job_id):
    return server.request("GET", f"/api/v1/jobs/{job_id}", key).json


def run(server, key, fields, end=None, **more):
    """The job once its delivery has ended, or has become `end`."""
    accepted = submit(server, key, fields, **more)
    if accepted.status != 202:
        return accepted.json
    job_id = accepted.json["jobId"]
    server.wait(job_id, key)
    until(lambda: job_of(server, key, job_id).get("delivery") in ((end,) if end else ("done", "failed", None)))
    return job_of(server, key, job_id)


def takes(status=200, body=b"", headers=()):
    return lambda handler: answer(handler, status, body, headers)


def headers_of(origin, path):
    return [{name.lower(): value for name, value in headers.items()} for at, headers in origin.calls if at.split("?")[0] == path]


def test_sent(server, key, origin):
    url = origin.serve("/bucket/a%20b.pdf", takes()) + "?X-Amz-Signature=sesame&x=%2F"
    job = run(server, key, {"outputUrl": url})
    result = server.download(job["downloadUrl"]).body
    same("a result is sent to its outputUrl", (job["status"], job["delivery"], origin.bodies.get("/bucket/a%20b.pdf") == result),
         ("completed", "done", True))
    ok("no message is left of it", "deliveryMessage" not in job, job)
    same("the address is used as it was given", origin.calls[-1][0], "/bucket/a%20b.pdf?X-Amz-Signature=sesame&x=%2F")
    sent = headers_of(origin, "/bucket/a%20b.pdf")[0]
    digest = base64.b64encode(hashlib.sha256(result).digest()).decode()
    same("with its length, type and digest", (sent["content-length"], sent["content-type"], sent["repr-digest"]),
         (str(len(result)), "application/pdf", f"sha-256=:{digest}:"))
    same("and nothing else", sorted(sent), ["accept", "content-length", "content-type", "host", "repr-digest", "user-agent"])
    ok("neither address nor signature is in the log", "sesame" not in server.logs() and "a%20b" not in server.logs())
    with open(os.path.join(server.data, "d", "platen.db"), "rb") as database:
        content = database.read()
    ok("nor in the database", b"sesame" not in content and b"a%20b" not in content)
    same("no file has it when it was sent", [name for name in server.blobs() if "send" in name or "secret" in name], [])
    job = run(server, key, {"outputUrl": url, "outputHeaders": json.dumps({"x-ms-blob-type": "BlockBlob", "Content-Type": "text/x"})})
    sent = headers_of(origin, "/bucket/a%20b.pdf")[-1]
    same("outputHeaders are sent, in the place of the server's", (sent["x-ms-blob-type"], sent["content-type"]), ("BlockBlob", "text/x"))
    job = run(server, key, {"outputUrl": origin.serve("/old", takes()) + "?AWSAccessKeyId=a&Signature=b&Expires=1"})
    ok("an address that is signed by version 2 gets no header that is not", job["delivery"] == "done" and
       not {"content-type", "repr-digest"} & set(headers_of(origin, "/old")[0]), headers_of(origin, "/old"))
    job = run(server, key, {"outputUrl": url, "steps": '[{"tool":"rotate","params":{"degrees":90}}]'}, tool="pipeline")
    same("that of a pipeline is sent, too", job["delivery"], "done")
    job = run(server, key, {"degrees": "45"} | {"outputUrl": url}, tool="rotate", files=[("a.pdf", b"%PDF-1.4 nothing")])
    ok("a job that fails sends nothing", "delivery" not in job, job)
    again = {"Idempotency-Key": "deliver-1"}
    first, second = (submit(server, key, {"outputUrl": url}, headers=again) for _ in range(2))
    same("a replay is recognised by the address", first.json["jobId"], second.json["jobId"])
    same("another address is a conflict", submit(server, key, {"outputUrl": url + "1"}, headers=again).status, 409)
    test = server.request("POST", "/api/v1/account/keys", key, {"Content-Type": "application/json"}, '{"name":"t","test":true}').json["key"]
    job = run(server, test, {"outputUrl": url})
    same("a test key's result is sent with its mark", (job["delivery"], origin.bodies["/bucket/a%20b.pdf"]),
         ("done", server.download(job["downloadUrl"]).body))


def presigned(origin, path):
    """An address of S3 as its clients sign it (version 4, query), and whether a call was signed so."""
    scope = "20270101/us-east-1/s3/aws4_request"
    query = {"X-Amz-Algorithm": "AWS4-HMAC-SHA256", "X-Amz-Credential": f"AKID/{scope}", "X-Amz-Date": "20270101T000000Z",
             "X-Amz-Expires": "900", "X-Amz-SignedHeaders": "host"}

    def sign(host, pairs):
        canonical = "&".join(f"{urllib.parse.quote(name, '')}={urllib.parse.quote(value, '')}" for name, value in sorted(pairs.items()))
        request = f"PUT\n{path}\n{canonical}\nhost:{host}\n\nhost\nUNSIGNED-PAYLOAD"
        text = f"AWS4-HMAC-SHA256\n20270101T000000Z\n{scope}\n{hashlib.sha256(request.encode()).hexdigest()}"
        secret = b"AWS4secret"
        for part in scope.split("/"):
            secret = hmac.new(secret, part.encode(), hashlib.sha256).digest()
        return canonical, hmac.new(secret, text.encode(), hashlib.sha256).hexdigest()

    def judge(handler):
        given = dict(urllib.parse.parse_qsl(handler.path.split("?")[1]))
        signature = given.pop("X-Amz-Signature", "")
        stray = [name for name in handler.headers if name.lower().startswith("x-amz-")]
        good = not stray and signature == sign(handler.headers["Host"], given)[1] and handler.path.split("?")[0] == path
        answer(handler, 200 if good else 403, b"" if good else b"<Error><Code>SignatureDoesNotMatch</Code><Sig>s3cret</Sig></Error>")

    canonical, signature = sign(f"{origin.address}:{origin.port}", query)
    return f"{origin.serve(path, judge)}?{canonical}&X-Amz-Signature={signature}"


def test_s3(server, key, origin):
    url = presigned(origin, "/bucket/r%C3%A9sum%C3%A9%20%281%29.pdf")
    job = run(server, key, {"outputUrl": url})
    same("a presigned address of S3 holds", (job["delivery"], job.get("deliveryMessage")), ("done", None))
    job = run(server, key, {"outputUrl": url[:-1] + ("0" if url[-1] != "0" else "1")})
    same("one that is refused fails at once, with the name of the error and no more",
         (job["delivery"], job["deliveryMessage"]), ("failed", "its host answered with status 403 (SignatureDoesNotMatch)"))
    ok("the result can be downloaded all the same", server.download(job["downloadUrl"]).status == 200)


def test_parts(server, key, origin):
    urls = [origin.serve(f"/part{n}", takes(201)) for n in range(4)]
    files = [("a.pdf", pdf(3))]
    job = run(server, key, {"every": "1", "outputUrls": json.dumps(urls)}, tool="split", files=files)
    same("each part of a result is sent to its address", (job["delivery"], len(job["outputs"]),
         [origin.bodies.get(f"/part{n}") == server.download(job["outputs"][n]["downloadUrl"]).body for n in range(3)]),
         ("done", 3, [True] * 3))
    ok("and nothing to one more", "/part3" not in origin.bodies)
    origin.bodies.clear()
    job = run(server, key, [("every", "1"), ("outputUrls", urls[0]), ("outputUrls", urls[1])], tool="split", files=files)
    same("a part without an address fails, and the others are sent",
         (job["delivery"], job["deliveryMessage"], sorted(origin.bodies)),
         ("failed", "part 3: outputUrls has 2 addresses and the result 3 parts: part 3 was not sent", ["/part0", "/part1"]))
    job = run(server, key, {"every": "1", "outputUrl": urls[3]}, tool="split", files=files)
    same("outputUrl gets all parts as a ZIP", (job["delivery"], origin.bodies["/part3"] == server.download(job["downloadUrl"]).body,
         headers_of(origin, "/part3")[-1]["content-type"]), ("done", True, "application/zip"))
    job = run(server, key, {"outputUrls": urls[0]})
    same("a result of one file goes to the first", (job["delivery"], origin.bodies["/part0"]),
         ("done", server.download(job["downloadUrl"]).body))


def test_trouble(server, key, origin):
    seen = []

    def recovers(handler):
        seen.append(1)
        answer(handler, 503 if len(seen) < 3 else 200, b"")
    job = run(server, key, {"outputUrl": origin.serve("/busy", recovers)})
    same("a host that is busy is asked again", (job["delivery"], len(seen)), ("done", 3))
    refusing = threading.Event()
    job = run(server, key, {"outputUrl": origin.serve("/down", lambda h: answer(h, 200 if refusing.is_set() else 500, b""))}, end="pending")
    ok("until then the delivery is pending", until(lambda: "status 500" in job_of(server, key, job["jobId"]).get("deliveryMessage", "")),
       job_of(server, key, job["jobId"]))
    refusing.set()
    ok("and then it is done", until(lambda: job_of(server, key, job["jobId"])["delivery"] == "done"))
    for what, say, message in (
            ("an address that is not there", takes(404), "status 404"),
            ("one that must be paid", takes(402), "status 402"),
            ("six redirects", redirect(lambda: origin.url("/case"), 307), "redirected"),
            ("a redirect without a place", takes(308), "redirected")):
        job = run(server, key, {"outputUrl": origin.serve("/case", say)})
        ok(f"{what} fails the delivery", job.get("delivery") == "failed" and message in job["deliveryMessage"], job)
    for what, say, message in (
            ("a redirect that means another method", redirect(lambda: origin.url("/part0"), 302), "307"),
            ("a silent host", silent, "in time"),
            ("a host that closes", lambda handler: setattr(handler, "close_connection", True), "broke off")):
        job = run(server, key, {"outputUrl": origin.serve("/case", say)}, end="pending")
        ok(f"{what} is said, and tried again",
           until(lambda: message in job_of(server, key, job["jobId"]).get("deliveryMessage", "")), job_of(server, key, job["jobId"]))
        server.request("DELETE", f"/api/v1/jobs/{job['jobId']}", key)
    same("a job that is deleted leaves no address", [name for name in server.blobs() if "send" in name], [])


def test_refused(server, key, origin):
    url = origin.url("/a.pdf")
    for what, fields, code, field in (
            ("outputUrl twice", [("outputUrl", url), ("outputUrl", url)], "invalid_output_url", "outputUrl"),
            ("both kinds", [("outputUrl", url), ("outputUrls", url)], "invalid_output_url", "outputUrls"),
            ("an empty list", {"outputUrls": "[]"}, "invalid_output_url", "outputUrls"),
            ("a list of numbers", {"outputUrls": "[1]"}, "invalid_output_url", "outputUrls"),
            ("a list with an address that is none", {"outputUrls": json.dumps([url, "x"])}, "invalid_output_url", "outputUrls"),
            ("too many", {"outputUrls": json.dumps([url] * 1001)}, "invalid_output_url", "outputUrls"),
            ("headers without an address", {"outputHeaders": "{}"}, "invalid_output_headers", "outputHeaders"),
            ("headers that are no object", {"outputUrl": url, "outputHeaders": "[]"}, "invalid_output_headers", "outputHeaders"),
            ("a header with a line break", {"outputUrl": url, "outputHeaders": json.dumps({"A": "b\r\nc"})}, "invalid_output_headers", "outputHeaders"),
            ("the header Content-Length", {"outputUrl": url, "outputHeaders": '{"Content-Length":"1"}'}, "invalid_output_headers", "outputHeaders")):
        said = submit(server, key, fields).json
        same(f"{what} is refused", (said.get("error"), said.get("field")), (code, field))


def test_attacks(server, key, origin):
    """Each as the address itself, and as what the address of an allowed host redirects to."""
    internal = Origin("127.0.0.1")
    internal.serve("/", takes())
    direct = [form for form in FORMS
              if submit(server, key, {"outputUrl": form.format(port=internal.port)}).json.get("error") != "invalid_output_url"]
    same(f"{len(FORMS)} addresses of no public host, or of another scheme, are refused", direct, [])
    wrong = []
    for form in FORMS:
        target = form.format(port=internal.port).encode("utf-8", "replace").decode("latin-1").replace("\n", "%0a")
        job = run(server, key, {"outputUrl": origin.serve("/hop", redirect(target, 307))})
        if job.get("delivery") != "failed":
            wrong.append((form, job))
    same(f"so are {len(FORMS)} redirects to them", wrong, [])
    ok("none has reached the host that is not allowed", not internal.calls, internal.calls)
    other = Origin("127.0.0.2")
    target = other.serve("/target.pdf", takes())
    job = run(server, key, {"outputUrl": origin.serve("/hop", redirect(target, 307)), "outputHeaders": '{"Authorization":"secret"}'})
    same("a redirect to an allowed host is followed with the whole result",
         (job["delivery"], other.bodies["/target.pdf"]), ("done", server.download(job["downloadUrl"]).body))
    sent = headers_of(other, "/target.pdf")[0]
    same("which gets no headers that were for another host", (sent.get("authorization"), sent["content-type"]), (None, "application/pdf"))


def test_told(server, key, origin):
    receiver = Receiver()
    held = threading.Event()

    def waits(handler):
        held.wait(DEADLINE)
        answer(handler, 200, b"")
    fields = {"outputUrl": origin.serve("/held", waits), "callbackUrl": receiver.url()}
    job_id = submit(server, key, fields).json["jobId"]
    stream = Stream(server, job_id, key)
    told = stream.next()
    while told[0] == "progress":
        told = stream.next()
    same("the event stream says that it is completed and not yet sent", (told[0], told[1]["delivery"]), ("completed", "pending"))
    held.set()
    told = stream.next()
    same("then that it was sent", (told[0], told[1]["delivery"]), ("delivery", "done"))
    same("and ends", stream.next(), None)
    same("who comes back with the last id gets nothing", Stream(server, job_id, key, last=stream.last_id).response.status, 204)
    same("who comes back with the one before gets the rest", Stream(server, job_id, key, last=stream.last_id - 1).next()[0], "delivery")
    ok("the webhook comes after it", receiver.wait())
    same("and says so", json.loads(receiver.calls[0][2])["delivery"], "done")
    same("the list of jobs says it, too", [job["delivery"] for job in server.request("GET", "/api/v1/jobs", key).json["jobs"]
                                             if job["jobId"] == job_id], ["done"])
    same("it came once", len(receiver.calls), 1)
    receiver.close()


def test_survives(origin):
    """A server that is killed while it sends does so again."""
    server = Server("--allow-fetch", "127.0.0.2", "--fetch-http", "true", "--lease", "2s")
    key = server.key()
    held = threading.Event()
    seen = []

    def waits(handler):
        seen.append(1)
        if len(seen) == 1:
            held.wait(DEADLINE)
            handler.close_connection = True
            return
        answer(handler, 200, b"")
    job_id = submit(server, key, {"outputUrl": origin.serve("/again", waits)}).json["jobId"]
    ok("the server sends", until(lambda: len(seen) == 1))
    server.kill()
    server.start()
    ok("a result that was being sent when the server died is sent again",
       until(lambda: job_of(server, key, job_id).get("delivery") == "done"), job_of(server, key, job_id))
    held.set()
    same("no file is left of it but its result", [name for name in server.blobs() if "send" in name or "secret" in name], [])
    server.close()


def main():
    origin = Origin("127.0.0.2")
    server = Server("--allow-fetch", "127.0.0.2", "--fetch-http", "true", "--fetch-timeout", "3s", "--callback-backoff", "200ms",
                    "--callback-http", "true", "--callback-allow", "127.0.0.1")
    key = server.key()
    for test in (test_sent, test_s3, test_parts, test_trouble, test_refused, test_attacks, test_told):
        test(server, key, origin)
    server.close()
    test_survives(origin)
    closed = Server("--fetch", "false")
    said = submit(closed, closed.key(), {"outputUrl": "https://example.com/a.pdf"}).json
    same("a server that does not send says so", (said["error"], said["field"]), ("addresses_refused", "outputUrl"))
    closed.close()
    done()


main()
