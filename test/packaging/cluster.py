"""The files that start several servers in containers: cluster.yaml of compose, and the Helm chart. Both
are read by PyYAML, the chart after it was rendered here: no Helm is packaged for Debian, and the
chart uses few of its words. Their settings are judged by platen itself.

    cluster.py PLATEN ROOT"""

import os
import re
import subprocess
import sys

import yaml

PLATEN, ROOT = sys.argv[1:3]
CHART = os.path.join(ROOT, "packaging/helm/platen")
_count = _failed = 0


def ok(what, passed, *details):
    global _count, _failed
    _count += 1
    _failed += not passed
    print(f"{'ok' if passed else 'not ok'} {_count} - {what}")
    if not passed:
        print(f"# {__file__}:{sys._getframe(1).f_lineno}")
    for detail in () if passed else details:
        print(f"#   {detail!r}"[:2000])


def look_up(scope, path):
    for name in path.strip(".").split("."):
        scope = scope[name]
    return scope


def value_of(word, scope):
    if word.startswith("$"):
        return scope[word]
    return look_up(scope, word)


def expression(text, scope):
    """What stands in braces: a path, a variable, or `toYaml PATH | indent N`."""
    found = re.fullmatch(r"toYaml (\S+) \| indent (\d+)", text)
    if found:
        dumped = yaml.safe_dump(value_of(found[1], scope), default_flow_style=False).rstrip("\n")
        return "\n".join(" " * int(found[2]) + line for line in dumped.split("\n"))
    if not re.fullmatch(r"[$.][\w.]*", text):
        raise ValueError(f"this check does not know {{{{ {text} }}}}")
    return str(value_of(text, scope))


def block(lines, scope, out):
    """Renders up to the end of a block; what is left of the lines."""
    while lines:
        line = lines.pop(0)
        word = re.fullmatch(r"\s*\{\{-? (if|range|end)\b ?(.*?) -?\}\}", line)
        if not word:
            out.append(re.sub(r"\{\{-? (.*?) -?\}\}", lambda found: expression(found[1], scope), line))
        elif word[1] == "end":
            return lines
        else:
            inner = list(lines)
            if word[1] == "if":
                negated = word[2].startswith("not ")
                wanted = bool(value_of(word[2].removeprefix("not "), scope)) != negated
                lines = block(inner, scope, out if wanted else [])
            else:
                names, _, path = word[2].partition(" := ")
                key, value = names.split(", ")
                rest = block(list(lines), {**scope, key: "", value: ""}, [])
                for item in value_of(path, scope).items():
                    block(list(lines), {**scope, key: item[0], value: item[1]}, out)
                lines = rest
    return lines


def render(values):
    scope = {"Values": values, "Release": {"Name": "pdf", "Namespace": "default"}}
    found = []
    for name in sorted(os.listdir(os.path.join(CHART, "templates"))):
        with open(os.path.join(CHART, "templates", name), encoding="utf-8") as file:
            out = []
            block(file.read().split("\n"), scope, out)
        if name.endswith(".yaml"):
            found += [part for part in yaml.safe_load_all("\n".join(out)) if part]
    return found


def settings_are_good(what, environment, words):
    """`platen config check` takes the settings of a container; of `work` and `serve` alike."""
    words = [word for word in words if word not in ("serve", "work")]
    words = [part for word in words for part in (["--work", "false"] if word == "--no-work" else [word])]
    told = subprocess.run([PLATEN, "config", "check", *words], capture_output=True, text=True, timeout=60, env={
        "PATH": os.environ["PATH"], **{name: str(value) for name, value in environment.items()}})
    ok(f"config check accepts the settings of {what}",
       told.returncode == 0, told.stdout, told.stderr)


def check_compose():
    with open(os.path.join(ROOT, "packaging/container/cluster.yaml"), encoding="utf-8") as file:
        services = yaml.safe_load(file)["services"]
    ours = {name: service for name, service in services.items() if service["image"].startswith("platen")}
    ok("compose starts the services door, hand and office",
       set(ours) == {"door", "hand", "office"}, ours)
    for name, service in ours.items():
        ok(f"{name} has no capability, and its image is read-only",
           service["read_only"] and service["cap_drop"] == ["ALL"], service)
        settings_are_good(name, service["environment"], service["command"])
    known = set(services)
    ok("every service that another one depends on exists",
       all(set(service.get("depends_on", ())) <= known
                                             for service in services.values()))
    ok("the jobs of every tool are run by one of the services",
       ours["hand"]["command"][-1] == "!office" and
       ours["office"]["command"][-1] == "office", ours)


def check_workload(one):
    name, spec = one["metadata"]["name"], one["spec"]["template"]["spec"]
    container = spec["containers"][0]
    labels = one["spec"]["template"]["metadata"]["labels"]
    ok(f"the selector of {name} matches its own pods",
       one["spec"]["selector"]["matchLabels"].items() <= labels.items(), one)
    ok(f"{name} has a liveness and a readiness probe",
       container["livenessProbe"]["httpGet"]["path"] == "/healthz" and
       container["readinessProbe"]["httpGet"]["path"] == "/readyz", container)
    ok(f"{name} does not run as root, and its image is read-only",
       spec["securityContext"]["runAsNonRoot"] and container["securityContext"]["readOnlyRootFilesystem"] and
       container["securityContext"]["capabilities"]["drop"] == ["ALL"], spec)
    ok(f"{name} mounts exactly its declared volumes",
       {m["name"] for m in container["volumeMounts"]} ==
       {v["name"] for v in spec["volumes"]}, spec)
    settings_are_good(name, {e["name"]: e["value"] for e in container["env"]}, container["args"])


def check_chart():
    with open(os.path.join(CHART, "values.yaml"), encoding="utf-8") as file:
        values = yaml.safe_load(file)
    with open(os.path.join(CHART, "Chart.yaml"), encoding="utf-8") as file:
        chart = yaml.safe_load(file)
    version = subprocess.run([PLATEN, "--version"], capture_output=True, text=True, check=True).stdout
    ok("the chart has the version of this platen", chart["appVersion"] in version, chart, version)
    values["settings"] = {"PLATEN_RETENTION": "2h"}
    all_of_it = render(values)
    workloads = {one["metadata"]["name"]: one for one in all_of_it if one["kind"] == "Deployment"}
    ok("the chart has the workloads door, hand and office",
       set(workloads) == {"pdf-door", "pdf-hand", "pdf-office"}, workloads)
    for one in workloads.values():
        check_workload(one)
    ok("further settings reach every workload", all({"name": "PLATEN_RETENTION", "value": "2h"} in
                                          one["spec"]["template"]["spec"]["containers"][0]["env"]
                                          for one in workloads.values()))
    scaled = {one["spec"]["scaleTargetRef"]["name"]: one for one in all_of_it if one["kind"] == "ScaledObject"}
    ok("KEDA scales the workloads that run jobs", set(scaled) == {"pdf-hand", "pdf-office"}, scaled)
    ok("workloads that KEDA scales have no fixed number of replicas",
       not any("replicas" in workloads[name]["spec"] for name in scaled))
    if os.environ.get("PLATEN_POSTGRES"):
        subprocess.run([PLATEN, "key", "list", "--store", os.environ["PLATEN_POSTGRES"], "--data", "/nonexistent"],
                       capture_output=True, timeout=60, check=False)
        for name, one in scaled.items():
            told = subprocess.run(["psql", "-XAtq", os.environ["PLATEN_POSTGRES"], "-c",
                                   one["spec"]["triggers"][0]["metadata"]["query"]], capture_output=True,
                                  text=True, timeout=60)
            ok(f"the database answers the query that scales {name}",
               told.stdout.strip() == "0", told)
    service = next(one for one in all_of_it if one["kind"] == "Service")
    ok("the service sends requests to the door", service["spec"]["selector"].items() <=
       workloads["pdf-door"]["spec"]["template"]["metadata"]["labels"].items(), service)
    still = render({**values, "keda": False, "office": {**values["office"], "enabled": False}})
    ok("without KEDA and office there are two workloads of a fixed size", [
        one["spec"]["replicas"] for one in still if one["kind"] == "Deployment"] == [2, 1], still)


check_compose()
check_chart()
print(f"1..{_count}")
sys.exit(_failed > 0)
