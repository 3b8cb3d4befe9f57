"""Settings of webhooks while the server runs."""

import os
import signal
import tempfile
import threading
import time

from platen import DEADLINE, Server, done, ok, same, until, without_office
from receiver import Receiver, again, deliveries, ends, never, submit

without_office()


def main():
    """callback_* count from a SIGHUP on; what is under way ends as it began."""
    folder = tempfile.TemporaryDirectory()
    path = os.path.join(folder.name, "platen.conf")

    def write(text):
        with open(path + ".new", "w", encoding="utf-8") as file:
            file.write(text)
        os.replace(path + ".new", path)

    def reload(text, event="reloaded"):
        write(text)
        before = server.logs().count(f"event=config.{event} ")
        server.process.send_signal(signal.SIGHUP)
        ok(f"settings are {event}",
           until(lambda: server.logs().count(f"event=config.{event} ") > before))

    let = "callback_http = true\ncallback_allow = 127.0.0.1\ncallback_backoff = 40ms\n"
    write("")
    server = Server("--config", path)
    key = server.key()
    release = threading.Event()

    def held(handler):
        release.wait(DEADLINE)
        handler.send_response(200)
        handler.send_header("Content-Length", "0")
        handler.end_headers()

    receiver = Receiver(held)
    same("http is refused at first", submit(server, key, receiver.url()).status, 400)
    reload(let + "callback_timeout = 10m\n")
    first = submit(server, key, receiver.url("/held"))
    ok("after a reload it is taken, and called", receiver.wait(1))
    reload(let + "callback_timeout = 1s\n")
    second = submit(server, key, receiver.url("/next"))
    server.wait(second, key)
    time.sleep(1.1)  # longer than the new terms allow
    same("what is to come waits for what is under way", len(receiver.calls), 1)
    release.set()
    same("which ends by the terms it began with", ends(server, key, first, "delivered")["attempts"],
         1)
    same("and then what is to come is sent", ends(server, key, second, "delivered")["status"], "delivered")
    receiver.script[:] = [never]
    seen = ends(server, key, submit(server, key, receiver.url("/slow")), "delivered")
    ok("by the new terms: a slow receiver is left sooner", seen["status"] == "delivered" and seen["attempts"] > 1, seen)
    reload(let + "callback_timeout = 1s\ncallback_allow = 127.0.0.1/64\n", "refused")
    ok("a network that is none is refused", "is not an address or network" in server.logs())
    reload("callback_http = true\ncallback_backoff = 1h\n")
    same("a network that is let no more is refused", submit(server, key, receiver.url()).status,
         400)
    calls, before = len(receiver.calls), deliveries(server, key, second)[0]
    again(server, key, second, before["deliveryId"])
    ok("and what was to go there does not",
       until(lambda: deliveries(server, key, second)[0]["attempts"] == before["attempts"] + 1))
    same("nor does anybody call", len(receiver.calls), calls)
    same("it stops as it should", server.close(), 0)
    receiver.close()
    folder.cleanup()


main()
done()
