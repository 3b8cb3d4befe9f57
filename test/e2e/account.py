"""The account's own API keys, and what it used in past months."""

from platen import Server, done, ok, pdf, same, without_office

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
    same("an account has the key it began with", [(k["name"], k["state"], k["current"]) for k in keys],
         [(keys[0]["name"], "active", True)])
    ok("of which no secret is shown", first.startswith(keys[0]["keyId"]) and "key" not in keys[0], keys)
    answer = ask(server, "POST", KEYS, first, '{"name":"Web shop"}')
    second = answer.json.get("key", "")
    same("it makes another one, which is shown once", (answer.status, answer.json["name"], answer.json["state"],
         answer.headers["Cache-Control"]), (201, "Web shop", "active", "no-store"))
    same("which works, and is of the same account", [k["name"] for k in listed(server, second)],
         [keys[0]["name"], "Web shop"])
    job = server.submit("rotate", [("a.pdf", pdf(1))], first, {"degrees": "90"}).json["jobId"]
    same("whose jobs it sees", ask(server, "GET", f"/api/v1/jobs/{job}", second).status, 200)
    for what, body in (("no name", "{}"), ("an empty one", '{"name":""}'), ("two lines", '{"name":"a\\nb"}'),
                       ("another member", '{"name":"a","plan":"business"}'), ("no JSON", "name=a")):
        same(f"{what} is refused", ask(server, "POST", KEYS, first, body).status, 400)
    same("and so is a form", server.request("POST", KEYS, headers={"X-API-Key": first}, body="name=a").status, 415)
    return second


def check_ends(server, first, second, other):
    second_id = second[:11]
    same("another account cannot end it", ask(server, "DELETE", f"{KEYS}/{second_id}", other).status, 404)
    same("nor roll it", ask(server, "POST", f"{KEYS}/{second_id}/roll", other).status, 404)
    answer = ask(server, "POST", f"{KEYS}/{second_id}/roll", first)
    third = answer.json["key"]
    same("a key that is rolled has a new one of its name", (answer.status, answer.json["name"]), (201, "Web shop"))
    states = {k["keyId"]: k["state"] for k in listed(server, third)}
    same("and works on for a while", (states[second_id], states[third[:11]]), ("ending", "active"))
    same("a key can be ended", ask(server, "DELETE", f"{KEYS}/{second_id}", third).status, 204)
    same("at once", ask(server, "GET", KEYS, second).error, "invalid_api_key")
    same("it is in no list then", second_id in [k["keyId"] for k in listed(server, third)], False)
    same("nor can it be ended again", ask(server, "DELETE", f"{KEYS}/{second_id}", third).status, 404)
    same("a key may end itself", ask(server, "DELETE", f"{KEYS}/{first[:11]}", first).status, 204)
    answer = ask(server, "DELETE", f"{KEYS}/{third[:11]}", third)
    ok("but not the last one", answer.status == 400 and "roll it" in answer.json["message"], answer.json)
    return third


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
    ok("by year and month", months == sorted(months) and all(len(m) == 7 for m in months), months)
    same("how long results are kept, and how long at most, is told", [answer[f] for f in ("retentionSeconds", "maxRetentionSeconds")], [86400, 86400])
    refused = server.submit("rotate", [("a.pdf", pdf(1))], key, {"degrees": "90", "ttl": str(answer["maxRetentionSeconds"] + 1)})
    same("and nothing longer is taken", (refused.status, refused.json["field"]), (400, "ttl"))
    same("and not without", "history" in ask(server, "GET", "/api/v1/usage", key).json, False)
    for months in ("0", "37", "x"):
        same(f"months={months} is refused", ask(server, "GET", f"/api/v1/usage?months={months}", key).json["field"], "months")


def check_visitors():
    server = Server("--web", "open")
    answer = server.request("POST", "/api/v1/session", headers={"Platen-Page": "1"})
    cookie = answer.headers["Set-Cookie"].split(";")[0]
    same("a visitor has no keys", server.request("GET", KEYS, headers={"Cookie": cookie}).error, "forbidden")
    same("and makes none", server.request("POST", KEYS, headers={"Cookie": cookie, "Platen-Page": "1", **JSON},
                                          body='{"name":"a"}').error, "forbidden")
    server.close()


def main():
    server = Server()
    mine, theirs = server.key(), server.key()
    another = check_keys(server, mine)
    last = check_ends(server, mine, another, theirs)
    check_usage(server, last)
    check_limits(server)
    server.close()
    check_visitors()
    done()


main()
