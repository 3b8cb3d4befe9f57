"""HTML through the server: a browser that is killed, what one page leaves for the next, and what is left."""

import contextlib
import ctypes
import os
import signal
import subprocess
import tempfile

from platen import PLATEN, Server, children_of, done, ok, same, until

BROWSER = "chromium-headle"  # as far as the kernel keeps names


def children(pid, name):
    """The processes of that name that another one has made."""
    found = []
    for child in children_of(pid, pid):
        try:
            with open(f"/proc/{child}/comm", encoding="ascii") as comm:
                if comm.read().strip() == name:
                    found.append(child)
        except OSError:
            pass  # it has just ended
    return found


def zygote(server):
    for pid in server.children():
        with open(f"/proc/{pid}/comm", encoding="ascii") as comm:
            if comm.read().strip() == "platen-browser":
                return pid
    return None


def text(server, job):
    if job.get("status") != "completed":
        return repr(job)
    with tempfile.NamedTemporaryFile() as file:
        file.write(server.download(job["downloadUrl"]).body)
        file.flush()
        return subprocess.run(["pdftotext", file.name, "-"], capture_output=True, text=True).stdout.split()


def check_killed(server, key):
    page = b"<p>made<script>setTimeout(() => { document.body.append(Object.assign(document.createElement('b'), {id: 'late'})) }, 5000)</script>"
    sent = server.submit("html-to-pdf", [("a.html", page)], key, {"javascript": "true", "waitFor": "#late"})
    same("a page that has yet to wait is accepted", sent.status, 202)
    parent = zygote(server)

    def lost():
        """Kills every browser that there is, until a job has lost its own."""
        with open(server.log_path, encoding="utf-8") as log:
            if "event=worker.lost" in log.read():
                return True
        for pid in children(parent, BROWSER):
            with contextlib.suppress(ProcessLookupError):  # it has just ended
                os.kill(pid, signal.SIGKILL)
        return False

    ok("a job whose browser is killed is lost", until(lost))
    job = server.wait(sent.json["jobId"], key).json
    same("and done by another attempt", text(server, job), ["made"])
    same("and the next one has a browser", text(server, server.run("html-to-pdf", [("b.html", b"<p>next")], key)), ["next"])


def check_state(server, key):
    write = b"""<p>written<script>localStorage.setItem("a", "1"); sessionStorage.setItem("a", "1"); document.cookie = "a=1; max-age=9999";
        caches.open("a"); indexedDB.open("a"); window.name = "a"</script>"""
    read = b"""<p><script>document.write("seen", localStorage.getItem("a"), sessionStorage.getItem("a"), document.cookie, window.name, history.length)</script>"""
    for sent in (write, read):
        job = server.run("html-to-pdf", [("page.html", sent)], key, {"javascript": "true"})
    same("nothing of a page is left for the next one", text(server, job), ["seennullnull2"])


def check_missing(server, key):
    job = server.run("html-to-pdf", [("page.html", b"<img src=a.png><link rel=stylesheet href='b.css?1'>")], key)
    same("what is missing fails a job", job.get("error"), "resource_missing")
    ok("and is named", all(part in job.get("message", "") for part in ("a.png", "b.css")))


def check_idle():
    """A server that prints nothing has no browser, and one that may not make code says so."""
    idle = Server()
    program = []
    ok("the program of pages starts", until(lambda: program.append(zygote(idle)) or program[-1]))
    same("a server without a page to print has no browser", children(program[-1], BROWSER), [])
    idle.close()
    libc = ctypes.CDLL(None, use_errno=True)

    def deny():
        libc.prctl(65, 1, 0, 0, 0)  # PR_SET_MDWE, PR_MDWE_REFUSE_EXEC_GAIN

    if libc.prctl(66, 0, 0, 0, 0) < 0:  # PR_GET_MDWE, from Linux 6.3 on
        print("# this kernel cannot refuse code in memory")
        return
    with tempfile.TemporaryDirectory() as folder:
        said = subprocess.run([PLATEN, "doctor", "--data", folder], capture_output=True, text=True, preexec_fn=deny).stdout
    ok("doctor says what Chromium lacks, and what gives it", "memory that was written may not be executed" in said and "browser.conf" in said, said)


if "html-to-pdf" not in subprocess.run([PLATEN, "tools"], capture_output=True, text=True).stdout:
    print("1..0 # SKIP Chromium is not here, or cannot confine its processes")
    raise SystemExit(0)
host = Server("--job-timeout", "2m")
own = host.key()
check_idle()
check_killed(host, own)
check_state(host, own)
check_missing(host, own)
left = zygote(host)
browsers = children(left, BROWSER)
ok("a browser waits for the next job", until(lambda: children(left, BROWSER)))
same("the server stops cleanly", host.close(), 0)
ok("and its browsers end with it", until(lambda: not any(os.path.exists(f"/proc/{pid}") for pid in browsers)))
done()
