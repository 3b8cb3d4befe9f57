"""Every error that the reference lists, and that a refused request changes nothing."""

import json
import os
import re
import socket
import subprocess
import tempfile

from platen import DRAWS, Server, done, multipart, new_id, ok, pdf, same, until

TOOL = "/api/v1/tools/pdf/rotate"


def encrypted(user="secret", owner="boss"):
    with tempfile.TemporaryDirectory() as folder:
        plain, out = os.path.join(folder, "a.pdf"), os.path.join(folder, "b.pdf")
        with open(plain, "wb") as file:
            file.write(pdf(2))
        subprocess.run(["qpdf", "--encrypt", user, owner, "256", "--", plain, out], check=True)
        with open(out, "rb") as file:
            return file.read()


def refused(what, answer, status, code, field=None):
    body = answer.json if answer.body else {}
    ok(f"{what}: {status} {code}", answer.status == status and body.get("error") == code and
       body.get("message") and body.get("requestId") == answer.headers["X-Request-Id"] and
       (field is None or body.get("field") == field), answer)


def check_requests(server, key):
    good = [("a.pdf", pdf())]
    turn = {"degrees": "90"}
    submit = server.submit
    refused("a submission without a key",
            submit("rotate", good, None, turn), 401, "missing_api_key")
    refused("a submission with an unknown key",
            submit("rotate", good, "pk_" + "a" * 48, turn), 401, "invalid_api_key")
    refused("a submission to an unknown tool",
            submit("shred", good, key, turn), 404, "unknown_tool")
    refused("a submission without a file",
            submit("rotate", [], key, turn), 400, "too_few_files", "file")
    refused("two files for a tool that accepts one", submit("rotate", good * 2, key, turn), 400,
            "too_many_files")
    refused("one file for a tool that needs two", submit("merge", good, key), 400, "too_few_files")
    refused("a missing required field",
            submit("rotate", good, key), 400, "missing_field", "degrees")
    refused("an unknown field", submit("rotate", good, key, {**turn, "colour": "red"}), 400,
            "unknown_field", "colour")
    refused("a field given twice", submit("rotate", good, key, [("degrees", "90")] * 2), 400,
            "invalid_parameter", "degrees")
    for value in ("45", "ninety", "", "90.5", "450", "9" * 400):
        refused(f"degrees={value[:9]}", submit("rotate", good, key, {"degrees": value}), 400,
                "invalid_parameter", "degrees")
    for value in ("0", "1,,2", "1;2", "-", "x", "1-2-3", "r0", "1," * 20000, "!" * 9):
        refused(f"pages={value[:9]}", submit("rotate", good, key, {**turn, "pages": value}), 400,
                "invalid_parameter", "pages")
    if DRAWS:
        answer = submit("compress", good, key, {"targetSize": "1e15"})
        ok("the message about a number out of range writes the limits without exponents",
           answer.json.get("message", "").endswith(
            "from 1 to 1000000000000000"), answer)
    refused("pages together with every, for split",
            submit("split", good, key, {"pages": "1", "every": "2"}), 400,
            "invalid_parameter")
    refused("neither pages nor every, for split", submit("split", good, key), 400, "missing_field")
    refused("a NUL in a field's value", submit("rotate", good, key, {**turn, "pages": "1\0"}), 400,
            "invalid_parameter", "pages")
    refused("a new password over 127 bytes",
            submit("add-password", good, key, {"password": "é" * 64}), 400, "invalid_parameter",
            "password")
    refused("a request with 10,000 fields",
            submit("rotate", good, key, [(f"f{i}", "") for i in range(10000)]), 400,
            "unknown_field")
    refused("an empty file", submit("rotate", [("a.pdf", b"")], key, turn), 415,
            "unsupported_file_type")
    refused("a file that is no PDF", submit("rotate", [("a.pdf", b"GIF89a" * 50)], key, turn), 415,
            "unsupported_file_type")
    for tool, taken in (("rotate", "pdf"), ("jpg-to-pdf", "jpg, png, tiff, webp, gif, bmp, heic, avif or svg")):
        answer = submit(tool, [("a.pdf", b"some text")], key)
        ok(f"the 415 answer of {tool} names the accepted types",
           answer.status == 415 and answer.json["message"].endswith(
            f"takes ({taken})"), answer)
    refused("a submission that is not multipart",
            server.request("POST", TOOL, key, {"Content-Type": "application/pdf"},
                                            pdf()), 415, "unsupported_media_type")
    refused("a submission without Content-Type", server.request("POST", TOOL, key, {}, pdf()), 415,
            "unsupported_media_type")
    body, kind = multipart(good, turn)
    refused("a body that ends too early",
            server.request("POST", TOOL, key, {"Content-Type": kind}, body[:-30]),
            400, "invalid_request")
    refused("a file name with a NUL", server.request(
        "POST", TOOL, key, {"Content-Type": kind}, body.replace(b"a.pdf", b"a\0.pdf")), 400,
        "invalid_request")
    packed = server.request("POST", TOOL, key, {"Content-Type": kind, "Content-Encoding": "gzip"}, body)
    refused("a body with Content-Encoding: gzip", packed, 415, "unsupported_media_type")
    ok("the message about a compressed body names its encoding",
       "gzip" in packed.json["message"], packed)
    same("Content-Encoding: identity is not refused as compressed",
         server.request("POST", TOOL, key, {
        "Content-Type": kind, "Content-Encoding": "identity"}, b"").error, "invalid_request")
    for text in ("hello", "[{},{}]"):
        answer = submit("merge", [], key, {"files": text})
        refused(f"a file part that is the text {text}",
                answer, 415, "unsupported_file_type", "files")
        ok("the message says that a file part which is a text is not a reference to a job",
           "is a text here, and neither job:" in answer.json["message"], answer)
    asked = server.request("POST", TOOL + "?degrees=90", key, {"Content-Type": kind}, body)
    refused("a parameter of the tool in the query", asked, 400, "unknown_field", "degrees")
    ok("the message says that the parameter was given in the query",
       "query parameter" in asked.json["message"], asked)
    refused("an Idempotency-Key over 255 bytes", submit("rotate", good, key, turn,
                                                  {"Idempotency-Key": "k" * 256}), 400,
            "invalid_request")


# Parameters that cannot be meant, whatever the file: each value alone is a good one.
NEVER = [
    ("to-png", {"dpi": "50", "color": "Mono", "background": "transparent"}, "background"),
    ("watermark", {"text": " \r\n\t\u00a0\u200b", "opacity": "1"}, "text"),
    ("sign", {"signerName": "\u3000 \u200b"}, "signerName"),
    ("sign", {"signerName": "A", "page": "1,2"}, "page"),
    ("sign", {"signerName": "A", "page": "1 - 2"}, "page"),
    ("add-password", {"password": "0" * 33, "encryption": "aes128"}, "password"),
    ("add-password", {"password": "漢", "encryption": "AES128"}, "password"),
    ("add-password", {"password": "a", "ownerPassword": "漢", "encryption": "aes128"},
     "ownerPassword"),
    ("jpg-to-pdf", {"pageSize": "a4", "margin": "150"}, "margin"),
    ("page-numbers", {"position": "1", "start": "5000", "format": "{roman}"}, "format"),
    ("page-numbers", {"position": "1", "format": " \n"}, "format"),
    ("excel-to-pdf", {"sheets": ","}, "sheets"),
    ("excel-to-pdf", {"sheets": ' "" , '}, "sheets"),
]
GIF = b"GIF89a" + b"\1\0\1\0" + b"\0" * 20
DOCUMENTS = {"jpg-to-pdf": ("a.gif", GIF), "excel-to-pdf": ("a.csv", b"a,b")}


def check_together(server, key):
    there = server.request("GET", "/openapi.json").json["paths"]
    cases = [(tool, fields, "invalid_parameter", field) for tool, fields, field in NEVER] + [
        ("sign", {"signerName": "A", "certificatePassword": "x"}, "missing_field", "certificate")]
    for tool, fields, code, field in cases:
        if f"/api/v1/tools/pdf/{tool}" not in there:
            continue
        files = [DOCUMENTS.get(tool, ("a.pdf", pdf(2)))]
        refused(f"{tool} {fields}", server.submit(tool, files, key, fields), 400, code, field)
        refused(f"a dry run of {tool} {fields}",
                server.submit(f"{tool}?dryRun=true", files, key, fields), 400,
                code, field)
        steps = json.dumps([{"tool": tool, "params": fields}])
        refused(f"a pipeline with the step {tool} {fields}",
                server.submit("pipeline", files, key, {"steps": steps}), 400, code,
                f"steps[0].{field}")
    for tool, fields in (("sign", {"signerName": "A", "page": "1-last"}),
                         ("sign", {"signerName": "A", "page": "2-2"}),
                         ("sign", {"signerName": "A", "page": "1,2,!1"}),
                         ("add-password", {"password": "ü" * 32, "encryption": "aes128"}),
                         ("page-numbers", {"position": "1", "start": "5000",
                                           "format": "{{roman} {n}"})):
        same(f"a dry run of {tool} {fields}, which is a valid combination, is accepted",
             server.submit(f"{tool}?dryRun=true", [("a.pdf", pdf(2))], key, fields).status, 200)


def check_query(server, key):
    """A query parameter that is misspelt never passes unseen."""
    files, turn = [("a.pdf", pdf())], {"degrees": "90"}
    for query in ("dryrun=true", "dry_run=true", "degrees=90", "x"):
        refused(f"POST rotate?{query}", server.submit(f"rotate?{query}", files, key, turn), 400,
                "unknown_field", query.partition("=")[0])
    refused("dryRun given twice in the query",
            server.submit("rotate?dryRun=true&dryRun=false", files, key, turn), 400,
            "invalid_parameter", "dryRun")
    for path, field in (("jobs?page=3", "page"), (f"jobs/{new_id()}?wiat=3", "wiat"),
                        (f"jobs/{new_id()}/events?since=3", "since"), ("usage?month=3", "month")):
        answer = server.request("GET", f"/api/v1/{path}", key)
        refused(f"GET {path}", answer, 400, "unknown_field", field)
        ok(f"the refusal of GET {path} has X-RateLimit-Remaining",
           "X-RateLimit-Remaining" in answer.headers)
    refused("status given twice in the query",
            server.request("GET", "/api/v1/jobs?status=failed&status=failed", key),
            400, "invalid_parameter", "status")
    same("web pages accept any query parameter",
         server.request("GET", "/docs?utm_source=x").status, 200)
    same("requests with a faulty query use no quota",
         server.request("GET", "/api/v1/usage", key).json["requests"]["used"],
         0)
    same("?wait=30 waits for the job as Prefer: wait=30 does",
         server.submit("rotate?wait=30", files, key, turn).json[
        "status"], "completed")
    refused("?wait=99, which is out of range",
            server.submit("rotate?wait=99", files, key, turn), 400,
            "invalid_parameter", "wait")


def check_paths(server, key):
    get = server.request
    same("a 401 answer has WWW-Authenticate: Bearer (RFC 9110, section 15.5.2)",
         get("GET", "/api/v1/usage").headers["WWW-Authenticate"], 'Bearer realm="platen"')
    refused("an unknown path", get("GET", "/nowhere"), 404, "not_found")
    refused("an unknown job id", get("GET", f"/api/v1/jobs/{new_id()}", key), 404, "job_not_found")
    refused("a malformed job id", get("GET", "/api/v1/jobs/..%2f..%2fetc", key), 404,
            "job_not_found")
    wrong = get("GET", TOOL, key)
    refused("GET where only POST is allowed", wrong, 405, "method_not_allowed")
    for method, path in (("GET", "tools/pdf/rotate"), ("OPTIONS", "tools/pdf/rotate"),
                         ("POST", "tools/pdf/rotate/"), ("GET", "usage/"), ("GET", "nowhere")):
        limits = [name in get(method, f"/api/v1/{path}", key).headers
                  for name in ("X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset")]
        same(f"{method} {path}: the answer to a request with a key has the X-RateLimit headers",
             limits, [True] * 3)
    ok("an answer to a request without a key has no X-RateLimit headers",
       "X-RateLimit-Limit" not in get("GET", "/api/v1/nowhere").headers)
    same("a 405 answer has Allow: POST", wrong.headers["Allow"], "POST")
    refused("a download without a signature", get("GET", f"/api/v1/files/{new_id()}/a.pdf"), 404,
            "not_found")
    same("the server is alive after the refused requests", get("GET", "/healthz").status, 200)
    ok("the server becomes ready after the refused requests",
       until(lambda: get("GET", "/readyz").json.get("status") == "ready"))
    for host, status in (("localhost", 200), ("LOCALHOST:80", 200), ("127.0.0.1:80", 200),
                         ("[::1]:80", 200), ("evil.example", 403), ("localhost.evil.example", 403),
                         ("127.0.0.1.evil.example", 403)):
        same(f"/status from the loopback with Host {host} is answered {status}", get(
            "GET", "/status", headers={"Host": host}).status, status)
    metrics = get("GET", "/metrics").body.decode()
    ok("metrics count answers by status code", 'platen_http_requests_total{code="401",' in metrics)
    same("metrics count no accepted job after refused requests",
         [line for line in metrics.splitlines()
                                          if line.startswith("platen_jobs_accepted_total{")], [])


def raw(server, data):
    with socket.create_connection(("127.0.0.1", server.port), 30) as connection:
        connection.sendall(data)
        out = b""
        while True:
            try:
                got = connection.recv(65536)
            except ConnectionResetError:
                break
            if not got:
                break
            out += got
        return out


def check_connection(server, key):
    """A refusal of a small upload leaves its connection open."""
    body, kind = multipart([("a.pdf", pdf())], {"degrees": "45"})
    for what, path, status in (("in its body", TOOL, 400), ("before its body", TOOL + "?x=1", 400),
                               ("at an unknown address", "/api/v1/nothing", 404)):
        connection = server.connect()
        connection.request("POST", path, body, {"X-API-Key": key, "Content-Type": kind})
        answer = connection.getresponse()
        same(f"an upload that is refused {what} is answered without closing the connection",
             (answer.status, bool(answer.read()), answer.will_close),
             (status, True, not server.keeps_connections()))
        if not server.keeps_connections():
            continue
        port = connection.sock.getsockname()[1] if connection.sock else 0
        connection.request("GET", "/api/v1/usage", headers={"X-API-Key": key})
        answer = connection.getresponse()
        same(f"after an upload that is refused {what} the connection serves the next request",
             (answer.status, connection.sock.getsockname()[1]), (200, port))
        connection.close()
    head = (f"POST {TOOL} HTTP/1.1\r\nHost: x\r\nX-API-Key: {key}\r\nContent-Type: {kind}\r\n")
    twice = raw(server, f"{head}Content-Length: 5\r\nContent-Length: 6\r\n\r\nabcde"
                "GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n".encode())
    same("a refused upload whose length is in doubt is answered once, and the connection closed",
         len(re.findall(rb"HTTP/1\.1 \d", twice)), 1)


def check_smuggling(server, key):
    head = f"POST {TOOL} HTTP/1.1\r\nHost: x\r\nX-API-Key: {key}\r\n"
    both = raw(server, (head + "Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"
                        "GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n").encode())
    ok("Content-Length with Transfer-Encoding is answered 400, and what follows is not read as a "
       "request",
       both.startswith(b"HTTP/1.1 400") and both.count(b"HTTP/1.1 ") == 1, both)
    for end in ("0\r\n\r\n", "0\n\r\n", "1\nx\r\n0\r\n\r\n", "1;a\nx\r\n0\r\n\r\n",
                "0\r\nA: b\n\r\n"):
        chunked = raw(server, (f"POST {TOOL} HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n"
                               f"\r\n{end}GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n").encode())
        ok(f"a refused chunked body is followed by no further request ({end!r})",
           chunked.count(b"HTTP/1.1 ") == 1 and b"200 OK" not in chunked, chunked)
    body, kind = multipart([("a.pdf", pdf())], {"degrees": "90"})
    chunked = raw(server, (head + f"Content-Type: {kind}\r\nTransfer-Encoding: chunked\r\n\r\n"
                           f"{len(body):x}\r\n").encode() + body + b"\r\n0\r\n\r\n"
                  b"GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n")
    ok("an accepted chunked body is followed by no further request",
       chunked.startswith(b"HTTP/1.1 202") and
       chunked.count(b"HTTP/1.1 ") == 1, chunked)
    ok("a request without Host is answered 400",
       raw(server, b"GET /healthz HTTP/1.1\r\n\r\n").startswith(b"HTTP/1.1 400"))
    for host in ("", "[::1", "[]", "[::1]x", "a:b", ":80", "[g::1]"):
        ok(f"a malformed Host is answered 400 ({host!r})", raw(
            server, f"GET /healthz HTTP/1.1\r\nHost: {host}\r\n\r\n".encode()).startswith(
                b"HTTP/1.1 400"))
    for host in ("a", "a:80", "[::1]", "[::1]:80", "a:", "127.0.0.1:8080"):
        ok(f"a well-formed Host is accepted ({host!r})", raw(
            server, f"GET /healthz HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n"
            .encode()).startswith(b"HTTP/1.1 200"))
    many = raw(server, b"GET /healthz?" + b"a=1&" * 3000 + b" HTTP/1.1\r\nHost: x\r\n"
               b"Connection: close\r\n\r\n")
    wanted = 200 if server.knows_library() else 400
    ok(f"a request with thousands of query parameters is answered {wanted}",
       many.startswith(b"HTTP/1.1 %d " % wanted), many[:100])
    raw(server, b"GET /api/v1/files/a?signature=hide-this HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
    raw(server, b"GET /api/v1/files/a?signature=hide-this&" + b"hide-this&" * 3000 + b" HTTP/1.1\r\n\r\n")
    ok("no part of a query reaches the log", "hide-this" not in server.logs())
    large = raw(server, b"GET /healthz HTTP/1.1\r\nHost: x\r\nX-A: " + b"a" * 40000 + b"\r\n\r\n")
    ok("a request with huge headers is answered 431",
       large.startswith(b"HTTP/1.1 431"), large[:100])


def check_failures(server, key):
    def run(tool, data, **fields):
        job = server.run(tool, [("a.pdf", data)], key, fields)
        return job.get("error", job.get("status"))

    locked = encrypted()
    same("rotate of an encrypted file without a password fails with password_required",
         run("rotate", locked, degrees="90"),
         "password_required")
    same("rotate of an encrypted file with a wrong password fails with wrong_password",
         run("rotate", locked, degrees="90", inputPassword="x"),
         "wrong_password")
    same("rotate of an encrypted file with the right password is completed",
         run("rotate", locked, degrees="90", inputPassword="secret"),
         "completed")
    same("remove-password with a wrong password fails with wrong_password",
         run("remove-password", locked, password="x"),
         "wrong_password")
    same("remove-password with a wrong inputPassword fails with wrong_password",
         run("remove-password", locked, inputPassword="x"), "wrong_password")
    same("remove-password with the right inputPassword is completed",
         run("remove-password", locked, inputPassword="secret"), "completed")
    same("remove-password with both password and inputPassword is refused",
         run("remove-password", locked, inputPassword="a", password="b"),
         "invalid_parameter")
    same("remove-password with the owner's password is completed",
         run("remove-password", locked, password="boss"), "completed")
    same("a file beyond repair fails with corrupt_file",
         run("rotate", b"%PDF-1.7\n" + b"\0" * 999, degrees="90"),
         "corrupt_file")
    same("a page out of range fails with page_out_of_range",
         run("rotate", pdf(3), degrees="90", pages="4"),
         "page_out_of_range")
    job = server.run("rotate", [("a.pdf", pdf(3))], key, {"degrees": "90", "pages": "2-9"})
    same("a page range that ends beyond the last page is shortened, with a warning",
         (job.get("status"), [w["code"] for w in job.get("warnings", [])]),
         ("completed", ["page_range_clamped"]))
    broken = pdf(3).replace(b"startxref\n", b"startxref\n9")
    job = server.run("rotate", [("a.pdf", broken)], key, {"degrees": "90"})
    same("a damaged input is repaired, with a warning",
         (job.get("status"), [w["code"] for w in job.get("warnings", [])]),
         ("completed", ["repaired"]))


def check_charges():
    """Which failed jobs are charged is one rule, and the guide has it."""
    guide = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../docs/guide.md")
    with open(guide, encoding="utf-8") as text:
        quota = text.read().split("## Rate limits and quota")[1].split("\n## ")[0]
    free = set(re.findall(r"`([a-z_]+)`", quota.split("with one of four codes:")[1].split(".")[0]))
    same("the guide names the four codes of failed jobs that are not charged", free,
         {"internal_error", "limit_exceeded", "wrong_password", "fetch_failed"})
    server = Server("--job-output", "100k")
    key, locked = server.key(), encrypted()

    def used():
        usage = server.request("GET", "/api/v1/usage", key).json
        return usage["requests"]["used"], usage["data"]["used"]

    for tool, data, fields, end in (
            ("rotate", pdf(2), {"degrees": "90"}, "completed"),
            ("rotate", pdf(2), {"degrees": "90", "pages": "9"}, "page_out_of_range"),
            ("rotate", b"%PDF-1.7\n" + b"\0" * 999, {"degrees": "90"}, "corrupt_file"),
            ("rotate", locked, {"degrees": "90"}, "password_required"),
            ("rotate", locked, {"degrees": "90", "inputPassword": "x"}, "wrong_password"),
            ("watermark", pdf(2), {"text": "\U0010fffd"}, "text_not_encodable"),
            ("rotate", pdf(2, pad=200000), {"degrees": "90"}, "limit_exceeded")):
        before = used()
        job = server.run(tool, [("a.pdf", data)], key, fields)
        same(f"a job of {tool} ends with {end}", job.get("error", job["status"]), end)
        charged = tuple(after - was for after, was in zip(used(), before))
        same(f"a job that ends with {end} is {'not charged' if end in free else 'charged'}",
             charged,
             (0, 0) if end in free else (1, len(data)))
    server.close()


def check_quota():
    with tempfile.NamedTemporaryFile("w", suffix=".conf") as config:
        config.write("upgrade_url = https://example.org/plans\n[plan pro]\n"
                     "requests_per_month = 2\nbytes_per_month = 2000\nmax_unfinished = 1\n"
                     "[plan slow]\nrequests_per_month = 100\nbytes_per_month = 1G\n"
                     "max_unfinished = 1\n")
        config.flush()
        server = Server("--config", config.name)
        key = server.key("pro")
        good, turn = [("a.pdf", pdf())], {"degrees": "90"}
        server.run("rotate", good, key, turn)
        server.run("rotate", good, key, turn)
        answer = server.submit("rotate", good, key, turn)
        refused("a submission after the month's requests are used up",
                answer, 429, "quota_exceeded")
        same("the quota answer names the limit and the upgrade address",
             (answer.json["limit"], answer.json["upgradeUrl"]),
             ("requests", "https://example.org/plans"))
        same("X-RateLimit-Remaining is 0 when the quota is used up",
             answer.headers["X-RateLimit-Remaining"], "0")
        ok("the quota answer has Retry-After", int(answer.headers["Retry-After"]) > 0)
        same("listing jobs is possible when the quota is used up",
             server.request("GET", "/api/v1/jobs", key).status, 200)
        key = server.key("pro")
        refused("a file larger than the data quota left", server.submit(
            "rotate", [("a.pdf", pdf(pad=3000))], key, turn), 429, "quota_exceeded")
        over = server.submit("rotate", [("a.pdf", pdf(pad=3000))], key, turn)
        same("X-RateLimit-Remaining is 0 in every answer that refuses for quota",
             (over.json["limit"], over.headers["X-RateLimit-Remaining"]), ("data", "0"))
        same("other answers go on saying how many requests are left",
             server.request("GET", "/api/v1/usage", key).headers["X-RateLimit-Remaining"], "2")
        same("X-RateLimit-Data-Remaining is the number of bytes left",
             over.headers["X-RateLimit-Data-Remaining"], "2000")
        early = raw(server, f"POST {TOOL} HTTP/1.1\r\nHost: x\r\nX-API-Key: {key}\r\nExpect: 100-continue\r\n"
                    "Content-Type: multipart/form-data; boundary=x\r\nContent-Length: 60000000\r\n\r\n".encode())
        ok("an upload whose Content-Length exceeds the data quota is refused before its body is "
           "sent",
           early.startswith(b"HTTP/1.1 429") and b'"limit":"data"' in early, early[:300])
        same("a request refused for quota is not counted",
             server.request("GET", "/api/v1/usage", key).json[
            "requests"]["used"], 0)
        locked = server.submit("rotate", [("a.pdf", encrypted())], key,
                               {**turn, "inputPassword": "x"})
        same("a job with a wrong password fails", server.wait(locked.json["jobId"], key).json[
            "error"], "wrong_password")
        same("a job that failed by a wrong password gives its quota back",
             server.request("GET", "/api/v1/usage", key).json["requests"][
            "used"], 0)
        key = server.key("slow")
        slow = server.submit("split", [("a.pdf", pdf(9000))], key, {"pages": "all", "mode": "each"})
        answer = server.submit("rotate", good, key, turn)
        refused("more unfinished jobs than the plan allows", answer, 429, "too_many_jobs")
        ok("the answer to too many unfinished jobs has Retry-After",
           int(answer.headers["Retry-After"]) > 0)
        server.request("DELETE", f"/api/v1/jobs/{slow.json['jobId']}", key)
        same("a submission is accepted again after one unfinished job was deleted",
             server.submit("rotate", good, key, turn).status, 202)
        server.close()


def check_bounds():
    server = Server("--max-file-size", "5k", "--max-request-size", "8k")
    key, turn = server.key(), {"degrees": "90"}
    refused("a file larger than max_file_size",
            server.submit("rotate", [("a.pdf", pdf(pad=6000))], key, turn), 413,
            "file_too_large")
    refused("a body larger than max_file_size",
            server.submit("rotate", [("a.pdf", pdf(pad=9000))], key, turn), 413,
            "file_too_large")
    with socket.create_connection(("127.0.0.1", server.port), 30) as gone:
        body, kind = multipart([("a.pdf", pdf())], turn)
        gone.sendall(f"POST {TOOL} HTTP/1.1\r\nHost: x\r\nX-API-Key: {key}\r\nContent-Type: {kind}"
                     f"\r\nContent-Length: {len(body)}\r\n\r\n".encode() + body[:400])
    ok("an upload of a client that disconnects leaves no job and no file", until(
        lambda: server.request("GET", "/api/v1/jobs", key).json["jobs"] == []) and
        server.blobs() == [])
    server.close()
    server = Server("--max-queue", "0")
    refused("a submission while the queue is full",
            server.submit("rotate", [("a.pdf", pdf())], server.key(), turn), 503,
            "overloaded")
    server.close()
    server = Server("--min-free-space", "100000T")
    refused("a submission while the disk is full",
            server.submit("rotate", [("a.pdf", pdf())], server.key(), turn), 507,
            "storage_full")
    same("/readyz is 507 while the disk is full", server.request("GET", "/readyz").status, 507)
    server.close()


def check_expiry():
    server = Server("--retention", "1s")
    key = server.key()
    job = server.run("rotate", [("a.pdf", pdf())], key, {"degrees": "90"})
    ok("a job is answered 410 job_expired after its retention", until(lambda: server.request(
        "GET", f"/api/v1/jobs/{job['jobId']}", key).error == "job_expired"))
    same("the events of an expired job are answered 410 job_expired", server.request(
        "GET", f"/api/v1/jobs/{job['jobId']}/events", key).error, "job_expired")
    same("a download of an expired job is answered 410 job_expired",
         server.download(job["downloadUrl"]).error, "job_expired")
    ok("the file of an expired job is deleted within seconds",
       until(lambda: server.blobs() == [], 5), server.blobs())
    ok("another account's request for an expired job is answered job_not_found", server.request(
        "GET", f"/api/v1/jobs/{job['jobId']}", server.key()).error == "job_not_found")
    server.close()


def check_secrets():
    server = Server()
    key = server.key()
    job = server.run("add-password", [("tax-return-of-ann.pdf", pdf(text="Confidential"))], key,
                     {"password": "correct horse"})
    same("a job of add-password is completed", job["status"], "completed")
    server.stop()
    stored = b""
    for folder, _, names in os.walk(server.data):
        for name in names:
            with open(os.path.join(folder, name), "rb") as file:
                stored += file.read()
    ok("the job's password is not in the data folder", b"correct horse" not in stored)
    logs = server.logs()
    ok("the log contains no password, key, file name or text of a document", not any(
        word in logs for word in ("correct horse", key, "tax-return", "Confidential")))
    ok("the log has a line for each job", "event=job.done" in logs and job["jobId"] in logs)
    server.close()


def main():
    server = Server()
    key = server.key()
    check_requests(server, key)
    check_together(server, key)
    same("refused requests use no quota", server.request("GET", "/api/v1/usage", key).json[
        "requests"]["used"], 0)
    same("refused requests leave no file", server.blobs(), [])
    check_paths(server, key)
    check_query(server, key)
    check_smuggling(server, key)
    check_connection(server, key)
    check_failures(server, key)
    server.close()
    check_charges()
    check_quota()
    check_bounds()
    check_expiry()
    check_secrets()
    done()


main()
