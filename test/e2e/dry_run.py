"""?dryRun=true: everything is checked, no quota is used and nothing is stored."""

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
    same("the report has dryRun and the tool", (report["dryRun"], report["tool"]), (True, "rotate"))
    same("the report says that the job could be done",
         (report["ok"], report["problems"]), (True, []))
    same("the report counts the pages", (report["pages"], report["files"][0]["pages"]), (4, 4))
    same("the report says that no password is needed", report["passwordRequired"], False)
    same("the report describes each file", report["files"][0], {
        "name": "report.pdf", "bytes": len(pdf(4)), "kind": "pdf", "pages": 4, "encrypted": False,
        "passwordRequired": False, "damaged": False, "signed": False})
    same("the report says what quota the job would use", report["quota"], {
        "requests": 1, "bytes": len(pdf(4)), "requestsRemaining": 50000,
        "bytesRemaining": 2000000000, "sufficient": True})
    same("a dry run does not change X-RateLimit-Remaining",
         answer.headers["X-RateLimit-Remaining"], "50000")
    same("a dry run's answer has no Location", answer.headers["Location"], None)


def check_addresses(server, key):
    """The same report at both addresses."""
    def of(path):
        body, kind = multipart([("report.pdf", pdf(4))], {"degrees": "90"})
        return server.request("POST", f"/api/v1/tools/pdf/rotate{path}", key, {"Content-Type": kind},
                              body)

    report = of("/dry-run")
    same("the address /dry-run answers 200", report.status, 200)
    for query in ("?dryRun=true", "?dryRun=1"):
        same(f"the address /dry-run answers as {query} does", (of(query).status, of(query).json),
             (200, report.json))
    same("the address /dry-run refuses query parameters",
         of("/dry-run?wait=3").error, "unknown_field")
    before = len(server.request("GET", "/api/v1/jobs", key).json["jobs"])
    of("/dry-run")
    same("the address /dry-run makes no job",
         len(server.request("GET", "/api/v1/jobs", key).json["jobs"]), before)


def check_problems(server, key):
    data = locked(pdf(2), "hush")
    report = ask(server, key, "merge", [("a.pdf", pdf(1)), ("b.pdf", data)]).json
    same("a missing password is reported, with the number of the file",
         (report["ok"], report["passwordRequired"], codes(report)),
         (False, True, [("password_required", 2)]))
    report = ask(server, key, "rotate", [("b.pdf", data)],
                 {"degrees": "90", "inputPassword": "loud"}).json
    same("a wrong password is reported", (report["passwordRequired"], codes(report)),
         (True, [("wrong_password", 1)]))
    report = ask(server, key, "rotate", [("b.pdf", data)],
                 {"degrees": "90", "inputPassword": "hush"}).json
    same("the right password opens the file",
         (report["ok"], report["pages"], report["passwordRequired"],
                                    report["files"][0]["encrypted"]), (True, 2, False, True))
    report = ask(server, key, "remove-password", [("b.pdf", data)], {"password": "hush"}).json
    same("remove-password's own parameter opens the file",
         (report["ok"], report["pages"]), (True, 2))
    report = ask(server, key, "remove-password", [("b.pdf", data)], {"inputPassword": "hush"}).json
    same("the alias of remove-password's parameter opens the file",
         (report["ok"], report["pages"]), (True, 2))
    report = ask(server, key, "rotate", [("a.pdf", pdf(3))], {"degrees": "90", "pages": "5"}).json
    same("a page out of range is reported", codes(report), [("page_out_of_range", 1)])
    same("the field of a page out of range is reported", report["problems"][0]["field"], "pages")
    broken = b"%PDF-1.7\nnothing that could be saved"
    report = ask(server, key, "rotate", [("a.pdf", broken)], {"degrees": "90"}).json
    same("a file beyond repair is reported",
         (report["ok"], codes(report)), (False, [("corrupt_file", 1)]))
    report = ask(server, key, "rotate", [("a.pdf", pdf(2).replace(b"startxref", b"startxxxx"))],
                 {"degrees": "90"}).json
    same("a damaged file that can be repaired is accepted, and marked damaged",
         (report["ok"], report["files"][0]["damaged"]),
         (True, True))


def check_refusals(server, key):
    answer = ask(server, key, "rotate", [("a.pdf", pdf())], {"degrees": "91"})
    same("an invalid parameter is refused as in a submission",
         (answer.status, answer.error, answer.json["field"]), (400, "invalid_parameter", "degrees"))
    same("an unknown tool is refused",
         ask(server, key, "fold", [("a.pdf", pdf())]).error, "unknown_tool")
    same("a tool that clients cannot submit to is refused",
         ask(server, key, "inspect", [("a.pdf", pdf())]).error,
         "unknown_tool")
    same("a file of the wrong type is refused", ask(server, key, "rotate", [("a.pdf", b"text")],
                                         {"degrees": "90"}).error, "unsupported_file_type")
    same("an invalid value of dryRun is refused",
         ask(server, key, "rotate", [("a.pdf", pdf())], {"degrees": "90"}, "dryRun=maybe").error,
         "invalid_parameter")
    same("dryRun=false is handled as a submission",
         ask(server, key, "rotate", [("a.pdf", pdf())], {"degrees": "90"}, "dryRun=false").status,
         202)
    same("a dry run without a key is refused", ask(server, None, "rotate", [("a.pdf", pdf())],
                                            {"degrees": "90"}).status, 401)


def check_nothing_spent(server):
    key = server.key()
    for _ in range(3):
        ask(server, key, "rotate", [("a.pdf", pdf())], {"degrees": "90"},
            headers={"Idempotency-Key": "same"})
    usage = server.request("GET", "/api/v1/usage", key).json
    same("a dry run uses no quota", (usage["requests"]["used"], usage["data"]["used"]),
         (0, 0))
    same("a dry run makes no job", server.request("GET", "/api/v1/jobs", key).json["jobs"], [])
    same("a dry run leaves no file", server.blobs(), [])
    answer = ask(server, key, "rotate", [("a.pdf", pdf())], {"degrees": "90"}, "",
                 headers={"Idempotency-Key": "same"})
    same("a dry run does not use up its idempotency key", (answer.status,
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
        same("a file larger than the data quota left is reported as insufficient", (report["ok"],
                                                        report["quota"]["sufficient"]),
             (False, False))
        server.run("rotate", [("a.pdf", pdf())], key, {"degrees": "90"})
        report = ask(server, key, "rotate", [("a.pdf", pdf())], {"degrees": "90"}).json
        same("a used-up request quota is reported as insufficient",
             (report["ok"], report["quota"]["sufficient"],
                                               report["quota"]["requestsRemaining"]),
             (False, False, 0))
        # What only looks at a document is free.
        found = server.run("redact-find", [("a.pdf", pdf())], key, {"text": "Page"})
        same("a tool that only looks works when the quota is used up", found.get("status"), "completed")
        fields = server.run("form-fields", [("a.pdf", pdf())], key, {})
        same("as the page does with a form before it is filled in", fields.get("status"), "completed")
        usage = server.request("GET", "/api/v1/usage", key)
        same("and counts nothing", usage.json["requests"]["used"], 1)
        report = ask(server, key, "redact-find", [("a.pdf", pdf())], {"text": "Page"}).json
        same("which its dry run says", (report["quota"]["requests"], report["quota"]["sufficient"]), (0, True))
        server.close()


def check_office(server, key):
    rtf = rb"{\rtf1\ansi{\fonttbl{\f0 Nonexistent Sans;}}\f0 Hello\page Bye}"
    report = ask(server, key, "word-to-pdf", [("a.rtf", rtf)]).json
    same("the pages of an office document are counted", (report["ok"], report["pages"]), (True, 2))
    ok("missing fonts of an office document are reported", any(
        w["code"] == "missing_fonts" and "Nonexistent Sans" in w["message"]
        for w in report["warnings"]), report)
    for kind, tool in (("docx", "word"), ("xlsx", "excel"), ("pptx", "ppt")):
        with open(os.path.join(os.environ["SAMPLES"], "office", f"plain.{kind}"), "rb") as sample:
            report = ask(server, key, f"{tool}-to-pdf", [("a.bin", sample.read())]).json
        same(f"a {kind} file has that kind in the report, and not zip",
             report["files"][0]["kind"], kind)
    report = ask(server, key, "word-to-pdf", [("a.docx", b"PK\3\4" + bytes(200))]).json
    same("a ZIP file that is not an office document has the kind zip",
         report["files"][0]["kind"], "zip")
    same("a ZIP file that is not an office document is corrupt for word-to-pdf",
         (report["ok"], codes(report)),
         (False, [("corrupt_file", 1)]))


def check_others(server, key):
    made = server.run("rotate", [("a.pdf", pdf(3))], key, {"degrees": "90"})
    report = ask(server, key, "rotate", [], {"file": f"job:{made['jobId']}", "degrees": "90"}).json
    same("an earlier result as input is read, and its bytes are not counted",
         (report["pages"], report["quota"]["bytes"]), (3, 0))
    report = ask(server, key, "sign", [("a.pdf", pdf(2))],
                 {"signerName": "Ann", "certificate": f"job:{made['jobId']}"}).json
    same("an earlier result as a parameter's file is read, and its bytes are not counted",
         (report["pages"], report["quota"]["bytes"]),
         (2, len(pdf(2))))
    steps = json.dumps([{"tool": "rotate", "params": {"degrees": 90, "pages": "8"}},
                        {"tool": "page-numbers", "params": {"position": "1"}}])
    report = ask(server, key, "pipeline", [("a.pdf", pdf(3))], {"steps": steps}).json
    same("the first step of a pipeline is checked against the file",
         (report["tool"], report["pages"], codes(report)),
         ("pipeline", 3, [("page_out_of_range", 1)]))
    def pipeline(*list_, files=(("a.pdf", pdf(3)),)):
        said = ask(server, key, "pipeline", list(files), {"steps": json.dumps(
            [{"tool": tool, "params": params} for tool, params in list_])}).json
        return [(p["code"], p.get("field"), p.get("file")) for p in said["problems"]]

    turn, numbered = {"degrees": 90}, ("page-numbers", {"position": "1"})
    same("later steps of a pipeline are checked while the number of pages is unchanged", pipeline(
        numbered, ("rotate", {**turn, "pages": "2"}), ("rotate", {**turn, "pages": "4"})),
        [("page_out_of_range", "steps[2].pages", 1)])
    same("steps of a pipeline are checked for each file", pipeline(
        numbered, ("rotate", {**turn, "pages": "2"}),
        files=[("a.pdf", pdf(3)), ("b.pdf", pdf(1)), ("c.pdf", pdf(2))]),
        [("page_out_of_range", "steps[1].pages", 2)])
    two = [("a.pdf", pdf(3)), ("b.pdf", pdf(2))]
    same("steps after merge are checked against the merged number of pages", pipeline(
        ("merge", {}), ("rotate", {**turn, "pages": "5"}), ("rotate", {**turn, "pages": "6"}),
        files=two), [("page_out_of_range", "steps[2].pages", None)])
    same("steps after split, whose number of pages is unknown, are not checked", pipeline(
        ("split", {"every": 1}), ("rotate", {**turn, "pages": "2"})), [])
    if not DRAWS:
        return
    png = server.run("to-png", [("a.pdf", pdf(1))], key, {"dpi": "50"})
    report = ask(server, key, "jpg-to-pdf", [], {"files": f"job:{png['jobId']}"}).json
    same("a picture counts as a page", (report["ok"], report["pages"], report["files"][0]["kind"]),
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
    same("a job of another key is completed during many dry runs", job.get("status"), "completed")
    for thread in threads:
        thread.join()
    statuses = [answer.status for answer in answers]
    ok("each of many dry runs is answered 200 or 429, and some 200", set(statuses) <= {200, 429} and
       statuses.count(200) >= 4, statuses)
    ok("429 is too_many_jobs with Retry-After", all(
        a.error == "too_many_jobs" and a.headers["Retry-After"] for a in answers
        if a.status == 429))
    same("after many dry runs another one is accepted",
         ask(server, key, "rotate", [("a.pdf", pdf())], {"degrees": "90"}).status, 200)
    same("the server stops cleanly after many dry runs", server.close(), 0)


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
    same("the server stops cleanly, long before a dry run's time limit", server.stop(), 0)
    for thread in threads:
        thread.join()
    ok("dry runs in progress at the stop are answered 200 or 503", answers and {answer.status for answer in answers} <= {200, 503},
       [answer.status for answer in answers])
    server.close()


def check_time():
    server = Server("--dry-run-timeout", "1ms")
    key = server.key()
    report = ask(server, key, "merge", [(f"{i}.pdf", pdf(200)) for i in range(30)]).json
    same("an inspection beyond the time limit is reported as limit_exceeded",
         (report["ok"], codes(report)),
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
