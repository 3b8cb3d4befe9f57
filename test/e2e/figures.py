"""What operators see of a running server: metrics, their dashboard, platen status, the log."""

import json
import os
import re
import signal
import subprocess
import time

import exposition
from platen import DEADLINE, PLATEN, Server, done, go, hold, ok, pdf, same, until, without_office

without_office()

SOURCE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
PASSWORD = "orange-telephone-42"
VERSION = subprocess.run([PLATEN, "--version"], capture_output=True, text=True, check=True).stdout.split()[1]


def metrics(server, **more):
    return server.request("GET", "/metrics", **more).body.decode()


def check_uptime():
    """A shell that becomes the server is not counted."""
    began = time.monotonic()
    server = Server(wrapper=("sh", "-c", 'sleep 0.5; exec "$@"', "sh"))
    try:
        up = server.request("GET", "/status").json["uptimeSeconds"]
        ok("the server's running time is counted from its own start",
           0 < up <= time.monotonic() - began
           - 0.5, up)
    finally:
        server.close()


def check_reader():
    """The reader finds what it is there to find."""
    good = "# HELP a_total How many.\n# TYPE a_total counter\na_total{b=\"c\"} 1\n"
    same("the test's reader of metrics accepts a correct text", exposition.read(good)[1], [])
    for what, text in (("a negative counter", good.replace(" 1\n", " -1\n")),
                       ("a missing type", good.replace("# TYPE a_total counter\n", "")),
                       ("a missing sentence", good.replace(" How many.", "")),
                       ("a name that is no counter's", good.replace("a_total", "a_bytes")),
                       ("labels that do not end", good.replace('"c"}', '"c}')),
                       ("a series twice", good + 'a_total{b="c"} 2\n'),
                       ("a sample without a family", good + "b_total 1\n"),
                       ("a last line that does not end", good[:-1])):
        ok(f"the test's reader of metrics finds {what}", exposition.read(text)[1], text)
    histogram = ("# HELP a_seconds How long.\n# TYPE a_seconds histogram\n"
                 'a_seconds_bucket{le="1"} 2\na_seconds_bucket{le="+Inf"} 3\n'
                 "a_seconds_sum 4\na_seconds_count 3\n")
    same("the test's reader of metrics accepts a correct histogram",
         exposition.read(histogram)[1], [])
    ok("the test's reader of metrics finds a histogram whose buckets decrease",
       exposition.read(histogram.replace("} 2", "} 9"))[1])
    ok("the test's reader of metrics finds a histogram without a sum",
       exposition.read(histogram.replace("a_seconds_sum 4\n", ""))[1])


def work(server, key):
    """Jobs of several ends."""
    jobs = [server.run("rotate", [("secret-name.pdf", pdf(3))], key, {"degrees": "90"}),
            server.run("merge", [("a.pdf", pdf()), ("b.pdf", pdf(2))], key),
            server.run("add-password", [("c.pdf", pdf())], key, {"password": PASSWORD}),
            server.run("rotate", [("d.pdf", b"%PDF-1.4 nothing more")], key, {"degrees": "90"})]
    server.request("GET", "/api/v1/usage", "ptk_wrong")
    server.request("GET", "/nowhere")
    return jobs


def check_metrics(server):
    # A job's end is counted just after it is told.
    until(lambda: sum(float(count) for count in re.findall(r"\nplaten_jobs_ended_total\{.*\} (\S+)", metrics(server))) == 4)
    families, faults = exposition.read(metrics(server))
    same("/metrics follows the exposition format and Prometheus' conventions", faults, [])
    with open(os.path.join(SOURCE, "src", "base", "metric.def"), encoding="utf-8") as source:
        declared = re.findall(r'^METRIC\(\w+, "(\w+)"', source.read(), re.M)
    same("/metrics has every declared family", sorted(families), sorted(declared))

    def has(what, name, at_least, **labels):
        got = exposition.value(families, name, **labels)
        ok(what, got is not None and got >= at_least, name, labels, got)
    has("accepted jobs are counted by tool", "platen_jobs_accepted_total", 2, tool="rotate")
    has("ended jobs are counted by tool and end", "platen_jobs_ended_total", 1, tool="merge", end="completed")
    has("failed jobs are counted by error code", "platen_jobs_ended_total", 1, tool="rotate", end="corrupt_file")
    for name, tool in (("platen_queue_wait_seconds", "rotate"), ("platen_job_run_seconds", "rotate"),
                       ("platen_job_input_bytes", "merge"), ("platen_job_output_bytes", "merge"),
                       ("platen_job_pages", "merge"), ("platen_worker_peak_memory_bytes", "merge")):
        has(f"{name} is a histogram by tool", name + "_count", 1, tool=tool)
    same("metrics count the pages of results", exposition.value(families, "platen_job_pages_sum",
                                                            tool="merge"), 3)
    has("answers are counted by route and status", "platen_http_requests_total", 4, code="202",
        route="/api/v1/tools/pdf/{tool}")
    has("answers without a route are counted", "platen_http_requests_total", 1, code="404", route="none")
    has("the time of answers is measured by route", "platen_http_request_seconds_count", 1,
        route="/api/v1/jobs/{id}")
    has("refused requests are counted by error code", "platen_refusals_total", 1, error="invalid_api_key")
    has("the time of the store is measured by operation", "platen_store_seconds_count", 4, operation="put")
    has("webhook operations of the store are measured", "platen_store_seconds_count", 1, operation="delivery_next")
    has("the time from durable to started is measured",
        "platen_job_start_seconds_count", 1, tool="rotate")
    start = exposition.value(families, "platen_job_start_seconds_sum", tool="rotate")
    ok("the start time of the process is plausible", 0 < start < DEADLINE, start)
    has("operations on files are measured, for the one job with a password, whose files are not in the store",
        "platen_blob_publish_seconds_count", 2)
    has("the number of workers is given", "platen_workers", 1)
    for name in ("platen_disk_free_bytes", "platen_disk_size_bytes", "process_resident_memory_bytes",
                 "process_virtual_memory_bytes", "process_open_fds", "process_max_fds",
                 "process_threads", "process_start_time_seconds", "platen_http_connections",
                 "platen_config_loaded_timestamp_seconds"):
        has(name, name, 1)
    has("the version is given", "platen_build_info", 1, version=VERSION)
    rss = exposition.value(families, "process_resident_memory_bytes")
    with open(f"/proc/{server.process.pid}/status", encoding="utf-8") as status:
        kernel = int(re.search(r"VmRSS:\s+(\d+)", status.read())[1]) * 1024
    ok("the resident memory in the metrics is that of the kernel",
       0.5 < rss / kernel < 2, rss, kernel)

    def fds_agree():
        fds = len(os.listdir(f"/proc/{server.process.pid}/fd"))
        told = exposition.value(exposition.read(metrics(server))[0], "process_open_fds")
        return abs(told - fds) <= 3
    ok("the number of open files in the metrics is that of the kernel", until(fds_agree))


def check_dashboard(server):
    with open(os.path.join(SOURCE, "packaging", "grafana", "platen.json"), encoding="utf-8") as file:
        dashboard = json.load(file)
    families = exposition.read(metrics(server))[0]
    panels = [panel for panel in dashboard["panels"] if panel["type"] != "row"]
    used, unknown, bad_labels = set(), [], []
    for panel in panels:
        for target in panel["targets"]:
            for name in re.findall(r"\b(?:platen|process)_[a-z_]+", target["expr"]):
                base = exposition.base_of(name, families)
                used.add(base)
                if base not in families:
                    unknown.append((panel["title"], name))
            for name, labels in re.findall(r"\b((?:platen|process)_[a-z_]+)\{([^}]*)\}",
                                           target["expr"]):
                have = {label for _, ls, _ in
                        families.get(exposition.base_of(name, families), exposition.Family("")).samples
                        for label in ls}
                bad_labels += [(name, label) for label in re.findall(r"(\w+)\s*[=!]~?", labels)
                               if have and label not in have | {"job", "instance"}]
    same("every metric that the dashboard uses exists", unknown, [])
    same("every label that the dashboard uses exists", bad_labels, [])
    same("the dashboard's panels have distinct ids",
         len({panel["id"] for panel in dashboard["panels"]}),
         len(dashboard["panels"]))
    boxes = [(p["gridPos"]["x"], p["gridPos"]["y"], p["gridPos"]["w"], p["gridPos"]["h"])
             for p in dashboard["panels"]]
    ok("no two panels of the dashboard overlap", not any(
        i < k and a[0] < b[0] + b[2] and b[0] < a[0] + a[2] and a[1] < b[1] + b[3]
        and b[1] < a[1] + a[3] for i, a in enumerate(boxes) for k, b in enumerate(boxes)), boxes)
    same("the dashboard uses every metric of webhooks",
         [name for name in families if "webhook" in name and name not in used], [])
    ok("the dashboard uses at least 25 metrics",
       len(used) >= 25, len(used), sorted(set(families) - used))


def check_page(server):
    with open(os.path.join(SOURCE, "docs", "operating.md"), encoding="utf-8") as file:
        names = set(re.findall(r"\b(?:platen|process)_[a-z_]+(?=[^a-z_.]|$)", file.read()))
    families = exposition.read(metrics(server))[0]
    ok("docs/operating.md names at least 8 metrics", len(names) >= 8, names)
    same("the metrics that docs/operating.md names exist", sorted(name for name in names
                              if exposition.base_of(name, families) not in families), [])


def check_rules():
    """Alarms on increase() need counters that begin at 0: here nothing has happened yet."""
    with open(os.path.join(SOURCE, "packaging", "prometheus", "platen.rules.yml"),
              encoding="utf-8") as file:
        rules = re.findall(r"^ +expr: (.*)$", file.read(), re.M)
    with open(os.path.join(SOURCE, "docs", "operating.md"), encoding="utf-8") as file:
        told = re.findall(r"^\| [^|`]* \| `([^`]*)` \|$", file.read(), re.M)
    plain = [re.sub(r'\{job="platen"\}', "", rule) for rule in rules]
    same("the rules for Prometheus are those in docs/operating.md",
         sorted(rule for rule in plain if rule != "up == 0"), sorted(
             expression for expression in told if re.search(r"[<>]", expression)))
    server = Server()
    families = exposition.read(metrics(server))[0]
    counted = [re.search(r"increase\((\w+)(?:\{(\w+)=\"(\w+)\"\})?\[", rule) for rule in rules]
    counted = [found.groups() for found in counted if found]
    ok("at least four rules use counters", len(counted) >= 4, rules)
    for name, label, value in counted:
        samples = [(labels, number) for _, labels, number in families[name].samples
                   if not label or labels.get(label) == value]
        ok(f"the counter {name} of a rule begins at 0",
           samples and all(number == 0 for _, number in samples), samples)
    same("platen status omits tools that were not used",
         json.loads(status(server, "--json")[1])["tools"], {})
    server.run("rotate", [("a.pdf", pdf())], server.key(), {"degrees": "90"})
    families = exposition.read(metrics(server))[0]
    operations = [{labels["operation"] for _, labels, _ in families[name].samples}
                  for name in ("platen_store_seconds", "platen_store_errors_total")]
    same("each operation of the store has a counter of its errors", operations[0] - operations[1],
         set())
    server.close()


def check_full():
    """A load balancer asks several times a second: the log tells of a full disk once."""
    server = Server("--min-free-space", "1000000G")
    answers = [server.request("GET", "/readyz").status for _ in range(5)]
    same("/readyz of a server without disk space is 507", answers, [507] * 5)
    same("a full disk is logged once", server.logs().count("event=storage.full"), 1)
    server.close()


def status(server, *words):
    ran = subprocess.run([PLATEN, "status", "--listen", f"127.0.0.1:{server.port}", *words],
                         capture_output=True, text=True, timeout=DEADLINE, check=False)
    return ran.returncode, ran.stdout, ran.stderr


def check_status(server):
    ok("the server becomes ready",
       until(lambda: server.request("GET", "/readyz").status == 200))
    code, out, _ = status(server, "--json")
    said = json.loads(out)
    same("platen status of a running server has status 0", (code, said["state"]), (0, "running"))
    same("platen status counts each tool's jobs", said["tools"]["rotate"],
         {"accepted": 2, "completed": 1, "failed": 1})
    same("platen status counts the jobs of the last minutes", {what: said["recent"][what]["15m"]
                                    for what in ("accepted", "completed", "failed")},
         {"accepted": 4, "completed": 3, "failed": 1})
    same("platen status shows an empty queue",
         said["queue"], {"pending": 0, "running": 0, "oldestSeconds": 0.0})
    ok("platen status shows the programs and their sandbox",
       any("platen-worker" in note and "seccomp" in note
                                             for note in said["workers"]["programs"]), said)
    code, out, _ = status(server)
    ok("platen status as text has the same figures",
       code == 0 and re.search(r"rotate +2 +1 +1\n", out)
       and "0 waiting, 0 running" in out and "GB free of" in out, out)
    code, _, err = status(server, "--nonsense")
    same("platen status with an unknown option has status 2", code, 2)


def check_oldest():
    """A job that cannot run yet waits, and status says how long."""
    server = Server("--workers", "1")
    key = server.key()
    hold(server)
    for _ in range(3):
        server.submit("rotate", [("a.pdf", pdf())], key, {"degrees": "90"})

    def is_said():
        said = json.loads(status(server, "--json")[1])
        return (said["queue"]["pending"] > 0 and said["queue"]["oldestSeconds"] > 0 and
                said["workers"]["busy"] == 1)

    def is_measured():
        text = metrics(server)
        return (re.search(r"\nplaten_queue_oldest_seconds [0-9.e-]*[1-9]", text) and
                "\nplaten_workers_busy 1\n" in text)

    ok("platen status shows the length and age of a full queue", until(is_said))
    ok("metrics show the length and age of a full queue", until(is_measured))
    server.process.send_signal(signal.SIGTERM)
    code = status(server, "--json")[0]
    ok("platen status of a stopping server does not have status 0", code in (1, 3), code)
    go(server)
    server.close()
    code, _, err = status(server)
    ok("platen status of a stopped server has status 1 and says so",
       code == 1 and "no program answers" in err, err)


def check_guard():
    server = Server("--metrics-from", "192.0.2.0/24", "--trusted-proxies", "127.0.0.2",
                    env={"PLATEN_METRICS_TOKEN": "let-the-scraper-in"})
    refused = server.request("GET", "/metrics")
    same("/metrics for an address outside of metrics_from is refused",
         (refused.status, refused.error),
         (403, "forbidden"))
    same("/status for an address outside of metrics_from is refused",
         server.request("GET", "/status").status, 403)
    for token, want in (("let-the-scraper-in", 200), ("let-the-scraper-out", 403), ("", 403),
                        ("let-the-scraper-in-x", 403)):
        got = server.request("GET", "/metrics", headers={"Authorization": f"Bearer {token}"})
        same(f"/metrics with the token {token!r} is answered {want}", got.status, want)
    code, _, err = status(server)
    ok("platen status says that metrics_from refused it", code == 1 and "metrics_from" in err, err)
    until(lambda: server.request("GET", "/readyz").status == 200)
    same("platen status with the token has status 0",
         status(server, "--metrics-token", "let-the-scraper-in")[0], 0)
    same("the server with metrics_token stops cleanly", server.close(), 0)
    server = Server()
    same("/metrics is open to the loopback by default", server.request("GET", "/metrics").status, 200)
    for name, value in (("X-Forwarded-For", "127.0.0.1"), ("Forwarded", "for=127.0.0.1"), ("Via", "1.1 proxy"), ("X-Real-IP", "127.0.0.1")):
        relayed = server.request("GET", "/metrics", headers={name: value})
        same(f"/metrics is closed to requests that a proxy on the loopback forwards with {name}", relayed.status, 403)
    same("the server stops", server.close(), 0)


def check_logs(server, jobs):
    logs = server.logs()
    ok("the log has the client's address of each job", re.search(
        rf"event=job.accepted job={jobs[0]['jobId']} .*client=127.0.0.1", logs), logs[-2000:])
    for what in (PASSWORD, "secret-name", server.a_key):
        ok(f"the log contains no file name, password or key ({what[:6]})", what not in logs, what)
    path = os.path.join(server.data, "journal")
    stat = os.stat("/dev/null")
    ran = subprocess.run([PLATEN, "serve", "--data", os.path.join(server.data, "d"), "--listen",
                          "127.0.0.1:0"], stderr=subprocess.PIPE, stdout=subprocess.DEVNULL,
                         stdin=subprocess.DEVNULL, timeout=DEADLINE, check=False,
                         env={**os.environ, "JOURNAL_STREAM": f"{stat.st_dev}:{stat.st_ino}"})
    ok("JOURNAL_STREAM of another stream does not change the log's format",
       b"<" not in ran.stderr[:1], ran.stderr)
    with open(path, "wb+") as journal:
        stat = os.stat(path)
        subprocess.run([PLATEN, "serve", "--data", os.path.join(server.data, "d"), "--listen",
                        "127.0.0.1:0"], stderr=journal, stdout=subprocess.DEVNULL,
                       stdin=subprocess.DEVNULL, timeout=DEADLINE, check=False,
                       env={**os.environ, "PLATEN_RETENTON": "1",
                            "JOURNAL_STREAM": f"{stat.st_dev}:{stat.st_ino}"})
        journal.seek(0)
        said = journal.read().decode()
    ok("log lines to the journal begin with their priority",
       re.search(r"^<4>event=config.odd ", said, re.M) and "time=" not in said, said)


def check_access():
    server = Server("--access-log", "true")
    server.request("GET", "/healthz")
    ok("the access log has a line for each request", until(lambda: re.search(
        r"event=http.request request=\S+ client=127.0.0.1 method=GET route=/healthz status=200 ms=\d+",
        server.logs())), server.logs())
    same("the server with an access log stops cleanly", server.close(), 0)


check_reader()
check_uptime()
main = Server()
main.a_key = main.key()
done_jobs = work(main, main.a_key)
check_metrics(main)
check_dashboard(main)
check_page(main)
check_status(main)
check_logs(main, done_jobs)
same("the server stops cleanly", main.close(), 0)
check_rules()
check_full()
check_oldest()
check_guard()
check_access()
done()
