"""tool: runs a tool of platen on files that are made for it, and says what came of it; shared by the judges of this folder."""
import json
import os
import subprocess
import sys
import tempfile
import zipfile

PNG = bytes.fromhex(
    "89504e470d0a1a0a0000000d49484452000000080000000808020000004b6d29dc0000001149444154789c63382127871531"
    "0c2d090090bf4101b29f3e220000000049454e44ae426082"
)


def pack(files, path):
    """A ZIP of files, with fixed dates."""
    with zipfile.ZipFile(path, "w") as archive:
        for name, data in files.items():
            archive.writestr(zipfile.ZipInfo(name), data if isinstance(data, bytes) else data.encode())


class Result:
    """What a job came to: `code` is "" if it succeeded, else the error's code."""

    def __init__(self, code, text, path, warnings):
        self.code, self.text, self.path, self.warnings = code, text, path, warnings

    def words(self):
        """The text of a PDF, or nothing."""
        if self.code:
            return ""
        done = subprocess.run(["pdftotext", "-layout", self.path, "-"], capture_output=True, check=False)
        return done.stdout.decode(errors="replace")


def run(platen, tool, files, params=None, timeout=120, folder=None):
    """Runs a tool on a ZIP of files, or on files as they are if `params` says loose."""
    params = dict(params or {})
    loose = params.pop("loose", False)
    folder = folder or tempfile.mkdtemp(prefix="platen-browser-")
    out = os.path.join(folder, "out.pdf")
    names = []
    if loose:
        for name, data in files.items():
            path = os.path.join(folder, os.path.basename(name))
            with open(path, "wb") as file:
                file.write(data if isinstance(data, bytes) else data.encode())
            names.append(path)
    elif files:
        names.append(os.path.join(folder, "page.zip"))
        pack(files, names[0])
    command = [platen, "run", tool, *names, "-o", out]
    for name, value in params.items():
        command += [f"--{name}", str(value)]
    done = subprocess.run(command, capture_output=True, timeout=timeout, check=False)
    said = done.stderr.decode(errors="replace")
    code = ""
    if done.returncode:
        code = next((word.rstrip(":") for word in said.split() if "_" in word and word.rstrip(":").islower()), said or "failed")
    return Result(code, said, out, said)


def skip_without(platen, name):
    """Ends with a skipped test where a tool is not offered: Chromium is optional, and needs namespaces."""
    if subprocess.run([platen, "tools", name], capture_output=True, check=False).returncode:
        print(f"1..0 # SKIP {name} is not offered here")
        sys.exit(0)


def main_of(judge):
    """Prints the outcomes of a judge, a generator of (name, good, what was seen), and returns the exit status."""
    bad = total = 0
    for name, good, seen in judge:
        total += 1
        bad += not good
        print(f"{'ok' if good else 'not ok'} {total} - {name}" + ("" if good else f"\n#   {seen}"), flush=True)
    print(f"1..{total}")
    print("# " + json.dumps({"cases": total, "good": total - bad}))
    return bad != 0
