"""A Chromium that is kept for the next job of its account: when it is, when it is not, and that nothing of a job is left in it."""

import os
import signal
import subprocess
import sys
import tempfile

from platen import PLATEN, Server, children_of, done, name_of, ok, same, until

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "../browser"))
from attacks import STORES

PLAIN = b"<!doctype html><title>Plain</title><h1>Heading</h1>"
SCRIPT = {"javascript": "true", "waitFor": "300"}


def browsers(server):
    """The process of each Chromium of the server: the parent of all others that belong to it."""
    return {pid for program in server.children() if name_of(program).startswith("platen-browser") for pid in children_of(program, program)
            if name_of(pid).startswith("chromium")}


def settled(server, number):
    """Waits until there are so many, with the one that is started ahead, and returns them."""
    until(lambda: len(browsers(server)) == number)
    return browsers(server)


def run(server, key, page=PLAIN, **fields):
    return server.run("html-to-pdf", [("page.html", page)], key, fields)


def words(server, job):
    if job.get("status") != "completed":
        return repr(job)
    with tempfile.NamedTemporaryFile() as pdf:
        pdf.write(server.download(job["downloadUrl"]).body)
        pdf.flush()
        return " ".join(subprocess.run(["pdftotext", pdf.name, "-"], capture_output=True, text=True).stdout.split())


def folders(server):
    """The folders of the server's platen-browser: of each Chromium, and of jobs that run."""
    tops = {os.path.dirname(os.readlink(f"/proc/{pid}/cwd")) for pid in browsers(server)}
    return {os.path.join(top, name) for top in tops for name in os.listdir(top)}


def check_static(server):
    key, other = server.key(), server.key()
    same("a page is printed", words(server, run(server, key)), "Heading")
    first = settled(server, 2)
    for _ in range(3):
        same("pages of the account are printed by the Chromium that was kept", (words(server, run(server, key)), browsers(server)), ("Heading", first))
    if os.geteuid() == 0:  # others may not see where a process of the sandbox is
        same("nothing but its own folder is left of the jobs", len(folders(server)), 2)
    run(server, other)
    second = settled(server, 3)
    ok("another account gets another one", first < second, first, second)
    run(server, key)
    same("and the first one has its own still", browsers(server), second)
    same("a page with scripts is printed by it, too", words(server, run(server, key, b"<script>document.write('Script')</script>", **SCRIPT)), "Script")
    third = settled(server, 2)
    ok("which ends with it", third < second, second, third)
    run(server, key)
    fourth = settled(server, 3)
    same("a page that is not whole is an error", run(server, key, b"<img src=a.png>").get("error"), "resource_missing")
    ok("which ends it as well", settled(server, 2) < fourth)
    run(server, key)
    kept = settled(server, 3)
    for pid in kept:
        os.kill(pid, signal.SIGKILL)
    until(lambda: not browsers(server) & kept)
    same("after each of them was killed pages are printed as before", words(server, run(server, key)), "Heading")
    ok("one that no job needs ends after half a minute", until(lambda: len(browsers(server)) == 1))


def check_account(server):
    key = server.key()
    same("a page with scripts is printed", words(server, run(server, key, b"<body><script>document.write('Script')</script>", **SCRIPT)), "Script")
    first = settled(server, 2)
    for name, (store, find) in STORES.items():
        run(server, key, f"<body>page<script>{store}</script>".encode(), **SCRIPT)
        found = words(server, run(server, key, f"<body>page<script>(async()=>document.body.append('found: '+({find})))()</script>".encode(), **SCRIPT))
        ok(f"{name} is not found by the next page in the same Chromium", "found:" in found and "STORED" not in found, found)
        same("which is kept", browsers(server), first)
    fixed = b"<body><script>document.write(Date.now() + ' ' + Math.random())</script>"
    times = [run(server, key, fixed, deterministic="true", **SCRIPT) for _ in range(2)]
    same("a fixed time begins anew", *[server.download(job["downloadUrl"]).body for job in times])
    ok("and is not that of the next page", words(server, run(server, key, fixed, **SCRIPT)).split()[0] > "16")
    same("all of that by one Chromium", browsers(server), first)
    run(server, key, b"<body><script>open('about:blank')</script>", **SCRIPT)
    second = settled(server, 1)
    ok("after a page has opened a window it ends", second < first, first, second)
    run(server, key, PLAIN)
    third = settled(server, 2)
    busy = run(server, key, b"<body><script>setTimeout(() => { for (;;); }, 1)</script>", javascript="true")
    ok("so it does after a page that does not come to its end", busy.get("status") == "failed" and settled(server, 1) < third, busy)
    same("and the next one is printed", words(server, run(server, key)), "Heading")


def check_never(server):
    key = server.key()
    run(server, key)
    first = settled(server, 1)
    run(server, key)
    ok("with never each job has its own", not browsers(server) & first or settled(server, 1) != first)


if subprocess.run([PLATEN, "tools", "html-to-pdf"], capture_output=True, check=False).returncode:
    print("1..0 # SKIP html-to-pdf is not offered here")
    sys.exit(0)
for mode, check in ("static", check_static), ("account", check_account), ("never", check_never):
    running = Server("--browser-reuse", mode)
    check(running)
    running.close()
done()
