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


def literal(text):
    return [".nf", roff(text.rstrip()), ".fi"]


def settings(text, style):
    """The lines "  --name   sentence [default]" as a list of terms."""
    out = []
    for name, sentence in re.findall(r"^  --(\S+)\s+(.*)$", text, re.M):
        preset = re.search(r" \[([^][]*)\]$", sentence)
        if preset:
            sentence = sentence[:preset.start()]
        out += [".TP", style(name), roff(sentence)]
        if preset:
            out += [".br", f"Default: {roff(preset[1])}"]
    return out


def option(name):
    return f".BI \\-\\-{roff(name)} \" VALUE\""


def main():
    overview = ask("--help")
    commands = re.findall(r"^  platen ([a-z]+) +(.*?)(?:  +(\S.*))?$", overview, re.M)
    see = [("platen", 1)] + [(f"platen-{name}", 1) for name, _, _ in commands]
    see += [("platen.conf", 5)]
    listed = [".SH COMMANDS"]
    for name, usage, what in commands:
        listed += [".TP", f".BI \"platen {name} \" \"{roff(usage)}\"", f"{roff(what or '')}; see",
                   f".BR platen\\-{name} (1)."]
    page("platen", 1, "PDF operations, as a server or on the command line",
         [".B platen", ".I COMMAND", ".RI [ WORD... ]", ".br", ".B platen \\-\\-help", ".br",
          ".B platen \\-\\-version"], listed, see)
    for name, usage, what in commands:
        text = ask(name, "--help")
        synopsis = [f".B platen {name}", roff(usage)]
        body = [".SH DESCRIPTION"]
        if re.search(r"^  --\S+ {2,}", text, re.M) and name == "serve":
            body += [".B platen serve", "runs the server until it is sent SIGTERM or SIGINT.",
                     ".SH SETTINGS", "As words here, as PLATEN_SETTING in the environment, or as",
                     ".B setting = value", "in the file; see", ".BR platen.conf (5).",
                     *settings(text, option)]
        else:
            usage, _, rest = text.partition("\n\n")
            if "\nplaten " in "\n" + usage and "  " not in usage:
                body += literal(rest)  # the synopsis says the rest
                synopsis = [word for line in usage.splitlines() for word in
                            (f".B {roff(' '.join(line.split()[:2]))}",
                             roff(" ".join(line.split()[2:])), ".br")][:-1]
            else:
                body += literal(text)
        page(f"platen-{name}", 1, what or name, synopsis, body, see)
    body = [".SH SETTINGS", *settings(ask("serve", "--help"),
                                      lambda name: f".B {roff(name.replace('-', '_'))}")]
    page("platen.conf", 5, "settings of the platen server", [".I /etc/platen/platen.conf"], body,
         see)


main()
