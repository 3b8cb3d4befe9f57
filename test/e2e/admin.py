"""What only an operator may see: the server's state, its keys and plans, its settings."""

import json
import re
import socket

from platen import DEADLINE, Server, done, ok, pdf, same, without_office

without_office()

ADMIN = "correct-horse-battery-staple"
PARTS = ("overview", "keys", "settings")


HERE = {"X-Forwarded-For": "127.0.0.1"}  # a client of this machine, as the trusted proxy says


def ask(server, part, **headers):
    return server.request("GET", f"/api/v1/operator/{part}", headers={**HERE, **headers})


def bearer(text):
    return {"Authorization": f"Bearer {text}"}


def check_inside(server, key):
    server.run("rotate", [("a.pdf", pdf(2))], key, {"degrees": "90"})
    server.run("rotate", [("secret-name.pdf", b"%PDF-1.4 nothing more")], key, {"degrees": "90"})
    server.request("GET", "/api/v1/usage", "pk_wrong")
    seen = ask(server, "overview").json
    same("overview: an address of operator_from sees the server's state and queue",
         (seen["server"]["state"] in ("starting", "running"), seen["queue"]["pending"]),
         (True, 0))
    same("overview: jobs are counted by tool", [t for t in seen["tools"] if t["tool"] == "rotate"],
         [{"tool": "rotate", "accepted": 2, "completed": 1, "failed": 1}])
    same("overview: failures are counted by tool and error code",
         seen["failures"], [{"tool": "rotate", "error": "corrupt_file", "count": 1}])
    ok("overview: refused requests are counted by error code",
       {"error": "invalid_api_key", "count": 1} in seen["refusals"], seen["refusals"])
    ok("overview: the name of a file does not occur", "secret-name" not in json.dumps(seen))
    listed = ask(server, "keys").json
    same("keys: id, name, plan and state are listed",
         [(k["keyId"], k["name"], k["plan"], k["state"]) for k in listed["keys"]],
         [(key[:11], "test", "business", "active")])
    ok("keys: no secret of a key is shown",
       key not in json.dumps(listed) and key[12:] not in json.dumps(listed))
    ok("keys: no digest of a key is shown", not re.search(r"[0-9a-f]{64}", json.dumps(listed)))
    same("keys: the plans are listed",
         sorted(p["plan"] for p in listed["plans"]), ["business", "pro"])
    settings = {s["name"]: s for s in ask(server, "settings").json["settings"]}
    same("settings: a value that was set is shown",
         (settings["min_free_space"]["value"], settings["min_free_space"]["preset"]),
         ("1M", False))
    same("settings: admin_key and metrics_token are hidden, an unset secret is empty",
         (settings["admin_key"]["value"], settings["metrics_token"]["value"],
                                          settings["seal_password"]["value"]), ("(hidden)", "(hidden)", ""))
    same("settings: the password in an address is hidden",
         settings["timestamp_url"]["value"], "http://name@tsa.example/x")
    text = json.dumps(list(settings.values()))
    ok("wherever", not any(word in text for word in (ADMIN, "metrics-token-of-16", "hunter2")))


def check_doors(server, key):
    """A request through a proxy that is trusted comes from where the proxy says."""
    away = {"X-Forwarded-For": "203.0.113.9", "X-Forwarded-Proto": "https"}
    for part in PARTS:
        same(f"{part}: another address is refused", ask(server, part, **away).error, "forbidden")
        same(f"{part}: an API key in X-API-Key is refused",
             ask(server, part, **away, **{"X-API-Key": key}).error, "forbidden")
        same(f"{part}: an API key as a bearer token is refused",
             ask(server, part, **away, **bearer(key)).error, "forbidden")
        same(f"{part}: metrics_token is refused",
             ask(server, part, **away, **bearer("metrics-token-of-16")).error, "forbidden")
        for wrong in (ADMIN[:-1], ADMIN + "x", ADMIN.upper(), "", "x" * 5000):
            same(f"{part}: a wrong admin key is refused ({len(wrong)})", ask(server, part, **away, **bearer(wrong)).error,
                 "forbidden")
        same(f"{part}: the admin key opens it", ask(server, part, **away, **bearer(ADMIN)).status, 200)
        same(f"{part}: a request from another site's page is refused, even with the admin key",
             ask(server, part, **{"Sec-Fetch-Site": "cross-site", **bearer(ADMIN)}).error, "forbidden")
        same(f"{part}: a request from the server's own page is accepted",
             ask(server, part, **{"Sec-Fetch-Site": "same-origin"}).status, 200)
        answer = ask(server, part, Origin="https://friend.example")
        ok(f"{part}: the answer has no Access-Control-Allow-Origin",
           "Access-Control-Allow-Origin" not in answer.headers)
    same("a trusted proxy that names no client is not a client of this machine",
         server.request("GET", "/api/v1/operator/keys").error, "forbidden")
    same("a Host that does not name this machine is refused (DNS rebinding)",
         ask(server, "keys", Host="evil.example").error, "forbidden")
    same("the admin key is not an API key",
         server.request("GET", "/api/v1/usage", ADMIN).error, "invalid_api_key")
    ok("the admin key is not in the log", ADMIN not in server.logs())


def check_relayed():
    """On the loopback, without trusted proxies: what forgotten proxies send."""
    server = Server("--metrics-from", "127.0.0.0/8 192.0.2.0/24")
    path = "/api/v1/operator/keys"
    try:
        same("a client of this machine sees the keys", server.request("GET", path).status, 200)
        for name in ("X-Forwarded-Host", "X-Forwarded-Proto", "CF-Connecting-IP", "True-Client-IP", "X-Client-IP",
                     "Via", "Forwarded", "X-Original-URL"):
            same(f"a request with {name} is not of this machine",
                 server.request("GET", path, headers={name: "127.0.0.1"}).status, 403)
        for at in (path, "/metrics"):
            with socket.create_connection(("127.0.0.1", server.port), timeout=DEADLINE) as sock:
                sock.sendall(f"GET {at} HTTP/1.0\r\nHost: 127.0.0.1\r\n\r\n".encode())
                same(f"a request of HTTP/1.0 for {at} is refused, as simple proxies send it",
                     sock.recv(4096).split()[1], b"403")
    finally:
        server.close()
    server = Server("--operator-from", "192.0.2.0/24")
    try:
        same("operator_from closes the operator's addresses", server.request("GET", path).error, "forbidden")
        same("/metrics does not depend on operator_from", server.request("GET", "/metrics").status, 200)
    finally:
        server.close()


def main():
    check_relayed()
    server = Server("--admin-key", ADMIN, "--metrics-token", "metrics-token-of-16", "--trusted-proxies", "127.0.0.1",
                    "--cors-origins", "https://friend.example", "--timestamp-url", "http://name:hunter2@tsa.example/x")
    try:
        key = server.key()
        check_inside(server, key)
        check_doors(server, key)
    finally:
        server.close()
    plain = Server("--trusted-proxies", "127.0.0.1")
    try:
        for sent in ("", "x", ADMIN):
            same(f"without the setting admin_key no key opens the operator's pages ({sent!r})",
                 ask(plain, "keys", **{"X-Forwarded-For": "203.0.113.9"}, **bearer(sent)).error, "forbidden")
    finally:
        plain.close()
    done()


main()
