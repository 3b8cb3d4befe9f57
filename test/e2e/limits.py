"""Keys with limits: test keys, tools, addresses, and how many jobs a plan allows in a minute."""

import io
import json
import os
import re
import subprocess
import tempfile
import time
import zipfile
import zlib

from platen import PLATEN, Server, done, multipart, ok, pdf, same

KEYS = "/api/v1/account/keys"
JSON = {"Content-Type": "application/json"}
DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"


def checksum(text):
    crc, out = zlib.crc32(text.encode()), ""
    for _ in range(6):
        crc, digit = divmod(crc, 62)
        out = DIGITS[digit] + out
    return out


def ask(server, method, path, key, body=None, headers=()):
    return server.request(method, path, headers={"X-API-Key": key, **(JSON if body else {}), **dict(headers)},
                          body=json.dumps(body) if body else None)


def rotate(server, key, headers=None):
    return server.submit("rotate", [("a.pdf", pdf(2))], key, {"degrees": "90"}, headers=headers)


def command(server, *words):
    return subprocess.run([PLATEN, *words, "--data", os.path.join(server.data, "d")], capture_output=True, text=True,
                          timeout=60)


def create(server, *words):
    made = command(server, "key", "create", "--plan", "pro", "--name", "limited", *words)
    return made.stdout.strip().splitlines()[-1] if made.returncode == 0 else made


def check_form(server, key):
    match = re.fullmatch(r"([pt][krs]_[A-Za-z0-9]{8}_[A-Za-z0-9]{33})_([A-Za-z0-9]{6})", key)
    ok("a key has a prefix and a checksum", match, key)
    same("the checksum is CRC-32 of what is before it", match[2], checksum(match[1]))
    wrong = key[:20] + ("a" if key[20] != "a" else "b") + key[21:]
    answer = ask(server, "GET", "/api/v1/usage", wrong)
    ok("a typing error is told from a key that has ended",
       answer.status == 401 and "typing error" in answer.json["message"], answer)


def check_tools(server, owner):
    made = ask(server, "POST", KEYS, owner, {"name": "some", "tools": ["rotate", "merge"]})
    same("a key for some tools is made", (made.status, made.json["tools"]), (201, ["rotate", "merge"]))
    key = made.json["key"]
    same("it may use these", rotate(server, key).status, 202)
    refused = server.submit("split", [("a.pdf", pdf(2))], key, {"pages": "1"})
    ok("it may not use others, and the answer says which it may",
       refused.error == "outside_scope" and "rotate merge" in refused.json["message"], refused)
    same("nor try them", ask(server, "POST", "/api/v1/tools/pdf/split/dry-run", key).error, "outside_scope")
    for second, status in (("rotate", 202), ("compress", 403)):
        steps = json.dumps([{"tool": "rotate", "params": {"degrees": 90}}, {"tool": second,
                            "params": {"degrees": 90} if second == "rotate" else {}}])
        same(f"a pipeline with {second} is answered {status}",
             server.submit("pipeline", [("a.pdf", pdf())], key, {"steps": steps}).status, status)
    same("it makes no keys, which could use others", ask(server, "POST", KEYS, key, {"name": "all"}).error, "forbidden")
    same("a roll keeps the tools",
         ask(server, "POST", f"{KEYS}/{key[:11]}/roll", owner).json["tools"], ["rotate", "merge"])
    for tools in (["nosuch"], ["pipeline"], ["rotate "], [7]):
        said = ask(server, "POST", KEYS, owner, {"name": "a", "tools": tools}).json
        same(f"tools {tools} are refused", (said.get("error"), said.get("field")), ("invalid_scope", "tools"))
    same("tools that are no list are refused", ask(server, "POST", KEYS, owner, {"name": "a", "tools": "rotate"}).status, 400)
    same("the command line makes such keys", rotate(server, create(server, "--only-tools", "merge, rotate")).status, 202)
    wrong = create(server, "--only-tools", "merge nosuch")
    ok("and knows the tools", wrong.returncode == 2 and "no tool nosuch" in wrong.stderr, wrong)


def check_addresses(server, owner):
    made = ask(server, "POST", KEYS, owner, {"name": "here", "addresses": ["127.0.0.0/8", "2001:db8::/32"]})
    same("a key for some addresses is made", (made.status, made.json["addresses"]), (201, ["127.0.0.0/8", "2001:db8::/32"]))
    same("it may be used from there", rotate(server, made.json["key"]).status, 202)
    other = ask(server, "POST", KEYS, owner, {"name": "away", "addresses": ["203.0.113.9"]}).json["key"]
    refused = ask(server, "GET", "/api/v1/usage", other)
    ok("a key for another address may not, and the answer says from where it came",
       refused.error == "outside_addresses" and "127.0.0.1" in refused.json["message"], refused)
    for addresses in (["203.0.113.0/33"], ["here"], ["203.0.113.1 203.0.113.2"], ["192.0.2.1"] * 33):
        said = ask(server, "POST", KEYS, owner, {"name": "a", "addresses": addresses}).json
        same(f"addresses {addresses[0]} are refused", (said.get("error"), said.get("field")), ("invalid_scope", "addresses"))
    wrong = create(server, "--from", "somewhere")
    ok("so they are on the command line", wrong.returncode == 2 and "--from" in wrong.stderr, wrong)
    listed = json.loads(command(server, "key", "list", "--json").stdout)
    ok("the list of keys shows the limits", any(k["addresses"] == "203.0.113.9" for k in listed), listed)


def check_proxy():
    """The address is the client's, and a proxy that does not say so is nobody."""
    server = Server("--trusted-proxies", "127.0.0.1")
    key = create(server, "--from", "198.51.100.0/24")
    for address, status in (("198.51.100.7", 200), ("203.0.113.7", 403)):
        same(f"through a proxy a client at {address} is answered {status}",
             ask(server, "GET", "/api/v1/usage", key, headers={"X-Forwarded-For": address}).status, status)
    server.close()


def marked(data):
    """Whether each page shows the word, by its red pixels."""
    folder = tempfile.mkdtemp(prefix="platen-mark-")
    path = os.path.join(folder, "a.pdf")
    with open(path, "wb") as file:
        file.write(data)
    subprocess.run(["pdftoppm", "-r", "20", "-opw", "word", "-upw", "word", path, os.path.join(folder, "p")], check=True, timeout=60)
    pages = []
    for name in sorted(os.listdir(folder)):
        if name.endswith(".ppm"):
            with open(os.path.join(folder, name), "rb") as file:
                pixels = file.read().split(b"\n", 3)[3]
            pages.append(sum(pixels[i] > pixels[i + 1] + 40 for i in range(0, len(pixels) - 2, 3)) > 50)
    return bool(pages) and all(pages)


def results(server, key):
    def run(tool, files, fields=()):
        job = server.run(tool, files, key, fields)
        same(f"a test key's job of {tool} is done, and says that it is a test", (job.get("status"), job.get("test")),
             ("completed", True))
        return server.download(job["downloadUrl"]).body if "downloadUrl" in job else b""

    document = [("a.pdf", pdf(2))]
    ok("a PDF is marked on each page", marked(run("rotate", document, {"degrees": "90"})))
    ok("so is one of several files", marked(run("merge", [("a.pdf", pdf(1)), ("b.pdf", pdf(2))])))
    parts = zipfile.ZipFile(io.BytesIO(run("split", document, {"pages": "all", "mode": "each"})))
    ok("so are parts", len(parts.namelist()) == 2 and all(marked(parts.read(n)) for n in parts.namelist()))
    ok("so is one with a password", marked(run("add-password", document, {"password": "word"})))
    locked = run("add-password", document, {"password": "word"})
    open_again = server.run("remove-password", [("a.pdf", locked)], key, {"inputPassword": "word"})
    same("a password can be removed", open_again.get("status"), "completed")
    steps = json.dumps([{"tool": "rotate", "params": {"degrees": 90}},
                        {"tool": "add-password", "params": {"password": "word"}}])
    ok("so is what a pipeline gives", marked(run("pipeline", document, {"steps": steps})))


def check_test_keys(server, owner):
    made = ask(server, "POST", KEYS, owner, {"name": "ci", "test": True})
    key = made.json["key"]
    same("a test key is made, and begins with t", (made.status, made.json["test"], key[:3]), (201, True, "tk_"))
    check_form(server, key)
    used = ask(server, "GET", "/api/v1/usage", owner).json["requests"]["used"]
    results(server, key)
    same("the account has used nothing", ask(server, "GET", "/api/v1/usage", owner).json["requests"]["used"], used)
    usage = ask(server, "GET", "/api/v1/usage", key).json
    same("nor has the test key", (usage["requests"]["used"], usage["data"]["used"]), (0, 0))
    limited = rotate(server, key)
    while limited.status == 202:
        limited = rotate(server, key)
    same("of the jobs of a test key ten a minute are accepted", (limited.status, limited.error), (429, "rate_limited"))
    same("those are ten", len(ask(server, "GET", "/api/v1/jobs?limit=100", key).json["jobs"]), 10)
    ok("the answer says when to come again", 1 <= int(limited.headers["Retry-After"]) <= 61, limited.headers)
    same("no other key sees the jobs of test keys",
         [j for j in ask(server, "GET", "/api/v1/jobs?limit=100", owner).json["jobs"] if j.get("test")], [])
    mine = rotate(server, owner).json["jobId"]
    same("a test key sees no job of the account", ask(server, "GET", f"/api/v1/jobs/{mine}", key).error, "job_not_found")
    same("it manages no keys", ask(server, "POST", KEYS, key, {"name": "all"}).error, "forbidden")
    listed = {k["keyId"]: k["test"] for k in ask(server, "GET", KEYS, owner).json["keys"]}
    same("the account lists it", listed.get(key[:11]), True)
    second = ask(server, "POST", KEYS, owner, {"name": "ci 2", "test": True}).json["key"]
    same("another test key shares its jobs", ask(server, "GET", "/api/v1/jobs", second).status, 200)
    same("and its ten a minute", rotate(server, second).error, "rate_limited")
    rolled = ask(server, "POST", f"{KEYS}/{second[:11]}/roll", owner)
    same("a roll keeps it a test key", (rolled.status, rolled.json["test"]), (201, True))
    same("the account ends it", ask(server, "DELETE", f"{KEYS}/{key[:11]}", owner).status, 204)


def check_outcomes(server, owner):
    key = create(server, "--test")
    failed = server.wait(rotate(server, key, {"X-Test-Outcome": "failed"}).json["jobId"], key).json
    same("a test key can have a job fail", (failed["status"], failed["error"], failed["test"]), ("failed", "corrupt_file", True))
    quota = rotate(server, key, {"X-Test-Outcome": "quota_exceeded"})
    same("and be told that its quota is used up",
         (quota.status, quota.error, quota.headers["X-RateLimit-Remaining"], "upgradeUrl" in quota.json),
         (429, "quota_exceeded", "0", True))
    slow = rotate(server, key, {"X-Test-Outcome": "slow"}).json["jobId"]
    for outcome, who, what in (("quick", key, "an unknown outcome"), ("failed", owner, "an outcome for another key")):
        refused = rotate(server, who, {"X-Test-Outcome": outcome})
        same(f"{what} is refused", (refused.status, refused.error, refused.json.get("field")),
             (400, "invalid_test_outcome", "X-Test-Outcome"))
    large = server.submit("rotate", [("a.pdf", pdf(2, pad=5_100_000))], key, {"degrees": "90"})
    same("files of more than 5 MB are refused", large.error, "file_too_large")
    same("also as uploads", ask(server, "POST", "/api/v1/uploads", key, {"name": "a.pdf", "size": 5_100_000}).error, "file_too_large")
    job = server.wait(slow, key).json
    began, accepted = (time.mktime(time.strptime(job[n][:19], "%Y-%m-%dT%H:%M:%S")) for n in ("startedAt", "createdAt"))
    ok("a slow job begins after 15 seconds and is done", job["status"] == "completed" and began - accepted >= 14, job)


def check_rate():
    settings = tempfile.NamedTemporaryFile("w", suffix=".conf")
    settings.write("[plan quick]\nrequests_per_month = 1000\nbytes_per_month = 1G\njobs_per_minute = 5\n")
    settings.flush()
    server = Server("--config", settings.name)
    key = server.key(plan="quick")
    first = ask(server, "GET", "/api/v1/usage", key)
    ok("the fields of the limits are in each answer", re.fullmatch(
        r'"minute";q=5;w=60, "month";q=1000;w=\d+', first.headers["RateLimit-Policy"]), first.headers)
    ok("at first all is left", first.headers["RateLimit"].startswith('"minute";r=5;t=0, "month";r=1000;t='), first.headers)
    answers = [rotate(server, key) for _ in range(7)]
    same("a plan's jobs in a minute are accepted, and no more", [a.status for a in answers], [202] * 5 + [429] * 2)
    same("what is left is told", [a.headers["RateLimit"].split(";")[1] for a in answers],
         ["r=4", "r=3", "r=2", "r=1", "r=0", "r=0", "r=0"])
    same("the month counts what was accepted", answers[-1].headers["X-RateLimit-Remaining"], "995")
    same("asking is not limited", {ask(server, "GET", "/api/v1/jobs", key).status for _ in range(9)}, {200})
    body, kind = multipart([("a.pdf", pdf(1))], {"degrees": "90"})
    same("nor are dry runs", server.request("POST", "/api/v1/tools/pdf/rotate/dry-run", key, {"Content-Type": kind}, body).status, 200)
    same("another account has its own", rotate(server, server.key(plan="quick")).status, 202)
    server.close()


def main():
    server = Server()
    owner = server.key(name="owner")
    check_form(server, owner)
    check_tools(server, owner)
    check_addresses(server, owner)
    check_outcomes(server, owner)
    check_test_keys(server, owner)
    server.close()
    check_proxy()
    check_rate()
    done()


main()
