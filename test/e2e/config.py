"""Settings: faults in a file, which origin takes precedence, and SIGHUP, which drops no request."""

import http.client
import json
import os
import re
import signal
import subprocess
import tempfile
import threading

from platen import (DEADLINE, PLATEN, Server, done, multipart, ok, pdf, same, until)

SOURCE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
FOLDER = tempfile.TemporaryDirectory(prefix="platen-config-")


def config(*words, env=None):
    """platen config WORDS...: status and what it printed."""
    ran = subprocess.run([PLATEN, "config", *words], capture_output=True, text=True,
                         timeout=DEADLINE, env={**os.environ, **(env or {})})
    return ran.returncode, ran.stdout + ran.stderr


def write(name, text):
    path = os.path.join(FOLDER.name, name)
    with open(path + ".new", "w", encoding="utf-8") as file:
        file.write(text)
    os.chmod(path + ".new", 0o600)
    os.replace(path + ".new", path)  # a reload may be reading it
    return path


def check_trial():
    """What a server would refuse at its start, and lines that say something else than they seem to."""
    made = subprocess.run(["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-subj", "/CN=a", "-days", "1",
                           "-keyout", "a.key", "-out", "a.pem"], cwd=FOLDER.name, capture_output=True, check=False)
    again = subprocess.run(["openssl", "genrsa", "-out", "b.key", "2048"], cwd=FOLDER.name, capture_output=True,
                           check=False)
    same("openssl makes a certificate and another key", (made.returncode, again.returncode), (0, 0))
    tls = [os.path.join(FOLDER.name, name) for name in ("a.pem", "b.key")]
    path = write("trial.conf", f"tls_certificate = {tls[0]}\ntls_key = {tls[1]}\nseal_certificate = {tls[1]}\n"
                 "blobs = s3://bucket/x?endpoint=s3.example.com\nlease = 1s\nretention = 24\ndata = \"/quoted\"\n"
                 "[plan pro]\nprice = 1\n[plan pro]\nretention = 7\n[plan x]\n")
    said = config("check", "--config", path)[1]
    for line, what in ((1, "error: tls_certificate and tls_key: .* is not the key of the certificate"),
                       (3, "error: seal_certificate: "), (4, "error: .*endpoint"), (5, "warning: lease is short"),
                       (6, "warning: retention = 24 means 24 seconds"), (7, "warning: data: the quotes are part"),
                       (10, r"warning: \[plan pro\] is there twice, first in line 8"),
                       (11, "warning: retention = 7 means 7 seconds"), (12, r"warning: \[plan x\] has no settings")):
        ok(f"config check of line {line}: {what}", re.search(rf"^{path}:{line}: {what}", said, re.MULTILINE), said)
    said = config("check", "--config", write("folder.conf", "programs = /nonexistent\n"))[1]
    ok("config check reports a folder of programs that is not there",
       ":1: error: programs: /nonexistent: No such file" in said, said)


def check_faults():
    path = write("faulty.conf", "listen = 127.0.0.1:80\nretentoin = 3h\nmax_file_size = 5 M\nword\n"
                 "callback_allow = 10.1.2.3 fd00::/129\n[plan gold]\nrequests = 5\n[colours]\nred = 1\n")
    status, said = config("check", "--config", path)
    same("config check of a file with faults has status 1", status, 1)
    for line, what in ((2, "there is no setting retentoin; did you mean retention?"),
                       (3, "max_file_size must be a number of bytes"),
                       (4, "not a setting"),
                       (5, 'callback_allow: "fd00::/129" is not an address or network'),
                       (7, "a plan has no setting requests; did you mean requests_per_month?"),
                       (9, "there is no section [colours]")):
        ok(f"config check reports the fault of line {line}",
           f"{path}:{line}: error: {what}" in said, said)
    ok("config check counts the faults", "6 errors, 0 warnings" in said, said)
    path = write("odd.conf", "listen = 0.0.0.0:8080\nallow_unsandboxed = true\n")
    status, said = config("check", "--config", path, env={"PLATEN_RETENTON": "1h"})
    same("config check of a file with mere warnings has status 0", status, 0)
    ok("config check warns of an unencrypted address, with the line",
       f"{path}:1: warning: documents and keys travel unencrypted" in said
       and f"{path}:2: warning:" in said, said)
    ok("config check warns of an environment variable that is not a setting",
       "warning: PLATEN_RETENTON: there is no such "
       "setting; did you mean PLATEN_RETENTION?" in said, said)
    path = write("order.conf", "workers = 9999\nlisten = x\nnope = 3\nlisten = y\ndata =\n")
    said = config("check", "--config", path)[1]
    same("faults and warnings come in the order of the lines",
         [int(line) for line in re.findall(rf"{path}:(\d+): ", said)], [1, 3, 4, 4, 5])
    ok("config check warns of a setting that is given twice in a file",
       f"{path}:4: warning: listen is given twice: line 2 "
       "counts for nothing" in said, said)
    two = write("two.conf", "workers = 2\n")
    ok("config check accepts a setting that two files give",
       "twice" not in config("check", "--config", two, "--config",
                                                         write("more.conf", "workers = 3\n"))[1])
    for words, env, wanted in (([], {"PLATEN_LOG_LEVEL": "x"}, "error: PLATEN_LOG_LEVEL: log_level"),
                               (["--log-format", "x"], {}, "error: --log-format: log_format"),
                               ([], {"PLATEN_WORKERS": "x"}, "error: PLATEN_WORKERS: workers")):
        said = config("check", *words, env=env)[1]
        ok(f"config check reports a bad value outside of files once, with its origin: {wanted}",
           said.count("error: ") == 1 and wanted in said, said)
    status, said = config("check", "--config", os.path.join(FOLDER.name, "none"))
    ok("config check of a missing file has status 1", status == 1 and "No such file" in said, said)
    status, said = config("check", "--http-threads", "99")
    ok("config check checks settings given on the command line",
       status == 1 and "http_threads must be 1 to 64" in said, said)


def check_example():
    example = os.path.join(SOURCE, "packaging", "platen.conf")
    status, said = config("check", "--config", example)
    ok("the example has no faults", status == 0 and "0 errors, 0 warnings" in said, said)
    with open(example, encoding="utf-8") as file:
        text = re.sub(r"^#(\[|[a-z_]+ =)", r"\1", file.read(), flags=re.M)
    path = write("all.conf", text)
    status, said = config("check", "--config", path)
    ok("nor with every line of it in use", status == 0 and "0 errors, 0 warnings" in said, said)

    def values(*words):
        return [re.sub(r" +#.*", "", line) for line in config("show", *words)[1].splitlines()]
    same("the values in packaging/platen.conf are the defaults", values("--config", path), values())
    missing = [line.split(" ")[0] for line in values()
               if " = " in line and not re.search(rf"^{line.split(' ')[0]} =", text, re.M)]
    same("packaging/platen.conf names every setting", missing, [])


def check_show():
    path = write("shown.conf", "workers = 3\n[plan pro]\nmax_unfinished = 7\n")
    _, said = config("show", "--config", path, "--lease", "40s",
                     env={"PLATEN_SEAL_PASSWORD": "hush hush", "PLATEN_LOG_LEVEL": "warn"})
    for what, line in (("a value of the file", r"workers\s+= 3\s+# file, line 1"),
                       ("a value of the environment", r"log_level\s+= warn\s+# environment"),
                       ("a value of the command line", r"lease\s+= 40s\s+# option"),
                       ("a default", r"http_threads\s+= 2\s+# default"),
                       ("a secret", r"seal_password\s+= \(hidden\)\s+# environment")):
        ok(f"config show prints the origin of {what}", re.search(line, said), said)
    ok("config show prints no secret", "hush" not in said, said)
    ok("config show prints the plans", "[plan pro]" in said and "max_unfinished = 7" in said, said)


class Clients:
    """Keep-alive clients that ask without a pause; what they got."""

    def __init__(self, server, key, n=3):
        self.server, self.key = server, key
        self.stopping = threading.Event()
        self.statuses, self.failures = [], []
        self.threads = [threading.Thread(target=self.run, daemon=True) for _ in range(n)]
        for thread in self.threads:
            thread.start()

    def run(self):
        connection = self.server.connect()
        while not self.stopping.is_set():
            try:
                connection.request("GET", "/api/v1/usage", headers={"X-API-Key": self.key})
                answer = connection.getresponse()
                answer.read()
                self.statuses.append(answer.status)
            except (OSError, http.client.HTTPException) as failure:
                self.failures.append(repr(failure))
                return
        connection.close()

    def stop(self):
        self.stopping.set()
        for thread in self.threads:
            thread.join()


BEFORE = "retention = 1h\nmax_file_size = 5M\nworkers = 2\nlog_format = json\n"
AFTER = ("retention = 2h\nmax_file_size = 20k\nworkers = 5\nlog_format = json\nlog_level = debug\n"
         "upgrade_url = https://example.org/more\n[plan business]\nrequests_per_month = 77\n")


class Reloading(Server):
    def __init__(self, path):
        self.path = path
        super().__init__("--config", path, "--log-format", "text")

    def reload(self, text, event="config.reloaded"):
        """Writes the file, sends SIGHUP, waits for the log to say so; what it said."""
        write(os.path.basename(self.path), text)
        begin = len(self.logs())
        self.process.send_signal(signal.SIGHUP)
        until(lambda: f"event={event} " in self.logs()[begin:])
        return self.logs()[begin:]


def staged(server):
    """Whether a file without a name is being written: an upload that the server is at."""
    folder = f"/proc/{server.process.pid}/fd"
    for fd in os.listdir(folder):
        try:
            name = os.readlink(f"{folder}/{fd}")
            if name.startswith(server.data) and name.endswith(" (deleted)"):
                return True
        except OSError: # closed since
            pass
    return False


def half_upload(server, key):
    """An upload of 300 kB that the server has begun, whose second half is still to come."""
    body, kind = multipart([("a.pdf", pdf(1, pad=300000))], {"degrees": "90"})
    connection = server.connect()
    connection.putrequest("POST", "/api/v1/tools/pdf/rotate")
    for name, value in (("X-API-Key", key), ("Content-Type", kind), ("Content-Length", len(body))):
        connection.putheader(name, str(value))
    connection.endheaders()
    connection.send(body[:150000])
    ok("an upload is in progress when the settings are reloaded", until(lambda: staged(server)))
    return connection, body[150000:]


def check_reload():
    server = Reloading(write("live.conf", BEFORE))
    key = server.key()
    clients = Clients(server, key)
    upload, rest = half_upload(server, key)
    until(lambda: len(clients.statuses) > 50)
    said = server.reload(AFTER)
    ok("a reload logs which settings changed",
       "event=config.changed setting=retention value=2h" in said,
       said)
    ok("a reload logs which changed settings need a restart",
       "event=config.needs_restart setting=workers value=5" in said, said)
    same("a reload logs needs_restart for one setting only", said.count("needs_restart"), 1)
    upload.send(rest)
    answer = upload.getresponse()
    first = json.loads(answer.read())
    same("an upload in progress during a reload has the limits it began with", answer.status, 202)
    usage = server.request("GET", "/api/v1/usage", key)
    same("after a reload the plan has its new quota", usage.headers["X-RateLimit-Limit"], "77")
    refused = server.submit("rotate", [("a.pdf", pdf(1, pad=100000))], key, {"degrees": "90"})
    same("after a reload a new upload has the new limit", (refused.status, refused.error),
         (413, "file_too_large"))
    again = server.submit("rotate", [("b.pdf", pdf())], key, {"degrees": "90"})
    server.wait(first["jobId"], key)
    job = server.wait(again.json["jobId"], key).json
    metrics = server.request("GET", "/metrics").body.decode()
    same("after a reload a new job is completed", job["status"], "completed")
    ok("after a reload a new job has the new retention", 7190 <= expires_in(job) <= 7210, job)
    ok("after a reload the number of workers is unchanged",
       "\nplaten_workers 2\n" in metrics, metrics)
    said = server.reload(AFTER + "nonsense\n", "config.refused")
    ok("a reload of a faulty file is refused, and the reason logged",
       re.search(r"event=config.refused why=\".*live.conf, line 9: not a setting", said), said)
    usage = server.request("GET", "/api/v1/usage", key)
    same("a refused reload changes nothing", usage.headers["X-RateLimit-Limit"], "77")
    said = server.reload("http_threads = 0\n", "config.refused")
    ok("a reload with a value out of range is refused, and the reason logged",
       "http_threads must be 1 to 64" in said, said)
    server.reload(BEFORE + "[plan team]\nrequests_per_month = 5\nbytes_per_month = 1M\n")
    team = subprocess.run([PLATEN, "key", "create", "--plan", "team", "--name", "t", "--data",
                           os.path.join(server.data, "d"), "--config", server.path],
                          capture_output=True, text=True, timeout=DEADLINE, check=True)
    said = server.reload(BEFORE)
    ok("a reload without a plan that a key has logs plan.missing",
       "event=plan.missing plan=team" in said, said)
    same("a reload logs plan.missing once, only for plans that keys have",
         (said.count("plan.missing"), team.returncode), (1, 0))
    for _ in range(20):
        server.process.send_signal(signal.SIGHUP)
    server.reload(BEFORE)
    usage = server.request("GET", "/api/v1/usage", key)
    same("after a reload without a section its settings have their defaults",
         usage.headers["X-RateLimit-Limit"], "50000")
    clients.stop()
    same("no request fails during reloads", (clients.failures, set(clients.statuses)), ([], {200}))
    metrics = server.request("GET", "/metrics").body.decode()
    ok("metrics count refused reloads",
       'platen_config_reloads_total{result="refused"} 2\n' in metrics, metrics)
    same("the server stops cleanly after reloads", server.close(), 0)


def expires_in(job):
    """Seconds between a job's end and its expiry."""
    import datetime

    def moment(text):
        return datetime.datetime.fromisoformat(text.replace("Z", "+00:00"))
    return (moment(job["expiresAt"]) - moment(job["finishedAt"])).total_seconds()


def check_poll():
    """A long poll that began before a reload is answered after it."""
    server = Reloading(write("poll.conf", "workers = 1\n"))
    key = server.key()
    job = server.submit("rotate", [("a.pdf", pdf(pages=400, pad=2000000))], key, {"degrees": "90"})
    answers = []
    poll = threading.Thread(target=lambda: answers.append(server.wait(job.json["jobId"], key)))
    poll.start()
    server.reload("workers = 1\nretention = 3h\n")
    poll.join()
    same("a long poll continues through a reload", (answers[0].status, answers[0].json["status"]),
         (200, "completed"))
    same("the server stops cleanly after a long poll and reload", server.close(), 0)


check_faults()
check_trial()
check_example()
check_show()
check_reload()
check_poll()
done()
