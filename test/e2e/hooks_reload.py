"""Settings of webhooks while the server runs."""

import os
import signal
import tempfile
import threading

from platen import DEADLINE, Server, done, ok, same, until, without_office
from receiver import Receiver, again, deliveries, ends, never, submit

without_office()


def wait_for_timeout(settings):
    """Until a delivery of another server, which begins now, has timed out under these settings."""
    with tempfile.NamedTemporaryFile("w", suffix=".conf", encoding="utf-8") as file:
        file.write(settings)
        file.flush()
        server = Server("--config", file.name)
        key = server.key()
        ends(server, key, submit(server, key, Receiver(never).url()), "delivered")
        server.close()


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
        ok(f"the log says that settings are {event}",
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
    same("a callbackUrl with http is refused by default", submit(server, key, receiver.url()).status, 400)
    reload(let + "callback_timeout = 10m\n")
    first = submit(server, key, receiver.url("/held"))
    ok("a callbackUrl with http is accepted and called after a reload", receiver.wait(1))
    reload(let + "callback_timeout = 1s\n")
    second = submit(server, key, receiver.url("/next"))
    server.wait(second, key)
    wait_for_timeout(let + "callback_timeout = 1s\n")
    same("deliveries after the reload wait for those in flight", len(receiver.calls), 1)
    release.set()
    same("a delivery in flight during the reload ends under the old settings",
         ends(server, key, first, "delivered")["attempts"],
         1)
    same("a delivery that waited is sent under the new settings", ends(server, key, second, "delivered")["status"], "delivered")
    receiver.script[:] = [never]
    seen = ends(server, key, submit(server, key, receiver.url("/slow")), "delivered")
    ok("a delivery to a slow receiver ends at the new, shorter timeout", seen["status"] == "delivered" and seen["attempts"] > 1, seen)
    reload(let + "callback_timeout = 1s\ncallback_allow = 127.0.0.1/64\n", "refused")
    ok("a reload with a malformed network is refused, and the reason logged", "is not an address or network" in server.logs())
    reload("callback_http = true\ncallback_backoff = 1h\n")
    same("a callbackUrl in a network that is no longer allowed is refused",
         submit(server, key, receiver.url()).status,
         400)
    calls, before = len(receiver.calls), deliveries(server, key, second)[0]
    again(server, key, second, before["deliveryId"])
    ok("a pending delivery to a network that is no longer allowed fails",
       until(lambda: deliveries(server, key, second)[0]["attempts"] == before["attempts"] + 1))
    same("a receiver in a network that is no longer allowed is not called", len(receiver.calls), calls)
    same("the server stops cleanly", server.close(), 0)
    receiver.close()
    folder.cleanup()


main()
done()
