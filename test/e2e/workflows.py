"""Saved workflows of an account: made, changed, run, refused, and there after a kill."""

import json
import os
import subprocess
import tempfile

from platen import Server, done, ok, pdf, same, without_office

without_office()

PATH = "/api/v1/workflows"
JSON = {"Content-Type": "application/json"}
SECRET = "Ruebezahl-7"
TURN = {"tool": "rotate", "params": {"degrees": 90, "pages": "1"}}


def ask(server, method, path, key, body=None, headers=None):
    given = {**(JSON if body is not None else {}), **(headers or {})}
    return server.request(method, path, key, given, None if body is None else json.dumps(body))


def create(server, key, name, *steps, **more):
    return ask(server, "POST", PATH, key, {"name": name, "steps": list(steps), **more})


def names(server, key):
    return [one["name"] for one in ask(server, "GET", PATH, key).json["workflows"]]


def inspect(data, *options):
    with tempfile.NamedTemporaryFile(suffix=".pdf") as file:
        file.write(data)
        file.flush()
        return subprocess.run(["qpdf", *options, file.name], capture_output=True, text=True).stdout


def turned(data):
    with tempfile.NamedTemporaryFile(suffix=".pdf") as file:
        file.write(data)
        file.flush()
        out = subprocess.run(["pdfinfo", "-l", "99", file.name], capture_output=True, text=True)
    return [int(line.split()[-1]) for line in out.stdout.splitlines() if " rot:" in line]


def check_saved(server, key, other):
    same("an account begins without workflows", ask(server, "GET", PATH, key).json, {"workflows": []})
    answer = create(server, key, "Turn", TURN, {"tool": "split", "params": {"pages": "1-2", "mode": "extract"}})
    made = answer.json
    same("a workflow is made with version 1, which its ETag says",
         (answer.status, made["name"], made["version"], made["position"], answer.headers["ETag"]), (201, "Turn", 1, 0, '"1"'))
    same("the answer says where it is", answer.headers["Location"], f"{PATH}/{made['workflowId']}")
    same("its steps are kept as the server understood them", made["steps"][0],
         {"tool": "rotate", "params": {"degrees": "90", "pages": "1"}})
    same("it needs nothing from a run", made["needs"], [])
    ok("the answer has the headers of the quota", "RateLimit" in answer.headers and "X-RateLimit-Limit" in answer.headers)
    path = f"{PATH}/{made['workflowId']}"
    same("it is answered as it was made", ask(server, "GET", path, key).json, made)
    create(server, key, "Second", TURN)
    same("workflows are listed in the order they were made", names(server, key), ["Turn", "Second"])
    same("another account has none of them", (names(server, other), ask(server, "GET", path, other).error),
         ([], "workflow_not_found"))
    same("a second workflow of the same name is refused",
         (lambda a: (a.status, a.error, a.json["field"]))(create(server, key, "Turn", TURN)), (409, "workflow_exists", "name"))
    same("another account may use the name", create(server, other, "Turn", TURN).status, 201)
    return made


def check_changed(server, key, other, made):
    path = f"{PATH}/{made['workflowId']}"
    form = {"name": "Turn all", "steps": [{"tool": "rotate", "params": {"degrees": 180}}]}
    same("another account cannot change it", ask(server, "PUT", path, other, form).error, "workflow_not_found")
    first = ask(server, "PUT", path, key, form, {"If-Match": '"1"'})
    same("with its ETag it is changed, and stays where it is",
         (first.status, first.json["version"], first.headers["ETag"], names(server, key)), (200, 2, '"2"', ["Turn all", "Second"]))
    second = ask(server, "PUT", path, key, {**form, "name": "Late"}, {"If-Match": '"1"'})
    same("with the ETag of an earlier version it is not", (second.status, second.error, names(server, key)),
         (412, "workflow_changed", ["Turn all", "Second"]))
    same("nor with one that it never had", ask(server, "PUT", path, key, form, {"If-Match": '"x"'}).status, 412)
    moved = ask(server, "PUT", path, key, {**form, "position": 9})
    same("without If-Match it is changed in any case, and a position moves it",
         (moved.status, moved.json["version"], names(server, key)), (200, 3, ["Second", "Turn all"]))
    same("it is not deleted with the ETag of an earlier version",
         ask(server, "DELETE", path, key, headers={"If-Match": '"2"'}).status, 412)
    same("another account cannot delete it", ask(server, "DELETE", path, other).status, 404)
    gone = create(server, key, "Short-lived", TURN).json["workflowId"]
    same("a workflow is deleted", ask(server, "DELETE", f"{PATH}/{gone}", key).status, 204)
    same("it is not there any more", ask(server, "GET", f"{PATH}/{gone}", key).error, "workflow_not_found")


def check_refused(server, key):
    def said(*steps, **more):
        answer = create(server, key, "No", *steps, **more)
        return answer.status, answer.error, answer.json.get("field")

    same("an unknown tool is refused with the place of its step", said(TURN, {"tool": "shred"}),
         (400, "invalid_parameter", "steps[1].tool"))
    same("so is an unknown parameter", said(TURN, {"tool": "rotate", "params": {"degree": 90}}),
         (400, "unknown_field", "steps[1].degree"))
    same("and a value that the tool does not accept", said({"tool": "rotate", "params": {"degrees": 45}}),
         (400, "invalid_parameter", "steps[0].degrees"))
    same("and a parameter that is missing", said({"tool": "rotate"}), (400, "missing_field", "steps[0].degrees"))
    same("and steps that do not fit together", said({"tool": "info"}, TURN), (400, "invalid_parameter", "steps[1].tool"))
    same("no steps are refused", said(), (400, "invalid_parameter", "steps"))
    secret = create(server, key, "No", TURN, {"tool": "add-password", "params": {"password": SECRET}})
    same("a secret is refused", (secret.status, secret.error, secret.json["field"]), (400, "invalid_parameter", "steps[1].password"))
    ok("the message says that it is sent with each run, and not what it was",
       "each run" in secret.json["message"] and SECRET not in secret.body.decode(), secret.json)
    same("a member that no workflow has is refused", said(TURN, plan="x"), (400, "unknown_field", "plan"))
    same("a position below 0 is refused", said(TURN, position=-1), (400, "invalid_parameter", "position"))
    for name in ("", " ", "a\nb", "x" * 101, 7):
        same(f"the name {str(name)[:9]!r} is refused", create(server, key, name, TURN).json.get("field"), "name")
    same("what is not JSON is refused", server.request("POST", PATH, key, JSON, "{").status, 400)
    same("a form is refused", server.request("POST", PATH, key, {"Content-Type": "text/plain"}, "{}").status, 415)
    many = {"tool": "watermark", "params": {"text": "x" * 100000}}
    same("a workflow that is too large is refused", create(server, key, "No", many).status, 400)
    same("nothing of all that was saved", names(server, key), ["Second", "Turn all"])
    same("without a key there are no workflows", server.request("GET", PATH).error, "missing_api_key")


def check_run(server, key, other):
    before = server.request("GET", "/api/v1/usage", key).json
    flow = create(server, key, "Run", TURN, {"tool": "split", "params": {"pages": "1-2", "mode": "extract"}}).json
    run = {"workflow": flow["workflowId"]}
    file = [("doc.pdf", pdf(3))]
    job = server.run("pipeline", file, key, run)
    same("a job runs a workflow by its id", turned(server.download(job["downloadUrl"]).body), [90, 0])
    after = server.request("GET", "/api/v1/usage", key).json
    same("it counts as one request", after["requests"]["used"] - before["requests"]["used"], 1)
    job = server.run("pipeline", file, key, {**run, "steps[0].degrees": "180", "steps[1].pages": "1-3"})
    same("values of the run take the place of those of the workflow",
         turned(server.download(job["downloadUrl"]).body), [180, 0, 0])
    same("and are not kept in it", ask(server, "GET", f"{PATH}/{flow['workflowId']}", key).json, flow)
    dry = server.request("GET", "/api/v1/usage", key).json
    answer = server.submit("pipeline/dry-run", file, key, run)
    same("a dry run finds no fault with it", (answer.status, answer.json["problems"]), (200, []))
    same("and counts nothing", server.request("GET", "/api/v1/usage", key).json["requests"], dry["requests"])

    def said(fields, of=key, tool="pipeline"):
        answer = server.submit(tool, file, of, fields)
        return answer.status, answer.error, answer.json.get("field")

    same("a workflow of another account is not found", said(run, other)[:2], (404, "workflow_not_found"))
    same("what is not an id is refused", said({"workflow": "Run"}), (400, "invalid_parameter", "workflow"))
    same("a workflow and steps together are refused", said({**run, "steps": json.dumps([TURN])}), (400, "invalid_parameter", "workflow"))
    same("a value without a workflow is refused", said({"steps[0].degrees": "90"}), (400, "missing_field", "workflow"))
    same("a value for a step that is not there is refused", said({**run, "steps[5].degrees": "90"}), (400, "invalid_parameter", "steps[5].degrees"))
    same("so is one that the tool does not accept", said({**run, "steps[0].degrees": "45"}), (400, "invalid_parameter", "steps[0].degrees"))
    same("and one for no step", said({**run, "steps[x].degrees": "90"}), (400, "invalid_parameter", "steps[x].degrees"))
    same("and a name of more than a field has", said({**run, "steps[0]." + "x" * 200: "90"})[:2], (400, "unknown_field"))
    same("and one with a line break", said({**run, "steps[0].a\nb": "90"})[:2], (400, "invalid_request"))
    same("a single tool runs no workflow", said({**run, "degrees": "90"}, tool="rotate"), (400, "unknown_field", "workflow"))
    same("neither steps nor a workflow is a missing field", said({}), (400, "missing_field", "steps"))


def check_secret(server, key):
    flow = create(server, key, "Lock", TURN, {"tool": "add-password", "params": {"encryption": "aes256"}}).json
    same("a workflow says which secret a run has to bring", flow["needs"], ["steps[1].password"])
    run = {"workflow": flow["workflowId"]}
    answer = server.submit("pipeline", [("doc.pdf", pdf(1))], key, run)
    same("a run without it is refused", (answer.status, answer.error, answer.json["field"]), (400, "missing_field", "steps[1].password"))
    job = server.run("pipeline", [("doc.pdf", pdf(1))], key, {**run, "steps[1].password": SECRET})
    result = server.download(job["downloadUrl"]).body
    same("a run with it gives a document that the secret opens", inspect(result, "--show-npages", f"--password={SECRET}").strip(), "1")
    same("and that opens not without it", inspect(result, "--show-npages").strip(), "")
    ok("the secret is not in the answers about the job", SECRET not in json.dumps(ask(server, "GET", f"/api/v1/jobs/{job['jobId']}", key).json))
    for folder, _, files in os.walk(server.data):
        for name in files:
            with open(os.path.join(folder, name), "rb") as file:
                ok(f"the secret is not in {name}", SECRET.encode() not in file.read())
    flow = create(server, key, "Stamp", {"tool": "watermark", "params": {"image": "logo"}}).json
    same("a file of a step is a name that a run fills", flow["steps"][0]["params"], {"image": "logo"})
    answer = server.submit("pipeline", [("doc.pdf", pdf(1))], key, {"workflow": flow["workflowId"]})
    same("a run without the file is refused", answer.json.get("field"), "steps[0].image")


def check_scopes(server, key):
    def made(**more):
        return ask(server, "POST", "/api/v1/account/keys", key, {"name": "k", **more}).json["key"]

    flow = ask(server, "GET", PATH, key).json["workflows"][0]
    path = f"{PATH}/{flow['workflowId']}"
    reader, submitter, narrow, test = made(scope="read"), made(scope="submit"), made(tools=["compress"]), made(test=True)
    same("a key of the scope read sees the workflows", ask(server, "GET", path, reader).json, flow)
    same("and changes none", [create(server, reader, "r", TURN).error, ask(server, "DELETE", path, reader).error], ["outside_scope"] * 2)
    same("a key of the scope submit does not see them", ask(server, "GET", PATH, submitter).error, "outside_scope")
    same("and runs them", server.run("pipeline", [("doc.pdf", pdf(1))], submitter, {"workflow": flow["workflowId"]})["status"], "completed")
    same("a key of other tools neither saves one", create(server, narrow, "n", TURN).error, "outside_scope")
    same("nor runs one", server.submit("pipeline", [("doc.pdf", pdf(1))], narrow, {"workflow": flow["workflowId"]}).error, "outside_scope")
    same("test keys have workflows of their own", names(server, test), [])


def check_survives(server, key):
    made = create(server, key, "Durable", TURN)
    server.kill()
    server.start()
    same("a workflow that was answered is there after kill -9",
         [one for one in ask(server, "GET", PATH, key).json["workflows"] if one["name"] == "Durable"], [made.json])
    job = server.run("pipeline", [("doc.pdf", pdf(1))], key, {"workflow": made.json["workflowId"]})
    same("and runs", turned(server.download(job["downloadUrl"]).body), [90])


def check_limit(server):
    key = server.key("business", "many")
    same("an account saves a hundred workflows", {create(server, key, f"w{i}", TURN).status for i in range(100)}, {201})
    same("and not one more", create(server, key, "more", TURN).error, "too_many_workflows")


def main():
    server = Server()
    key, other = server.key(), server.key(name="other")
    made = check_saved(server, key, other)
    check_changed(server, key, other, made)
    check_refused(server, key)
    check_run(server, key, other)
    check_secret(server, key)
    check_scopes(server, key)
    check_survives(server, key)
    check_limit(server)
    server.close()
    done()


main()
