#!/usr/bin/env python3
"""attacks: pages that try to leave the sandbox of html-to-pdf, to read local files or to leave something for the next job.

attacks.py PLATEN [WORDS]
attacks.py --unconfined CHROMIUM    how many attacks reach the listener if nothing stops them

A listener on the loopback, for TCP and UDP, must see nothing; a file with a secret must not be in any result; the second
job must not find what the first one stored. WORDS, divided by commas, run the attacks whose names have one of them. All of them need
about four minutes on two cores.
"""
import os
import socket
import subprocess
import sys
import tempfile
import threading

import tool

JAVASCRIPT = {"javascript": "true", "onMissing": "report", "waitFor": "500"}


class Listener:
    """Ports on all addresses of this machine, and what came to them."""

    def __init__(self):
        self.seen = []
        self.sockets = []
        tcp = socket.create_server(("::", 0), family=socket.AF_INET6, dualstack_ipv6=True)
        self.port = tcp.getsockname()[1]
        udp = socket.socket(socket.AF_INET6, socket.SOCK_DGRAM)
        udp.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 0)
        udp.bind(("::", self.port))
        self.sockets = [tcp, udp]
        threading.Thread(target=self.accept, args=(tcp,), daemon=True).start()
        threading.Thread(target=self.receive, args=(udp,), daemon=True).start()

    def accept(self, tcp):
        """Answers each connection with the word that no page may show."""
        while True:
            peer, address = tcp.accept()
            self.seen.append(f"tcp {address[0]}")
            peer.settimeout(5)
            try:
                self.seen.append(peer.recv(200).decode(errors="replace").split("\r\n", maxsplit=1)[0])
                peer.sendall(b"HTTP/1.0 200 OK\r\nContent-Type: text/html\r\nAccess-Control-Allow-Origin: *\r\n\r\nLEAKED")
            except OSError:
                pass
            peer.close()

    def receive(self, udp):
        """Notes each datagram."""
        while True:
            _, address = udp.recvfrom(2000)
            self.seen.append(f"udp {address[0]}")


def forms(port):
    """This machine's own address in the forms that programs read."""
    own = socket.gethostbyname(socket.gethostname())
    hosts = ["127.0.0.1", "localhost", "LOCALHOST", "localhost.", "a.localhost", "[::1]", "[::ffff:127.0.0.1]", "[::]", "0.0.0.0", "0",
             "127.1", "0x7f000001", "2130706433", "017700000001", "0x7f.0.0.1", "127.0.0.1.", own, socket.gethostname(), "user:pw@127.0.0.1",
             "127.0.0.1.nip.io", "\N{CIRCLED DIGIT ONE}27.0.0.1", "%31%32%37.0.0.1"]
    for host in hosts:
        yield f"address {host}", f'<img src="http://{host}:{port}/a.png">'


def vehicles(at):
    """The ways in which a page makes requests."""
    script = "<script>{}</script>".format
    plain = {
        "link stylesheet": f'<link rel=stylesheet href="{at}a.css">', "script": f'<script src="{at}a.js"></script>',
        "iframe": f'<iframe src="{at}"></iframe>', "object": f'<object data="{at}a.pdf"></object>', "embed": f'<embed src="{at}a.swf">',
        "video": f'<video src="{at}a.mp4" poster="{at}p.png" autoplay></video>', "audio": f'<audio src="{at}a.mp3" autoplay preload=auto></audio>',
        "track": f'<video autoplay><source src="{at}a.webm"><track default src="{at}a.vtt"></video>',
        "font": f'<style>@font-face{{font-family:x;src:url({at}a.woff)}}b{{font-family:x}}</style><b>b</b>',
        "css background": f'<body style="background:url({at}a.png)">', "css import": f'<style>@import "{at}a.css";</style>',
        "css cursor and list": f'<ul style="list-style-image:url({at}l.png);cursor:url({at}c.cur),auto"><li>a</ul>',
        "svg image": f'<svg><image href="{at}a.svg"/><use href="{at}a.svg#x"/></svg>', "picture": f'<picture><source srcset="{at}a.webp"><img></picture>',
        "input image": f'<input type=image src="{at}a.png">', "icon and manifest": f'<link rel=icon href="{at}i.png"><link rel=manifest href="{at}m.json">',
        "base": f'<base href="{at}"><img src=a.png>', "prefetch": f'<link rel=prefetch href="{at}a.html"><link rel=prerender href="{at}b.html">',
        "preload": f'<link rel=preload as=image href="{at}a.png"><link rel=modulepreload href="{at}m.js">',
        "dns-prefetch and preconnect": f'<link rel=dns-prefetch href="{at}"><link rel=preconnect href="{at}">',
        "meta refresh": f'<meta http-equiv=refresh content="0;url={at}">', "frameset": f'<frameset cols="*"><frame src="{at}"></frameset>',
        "csp report": f'<meta http-equiv=Content-Security-Policy content="img-src none; report-uri {at}"><img src=a.png>',
        "speculation rules": '<script type=speculationrules>{"prerender":[{"source":"list","urls":["%s"]}]}</script>' % at,
        "xml stylesheet": f'<iframe src="data:text/xml,<?xml-stylesheet href=&quot;{at}a.xsl&quot; type=&quot;text/xsl&quot;?><a/>"></iframe>',
    }
    scripts = {
        "fetch": f'fetch("{at}").then(r=>r.text()).then(t=>document.body.append(t))', "fetch no-cors": f'fetch("{at}",{{mode:"no-cors",keepalive:true}})',
        "xhr": f'x=new XMLHttpRequest;x.open("GET","{at}",false);x.send();document.write(x.responseText)',
        "beacon": f'navigator.sendBeacon("{at}","x")', "websocket": f'new WebSocket("{at.replace("http", "ws")}")', "event source": f'new EventSource("{at}")',
        "webrtc": f'p=new RTCPeerConnection({{iceServers:[{{urls:"stun:{at[7:-1]}"}},{{urls:"turn:{at[7:-1]}?transport=tcp",username:"a",credential:"b"}}]}});'
                  'p.createDataChannel("x");p.createOffer().then(o=>p.setLocalDescription(o))',
        "webtransport": f'new WebTransport("{at.replace("http", "https")}")', "location": f'location="{at}"', "window.open": f'window.open("{at}")',
        "form": f'document.write("<form action={at} method=post><input name=a></form>");document.forms[0].submit()',
        "form target": f'document.write("<form action={at} target=_blank><input name=a></form>");document.forms[0].submit()',
        "download": f'a=document.createElement("a");a.href="{at}";a.download="x";document.documentElement.append(a);a.click()',
        "ping": f'a=document.createElement("a");a.href="#x";a.ping="{at}";document.documentElement.append(a);a.click()',
        "worker": f'new Worker(URL.createObjectURL(new Blob(["importScripts(\\"{at}\\")"])))',
        "worker fetch": f'new Worker(URL.createObjectURL(new Blob(["fetch(\\"{at}\\",{{mode:\\"no-cors\\"}})"])))',
        "shared worker": f'new SharedWorker(URL.createObjectURL(new Blob(["fetch(\\"{at}\\",{{mode:\\"no-cors\\"}})"])))',
        "service worker": f'navigator.serviceWorker.register("sw.js").then(r=>fetch("a?{at}"))', "import": f'import("{at}")',
        "data worker": f'new Worker("data:text/javascript,fetch(%22{at}%22,{{mode:%22no-cors%22}})")', "popup with blob": f'window.open(URL.createObjectURL(new Blob(["<img src={at}>"],{{type:"text/html"}})))',
        "iframe srcdoc script": f'f=document.createElement("iframe");f.srcdoc="<script>fetch(\\"{at}\\",{{mode:\\"no-cors\\"}})<\\/script>";document.documentElement.append(f)',
        "unload": f'addEventListener("pagehide",()=>navigator.sendBeacon("{at}","x"))',
    }
    yield from plain.items()
    for name, text in scripts.items():
        yield name, script(text)


def local_files(path):
    """Ways to a file of this machine."""
    for name, address in {"file": f"file://{path}", "file with host": f"file://localhost{path}", "view-source": f"view-source:file://{path}",
                          "filesystem": f"filesystem:file://{path}", "proc": "file:///proc/self/environ", "chrome": "chrome://version/",
                          "devtools": "devtools://devtools/bundled/inspector.html", "path": path, "dots": "../" * 12 + path.lstrip("/"),
                          "encoded dots": "%2e%2e/" * 12 + path.lstrip("/"), "ftp": "ftp://127.0.0.1/"}.items():
        yield f"local {name} in a frame", f'<iframe src="{address}" width=500 height=300></iframe>'
        yield f"local {name} by script", f'<script>fetch("{address}").then(r=>r.text()).then(t=>document.body.append(t));location="{address}"</script>'


STORES = {
    "cookie": ('document.cookie="a=STORED;max-age=9999"', "document.cookie"), "localStorage": ('localStorage.a="STORED"', "localStorage.a"),
    "sessionStorage": ('sessionStorage.a="STORED"', "sessionStorage.a"), "window.name": ('window.name="STORED"', "window.name"),
    "IndexedDB": ('r=indexedDB.open("STORED");r.onupgradeneeded=()=>r.result.createObjectStore("a")', "JSON.stringify(await indexedDB.databases())"),
    "Cache": ('caches.open("STORED").then(c=>c.put("/x",new Response("STORED")))', "JSON.stringify(await caches.keys())"),
    "service worker": ('navigator.serviceWorker.register("sw.js")', '(await navigator.serviceWorker.getRegistrations()).map(r=>"STORED").join()'),
    "file system": ('navigator.storage.getDirectory().then(d=>d.getFileHandle("STORED",{create:true}))',
                    'await (async()=>{s="";for await(const n of (await navigator.storage.getDirectory()).keys())s+=n;return s})()'),
    "lock": ('navigator.locks.request("STORED",()=>new Promise(()=>0))', '(await navigator.locks.query()).held.map(l=>l.name).join()'),
    "history": ('history.pushState("STORED","","#STORED")', 'history.length+" "+history.state'),
    "broadcast": ('new BroadcastChannel("a").postMessage("STORED")', 'await new Promise(f=>{new BroadcastChannel("a").onmessage=e=>f(e.data);setTimeout(f,300,"")})'),
}


def attack(platen, listener, name, page, secret):
    """Runs one page; returns whether nothing leaked, and what was seen."""
    before = len(listener.seen)
    result = tool.run(platen, "html-to-pdf", {"index.html": f"<!doctype html><title>a</title><body>page {page}", "sw.js": "onfetch=e=>fetch(e.request.url.split('?')[1])"}, JAVASCRIPT)
    words = result.words()
    seen = listener.seen[before:]
    if seen:
        return name, False, f"the listener saw {seen}"
    if secret in words or "LEAKED" in words or "PATH=" in words:
        return name, False, "the result has what it may not have"
    if result.code.startswith(("internal", "failed")) or "Traceback" in result.text:
        return name, False, result.text
    return name, True, ""


def unconfined(chromium):
    """Opens the pages in a Chromium that may do what it likes, and says which of them reach the listener."""
    listener = Listener()
    pages = [*forms(listener.port), *vehicles(f"http://127.0.0.1:{listener.port}/")]
    reached = []
    for name, page in pages:
        before = len(listener.seen)
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "index.html")
            with open(path, "w", encoding="utf-8") as file:
                file.write(f"<!doctype html><meta charset=utf-8><title>a</title><body>page {page}")
            command = [chromium, "--headless", "--no-sandbox", "--disable-gpu", f"--user-data-dir={folder}/p", "--virtual-time-budget=2000", f"--print-to-pdf={folder}/a.pdf", path]
            try:
                subprocess.run(command, capture_output=True, check=False, timeout=30)
            except subprocess.TimeoutExpired:
                pass
        if len(listener.seen) > before:
            reached.append(name)
    print(f"{len(reached)} of {len(pages)} reach the listener: {', '.join(reached)}")


def wanted(words, name):
    """Whether a name has one of the words."""
    return any(word in name for word in words.split(","))


def judge(platen, words):
    """Runs all attacks."""
    listener = Listener()
    at = f"http://127.0.0.1:{listener.port}/"
    secret = "S3CR" + os.urandom(6).hex()
    with tempfile.NamedTemporaryFile("w", suffix=".txt", delete=False) as file:
        file.write(secret)
    os.chmod(file.name, 0o644)
    pages = [*forms(listener.port), *vehicles(at), *local_files(file.name)]
    for name, page in pages:
        if wanted(words, name):
            yield attack(platen, listener, name, page, secret)
    for where in ("header", "footer"):
        if not wanted(words, where):
            continue
        before = len(listener.seen)
        markup = f'<img src="{at}"><iframe src="file://{file.name}"></iframe><style>@import "{at}"</style><span style="font-size:9px;background:url({at})">x<script>fetch("{at}")</script></span>'
        result = tool.run(platen, "html-to-pdf", {"index.html": "page"}, {where: markup, "onMissing": "report"})
        yield where, listener.seen[before:] == [] and secret not in result.words(), f"{listener.seen[before:]} {result.text}"
    for name, (store, find) in STORES.items():
        if not wanted(words, f"state {name}"):
            continue
        files = {"index.html": f"<body>page<script>{store}</script>", "sw.js": "1"}
        tool.run(platen, "html-to-pdf", files, JAVASCRIPT)
        files["index.html"] = f"<body>page<script>(async()=>document.body.append('found: '+({find})))()</script>"
        result = tool.run(platen, "html-to-pdf", files, JAVASCRIPT)
        yield f"state {name}", "STORED" not in result.words() and not result.code, result.text + result.words()
    os.unlink(file.name)


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    if sys.argv[1] == "--unconfined":
        sys.exit(unconfined(sys.argv[2]))
    tool.skip_without(sys.argv[1], "html-to-pdf")
    sys.exit(tool.main_of(judge(sys.argv[1], sys.argv[2] if len(sys.argv) > 2 else "")))
