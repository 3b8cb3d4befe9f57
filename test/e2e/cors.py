"""Web pages of the origins in cors_origins may call the API from a browser, and no others."""

import os
import signal
import tempfile

from platen import Server, done, multipart, ok, pdf, same, until, without_office

without_office()

PAGE = "https://app.example.com"
OTHER = "https://app.example.com.evil.example"
TOOL = "/api/v1/tools/pdf/rotate"
OF_PAGES = [f"Access-Control-{name}" for name in
            ("Allow-Origin", "Allow-Methods", "Allow-Headers", "Expose-Headers", "Max-Age")]


def words(text):
    return {word.strip().lower() for word in (text or "").split(",")}


def of_pages(answer):
    return {name: answer.headers[name] for name in OF_PAGES if answer.headers[name]}


def preflight(server, origin, path=TOOL, method="POST", headers="x-api-key,idempotency-key"):
    return server.request("OPTIONS", path, None, {
        "Origin": origin, "Access-Control-Request-Method": method,
        "Access-Control-Request-Headers": headers})


def check_none():
    """Without the setting nothing says that pages may."""
    server = Server()
    key = server.key()
    same("without cors_origins a preflight request is answered 405",
         preflight(server, PAGE).status, 405)
    for answer in (preflight(server, PAGE),
                   server.request("GET", "/api/v1/usage", key, {"Origin": PAGE})):
        same("without cors_origins no answer has CORS headers",
             (of_pages(answer), answer.headers["Vary"]), ({}, None))
    server.close()


def check_preflight(server):
    answer = preflight(server, PAGE)
    same("a preflight request of an allowed origin is answered 204",
         (answer.status, answer.body), (204, b""))
    same("the preflight's answer names the allowed origin",
         answer.headers["Access-Control-Allow-Origin"], PAGE)
    ok("the preflight's answer allows every method of the API",
       words(answer.headers["Access-Control-Allow-Methods"]) >=
       {"get", "post", "put", "patch", "delete", "head"}, answer)
    described = {one["name"].lower() for item in server.contract.document["paths"].values()
                 for it in item.values() if isinstance(it, dict)
                 for one in map(server.contract.resolve, it.get("parameters", []))
                 if one["in"] == "header"}
    ok("the preflight's answer allows every request header of the API",
       words(answer.headers["Access-Control-Allow-Headers"]) >=
       described | {"x-api-key", "authorization", "content-type"}, answer, described)
    same("the preflight's answer has Vary: Origin", answer.headers["Vary"], "Origin")
    for path in ("/api/v1/jobs/x", "/api/v1/files/x/y", "/openapi.json"):
        same(f"a preflight request for {path} is answered 204",
             preflight(server, PAGE, path, "GET").status, 204)
    same("an origin that merely begins like an allowed one is refused",
         (preflight(server, OTHER).status,
                                         of_pages(preflight(server, OTHER))), (405, {}))
    same("the origin null is refused", preflight(server, "null").status, 405)
    same("no page may read /metrics", (preflight(server, PAGE, "/metrics", "GET").status,
         of_pages(server.request("GET", "/status", None, {"Origin": PAGE}))), (405, {}))
    same("OPTIONS without Access-Control-Request-Method is answered 405",
         server.request("OPTIONS", TOOL, None, {"Origin": PAGE}).status, 405)
    same("a preflight request for an unknown path is answered 404",
         preflight(server, PAGE, "/api/v1/nothing").status, 404)


def check_answers(server, key):
    body, kind = multipart([("a.pdf", pdf())], {"degrees": "90"})
    accepted = server.request("POST", TOOL, key, {"Content-Type": kind, "Origin": PAGE}, body)
    same("a page's submission is answered 202", accepted.status, 202)
    same("the submission's answer allows the page to read it",
         accepted.headers["Access-Control-Allow-Origin"], PAGE)
    job = server.wait(accepted.json["jobId"], key).json
    got = server.ask("GET", job["downloadUrl"].split(str(server.port))[1], {"Origin": PAGE}, None)
    same("a download's answer allows the page to read it",
         (got.status, got.headers["Access-Control-Allow-Origin"]), (200, PAGE))
    readable = words(accepted.headers["Access-Control-Expose-Headers"])
    described = {name.lower() for path, item in server.contract.document["paths"].items()
                 if path.startswith("/api/") for it in item.values() if isinstance(it, dict)
                 for node in it.get("responses", {}).values()
                 for name in server.contract.resolve(node).get("headers", {})}
    unread = described - readable - {"set-cookie", "cache-control", "clear-site-data",
                                     "content-security-policy", "x-accel-buffering"}
    same("every response header of the API is exposed to the page", unread, set())
    refusal = server.request("POST", TOOL, None, {"Content-Type": kind, "Origin": PAGE}, body)
    same("a 401 answer allows the page to read it",
         (refusal.status, refusal.headers["Access-Control-Allow-Origin"]),
         (401, PAGE))
    lost = server.request("GET", "/api/v1/usage?what=1", key, {"Origin": PAGE})
    same("the answer to a malformed request allows the page to read it",
         (lost.status, lost.headers["Access-Control-Allow-Origin"]),
         (400, PAGE))
    other = server.request("GET", "/api/v1/usage", key, {"Origin": OTHER})
    same("an answer to another origin has no CORS headers",
         (other.status, of_pages(other), other.headers["Vary"]), (200, {}, "Origin"))
    plain = server.request("GET", "/api/v1/usage", key)
    same("an answer to a request without Origin has no CORS headers",
         (plain.status, of_pages(plain)), (200, {}))
    same("Access-Control-Allow-Credentials is never sent",
         accepted.headers["Access-Control-Allow-Credentials"], None)


def main():
    check_none()
    folder = tempfile.TemporaryDirectory(prefix="platen-cors-")
    conf = os.path.join(folder.name, "platen.conf")

    def write(origins):
        with open(conf, "w", encoding="utf-8") as file:
            file.write(f"cors_origins = {origins}\n")

    write(f"http://localhost:3000 {PAGE}")
    server = Server("--config", conf)
    key = server.key()
    server.request("GET", "/api/v1/usage", key)
    check_preflight(server)
    check_answers(server, key)
    write("*")
    server.process.send_signal(signal.SIGHUP)
    ok("after a reload with * any origin is answered 204",
       until(lambda: preflight(server, OTHER).status == 204))
    answer = server.request("GET", "/api/v1/usage", key, {"Origin": OTHER})
    same("with * Access-Control-Allow-Origin is * and there is no Vary",
         (answer.headers["Access-Control-Allow-Origin"], answer.headers["Vary"]), ("*", None))
    server.close()
    folder.cleanup()
    done()


main()
