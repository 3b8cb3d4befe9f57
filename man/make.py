#!/usr/bin/env python3
"""make.py PLATEN PARTS OUT: the man pages, of what the program says of itself (--help) and of what
stands in the folder PARTS: NAME.man is put after the description of page NAME.

The program is asked, so that no page can speak of a setting or a command that is not there."""

import os
import re
import subprocess
import sys

PLATEN, PARTS, OUT = sys.argv[1:]


def ask(*words):
    return subprocess.run([PLATEN, *words], capture_output=True, text=True, check=True,
                          timeout=60).stdout


VERSION = ask("--version").split()[1]


def roff(text):
    """Text as groff takes it literally."""
    text = text.replace("\\", "\\e").replace("-", "\\-").replace("'", "\\(aq").replace("^", "\\(ha")
    text = text.replace("~", "\\(ti").replace("`", "\\(ga")
    return "\n".join("\\&" + line if line[:1] == "." else line for line in text.splitlines())


def page(name, section, what, synopsis, body, see):
    head = [f'.\\" Made by man/make.py of what platen says of itself.',
            f'.TH {name.upper()} {section} "" "platen {VERSION}" "platen"',
            ".SH NAME", f"{roff(name)} \\- {roff(what)}"]
    if synopsis:
        head += [".SH SYNOPSIS", *synopsis]
    extra = os.path.join(PARTS, name + ".man")
    if os.path.exists(extra):
        with open(extra) as part:
            part = [part.read().rstrip()]
        if part[0].startswith(".SH DESCRIPTION"):
            first, _, rest = part[0].partition("\n.SH ")
            body = [first] + body + [".SH " + rest]
        else:
            body += part
    others = [f".BR {roff(n)} ({s})" for n, s in see if n != name]
    tail = [".SH SEE ALSO", ",\n".join(others)]
    with open(os.path.join(OUT, f"{name}.{section}"), "w") as out:
        out.write("\n".join(head + body + tail) + "\n")


def entry(line, style):
    """A line "  --name VALUE  sentence [default]" as an entry of a list of terms."""
    label, sentence = re.match(r"  (\S.*?)  +(.*)$", line).groups()
    preset = re.search(r" \[([^][]*)\]$", sentence)
    if preset:
        sentence = sentence[:preset.start()]
    return [".TP", style(label), roff(sentence)] + (
        [".br", f"Default: {roff(preset[1])}"] if preset else [])


def bold(label):
    name, _, value = label.partition(" ") if not label.startswith("-o,") else (label, "", "")
    return f'.BI {roff(name)} " {roff(value)}"' if value.isupper() else f'.B "{roff(label)}"'


def setting(label):
    return f'.BI {roff(label)} " VALUE"'


def sections(text):
    """What --help prints as (title, lines); a paragraph has the title ""."""
    for block in text.strip().split("\n\n"):
        first, *lines = block.splitlines()
        yield (first[:-1], lines) if first.endswith(":") and lines else ("", [block])


def command(name, what, see):
    synopsis, body = [], [".SH DESCRIPTION"]
    for title, lines in sections(ask(name, "--help")):
        if title == "Usage":
            for line in lines:
                words = line.split()
                n = 3 if len(words) > 2 and words[2].islower() and words[2].isalpha() else 2
                synopsis += [".br", ".B " + roff(" ".join(words[:n])), roff(" ".join(words[n:]))]
        elif title == "Exit status":
            body += [".SH EXIT STATUS", roff(lines[0].strip())]
        elif title:
            body.append(f".SH {title.upper()}")
            for line in lines:
                body += entry(line, setting if title == "Settings" else bold)
        else:
            body += [roff(lines[0]), ".PP"]
    if body[-1] == ".PP":
        body.pop()
    page(f"platen-{name}", 1, what, [line for line in synopsis[1:] if line], body, see)


def main():
    listed = dict(sections(ask("--help")))["Commands"]
    commands = [re.match(r"  platen (\S+) +(.*)$", line).groups() for line in listed]
    see = [("platen", 1)] + [(f"platen-{name}", 1) for name, _ in commands]
    see += [("platen.conf", 5)]
    body = [".SH COMMANDS"]
    for name, what in commands:
        body += [".TP", f".B platen {name}", f"{roff(what)}; see", f".BR platen\\-{name} (1)."]
    page("platen", 1, "PDF operations, as a server or on the command line",
         [".B platen", ".I COMMAND", ".RI [ WORD... ]", ".br", ".B platen \\-\\-help", ".br",
          ".B platen \\-\\-version"], body, see)
    for name, what in commands:
        command(name, what, see)
    body = [".SH SETTINGS"]
    for line in dict(sections(ask("serve", "--help")))["Settings"]:
        body += entry(line, lambda label: f".B {roff(label[2:].replace('-', '_'))}")
    page("platen.conf", 5, "settings of the platen server", [".I /etc/platen/platen.conf"], body,
         see)


main()
