"""Pages at addresses: fetched for the browser of a job, which has no network, and nothing that is not public is reached."""

import gzip
import html
import json
import os
import re
import socket
import subprocess
import tempfile
import threading

from origin import FORMS, Origin, answer, endless, file, redirect, silent
from platen import PLATEN, Server, done, multipart, ok, same, until

PNG = bytes.fromhex("89504e470d0a1a0a0000000d4948445200000001000000010802000000907753de0000000c49444154789c63f8cfc0000003010100c9fe92ef0000000049454e44ae426082")
HTML = [("Content-Type", "text/html; charset=utf-8")]


def page(text, status=200, headers=()):
    return file(text.encode(), status, [*HTML, *headers])


def submit(server, key, url, tool="url-to-pdf", http=None, files=(), **fields):
    pairs = [("url", url)] if url is not None else []
    body, kind = multipart(files, [*pairs, *((name, value) for name, value in fields.items())])
    return server.request("POST", f"/api/v1/tools/pdf/{tool}", key, {"Content-Type": kind, **(http or {})}, body)


def run(server, key, url, **more):
    accepted = submit(server, key, url, **more)
    return server.wait(accepted.json["jobId"], key).json if accepted.status == 202 else accepted.json


def text(server, job):
    if job.get("status") != "completed":
        return repr(job)
    with tempfile.NamedTemporaryFile() as pdf:
        pdf.write(server.download(job["downloadUrl"]).body)
        pdf.flush()
        return " ".join(subprocess.run(["pdftotext", pdf.name, "-"], capture_output=True, text=True).stdout.split())


def warned(job):
    return [one["code"] for one in job.get("warnings", [])]


def used(server, key):
    usage = server.request("GET", "/api/v1/usage", key).json
    return usage["requests"]["used"], usage["data"]["used"]


def lower(headers):
    return {name.lower(): value for name, value in headers.items()}


def sent_to(origin, path):
    """The headers of each request for a path."""
    return [lower(headers) for asked, headers in list(origin.calls) if asked.split("?")[0] == path]


def check_page(server, key, origin):
    url = origin.serve("/report/", page("""<!doctype html><title>Report</title><link rel=stylesheet href="../s.css"><h1>Heading</h1>
        <img src=a.png?x|y width=9><p id=late></p><script>fetch("data.json").then((r) => r.json()).then((j) => {
        document.getElementById("late").textContent = j.word; document.getElementById("late").className = "here" })</script>"""))
    origin.serve("/s.css", file(b"@page { size: 100mm 150mm }", headers=[("Content-Type", "text/css")]))
    origin.serve("/report/a.png", file(PNG))
    origin.serve("/report/data.json", file(b'{"word": "fetched"}', headers=[("Content-Type", "application/json")]))
    before = used(server, key)
    origin.calls.clear()
    job = run(server, key, url + "?token=secret#top", waitFor=".here", preferCssPageSize="true")
    same("a page at an address becomes a PDF with what its scripts fetch", text(server, job), "Heading fetched")
    same("the result has the name of the host", job.get("outputFile"), f"{origin.address}-url-to-pdf.pdf")
    same("a job without files has no bytes", job.get("inputBytes"), 0)
    same("it is one job of the month, and no bytes", used(server, key), (before[0] + 1, before[1]))
    same("nothing is missing", warned(job), [])
    ok("addresses are encoded", any(path == "/report/a.png?x%7Cy" for path, _ in origin.calls), origin.calls)
    ok("requests look like those of a browser", "Mozilla" in sent_to(origin, "/report/")[0].get("user-agent", ""))
    ok("neither address nor token is in the log", "token=secret" not in server.logs() and "/report" not in server.logs())
    picture = run(server, key, url, tool="url-to-png", viewport="200x100", fullPage="false")
    body = server.download(picture["downloadUrl"]).body if picture.get("downloadUrl") else b""
    same("or a picture", (body[:8], body[16:24]), (PNG[:8], (200).to_bytes(4, "big") + (100).to_bytes(4, "big")))
    steps = [{"tool": "url-to-pdf", "params": {"url": url}}, {"tool": "rotate", "params": {"degrees": 90}}]
    turned = run(server, key, None, tool="pipeline", steps=json.dumps(steps))
    ok("it can be the first step of a pipeline", turned.get("status") == "completed", turned)
    steps[0]["params"] = {}
    kept = server.request("POST", "/api/v1/workflows", key, {"Content-Type": "application/json"}, json.dumps({"name": "turned", "steps": steps})).json
    turned = run(server, key, None, tool="pipeline", workflow=kept.get("workflowId", ""), **{"steps[0].url": url})
    ok("and of a saved workflow, which does not keep the address", turned.get("status") == "completed", kept, turned)
    again = {"Idempotency-Key": "url-1"}
    first, second = (submit(server, key, url, http=again) for _ in range(2))
    same("a replay is recognised", (first.json.get("jobId"), second.headers["Idempotent-Replayed"]), (second.json.get("jobId"), "true"))
    server.wait(first.json["jobId"], key)
    same("another address is a conflict", submit(server, key, url + "?2", http=again).status, 409)


def check_refused(server, key, origin):
    for what, url, fields, code, field in (
            ("a missing address", None, {}, "missing_field", "url"),
            ("an empty address", "", {}, "invalid_parameter", "url"),
            ("an address of another scheme", "ftp://example.com/", {}, "invalid_parameter", "url"),
            ("a literal address that is not public", "http://10.0.0.1/", {}, "invalid_parameter", "url"),
            ("headers that are no object", origin.url("/"), {"headers": "a: b"}, "invalid_parameter", "headers"),
            ("a header of the connection", origin.url("/"), {"headers": '{"Host": "x"}'}, "invalid_parameter", "headers"),
            ("cookies that are none", origin.url("/"), {"cookies": "words"}, "invalid_parameter", "cookies"),
            ("cookies with a line break", origin.url("/"), {"cookies": "a=b\r\nHost: x"}, "invalid_parameter", "cookies"),
            ("a file", origin.url("/"), {"files": [("a.html", b"<p>x")]}, "too_many_files", "file")):
        refused = submit(server, key, url, **fields)
        same(f"{what} is refused", (refused.status, refused.json.get("error"), refused.json.get("field")), (400, code, field))
    body, kind = multipart((), [("url", origin.url("/"))])
    dry = server.request("POST", "/api/v1/tools/pdf/url-to-pdf/dry-run", key, {"Content-Type": kind}, body)
    same("a dry run fetches nothing, and says so", (dry.status, dry.json.get("field")), (400, "url"))
    steps = [{"tool": "rotate", "params": {"degrees": 90}}, {"tool": "url-to-pdf", "params": {"url": origin.url("/")}}]
    later = submit(server, key, None, tool="pipeline", steps=json.dumps(steps), files=[("a.pdf", b"%PDF-1.4")])
    same("a later step cannot fetch a page", (later.status, later.json.get("error")), (400, "invalid_parameter"))


def check_credentials(server, key, origin):
    """Headers and cookies go to the origin of the address alone, and cookies stay within the job."""
    other = Origin("127.0.0.3")
    other.serve("/b.png", file(PNG))
    other.serve("/frame", page(f"""<p id=p>framed</p><script>fetch({json.dumps(origin.url("/own"))}, {{ credentials: "include" }}).then((r) => r.text())
        .then((t) => {{ document.getElementById("p").textContent = t }})</script>"""))
    origin.serve("/own", page("read across"))
    origin.serve("/a.png", file(PNG))
    origin.serve("/away.png", redirect(other.url("/b.png")))
    url = origin.serve("/private", page(f"<p>private<img src=a.png><img src=away.png><img src={other.url('/b.png')}><iframe src={other.url('/frame')}></iframe>",
                                        headers=[("Set-Cookie", "given=by-page; Path=/"), ("Set-Cookie", "theme=dark")]))
    origin.calls.clear()
    job = run(server, key, url, headers=json.dumps({"Authorization": "Bearer x y", "X-Tenant": "7"}), cookies="session=abc; theme=light", waitFor="networkIdle")
    same("a page behind a sign-in is printed, and frames of others cannot read what is there", sorted(text(server, job).split()), ["framed", "private"])
    ok("although one has tried", sent_to(origin, "/own"))
    first, part = sent_to(origin, "/private")[0], sent_to(origin, "/a.png")[0]
    same("headers and cookies are sent", (first.get("authorization"), first.get("x-tenant"), first.get("cookie")), ("Bearer x y", "7", "session=abc; theme=light"))
    same("to all of the origin", (part.get("authorization"), sorted(part.get("cookie", "").split("; "))),
         ("Bearer x y", ["given=by-page", "session=abc", "theme=dark"]))
    strange = [headers for _, headers in other.calls if {"authorization", "x-tenant", "cookie"} & set(lower(headers))]
    same("to no other, nor after a redirect", (strange, len(other.calls) >= 3), ([], True))
    ok("they are in no log", not any(word in server.logs() for word in ("Bearer x y", "session=abc", "by-page")))
    with open(os.path.join(server.data, "d", "platen.db"), "rb") as database:
        content = database.read()
    ok("and not in the database", not any(word in content for word in (b"Bearer x y", b"session=abc", url.encode())))
    origin.calls.clear()
    run(server, key, url)
    same("the next job has nothing of it", [headers.get("cookie") for headers in sent_to(origin, "/private")], [None])


def check_trouble(server, key, origin):
    before = used(server, key)
    for what, say, words in (
            ("a page that is not there", page("<p>gone", 404), "status 404"),
            ("a page that wants a password", page("<p>who?", 401, [("WWW-Authenticate", 'Basic realm="x"')]), "status 401"),
            ("a page of a host in trouble", page("<p>x", 503), "status 503"),
            ("a host that says nothing", silent, "in time"),
            ("a page without an end", endless, "too large|in time"),
            ("what is compressed, but not as it says", file(b"no gzip", headers=[*HTML, ("Content-Encoding", "gzip")]), "decoded"),
            ("a bomb", file(gzip.compress(b"<p>" * 30000000, 9), headers=[*HTML, ("Content-Encoding", "gzip")]), "too large"),
            ("redirects without an end", redirect(origin.url("/trouble")), "REDIRECTS")):
        job = run(server, key, origin.serve("/trouble", say))
        ok(f"{what} fails the job", (job.get("error"), job.get("field")) == ("fetch_failed", "url") and re.search(words, job["message"]), job)
    closed = socket.socket()
    closed.bind((origin.address, 0))
    job = run(server, key, f"http://{origin.address}:{closed.getsockname()[1]}/")
    same("a host that does not listen does", (job.get("error"), "connections" in job.get("message", "")), ("fetch_failed", True))
    same("none of them is charged", used(server, key), before)
    job = run(server, key, origin.serve("/a.zip", file(b"PK\3\4", headers=[("Content-Type", "application/zip")])))
    same("a file that browsers download is not a page", (job.get("error"), job.get("field")), ("unsupported_content", "url"))
    job = run(server, key, origin.serve("/b", page("<p>x", headers=[("Content-Disposition", "attachment")])))
    same("nor is one that is sent as such", job.get("error"), "unsupported_content")
    zipped = run(server, key, origin.serve("/zipped", file(gzip.compress(b"<p>zipped"), headers=[*HTML, ("Content-Encoding", "gzip")])))
    same("a page that is compressed for its way is read", text(server, zipped), "zipped")
    moved = run(server, key, origin.serve("/old/", redirect(origin.serve("/new/", page("<p>moved<img src=x.png>")), 301)), onMissing="report")
    same("a redirect is followed", text(server, moved), "moved")
    ok("and addresses are relative to where it leads", "/new/x.png" in json.dumps(moved.get("warnings")), moved)
    origin.serve("/gone.css", file(b"", 410))
    job = run(server, key, origin.serve("/parts", page("<link rel=stylesheet href=gone.css><img src=none.png><p>x")))
    same("missing parts fail the job", (job.get("error"), "status 410" in job.get("message", ""), "none.png" in job.get("message", "")), ("resource_missing", True, True))


def check_attacks(server, key, origin):
    """Nothing but what the guard lets through is reached, whatever a page tries."""
    reached = []
    inside = Origin("127.0.0.1")
    udp = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    udp.bind(("127.0.0.1", 0))
    udp.setblocking(False)
    port = inside.port
    secret = inside.serve("/", page("<p>internal secret"))
    wrong = []
    for form in FORMS:
        job = run(server, key, form.format(port=port))
        if job.get("status") == "completed" or "error" not in job:
            wrong.append((form, job))
    same(f"{len(FORMS)} forms of addresses that are not public are refused", wrong, [])
    wrong = []
    for target in (secret, f"http://localhost:{port}/", "file:///etc/passwd", "data:text/html,<p>x", "http://169.254.169.254/"):
        for say in (redirect(target), page(f'<meta http-equiv=refresh content="0;url={target}"><p>x'), page(f"<script>location = {json.dumps(target)}</script>")):
            job = run(server, key, origin.serve("/hop", say), waitFor="200")
            if "secret" in text(server, job) or "root:" in text(server, job):
                wrong.append((target, job))
    same("redirects to them lead nowhere", wrong, [])
    forms = [form.format(port=port) for form in FORMS]
    tries = "".join(f'<img src="{html.escape(form)}"><link rel=stylesheet href="{html.escape(form)}"><iframe src="{html.escape(form)}"></iframe>' for form in forms)
    job = run(server, key, origin.serve("/tries", page(f"<p>outside{tries}")), onMissing="report")
    ok("parts at such addresses are missing", text(server, job).startswith("outside") and "secret" not in text(server, job), job)
    script = """
        const inside = "%s", tries = {
          popup: () => window.open(inside), link: () => { const a = document.createElement("a"); a.href = inside; a.ping = inside; a.target = "_blank"; a.click() },
          form: () => { const f = document.createElement("form"); f.action = inside; f.method = "post"; f.target = "_blank"; document.body.append(f); f.submit() },
          beacon: () => navigator.sendBeacon(inside, "x"), post: () => fetch(inside, { method: "POST", body: "x", mode: "no-cors" }),
          get: () => fetch(inside, { mode: "no-cors", keepalive: true }), xhr: () => { const x = new XMLHttpRequest(); x.open("PUT", inside); x.send() },
          events: () => new EventSource(inside), socket: () => new WebSocket(inside.replace("http", "ws")), transport: () => new WebTransport(inside.replace("http:", "https:")),
          worker: () => new Worker(URL.createObjectURL(new Blob([`fetch("${inside}"); importScripts("${inside}")`]))),
          shared: () => new SharedWorker(URL.createObjectURL(new Blob([`fetch("${inside}")`]))), service: () => navigator.serviceWorker.register("/worker.js"),
          rtc: () => { const c = new RTCPeerConnection({ iceServers: [{ urls: "stun:127.0.0.1:%d" }] }); c.createDataChannel("x"); c.createOffer().then((o) => c.setLocalDescription(o)) },
          hints: () => { for (const rel of ["dns-prefetch", "preconnect", "prefetch", "prerender", "preload", "modulepreload", "icon", "manifest"]) {
            const l = document.createElement("link"); l.rel = rel; l.href = inside; l.as = "image"; document.head.append(l) } },
          rules: () => { const s = document.createElement("script"); s.type = "speculationrules"; s.textContent = JSON.stringify({ prerender: [{ source: "list", urls: [inside] }] }); document.head.append(s) },
          frame: () => { const f = document.createElement("iframe"); f.src = "view-source:" + inside; document.body.append(f) },
          local: () => { const f = document.createElement("iframe"); f.src = "file:///etc/passwd"; document.body.append(f) } };
        let n = 0; for (const name in tries) try { tries[name](); n++ } catch {} document.getElementById("n").textContent = "tried " + n""" % (secret, udp.getsockname()[1])
    origin.serve("/worker.js", file(f"fetch('{secret}')".encode(), headers=[("Content-Type", "text/javascript")]))
    job = run(server, key, origin.serve("/script", page(f"<body><p id=n></p><script>{script}</script>")), onMissing="report", waitFor="1500")
    ok("scripts that try everything are printed, without what they tried", text(server, job).startswith("tried") and "secret" not in text(server, job), job)
    ok("and told of", {"requests_refused", "windows_refused"} <= set(warned(job)), warned(job))
    reached += inside.calls
    try:
        reached.append(udp.recv(99))
    except BlockingIOError:
        pass
    same("nothing has reached the host that is not allowed", reached, [])
    ok("which would have answered", b"secret" in subprocess.run(["curl", "-s", secret], capture_output=True, check=False).stdout)


def check_bounds(server, key, origin):
    endlessly = Origin("127.0.0.2")
    endlessly.serve("/big", file(b"x" * (33 << 20)))
    job = run(server, key, endlessly.serve("/large", page("<p>x<img src=big>")), onMissing="report")
    ok("a part has a limit", "too large" in json.dumps(job.get("warnings")), job)
    sick = Origin("127.0.0.2")
    cut = file(b"x", length=99)
    for n in range(20):
        sick.serve(f"/{n}.png", cut)
    sick.serve("/good.json", file(b'{"word": "good"}'))
    job = run(server, key, sick.serve("/sick", page("<p id=p>x</p>" + "".join(f"<img src={n}.png>" for n in range(20)) +
                                                    """<script>onload = () => fetch("good.json").then((r) => r.json()).then((j) => {
        document.getElementById("p").textContent = j.word; document.body.className = "end" })</script>""")), onMissing="report", waitFor=".end")
    same("parts that break off leave room for others", text(server, job), "good")
    held = threading.Event()
    gone = origin.serve("/held", lambda handler: (held.wait(60), answer(handler, 200, b"")))
    accepted = submit(server, key, origin.serve("/waits", page(f"<p>x<img src={gone}>"))).json["jobId"]
    ok("a page is being fetched", until(lambda: sent_to(origin, "/held")))
    same("a job that is deleted stops", server.request("DELETE", f"/api/v1/jobs/{accepted}", key).status, 204)
    held.set()


if "url-to-pdf" not in subprocess.run([PLATEN, "tools"], capture_output=True, text=True).stdout:
    print("1..0 # SKIP Chromium is not here, or cannot confine its processes")
    raise SystemExit(0)
HOST = Origin("127.0.0.2")
SERVER = Server("--allow-fetch", "127.0.0.2/31", "--fetch-http", "true", "--fetch-timeout", "10s", "--job-timeout", "2m")
OWN = SERVER.key()
for check in (check_page, check_refused, check_credentials, check_trouble, check_attacks, check_bounds):
    check(SERVER, OWN, HOST)
SERVER.close()
CLOSED = Server("--fetch", "false")
SAID = submit(CLOSED, CLOSED.key(), "https://example.com/").json
same("a server that does not fetch says so", (SAID.get("error"), SAID.get("field")), ("addresses_refused", "url"))
CLOSED.close()
OPEN = Server("--web", "open")
SEEN = OPEN.request("POST", "/api/v1/session", headers={"Platen-Page": "1"})
BODY, KIND = multipart((), [("url", "https://example.com/")])
SAID = OPEN.request("POST", "/api/v1/tools/pdf/url-to-pdf", None, {"Content-Type": KIND, "Platen-Page": "1", "Cookie": (SEEN.headers["Set-Cookie"] or "").split(";")[0]}, BODY).json
same("nor does any for visitors", (SAID.get("error"), SAID.get("field")), ("addresses_refused", "url"))
OPEN.close()
done()
