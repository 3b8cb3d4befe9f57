"""Pipelines: several tools as one job."""

import io
import json
import os
import subprocess
import tempfile
import zipfile

from platen import DRAWS, PLATEN, Server, done, halted, ok, pdf, same, until

SECRET = "Ruebezahl-7"


def steps(*list_):
    return {"steps": json.dumps([{"tool": tool, "params": params} for tool, params in list_])}


def run(server, key, *list_, files=None, **more):
    return server.run("pipeline", files or [("doc.pdf", pdf(3))], key, steps(*list_), **more)


def qpdf(data, *options):
    with tempfile.NamedTemporaryFile(suffix=".pdf") as file:
        file.write(data)
        file.flush()
        return subprocess.run(["qpdf", *options, file.name], capture_output=True,
                              text=True).stdout.strip()


def turned(data):
    with tempfile.NamedTemporaryFile(suffix=".pdf") as file:
        file.write(data)
        file.flush()
        out = subprocess.run(["pdfinfo", "-l", "99", file.name], capture_output=True, text=True)
    return [int(line.split()[-1]) for line in out.stdout.splitlines() if " rot:" in line]


def check_one_after_another(server, key):
    before = server.request("GET", "/api/v1/usage", key).json
    job = run(server, key, ("rotate", {"degrees": 90, "pages": "1"}),
              ("split", {"pages": "1-2", "mode": "extract"}), ("rotate", {"degrees": "180"}))
    same("the steps of a pipeline are one job",
         (job.get("status"), job.get("tool")), ("completed", "pipeline"))
    same("a pipeline's result is named STEM-pipeline", job["outputFile"], "doc-pipeline.pdf")
    result = server.download(job["downloadUrl"]).body
    same("each step works on the result of the one before", turned(result), [270, 180])
    same("a completed pipeline has progress 1", job["progress"], 1.0)
    after = server.request("GET", "/api/v1/usage", key).json
    same("a pipeline counts as one request",
         after["requests"]["used"] - before["requests"]["used"], 1)
    same("a pipeline's upload is counted once",
         after["data"]["used"] - before["data"]["used"], len(pdf(3)))
    same("inputs and intermediate files are deleted after the job",
         server.blobs(), [job["jobId"] + ".out.1"])
    job = server.run("pipeline", [("doc.pdf", pdf(3))], key,
                     {**steps(("rotate", {"degrees": 90})), "outputName": "mine"})
    same("outputName names the result of a pipeline", job["outputFile"], "mine.pdf")


def check_several_files(server, key):
    job = run(server, key, ("split", {"every": 1}), ("rotate", {"degrees": 90}), ("merge", {}))
    same("a tool that takes one file is run for each, one that takes several takes all",
         turned(server.download(job["downloadUrl"]).body), [90, 90, 90])
    job = run(server, key, ("split", {"every": 2}), ("rotate", {"degrees": 90}))
    same("a last step that is run for each file gives a ZIP",
         job.get("outputFile"), "doc-pipeline.zip")
    archive = zipfile.ZipFile(io.BytesIO(server.download(job["downloadUrl"]).body))
    same("files in a pipeline's ZIP are named as outputs lists them",
         archive.namelist(), [o["name"] for o in job["outputs"]])
    same("each file in a pipeline's ZIP was processed",
         [turned(archive.read(name)) for name in archive.namelist()],
         [[90, 90], [90]])
    ok("each output of a pipeline can be downloaded alone",
       [server.download(o["downloadUrl"]).body for o in job["outputs"]] ==
       [archive.read(name) for name in archive.namelist()])
    job = run(server, key, ("rotate", {"degrees": 90}), ("watermark", {"text": "A"}))
    same("steps of a pipeline may belong to different worker programs",
         qpdf(server.download(job["downloadUrl"]).body,
                                                    "--show-npages"), "3")
    job = run(server, key, ("rotate", {"degrees": 90}), ("merge", {}),
              files=[("a.pdf", pdf(1)), ("b.pdf", pdf(2))])
    same("a pipeline may begin with several uploads",
         turned(server.download(job["downloadUrl"]).body),
         [90, 90, 90])


def check_refusals(server, key):
    def refusal(text, files=None, **more):
        answer = server.submit("pipeline", files or [("doc.pdf", pdf(3))], key,
                               {"steps": text if isinstance(text, str) else steps(*text)["steps"]},
                               **more)
        return answer.status, answer.error, answer.json.get("field")

    bad = (400, "invalid_parameter")
    rotate = ("rotate", {"degrees": 90})
    for text in ("", "x", "{}", "[]", '"rotate"', json.dumps([{"tool": "rotate"}] * 11),
                 '[{"tool":"rotate","params":{"degrees":90,"degrees":180}}]'):
        same(f"steps that are {text[:20] or 'empty'} are refused", refusal(text)[:2], bad)
    same("a step that is not an object is refused", refusal("[7]"), (*bad, "steps[0]"))
    same("a step without a tool is refused", refusal('[{"params":{}}]'), (*bad, "steps[0]"))
    same("an unknown member of a step is refused", refusal('[{"tool":"rotate","prams":{}}]'),
         (400, "unknown_field", "steps[0].prams"))
    answer = server.submit("pipeline", [("doc.pdf", pdf(3))], key,
                           {"steps": '[{"tool":"rotate","degrees":90}]'})
    same("a parameter outside of params is refused, and the message says where it belongs",
         (answer.error, answer.json["field"], answer.json["message"]),
         ("unknown_field", "steps[0].degrees",
          'degrees is a parameter of rotate: put it into the step\'s "params"'))
    same("a step with an unknown tool is refused",
         refusal([rotate, ("fold", {})]), (*bad, "steps[1].tool"))
    same("a step with a tool that clients cannot submit to is refused",
         refusal([("inspect", {})]), (*bad, "steps[0].tool"))
    same("a pipeline as a step is refused", refusal([("pipeline", {})]), (*bad, "steps[0].tool"))
    same("an invalid parameter of a step is reported with the step's index",
         refusal([rotate, ("rotate", {"degrees": 91})]),
         (*bad, "steps[1].degrees"))
    same("a missing parameter of a step is reported with the step's index",
         refusal([rotate, ("rotate", {})]),
         (400, "missing_field", "steps[1].degrees"))
    same("an unknown parameter of a step is reported with the step's index",
         refusal([("rotate", {"degres": 90})]),
         (400, "unknown_field", "steps[0].degres"))
    same("a parameter whose value is a list is refused", refusal([("rotate", {"degrees": [90]})]),
         (*bad, "steps[0].degrees"))
    same("a step whose results the next step does not accept is refused",
         refusal([("split", {"every": 1}), ("jpg-to-pdf", {})]),
         (*bad, "steps[1].tool"))
    same("a merge step with one file is refused",
         refusal([rotate, ("merge", {})]), (*bad, "steps[1].tool"))
    same("a first step that needs more files than were uploaded is refused",
         refusal([("merge", {})])[:2],
         (400, "too_few_files"))
    same("an upload that the first step does not accept is refused, even if steps comes after it",
         refusal([rotate], files=[("a.png", b"\x89PNG\r\n\x1a\n" + bytes(30))])[:2],
         (415, "unsupported_file_type"))
    same("a file that no step uses is refused",
         refusal([rotate], attachments=[("logo", "l.png", b"x")]),
         (400, "unknown_field", "logo"))
    same("a pipeline without steps is refused",
         server.submit("pipeline", [("a.pdf", pdf())], key).error,
         "missing_field")
    same("refused pipelines leave no file", server.blobs(), [])


def check_failures(server, key):
    job = run(server, key, ("rotate", {"degrees": 90}), ("rotate", {"degrees": 90, "pages": "9"}))
    same("a pipeline fails with the error code of the step", job["error"], "page_out_of_range")
    ok("a pipeline's message names the step that failed",
       job["message"].startswith("step 2 (rotate): "), job["message"])
    job = run(server, key, ("split", {"every": 1}), ("rotate", {"degrees": 90, "pages": "2"}))
    ok("a failure of a step that is run for each file names the step",
       job["error"] == "page_out_of_range" and "step 2" in job["message"])
    damaged = pdf(2).replace(b"startxref", b"startxxxx")
    job = run(server, key, ("rotate", {"degrees": 90}), ("rotate", {"degrees": 90}),
              files=[("d.pdf", damaged)])
    same("a pipeline's warning has the number of its step",
         [(w["code"], w["step"]) for w in job["warnings"]],
         [("repaired", 1)])


def check_secrets(server, key):
    made = run(server, key, ("rotate", {"degrees": 90}), ("add-password", {"password": SECRET}))
    result = server.download(made["downloadUrl"]).body
    same("add-password as a step encrypts the result",
         qpdf(result, f"--password={SECRET}", "--show-npages"), "3")
    job = run(server, key, ("remove-password", {"password": SECRET}), ("rotate", {"degrees": -90}),
              files=[("l.pdf", result)])
    same("remove-password as a step decrypts the result",
         turned(server.download(job["downloadUrl"]).body), [0, 0, 0])
    job = run(server, key, ("remove-password", {"password": "wrong"}), files=[("l.pdf", result)])
    same("a wrong password of a step fails the job", job["error"], "wrong_password")
    folder = os.path.join(server.data, "d")
    names = [os.path.join(path, name) for path, _, files in os.walk(folder) for name in files]
    ok("no file of the server contains a step's password after the job, and the database never "
       "does",
       not [n for n in names if SECRET.encode() in open(n, "rb").read()])
    ok("the log does not contain a step's password", SECRET not in server.logs())
    text = json.dumps(server.request("GET", "/api/v1/jobs", key).json)
    ok("no answer contains a step's password", SECRET not in text)


def certificate():
    with tempfile.TemporaryDirectory() as folder:
        def openssl(*words):
            subprocess.run(["openssl", *words], cwd=folder, check=True, capture_output=True)
        openssl("req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", "k", "-out", "c",
                "-subj", "/CN=Step", "-days", "9")
        openssl("pkcs12", "-export", "-inkey", "k", "-in", "c", "-out", "p", "-passout", "pass:x")
        with open(os.path.join(folder, "p"), "rb") as file:
            return file.read()


def check_own_name(server, key):
    job = server.run("attachments", [("a.pdf", pdf(1))], key, {"action": "add"},
                     attachments=[("attachment", "folder/data.csv", b"a,b")])
    listed = server.run("attachments", [("a.pdf", server.download(job["downloadUrl"]).body)], key, {})
    names = [one["name"] for one in json.loads(server.download(listed["downloadUrl"]).body)["attachments"]]
    same("a file that is attached without a name has its own", names, ["data.csv"])


def check_parts(server, key):
    sign = ("sign", {"certificate": "mine", "certificatePassword": "x",
                     "signerName": "Step"})
    attachments = [("mine", "id.p12", certificate())]
    job = run(server, key, ("rotate", {"degrees": 90}), sign, attachments=attachments)
    ok("a step's file is a part that the step names", job.get("status") == "completed" and
       b"/ByteRange" in server.download(job["downloadUrl"]).body, job)
    answer = server.submit("pipeline", [("a.pdf", pdf())], key, steps(sign))
    same("a step that names a missing part is refused", (answer.error, answer.json["field"]),
         ("invalid_parameter", "steps[0].certificate"))
    body = {"headers": {"Idempotency-Key": "once"}, "attachments": attachments}
    first = server.submit("pipeline", [("a.pdf", pdf())], key, steps(sign), **body)
    again = server.submit("pipeline", [("a.pdf", pdf())], key, steps(sign), **body)
    same("an idempotency key covers steps and their files", again.json, first.json)
    other = server.submit("pipeline", [("a.pdf", pdf())], key,
                          steps(("rotate", {"degrees": 90}), sign), **body)
    same("an idempotency key with other steps is a conflict", other.error, "idempotency_conflict")
    server.wait(first.json["jobId"], key)


def check_crash():
    """kill -9 while the second step runs: the job runs again, from its beginning, and ends once."""
    server = Server()
    key = server.key()
    plan = steps(("rotate", {"degrees": 90}), ("to-png", {"dpi": 600}), ("jpg-to-pdf", {}))

    def submit():
        return server.submit("pipeline", [("big.pdf", pdf(12))], key, plan).json["jobId"]

    # LibreOffice's trial of itself is over: a job's process is then the pipeline's.
    until(lambda: server.request("GET", "/readyz").status == 200)
    job, _ = halted(server, key, submit, 0.34)
    server.kill()
    server.start()
    done_ = server.wait(job, key).json
    same("a pipeline is completed after the server was killed", done_["status"], "completed")
    same("the result of a pipeline that was interrupted is complete", qpdf(server.download(done_["downloadUrl"]).body, "--show-npages"), "12")
    same("an interrupted pipeline leaves only its result", server.blobs(), [job + ".out.2"])
    job, _ = halted(server, key, submit, 0.34)
    same("a running pipeline can be deleted", server.request("DELETE", f"/api/v1/jobs/{job}", key).status,
         204)
    ok("a deleted pipeline leaves no file",
       until(lambda: not [b for b in server.blobs() if job in b]))
    same("the server stops cleanly", server.close(), 0)


def check_time():
    for seconds in (1, 4, 16):  # a busy machine may need more for the first step
        server = Server("--job-timeout", f"{seconds}s")
        job = run(server, server.key(), ("split", {"every": 1}), ("to-png", {"dpi": 600}),
                  files=[("many.pdf", pdf(60))])
        server.close()
        if not job["message"].startswith("step 1"):
            break
    ok("all runs of one step together have the time limit of a job", job["error"] == "limit_exceeded" and
       job["message"].startswith("step 2 (to-png): "), job)


def check_command(server):
    with tempfile.TemporaryDirectory() as folder:
        source, out = os.path.join(folder, "a.pdf"), os.path.join(folder, "out.pdf")
        with open(source, "wb") as file:
            file.write(pdf(2))

        def command(*list_):
            return subprocess.run([PLATEN, "run", "pipeline", source, "--steps",
                                   steps(*list_)["steps"], "-o", out], capture_output=True,
                                  text=True, timeout=60)
        ran = command(("rotate", {"degrees": 90}), ("split", {"pages": "2"}))
        same("platen run pipeline has status 0", (ran.returncode, ran.stderr), (0, ""))
        with open(out, "rb") as file:
            same("platen run pipeline gives the same result as the server",
                 turned(file.read()), [90])
        # LibreOffice takes its time, and may have a last word when it is stopped while it starts.
        here, programs = os.path.dirname(os.path.abspath(PLATEN)), os.path.join(folder, "programs")
        os.mkdir(programs)
        for name in os.listdir(here):
            if name.startswith("platen-") and os.path.isfile(os.path.join(here, name)):
                os.symlink(os.path.join(here, name), os.path.join(programs, name))
        if os.path.lexists(os.path.join(programs, "platen-office")):
            os.unlink(os.path.join(programs, "platen-office"))
        with open(os.path.join(programs, "platen-office"), "w", encoding="utf-8") as script:
            script.write(f"#!/bin/sh\n: >{folder}/started\n")
        os.chmod(os.path.join(programs, "platen-office"), 0o755)
        os.environ["PLATEN_PROGRAMS"] = programs
        ran = command(("rotate", {"degrees": 90}), ("watermark", {"text": "A"}))
        same("platen run pipeline does not start programs that no step needs",
             (ran.returncode, os.path.exists(f"{folder}/started")), (0, False))
        command(("rotate", {"degrees": 90}), ("nothing", {}))
        ok("platen run pipeline starts a program to look for an unknown tool",
           os.path.exists(f"{folder}/started"))
        del os.environ["PLATEN_PROGRAMS"]
        ran = command(("rotate", {"degrees": 91}))
        ok("platen run pipeline refuses an unknown tool with status 2",
           ran.returncode == 2 and "invalid_parameter" in ran.stderr, ran)
        ran = command(("rotate", {"degrees": 90, "pages": "8"}))
        ok("platen run pipeline fails with status 1 if a step fails",
           ran.returncode == 1 and "page_out_of_range: step 1 (rotate)" in ran.stderr,
           ran)


def main():
    server = Server()
    try:
        key = server.key()
        check_refusals(server, key)
        check_one_after_another(server, key)
        check_several_files(server, key)
        check_failures(server, key)
        check_secrets(server, key)
        check_own_name(server, key)
        check_parts(server, key)
        check_command(server)
    finally:
        server.close()
    if DRAWS:
        check_crash()
        check_time()
    done()


main()
