"""?dryRun=true: everything is judged, nothing is spent and nothing is left."""

import contextlib
import json
import os
import subprocess
import tempfile
import threading

from platen import DRAWS, Server, done, jobs_of, multipart, ok, pdf, same, until


def ask(server, key, tool, files, fields=(), query="dryRun=true", headers=None, **more):
    body, kind = multipart(files, fields, **more)
    return server.request("POST", f"/api/v1/tools/pdf/{tool}?{query}", key,
                          {"Content-Type": kind, **(headers or {})}, body)


def locked(data, password):
    with tempfile.TemporaryDirectory() as folder:
        source, out = os.path.join(folder, "a"), os.path.join(folder, "b")
        with open(source, "wb") as file:
            file.write(data)
        subprocess.run(["qpdf", "--encrypt", password, "owner", "256", "--", source, out],
                       check=True)
        with open(out, "rb") as file:
            return file.read()


def codes(report):
    return [(p["code"], p.get("file")) for p in report["problems"]]


def check_report(server, key):
    answer = ask(server, key, "rotate", [("report.pdf", pdf(4))], {"degrees": "90"})
    report = answer.json
    same("a dry run is answered 200", answer.status, 200)
    same("it says that it is one", (report["dryRun"], report["tool"]), (True, "rotate"))
    same("that the job could be done", (report["ok"], report["problems"]), (True, []))
    same("how many pages there are", (report["pages"], report["files"][0]["pages"]), (4, 4))
    same("that no password is needed", report["passwordRequired"], False)
    same("what its files are", report["files"][0], {
        "name": "report.pdf", "bytes": len(pdf(4)), "kind": "pdf", "pages": 4, "encrypted": False,
        "passwordRequired": False, "damaged": False, "signed": False})
    same("and what it would take", report["quota"], {
        "requests": 1, "bytes": len(pdf(4)), "requestsRemaining": 50000,
        "bytesRemaining": 2000000000, "sufficient": True})
    same("X-RateLimit-Remaining is what it was", answer.headers["X-RateLimit-Remaining"], "50000")
    same("there is no Location", answer.headers["Location"], None)


def check_addresses(server, key):
    """The same report at both addresses."""
    def of(path):
        body, kind = multipart([("report.pdf", pdf(4))], {"degrees": "90"})
        return server.request("POST", f"/api/v1/tools/pdf/rotate{path}", key, {"Content-Type": kind},
                              body)

    report = of("/dry-run")
    same("the address of dry runs answers 200", report.status, 200)
    for query in ("?dryRun=true", "?dryRun=1"):
        same(f"it answers what {query} does", (of(query).status, of(query).json),
             (200, report.json))
    same("it takes no query", of("/dry-run?wait=3").error, "unknown_field")
    before = len(server.request("GET", "/api/v1/jobs", key).json["jobs"])
    of("/dry-run")
    same("it makes no job", len(server.request("GET", "/api/v1/jobs", key).json["jobs"]), before)


def check_problems(server, key):
    data = locked(pdf(2), "hush")
    report = ask(server, key, "merge", [("a.pdf", pdf(1)), ("b.pdf", data)]).json
    same("a password that is missing is told, with the file",
         (report["ok"], report["passwordRequired"], codes(report)),
         (False, True, [("password_required", 2)]))
    report = ask(server, key, "rotate", [("b.pdf", data)],
                 {"degrees": "90", "inputPassword": "loud"}).json
    same("so is a wrong one", (report["passwordRequired"], codes(report)),
         (True, [("wrong_password", 1)]))
    report = ask(server, key, "rotate", [("b.pdf", data)],
                 {"degrees": "90", "inputPassword": "hush"}).json
    same("the right one opens it", (report["ok"], report["pages"], report["passwordRequired"],
                                    report["files"][0]["encrypted"]), (True, 2, False, True))
    report = ask(server, key, "remove-password", [("b.pdf", data)], {"password": "hush"}).json
    same("remove-password's too", (report["ok"], report["pages"]), (True, 2))
    report = ask(server, key, "remove-password", [("b.pdf", data)], {"inputPassword": "hush"}).json
    same("by its other name", (report["ok"], report["pages"]), (True, 2))
    report = ask(server, key, "rotate", [("a.pdf", pdf(3))], {"degrees": "90", "pages": "5"}).json
    same("pages that are not there", codes(report), [("page_out_of_range", 1)])
    same("with their field", report["problems"][0]["field"], "pages")
    broken = b"%PDF-1.7\nnothing that could be saved"
    report = ask(server, key, "rotate", [("a.pdf", broken)], {"degrees": "90"}).json
    same("a file beyond repair", (report["ok"], codes(report)), (False, [("corrupt_file", 1)]))
    report = ask(server, key, "rotate", [("a.pdf", pdf(2).replace(b"startxref", b"startxxxx"))],
                 {"degrees": "90"}).json
    same("one that is damaged and can be used", (report["ok"], report["files"][0]["damaged"]),
         (True, True))


def check_refusals(server, key):
    answer = ask(server, key, "rotate", [("a.pdf", pdf())], {"degrees": "91"})
    same("what a submission refuses a dry run does too",
         (answer.status, answer.error, answer.json["field"]), (400, "invalid_parameter", "degrees"))
    same("an unknown tool", ask(server, key, "fold", [("a.pdf", pdf())]).error, "unknown_tool")
    same("one that only the server has", ask(server, key, "inspect", [("a.pdf", pdf())]).error,
         "unknown_tool")
    same("a file of the wrong kind", ask(server, key, "rotate", [("a.pdf", b"text")],
                                         {"degrees": "90"}).error, "unsupported_file_type")
    same("dryRun itself is judged",
         ask(server, key, "rotate", [("a.pdf", pdf())], {"degrees": "90"}, "dryRun=maybe").error,
         "invalid_parameter")
    same("dryRun=false is a submission",
         ask(server, key, "rotate", [("a.pdf", pdf())], {"degrees": "90"}, "dryRun=false").status,
         202)
    same("without a key there is none", ask(server, None, "rotate", [("a.pdf", pdf())],
                                            {"degrees": "90"}).status, 401)


def check_nothing_spent(server):
    key = server.key()
    for _ in range(3):
        ask(server, key, "rotate", [("a.pdf", pdf())], {"degrees": "90"},
            headers={"Idempotency-Key": "same"})
    usage = server.request("GET", "/api/v1/usage", key).json
    same("no request and no byte is counted", (usage["requests"]["used"], usage["data"]["used"]),
         (0, 0))
    same("no job is made", server.request("GET", "/api/v1/jobs", key).json["jobs"], [])
    same("no file is left", server.blobs(), [])
    answer = ask(server, key, "rotate", [("a.pdf", pdf())], {"degrees": "90"}, "",
                 headers={"Idempotency-Key": "same"})
    same("and the idempotency key is free", (answer.status,
                                             answer.headers["Idempotent-Replayed"]), (202, None))
    server.wait(answer.json["jobId"], key)
    server.request("DELETE", f"/api/v1/jobs/{answer.json['jobId']}", key)


def check_used_up():
    with tempfile.NamedTemporaryFile("w", suffix=".ini") as config:
        config.write("[plan tiny]\nrequests_per_month = 1\nbytes_per_month = 1M\n")
        config.flush()
        server = Server("--config", config.name)
        key = server.key("tiny")
        report = ask(server, key, "rotate", [("a.pdf", pdf(1, pad=1000000))],
                     {"degrees": "90"}).json
        same("a file beyond the month's data is told", (report["ok"],
                                                        report["quota"]["sufficient"]),
             (False, False))
        server.run("rotate", [("a.pdf", pdf())], key, {"degrees": "90"})
        report = ask(server, key, "rotate", [("a.pdf", pdf())], {"degrees": "90"}).json
        same("so is a month that is used up", (report["ok"], report["quota"]["sufficient"],
                                               report["quota"]["requestsRemaining"]),
             (False, False, 0))
        server.close()


def check_office(server, key):
    rtf = rb"{\rtf1\ansi{\fonttbl{\f0 Nonexistent Sans;}}\f0 Hello\page Bye}"
    report = ask(server, key, "word-to-pdf", [("a.rtf", rtf)]).json
    same("an office document has its pages", (report["ok"], report["pages"]), (True, 2))
    ok("and the fonts that are missing", any(
        w["code"] == "missing_fonts" and "Nonexistent Sans" in w["message"]
        for w in report["warnings"]), report)
    for kind, tool in (("docx", "word"), ("xlsx", "excel"), ("pptx", "ppt")):
        with open(os.path.join(os.environ["SAMPLES"], "office", f"plain.{kind}"), "rb") as sample:
            report = ask(server, key, f"{tool}-to-pdf", [("a.bin", sample.read())]).json
        same(f"a {kind} is called so, not zip", report["files"][0]["kind"], kind)
    report = ask(server, key, "word-to-pdf", [("a.docx", b"PK\3\4" + bytes(200))]).json
    same("a ZIP that is none of them is one", report["files"][0]["kind"], "zip")
    same("or says what is wrong with it", (report["ok"], codes(report)),
         (False, [("corrupt_file", 1)]))


def check_others(server, key):
    made = server.run("rotate", [("a.pdf", pdf(3))], key, {"degrees": "90"})
    report = ask(server, key, "rotate", [], {"file": f"job:{made['jobId']}", "degrees": "90"}).json
    same("earlier results can be looked at", (report["pages"], report["quota"]["bytes"]), (3, 0))
    report = ask(server, key, "sign", [("a.pdf", pdf(2))],
                 {"signerName": "Ann", "certificate": f"job:{made['jobId']}"}).json
    same("as the file of a parameter too", (report["pages"], report["quota"]["bytes"]),
         (2, len(pdf(2))))
    steps = json.dumps([{"tool": "rotate", "params": {"degrees": 90, "pages": "8"}},
                        {"tool": "page-numbers", "params": {"position": "1"}}])
    report = ask(server, key, "pipeline", [("a.pdf", pdf(3))], {"steps": steps}).json
    same("a pipeline's first step is judged",
         (report["tool"], report["pages"], codes(report)),
         ("pipeline", 3, [("page_out_of_range", 1)]))
    def pipeline(*list_, files=(("a.pdf", pdf(3)),)):
        said = ask(server, key, "pipeline", list(files), {"steps": json.dumps(
            [{"tool": tool, "params": params} for tool, params in list_])}).json
        return [(p["code"], p.get("field"), p.get("file")) for p in said["problems"]]

    turn, numbered = {"degrees": 90}, ("page-numbers", {"position": "1"})
    same("so are those after it, while pages stay as they are", pipeline(
        numbered, ("rotate", {**turn, "pages": "2"}), ("rotate", {**turn, "pages": "4"})),
        [("page_out_of_range", "steps[2].pages", 1)])
    same("for each file", pipeline(
        numbered, ("rotate", {**turn, "pages": "2"}),
        files=[("a.pdf", pdf(3)), ("b.pdf", pdf(1)), ("c.pdf", pdf(2))]),
        [("page_out_of_range", "steps[1].pages", 2)])
    two = [("a.pdf", pdf(3)), ("b.pdf", pdf(2))]
    same("and for all of them once they are one", pipeline(
        ("merge", {}), ("rotate", {**turn, "pages": "5"}), ("rotate", {**turn, "pages": "6"}),
        files=two), [("page_out_of_range", "steps[2].pages", None)])
    same("of what a split gives nothing is said", pipeline(
        ("split", {"every": 1}), ("rotate", {**turn, "pages": "2"})), [])
    if not DRAWS:
        return
    png = server.run("to-png", [("a.pdf", pdf(1))], key, {"dpi": "50"})
    report = ask(server, key, "jpg-to-pdf", [], {"files": f"job:{png['jobId']}"}).json
    same("pictures are pages", (report["ok"], report["pages"], report["files"][0]["kind"]),
         (True, 1, "png"))


def check_bounds():
    """Ten at a time of one key: no more than four are looked at, and none holds up a job."""
    server = Server("--dry-runs", "1")
    key, other = server.key(), server.key()
    answers = []
    files = [(f"{i}.pdf", pdf(300, pad=100)) for i in range(40)]
    threads = [threading.Thread(target=lambda: answers.append(ask(server, key, "merge", files)))
               for _ in range(10)]
    for thread in threads:
        thread.start()
    job = server.run("rotate", [("a.pdf", pdf())], other, {"degrees": "90"})
    same("a job of another key is done meanwhile", job.get("status"), "completed")
    for thread in threads:
        thread.join()
    statuses = [answer.status for answer in answers]
    ok("each is answered 200 or 429, and some are", set(statuses) <= {200, 429} and
       statuses.count(200) >= 4, statuses)
    ok("429 is too_many_jobs with Retry-After", all(
        a.error == "too_many_jobs" and a.headers["Retry-After"] for a in answers
        if a.status == 429))
    same("afterwards there is room again",
         ask(server, key, "rotate", [("a.pdf", pdf())], {"degrees": "90"}).status, 200)
    same("the server stops in order", server.close(), 0)


def check_stop():
    """A stop does not wait for those that are under way."""
    server = Server("--dry-runs", "1", "--dry-run-timeout", "10m")
    key = server.key()
    answers = []
    files = [(f"{i}.pdf", pdf(3000)) for i in range(60)]

    def look():
        with contextlib.suppress(OSError):  # the server was gone before it could ask
            answers.append(ask(server, key, "merge", files))

    threads = [threading.Thread(target=look) for _ in range(3)]
    ask(server, key, "rotate", [("a.pdf", pdf())], {"degrees": "90"})  # the contract is here now
    # LibreOffice's trial of itself is over: a job's process is then a dry run's.
    until(lambda: server.request("GET", "/readyz").status == 200 and not jobs_of(server))
    for thread in threads:
        thread.start()
    until(lambda: jobs_of(server))
    same("the server stops in order, long before a dry run must end", server.stop(), 0)
    for thread in threads:
        thread.join()
    ok("those under way are answered", answers and {answer.status for answer in answers} <= {200, 503},
       [answer.status for answer in answers])
    server.close()


def check_time():
    server = Server("--dry-run-timeout", "1ms")
    key = server.key()
    report = ask(server, key, "merge", [(f"{i}.pdf", pdf(200)) for i in range(30)]).json
    same("an inspection that takes too long says so", (report["ok"], codes(report)),
         (False, [("limit_exceeded", None)]))
    server.close()


def main():
    server = Server("--dry-run-timeout", "2m")
    try:
        key = server.key()
        check_report(server, key)
        check_addresses(server, key)
        check_problems(server, key)
        check_nothing_spent(server)
        check_refusals(server, key)
        check_office(server, key)
        check_others(server, key)
    finally:
        server.close()
    check_used_up()
    check_bounds()
    check_time()
    check_stop()
    done()


main()
