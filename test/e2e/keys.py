"""platen key: keys are listed with what they used, moved to other plans, ended and removed; no
command but key create makes a data folder."""

import json
import os
import shutil
import subprocess
import tempfile

from platen import PLATEN, Server, done, ok, pdf, same, without_office

without_office()

folder = tempfile.mkdtemp(prefix="platen-keys-")


def platen(*words, **environment):
    return subprocess.run([PLATEN, *words], cwd=folder, capture_output=True, text=True, timeout=60,
                          check=False, env={**os.environ, "HOME": folder, "XDG_DATA_HOME": "",
                                            **environment})


def check_folders():
    for words in (["key", "list"], ["key", "list", "--json"], ["key", "revoke", "pk_12345678"],
                  ["key", "rotate", "pk_12345678"], ["key", "plan", "pk_12345678", "pro"],
                  ["key", "remove", "pk_12345678"], ["webhook", "show", "pk_12345678"],
                  ["backup", "copy"], ["doctor"], ["status", "--listen", "127.0.0.1:1"],
                  ["config", "show"], ["config", "check"], ["tools"]):
        answer = platen(*words)
        ok(f"platen {' '.join(words)} makes no data folder", os.listdir(folder) == [], answer)
        if words[0] in ("key", "webhook"):
            ok(f"platen {' '.join(words)} says that there is no database",
               answer.returncode == 1 and
               "no database in data: " in answer.stderr, answer)
    made = platen("key", "create", "--plan=pro", "--name=Ann")
    ok("key create names the data folder that it made", made.returncode == 0 and
       f"the data folder {os.path.realpath(folder)}/data, which is new" in made.stderr and
       made.stdout.startswith("pk_") and made.stdout.count("\n") == 1, made)
    scoped = platen("key", "create", "--plan=pro", "--name=Cora", "--scope", "submit")
    ok("key create makes a key of a scope", scoped.returncode == 0 and scoped.stdout.startswith("ps_"), scoped)
    wrong = platen("key", "create", "--plan=pro", "--name=Cora", "--scope", "all")
    ok("key create refuses an unknown scope", wrong.returncode != 0 and "submit, read or manage" in wrong.stderr, wrong)
    platen("key", "revoke", scoped.stdout[:11])
    platen("key", "remove", scoped.stdout[:11])
    again = platen("key", "create", "--plan", "pro", "--name", "Ben")
    ok("key create names the data folder that it found", "/data.\n" in again.stderr, again)
    with open(os.path.join(folder, "p.conf"), "w") as file:
        file.write("data = other\n[plan gold]\nrequests_per_month = 7\n")
    named = platen("key", "create", "--plan", "gold", "--name", "Cy", PLATEN_CONFIG="p.conf")
    ok("PLATEN_CONFIG names the settings file", "/other, which is new" in named.stderr, named)
    ok("config show reads the file that PLATEN_CONFIG names", "# file, line 1" in platen(
        "config", "show", PLATEN_CONFIG="p.conf").stdout)
    ok("config check does not report PLATEN_CONFIG as an unknown setting",
       "PLATEN_CONFIG" not in platen(
        "config", "check", PLATEN_CONFIG="p.conf").stdout)
    ok("--config takes precedence over PLATEN_CONFIG",
       platen("key", "list", "--config=/dev/null", PLATEN_CONFIG="p.conf")
       .stdout.count("Ann") == 1)
    lost = platen("key", "list", PLATEN_CONFIG="gone.conf")
    ok("a missing file in PLATEN_CONFIG is an error",
       lost.returncode == 2 and "gone.conf" in lost.stderr,
       lost)


def check_seal():
    """The seal of `platen run sign`, a private key."""
    shutil.rmtree(os.path.join(folder, "data"))
    with open(os.path.join(folder, "a.pdf"), "wb") as file:
        file.write(pdf())
    words = ("run", "sign", "a.pdf", "--signerName", "Ann", "-o", "signed.pdf")
    first = platen(*words)
    seal = os.path.join(folder, ".local/share/platen/seal.pem")
    ok("platen run sign makes a seal in the user's own folder and says so",
       first.returncode == 0 and
       first.stderr.endswith(f"platen: made a new private key for signing: {seal}\n") and
       os.stat(seal).st_mode & 0o777 == 0o600 and not os.path.exists(
           os.path.join(folder, "data")), first)
    second = platen(*words)
    ok("platen run sign uses the user's seal again",
       second.returncode == 0 and "new private key" not in second.stderr, second)
    other = platen(*words, XDG_DATA_HOME=os.path.join(folder, "share"))
    ok("XDG_DATA_HOME moves the user's seal", other.returncode == 0 and os.path.exists(
        os.path.join(folder, "share/platen/seal.pem")), other)
    named = platen(*words, "--data", "mine")
    ok("platen run sign --data uses the seal of that data folder",
       named.returncode == 0 and os.path.exists(
        os.path.join(folder, "mine/seal.pem")) and "mine/seal.pem" in named.stderr, named)


def check_words():
    for words, wanted in (
            (["key"], "create, list, plan, rotate, revoke or remove"),
            (["key", "lst"], "did you mean list?"),
            (["key", "create"], "key create needs --plan and --name"),
            (["key", "create", "--plan", "pro"], "key create needs --name"),
            (["key", "create", "--plan"], "--plan needs a value"),
            (["key", "create", "--pln", "pro", "--name", "x"], "did you mean --plan?"),
            (["key", "create", "--plan", "gold", "--name", "x"], "the plans are pro, business"),
            (["key", "create", "--plan", "pro", "--name", "a\nb"], "one line"),
            (["key", "create", "--plan", "pro", "--name", "a\u2028b"], "one line"),
            (["key", "create", "--plan", "pro", "--name", ""], "one line"),
            (["key", "list", "extra"], "key list accepts no argument extra"),
            (["key", "list", "--plan", "pro"], "key list has no option --plan"),
            (["key", "revoke"], "key revoke needs PREFIX: The key's prefix"),
            (["key", "revoke", "pk_12345678", "more"], "key revoke accepts no argument more"),
            (["key", "plan", "pk_12345678"], "key plan needs PLAN"),
            (["key", "plan", "pk_12345678", "gold"], "the plans are pro, business")):
        answer = platen(*words)
        ok(f"wrong use is reported: platen {' '.join(words)!r}", answer.returncode == 2 and
           wanted in answer.stderr, answer)


def check_use(server):
    def key(*words):
        return platen("key", *words, "--data", os.path.join(server.data, "d"))

    def listed():
        return {entry["name"]: entry for entry in json.loads(key("list", "--json").stdout)}

    mine = server.key(plan="pro", name="mine")
    prefix = mine[:11]
    server.run("rotate", [("a.pdf", pdf())], mine, {"degrees": "90"})
    entry = listed()["mine"]
    same("key list --json has the requests that the account used",
         entry["month"]["requests"]["used"], 1)
    same("key list --json has the bytes that the account used",
         entry["month"]["data"]["used"], len(pdf()))
    usage = server.request("GET", "/api/v1/usage", mine).json
    same("key list --json has the limits that the server answers",
         (usage["requests"]["limit"], usage["data"]["limit"]),
         (entry["month"]["requests"]["limit"], entry["month"]["data"]["limit"]))
    same("key list --json has the state and the plan of the key",
         (entry["state"], entry["plan"], "validUntil" in entry),
         ("active", "pro", False))
    ok("key list shows requests used and their limit",
       f" 1/{usage['requests']['limit']} " in key("list").stdout)
    moved = key("plan", prefix, "business")
    ok("a key can be moved to another plan", moved.returncode == 0 and "business" in moved.stderr,
       moved)
    same("the running server applies a key's new plan at once",
         server.request("GET", "/api/v1/usage", mine).json["plan"], "business")
    early = key("remove", prefix)
    ok("key remove of an active key is refused", early.returncode == 2 and
       "revoke it first" in early.stderr, early)
    ok("key revoke confirms that the key is revoked",
       f"{prefix} is revoked" in key("revoke", prefix).stderr)
    ok("key revoke of a revoked key says that it had ended already",
       "had ended already" in key("revoke", prefix).stderr)
    same("key list --json shows a revoked key as ended", listed()["mine"]["state"], "ended")
    removed = key("remove", prefix)
    ok("key remove removes an ended key", removed.returncode == 0 and
       "mine" not in listed(), removed)
    same("key remove of a removed key has status 2", key("remove", prefix).returncode, 2)

def usage_by(server, cookie):
    return server.request("GET", "/api/v1/usage", headers={"Cookie": cookie.split(";")[0]})


def in_data(server, text):
    """Whether a file of the data folder has the text."""
    for folder, _, files in os.walk(server.data):
        for name in files:
            with open(os.path.join(folder, name), "rb") as file:
                if text.encode() in file.read():
                    return True
    return False


def check_token(server, key, cookie):
    """The cookie has a token of its own, which ends by itself, at sign-out and with its key."""
    path = "/api/v1/session"
    token = cookie.split(";")[0].split("=")[1]
    ok("the cookie has neither the key nor a part of it", key not in cookie and key[3:11] not in cookie, cookie)
    ok("the cookie lasts for 30 days", "Max-Age=2592000" in cookie, cookie)
    ok("the data folder does not have the token", not in_data(server, token))
    same("a token is not a key", server.request("GET", "/api/v1/usage", token).status, 401)
    other = server.request("POST", path, key).headers["Set-Cookie"]
    ok("each sign-in has a token of its own", other.split(";")[0] != cookie.split(";")[0], other)
    changed = server.request("POST", path, key, {"Platen-Page": "1", "Cookie": other.split(";")[0]})
    same("a browser that signs in again leaves its session", (usage_by(server, other).status, usage_by(
        server, changed.headers["Set-Cookie"]).status), (401, 200))
    gone = server.request("DELETE", path, headers={"Platen-Page": "1", "Cookie": changed.headers["Set-Cookie"].split(";")[0]})
    same("a browser that signs out has its cache cleared", gone.headers["Clear-Site-Data"], '"cache"')
    same("a copy of the cookie of a session that has ended is refused", usage_by(server, changed.headers["Set-Cookie"]).status, 401)
    same("the key's other sessions go on", usage_by(server, cookie).status, 200)
    made = server.request("POST", "/api/v1/account/keys", key, {"Content-Type": "application/json"}, '{"name":"short"}').json
    short = server.request("POST", path, made["key"]).headers["Set-Cookie"]
    same("a session of a second key works", usage_by(server, short).status, 200)
    server.request("DELETE", f"/api/v1/account/keys/{made['key'][:11]}", key)
    same("it ends when the key is revoked", usage_by(server, short).error, "invalid_api_key")


def check_session(server, key):
    """The cookie of the web page: what it opens, and what it does not."""
    path = "/api/v1/session"
    same("a session without a key is refused", server.request("POST", path).status, 401)
    opened = server.request("POST", path, key)
    cookie = opened.headers["Set-Cookie"] or ""
    ok("a key opens a session with a cookie that is HttpOnly and SameSite=Strict",
       opened.status == 204 and
       all(word in cookie for word in ("HttpOnly", "SameSite=Strict", "Path=/")) and
       "Secure" not in cookie, cookie)
    held = {"Cookie": "other=1; " + cookie.split(";")[0]}
    page = {**held, "Platen-Page": "1"}
    same("the session's cookie alone may read",
         server.request("GET", "/api/v1/usage", headers=held).status, 200)
    same("the session's cookie alone may not submit",
         server.submit("rotate", [("a.pdf", pdf())], None,
                                                 {"degrees": "90"}, headers=held).status, 401)
    same("the session's cookie with the header Platen-Page may submit",
         server.submit("rotate", [("a.pdf", pdf())], None, {
        "degrees": "90"}, headers=page).status, 202)
    same("the session's cookie alone cannot begin another session",
         server.request("POST", path, headers=held).status, 401)
    same("a cookie without a valid token is refused", server.request("GET", "/api/v1/usage", headers={
        "Cookie": "platen_session=" + "x" * 3000}).status, 401)
    same("a cookie with the key itself, as older versions set it, is refused", server.request(
        "GET", "/api/v1/usage", headers={"Cookie": f"platen_session={key}"}).status, 401)
    check_token(server, key, cookie)
    ended = server.request("DELETE", path)
    ok("a session can be ended without a key", ended.status == 204 and "Max-Age=0" in
       ended.headers["Set-Cookie"], ended.headers["Set-Cookie"])
    other = Server("--web", "off")
    same("with web = off sessions are answered 404",
         (other.request("POST", path, other.key()).status,
                                   other.request("DELETE", path).status), (404, 404))
    ok("with web = off there is no page", b"app.js" not in other.request("GET", "/").body and
       b"app.js" in server.request("GET", "/").body)
    other.close()


check_folders()
check_words()
check_seal()
running = Server()
try:
    check_use(running)
    check_session(running, running.key())
finally:
    running.close()
shutil.rmtree(folder)
done()
