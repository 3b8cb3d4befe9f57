#!/usr/bin/python3
"""wheel.py PROJECT FOLDER: makes a wheel and a source archive of the Python client in FOLDER, from its
pyproject.toml, with nothing but the standard library: who builds it needs no packages."""

import base64
import hashlib
import io
import os
import re
import sys
import tarfile
import tomllib
import zipfile

EPOCH = (1980, 1, 1, 0, 0, 0)


def read(*path):
    with open(os.path.join(*path), "rb") as file:
        return file.read()


def version_of(project):
    return re.search(r'^VERSION = "(.*)"', read(project, "src/platen/_tools.py").decode(), re.M)[1]


def metadata(project, about, version):
    lines = ["Metadata-Version: 2.1", f"Name: {about['name']}", f"Version: {version}", f"Summary: {about['description']}",
             f"License: {about['license']['text']}", f"Requires-Python: {about['requires-python']}",
             *(f"Classifier: {name}" for name in about["classifiers"]), "Description-Content-Type: text/markdown", "",
             read(project, about["readme"]).decode()]
    return "\n".join(lines).encode()


def modules(project):
    """The files of the package, by their names in the wheel."""
    for folder, folders, names in os.walk(os.path.join(project, "src")):
        folders[:] = sorted(name for name in folders if name != "__pycache__")
        for name in sorted(names):
            path = os.path.join(folder, name)
            yield os.path.relpath(path, os.path.join(project, "src")), read(path)


def wheel(project, out, about, version):
    stem = f"{about['name'].replace('-', '_')}-{version}"
    info = f"{stem}.dist-info"
    files = [*modules(project), (f"{info}/METADATA", metadata(project, about, version)),
             (f"{info}/LICENSE", read(project, "LICENSE")),
             (f"{info}/WHEEL", b"Wheel-Version: 1.0\nGenerator: platen\nRoot-Is-Purelib: true\nTag: py3-none-any\n")]
    record = "".join(f"{name},sha256={base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b'=').decode()},{len(data)}\n"
                     for name, data in files)
    files.append((f"{info}/RECORD", f"{record}{info}/RECORD,,\n".encode()))
    with zipfile.ZipFile(os.path.join(out, f"{stem}-py3-none-any.whl"), "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files:
            entry = zipfile.ZipInfo(name, EPOCH)
            entry.external_attr = 0o100644 << 16
            entry.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(entry, data)


def source(project, out, about, version):
    stem = f"{about['name'].replace('-', '_')}-{version}"
    files = [("PKG-INFO", metadata(project, about, version)),
             *((name, read(project, name)) for name in ("pyproject.toml", "README.md", "LICENSE")),
             *((f"src/{name}", data) for name, data in modules(project))]
    with tarfile.open(os.path.join(out, f"{stem}.tar.gz"), "w:gz") as archive:
        for name, data in files:
            entry = tarfile.TarInfo(f"{stem}/{name}")
            entry.size, entry.mode = len(data), 0o644
            archive.addfile(entry, io.BytesIO(data))


def main():
    project, out = sys.argv[1:]
    about = tomllib.loads(read(project, "pyproject.toml").decode())["project"]
    version = version_of(project)
    wheel(project, out, about, version)
    source(project, out, about, version)


main()
