"""People without an account, where web = open."""

import json
import os
import subprocess

from platen import DEADLINE, PLATEN, Server, done, ok, pdf, same, slow_job, until, without_office
from uploads_client import PIECE

without_office()

SESSION = "/api/v1/session"
PAGE = {"Platen-Page": "1"}


def enter(server, headers=None):
    """The headers of a visitor's page, or the refusal."""
    answer = server.request("POST", SESSION, headers={**PAGE, **(headers or {})})
    if answer.status != 204:
        return answer
    return {**PAGE, "Cookie": answer.headers["Set-Cookie"].split(";")[0]}


def job_of(server, visitor):
    answer = server.submit("rotate", [("a.pdf", pdf(2))], None, {"degrees": "90"}, headers=visitor)
    return answer.json["jobId"] if answer.status == 202 else answer.error


def check_session(server):
    same("a browser without a cookie has no session", server.request("GET", SESSION).json,
         {"mode": "open", "signedIn": False, "visitor": False, "operator": True})
    same("a request without Platen-Page cannot begin a session",
         server.request("POST", SESSION).status, 401)
    answer = server.request("POST", SESSION, headers=PAGE)
    cookie = answer.headers["Set-Cookie"] or ""
    ok("the page begins a session, with a cookie that is HttpOnly and SameSite=Strict",
       answer.status == 204 and all(
        word in cookie for word in ("HttpOnly", "SameSite=Strict", "Path=/")), cookie)
    anna = {**PAGE, "Cookie": cookie.split(";")[0]}
    shown = server.request("GET", SESSION, headers=anna).json
    same("the session's answer says that it is a visitor's",
         (shown["signedIn"], shown["visitor"], shown["plan"]), (True, True, "visitor"))
    usage = server.request("GET", "/api/v1/usage", headers=anna).json
    same("a visitor's limits are those of the plan visitor",
         (usage["requests"]["limit"], usage["data"]["limit"]), (5, 1000000))
    again = server.request("POST", SESSION, headers=anna)
    same("beginning a session again keeps the same key",
         again.headers["Set-Cookie"].split(";")[0], anna["Cookie"])
    return anna


def check_apart(server, anna, ben):
    job = job_of(server, anna)
    same("a visitor's job is completed",
         server.request("GET", f"/api/v1/jobs/{job}?wait=30", headers=anna).json["status"],
         "completed")
    answer = server.request("POST", "/api/v1/uploads", headers={**anna, "Content-Type": "application/json"},
                            body='{"name":"a.pdf","size":10}')
    upload = answer.json["uploadId"]
    for what, path in (("job", f"/api/v1/jobs/{job}"), ("upload", f"/api/v1/uploads/{upload}"),
                       ("pages", f"/api/v1/jobs/{job}/pages/1.webp"), ("document", f"/api/v1/jobs/{job}/document")):
        same(f"another visitor cannot see the {what}",
             server.request("GET", path, headers=ben).status, 404)
    same("another visitor cannot delete the job",
         server.request("DELETE", f"/api/v1/jobs/{job}", headers=ben).status, 404)
    same("another visitor cannot delete the upload",
         server.request("DELETE", f"/api/v1/uploads/{upload}", headers=ben).status, 404)
    same("another visitor's list does not have the job",
         server.request("GET", "/api/v1/jobs", headers=ben).json["jobs"], [])
    same("the cookie without Platen-Page cannot delete the job", server.request(
        "DELETE", f"/api/v1/jobs/{job}", headers={"Cookie": anna["Cookie"]}).status, 401)
    answer = server.request("POST", "/api/v1/uploads", headers={**anna, "Content-Type": "application/json"},
                            body='{"size":1000000}')
    same("a visitor's uploads are limited to the plan's bytes", answer.error, "too_many_uploads")


def check_bounds(server, anna):
    third = enter(server)
    ok("a third session from one address is accepted", "Cookie" in third)
    refused = enter(server)
    same("a fourth session from one address is refused",
         (refused.status, refused.error), (429, "too_many_sessions"))
    ends = [job_of(server, third) for _ in range(6)]
    same("a visitor is limited to the plan's requests", ends[5], "quota_exceeded")
    ends = [job_of(server, anna) for _ in range(6)]
    same("the jobs of all sessions from one address are limited", ends[-1], "too_many_jobs")
    same("an account's jobs do not count towards the limit of an address", server.submit(
        "rotate", [("a.pdf", pdf(2))], server.key(), {"degrees": "90"}).status, 202)


def check_erasure():
    """Nothing of a visitor is left: files go after visitor_retention, the account when its session has ended."""
    for seconds in (4, 16, 64):  # on a busy machine the first file may be over before the last has come
        server = Server("--web", "open", "--visitor-session", f"{2 * seconds}s", "--visitor-retention", f"{seconds}s")
        anna = enter(server)
        job = server.submit("rotate", [("secret name.pdf", pdf(2, pad=300000))], None, {"degrees": "90"},
                            headers=anna).json.get("jobId", "none")
        done_ = server.request("GET", f"/api/v1/jobs/{job}?wait=30", headers=anna).json
        upload = server.request("POST", "/api/v1/uploads", headers={**anna, "Content-Type": "application/json"},
                                body='{"name":"secret.pdf","size":400000}').json.get("uploadId", "none")
        server.request("PATCH", f"/api/v1/uploads/{upload}", headers={**anna, "Content-Type": PIECE, "Upload-Offset": "0"},
                       body=b"x" * 300000)
        blobs = server.blobs()
        kept = any(job in name for name in blobs) and any(upload in name for name in blobs)
        if kept:
            break
        server.close()
    same("a second visitor's job is completed", done_.get("status"), "completed")
    ok("a visitor's files are kept until they expire", kept, blobs)
    ok("a visitor's files are deleted when they expire", until(lambda: not server.blobs(), seconds + DEADLINE), server.blobs())
    ok("a visitor's session expires", until(lambda: server.request("GET", "/api/v1/usage", headers=anna).status == 401, seconds + DEADLINE))
    server.stop()
    server.start()
    listed = lambda: json.loads(subprocess.run([PLATEN, "key", "list", "--json", "--data", os.path.join(server.data, "d")],
                                               capture_output=True, text=True, check=True).stdout)
    ok("an expired visitor's account is deleted",
       until(lambda: not listed()["keys"] if isinstance(listed(), dict) else not listed()), listed())
    server.close()


def check_leaving():
    """Who ends a visit leaves nothing, at once; a forged request ends nothing."""
    server = Server("--web", "open", "--visitor-requests", "300", "--visitor-jobs", "200", "--visitor-jobs-per-hour", "500")
    anna, ben = enter(server), enter(server)
    for visitor in (anna, ben):
        visitor["job"] = server.submit("rotate", [("secret name.pdf", pdf(2, pad=300000))], None, {"degrees": "90"},
                                       headers=visitor).json["jobId"]
        server.request("GET", f"/api/v1/jobs/{visitor['job']}?wait=30", headers=visitor)
        visitor["upload"] = server.request("POST", "/api/v1/uploads", headers={**visitor, "Content-Type": "application/json"},
                                           body='{"name":"secret.pdf","size":400000}').json["uploadId"]
        server.request("PATCH", f"/api/v1/uploads/{visitor['upload']}",
                       headers={**visitor, "Content-Type": PIECE, "Upload-Offset": "0"}, body=b"x" * 300000)
    tool, data, fields = slow_job(60, dpi=600)
    running = server.submit(tool, [("long.pdf", data)], None, fields, headers=anna).json["jobId"]
    for _ in range(105):  # more than are erased in one round
        job_of(server, anna)
    same("DELETE of the session without Platen-Page answers 204", server.request(
        "DELETE", SESSION, headers={"Cookie": anna["Cookie"]}).status, 204)
    same("DELETE of the session without Platen-Page does not end the visitor's account",
         server.request("GET", "/api/v1/usage", headers=anna).status, 200)
    answer = server.request("DELETE", SESSION, headers=anna)
    same("DELETE of the session with Platen-Page removes the cookie",
         (answer.status, "Max-Age=0" in (answer.headers["Set-Cookie"] or "")), (204, True))
    same("DELETE of the session with Platen-Page ends the visitor's key",
         server.request("GET", "/api/v1/usage", headers=anna).status, 401)
    of = lambda visitor: [name for name in server.blobs() if visitor["job"] in name or visitor["upload"] in name]
    same("the files of a visitor who left are deleted at once", of(anna), [])
    ok("the files of other visitors are kept", len(of(ben)) >= 2, server.blobs())
    ok("no file of a job that ran when the visitor left remains",
       until(lambda: not any(running in name for name in server.blobs())), server.blobs())
    same("only the other visitor's files remain", sorted(server.blobs()), sorted(of(ben)))
    listed = json.loads(subprocess.run([PLATEN, "key", "list", "--json", "--data", os.path.join(server.data, "d")],
                                       capture_output=True, text=True, check=True).stdout)
    same("the account of a visitor who left is deleted",
         len(listed["keys"] if isinstance(listed, dict) else listed), 1)
    same("DELETE of a session with an account's key does not end the key",
         (lambda key: (server.request(
        "DELETE", SESSION, key, PAGE).status, server.request("GET", "/api/v1/usage", key).status))(server.key()), (204, 200))
    server.close()


def check_addresses():
    """What one address, and the networks that it is in, may do in an hour."""
    server = Server("--web", "open", "--visitor-sessions", "3", "--visitor-data-per-hour", "300k", "--trusted-proxies", "127.0.0.1")

    def at(address):
        return {"X-Forwarded-For": address}

    entered = [isinstance(enter(server, at(f"2001:db8:0:{n:x}::1")), dict) for n in range(20)]
    same("sessions from networks of one /56 count together", sum(entered), 6)
    entered = [isinstance(enter(server, at(f"2001:db8:1:{n:x}00::1")), dict) for n in range(60)]
    same("sessions from networks of one /48 count together", sum(entered), 24)
    ok("another network has its own", isinstance(enter(server, at("2001:db8:2::1")), dict))
    first, second = (enter(server, at("192.0.2.7")) for _ in range(2))
    sent = [server.submit("rotate", [("a.pdf", pdf(1, pad=100000))], None, {"degrees": "90"},
                          headers={**visitor, **at("192.0.2.7")}) for visitor in (first, second, first)]
    same("bytes of all sessions of an address count together", [answer.status for answer in sent], [202, 202, 429])
    upload = server.request("POST", "/api/v1/uploads", headers={**second, **at("192.0.2.7"), "Content-Type": "application/json"},
                            body='{"name":"a.pdf","size":200000}')
    same("those of uploads do, too", upload.status, 429)
    other = enter(server, at("192.0.2.8"))
    refused = server.submit("rotate", [("a.pdf", pdf())], None, {"degrees": "90", "callbackUrl": "https://example.com/"},
                            headers={**other, **at("192.0.2.8")})
    same("a visitor gets no webhook", (refused.status, refused.error), (400, "invalid_parameter"))
    two = {**other, "Cookie": other["Cookie"] + "; " + first["Cookie"]}
    same("a request with two cookies of a session has none", server.request("GET", "/api/v1/usage", headers=two).status, 401)
    server.close()


def main():
    check_addresses()
    server = Server("--web", "open", "--visitor-requests", "5", "--visitor-data", "1M", "--visitor-jobs", "50",
                    "--visitor-sessions", "3", "--visitor-jobs-per-hour", "9")
    anna = check_session(server)
    ben = enter(server)
    check_apart(server, anna, ben)
    check_bounds(server, anna)
    server.stop()
    server.options = ("--web", "key")
    server.start()
    same("with web = key a visitor's earlier key is refused",
         server.request("GET", "/api/v1/usage", headers=anna).status, 401)
    same("with web = key a visitor cannot begin a session", enter(server).status, 401)
    server.close()
    server = Server("--web", "open", "--visitor-session", "1s")
    anna = enter(server)
    ok("a visitor's key expires after visitor_session",
       until(lambda: server.request("GET", "/api/v1/usage", headers=anna).status == 401))
    server.close()
    check_erasure()
    check_leaving()
    done()


main()
