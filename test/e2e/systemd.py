"""The server as a systemd service: messages to NOTIFY_SOCKET, and socket activation."""

import os
import re
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time

from platen import DEADLINE, Server, done, ok, pdf, same

TURN = {"degrees": "90"}

# As the manager starts a service: the socket is descriptor 3, and the variables name this process.
PASS = """import os, sys
os.dup2(int(sys.argv[1]), 3)
os.environ["LISTEN_PID"] = str(os.getpid() + int(sys.argv[2]))
os.environ["LISTEN_FDS"] = sys.argv[3]
os.execv(sys.argv[4], sys.argv[4:])
"""


class Manager:
    """Hears what a service says, as systemd would."""

    def __init__(self, name):
        self.socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self.socket.bind(name.replace("@", "\0") if name[0] == "@" else name)
        self.socket.settimeout(DEADLINE)

    def hear(self):
        return self.socket.recv(4096).decode().splitlines()


def passed(listener, wrong_pid=0, n=1, **more):
    fd = listener.fileno()
    return Server(wrapper=[sys.executable, "-c", PASS, str(fd), str(wrong_pid), str(n)],
                  pass_fds=[fd], **more)


def check_notify():
    with tempfile.TemporaryDirectory() as folder:
        for name in (os.path.join(folder, "notify"), f"@platen-test-{os.getpid()}"):
            manager = Manager(name)
            server = Server("--shutdown-grace", "7s", env={"NOTIFY_SOCKET": name})
            same(f"READY=1 is sent ({name[0]})", manager.hear(), ["READY=1"])
            same("READY=1 is sent once the server answers",
                 server.request("GET", "/healthz").status, 200)
            server.stop()
            same("a stop sends STOPPING=1 and the time it may take", manager.hear(),
                 ["STOPPING=1", "EXTEND_TIMEOUT_USEC=24000000"])
            server.start()
            manager.hear()
            server.close()
    server = Server(env={"NOTIFY_SOCKET": "/no/such/socket"})
    same("the server works on when the manager's socket is gone",
         server.request("GET", "/healthz").status, 200)
    ok("the log says that the manager's socket is gone", "systemd.unheard" in server.logs())
    server.close()


def check_reload():
    """Between RELOADING=1 and READY=1 the manager waits; by the time it knows which reload it is."""
    name = f"@platen-reload-{os.getpid()}"
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "platen.conf")

        def reload(text):
            with open(path, "w", encoding="utf-8") as file:
                file.write(text)
            began = time.clock_gettime_ns(time.CLOCK_MONOTONIC) // 1000
            server.process.send_signal(signal.SIGHUP)
            first = dict(line.split("=", 1) for line in manager.hear())
            said = [first.pop("RELOADING", None), manager.hear()]
            now = time.clock_gettime_ns(time.CLOCK_MONOTONIC) // 1000
            ok("RELOADING=1 has the monotonic time of the reload",
               list(first) == ["MONOTONIC_USEC"] and
               began <= int(first["MONOTONIC_USEC"]) <= now, first, began, now)
            return said

        manager = Manager(name)
        with open(path, "w", encoding="utf-8") as file:
            file.write("retention = 1h\n")
        server = Server("--config", path, env={"NOTIFY_SOCKET": name})
        manager.hear()
        same("a reload sends RELOADING=1, then READY=1", reload("retention = 2h\n"),
             ["1", ["READY=1", "STATUS="]])
        ok("READY=1 is sent after the reload is done",
           "setting=retention value=2h" in server.logs())
        said = reload("retention = never\n")
        same("a refused reload sends READY=1", (said[0], said[1][0]), ("1", "READY=1"))
        ok("a refused reload sends the reason as STATUS",
           said[1][1].startswith("STATUS=settings refused: ") and
           "line 1: retention must be a time" in said[1][1], said)
        same("the next successful reload clears STATUS",
             reload("retention = 3h\n"), ["1", ["READY=1", "STATUS="]])
        server.close()


def check_watchdog():
    name = f"@platen-watchdog-{os.getpid()}"
    manager = Manager(name)
    server = Server(env={"NOTIFY_SOCKET": name, "WATCHDOG_USEC": "200000"})
    same("the watchdog gets WATCHDOG=1 after READY=1",
         [manager.hear() for _ in range(4)], [["READY=1"]] + [["WATCHDOG=1"]] * 3)
    server.close()
    manager = Manager(name + "other")
    server = Server(env={"NOTIFY_SOCKET": name + "other", "WATCHDOG_USEC": "1000",
                         "WATCHDOG_PID": "1"})
    manager.hear()
    manager.socket.settimeout(0.3)
    try:
        said = manager.hear()
    except TimeoutError:
        said = None
    same("a watchdog meant for another process gets no message", said, None)
    server.close()


def check_listener():
    listener = socket.create_server(("127.0.0.1", 0))
    port = listener.getsockname()[1]
    server = passed(listener)
    same("the server listens at the socket that was passed on", server.port, port)
    key = server.key()
    same("a job is completed over the passed socket",
         server.run("rotate", [("a.pdf", pdf())], key, TURN)["status"],
         "completed")
    inherited = [os.readlink(f"/proc/{pid}/fd/{fd}") for pid in server.children()
                 for fd in os.listdir(f"/proc/{pid}/fd")]
    own = os.readlink(f"/proc/{os.getpid()}/fd/{listener.fileno()}")
    ok("no worker program inherits the passed socket",
       inherited and own not in inherited, own, inherited)
    same("the server with a passed socket stops cleanly", server.stop(), 0)
    # Nobody serves now: this waits in the socket's queue for the next start.
    answers = []
    waiting = threading.Thread(
        target=lambda: answers.append(server.request("GET", "/api/v1/usage", key)))
    waiting.start()
    server.start()
    waiting.join(DEADLINE)
    ok("a connection made during the restart is answered by the next server",
       answers and answers[0].status == 200,
       answers)
    server.close()
    server = passed(listener, listen=f"127.0.0.2:{port}")
    ok("an address in the settings that differs from the passed socket's is warned of",
       re.search(f"event=config.odd .*address=127.0.0.1 port={port}", server.logs()),
       server.logs())
    server.close()
    server = passed(listener, listen=f"127.0.0.1:{port}")
    ok("an address in the settings that is the passed socket's is not warned of",
       "config.odd" not in server.logs(), server.logs())
    server.close()


def check_taken():
    """The address is bound before the worker programs, whose start takes seconds."""
    with socket.create_server(("127.0.0.1", 0)) as other, tempfile.TemporaryDirectory() as folder:
        try:
            Server("--programs", folder,
                   listen=f"127.0.0.1:{other.getsockname()[1]}").close()
            said = "it started"
        except RuntimeError as error:
            said = str(error)
    ok("an address in use is reported before worker programs are looked for",
       "cannot listen at 127.0.0.1" in said and "platen-worker" not in said, said)
    ok("an address in use is logged as the event server.failed",
       "event=server.failed" in said, said)


def check_wrong():
    listener = socket.create_server(("127.0.0.1", 0))
    port = listener.getsockname()[1]
    server = passed(listener, wrong_pid=1)
    ok("a passed socket meant for another process is not used", server.port != port)
    server.close()
    plain = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    for what, sock, n, said in (("two sockets are", listener, 2, "one ListenStream"),
                                ("a socket that does not listen is", plain, 1, "a listening TCP socket")):
        try:
            passed(sock, n=n).close()
            ok(f"{what}: the start is refused", False)
        except RuntimeError as error:
            ok(f"{what}: the start is refused", said in str(error), error)


def check_units():
    """The units say what the manager needs, if it is here to judge them."""
    folder = os.path.join(os.path.dirname(__file__), "../../packaging/systemd")
    units = [os.path.join(folder, name) for name in ("platen.service", "platen.socket")]
    try:
        judged = subprocess.run(["systemd-analyze", "verify", "--man=no", *units],
                                capture_output=True, text=True, timeout=DEADLINE)
    except FileNotFoundError:
        ok("systemd-analyze # SKIP is not here", True)
        return
    # The program itself need not be installed.
    faults = [line for line in judged.stderr.splitlines()
              if "/usr/bin/platen is not executable" not in line and "platen" in line]
    same("systemd-analyze verify finds no fault in the units", faults, [])
    judged = subprocess.run(["systemd-analyze", "security", "--offline=true", "--threshold=20",
                             units[0]], capture_output=True, text=True, timeout=DEADLINE)
    ok("systemd-analyze security rates the exposure at most 2.0 of 10",
       judged.returncode == 0, judged.stdout[-1500:],
       judged.stderr)


def main():
    check_notify()
    check_reload()
    check_watchdog()
    check_listener()
    check_taken()
    check_wrong()
    check_units()
    done()


main()
