#!/usr/bin/env python3
"""settings.py [--check] [ROOT]: docs/settings.md and packaging/platen.conf, made from
src/server/config/config.def and plan.def. With --check: whether they are what would be made."""

import os
import re
import sys
import textwrap

WORDS = {"TEXT": "text", "SECRET": "secret", "INT": "number", "BYTES": "bytes", "TIME": "time",
         "BOOL": "true or false", "NETS": "addresses",
         "LABEL": "short text"}
LINE = re.compile(r'^(SETTING|LIVE|PLAN|GROUP)\((.*)\)$')
STRING = re.compile(r'"((?:[^"\\]|\\.)*)"')


def entries(path):
    """(macro, type, name, default, sentence) of each line; a group is (GROUP, title)."""
    with open(path, encoding="utf-8") as file:
        for line in file:
            found = LINE.match(line.strip())
            if not found or line.startswith("#"):
                continue
            macro, rest = found.groups()
            strings = [s.replace('\\"', '"') for s in STRING.findall(rest)]
            words = [word.strip() for word in STRING.sub("", rest).split(",")]
            if macro == "GROUP":
                yield macro, strings[0]
            elif macro == "PLAN":
                yield macro, words[0], words[1], None, strings[0]
            else:
                yield macro, words[0], words[1], strings[0], strings[1]


def reference(settings, plans):
    out = ["# Settings", "",
           "<!-- Made from src/server/config/config.def by check/settings.py; do not edit. -->", "",
           "Every setting can be given in four places, each beating the one before it:", "",
           "1. its default;",
           "2. a line `name = value` of the file that `--config FILE` names "
           "([packaging/platen.conf](../packaging/platen.conf) holds them all, with comments);",
           "3. the environment, as `PLATEN_NAME`: `PLATEN_MAX_FILE_SIZE=500M`;",
           "4. an option of the command line, as `--name VALUE` with `-` for `_`: "
           "`--max-file-size 500M`.", "",
           "`platen config check --config FILE` finds every fault of a file, with its line; "
           "`platen config show` shows what counts and where it is from.", "",
           "Settings marked **live** change while the server runs: edit the file and send it SIGHUP "
           "(`systemctl reload platen`). No request is dropped; jobs that already run keep what they "
           "began with. If the file has a fault, all stays as it was and the log says why "
           "(`config.refused`). Of the others the log says `config.needs_restart`, by name.", "",
           "Types: *bytes* are decimal and take `k`, `M`, `G`, `T` (`500k`, `20M`, `2G`); *time* takes "
           "`ms`, `s`, `m`, `h`, `d` (`250ms`, `30s`, `24h`); *addresses* are addresses and networks "
           "with blanks or commas between them (`127.0.0.1 10.0.0.0/8 fd00::/8`); a *secret* is a text "
           "that is never shown."]
    for entry in settings:
        if entry[0] == "GROUP":
            out += ["", f"## {entry[1]}", "", "| setting | type | default | live | |", "|---|---|---|---|---|"]
            continue
        macro, kind, name, preset, help_ = entry
        help_ = help_.replace("|", "\\|")
        out.append(f"| `{name}` | {WORDS[kind]} | {'`' + preset + '`' if preset else ''} | "
                   f"{'live' if macro == 'LIVE' else ''} | {help_} |")
    out += ["", "## Plans", "",
            "A key belongs to a plan. `pro` (1000 requests and 500 MB a month) and `business` (50000 "
            "and 2 GB) are built in; sections of the file change them, or add others. Plans are live.", "",
            "```ini", "[plan business]", "requests_per_month = 50000", "bytes_per_month = 2G",
            "max_unfinished = 1000", "price = 49 EUR", "", "[plan trial]", "requests_per_month = 50",
            "bytes_per_month = 50M", "max_unfinished = 5", "```", "", "| setting | type | |", "|---|---|---|"]
    out += [f"| `{name}` | {WORDS[kind]} | {help_} |" for _, kind, name, _, help_ in plans]
    return "\n".join(out) + "\n"


def comment(text):
    return textwrap.wrap(text, 96, initial_indent="# ", subsequent_indent="# ",
                         break_long_words=False, break_on_hyphens=False)


def example(settings, plans):
    out = ["# platen.conf: every setting there is, at its default. Made from src/server/config/config.def by",
           "# check/settings.py.", "#",
           "# Take the '#' away from a line to change it, then: platen config check --config FILE",
           "# What is marked [live] counts after `systemctl reload platen` (SIGHUP), the rest after a",
           "# restart. Bytes are decimal (500k, 20M, 2G), times are 250ms, 30s, 5m, 24h, 7d.",
           '# A value ends with its line, or before a comment: " ; ..." or " # ...".']
    for entry in settings:
        if entry[0] == "GROUP":
            out += ["", "", "# " + f"---- {entry[1]} ".ljust(94, "-")]
            continue
        macro, _, name, preset, help_ = entry
        out += [""] + comment(help_ + (" [live]" if macro == "LIVE" else ""))
        out.append(f"#{name} = {preset}".rstrip())
    out += ["", "", "# " + "---- Plans ".ljust(94, "-"), ""]
    out += comment("A plan is a section, and sections stand behind all settings. pro and business are "
                   "built in, with the figures shown here; change them, or add others. [live]")
    for _, _, name, _, help_ in plans:
        out += comment(f"{name}: {help_}")
    for name, requests, volume, jobs, price in (("pro", "1000", "500M", "100", "$9.99"),
                                                ("business", "50000", "2G", "1000", "$29.99")):
        out += ["", f"#[plan {name}]", f"#requests_per_month = {requests}",
                f"#bytes_per_month = {volume}", f"#price = {price}",
                f"#max_unfinished = {jobs}", "#jobs_per_minute = 0", "#retention = 0ms", "#max_retention = 0ms"]
    return "\n".join(out) + "\n"


def main():
    words = [word for word in sys.argv[1:] if word != "--check"]
    root = words[0] if words else os.path.join(os.path.dirname(os.path.abspath(__file__)), "..")
    settings = list(entries(os.path.join(root, "src/server/config/config.def")))
    plans = list(entries(os.path.join(root, "src/server/config/plan.def")))
    faults = 0
    for path, text in (("docs/settings.md", reference(settings, plans)),
                       ("packaging/platen.conf", example(settings, plans))):
        path = os.path.join(root, path)
        if "--check" not in sys.argv:
            with open(path, "w", encoding="utf-8") as file:
                file.write(text)
            continue
        try:
            with open(path, encoding="utf-8") as file:
                same = file.read() == text
        except FileNotFoundError:
            same = False
        if not same:
            print(f"settings: {os.path.relpath(path, root)} is not what check/settings.py makes")
            faults += 1
    if "--check" in sys.argv and not faults:
        print("settings: the reference and the example are those of the source")
    return 1 if faults else 0


sys.exit(main())
