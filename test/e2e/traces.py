"""Retention: as long as the plan or the job says, and then not a byte is left of what a client sent:
not of a file, its name, a parameter, a secret or a result, in any file of the data folder."""

import datetime
import json
import os
import random
import time

from platen import Server, done, multipart, ok, pdf, same, until

MARK = "Zwiebelkuchen"


def folder(server):
    return os.path.join(server.data, "d")


def traces(server, marks):
    """Files of the data folder that hold one of the marks, as it is or in UTF-16, or in a name."""
    found = []
    for path, _, names in os.walk(folder(server)):
        for name in names:
            try:
                with open(os.path.join(path, name), "rb") as file:
                    data = file.read()
            except FileNotFoundError:
                continue
            for mark in marks:
                if mark.encode() in data or mark.encode("utf-16-le") in data or mark in name:
                    found.append((name, mark))
    return found


def marks_of(i):
    """One for the content, the file's name, a parameter, a secret and the result's name."""
    return [f"{MARK}-{what}-{i:04d}" for what in ("content", "name", "param", "secret", "result")]


def submit(server, key, i, more=()):
    content, name, param, secret, result = marks_of(i)
    fields = {"text": f"{param} {'x' * random.randrange(150)}", "inputPassword": secret,
              "outputName": f"{result}{'y' * random.randrange(150)}", **dict(more)}
    # The padding makes rows and files of many sizes, some larger than a page of the database.
    upload = pdf(1, note=content, pad=random.randrange(20000))
    answer = server.submit("watermark", [(f"{name}{'z' * random.randrange(200)}.pdf", upload)], key,
                           fields)
    if answer.status != 202:
        raise RuntimeError(answer)
    return answer.json["jobId"]


def submit_pipeline(server, key, i, more=()):
    content, name, param, secret, result = marks_of(i)
    steps = [{"tool": "watermark", "params": {"text": param}},
             {"tool": "add-password", "params": {"password": secret}}]
    answer = server.submit("pipeline", [(name + ".pdf", pdf(1, note=content))], key,
                           {"steps": json.dumps(steps), "outputName": result, **dict(more)})
    if answer.status != 202:
        raise RuntimeError(answer)
    return answer.json["jobId"]


def all_marks(ids):
    return [mark for i in range(len(ids)) for mark in marks_of(i)]


def check_deleted(server, key):
    ids = [(submit_pipeline if i % 5 == 0 else submit)(server, key, i) for i in range(40)]
    jobs = [server.wait(job, key).json for job in ids]
    same("all jobs are completed", {job["status"] for job in jobs}, {"completed"})
    ok("before deletion files, names, parameters and results of the jobs are found in the data "
       "folder",
       {mark.split("-")[1] for _, mark in traces(server, all_marks(ids))} >=
       {"content", "name", "param", "result"})
    ok("secrets of completed jobs are not in the data folder",
       not [t for t in traces(server, all_marks(ids)) if "secret" in t[1]])
    order = list(range(len(ids)))
    random.shuffle(order)
    for i in order[:-1]:
        same(f"DELETE of job {i} answers 204",
             server.request("DELETE", f"/api/v1/jobs/{ids[i]}", key).status,
             204)
    gone = [mark for i in order[:-1] for mark in marks_of(i)]
    ok("within seconds of the deletion no file contains data of the deleted jobs",
       until(lambda: not traces(server, gone)), traces(server, gone)[:5])
    ok("the job that was not deleted is still there",
       traces(server, marks_of(order[-1])) != [] and
       server.download(jobs[order[-1]]["downloadUrl"]).status == 200)
    server.request("DELETE", f"/api/v1/jobs/{ids[order[-1]]}", key)
    ok("after the last deletion no file contains data of any job", until(lambda: not traces(server, all_marks(ids))))
    same("no file of a job is left", server.blobs(), [])


def check_deleted_unfinished(server, key):
    ids = [submit(server, key, i) for i in range(10)]
    for job in ids:
        server.request("DELETE", f"/api/v1/jobs/{job}", key)
    ok("no file contains data of jobs deleted before they ended, including secrets",
       until(lambda: not traces(server, all_marks(ids)) and not server.blobs()),
       traces(server, all_marks(ids))[:5])


def check_refused(server, key):
    content, name, param, secret, result = marks_of(0)
    server.submit("watermark", [(name, pdf(1, note=content))], key,
                  {"text": param, "inputPassword": secret, "fontSize": "huge"})
    body, kind = multipart([(name, pdf(1, note=content))],
                           {"text": param, "inputPassword": secret, "outputName": result})
    answer = server.request("POST", "/api/v1/tools/pdf/watermark?dryRun=true", key,
                            {"Content-Type": kind}, body)
    same("a dry run is answered", answer.status, 200)
    same("a dry run and a refused request leave no data and no file",
         (traces(server, marks_of(0)), server.blobs()), ([], []))


def check_expiry(server, key):
    longer = submit(server, key, 6, {"ttl": "50m"})
    for ttl in (3, 12, 48):  # on a busy machine some may expire before all have been seen
        ids = [(submit_pipeline if i == 0 else submit)(server, key, i, {"ttl": f"{ttl}s"}) for i in range(6)]
        jobs = [server.wait(job, key).json for job in ids]
        if all("expiresAt" in job for job in jobs):
            break
    kept = server.wait(longer, key).json

    def seconds(job, field):
        return datetime.datetime.fromisoformat(job[field].replace("Z", "+00:00")).timestamp()

    same("expiresAt is the time given by ttl after the job's end",
         [round(seconds(job, "expiresAt") - seconds(job, "finishedAt"), 3) for job in jobs + [kept]],
         [float(ttl)] * 6 + [3000.0])
    path = f"/api/v1/jobs/{ids[-1]}"
    end, early, late = seconds(jobs[-1], "expiresAt"), [], []
    answer = None

    def expired():
        nonlocal answer
        asked = time.time()
        answer = server.request("GET", path, key)
        if answer.status == 410 and time.time() < end:
            early.append(time.time() - end)
        if answer.status != 410 and asked > end:
            late.append(asked - end)
        return answer.status == 410

    ok("the job expires at its time", until(expired))
    same("the expired job is answered 410 job_expired", answer.error, "job_expired")
    same("the job expires neither before nor long after expiresAt", (early, late), ([], []))
    same("the expired job's download is answered 410", server.download(jobs[-1]["downloadUrl"]).status, 410)
    ok("soon after expiry no file contains data of the job",
       until(lambda: not traces(server, all_marks(ids))), traces(server, all_marks(ids))[:5])
    same("the job with a longer ttl is still there", server.download(kept["downloadUrl"]).status, 200)


def check_ttl(server, key, pro):
    def refusal(who, ttl):
        answer = server.submit("rotate", [("a.pdf", pdf())], who, {"degrees": "90", "ttl": ttl})
        return answer.status, answer.error, answer.json.get("field")

    for wrong in ("0", "soon", "-5", "1y", "500ms"):
        same(f"a ttl of {wrong} is refused", refusal(key, wrong), (400, "invalid_parameter", "ttl"))
    long = server.submit("rotate", [("a.pdf", pdf())], key, {"degrees": "90", "ttl": "90d"})
    ok("the refusal of a long ttl names the maximum as ttl is written",
       "at most 1h" in long.json["message"], long)
    same("a ttl beyond the plan's retention is refused",
         refusal(key, "61m"), (400, "invalid_parameter", "ttl"))
    same("a ttl beyond the server's retention is refused if the plan has none",
         refusal(pro, "25h"), (400, "invalid_parameter", "ttl"))
    job = server.run("rotate", [("a.pdf", pdf())], pro, {"degrees": "90", "ttl": "24h"})
    same("a ttl up to the server's retention is accepted if the plan has none",
         job.get("status"), "completed")
    job = server.run("rotate", [("a.pdf", pdf())], key, {"degrees": "90"})
    ok("the plan's retention applies without ttl",
       job["expiresAt"][:15] != job["finishedAt"][:15] and "T" in job["expiresAt"], job)
    for seconds in (1, 8, 32):  # on a busy machine it may expire before it is seen
        failed = server.submit("rotate", [("a.pdf", pdf())], key,
                               {"degrees": "90", "pages": "7", "ttl": f"{seconds}s"}).json["jobId"]
        seen = server.wait(failed, key).json.get("error")
        if seen != "job_expired":
            break
    same("a job with a page out of range fails", seen, "page_out_of_range")
    ok("the failed job expires", until(lambda: server.request("GET", f"/api/v1/jobs/{failed}", key).status == 410))


def main():
    random.seed(7)
    with open(os.path.join(os.environ.get("TMPDIR", "/tmp"), f"platen-traces-{os.getpid()}.ini"),
              "w") as config:
        config.write("[plan business]\nretention = 30m\nmax_retention = 1h\n")
    server = Server("--config", config.name)
    try:
        key, pro = server.key(), server.key("pro")
        check_deleted(server, key)
        check_deleted_unfinished(server, key)
        check_refused(server, key)
        check_expiry(server, key)
        check_ttl(server, key, pro)
        same("the server stops cleanly", server.stop(), 0)
        ok("after the stop no file contains data of expired jobs",
           not [t for t in traces(server, all_marks(range(6)))])
    finally:
        server.close()
        os.unlink(config.name)
    done()


main()
