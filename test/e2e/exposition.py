"""Prometheus' text format 0.0.4, read strictly: what `promtool check metrics` finds, and more."""

import re

NAME = re.compile(r"^[a-zA-Z_:][a-zA-Z0-9_:]*$")
SAMPLE = re.compile(r'^([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\{(.*)\})? (\S+)$')
LABEL = re.compile(r'([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\\n]|\\["\\n])*)"(,|$)')
TYPES = ("counter", "gauge", "histogram")
UNITS = ("seconds", "bytes", "ratio", "jobs", "size", "info", "connections", "streams", "sending", "workers", "busy", "fds",
         "threads", "pages", "total")


class Family:
    def __init__(self, name):
        self.name, self.help, self.type = name, None, None
        self.samples = []  # (name, labels, value)


def labels_of(text, faults, line):
    labels, at = {}, 0
    while text and at < len(text):
        found = LABEL.match(text, at)
        if not found:
            faults.append(f"malformed labels: {line}")
            return labels
        if found[1] in labels:
            faults.append(f"a label twice: {line}")
        labels[found[1]] = found[2]
        at = found.end()
    return labels


def base_of(name, families):
    for end in ("_bucket", "_sum", "_count"):
        stem = name.removesuffix(end)
        if stem != name and stem in families and families[stem].type == "histogram":
            return stem
    return name


def read(text):
    """(families by name, faults)."""
    families, faults, current = {}, [], None
    if not text.endswith("\n"):
        faults.append("the last line does not end")
    for line in text.splitlines():
        words = line.split(" ", 3)
        if line.startswith("# HELP ") or line.startswith("# TYPE "):
            name = words[2]
            if words[1] == "HELP":
                if name in families:
                    faults.append(f"a family twice: {name}")
                current = families.setdefault(name, Family(name))
                current.help = words[3] if len(words) > 3 else ""
            elif current is None or current.name != name or current.samples:
                faults.append(f"a type out of its place: {line}")
            else:
                current.type = words[3]
            continue
        found = SAMPLE.match(line)
        if not found:
            faults.append(f"no sample: {line}")
            continue
        base = base_of(found[1], families)
        if current is None or base != current.name:
            faults.append(f"a sample out of its family: {line}")
            continue
        try:
            value = float(found[3])
        except ValueError:
            faults.append(f"no number: {line}")
            continue
        current.samples.append((found[1], labels_of(found[2], faults, line), value))
    for family in families.values():
        judge(family, faults)
    return families, faults


def judge(family, faults):
    name = family.name
    if not NAME.match(name) or re.search(r"[A-Z]|__", name):
        faults.append(f"{name}: no good name")
    if not family.help or not family.help.endswith("."):
        faults.append(f"{name}: no sentence says what it is")
    if family.type not in TYPES:
        faults.append(f"{name}: type {family.type}")
    if (family.type == "counter") != name.endswith("_total"):
        faults.append(f"{name}: a counter ends in _total, and nothing else does")
    if name.split("_")[-1] not in UNITS:
        faults.append(f"{name}: does not end with its unit")
    if re.search(r"_(milliseconds|ms|kilobytes|mb|minutes)(_|$)", name):
        faults.append(f"{name}: not in base units")
    seen = set()
    for sample, labels, value in family.samples:
        key = (sample, tuple(sorted(labels.items())))
        if key in seen:
            faults.append(f"{sample}: a series twice: {labels}")
        seen.add(key)
        if family.type != "gauge" and value < 0:
            faults.append(f"{sample}: {value} is below 0")
        if "le" in labels and family.type != "histogram":
            faults.append(f"{sample}: a bucket that is none")
    if family.type == "histogram":
        judge_histogram(family, faults)


def judge_histogram(family, faults):
    groups = {}
    for sample, labels, value in family.samples:
        rest = tuple(sorted((k, v) for k, v in labels.items() if k != "le"))
        groups.setdefault(rest, {}).setdefault(sample, []).append((labels.get("le"), value))
    for rest, parts in groups.items():
        where = f"{family.name}{dict(rest)}"
        buckets = parts.get(family.name + "_bucket", [])
        if sorted(parts) != sorted(family.name + end for end in ("_bucket", "_sum", "_count")):
            faults.append(f"{where}: not all of buckets, sum and count")
            continue
        bounds = [float(le) for le, _ in buckets]
        counts = [count for _, count in buckets]
        if bounds != sorted(set(bounds)) or bounds[-1] != float("inf"):
            faults.append(f"{where}: buckets do not rise to +Inf")
        if counts != sorted(counts) or counts[-1] != parts[family.name + "_count"][0][1]:
            faults.append(f"{where}: buckets are not cumulative up to the count")


def value(families, name, **labels):
    """The sum of the series that have these labels; None if there is none."""
    base = base_of(name, families)
    found = [v for sample, have, v in families[base].samples if sample == name
             and all(have.get(k) == want for k, want in labels.items())] if base in families else []
    return sum(found) if found else None
