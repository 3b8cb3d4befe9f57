"""Clients that are slow or gone: they hold a connection for a limited time and delay no other client."""

import os
import socket
import time

from platen import DEADLINE, PLATEN, Server, done, ok, pdf, same, until, without_office

without_office()

TURN = {"degrees": "90"}
SLOW = 200  # connections of each kind


def connect(server):
    sock = socket.create_connection(("127.0.0.1", server.port), timeout=30)
    sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return sock


def descriptors(server):
    return len(os.listdir(f"/proc/{server.process.pid}/fd"))


def is_closed(sock):
    """Without waiting: whether the server ended it."""
    sock.setblocking(False)
    try:
        while True:
            if not sock.recv(65536):
                return True
    except BlockingIOError:
        return False
    except OSError:
        return True


def drip(socks, piece):
    for sock in socks:
        try:
            sock.send(piece)
        except OSError:
            pass


def is_done(server, key):
    """A whole job of somebody else."""
    return server.run("rotate", [("a.pdf", pdf())], key, TURN).get("status") == "completed"


def check(name, server, key, first, piece):
    """Clients that begin, go on byte by byte, and are cut off; whether a job of somebody else was done
    before."""
    before = descriptors(server)
    socks = [connect(server) for _ in range(SLOW)]
    drip(socks, first)
    served, end = False, time.monotonic() + DEADLINE
    while time.monotonic() < end and not all(is_closed(sock) for sock in socks):
        drip(socks, piece)
        served = is_done(server, key) and not all(is_closed(sock) for sock in socks) or served
    ok(f"{len(socks)} clients with slow {name} are disconnected", all(is_closed(s) for s in socks))
    for sock in socks:
        sock.close()
    ok(f"after slow {name} the connections' descriptors are closed", until(
        lambda: descriptors(server) <= before + 20), before, descriptors(server))
    return served


def ends_with_answer(server):
    """Whether the server closes a connection after one answer, and says so."""
    with connect(server) as sock:
        sock.send(b"GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n")
        sock.settimeout(DEADLINE)
        return b"connection: close" in sock.recv(4096).lower()


def check_reader(server, key):
    """Asks for a large result and never reads it; whether a job of somebody else was done meanwhile."""
    job = server.run("rotate", [("a.pdf", pdf(pad=8_000_000))], key, TURN)
    path = "/api/" + job["downloadUrl"].split("/api/", 1)[1]
    before = descriptors(server)
    socks = [connect(server) for _ in range(50)]
    for sock in socks:
        sock.send(f"GET {path} HTTP/1.1\r\nHost: x\r\n\r\n".encode())
    until(lambda: descriptors(server) >= before + 50, 1)
    served = is_done(server, key) and descriptors(server) > before + 5
    ok("clients that never read are disconnected, and the files of their downloads closed", until(
        lambda: descriptors(server) <= before + 5), before, descriptors(server))
    for sock in socks:
        sock.close()
    return served


def memory(server):
    with open(f"/proc/{server.process.pid}/smaps_rollup") as file:
        return int([line for line in file if line.startswith("Rss")][0].split()[1])


def check_all(seconds):
    """With so much patience for slow clients: whether others are served before it ends, with each kind."""
    patience = f"{seconds}s"
    server = Server("--header-timeout", patience, "--idle-timeout", patience, "--min-body-rate", "1000",
                    "--body-grace", patience, "--max-connections", "2000")
    key = server.key()
    is_done(server, key)
    fresh = memory(server)
    served = [check("headers", server, key, b"GET /heal", b"t")]
    begin = (f"POST /api/v1/tools/pdf/rotate HTTP/1.1\r\nHost: x\r\nX-API-Key: {key}\r\nContent-Type:"
             " multipart/form-data; boundary=b\r\nContent-Length: 100000\r\n\r\n--b\r\n")
    served.append(check("bodies", server, key, begin.encode(), b"x"))
    # Never a byte more, never an end: what a client leaves behind whose machine lost its power.
    served.append(check("silence", server, key, b"", b""))
    lasting = check("silence after an answer", server, key, b"GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n", b"")
    # With an unknown libmicrohttpd a connection ends with its answer: no client is left that could be slow.
    served.append(lasting or ends_with_answer(server) and is_done(server, key))
    served.append(check_reader(server, key))
    # A sanitizer keeps what is freed for a while.
    with open(PLATEN, "rb") as program:
        spare = 400000 if b"__asan_init" in program.read() else 20000
    ok("the server's memory is as before the slow clients",
       memory(server) < fresh + spare, fresh, memory(server))
    same("no part of an upload is left", [n for n in server.blobs() if ".out." not in n], [])
    same("the server stops cleanly", server.close(), 0)
    return served


def check_greedy():
    """One address opens more connections than it may have, and reads none of many large answers."""
    server = Server("--max-connections", "120", "--max-connections-per-client", "30", "--trusted-proxies", "127.0.0.1")
    ask = b"GET /openapi.json HTTP/1.1\r\nHost: x\r\n\r\n" * 40
    fresh, socks = memory(server), []
    for _ in range(200):
        sock = socket.socket()
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        sock.settimeout(30)
        sock.bind(("127.0.0.2", 0))
        try:
            sock.connect(("127.0.0.1", server.port))
            sock.send(ask)
        except OSError:
            pass  # it was closed already
        socks.append(sock)
    began = time.monotonic()
    ok("connections of one address over its limit are closed, though it reads nothing",
       until(lambda: descriptors(server) < fresh_descriptors(server) + 45, 30), descriptors(server))
    same("others are served meanwhile", server.request("GET", "/healthz").status, 200)
    ok("they are served soon", time.monotonic() - began < 30, time.monotonic() - began)
    ok("answers that nobody reads share one copy", memory(server) < fresh + 20000, fresh, memory(server))
    for sock in socks:
        sock.close()
    server.close()


def fresh_descriptors(server):
    """Those that are not connections."""
    count = 0
    for name in os.listdir(f"/proc/{server.process.pid}/fd"):
        try:
            count += not os.readlink(f"/proc/{server.process.pid}/fd/{name}").startswith("socket:")
        except OSError:
            pass
    return count


def main():
    check_greedy()
    # A busy machine may take longer for a job than the server's patience lasts: then with more of it.
    for seconds in (2, 8, 32):
        served = check_all(seconds)
        if all(served):
            break
    same("other clients are served during each kind of slow clients", served, [True] * 5)
    done()


main()
