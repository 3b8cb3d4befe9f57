"""Tickets: addresses that take one file without a key, which is then an upload of the account."""

import http.client
import json
import os
import shutil
import socket
import struct
import sys
import tempfile
import threading
import time
import urllib.parse

from platen import Server, done, multipart, ok, pdf, same, until, without_office
from uploads_client import begin, patch

without_office()

JSON = {"Content-Type": "application/json"}
PDF = pdf(3)


def ticket(server, key, **form):
    return server.request("POST", "/api/v1/uploads/tickets", key, JSON, json.dumps(form))


def path_of(made):
    parts = urllib.parse.urlsplit(made["url"])
    return f"{parts.path}?{parts.query}"


def put(server, made, data, headers=None, path=None):
    return server.request("PUT", path or path_of(made), None, headers, data)


def post(server, made, files, fields=()):
    body, kind = multipart(files, fields, file_field="anything")
    return server.request("POST", path_of(made), None, {"Content-Type": kind}, body)


def listed(server, key):
    return [one["uploadId"] for one in server.request("GET", "/api/v1/uploads/tickets", key).json["tickets"]]


def rotate(server, key, upload):
    body, kind = multipart((), [("file", f"upload:{upload}"), ("degrees", "90")])
    answer = server.request("POST", "/api/v1/tools/pdf/rotate", key, {"Content-Type": kind}, body)
    return server.wait(answer.json["jobId"], key).json if answer.status == 202 else answer.json


def blobs(server, upload):
    return [name for _, _, names in os.walk(os.path.join(server.data, "d", "blobs")) for name in names if name.startswith(upload)]


def check_use(server, key):
    answer = ticket(server, key, name="a report.pdf", maxBytes=len(PDF))
    made = answer.json
    same("a ticket is made for 15 minutes, and is the upload in Location",
         (answer.status, answer.headers["Location"], made["maxBytes"], made["name"]),
         (201, f"/api/v1/uploads/{made['uploadId']}", len(PDF), "a report.pdf"))
    length = [time.strptime(made[name][:19], "%Y-%m-%dT%H:%M:%S") for name in ("createdAt", "expiresAt")]
    same("the ticket's time is 15 minutes", time.mktime(length[1]) - time.mktime(length[0]), 900)
    ok("the ticket's address has at least 128 bits that nobody can guess",
       len(urllib.parse.parse_qs(urllib.parse.urlsplit(made["url"]).query)["signature"][0]) >= 32, made["url"])
    same("the ticket is listed", listed(server, key), [made["uploadId"]])
    ok("the list has no address", "signature" not in server.request("GET", "/api/v1/uploads/tickets", key).body.decode())
    same("its upload waits", [server.request("GET", f"/api/v1/uploads/{made['uploadId']}", key).json[name]
                              for name in ("offset", "complete", "expiresAt")], [0, False, made["expiresAt"]])
    same("a job cannot use it before the file is here", rotate(server, key, made["uploadId"])["error"], "upload_not_complete")
    same("pieces of a ticket's upload are refused", patch(server, key, made["uploadId"], 0, b"x").error, "invalid_request")
    answer = put(server, made, PDF)
    same("PUT without a key takes the file", (answer.status, answer.json["size"], answer.json["kind"]), (201, len(PDF), "pdf"))
    same("a job uses the file", (lambda job: (job["status"], job["outputFile"]))(rotate(server, key, made["uploadId"])),
         ("completed", "a report-rotate.pdf"))
    same("a ticket that was used is not listed", listed(server, key), [])
    ok("the upload is kept as long as others", server.request("GET", f"/api/v1/uploads/{made['uploadId']}", key)
       .json["expiresAt"] > made["expiresAt"])
    same("it takes no second file", (lambda a: (a.status, a.error))(put(server, made, PDF)), (409, "ticket_used"))
    same("its upload can be deleted", server.request("DELETE", f"/api/v1/uploads/{made['uploadId']}", key).status, 204)
    same("no file of it is left", blobs(server, made["uploadId"]), [])
    return made


def check_form(server, key):
    made = ticket(server, key).json
    same("without a limit a ticket takes 100 MB", made["maxBytes"], 100 << 20)
    for what, files, fields, code in (
            ("without a file", [], [], "missing_field"), ("with an empty file", [("a.pdf", b"")], [], "invalid_request"),
            ("with two files", [("a.pdf", PDF), ("b.pdf", PDF)], [], "too_many_files"),
            ("with a field", [("a.pdf", PDF)], [("x", "1")], "invalid_request")):
        same(f"a form {what} is refused", post(server, made, files, fields).error, code)
    answer = server.request("POST", path_of(made), None, {"Content-Type": "text/plain"}, PDF)
    same("POST of something else is refused", answer.status, 415)
    answer = post(server, made, [("../of my phone.pdf", PDF)])
    same("the form of a browser is taken, with the file's name", (answer.status, answer.json["name"], answer.json["size"]),
         (201, "of my phone.pdf", len(PDF)))
    same("a job uses the file of the form", rotate(server, key, made["uploadId"])["status"], "completed")


def check_wrong(server, key, deleted):
    same("a ticket whose upload was deleted is revoked", (lambda a: (a.status, a.error))(put(server, deleted, PDF)),
         (410, "ticket_revoked"))
    made = ticket(server, key, maxBytes=len(PDF) - 1).json
    path = path_of(made)
    for what, wrong in (("without a signature", path.split("&")[0]), ("without anything", path.split("?")[0]),
                        ("with another letter", path[:-1] + ("0" if path[-1] != "0" else "1")),
                        ("with a longer time", path.replace("expires=", "expires=9")),
                        ("of another upload", path.replace(made["uploadId"], deleted["uploadId"])),
                        ("without an id", path.replace(made["uploadId"], "x"))):
        answer = put(server, made, PDF, path=wrong)
        same(f"an address {what} is refused", (answer.status, answer.error), (403, "invalid_ticket"))
    answer = put(server, made, PDF)
    same("a file that is too large is refused", (answer.status, answer.error), (413, "file_too_large"))
    connection = server.connect()
    connection.request("PUT", path, iter([PDF[:100], PDF[100:]]), encode_chunked=True, headers={"Transfer-Encoding": "chunked"})
    same("one whose length is not announced is refused, too", json.loads(connection.getresponse().read())["error"], "file_too_large")
    same("a form with a file that is too large is refused", post(server, made, [("a.pdf", PDF)]).error, "file_too_large")
    same("an empty file is refused", put(server, made, b"").error, "invalid_request")
    same("a packed file is refused", put(server, made, PDF[:9], {"Content-Encoding": "gzip"}).status, 415)
    same("the ticket is still there", listed(server, key), [made["uploadId"]])
    same("DELETE of its upload revokes it", server.request("DELETE", f"/api/v1/uploads/{made['uploadId']}", key).status, 204)
    same("a revoked ticket takes no file", put(server, made, PDF[:9]).error, "ticket_revoked")
    same("GET of an address is not a way", server.request("GET", path).status, 405)


def check_refusals(server, key):
    for what, form, code in (("of nothing", {"maxBytes": 0}, "invalid_ticket_size"), ("of too much", {"maxBytes": 10**15}, "file_too_large"),
                             ("with an unknown field", {"size": 1}, "invalid_request"), ("with a text", {"maxBytes": "9"}, "invalid_request")):
        same(f"a ticket {what} is refused", ticket(server, key, **form).error, code)
    same("a ticket needs a key", ticket(server, None).error, "missing_api_key")
    same("a list of tickets needs a key", server.request("GET", "/api/v1/uploads/tickets").error, "missing_api_key")
    other = server.key(name="other")
    made = ticket(server, key, maxBytes=9).json
    same("another account does not see it", listed(server, other), [])
    same("nor can it revoke it", server.request("DELETE", f"/api/v1/uploads/{made['uploadId']}", other).error, "upload_not_found")
    server.request("DELETE", f"/api/v1/uploads/{made['uploadId']}", key)


def check_limits():
    server = Server("--kept-uploads", "2", "--kept-upload-bytes", "1000")
    key = server.key()
    first = ticket(server, key, maxBytes=600).json
    same("a ticket counts with its limit", ticket(server, key, maxBytes=401).error, "too_many_uploads")
    put(server, first, b"x" * 10)
    same("the file counts with its own size", ticket(server, key, maxBytes=990).status, 201)
    same("tickets count as uploads", ticket(server, key, maxBytes=1).error, "too_many_uploads")
    same("also where files are sent in pieces", begin(server, key, "a", 1).error, "too_many_uploads")
    server.close()


def check_race(server, key):
    """Files for one ticket at the same time: one is kept, whole."""
    made = ticket(server, key, maxBytes=1 << 20).json
    # All have their headers checked before one of them is whole, or the others would be refused at once.
    files = [bytes([65 + i]) * 200000 for i in range(4)]
    connections = []
    for data in files:
        connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=60)
        connection.putrequest("PUT", path_of(made))
        connection.putheader("Content-Length", str(len(data)))
        connection.endheaders(data[:100000])
        connections.append(connection)
    answers = [None] * len(files)

    def finish(i):
        connections[i].send(files[i][100000:])
        answers[i] = connections[i].getresponse()
        answers[i].read()

    threads = [threading.Thread(target=finish, args=(i,)) for i in range(len(files))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    statuses = sorted(answer.status for answer in answers)
    same("of several files at the same time one is taken", statuses, [201, 409, 409, 409])
    kept = blobs(server, made["uploadId"])
    same("one file is stored", len(kept), 1)
    winner = files[[answer.status for answer in answers].index(201)]
    found = [os.path.join(folder, kept[0]) for folder, _, names in os.walk(os.path.join(server.data, "d", "blobs")) if kept[0] in names]
    same("it is the one that was answered 201", open(found[0], "rb").read() == winner, True)


def check_crash(server, key):
    done_one, cut = ticket(server, key, maxBytes=1 << 20).json, ticket(server, key, maxBytes=1 << 20).json
    same("a file is taken", put(server, done_one, PDF).status, 201)
    connection = server.connect()
    connection.putrequest("PUT", path_of(cut))
    connection.putheader("Content-Length", "200000")
    connection.endheaders(b"%PDF-1.4" + b"x" * 100000)
    server.kill()
    server.start()
    same("a file that was answered 201 is there after kill -9", rotate(server, key, done_one["uploadId"])["status"], "completed")
    same("its ticket is used after kill -9", put(server, done_one, PDF).error, "ticket_used")
    same("a ticket whose file was cut off takes it again", put(server, cut, PDF).status, 201)
    same("and a job uses it", rotate(server, key, cut["uploadId"])["status"], "completed")


def check_pages(server, key):
    """A page of any origin may send the file, for which it needs nothing but the address."""
    made = ticket(server, key).json
    headers = {"Origin": "https://shop.example", "Access-Control-Request-Method": "PUT"}
    answer = server.request("OPTIONS", path_of(made), None, headers)
    same("a page of any origin may PUT to a ticket's address", (answer.status, answer.headers["Access-Control-Allow-Origin"]), (204, "*"))
    ok("PUT is among the methods", "PUT" in answer.headers["Access-Control-Allow-Methods"])
    answer = put(server, made, PDF, {"Origin": "https://shop.example"})
    same("and read the answer", (answer.status, answer.headers["Access-Control-Allow-Origin"]), (201, "*"))
    answer = server.request("POST", "/api/v1/uploads/tickets", key, {**JSON, "Origin": "https://shop.example"}, "{}")
    same("but no page of another origin makes tickets", answer.headers["Access-Control-Allow-Origin"], None)


def check_scopes(server, key):
    account = server.request("POST", "/api/v1/account/keys", key, JSON, json.dumps({"name": "s", "scope": "submit"})).json["key"]
    made = ticket(server, account).json
    put(server, made, PDF)
    same("a key that may submit makes tickets, and uses their files", rotate(server, account, made["uploadId"])["status"], "completed")
    reader = server.request("POST", "/api/v1/account/keys", key, JSON, json.dumps({"name": "r", "scope": "read"})).json["key"]
    same("a key that may only read makes none", ticket(server, reader).error, "outside_scope")


def check_expiry():
    """A ticket's time is over, by a clock that is set."""
    data = tempfile.mkdtemp()
    clock = os.path.join(data, "clock")

    def set_ahead(ms):
        with open(clock, "wb") as file:
            file.write(struct.pack("q", ms))

    set_ahead(0)
    server = Server(env={"LD_PRELOAD": sys.argv[2], "CLOCK_SHIM": clock})
    key = server.key()
    made, begun = ticket(server, key).json, ticket(server, key).json
    sending = socket.create_connection(("127.0.0.1", server.port), timeout=60)
    sending.sendall(f"PUT {path_of(begun)} HTTP/1.1\r\nHost: x\r\nContent-Length: {len(PDF)}\r\nExpect: 100-continue\r\n\r\n".encode())
    same("a file may be sent while the time lasts", sending.recv(12), b"HTTP/1.1 100")
    set_ahead(901000)
    same("a ticket takes no file after its time", (lambda a: (a.status, a.error))(put(server, made, PDF)), (410, "ticket_expired"))
    same("it is not listed any more", listed(server, key), [])
    sending.sendall(PDF)
    answer = b""
    while b"uploadId" not in answer and (more := sending.recv(65536)):
        answer += more
    ok("a file whose sending began in time is taken", b"HTTP/1.1 201" in answer, answer)
    set_ahead(1801000)
    same("a ticket that was forgotten is still one whose time is over", put(server, made, PDF).error, "ticket_expired")
    server.close()
    shutil.rmtree(data)


def main():
    server = Server()
    key = server.key()
    deleted = check_use(server, key)
    check_form(server, key)
    check_wrong(server, key, deleted)
    check_refusals(server, key)
    check_race(server, key)
    check_pages(server, key)
    check_scopes(server, key)
    check_crash(server, key)
    secret = urllib.parse.parse_qs(urllib.parse.urlsplit(deleted["url"]).query)["signature"][0]
    ok("the log has no address of a ticket", secret not in server.logs() and "signature=" not in server.logs())
    found = [name for folder, _, names in os.walk(server.data) for name in names
             if secret.encode() in open(os.path.join(folder, name), "rb").read()]
    same("nor has any file of the server", found, [])
    server.close()
    check_limits()
    check_expiry()
    done()


main()
