"""The account's own API keys, and what it used in past months."""

import json

from platen import Server, done, multipart, ok, pdf, same, without_office

without_office()

KEYS = "/api/v1/account/keys"
JSON = {"Content-Type": "application/json"}


def ask(server, method, path, key, body=None):
    headers = {"X-API-Key": key, **(JSON if body is not None else {})}
    return server.request(method, path, headers=headers, body=body)


def listed(server, key):
    return ask(server, "GET", KEYS, key).json["keys"]


def check_keys(server, first):
    keys = listed(server, first)
    same("GET /api/v1/keys lists the account's first key as active and current",
         [(k["name"], k["state"], k["current"]) for k in keys],
         [(keys[0]["name"], "active", True)])
    ok("a listed key has the id and not the secret",
       first.startswith(keys[0]["keyId"]) and "key" not in keys[0], keys)
    answer = ask(server, "POST", KEYS, first, '{"name":"Web shop"}')
    second = answer.json.get("key", "")
    same("POST /api/v1/keys makes a key and answers its secret once, with no-store",
         (answer.status, answer.json["name"], answer.json["state"],
         answer.headers["Cache-Control"]), (201, "Web shop", "active", "no-store"))
    same("the new key works, and lists both keys of the account",
         [k["name"] for k in listed(server, second)],
         [keys[0]["name"], "Web shop"])
    job = server.submit("rotate", [("a.pdf", pdf(1))], first, {"degrees": "90"}).json["jobId"]
    same("the new key sees a job that the first key submitted",
         ask(server, "GET", f"/api/v1/jobs/{job}", second).status, 200)
    for what, body in (("no name", "{}"), ("an empty one", '{"name":""}'), ("two lines", '{"name":"a\\nb"}'),
                       ("another member", '{"name":"a","plan":"business"}'), ("no JSON", "name=a")):
        same(f"a new key with {what} is refused",
             ask(server, "POST", KEYS, first, body).status, 400)
    same("a new key in a form instead of JSON is refused with 415",
         server.request("POST", KEYS, headers={"X-API-Key": first}, body="name=a").status, 415)
    return second


def check_ends(server, first, second, other):
    second_id = second[:11]
    same("another account cannot end the key",
         ask(server, "DELETE", f"{KEYS}/{second_id}", other).status, 404)
    same("another account cannot roll the key",
         ask(server, "POST", f"{KEYS}/{second_id}/roll", other).status, 404)
    answer = ask(server, "POST", f"{KEYS}/{second_id}/roll", first)
    third = answer.json["key"]
    same("rolling a key makes a new one with the same name",
         (answer.status, answer.json["name"]), (201, "Web shop"))
    states = {k["keyId"]: k["state"] for k in listed(server, third)}
    same("the rolled key stays usable for a while, in state ending",
         (states[second_id], states[third[:11]]), ("ending", "active"))
    same("a key can be ended", ask(server, "DELETE", f"{KEYS}/{second_id}", third).status, 204)
    same("an ended key is invalid at once",
         ask(server, "GET", KEYS, second).error, "invalid_api_key")
    same("an ended key is not listed",
         second_id in [k["keyId"] for k in listed(server, third)], False)
    same("ending an ended key again is answered 404",
         ask(server, "DELETE", f"{KEYS}/{second_id}", third).status, 404)
    same("a key can end itself", ask(server, "DELETE", f"{KEYS}/{first[:11]}", first).status, 204)
    answer = ask(server, "DELETE", f"{KEYS}/{third[:11]}", third)
    ok("the account's last key cannot be ended, and the answer says to roll it",
       answer.status == 400 and "roll it" in answer.json["message"], answer.json)
    return third


def check_scopes(server):
    key = server.key(name="owner")
    keys = {}
    for scope in ("submit", "read", "manage"):
        made = ask(server, "POST", KEYS, key, json.dumps({"name": scope, "scope": scope}))
        same(f"a key of the scope {scope} is made", (made.status, made.json.get("scope")), (201, scope))
        keys[scope] = made.json["key"]
    submit, read = keys["submit"], keys["read"]
    same("an unknown scope is refused", ask(server, "POST", KEYS, key, '{"name":"a","scope":"all"}').json["field"], "scope")
    foreign = server.submit("rotate", [("a.pdf", pdf(1))], key, {"degrees": "90"}).json["jobId"]
    server.wait(foreign, key)
    own = server.submit("rotate", [("a.pdf", pdf(1))], submit, {"degrees": "90"}).json["jobId"]
    done_job = server.wait(own, submit)
    same("a submit key submits, and reads its own job", done_job.json["status"], "completed")
    same("the result of its job can be loaded", server.download(done_job.json["downloadUrl"]).status, 200)
    same("a submit key cannot read a job of another key",
         ask(server, "GET", f"/api/v1/jobs/{foreign}", submit).error, "job_not_found")
    for part in ("events", "document", "pages/1.webp"):
        same(f"nor its {part}", ask(server, "GET", f"/api/v1/jobs/{foreign}/{part}", submit).status, 404)
    body, kind = multipart((), {"degrees": "90", "file": f"job:{foreign}"})
    refused = server.request("POST", "/api/v1/tools/pdf/rotate", submit, {"Content-Type": kind}, body)
    same("nor use its result as a file", (refused.status, refused.error), (404, "job_not_found"))
    body, kind = multipart((), {"degrees": "90", "file": f"job:{own}"})
    same("it uses results of its own", server.request("POST", "/api/v1/tools/pdf/rotate", submit, {"Content-Type": kind}, body).status, 202)
    upload = server.request("POST", "/api/v1/uploads", key, JSON, '{"name":"a.pdf","size":9}').json["uploadId"]
    same("nor look at an upload of another key", ask(server, "GET", f"/api/v1/uploads/{upload}", submit).error, "upload_not_found")
    upload = server.request("POST", "/api/v1/uploads", submit, JSON, '{"name":"a.pdf","size":9}').json["uploadId"]
    same("it looks at uploads of its own", ask(server, "GET", f"/api/v1/uploads/{upload}", submit).status, 200)
    for method, path in (("GET", "/api/v1/jobs"), ("GET", "/api/v1/usage"), ("GET", "/api/v1/deliveries"), ("GET", KEYS),
                         ("DELETE", f"/api/v1/jobs/{own}"), ("GET", f"/api/v1/jobs/{own}/deliveries"),
                         ("DELETE", f"{KEYS}/{key[:11]}"), ("POST", f"{KEYS}/{submit[:11]}/roll")):
        same(f"a submit key may not {method} {path.split('/')[-1]}", ask(server, method, path, submit).error, "outside_scope")
    same("a submit key makes no keys", ask(server, "POST", KEYS, submit, '{"name":"a"}').error, "outside_scope")
    same("a read key reads all jobs", len(ask(server, "GET", "/api/v1/jobs", read).json["jobs"]), 3)
    same("a read key reads a job", ask(server, "GET", f"/api/v1/jobs/{foreign}", read).status, 200)
    same("a read key submits nothing", server.submit("rotate", [("a.pdf", pdf(1))], read, {"degrees": "90"}).error, "outside_scope")
    same("a read key deletes nothing", ask(server, "DELETE", f"/api/v1/jobs/{own}", read).error, "outside_scope")
    same("a read key makes no keys", ask(server, "POST", KEYS, read, '{"name":"a"}').error, "outside_scope")
    rolled = ask(server, "POST", f"{KEYS}/{submit[:11]}/roll", key)
    same("a key that is rolled keeps its scope", rolled.json["scope"], "submit")
    same("the last key that may manage an account cannot be ended while others are there",
         [ask(server, "DELETE", f"{KEYS}/{k[:11]}", k).status for k in (keys["manage"], key)], [204, 400])


def check_limits(server):
    """An account cannot fill the database with keys."""
    key = server.key(name="busy")

    def kept():
        keys = server.request("GET", "/api/v1/operator/keys").json["keys"]
        account = next(k["account"] for k in keys if k["keyId"] == key[:11])
        states = [k["state"] for k in keys if k["account"] == account]
        return {state: states.count(state) for state in states}

    for _ in range(100):
        rolled = ask(server, "POST", f"{KEYS}/{key[:11]}/roll", key)
        if rolled.status != 201:
            break
        ending, key = key, rolled.json["key"]
    same("a key can be rolled again and again", rolled.status, 201)
    rolled = ask(server, "POST", f"{KEYS}/{key[:11]}/roll", key)
    ok("but not without end", rolled.status == 400 and "about to end" in rolled.json["message"], rolled)
    ask(server, "DELETE", f"{KEYS}/{ending[:11]}", key)
    for _ in range(110):
        made = ask(server, "POST", KEYS, key, '{"name":"short"}')
        if made.status != 201:
            break
        ask(server, "DELETE", f"{KEYS}/{made.json['keyId']}", key)
    same("keys can be made and ended all the time", made.status, 201)
    same("of those that have ended only the last ones are kept", kept(), {"active": 1, "ended": 100, "ending": 99})


def check_usage(server, key):
    answer = ask(server, "GET", "/api/v1/usage?months=3", key).json
    same("past months are shown on request, the oldest first", [m["requests"] for m in answer["history"]], [0, 0, 1])
    months = [m["month"] for m in answer["history"]]
    ok("past months are named YYYY-MM and sorted",
       months == sorted(months) and all(len(m) == 7 for m in months), months)
    same("usage has retentionSeconds and maxRetentionSeconds",
         [answer[f] for f in ("retentionSeconds", "maxRetentionSeconds")], [86400, 86400])
    refused = server.submit("rotate", [("a.pdf", pdf(1))], key, {"degrees": "90", "ttl": str(answer["maxRetentionSeconds"] + 1)})
    same("a ttl longer than maxRetentionSeconds is refused",
         (refused.status, refused.json["field"]), (400, "ttl"))
    same("usage has no history unless months is given",
         "history" in ask(server, "GET", "/api/v1/usage", key).json, False)
    for months in ("0", "37", "x"):
        same(f"months={months} is refused", ask(server, "GET", f"/api/v1/usage?months={months}", key).json["field"], "months")


def check_visitors():
    server = Server("--web", "open")
    answer = server.request("POST", "/api/v1/session", headers={"Platen-Page": "1"})
    cookie = answer.headers["Set-Cookie"].split(";")[0]
    same("a visitor cannot list keys",
         server.request("GET", KEYS, headers={"Cookie": cookie}).error, "forbidden")
    same("a visitor cannot make a key",
         server.request("POST", KEYS, headers={"Cookie": cookie, "Platen-Page": "1", **JSON},
                                          body='{"name":"a"}').error, "forbidden")
    server.close()


def main():
    server = Server()
    mine, theirs = server.key(), server.key()
    another = check_keys(server, mine)
    last = check_ends(server, mine, another, theirs)
    check_usage(server, last)
    check_scopes(server)
    check_limits(server)
    server.close()
    check_visitors()
    done()


main()
