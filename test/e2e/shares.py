"""One account's documents that LibreOffice works on for long keep no other account waiting, and end."""

import time

from platen import Server, done, ok, pdf, same, until

BOMB = b"{\\rtf1\\bin2147483647 x}"  # 23 bytes; LibreOffice reads for hours
SLOW = 15.0  # seconds that a small job of another account may take on a busy machine


class Shares:
    def __init__(self):
        self.server = Server("--workers", "2", "--office-cpu", "6s")
        self.attacker, self.other = self.server.key(name="attacker"), self.server.key(name="other")
        self.bombs = []

    def send(self, n):
        for _ in range(n):
            sent = self.server.submit("word-to-pdf", [("bomb.rtf", BOMB)], self.attacker)
            if sent.status == 202:
                self.bombs.append(sent.json["jobId"])

    def running(self):
        log = self.server.logs()
        return len(self.bombs) - sum(f"event=job.done job={job}" in log for job in self.bombs)

    def took(self, tool, name, data, fields=()):
        began = time.monotonic()
        job = self.server.run(tool, [(name, data)], self.other, fields)
        return job.get("status"), time.monotonic() - began


def check_places(shares):
    shares.send(6)
    ok("the places are taken", until(lambda: started(shares) == 2))
    for tool, name, data, fields in (("rotate", "a.pdf", pdf(), {"degrees": "90"}),
                                     ("word-to-pdf", "a.txt", b"Hello", {})):
        status, seconds = shares.took(tool, name, data, fields)
        same(f"{tool} of another account is done while they are", status, "completed")
        ok(f"{tool} of another account does not wait for them", seconds < SLOW, f"{seconds:.1f} s")
    ok("more long jobs of the account wait", shares.running() >= 4, shares.running())


def started(shares):
    metrics = shares.server.request("GET", "/metrics").body.decode()
    return sum(float(line.split()[-1]) for line in metrics.splitlines()
               if line.startswith("platen_workers_busy"))


def check_end(shares):
    first = shares.server.wait(shares.bombs[0], shares.attacker).json
    same("a job ends that takes too much processor time", first.get("error"), "limit_exceeded")
    ok("the job's message names the limit", "processor time than 6 s" in first["message"], first)


def main():
    shares = Shares()
    ok("the server becomes ready", until(lambda: shares.server.request("GET", "/readyz").status == 200))
    check_places(shares)
    check_end(shares)
    for job in shares.bombs:
        shares.server.request("DELETE", f"/api/v1/jobs/{job}", shares.attacker)
    shares.server.close()
    done()


if __name__ == "__main__":
    main()
